#!/usr/bin/python3
"""Scripts of bin/: what bin/test says at its end, from a copy among stand-ins for meson and the tree's own commands;
bin/indium as a user who may not write; and which Python runs things."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOOD, BAD, STALE = ['OK', 'OK', 'EXPECTEDFAIL', 'SKIP'], ['OK', 'TIMEOUT'], ['OK'] * 50


def lines(results):
  return ''.join(json.dumps({'name': 'x', 'result': r}) + '\n' for r in results)


# meson of build and of build-asan (what it writes, its status), status of the mutants, the last line
CASES = [
  ((lines(GOOD), 0), (lines(GOOD), 0), 0, '7 passed, 0 failed'),
  ((lines(BAD), 1), (lines(GOOD), 0), 0, '5 passed, 1 failed'),
  ((lines(GOOD), 0), (lines(GOOD), 0), 1, '6 passed, 1 failed'),
  ((None, 1), (lines(GOOD), 0), 0, '4 passed, 1 failed'),            # it did not start
  ((lines(GOOD), 0), (None, 2), 0, '4 passed, 1 failed'),
  ((lines(GOOD), 0), (None, 0), 0, '4 passed, 1 failed'),
  ((lines(GOOD), 130), (lines(GOOD), 0), 0, '7 passed, 1 failed'),   # it was stopped between two tests
  ((lines(GOOD) + '{"na', 137), (lines(GOOD), 0), 0, '4 passed, 1 failed'),
  (('', 0), (lines(GOOD), 0), 0, '4 passed, 1 failed'),              # no test at all
  ((None, 1), (None, 1), 1, '0 passed, 3 failed'),
]
# The same for --quick: only the quick suite of one build
QUICK = [
  ((lines(GOOD), 0), '3 passed, 0 failed'),
  ((lines(BAD), 1), '1 passed, 1 failed'),
  ((None, 1), '0 passed, 1 failed'),
  (('', 0), '0 passed, 1 failed'),
]
MESON = """#!/bin/sh
test "$1 $2" = 'test -C' || exit 99
echo "$*" >> "$3/../log"
[ -e "$3.log" ] && cp "$3.log" "$3/meson-logs/testlog.json"
exit $(cat "$3.status")
"""


def write(path, text):
  path.parent.mkdir(parents=True, exist_ok=True)
  path.write_text(text)
  path.chmod(0o755)


def run(suites, mutants, *options, committed=False):
  """What bin/test does, and the commands that it gave; of a committed tree the second time, after one was cut off."""
  with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    (root / 'bin').mkdir()
    for name in ('test', 'help.sh'):
      shutil.copy(ROOT / 'bin' / name, root / 'bin' / name)
    write(root / 'bin/setup', '#!/bin/sh\necho $CC setup "$1" >> log\n')
    write(root / 'bin/indium', f'#!/bin/sh\necho "$@" >> log\nexit {mutants}\n')
    write(root / 'path/meson', MESON)
    for name, (log, status) in zip(('build', 'build-asan'), suites):
      write(root / name / 'meson-logs/testlog.json', lines(STALE))
      write(root / f'{name}.status', str(status))
      if log is not None:
        write(root / f'{name}.log', log)
    for name in ('build-clang', 'build-tsan'):
      (root / name).mkdir()
    environment = {name: value for name, value in os.environ.items() if name not in ('CC', 'TEST_CORES')}
    environment['PATH'] = f'{root / "path"}:{os.environ["PATH"]}'
    log = root / 'log'
    command = [root / 'bin/test', *options]
    if committed:
      git = ['git', '-C', root, '-c', 'user.name=x', '-c', 'user.email=x']
      write(root / '.gitignore', 'log\nout\nbuild*\n')
      for step in (['init', '-q'], ['add', '.'], ['commit', '-qm', 'x', '--no-gpg-sign']):
        subprocess.run([*git, *step], check=True)
      subprocess.run(command, env=environment, capture_output=True, timeout=60)
      (next((root / 'out/test').glob('*')) / '4.status').unlink()
      log.unlink()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    return done, log.read_text() if log.exists() else ''


def check_options():
  for *suites, last in QUICK:
    done, log = run([*suites, (lines(GOOD), 0)], 0, '--quick')
    assert done.stdout.splitlines()[-1:] == [last], (suites, done)
    assert (done.returncode == 0) == last.endswith(' 0 failed'), done
    assert log == 'setup build\ntest -C build --print-errorlogs --suite quick\n', log
  good = (lines(GOOD), 0)
  done, log = run([good, good], 0, '--full')
  for part in ('clang-19 setup build-clang\n', 'setup --configure\n', '-C build-clang --print-errorlogs '
               '--suite quick', '-C build-tsan --print-errorlogs --suite model', '-C build-asan ',
               'mutants --jobs 2 --gpu all --clean 10\n'):
    assert part in log, (part, log)
  assert done.returncode == 1 and done.stdout.splitlines()[-1].endswith(' failed'), done  # its stand-ins are few
  again, log = run([good, good], 0, '--full', committed=True)
  assert again.stdout.splitlines()[-1] == done.stdout.splitlines()[-1], again
  assert log.splitlines() == ['setup build', 'setup --configure', 'mutants --jobs 2 --gpu all --clean 10'], log
  for wrong in (['--quack'], ['--quick', '--full'], ['quick'], ['']):
    done, log = run([(lines(GOOD), 0)] * 2, 0, *wrong)
    assert done.returncode == 2 and not log and len(done.stderr.splitlines()) == 1, (wrong, done)


def check_reasons():
  """What was skipped stands next to the last lines, with the last line of each test."""
  tests = [('a', 'OK', ''), ('b', 'SKIP', 'begins\nno deqp-vk\n\n'), ('c', 'SKIP', ''), ('d', 'SKIP', 'no deqp-vk')]
  log = ''.join(json.dumps({'name': n, 'result': r, 'stdout': s}) + '\n' for n, r, s in tests)
  log += json.dumps({'name': 'e', 'result': 'SKIP', 'stdout': 'x\n', 'stderr': 'no piglit\n'}) + '\n'
  done, _ = run([(log, 0), (lines(GOOD), 0)], 0, '--quick')
  assert done.stdout.splitlines()[-5:] == ['4 skipped', '   2: no deqp-vk', '   1: c says nothing', '   1: no piglit',
                                           '1 passed, 0 failed'], done


def check_pythons():
  """Debian's own: the one of PATH may lie where another user cannot go."""
  scripts = [p for folder in ('bin', 'src', 'tests') for p in (ROOT / folder).rglob('*')
             if p.suffix == '.py' or p.parent.name == 'bin']
  firsts = {str(p): p.read_bytes().split(b'\n', 1)[0].decode(errors='replace') for p in scripts if p.is_file()}
  wrong = [p for p, first in firsts.items() if 'python' in first and first != '#!/usr/bin/python3']
  assert len(firsts) > 20 and not wrong, wrong


