#!/usr/bin/python3
"""What a chip does not have is refused with a sentence that names the capability and the chip; the rest compiles.

Usage: test_capabilities.py INDIUM
"""
import pathlib
import re
import subprocess
import sys
import tempfile

INDIUM = sys.argv[1]
CHIPS = ('vega10', 'raven', 'navi10', 'navi21', 'vangogh', 'navi31', 'gfx1150', 'm1', 'm1max', 'm2')
APPLE = ('m1', 'm1max', 'm2')
BEFORE_RATES = ('vega10', 'raven', 'navi10')
COMPUTE = ('#version 460\n{extension}\nlayout(local_size_x = 32) in;\n'
           'layout(set = 0, binding = 0) buffer Data {{ {type} x[]; }};\n{globals}\n'
           'void main() {{ uint i = gl_LocalInvocationIndex; {code} }}\n')
FRAGMENT = ('#version 460\n{extension}\nlayout(location = 0) out vec4 c;\n{globals}\n'
            'void main() {{ c = vec4({code}); }}\n')
TESSELLATION = '#version 460\n{extension}layout(triangles) in;{globals}\nvoid main() {{ {code} }}\n'
VERTEX = '#version 460\n{extension}\n{globals}\nvoid main() {{ gl_Position = vec4(0); {code} }}\n'
TEXTURE = 'layout(set = 0, binding = 1) uniform sampler2D t;'
INT64 = ('GL_EXT_shader_atomic_int64', 'GL_ARB_gpu_shader_int64')

# Capability, chips that lack it, stage, frame, extensions, code, what stands ahead of it, type of the buffer.
ROWS = [
  ('Float64', APPLE, 'comp', COMPUTE, (), 'x[i] = x[i] < x[0] ? sqrt(x[i]) * 3.0LF : 0.5LF;', '', 'double'),
  ('Int64', (), 'comp', COMPUTE, INT64[1:], 'x[i] = x[i] * 3ul / 7ul;', '', 'uint64_t'),
  ('Int64Atomics', APPLE, 'comp', COMPUTE, INT64, 'atomicAdd(x[0], x[i]);', '', 'uint64_t'),
  ('Int64ImageEXT', APPLE, 'comp', COMPUTE, ('GL_EXT_shader_image_int64', INT64[1]),
   'x[i] = imageAtomicAdd(t, ivec2(0), x[i]);', 'layout(set = 0, binding = 1, r64ui) uniform u64image2D t;',
   'uint64_t'),
  ('ShaderClockKHR', APPLE, 'comp', COMPUTE, ('GL_EXT_shader_realtime_clock',),
   'x[i] = clockRealtime2x32EXT();', '', 'uvec2'),
  ('FragmentShadingRateKHR', APPLE + BEFORE_RATES, 'vert', VERTEX, ('GL_EXT_fragment_shading_rate',),
   'gl_PrimitiveShadingRateEXT = 1;', '', ''),
  ('FragmentBarycentricKHR', BEFORE_RATES, 'frag', FRAGMENT, ('GL_EXT_fragment_shader_barycentric',),
   'gl_BaryCoordEXT, 1', '', ''),
  ('SparseResidency', (), 'comp', COMPUTE, ('GL_ARB_sparse_texture2',),
   'x[i].w += float(sparseTextureLodARB(t, vec2(0), 0, x[i]));', TEXTURE, 'vec4'),
  ('MinLod', (), 'frag', FRAGMENT, ('GL_ARB_sparse_texture_clamp',), 'textureClampARB(t, vec2(0), 1.0)', TEXTURE,
   ''),
  ('StencilExportEXT', (), 'frag', FRAGMENT, ('GL_ARB_shader_stencil_export',),
   '1); gl_FragStencilRefARB = int(3', '', ''),
  ('AtomicFloat32MinMaxEXT', (), 'comp', COMPUTE, ('GL_EXT_shader_atomic_float2',),
   'atomicMin(s, x[i]); barrier(); x[i] = s;', 'shared float s;', 'float'),
  ('Tessellation', CHIPS, 'tese', TESSELLATION, (), 'gl_Position = vec4(0);', '', ''),
]


def module(folder, row):
  capability, _, stage, frame, extensions, code, globals_, type_ = row
  path = pathlib.Path(folder, f'{capability}.{stage}')
  lines = '\n'.join(f'#extension {name} : require' for name in extensions)
  path.write_text(frame.format(extension=lines, code=code, globals=globals_, type=type_), encoding='utf-8')
  out = path.with_suffix(path.suffix + '.spv')
  subprocess.run(['glslangValidator', '--quiet', '-V', '--target-env', 'vulkan1.3', '-o', out, path], check=True,
                 timeout=60)
  text = subprocess.run(['spirv-dis', out], capture_output=True, text=True, check=True, timeout=60).stdout
  declared = re.findall(r'^ *OpCapability (\w+)$', text, re.M)
  assert capability in declared, (capability, text)
  return out, declared


def main():
  wrong = []
  with tempfile.TemporaryDirectory() as folder:
    for row in ROWS:
      path, declared = module(folder, row)
      for chip in CHIPS:
        done = subprocess.run([INDIUM, 'shader', path, '--gpu', chip, '--print', 'stats'], capture_output=True,
                              text=True, timeout=60)
        lacks = {other[0] for other in ROWS if chip in other[1]}
        named = re.findall(rf'capability (\w+) is not supported on {chip} .*\n$', done.stderr)
        refused = done.returncode and named and named[0] in lacks.intersection(declared)
        if done.returncode if chip not in row[1] else not refused or done.stderr.count('\n') != 1:
          wrong.append((row[0], chip, done.returncode, done.stderr))
  assert not wrong, wrong
  print(f'{len(ROWS)} capabilities on {len(CHIPS)} chips')


if __name__ == '__main__':
  sys.exit(main())
