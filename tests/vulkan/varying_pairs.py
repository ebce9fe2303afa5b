"""Random pairs of a vertex and a fragment shader whose interfaces are written separately: locations, components and
declarations shuffled, much of them unused on either side, all interpolations, values by vertex and weights of
vertices, 16 bits and relaxed precision, arrays, blocks, clip and cull distances. Each is drawn by the driver on the
modelled chip and must be what the reference interpreter and lavapipe say.

usage: varying_pairs.py INDIUM CHIP PROGRAM REFERENCE FIRST COUNT [DRIVER]
Of ENOUGH pairs and more, all pairs of choices must occur."""
import array
import glob
import math
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../util'))

from pairs import Pairs  # noqa: E402

SIZE_PX, LOCATIONS = 16, 12
# kind: (GLSL scalar, vectors' prefix, interpolations)
FLOATS = ['smooth', 'flat', 'noperspective']
KINDS = {
    'float': ('float', 'vec', FLOATS), 'int': ('int', 'ivec', ['flat']), 'uint': ('uint', 'uvec', ['flat']),
    'half': ('float16_t', 'f16vec', FLOATS), 'short': ('int16_t', 'i16vec', ['flat']),
    'ushort': ('uint16_t', 'u16vec', ['flat']),
}
HEAD = """#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
"""
BY_VERTEX = 'pervertexEXT'
ENOUGH = 300

# Of each variable that both sides have, and of the pair that it is in
CHOICES = {'kind': tuple(KINDS), 'interpolation': (*FLOATS, BY_VERTEX), 'where': ('', 'centroid', 'sample'),
           'count': (1, 2, 3, 4), 'array': (False, True), 'indexed': (False, True), 'relaxed': (False, True),
           'block': (False, True), 'samples': (1, 4), 'clips': (0, 1, 4, 8), 'culls': (0, 2), 'topology': (0, 1, 2)}
NEVER = [(('kind', kind), ('interpolation', way)) for kind in KINDS for way in FLOATS if way not in KINDS[kind][2]]
NEVER += [(('kind', kind), ('relaxed', True)) for kind in ('half', 'short', 'ushort')]
NEVER += [(('array', False), ('indexed', True)), (('array', True), ('block', True)),
          (('indexed', True), ('block', True)), (('clips', 8), ('culls', 2)),
          (('interpolation', BY_VERTEX), ('indexed', True)), (('interpolation', BY_VERTEX), ('block', True)),
          (('where', 'centroid'), ('samples', 4))]
NEVER += [(('clips', clips), ('samples', 4)) for clips in (1, 4, 8)]


