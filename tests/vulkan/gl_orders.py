#!/usr/bin/python3
"""OpenGL draws whose result may depend on the order of their triangles, by radeonsi on the models.

Usage: gl_orders.py INDIUM CHIP DRIVER     in order every result must be the one computed here, and in other orders,
                                           where the chip may take them, all but those of WRONG, each of which must
                                           be wrong in some; `indium order --check` must name just these. Exit
                                           status 77: the driver is not here
       gl_orders.py --draw [WORD]          draws them with whatever OpenGL is there, those with the word in their
                                           name
"""
import collections
import ctypes
import itertools
import os
import re
import subprocess
import sys

import gl_states

SKIPPED = 77
SIZE = 8
CLEAR_Z, CLEAR_S, CLEAR_C = 0.5, 5, 16
SEEDS = 8
LESS, EQUAL, ALWAYS = 0x0201, 0x0202, 0x0207
KEEP, ZERO, REPLACE, INVERT, INCR_WRAP, DECR_WRAP = 0x1E00, 0, 0x1E01, 0x150A, 0x8507, 0x8508
OPS = {
  KEEP: lambda s: s, ZERO: lambda s: 0, INVERT: lambda s: s ^ 255, INCR_WRAP: lambda s: s + 1 & 255,
  DECR_WRAP: lambda s: s - 1 & 255,
}
# A triangle over everything: depth, side, gray.
Triangle = collections.namedtuple('Triangle', 'z front gray')
# Of a side: what fails in depth, what passes, the bits that are written, and the test with the cleared value.
Face = collections.namedtuple('Face', 'zfail zpass mask test', defaults=[255, ALWAYS])
Case = collections.namedtuple('Case', 'name triangles write bounds faces blend query',
                              defaults=[False, None, None, None, None])
NEAR, NEARER, FAR = Triangle(0.2, True, 64), Triangle(0.1, True, 128), Triangle(0.8, True, 192)
BACK, BACK_FAR = (t._replace(front=False) for t in (NEAR, FAR))

# What radeonsi of Mesa 22.3.6 to 26.1.6 lets through and must not.
WRONG = [
  # "not in {INCR, DECR, REPLACE}" is asked of each operation; that operations commute with each other is not.
  *(Case(f'stencil {names}', [NEAR, FAR, NEARER], faces=[Face(*ops)] * 2) for names, ops in {
    'ZERO, INCR_WRAP': (ZERO, INCR_WRAP), 'ZERO, DECR_WRAP': (ZERO, DECR_WRAP), 'ZERO, INVERT': (ZERO, INVERT),
    'INVERT, INCR_WRAP': (INVERT, INCR_WRAP), 'INVERT, DECR_WRAP': (INVERT, DECR_WRAP)}.items()),
  # The same of what front and back do.
  Case('faces ZERO, INCR_WRAP', [NEAR, BACK, NEAR], faces=[Face(KEEP, INCR_WRAP), Face(KEEP, ZERO)]),
  Case('faces INVERT, INCR_WRAP', [NEAR, BACK, NEAR], faces=[Face(KEEP, INCR_WRAP), Face(KEEP, INVERT)]),
  # Masks are not looked at: a carry meets bits that the other side keeps.
  Case('masks of faces', [NEAR, BACK], faces=[Face(KEEP, INCR_WRAP, 255), Face(KEEP, DECR_WRAP, 14)]),
  # A side that writes no bits has passed for harmless, but its test reads what the other one stores.
  Case('faces of which one compares', [NEAR._replace(gray=200), BACK], blend='max',
       faces=[Face(KEEP, KEEP, 0, EQUAL), Face(KEEP, ZERO)]),
  # Bounds look at the stored depth, which the draw changes.
  Case('bounds', [Triangle(0.3, True, 0), NEAR, NEARER], write=True, bounds=(0.4, 0.6)),
]
RIGHT = [
  Case('mail', [NEARER, NEAR], blend='replace'), # the example of the review: LESS, nothing written, no blending
  Case('prepass', [NEAR, NEARER, FAR], write=True),
  Case('shadow volume', [NEAR, BACK_FAR, FAR, BACK_FAR, FAR, BACK_FAR],
       faces=[Face(DECR_WRAP, KEEP), Face(INCR_WRAP, KEEP)]),
  Case('maximum', [NEAR, NEARER, FAR], blend='max'),
  Case('maximum behind depth that is written', [NEAR._replace(gray=250), NEARER], write=True, blend='max'),
  Case('count', [NEAR, NEARER], write=True, query='count'),
  Case('any', [FAR, NEAR, NEARER], write=True, query='any'),
]


def result(case, order):
  """What one pixel is in the end: depth, stencil, gray, and what the query says."""
  z, s, c, passed = CLEAR_Z, CLEAR_S, CLEAR_C, 0
  for t in order:
    if case.bounds and not case.bounds[0] <= z <= case.bounds[1]:
      continue
    passes = t.z < z
    if case.faces:
      face = case.faces[not t.front]
      if face.test == EQUAL and s != CLEAR_S:
        continue
      s = s & ~face.mask | OPS[face.zpass if passes else face.zfail](s) & face.mask
    if not passes:
      continue
    passed += 1
    z = t.z if case.write else z
    c = {'replace': t.gray, 'max': max(t.gray, c), None: c}[case.blend]
  counted = {'count': passed * SIZE * SIZE, 'any': int(passed > 0), None: 0}[case.query]
  return f'{z:.2f} {s} {c} {counted}'


def all_results(case):
  return {result(case, order) for order in itertools.permutations(case.triangles)}


