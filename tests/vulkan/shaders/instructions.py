"""Writes compute shaders in assembly, of instructions GLSL does not write so: operands of several widths,
results in two halves, composites that are copied, phis that change places, selectors of every width, matrices of
every shape; and what they compute in C.

instructions.py OUTPUT --spirv-as PROGRAM --spirv-val PROGRAM --part integers|memory|flow|floats|doubles|groups

Invocation i reads four uint64 (a, b, c, d: c below 8, d random) and writes one uint64 a row. OUTPUT is C text: the
shader's words, names of rows, a function that computes them. If it ends in .spv it is only the module.
"""
import argparse

from instruction_floats import bitcast_back, doubles, floats
from instruction_groups import CAPABILITIES, groups
from instruction_shader import WIDTHS, Shader, index_of, part
from spv_words import add_options, assemble

HEAD = '''OpCapability Shader
OpCapability Int64
OpCapability Int16
OpCapability Int8
OpCapability Float16
OpExtension "SPV_KHR_storage_buffer_storage_class"
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id %local
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %local BuiltIn LocalInvocationIndex
OpDecorate %runtime ArrayStride 8
OpDecorate %array32 ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %words_block Block
OpMemberDecorate %words_block 0 Offset 0
OpMemberDecorate %words_block 1 Offset 12
OpDecorate %in DescriptorSet 0
OpDecorate %in Binding 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
OpDecorate %words DescriptorSet 0
OpDecorate %words Binding 2
'''


# ---- integers ----

EXTENDED = {'IAddCarry': ('a + b', 'CARRY({bits}, a, b)'), 'ISubBorrow': ('a - b', 'BORROW({bits}, a, b)'),
            'UMulExtended': ('a * b', 'UHIGH({bits}, a, b)'), 'SMulExtended': ('a * b', 'SHIGH({bits}, a, b)')}


def extended(s):
    for bits in WIDTHS:
        for count in (1, 2, 3):
            t = s.vec(f'%u{bits}', count)
            pair = s.struct(t, t)
            operands = []
            for names in ('abd', 'bda'):
                parts = [s.cut(f'%{x}', bits) for x in names[:count]]
                operands.append(parts[0] if count == 1 else s.e(f'OpCompositeConstruct {t} ' + ' '.join(parts)))
            for op, c in EXTENDED.items():
                result = s.e(f'Op{op} {pair} {operands[0]} {operands[1]}')
                for half in (0, 1):
                    for i in range(count):
                        value = part(s, result, f'%u{bits}', half, *([i] if count > 1 else []))
                        x, y = 'abd'[i], 'bda'[i]
                        text = c[half].format(bits=bits)
                        s.put_int(f'{op} {bits} x{count} [{half}][{i}]', value, bits,
                                  f'({{ const u64 A = {x}, B = {y}; {text.replace("a", "A").replace("b", "B")}; }})')


SHIFTS = {'ShiftLeftLogical': '(u{bits})a << n', 'ShiftRightLogical': '(u{bits})a >> n',
          'ShiftRightArithmetic': '(s{bits})a >> n'}


def shifts(s):
    """The count may be of any width and signedness."""
    for bits in WIDTHS:
        for other in WIDTHS:
            for signed in (0, 1):
                n = s.cut(s.e(f'OpBitwiseAnd %u64 %d {s.u(bits - 1, 64)}'), other)
                if signed:
                    n = s.e(f'OpBitcast %i{other} {n}')
                for op, c in SHIFTS.items():
                    s.put_int(f'{op} {bits} by {"i" if signed else "u"}{other}',
                              s.e(f'Op{op} %u{bits} {s.cut("%a", bits)} {n}'), bits,
                              f'({{ const u64 n = d & {bits - 1}; {c.format(bits=bits)}; }})')
        t, v = s.vec(f'%u{bits}', 2), s.vec('%i16', 2)
        base = s.e(f'OpCompositeConstruct {t} {s.cut("%a", bits)} {s.cut("%b", bits)}')
        n = s.e(f'OpUConvert %u16 %c')
        n = s.e(f'OpBitcast %i16 {n}')
        pair = s.e(f'OpCompositeConstruct {v} {n} {s.constant("%i16", 3)}')
        for op, c in SHIFTS.items():
            result = s.e(f'Op{op} {t} {base} {pair}')
            for i, (x, y) in enumerate((('a', 'c'), ('b', '3'))):
                s.put_int(f'{op} {bits} x2 by i16 [{i}]', part(s, result, f'%u{bits}', i), bits,
                          f'({{ const u64 n = {y}; {c.format(bits=bits).replace(")a", ")" + x)}; }})')


