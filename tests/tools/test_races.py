#!/usr/bin/python3
"""indium run --races around programs of somebody else's driver: test_races.py INDIUM CHIP DRIVER COMPUTE SCENE OIT.
Correct ones are silent, and the one that leaves the order out is named. Status 77: the driver is not here."""
import os
import subprocess
import sys
import tempfile

SKIPPED = 77
INDIUM, CHIP, DRIVER, COMPUTE, SCENE, OIT = sys.argv[1:]
SMALL = ['--width', '96', '--height', '64', '--triangles', '150']
SILENT = [
  [COMPUTE, '--count', '20000'], [SCENE, '--width', '96', '--height', '64'], [OIT, '--check', *SMALL],
  [OIT, '--check', *SMALL, '--samples', '4', '--interlock', 'sample'], [OIT, '--check', *SMALL, '--kbuffer'],
]


def races(words, folder):
  """The exit status and what the model, or indium run itself, says."""
  done = subprocess.run([os.path.abspath(INDIUM), 'run', '--races', '--driver', DRIVER, '--gpu', CHIP, '--',
                         os.path.abspath(words[0]), *words[1:]], cwd=folder, stdout=subprocess.DEVNULL,
                        stderr=subprocess.PIPE, text=True, timeout=120, check=False)
  return done.returncode, [line for line in done.stderr.splitlines() if line.startswith('indium')]


def main():
  with tempfile.TemporaryDirectory() as folder:
    for words in SILENT:
      status, lines = races(words, folder)
      if status == SKIPPED:
        print(*lines, sep='\n')
        return SKIPPED
      assert (status, lines) == (0, []), (words, status, lines)
    status, lines = races([OIT, *SMALL, '--unordered'], folder)
    assert status == 0 and 'races of overlapping pixel shader invocations' in lines[0], (status, lines)
    assert 'neither is ordered' in lines[1], lines
  return 0


if __name__ == '__main__':
  sys.exit(main())
