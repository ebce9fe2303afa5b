"""Runs Debian's piglit on OpenGL drivers of `indium run`, for `bin/conformance piglit`."""
import ast
import collections
import csv
import gzip
import hashlib
import os
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

from options import chip
from piglit_run import GBM, GOOD, STATUSES, SURFACELESS, Target, Test, run_unit, units
from processes import NOT_HERE, Stop, run_all

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACES = [ROOT / 'out/peers/piglit/usr/lib/x86_64-linux-gnu/piglit', pathlib.Path('/usr/lib/x86_64-linux-gnu/piglit')]
COLUMNS = ['name', 'status', 'seconds', 'text']


def find_piglit(given):
  peers = os.environ.get('INDIUM_PEERS')
  own = [pathlib.Path(peers) / 'piglit/usr/lib/x86_64-linux-gnu/piglit'] if peers else []
  places = [pathlib.Path(given)] if given else own + PLACES
  for place in places:
    if (place / 'bin').is_dir() and (place / 'tests').is_dir():
      return place.resolve()
  raise Stop('piglit is not here: bin/peers piglit fetches it, --piglit names a folder of it', NOT_HERE)


def load_profile(folder, name):
  """name -> Test"""
  meta = folder / f'tests/{name}.meta.xml'
  if meta.exists():
    tests = {}
    for part in xml.parse(meta).getroot().iter('Profile'):
      tests |= load_profile(folder, part.text)
    return tests
  path = folder / f'tests/{name}.xml.gz'
  if not path.exists():
    raise Stop(f'there is no profile {name} in {folder}')
  with gzip.open(path) as file:
    return {test.get('name').lower(): command(test) for test in xml.parse(file).getroot().iter('Test')}


def command(test):
  """As piglit's own runner starts it: tests that draw into framebuffer objects need no window."""
  options = {option.get('name'): ast.literal_eval(option.get('value')) if option.get('name') != 'type_' else
             option.get('value').strip("'") for option in test.iter('option') if option.get('name') != 'extensions'}
  kind, words = test.get('type'), options.get('command', [])
  if kind == 'asm_parser':
    words = ['asmparsertest', options['type_'], options['filename']]
  if kind == 'gl_builtin':
    words = [*words[:1], *(f'tests/{word}' for word in words[1:])]
  if kind in ('gl', 'shader', 'gl_builtin'):
    words = words + ['-auto'] + ['-fbo'] * options.get('run_concurrent', True)
  platforms = [GBM, SURFACELESS] if kind == 'gl' and '-fbo' not in words else [SURFACELESS, GBM]
  may = [name for name in platforms if name in options.get('require_platforms', [name])
         and name not in options.get('exclude_platforms', [])]
  platform, other = (may + [None, None])[:2]
  return Test(words if platform else None, platform, other)


def names_of_list(path):
  try:
    lines = pathlib.Path(path).read_text().splitlines()
  except OSError as error:
    raise Stop(f'cannot read {path}: {error.strerror}') from error
  return {line.split('  ')[0].strip(): line for line in lines if line.strip() and not line.startswith('#')}


def shuffled(name, seed=''):
  return hashlib.sha1(f'{seed}{name}'.encode()).digest()


def choose(options, tests):
  """The requested names: of a list or the profile, of a shard, sampled."""
  names = sorted(tests)
  if options.list:
    listed = {name.lower() for path in options.list for name in names_of_list(path)}
    unknown = listed - tests.keys()
    if unknown:
      raise Stop(f'the profile has no test {min(unknown)}')
    names = sorted(listed)
  if options.test:
    match = re.compile('|'.join(options.test), re.I).search
    names = [name for name in names if match(name)]
  if options.shard:
    number, count = options.shard
    names = [name for name in names if int.from_bytes(shuffled(name)[:4], 'big') % count == number - 1]
  if options.sample:
    names = sorted(sorted(names, key=lambda name: shuffled(name, options.seed))[:options.sample])
  return names


def shard(text):
  number, _, count = text.partition('/')
  if not 1 <= int(number) <= int(count):
    raise ValueError
  return int(number), int(count)


def load(path):
  if not path or not path.exists():
    return {}
  with path.open(newline='') as file:
    return {row['name']: row for row in csv.DictReader(file)}


def write_junit(path, rows, suite):
  root = xml.Element('testsuites')
  group = xml.SubElement(root, 'testsuite', name=suite, tests=str(len(rows)),
                         failures=str(sum(row['status'] == 'fail' for row in rows)),
                         errors=str(sum(row['status'] not in (*GOOD, 'fail') for row in rows)),
                         skipped=str(sum(row['status'] == 'skip' for row in rows)))
  for row in rows:
    where, _, name = row['name'].rpartition('@')
    where = 'piglit.' + where.replace('.', '_').replace('@', '.')
    case = xml.SubElement(group, 'testcase', classname=where, name=name, time=row['seconds'])
    if row['status'] not in GOOD[:2]:
      kind = {'skip': 'skipped', 'fail': 'failure'}.get(row['status'], 'error')
      text = ''.join(c if c.isprintable() else '?' for c in row['text'])
      xml.SubElement(case, kind, message=f'{row["status"]}: {text}' if kind == 'error' else text)
  xml.ElementTree(root).write(path, encoding='utf-8', xml_declaration=True)


def run_tests(target, names, tests, done, options):
  run_all(target, units(names, tests, options.together), lambda unit: run_unit(target, unit, tests), done,
          options.jobs)


