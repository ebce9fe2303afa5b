#!/usr/bin/python3
"""Pictures by OpenGL of other people's drivers on the models, next to those of llvmpipe.

Usage: gl_picture.py INDIUM CHIP DRIVER [OPTION...]   99.96% of each picture's pixels, as measured, must agree within
                                                      2/255; exit status 77: the driver is not here. OPTION: of
                                                      indium run
       gl_picture.py --draw FILE                      draws them with whatever OpenGL is there: RGBA, 256 x 256, one
                                                      after another
"""
import ctypes
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import gl_states
from pictures import agree

SKIPPED = 77
SIZE = 256
RING, SIDES = 48, 24  # quads of a torus, around it and around its tube
VERTEX = """#version 430
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 normal;
uniform mat4 view;
out vec3 facing;
out vec2 place;
void main() {
  gl_Position = view * position + vec4(0.3, 0.2, 0.1, 0.0) * gl_InstanceID;
  facing = mat3(view) * normal.xyz;
  place = vec2(position.w == 1.0 ? normal.w : 0.0, position.z) * 2.0;
}"""
LIT = """#version 430
in vec3 facing;
in vec2 place;
layout(location = 0) out vec4 colour;
void main() {
  vec3 n = normalize(facing);
  colour = vec4(max(dot(n, normalize(vec3(0.5, 0.7, -0.6))), 0.1) * vec3(0.9, 0.6, 0.3), 1.0);
}"""
FULL_OF_HOLES = """#version 430
in vec3 facing;
in vec2 place;
layout(location = 0) out vec4 colour;
void main() {
  if (mod(floor(place.x * 20.0) + floor(place.y * 6.0), 2.0) > 0.5) discard;
  colour = vec4(0.5 + 0.5 * normalize(facing), 1.0);
}"""
TEXTURED = """#version 430
in vec3 facing;
in vec2 place;
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 colour;
void main() { colour = texture(image, place) * vec4(1.0, 1.0, 1.0, 0.4); }"""


def torus():
  """Positions and normals (w: the angle around the ring) of a triangle list."""
  def vertex(i, j):
    a, b = 2 * math.pi * i / RING, 2 * math.pi * j / SIDES
    normal = math.cos(a) * math.cos(b), math.sin(a) * math.cos(b), math.sin(b)
    centre = 0.6 * math.cos(a), 0.6 * math.sin(a), 0.0
    return *(c + 0.25 * n for c, n in zip(centre, normal)), 1.0, *normal, i / RING
  corners = (0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)
  return [x for i in range(RING) for j in range(SIDES) for di, dj in corners for x in vertex(i + di, j + dj)]


def view(turn):
  """Columns of a matrix: turned around two axes, with perspective."""
  c, s, d, e = math.cos(turn), math.sin(turn), math.cos(0.9), math.sin(0.9)
  depth = -d * s, e, d * c
  rows = [c, 0, s, 0], [e * s, d, -e * c, 0], [x / 2 for x in depth] + [0.2], [x / 3 for x in depth] + [1.1]
  return (ctypes.c_float * 16)(*[rows[r][c_] for c_ in range(4) for r in range(4)])


