#!/usr/bin/python3
"""bin/conformance igt with stand-ins for indium and IGT: test_igt.py."""
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INDIUM = """#!/bin/sh
echo "$*" >>"$LOG"
[ "$CRASHES" ] && exit 77
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
"""
LOADER = """#!/bin/sh
shift 4 # --library-path FOLDERS --argv0 NAME
exec "$@"
"""
# A program with subtests, which may be told which to run; it dies in one of them.
PROGRAM = """#!/bin/sh
case $1 in
--list-subtests) printf '%s\\n' good wrong lacks dies late lost; exit ;;
--run-subtest) names=$(echo "$2" | tr , ' ') ;;
*) names='good wrong lacks dies late lost' ;;
esac
for name in $names; do
   echo "Starting subtest: $name"
   case $name in
   wrong) echo '[1] (x:1) lib-CRITICAL: Failed assertion: r == 0'; echo 'Subtest wrong: FAIL (0.1s)' ;;
   lacks) echo 'Test requirement: has_it()'; echo 'Subtest lacks: SKIP (0.1s)' ;;
   dies) kill -9 $$ ;;
   lost) echo 'indium: GPU fault: context 1, gfx ring 0, submit 2: no packet'; echo 'Subtest lost: SUCCESS (0.1s)' ;;
   *) echo "Subtest $name: SUCCESS (0.1s)" ;;
   esac
done
"""
SIMPLE = """#!/bin/sh
[ "$1" = --list-subtests ] && exit 79
echo "${SAYS-SUCCESS} (0.1s)"
"""
ENDS = """p@good any/* pass never asked
p@wrong navi21/* fail it is so
p@lacks */noop skip it is not there
p@dies m1/* pass not here
p@dies * crash|timeout as it likes
p@lost */* fault a packet
"""


def write(path, text):
  path.parent.mkdir(parents=True, exist_ok=True)
  path.write_text(text)
  path.chmod(0o755)


class Case:
  def __init__(self, folder):
    self.folder, self.tests = folder, folder / 'igt/usr/libexec/igt-gpu-tools'
    write(folder / 'build/src/tools/indium', INDIUM)
    write(folder / 'igt/usr/lib64/ld-linux-x86-64.so.2', LOADER)
    for name, text in (('p', PROGRAM), ('amdgpu/a', SIMPLE), ('asahi/b', SIMPLE)):
      write(self.tests / name, text)
    write(folder / 'igt/usr/bin/amdgpu_stress', '#!/bin/sh\n[ "$*" = "-c 1 2" ] || exit 9\n')
    write(folder / 'list', '# programs\np\namdgpu/a\nasahi/b\namdgpu_stress -c 1 2\n')
    write(folder / 'expected', ENDS)
    self.log = folder / 'log'

  def run(self, *options, status, says=(), list_file='list', **environment):
    self.log.unlink(missing_ok=True)
    done = subprocess.run(
      [ROOT / 'bin/conformance', 'igt', '--igt', self.folder / 'igt', '--indium',
       self.folder / 'build/src/tools/indium', '--list', self.folder / list_file, '--expected',
       self.folder / 'expected', '--results', self.folder / 'results', *options], capture_output=True, text=True,
      env=os.environ | {'LOG': str(self.log)} | environment, timeout=60)
    assert done.returncode == status, done
    for text in says:
      assert text in done.stdout + done.stderr, (text, done)
    return done.stdout


def check_all(case):
  case.run('--mode', 'noop', status=0, says=['3 programs on navi21/noop', '4 pass, 1 skip, 1 fail, 1 fault, 1 crash',
                                             '0 not as expected'])
  rows = dict(line.split(',')[:2] for line in (case.folder / 'results').read_text().splitlines())
  assert rows == {'p@good': 'pass', 'p@wrong': 'fail', 'p@lacks': 'skip', 'p@dies': 'crash', 'p@late': 'pass',
                  'p@lost': 'fault', 'amdgpu/a': 'pass', 'amdgpu_stress': 'pass'}, rows
  log = case.log.read_text()
  assert '--gpu navi21 --mode noop --card -- ' in log
  assert '--run-subtest late,lost' in log, 'what had not run when the process died continues in another'
  said = case.run(status=1, says=['skip, not pass: p@lacks: has_it()', '1 not as expected'])
  assert 'wrong' not in said
  # A pass that nobody expects counts as well, and the other vendor's programs are left out.
  case.run('--gpu', 'm1', status=1, says=['2 programs on m1/model', 'crash, not pass: p@dies',
                                          'fail, not pass: p@wrong: r == 0'])
  case.run('--mode', 'noop', '--test', '^amdgpu/', status=1, says=['fail, not pass: amdgpu/a'], SAYS='FAIL')


def check_names(case):
  write(case.folder / 'one', 'p@late\np@lost\n')
  case.run(status=0, says=['1 pass, 1 fault'], list_file='one')
  write(case.folder / 'none', 'p@never\n')
  case.run(status=2, says=['p has no subtest never'], list_file='none')
  case.run('--test', 'nothing', status=2, says=['no program has such a name'])
  case.run(status=2, says=['there is no q in'], list_file=write(case.folder / 'other', 'q\n') or 'other')
  case.run('--igt', '/nowhere', status=77, says=['bin/peers igt fetches it'])
  case.run(status=77, says=['does not start'], list_file='one', CRASHES='1')
  write(case.folder / 'expected', 'p@late * pas why\n')
  case.run(status=2, says=['not a name, chip/mode, status and reason'])


with tempfile.TemporaryDirectory() as temporary:
  case = Case(pathlib.Path(temporary))
  check_all(case)
  check_names(case)
