#!/usr/bin/python3
"""indium varyings: a pair of shaders worked out by hand, as text, JSON and picture; bad arguments.
Usage: test_varyings.py INDIUM."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

VERTEX = """#version 450
layout(location = 0) in vec4 where;
layout(location = 3) out vec3 normal;
layout(location = 1) out mediump vec3 colour;
layout(location = 0) flat out ivec2 number;
layout(location = 5) noperspective out float unread;
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; };
void main() {
   gl_Position = where;
   normal = where.xyz;
   colour = where.zyx;
   number = ivec2(where.xy);
   unread = 1;
   gl_ClipDistance[0] = where.x;
   gl_ClipDistance[1] = where.y;
}
"""
FRAGMENT = """#version 450
layout(location = 0) flat in ivec2 shade;
layout(location = 1) in vec3 tint;
layout(location = 3) in vec3 up;
layout(location = 0) out vec4 result;
void main() { result = vec4(tint, shade.y) * up.x * up.z + gl_FragCoord.z; }
"""
# Position; smooth 32 bits: the odd third of the colour, x and z of the normal; flat: number.y; a pair; two distances.
# Z is read: user slots begin at 2. Registers: W, Z, the halves, then 32 bits.
EXPECTED = """word  slot  register  bits  kind        value
   0     -         -    32  position    x
   1     -         -    32  position    y
   2     -         -    32  position    z
   3     -         -    32  position    w
   4     2       cf4    32  smooth      location 1.z
   5     3       cf5    32  smooth      location 3.x
   6     4       cf6    32  smooth      location 3.z
   7     5       cf7    32  flat        location 0.y
   8     6       cf2    16  smooth      location 1.x
                 cf3    16  smooth      location 1.y
   9     -         -    32  clip        clip distance 0
  10     -         -    32  clip        clip distance 1

