#!/usr/bin/python3
"""A picture of OpenGL by a driver on the model, and by llvmpipe: test_gl_picture.py INDIUM GPU DRIVER MINIMUM.

Textured, lit and blended triangles with depth, in single and multisampled framebuffers; MINIMUM percent of the pixels
must be within 2/255. Skipped (77) without EGL or where bin/peers has not fetched the driver.
"""
import ctypes
import os
import subprocess
import sys
import tempfile

SKIPPED, SIZE = 77, 256
VERTEX = """#version 330
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 place;
uniform vec4 turn;
out vec2 uv;
out vec3 normal;
void main() {
  float angle = turn.x + float(gl_InstanceID) * 0.7;
  mat2 around = mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
  vec2 at = around * position.xy * turn.y + turn.zw * float(gl_InstanceID);
  gl_Position = vec4(at, position.z * 0.5 + float(gl_InstanceID) * 0.05, 1.0 + 0.3 * position.z);
  uv = place;
  normal = vec3(around * vec2(0.6, 0.0), 0.8);
}"""
FRAGMENT = """#version 330
uniform sampler2D image;
uniform float alpha;
in vec2 uv;
in vec3 normal;
out vec4 colour;
void main() {
  float light = max(dot(normalize(normal), vec3(0.36, 0.48, 0.8)), 0.0);
  if (alpha < 0.0 && mod(floor(uv.x * 8.0) + floor(uv.y * 8.0), 2.0) > 0.5) discard;
  colour = vec4(texture(image, uv).rgb * light, abs(alpha));
}"""


class Gl:
  def __init__(self):
    egl = ctypes.CDLL('libEGL.so.1')
    for name in ('eglGetProcAddress', 'eglGetPlatformDisplay', 'eglCreateContext'):
      getattr(egl, name).restype = ctypes.c_void_p
    egl.eglGetProcAddress.argtypes = [ctypes.c_char_p]
    display = ctypes.c_void_p(egl.eglGetPlatformDisplay(0x31DD, None, None))  # surfaceless
    config, count = (ctypes.c_void_p * 1)(), (ctypes.c_int * 1)()
    egl.eglInitialize(display, None, None)
    egl.eglBindAPI(0x30A2)
    egl.eglChooseConfig(display, (ctypes.c_int * 3)(0x3033, 0, 0x3038), config, 1, count)
    attributes = (ctypes.c_int * 7)(0x3098, 3, 0x30FB, 3, 0x30FD, 1, 0x3038)  # 3.3, core profile
    made = ctypes.c_void_p(egl.eglCreateContext(display, ctypes.c_void_p(config[0]), None, attributes))
    if not made or not egl.eglMakeCurrent(display, None, None, made):
      sys.exit('no OpenGL 3.3')
    self.egl = egl

  def __getattr__(self, name):
    function = ctypes.CFUNCTYPE(ctypes.c_void_p)(self.egl.eglGetProcAddress(('gl' + name).encode()))

    def call(*arguments):
      types = [ctypes.c_float if isinstance(a, float) else ctypes.c_char_p if isinstance(a, bytes) else
               ctypes.c_void_p if a is None or isinstance(a, (ctypes.Array, ctypes.c_void_p)) else ctypes.c_int64
               for a in arguments]
      result = ctypes.c_char_p if name == 'GetString' else ctypes.c_int
      return ctypes.CFUNCTYPE(result, *types)(ctypes.cast(function, ctypes.c_void_p).value)(*arguments)
    return call

  def new(self, kind):
    made = (ctypes.c_uint * 1)()
    getattr(self, 'Gen' + kind)(1, made)
    return made[0]


def program(gl):
  made = gl.CreateProgram()
  for kind, text in (0x8B31, VERTEX), (0x8B30, FRAGMENT):
    shader = gl.CreateShader(kind)
    gl.ShaderSource(shader, 1, (ctypes.c_char_p * 1)(text.encode()), None)
    gl.CompileShader(shader)
    gl.AttachShader(made, shader)
  gl.LinkProgram(made)
  gl.UseProgram(made)
  return made


def framebuffer(gl, samples):
  made = gl.new('Framebuffers')
  gl.BindFramebuffer(0x8D40, made)
  for attachment, format_ in (0x8CE0, 0x8058), (0x8D00, 0x81A6):
    buffer = gl.new('Renderbuffers')
    gl.BindRenderbuffer(0x8D41, buffer)
    gl.RenderbufferStorageMultisample(0x8D41, samples, format_, SIZE, SIZE)
    gl.FramebufferRenderbuffer(0x8D40, attachment, 0x8D41, buffer)
  return made


