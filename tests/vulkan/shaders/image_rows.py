"""Writes a shader with every sampling, fetching, gathering and querying instruction on every kind of image, with
every set of image operands that Vulkan 1.1 allows there, and a table of them in C.

image_rows.py OUTPUT --spirv-as PROGRAM --spirv-val PROGRAM --stage frag|demote|comp|vert

Row by row, pixel by pixel (16 x 16) the shader reads three vectors: coordinates; the derivative along x and, in w,
the level or the bias; the derivative along y and, in w, the reference. It writes one vector. Samplers are parts of
the images' descriptors in fragments, and descriptors of their own elsewhere. If OUTPUT ends in .spv it is
only the module. demote: fragments in which some pixels become helpers first.
"""
import argparse
import random

from spv_words import add_options, assemble

# name: (Dim, dimensions of a texel, arrayed)
DIMS = {'1D': ('1D', 1, 0), '1D_ARRAY': ('1D', 1, 1), '2D': ('2D', 2, 0), '2D_ARRAY': ('2D', 2, 1),
        '3D': ('3D', 3, 0), 'CUBE': ('Cube', 3, 0), 'CUBE_ARRAY': ('Cube', 3, 1)}
# Of these there are depth images; of lines none on most devices, and then nothing can be compared with them.
SHADOWS = ('2D', '2D_ARRAY', 'CUBE', 'CUBE_ARRAY')
HEAD = '''OpCapability Shader
OpCapability Sampled1D
OpCapability SampledCubeArray
OpCapability ImageQuery
OpCapability ImageGatherExtended
OpCapability DerivativeControl
'''
DEMOTE = '''OpCapability DemoteToHelperInvocationEXT
OpExtension "SPV_EXT_demote_to_helper_invocation"
'''
MODEL = 'OpMemoryModel Logical GLSL450\n'
TYPES = '''%void = OpTypeVoid
%void_function = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%u32v3 = OpTypeVector %u32 3
%i32 = OpTypeInt 32 1
%i32v2 = OpTypeVector %i32 2
%i32v3 = OpTypeVector %i32 3
%i32v4 = OpTypeVector %i32 4
%f32 = OpTypeFloat 32
%f32v2 = OpTypeVector %f32 2
%f32v3 = OpTypeVector %f32 3
%f32v4 = OpTypeVector %f32 4
%runtime = OpTypeRuntimeArray %f32v4
%block = OpTypeStruct %runtime
%storage = OpTypePointer StorageBuffer %block
%storage_element = OpTypePointer StorageBuffer %f32v4
%in = OpVariable %storage StorageBuffer
%out = OpVariable %storage StorageBuffer
%input_f32v4 = OpTypePointer Input %f32v4
%input_u32v3 = OpTypePointer Input %u32v3
%four = OpConstant %u32 4
%offsets_type = OpTypeArray %i32v2 %four
%zero_f = OpConstant %f32 0
'''


class Shader:
    def __init__(self, stage):
        self.stage, self.types, self.body, self.decorations, self.rows = stage, [], [], [], []
        self.fragment = stage in ('frag', 'demote')
        self.known, self.names, self.random = {}, 0, random.Random(7)

    def name(self):
        self.names += 1
        return f'%n{self.names}'

    def emit(self, text):
        name = self.name()
        self.body.append(f'{name} = {text}')
        return name

    def define(self, text):
        if text not in self.known:
            self.known[text] = self.name()
            self.types.append(f'{self.known[text]} = {text}')
        return self.known[text]

    def int(self, value):
        return self.define(f'OpConstant %i32 {value}')

    def uint(self, value):
        return self.define(f'OpConstant %u32 {value}')

    def vector(self, kind, parts, op):
        if len(parts) == 1:
            return parts[0]
        text = f'{op} %{kind}v{len(parts)} ' + ' '.join(parts)
        return self.define(text) if op == 'OpConstantComposite' else self.emit(text)


def part(s, vector, kind, i):
    return s.emit(f'OpCompositeExtract %{kind} {vector} {i}')