def bit_fields(s):
    for other in WIDTHS:
        for signed in (0, 1):
            t = s.int(other, signed)
            for offset, count in (('0', '0'), ('0', '32'), ('31', '1'), ('32', '0'), ('c', '25'), ('24 - c', 'c'),
                                  ('c', '0'), ('16', '16')):
                ids = []
                for text in (offset, count):
                    if 'c' in text:
                        value = '%c' if text == 'c' else s.e(f'OpISub %u64 {s.u(24, 64)} %c')
                        value = s.cut(value, other)
                        ids.append(s.e(f'OpBitcast {t} {value}') if signed else value)
                    else:
                        ids.append(s.constant(t, text))
                what = f'offset {offset} count {count} of {"i" if signed else "u"}{other}'
                a, b = s.cut('%a', 32), s.cut('%b', 32)
                for op, signed_base in (('BitFieldSExtract', 1), ('BitFieldUExtract', 0)):
                    base = s.e(f'OpBitcast %i32 {a}') if signed_base else a
                    value = s.e(f'Op{op} {s.int(32, signed_base)} {base} {ids[0]} {ids[1]}')
                    value = s.e(f'OpBitcast %u32 {value}') if signed_base else value
                    s.put_int(f'{op} {what}', value, 32, f'FIELD({signed_base}, a, {offset}, {count})')
                value = s.e(f'OpBitFieldInsert %u32 {a} {b} {ids[0]} {ids[1]}')
                s.put_int(f'BitFieldInsert {what}', value, 32, f'INSERT(a, b, {offset}, {count})')
    a = s.cut('%a', 32)
    signed = s.e(f'OpBitcast %i32 {a}')
    s.put_int('BitCount to i32', s.e(f'OpBitcast %u32 {s.e(f"OpBitCount %i32 {a}")}'), 32,
              '__builtin_popcount((u32)a)')
    s.put_int('BitReverse of i32', s.e(f'OpBitcast %u32 {s.e(f"OpBitReverse %i32 {signed}")}'), 32,
              'REVERSE((u32)a)')


def bitcasts(s):
    """Between vectors of as many bits: the low ones first."""
    for bits, count in ((8, 2), (8, 4), (16, 2), (16, 4), (32, 2), (32, 1), (64, 1), (16, 1)):
        total = bits * count
        for other in (8, 16, 32, 64):
            n = total // other
            if n * other != total or n > 4 or other == bits or n < 1:
                continue
            parts = [s.cut(s.e(f'OpShiftRightLogical %u64 %a {s.u(bits * i, 64)}') if i else '%a', bits)
                     for i in range(count)]
            t = s.vec(f'%u{bits}', count)
            value = parts[0] if count == 1 else s.e(f'OpCompositeConstruct {t} ' + ' '.join(parts))
            result = s.e(f'OpBitcast {s.vec(f"%u{other}", n)} {value}')
            for i in range(n):
                x = result if n == 1 else part(s, result, f'%u{other}', i)
                s.put_int(f'Bitcast {count} x {bits} to {n} x {other} [{i}]', x, other,
                          f'{"(u32)" if total == 32 else "(u16)" if total == 16 else ""}a >> {other * i}')


def conversions(s):
    """OpSConvert and OpUConvert look at the opcode, not at the types' signs."""
    for bits in WIDTHS:
        for to in WIDTHS:
            if to == bits:
                continue
            x = s.cut('%a', bits)
            for from_signed in (0, 1):
                source = s.e(f'OpBitcast %i{bits} {x}') if from_signed else x
                value = s.e(f'OpSConvert %u{to} {source}')
                s.put_int(f'SConvert {"iu"[not from_signed]}{bits} to u{to}', value, to, f'(s{bits})a')
                if not from_signed:
                    value = s.e(f'OpBitcast %u{to} {s.e(f"OpSConvert %i{to} {source}")}')
                    s.put_int(f'SConvert u{bits} to i{to}', value, to, f'(s{bits})a')
                value = s.e(f'OpUConvert %u{to} {source}')
                s.put_int(f'UConvert {"iu"[not from_signed]}{bits} to u{to}', value, to, f'(u{bits})a')


