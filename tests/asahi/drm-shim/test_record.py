#!/usr/bin/python3
"""What programs submit to the asahi shim is recorded, decoded and replayed: test_record.py INDIUM RECORDED MODEL.

RECORDED is recorded.c, which says what must be found; MODEL is test_model.c, which stores where nothing is mapped."""
import os
import re
import subprocess
import sys
import tempfile

LINES = ['indium recording 1', 'device asahi m1', 'memory 1 0x8000', 'map 1 0x2000000000 0x8000 rwx 1 0x0',
         'map 1 0x4000000000 0x4000 rx 1 0x4000', 'map 1 0x6000000000 0x4000 rx 1 0x4000',
         'map 1 0x6000004000 0x4000 rx 1 0x4000', 'map 1 0x6000008000 0x4000 rx 1 0x4000',
         'write 1 0x10', '  40000000', 'submit 1 queue', '  usc 0x0']
CHANGES = ['unmap 1 0x6000004000 0x4000', 'write 1 0x4000', '  40000000', 'submit 1 queue', '  usc 0x0']


def check_soft_faults(indium, model):
  """A recording without soft faults replays without them, and only so."""
  with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, 'recording')
    budget = ['--budget', '100000']
    done = subprocess.run([indium, 'run', '--gpu', 'm1', *budget, '--record', path, '--', model], capture_output=True,
                          text=True, timeout=60,
                          env={**os.environ, 'INDIUM_NO_SOFT_FAULTS': '1', 'INDIUM_SCHEDULE': 'in-order'})
    assert done.returncode == 0, done
    with open(path, encoding='utf-8') as file:
      text = file.read()
    assert '\noption no-soft-faults\n' in text and re.search('(?m)^fault write to address', text), text
    for option, status in (('option no-soft-faults\n', 0), ('', 1), ('option soft\n', 2)):
      with open(path, 'w', encoding='utf-8') as file:
        file.write(text.replace('option no-soft-faults\n', option))
      done = subprocess.run([indium, 'replay', *budget, path], capture_output=True, text=True, timeout=60)
      assert done.returncode == status, (option, done)


def main():
  indium, program, model = sys.argv[1:]
  check_soft_faults(indium, model)
  with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, 'recording')
    done = subprocess.run([indium, 'run', '--gpu', 'm1', '--mode', 'noop', '--record', path, '--', program],
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done
    with open(path, encoding='utf-8') as file:
      lines = [re.sub(r' *#.*', '', line.rstrip('\n')) for line in file]
    lines = [line for line in lines if line and not line.startswith(('schedule', 'wrote'))]
    assert lines[:len(LINES)] == LINES, lines
    second = lines.index(CHANGES[0])
    assert lines[second:second + len(CHANGES)] == CHANGES, lines[second:]
    # Header and struct of a dispatch, 72 bytes.
    words = [line.split()[1:] for line in lines[len(LINES):second]]
    assert sum(map(len, words)) == 18 and words[0][:4] == ['00400001', '00000000', '00000000', '00000000'], words
    decoded = subprocess.run([indium, 'decode', path], capture_output=True, text=True, timeout=60)
    assert decoded.returncode == 0, decoded
    ends = [line.split()[0] for line in decoded.stdout.splitlines() if 'CDM_STREAM_TERMINATE' in line]
    assert ends == ['2000000010', '4000000000'], decoded.stdout
  print('fine')


if __name__ == '__main__':
  main()