class Variable:
    """An entry of the interface: of one location or, as an array, of some. relaxed: what the two sides say."""

    def __init__(self, r, number, location, component, room, kind, interpolation, where, may_be_array):
        self.number, self.location, self.component, self.kind = number, location, component, kind
        self.count = r.randint(1, room)
        self.interpolation, self.where = interpolation, where
        self.length = r.randint(2, 3) if may_be_array and r.random() < 0.2 else 0
        wide = kind in ('float', 'int', 'uint')
        self.relaxed = [wide and r.random() < 0.3, wide and r.random() < 0.3]
        self.written, self.read = r.random() < 0.9, r.random() < 0.8
        self.values = [[self.value(r) for _ in range(self.count)] for _ in range(self.length or 1)]
        self.reads = [[i for i in range(self.count) if r.random() < 0.7] for _ in range(self.length or 1)]
        self.qualified = r.random() < 0.5  # the vertex shader says how, too, which counts for nothing
        self.rounded = kind == 'float' and r.random() < 0.15  # the fragment shader takes it in 16 bits
        self.indexed = bool(self.length) and interpolation != BY_VERTEX and r.random() < 0.5  # at run time
        if self.indexed:  # a component that no element is read of: drivers do not write it
            self.reads = [self.reads[0]] * self.length

    def value(self, r):
        """first, step a vertex, divisor; exact: written from 16 bits"""
        if self.kind == 'float' and r.random() < 0.7:
            return r.randint(4096, 16383), r.randint(-1000, 1000), 8192, False
        if self.kind in ('float', 'half'):
            return r.randint(-60, 60), r.randint(-20, 20) if r.random() < 0.8 else 0, 32, self.kind == 'float'
        low = 0 if self.kind in ('uint', 'ushort') else -9000
        if self.kind in ('int', 'uint') and not any(self.relaxed) and r.random() < 0.5:
            return r.randint(low * 10, 90000), r.randint(0, 5000), 1, False
        return r.randint(low, 9000), r.randint(0, 500), 1, False

    def type(self, count=None):
        scalar, vector, _ = KINDS[self.kind]
        count = count or self.count
        return scalar if count == 1 else f'{vector}{count}'

    def declaration(self, side, name):
        words = ['layout(location = %d%s)' % (self.location,
                                              f', component = {self.component}' if self.component else '')]
        by_vertex = self.interpolation == BY_VERTEX
        words += [self.interpolation if side or not by_vertex else 'flat'] if side or self.qualified else []
        words += [self.where] if side and self.where and self.is_interpolated() else []
        words += ['in' if side else 'out', 'mediump' if self.relaxed[side] else '', self.type(), name]
        text = ' '.join(w for w in words if w) + ('[3]' if side and by_vertex else '')
        return text + (f'[{self.length}]' if self.length else '') + ';'

    def is_interpolated(self):
        return self.interpolation not in ('flat', BY_VERTEX)

    def tolerance(self, first, step, divisor, exact):
        """Of one component: what may differ from the exact value."""
        largest = max(abs(first), abs(first + 2 * step)) / divisor
        if self.kind in ('int', 'uint', 'short', 'ushort'):
            return 0
        if self.kind == 'half' or self.rounded or any(self.relaxed):
            return largest * 2.5 / 1024 + 1e-4
        return largest * 1e-4


def make_variables(r, wide, vertices):
    """Fills locations at random; two variables of a location are of one kind."""
    variables, location = [], 0
    kinds = list(KINDS) if wide else ['float', 'int', 'uint']
    while location < LOCATIONS:
        location += r.choice([0, 0, 0, 1, 2])
        kind = r.choice(kinds)
        interpolation = r.choice(KINDS[kind][2] + [BY_VERTEX] * vertices)
        where = r.choice(['', '', 'centroid', 'sample'])
        if r.random() < 0.3:  # two in one location
            split = r.randint(1, 3)
            for component, room in ((0, split), (split, 4 - split)):
                variables.append(Variable(r, len(variables), location, component, room, kind, interpolation, where,
                                          False))
            location += 1
        else:
            variables.append(Variable(r, len(variables), location, 0, 4, kind, interpolation, where, True))
            location += variables[-1].length or 1
    return [v for v in variables if v.location + (v.length or 1) <= LOCATIONS + 2]


def constructor(v, element):
    """What the vertex shader writes."""
    parts = []
    for first, step, divisor, exact in v.values[element]:
        if divisor == 1:
            text = f'{KINDS[v.kind][0]}({first} + gl_VertexIndex * {step})'
        elif v.kind == 'half' or exact:
            text = f'{KINDS[v.kind][0]}(float16_t(float({first} + gl_VertexIndex * {step}) / {divisor}.0))'
        else:
            text = f'float({first} + gl_VertexIndex * {step}) / {divisor}.0'
        if step == 0 and divisor == 32 and v.kind == 'float':
            text = f'{first / divisor:.6f}'
        parts.append(text)
    return f'{v.type()}({", ".join(parts)})'


