"""Writes random compute shaders and the same programs in C.

fuzz.py OUTPUT --seed N --count N [--single N] --glslang PROGRAM --spirv-opt PROGRAM [--glsl DIR]

OUTPUT is C text: for each program its SPIR-V (as glslang writes it, after --eliminate-local-multi-store, or after -O)
and a function that computes what one invocation writes. Every operation is total and exact: divisors are not 0, shift
counts are within the width, floats stay in a range where they are neither tiny nor huge and nothing is contracted.
Programs that are too long, or that spirv-val rejects, are left out. Those from FIRST_SINGLE on, as many as --single
says, have no doubles. What is chosen once for a program is a draw of its own (Program.CHOICES); with --pairs the
programs that are written must have all pairs of choices.
"""
import argparse
import os
import random
import struct
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../util'))

from pairs import Pairs, own  # noqa: E402
from fuzz_expressions import Expressions
from fuzz_types import (BOOL, C_START, FLOATS, GLSL_HEAD, HASH_GLSL, INT, LANES, MATRICES, SCALAR_TYPES, UINT,
                        VECTORS, WEIGHTED, WORDS, Type, c_types, forget_doubles, glsl_helpers, layout, simple)


MAX_CHARACTERS = 40000
FIRST_SINGLE = 1000


class Program(Expressions):
    # form: how spirv-opt makes the module; constant: of specialization; lanes: of a subgroup, 0 as the driver likes;
    # addresses: buffers are found by address
    CHOICES = {'form': ('', '--eliminate-local-multi-store', '-O'), 'size': (64, 32, 40, 128, 13),
               'constant': (0, 3, 6), 'lanes': (0, 32, 64), 'endless': (False, True),
               'nest': (False,) * 5 + (True,), 'addresses': (False, True)}

    def __init__(self, seed, number):
        self.now = {name: own(seed, number, name).choice(values) for name, values in self.CHOICES.items()}
        self.r = random.Random(seed * 100003 + number)
        self.number = number
        self.g, self.c = [], []  # lines of the function that is being written
        self.names = 0
        self.types_g, self.types_c = [], []
        self.structs, self.arrays = [], {}
        self.functions = []
        self.vars = []       # (glsl, c, type, writable)
        self.loop_depth = 0  # of loops and switches around
        self.in_loop = self.in_function = self.in_switch = False
        self.result = None
        self.size = self.now['size']

    # names and lines
    def name(self, prefix='t'):
        self.names += 1
        return f'{prefix}{self.names}'

    def both(self, text):
        self.g.append(text)
        self.c.append(text)

    def temp(self, t, value):
        name = self.name()
        self.c.append(f'{t.c} {name} = {value};')
        return name

    def each(self, t, value):
        """A temporary; `value` with {k} for the number of the component."""
        if t.kind == 'scalar':
            return self.temp(t, value.replace('.e[{k}]', ''))
        name = self.name()
        self.c.append(f'{t.c} {name}; for (int k = 0; k < {t.n}; k++) {name}.e[k] = {value.replace("{k}", "k")};')
        return name

    # types
    def array(self, elem, n):
        if (elem.c, n) not in self.arrays:
            name = f'p{self.number}_a{len(self.arrays)}'
            glsl = f'{elem.glsl}[{n}]' if '[' not in elem.glsl else None
            self.arrays[elem.c, n] = Type('array', glsl, name, elem, n)
            if '[' in elem.glsl:
                head, tail = elem.glsl.split('[', 1)
                self.arrays[elem.c, n].glsl = f'{head}[{n}][{tail}'
            self.types_c.append(f'typedef struct {{ {elem.c} e[{n}]; }} {name};')
        return self.arrays[elem.c, n]

    def basic(self, no_bool=False):
        s = self.r.choice(WEIGHTED)
        if s == 'f16' and self.now['form'] == '-O':
            s = 'f32'  # spirv-opt folds 16-bit floats wrongly
        if no_bool and s == 'b1':
            s = 'u32'
        return simple(s, self.r.choice((1, 1, 1, 2, 3, 4)))

    def any_type(self, depth=2, no_bool=False):
        x = self.r.random()
        if depth and x < 0.15:
            return self.array(self.any_type(depth - 1, no_bool), self.r.choice((1, 2, 3, 4, 5, 8)))
        structs = [s for s in self.structs if not (no_bool and s.has_bool())]
        if depth and x < 0.4 and structs:
            return self.r.choice(structs)
        if x < 0.5:
            return self.r.choice([m for m in MATRICES.values() if m.scalar != 'f16' or self.now['form'] != '-O'])
        return self.basic(no_bool)

    def make_struct(self, no_bool=False):
        name = f'S{len(self.structs)}'
        members = [(f'm{i}', self.any_type(2, no_bool)) for i in range(self.r.randint(1, 5))]
        # After a struct, glslang's scalar layout uses the bytes that C leaves free.
        size, align = layout(Type('struct', name, name, members=members))
        members += [(f'free{i}', SCALAR_TYPES['u8']) for i in range(-size % align)]
        t = Type('struct', name, f'p{self.number}_{name}', members=members)
        self.types_g.append(f'struct {name} {{ ' + ' '.join(f'{m.glsl} {n};' for n, m in members) + ' };')
        self.types_c.append('typedef struct { ' + ' '.join(f'{m.c} {n};' for n, m in members) + f' }} {t.c};')
        self.structs.append(t)
        return t

    # statements
    def declare(self, t, value, writable=True):
        name = self.name('v')
        g, c = value
        self.g.append(f'{t.glsl} {name} = {g};')
        self.c.append(f'{t.c} {name} = {c};')
        self.vars.append((name, name, t, writable))

    def block(self, budget):
        count = len(self.vars)
        for _ in range(self.r.randint(1, max(1, budget))):
            if not self.statement(budget - 1):
                break
        del self.vars[count:]

    def statement(self, budget):
        """Returns whether what follows can be reached."""
        r = self.r
        x = r.random()
        if budget <= 0 or x < 0.45:
            self.assign()
        elif x < 0.55:
            t = self.any_type()
            self.declare(t, self.expr(t, 2))
        elif x < 0.7:
            self.branch(budget)
        elif x < 0.8:
            self.loop(budget)
        elif x < 0.87:
            self.switch(budget)
        elif x < 0.95:
            self.call()
        elif self.in_loop:
            g, c = self.expr(BOOL, 2)
            word = r.choice(('break', 'continue'))
            self.g.append(f'if ({g}) {word};')
            self.c.append(f'if ({c}) {word};')
        elif self.in_function:
            g, c = self.expr(BOOL, 2)
            self.g.append(f'if ({g}) {{')
            self.c.append(f'if ({c}) {{')
            vg, vc = self.expr(self.result, 2)
            self.g.append(f'return {vg}; }}')
            self.c.append(f'return {vc}; }}')
        return True

    def assign(self):
        r = self.r
        if r.random() < 0.2:
            return self.assign_swizzle()
        options = {}
        for v in self.vars:
            if v[3]:
                options[v[2].c] = v[2]
                if r.random() < 0.7:
                    t = v[2]
                    while t.kind != 'scalar' and r.random() < 0.7:
                        t = r.choice(t.members)[1] if t.kind == 'struct' else t.elem
                    options[t.c] = t
        t = r.choice(list(options.values()))
        target = self.access(t, True)
        g, c = self.expr(t, r.choice((1, 2, 3, 4)) if t.kind in ('scalar', 'vector') else 2)
        # The index of the target is evaluated first; nothing changes it.
        self.g.append(f'{target[0]} = {g};')
        self.c.append(f'{target[1]} = {c};')

    def assign_swizzle(self):
        vectors = [t for t in VECTORS.values() if self.paths(t, True)]
        if not vectors:
            return
        t = self.r.choice(vectors)
        n = self.r.randint(1, t.n)
        pick = self.r.sample(range(t.n), n)
        target = self.access(t, True)
        g, c = self.expr(simple(t.scalar, n), 2)
        self.g.append(f'{target[0]}.{"".join("xyzw"[p] for p in pick)} = {g};')
        for i, p in enumerate(pick):
            self.c.append(f'{target[1]}.e[{p}] = {c}{f".e[{i}]" if n > 1 else ""};')

    def branch(self, budget):
        g, c = self.expr(BOOL, 2)
        self.g.append(f'if ({g}) {{')
        self.c.append(f'if ({c}) {{')
        self.block(budget - 1)
        if self.r.random() < 0.5:
            self.both('} else {')
            self.block(budget - 1)
        self.both('}')

    def loop(self, budget):
        if self.loop_depth >= 2:
            return self.assign()
        was = self.in_loop
        self.loop_depth += 1
        name, limit = self.name('loop'), self.name('limit')
        if self.r.random() < 0.4:
            self.both(f'uint {limit} = {self.r.randint(0, 5)}u;')
        else:
            g, c = self.expr(UINT, 2)
            self.g.append(f'uint {limit} = {g} % 6u;')
            self.c.append(f'uint {limit} = {c} % 6u;')
        kind = self.r.randrange(3)
        self.in_loop = kind != 2 or was
        self.vars.append((name, name, UINT, False))
        if kind == 0:
            self.both(f'for (uint {name} = 0u; {name} < {limit}; {name}++) {{')
            self.block(budget - 1)
            self.both('}')
        elif kind == 1:
            self.both(f'uint {name} = 0u;')
            self.both('while (true) {')
            self.both(f'if ({name}++ >= {limit}) break;')
            self.block(budget - 1)
            self.both('}')
        else:
            self.in_loop = False
            self.both(f'uint {name} = 0u;')
            self.both('do {')
            self.block(budget - 1)
            self.both(f'}} while (++{name} < {limit});')
        self.vars.pop(next(i for i, v in enumerate(self.vars) if v[0] == name))
        self.in_loop = was
        self.loop_depth -= 1

    def endless(self):
        """A loop without exit where nobody comes, which only the run shows; what its branch makes is not used."""
        uniform = self.r.random() < 0.3
        number = self.r.randint(LANES, 2 * LANES)
        self.g.append(f'if ({"gl_WorkGroupID.x" if uniform else "invocation"} >= {number}u) {{')
        self.c.append(f'if ({"x->group" if uniform else "x->invocation"} >= {number}u) {{')
        self.block(2)
        self.both('while (true) {')
        self.block(2)
        self.both('}')
        if self.r.random() < 0.5:
            self.both('} else {')
            self.block(2)
        self.both('}')

    def nest(self, levels):
        """Loops in loops, more than there are registers for; few invocations take a second turn somewhere."""
        name, limit = self.name('loop'), self.name('limit')
        g, c = self.expr(UINT, 1)
        often = 2 if self.r.random() < 0.1 else 997
        self.g.append(f'uint {limit} = ({g}) % {often}u == 1u ? 2u : 1u;')
        self.c.append(f'uint {limit} = ({c}) % {often}u == 1u ? 2u : 1u;')
        self.both(f'for (uint {name} = 0u; {name} < {limit}; {name}++) {{')
        if self.r.random() < 0.3:
            self.assign()
        if levels:
            self.nest(levels - 1)
        self.assign()
        self.both('}')

    def flow(self):
        """Control flow that is rare, from random numbers of its own: those of the rest stay as they are."""
        others, self.r = self.r, random.Random(self.number * 7919 + 1)
        self.loop_depth = 2  # no loops in the blocks
        if self.now['endless']:
            self.endless()
        if self.now['nest']:
            self.nest(self.r.randint(17, 22))
        self.loop_depth = 0
        self.r = others

    def switch(self, budget):
        g, c = self.expr(INT, 2)
        mask = self.r.choice((3, 7))
        labels = self.r.sample(range(mask + 1), self.r.randint(1, mask))
        self.g.append(f'switch ({g} & {mask}) {{')
        self.c.append(f'switch ({c} & {mask}) {{')
        was = self.in_loop
        self.in_loop = False  # break would leave the switch
        where = self.r.randrange(len(labels) + 1)
        for i, label in enumerate(labels):
            self.both(f'case {label}:')
            if i == where:
                self.both('default:')
            if self.r.random() < 0.2 and i + 1 < len(labels):
                continue
            self.both('{')
            self.block(min(budget - 1, 2))
            self.both('}')
            if self.r.random() < 0.7:
                self.both('continue;' if was and self.r.random() < 0.2 else 'break;')
        self.in_loop = was
        self.both('}')

    def call(self):
        if not self.functions:
            return self.assign()
        name, result, params = self.r.choice(self.functions)
        args_g, args_c, used = [], [], set()
        for mode, t in params:
            options = [v for v in self.vars if v[2] is t and v[3] and v[0] not in used]
            if mode != 'in' and not options:
                value = self.expr(t, 1)
                self.declare(t, value)
                options = [self.vars[-1]]
            if mode == 'in':
                g, c = self.expr(t, 2)
            else:
                v = self.r.choice(options)
                used.add(v[0])
                g, c = v[0], '&' + v[1]
            args_g.append(g)
            args_c.append(c)
        v = self.name('v')
        self.g.append(f'{result.glsl} {v} = {name}({", ".join(args_g)});')
        self.c.append(f'{result.c} {v} = p{self.number}_{name}({", ".join(["x"] + args_c)});')
        self.vars.append((v, v, result, True))

    def function(self):
        globals_ = [v for v in self.vars if not v[3]]
        name = f'f{len(self.functions)}'
        result = self.any_type()
        params = [(self.r.choice(('in', 'in', 'inout')), self.any_type()) for _ in range(self.r.randint(1, 6))]
        outer = (self.g, self.c, self.vars)
        self.g, self.c, self.vars = [], [], list(globals_)
        heads = []
        for i, (mode, t) in enumerate(params):
            heads.append(f'{mode} {t.glsl} a{i}')
            self.vars.append((f'a{i}', f'a{i}' if mode == 'in' else f'(*a{i})', t, True))
        c_heads = ', '.join(['const struct invocation *x'] + [
            f'{t.c} {"*" if mode != "in" else ""}a{i}' for i, (mode, t) in enumerate(params)])
        self.in_function, self.result, self.loop_depth = True, result, 1
        self.block(4)
        g, c = self.expr(result, 3)
        self.in_function, self.loop_depth = False, 0
        text_g = [f'{result.glsl} {name}({", ".join(heads)}) {{'] + self.g + [f'return {g};', '}']
        text_c = [f'static {result.c} p{self.number}_{name}({c_heads}) {{'] + self.c + [f'return {c};', '}']
        self.g, self.c, self.vars = outer
        self.functions.append((name, result, params))
        return text_g, text_c

    def leaves(self, t, g, c):
        if t.kind == 'scalar':
            yield t.c, g, c
        elif t.kind == 'struct':
            for n, m in t.members:
                yield from self.leaves(m, f'{g}.{n}', f'{c}.{n}')
        else:
            for k in range(t.n):
                yield from self.leaves(t.elem, f'{g}[{k}]', f'{c}.e[{k}]')

    def hash(self, v, word):
        self.g.append('h = 0u;')
        self.c.append('h = 0;')
        for s, g, c in self.leaves(v[2], v[0], v[1]):
            if s in ('i64', 'u64', 'f64'):
                value = f'({g} == 0.0LF ? 0ul : doubleBitsToUint64({g}))' if s == 'f64' else f'uint64_t({g})'
                self.g.append(f'w = {value}; h = mixed(h, uint(w >> 32)); h = mixed(h, uint(w));')
            else:
                self.g.append(f'h = mixed(h, {HASH_GLSL[s].format(g)});')
            self.c.append(f'h = hash_{s}(h, {c});')
        self.g.append(f'results[invocation * {WORDS}u + {word}u] = h;')
        self.c.append(f'x->results[{word}] = h;')

    def write(self):
        r, n = self.r, self.number
        for _ in range(r.randint(0, 2)):
            self.make_struct(r.random() < 0.7)
        in_type, out_type = self.make_struct(True), self.make_struct(True)
        self.vars = [('inputs[invocation]', '(*x->input)', in_type, False),
                     ('inputs[7]', 'x->inputs[7]', in_type, False),
                     ('invocation', 'x->invocation', UINT, False), ('gl_WorkGroupID.x', 'x->group', UINT, False),
                     ('gl_LocalInvocationIndex', 'x->lane', UINT, False), ('CONSTANT', 'x->constant', INT, False)]
        given = [list(v) for v in self.vars]
        shared = self.any_type(1) if r.random() < 0.3 else None
        if shared and self.size * (layout(shared)[0] + 8) > 32768:
            shared = None
        text_g, text_c = [], []
        for _ in range(r.randint(0, 3)):
            g, c = self.function()
            text_g += g
            text_c += c
        self.g, self.c, self.vars = [], [], [tuple(v) for v in given]
        for _ in range(r.randint(2, 6)):
            t = self.any_type()
            self.declare(t, self.expr(t, 1))
        if shared:
            g, c = self.expr(shared, 1)
            self.g.append(f'shared_values[gl_LocalInvocationIndex] = {g};')
            self.c.append(f'{shared.c} mine = {c};')
            self.vars.append(('shared_values[gl_LocalInvocationIndex]', 'mine', shared, True))
        for _ in range(r.randint(3, 8)):
            self.statement(4)
        self.flow()
        self.g.append('uint h; uint64_t w;')
        self.c.append('u32 h;')
        written = [v for v in self.vars if v[3]][:WORDS]
        for word, v in enumerate(written):
            self.hash(v, word)
        g, c = self.expr(out_type, 2)
        self.g.append(f'outputs[invocation] = {g};')
        for _, _, path in self.leaves(out_type, '', ''):
            self.c.append(f'(*x->output){path} = {c}{path};')
        return self.finish(in_type, out_type, shared, text_g, text_c)

    def finish(self, in_type, out_type, shared, text_g, text_c):
        n = self.number
        addresses = self.now['addresses']
        glsl = [GLSL_HEAD, '#extension GL_EXT_buffer_reference : enable', f'layout(local_size_x = {self.size}) in;',
                'layout(constant_id = 0) const int CONSTANT = 3;']
        glsl += self.types_g
        place = ['buffer_reference' if addresses else f'set = 0, binding = {i}' for i in range(3)]
        glsl += [f'layout(scalar, {place[0]}) readonly buffer In {{ {in_type.glsl} inputs[]; }};',
                 f'layout(scalar, {place[1]}) writeonly buffer Results {{ uint results[]; }};',
                 f'layout(scalar, {place[2]}) writeonly buffer Out {{ {out_type.glsl} outputs[]; }};',
                 'uint invocation;']
        if addresses:
            glsl += ['layout(push_constant) uniform Push { In in_at; Results results_at; Out out_at; };',
                     '#define inputs in_at.inputs', '#define results results_at.results',
                     '#define outputs out_at.outputs']
        if shared:
            glsl.append(f'shared {shared.glsl.split("[")[0]} shared_values[{self.size}]'
                        + ('[' + shared.glsl.split('[', 1)[1] if '[' in shared.glsl else '') + ';')
        glsl += glsl_helpers() + sorted(self.helpers.values()) + text_g
        glsl += ['void main()', '{', 'invocation = gl_GlobalInvocationID.x;',
                 f'if (invocation >= {LANES}u) return;'] + self.g + ['}']
        c, text = list(self.types_c), []
        for line in text_c + [f'static void p{n}_run(const struct invocation *x) {{'] + self.c + ['}']:
            text.append(line.replace('(*x->input)', f'(((const {in_type.c} *)x->inputs)[x->invocation])')
                        .replace('x->inputs[7]', f'(((const {in_type.c} *)x->inputs)[7])')
                        .replace('(*x->output)', f'(({out_type.c} *)x->outputs)[x->invocation]'))
        fill = [f'static void p{n}_fill(void *to) {{ {in_type.c} *p = to;', f'for (int i = 0; i < {LANES}; i++) {{']
        for s, _, path in self.leaves(in_type, '', 'p[i]'):
            fill.append(f'{path} = ({s})' + ('((int)(next() % 1024) - 512) / 16.0f;' if s in FLOATS else
                                             '(next() & 1 ? next() % 16 : next());'))
        return '\n'.join(glsl) + '\n', '\n'.join(c + text + fill + ['} }']) + '\n', in_type.c, out_type.c


