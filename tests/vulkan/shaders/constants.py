"""Writes a compute shader with every OpSpecConstantOp that Vulkan allows, and what it computes in C.

constants.py OUTPUT --spirv-as PROGRAM [--doubles]

OUTPUT is C text: the shader's words, the sizes, kinds and defaults of its specialization constants (slots of 8 bytes
in the order of their ids), the names of its results, and a function that computes these. The shader writes one uint64
a row. If OUTPUT ends in .spv it is only the module. What needs 64-bit floats is in a shader of its own (--doubles).
"""
import argparse
import os
import struct
import subprocess
import sys
import tempfile

WIDTHS = (8, 16, 32, 64)
HEAD = '''OpCapability Shader
OpCapability Int64
OpCapability Int16
OpCapability Int8
OpCapability Float16
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %array ArrayStride 8
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
'''
# Operation: (C of the operands a and b; sa and sb with signs, their choice). Choices: any (a, b; b is neither 0 nor
# -1), positive (signs of remainders are not defined in Vulkan), shift (b is below the width).
BINARY = {'IAdd': ('a + b', 'any'), 'ISub': ('a - b', 'any'), 'IMul': ('a * b', 'any'), 'UDiv': ('a / b', 'any'),
          'SDiv': ('(u64)(sa / sb)', 'any'), 'UMod': ('a % b', 'any'), 'SRem': ('a % b', 'positive'),
          'SMod': ('a % b', 'positive'), 'ShiftRightLogical': ('a >> b', 'shift'),
          'ShiftRightArithmetic': ('(u64)(sa >> b)', 'shift'), 'ShiftLeftLogical': ('a << b', 'shift'),
          'BitwiseOr': ('a | b', 'any'), 'BitwiseXor': ('a ^ b', 'any'), 'BitwiseAnd': ('a & b', 'any')}
COMPARE = {'IEqual': 'a == b', 'INotEqual': 'a != b', 'ULessThan': 'a < b', 'SLessThan': 'sa < sb',
           'UGreaterThan': 'a > b', 'SGreaterThan': 'sa > sb', 'ULessThanEqual': 'a <= b',
           'SLessThanEqual': 'sa <= sb', 'UGreaterThanEqual': 'a >= b', 'SGreaterThanEqual': 'sa >= sb'}
UNARY = {'SNegate': '-a', 'Not': '~a'}
LOGICAL = {'LogicalOr': 'a || b', 'LogicalAnd': 'a && b', 'LogicalEqual': 'a == b', 'LogicalNotEqual': 'a != b'}
OPERANDS = {'any': ('a', 'b'), 'positive': ('p', 'q'), 'shift': ('a', 't')}


class Shader:
    def __init__(self):
        self.types, self.body, self.decorations = [], [], []
        self.slots, self.rows = [], []  # (C type, size, default), (name, C)
        self.names = 0

    def name(self):
        self.names += 1
        return f'%n{self.names}'

    def constant(self, name, type_, c, size_B, default, kind):
        self.decorations.append(f'OpDecorate %{name} SpecId {len(self.slots)}')
        word = {'true': 'OpSpecConstantTrue', 'false': 'OpSpecConstantFalse'}.get(default)
        self.types.append(f'%{name} = {word} %bool' if word else f'%{name} = OpSpecConstant {type_} {default}')
        number = {'true': 1, 'false': 0}.get(default, default)
        self.slots.append((name, c, size_B, number, kind))

    def define(self, text):
        name = self.name()
        self.types.append(f'{name} = {text}')
        return name

    def operation(self, type_, op, *operands):
        return self.define(f'OpSpecConstantOp {type_} {op} ' + ' '.join(operands))

    def result(self, name, value, type_, c):
        """Writes a constant of one component to the next row; type_: bool, or the letter and bits of a number."""
        wide = self.name()
        if type_ == 'bool':
            self.body.append(f'{wide} = OpSelect %u64 {value} %one %zero')
        elif type_[0] == 'f':
            bits = self.name()
            self.body.append(f'{bits} = OpBitcast %u{type_[1:]} {value}')
            if type_ == 'f64':
                wide = bits
            else:
                self.body.append(f'{wide} = OpUConvert %u64 {bits}')
        elif type_ == 'u64':
            wide = value
        else:
            self.body.append(f'{wide} = OpUConvert %u64 {value}')
        row = self.define(f'OpConstant %u32 {len(self.rows)}')
        place = self.name()
        self.body += [f'{place} = OpAccessChain %pointer %out %index {row}', f'OpStore {place} {wide}']
        self.rows.append((name, c))

    def extracted(self, name, value, type_, index, c):
        part = self.name()
        self.body.append(f'{part} = OpCompositeExtract %{type_} {value} {index}')
        self.result(f'{name}[{index}]', part, type_, c)


