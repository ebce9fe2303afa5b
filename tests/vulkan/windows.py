#!/usr/bin/python3
"""Other people's programs that draw in windows, on the model next to Mesa's drivers for the CPU.

Usage: windows.py INDIUM CHIP DRIVER LIBRARY PROGRAM
PROGRAM is vkcube, next to lavapipe, or glmark2 (a few of its scenes) or glmark2-all, next to llvmpipe. LIBRARY stands
between the program and its window and writes each frame to a file: frame_vk.c, frame_gl.c. Each frame's pixels must
agree within 2/255, but for what LEAST allows, as measured. Exit status 77: the program, an X server or the driver is
not here.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from pictures import agree
from xvfb_test import screen

SKIPPED = 77
SIZE, FRAMES = 128, 4
# Not there: terrain and refract, whose textures lie so far between two levels that llvmpipe and softpipe differ from
# each other in as many pixels.
SCENES = ['build', 'texture:texture-filter=mipmap', 'shading:shading=blinn-phong-inf', 'bump:bump-render=height',
          'effect2d:kernel=0,1,0;1,-4,1;0,1,0;',
          'desktop:effect=blur:blur-radius=5:passes=1:separable=true:windows=4']
MORE_SCENES = [
  'build:use-vbo=false', 'texture:texture-filter=nearest', 'texture:texture-filter=linear', 'shading:shading=gouraud',
  'shading:shading=phong', 'shading:shading=cel', 'bump:bump-render=high-poly', 'bump:bump-render=normals', 'ideas',
  'effect2d:kernel=1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;', 'pulsar:light=false:quads=5:texture=false', 'jellyfish', 'shadow',
  'desktop:effect=shadow:windows=4',
  'buffer:columns=50:interleave=false:rows=10:update-dispersion=0.9:update-fraction=0.5:update-method=map',
  'buffer:columns=50:interleave=true:rows=10:update-dispersion=0.9:update-method=subdata',
  'conditionals:fragment-steps=5:vertex-steps=5', 'conditionals:fragment-steps=0:vertex-steps=5',
  # Of medium precision these sums are numbers of 16 bits on AGX.
  'function:fragment-complexity=medium:fragment-steps=5:fragment-precision=high,high,high,high',
  'loop:fragment-loop=false:fragment-steps=5:vertex-steps=5',
  'loop:fragment-steps=5:fragment-uniform=true:vertex-steps=5']
# Which part of the pixels agrees at least, where that is less than 99.95%.
LEAST = {'shading:shading=phong': 0.9956, 'shadow': 0.9976, 'shading:shading=blinn-phong-inf': 0.9979}


def command(program):
  """What is started, and what each frame shows; None: not compared."""
  if program == 'vkcube':
    return ['/usr/bin/vkcube', '--c', str(FRAMES), '--width', str(SIZE), '--height', str(SIZE)], [program] * FRAMES
  # In its first frame nothing has moved, and texels' edges may lie in the middle of pixels.
  scenes = SCENES + (MORE_SCENES if program == 'glmark2-all' else [])
  arguments = [word for scene in scenes for word in ('-b', f'{scene}:nframes=2')]
  return ['/usr/bin/glmark2-es2', '-s', f'{SIZE}x{SIZE}', *arguments], [
    name for scene in scenes for name in (None, scene)]


def on_processor():
  """What makes programs draw with lavapipe and llvmpipe."""
  icd = ':'.join(str(path) for path in pathlib.Path('/usr/share/vulkan/icd.d').glob('lvp_icd*.json'))
  return {'LIBGL_ALWAYS_SOFTWARE': '1', 'VK_DRIVER_FILES': icd, 'VK_ICD_FILENAMES': icd, 'NODEVICE_SELECT': '1'}


def run(words, library, path, more):
  """The exit status and what was drawn; of a program that fails, also what it said."""
  path.touch()
  surroundings = os.environ | more | {
    'LD_PRELOAD': os.path.abspath(library), 'FRAME_SIZE': f'{SIZE}x{SIZE}', 'FRAME_FILE': str(path)}
  done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=surroundings,
                        check=False)
  if done.returncode:
    print(done.stdout)
  return done.returncode, path.read_bytes()


def compare(frames, ours, theirs):
  size_B = SIZE * SIZE * 4
  if len(theirs) != len(frames) * size_B or len(ours) != len(theirs):
    return f'{len(ours) / size_B:g} and {len(theirs) / size_B:g} frames, not {len(frames)}'
  bad = 0
  for i, frame in enumerate(frames):
    if not frame:
      continue
    part = slice(i * size_B, (i + 1) * size_B)
    close, colours = agree(ours[part], theirs[part])
    print(f'{100 * close:.3f}% of pixels within 2/255, {colours} colours: {frame}')
    bad += close < LEAST.get(frame, 0.9995) or colours < 2
  return f'{bad} frames differ' if bad else 0


def draw(folder, display, indium, chip, driver, library, program):
  words, frames = command(program)
  x = {'DISPLAY': display}
  on_model = [indium, 'run', '--gpu', chip, '--driver', driver, '--']
  status, ours = run([*on_model, *words], library, folder / 'ours', x)
  if status:
    return status if status == SKIPPED else 'no picture of the model'
  status, theirs = run(words, library, folder / 'theirs', x | on_processor())
  return 'no picture of the CPU' if status else compare(frames, ours, theirs)


def main(*arguments):
  if not os.access(command(arguments[-1])[0][0], os.X_OK):
    return SKIPPED
  with screen() as display, tempfile.TemporaryDirectory() as folder:
    if not display:
      print('there is no X server')
      return SKIPPED
    return draw(pathlib.Path(folder), display, *arguments)


if __name__ == '__main__':
  sys.exit(main(*sys.argv[1:]))
