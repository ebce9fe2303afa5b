"""Statistics of SPIR-V in an OpenGL driver, in the format of pipeline_stats (tests/bench): `bin/shader-db --driver`.

    shader_gl.py COMPUTE.spv|VERTEX.spv:FRAGMENT.spv...

The modules are Vulkan's; what OpenGL's SPIR-V calls otherwise is renamed: sets are gone, push constants are a uniform
block, and vertices and instances are counted by other variables. Statistics are those of the driver's debug output
(AGX_MESA_DEBUG=shaderdb says the same on stderr), as its compiler for Apple's GPUs has them.
"""
import array
import ctypes
import os
import pathlib
import re
import signal
import sys
import time

PUSH_CONSTANT, UNIFORM = 9, 2
VARIABLES = {42: 5, 43: 6}  # VertexIndex, InstanceIndex -> VertexId, InstanceId
STAGES = {'compute': 0x91B9, 'vertex': 0x8B31, 'fragment': 0x8B30}  # GL_COMPUTE_SHADER and so on
PIPELINE_S = 20  # a driver that takes longer never ends
LETTERS = {'CS': 'compute', 'VS': 'vertex', 'FS': 'fragment'}
COLUMNS = {'instructions': r'(\d+) instrs', 'code': r'(\d+) code size', 'registers': r'(\d+) gprs',
           'uniforms': r'(\d+) uniforms', 'preamble': r'(\d+) preamble', 'loops': r'(\d+) loops',
           'spills': r'(\d+):\d+ spills', 'fills': r'\d+:(\d+) spills', 'scratch': r'(\d+) scratch'}


def instructions(words):
  at = 5
  while at < len(words):
    length = words[at] >> 16
    yield at, words[at] & 0xffff
    at += length


def places(modules):
  """(set, binding) of all of them -> binding."""
  found = set()
  for words in modules:
    sets, bindings = {}, {}
    for at, op in instructions(words):
      if op == 71 and words[at + 2] in (33, 34):  # OpDecorate Binding, DescriptorSet
        (bindings if words[at + 2] == 33 else sets)[words[at + 1]] = words[at + 3]
    found.update((sets.get(variable, 0), binding) for variable, binding in bindings.items())
  return {place: number for number, place in enumerate(sorted(found))}


def for_opengl(words, place_of):
  """The module with OpenGL's words; what has no counterpart stays, for the driver to refuse."""
  sets = {words[at + 1]: words[at + 3] for at, op in instructions(words) if op == 71 and words[at + 2] == 34}
  out, pushed, annotated = array.array('I', words[:5]), [], None
  for at, op in instructions(words):
    new = array.array('I', words[at:at + (words[at] >> 16)])
    if op == 71 and new[2] == 34:
      continue
    if op == 71 and new[2] == 33:
      new[3] = place_of[sets.get(new[1], 0), new[3]]
    elif op in (71, 72) and new[op - 69] == 11:  # BuiltIn, of a variable or of a member
      new[op - 68] = VARIABLES.get(new[op - 68], new[op - 68])
    elif op == 32 and new[2] == PUSH_CONSTANT:  # OpTypePointer
      new[2] = UNIFORM
    elif op == 59 and new[3] == PUSH_CONSTANT:  # OpVariable
      new[3] = UNIFORM
      pushed.append(new[2])
    if annotated is None and op in (19, 20, 21, 22):  # types begin, so annotations have ended
      annotated = len(out)
    out.extend(new)
  for variable in pushed:
    out[annotated:annotated] = array.array('I', [4 << 16 | 71, variable, 33, len(place_of)])
  return out


class Context:
  """A context without a window."""

  def __init__(self):
    egl, self.gl = ctypes.CDLL('libEGL.so.1'), ctypes.CDLL('libGL.so.1')
    pointer, integers = ctypes.c_void_p, lambda *values: (ctypes.c_int32 * len(values))(*values)
    egl.eglGetPlatformDisplay.restype = egl.eglCreateContext.restype = pointer
    display, config, count = pointer(egl.eglGetPlatformDisplay(0x31dd, None, None)), pointer(), ctypes.c_int32()
    if not (egl.eglInitialize(display, None, None) and egl.eglBindAPI(0x30a2) and
            egl.eglChooseConfig(display, integers(0x3040, 8, 0x3038), ctypes.byref(config), 1, ctypes.byref(count))):
      sys.exit('shader_gl.py: no EGL without a window')
    attributes = integers(0x3098, 4, 0x30fb, 6, 0x30fd, 1, 0x31b0, 1, 0x3038)  # OpenGL 4.6 core, with debug output
    context = egl.eglCreateContext(display, config, None, attributes)
    if not context or not egl.eglMakeCurrent(display, None, None, pointer(context)):
      sys.exit('shader_gl.py: no OpenGL 4.6')
    self.said = []
    kind = ctypes.CFUNCTYPE(None, *[ctypes.c_uint] * 4, ctypes.c_int, ctypes.c_char_p, pointer)
    self.callback = kind(lambda *message: self.said.append(message[5].decode(errors='replace')))
    for name in (0x92E0, 0x8242):  # GL_DEBUG_OUTPUT, and within the call that it is about
      self.gl.glEnable(name)
    self.gl.glDebugMessageCallback(self.callback, None)

  def integer(self, function, name, what):
    value = ctypes.c_int()
    function(name, what, ctypes.byref(value))
    return value.value

  def link(self, modules):
    """(stage, words) -> whether it links; said: what the driver tells of it."""
    gl, self.said[:] = self.gl, []
    program = gl.glCreateProgram()
    for stage, words in modules:
      shader, data = gl.glCreateShader(STAGES[stage]), words.tobytes()
      gl.glShaderBinary(1, (ctypes.c_uint * 1)(shader), 0x9551, data, len(data))
      gl.glSpecializeShader(shader, b'main', 0, None, None)
      if not self.integer(gl.glGetShaderiv, shader, 0x8B81):
        return False
      gl.glAttachShader(program, shader)
    gl.glLinkProgram(program)
    return bool(self.integer(gl.glGetProgramiv, program, 0x8B82))


def main():
  context = Context()
  print('columns', *COLUMNS, flush=True)  # a driver may end the process
  for argument in sys.argv[1:]:
    signal.alarm(PIPELINE_S)
    modules = [array.array('I', pathlib.Path(path).read_bytes()) for path in argument.split(':')]
    place_of, began = places(modules), time.process_time()
    stages = ['vertex', 'fragment'] if len(modules) == 2 else ['compute']
    made = context.link([(stage, for_opengl(words, place_of)) for stage, words in zip(stages, modules)])
    print(f'pipeline {made:d} {1000 * (time.process_time() - began):.4f}')
    for text in context.said:
      match = re.match(r'(\w\w) shader: ', text)
      if made and match and match[1] in LETTERS:
        print('stage', LETTERS[match[1]], *(re.search(pattern, text)[1] for pattern in COLUMNS.values()))
    sys.stdout.flush()
  os._exit(0)  # objects go with the process


if __name__ == '__main__':
  main()
