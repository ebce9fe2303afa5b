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
    for bits in s.floats:
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


def bitcast_back(s):
    """Through floats: no bit may change, not even of a NaN."""
    for bits in s.floats:
        x = s.e(f'OpBitcast %f{bits} {s.cut("%a", bits)}')
        y = s.e(f'OpSelect %f{bits} {s.e(f"OpIEqual %bool %c {s.u(9, 64)}")} {s.constant(f"%f{bits}", 1)} {x}')
        s.put_int(f'Bitcast f{bits} and back', s.e(f'OpBitcast %u{bits} {y}'), bits, 'a')


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
    for bits in s.floats:
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
    for bits in s.floats:
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
    for bits in s.floats:
        x = small(s, bits, 'a', 1)[0]
        for other in WIDTHS:
            for signed in (0, 1):
                t = s.int(other, signed)
                n = s.cut('%c', other)
                n = s.e(f'OpBitcast {t} {n}') if signed else n
                if signed:
                    n = s.e(f'OpISub {t} {n} {s.constant(t, 3)}')
                c = f'ldexp((double)(a & 7), (int)c{" - 3" if signed else ""})'
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


# Vectors whose lengths are whole, for even and for odd c.
LENGTHS = {1: (((-3,), 3), ((7,), 7)), 2: (((3, -4), 5), ((5, 12), 13)), 3: (((1, 2, -2), 3), ((2, 3, 6), 7)),
           4: (((1, -1, 1, 1), 2), ((2, 4, 5, -6), 9))}


def put_whole(s, name, value, bits, c):
    """A float that is nearly a whole number."""
    whole = s.e(f'OpExtInst %f{bits} %glsl RoundEven {value}')
    s.put(name, s.e(f'OpConvertFToS %u64 {whole}'), f'(u64)(s64)({c})')


def either(s, bits, values, odd):
    """A vector of constants, chosen by c."""
    f, t = f'%f{bits}', s.vec(f'%f{bits}', len(values[0]))
    ids = []
    for v in values:
        parts = [s.constant(f, x) for x in v]
        ids.append(parts[0] if len(v) == 1 else s.e(f'OpCompositeConstruct {t} ' + ' '.join(parts)))
    if len(values[0]) > 1:
        odd = s.e(f'OpCompositeConstruct {s.vec("%bool", len(values[0]))} ' + ' '.join([odd] * len(values[0])))
    return s.e(f'OpSelect {t} {odd} {ids[1]} {ids[0]}')


