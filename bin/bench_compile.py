"""bench_compile.py BUILD CHIP: the processor time of a pipeline with growing shaders, compared with other people's
drivers in noop mode, for `bin/bench compile`."""
import pathlib
import subprocess
import sys
import tempfile

import shader_drivers

# Of tests/compiler/limits: arithmetic in which each depends on what is before, selections and loops one after the
# other, values that live at the same time, loops in loops, values that a loop carries, arrays of which each insert
# makes another, and functions that call the next one twice.
SIZES = {'chain': (300, 3000, 30000), 'ifs': (300, 3000), 'loops': (100, 1000), 'live': (300, 3000),
         'nested_loops': (30, 100, 300), 'carried': (300, 1000), 'inserts': (300, 3000), 'twice': (8, 11, 14)}


def drivers(build, chip):
  """The tree's, and the first of the peers that is here."""
  yield shader_drivers.Driver(build, 'indium', chip)
  for name in ['honeykrisp'] if chip.startswith('m') else ['radv-26', 'radv']:
    peer = shader_drivers.Driver(build, name, chip)
    try:
      peer.some([])
      yield peer
      return
    except shader_drivers.Missing:
      pass


def main():
  build, chip = pathlib.Path(sys.argv[1]), sys.argv[2]
  some = list(drivers(build, chip))
  print(f'{"ms of processor time":24}' + ''.join(f'{driver.name:>12}' for driver in some))
  with tempfile.TemporaryDirectory() as folder:
    for name, sizes in SIZES.items():
      for size in sizes:
        module = pathlib.Path(folder, f'{name}-{size}.spv')
        subprocess.run([build / 'tests/compiler/limits/write_construct', name, str(size), module], check=True)
        results = [driver.measure([shader_drivers.Pipeline((module.name,), (module,))])[0] for driver in some]
        print(f'{name + " " + str(size):24}' + ''.join(f'{result[0]:12.2f}' if result else f'{"refused":>12}'
                                                      for result in results), flush=True)


if __name__ == '__main__':
  main()