def texture(s, dim, shadow):
    return f'%texture_{dim}_{shadow}', f'%sampled_{dim}_{shadow}', f'%image_{dim}_{shadow}'


def declare_textures(s):
    binding = 2
    for shadow in (0, 1):
        for dim, (spirv_dim, _, arrayed) in DIMS.items():
            if shadow and dim not in SHADOWS:
                continue
            variable, sampled, image = texture(s, dim, shadow)
            s.types += [f'{image} = OpTypeImage %f32 {spirv_dim} {shadow} {arrayed} 0 1 Unknown',
                        f'{sampled} = OpTypeSampledImage {image}',
                        f'{sampled}_pointer = OpTypePointer UniformConstant '
                        f'{sampled if s.fragment else image}',
                        f'{variable} = OpVariable {sampled}_pointer UniformConstant']
            s.decorations += [f'OpDecorate {variable} DescriptorSet 0', f'OpDecorate {variable} Binding {binding}']
            binding += 1
    if not s.fragment:
        s.types += ['%sampler = OpTypeSampler', '%sampler_pointer = OpTypePointer UniformConstant %sampler']
        for shadow in (0, 1):
            s.types.append(f'%sampler_{shadow} = OpVariable %sampler_pointer UniformConstant')
            s.decorations += [f'OpDecorate %sampler_{shadow} DescriptorSet 0',
                              f'OpDecorate %sampler_{shadow} Binding {binding + shadow}']


def load_texture(s, dim, shadow):
    """(image, image and sampler): one descriptor in fragments, two elsewhere."""
    variable, sampled, image = texture(s, dim, shadow)
    if s.fragment:
        both = s.emit(f'OpLoad {sampled} {variable}')
        return s.emit(f'OpImage {image} {both}'), both
    bare = s.emit(f'OpLoad {image} {variable}')
    sampler = s.emit(f'OpLoad %sampler %sampler_{shadow}')
    return bare, s.emit(f'OpSampledImage {sampled} {bare} {sampler}')


def load_inputs(s):
    """The three vectors of this row and pixel."""
    first = s.emit(f'OpIAdd %u32 %pixel {s.uint(len(s.rows) * 256)}')
    at = s.emit(f'OpIMul %u32 {first} {s.uint(3)}')
    vectors = []
    for i in range(3):
        index = s.emit(f'OpIAdd %u32 {at} {s.uint(i)}')
        place = s.emit(f'OpAccessChain %storage_element %in {s.uint(0)} {index}')
        vectors.append(s.emit(f'OpLoad %f32v4 {place}'))
    return vectors


def finish(s, value, kind, components, **row):
    """Writes a row's result, floats or integers, and notes what it was."""
    parts = [value] if components == 1 else [part(s, value, kind, i) for i in range(components)]
    if kind == 'i32':
        parts = [s.emit(f'OpConvertSToF %f32 {x}') for x in parts]
    whole = s.vector('f32', (parts + ['%zero_f'] * 4)[:4], 'OpCompositeConstruct')
    at = s.emit(f'OpIAdd %u32 %pixel {s.uint(len(s.rows) * 256)}')
    place = s.emit(f'OpAccessChain %storage_element %out {s.uint(0)} {at}')
    s.body.append(f'OpStore {place} {whole}')
    s.rows.append(row)


def offset_operand(s, kind, count):
    """(operand name, id, numbers) of an offset; count of dimensions."""
    if kind == 'ConstOffsets':
        numbers = [[s.random.randint(-8, 7) for _ in range(2)] for _ in range(4)]
        vectors = [s.vector('i32', [s.int(x) for x in pair], 'OpConstantComposite') for pair in numbers]
        return s.define('OpConstantComposite %offsets_type ' + ' '.join(vectors)), sum(numbers, [])
    numbers = [s.random.randint(-8, 7) for _ in range(count)]
    if kind == 'ConstOffset':
        return s.vector('i32', [s.int(x) for x in numbers], 'OpConstantComposite'), numbers
    # Offset: computed, and the same in all pixels only by chance: the lowest bit of x is added.
    odd = s.emit(f'OpBitwiseAnd %u32 %pixel {s.uint(1)}')
    odd = s.emit(f'OpBitcast %i32 {odd}')
    numbers = [min(x, 6) for x in numbers]
    return s.vector('i32', [s.emit(f'OpIAdd %i32 {s.int(x)} {odd}') for x in numbers],
                    'OpCompositeConstruct'), numbers


