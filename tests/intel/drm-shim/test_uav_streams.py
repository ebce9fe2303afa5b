#!/usr/bin/python3
"""What other people's drivers say of shaders that write memory, read from the streams they submit.

Usage: test_uav_streams.py INDIUM CHIP DRIVER [PROGRAM]. The program draws by Vulkan (tests/vulkan/uav_draw.c). The
expectations are those drivers' sources, read by hand (docs/drivers/intel/uav.md): the same in Mesa 22.3.6 and
25.0.7. Exit status 77: the driver is not here.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
DRAWS = pathlib.Path(__file__).with_name('uav_draws.py')
# Of each case: whether the pixel shader stores, discards, and whether it has a colour target that it may write.
CASES = {
  'store': (True, False, False), 'store colour': (True, False, True), 'store masked': (True, False, False),
  'atomic': (True, False, False), 'kill counted': (False, True, False), 'kill colour': (False, True, True),
  'colour': (False, False, True), 'vertex store': (False, False, True),
}
ONLY_GL = {'atomic', 'vertex store'}
VULKAN = {**{name: what for name, what in CASES.items() if name not in ONLY_GL},
          'colour masked': (False, False, False)}


def expected(chip, driver, stores, kills, target):
  """(3DSTATE_WM's UAV-only, forced dispatch, Has UAV of the pixel shader)"""
  if driver.startswith('crocus') and chip == 'hsw':
    return stores and not target, False, False
  if driver.startswith('hasvk'):
    return False, chip == 'bdw' and (stores or kills or not target), False
  if driver.startswith('crocus'):
    return False, stores or kills, (stores or kills) and not target
  return False, stores or kills, False


def run(*command, status=0):
  done = subprocess.run(command, capture_output=True, text=True, timeout=120)
  if done.returncode == SKIPPED:
    print(done.stderr, end='')
    sys.exit(SKIPPED)
  assert done.returncode == status, done
  return done


def check_case(indium, chip, driver, name, file, what, program):
  run(indium, 'run', '--gpu', chip, '--driver', driver, '--dump-state', file, '--', *program, name)
  text = run(indium, 'uav', '--all', file).stdout
  numbers = re.search(r'VS (\d+), HS (\d+), DS (\d+), GS (\d+), PS (\d+); UAV-only (\d+); forced dispatch (\d+); '
                      r'coherency required (\d+)', text)
  *upper, pixel, only, forced, coherency = map(int, numbers.groups())
  stores, kills, target = what
  assert upper == [0, 0, 0, 0] and coherency == 0, text
  assert (only, forced, pixel) == expected(chip, driver, stores, kills, target), (name, text)
  counted = re.search(r' draws write memory, (\d+) of them by the pixel shader', text)
  assert counted[1] == str(int(stores)), (name, text)
  assert (' counted' in text.replace('not counted', '')) == (name == 'kill counted'), text
  # Nobody loses anything; crocus says it twice on Broadwell, and the flush is for nothing.
  assert f'found: 0 draws lose work, {pixel} flushes without need, 0 can hang' in text, text
  if name == 'vertex store':
    assert re.search('VS (may store|stores),', text), text


def check_files(indium, file):
  """A dump can be changed by hand; what is wrong in it is named with its line."""
  lines = pathlib.Path(file).read_text().splitlines()
  broken = pathlib.Path(file + '.broken')

  def expect(message, change):
    copy = list(lines)
    change(copy)
    broken.write_text('\n'.join(copy) + '\n')
    done = run(indium, 'uav', broken, status=2)
    assert re.search(message, done.stderr) and not done.stdout.startswith('found'), (message, done)
  at = next(i for i, line in enumerate(lines) if '3DPRIMITIVE' in line)
  expect('line 1: "indium intel stream 1" is missing', lambda c: c.pop(0))
  expect('line 2: no chip is called "xyz"', lambda c: c.__setitem__(1, 'chip xyz'))
  expect(f'line {at + 1}: 7b000005 begins 3DPRIMITIVE, not 3DSTATE_VS',
         lambda c: c.__setitem__(at, c[at].replace('3DPRIMITIVE', '3DSTATE_VS')))
  expect(f'line {at + 1}: .* begins a packet of 7 words, not 8', lambda c: c.__setitem__(at, c[at] + ' 00000000'))
  expect(f'line {at + 1}: "zz" is no word', lambda c: c.__setitem__(at, c[at] + ' zz'))
  expect(r'submit \d: nothing is there to be read at', lambda c: c.pop(at))
  expect('is none of', lambda c: c.append('frob 1'))


def main():
  indium, chip, driver, *program = sys.argv[1:]
  cases = VULKAN if program else CASES
  with tempfile.TemporaryDirectory() as folder:
    file = folder + '/stream.txt'
    for name, what in cases.items():
      check_case(indium, chip, driver, name, file, what, program or ['/usr/bin/python3', DRAWS])
    check_files(indium, file)
  print(f'{driver} on {chip}: as expected')


if __name__ == '__main__':
  sys.exit(main())
