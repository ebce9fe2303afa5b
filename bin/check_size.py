#!/usr/bin/python3
"""Prints files, functions and lines over the comfortable size and fails on one that gives no reason.

Limits: a .c or .py file 800 lines, a header 400, a function 60, a line 118 columns, six parameters of a function or
function pointer. What is larger says why in a comment `/* size: REASON */` (`# size: REASON` in Python): in the first
ten lines for the file, in the function's first three lines for a function, or after the function's prototype for its
parameters. A flat table or switch is such a reason. Commands of Vulkan have Vulkan's parameters. Files with longer
lines stand in LONG_LINES.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from options import Parser  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMITS = {'.c': 800, '.py': 800, '.h': 400}
FUNCTION_LIMIT = 60
LINE_LIMIT = 118
PARAMETER_LIMIT = 6
SUFFIXES = {'.c', '.h', '.inl', '.py', '.sh', '.toml', '.txt', '.in', '.build', '.glsl',
            '.vert', '.tesc', '.tese', '.geom', '.frag', '.comp'}
NAMES = 'names of conformance tests are as long as they are'
LONG_LINES = {
  'src/amd/hw/isa_table.txt': 'a row is one operation, its columns stand below each other',
  'tests/asahi/hw/isa_applegpu.txt': 'text as applegpu prints it',
  **{f'tests/sim/vectors/{name}.txt': 'a block beside its texels' for name in ('astc', 'etc')},
  **{f'tests/conformance/{name}.txt': NAMES
     for name in ('expected', 'expected_agx', 'expected_amd', 'found', 'found_agx', 'radv_26', 'radv_26_navi31',
                  'sample', 'slow', 'piglit', 'piglit_expected')},
}
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


def parameters(text, at):
  """How many parameters the list has that opens at the position, and where it ends."""
  depth, count = 0, 1
  for at in range(at, len(text)):
    depth += (text[at] == '(') - (text[at] == ')')
    count += text[at] == ',' and depth == 1
    if not depth:
      break
  return count, at


def wide_functions(lines):
  """(name, line after the list, parameter count) of functions and function pointers with too many parameters."""
  text = re.sub(r'/\*.*?\*/', lambda m: re.sub(r'[^\n]', ' ', m.group()), '\n'.join(lines), flags=re.S)
  for match in re.finditer(r'^(?:[A-Za-z_][\w *]*[ *])?(\w+)\(|\(\*(\w+)\)\(', text, re.M):
    name = match.group(1) or match.group(2)
    count, end = parameters(text, match.end() - 1)
    if count > PARAMETER_LIMIT and not name.startswith('indium_') and not name.isupper(): # macros
      yield name, text.count('\n', 0, end) + 1, count


def explained(files):
  """Functions whose prototype in a header gives a reason for its parameters."""
  return {function for name, lines in files if name.endswith('.h') for function, end, _ in wide_functions(lines)
          if any(REASON.search(line) for line in lines[end - 1:end + 3])}


def sources():
  """(name, lines) of the files that people write."""
  for folder in ('src', 'bin', 'examples', 'tests'):
    for path in sorted((ROOT / folder).rglob('*')):
      written = 'golden' not in path.parts and '__pycache__' not in path.parts
      if path.is_file() and written and (path.suffix in SUFFIXES or folder == 'bin'):
        yield path.relative_to(ROOT).as_posix(), path.read_text().splitlines()


def main():
  Parser(__doc__, prog='bin/check_size.py').parse_args()
  unexplained = 0
  files = list(sources())
  known = explained(files)
  for name, lines in files:
    suffix = pathlib.PurePath(name).suffix
    over = []
    if len(lines) > LIMITS.get(suffix, len(lines)):
      over.append((f'{len(lines)} lines', lines[:10]))
    if suffix == '.c':
      over += [(f'{function}: {count} lines', lines[start:start + 4])
               for function, start, count in functions(lines) if count > FUNCTION_LIMIT]
    if suffix in ('.c', '.h'):
      over += [(f'{function}: {count} parameters', lines[end - 1:end + 3])
               for function, end, count in wide_functions(lines) if function not in known]
    if name not in LONG_LINES:
      over += [(f'line {i}: {len(line)} columns', []) for i, line in enumerate(lines, 1) if len(line) > LINE_LIMIT]
    for what, where in over:
      reason = next((l.strip() for l in where if REASON.search(l)), None)
      unexplained += reason is None
      print(f'{name}: {what}: {reason or "NO REASON GIVEN"}')
  print(f'{unexplained} without a reason')
  return bool(unexplained)


if __name__ == '__main__':
  sys.exit(main())
