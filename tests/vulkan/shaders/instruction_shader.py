"""A shader that instructions.py builds: types and constants that exist once, instructions with names, rows of
results with their C."""

WIDTHS = (8, 16, 32, 64)


class Shader:
    def __init__(self, floats):
        """floats: widths of the floats that the rows are of, others are only converted from and to them."""
        self.floats, self.known_floats = floats, (16, 32, 64) if 64 in floats else floats
        self.types, self.body, self.decorations, self.functions, self.variables = [], [], [], [], []
        self.known, self.names, self.rows, self.block = {}, 0, [], '%first'

    def name(self):
        self.names += 1
        return f'%n{self.names}'

    def e(self, text):
        """An instruction with a result."""
        name = self.name()
        self.body.append(f'{name} = {text}')
        return name

    def do(self, *lines):
        self.body += lines

    def label(self, name=None):
        name = name or self.name()
        self.body.append(f'{name} = OpLabel')
        self.block = name
        return name

    def define(self, text):
        if text not in self.known:
            self.known[text] = self.name()
            self.types.append(f'{self.known[text]} = {text}')
        return self.known[text]

    # ---- types and constants ----
    def int(self, bits, signed=0):
        return f'%{"i" if signed else "u"}{bits}'

    def vec(self, type_, count):
        return type_ if count == 1 else self.define(f'OpTypeVector {type_} {count}')

    def matrix(self, type_, columns, rows):
        return self.define(f'OpTypeMatrix {self.vec(type_, rows)} {columns}')

    def array(self, type_, length):
        return self.define(f'OpTypeArray {type_} {self.u(length)}')

    def struct(self, *members):
        return self.define('OpTypeStruct ' + ' '.join(members))

    def pointer(self, storage, type_):
        return self.define(f'OpTypePointer {storage} {type_}')

    def constant(self, type_, value):
        return self.define(f'OpConstant {type_} {value}')

    def u(self, value, bits=32):
        return self.constant(f'%u{bits}', value)

    def variable(self, storage, type_, init=''):
        pointer, name = self.pointer(storage, type_), self.name()
        where = self.variables if storage == 'Function' else self.types
        where.append(f'{name} = OpVariable {pointer} {storage} {init}')
        return name

    # ---- rows ----
    def put(self, name, value, c):
        """A uint64 to the next row."""
        at = self.e(f'OpIAdd %u32 %lane {self.e(f"OpIMul %u32 %lanes {self.u(len(self.rows))}")}')
        self.do(f'OpStore {self.e(f"OpAccessChain %storage_u64 %out {self.u(0)} {at}")} {value}')
        self.rows.append((name, c))

    def wide(self, value, bits):
        return value if bits == 64 else self.e(f'OpUConvert %u64 {value}')

    def put_int(self, name, value, bits, c):
        self.put(name, self.wide(value, bits), f'(u64)(u{bits})({c})')

    def put_bool(self, name, value, c):
        self.put(name, self.e(f'OpSelect %u64 {value} {self.u(1, 64)} {self.u(0, 64)}'), f'(u64)!!({c})')

    def put_float(self, name, value, bits, c):
        self.put(name, self.wide(self.e(f'OpBitcast %u{bits} {value}'), bits),
                 f'bits(&(f{bits}){{{c}}}, {bits // 8})')

    def cut(self, value, bits):
        """The low bits of a uint64."""
        return value if bits == 64 else self.e(f'OpUConvert %u{bits} {value}')


def part(s, value, type_, *indices):
    return s.e(f'OpCompositeExtract {type_} {value} ' + ' '.join(str(i) for i in indices))


def index_of(s, bits, signed, mask):
    """c & mask as an index of any integer type."""
    value = s.cut(s.e(f'OpBitwiseAnd %u64 %c {s.u(mask, 64)}'), bits)
    return s.e(f'OpBitcast %i{bits} {value}') if signed else value