def set_state(gl, case):
  gl.Enable(0x0B71)
  gl.DepthFunc(LESS)
  gl.DepthMask(int(case.write))
  if case.faces:
    gl.Enable(0x0B90)
    for side, face in zip((0x0404, 0x0405), case.faces):
      gl.StencilFuncSeparate(side, face.test, CLEAR_S, 255)
      gl.StencilOpSeparate(side, KEEP, face.zfail, face.zpass)
      gl.StencilMaskSeparate(side, face.mask)
  if case.bounds:
    gl.Enable(0x8890)
    gl.DepthBoundsEXT(*map(ctypes.c_double, case.bounds))
  if not case.blend:
    gl.ColorMask(0, 0, 0, 0)
  if case.blend == 'max':
    gl.Enable(0x0BE2)
    gl.BlendEquation(0x8008)


def draw_triangles(gl, triangles):
  corners, grays = [], []
  for t in triangles:
    ends = [(3.0, -1.0), (-1.0, 3.0)]
    for x, y in [(-1.0, -1.0), *(ends if t.front else ends[::-1])]:
      corners += [x, y, 2 * t.z - 1]
    grays += [t.gray / 255] * 9
  arrays = [(ctypes.c_float * len(values))(*values) for values in (corners, grays)]
  gl.EnableClientState(0x8074)
  gl.EnableClientState(0x8076)
  gl.VertexPointer(3, 0x1406, 0, arrays[0])
  gl.ColorPointer(3, 0x1406, 0, arrays[1])
  gl.DrawArrays(4, 0, 3 * len(triangles))


def read(gl, format_, type_, kind):
  pixels = (kind * (SIZE * SIZE))()
  gl.ReadPixels(0, 0, SIZE, SIZE, format_, type_, pixels)
  if len(set(pixels)) != 1:
    sys.exit('pixels differ from each other')
  return pixels[0]


def draw_case(gl, case):
  gl.PushAttrib(0xFFFFFFFF)
  gl.ClearColor(*[CLEAR_C / 255] * 4)
  gl.ClearDepth(ctypes.c_double(CLEAR_Z))
  gl.ClearStencil(CLEAR_S)
  gl.Clear(0x4500)
  set_state(gl, case)
  counted = (ctypes.c_uint * 1)()
  if case.query:
    target, query = {'count': 0x8914, 'any': 0x8C2F}[case.query], gl.new('GenQueries')
    gl.BeginQuery(target, query)
  draw_triangles(gl, case.triangles)
  if case.query:
    gl.EndQuery(target)
    gl.GetQueryObjectuiv(query, 0x8866, counted)
  gl.PopAttrib()
  z = read(gl, 0x1902, 0x1406, ctypes.c_float)
  s = read(gl, 0x1901, 0x1401, ctypes.c_ubyte)
  c = read(gl, 0x1903, 0x1401, ctypes.c_ubyte)
  print(f'{case.name}: {z:.2f} {s} {c} {counted[0]}', flush=True)


def draw(word=''):
  gl, end = gl_states.context()
  gl.BindFramebuffer(0x8D40, gl.new('GenFramebuffers'))
  for attachment, format_ in (0x8CE0, 0x8058), (0x821A, 0x88F0):
    buffer = gl.new('GenRenderbuffers')
    gl.BindRenderbuffer(0x8D41, buffer)
    gl.RenderbufferStorage(0x8D41, format_, SIZE, SIZE)
    gl.FramebufferRenderbuffer(0x8D40, attachment, 0x8D41, buffer)
  gl.Viewport(0, 0, SIZE, SIZE)
  gl.PixelStorei(0x0D05, 1)
  for case in WRONG + RIGHT:
    if word in case.name:
      draw_case(gl, case)
  error = gl.GetError()
  end()
  return f'error {error:#x}' if error else 0


def run(command):
  me = [os.path.realpath(sys.executable), __file__, '--draw']
  done = subprocess.run([*command, '--', *me], stdout=subprocess.PIPE, text=True)
  return done.returncode, dict(line.split(': ', 1) for line in done.stdout.splitlines()
                               if re.match(r'[\w, ]+: \d', line)), done.stdout


def check_theory():
  for case in WRONG:
    assert len(all_results(case)) > 1, case.name
  free = {case.name for case in RIGHT if len(all_results(case)) == 1}
  assert free == {'prepass', 'shadow volume', 'maximum', 'any'}, free


def compare(indium, chip, driver):
  where = ['--gpu', chip, '--driver', driver]
  wrong, bad = set(), []
  for schedule in 'in-order', 'worst', *(f'seed={n}' for n in range(1, SEEDS + 1)):
    status, found, _ = run([indium, 'run', *where, '--schedule', schedule])
    if status == SKIPPED:
      return SKIPPED
    for case in WRONG + RIGHT:
      right, result_ = result(case, case.triangles), found.get(case.name, 'nothing')
      if result_ == right:
        continue
      print(f'{schedule}: {case.name}: {result_} instead of {right}')
      wrong.add(case.name)
      if schedule == 'in-order' or case in RIGHT or result_ not in all_results(case):
        bad.append(case.name)
  status, _, text = run([indium, 'order', '--check', *where])
  print(text)
  named = int(re.search(r'let through: (\d+)', text)[1])
  heeds = chip == 'vega10'
  bad += [case.name for case in WRONG if (case.name in wrong) != heeds]
  if named != heeds * len(WRONG) or status != heeds:
    bad.append('order --check')
  return f'wrong: {sorted(set(bad))}' if bad else 0


if __name__ == '__main__':
  check_theory()
  sys.exit(draw(*sys.argv[2:]) if sys.argv[1] == '--draw' else compare(*sys.argv[1:]))