def bind_mesh(gl):
  gl.BindVertexArray(gl.new('VertexArrays'))
  corners = [(-1, -1, 0.2), (1, -1, -0.2), (-1, 1, 0.4), (1, 1, -0.4)]
  data = [value for x, y, z in corners for value in (x, y, z, x * 1.5, y * 1.5)]
  gl.BindBuffer(0x8892, gl.new('Buffers'))
  gl.BufferData(0x8892, 80, (ctypes.c_float * 20)(*data), 0x88E4)
  gl.BindBuffer(0x8893, gl.new('Buffers'))
  gl.BufferData(0x8893, 12, (ctypes.c_ushort * 6)(0, 1, 2, 2, 1, 3), 0x88E4)
  for location, count, offset in (0, 3, 0), (1, 2, 12):
    gl.EnableVertexAttribArray(location)
    gl.VertexAttribPointer(location, count, 0x1406, 0, 20, ctypes.c_void_p(offset))


def bind_texture(gl):
  texels = bytes(value for y in range(64) for x in range(64) for value in (4 * x, 4 * y, 255 - 2 * (x + y), 255))
  gl.BindTexture(0x0DE1, gl.new('Textures'))
  gl.TexImage2D(0x0DE1, 0, 0x8058, 64, 64, 0, 0x1908, 0x1401, texels)
  gl.TexParameteri(0x0DE1, 0x2801, 0x2601)  # linear, without levels
  gl.TexParameteri(0x0DE1, 0x2800, 0x2601)


def draw(gl, made):
  gl.Viewport(0, 0, SIZE, SIZE)
  gl.ClearColor(0.1, 0.2, 0.3, 1.0)
  gl.Clear(0x4100)
  gl.Enable(0x0B71)
  turn, alpha = gl.GetUniformLocation(made, b'turn'), gl.GetUniformLocation(made, b'alpha')
  for angle, size, strength in (0.3, 0.55, 1.0), (1.1, 0.4, -1.0), (2.0, 0.7, 0.4):
    if 0.0 < strength < 1.0:
      gl.Enable(0x0BE2)
      gl.BlendFunc(0x0302, 0x0303)
    gl.Uniform4f(turn, angle, size, 0.15, -0.1)
    gl.Uniform1f(alpha, strength)
    gl.DrawElementsInstanced(4, 6, 0x1403, None, 4)
  gl.Disable(0x0BE2)


def picture(path):
  gl = Gl()
  made = program(gl)
  bind_mesh(gl)
  bind_texture(gl)
  with open(path, 'wb') as file:
    for samples in 0, 4:
      source, target = framebuffer(gl, samples), framebuffer(gl, 0)
      gl.BindFramebuffer(0x8D40, source)
      draw(gl, made)
      gl.BindFramebuffer(0x8CA8, source)
      gl.BindFramebuffer(0x8CA9, target)
      gl.BlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, 0x4000, 0x2600)
      gl.BindFramebuffer(0x8D40, target)
      pixels = (ctypes.c_char * (SIZE * SIZE * 4))()
      gl.ReadPixels(0, 0, SIZE, SIZE, 0x1908, 0x1401, pixels)
      file.write(pixels.raw)
  error = gl.GetError()
  return f'error {error:#x}' if error else print(gl.GetString(0x1F01).decode())


def main():
  if sys.argv[1] == '--picture':
    return picture(sys.argv[2])
  indium, gpu, driver, minimum = sys.argv[1:]
  with tempfile.TemporaryDirectory() as folder:
    ours, theirs = os.path.join(folder, 'ours'), os.path.join(folder, 'theirs')
    python = os.path.realpath(sys.executable)
    ours_on_model = [indium, 'run', '--gpu', gpu, '--driver', driver, '--', python, __file__, '--picture', ours]
    drawn = subprocess.run(ours_on_model, check=False)
    if drawn.returncode == SKIPPED:
      return SKIPPED
    soft = {**os.environ, 'LIBGL_ALWAYS_SOFTWARE': 'true', 'EGL_PLATFORM': 'surfaceless'}
    witness = subprocess.run([python, __file__, '--picture', theirs], check=False, env=soft)
    if drawn.returncode or witness.returncode:
      return 1
    with open(ours, 'rb') as a, open(theirs, 'rb') as b:
      a, b = a.read(), b.read()
    near = sum(all(abs(a[i + c] - b[i + c]) <= 2 for c in range(4)) for i in range(0, len(a), 4))
    plain = sum(a[i:i + 4] == a[:4] for i in range(0, len(a), 4))
    print(f'{near * 400 / len(a):.3f}% of pixels within 2/255, {plain * 400 / len(a):.1f}% are background')
    return near * 400 / len(a) < float(minimum) or plain * 400 / len(a) > 80


if __name__ == '__main__':
  sys.exit(main())
