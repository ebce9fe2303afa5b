#!/usr/bin/python3
"""What `indium run` says at its end, and to Mesa about displays: test_watch.py INDIUM TRIANGLE."""
import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '../vulkan'))
from windows import screen

INDIUM, TRIANGLE = map(os.path.abspath, sys.argv[1:3])
NOTHING, EMPTY = 'got no submits', 'pictures are empty'


def run(folder, *words, **more):
  surroundings = {k: v for k, v in os.environ.items() if k not in ('DISPLAY', 'WAYLAND_DISPLAY', 'INDIUM_MODE')}
  return subprocess.run([INDIUM, 'run', *words], capture_output=True, text=True, timeout=120, cwd=folder, check=False,
                        env={**surroundings, **more})


def last_line(done):
  return done.stderr.splitlines()[-1] if done.stderr else ''


def check_counts(folder):
  """One line for a run without submits, however its processes start and end; none for one with submits."""
  draws = ['--', TRIANGLE]
  for words, says in [
      (['--', 'true'], NOTHING), (draws, None), (['--mode', 'noop', *draws], EMPTY),
      (['--mode', 'noop', '--', 'true'], NOTHING), (['--gpu', 'm1', *draws], None),
      (['--driver', 'lavapipe-26', *draws], None),
      # In a child, in a program that a child becomes, and without the environment.
      (['--', 'sh', '-c', f'{TRIANGLE}; true'], None), (['--', 'sh', '-c', f'(exec {TRIANGLE}); true'], None),
      (['--', 'env', '-u', 'INDIUM_COUNTS', TRIANGLE], None),
      (['--', 'sh', '-c', f'{TRIANGLE}; kill -9 $$'], None), (['--', 'sh', '-c', 'kill -9 $$'], NOTHING),
      # Mistakes of the command line say one thing.
      (['--', '/nowhere'], 'cannot run'), (['--gpu', 'navi99', '--', 'true'], 'no chip')]:
    done = run(folder, *words)
    if done.returncode == 77: # a driver of bin/peers
      continue
    text = [line for line in done.stderr.splitlines() if line.startswith('indium')]
    assert len(text) == (says is not None) and (says or '') in last_line(done), (words, done)
  mixed = subprocess.run([INDIUM, 'run', '--', 'getconf', 'PAGESIZE'], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, timeout=120, cwd=folder, check=True).stdout
  assert mixed.startswith('4096\n') and mixed.count('\n') == 2, mixed # after what stdio holds
  for _ in range(20): # two processes may say it: one does
    assert run(folder, '--', 'true').stderr.count(NOTHING) == 1


def check_redirected(folder):
  """The program's stderr is a file at its end, or closed: the line goes to the run's."""
  for turn in ('os.dup2(os.open("file", os.O_CREAT | os.O_WRONLY), 2)', 'os.close(2)'):
    done = run(folder, '--', sys.executable, '-c', f'import os; {turn}')
    assert done.stderr.count(NOTHING) == 1, (turn, done)
  with open(os.path.join(folder, 'file')) as file:
    assert file.read() == ''
  done = subprocess.run(['sh', '-c', '"$0" run -- "$1" -c "import os; os.open(\'file\', os.O_WRONLY)" 2>&-', INDIUM,
                         sys.executable], cwd=folder, check=True, timeout=120)
  with open(os.path.join(folder, 'file')) as file: # its number is 2
    assert file.read() == '', done


def check_ignored(folder):
  """A parent that ignores SIGCHLD, which programs inherit."""
  before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
  with subprocess.Popen([INDIUM, 'run', '--', TRIANGLE], cwd=folder, text=True, stdout=subprocess.DEVNULL,
                        stderr=subprocess.PIPE) as started:
    signal.signal(signal.SIGCHLD, before)
    said = started.communicate(timeout=120)[1]
    assert started.returncode == 0 and NOTHING not in said, said


