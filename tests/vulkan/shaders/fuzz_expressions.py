"""Random expressions of fuzz.py. Each is (GLSL text, C text): the C of its parts stands in temporaries before."""
from fuzz_types import BOOL, FLOATS, INTS, MATRICES, SCALARS, UINT, VECTORS, WEIGHTED, simple, width


class Expressions:
    def literal(self, t):
        r = self.r
        if t.kind != 'scalar':
            parts = [self.literal(t.elem if t.kind != 'struct' else m)
                     for m in (range(t.n) if t.kind != 'struct' else [m for _, m in t.members])] \
                if t.kind == 'struct' else [self.literal(t.elem) for _ in range(t.n)]
            g = f'{t.glsl}(' + ', '.join(p[0] for p in parts) + ')'
            inner = ', '.join(p[1] for p in parts)
            return g, f'({t.c}){{{inner}}}' if t.kind == 'struct' else f'({t.c}){{{{{inner}}}}}'
        s = t.c
        if s == 'b1':
            b = r.choice(('true', 'false'))
            return b, b
        if s in FLOATS:
            x = r.randint(-64, 64) / 8
            return f'{t.glsl}({x})', f'({s}){x}'
        bits = width(s)
        x = r.choice((0, 1, 2, 3, r.randrange(100), r.randrange(1 << (bits - 1)), (1 << (bits - 1)) - 1))
        negative = s[0] == 'i' and r.random() < 0.3
        suffix = {'i': 'l', 'u': 'ul'}[s[0]] if bits == 64 else 'u' if s[0] == 'u' else ''
        g = f'{t.glsl}({"-" if negative else ""}{x}{suffix})'
        return g, f'({s})({"-" if negative else ""}{x}{"ll" if s[0] == "i" else "ull"})'

    def index(self, n, depth=1):
        """A number below n: constant or not."""
        if n == 1:
            return '0', '0'
        if self.r.random() < 0.5:
            k = str(self.r.randrange(n))
            return k, k
        g, c = self.expr(UINT, depth)
        return f'({g} % {n}u)', f'({c} % {n}u)'

    def paths(self, want, writable):
        """All (variable, steps) that lead to the type; arrays are stepped into by any index."""
        found = []

        def walk(t, steps, depth):
            if t is want:
                found.append(tuple(steps))
            if t.kind == 'struct':
                for i, (_, m) in enumerate(t.members):
                    walk(m, steps + [i], depth + 1)
            elif t.kind != 'scalar':
                walk(t.elem, steps + ['i'], depth + 1)
        result = []
        for v in self.vars:
            if writable and not v[3]:
                continue
            found = []
            walk(v[2], [], 0)
            result += [(v, f) for f in found]
        return result

    def access(self, want, writable=False, depth=1):
        """A variable or a part of one that has the type, or None."""
        options = self.paths(want, writable)
        if not options:
            return None
        v, steps = self.r.choice(options)
        g, c, t = v[0], v[1], v[2]
        for step in steps:
            if step == 'i':
                ig, ic = self.index(t.n, depth - 1 if depth > 0 else 0)
                if t.kind == 'vector' and ig.isdigit() and self.r.random() < 0.8:
                    g += '.' + 'xyzw'[int(ig)]
                else:
                    g += f'[{ig}]'
                c += f'.e[{ic}]'
                t = t.elem
            else:
                n, t = t.members[step]
                g += '.' + n
                c += '.' + n
        return g, c

    def expr(self, t, depth):
        if depth <= 0 or self.r.random() < 0.15:
            got = self.access(t, depth=depth) if self.r.random() < 0.85 else None
            if got:
                return got[0], self.temp(t, got[1])
            if t.kind in ('array', 'struct', 'matrix'):
                return self.compose(t, 0)
            return self.leaf(t) if self.r.random() < 0.7 else self.literal(t)
        if self.r.random() < 0.1 and t.kind != 'array':
            cg, cc = self.expr(BOOL, depth - 1)
            ag, ac = self.expr(t, depth - 1)
            bg, bc = self.expr(t, depth - 1)
            return f'({cg} ? {ag} : {bg})', self.temp(t, f'{cc} ? {ac} : {bc}')
        if t.kind in ('array', 'struct'):
            return self.compose(t, depth)
        if t.kind == 'matrix':
            return self.matrix(t, depth)
        if t.kind == 'vector' and self.r.random() < 0.3:
            return self.vector(t, depth)
        if t.scalar == 'b1':
            return self.boolean(t, depth)
        return (self.floating if t.scalar in FLOATS else self.integer)(t, depth)

    def leaf(self, t):
        """From an integer that there is."""
        ag, ac = self.access(UINT, depth=0)
        if t.kind == 'vector':
            mul = '{{' + ', '.join(f'{ac} * {k + 3}u' for k in range(t.n)) + '}}'
            source = VECTORS['u32', t.n]
            ag = f'({ag} * {source.glsl}(' + ', '.join(f'{k + 3}u' for k in range(t.n)) + '))'
            ac = self.temp(source, mul)
        if t.scalar == 'b1':
            zero = f'{source.glsl}(0u)' if t.kind == 'vector' else '0u'
            four = f'{source.glsl}(4u)' if t.kind == 'vector' else '4u'
            g = f'notEqual({ag} & {four}, {zero})' if t.kind == 'vector' else f'(({ag} & 4u) != 0u)'
            return g, self.each(t, f'({ac}.e[{{k}}] & 4u) != 0')
        if t.scalar in FLOATS:
            mask = f'{source.glsl}(127)' if t.kind == 'vector' else '127u'
            return f'{t.glsl}({ag} & {mask})', self.each(t, f'({t.scalar})({ac}.e[{{k}}] & 127u)')
        return f'{t.glsl}({ag})', self.each(t, f'({t.scalar}){ac}.e[{{k}}]')

    def compose(self, t, depth):
        if self.r.random() < 0.5:
            got = self.access(t, depth=0)
            if got:
                return got[0], self.temp(t, got[1])
        parts = [self.expr(m, depth - 1) for m in
                 ([m for _, m in t.members] if t.kind == 'struct' else [t.elem] * t.n)]
        inner = ', '.join(p[1] for p in parts)
        return (f'{t.glsl}(' + ', '.join(p[0] for p in parts) + ')',
                self.temp(t, f'{{{inner}}}' if t.kind == 'struct' else f'{{{{{inner}}}}}'))

    def matrix(self, t, depth):
        s, rows = t.scalar, t.elem.n
        kind = self.r.randrange(6)
        if kind == 0:
            ag, ac = self.expr(MATRICES[s, rows, t.n], depth - 1)
            name = self.name()
            self.c.append(f'{t.c} {name}; for (int k = 0; k < {t.n}; k++) for (int l = 0; l < {rows}; l++) '
                          f'{name}.e[k].e[l] = {ac}.e[l].e[k];')
            return f'transpose({ag})', name
        if kind == 1:
            ag, ac = self.expr(VECTORS[s, rows], depth - 1)
            bg, bc = self.expr(VECTORS[s, t.n], depth - 1)
            name = self.name()
            self.c.append(f'{t.c} {name}; for (int k = 0; k < {t.n}; k++) for (int l = 0; l < {rows}; l++) '
                          f'{name}.e[k].e[l] = fix_{s}({ac}.e[l] * {bc}.e[k]);')
            columns = ', '.join(f'fix(m[{k}])' for k in range(t.n))
            helper = f'outer_{t.c}'
            self.helper(helper, f'{t.glsl} {helper}({VECTORS[s, rows].glsl} a, {VECTORS[s, t.n].glsl} b) '
                        f'{{ {t.glsl} m = outerProduct(a, b); return {t.glsl}({columns}); }}')
            return f'{helper}({ag}, {bg})', name
        return self.compose(t, depth)

    def helper(self, name, text):
        self.helpers.setdefault(name, text)

    helpers = {}

    def vector(self, t, depth):
        s, n = t.scalar, t.n
        kind = self.r.randrange(4)
        if kind == 0:  # swizzle
            m = self.r.choice((2, 3, 4))
            pick = [self.r.randrange(m) for _ in range(n)]
            ag, ac = self.expr(VECTORS[s, m], depth - 1)
            names = self.r.choice(('xyzw', 'rgba', 'stpq'))
            return (f'{ag}.' + ''.join(names[p] for p in pick),
                    self.temp(t, '{{' + ', '.join(f'{ac}.e[{p}]' for p in pick) + '}}'))
        if kind == 1:  # from a scalar
            ag, ac = self.expr(t.elem, depth - 1)
            return f'{t.glsl}({ag})', self.temp(t, '{{' + ', '.join([ac] * n) + '}}')
        parts, left = [], n
        values = []
        while left:
            m = self.r.randint(1, min(left, 3))
            if m == n:
                m = 1
            g, c = self.expr(simple(s, m), depth - 1)
            parts.append(g)
            values += [c] if m == 1 else [f'{c}.e[{k}]' for k in range(m)]
            left -= m
        return f'{t.glsl}(' + ', '.join(parts) + ')', self.temp(t, '{{' + ', '.join(values) + '}}')

    def boolean(self, t, depth):
        n = 1 if t.kind == 'scalar' else t.n
        kind = self.r.randrange(6)
        if kind < 3:
            s = self.r.choice([w for w in WEIGHTED if w not in ('b1', 'f16')])
            ag, ac = self.expr(simple(s, n), depth - 1)
            bg, bc = self.expr(simple(s, n), depth - 1)
            op, f = self.r.choice((('<', 'lessThan'), ('<=', 'lessThanEqual'), ('>', 'greaterThan'),
                                   ('>=', 'greaterThanEqual'), ('==', 'equal'), ('!=', 'notEqual')))
            c = self.each(t, f'{ac}.e[{{k}}] {op} {bc}.e[{{k}}]')
            return (f'({ag} {op} {bg})' if n == 1 else f'{f}({ag}, {bg})'), c
        ag, ac = self.expr(t, depth - 1)
        if kind == 3:
            return (f'!{ag}' if n == 1 else f'not({ag})'), self.each(t, f'!{ac}.e[{{k}}]')
        if n > 1:
            bg, bc = self.expr(t, depth - 1)
            return f'notEqual({ag}, {bg})', self.each(t, f'{ac}.e[{{k}}] != {bc}.e[{{k}}]')
        if kind == 4:
            m = self.r.choice((2, 3, 4))
            vg, vc = self.expr(VECTORS['b1', m], depth - 1)
            f, op = self.r.choice((('any', ' | '), ('all', ' & ')))
            return f'{f}({vg})', self.temp(BOOL, op.join(f'{vc}.e[{k}]' for k in range(m)))
        bg, bc = self.expr(t, depth - 1)
        op = self.r.choice(('&&', '||', '^^', '=='))
        return f'({ag} {op} {bg})', self.temp(BOOL, f'{ac} {"!=" if op == "^^" else op} {bc}')

    def convert(self, t, depth):
        """From another scalar type to an integer or float type."""
        s, n = t.scalar, 1 if t.kind == 'scalar' else t.n
        source = self.r.choice([x for x in SCALARS if x not in (s, 'f16')])
        if s in FLOATS and source in FLOATS:
            source = 'f32' if s != 'f32' else source
        from_type = simple(source, n)
        ag, ac = self.expr(from_type, depth - 1)
        if source in FLOATS and s in INTS:
            low, high = (-100, 100) if s[0] == 'i' else (0, 200)
            ag = f'clamp({ag}, {from_type.glsl}({low}), {from_type.glsl}({high}))'
            x = f'{ac}.e[{{k}}]'
            ac = self.each(from_type, f'{x} < {low} ? {low} : {x} > {high} ? {high} : {x}')
            return f'{t.glsl}({ag})', self.each(t, f'({s}){ac}.e[{{k}}]')
        if source in INTS and s in FLOATS:
            ag = f'({ag} & {from_type.glsl}(127))'
            return f'{t.glsl}({ag})', self.each(t, f'({s})({ac}.e[{{k}}] & 127)')
        if source in FLOATS:
            return f'fix({t.glsl}({ag}))', self.each(t, f'fix_{s}(({s}){ac}.e[{{k}}])')
        return f'{t.glsl}({ag})', self.each(t, f'({s}){ac}.e[{{k}}]')

    def floating(self, t, depth):
        s = t.scalar
        kind = self.r.randrange(12)
        if kind < 2:
            return self.convert(t, depth)
        ag, ac = self.expr(t, depth - 1)
        x = f'{ac}.e[{{k}}]'
        if kind == 2:
            return f'fix(-{ag})', self.each(t, f'fix_{s}(-{x})')
        if kind == 3:
            return f'abs({ag})', self.each(t, f'{x} < 0 ? -{x} : {x}')
        if kind == 4:
            f = self.r.choice(('floor', 'ceil', 'trunc'))
            return f'fix({f}({ag}))', self.each(t, f'fix_{s}(({s}){f}((double){x}))')
        if kind == 5:
            return f'fix(sign({ag}))', self.each(t, f'({s})({x} > 0 ? 1 : {x} < 0 ? -1 : 0)')
        bg, bc = self.expr(t, depth - 1)
        y = f'{bc}.e[{{k}}]'
        if kind == 6:
            return f'min({ag}, {bg})', self.each(t, f'{y} < {x} ? {y} : {x}')
        if kind == 7:
            return f'max({ag}, {bg})', self.each(t, f'{y} > {x} ? {y} : {x}')
        if kind == 8:
            b = simple('b1', 1 if t.kind == 'scalar' else t.n)
            cg, cc = self.expr(b, depth - 1)
            return f'mix({ag}, {bg}, {cg})', self.each(t, f'{cc}.e[{{k}}] ? {y} : {x}')
        f = self.r.choice(('fadd', 'fsub', 'fmul'))
        return f'{f}({ag}, {bg})', self.each(t, f'{f}_{s}({x}, {y})')

    def integer(self, t, depth):
        s = t.scalar
        bits = width(s)
        kind = self.r.randrange(18)
        if kind < 3:
            return self.convert(t, depth)
        ag, ac = self.expr(t, depth - 1)
        x = f'{ac}.e[{{k}}]'
        if kind == 3:
            op = self.r.choice('~-')
            return f'({op}{ag})', self.each(t, f'({s})({op}{x})')
        if kind == 4 and s == 'i32': # glslang folds others wrongly
            f = self.r.choice(('abs', 'sign'))
            c = f'({s})({x} < 0 ? -{x} : {x})' if f == 'abs' else f'({s})(({x} > 0) - ({x} < 0))'
            return f'{f}({ag})', self.each(t, c)
        if kind == 5 and bits == 32:
            return self.bits(t, ag, ac)
        bg, bc = self.expr(t, depth - 1)
        y = f'{bc}.e[{{k}}]'
        if kind in (6, 7):
            op = self.r.choice(('<<', '>>'))
            return f'({ag} {op} ({bg} & {t.glsl}({bits - 1})))', self.each(t, f'({s})({x} {op} ({y} & {bits - 1}))')
        if kind == 8:
            return (f'({ag} / (({bg} & {t.glsl}(15)) + {t.glsl}(1)))',
                    self.each(t, f'({s})({x} / (({s})({y} & 15) + 1))'))
        if kind == 9:
            high = (1 << (bits - 1)) - 1
            mask = f'{t.glsl}({high}{"l" if bits == 64 and s[0] == "i" else "ul" if bits == 64 else ""})'
            return (f'(({ag} & {mask}) % (({bg} & {t.glsl}(15)) + {t.glsl}(1)))',
                    self.each(t, f'({s})(({x} & {high}ll) % (({s})({y} & 15) + 1))'))
        if kind == 10:
            f, op = self.r.choice((('min', '<'), ('max', '>')))
            return f'{f}({ag}, {bg})', self.each(t, f'{y} {op} {x} ? {y} : {x}')
        if kind == 11:
            b = simple('b1', 1 if t.kind == 'scalar' else t.n)
            cg, cc = self.expr(b, depth - 1)
            if bits == 32:
                return f'mix({ag}, {bg}, {cg})', self.each(t, f'{cc}.e[{{k}}] ? {y} : {x}')
        op = self.r.choice('+-*+-*&|^')
        return f'({ag} {op} {bg})', self.each(t, f'({s})({x} {op} {y})')

    def bits(self, t, ag, ac):
        s, x = t.scalar, f'{ac}.e[{{k}}]'
        i = simple('i32', 1 if t.kind == 'scalar' else t.n)
        kind = self.r.randrange(5)
        if kind == 0:
            return f'{t.glsl}(bitCount({ag}))', self.each(t, f'({s})__builtin_popcount((u32){x})')
        if kind == 1:
            return f'{t.glsl}(findLSB({ag}))', self.each(t, f'({s})({x} ? __builtin_ctz((u32){x}) : -1)')
        if kind == 2:
            y = f'(u32){x}' if s == 'u32' else f'(u32)({x} < 0 ? ~{x} : {x})'
            return f'{t.glsl}(findMSB({ag}))', self.each(t, f'({s})({y} ? 31 - __builtin_clz({y}) : -1)')
        first, count = self.r.randrange(32), self.r.randint(0, 32)
        count = min(count, 32 - first)
        if kind == 3:
            c = self.each(t, f'extract_{s}({x}, {first}, {count})')
            return f'bitfieldExtract({ag}, {first}, {count})', c
        return f'bitfieldReverse({ag})', self.each(t, f'({s})reverse((u32){x})')