class Pair:
    def __init__(self, seed):
        r = self.r = random.Random(seed)
        self.wide = r.random() < 0.5
        self.topology, self.samples = r.randint(0, 2), 1
        self.vertices = r.random() < 0.3
        self.variables = make_variables(r, self.wide, self.vertices)
        self.block = [v for v in self.variables if not v.component and not v.length and r.random() < 0.3
                      and v.interpolation != BY_VERTEX
                      and not any(o is not v and o.location == v.location for o in self.variables)]
        self.clips = r.choice([0, 0, 0, 1, 4, 8])
        self.culls = r.choice([0, 0, 0, 2]) if self.clips < 8 else 0
        self.offsets = r.random() < 0.1
        self.tolerance, self.texts = [1e-5] * 4, []
        if any(v.where == 'sample' and v.read and v.written for v in self.variables):
            self.samples = r.choice([1, 4])
            if self.samples == 4:
                for v in self.variables:
                    v.where = v.where.replace('centroid', '')
        if self.samples == 4:
            self.clips = 0
        self.distances = [(r.randint(1, 40), r.randint(0, 5)) for _ in range(self.clips + self.culls)]
        self.crossing = r.randrange(self.clips) if self.clips and r.random() < 0.5 else -1
        if self.culls and r.random() < 0.2:
            self.distances[-1] = (-20, 1)

    def is_for_lavapipe(self):
        """Debian's has no inputs and outputs of 16 bits and none by vertex, reads cull distances as clip distances
        where there are both, interpolates without perspective between the corners that clipping makes, as if these
        were exact, and divides by the w of the middle of the pixel at any offset."""
        cut = self.crossing >= 0 and any(v.interpolation == 'noperspective' for v in self.variables)
        return not (self.wide or self.vertices or cut or self.offsets or (self.clips and self.culls))

    def blocks(self, side):
        """The block as each side declares it: members have their own locations, in any order."""
        if not self.block:
            return ''
        lines = [v.declaration(side, f'm{v.number}').replace(' in ', ' ').replace(' out ', ' ') for v in self.block]
        head, name = ('in', 'from') if side else ('out', 'to')
        return head + ' Block {\n   ' + '\n   '.join(lines) + '\n} ' + name + ';'

    def declarations(self, side):
        alone = [v for v in self.variables if v not in self.block and (v.written, v.read)[side]]
        self.r.shuffle(alone)
        return '\n'.join([v.declaration(side, f'{"io"[side]}{v.number}') for v in alone] + [self.blocks(side)]) + '\n'

    def vertex(self):
        r = self.r
        w = [r.choice([1, 1, 1.5, 2, 0.75]) for _ in range(3)]
        corners = [(-1, -1), (3, -1), (-1, 3)]
        text = HEAD + self.declarations(0)
        size = [f'float gl_ClipDistance[{self.clips}];'] * bool(self.clips)
        size += [f'float gl_CullDistance[{self.culls}];'] * bool(self.culls)
        text += 'out gl_PerVertex { vec4 gl_Position; float gl_PointSize; ' + ' '.join(size) + ' };\n'
        text += 'const vec4 corners[3] = vec4[](' + ', '.join(
            f'vec4({x * a}, {y * a}, {(0.25 + i * 0.125) * a}, {a})' for i, ((x, y), a) in enumerate(zip(corners, w)))
        text += ');\nvoid main() {\n   gl_Position = corners[gl_VertexIndex];\n   gl_PointSize = 1.0;\n'
        body = []
        for v in self.variables:
            name = f'to.m{v.number}' if v in self.block else f'i{v.number}'
            if v.written or v in self.block:
                for k in range(v.length or 1):
                    body.append(f'{name}{f"[{k}]" if v.length else ""} = {constructor(v, k)};')
        for i, (first, step) in enumerate(self.distances):
            value = f'float({first} + gl_VertexIndex * {step})'
            if i == self.crossing:
                value = 'float(5 - gl_VertexIndex * 6)'
            body.append((f'gl_ClipDistance[{i}]' if i < self.clips else f'gl_CullDistance[{i - self.clips}]') +
                        f' = {value};')
        r.shuffle(body)
        return text + ''.join(f'   {line}\n' for line in body) + '}\n'

    def add(self, body, text, tolerance):
        out, factor = self.r.randrange(4), self.r.choice([1, 0.5, 0.75, 1.5])
        body.append(f'   color[{out}] += {text} * {factor};\n')
        if self.samples > 1:  # the mean over samples, or the middle of the pixel: Vulkan leaves it open
            tolerance += 2e-3
        self.tolerance[out] += tolerance * factor + 1e-5

    def fragment(self):
        r, body = self.r, []
        text = HEAD + ('#extension GL_EXT_fragment_shader_barycentric : require\n' if self.vertices else '')
        text += self.declarations(1) + 'layout(location = 0) out vec4 color;\n'
        if self.clips:
            text += f'in float gl_ClipDistance[{self.clips}];\n'
        if self.culls:
            text += f'in float gl_CullDistance[{self.culls}];\n'
        for v in self.variables:
            inside = v in self.block
            if not (inside or (v.written and v.read)):
                continue
            name = f'from.m{v.number}' if inside else f'o{v.number}'
            offset = f'vec2({r.choice([-0.25, 0.125])}, {r.choice([-0.125, 0.375])})'
            for k, components in enumerate(v.reads):
                base = name
                if v.interpolation == BY_VERTEX:
                    base += r.choice(['[0]', '[1]', '[2]', '[int(gl_FragCoord.y) % 3]'])
                index = f'int(gl_FragCoord.x) / {SIZE_PX} + {k}' if v.indexed else k
                base += f'[{index}]' if v.length else ''
                for c in components:
                    at = base + (f'.{"xyzw"[c]}' if v.count > 1 else '')
                    if self.offsets and v.is_interpolated() and v.kind == 'float' and not inside:
                        at = f'interpolateAtOffset({base}, {offset})' + (f'.{"xyzw"[c]}' if v.count > 1 else '')
                    if v.rounded:
                        at = f'float16_t({at})'
                    scale = ' / 4096.0' if v.kind in ('int', 'uint', 'short', 'ushort') else ''
                    self.add(body, f'float({at}){scale}', v.tolerance(*v.values[k][c]))
        for i in range(self.clips + self.culls):
            if r.random() < 0.3:
                name = f'gl_ClipDistance[{i}]' if i < self.clips else f'gl_CullDistance[{i - self.clips}]'
                self.add(body, name, 50e-4)
        if r.random() < 0.3 and self.samples == 1:  # of several, Vulkan does not say of which
            self.add(body, 'gl_FragCoord.z', 1e-4)
        if r.random() < 0.3 and self.samples == 1:
            self.add(body, 'gl_FragCoord.w', 1e-4)
        for name in ('gl_BaryCoordEXT', 'gl_BaryCoordNoPerspEXT') if self.vertices and self.samples == 1 else ():
            self.add(body, f'{name}.{r.choice("xyz")}', 1e-4)
        r.shuffle(body)
        return text + 'void main() {\n   color = vec4(1.0);\n' + ''.join(body) + '}\n'