def summary(rows, expected):
  counts = collections.Counter(row['status'] for row in rows)
  bad = [row for row in rows if row['status'] not in GOOD and row['name'] not in expected]
  better = [row for row in rows if row['status'] in GOOD[:2] and row['name'] in expected]
  print(', '.join(f'{counts[status]} {status}' for status in STATUSES if counts[status]) or 'nothing ran')
  for row in better:
    print(f'{row["status"]}, but a fail is expected: {row["name"]}')
  known = sum(row['status'] not in GOOD for row in rows) - len(bad)
  print(f'{known} failed as expected, {len(bad)} not as expected')
  return bool(bad)


def compare(options, bad, tests):
  """Reruns the fails on llvmpipe and says whose fault each looks like."""
  target = Target(options, 'llvmpipe')
  print(f'== {len(bad)} on llvmpipe: {target.renderer()}')

  def said(name, status, text, seconds):
    verdict = {'pass': 'driver or model look wrong', 'warn': 'driver or model look wrong', 'skip': 'no witness'}.get(
      status, 'the test may be wrong, or ask for too much')
    print(f'llvmpipe: {status}: {name}: {verdict}', flush=True)

  run_tests(target, bad, tests, said, options)


def add_parser(suites, positive):
  parser = suites.add_parser(
    'piglit', help="piglit, on other people's OpenGL drivers", description="Runs tests of Debian's piglit through an "
    'OpenGL driver. Status 0: no unexpected fail; 1: some; 2: nothing could run; 77: there is no piglit or '
    'driver.')
  add = parser.add_argument
  add('--driver', help='one of indium drivers for OpenGL, or llvmpipe; default radeonsi-26')
  add('--gl', metavar='ZINK', help='draw with Zink and a Vulkan driver, as for indium run; default --driver: indium')
  add('--gpu', metavar='CHIP', type=chip, help='as for indium run')
  add('--plain', nargs='?', const='', metavar='GROUP,...', help='as for indium run')
  add('--profile', default='quick', metavar='NAME', help='profile of piglit; default quick')
  add('--list', metavar='FILE', action='append', default=[], help='tests by name, one per line; repeatable')
  add('--test', metavar='REGEX', action='append', default=[], help='run only tests that match; repeatable')
  add('--shard', metavar='I/N', type=shard, help='run part I of N')
  add('--sample', metavar='N', type=positive, help='run only N of them')
  add('--seed', metavar='S', default='1', help='selects the sample; default 1')
  add('--results', metavar='FILE', type=pathlib.Path,
      help='write name, status, seconds and text of every test; tests in it are not run again')
  add('--merge', metavar='FILE', type=pathlib.Path, nargs='+', help='run nothing; combine these results')
  add('--junit', metavar='FILE', help='write the results as JUnit XML')
  add('--expected', metavar='FILE', type=pathlib.Path, default=ROOT / 'tests/conformance/piglit_expected.txt',
      help='expected fails, with reasons')
  add('--compare', action='store_true', help='rerun the fails on llvmpipe')
  add('--timeout', metavar='SECONDS', type=positive, default=60, help='processor time of a test; default 60')
  add('--together', metavar='N', type=positive, default=50,
      help='most tests that share a process; default 50')
  add('--jobs', metavar='J', type=positive, default=len(os.sched_getaffinity(0)),
      help='parallel processes; default one per core')
  add('--indium', metavar='FILE', help='a built indium command; by default this tree is built')
  add('--piglit', metavar='FOLDER', help='where piglit is')


def merge(options):
  rows = {}
  for path in options.merge:
    if not path.exists():
      raise Stop(f'cannot read {path}: No such file')
    rows |= load(path)
  return [rows[name] for name in sorted(rows)]


def run(options, build):
  options.piglit = find_piglit(options.piglit)
  tests = load_profile(options.piglit, options.profile)
  names = choose(options, tests)
  if not names:
    raise Stop('no test has such a name')
  options.indium = os.path.abspath(options.indium) if options.indium else build()
  target = Target(options, options.driver)
  print(f'{len(names)} tests on {options.gl or options.driver}: {target.renderer()}', flush=True)
  rows = load(options.results)
  left = [name for name in names if name not in rows]
  expected = names_of_list(options.expected) if options.driver != 'llvmpipe' else {}
  file = open(options.results, 'a' if rows else 'w', newline='') if options.results else None
  writer = csv.DictWriter(file, COLUMNS, lineterminator='\n') if file else None
  if writer and not rows:
    writer.writeheader()

  def done(name, status, text, seconds):
    rows[name] = {'name': name, 'status': status, 'seconds': f'{seconds:.2f}', 'text': text}
    if writer:
      writer.writerow(rows[name])
      file.flush()
    if status not in GOOD and name not in expected:
      print(f'{status}: {name}: {text}', flush=True)

  run_tests(target, left, tests, done, options)
  mine = [rows[name] for name in names]
  bad = [row['name'] for row in mine if row['status'] not in GOOD and row['name'] not in expected]
  if options.compare and bad:
    compare(options, bad, tests)
  return mine


def main(options, build):
  options.driver = options.driver or ('indium' if options.gl else 'radeonsi-26')
  try:
    rows = merge(options) if options.merge else run(options, build)
    if options.merge and options.results:
      with open(options.results, 'w', newline='') as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator='\n')
        writer.writeheader()
        writer.writerows(rows)
    if options.junit:
      write_junit(options.junit, rows, f'piglit {options.profile} on {options.driver}')
    return summary(rows, names_of_list(options.expected) if options.driver != 'llvmpipe' else {})
  except Stop as stop:
    print(f'bin/conformance: {stop}', file=sys.stderr)
    return stop.status
