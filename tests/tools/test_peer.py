#!/usr/bin/python3
"""A driver of bin/peers on the shim: test_peer.py INDIUM TRIANGLE DRIVER. Exit status 77 where it was not fetched."""
import os
import subprocess
import sys
import tempfile

# Renderer and version of an OpenGL context without a window.
OPENGL = """
import ctypes
egl, gl = ctypes.CDLL('libEGL.so.1'), ctypes.CDLL('libGL.so.1')
pointer, integers = ctypes.c_void_p, lambda *values: (ctypes.c_int32 * len(values))(*values)
for name in ('eglGetPlatformDisplay', 'eglCreateContext'):
  getattr(egl, name).restype = pointer
gl.glGetString.restype = ctypes.c_char_p
display = pointer(egl.eglGetPlatformDisplay(0x31dd, None, None))  # surfaceless
assert egl.eglInitialize(display, None, None) and egl.eglBindAPI(0x30a2)
config, count = pointer(), ctypes.c_int32()
assert egl.eglChooseConfig(display, integers(0x3040, 8, 0x3038), ctypes.byref(config), 1, ctypes.byref(count))
context = pointer(egl.eglCreateContext(display, config, None, None))
assert egl.eglMakeCurrent(display, None, None, context)
print('renderer:', gl.glGetString(0x1f01).decode())
print('version:', gl.glGetString(0x1f02).decode())
"""
# Driver: a chip, how it names the chip, and the release.
EXPECTED = {
  'radv-25': ('navi21', 'RADV NAVI21', 'Mesa 25.'), 'radv-26': ('navi21', 'RADV NAVI21', 'Mesa 26.'),
  'radeonsi-25': ('navi21', 'navi21', 'Mesa 25.'), 'radeonsi-26': ('navi21', 'navi21', 'Mesa 26.'),
  'honeykrisp': ('m2', 'Apple M2 (G14G', 'Mesa 26.'), 'asahi-gl': ('m1', 'Apple M1 (G13G', 'Mesa 26.'),
}


def main():
  indium, triangle, driver = sys.argv[1:]
  chip, name, release = EXPECTED[driver]
  opengl = driver.startswith(('radeonsi', 'asahi'))
  environment = {k: v for k, v in os.environ.items() if k not in ('INDIUM_GPU', 'INDIUM_MODE')}

  def run(*program):
    done = subprocess.run([indium, 'run', '--gpu', chip, '--mode', 'noop', '--driver', driver, '--', *program],
                          capture_output=True, text=True, timeout=60, env=environment)
    if done.returncode == 77:
      print(done.stderr, end='')
      sys.exit(77)
    assert done.returncode == 0, done
    return done.stdout

  if opengl:
    lines = run('/usr/bin/python3', '-c', OPENGL).splitlines()
    assert any(line.startswith('renderer:') and name in line for line in lines), lines
    assert any(line.startswith('version:') and release in line for line in lines), lines
  else:
    listed = run('vulkaninfo', '--summary')
    assert listed.count('deviceName') == 1 and name in listed and f'driverInfo         = {release}' in listed, listed
    # A program of the tree, built on another C library than the driver's.
    with tempfile.TemporaryDirectory() as folder:
      picture = os.path.join(folder, 'x.png')
      assert name in run(triangle, '-o', picture) and os.path.exists(picture)
  print(f'{driver}: fine')


if __name__ == '__main__':
  main()
