#!/usr/bin/python3
"""raster_order_test.py INDIUM CHIP PROGRAM: what the driver programs of raster_order.c's draws, and how often."""
import os
import re
import subprocess
import sys
import tempfile

INDIUM, CHIP, PROGRAM = sys.argv[1:]
CHIPS = ['vega10']  # that rasterise out of order: GFX9 with several shader engines
ENABLE = 1 << 27
# What options change, by the names of draws.
OPTIONS = {
  '': {},
  'nooutoforder': 'none',
  'assume_no_z_fights': {'colour and depth': True, 'colour behind a prepass': True},
  'commutative_blend_add': {'added': True},
}
REGISTER = re.compile(r'PA_SC_MODE_CNTL_1 (0x[0-9a-f]+)')
DRAW = re.compile(r'packet DRAW_INDEX_AUTO (0x[0-9a-f]+)')


def drirc(file, executable, option):
  """A file of options for applications, for the environment."""
  file.write(f'<driconf><device driver="indium"><application executable="{executable}">'
             f'<option name="{option}" value="true"/></application></device></driconf>')
  file.flush()
  return {'INDIUM_DRIRC': file.name}


def run(options, environment=None):
  """{number of a draw: (right, name)}, {the same: is the bit set?}, the bit before each internal draw."""
  with tempfile.NamedTemporaryFile() as dump:
    done = subprocess.run([INDIUM, 'run', '--gpu', CHIP, '--dump-state', dump.name, '--', PROGRAM],
                          env={**os.environ, 'RADEONSI_DEBUG': options, **(environment or {})}, text=True,
                          capture_output=True, timeout=120)
    text = dump.read().decode()
  if done.returncode:
    sys.exit(done.stdout + done.stderr)
  rows = {int(n): (right, name) for n, right, name in re.findall(r'^(\d+) (\w+) (.*)$', done.stdout, re.M)}
  state, draws, clears = None, {}, []
  for line in text.splitlines():
    if found := REGISTER.match(line):
      state = bool(int(found[1], 16) & ENABLE)
    elif found := DRAW.match(line):
      vertices = int(found[1], 16)
      if vertices < 100:
        clears.append(state)
      else:
        draws[vertices - 100] = state
  return rows, draws, clears


def expected(right, name, options):
  if CHIP not in CHIPS or OPTIONS[options] == 'none':
    return False
  return OPTIONS[options].get(name, right != 'no')


def main():
  wrong = 0
  for options in OPTIONS:
    rows, draws, clears = run(options)
    if len(rows) < 20 or set(rows) != set(draws) or not clears:
      sys.exit(f'{len(rows)} rows, {len(draws)} draws, {len(clears)} clears')
    for number, (right, name) in rows.items():
      if draws[number] != expected(right, name, options):
        print(f'{options or "no option"}: {name}: {"out of order" if draws[number] else "in order"}')
        wrong += 1
    if any(clears):
      print(f'{options or "no option"}: clears are out of order')
      wrong += 1
    for executable, same_as in ((os.path.basename(PROGRAM), draws), ('another', run('')[1])):
      with tempfile.NamedTemporaryFile('w') as file:
        if options and run('', drirc(file, executable, options))[1] != same_as:
          print(f'{options} in a file for {executable}: not as in RADEONSI_DEBUG')
          wrong += 1
  return wrong != 0


if __name__ == '__main__':
  sys.exit(main())
