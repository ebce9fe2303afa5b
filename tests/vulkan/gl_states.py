#!/usr/bin/python3
"""Draws with OpenGL in many states, for what the driver writes; nothing is compared.

Usage: gl_states.py. Prints the renderer's name. Exit status 77: no EGL here.
"""
import ctypes
import sys

SKIPPED = 77
SURFACELESS, OPENGL_API, HEIGHT, WIDTH = 0x31DD, 0x30A2, 0x3056, 0x3057
VERTEX = """#version 430
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 colour;
out vec4 shade;
void main() { gl_Position = position * (1.0 + 0.1 * gl_InstanceID); gl_PointSize = 3.0; shade = colour; }"""
CONTROL = """#version 430
layout(vertices = 3) out;
in vec4 shade[];
out vec4 tint[];
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  tint[gl_InvocationID] = shade[gl_InvocationID];
  gl_TessLevelOuter[gl_InvocationID] = 3.0;
  gl_TessLevelInner[0] = 2.0;
}"""
EVALUATION = """#version 430
layout(triangles, fractional_odd_spacing, ccw) in;
in vec4 tint[];
out vec4 shade;
void main() {
  gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position
    + gl_TessCoord.z * gl_in[2].gl_Position;
  shade = tint[0];
}"""
GEOMETRY = """#version 430
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
in vec4 shade[];
out vec4 shade_out;
void main() {
  for (int n = 0; n < 6; n++) {
    gl_Position = gl_in[n % 3].gl_Position * (n < 3 ? 1.0 : 0.5);
    gl_Layer = 0;
    shade_out = shade[n % 3];
    EmitVertex();
    if (n == 2) EndPrimitive();
  }
}"""
FRAGMENT = """#version 430
in vec4 shade%s;
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 colour;
void main() { colour = shade%s * texture(image, gl_FragCoord.xy / 64.0); %s }"""
COMPUTE = """#version 430
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint data[]; };
shared uint sum;
void main() {
  sum = 0; barrier(); atomicAdd(sum, data[gl_GlobalInvocationID.x]); barrier();
  data[gl_GlobalInvocationID.x] = sum;
}"""
STAGES = {'vertex': 0x8B31, 'fragment': 0x8B30, 'geometry': 0x8DD9, 'control': 0x8E88, 'evaluation': 0x8E87,
          'compute': 0x91B9}


class Gl:
  """Functions by their names, made when first named; numbers are integers, floats and byte strings as they are."""

  def __init__(self, egl):
    self.egl = egl

  def __getattr__(self, name):
    address = self.egl.eglGetProcAddress(('gl' + name).encode())

    def call(*arguments):
      types = [ctypes.c_float if isinstance(a, float) else ctypes.c_void_p if a is None or isinstance(a, bytes)
               else type(a) if isinstance(a, (ctypes.Array, ctypes.c_double)) else ctypes.c_long for a in arguments]
      result = ctypes.c_char_p if name == 'GetString' else ctypes.c_long
      return ctypes.CFUNCTYPE(result, *types)(address)(*arguments)
    return call

  def new(self, kind, *arguments):
    name = (ctypes.c_uint * 1)()
    getattr(self, kind)(*arguments, 1, name)
    return name[0]

  def program(self, **stages):
    program = self.CreateProgram()
    for stage, text in stages.items():
      shader = self.CreateShader(STAGES[stage])
      self.ShaderSource(shader, 1, (ctypes.c_char_p * 1)(text.encode()), None)
      self.CompileShader(shader)
      self.AttachShader(program, shader)
    return program

  def link(self, program):
    self.LinkProgram(program)
    status = (ctypes.c_int * 1)()
    self.GetProgramiv(program, 0x8B82, status)
    if not status[0]:
      log = (ctypes.c_char * 2000)()
      self.GetProgramInfoLog(program, 2000, None, log)
      sys.exit(log.value.decode())
    self.UseProgram(program)


def context():
  """Functions of a current context, and one that ends it: threads of the driver compile until then."""
  egl = ctypes.CDLL('libEGL.so.1')
  egl.eglGetProcAddress.restype = egl.eglGetPlatformDisplay.restype = egl.eglCreateContext.restype = ctypes.c_void_p
  egl.eglGetProcAddress.argtypes = [ctypes.c_char_p]
  display = ctypes.c_void_p(egl.eglGetPlatformDisplay(SURFACELESS, None, None))
  config, count = (ctypes.c_void_p * 1)(), (ctypes.c_int * 1)()
  egl.eglInitialize(display, None, None)
  egl.eglBindAPI(OPENGL_API)
  egl.eglChooseConfig(display, (ctypes.c_int * 3)(0x3033, 0, 0x3038), config, 1, count)
  attributes = (ctypes.c_int * 7)(0x3098, 4, 0x30FB, 3, 0x30FD, 2, 0x3038)  # 4.3, compatibility profile
  made = ctypes.c_void_p(egl.eglCreateContext(display, ctypes.c_void_p(config[0]), None, attributes))
  if not made or not egl.eglMakeCurrent(display, None, None, made):
    sys.exit('no OpenGL 4.3')
  return Gl(egl), lambda: egl.eglMakeCurrent(display, None, None, None) + egl.eglTerminate(display)


