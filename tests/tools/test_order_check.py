#!/usr/bin/python3
"""`indium order --check` on vega10: draws in relaxed order, as VK_AMD_rasterization_order asks for it; recordings.

Usage: test_order_check.py INDIUM DRIVER ORDERS ORDER_INPUTS

tests/vulkan/orders draws 24 batches that depend on the order (it computes which), in relaxed order if it is told so;
order_inputs has three relaxed triangles, each with draws after it that are strict. Exit status 77: the driver is not
here.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
SENSITIVE = 24


def run(*command, **environment):
  done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                        env={**os.environ, **environment})
  return done.returncode, done.stdout


def classes(report):
  """(draws, what became of them, verdict, state), in the order of the report."""
  return re.findall(r'^ +(\d+) (kept|let|relaxed) +(\w+)(?:: [^|]*)? \| (.*)$', report, re.M)


def sums(report):
  """Draws that were let through and must not be, and those in relaxed order."""
  line = re.search(r'^sensitive draws that the driver let through: (\d+)(.*)$', report, re.M)
  relaxed = re.search(r'and (\d+) in relaxed order', line[2])
  return int(line[1]), int(relaxed[1]) if relaxed else 0


def expect(found, expected, what):
  if found != expected:
    sys.exit(f'{found} instead of {expected}: {what}')


def check_programs(check, orders, order_inputs):
  status, report = run(*check, '--', orders, '--relaxed')
  if status == SKIPPED:
    print(report)
    sys.exit(SKIPPED)
  expect((status, *sums(report)), (0, 0, SENSITIVE), report)
  status, report = run(*check, '--', orders)
  expect((status, *sums(report), 'relaxed' in report), (0, 0, 0, False), report)
  status, report = run(*check, '--', order_inputs)
  relaxed = [(int(draws), verdict) for draws, what, verdict, _ in classes(report) if what == 'relaxed']
  expect((status, sum(draws for draws, _ in relaxed), {verdict for _, verdict in relaxed}), (0, 3, {'alone'}), report)


def check_recording(indium, driver, orders, folder):
  """The same report, with marks where the program ran with the layer."""
  layer = {'VK_ADD_LAYER_PATH': str(pathlib.Path(indium).parent / 'order_layer'),
           'VK_INSTANCE_LAYERS': 'VK_LAYER_INDIUM_order'}
  for name, arguments, environment, expected in (('strict', [], {}, (0, 0, 0)),
                                                 ('relaxed', ['--relaxed'], layer, (0, 0, SENSITIVE)),
                                                 ('unmarked', ['--relaxed'], {}, (1, SENSITIVE - 2, 0))):
    recording = folder / name
    status, output = run(indium, 'run', '--gpu', 'vega10', '--driver', driver, '--record', recording, '--', orders,
                         *arguments, **environment)
    expect(status, 0, output)
    status, report = run(indium, 'order', '--check', '--replay', recording)
    expect((status, *sums(report)), expected, f'{name}: {report}')
    if name != 'unmarked':
      direct = run(indium, 'order', '--check', '--gpu', 'vega10', '--driver', driver, '--', orders, *arguments)[1]
      expect(classes(report), classes(direct), name)
  # Another chip, which has no order to lose.
  status, report = run(indium, 'order', '--check', '--replay', folder / 'unmarked', '--gpu', 'raven')
  expect((status, *sums(report)), (0, 0, 0), report)


def check_errors(indium):
  for arguments, message in ((['--replay', '/nowhere'], '/nowhere'), (['--replay', 'a', '--', 'b'], 'not both'),
                             (['--replay', 'a', '--driver', 'radv'], '--driver'), ([], 'name a program')):
    status, output = run(indium, 'order', '--check', *arguments)
    expect((status, message in output), (2, True), output)


def main():
  indium, driver, orders, order_inputs = sys.argv[1:]
  check_programs([indium, 'order', '--check', '--driver', driver], orders, order_inputs)
  check_errors(indium)
  with tempfile.TemporaryDirectory() as folder:
    check_recording(indium, driver, orders, pathlib.Path(folder))


main()