def integers(s):
    extended(s)
    shifts(s)
    bit_fields(s)
    bitcasts(s)
    bitcast_back(s)
    conversions(s)


# ---- memory and composites ----

def dynamic(s):
    for bits in WIDTHS:
        for signed in (0, 1):
            index = index_of(s, bits, signed, 1)
            what = f'by {"i" if signed else "u"}{bits}'
            for element in WIDTHS:
                for count in (2, 3, 4):
                    t = s.vec(f'%u{element}', count)
                    parts = [s.cut(f'%{x}', element) for x in 'abda'[:count]]
                    v = s.e(f'OpCompositeConstruct {t} ' + ' '.join(parts))
                    s.put_int(f'VectorExtractDynamic {element} x{count} {what}',
                              s.e(f'OpVectorExtractDynamic %u{element} {v} {index}'), element, 'c & 1 ? b : a')
                    if element == bits:
                        w = s.e(f'OpVectorInsertDynamic {t} {v} {s.cut("%d", element)} {index}')
                        for i in range(count):
                            s.put_int(f'VectorInsertDynamic {element} x{count} {what} [{i}]',
                                      part(s, w, f'%u{element}', i), element,
                                      f'(c & 1) == {i} ? d : {"abda"[i]}' if i < 2 else 'abda'[i])
    bools = [s.e(f'OpULessThan %bool %{x} %{y}') for x, y in ('ab', 'bd', 'da')]
    t = s.vec('%bool', 3)
    v = s.e(f'OpCompositeConstruct {t} ' + ' '.join(bools))
    index = index_of(s, 32, 0, 1)
    s.put_bool('VectorExtractDynamic of bools', s.e(f'OpVectorExtractDynamic %bool {v} {index}'),
               'c & 1 ? b < d : a < b')
    w = s.e(f'OpVectorInsertDynamic {t} {v} {bools[2]} {index}')
    s.put_bool('VectorInsertDynamic of bools', part(s, w, '%bool', 1), 'c & 1 ? d < a : b < d')


def chains(s):
    """Arrays of eight in every storage class, indices of every type."""
    for storage in ('Function', 'Private', 'Workgroup'):
        array = s.array('%u64', 8)
        outer = s.array(array, 64) if storage == 'Workgroup' else array
        variable = s.variable(storage, outer)
        pointer = s.pointer(storage, '%u64')
        lane = '%local_lane ' if storage == 'Workgroup' else ''
        for i in range(8):
            value = s.e(f'OpIAdd %u64 %a {s.u(i * 3, 64)}')
            s.do(f'OpStore {s.e(f"OpAccessChain {pointer} {variable} {lane}{s.u(i)}")} {value}')
        for bits in WIDTHS:
            for signed in (0, 1):
                for op in ('OpAccessChain', 'OpInBoundsAccessChain'):
                    index = index_of(s, bits, signed, 7)
                    value = s.e(f'OpLoad %u64 {s.e(f"{op} {pointer} {variable} {lane}{index}")}')
                    s.put(f'{op} {storage} by {"i" if signed else "u"}{bits}', value, 'a + 3 * c')
    # The second of a runtime array of words after three words.
    for bits in WIDTHS:
        index = s.e(f'OpUConvert %u{bits} %lane') if bits != 32 else '%lane'
        if bits == 8:
            continue
        place = s.e(f'OpInBoundsAccessChain %storage_u32 %words {s.u(1, bits) if bits == 32 else s.u(1)} {index}')
        s.do(f'OpStore {place} {s.cut("%b", 32)}')
        s.put_int(f'a runtime array by u{bits}', s.e(f'OpLoad %u32 {place}'), 32, 'b')
    s.put_int('ArrayLength after three words', s.e('OpArrayLength %u32 %words 1'), 32, 'WORDS - 3')
    s.put_int('ArrayLength', s.e('OpArrayLength %u32 %in 0'), 32, '4 * LANES')


def composite(s):
    """struct { u32 x; mat2 m; u64 y[3]; bool z; } and its value."""
    m = s.matrix('%f32', 2, 2)
    y = s.array('%u64', 3)
    t = s.struct('%u32', m, y, '%bool')
    f = s.e(f'OpConvertUToF %f32 {s.e("OpUConvert %u8 %a")}')
    column = s.e(f'OpCompositeConstruct {s.vec("%f32", 2)} {f} {s.constant("%f32", 2)}')
    matrix = s.e(f'OpCompositeConstruct {m} {column} {column}')
    array = s.e(f'OpCompositeConstruct {y} %a %b %d')
    less = s.e('OpULessThan %bool %a %b')
    return t, s.e(f'OpCompositeConstruct {t} {s.cut("%b", 32)} {matrix} {array} {less}')


