"""Starts tests of piglit on a driver of `indium run`, and judges their results. A test is a process that prints its
result as a line of JSON; shader_runner runs many tests and prints one line for each."""
import collections
import json
import os
import pathlib
import re
import signal
import sys
import time

from processes import FAULT, NOT_HERE, Processes, Stop

SURFACELESS, GBM = 'surfaceless_egl', 'gbm' # no window at all; one that lies in a buffer
STATUSES = ['pass', 'warn', 'skip', 'fail', 'crash', 'fault', 'timeout']
GOOD = STATUSES[:3]
PATIENCE = 10 # of processor time a test has its limit, of time on the wall so many
NEXT_TEST = re.compile(r'PIGLIT TEST: (\d+) - ')
# Whether the driver itself draws, not Mesa's CPU driver in its place.
PROBE = """
import ctypes
egl, gl = ctypes.CDLL('libEGL.so.1'), ctypes.CDLL('libGL.so.1')
pointer = ctypes.c_void_p
for name in ('eglGetPlatformDisplay', 'eglCreateContext'):
  getattr(egl, name).restype = pointer
gl.glGetString.restype = ctypes.c_char_p
display = pointer(egl.eglGetPlatformDisplay(0x31dd, None, None))
config, count = pointer(), ctypes.c_int32()
wanted = (ctypes.c_int32 * 3)(0x3040, 8, 0x3038)
assert egl.eglInitialize(display, None, None) and egl.eglBindAPI(0x30a2)
assert egl.eglChooseConfig(display, wanted, ctypes.byref(config), 1, ctypes.byref(count))
egl.eglMakeCurrent(display, None, None, pointer(egl.eglCreateContext(display, config, None, None)))
print('renderer:', gl.glGetString(0x1f01).decode(), '/', gl.glGetString(0x1f02).decode())
"""

# Zink draws, as the probe has shown; `indium run --gl` fails a test that has nothing to draw.
IDLE = re.compile(r'^indium run: .* got no submits', re.M)
ALONE, LATER = 'alone', 'later'
# words None: the test needs another window system; other: where it may run besides, or None
Test = collections.namedtuple('Test', 'words platform other')


