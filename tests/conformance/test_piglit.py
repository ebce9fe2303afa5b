#!/usr/bin/python3
"""bin/conformance piglit with stand-ins for indium and piglit: test_piglit.py."""
import csv
import gzip
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAYS = "echo 'PIGLIT: {\"result\": \"%s\"}'"
# Words that tests are started with -> what happens.
PROGRAM = rf"""#!/bin/sh
echo "$*" >>"$LOG"
case $1 in
pass) {SAYS % 'pass'} ;;
warn) {SAYS % 'warn'}; exit 1 ;;
skip) echo "no such extension"; {SAYS % 'skip'} ;;
fail) echo "wrong pixel"; {SAYS % 'fail'}; exit 1 ;;
parts) echo 'PIGLIT: {{"subtest": {{"a": "pass", "b": "fail", "c": "skip"}}}}'; {SAYS % 'pass'} ;;
silent) echo "so long"; exit 3 ;;
killed) kill -9 $$ ;;
window) [ "$PIGLIT_PLATFORM" = gbm ] && {SAYS % 'pass'} || kill -6 $$ ;;
hangs) echo $$ >"$LOG.pid"; while :; do :; done ;;
loses) echo "indium: GPU fault: context 1, gfx ring 0, submit 2: no such thing; packet X" >&2; {SAYS % 'pass'} ;;
model) [ "$CHIP" ] && {SAYS % 'fail'} || {SAYS % 'pass'} ;;
nonsense) echo 'PIGLIT: not json'; {SAYS % 'pass'} ;;
lies) {SAYS % 'pass'}; exit 4 ;;
esac
"""
# Takes several files; what the file's name says happens to each of them.
RUNNER = rf"""#!/bin/sh
echo "runner $*" >>"$LOG"
number=0
for file; do
   case $file in -*) continue ;; esac
   [ $# -gt 3 ] && number=$((number + 1)) && echo "PIGLIT TEST: $number - x" && echo "PIGLIT TEST: $number - x" >&2
   [ -e "$LOG.lost" ] && {SAYS % 'fail'} && continue
   case $file in
   *dies*) exit 6 ;;
   *loses*) echo "indium: GPU fault: no such thing" >&2; [ $# -gt 3 ] && touch "$LOG.lost" ;;
   *late*) [ $# -gt 3 ] && {SAYS % 'skip'} || {SAYS % 'pass'} ;;
   *) {SAYS % 'pass'} ;;
   esac
done
rm -f "$LOG.lost"
"""
INDIUM = r"""#!/bin/sh
echo "$*" >>"$LOG.indium"
while [ "$1" != -- ]; do
   [ "$1" = --driver ] && [ "$2" = absent ] && { echo "indium run: not here" >&2; exit 77; }
   shift
done
shift
case $* in *-c*) echo "renderer: ${RENDERER-a driver / 4.6}"; exit ;; esac
[ "$PIGLIT_PLATFORM" = gbm ] && echo "$* on $WAFFLE_GBM_DEVICE" >>"$LOG.gbm"
CHIP=x exec "$@"
"""
KINDS = ['pass', 'warn', 'skip', 'fail', 'parts', 'silent', 'killed', 'window', 'hangs', 'loses',
         'model', 'nonsense', 'lies']
STATUS = {'parts': 'fail', 'silent': 'crash', 'killed': 'crash',
          'window': 'pass', 'hangs': 'timeout', 'loses': 'fault',
          'model': 'fail', 'nonsense': 'pass', 'warn': 'fail', 'lies': 'fail'}


def option(name, value):
  return f'<option name="{name}" value="{value}" />'