def operands_of(s, names, values, offset, count):
    """The text of image operands in the order of their bits."""
    ids, numbers = [], []
    order = ['Bias', 'Lod', 'Grad', 'ConstOffset', 'Offset', 'ConstOffsets']
    used = sorted(names + ([offset] if offset else []), key=order.index)
    for name in used:
        if name in values:
            ids += values[name]
        else:
            text, numbers = offset_operand(s, name, count)
            ids.append(text)
    return ('|'.join(used) + ' ' + ' '.join(ids) if used else ''), numbers


def sampling(s, dim, shadow, mode, proj, offset):
    _, count, arrayed = DIMS[dim]
    a, b, c = load_inputs(s)
    _, loaded = load_texture(s, dim, shadow)
    size = count + arrayed + proj
    coordinate = s.vector('f32', [part(s, a, 'f32', i) for i in range(size)], 'OpCompositeConstruct')
    extra = part(s, b, 'f32', 3)
    grads = [s.vector('f32', [part(s, v, 'f32', i) for i in range(count)], 'OpCompositeConstruct') for v in (b, c)]
    values = {'Bias': [extra], 'Lod': [extra], 'Grad': grads}
    operands, numbers = operands_of(s, [mode] if mode else [], values, offset, count)
    explicit = mode in ('Lod', 'Grad')
    name = 'OpImageSample' + ('Proj' if proj else '') + ('Dref' if shadow else '') + (
        'ExplicitLod' if explicit else 'ImplicitLod')
    reference = part(s, c, 'f32', 3) if shadow else ''
    result = s.emit(f'{name} %f32{"" if shadow else "v4"} {loaded} {coordinate} {reference} {operands}')
    finish(s, result, 'f32', 1 if shadow else 4, text=f'{name} {dim} {mode} {offset or ""}', dim=dim, shadow=shadow,
           op='SAMPLE', mode=(mode or 'IMPLICIT').upper(), proj=proj, offset=numbers)


def fetch(s, dim, lod, offset):
    _, count, arrayed = DIMS[dim]
    a, b, _ = load_inputs(s)
    loaded, _ = load_texture(s, dim, 0)
    parts = [s.emit(f'OpConvertFToS %i32 {part(s, a, "f32", i)}') for i in range(count + arrayed)]
    level = s.emit(f'OpConvertFToS %i32 {part(s, b, "f32", 3)}')
    operands, numbers = operands_of(s, ['Lod'] if lod else [], {'Lod': [level]}, offset, count)
    coordinate = s.vector('i32', parts, 'OpCompositeConstruct')
    result = s.emit(f'OpImageFetch %f32v4 {loaded} {coordinate} {operands}')
    finish(s, result, 'f32', 4, text=f'OpImageFetch {dim} {operands.split(" ")[0]}', dim=dim, shadow=0, op='FETCH',
           mode='LOD' if lod else 'IMPLICIT', proj=0, offset=numbers)


def gather(s, dim, component, offset):
    """component: None for a comparison."""
    _, count, arrayed = DIMS[dim]
    a, _, c = load_inputs(s)
    shadow = int(component is None)
    _, loaded = load_texture(s, dim, shadow)
    coordinate = s.vector('f32', [part(s, a, 'f32', i) for i in range(count + arrayed)], 'OpCompositeConstruct')
    operands, numbers = operands_of(s, [], {}, offset, count)
    name = 'OpImageDrefGather' if shadow else 'OpImageGather'
    argument = part(s, c, 'f32', 3) if shadow else s.int(component)
    result = s.emit(f'{name} %f32v4 {loaded} {coordinate} {argument} {operands}')
    finish(s, result, 'f32', 4, text=f'{name} {dim} {"" if shadow else component} {offset or ""}', dim=dim,
           shadow=shadow, op='GATHER', mode='IMPLICIT', proj=0, offset=numbers, component=component or 0,
           moving=int(offset == 'Offset'))


