#!/usr/bin/python3
"""test_coverage.py SOURCES_DIR HEADERS_DIR MODULE.spv...: every instruction that the SPIR-V translator knows stands
in a module that a test runs, and so does every one that the capabilities of these modules permit. Reads the
translator's sources for SpvOpX and GLSLstd450X, the grammar, and the modules themselves."""
import json
import pathlib
import re
import struct
import sys

# Instructions without a row, and why.
EXCEPTIONS = {
  'IMix': 'taken out of GLSL.std.450',
  'OpEmitVertex': 'tests/compiler/spirv', 'OpEndPrimitive': 'tests/compiler/spirv',
  'OpEmitStreamVertex': 'tests/compiler/spirv', 'OpEndStreamPrimitive': 'tests/compiler/spirv',
  'OpEmitMeshTasksEXT': 'tests/compiler/spirv', 'OpSetMeshOutputsEXT': 'tests/compiler/spirv',
  'OpNop': 'nothing to compute', 'OpLine': 'nothing to compute', 'OpNoLine': 'nothing to compute',
  'OpUndef': 'any value', 'OpSourceContinued': 'nothing to compute', 'OpString': 'nothing to compute',
  'OpModuleProcessed': 'nothing to compute', 'OpGroupDecorate': 'old; tests/compiler/spirv',
  'OpGroupMemberDecorate': 'old; tests/compiler/spirv', 'OpDecorationGroup': 'old; tests/compiler/spirv',
  'OpTypeForwardPointer': 'tests/vulkan/addresses', 'OpConvertPtrToU': 'tests/vulkan/addresses',
  'OpConvertUToPtr': 'tests/vulkan/addresses', 'OpPtrAccessChain': 'tests/vulkan/variable_pointers',
  'OpInBoundsPtrAccessChain': 'needs Addresses, which Shader forbids', 'OpPtrEqual': 'tests/vulkan/variable_pointers',
  'OpPtrNotEqual': 'tests/vulkan/variable_pointers', 'OpPtrDiff': 'tests/vulkan/variable_pointers',
  'OpCopyMemorySized': 'tests/vulkan/untyped',
  'OpTypeUntypedPointerKHR': 'tests/vulkan/untyped',
  'OpUntypedAccessChainKHR': 'tests/vulkan/untyped',
  'OpUntypedArrayLengthKHR': 'tests/vulkan/untyped',
  'OpUntypedInBoundsAccessChainKHR': 'tests/vulkan/untyped',
  'OpUntypedPtrAccessChainKHR': 'tests/vulkan/untyped',
  'OpUntypedVariableKHR': 'tests/vulkan/untyped',
  'OpUntypedInBoundsPtrAccessChainKHR': 'as OpUntypedPtrAccessChainKHR',
  'OpFDot2MixAcc32VALVE': 'tests/vulkan/mixed_dots', 'OpFDot2MixAcc16VALVE': 'tests/vulkan/mixed_dots',
  **{f'Op{name}KHR': 'tests/vulkan/matrices' for name in (
    'TypeCooperativeMatrix', 'CooperativeMatrixLoad', 'CooperativeMatrixStore', 'CooperativeMatrixMulAdd',
    'CooperativeMatrixLength')},
  'OpExtInstWithForwardRefsKHR': 'tests/vulkan/versions',
  'OpConstantCompositeReplicateEXT': 'tests/vulkan/versions',
  'OpSpecConstantCompositeReplicateEXT': 'tests/vulkan/versions',
  'OpCompositeConstructReplicateEXT': 'tests/vulkan/versions', 'OpExecutionModeId': 'OpenCL and later versions',
  'OpGroupAll': 'not of SPV_AMD_shader_ballot', 'OpGroupAny': 'not of SPV_AMD_shader_ballot',
  'OpGroupBroadcast': 'not of SPV_AMD_shader_ballot',
  'OpOrdered': 'needs Kernel', 'OpUnordered': 'needs Kernel',
  'OpDecorateId': 'says nothing to a driver', 'OpDecorateString': 'says nothing to a driver',
  'OpMemberDecorateString': 'says nothing to a driver',
  'OpBeginInvocationInterlockEXT': 'examples/oit', 'OpEndInvocationInterlockEXT': 'examples/oit',
  'OpImageSparseDrefGather': 'tests/vulkan/sparse', 'OpImageSparseRead': 'tests/vulkan/sparse',
  'OpImageSparseSampleImplicitLod': 'tests/vulkan/sparse', 'OpImageSparseTexelsResident': 'tests/vulkan/sparse',
  'OpCopyLogical': 'SPIR-V 1.4; tests/compiler/spirv', 'OpAtomicFAddEXT': 'the extension is not offered',
  'OpAtomicFMinEXT': 'the extension is not offered', 'OpAtomicFMaxEXT': 'the extension is not offered',
  'OpReadClockKHR': 'the extension is not offered', 'OpSubgroupAllEqualKHR': 'the extension is not offered',
  'OpSubgroupAllKHR': 'the extension is not offered', 'OpSubgroupAnyKHR': 'the extension is not offered',
  'OpSubgroupBallotKHR': 'the extension is not offered',
  'OpSubgroupFirstInvocationKHR': 'the extension is not offered',
  'OpSubgroupReadInvocationKHR': 'the extension is not offered',
  **{f'Op{name}INTEL': 'tests/vulkan/integer_functions' for name in (
    'UCountLeadingZeros', 'UCountTrailingZeros', 'AbsISub', 'AbsUSub', 'IAddSat', 'UAddSat', 'IAverage', 'UAverage',
    'IAverageRounded', 'UAverageRounded', 'ISubSat', 'USubSat', 'IMul32x16', 'UMul32x16')},
}


