#!/usr/bin/python3
"""Makes the recordings of a chip anew: record.py BUILD CHIP [FOLDER]. BUILD is the build folder, FOLDER takes the
files (`recordings`, here); without one they are only tried. What the programs show must be what lavapipe and llvmpipe
draw, and a replay must write the same words. Status 77: a driver, glxgears or an X server is not here."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'vulkan'))
from pictures import agree # noqa: E402
from windows import SKIPPED, on_processor, screen # noqa: E402

GEARS = '/usr/bin/glxgears.x86_64-linux-gnu'
SIZE_PX = 128


class Failed(Exception):
  """What went wrong."""


def run(words, more=None):
  """What it prints on stdout."""
  done = subprocess.run(list(map(str, words)), env=os.environ | (more or {}), text=True, stdout=subprocess.PIPE,
                        check=False)
  if done.returncode == SKIPPED:
    sys.exit(SKIPPED)
  if done.returncode:
    raise Failed(f'status {done.returncode}: {words}\n{done.stdout}')
  return done.stdout


class Recorder:
  def __init__(self, build, chip, folder, scratch):
    self.build, self.chip, self.folder, self.scratch = pathlib.Path(build).resolve(), chip, folder, scratch
    self.indium = self.build / 'src/tools/indium'

  def record(self, driver, name, words, more=None):
    file = self.folder / f'{driver}-{name}-{self.chip}.txt'
    text = run([self.indium, 'run', '--driver', driver, '--gpu', self.chip, '--record', file, '--', *words], more)
    run([self.indium, 'replay', file])
    print(f'{file.stat().st_size} bytes: {file.name}')
    return text

  def compute(self):
    if 'ok: every sum' not in self.record('radv-26', 'compute', [self.build / 'examples/compute', '--count', '100']):
      raise Failed('a wrong sum')

  def scene(self):
    pictures = [self.scratch / name for name in ('model.png', 'lavapipe.png')]
    words = [[self.build / 'examples/scene', '--width', '24', '--height', '24', '-o', path] for path in pictures]
    self.record('radv-26', 'scene', words[0])
    run(words[1], on_processor())
    print(run([self.build / 'tests/vulkan/compare_pictures', *pictures]), end='')

  def gears(self, display):
    """The first frame."""
    frames = [self.scratch / name for name in ('model', 'llvmpipe')]
    more = {'DISPLAY': display, 'LD_PRELOAD': str(self.build / 'tests/vulkan/libframe_gl.so'), 'FRAME_COUNT': '1',
            'FRAME_SIZE': f'{SIZE_PX}x{SIZE_PX}'}
    self.record('radeonsi-26', 'gears', [GEARS], more | {'FRAME_FILE': str(frames[0])})
    run([GEARS], more | on_processor() | {'FRAME_FILE': str(frames[1])})
    close, colours = agree(*(frame.read_bytes() for frame in frames))
    print(f'{100 * close:.3f}% of pixels within 2/255, {colours} colours')
    if close < 1 or colours < 3:
      raise Failed('not the picture of llvmpipe')


def main(build, chip, folder=None):
  with screen() as display, tempfile.TemporaryDirectory() as scratch:
    if not display or not os.access(GEARS, os.X_OK):
      return SKIPPED
    recorder = Recorder(build, chip, pathlib.Path(folder or scratch), pathlib.Path(scratch))
    try:
      recorder.compute(), recorder.scene(), recorder.gears(display)
    except Failed as failed:
      return str(failed)
  return 0


if __name__ == '__main__':
  sys.exit(main(*sys.argv[1:]))