def framebuffer(gl, samples, colour, depth):
  """Draws go there; what is read comes from one without samples, into which it was resolved."""
  made = []
  for count in samples, 0:
    made.append(gl.new('GenFramebuffers'))
    gl.BindFramebuffer(0x8D40, made[-1])
    for attachment, format_ in (0x8CE0, colour), (0x821A, depth):
      buffer = gl.new('GenRenderbuffers')
      gl.BindRenderbuffer(0x8D41, buffer)
      gl.RenderbufferStorageMultisample(0x8D41, count, format_, 200, 150)
      gl.FramebufferRenderbuffer(0x8D40, attachment, 0x8D41, buffer)
  gl.BindFramebuffer(0x8D40, made[0])
  return made


def read(gl, made, whole_numbers):
  gl.BindFramebuffer(0x8CA8, made[0])
  gl.BindFramebuffer(0x8CA9, made[1])
  gl.BlitFramebuffer(0, 0, 200, 150, 0, 0, 200, 150, 0x4000, 0x2600)
  gl.BindFramebuffer(0x8D40, made[1])
  pixels = (ctypes.c_char * 4096)()
  gl.ReadPixels(0, 0, 16, 16, 0x8D99 if whole_numbers else 0x1908, 0x1405 if whole_numbers else 0x1401, pixels)


def vertices(gl):
  gl.BindVertexArray(gl.new('GenVertexArrays'))
  data = (ctypes.c_float * 96)(*[((i * 37) % 19) / 9.5 - 1.0 if i % 4 != 3 else 1.0 for i in range(96)])
  indices = (ctypes.c_ushort * 12)(*[n if n != 4 else 0xffff for n in range(12)])
  for target, bytes_ in (0x8892, data), (0x8893, indices):
    gl.BindBuffer(target, gl.new('GenBuffers'))
    gl.BufferData(target, ctypes.sizeof(bytes_), bytes_, 0x88E4)
  for location in range(2):
    gl.EnableVertexAttribArray(location)
    gl.VertexAttribPointer(location, 4, 0x1406, 0, 32, 16 * location)


def texture(gl):
  gl.BindTexture(0x0DE1, gl.new('GenTextures'))
  gl.TexImage2D(0x0DE1, 0, 0x8058, 64, 64, 0, 0x1908, 0x1401, bytes(range(256)) * 64)
  gl.GenerateMipmap(0x0DE1)
  gl.TexParameteri(0x0DE1, 0x2801, 0x2703)
  gl.TexParameteri(0x0DE1, 0x2802, 0x812D)


def draw(gl, modes=(0, 1, 3, 4, 5, 6, 7, 9)):
  for mode in modes:
    gl.DrawArrays(mode, 0, 12)
  gl.DrawElements(5, 12, 0x1403, None)
  gl.DrawElementsInstancedBaseVertex(4, 12, 0x1403, None, 3, 1)


def states(gl, draw):
  """Each on, drawn with, and off again; some stay."""
  for capability in (0x0BE2, 0x0B71, 0x0B90, 0x0C11, 0x0B44, 0x8037, 0x2A02, 0x2A01, 0x0B20, 0x0B10, 0x809E, 0x80A0,
                     0x8C36, 0x8F9D, 0x8642, 0x864F, 0x3000, 0x0B24, 0x0B41, 0x0BF2, 0x8C89):
    if capability == 0x8F9D:
      gl.PrimitiveRestartIndex(0xffff)
    gl.Enable(capability)
    draw()
    if capability not in (0x0BE2, 0x0B71):
      gl.Disable(capability)
  gl.BlendFuncSeparate(0x0302, 0x0303, 1, 0x8003)
  gl.BlendEquationSeparate(0x800B, 0x8007)
  gl.BlendColor(0.1, 0.2, 0.3, 0.4)
  gl.Enable(0x0B90)
  gl.StencilFuncSeparate(0x0404, 0x0203, 5, 0xf0)
  gl.StencilOpSeparate(0x0405, 0x1E02, 0x8508, 0x150A)
  gl.DepthFunc(0x0207)
  gl.PolygonMode(0x0408, 0x1B01)
  gl.PolygonOffset(1.5, 2.0)
  gl.LineWidth(3.0)
  gl.LineStipple(2, 0x0f0f)
  gl.PointSize(5.0)
  gl.ProvokingVertex(0x8E4D)
  gl.ColorMask(1, 0, 1, 0)
  gl.ClipControl(0x8CA2, 0x935F)
  for mode in 0x1B00, 0x1B01, 0x1B02:
    gl.PolygonMode(0x0408, mode)
    draw()
  gl.Enable(0x0BF2)
  gl.LogicOp(0x1506)
  draw()
  for capability in 0x0B90, 0x0BF2:
    gl.Disable(capability)
  gl.ColorMask(1, 1, 1, 1)


