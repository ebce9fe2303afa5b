#!/usr/bin/python3
"""Refuses a switch that may hide a missing case from -Wswitch-enum: one over a cast value, and a default below cases
that are enumerators.

Either may stay for a reason, in a comment `/* others: REASON */` on the line of the switch or of its default. Not
asked for one is a default that refuses what it is given (REFUSES), nor a default below numbers, characters and the
macros of the kernel's interface, which are no enumerators.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from options import Parser  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
SWITCH = re.compile(r'( *)switch \((.*)\) \{')
CAST = re.compile(r'\((?:int|unsigned|u?int\d+_t)\)')
REASON = re.compile(r'/\* others: \S')
REFUSES = re.compile(r'return -E|VK_ERROR_|_fail\(|_fault(?:_set)?\(|bad_select\(')
LITERAL = re.compile(r"'.'|\"(?:\\.|[^\"])*\"")
NO_ENUMERATOR = re.compile(r"'.'|-?\w*\d|E[A-Z]+|(?:AMDGPU|DRM|_IOC)_.*")


def switches(lines):
  """(line number, value, cases, line of the default or None) of each switch; cases stand below the word switch."""
  for first, line in enumerate(lines):
    head = SWITCH.match(line)
    if not head:
      continue
    indent, cases, default, depth, number = head[1], [], None, 1, first
    while depth > 0:
      number += 1
      below = lines[number]
      code = LITERAL.sub('', below)
      depth += code.count('{') - code.count('}')
      if below.startswith(indent + 'default:'):
        default = number
      elif below.startswith(indent + 'case '):
        cases += re.findall(r"case ('.'|[^:]+):", below)
    yield first, head[2], cases, default


def check(lines):
  """(line number, what is wrong) of each fault in the lines of a C file."""
  for first, value, cases, default in switches(lines):
    if REASON.search(lines[first]) or (default is not None and REASON.search(lines[default])):
      continue
    if CAST.match(value):
      yield first + 1, 'a cast in a switch without a reason'
    elif default is not None and not all(NO_ENUMERATOR.fullmatch(case) for case in cases):
      statement = ''.join(lines[default:default + 3]).split(';')[0]
      if not REFUSES.search(statement):
        yield default + 1, 'default: below enumerators without a reason'


def main(root):
  faults = [f'{path.relative_to(root)}:{number}: {what}'
            for folder in ('src', 'examples', 'tests') for path in sorted((root / folder).rglob('*.[ch]'))
            for number, what in check(path.read_text().splitlines())]
  print(*faults, f'{len(faults)} switches that may hide a missing case', sep='\n')
  return bool(faults)


if __name__ == '__main__':
  Parser(__doc__, prog='bin/check_switches.py').parse_args()
  sys.exit(main(ROOT))
