#!/usr/bin/python3
"""Several processes with the shim, and one that is killed: test_processes.py INDIUM COMPUTE. What they leave behind
is the tree of the device's files, which is the same for all of them (docs/drm-shim.md)."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

INDIUM, COMPUTE = map(os.path.abspath, sys.argv[1:])
# A program whose child goes on with its own device after the parent has used it, and ends first.
FORKS = """
import ctypes, os, sys
before = os.listdir('/dev/dri')
nodes = [os.open('/dev/dri/renderD128', os.O_RDWR) for _ in range(3)]
child = os.fork()
if child == 0:
  os.execv(sys.argv[1], sys.argv[1:])
os.close(nodes.pop())
status = os.waitpid(child, 0)[1]
again = os.open('/dev/dri/renderD128', os.O_RDWR)
sys.exit(status or os.listdir('/dev/dri') != before)
"""


def start(folder, *words):
  return subprocess.Popen([INDIUM, 'run', '--gpu', 'navi21', '--', *words], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=os.environ | {'TMPDIR': folder})


def left(folder):
  """Files by name and size; what is the same for every process has no number in it."""
  files = {str(path.relative_to(folder)): path.lstat().st_size for path in pathlib.Path(folder).rglob('*')}
  return files, {name for name in os.listdir('/dev/shm') if 'indium' in name}


def main():
  with tempfile.TemporaryDirectory() as folder:
    first = start(folder, COMPUTE, '--count', '1000')
    assert first.wait(60) == 0 and 'ok: every sum' in first.stdout.read()
    before = left(folder)
    assert len(os.listdir(folder)) == 1 and not before[1], before
    # One is killed while it works: it has buffers, and millions of integers are to come.
    killed = start(folder, COMPUTE, '--count', '4000000')
    both = [start(folder, COMPUTE, '--count', '3000') for _ in range(2)]
    while max(map(int, os.listdir(f'/proc/{killed.pid}/fd'))) < 1024 + 4: # where the shim keeps them
      time.sleep(0.01)
    killed.kill()
    assert killed.wait(60) == -9
    for process in both:
      text = process.communicate(timeout=60)[0]
      assert process.returncode == 0 and 'ok: every sum' in text, text
    forks = start(folder, sys.executable, '-c', FORKS, COMPUTE, '--count', '1000')
    text = forks.communicate(timeout=60)[0]
    assert forks.returncode == 0 and 'ok: every sum' in text, text
    assert left(folder) == before, 'nothing but the tree stays'
  print('fine')


if __name__ == '__main__':
  main()
