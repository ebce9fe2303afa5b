#!/usr/bin/python3
"""States of OpenGL's fixed functions, one picture each, by other people's drivers on the models, next to llvmpipe's.

Usage: gl_sweep.py INDIUM CHIP DRIVER [--short] [--only WORD] [OPTION...]
                                       each picture's pixels must agree within 2/255, but for those that
                                       gl_sweep_least.txt allows, as measured; exit status 77: the driver is not here.
                                       --short: one case of each kind. OPTION: of indium run
       gl_sweep.py --draw FILE [--short] [--only WORD]
                                       draws them with whatever OpenGL is there: RGBA, 64 x 64, one after another
"""
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import gl_states
from gl_cases import SIZE, cases, prepare
from pictures import agree

SKIPPED = 77
LEAST = pathlib.Path(__file__).parent / 'gl_sweep_least.txt'


def chosen(options):
  """The cases that the options leave: of --short the first of each kind, which the name says ahead of its blank."""
  only = options[options.index('--only') + 1] if '--only' in options else ''
  seen, left = set(), []
  for case in cases():
    kind = case.name.split()[0]
    if only in case.name and not ('--short' in options and kind in seen):
      left.append(case)
    seen.add(kind)
  return left


def allowed():
  """name of a case -> which part of its pixels agrees at least, where that is not all"""
  lines = (line.split(' ', 1) for line in LEAST.read_text().splitlines() if not line.startswith('#'))
  return {name: float(percent) / 100 for percent, name in lines}


def draw(path, options):
  gl, end = gl_states.context()
  print(gl.GetString(0x1F01).decode())
  tools = prepare(gl)
  with open(path, 'wb') as file:
    for case in chosen(options):
      file.write(tools.picture(case))
      file.flush()
      error = gl.GetError()
      if error:
        print(f'{case.name}: error {error:#x}')
        return 1
  end()
  return 0


def compare(indium, chip, driver, *options):
  words = [w for i, w in enumerate(options) if w in ('--short', '--only') or i and options[i - 1] == '--only']
  me = [os.path.realpath(sys.executable), __file__, '--draw']
  of_run = [w for w in options if w not in words]
  with tempfile.TemporaryDirectory() as folder:
    names = [f'{folder}/{name}' for name in ('model', 'llvmpipe')]
    model = subprocess.run([indium, 'run', '--gpu', chip, '--driver', driver, *of_run, '--', *me, names[0], *words])
    if model.returncode == SKIPPED:
      return SKIPPED
    subprocess.run([*me, names[1], *words], env=os.environ | {'LIBGL_ALWAYS_SOFTWARE': '1'}, check=True)
    ours, theirs = (pathlib.Path(name).read_bytes() for name in names)
  bad, size_B, least = [], 4 * SIZE * SIZE, allowed()
  for i, case in enumerate(chosen(options)):
    part = slice(i * size_B, (i + 1) * size_B)
    if len(ours) < part.stop:
      return f'the model stopped in: {case.name}'
    close, colours = agree(ours[part], theirs[part])
    if close < least.get(case.name, 1) or colours < case.colours:
      bad.append(case.name)
      print(f'{100 * close:.2f}% of pixels within 2/255, {colours} colours: {case.name}')
  print(f'{len(bad)} of {len(chosen(options))} pictures differ')
  return 1 if bad or model.returncode else 0


if __name__ == '__main__':
  sys.exit(draw(sys.argv[2], sys.argv[3:]) if sys.argv[1] == '--draw' else compare(*sys.argv[1:]))