def check_composite(s, what, value, a='a', b='b', d='d', less='a < b'):
    s.put_int(f'{what}: word', part(s, value, '%u32', 0), 32, b)
    s.put_float(f'{what}: matrix', part(s, value, '%f32', 1, 1, 0), 32, f'(u8){a}')
    for i, c in enumerate((a, b, d)):
        s.put(f'{what}: array [{i}]', part(s, value, '%u64', 2, i), c)
    s.put_bool(f'{what}: bool', part(s, value, '%bool', 3), less)


def copies(s):
    t, value = composite(s)
    check_composite(s, 'CompositeConstruct', value)
    check_composite(s, 'CopyObject', s.e(f'OpCopyObject {t} {value}'))
    variables = {storage: s.variable(storage, t) for storage in ('Function', 'Private')}
    group = s.variable('Workgroup', s.array(t, 64))
    variables['Workgroup'] = s.e(f'OpAccessChain {s.pointer("Workgroup", t)} {group} %local_lane')
    s.do(f'OpStore {variables["Function"]} {value}')
    for source, target in (('Function', 'Workgroup'), ('Workgroup', 'Private'), ('Private', 'Function')):
        s.do(f'OpCopyMemory {variables[target]} {variables[source]}')
        check_composite(s, f'CopyMemory {source} to {target}', s.e(f'OpLoad {t} {variables[target]}'))
    pointer = s.e(f'OpCopyObject {s.pointer("Private", t)} {variables["Private"]}')
    element = s.e(f'OpAccessChain {s.pointer("Private", "%u64")} {pointer} {s.u(2)} {index_of(s, 16, 1, 1)}')
    s.do(f'OpStore {element} %c')
    changed = s.e(f'OpLoad {t} {variables["Private"]}')
    s.put('a store through CopyObject [0]', part(s, changed, '%u64', 2, 0), 'c & 1 ? a : c')
    s.put('a store through CopyObject [1]', part(s, changed, '%u64', 2, 1), 'c & 1 ? c : b')
    null = s.define(f'OpConstantNull {t}')
    check_composite(s, 'ConstantNull', s.e(f'OpCopyObject {t} {null}'), '0', '0', '0', '0')
    for storage in ('Function', 'Private'):
        variable = s.variable(storage, t, null)
        check_composite(s, f'{storage} variable of ConstantNull', s.e(f'OpLoad {t} {variable}'), '0', '0', '0', '0')
        s.do(f'OpStore {variable} {value}')
    inserted = s.e(f'OpCompositeInsert {t} %d {value} 2 1')
    inserted = s.e(f'OpCompositeInsert {t} {s.constant("%f32", 7)} {inserted} 1 0 1')
    s.put('CompositeInsert, array', part(s, inserted, '%u64', 2, 1), 'd')
    s.put('CompositeInsert, beside', part(s, inserted, '%u64', 2, 2), 'd')
    s.put_float('CompositeInsert, matrix', part(s, inserted, '%f32', 1, 0, 1), 32, '7')
    s.put_float('CompositeInsert, beside in the matrix', part(s, inserted, '%f32', 1, 1, 1), 32, '2')
    undef = s.define(f'OpUndef {t}')
    filled = undef
    filled = s.e(f'OpCompositeInsert {t} {part(s, value, "%u32", 0)} {filled} 0')
    filled = s.e(f'OpCompositeInsert {t} {part(s, value, s.matrix("%f32", 2, 2), 1)} {filled} 1')
    filled = s.e(f'OpCompositeInsert {t} {part(s, value, s.array("%u64", 3), 2)} {filled} 2')
    filled = s.e(f'OpCompositeInsert {t} {part(s, value, "%bool", 3)} {filled} 3')
    check_composite(s, 'CompositeInsert into Undef', filled)


