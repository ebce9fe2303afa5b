"""Rows of floats for instructions.py: matrices of every shape, comparisons, rounding, special numbers."""
from instruction_shader import WIDTHS, index_of, part


def small(s, bits, name, count, shift=0):
    """Floats that are small integers: three bits each of a number."""
    out = []
    for i in range(count):
        x = s.e(f'OpShiftRightLogical %u64 %{name} {s.u(3 * i + shift, 64)}')
        x = s.e(f'OpBitwiseAnd %u64 {x} {s.u(7, 64)}')
        out.append(s.e(f'OpConvertUToF %f{bits} {x}'))
    return out


def put_sum(s, name, values, bits, c):
    """All of a composite's numbers in one row: sum of (i + 1) * value, in integers."""
    total = s.u(0, 64)
    for i, value in enumerate(values):
        x = s.e(f'OpConvertFToS %u64 {value}')
        total = s.e(f'OpIAdd %u64 {total} {s.e(f"OpIMul %u64 {x} {s.u(i + 1, 64)}")}')
    s.put(name, total, c)


def matrix_of(s, bits, name, columns, rows):
    values = small(s, bits, name, columns * rows)
    vectors = [s.e(f'OpCompositeConstruct {s.vec(f"%f{bits}", rows)} ' +
                   ' '.join(values[i * rows:(i + 1) * rows])) for i in range(columns)]
    return s.e(f'OpCompositeConstruct {s.matrix(f"%f{bits}", columns, rows)} ' + ' '.join(vectors))


def elements(s, bits, m, columns, rows):
    return [part(s, m, f'%f{bits}', i, j) for i in range(columns) for j in range(rows)]


def matrices(s):
    for bits in (16, 32, 64):
        f = f'%f{bits}'
        for n in (2, 3, 4):
            x, y = (s.e(f'OpCompositeConstruct {s.vec(f, n)} ' + ' '.join(small(s, bits, name, n))) for name in 'ab')
            put_sum(s, f'Dot f{bits} x{n}', [s.e(f'OpDot {f} {x} {y}')], bits, f'PRODUCT(a, b, 1, 1, {n})')
            z = s.e(f'OpVectorTimesScalar {s.vec(f, n)} {x} {small(s, bits, "b", 1)[0]}')
            put_sum(s, f'VectorTimesScalar f{bits} x{n}', [part(s, z, f, i) for i in range(n)], bits,
                    f'PRODUCT(a, b, 1, {n}, 1)')
        for c in (2, 3, 4):
            for r in (2, 3, 4):
                m = matrix_of(s, bits, 'a', c, r)
                what = f'f{bits} {c}x{r}'
                t = s.e(f'OpTranspose {s.matrix(f, r, c)} {m}')
                put_sum(s, f'Transpose {what}', elements(s, bits, t, r, c), bits, f'TRANSPOSE(a, {c}, {r})')
                z = s.e(f'OpMatrixTimesScalar {s.matrix(f, c, r)} {m} {small(s, bits, "b", 1)[0]}')
                put_sum(s, f'MatrixTimesScalar {what}', elements(s, bits, z, c, r), bits,
                        f'PRODUCT(a, b, 1, {c * r}, 1)')
                v = s.e(f'OpCompositeConstruct {s.vec(f, c)} ' + ' '.join(small(s, bits, 'b', c)))
                z = s.e(f'OpMatrixTimesVector {s.vec(f, r)} {m} {v}')
                put_sum(s, f'MatrixTimesVector {what}', [part(s, z, f, i) for i in range(r)], bits,
                        f'PRODUCT(a, b, 1, {r}, {c})')
                v = s.e(f'OpCompositeConstruct {s.vec(f, r)} ' + ' '.join(small(s, bits, 'b', r)))
                z = s.e(f'OpVectorTimesMatrix {s.vec(f, c)} {v} {m}')
                put_sum(s, f'VectorTimesMatrix {what}', [part(s, z, f, i) for i in range(c)], bits,
                        f'PRODUCT(b, a, {c}, 1, {r})')
                x = s.e(f'OpCompositeConstruct {s.vec(f, r)} ' + ' '.join(small(s, bits, 'a', r)))
                y = s.e(f'OpCompositeConstruct {s.vec(f, c)} ' + ' '.join(small(s, bits, 'b', c)))
                z = s.e(f'OpOuterProduct {s.matrix(f, c, r)} {x} {y}')
                put_sum(s, f'OuterProduct {what}', elements(s, bits, z, c, r), bits, f'PRODUCT(a, b, {c}, {r}, 1)')
                for k in (2, 3, 4):
                    other = matrix_of(s, bits, 'b', k, c)
                    z = s.e(f'OpMatrixTimesMatrix {s.matrix(f, k, r)} {m} {other}')
                    put_sum(s, f'MatrixTimesMatrix {what} by {k}x{c}', elements(s, bits, z, k, r), bits,
                            f'PRODUCT(a, b, {k}, {r}, {c})')


COMPARE = {'Equal': '==', 'NotEqual': '!=', 'LessThan': '<', 'GreaterThan': '>', 'LessThanEqual': '<=',
           'GreaterThanEqual': '>='}


