#!/usr/bin/python3
"""A driver of the system or of bin/peers on the shim, in noop mode, every chip: test_peer.py INDIUM TRIANGLE DRIVER.

Exit status 77 where it was not fetched.
"""
import os
import re
import subprocess
import sys
import tempfile

# An OpenGL context without a window: renderer, version, and whether a picture can be cleared and read.
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
texture, buffer, pixel = ctypes.c_uint(), ctypes.c_uint(), (ctypes.c_ubyte * 4)()
gl.glGenTextures(1, ctypes.byref(texture))
gl.glBindTexture(0x0de1, texture)
gl.glTexImage2D(0x0de1, 0, 0x8058, 64, 64, 0, 0x1908, 0x1401, None)
gl.glGenFramebuffers(1, ctypes.byref(buffer))
gl.glBindFramebuffer(0x8d40, buffer)
gl.glFramebufferTexture2D(0x8d40, 0x8ce0, 0x0de1, texture, 0)
gl.glClear(0x4000)
gl.glReadPixels(3, 3, 1, 1, 0x1908, 0x1401, pixel)
print('read:', gl.glGetError())
"""
# How drivers name the chips; Mesa 25 has no word for the last of AMD's.
AMD = {'vega10': 'VEGA10', 'raven': 'RAVEN', 'renoir': 'RENOIR', 'navi10': 'NAVI10', 'navi21': 'NAVI21',
       'vangogh': 'VANGOGH', 'navi31': 'NAVI31', 'phoenix': 'PHOENIX'}
AMD_25, AMD_26 = {**AMD, 'gfx1150': 'GFX1150'}, {**AMD, 'gfx1150': 'STRIX1'}
APPLE = {'m1': 'Apple M1 (G13G', 'm1pro': 'Apple M1 Pro (G13S', 'm1max': 'Apple M1 Max (G13C',
         'm1ultra': 'Apple M1 Ultra (G13D', 'm2': 'Apple M2 (G14G', 'm2pro': 'Apple M2 Pro (G14S',
         'm2max': 'Apple M2 Max (G14C', 'm2ultra': 'Apple M2 Ultra (G14D'}
CHIPS = {'radv-25': AMD_25, 'radeonsi-25': AMD_25, 'radv-26': AMD_26, 'radeonsi-26': AMD_26, 'honeykrisp': APPLE,
         'asahi-gl': APPLE, 'radv-sid': AMD_26, 'radeonsi-sid': AMD_26, 'honeykrisp-sid': APPLE,
         'asahi-gl-sid': APPLE}
HSW, BDW, SKL = ({'hsw': 'HD Graphics 4600 (HSW GT2)'}, {'bdw': 'HD Graphics 5500 (BDW GT2)'},
                 {'skl': 'HD Graphics 530 (SKL GT2)'})
for release in '', '-25', '-26':
  CHIPS |= {f'crocus{release}': HSW | BDW, f'iris{release}': BDW | SKL, f'hasvk{release}': HSW | BDW}


def run(chip, *program):
  indium, _, driver = sys.argv[1:]
  environment = {k: v for k, v in os.environ.items() if k not in ('INDIUM_GPU', 'INDIUM_MODE')}
  done = subprocess.run([indium, 'run', '--gpu', chip, '--mode', 'noop', '--driver', driver, '--', *program],
                        capture_output=True, text=True, timeout=60, env=environment)
  if done.returncode == 77:
    print(done.stderr, end='')
    sys.exit(77)
  assert done.returncode == 0, done
  return done.stdout


def check_opengl(chip, name, release):
  """A context, and a clear that is submitted."""
  lines = run(chip, '/usr/bin/python3', '-c', OPENGL).splitlines()
  assert any(line.startswith('renderer:') and name.lower() in line.lower() for line in lines), lines
  assert any(re.match(f'version:.*Mesa {release}\\.', line) for line in lines), lines
  assert 'read: 0' in lines, lines


def check_vulkan(chip, name, release):
  listed = run(chip, 'vulkaninfo', '--summary')
  assert listed.count('deviceName') == 1 and name in listed, listed
  assert re.search(f'driverInfo         = Mesa {release}\\.', listed), listed
  # A program of the tree, built on another C library than the driver's.
  with tempfile.TemporaryDirectory() as folder:
    picture = os.path.join(folder, 'x.png')
    assert name in run(chip, sys.argv[2], '-o', picture) and os.path.exists(picture)


def main():
  driver = sys.argv[3]
  check = check_opengl if driver.startswith(('radeonsi', 'asahi', 'crocus', 'iris')) else check_vulkan
  newest = r'\d+' if driver.endswith('sid') else '26'
  system = driver in ('crocus', 'iris', 'hasvk')
  for chip, name in CHIPS[driver].items():
    check(chip, name, '22' if system else '25' if driver.endswith('25') else newest)
  print(f'{driver}: fine on {", ".join(CHIPS[driver])}')


if __name__ == '__main__':
  main()