def shuffles(s):
    for bits in WIDTHS:
        v2, v3, v4 = (s.vec(f'%u{bits}', n) for n in (2, 3, 4))
        a, b, d = (s.cut(f'%{x}', bits) for x in 'abd')
        x = s.e(f'OpCompositeConstruct {v2} {a} {b}')
        y = s.e(f'OpCompositeConstruct {v3} {x} {d}')
        z = s.e(f'OpVectorShuffle {v4} {x} {y} 4 0 0xFFFFFFFF 1')
        for i, c in ((0, 'd'), (1, 'a'), (3, 'b')):
            s.put_int(f'VectorShuffle {bits} [{i}]', part(s, z, f'%u{bits}', i), bits, c)
        z = s.e(f'OpVectorShuffle {v2} {y} {s.define(f"OpUndef {v4}")} 2 1')
        for i, c in ((0, 'd'), (1, 'b')):
            s.put_int(f'VectorShuffle {bits} with Undef [{i}]', part(s, z, f'%u{bits}', i), bits, c)
        z = s.e(f'OpCompositeConstruct {v4} {a} {x} {d}')
        for i, c in enumerate('aabd'):
            s.put_int(f'CompositeConstruct {bits} of a vector [{i}]', part(s, z, f'%u{bits}', i), bits, c)


ATOMICS = {'IAdd': 'a + b', 'ISub': 'a - b', 'And': 'a & b', 'Or': 'a | b', 'Xor': 'a ^ b', 'Exchange': 'b',
           'UMin': '(u32)a < (u32)b ? a : b', 'UMax': '(u32)a > (u32)b ? a : b',
           'SMin': '(s32)a < (s32)b ? a : b', 'SMax': '(s32)a > (s32)b ? a : b'}


def atomics(s):
    scope, relaxed = s.u(1), s.u(0)
    a, b, d = (s.cut(f'%{x}', 32) for x in 'abd')
    group = s.variable('Workgroup', s.array('%u32', 64))
    places = {'Workgroup': s.e(f'OpAccessChain {s.pointer("Workgroup", "%u32")} {group} %local_lane'),
              'StorageBuffer': s.e(f'OpAccessChain %storage_u32 %words {s.u(1)} %lane')}
    for storage, place in places.items():
        def after(what, c):
            value = s.e(f'OpAtomicLoad %u32 {place} {scope} {relaxed}')
            s.put_int(f'{what} {storage}, after', value, 32, c)
        for op, c in ATOMICS.items():
            s.do(f'OpAtomicStore {place} {scope} {relaxed} {a}')
            s.put_int(f'Atomic{op} {storage}', s.e(f'OpAtomic{op} %u32 {place} {scope} {relaxed} {b}'), 32, 'a')
            after(f'Atomic{op}', c)
        for op, c in (('IIncrement', 'a + 1'), ('IDecrement', 'a - 1')):
            s.do(f'OpAtomicStore {place} {scope} {relaxed} {a}')
            s.put_int(f'Atomic{op} {storage}', s.e(f'OpAtomic{op} %u32 {place} {scope} {relaxed}'), 32, 'a')
            after(f'Atomic{op}', c)
        same = s.e(f'OpSelect %u32 {s.e(f"OpIEqual %bool %c {s.u(3, 64)}")} {a} {d}')
        s.do(f'OpAtomicStore {place} {scope} {relaxed} {a}')
        value = s.e(f'OpAtomicCompareExchange %u32 {place} {scope} {relaxed} {relaxed} {b} {same}')
        s.put_int(f'AtomicCompareExchange {storage}', value, 32, 'a')
        after('AtomicCompareExchange', 'c == 3 || (u32)d == (u32)a ? b : a')


def memory(s):
    dynamic(s)
    chains(s)
    copies(s)
    shuffles(s)
    atomics(s)


# ---- control flow ----