11 words a vertex, 12 without 16 bits
VARYING_COUNTS_32 smooth 3, flat 1, linear 0
VARYING_COUNTS_16 smooth 1, flat 0, linear 0
CF_BINDING_HEADER 6 slots of 32 bits, 8 registers
"""

# What may go in 16 bits: of the vertex shader the declaration of a vec2 at location 0 and its value, of the fragment
# shader the declaration and what it makes of it; the words that two values take.
RULES = [
  ('out vec2 v', 'where.xy', 'in vec2 v', 'v', 2),
  ('out mediump vec2 v', 'where.xy', 'in vec2 v', 'v', 1),
  ('out vec2 v', 'where.xy', 'in mediump vec2 v', 'v', 1),
  ('invariant out mediump vec2 v', 'where.xy', 'in vec2 v', 'v', 2),
  ('out vec2 v', 'vec2(f16vec2(where.xy))', 'in vec2 v', 'v', 1),
  ('out vec2 v', 'vec2(0.5, -2)', 'in vec2 v', 'v', 1),
  ('out vec2 v', 'vec2(0.1, 0.2)', 'in vec2 v', 'v', 2),
  ('out vec2 v', 'where.xy', 'in vec2 v', 'vec2(f16vec2(v))', 2),  # large ones may cancel each other
  ('out vec2 v', 'where.xy', 'flat in vec2 v', 'vec2(f16vec2(v))', 1),
  ('out vec2 v', 'where.xy', 'flat in vec2 v', 'v + vec2(f16vec2(v))', 2),
  ('out vec2 v', 'where.xy', 'noperspective in vec2 v', 'vec2(v.y)', 1),
  ('out f16vec2 v', 'f16vec2(where.xy)', 'in f16vec2 v', 'vec2(v)', 1),
  ('flat out ivec2 v', 'ivec2(where.xy)', 'flat in ivec2 v', 'vec2(v)', 2),
  ('flat out ivec2 v', 'ivec2(where.xy)', 'flat in mediump ivec2 v', 'vec2(v)', 1),
  ('flat out ivec2 v', 'ivec2(i16vec2(where.xy))', 'flat in ivec2 v', 'vec2(v)', 1),
  ('flat out ivec2 v', 'ivec2(-32768, 32767)', 'flat in ivec2 v', 'vec2(v)', 1),
  ('flat out ivec2 v', 'ivec2(-32769, 32767)', 'flat in ivec2 v', 'vec2(v)', 2),
  ('flat out uvec2 v', 'uvec2(65535, 0)', 'flat in uvec2 v', 'vec2(v)', 1),
  ('flat out uvec2 v', 'uvec2(65536, 0)', 'flat in uvec2 v', 'vec2(v)', 2),
]
RULE_HEAD = """#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
"""

# A value by vertex and weights of vertices: three registers each of the value and of the corners' x, y and w. The
# words of the position that this needs come after the others of their kind.
BY_VERTEX = """#version 450
#extension GL_EXT_fragment_shader_barycentric : require
layout(location = 0) pervertexEXT in ivec2 number[3];
layout(location = 3) in vec3 up;
layout(location = 0) out vec4 result;
void main() { result = vec4(number[0].y, number[2].y, up.x, WEIGHT); }
"""
# Of words 4 to 9: what they are; their registers.
BY_VERTEX_WORDS = [('location 3.x', [1]), ('place.x', [2]), ('place.y', [3]), ('location 0.y', [4, 8, 12]),
                   ('corner.x', [5, 9, 13]), ('corner.y', [6, 10, 14]), ('corner.w', [7, 11, 15])]


def check_by_vertex(folder):
  vertex, fragment = folder / 'v.vert', folder / 'by.frag'
  vertex.write_text(VERTEX.replace('gl_ClipDistance[', 'unused[').replace(' float unused[2];', '').replace(
    '   unused[0] = where.x;\n   unused[1] = where.y;\n', ''))
  for weight, topology, words in (('gl_BaryCoordEXT.x', 'triangles', 7), ('1', 'triangles', 2), ('1', 'strip', 7),
                                  ('1', 'fan', 2), ('gl_BaryCoordNoPerspEXT.z', 'lines', 7), ('1', 'points', 3),
                                  ('gl_BaryCoordEXT.x', 'points', 3)):
    fragment.write_text(BY_VERTEX.replace('WEIGHT', weight))
    status, out, err = run(vertex, fragment, '--json', '--topology', topology)
    assert not status, err
    facts = json.loads(out)
    assert facts['words'] == 4 + words, (weight, topology, facts)
    vertices = {'points': 1, 'lines': 2}.get(topology, 3)
    models = [b['model'] for b in facts['bindings'] if b['model'].startswith('flat')]
    assert models == [f'flat, vertex {i}' for i in range(vertices)], (topology, models)
  status, out, err = run(vertex, fragment, '--json', '--topology', 'strip')
  found = [(v['name'], [v['register'], *v.get('other_vertices', [])])
           for word in json.loads(out)['vertex'][4:] for v in word['values']]
  assert found == BY_VERTEX_WORDS, found
  # 28 locations of 3 values each, of each vertex, fill 253 registers; 29 do not fit.
  head = '#version 450\n#extension GL_EXT_fragment_shader_barycentric : require\nlayout(location = 0) '
  for count, status in ((28, 0), (29, 1)):
    vertex.write_text(f'{head}out vec3 v[{count}];\nlayout(location = 0) in vec4 where;\nvoid main() {{ '
                      f'gl_Position = where; for (int i = 0; i < {count}; i++) v[i] = where.xyz * i; }}\n')
    fragment.write_text(f'{head}pervertexEXT in vec3 v[3][{count}];\nlayout(location = 0) out vec4 result;\n'
                        f'void main() {{ for (int i = 0; i < {count}; i++) '
                        'result.xyz += v[0][i] + v[1][i] * v[2][i]; }\n')
    found = run(vertex, fragment)
    assert found[0] == status and ('more varyings than the hardware has' in found[2]) == bool(status), found[2]


def run(*arguments):
  done = subprocess.run([sys.argv[1], 'varyings', *map(str, arguments)], capture_output=True, text=True, timeout=60)
  return done.returncode, done.stdout, done.stderr


def declare(text):
  """The words after `invariant` take the location."""
  head, sep, rest = text.rpartition('invariant ')
  return f'{head}{sep}layout(location = 0) {rest};\n'


def check_rules(folder):
  for rule in RULES:
    out, value, into, use, words = rule
    vertex, fragment = folder / 'rule.vert', folder / 'rule.frag'
    vertex.write_text(f'{RULE_HEAD}layout(location = 0) in vec4 where;\n{declare(out)}'
                      f'void main() {{ gl_Position = where; v = {value}; }}\n')
    fragment.write_text(f'{RULE_HEAD}{declare(into)}layout(location = 0) out vec4 result;\n'
                        f'void main() {{ result = vec4({use}, 0, 0); }}\n')
    status, out, err = run(vertex, fragment, '--json')
    assert not status, (rule, err)  # glslang warns of default precisions
    assert json.loads(out)['words'] == 4 + words, rule
  # The iterator rounds, where that is all that is wanted.
  fragment.write_text(f'{RULE_HEAD}layout(location = 0) in vec2 v;\nlayout(location = 0) out vec4 result;\n'
                      'void main() { result = vec4(vec2(f16vec2(v)), 0, 0); }\n')
  asm = subprocess.run([sys.argv[1], 'shader', '--gpu', 'm1', str(fragment), '--print', 'asm'], capture_output=True,
                       text=True, check=True, timeout=60).stdout
  assert re.search(r'^iter\s+r\d+[lh]_r\d+[lh], cf\d+, cf0', asm, re.M), asm


def main():
  with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    vertex, fragment = folder / 'a.vert', folder / 'b.frag'
    vertex.write_text(VERTEX)
    fragment.write_text(FRAGMENT)
    status, out, err = run(vertex, fragment, '--plot', folder / 'p.svg')
    assert not status and not err, err
    assert out.startswith(EXPECTED), out
    # Every register is bound once: a pair fills two.
    bound = []
    for first, last in re.findall(r'^CF_BINDING cf(\d+)(?: to cf(\d+))?:', out, re.M):
      bound += range(int(first), int(last or first) + 1)
    assert sorted(bound) == list(range(8)), out
    texts = re.findall(r'<text[^>]*>([^<]*)</text>', (folder / 'p.svg').read_text())
    assert texts.count('location 1.y') == 1 and 'cf3: location 1.y' in texts and '6: 2 x 16' in texts, texts
    assert sum(text.startswith('cf') for text in texts) == 8, texts
    facts = json.loads(run(vertex, fragment, '--json')[1])
    assert (facts['words'], facts['words_without_16_bits'], facts['slots_32']) == (11, 12, 6), facts
    assert facts['vertex'][8]['values'] == [{'name': 'location 1.x', 'register': 2},
                                            {'name': 'location 1.y', 'register': 3}], facts
    check_rules(folder)
    check_by_vertex(folder)
    # Points have a word for their size, after the pair; a fan takes flat values of its second vertex.
    assert '   9     -         -    32  point size  point size' in run(vertex, fragment, '--topology', 'points')[1]
    assert 'flat, vertex 1' in run(vertex, fragment, '--topology', 'fan')[1]
    for arguments in ([], [vertex], [vertex, fragment, fragment], [fragment, vertex], [vertex, folder / 'none.frag'],
                      [vertex, fragment, '--topology', 'square'], [vertex, fragment, '--plot', folder / 'x.gif'],
                      [vertex, fragment, '-D']):
      status, out, err = run(*arguments)
      assert status == 2 and err, arguments


main()