def missing_pairs(pairs):
    """Lines about choices that never met."""
    choices = Pairs(CHOICES, NEVER)
    for pair in pairs:
        for v in pair.variables:
            if v in pair.block or (v.written and v.read):
                choices.count({'kind': v.kind, 'interpolation': v.interpolation, 'where': v.where, 'count': v.count,
                               'array': bool(v.length), 'indexed': v.indexed, 'relaxed': any(v.relaxed),
                               'block': v in pair.block, 'samples': pair.samples, 'clips': pair.clips,
                               'culls': pair.culls, 'topology': pair.topology})
    return choices.missing()


def compile_pair(folder, number, pair):
    for stage, text in (('vert', pair.vertex()), ('frag', pair.fragment())):
        path = f'{folder}/{number}.{stage}'
        pair.texts.append(text)
        with open(path, 'w', encoding='ascii') as file:
            file.write(text)
        command = ['glslangValidator', '--quiet', '-V', '--target-env', 'vulkan1.1', path, '-o', path + '.spv']
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode:
            sys.exit(f'pair {number}:\n{text}\n{run.stdout}{run.stderr}')


def texels(path):
    values = array.array('f')
    with open(path, 'rb') as file:
        values.frombytes(file.read())
    return values


def differences(pairs, seeds, got, expected, witness, slack=0):
    """Lines about the pairs that differ, and how many values were compared."""
    lines, compared, each = [], 0, SIZE_PX * SIZE_PX * 4
    for number, pair in enumerate(pairs):
        for i in range(each):
            a, b = got[number * each + i], expected[number * each + i]
            if math.isnan(b):
                continue
            compared += 1
            if not abs(a - b) <= pair.tolerance[i % 4] + slack * abs(b):
                lines += [] if lines else pair.texts
                where = f'seed {seeds[number]}: pixel {i // 4 % SIZE_PX}, {i // 4 // SIZE_PX}, component {i % 4}'
                lines.append(f'{where}: {a:.6f}, and {b:.6f} by {witness} (tolerance {pair.tolerance[i % 4]:.6f})')
                break
    return lines, compared