def switches(s):
    """0: falls into 1; 1: a value; 2 and 3: one target; -1 (all bits): falls into default."""
    for bits in WIDTHS:
        for signed in (0, 1):
            t = s.int(bits, signed)
            # The selector: c, or all bits if c is 7; for wide ones also the values with other high halves.
            value = s.e(f'OpSelect %u64 {s.e(f"OpIEqual %bool %c {s.u(7, 64)}")} {s.u(2**64 - 1, 64)} %c')
            if bits == 64:
                high = s.e(f'OpShiftLeftLogical %u64 %c {s.u(32, 64)}')
                value = s.e(f'OpSelect %u64 {s.e(f"OpIEqual %bool %c {s.u(6, 64)}")} {high} {value}')
            value = s.cut(value, bits)
            value = s.e(f'OpBitcast {t} {value}') if signed else value
            all_bits = '-1' if signed else str(2**bits - 1)
            labels = {x: s.name() for x in ('zero', 'one', 'two', 'last', 'default', 'merge')}
            extra = f' {6 << 32} {labels["two"]}' if bits == 64 else ''
            before = s.block
            s.do(f'OpSelectionMerge {labels["merge"]} None',
                 f'OpSwitch {value} {labels["default"]} 0 {labels["zero"]} 1 {labels["one"]} 2 {labels["two"]} '
                 f'3 {labels["two"]} {all_bits} {labels["last"]}{extra}')
            s.label(labels['zero'])
            x = s.e('OpIAdd %u64 %a %b')
            s.do(f'OpBranch {labels["one"]}')
            s.label(labels['one'])
            p = s.e(f'OpPhi %u64 %d {before} {x} {labels["zero"]}')
            one = s.e(f'OpIMul %u64 {p} {s.u(3, 64)}')
            s.do(f'OpBranch {labels["merge"]}')
            s.label(labels['two'])
            two = s.e('OpBitwiseXor %u64 %a %b')
            s.do(f'OpBranch {labels["merge"]}')
            s.label(labels['last'])
            last = s.e('OpNot %u64 %a')
            s.do(f'OpBranch {labels["default"]}')
            s.label(labels['default'])
            p = s.e(f'OpPhi %u64 {last} {labels["last"]} %b {before}')
            default = s.e(f'OpIAdd %u64 {p} {s.u(5, 64)}')
            s.do(f'OpBranch {labels["merge"]}')
            s.label(labels['merge'])
            result = s.e(f'OpPhi %u64 {default} {labels["default"]} {one} {labels["one"]} {two} {labels["two"]}')
            six = 'c == 6 ? a ^ b : ' if bits == 64 else ''
            s.put(f'Switch on {"i" if signed else "u"}{bits}', result,
                  f'c == 0 ? (a + b) * 3 : c == 1 ? d * 3 : c == 2 || c == 3 ? a ^ b : {six}(c == 7 ? ~a : b) + 5')


def only_default(s):
    default, merge = s.name(), s.name()
    before = s.block
    s.do(f'OpSelectionMerge {merge} None', f'OpSwitch {s.cut("%c", 32)} {default}')
    s.label(default)
    x = s.e('OpIAdd %u64 %a %d')
    s.do(f'OpBranch {merge}')
    s.label(merge)
    s.put('Switch with a default alone', s.e(f'OpPhi %u64 {x} {default}'), 'a + d')
    # The cases lead after it, default is unreachable.
    one, default, merge = s.name(), s.name(), s.name()
    before = s.block
    bit = s.e(f'OpBitwiseAnd %u32 {s.cut("%c", 32)} {s.u(1)}')
    s.do(f'OpSelectionMerge {merge} None', f'OpSwitch {bit} {default} 0 {merge} 1 {one}')
    s.label(one)
    s.do(f'OpBranch {merge}')
    s.label(default)
    s.do('OpUnreachable')
    s.label(merge)
    s.put('Switch with Unreachable', s.e(f'OpPhi %u64 %a {before} %b {one}'), 'c & 1 ? b : a')


