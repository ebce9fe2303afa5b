"""bench_speed.py BUILD GPU: processor seconds of programs on the model and on lavapipe 26 (bin/peers fetches it), one
thread each, in the same run, medians of three; the start of the program, measured with next to no work, is taken off.
For `bin/bench speed`; docs/speed.md explains the figures."""
import os
import pathlib
import statistics
import subprocess
import sys

ROWS = [  # name, words of the program, the same with next to no work
  ('gather', 'tests/bench/bench_speed gather', '--count 65536', '--count 64'),
  ('read-only loads', 'tests/bench/bench_speed loads', '--count 65536', '--count 64'),
  ('LDS', 'tests/bench/bench_speed shared', '--count 65536', '--count 64'),
  ('integer', 'tests/bench/bench_speed integer', '--count 65536', '--count 64'),
  ('mandelbrot', 'tests/bench/bench_speed mandelbrot', '--count 65536', '--count 64'),
  ('transcendental', 'tests/bench/bench_speed transcendental', '--count 65536', '--count 64'),
  ('compute 4M', 'examples/compute', '--count 4194304', '--count 1024'),
  ('scene', 'examples/scene', '-o /dev/null', '--width 16 --height 16 -o /dev/null'),
  ('oit 10,000', 'examples/oit', '--triangles 10000 --out /dev/null', '--triangles 1 --out /dev/null'),
]
ROUNDS = 3


def seconds(words, environment):
  """Processor time of the program and its children."""
  child = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
  errors = child.stderr.read().decode(errors='replace').strip()
  _, status, used = os.wait4(child.pid, 0)
  child.returncode = os.waitstatus_to_exitcode(status)
  if child.returncode:
    raise RuntimeError(f'{" ".join(map(str, words[-4:]))}: status {child.returncode} {errors[-200:]}')
  return used.ru_utime + used.ru_stime


def cost(build, options, row, environment):
  _, program, work, none = row
  ahead = [build / 'src/tools/indium', 'run', *options, '--', build / program.split()[0], *program.split()[1:]]
  return (statistics.median(seconds([*ahead, *work.split()], environment) for _ in range(ROUNDS)) -
          statistics.median(seconds([*ahead, *none.split()], environment) for _ in range(ROUNDS)))


def main(build, gpu, *names):
  build = pathlib.Path(build).resolve()
  environment = os.environ | {'INDIUM_THREADS': '1', 'LP_NUM_THREADS': '1'}
  for row in ROWS:
    if names and row[0] not in names:
      continue
    try:
      ours = cost(build, ['--gpu', gpu], row, environment)
      theirs = cost(build, ['--driver', 'lavapipe-26'], row, environment)
    except RuntimeError as error:
      print(f'{row[0]}: {error}', flush=True)
      continue
    print(f'{row[0]}: {ours:.3f} s on {gpu}, {theirs:.3f} s on lavapipe 26, {ours / max(theirs, 1e-3):.1f} times',
          flush=True)


if __name__ == '__main__':
  main(*sys.argv[1:])
