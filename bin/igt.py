"""Runs the kernel's own tests (IGT, and two programs of libdrm) on the shims, for `bin/conformance igt`."""
import collections
import csv
import fnmatch
import os
import pathlib
import re
import sys
import time

from options import chip
from processes import FAULT, NOT_HERE, Processes, Stop, run_all

ROOT = pathlib.Path(__file__).resolve().parent.parent
LISTS = ROOT / 'tests/conformance'
STATUSES = ['pass', 'skip', 'fail', 'fault', 'crash', 'timeout']
SAID = {'SUCCESS': 'pass', 'SKIP': 'skip', 'FAIL': 'fail', 'CRASH': 'crash', 'TIMEOUT': 'timeout'}
PATIENCE = 5 # of processor time a process has its limit, of time on the wall so many
STARTED = re.compile(r'Starting subtest: (\S+)')
ENDED = re.compile(r'Subtest (\S+): ([A-Z]+) \(')
WHOLE = re.compile(r'([A-Z]+) \(\d') # of a program without subtests
WHY = re.compile(r'(?:CRITICAL: )?(?:Failed assertion: |Test requirement: )(.*)|.*: (Assertion .* failed)|'
                 r'(No dynamic tests executed)')
NONE_OF_THEM = 79 # what a program ends with that has no subtests


def find_igt(given):
  """The folder that bin/peers unpacked: a root with its own C library."""
  place = pathlib.Path(given) if given else pathlib.Path(os.environ.get('INDIUM_PEERS') or ROOT / 'out/peers') / 'igt'
  if not (place / 'usr/libexec/igt-gpu-tools').is_dir():
    raise Stop('IGT is not here: bin/peers igt fetches it, --igt names a folder of it', NOT_HERE)
  return place.resolve()


def rows_of(path):
  try:
    lines = path.read_text().splitlines()
  except OSError as error:
    raise Stop(f'cannot read {path}: {error.strerror}') from error
  return [line.split() for line in lines if line.strip() and not line.startswith('#')]


def programs_of(paths, gpu):
  """Words of a program -> its subtests, none: all. Those of the other vendor's kernel driver are left out."""
  other, programs = 'amd' if gpu.startswith('m') else 'asahi', collections.OrderedDict()
  for words in (words for path in paths for words in rows_of(path)):
    program, _, subtest = words[0].partition('@')
    if not program.startswith(other):
      programs.setdefault((program, *words[1:]), []).extend([subtest] * bool(subtest))
  return programs


class Expected:
  """Expected results: the first row that matches a test decides; without one, it passes. A row: name, chip/mode,
  status or several with a bar between, reason."""

  def __init__(self, path, where):
    self.rows = []
    for words in rows_of(path):
      if len(words) < 4 or not set(words[2].split('|')) <= set(STATUSES):
        raise Stop(f'{path}: not a name, chip/mode, status and reason: {" ".join(words)}')
      if any(fnmatch.fnmatchcase(where, glob) for glob in words[1].split(',')):
        self.rows.append((words[0], words[2].split('|')))

  def of(self, name):
    return next((statuses for glob, statuses in self.rows if fnmatch.fnmatchcase(name, glob)), ['pass'])


class Target(Processes):
  """Where tests run."""

  def __init__(self, options):
    super().__init__(options.timeout, PATIENCE)
    self.root = options.igt
    libraries = self.root / 'usr/lib/x86_64-linux-gnu'
    # IGT opens nodes of cards only.
    self.ahead = [options.indium, 'run', '--gpu', options.gpu, '--mode', options.mode, '--card', '--',
                  str(self.root / 'usr/lib64/ld-linux-x86-64.so.2'), '--library-path', str(libraries), '--argv0']

  def path(self, program):
    folder = 'bin' if program in ('amdgpu_stress', 'drmdevice') else 'libexec/igt-gpu-tools'
    return self.root / 'usr' / folder / program

  def start(self, words, more=()):
    """The output, and the status; None after the time limit."""
    path = str(self.path(words[0]))
    return self.run([*self.ahead, words[0].rpartition('/')[2], path, *words[1:], *more])


def reason(lines):
  said = [next(group for group in match.groups() if group) for line in lines if (match := WHY.search(line))]
  return (said[0] if said else next((line for line in reversed(lines) if line.strip()), '')).strip()[:300]


def judge(text, status):
  """How the subtests of a process ended, and which one was running at its end: ({name: (status, text)}, name)."""
  rows, current, lines = {}, None, []
  for line in text.splitlines():
    lines.append(line)
    if start := STARTED.match(line):
      current, lines = start[1], []
    elif (end := ENDED.match(line)) and end[2] in SAID:
      fault = next((match[1] for before in lines if (match := FAULT.search(before))), None)
      result = SAID[end[2]]
      rows[end[1]] = ('fault', fault[:300]) if fault else (result, '' if result == 'pass' else reason(lines[:-1]))
      if end[1] == current:
        current, lines = None, []
  if current:
    rows[current] = ('timeout', '') if status is None else ('crash', f'status {status}: {reason(lines)}')
  return rows, current