def subset(folder, pairs, keep):
    """A folder with the pairs that `keep` says."""
    chosen = [i for i, pair in enumerate(pairs) if keep(pair)]
    inner = folder + '/narrow'
    os.mkdir(inner)
    for new, old in enumerate(chosen):
        for stage in ('vert', 'frag'):
            os.link(f'{folder}/{old}.{stage}.spv', f'{inner}/{new}.{stage}.spv')
    with open(inner + '/pairs.txt', 'w', encoding='ascii') as file:
        file.writelines(f'{pairs[i].topology} {pairs[i].samples}\n' for i in chosen)
    return inner, chosen


def main():
    indium, chip, program, reference, first, count, *driver = sys.argv[1:]
    driven = [indium, 'run', '--gpu', chip] + (['--driver', *driver] if driver else [])
    seeds = list(range(int(first), int(first) + int(count)))
    if driver:  # Honeykrisp has neither inputs of 16 bits nor values by vertex
        seeds = [seed for seed in seeds if not (Pair(seed).wide or Pair(seed).vertices)]
    pairs = [Pair(seed) for seed in seeds]
    each = SIZE_PX * SIZE_PX * 4
    with tempfile.TemporaryDirectory() as folder:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda n: compile_pair(folder, n, pairs[n]), range(len(pairs))))
        with open(folder + '/pairs.txt', 'w', encoding='ascii') as file:
            file.writelines(f'{pair.topology} {pair.samples}\n' for pair in pairs)
        subprocess.run([reference, folder, folder + '/reference'], check=True)
        run = subprocess.run([*driven, '--', program, folder, folder + '/driver'], check=False)
        if run.returncode:
            return run.returncode  # 77: the driver is not here
        got = texels(folder + '/driver')
        exact = texels(folder + '/reference')
        lines, compared = differences(pairs, seeds, got, exact, 'the interpreter')
        inner, chosen = subset(folder, pairs, Pair.is_for_lavapipe)
        lavapipe = glob.glob('/usr/share/vulkan/icd.d/lvp_icd*.json')[0]
        environment = os.environ | {'VK_DRIVER_FILES': lavapipe, 'VK_ICD_FILENAMES': lavapipe, 'NODEVICE_SELECT': '1'}
        environment.pop('VKT_PARTS', None)  # a witness's links are its own business
        subprocess.run([program, inner, folder + '/lavapipe'], check=True, env=environment)
        narrow, known, drawn = array.array('f'), array.array('f'), texels(folder + '/lavapipe')
        for i in chosen:
            narrow.extend(got[i * each:(i + 1) * each])
            known.extend(exact[i * each:(i + 1) * each])
        # Which texels lie inside of a clip distance is anybody's guess where it is nearly 0.
        drawn = array.array('f', (math.nan if math.isnan(a) else b for a, b in zip(known, drawn)))
        more, compared_too = differences([pairs[i] for i in chosen], [seeds[i] for i in chosen], narrow, drawn,
                                         'lavapipe', 1e-4)
    print(*lines[:20], *more[:20], sep='\n')
    missing = missing_pairs(pairs) if len(pairs) >= ENOUGH else []
    print(*missing, sep='\n')
    print(f'{len(pairs)} pairs, {compared} values against the interpreter, {compared_too} against lavapipe: '
          f'{bool(lines) + bool(more)} of them disagree')
    return bool(lines or more or missing) or compared < 500 * len(pairs)


if __name__ == '__main__':
    sys.exit(main())
