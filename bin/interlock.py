"""Implements `bin/conformance interlock`: ordered sections through drivers on every chip, under many schedules. A
cell is one program through one driver on one chip, and the number of its runs that passed."""
import collections
import concurrent.futures
import csv
import os
import pathlib
import sys

import deqp
from matrix import last_line, start

ROOT = pathlib.Path(__file__).resolve().parent.parent
PUBLISHED = ROOT / 'tests/conformance/interlock.csv'
TABLE = ROOT / 'docs/conformance.md'
MARKS = ('<!-- bin/conformance interlock wrote what follows -->', '<!-- up to here: interlock -->')
COLUMNS = ['driver', 'chip', 'program', 'passed', 'runs', 'first']
DRIVERS = ['indium', 'radv-25', 'radv-26']
CHIPS = ['vega10', 'raven', 'navi10', 'navi21', 'vangogh', 'navi31', 'gfx1150', 'm1', 'm2']
# They lack 8 samples, and one driver has interlock on them.
AGX = ['m1', 'm2']
OIT = ['examples/oit', '--check', '--width', '96', '--height', '64', '--triangles', '120']
# Program -> the ways to run it; dEQP's cases are a list.
PROGRAMS = {
  'oit': [OIT + more for more in ([], ['--samples', '4'], ['--samples', '4', '--interlock', 'sample'], ['--kbuffer'],
                                  ['--samples', '8', '--interlock', 'sample'], ['--textured', '--samples', '2'])],
  'interlock_draws': [['tests/vulkan/interlock_draws']],
  'interlock_features': [['tests/vulkan/interlock_features', '--rules=keep']],
  'dEQP': [],
}
CASES = ROOT / 'tests/conformance/interlock.txt'


class Cell:
  def __init__(self, key):
    self.key, self.passed, self.runs, self.first = key, 0, 0, ''

  def take(self, good, text):
    self.runs += 1
    self.passed += good
    if not good:
      self.first = self.first or text
      print(f'{" ".join(self.key)}: {text}', flush=True)

  def row(self):
    return dict(zip(COLUMNS, (*self.key, self.passed, self.runs, self.first)))


def run_programs(options, cell, schedules):
  driver, chip, program = cell.key
  for schedule in schedules:
    for words in PROGRAMS[program]:
      words = ['2' if word == '8' and chip in AGX else word for word in words]
      command = [options.indium, 'run', '--gpu', chip, '--driver', driver, '--schedule', schedule, '--',
                 str(options.build / words[0]), *words[1:]]
      code, text = start(command, os.environ | {'INDIUM_THREADS': '1'}, options.timeout)
      faults = [line for line in text.splitlines() if line.startswith('indium: GPU fault')]
      cell.take(code == 0 and not faults,
                f'{schedule}: {" ".join(words[1:])}: {(faults or [last_line(text)])[0]} ({code})')


def run_cases(options, cell, schedules, folder, names):
  driver, chip, _ = cell.key
  for schedule in schedules:
    more = ['--gpu', chip, '--schedule', schedule] + ['--conformance-version', '1.4.6.1'] * (driver == 'indium')
    deqp.run(deqp.Target(folder, options.indium, driver, more, options.timeout), names,
             lambda case: cell.take(case.status in ('pass', 'warning'), f'{schedule}: {case.status}: {case.name}: '
                                    f'{case.text}'))


def run(options, folder, names):
  schedules = ['in-order', 'worst', *(f'seed={seed}' for seed in range(1, options.seeds + 1))]
  keys = [(driver, chip, program) for driver in options.driver or DRIVERS for chip in options.gpu or CHIPS
          for program in options.program or PROGRAMS
          if (folder or program != 'dEQP') and (driver == 'indium' or chip not in AGX)]
  cells = [Cell(key) for key in keys]

  def one(cell):
    if cell.key[2] == 'dEQP':
      run_cases(options, cell, schedules, folder, names)
    else:
      run_programs(options, cell, schedules)
    print(f'{" ".join(cell.key)}: {cell.passed} of {cell.runs}', flush=True)

  with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
    for future in [pool.submit(one, cell) for cell in cells]:
      future.result()
  return [cell.row() for cell in cells]


def load(path):
  if not path.exists():
    return {}
  with open(path, newline='') as file:
    return {tuple(row[name] for name in COLUMNS[:3]): row for row in csv.DictReader(file)}


def save(path, rows):
  with open(path, 'w', newline='') as file:
    writer = csv.DictWriter(file, COLUMNS, lineterminator='\n')
    writer.writeheader()
    writer.writerows(rows)


def markdown(rows):
  chips = collections.defaultdict(list)
  for row in rows:
    chips[row['driver'], row['chip']].append(row)
  lines = ['| driver | chip | ' + ' | '.join(PROGRAMS) + ' |', '|---|---|' + '---|' * len(PROGRAMS)]
  for (driver, chip), cells in chips.items():
    found = {row['program']: f'{row["passed"]} of {row["runs"]}' for row in cells}
    lines.append(f'| {driver} | {chip} | ' + ' | '.join(found.get(name, '') for name in PROGRAMS) + ' |')
  return '\n'.join(lines)


def publish(rows):
  """Replaces the published rows of the same cells."""
  known = load(PUBLISHED) | {tuple(row[name] for name in COLUMNS[:3]): row for row in rows}
  ranks = [DRIVERS, CHIPS, list(PROGRAMS)]
  rows = sorted(known.values(), key=lambda row: [rank.index(row[name]) for rank, name in zip(ranks, COLUMNS)])
  save(PUBLISHED, rows)
  before, _, rest = TABLE.read_text().partition(MARKS[0])
  after = rest.partition(MARKS[1])[2]
  TABLE.write_text(f'{before}{MARKS[0]}\n{markdown(rows)}\n{MARKS[1]}{after}')


def add_parser(suites, positive):
  suite = suites.add_parser(
    'interlock', help='ordered sections on every chip', description='Runs programs with ordered sections through '
    'drivers on every chip, in order, under worst and under seeds. Status 0: all passed.')
  add = suite.add_argument
  add('--driver', action='append', help=f'repeatable; default {", ".join(DRIVERS)}')
  add('--gpu', action='append', choices=CHIPS, help='repeatable; default all')
  add('--program', action='append', choices=list(PROGRAMS), help='repeatable; default all')
  add('--seeds', type=positive, default=20, help='number of random schedules; default 20')
  add('--jobs', type=positive, default=len(os.sched_getaffinity(0)), help='parallel cells; default one per core')
  add('--timeout', type=positive, default=300, help='seconds of a run; default 300')
  add('--deqp', default=os.environ.get('DEQP'), help='folder of deqp-vk')
  add('--build', type=pathlib.Path, default=ROOT / 'build', help='the build folder; default build')
  add('--indium', help='a built indium command; by default this tree is built')
  add('--publish', action='store_true',
      help=f'write the results into {TABLE.relative_to(ROOT)} and {PUBLISHED.relative_to(ROOT)}')


def main(options, find_deqp, names_of_list, built_indium):
  folder, names = None, list(names_of_list(CASES))
  if not options.program or 'dEQP' in options.program:
    try:
      folder = find_deqp(options.deqp)
    except Exception as error: # the other programs run without
      print(f'bin/conformance: {error}', file=sys.stderr)
  options.build = options.build.resolve()
  options.indium = os.path.abspath(options.indium) if options.indium else built_indium()
  rows = run(options, folder, names)
  if options.publish:
    publish(rows)
  return int(any(row['passed'] != row['runs'] for row in rows))