def loops(s):
    """Phis that change places, of numbers, vectors, structs, matrices and booleans."""
    v = s.vec('%u64', 2)
    t, value = composite(s)
    other = s.e(f'OpCompositeInsert {t} %d {value} 2 0')
    pair = s.e(f'OpCompositeConstruct {v} %a %b')
    riap = s.e(f'OpCompositeConstruct {v} %d %a')
    less = s.e('OpULessThan %bool %a %b')
    more = s.e('OpLogicalNot %bool ' + less)
    header, test, body, cont, merge = (s.name() for _ in range(5))
    names = {x: s.name() for x in ('i', 'x', 'y', 'z', 'v', 'w', 's', 't', 'p', 'q', 'next')}
    before = s.block
    s.do(f'OpBranch {header}')
    s.label(header)
    for name, type_, first, then in (('i', '%u64', s.u(0, 64), 'next'), ('x', '%u64', '%a', 'y'),
                                     ('y', '%u64', '%b', 'z'), ('z', '%u64', '%d', 'x'), ('v', v, pair, 'w'),
                                     ('w', v, riap, 'v'), ('s', t, value, 't'), ('t', t, other, 's'),
                                     ('p', '%bool', less, 'q'), ('q', '%bool', more, 'p')):
        s.do(f'{names[name]} = OpPhi {type_} {first} {before} {names[then]} {cont}')
    s.do(f'OpLoopMerge {merge} {cont} None', f'OpBranch {test}')
    s.label(test)
    s.do(f'OpBranchConditional {s.e("OpULessThan %bool " + names["i"] + " %c")} {body} {merge}')
    s.label(body)
    s.do(f'OpBranch {cont}')
    s.label(cont)
    s.do(f'{names["next"]} = OpIAdd %u64 {names["i"]} {s.u(1, 64)}', f'OpBranch {header}')
    s.label(merge)
    for i, name in enumerate('xyz'):
        s.put(f'Phis in a ring [{i}]', names[name],
              f'(const u64[]){{a, b, d}}[(c + {i}) % 3]')
    s.put('Phis of vectors', part(s, names['v'], '%u64', 1), 'c & 1 ? a : b')
    s.put('Phis of vectors, other', part(s, names['w'], '%u64', 0), 'c & 1 ? a : d')
    s.put('Phis of structs', part(s, names['s'], '%u64', 2, 0), 'c & 1 ? d : a')
    s.put('Phis of structs, other', part(s, names['t'], '%u64', 2, 0), 'c & 1 ? a : d')
    s.put_float('Phis of structs, matrix', part(s, names['t'], '%f32', 1, 1, 0), 32, '(u8)a')
    s.put_bool('Phis of booleans', names['p'], '(a < b) ^ (c & 1)')


def selects(s):
    for bits in WIDTHS:
        v, b = s.vec(f'%u{bits}', 3), s.vec('%bool', 3)
        conditions = [s.e(f'OpULessThan %bool %{x} %{y}') for x, y in ('ab', 'bd', 'da')]
        which = s.e(f'OpCompositeConstruct {b} ' + ' '.join(conditions))
        x, y = (s.e(f'OpCompositeConstruct {v} ' + ' '.join(s.cut(f'%{n}', bits) for n in names))
                for names in ('abd', 'dab'))
        z = s.e(f'OpSelect {v} {which} {x} {y}')
        for i, (c, p, q) in enumerate((('a < b', 'a', 'd'), ('b < d', 'b', 'a'), ('d < a', 'd', 'b'))):
            s.put_int(f'Select {bits} x3 [{i}]', part(s, z, f'%u{bits}', i), bits, f'{c} ? {p} : {q}')
    for op, c in (('LogicalAnd', '&&'), ('LogicalOr', '||'), ('LogicalEqual', '=='), ('LogicalNotEqual', '!=')):
        x, y = (s.e(f'OpULessThan {s.vec("%bool", 2)} {left} {right}') for left, right in pairs(s))
        z = s.e(f'Op{op} {s.vec("%bool", 2)} {x} {y}')
        s.put_bool(f'{op} x2 [0]', part(s, z, '%bool', 0), f'(a < b) {c} (d < a)')
        s.put_bool(f'{op} x2 [1]', part(s, z, '%bool', 1), f'(b < d) {c} (a < b)')


def pairs(s):
    v = s.vec('%u64', 2)
    ab, bd, da = (s.e(f'OpCompositeConstruct {v} %{x} %{y}') for x, y in ('ab', 'bd', 'da'))
    return (ab, bd), (da, ab)


def calls(s):
    """Composites and pointers as arguments, a composite as the result, returns from within a loop."""
    t, value = composite(s)
    pointer = s.pointer('Function', '%u64')
    type_ = s.define(f'OpTypeFunction {t} {t} {pointer} %u64')
    f, x, p, n, first, yes, no = (s.name() for _ in range(7))
    lines = [f'{f} = OpFunction {t} None {type_}', f'{x} = OpFunctionParameter {t}',
             f'{p} = OpFunctionParameter {pointer}', f'{n} = OpFunctionParameter %u64', f'{first} = OpLabel']
    old, new, odd, changed = (s.name() for _ in range(4))
    lines += [f'{old} = OpLoad %u64 {p}', f'{new} = OpIAdd %u64 {old} {n}', f'OpStore {p} {new}',
              f'{odd} = OpULessThan %bool {n} {s.u(4, 64)}', f'OpSelectionMerge {no} None',
              f'OpBranchConditional {odd} {yes} {no}', f'{yes} = OpLabel',
              f'{changed} = OpCompositeInsert {t} {old} {x} 2 2', f'OpReturnValue {changed}', f'{no} = OpLabel',
              f'OpReturnValue {x}', 'OpFunctionEnd']
    s.functions += lines
    variable = s.variable('Function', '%u64')
    s.do(f'OpStore {variable} %b')
    result = s.e(f'OpFunctionCall {t} {f} {value} {variable} %c')
    s.put('FunctionCall, result', part(s, result, '%u64', 2, 2), 'c < 4 ? b : d')
    s.put('FunctionCall, pointer', s.e(f'OpLoad %u64 {variable}'), 'b + c')
    result = s.e(f'OpFunctionCall {t} {f} {result} {variable} %d')
    s.put('FunctionCall again, pointer', s.e(f'OpLoad %u64 {variable}'), 'b + c + d')
    s.put_float('FunctionCall again, matrix', part(s, result, '%f32', 1, 0, 1), 32, '2')


