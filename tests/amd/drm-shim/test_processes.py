#!/usr/bin/python3
"""Several processes with the shim, threads, forks, and one that is killed: test_processes.py INDIUM CHIP DRIVER
COMPUTE WORKERS. What they leave behind is the tree of the device's files, which is the same for all of them
(docs/drm-shim.md). With a driver for OpenGL they clear and read pictures, and COMPUTE and WORKERS
(tests/vulkan/workers.c) are not used. Status 77: the driver is not here."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

INDIUM, CHIP, DRIVER, COMPUTE, WORKERS = [os.path.abspath(sys.argv[1]), *sys.argv[2:4],
                                          *map(os.path.abspath, sys.argv[4:])]
NAME = {'gfx1150': 'strix1'}.get(CHIP, CHIP) # Mesa's
SKIPPED = 77
# A program whose child continues with its own device after the parent has used it, and ends first.
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
# Clears so many times, each with another colour, reads, and says what is wrong: draw.py NAME COUNT THREADS FORKS.
DRAWS = """
import ctypes, os, sys, threading
count, threads, forks = map(int, sys.argv[2:])
egl, gl = ctypes.CDLL('libEGL.so.1'), ctypes.CDLL('libGL.so.1')
pointer = ctypes.c_void_p
for name in ('eglGetPlatformDisplay', 'eglCreateContext'):
  getattr(egl, name).restype = pointer
gl.glGetString.restype = ctypes.c_char_p
gl.glClearColor.argtypes = [ctypes.c_float] * 4

def draw(seed, display, config):
  egl.eglBindAPI(0x30a2)
  context = egl.eglCreateContext(display, config, None, None)
  assert egl.eglMakeCurrent(display, None, None, pointer(context))
  if sys.argv[1].encode() not in gl.glGetString(0x1f01):
    return wrong.append(gl.glGetString(0x1f01))
  name, buffer = ctypes.c_uint(), ctypes.c_uint()
  gl.glGenRenderbuffers(1, ctypes.byref(buffer)), gl.glBindRenderbuffer(0x8d41, buffer)
  gl.glRenderbufferStorage(0x8d41, 0x8058, 64, 64)
  gl.glGenFramebuffers(1, ctypes.byref(name)), gl.glBindFramebuffer(0x8d40, name)
  gl.glFramebufferRenderbuffer(0x8d40, 0x8ce0, 0x8d41, buffer)
  pixels = (ctypes.c_uint32 * 4096)()
  for i in range(count):
    level = (seed * 50 + i) % 256
    gl.glClearColor(level / 255, 0, 1, 1), gl.glClear(0x4000)
    gl.glReadPixels(0, 0, 64, 64, 0x1908, 0x1401, pixels)
    if set(pixels) != {0xffff0000 | level}:
      return wrong.append((seed, i, hex(pixels[0])))

wrong = []
child = os.fork() if forks else -1
display, config, number = pointer(egl.eglGetPlatformDisplay(0x31dd, None, None)), pointer(), ctypes.c_int32()
wanted = (ctypes.c_int32 * 3)(0x3040, 8, 0x3038)
assert egl.eglInitialize(display, None, None)
assert egl.eglChooseConfig(display, wanted, ctypes.byref(config), 1, ctypes.byref(number))
workers = [threading.Thread(target=draw, args=(i, display, config)) for i in range(threads)]
[worker.start() for worker in workers], [worker.join() for worker in workers]
if child == 0:
  print(wrong, flush=True)
  os._exit(len(wrong))
print(wrong or 'ok: every sum')
sys.exit(bool(wrong) or child > 0 and os.waitpid(child, 0)[1] != 0)
"""


def start(folder, *words):
  return subprocess.Popen([INDIUM, 'run', '--gpu', CHIP, '--driver', DRIVER, '--', *words], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=os.environ | {'TMPDIR': folder})


def work(count, threads=1, forks=0):
  """Words of a program that works for a while."""
  if DRIVER.startswith('radeonsi'):
    return [sys.executable, '-c', DRAWS, NAME, str(min(count // 1000, 100000)), str(threads), str(forks)]
  return [COMPUTE, '--count', str(count)]


def left(folder):
  """Files by name and size; what is the same for every process has no number in it."""
  files = {str(path.relative_to(folder)): path.lstat().st_size for path in pathlib.Path(folder).rglob('*')}
  return files, {name for name in os.listdir('/dev/shm') if 'indium' in name}


def must_work(process):
  text = process.communicate(timeout=120)[0]
  assert process.returncode == 0 and 'ok: every sum' in text, (process.returncode, text)


def main():
  with tempfile.TemporaryDirectory() as folder:
    first = start(folder, *work(1000))
    text = first.communicate(timeout=120)[0]
    if first.returncode == SKIPPED:
      print(text)
      return SKIPPED
    assert first.returncode == 0 and 'ok: every sum' in text, text
    before = left(folder)
    assert len(os.listdir(folder)) == 1 and not before[1], before
    # One is killed while it works: it has buffers, and much is to come.
    killed = start(folder, *work(100000000 if DRIVER.startswith('radeonsi') else 4000000))
    both = [start(folder, *work(3000)) for _ in range(2)]
    while max(map(int, os.listdir(f'/proc/{killed.pid}/fd'))) < 1024 + 4: # where the shim keeps them
      assert killed.poll() is None, killed.communicate()[0]
      time.sleep(0.01)
    killed.kill()
    assert killed.wait(60) == -9
    for process in both:
      must_work(process)
    if DRIVER == 'indium':
      must_work(start(folder, sys.executable, '-c', FORKS, COMPUTE, '--count', '1000'))
    if DRIVER.startswith('radeonsi'):
      must_work(start(folder, *work(5000, threads=3, forks=1)))
    else:
      must_work(start(folder, WORKERS))
    assert left(folder) == before, 'nothing but the tree stays'
  print('fine')
  return 0


if __name__ == '__main__':
  sys.exit(main())