class Place:
  def __init__(self, folder):
    self.folder, self.root, self.log = folder, folder / 'tree', folder / 'log'
    self.piglit, self.indium, self.results = folder / 'piglit', folder / 'indium', folder / 'results.csv'
    for name in ('bin', 'tests/vulkan'):
      shutil.copytree(ROOT / name, self.root / name, ignore=shutil.ignore_patterns('shaders', '__pycache__'))
    (self.root / 'tests/conformance').mkdir()
    (self.root / 'src').symlink_to(ROOT / 'src') # the tables of chips
    self.expected = self.root / 'tests/conformance/piglit_expected.txt'
    self.expected.write_text('# none\n')
    for path, text in ((self.piglit / 'bin/program', PROGRAM), (self.indium, INDIUM),
                       (self.piglit / 'bin/passes', PROGRAM.replace('case $1', 'case pass')),
                       (self.piglit / 'bin/shader_runner', RUNNER)):
      path.parent.mkdir(parents=True, exist_ok=True)
      path.write_text(text)
      path.chmod(0o755)
    tests = [('gl', f'A@{kind}', option('command', f"['program', '{kind}']")) for kind in KINDS]
    tests += [('gl', 'b@window', option('command', "['program', 'pass']") + option('require_platforms', "['glx']")),
              ('gl', 'b@not here', option('command', "['program', 'pass']") +
               option('exclude_platforms', "['surfaceless_egl', 'gbm']")),
              ('gl', 'b@elsewhere', option('command', "['program', 'pass', 'elsewhere']") +
               option('exclude_platforms', "['surfaceless_egl']")),
              ('gl', 'b@alone', option('command', "['program', 'pass', 'alone']") +
               option('run_concurrent', 'False')),
              ('gl', 'b@no program', option('command', "['left out']")),
              ('gl_builtin', 'b@constants', option('command', "['passes', 'spec/x.txt']")),
              ('glsl_parser', 'b@parser', option('command', "['program', 'pass', 'tests/x.vert', 'fail', '1.00']"))]
    more = [('shader', f'c@{i:02}', option('command', f"['program', 'pass', '{i}']")) for i in range(40)]
    for number, kind in enumerate(['fine', 'fine', 'dies', 'fine', 'fine', 'loses', 'late'] + ['fine'] * 8):
      more.append(('shader', f'd@{number:02}', option('command', f"['shader_runner', '{number}.{kind}']")))
    self.profile('one', tests)
    self.profile('two', more)
    (self.piglit / 'tests/quick.meta.xml').write_text(
      '<PiglitMetaProfile><Profile>one</Profile><Profile>two</Profile></PiglitMetaProfile>')

  def profile(self, name, tests):
    (self.piglit / 'tests').mkdir(exist_ok=True)
    with gzip.open(self.piglit / f'tests/{name}.xml.gz', 'wt') as file:
      file.write('<PiglitTestList>' + ''.join(f'<Test type="{kind}" name="{test}">{options}</Test>'
                                              for kind, test, options in tests) + '</PiglitTestList>')

  def run(self, *arguments, **environment):
    """Status, output, name -> (status, text), and what tests were started with."""
    for log in (self.log, self.folder / 'log.indium'):
      log.unlink(missing_ok=True)
    done = subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=120, check=False,
                          env=os.environ | {'LOG': str(self.log)} | environment)
    assert 'Traceback' not in done.stderr, done.stderr
    rows = {row['name']: (row['status'], row['text']) for row in csv.DictReader(self.results.open())} \
      if self.results.exists() else {}
    started = self.log.read_text().splitlines() if self.log.exists() else []
    return done.returncode, done.stdout + done.stderr, rows, started

  def command(self, *arguments):
    return [self.root / 'bin/conformance', 'piglit', '--indium', self.indium, '--piglit', self.piglit, '--timeout',
            '2', '--results', self.results, *arguments]


def check_ends(place):
  status, out, rows, started = place.run('--test', '^a@', '--jobs', '4', '--compare')
  assert status == 1 and {name: row[0] for name, row in rows.items()} == {
    f'a@{kind}': STATUS.get(kind, kind) for kind in KINDS}, rows
  for kind, text in [('skip', 'no such extension'), ('fail', 'wrong pixel'), ('silent', 'status 3: so long'),
                     ('killed', 'signal 9'), ('loses', 'no such thing; packet X'), ('pass', '')]:
    assert rows[f'a@{kind}'][1] == text, (kind, rows)
  assert '3 pass, 1 skip, 5 fail, 2 crash, 1 fault, 1 timeout\n0 failed as expected, 9 not' in out, out
  assert 'llvmpipe: pass: a@model: driver or model look wrong' in out, out
  assert 'llvmpipe: fail: a@fail: the test may be wrong' in out, out
  assert 'pass -auto -fbo' in started, started


def check_choice(place):
  """Words as piglit's runner says them; shards that part all tests; samples that stay."""
  place.results.unlink()
  status, out, rows, started = place.run('--test', '^b@', '--jobs', '1')
  assert status == 0 and [row[0] for row in rows.values()].count('skip') == 3, (out, rows)
  words = ['pass alone -auto', 'pass elsewhere -auto -fbo', 'pass tests/x.vert fail 1.00',
           'tests/spec/x.txt -auto -fbo']
  assert sorted(started) == words, started
  parts = []
  for i in (1, 2, 3):
    place.results.unlink()
    parts.append(set(place.run('--test', '^c@', '--shard', f'{i}/3')[2]))
    assert parts[-1]
    shutil.copy(place.results, place.folder / f'part{i}')
  assert set.union(*parts) == {f'c@{i:02}' for i in range(40)} and sum(map(len, parts)) == 40, parts
  place.results.unlink()
  junit = place.folder / 'junit.xml'
  status, out, rows, started = place.run('--merge', *(place.folder / f'part{i}' for i in (1, 2, 3)), '--junit', junit)
  assert status == 0 and not started and list(rows) == [f'c@{i:02}' for i in range(40)] and '40 pass' in out, out
  suite = xml.parse(junit).getroot()[0]
  assert suite.get('tests') == '40' and suite[3].get('classname') == 'piglit.c' and suite[3].get('name') == '03'
  place.results.unlink()
  first = set(place.run('--test', '^c@', '--sample', '7')[2])
  place.results.unlink()
  assert len(first) == 7 and first < set(place.run('--test', '^c@', '--sample', '9')[2])