def start(gl):
  data = torus()
  floats = (ctypes.c_float * len(data))(*data)
  gl.BindVertexArray(gl.new('GenVertexArrays'))
  gl.BindBuffer(0x8892, gl.new('GenBuffers'))
  gl.BufferData(0x8892, ctypes.sizeof(floats), floats, 0x88E4)
  for location in range(2):
    gl.EnableVertexAttribArray(location)
    gl.VertexAttribPointer(location, 4, 0x1406, 0, 32, 16 * location)
  indices = (ctypes.c_ushort * (len(data) // 8))(*reversed(range(len(data) // 8)))
  gl.BindBuffer(0x8893, gl.new('GenBuffers'))
  gl.BufferData(0x8893, ctypes.sizeof(indices), indices, 0x88E4)
  gl.BindTexture(0x0DE1, gl.new('GenTextures'))
  texels = bytes(v for y in range(64) for x in range(64) for v in (255 * ((x ^ y) >> 3 & 1), 4 * x, 4 * y, 255))
  gl.TexImage2D(0x0DE1, 0, 0x8058, 64, 64, 0, 0x1908, 0x1401, texels)
  gl.TexParameteri(0x0DE1, 0x2801, 0x2601)  # linear, of the only level
  return len(data) // 8


def framebuffer(gl, samples):
  made = []
  for count in samples, 0:
    made.append(gl.new('GenFramebuffers'))
    gl.BindFramebuffer(0x8D40, made[-1])
    for attachment, format_ in (0x8CE0, 0x8058), (0x821A, 0x88F0):
      buffer = gl.new('GenRenderbuffers')
      gl.BindRenderbuffer(0x8D41, buffer)
      gl.RenderbufferStorageMultisample(0x8D41, count, format_, SIZE, SIZE)
      gl.FramebufferRenderbuffer(0x8D40, attachment, 0x8D41, buffer)
  gl.BindFramebuffer(0x8D40, made[0])
  return made


def picture(gl, count, samples, fragment, blended):
  drawn, resolved = framebuffer(gl, samples)
  gl.Viewport(0, 0, SIZE, SIZE)
  gl.ClearColor(0.1, 0.2, 0.3, 1.0)
  gl.Clear(0x4500)
  program = gl.program(vertex=VERTEX, fragment=fragment)
  gl.link(program)
  (gl.Disable if blended else gl.Enable)(0x0B71)
  (gl.Enable if blended else gl.Disable)(0x0BE2)
  gl.BlendFunc(0x0302, 0x0303)
  for turn in 0.4, 2.0:
    gl.UniformMatrix4fv(gl.GetUniformLocation(program, b'view'), 1, 0, view(turn))
    if fragment is FULL_OF_HOLES:
      gl.DrawElementsInstanced(4, count, 0x1403, None, 2)
    else:
      gl.DrawArrays(4, 0, count)
  gl.BindFramebuffer(0x8CA8, drawn)
  gl.BindFramebuffer(0x8CA9, resolved)
  gl.BlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, 0x4000, 0x2600)
  gl.BindFramebuffer(0x8D40, resolved)
  pixels = (ctypes.c_char * (4 * SIZE * SIZE))()
  gl.ReadPixels(0, 0, SIZE, SIZE, 0x1908, 0x1401, pixels)
  return bytes(pixels)


def draw(path):
  gl, end = gl_states.context()
  print(gl.GetString(0x1F01).decode())
  count = start(gl)
  pictures = [picture(gl, count, samples, fragment, fragment is TEXTURED)
              for samples in (0, 4) for fragment in (LIT, FULL_OF_HOLES, TEXTURED)]
  error = gl.GetError()
  end()
  pathlib.Path(path).write_bytes(b''.join(pictures))
  return f'error {error:#x}' if error else 0


def compare(indium, chip, driver, *options):
  me = [sys.executable, __file__, '--draw']
  with tempfile.TemporaryDirectory() as folder:
    names = [f'{folder}/{name}' for name in ('model', 'llvmpipe')]
    model = subprocess.run([indium, 'run', '--gpu', chip, '--driver', driver, *options, '--', *me, names[0]])
    if model.returncode == SKIPPED:
      return SKIPPED
    subprocess.run([*me, names[1]], env=os.environ | {'LIBGL_ALWAYS_SOFTWARE': '1'}, check=True)
    ours, theirs = (pathlib.Path(name).read_bytes() for name in names)
  if model.returncode or len(ours) != len(theirs):
    return 'the model gave no pictures'
  bad = False
  for start_B in range(0, len(ours), 4 * SIZE * SIZE):
    part = slice(start_B, start_B + 4 * SIZE * SIZE)
    close, drawn = agree(ours[part], theirs[part])
    print(f'{100 * close:.3f}% of pixels within 2/255, {drawn} colours')
    bad |= close < 0.9996 or drawn < 100
  return 'the pictures differ' if bad else 0


if __name__ == '__main__':
  sys.exit(draw(sys.argv[2]) if sys.argv[1] == '--draw' else compare(*sys.argv[1:]))