def names_of_sources(folder):
  text = '\n'.join(path.read_text() for path in sorted(pathlib.Path(folder).glob('*.c')))
  operations = set(re.findall(r'\bSpv(Op[A-Z]\w+)', text)) - {'OpConstantSampler'}
  operations = {name for name in operations if not name.endswith('Mask') and not name.endswith('Shift')}
  instructions = set(re.findall(r'\bGLSLstd450([A-Z]\w+)', text)) - {'Bad', 'Count'}
  return operations, instructions


def enumerants(header, pattern):
  text = pathlib.Path(header).read_text()
  return {int(number): name for name, number in re.findall(pattern + r'\s*=\s*(\d+)', text)}


def used(modules):
  """Opcodes, numbers of GLSL.std.450 instructions and of capabilities of the modules."""
  opcodes, instructions, capabilities = set(), set(), set()
  for module in modules:
    data = pathlib.Path(module).read_bytes()
    words = struct.unpack(f'<{len(data) // 4}I', data)
    at = 5
    while at < len(words):
      opcode, length = words[at] & 0xffff, words[at] >> 16
      opcodes.add(opcode)
      if opcode == 52: # OpSpecConstantOp computes what its operand says
        opcodes.add(words[at + 3])
      if opcode == 12:
        instructions.add(words[at + 4])
      if opcode == 17:
        capabilities.add(words[at + 1])
      at += length
  return opcodes, instructions, capabilities


def permitted(folder, declared):
  """Core instructions of SPIR-V 1.3 and GLSL.std.450 ones that the capabilities of these numbers permit."""
  grammar = json.loads((folder / 'spirv.core.grammar.json').read_text())
  kind = next(k for k in grammar['operand_kinds'] if k['kind'] == 'Capability')
  names = {e['enumerant'] for e in kind['enumerants'] if e['value'] in declared}
  implied = None
  while implied != names:
    implied = set(names)
    for e in kind['enumerants']:
      if e['enumerant'] in implied:
        names |= set(e.get('capabilities', []))
  core = {}
  for row in grammar['instructions']:
    version, needs = row.get('version', '1.0'), row.get('capabilities', [])
    if version != 'None' and version <= '1.3' and (not needs or names & set(needs)):
      core[row['opcode']] = row['opname']
  math = json.loads((folder / 'extinst.glsl.std.450.grammar.json').read_text())
  return core, {row['opcode']: row['opname'] for row in math['instructions']}


def main():
  folder, headers, modules = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
  operations, instructions = names_of_sources(folder)
  names = enumerants(headers / 'spirv.h', r'Spv(Op[A-Z]\w+)')
  glsl_names = enumerants(headers / 'GLSL.std.450.h', r'GLSLstd450([A-Z]\w+)')
  opcodes, numbers, capabilities = used(modules)
  seen = {name for number, name in names.items() if number in opcodes}
  glsl_seen = {name for number, name in glsl_names.items() if number in numbers}
  # Names with several spellings for one number count as one.
  by_name = {}
  text = (headers / 'spirv.h').read_text()
  for name, number in re.findall(r'Spv(Op[A-Z]\w+)\s*=\s*(\d+)', text):
    by_name[name] = int(number)
  missing = sorted(n for n in operations if by_name.get(n) not in opcodes and n not in EXCEPTIONS)
  missing += sorted(f'GLSL.std.450 {n}' for n in instructions - glsl_seen)
  core, math = permitted(headers, capabilities)
  missing += sorted(f'{name}, though it is permitted' for number, name in core.items()
                    if number not in opcodes and name not in EXCEPTIONS)
  missing += sorted(f'GLSL.std.450 {name}, though it is permitted' for number, name in math.items()
                    if number not in numbers and name not in EXCEPTIONS)
  useless = sorted(n for n in EXCEPTIONS if n in seen and n not in operations)
  for name in missing:
    print(f'no test row: {name}')
  print(f'{len(operations)} instructions and {len(instructions)} of GLSL.std.450, {len(missing)} without a row')
  return bool(missing or useless or not operations or not instructions)


if __name__ == '__main__':
  sys.exit(main())