def check_together(place):
  """Several tests a process, each with the outcome of a process of its own, whatever goes wrong in the others."""
  place.results.unlink()
  status, out, together, started = place.run('--test', '^d@', '--jobs', '1', '--together', '10')
  assert status == 1 and len(together) == 15, out
  numbers = [[int(word.split('.')[0]) for word in line.split() if word[0].isdigit()] for line in started]
  assert numbers == [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [3, 4, 5, 6, 7, 8, 9], [6, 7, 8, 9], [2], [4], [5],
                     [10, 11, 12, 13, 14]], numbers
  assert all('-auto -fbo' in line and ('-report-subtests' in line) == (len(part) > 1)
             for line, part in zip(started, numbers)), started
  bad = {name: row for name, row in together.items() if row[0] != 'pass'}
  assert bad == {'d@02': ('crash', 'status 6: '), 'd@05': ('fault', 'no such thing'), 'd@06': ('skip', '')}, bad
  place.results.unlink()
  _, _, alone, started = place.run('--test', '^d@', '--jobs', '1', '--together', '1')
  assert len(started) == 15 and alone == together | {'d@06': ('pass', '')}, 'the one that says otherwise when alone'


def check_window(place):
  """What draws without a framebuffer of its own has a window in a buffer."""
  gbm = place.folder / 'log.gbm'
  place.results.unlink()
  gbm.unlink()
  place.run('--test', '^[bc]@', '--test', 'd@00')
  lines = gbm.read_text().splitlines()
  assert len(lines) == 2 and all(line.endswith(' on /dev/dri/renderD128') for line in lines), lines
  assert ' pass alone -auto ' in lines[0] + lines[1], lines


def check_resume(place):
  place.results.unlink()
  place.run('--test', '^c@0')
  before = place.results.read_text()
  status, _, rows, started = place.run('--test', '^c@[01]')
  assert status == 0 and len(rows) == 20 and len(started) == 10 and place.results.read_text().startswith(before)
  place.expected.write_text('a@fail  a reason\nA@pass  none\n'.lower())
  status, out, _, _ = place.run('--test', '^a@(fail|pass|skip)$', '--junit', place.folder / 'junit.xml')
  assert status == 0 and '1 failed as expected, 0 not as expected' in out and 'a fail is expected: a@pass' in out, out
  cases = {case.get('name'): [part.tag for part in case]
           for case in xml.parse(place.folder / 'junit.xml').iter('testcase')}
  assert cases == {'fail': ['failure'], 'pass': [], 'skip': ['skipped']}, cases
  place.expected.write_text('a@fail  a reason\n')
  listed = place.folder / 'list'
  listed.write_text('# some\nA@fail  why\nc@00\n')
  assert place.run('--list', listed)[0] == 0


def check_wrong(place):
  for arguments, status, words in [
      (['--test', 'nothing'], 2, 'no test has such a name'), (['--profile', 'x'], 2, 'no profile x'),
      (['--shard', '3/2'], 2, '--shard'), (['--list', '/nowhere'], 2, 'cannot read /nowhere'),
      (['--merge', '/nowhere'], 2, '/nowhere'), (['--piglit', '/nowhere'], 77, 'bin/peers piglit'),
      (['--driver', 'absent'], 77, 'not here')]:
    code, out, _, started = place.run(*arguments)
    assert code == status and words in out.splitlines()[-1] and not started, (arguments, out)
  code, out, _, _ = place.run(RENDERER='llvmpipe (LLVM 15)')
  assert code == 2 and 'does not know the chip' in out, 'the driver for the CPU is not taken for another'
  place.run('--test', '^c@00', '--driver', 'radeonsi-25', '--gpu', 'navi10', '--plain=order')
  log = (place.folder / 'log.indium').read_text()
  assert log.startswith('run --driver radeonsi-25 --gpu navi10 --plain=order -- '), log


def check_stop(place):
  """Stopped from outside: what has ended stays, and no process is left behind."""
  place.results.unlink()
  with subprocess.Popen(place.command('--test', '^a@(hangs|pass)$', '--timeout', '60', '--jobs', '2'), text=True,
                        stdout=subprocess.PIPE, env=os.environ | {'LOG': str(place.log)}) as runner:
    pid = place.folder / 'log.pid'
    pid.unlink(missing_ok=True)
    while not (pid.exists() and pid.read_text() and place.results.exists() and 'a@pass' in place.results.read_text()):
      time.sleep(0.01)
    runner.send_signal(signal.SIGTERM)
    runner.communicate(timeout=60)
  assert runner.returncode == 130 and not pathlib.Path('/proc', pid.read_text().strip()).exists()


def main():
  with tempfile.TemporaryDirectory() as folder:
    place = Place(pathlib.Path(folder))
    check_ends(place)
    check_choice(place)
    check_together(place)
    check_window(place)
    check_resume(place)
    check_wrong(place)
    check_stop(place)
  print('fine')


if __name__ == '__main__':
  main()