def geometry(s):
    """Scalars and vectors of every size; lengths and products are whole."""
    odd = s.e(f'OpIEqual %bool {s.e(f"OpBitwiseAnd %u64 %c {s.u(1, 64)}")} {s.u(1, 64)}')
    for bits in s.floats:
        f = f'%f{bits}'
        for n, ((v0, l0), (v1, l1)) in LENGTHS.items():
            t, what = s.vec(f, n), f'f{bits} x{n}'
            v = either(s, bits, (v0, v1), odd)
            base = either(s, bits, ((1,) * n, (-2,) * n), odd)
            parts = [lambda x, i=i: x if n == 1 else part(s, x, f, i) for i in range(n)]
            put_whole(s, f'Length {what}', s.e(f'OpExtInst {f} %glsl Length {v}'), bits, f'c & 1 ? {l1} : {l0}')
            other = s.e(f'OpFAdd {t} {base} {v}')
            put_whole(s, f'Distance {what}', s.e(f'OpExtInst {f} %glsl Distance {base} {other}'), bits,
                      f'c & 1 ? {l1} : {l0}')
            unit = s.e(f'OpExtInst {t} %glsl Normalize {v}')
            length = s.e(f'OpSelect {f} {odd} {s.constant(f, l1)} {s.constant(f, l0)}')
            axis = either(s, bits, ((0,) * (n - 1) + (1,), (1,) + (0,) * (n - 1)), odd)
            reflected = s.e(f'OpExtInst {t} %glsl Reflect {v} {axis}')
            forward = s.e(f'OpExtInst {t} %glsl FaceForward {v} {base} {axis}')
            # Along the axis a ray continues as it was, with an eta of 1.
            refracted = s.e(f'OpExtInst {t} %glsl Refract {s.e(f"OpFNegate {t} {axis}")} {axis} '
                            f'{s.constant(f, 1) if bits != 64 else s.constant("%f32", 1)}')
            for i in range(n):
                scaled = s.e(f'OpFMul {f} {parts[i](unit)} {length}')
                put_whole(s, f'Normalize {what} [{i}]', scaled, bits, f'c & 1 ? {v1[i]} : {v0[i]}')
                put_whole(s, f'Reflect {what} [{i}]', parts[i](reflected), bits,
                          f'c & 1 ? {-v1[i] if i == 0 else v1[i]} : {-v0[i] if i == n - 1 else v0[i]}')
                # dot(axis, base) is 1 for even c, and v turns round; -2 for odd c.
                put_whole(s, f'FaceForward {what} [{i}]', parts[i](forward), bits, f'c & 1 ? {v1[i]} : {-v0[i]}')
                put_whole(s, f'Refract {what} [{i}]', parts[i](refracted), bits,
                          f'c & 1 ? {-1 if i == 0 else 0} : {-1 if i == n - 1 else 0}')
        a, b = (s.e(f'OpCompositeConstruct {s.vec(f, 3)} ' + ' '.join(small(s, bits, name, 3))) for name in 'ab')
        crossed = s.e(f'OpExtInst {s.vec(f, 3)} %glsl Cross {a} {b}')
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            put_whole(s, f'Cross f{bits} [{i}]', part(s, crossed, f, i), bits,
                      f'(s64)(digit(a, {j}) * digit(b, {k})) - (s64)(digit(a, {k}) * digit(b, {j}))')


