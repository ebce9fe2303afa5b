"""Generates the tables of nir_opt_algebraic.c from nir_algebraic.py.

usage: nir_algebraic_gen.py OUTPUT
"""
import re
import struct
import sys

from nir_algebraic import LATE_RULES, RULES
from nir_opcodes import COMM
from nir_opcodes_gen import OPS

BY_NAME = {op.name: op for op in OPS}
CONDITIONS = ['none', 'is_const', 'is_pow2', 'is_pow2_gt1', 'is_small_shift', 'is_finite_not_zero', 'is_8', 'is_16',
              'is_32', 'used_once', 'of_bool']


class Table:
  def __init__(self):
    self.nodes = []      # C initialisers
    self.depth_orders = 0

  def condition(self, name):
    if (name or 'none') not in CONDITIONS:
      sys.exit(f'nir_algebraic.py: no condition {name}')
    return f'CONDITION_{name or "none"}'

  def add(self, expression, variables, search):
    """Appends the expression's nodes, operands first; returns the index."""
    if isinstance(expression, tuple):
      return self.add_op(expression, variables, search)
    if isinstance(expression, str):
      match = re.fullmatch(r'(\w)(?:\((\w+)\))?', expression)
      if not match or (not search and match[1] not in variables):
        sys.exit(f'nir_algebraic.py: bad variable {expression}')
      number = variables.setdefault(match[1], len(variables))
      text = f'{{.kind = NODE_VARIABLE, .variable = {number}, .condition = {self.condition(match[2])}}}'
    elif isinstance(expression, bool):
      text = f'{{.kind = NODE_CONSTANT, .integer = {int(expression)}, .is_bool = true}}'
    elif isinstance(expression, float):
      bits = struct.unpack('<Q', struct.pack('<d', expression))[0]
      text = f'{{.kind = NODE_CONSTANT, .is_float = true, .integer = (int64_t)UINT64_C({bits:#x})}}'
    else:
      text = f'{{.kind = NODE_CONSTANT, .integer = {expression}}}'
    self.nodes.append(text)
    return len(self.nodes) - 1

  def add_op(self, expression, variables, search):
    match = re.fullmatch(r'(~?)(\w+)(?:@(\d+))?(?:\((\w+)\))?', expression[0])
    if not match or match[2] not in BY_NAME:
      sys.exit(f'nir_algebraic.py: no opcode {expression[0]}')
    op = BY_NAME[match[2]]
    if len(op.sources) != len(expression) - 1:
      sys.exit(f'nir_algebraic.py: {expression} has a wrong number of operands')
    operands = [self.add(e, variables, search) for e in expression[1:]]
    self.nodes.append(f'{{.kind = NODE_OP, .op = NIR_OP_{op.name}, .bits = {match[3] or 0}, '
                      f'.condition = {self.condition(match[4])}, .src = {{{", ".join(map(str, operands))}}}}}')
    return len(self.nodes) - 1


def opcode(expression):
  return re.fullmatch(r'~?(\w+)(?:@\d+)?(?:\(\w+\))?', expression[0])[1]


def commutative_nodes(expression):
  if not isinstance(expression, tuple):
    return 0
  return bool(BY_NAME[opcode(expression)].flags & COMM) + sum(map(commutative_nodes, expression[1:]))


# What an operand is, as far as one look tells: rules that want something else there are not tried.
OTHER, CONSTANT = 0, 1
CONSTANT_CONDITIONS = ('is_const', 'is_pow2', 'is_pow2_gt1', 'is_small_shift', 'is_finite_not_zero')


def operands_of(rules):
  """Opcode -> what it is as an operand, for those that some search names there."""
  names = dict.fromkeys(opcode(e) for search, _ in rules for e in search[1:] if isinstance(e, tuple))
  return {name: CONSTANT + 1 + i for i, name in enumerate(names)}


def fits(expression, operand, operands):
  if isinstance(expression, tuple):
    return operand == operands[opcode(expression)]
  if isinstance(expression, str):
    return operand == CONSTANT or not expression.endswith(tuple(f'({c})' for c in CONSTANT_CONDITIONS))
  return operand == CONSTANT


def emit_fits(name, by_op, operands):
  """For each opcode, source and what stands there: the rules (bits) that this is no reason to leave out."""
  yield f'static const uint8_t {name}_operands[NIR_OP_COUNT] = {{'
  yield from (f'   [NIR_OP_{op}] = {number},' for op, number in operands.items())
  yield '};\n'
  count = CONSTANT + 1 + len(operands)
  yield f'static const uint32_t {name}_fits[][3][{name.upper()}_OPERANDS] = {{'
  for rows in by_op.values():
    searches = [search for search, _ in rows]
    if len(searches) > 32:
      sys.exit(f'nir_algebraic.py: more than 32 rules for {searches[0][0]}')
    yield '   {'
    for source in range(3):
      masks = [sum(1 << i for i, s in enumerate(searches)
                   if source + 1 >= len(s) or fits(s[source + 1], operand, operands)) for operand in range(count)]
      yield f'      {{{", ".join(map(hex, masks))}}},'
    yield '   },'
  yield '};\n'


def emit(name, rules):
  table, by_op, operands = Table(), {}, operands_of(rules)
  for search, replacement in rules:
    variables = {}
    root = table.add(search, variables, True)
    result = table.add(replacement, variables, False)
    row = f'{{{root}, {result}, {"true" if search[0][0] == "~" else "false"}, {commutative_nodes(search)}}}'
    by_op.setdefault(opcode(search), []).append((search, row))
  yield f'#define {name.upper()}_OPERANDS {CONSTANT + 1 + len(operands)}'
  yield f'static const struct node {name}_nodes[] = {{'
  yield from (f'   {node},' for node in table.nodes)
  yield f'}};\n\nstatic const struct rule {name}_rules[] = {{'
  ranges, position = {}, 0
  for op, rows in by_op.items():
    ranges[op] = (position, len(rows))
    position += len(rows)
    yield from (f'   {row},' for _, row in rows)
  yield f'}};\n\nstatic const struct rule_range {name}_ranges[NIR_OP_COUNT] = {{'
  for i, (op, (first, count)) in enumerate(ranges.items()):
    yield f'   [NIR_OP_{op}] = {{{first}, {count}, {i}}},'
  yield '};\n'
  yield from emit_fits(name, by_op, operands)


def main():
  with open(sys.argv[1], 'w', encoding='utf-8') as out:
    out.write('/* Generated by nir_algebraic_gen.py, included by nir_opt_algebraic.c. */\n')
    for name, rules in (('main', RULES), ('late', LATE_RULES)):
      for line in emit(name, rules):
        out.write(line + '\n')


if __name__ == '__main__':
  main()
