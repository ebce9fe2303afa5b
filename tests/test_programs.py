#!/usr/bin/python3
"""Other people's programs, as Debian packages them, on a modelled GPU: what a program's window shows, or the file
that it writes, is compared with what the same program makes with lavapipe.

Usage: test_programs.py INDIUM PROGRAM CHIP [DRIVER]. PROGRAM is a row of programs.toml for this machine's release of
Debian, DRIVER one of `indium drivers`, or lavapipe. KEEP=FOLDER in the environment keeps the pictures. Status 77: the
program, an X server, weston or the driver is not here.

Windows are read from the memory of an X server (Xvfb), while the program runs. A program in a window of Wayland runs
in a weston whose only output is that server's window. Programs move, so every picture of both is kept; one of ours
must be one of lavapipe's. There is a limit, but no moment at which a picture has to be there.
"""
import contextlib
import dataclasses
import os
import pathlib
import platform
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import tomllib
import zlib

HERE = pathlib.Path(__file__).resolve().parent
OLDEST, NEWEST = 12, 13 # releases of Debian in programs.toml
SKIPPED, LIMIT_S, LOOK_S = 77, int(os.environ.get('LIMIT_S', 400)), 0.02
# Pixels of the program, not of the empty screen, that may differ by more than 2/255.
DIFFERENT = 0.0005
MOST = 400 # pictures of one program that are kept
NO_SUBMITS = 'got no submits'


def this_release():
  """Debian's release here, of those that have rows; else the oldest."""
  with contextlib.suppress(OSError, KeyError, ValueError):
    return min(max(int(platform.freedesktop_os_release()['VERSION_ID']), OLDEST), NEWEST)
  return OLDEST


RELEASE = this_release()


@dataclasses.dataclass
class Program:
  name: str
  package: str           # of Debian
  words: list            # {data}: tests/programs; {folder}: an empty one; {out}: the file that it writes
  what: str              # for the page
  set: dict = dataclasses.field(default_factory=dict) # environment
  before: list = dataclasses.field(default_factory=list) # words of another program that runs first, and ends
  file: str = ''         # that the package has to have installed, besides words[0]
  before_set: dict = dataclasses.field(default_factory=dict) # its environment, besides
  screen: str = '320x240'
  weston: bool = False   # in a window of Wayland
  writes: bool = False   # a file, without a window
  colours: int = 30      # that a picture has at least
  alone: bool = False    # there is nothing to compare with: a picture is all that is asked for
  different: float = DIFFERENT
  chips: list = dataclasses.field(default_factory=lambda: ['navi21', 'navi31', 'vega10', 'm1']) # of the tests
  small: bool = False    # runs in bin/test; others in bin/test --full
  lavapipe: list = dataclasses.field(default_factory=list) # more words there
  gl: bool = False       # OpenGL: through Zink where the driver is of Vulkan; llvmpipe instead of lavapipe
  more: list = dataclasses.field(default_factory=list) # other packages that it needs


def programs(release=None):
  """The rows of a release of Debian (without: this machine's), with what is different on it."""
  found = {}
  for row in tomllib.loads((HERE / 'programs.toml').read_text())['program']:
    releases, on = row.pop('releases', [12]), row.pop('on', {})
    if (release or RELEASE) in releases:
      found[row['name']] = Program(**row | on.get(str(release or RELEASE), {}))
  return found


def packages(rows):
  return sorted({package for program in rows.values() for package in [program.package, *program.more]})


# ---- pictures: (width, height, bytes of red, green, blue) ----

def read_screen(path):
  """What the X server shows: an X window dump."""
  data = path.read_bytes()
  header = struct.unpack('>25I', data[:100])
  first, width, height, line_B, colours = header[0], header[4], header[5], header[12], header[19]
  first += colours * 12
  if len(data) < first + line_B * height or header[11] != 32:
    return None
  rows = b''.join(data[first + y * line_B:first + y * line_B + 4 * width] for y in range(height))
  out = bytearray(width * height * 3)
  out[0::3], out[1::3], out[2::3] = rows[2::4], rows[1::4], rows[0::4]
  return width, height, bytes(out)


def read_ppm(path):
  data = path.read_bytes()
  found = re.match(rb'P6\s+(\d+)\s+(\d+)\s+255\s', data)
  return (int(found[1]), int(found[2]), data[found.end():]) if found else None


def write_png(path, picture):
  width, height, pixels = picture
  rows = b''.join(b'\0' + pixels[y * width * 3:(y + 1) * width * 3] for y in range(height))

  def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
  path.write_bytes(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)) +
                   chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


def count_colours(picture):
  pixels = picture[2]
  return len({pixels[i:i + 3] for i in range(0, len(pixels), 3)})