def judge_whole(text, status):
  """How a program without subtests ended."""
  fault = FAULT.search(text)
  if fault:
    return 'fault', fault[1][:300]
  if status is None:
    return 'timeout', ''
  said = [SAID[match[1]] for line in text.splitlines() if (match := WHOLE.match(line)) and match[1] in SAID]
  if said and (said[-1] != 'pass' or not status):
    return said[-1], '' if said[-1] == 'pass' else reason(text.splitlines())
  if status:
    return 'crash' if status < 0 or status > 127 else 'fail', f'status {status}: {reason(text.splitlines())}'
  return 'pass', ''


def run_program(target, words, wanted):
  """Yields (name, status, text, seconds). If the process dies, the running test is blamed; the rest get a new one."""
  if not target.path(words[0]).exists():
    raise Stop(f'there is no {words[0]} in {target.root}')
  began = time.monotonic()
  is_igt = 'libexec' in str(target.path(words[0]))
  text, status = target.start(words, ['--list-subtests']) if is_igt else ('', NONE_OF_THEM)
  if status == NOT_HERE or (is_igt and status not in (0, NONE_OF_THEM)):
    raise Stop(f'{words[0]} does not start: {reason(text.splitlines())}', NOT_HERE if status == NOT_HERE else 2)
  names = [line for line in text.splitlines() if re.fullmatch(r'[\w.-]+', line)] if status == 0 else []
  if wanted and set(wanted) - set(names):
    raise Stop(f'{words[0]} has no subtest {min(set(wanted) - set(names))}')
  if not names:
    yield words[0], *judge_whole(*target.start(words)), time.monotonic() - began
  left = [name for name in names if not wanted or name in wanted]
  while left:
    began = time.monotonic()
    text, status = target.start(words, [] if left == names else ['--run-subtest', ','.join(left)])
    rows, died = judge(text, status)
    rows = {name: row for name, row in rows.items() if name in left}
    if not rows: # it came to none of them
      rows = {left[0]: ('timeout', '') if status is None else
              ('crash', f'status {status}: {reason(text.splitlines())}')}
    elif not died: # the others have said nothing
      rows |= {name: ('crash', f'status {status}: not run') for name in left if name not in rows}
    each_s = (time.monotonic() - began) / len(rows)
    yield from ((f'{words[0]}@{name}', *row, each_s) for name, row in rows.items())
    left = [name for name in left if name not in rows]


def add_parser(suites, positive):
  parser = suites.add_parser(
    'igt', help="the kernel's own tests", description="Runs Debian's IGT and programs of libdrm-tests on the shim of "
    'a chip. Status 0: every test ended as expected; 1: some did not; 2: nothing could run; 77: there is no IGT.')
  add = parser.add_argument
  add('--gpu', metavar='CHIP', type=chip, default='navi21', help='as for indium run; default navi21')
  add('--mode', choices=['model', 'noop'], default='model', help='as for indium run; default model')
  add('--list', metavar='FILE', action='append', default=[], type=pathlib.Path,
      help='programs, or PROGRAM@SUBTEST, one per line; repeatable; default tests/conformance/igt.txt')
  add('--test', metavar='REGEX', help='run only programs that match')
  add('--expected', metavar='FILE', type=pathlib.Path, default=LISTS / 'igt_expected.txt',
      help='what does not pass, where, and why; default tests/conformance/igt_expected.txt')
  add('--results', metavar='FILE', help='write name, status, seconds and text of every test')
  add('--timeout', metavar='SECONDS', type=positive, default=20, help='processor time of a process; default 20')
  add('--jobs', metavar='J', type=positive, default=len(os.sched_getaffinity(0)),
      help='parallel processes; default one per core')
  add('--indium', metavar='FILE', help='a built indium command; by default this tree is built')
  add('--igt', metavar='FOLDER', help='where IGT is; default what bin/peers igt unpacked')


def run(options, build):
  options.igt = find_igt(options.igt)
  programs = programs_of(options.list or [LISTS / 'igt.txt'], options.gpu)
  if options.test:
    programs = {words: names for words, names in programs.items() if re.search(options.test, words[0])}
  if not programs:
    raise Stop('no program has such a name')
  where = f'{options.gpu}/{options.mode}'
  expected = Expected(options.expected, where)
  options.indium = os.path.abspath(options.indium) if options.indium else build()
  counts, surprises = collections.Counter(), []
  file = open(options.results, 'w', newline='') if options.results else None
  writer = csv.writer(file, lineterminator='\n') if file else None
  print(f'{len(programs)} programs on {where}', flush=True)

  def done(name, status, text, seconds):
    counts[status] += 1
    if writer:
      writer.writerow([name, status, f'{seconds:.2f}', text])
      file.flush()
    if status not in expected.of(name):
      surprises.append(name)
      print(f'{status}, not {"|".join(expected.of(name))}: {name}: {text}', flush=True)

  target = Target(options)
  run_all(target, programs.items(), lambda item: run_program(target, *item), done, options.jobs)
  print(', '.join(f'{counts[status]} {status}' for status in STATUSES if counts[status]) or 'nothing ran')
  print(f'{len(surprises)} not as expected')
  return bool(surprises)


def main(options, build):
  try:
    return run(options, build)
  except Stop as stop:
    print(f'bin/conformance: {stop}', file=sys.stderr)
    return stop.status