def queries(gl, body):
  for target in 0x8914, 0x8C2F, 0x88BF, 0x8C87, 0x82EE, 0x82F4:
    query = gl.new('GenQueries')
    gl.BeginQuery(target, query)
    body(gl)
    gl.EndQuery(target)
    gl.BeginConditionalRender(query, 0x8E14) if target in (0x8914, 0x8C2F) else None
    gl.Clear(0x4500)
    gl.EndConditionalRender() if target in (0x8914, 0x8C2F) else None
  gl.QueryCounter(gl.new('GenQueries'), 0x8E28)


def feedback(gl):
  program = gl.program(vertex=VERTEX, fragment=FRAGMENT % ('', '', ''))
  gl.TransformFeedbackVaryings(program, 1, (ctypes.c_char_p * 1)(b'shade'), 0x8C8C)
  gl.link(program)
  buffer = gl.new('GenBuffers')
  gl.BindBuffer(0x8C8E, buffer)
  gl.BufferData(0x8C8E, 65536, None, 0x88EA)
  gl.BindBufferBase(0x8C8E, 0, buffer)
  gl.BeginTransformFeedback(4)
  gl.DrawArrays(4, 0, 12)
  gl.EndTransformFeedback()


def compute(gl):
  gl.link(gl.program(compute=COMPUTE))
  buffer = gl.new('GenBuffers')
  gl.BindBuffer(0x90D2, buffer)
  gl.BufferData(0x90D2, 65536, None, 0x88EA)
  gl.BindBufferBase(0x90D2, 0, buffer)
  gl.DispatchCompute(16, 4, 2)
  gl.MemoryBarrier(0xffffffff)
  gl.BindBuffer(0x90EE, buffer)
  gl.DispatchComputeIndirect(0)
  gl.BindBuffer(0x8F3F, buffer)


def main():
  try:
    gl, end = context()
  except OSError:
    return SKIPPED
  print(gl.GetString(0x1F01).decode())
  vertices(gl)
  texture(gl)
  plain = FRAGMENT % ('', '', '')
  programs = [{'vertex': VERTEX, 'fragment': plain},
              {'vertex': VERTEX, 'fragment': FRAGMENT % ('', '', 'if (colour.x > 0.5) discard; gl_FragDepth = 0.5;')},
              {'vertex': VERTEX, 'geometry': GEOMETRY, 'fragment': FRAGMENT % ('_out', '_out', '')},
              {'vertex': VERTEX, 'control': CONTROL, 'evaluation': EVALUATION, 'fragment': plain}]
  for samples, colour, depth in (0, 0x8058, 0x88F0), (4, 0x881A, 0x8CAD), (8, 0x8058, 0x8CAD), (0, 0x8D8E, 0x88F0):
    made = framebuffer(gl, samples, colour, depth)
    gl.Viewport(3, 5, 180, 130)
    gl.Scissor(10, 10, 60, 70)
    gl.ClearColor(0.25, 0.5, 0.75, 1.0)
    whole_numbers = colour == 0x8D8E
    gl.Clear(0x100 if whole_numbers else 0x4500)
    for program in programs:
      gl.link(gl.program(**program))
      if 'control' in program:
        gl.DrawArrays(14, 0, 12)
        gl.DrawArraysInstanced(14, 0, 12, 2)
      else:
        states(gl, lambda modes=(4, 5, 6) if 'geometry' in program else (0, 1, 3, 4, 5, 6, 7, 9): draw(gl, modes))
    read(gl, made, whole_numbers)
  framebuffer(gl, 0, 0x8058, 0x88F0)
  gl.link(gl.program(**programs[0]))
  queries(gl, draw)
  queries(gl, feedback)
  compute(gl)
  gl.link(gl.program(**programs[0]))
  gl.DrawArraysIndirect(4, None)
  gl.DrawElementsIndirect(4, 0x1403, None)
  gl.MultiDrawElementsIndirect(4, 0x1403, None, 3, 32)
  gl.Finish()
  error = gl.GetError()
  end()
  return f'error {error:#x}' if error else 0


if __name__ == '__main__':
  sys.exit(main())