def c_of(expression, bits, a, b):
    """The expression over a and b, names of constants of that many bits."""
    return f'OF({bits}, {a}{bits}, {b}{bits}, {expression})'


def integers(s, bits):
    t, v = f'%u{bits}', f'%u{bits}v2'
    top = 1 << (bits - 1)
    for name, default, kind in (('a', top + 5, 'ANY'), ('b', 6, 'DIVISOR'), ('p', top - 3, 'POSITIVE'),
                                ('q', 7, 'POSITIVE_DIVISOR'), ('t', bits // 2 - 1, 'SHIFT')):
        s.constant(f'{name}{bits}', t, f'u{bits}', bits // 8, default, kind)
    pair = {k: s.define(f'OpSpecConstantComposite {v} %{x}{bits} %{y}{bits}')
            for k, (x, y) in {'a': 'ap', 'b': 'bq', 'p': 'pq', 'q': 'qq', 't': 'tt'}.items()}
    second = {'a': 'p', 'b': 'q', 'p': 'q', 'q': 'q', 't': 't'}
    for op, (c, choice) in BINARY.items():
        a, b = OPERANDS[choice]
        s.result(f'{op} {bits}', s.operation(t, op, f'%{a}{bits}', f'%{b}{bits}'), f'u{bits}', c_of(c, bits, a, b))
        vector = s.operation(v, op, pair[a], pair[b])
        for i, (x, y) in enumerate(((a, b), (second[a], second[b]))):
            s.extracted(f'{op} {bits} vector', vector, f'u{bits}', i, c_of(c, bits, x, y))
    for op, c in UNARY.items():
        s.result(f'{op} {bits}', s.operation(t, op, f'%a{bits}'), f'u{bits}', c_of(c, bits, 'a', 'b'))
        s.extracted(f'{op} {bits} vector', s.operation(v, op, pair['b']), f'u{bits}', 1, c_of(c, bits, 'q', 'b'))
    for op, c in COMPARE.items():
        for x, y in ('ab', 'ba', 'aa'):
            s.result(f'{op} {bits}', s.operation('%bool', op, f'%{x}{bits}', f'%{y}{bits}'), 'bool',
                     f'({c_of(c, bits, x, y)}) & 1')
        s.extracted(f'{op} {bits} vector', s.operation('%boolv2', op, pair['a'], pair['b']), 'bool', 1,
                    f'({c_of(c, bits, "p", "q")}) & 1')
    for x in 'yes', 'no':
        s.result(f'Select {bits}', s.operation(t, 'Select', f'%{x}', f'%a{bits}', f'%b{bits}'), f'u{bits}',
                 f'{x} ? a{bits} : b{bits}')
    vector = s.operation(v, 'Select', '%yes_no', pair['a'], pair['b'])
    s.extracted(f'Select {bits} vector', vector, f'u{bits}', 0, f'yes ? a{bits} : b{bits}')
    s.extracted(f'Select {bits} vector', vector, f'u{bits}', 1, f'no ? p{bits} : q{bits}')
    shuffled = s.operation(f'%u{bits}v3', 'VectorShuffle', pair['a'], pair['b'], '3 0 2')
    for i, x in enumerate('qab'):
        s.extracted(f'VectorShuffle {bits}', shuffled, f'u{bits}', i, f'{x}{bits}')
    s.result(f'CompositeExtract {bits}', s.operation(t, 'CompositeExtract', shuffled, '2'), f'u{bits}', f'b{bits}')
    inserted = s.operation(v, 'CompositeInsert', f'%q{bits}', pair['a'], '0')
    for i, x in enumerate('qp'):
        s.extracted(f'CompositeInsert {bits}', inserted, f'u{bits}', i, f'{x}{bits}')
    for to in WIDTHS:  # UConvert is not allowed before SPIR-V 1.4
        if to != bits:
            s.result(f'SConvert {bits} to {to}', s.operation(f'%u{to}', 'SConvert', f'%a{bits}'), f'u{to}',
                     f'(u{to})(s{bits})a{bits}')


def logic(s):
    for op, c in LOGICAL.items():
        for x, y in (('yes', 'no'), ('no', 'yes'), ('yes', 'yes'), ('no', 'no')):
            s.result(op, s.operation('%bool', op, f'%{x}', f'%{y}'), 'bool',
                     f'OF(32, {x}, {y}, {c})')
    for x in 'yes', 'no':
        s.result('LogicalNot', s.operation('%bool', 'LogicalNot', f'%{x}'), 'bool', f'!{x}')


def floats(s, doubles):
    """Of 16 and 32 bits; doubles: what has 64 bits, which others are converted from and to."""
    defaults = {16: '1.5', 32: '2.5'} | ({64: '-3.25'} if doubles else {})
    for bits, default in defaults.items():
        s.constant(f'x{bits}', f'%f{bits}', f'f{bits}', bits // 8, default, 'FLOAT')
        s.result(f'OpSpecConstant f{bits}', f'%x{bits}', f'f{bits}', f'bits(&x{bits}, {bits // 8})')
    for a in defaults:
        for b in defaults:
            if a != b and doubles == (64 in (a, b)):
                s.result(f'FConvert {a} to {b}', s.operation(f'%f{b}', 'FConvert', f'%x{a}'), f'f{b}',
                         f'bits(&(f{b}){{(f{b})x{a}}}, {b // 8})')
    if doubles:
        s.result('Select f64', s.operation('%f64', 'Select', '%no', '%x64', '%f64_one'), 'f64',
                 'bits(&(f64){no ? x64 : 1.0}, 8)')
    else:
        s.result('QuantizeToF16', s.operation('%f32', 'QuantizeToF16', '%x32'), 'f32',
                 'bits(&(f32){(f32)(f16)x32}, 4)')


def composites(s):
    """A struct of an array, a matrix and a bool, through all of which OpCompositeExtract and OpCompositeInsert go."""
    array = s.define('OpSpecConstantComposite %three %a32 %b32 %p32')
    column = s.define('OpSpecConstantComposite %f32v2 %x32 %f32_one')
    matrix = s.define(f'OpSpecConstantComposite %mat2 {column} {column}')
    whole = s.define(f'OpSpecConstantComposite %struct {array} {matrix} %yes')
    s.result('CompositeExtract of an array', s.operation('%u32', 'CompositeExtract', whole, '0 2'), 'u32', 'p32')
    s.result('CompositeExtract of a matrix', s.operation('%f32', 'CompositeExtract', whole, '1 1 0'), 'f32',
             'bits(&x32, 4)')
    s.result('CompositeExtract of a bool', s.operation('%bool', 'CompositeExtract', whole, '2'), 'bool', 'yes')
    changed = s.operation('%struct', 'CompositeInsert', '%q32', whole, '0 1')
    for i, x in enumerate(('a32', 'q32', 'p32')):
        s.extracted('CompositeInsert into an array', changed, 'u32', f'0 {i}', x)
    s.types.append('%sized = OpTypeArray %u32 %length')
    s.types.append('%private = OpTypePointer Private %sized')
    s.types.append('%private_u32 = OpTypePointer Private %u32')
    s.types.append('%values = OpVariable %private Private')
    last = s.operation('%u32', 'ISub', '%length', '%u32_one')
    place, value = s.name(), s.name()
    s.body += [f'{place} = OpAccessChain %private_u32 %values {last}', f'OpStore {place} {last}',
               f'{value} = OpLoad %u32 {place}']
    s.result('the last of an array of that length', value, 'u32', 'length - 1')


def declare(s, doubles):
    s.types += ['%void = OpTypeVoid', '%void_function = OpTypeFunction %void', '%bool = OpTypeBool',
                '%boolv2 = OpTypeVector %bool 2']
    for bits in WIDTHS:
        s.types += [f'%u{bits} = OpTypeInt {bits} 0', f'%u{bits}v2 = OpTypeVector %u{bits} 2',
                    f'%u{bits}v3 = OpTypeVector %u{bits} 3']
    s.types += [f'%f{bits} = OpTypeFloat {bits}' for bits in (16, 32) + (64,) * doubles]
    s.types += ['%f32v2 = OpTypeVector %f32 2', '%mat2 = OpTypeMatrix %f32v2 2', '%n3 = OpConstant %u32 3',
                '%three = OpTypeArray %u32 %n3', '%struct = OpTypeStruct %three %mat2 %bool',
                '%array = OpTypeRuntimeArray %u64', '%block = OpTypeStruct %array',
                '%block_pointer = OpTypePointer StorageBuffer %block', '%pointer = OpTypePointer StorageBuffer %u64',
                '%out = OpVariable %block_pointer StorageBuffer', '%index = OpConstant %u32 0',
                '%zero = OpConstant %u64 0', '%one = OpConstant %u64 1', '%f32_one = OpConstant %f32 1',
                '%u32_one = OpConstant %u32 1'] + ['%f64_one = OpConstant %f64 1'] * doubles
    s.names = 100
    s.constant('yes', '%bool', 'b32', 4, 'true', 'TRUTH')
    s.constant('no', '%bool', 'b32', 4, 'false', 'TRUTH')
    s.constant('length', '%u32', 'u32', 4, 9, 'LENGTH')
    s.types.append('%yes_no = OpSpecConstantComposite %boolv2 %yes %no')


def assembled(options, text):
    with tempfile.TemporaryDirectory() as folder:
        source, spv = os.path.join(folder, 'a.spvasm'), os.path.join(folder, 'a.spv')
        with open(source, 'w') as f:
            f.write(text)
        subprocess.run([options.spirv_as, '--target-env', 'vulkan1.1', source, '-o', spv], check=True)
        with open(spv, 'rb') as f:
            return f.read()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('output')
    parser.add_argument('--spirv-as', default='spirv-as')
    parser.add_argument('--doubles', action='store_true')
    options = parser.parse_args()
    s = Shader()
    declare(s, options.doubles)
    if not options.doubles:
        logic(s)
        for bits in WIDTHS:
            integers(s, bits)
    floats(s, options.doubles)
    if not options.doubles:
        composites(s)
    text = ('OpCapability Float64\n' * options.doubles + HEAD + '\n'.join(s.decorations + s.types) +
            '\n%main = OpFunction %void None %void_function\n%begin = OpLabel\n' + '\n'.join(s.body) +
            '\nOpReturn\nOpFunctionEnd\n')
    data = assembled(options, text)
    if options.output.endswith('.spv'):
        with open(options.output, 'wb') as f:
            f.write(data)
        return
    words = ','.join(map(hex, struct.unpack(f'<{len(data) // 4}I', data)))
    which = 'doubles' if options.doubles else 'module'
    out = ['/* Written by constants.py. */', f'static const uint32_t code_{which}[] = {{{words}}};',
           f'static const struct slot slots_{which}[] = {{']
    for name, c, size_B, default, kind in s.slots:
        value = f'{default}{"ull" if isinstance(default, int) else ""}'
        out.append(f'   {{{size_B}, {kind}, &({c}){{{value}}}}}, /* {name} */')
    out += ['};', f'static const char *const names_{which}[] = {{']
    out += [f'   "{name}",' for name, _ in s.rows] + ['};', '']
    out += ['static void', f'compute_{which}(const uint64_t *slot, uint64_t *want)', '{']
    for i, (name, c, size_B, *_) in enumerate(s.slots):
        out.append(f'   {c} {name}; memcpy(&{name}, &slot[{i}], {size_B}); (void){name};')
    out += [f'   *want++ = {c};' for _, c in s.rows] + ['}', '']
    with open(options.output, 'w') as f:
        f.write('\n'.join(out))


if __name__ == '__main__':
    sys.exit(main())
