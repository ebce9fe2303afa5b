#!/usr/bin/python3
"""Generates the registers of shader stages: stages_gen.py stages.h|stages.c OUTPUT stages.txt TABLE...
The tables are those of hw_tables.py.

One item a line, '#' starts a comment:

    stage NAME [@GENS]      a stage of the hardware
     MEMBER CELL ...        of struct amd_stage_regs. CELL is [GENS=]REGISTER, or [GENS=]REGISTER.FIELD for members
                            that are bits. Without GENS it holds for all generations of the stage

A stage without a line for a member has 0 there; so has a generation without the field.

An error is: an unknown generation, member, register or field; a register that a generation of the stage does not
have; two cells in one generation; a stage or member that stands twice.
"""
from hw_tables import GENERATIONS, TableError, Tables, generations, split_generations
from bit_tables import table_lines
from hw_generator import add_once, generate, header_file, generated
from traits_gen import AMD

REGISTERS = {'pgm_lo': 'the program', 'pgm_hi': '', 'rsrc1': '', 'rsrc2': '', 'user_data': 'of s0',
             'user_addr_lo': 'merged stages: what s0 and s1 start with'}
BITS = {'wave32': 'waves have 32 lanes', 'mem_ordered': '', 'lds_size': 'in granules'}


class Stage:
  def __init__(self, name, gens, where):
    self.name, self.gens, self.where, self.members = name, gens, where, {}

  def member(self, name, cells, where):
    """name -> {generation: (register, field or None)}"""
    if name not in REGISTERS and name not in BITS:
      raise TableError(f'{where}: {name}?')
    of = add_once(self.members, 'member', name, {}, where)
    for cell in cells:
      text, equals, value = cell.rpartition('=')
      register, dot, field = value.partition('.')
      if bool(dot) != (name in BITS):
        raise TableError(f'{where}: {name} is {"bits" if name in BITS else "a register"}')
      for generation in generations(text, where) if equals else self.gens:
        if generation in of:
          raise TableError(f'{where}: {name} has two cells on {generation}')
        of[generation] = register, field


class Stages:
  def __init__(self, paths):
    self.stages, self.registers, stage = {}, Tables(paths[1:]).registers, None
    for where, indented, tokens in table_lines(paths[0]):
      if not indented and tokens[0] == 'stage':
        (_, name), gens = split_generations(tokens, where)
        stage = add_once(self.stages, 'stage', name, Stage(name, gens, where), where)
      elif indented and stage:
        stage.member(tokens[0], tokens[1:], where)
      else:
        raise TableError(f'{where}: {tokens[0]}?')

  def value(self, stage, member, generation):
    """C of a member."""
    if generation not in stage.members.get(member, {}):
      return None
    register, name = stage.members[member][generation]
    if register not in self.registers or generation not in self.registers[register].places:
      raise TableError(f'{stage.where}: {generation} has no register {register}')
    word = self.registers[register]
    offset = f'0x{word.places[generation][0]:x}'
    if member in REGISTERS:
      return offset
    if name not in [f.name for f in word.all_fields]:
      raise TableError(f'{stage.where}: {register} has no field {name}')
    for field in word.fields(generation):
      if field.name == name:
        return f'{{{offset}, 0x{(1 << field.width) - 1 << field.low:x}}}'
    return None

  def row(self, stage, generation):
    members = {m: self.value(stage, m, generation) for m in [*REGISTERS, *BITS]}
    return ', '.join(f'.{m} = {value}' for m, value in members.items() if value)


def stages_h(tables):
  comment = {True: lambda text: f' /* {text} */', False: lambda text: ''}
  lines = ['#include <stdint.h>', '', '#include "amd/hw/gen.h"', '', '/* Stages that run shaders. */',
           'enum amd_hw_stage {', *(f'   AMD_HW_{name},' for name in tables.stages), '   AMD_HW_STAGES,', '};', '',
           '/* Bits of a register. 0: there is none. */', 'struct amd_reg_bits {', '   uint32_t reg, mask;', '};', '',
           '/* Byte offsets of registers. */', 'struct amd_stage_regs {']
  lines += [f'   uint32_t {m};' + comment[bool(text)](text) for m, text in REGISTERS.items()]
  lines += [f'   struct amd_reg_bits {m};' + comment[bool(text)](text) for m, text in BITS.items()]
  return header_file('stages.txt', 'INDIUM_AMD_HW_STAGES_H', [
    *lines, '};', '', '/* All 0: the generation does not have the stage. */',
    'extern const struct amd_stage_regs amd_stage_regs[AMD_GEN_COUNT][AMD_HW_STAGES];'])


def stages_c(tables):
  lines = [generated('stages.txt'), '#include "amd/hw/stages.h"', '',
           'const struct amd_stage_regs amd_stage_regs[AMD_GEN_COUNT][AMD_HW_STAGES] = {']
  for generation in GENERATIONS:
    lines.append(f'   [{AMD.gens[generation]}] = {{')
    lines += [f'      [AMD_HW_{stage.name}] = {{{tables.row(stage, generation)}}},'
              for stage in tables.stages.values() if generation in stage.gens]
    lines.append('   },')
  return [*lines, '};']


MAKERS = {'stages.h': stages_h, 'stages.c': stages_c}

if __name__ == '__main__':
  generate(MAKERS, Stages)
