#!/usr/bin/python3
"""Registers of every draw of a program, with Indium's driver and with RADV, field by field: what differs has to stand
in a table of known differences, with its reason; a row of the table that no run needs any more is a fault too.

Usage: registers_test.py INDIUM SOURCE_ROOT FOLDER [--print]. FOLDER has the programs; they run on the models of
several chips. --print shows the differences in the table's form as well. Runs without their driver are left out and
named; the status is 77 if there is none.

The table (registers.txt) has rows of "name | values | reason". The name is of a register and a field, or of a
register; values are OURS:THEIRS pairs in hexadecimal, "-" where nothing was written. Both are patterns
(fnmatch). A register that only one of the two has written has one pair for all its fields.
"""
import difflib
import fnmatch
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
# program -> at least so many draws
PROGRAMS = {'states --samples 1': 150, 'states --samples 4': 150, 'fixed_lines': 80}
# chip, driver, program
RUNS = [('navi21', 'radv', 'states --samples 1'), ('navi21', 'radv-26', 'states --samples 4'),
        ('navi21', 'radv-26', 'fixed_lines'), ('vega10', 'radv', 'states --samples 4'),
        ('navi10', 'radv', 'states --samples 1'), ('navi31', 'radv-26', 'states --samples 1'),
        ('gfx1150', 'radv-26', 'states --samples 4')]
GENERATION = {'vega10': 'gfx9', 'navi10': 'gfx10', 'navi21': 'gfx103', 'navi31': 'gfx11', 'gfx1150': 'gfx115'}


def read_table(path):
  """[line number, name, values, whether a run needed it] of each row."""
  rows = []
  for number, line in enumerate(path.read_text().splitlines(), 1):
    if line and not line.startswith('#'):
      name, values, reason = (part.strip() for part in line.split(' | '))
      assert reason, f'{path}:{number}: no reason'
      rows.append([number, name, values.split(), False])
  return rows


def dump(indium, chip, driver, program):
  with tempfile.TemporaryDirectory() as folder:
    out = pathlib.Path(folder) / 'state'
    run = subprocess.run([indium, 'run', '--gpu', chip, '--driver', driver, '--dump-state', out, '--', *program],
                         cwd=folder, capture_output=True, text=True, check=False, timeout=250)
    if run.returncode == SKIPPED:
      return None
    assert run.returncode == 0, run.stderr
    return out.read_text()


def draws(text):
  """(what tells a draw from others, registers) of each draw."""
  registers, found = None, []
  for line in text.splitlines():
    kind, _, rest = line.partition(' ')
    if kind == 'registers':
      registers = {}
    elif kind != 'packet':
      registers[kind] = int(rest.split()[0], 16)
    elif match := re.match(r'(DRAW_INDEX_AUTO|DRAW_INDEX_2) 0x(\w+)', rest):
      found.append(((match[1], match[2], registers.get('PA_CL_VPORT_XSCALE')), registers))
  return found


def pairs(ours, theirs):
  """Draws of both in the same order; what only one has (clears, copies) is left out."""
  matcher = difflib.SequenceMatcher(None, [d[0] for d in ours], [d[0] for d in theirs], autojunk=False)
  for a, b, count in matcher.get_matching_blocks():
    yield from ((ours[a + i][1], theirs[b + i][1]) for i in range(count))


def fields_of(tables, generation):
  """register name -> fields"""
  found = {}
  for word in tables.registers.values():
    for i in range(word.count if generation in word.gens else 0):
      first = not word.format or (i == 0 and '_%u' in word.format)
      found[word.name if first else word.format % i] = word.fields(generation)
  return found


def split(name, value, fields):
  """field name -> value of a register"""
  parts = [f for f in fields.get(name, []) if f.owned]
  if len(parts) < 2:
    return {name: value}
  return {f'{name}.{f.name}': value >> f.low & (1 << f.width) - 1 for f in parts}


def differences(found, fields):
  """name -> {(ours, theirs): number of draws}"""
  differing = {}
  for mine, other in found:
    for name in mine.keys() | other.keys():
      a, b = mine.get(name), other.get(name)
      if a == b:
        continue
      whole = a is None or b is None
      one, two = ({name: a}, {name: b}) if whole else (split(name, a, fields), split(name, b, fields))
      for field in one:
        if one[field] != two[field]:
          counts = differing.setdefault(field, {})
          counts[one[field], two[field]] = counts.get((one[field], two[field]), 0) + 1
  return differing


def text_of(value):
  return '-' if value is None else f'{value:x}'


def judge(run, differing, rows):
  faults = []
  for name, values in sorted(differing.items()):
    for (mine, other), count in sorted(values.items(), key=str):
      pair = f'{text_of(mine)}:{text_of(other)}'
      found = [r for r in rows if fnmatch.fnmatchcase(name, r[1]) and any(fnmatch.fnmatchcase(pair, v) for v in r[2])]
      for row in found:
        row[3] = True
      if not found:
        faults.append(f'{" ".join(run)}: {name} {pair} in {count} draws is no known difference')
  return faults


def compare(indium, folder, run, tables):
  """Differences, or None without the driver."""
  chip, driver, program = run
  name, *options = program.split()
  texts = [dump(indium, chip, d, [folder / name, *options]) for d in (driver, 'indium')]
  if None in texts:
    return None
  theirs, ours = map(draws, texts)
  found = list(pairs(ours, theirs))
  assert len(found) >= PROGRAMS[program], (run, len(found))
  return differences(found, fields_of(tables, GENERATION[chip]))


def main():
  indium, root, programs = (pathlib.Path(text).resolve() for text in sys.argv[1:4])
  folder = root / 'src/amd/hw'
  sys.path.insert(0, str(folder))
  sys.dont_write_bytecode = True
  from hw_tables import Tables
  tables = Tables(sorted(folder.glob('reg_*.txt')))
  table = pathlib.Path(__file__).parent / 'registers.txt'
  rows, faults, missing, shown = read_table(table), [], [], {}
  for run in RUNS:
    differing = compare(indium, programs, run, tables)
    if differing is None:
      missing.append(run)
      continue
    faults += judge(run, differing, rows)
    for name, values in differing.items():
      shown.setdefault(name, set()).update(f'{text_of(a)}:{text_of(b)}' for a, b in values)
  if '--print' in sys.argv:
    for name, values in sorted(shown.items()):
      print(f'{name} | {" ".join(sorted(values))} | ')
  if not missing:
    faults += [f'{table}:{row[0]}: {row[1]} no longer differs so' for row in rows if not row[3]]
  print('\n'.join(faults + [f'{" ".join(run)}: not there' for run in missing]))
  print(f'{len(RUNS) - len(missing)} of {len(RUNS)} runs, {len(shown)} fields differ, {len(faults)} faults')
  return SKIPPED if len(missing) == len(RUNS) else bool(faults)


if __name__ == '__main__':
  sys.exit(main())