def queries(s, dim, shadow):
    _, count, arrayed = DIMS[dim]
    bare, loaded = load_texture(s, dim, shadow)
    _, b, _ = load_inputs(s)
    level = s.emit(f'OpConvertFToS %i32 {part(s, b, "f32", 3)}')
    size = (2 if dim.startswith('CUBE') else count) + arrayed
    result = s.emit(f'OpImageQuerySizeLod %i32{f"v{size}" if size > 1 else ""} {bare} {level}')
    common = {'dim': dim, 'shadow': shadow, 'proj': 0, 'offset': []}
    finish(s, result, 'i32', size, text=f'OpImageQuerySizeLod {dim}', op='SIZE', mode='LOD', **common)
    finish(s, s.emit(f'OpImageQueryLevels %i32 {bare}'), 'i32', 1, text=f'OpImageQueryLevels {dim}', op='LEVELS',
           mode='IMPLICIT', **common)
    if s.fragment:
        a, _, _ = load_inputs(s)
        coordinate = s.vector('f32', [part(s, a, 'f32', i) for i in range(count)], 'OpCompositeConstruct')
        result = s.emit(f'OpImageQueryLod %f32v2 {loaded} {coordinate}')
        finish(s, result, 'f32', 2, text=f'OpImageQueryLod {dim}', op='QUERY_LOD', mode='IMPLICIT', **common)


def derivatives(s):
    for i, name in enumerate(('OpDPdx', 'OpDPdy', 'OpFwidth')):
        for kind in ('', 'Fine', 'Coarse'):
            a, _, _ = load_inputs(s)
            vector = s.vector('f32', [part(s, a, 'f32', j) for j in range(3)], 'OpCompositeConstruct')
            finish(s, s.emit(f'{name}{kind} %f32v3 {vector}'), 'f32', 3, text=name + kind, dim='3D', shadow=0,
                   op='DERIVATIVE', mode='IMPLICIT', proj=0, offset=[], component=i)


def all_rows(s):
    if s.fragment:
        derivatives(s)
    for shadow in (0, 1):
        for dim in DIMS:
            if shadow and dim not in SHADOWS:
                continue
            for mode in ((None, 'Bias') if s.fragment else ()) + ('Lod', 'Grad'):
                for proj in (0, 1) if dim in ('1D', '2D', '3D') else (0,):
                    for offset in (None,) if dim.startswith('CUBE') else (None, 'ConstOffset'):
                        sampling(s, dim, shadow, mode, proj, offset)
            queries(s, dim, shadow)
    for dim in ('1D', '1D_ARRAY', '2D', '2D_ARRAY', '3D'):
        for lod in (0, 1):
            for offset in (None, 'ConstOffset'):
                fetch(s, dim, lod, offset)
    for dim in ('2D', '2D_ARRAY', 'CUBE', 'CUBE_ARRAY'):
        for offset in (None,) if dim.startswith('CUBE') else (None, 'ConstOffset', 'Offset', 'ConstOffsets'):
            for component in (0, 1, 2, 3, None):
                gather(s, dim, component, offset)