def module_words(options, glsl, number, form, folder):
    source, spv = os.path.join(folder, f'{number}.comp'), os.path.join(folder, f'{number}.spv')
    with open(source, 'w') as f:
        f.write(glsl)
    p = subprocess.run([options.glslang, '--quiet', '-V', '--target-env', 'vulkan1.1', '-o', spv, source],
                       capture_output=True, text=True)
    if p.returncode:
        sys.exit(f'{source}: {p.stdout}{p.stderr}\n{glsl}')
    if subprocess.run([options.spirv_val, '--scalar-block-layout', '--target-env', 'vulkan1.1', spv],
                      capture_output=True).returncode:
        return None  # glslang copies some structs between layouts wrongly
    if form:
        subprocess.run([options.spirv_opt, form, spv, '-o', spv], check=True)
    with open(spv, 'rb') as f:
        data = f.read()
    return struct.unpack(f'<{len(data) // 4}I', data)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('output')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--count', type=int, default=10)
    parser.add_argument('--single', type=int, default=0)
    parser.add_argument('--glslang', default='glslangValidator')
    parser.add_argument('--spirv-opt', default='spirv-opt')
    parser.add_argument('--spirv-val', default='spirv-val')
    parser.add_argument('--pairs', action='store_true', help='fail where two choices never met')
    parser.add_argument('--glsl', help='keep the shaders there')
    options = parser.parse_args()
    out, rows = [C_START, c_types()], []
    pairs = Pairs(Program.CHOICES)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.glsl or scratch
        os.makedirs(folder, exist_ok=True)
        for number in (*range(options.first, options.first + options.count),
                       *range(FIRST_SINGLE, FIRST_SINGLE + options.single)):
            if number == FIRST_SINGLE:
                forget_doubles()
            program = Program(options.seed, number)
            program.helpers = {}
            glsl, c, in_type, out_type = program.write()
            if len(glsl) > MAX_CHARACTERS:
                continue
            words = module_words(options, glsl, number, program.now['form'], folder)
            if not words:
                continue
            pairs.count(program.now)
            out.append(c)
            out.append(f'static const uint32_t p{number}_words[] = {{' + ','.join(map(hex, words)) + '};')
            rows.append(f'{{{number}, p{number}_words, sizeof(p{number}_words), sizeof({in_type}), '
                        f'sizeof({out_type}), {program.size}, {program.now["constant"]}, {program.now["lanes"]}, '
                        f'{int(number < FIRST_SINGLE)}, {int(program.now["addresses"])}, p{number}_fill, '
                        f'p{number}_run}},')
    out += ['const struct fuzz_program fuzz_programs[] = {'] + rows + ['};']
    out.append(f'const unsigned fuzz_count = {len(rows)};')
    if options.pairs and pairs.missing():
        sys.exit('\n'.join(pairs.missing()))
    with open(options.output, 'w') as f:
        f.write('\n'.join(out) + '\n')


if __name__ == '__main__':
    main()
