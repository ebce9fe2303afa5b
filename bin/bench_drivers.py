"""bench_drivers.py BUILD CHIP...: frames a second of other people's programs through other people's drivers on the
model, next to Mesa's drivers for the CPU in the same run. The start of a program does not count: its frames are those
that a longer run has more than a short one. For `bin/bench drivers`."""
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'tests/vulkan'))
sys.dont_write_bytecode = True
import windows  # noqa: E402

# Name, width and height, drivers, the one for the CPU, what stands before the window, words of the program.
PROGRAMS = [
  ('vkcube', 500, ['radv-26', 'radv'], 'lavapipe', 'libframe_vk.so',
   ['/usr/bin/vkcube', '--c', '{frames}', '--width', '{size}', '--height', '{size}']),
  ('glxgears', 300, ['radeonsi-26', 'radeonsi'], 'llvmpipe', 'libframe_gl.so',
   ['/usr/bin/glxgears.x86_64-linux-gnu']),
  ('glmark2 build', 300, ['radeonsi-26', 'radeonsi'], 'llvmpipe', 'libframe_gl.so',
   ['/usr/bin/glmark2-es2', '-s', '{size}x{size}', '-b', 'build:duration=100000:nframes={frames}']),
]
SHORT, ROUNDS, LIMIT_S = 2, 3, 120


class Failed(Exception):
  """Why there is no figure."""


def run(words, environment):
  """Seconds."""
  began = time.monotonic()
  try:
    done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=LIMIT_S,
                          stderr=subprocess.STDOUT, text=True, errors='replace')
  except (OSError, subprocess.TimeoutExpired) as error:
    raise Failed(f'{words[0]}: {error}') from error
  took = time.monotonic() - began
  for line in done.stdout.splitlines():
    if 'GPU fault' in line or 'CS has been rejected' in line:
      raise Failed(line[:150])
  if done.returncode:
    lines = done.stdout.strip().splitlines()
    raise Failed(lines[-1][:150] if lines else f'status {done.returncode}')
  return took


def rate(words, size, environment):
  """Frames a second, the median of some pairs of runs; the longer ones take at least half a second more."""
  def seconds(frames):
    return run([word.format(frames=frames, size=size) for word in words], environment | {'FRAME_COUNT': str(frames)})
  longer = 8
  while seconds(longer) - seconds(SHORT) < 0.5 and longer < 4096:
    longer *= 4
  return statistics.median((longer - SHORT) / max(seconds(longer) - seconds(SHORT), 1e-3) for _ in range(ROUNDS))


def fetched(build, names):
  """The first of them that is here."""
  listed = subprocess.run([build / 'src/tools/indium', 'drivers'], capture_output=True, text=True, check=True).stdout
  rows = {row[0]: row[2] for line in listed.splitlines() if len(row := line.split(None, 2)) == 3}
  return next((name for name in names if not rows.get(name, 'not here').startswith('not here')), names[-1])


def main(build, *chips):
  build = pathlib.Path(build).resolve()
  with windows.screen() as display:
    if not display:
      sys.exit('bench_drivers: there is no X server')
    for name, size, drivers, peer, library, words in PROGRAMS:
      environment = os.environ | {'DISPLAY': display, 'FRAME_SIZE': f'{size}x{size}', 'FRAME_FILE': '',
                                  'LD_PRELOAD': str(build / 'tests/vulkan' / library)}
      try:
        theirs = rate(words, size, environment | windows.on_processor())
      except Failed as error:
        print(f'{name} {size}x{size}: {peer}: {error}', flush=True)
        continue
      print(f'{name} {size}x{size}: {peer}: {theirs:.1f} frames a second', flush=True)
      driver = fetched(build, drivers)
      for chip in chips:
        ahead = [str(build / 'src/tools/indium'), 'run', '--driver', driver, '--gpu', chip, '--']
        try:
          ours = rate(ahead + words, size, environment)
          figures = f'{ours:.1f} frames a second, {ours / theirs:.2f} of {peer}'
          print(f'{name} {size}x{size}: {driver} on {chip}: {figures}', flush=True)
        except Failed as error:
          print(f'{name} {size}x{size}: {driver} on {chip}: {error}', flush=True)


if __name__ == '__main__':
  main(*sys.argv[1:])