def flow(s):
    switches(s)
    only_default(s)
    loops(s)
    selects(s)
    calls(s)


PARTS = {'integers': integers, 'memory': memory, 'flow': flow, 'floats': floats, 'doubles': doubles, 'groups': groups}


def declare(s):
    s.types += ['%void = OpTypeVoid', '%void_function = OpTypeFunction %void', '%bool = OpTypeBool']
    for bits in WIDTHS:
        s.types += [f'%u{bits} = OpTypeInt {bits} 0', f'%i{bits} = OpTypeInt {bits} 1']
    s.types += [f'%f{bits} = OpTypeFloat {bits}' for bits in s.known_floats]
    s.types += ['%runtime = OpTypeRuntimeArray %u64', '%block = OpTypeStruct %runtime',
                '%array32 = OpTypeRuntimeArray %u32', '%words_block = OpTypeStruct %u32 %array32',
                '%storage = OpTypePointer StorageBuffer %block',
                '%storage_words = OpTypePointer StorageBuffer %words_block',
                '%storage_u64 = OpTypePointer StorageBuffer %u64', '%storage_u32 = OpTypePointer StorageBuffer %u32',
                '%in = OpVariable %storage StorageBuffer', '%out = OpVariable %storage StorageBuffer',
                '%words = OpVariable %storage_words StorageBuffer', '%u32v3 = OpTypeVector %u32 3',
                '%input_u32v3 = OpTypePointer Input %u32v3', '%input_u32 = OpTypePointer Input %u32',
                '%id = OpVariable %input_u32v3 Input', '%local = OpVariable %input_u32 Input',
                '%lanes = OpConstant %u32 1024']
    s.known['OpTypeVector %u32 3'] = '%u32v3'
    ids = s.e('OpLoad %u32v3 %id')
    s.do(f'%lane = OpCompositeExtract %u32 {ids} 0', '%local_lane = OpLoad %u32 %local')
    first = s.e(f'OpIMul %u32 %lane {s.u(4)}')
    for i, name in enumerate('abcd'):
        at = s.e(f'OpIAdd %u32 {first} {s.u(i)}')
        place = s.e(f'OpAccessChain %storage_u64 %in {s.u(0)} {at}')
        s.do(f'%{name} = OpLoad %u64 {place}')


def build(which):
    s = Shader((64,) if which == 'doubles' else (16, 32))
    declare(s)
    PARTS[which](s)
    head = {'groups': CAPABILITIES, 'doubles': 'OpCapability Float64\n'}.get(which, '') + HEAD
    lines = s.decorations + s.types + ['%main = OpFunction %void None %void_function', '%first = OpLabel']
    lines += s.variables + s.body + ['OpReturn', 'OpFunctionEnd'] + s.functions
    return s, head + '\n'.join(lines) + '\n'


def table(rows, name):
    """Names of the rows, and what they are in C."""
    lines = [f'static const char *const names_{name}[] = {{'] + [f'   "{row}",' for row, _ in rows]
    lines += ['};', 'static void', f'expect_{name}(u64 a, u64 b, u64 c, u64 d, u64 *rows)', '{']
    return '\n'.join(lines + [f'   rows[{i}] = {c};' for i, (_, c) in enumerate(rows)] + ['}'])


def main():
    parser = argparse.ArgumentParser()
    add_options(parser)
    parser.add_argument('--part', required=True, choices=sorted(PARTS))
    options = parser.parse_args()
    s, text = build(options.part)
    assemble(options, text, options.part, table(s.rows, options.part))


if __name__ == '__main__':
    main()
