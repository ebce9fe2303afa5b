#!/usr/bin/python3
"""What a program submits to the asahi shim is recorded and can be decoded: test_record.py INDIUM PROGRAM.

PROGRAM is recorded.c, which says what must be found."""
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


def main():
  indium, program = sys.argv[1:]
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
