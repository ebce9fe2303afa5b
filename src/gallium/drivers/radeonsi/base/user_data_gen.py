#!/usr/bin/python3
"""Writes si_abi.h, which driver and lowering passes share, from user_data.txt: user_data_gen.py si_abi.h OUTPUT TABLE

One item a line, '#' starts a comment:

    stage NAME [BASE]       the user SGPRs of a kind of program: those of stage BASE, and the lines that follow
    SGPR NAME TYPE [in=BLOCK] [or] [arg]
                            TYPE: u32, u64 or float, with [N]: so many of them. in: is written together with the
                            others of the block. or: stands in the place of an earlier item. arg: a member of struct
                            aco_args
    count N                 so many user SGPRs are declared to the hardware

It generates SI_SGPR_<STAGE>_<NAME> (of stage `all` SI_SGPR_<NAME>; of an array without a block also the number of
its items, with _COUNT); for each block a struct, and a function that writes the packet of its registers; for each
stage with a count si_args_<stage>().

An error is: an SGPR with two owners but for `or`; a block with a hole; a name that stands twice; a count too small.
"""
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[4] / 'util'))
from bit_tables import TableError, table_lines
from hw_generator import add_once, generate, header_file

KINDS = {'u32': ('uint32_t', 1), 'u64': ('uint64_t', 2), 'float': ('float', 1)}


class Item:
  def __init__(self, tokens, where):
    kind = re.fullmatch(r'(u32|u64|float)(?:\[(\d+)\])?', tokens[2])
    flags = [t for t in tokens[3:] if not t.startswith('in=')]
    if not tokens[0].isdecimal() or not kind or not set(flags) <= {'or', 'arg'}:
      raise TableError(f'{where}: {" ".join(tokens)}?')
    self.sgpr, self.name, self.where = int(tokens[0]), tokens[1], where
    self.kind, self.dw = KINDS[kind[1]]
    self.of = int(kind[2]) if kind[2] else None  # of an array
    self.block = next((t[3:] for t in tokens[3:] if t.startswith('in=')), None)
    self.instead, self.arg = 'or' in flags, 'arg' in flags

  @property
  def end(self):
    return self.sgpr + self.dw * (self.of or 1)

  def member(self):
    return f'{self.kind} {self.name}' + (f'[{self.of}]' if self.of else '') + ';'

  def words(self):
    """C of the item's dwords."""
    values = [f'from->{self.name}[{i}]' for i in range(self.of)] if self.of else [f'from->{self.name}']
    for value in values:
      yield from {'uint32_t': [value], 'float': [f'float_bits({value})'],
                  'uint64_t': [f'(uint32_t){value}', f'(uint32_t)({value} >> 32)']}[self.kind]


class Stage:
  def __init__(self, name, base, where):
    self.name, self.where, self.base, self.own, self.count = name, where, base, {}, None

  def items(self):
    """Its own and those of the stages that it is based on."""
    return [*(self.base.items() if self.base else []), *self.own.values()]

  def add(self, item):
    for other in self.items():
      if not item.instead and item.sgpr < other.end and other.sgpr < item.end:
        sgpr = max(item.sgpr, other.sgpr)
        raise TableError(f'{item.where}: s{sgpr} of {self.name} has two owners, {other.name} and {item.name}')
    if self.base and any(other.name == item.name for other in self.base.items()):
      raise TableError(f'{item.where}: {item.name} stands twice in {self.name}')
    add_once(self.own, 'item', item.name, item, item.where)

  def blocks(self):
    blocks = {}
    for item in self.own.values():
      if item.block:
        blocks.setdefault(item.block, []).append(item)
    for items in blocks.values():
      for item, following in zip(items, items[1:]):
        if item.end != following.sgpr:
          raise TableError(f'{following.where}: {following.name} does not follow {item.name}')
    return blocks

  def constant(self, name):
    return f'SI_SGPR_{"" if self.name == "all" else self.name.upper() + "_"}{name.upper()}'

  def constants(self):
    rows = [(self.constant(i.name), i.sgpr) for i in self.own.values()]
    rows += [(self.constant(i.name + '_COUNT'), i.of) for i in self.own.values() if i.of and not i.block]
    return rows + [(self.constant('COUNT'), self.count)] * (self.count is not None)


class Tables:
  def __init__(self, paths):
    self.stages, stage = {}, None
    for path in paths:
      for where, indented, tokens in table_lines(path):
        if not indented and tokens[0] == 'stage' and len(tokens) in (2, 3):
          if len(tokens) == 3 and tokens[2] not in self.stages:
            raise TableError(f'{where}: no stage {tokens[2]}')
          base = self.stages[tokens[2]] if len(tokens) == 3 else None
          stage = add_once(self.stages, 'stage', tokens[1], Stage(tokens[1], base, where), where)
        elif stage and tokens[0] == 'count':
          stage.count = int(tokens[1])
          if any(item.end > stage.count for item in stage.own.values()):
            raise TableError(f'{where}: {stage.name} has more than {stage.count} SGPRs')
        elif stage and len(tokens) >= 3:
          stage.add(Item(tokens, where))
        else:
          raise TableError(f'{where}: {" ".join(tokens)}?')


def block_lines(stage, block, items):
  name, first, count = f'si_user_{stage.name}_{block}', items[0], items[-1].end - items[0].sgpr
  words = [word for item in items for word in item.words()]
  return ['', f'#define {name.upper()}_DW {count}u', '', f'struct {name} {{',
          *(f'   {item.member()}' for item in items), '};', '', 'static inline uint32_t *',
          f'{name}_pack(uint32_t *dw, uint32_t s0, const struct {name} *from)', '{',
          f'   dw = si_user_data_pack(dw, s0 + 4 * {stage.constant(first.name)}, {count});',
          *(f'   dw[{i}] = {word};' for i, word in enumerate(words)), f'   return dw + {count};', '}']


def args_lines(stage):
  if stage.count is None:
    return []
  return ['', 'static inline struct aco_args', f'si_args_{stage.name}(void)', '{',
          '   struct aco_args args = aco_no_args();', f'   args.num_user_sgprs = {stage.constant("COUNT")};',
          *(f'   args.{i.name} = {i.sgpr};' for i in stage.items() if i.arg),
          '   return args;', '}']


def si_abi_h(tables):
  lines = ['#include "amd/compiler/aco.h"', '#include "amd/hw/pm4.h"', '#include "amd/hw/registers.h"',
           '#include "util/macros.h"', '', 'enum si_sgpr {']
  lines += [f'   {name} = {value},' for stage in tables.stages.values() for name, value in stage.constants()]
  lines += ['};', '', '/* Start of a packet that sets n user SGPRs; reg: of the first one. */',
            'static inline uint32_t *', 'si_user_data_pack(uint32_t *dw, uint32_t reg, unsigned n)', '{',
            '   const struct amd_pm4_set_reg packet = {.reg_offset = (reg - AMD_SH_REG_START) / 4};', '',
            '   return amd_pm4_set_reg_pack(dw, PKT3_SET_SH_REG, &packet, n);', '}', '',
            '/* Blocks of user SGPRs. s0: the register of the first user SGPR. */']
  for stage in tables.stages.values():
    for block, items in stage.blocks().items():
      lines += block_lines(stage, block, items)
  lines += ['', '/* What the compiler is told of them. */']
  for stage in tables.stages.values():
    lines += args_lines(stage)
  return header_file('user_data.txt', 'INDIUM_SI_ABI_H', lines)


MAKERS = {'si_abi.h': si_abi_h}

if __name__ == '__main__':
  generate(MAKERS, Tables)
