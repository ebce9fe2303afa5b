#!/usr/bin/python3
"""The tracer follows duplicates of a descriptor, and neither a child nor a number that is another file by now.

Usage: test_descriptors.py INDIUM PROGRAM; PROGRAM is descriptors.c.
"""
import os
import re
import subprocess
import sys
import tempfile

# What the recording must have, without memory and words.
LINES = ['memory 1 0x4000', 'map 1 0x2000000000 0x4000 rwx 1 0x0', 'submit 1 queue # queue 1, submit 1',
         'submit 1 queue # queue 1, submit 2', 'unmap 1 0x2000000000 0x4000', 'free 1', 'memory 2 0x4000',
         'map 2 0x2000000000 0x4000 rwx 2 0x0', 'submit 2 queue # queue 1, submit 1']


def main():
  indium, program = map(os.path.abspath, sys.argv[1:])
  clean = {k: v for k, v in os.environ.items() if not k.startswith(('INDIUM_', 'AGXDECODE_'))}
  with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    done = subprocess.run([indium, 'run', '--gpu', 'm1', '--mode', 'noop', '--wrap=recording', '--', program],
                          capture_output=True, text=True, timeout=60, env={**clean, 'AGXDECODE_DUMP_FILE': 'text'})
    assert done.returncode == 0, done
    with open('recording', encoding='utf-8') as file:
      lines = [line for line in file.read().splitlines() if re.match('memory|map|unmap|free|submit', line)]
    assert lines[:len(LINES)] == LINES, lines
    with open('text.0000', encoding='utf-8') as file:
      text = file.read()
    assert '#' not in text, text
    assert re.findall('(?m)^[A-Z]+_?[A-Z]+', text).count('GEM_CREATE') == 3, text
    assert sorted(os.listdir('.')) == ['recording', 'text.0000'], os.listdir('.')
  print('fine')


if __name__ == '__main__':
  main()
