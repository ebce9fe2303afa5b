#!/usr/bin/python3
"""Draws whose result depends on the order of their triangles, and others, by a Vulkan driver on a model.

Usage: orders_test.py INDIUM CHIP DRIVER ORDERS [--short] [WRONG]...

ORDERS: the program; WRONG: fixed cases that the driver lets through and must not: each must be wrong under some
schedule, all else right under all (--short: fewer), and `indium order --check` must count them. Told to take all out
of order, the chip must show what the program says of each case: sensitive or free. Exit status 77: the driver is not
here.
"""
import re
import subprocess
import sys

SKIPPED = 77


def run(*command):
  done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
  return done.returncode, done.stdout


def wrong_cases(output):
  return set(re.findall(r'^FAILED: (.*) \d+: depth', output, re.M))


def obeys(indium, where, orders, wrong, schedules):
  """The driver's own decisions."""
  seen = set()
  for n, schedule in enumerate(schedules):
    more = [] if wrong else ['--count', '60', '--seed', str(n + 1)]
    status, output = run(indium, 'run', *where, '--schedule', schedule, '--', orders, *more)
    cases = wrong_cases(output)
    if status == SKIPPED:
      print(output)
      sys.exit(SKIPPED)
    if (status != 0) != bool(cases) or not cases <= wrong or (cases and schedule == 'in-order'):
      sys.exit(f'{schedule}: {output}')
    seen |= cases
  if seen != wrong:
    sys.exit(f'never wrong: {wrong - seen}')


def mixes(indium, where, orders, schedules):
  """All draws out of order: the program takes the result of any order, and says which it was."""
  others, kinds = set(), {}
  for schedule in schedules:
    status, output = run(indium, 'run', *where, '--schedule', schedule, '--out-of-order', '--', orders, '--any')
    if status:
      sys.exit(f'{schedule}, out of order: {output}')
    for name, kind, result in re.findall(r'^(.*): (free|sensitive), (same|other)$', output, re.M):
      kinds[name] = kind
      if result == 'other':
        others.add(name)
  sensitive = {name for name, kind in kinds.items() if kind == 'sensitive'}
  if others != sensitive or len(kinds) < 20:
    sys.exit(f'in another order: {sorted(others)} and not {sorted(sensitive)}')
  return len(sensitive)


def main():
  indium, chip, driver, orders, *wrong = sys.argv[1:]
  short = '--short' in wrong
  wrong = {w for w in wrong if w != '--short'}
  where = ['--gpu', chip, '--driver', driver]
  seeds = [f'seed={n}' for n in range(1, 5 if short else 13)]
  obeys(indium, where, orders, wrong, ['in-order', 'worst', *seeds])
  sensitive = mixes(indium, where, orders, ['worst', *[f'seed={n}' for n in range(1, 13)]])
  status, report = run(indium, 'order', '--check', *where, '--', orders)
  print(report)
  counted = {name for name in wrong if 'query' in name}
  let = int(re.search(r'let through: (\d+)', report)[1])
  found = int(re.search(r'(\d+) sensitive$', report, re.M)[1])
  # The case of two draws is sensitive as two; that of a boolean query in what no query shows.
  if let != len(wrong - counted) or status != (let > 0) or found != sensitive + 2:
    sys.exit(f'order --check: {let} let, {found} sensitive, of {sensitive} cases')


main()
