#!/usr/bin/python3
"""Runs a program on a modelled GPU, in windows of an X server of its own (Xvfb).

Usage: xvfb_test.py [--kill] INDIUM CHIP DRIVER PROGRAM...
--kill: the program says "drawing" on a line, and is killed then: no shared memory may be left. NO_SHM=1 in the
environment: the server shares no memory. Exit status: the program's; 77: there is no X server."""
import contextlib
import os
import shutil
import subprocess
import sys
import time

SKIPPED = 77


@contextlib.contextmanager
def screen():
  """The name of an X server that is there meanwhile; None: there is none."""
  server = shutil.which('Xvfb')
  if not server:
    yield None
    return
  more = ['-extension', 'MIT-SHM'] if os.environ.get('NO_SHM') else []
  read, write = os.pipe()
  with subprocess.Popen([server, '-displayfd', str(write), '-noreset', '-nolisten', 'tcp', '-screen', '0',
                         '640x480x24', *more], pass_fds=[write], stderr=subprocess.DEVNULL) as x:
    os.close(write)
    try:
      with os.fdopen(read) as told:
        number = told.readline().strip()
      yield ':' + number if number else None # who is not root may lack the folder for its socket
    finally:
      x.terminate()


def segments(pid):
  """Segments of shared memory that this process made."""
  with open('/proc/sysvipc/shm') as rows:
    next(rows)
    return [row for row in rows if int(row.split()[4]) == pid]


def descendants(pid):
  with open(f'/proc/{pid}/task/{pid}/children') as children:
    mine = [int(child) for child in children.read().split()]
  return mine + [below for child in mine for below in descendants(child)]


def kill(command, environment):
  """Kills what draws: the last of a chain of processes, or the command itself."""
  with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as program:
    for line in program.stdout:
      if line.strip() == 'drawing':
        break
    else:
      return 1
    killed = [program.pid, *descendants(program.pid)]
    had = sum(len(segments(pid)) for pid in killed)
    for pid in reversed(killed):
      os.kill(pid, 9)
  for _ in range(10000):
    left = [row for pid in killed for row in segments(pid)]
    if not left:
      print(f'{had} segments, none is left')
      return 0
    time.sleep(0.001)
  print(f'{len(left)} segments are left')
  return 1


def main(words):
  with screen() as display:
    if not display:
      print('there is no X server')
      return SKIPPED
    environment = os.environ | {'DISPLAY': display}
    killed = words[0] == '--kill'
    indium, chip, driver, *program = words[killed:]
    command = [indium, 'run', '--gpu', chip, '--driver', driver, '--', *program]
    if killed:
      return kill(command, environment)
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == '__main__':
  sys.exit(main(sys.argv[1:]))