def far(a, b, i):
  return any(abs(a[i + c] - b[i + c]) > 2 for c in range(3))


def different(ours, theirs):
  """The part of the program's pixels that differ, from 0 to 1."""
  if ours[:2] != theirs[:2]:
    return 1.0
  a, b = ours[2], theirs[2]
  if a == b:
    return 0.0
  sample = range(0, len(a), 3 * 97)
  if sum(far(a, b, i) for i in sample) > len(sample) * 0.05: # nowhere near
    return 1.0
  drawn = sum(b[i:i + 3] != b'\0\0\0' for i in range(0, len(b), 3))
  return sum(a[i:i + 3] != b[i:i + 3] and far(a, b, i) for i in range(0, len(a), 3)) / max(drawn, 1)


# ---- running ----

@contextlib.contextmanager
def started(words, **more):
  """Its process group ends with it."""
  with subprocess.Popen(words, stdin=subprocess.DEVNULL, start_new_session=True, **more) as process:
    try:
      yield process
    finally:
      for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
          os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
          process.wait(10)


@contextlib.contextmanager
def x_server(folder, size):
  """(DISPLAY, the file of its pixels)"""
  read, write = os.pipe()
  words = ['Xvfb', '-displayfd', str(write), '-noreset', '-nolisten', 'tcp', '-fbdir', str(folder), '-screen', '0',
           size + 'x24']
  with started(words, pass_fds=[write], stderr=subprocess.DEVNULL):
    os.close(write)
    with os.fdopen(read) as told:
      number = told.readline().strip()
    yield (':' + number, folder / 'Xvfb_screen0') if number else (None, None)


@contextlib.contextmanager
def weston(folder, display, size):
  """WAYLAND_DISPLAY of a compositor without decorations."""
  width, height = size.split('x')
  words = ['weston', '--backend=x11-backend.so', '--use-pixman', f'--width={width}', f'--height={height}',
           '--shell=kiosk-shell.so',
           '--socket=indium', '--idle-time=0', '--no-config']
  surroundings = os.environ | {'XDG_RUNTIME_DIR': str(folder), 'DISPLAY': display}
  with started(words, env=surroundings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
    while not (folder / 'indium').exists() and server.poll() is None:
      time.sleep(0.01)
    yield 'indium'


def on_processor():
  icd = ':'.join(str(path) for path in pathlib.Path('/usr/share/vulkan/icd.d').glob('lvp_icd*.json'))
  return {'VK_DRIVER_FILES': icd, 'VK_ICD_FILENAMES': icd, 'NODEVICE_SELECT': '1', 'LIBGL_ALWAYS_SOFTWARE': '1'}


class Run:
  """One program with one driver: text, pictures, status (None: it runs)."""

  def __init__(self, program, ahead, more, stack):
    self.program, self.pictures, self.status = program, {}, None
    self.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix='programs-')))
    self.out = self.folder / 'out.ppm'
    self.log = self.folder / 'log'
    surroundings = {k: v for k, v in os.environ.items() if k not in ('DISPLAY', 'WAYLAND_DISPLAY')}
    values = {'data': HERE / 'programs', 'folder': self.folder, 'out': self.out}
    own = {name: value.format(**values) for name, value in program.set.items()}
    surroundings |= {'XDG_RUNTIME_DIR': str(self.folder), 'HOME': str(self.folder), 'NO_AT_BRIDGE': '1',
                     'LC_ALL': 'C.UTF-8', 'GIO_USE_VFS': 'local'} | own | more
    self.screen = None
    if not program.writes:
      display, self.screen = stack.enter_context(x_server(self.folder, program.screen))
      surroundings['DISPLAY'] = display
      if program.weston:
        surroundings['WAYLAND_DISPLAY'] = stack.enter_context(weston(self.folder, display, program.screen))
        del surroundings['DISPLAY']
    words = [word.format(**values) for word in program.words]
    if program.before:
      first = {name: value.format(**values) for name, value in program.before_set.items()}
      with started(ahead + [word.format(**values) for word in program.before], env=surroundings | first,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder) as before:
        with contextlib.suppress(subprocess.TimeoutExpired):
          before.wait(LIMIT_S)
    with self.log.open('w') as log:
      self.process = stack.enter_context(started(ahead + words, env=surroundings, stdout=log, cwd=self.folder,
                                                 stderr=subprocess.STDOUT))

  def look(self):
    """A picture that is new, or None."""
    self.status = self.process.poll()
    if self.program.writes:
      picture = read_ppm(self.out) if self.status is not None and self.out.exists() else None
    else:
      picture = read_screen(self.screen)
    if not picture or hash(picture) in self.pictures or len(self.pictures) >= MOST or (
        count_colours(picture) < self.program.colours) or not any(picture[2]):
      return None
    self.pictures[hash(picture)] = picture
    return picture

  def text(self):
    return self.log.read_text(errors='replace')

  def last_line(self):
    lines = [line.strip() for line in self.text().splitlines() if line.strip()]
    return lines[-1][:160] if lines else ''

  def last(self):
    return list(self.pictures.values())[-1] if self.pictures else None


