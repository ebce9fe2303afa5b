#!/usr/bin/env python3
"""Prints files and functions over the comfortable size and fails on one that gives no reason.

Limits: a .c or .py file 800 lines, a header 400, a function 60. What is larger says why in a comment
`/* size: REASON */` (`# size: REASON` in Python): in the first ten lines for the file, in the function's first
three lines for a function. A flat table or switch is such a reason.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMITS = {'.c': 800, '.py': 800, '.h': 400}
FUNCTION_LIMIT = 60
REASON = re.compile(r'(?:/\*|#) size: \S')


def functions(lines):
  """(name, first line, line count) of each C function: a body between '{' and '}' in column one."""
  start = None
  for i, line in enumerate(lines):
    if line.startswith('{') and i and re.match(r'[A-Za-z_].*\)|.*\)$', lines[i - 1]):
      start = i
    elif line.startswith('}') and start is not None:
      head = next((l for l in reversed(lines[:start]) if re.match(r'\w+\(', l)), '?')
      yield head.split('(')[0], start, i - start + 1
      start = None


def main():
  unexplained = 0
  for folder in ('src', 'bin', 'examples', 'tests'):
    for path in sorted((ROOT / folder).rglob('*')):
      if path.suffix not in LIMITS or '__pycache__' in path.parts:
        continue
      lines = path.read_text().splitlines()
      over = []
      if len(lines) > LIMITS[path.suffix]:
        over.append((f'{len(lines)} lines', lines[:10]))
      if path.suffix == '.c':
        over += [(f'{name}: {count} lines', lines[start:start + 4])
                 for name, start, count in functions(lines) if count > FUNCTION_LIMIT]
      for what, where in over:
        reason = next((l.strip() for l in where if REASON.search(l)), None)
        unexplained += reason is None
        print(f'{path.relative_to(ROOT)}: {what}: {reason or "NO REASON GIVEN"}')
  print(f'{unexplained} without a reason')
  return bool(unexplained)


if __name__ == '__main__':
  sys.exit(main())