def check_help():
  """bin/indium --help names every command of bin/, and nothing that is not there."""
  with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    write(root / 'bin/indium', (ROOT / 'bin/indium').read_text())
    write(root / 'path/ninja', '#!/bin/sh\n')
    write(root / 'build/build.ninja', '')
    write(root / 'build/src/tools/indium', '#!/bin/sh\necho "runs $*"\n')
    path = f'{root / "path"}:{os.environ["PATH"]}'
    done = subprocess.run([root / 'bin/indium', '--help'], env={**os.environ, 'PATH': path}, capture_output=True,
                          text=True, timeout=60)
  assert done.returncode == 0 and done.stdout.startswith('runs --help\n'), done
  named = set(re.findall(r'\bbin/([\w-]+)(?![\w*])', done.stdout)) - {'check_'}
  there = {p.name for p in (ROOT / 'bin').iterdir() if p.is_file() and not p.suffix} - {'indium'}
  assert named == there, named ^ there


def check_other_user():
  """Who may not write into the build runs what is there."""
  other = ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups'] if os.getuid() == 0 else []
  with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    root.chmod(0o755)
    write(root / 'bin/indium', (ROOT / 'bin/indium').read_text())
    write(root / 'path/ninja', '#!/bin/sh\necho built > "$2/log" && echo stand-in\n')
    write(root / 'build/build.ninja', '')
    write(root / 'build/src/tools/indium', '#!/bin/sh\necho "runs $*"\n')
    for writable in (True, False):
      (root / 'build').chmod(0o777 if writable else 0o555)
      path = f'{root / "path"}:{os.environ["PATH"]}'
      done = subprocess.run([*other, root / 'bin/indium', 'gpus'], env={**os.environ, 'PATH': path},
                            capture_output=True, text=True, timeout=60)
      assert (done.returncode, done.stdout) == (0, 'runs gpus\n'), (writable, done)
      assert (root / 'build/log').exists() == writable
      (root / 'build').chmod(0o777)
      (root / 'build/log').unlink(missing_ok=True)


def main():
  check_pythons()
  check_other_user()
  check_help()
  check_options()
  check_reasons()
  for *suites, mutants, last in CASES:
    done, log = run(suites, mutants)
    parts = 'setup --configure\n', '-C build-asan --print-errorlogs --suite unit', 'mutants --jobs 2 --clean 2\n'
    assert [part in log for part in parts] == [True] * 3, log
    assert done.stdout.splitlines()[-1:] == [last], (suites, mutants, done)
    assert (done.returncode == 0) == last.endswith(' 0 failed'), done
  print(f'{len(CASES) + len(QUICK)} summaries are right')


if __name__ == '__main__':
  sys.exit(main())