def meet(ours, theirs):
  """Until a picture of ours is one of theirs, both have ended, or the time is over: (least difference, which)"""
  least, until = (2.0, None), time.monotonic() + LIMIT_S
  while time.monotonic() < until:
    new, other = ours.look(), theirs.look()
    if ours.program.alone and ours.pictures:
      break
    pairs = [(new, b) for b in theirs.pictures.values()] if new else []
    pairs += [(a, other) for a in ours.pictures.values() if a is not new] if other else []
    for pair in pairs:
      least = min(least, (different(*pair), pair), key=lambda found: found[0])
    if least[0] <= ours.program.different or ours.status is not None and (
        theirs.status is not None or ours.status or not ours.pictures):
      break
    time.sleep(LOOK_S)
  return least


def zink(program, driver):
  """The words that choose it, of the Vulkan driver's release."""
  releases = {'indium': 'zink', 'radv': 'zink', 'radv-25': 'zink-25', 'radv-26': 'zink-26', 'honeykrisp': 'zink-26'}
  return ['--gl', releases[driver]] if program.gl and driver in releases else []


def missing(program):
  """Why it cannot run here, or None."""
  if not shutil.which(program.words[0]):
    return f'{program.words[0]} is not here (package {program.package})'
  if program.file and not os.path.exists(program.file):
    return f'{program.file} is not here (package {program.package})'
  for server in ['Xvfb'] * (not program.writes) + ['weston'] * program.weston:
    if not shutil.which(server):
      return f'there is no {server}'
  return None


def judge(ours, theirs, least, seen):
  """(result, detail)"""
  text = ours.text()
  fault = re.search(r'indium: GPU fault: (.*)', text)
  if fault:
    return 'fault', fault[1][:160]
  if ours.status == SKIPPED:
    return 'skipped', ours.last_line()
  if NO_SUBMITS in text:
    return 'fails', f'another driver drew it, or nothing: {ours.last_line()}'
  if not ours.pictures:
    return 'fails', f'no picture; {ours.last_line()}'
  if ours.program.alone:
    return 'drawn', f'{seen} colours'
  if not theirs.pictures:
    return 'alone', f'lavapipe has no picture: {theirs.last_line()}'
  if least <= ours.program.different:
    return 'right', f'{100 * (1 - least):.6g}% of its pixels; {seen} colours'
  return 'differs', f'{100 * (1 - least):.4g}% of its pixels' if least < 1 else 'no picture is near'


def compare(indium, program, chip, driver):
  why = missing(program)
  if why:
    return 'skipped', why
  ahead = [indium, 'run', '--gpu', chip, '--driver', driver, *zink(program, driver), '--']
  with contextlib.ExitStack() as stack:
    reference = dataclasses.replace(program, words=program.words + program.lavapipe)
    theirs = Run(reference, [], on_processor(), stack)
    with contextlib.ExitStack() as mine:
      ours = Run(program, ahead, {}, mine)
      least, pair = meet(ours, theirs)
      shown = pair[0] if pair else ours.last()
      keep = os.environ.get('KEEP')
      if keep and shown:
        write_png(pathlib.Path(keep) / f'{program.name}.{chip}.{driver}.png', shown)
      if keep and (pair or theirs.last()):
        write_png(pathlib.Path(keep) / f'{program.name}.lavapipe.png', pair[1] if pair else theirs.last())
      with contextlib.suppress(ProcessLookupError):
        os.killpg(ours.process.pid, signal.SIGTERM)
      with contextlib.suppress(subprocess.TimeoutExpired):
        ours.process.wait(20)
      time.sleep(0.2) # what is written after the end
      return judge(ours, theirs, least, count_colours(shown) if shown else 0)


def main(indium, name, chip, driver='indium'):
  result, detail = compare(os.path.abspath(indium), programs()[name], chip, driver)
  print(f'{name} on {chip} with {driver}: {result}: {detail}')
  return {'right': 0, 'drawn': 0, 'skipped': SKIPPED}.get(result, 1)


if __name__ == '__main__':
  if len(sys.argv) == 2 and sys.argv[1] == '--list':
    for row in programs().values():
      print(row.name, '.' if row.small else '-', *row.chips)
  else:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1)) # what it started ends with it
    sys.exit(main(*sys.argv[1:]))
