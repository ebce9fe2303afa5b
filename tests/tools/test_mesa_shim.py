#!/usr/bin/python3
"""Drivers on Mesa's own drm-shims, one chip: test_mesa_shim.py INDIUM CHIP COMPUTE PROGRAM...

Nothing that is submitted runs there, so what the programs do is calls: each has to succeed. COMPUTE also looks at
values, and has to come that far. Exit status 77 where bin/peers has not fetched the shims or a driver.
"""
import os
import re
import subprocess
import sys
import tempfile

# What Mesa's drivers call the chip.
NAMES = {'vega10': 'VEGA10', 'raven': 'RAVEN', 'renoir': 'RENOIR', 'navi10': 'NAVI10', 'navi21': 'NAVI21',
         'vangogh': 'VANGOGH', 'navi31': 'NAVI31', 'gfx1150': 'STRIX1', 'm1': 'Apple M1 (G13G'}


def run(folder, chip, driver, *program):
  environment = {k: v for k, v in os.environ.items() if not k.startswith('INDIUM_') or k == 'INDIUM_PEERS'}
  command = [os.path.abspath(sys.argv[1]), 'run', '--shim', 'mesa', '--gpu', chip, '--driver', driver, '--', *program]
  done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, cwd=folder)
  if done.returncode == 77:
    print(done.stderr, end='')
    sys.exit(77)
  return done


def check_programs(folder, chip, compute, programs):
  for program in programs:
    done = run(folder, chip, 'indium', program)
    assert done.returncode == 0, done
  done = run(folder, chip, 'indium', compute)
  assert (NAMES[chip] if chip == 'm1' else f'({chip})') in done.stdout and '(Indium)' in done.stdout, done
  assert done.returncode == 1 and re.search(r'^FAILED: \d+ wrong values\n\Z', done.stdout, re.M), done


def main():
  chip = sys.argv[2]
  compute, *programs = map(os.path.abspath, sys.argv[3:])
  with tempfile.TemporaryDirectory() as folder:
    check_programs(folder, chip, compute, programs)
    done = run(folder, chip, 'honeykrisp' if chip == 'm1' else 'radv-26', programs[0])
    assert done.returncode == 0 and NAMES[chip] in done.stdout, done
  print(f'{chip}: fine')


if __name__ == '__main__':
  main()