def build(stage):
    s = Shader(stage)
    declare_textures(s)
    if s.fragment:
        s.decorations += ['OpDecorate %position BuiltIn FragCoord', 'OpDecorate %color Location 0']
        s.types += ['%position = OpVariable %input_f32v4 Input', '%output_f32v4 = OpTypePointer Output %f32v4',
                    '%color = OpVariable %output_f32v4 Output']
        position = s.emit('OpLoad %f32v4 %position')
        x, y = (s.emit(f'OpConvertFToU %u32 {part(s, position, "f32", i)}') for i in (0, 1))
        head = 'OpEntryPoint Fragment %main "main" %position %color\nOpExecutionMode %main OriginUpperLeft\n'
    elif stage == 'vert':
        s.decorations += ['OpDecorate %index BuiltIn VertexIndex', 'OpDecorate %position BuiltIn Position',
                          'OpDecorate %size BuiltIn PointSize']
        s.types += ['%input_u32 = OpTypePointer Input %u32', '%index = OpVariable %input_u32 Input',
                    '%output_f32v4 = OpTypePointer Output %f32v4', '%position = OpVariable %output_f32v4 Output',
                    '%output_f32 = OpTypePointer Output %f32', '%size = OpVariable %output_f32 Output']
        zero, one = '%zero_f', s.define('OpConstant %f32 1')
        s.body += ['OpStore %position ' + s.define(f'OpConstantComposite %f32v4 {zero} {zero} {zero} {one}'),
                   f'OpStore %size {one}']
        head = 'OpEntryPoint Vertex %main "main" %index %position %size\n'
    else:
        s.decorations += ['OpDecorate %id BuiltIn GlobalInvocationId']
        s.types += ['%id = OpVariable %input_u32v3 Input']
        id_ = s.emit('OpLoad %u32v3 %id')
        # Quads are 2 x 2 in both stages, for the operands that depend on the lane.
        x, y = (part(s, id_, 'u32', i) for i in (0, 1))
        head = 'OpEntryPoint GLCompute %main "main" %id\nOpExecutionMode %main LocalSize 16 4 1\n'
    if stage == 'vert':
        s.body.append('%pixel = OpLoad %u32 %index')
    else:
        row = s.emit(f'OpIMul %u32 {y} {s.uint(16)}')
        s.body.append(f'%pixel = OpIAdd %u32 {row} {x}')
    if stage == 'demote':
        s.types.append('%bool = OpTypeBool')
        terms = [s.emit(f'OpIMul %u32 {n} {s.uint(factor)}') for n, factor in ((x, 5), (y, 3))]
        mixed = s.emit(f'OpIAdd %u32 {terms[0]} {terms[1]}')
        which = s.emit(f'OpULessThan %bool {s.emit(f"OpUMod %u32 {mixed} {s.uint(7)}")} {s.uint(3)}')
        s.body += ['OpSelectionMerge %go_on None', f'OpBranchConditional {which} %helper %go_on', '%helper = OpLabel',
                   'OpDemoteToHelperInvocationEXT', 'OpBranch %go_on', '%go_on = OpLabel']
    all_rows(s)
    if s.fragment:
        one = s.define('OpConstant %f32 1')
        s.body.append('OpStore %color ' + s.define(f'OpConstantComposite %f32v4 {one} {one} {one} {one}'))
    decorations = ['OpDecorate %runtime ArrayStride 16', 'OpDecorate %block Block',
                   'OpMemberDecorate %block 0 Offset 0', 'OpDecorate %in DescriptorSet 0', 'OpDecorate %in Binding 0',
                   'OpDecorate %out DescriptorSet 0', 'OpDecorate %out Binding 1'] + s.decorations
    lines = decorations + [TYPES.rstrip()] + s.types
    lines += ['%main = OpFunction %void None %void_function', '%first = OpLabel'] + s.body
    lines += ['OpReturn', 'OpFunctionEnd']
    return s, HEAD + (DEMOTE if stage == 'demote' else '') + MODEL + head + '\n'.join(lines) + '\n'


def table(rows, stage):
    lines = [f'static const struct row rows_{stage}[] = {{']
    for row in rows:
        numbers = ', '.join(str(x) for x in row['offset']) or '0'
        lines.append(f'   {{"{" ".join(row["text"].replace("None", "").split())}", {row["op"]}, DIM_{row["dim"]}, '
                     f'MODE_{row["mode"]}, {row["shadow"]}, {row["proj"]}, {len(row["offset"])}, {{{numbers}}}, '
                     f'{row.get("component", 0)}, {row.get("moving", 0)}}},')
    return '\n'.join(lines + ['};'])


def main():
    parser = argparse.ArgumentParser()
    add_options(parser)
    parser.add_argument('--stage', required=True)
    options = parser.parse_args()
    shader, text = build(options.stage)
    assemble(options, text, options.stage, table(shader.rows, options.stage))


if __name__ == '__main__':
    main()
