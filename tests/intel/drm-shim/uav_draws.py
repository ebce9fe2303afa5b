#!/usr/bin/python3
"""One draw by OpenGL whose shaders write memory or discard: uav_draws.py CASE. Exit status 77: it cannot be had."""
import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'vulkan'))
import gl_states  # noqa: E402

SKIPPED = 77
VERTEX = """#version 430
%s
void main() {
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.5, 1.0);
  %s
}"""
FRAGMENT = """#version 430
layout(binding = 0, r32ui) uniform uimage2D image;
%s
void main() { %s }"""
BUFFER = 'layout(std430, binding = 0) buffer Data { uint data[]; };'
STORE = 'imageStore(image, ivec2(gl_FragCoord.xy), uvec4(7u));'
KILL = 'if (mod(gl_FragCoord.x, 2.0) < 1.0) discard;'
COLOUR = 'layout(location = 0) out vec4 colour;', 'colour = vec4(0.5);'
# name: what the pixel shader does, whether there is a colour buffer, colour mask, an occlusion query, the vertex
# shader's own
CASES = {
  'store': (STORE, False, 1, False, ''),
  'store colour': (STORE, True, 1, False, ''),
  'store masked': (STORE, True, 0, False, ''),
  'atomic': ('imageAtomicAdd(image, ivec2(gl_FragCoord.xy), 1u);', False, 1, False, ''),
  'kill counted': (KILL, False, 1, True, ''),
  'kill colour': (KILL, True, 1, False, ''),
  'colour': ('', True, 1, False, ''),
  'vertex store': ('', True, 1, False, 'data[gl_VertexID] = 3u;'),
}


def draw(gl, name):
  body, has_colour, mask, counted, vertex = CASES[name]
  declared, written = COLOUR if has_colour else ('', '')
  texture = gl.new('GenTextures')
  gl.BindTexture(0x0DE1, texture)
  gl.TexStorage2D(0x0DE1, 1, 0x8236, 64, 64)  # R32UI
  gl.BindImageTexture(0, texture, 0, 0, 0, 0x88BA, 0x8236)
  buffer = gl.new('GenBuffers')
  gl.BindBufferBase(0x90D2, 0, buffer)
  gl.BufferData(0x90D2, 4096, None, 0x88EA)
  gl.BindFramebuffer(0x8D40, gl.new('GenFramebuffers'))
  gl.FramebufferParameteri(0x8D40, 0x9310, 64)
  gl.FramebufferParameteri(0x8D40, 0x9311, 64)
  if has_colour:
    colour = gl.new('GenRenderbuffers')
    gl.BindRenderbuffer(0x8D41, colour)
    gl.RenderbufferStorage(0x8D41, 0x8058, 64, 64)
    gl.FramebufferRenderbuffer(0x8D40, 0x8CE0, 0x8D41, colour)
  gl.Viewport(0, 0, 64, 64)
  gl.ColorMask(mask, mask, mask, mask)
  gl.BindVertexArray(gl.new('GenVertexArrays'))
  gl.link(gl.program(vertex=VERTEX % (BUFFER if vertex else '', vertex),
                     fragment=FRAGMENT % (declared, body + written)))
  if counted:
    gl.BeginQuery(0x8914, gl.new('GenQueries'))
  gl.DrawArrays(4, 0, 3)
  if counted:
    gl.EndQuery(0x8914)
  gl.Finish()


def main():
  try:
    gl, end = gl_states.context()
  except OSError:
    return SKIPPED
  blocks = (ctypes.c_int * 1)()
  gl.GetIntegerv(0x90D6, blocks)  # shader storage blocks of vertex shaders
  if sys.argv[1] == 'vertex store' and not blocks[0]:
    return SKIPPED
  draw(gl, sys.argv[1])
  error = gl.GetError()
  end()
  return f'error {error:#x}' if error else 0


if __name__ == '__main__':
  sys.exit(main())
