#!/usr/bin/python3
"""indium uav: the picture of the hang, bad arguments. Usage: test_uav.py INDIUM."""
import pathlib
import re
import subprocess
import sys
import tempfile


def run(*arguments):
  done = subprocess.run([sys.argv[1], 'uav', *map(str, arguments)], capture_output=True, text=True, timeout=60)
  return done.returncode, done.stderr


def main():
  with tempfile.TemporaryDirectory() as folder:
    picture = pathlib.Path(folder) / 'hang.svg'
    assert run('--timeline', picture) == (0, '')
    words = re.findall(r'<text[^>]*>([^<]*)</text>', picture.read_text())
    # One flush is lost, in one of three ways; with CS stalls B and C wait, without the bit nothing does.
    assert words.count('never sent') == 1 and words.count('waits') == 2, words
    # A, C lost and unsent; A, B and C with stalls.
    assert words.count('flush') == 1 + 4, words  # with the legend's
    # C does not get out of the vertex shader the first time: of nine requests eight do.
    assert words.count('VS') == 9 and words.count('PS') == 8, words
    for place in pathlib.Path(folder) / 'x.gif', '/nonexistent/folder/x.png':
      status, err = run('--timeline', place)
      assert status and err, place
  for arguments in [], ['--timeline'], ['x'], ['--timeline', 'x.png', 'y']:
    status, err = run(*arguments)
    assert status == 2 and 'indium uav' in err, (arguments, err)
  print('fine')


if __name__ == '__main__':
  main()