def floats_of(s, bits):
    """Numbers with remarkable ones among them, but no denormals: zeros instead. C knows them as X(bits, a)."""
    mantissa = {16: 10, 32: 23, 64: 52}[bits]
    exponent, out = s.u((1 << (bits - 1)) - (1 << mantissa), bits), []
    for n in 'ab':
        x = s.cut(f'%{n}', bits)
        is_zero = s.e(f'OpIEqual %bool {s.e(f"OpBitwiseAnd %u{bits} {x} {exponent}")} {s.u(0, bits)}')
        zero = s.e(f'OpBitwiseAnd %u{bits} {x} {s.u(1 << (bits - 1), bits)}')
        out.append(s.e(f'OpBitcast %f{bits} {s.e(f"OpSelect %u{bits} {is_zero} {zero} {x}")}'))
    return out


def comparisons(s):
    for bits in (16, 32, 64):
        x, y = floats_of(s, bits)
        for op, c in COMPARE.items():
            for order in ('Ord', 'Unord'):
                c_text = f'X({bits}, a) {c} X({bits}, b)'
                nan = f'(isnan((double)X({bits}, a)) || isnan((double)X({bits}, b)))'
                both = f'!{nan} && {c_text}' if order == 'Ord' else f'{nan} || {c_text}'
                s.put_bool(f'F{order}{op} f{bits}', s.e(f'OpF{order}{op} %bool {x} {y}'), both)
                v = s.vec(f'%f{bits}', 2)
                left, right = s.e(f'OpCompositeConstruct {v} {x} {y}'), s.e(f'OpCompositeConstruct {v} {y} {y}')
                z = s.e(f'OpF{order}{op} {s.vec("%bool", 2)} {left} {right}')
                s.put_bool(f'F{order}{op} f{bits} x2', part(s, z, '%bool', 0), both)
        s.put_bool(f'IsNan f{bits}', s.e(f'OpIsNan %bool {x}'), f'isnan((double)X({bits}, a))')
        s.put_bool(f'IsInf f{bits}', s.e(f'OpIsInf %bool {x}'), f'isinf((double)X({bits}, a))')


def contraction(s):
    """NoContraction: rounded twice, in C too."""
    for bits in (16, 32, 64):
        x, y, z = (s.e(f'OpFDiv %f{bits} {small(s, bits, n, 1, 3)[0]} {s.constant(f"%f{bits}", 4)}') for n in 'abd')
        tiny = s.constant(f'%f{bits}', {16: '1.001', 32: '1.0000002', 64: '1.0000000000000003'}[bits])
        x, y = s.e(f'OpFAdd %f{bits} {x} {tiny}'), s.e(f'OpFAdd %f{bits} {y} {tiny}')
        product = s.e(f'OpFMul %f{bits} {x} {y}')
        minus = s.e(f'OpFSub %f{bits} {product} {z}')
        plus = s.e(f'OpFAdd %f{bits} {product} {z}')
        s.decorations += [f'OpDecorate {n} NoContraction' for n in (product, minus, plus)]
        c = {n: f'((f{bits})((({n} >> 3) & 7) / (f{bits})4))' for n in 'abd'}
        t = {16: '(f16)1.001', 32: '1.0000002f', 64: '1.0000000000000003'}[bits]
        text = f'(f{bits})((f{bits})((f{bits})({c["a"]} + {t}) * (f{bits})({c["b"]} + {t})) {{}} {c["d"]})'
        s.put_float(f'NoContraction f{bits}, FAdd', plus, bits, text.format('+'))
        s.put_float(f'NoContraction f{bits}, FSub', minus, bits, text.format('-'))


def relaxed(s):
    """RelaxedPrecision: 16 bits are enough for these, so the result is known."""
    x, y = (small(s, 32, n, 1)[0] for n in 'ab')
    i, j = (s.cut(s.e(f'OpBitwiseAnd %u64 %{n} {s.u(255, 64)}'), 32) for n in 'ab')
    for op, c in (('FAdd', '+'), ('FSub', '-'), ('FMul', '*')):
        z = s.e(f'Op{op} %f32 {x} {y}')
        s.decorations.append(f'OpDecorate {z} RelaxedPrecision')
        s.put_float(f'RelaxedPrecision {op}', z, 32, f'(f32)(a & 7) {c} (f32)(b & 7)')
    for op, c in (('IAdd', '+'), ('BitwiseXor', '^'), ('IMul', '*')):
        z = s.e(f'Op{op} %u32 {i} {j}')
        s.decorations.append(f'OpDecorate {z} RelaxedPrecision')
        s.put(f'RelaxedPrecision {op}', s.e(f'OpUConvert %u64 {s.e(f"OpBitwiseAnd %u32 {z} {s.u(65535)}")}'),
              f'((a & 255) {c} (b & 255)) & 65535')