def packs(s):
    """Packing of infinities and of what lies outside; bits that pass unchanged."""
    f = '%f32'
    x = special(s, 32)
    y = s.e(f'OpFNegate {f} {x}')
    v2, v4 = s.vec(f, 2), s.vec(f, 4)
    pair = s.e(f'OpCompositeConstruct {v2} {x} {y}')
    four = s.e(f'OpCompositeConstruct {v4} {x} {y} {s.constant(f, 2)} {s.constant(f, -2)}')
    halves = s.e(f'OpExtInst %u32 %glsl PackHalf2x16 {pair}')
    c = 'bits(&(f16){(f16)SPECIAL(c)}, 2) | bits(&(f16){-(f16)SPECIAL(c)}, 2) << 16'
    s.put_int('PackHalf2x16', halves, 32, c)
    back = s.e(f'OpExtInst {v2} %glsl UnpackHalf2x16 {halves}')
    s.put_float('UnpackHalf2x16 [0]', part(s, back, f, 0), 32, '(f32)SPECIAL(c)')
    s.put_float('UnpackHalf2x16 [1]', part(s, back, f, 1), 32, '-(f32)SPECIAL(c)')
    for op, operand, width, low, scale in (('PackUnorm4x8', four, 8, 0, 255), ('PackSnorm4x8', four, 8, -1, 127),
                                           ('PackUnorm2x16', pair, 16, 0, 65535),
                                           ('PackSnorm2x16', pair, 16, -1, 32767)):
        terms = ['SPECIAL(c)', '-SPECIAL(c)', '2.0', '-2.0'][:32 // width]
        c = ' | '.join(f'(u64)NORM({x}, {low}, {scale}, {width}) << {i * width}' for i, x in enumerate(terms))
        s.put_int(op, s.e(f'OpExtInst %u32 %glsl {op} {operand}'), 32, c)
    lowest = s.e(f'OpExtInst {v4} %glsl UnpackSnorm4x8 {s.u(0x7f008081)}')
    for i, c in enumerate((-1, -1, 0, 1)):
        s.put_float(f'UnpackSnorm4x8 of limits [{i}]', part(s, lowest, f, i), 32, str(c))
    lowest = s.e(f'OpExtInst {v2} %glsl UnpackSnorm2x16 {s.u(0x7fff8000)}')
    for i, c in enumerate((-1, 1)):
        s.put_float(f'UnpackSnorm2x16 of limits [{i}]', part(s, lowest, f, i), 32, str(c))
    # A zero, like all that is smaller than normal halves, becomes either zero.
    half = s.e(f'OpQuantizeToF16 {f} {x}')
    magnitude = s.e(f'OpShiftLeftLogical %u32 {s.e(f"OpBitcast %u32 {half}")} {s.u(1)}')
    s.put_int('QuantizeToF16', magnitude, 32, 'bits(&(f32){(f32)SPECIAL(c)}, 4) << 1')
    s.put_bool('sign of QuantizeToF16', s.e(f'OpFOrdLessThan %bool {half} {s.constant(f, 0)}'), 'SPECIAL(c) < 0')
    number = s.e(f'OpConvertUToF {f} %c')
    large = s.e(f'OpFMul {f} {number} {s.constant(f, -70000)}')
    s.put_bool('QuantizeToF16 of too large ones', s.e(f'OpIsInf %bool {s.e(f"OpQuantizeToF16 {f} {large}")}'), 'c')
    tiny = s.e(f'OpFMul {f} {number} {s.constant(f, 1e-6)}')
    tiny = s.e(f'OpBitcast %u32 {s.e(f"OpQuantizeToF16 {f} {tiny}")}')
    s.put_int('QuantizeToF16 of too small ones', s.e(f'OpBitwiseAnd %u32 {tiny} {s.u(0x7fffffff)}'), 32, '0')


def double_packs(s):
    words = s.e(f'OpBitcast {s.vec("%u32", 2)} %a')
    double = s.e(f'OpExtInst %f64 %glsl PackDouble2x32 {words}')
    s.put('PackDouble2x32', s.e(f'OpBitcast %u64 {double}'), 'a')
    words = s.e(f'OpExtInst {s.vec("%u32", 2)} %glsl UnpackDouble2x32 {s.e("OpBitcast %f64 %b")}')
    s.put('UnpackDouble2x32', s.e(f'OpBitcast %u64 {words}'), 'b')


def denormals(s):
    """Each result is that of the denormal c * smallest, or that of a zero (Vulkan leaves the choice)."""
    for bits in s.floats:
        f, top = f'%f{bits}', s.u(1 << (bits - 1), bits)
        rest = s.u((1 << (bits - 1)) - 1, bits)
        number = s.cut('%c', bits)
        x = s.e(f'OpBitcast {f} {number}')
        negative = s.e(f'OpBitwiseOr %u{bits} {number} {top}')
        double = s.e(f'OpShiftLeftLogical %u{bits} {number} {s.u(1)}')
        zero, one, two = (s.constant(f, n) for n in (0, 1, 2))
        for what, text, want in (
                ('x + 0', f'OpFAdd {f} {x} {zero}', number), ('x * 1', f'OpFMul {f} {x} {one}', number),
                ('x * 2', f'OpFMul {f} {x} {two}', double), ('x + x', f'OpFAdd {f} {x} {x}', double),
                ('2x / 2', f'OpFDiv {f} {s.e(f"OpBitcast {f} {double}")} {two}', number),
                ('-x', f'OpFNegate {f} {x}', negative), ('0 - x', f'OpFSub {f} {zero} {x}', negative),
                ('FMin', f'OpExtInst {f} %glsl FMin {x} {one}', number),
                ('FMax', f'OpExtInst {f} %glsl FMax {x} {s.constant(f, -1)}', number),
                ('NMax', f'OpExtInst {f} %glsl NMax {x} {s.constant(f, -1)}', number),
                ('FClamp', f'OpExtInst {f} %glsl FClamp {x} {s.constant(f, -1)} {one}', number),
                ('Fma', f'OpExtInst {f} %glsl Fma {x} {one} {zero}', number),
                ('FAbs', f'OpExtInst {f} %glsl FAbs {s.e(f"OpBitcast {f} {negative}")}', number),
                ('Fract', f'OpExtInst {f} %glsl Fract {x}', number),
                ('Trunc', f'OpExtInst {f} %glsl Trunc {x}', s.u(0, bits)),
                ('Ceil', f'OpExtInst {f} %glsl Ceil {x}', s.e(f'OpBitcast %u{bits} {one}'))):
            got = s.e(f'OpBitcast %u{bits} {s.e(text)}')
            is_zero = s.e(f'OpIEqual %bool {s.e(f"OpBitwiseAnd %u{bits} {got} {rest}")} {s.u(0, bits)}')
            right = s.e(f'OpLogicalOr %bool {s.e(f"OpIEqual %bool {got} {want}")} {is_zero}')
            s.put_bool(f'{what} of a denormal f{bits}', right, '1')


def wider_denormals(s):
    """As numbers of 64 bits."""
    for bits in (16, 32):
        x = s.e(f'OpFConvert %f64 {s.e(f"OpBitcast %f{bits} " + s.cut("%c", bits))}')
        got = s.e(f'OpConvertFToU %u32 {s.e(f"OpFMul %f64 {x} {scale(s, bits)}")}')
        same = s.e(f'OpIEqual %bool {got} {s.cut("%c", 32)}')
        right = s.e(f'OpLogicalOr %bool {same} {s.e(f"OpIEqual %bool {got} {s.u(0)}")}')
        s.put_bool(f'FConvert of a denormal f{bits} to f64', right, '1')


def scale(s, bits):
    """One divided by the smallest denormal, in 64 bits."""
    return s.constant('%f64', 2.0 ** (24 if bits == 16 else 149))


def special(s, bits):
    """+-0, +-0.25, +-0.75 or +-inf: SPECIAL(c)."""
    f = f'%f{bits}'
    infinity = {16: 0x7c00, 32: 0x7f800000, 64: 0x7ff0000000000000}[bits]
    magnitude = s.constant(f, 0)
    inf = s.e(f'OpBitcast {f} {s.u(infinity, bits)}')
    for i, value in enumerate((s.constant(f, '0.25'), s.constant(f, '0.75'), inf)):
        which = s.e(f'OpIEqual %bool {s.e(f"OpShiftRightLogical %u64 %c {s.u(1, 64)}")} {s.u(i + 1, 64)}')
        magnitude = s.e(f'OpSelect {f} {which} {value} {magnitude}')
    odd = s.e(f'OpIEqual %bool {s.e(f"OpBitwiseAnd %u64 %c {s.u(1, 64)}")} {s.u(1, 64)}')
    as_bits = s.e(f'OpBitcast %u{bits} {magnitude}')
    negative = s.e(f'OpBitwiseOr %u{bits} {as_bits} {s.u(1 << (bits - 1), bits)}')
    return s.e(f'OpBitcast {f} {s.e(f"OpSelect %u{bits} {odd} {negative} {as_bits}")}')


def signs(s):
    """Signs of zeros and what infinities become; for numbers that are +-0, +-0.25, +-0.75, +-inf."""
    for bits in s.floats:
        f = f'%f{bits}'
        x = special(s, bits)
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
    for bits in s.known_floats:
        x = special(s, bits)
        for to in s.known_floats:
            if to != bits and (to in s.floats or bits in s.floats):
                value = s.e(f'OpFConvert %f{to} {x}')
                s.put_float(f'FConvert of a special f{bits} to f{to}', value, to, f'(f{to})SPECIAL(c)')


def all_numbers(s):
    for rows in (matrices, comparisons, contraction, exponents, signs, geometry, denormals):
        rows(s)


def floats(s):
    all_numbers(s)
    relaxed(s)
    packs(s)


def doubles(s):
    """What needs 64-bit floats."""
    all_numbers(s)
    bitcast_back(s)
    double_packs(s)
    wider_denormals(s)