def check_pipe(folder):
  """The program closes a pipe early, whatever its number: nobody else holds it."""
  read, write = os.pipe()
  os.dup2(write, 100)
  os.close(write)
  with subprocess.Popen([INDIUM, 'run', '--', sys.executable, '-c', 'import os; os.close(100); input()'], cwd=folder,
                        stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, pass_fds=[100]) as program:
    os.close(100)
    ended = select.select([read], [], [], 60)[0]
    program.communicate(b'\n')
  os.close(read)
  assert ended, 'the pipe is held'


def check_group(folder):
  """The program's group is killed while it waits; who waits for the output is not left waiting."""
  with subprocess.Popen([INDIUM, 'run', '--', 'sh', '-c', 'echo up; sleep 1000; true'], cwd=folder, text=True,
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as killed:
    assert killed.stdout.readline() == 'up\n'
    os.killpg(killed.pid, signal.SIGKILL)
    said = killed.communicate(timeout=60)[1]
    assert killed.returncode == -signal.SIGKILL and said.count(NOTHING) == 1, said


@contextlib.contextmanager
def weston(folder):
  """The name of a Wayland compositor that draws with the processor; None: there is none."""
  if not shutil.which('weston'):
    yield None
    return
  surroundings = os.environ | {'XDG_RUNTIME_DIR': folder}
  words = ['weston', '--backend=headless-backend.so', '--socket=indium', '--idle-time=0', '--no-config']
  with subprocess.Popen(words, env=surroundings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
    try:
      while not os.path.exists(f'{folder}/indium') and server.poll() is None:
        time.sleep(0.01)
      yield 'indium' if server.poll() is None else None
    finally:
      server.terminate()


def check_display(folder, copies, **display):
  """Mesa's drivers are told to copy; this tree's is not, and what the user says stays."""
  def told(*words, **more):
    lines = run(folder, *words, '--', 'env', **display, **more).stdout.splitlines()
    return [line for line in lines if line.startswith(('MESA_VK_WSI_DEBUG=', 'LIBGL_KOPPER_DRI2='))]
  both = ['LIBGL_KOPPER_DRI2=1', f'MESA_VK_WSI_DEBUG={copies}']
  assert sorted(told('--driver', 'radv')) == both, told('--driver', 'radv')
  assert not told()
  assert sorted(told('--driver', 'radv', MESA_VK_WSI_DEBUG='linear')) == [both[0], 'MESA_VK_WSI_DEBUG=linear']


def check_windows(folder, vkcube, **display):
  """RADV shows its pictures there."""
  if os.access(f'/usr/bin/{vkcube}', os.X_OK):
    done = run(folder, '--driver', 'radv', '--', vkcube, '--c', '2', '--width', '64', '--height', '64', **display)
    assert done.returncode == 0 and NOTHING not in done.stderr, done


def check_opengl(folder, display):
  """What llvmpipe draws in radeonsi's place is not taken for radeonsi's."""
  if shutil.which('glxinfo'):
    done = run(folder, '--driver', 'radeonsi', '--', 'glxinfo', '-B', DISPLAY=display)
    drawn_by = [line for line in done.stdout.splitlines() if 'renderer string' in line]
    assert done.returncode == 0 and ('llvmpipe' in drawn_by[0]) <= (NOTHING in done.stderr), done


def main():
  with tempfile.TemporaryDirectory() as folder:
    check_counts(folder)
    check_redirected(folder)
    check_ignored(folder)
    check_pipe(folder)
    for _ in range(10): # also just after the start
      check_group(folder)
    assert 'MESA_VK_WSI_DEBUG' not in run(folder, '--driver', 'radv', '--', 'env').stdout, 'without a display'
    with screen() as display:
      if display:
        check_display(folder, 'sw', DISPLAY=display)
        check_windows(folder, 'vkcube', DISPLAY=display)
        check_opengl(folder, display)
      else:
        print('without an X server')
    with weston(folder) as display:
      if display:
        check_display(folder, 'sw,noshm', WAYLAND_DISPLAY=display, XDG_RUNTIME_DIR=folder)
        check_windows(folder, 'vkcube-wayland', WAYLAND_DISPLAY=display, XDG_RUNTIME_DIR=folder)
      else:
        print('without weston')
  print('fine')


if __name__ == '__main__':
  main()