def exponents(s):
    """Ldexp by integers of every width; Frexp and Modf through pointers into composites."""
    for bits in (16, 32, 64):
        x = small(s, bits, 'a', 1)[0]
        for other in WIDTHS:
            for signed in (0, 1):
                t = s.int(other, signed)
                n = s.cut('%c', other)
                n = s.e(f'OpBitcast {t} {n}') if signed else n
                if signed:
                    n = s.e(f'OpISub {t} {n} {s.constant(t, 3)}')
                c = f'ldexp((double)(a & 7), (int)c{" - 3" if signed else ""})'
                if other == 32:
                    s.put_float(f'Ldexp f{bits} by {t[1:]}', s.e(f'OpExtInst %f{bits} %glsl Ldexp {x} {n}'), bits,
                                f'(f{bits}){c}')
        quarter = s.e(f'OpFDiv %f{bits} {x} {s.constant(f"%f{bits}", 4)}')
        array = s.variable('Function', s.array(s.vec(f'%f{bits}', 2), 2))
        place = s.e(f'OpAccessChain {s.pointer("Function", f"%f{bits}")} {array} {index_of(s, 32, 0, 1)} {s.u(1)}')
        value = s.e(f'OpExtInst %f{bits} %glsl Modf {quarter} {place}')
        s.put_float(f'Modf f{bits}', value, bits, '(double)((a & 7) % 4) / 4')
        s.put_float(f'Modf f{bits}, whole', s.e(f'OpLoad %f{bits} {place}'), bits, '(a & 7) / 4')
        group = s.variable('Workgroup', s.array('%i32', 64))
        place = s.e(f'OpAccessChain {s.pointer("Workgroup", "%i32")} {group} %local_lane')
        value = s.e(f'OpExtInst %f{bits} %glsl Frexp {x} {place}')
        s.put_float(f'Frexp f{bits}', value, bits, '({ int n; frexp((double)(a & 7), &n); })')
        power = s.e(f'OpBitcast %u32 {s.e(f"OpLoad %i32 {place}")}')
        s.put_int(f'Frexp f{bits}, power', power, 32, '({ int n; frexp((double)(a & 7), &n); n; })')


SIGNS = {'FNegate': '-X', 'FAbs': 'fabs(X)', 'Trunc': 'trunc(X)', 'Floor': 'floor(X)', 'Ceil': 'ceil(X)',
         'RoundEven': 'nearbyint(X)', 'Sqrt': 'sqrt(X)'}


def signs(s):
    """Signs of zeros and what infinities become; for numbers that are +-0, +-0.25, +-0.75, +-inf."""
    for bits in (16, 32, 64):
        f = f'%f{bits}'
        infinity = {16: '0x7c00', 32: '0x7f800000', 64: '0x7ff0000000000000'}[bits]
        magnitude = s.constant(f, 0)
        inf = s.e(f'OpBitcast {f} {s.u(int(infinity, 16), bits)}')
        for i, value in enumerate((s.constant(f, '0.25'), s.constant(f, '0.75'), inf)):
            which = s.e(f'OpIEqual %bool {s.e(f"OpShiftRightLogical %u64 %c {s.u(1, 64)}")} {s.u(i + 1, 64)}')
            magnitude = s.e(f'OpSelect {f} {which} {value} {magnitude}')
        odd = s.e(f'OpIEqual %bool {s.e(f"OpBitwiseAnd %u64 %c {s.u(1, 64)}")} {s.u(1, 64)}')
        as_bits = s.e(f'OpBitcast %u{bits} {magnitude}')
        negative = s.e(f'OpBitwiseOr %u{bits} {as_bits} {s.u(1 << (bits - 1), bits)}')
        x = s.e(f'OpBitcast {f} {s.e(f"OpSelect %u{bits} {odd} {negative} {as_bits}")}')
        for op, c in SIGNS.items():
            value = s.e(f'OpFNegate {f} {x}' if op == 'FNegate' else f'OpExtInst {f} %glsl {op} {x}')
            if op == 'Sqrt':  # of no negative number but -0
                value = s.e(f'OpSelect {f} {s.e(f"OpFOrdLessThan %bool {x} {s.constant(f, 0)}")} {x} {value}')
                c = '(X < 0 ? X : sqrt(X))'
            s.put_float(f'{op} of a special f{bits}', value, bits, f'(f{bits}){c.replace("X", "SPECIAL(c)")}')
        for name, op, c in (('x + -0', f'OpFAdd {f} {x} {s.constant(f, "-0.0")}', 'SPECIAL(c) + -0.0'),
                            ('x * -1', f'OpFMul {f} {x} {s.constant(f, "-1")}', 'SPECIAL(c) * -1'),
                            ('-0 - x', f'OpFSub {f} {s.constant(f, "-0.0")} {x}', '-0.0 - SPECIAL(c)'),
                            ('x / -2', f'OpFDiv {f} {x} {s.constant(f, "-2")}', 'SPECIAL(c) / -2')):
            s.put_float(f'{name} f{bits}', s.e(op), bits, f'(f{bits})({c})')
        for to in (16, 32, 64):
            if to != bits:
                value = s.e(f'OpFConvert %f{to} {x}')
                s.put_float(f'FConvert of a special f{bits} to f{to}', value, to, f'(f{to})SPECIAL(c)')


def floats(s):
    matrices(s)
    comparisons(s)
    contraction(s)
    relaxed(s)
    exponents(s)
    signs(s)