class Target(Processes):
  """Where tests run: indium and its driver, or Mesa's for the CPU."""

  def __init__(self, options, driver):
    super().__init__(options.timeout, PATIENCE)
    self.folder, self.driver = options.piglit, driver
    threads = max(1, len(os.sched_getaffinity(0)) // options.jobs)
    self.environment = os.environ | {
      'PIGLIT_SOURCE_DIR': str(self.folder), 'PIGLIT_NO_FAST_SKIP': '1', 'WAFFLE_GBM_DEVICE': '/dev/dri/renderD128',
      'EGL_PLATFORM': 'surfaceless', # of tests that ask for whatever display there is
      'INDIUM_THREADS': str(threads), 'MESA_SHADER_CACHE_DISABLE': 'true'}
    libraries = self.folder.parent # of a piglit that was unpacked: where it would be if it were the system's
    if libraries != pathlib.Path('/usr/lib/x86_64-linux-gnu'):
      self.environment['LD_LIBRARY_PATH'] = f'{self.folder}/lib:{libraries}:' + os.environ.get('LD_LIBRARY_PATH', '')
    self.ahead = []
    if driver == 'llvmpipe':
      self.environment['LIBGL_ALWAYS_SOFTWARE'] = '1'
    else:
      plain = ['--plain' + f'={options.plain}' * bool(options.plain)] * (options.plain is not None)
      self.ahead = [options.indium, 'run', '--driver', driver, *(['--gl', options.gl] * bool(options.gl)),
                    *(['--gpu', options.gpu] * bool(options.gpu)), *plain, '--']

  def start(self, words, platform=SURFACELESS, limit_s=None):
    """The output, and the status; None after the time limit."""
    text, status = self.run([*self.ahead, *words], limit_s, cwd=self.folder,
                            env=self.environment | {'PIGLIT_PLATFORM': platform})
    return text, 0 if status == 1 and self.ahead and IDLE.search(text) else status

  def renderer(self):
    text, status = self.start([sys.executable, '-c', PROBE])
    if status == NOT_HERE:
      raise Stop(text.strip() or 'the driver is not here', NOT_HERE)
    found = re.search(r'renderer: (.*)', text)
    if status or not found:
      raise Stop(f'{self.driver} does not start: {last_line(text)}')
    if self.driver != 'llvmpipe' and re.search('llvmpipe|softpipe|swrast', found[1]):
      raise Stop(f'{self.driver} does not know the chip')
    return found[1]

  def run_one(self, test):
    """(status, text)"""
    if test.words is None:
      return 'skip', f'neither on {SURFACELESS} nor on {GBM}'
    if test.platform == GBM and not self.ahead:
      return 'skip', f'{self.driver} has no {GBM}'
    program = self.folder / 'bin' / test.words[0]
    if not program.exists():
      return 'skip', 'this piglit does not have the program'
    words = [str(program), *test.words[1:]]
    text, status = self.start(words, test.platform)
    # Some need a window although they do not say so, and abort without it.
    if status in (-signal.SIGABRT, 128 + signal.SIGABRT) and not text.strip() and test.other == GBM and self.ahead:
      text, status = self.start(words, test.other)
    return judge(text, status)

  def run_many(self, tests):
    """The same for tests that share a process, by judge_many()."""
    runner, _, *options = tests[0].words
    text, status = self.start([str(self.folder / 'bin' / runner), *(test.words[1] for test in tests), *options,
                               '-report-subtests'], limit_s=self.limit_s + len(tests))
    return judge_many(text, status, len(tests))


def unit_key(test):
  """Tests with the same key may share a process; None: none."""
  if test.words and test.words[0].startswith('shader_runner') and test.platform == SURFACELESS:
    return test.words[0], *test.words[2:]
  return None


def units(names, tests, most):
  """Lists of names: each is a process, of at most so many."""
  waiting = {}
  for name in names:
    key = unit_key(tests[name])
    unit = waiting.setdefault(key, []) if key else []
    unit.append(name)
    if not key or len(unit) == most:
      yield waiting.pop(key, unit)
  yield from waiting.values()


def run_unit(target, names, tests):
  """Yields (name, status, text, seconds)."""
  alone = []
  while len(names) > 1:
    began = time.monotonic()
    rows = target.run_many([tests[name] for name in names])
    each_s = (time.monotonic() - began) / len(names)
    yield from ((name, *row, each_s) for name, row in zip(names, rows) if row not in (ALONE, LATER))
    alone += [name for name, row in zip(names, rows) if row == ALONE]
    later = [name for name, row in zip(names, rows) if row == LATER]
    names = later if len(later) < len(names) else alone.extend(later) or []
  for name in alone + names:
    began = time.monotonic()
    yield name, *target.run_one(tests[name]), time.monotonic() - began


def last_line(text):
  lines = [line for line in text.splitlines() if line.strip() and not line.startswith('PIGLIT')]
  return lines[-1].strip()[:300] if lines else ''


def said(text):
  """The worst that a test says of itself and of its parts."""
  result, subtests = None, collections.Counter()
  for line in text.splitlines():
    if line.startswith('PIGLIT: '):
      try:
        row = json.loads(line[8:])
      except ValueError:
        continue
      result = row.get('result', result)
      subtests.update(row.get('subtest', {}).values())
  return max((s for s in [result, *subtests] if s in STATUSES), key=STATUSES.index, default=None)


def judge(text, status):
  """How a test ended, by what it said: (status, text)."""
  fault, result = FAULT.search(text), said(text)
  if fault:
    return 'fault', fault[1][:300]
  if status is None:
    return 'timeout', ''
  if status < 0 or result is None:
    return 'crash', f'signal {-status}' if status < 0 else f'status {status}: {last_line(text)}'
  if status and result in GOOD[:2]:
    return 'fail', f'{result}, but status {status}'
  return result, '' if result == 'pass' else last_line(text)


def judge_many(text, status, count):
  """A row for each of several tests that took turns: how it ended; ALONE: it has to say so once more in a process of
  its own, as it did not end well or may have suffered from the one before; LATER: it did not have its turn."""
  parts, current = [''] * count, None
  for line in text.splitlines(keepends=True):
    start = NEXT_TEST.match(line)
    if start:
      current = int(start[1]) - 1
    if current is not None and current < count:
      parts[current] += line
  rows = [LATER if not part else (result, '' if result == 'pass' else last_line(part))
          if (result := said(part)) in GOOD else ALONE for part in parts]
  if FAULT.search(text): # of whom, the next one may have been the first to hear; and the context is lost
    first = next((i for i, part in enumerate(parts) if FAULT.search(part)), 0)
    rows = rows[:max(first - 1, 0)] + [ALONE] * min(first + 1, 2) + [LATER] * (count - first - 1)
  elif status and not {ALONE, LATER} & set(rows): # it ended badly though each test ended well
    rows = [ALONE] * count
  return rows
