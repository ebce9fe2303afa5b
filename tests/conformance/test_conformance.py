#!/usr/bin/python3
"""bin/conformance over a deqp-vk that crashes, hangs, loses its device and worse: test_conformance.py SOURCE_ROOT."""
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(sys.argv[1]).resolve()
FAKE = ROOT / 'tests/conformance/fake_deqp.py'
# Stands in for the indium command: the driver's name reaches the fake.
INDIUM = '''#!/bin/sh
test "$1" = drivers && { echo "indium  Vulkan Indium 7"; echo "radv  Vulkan  Mesa 1, the system's"; exit 0; }
echo "$@" >> "$INDIUM_LOG"
test "$1 $2" = "run --driver" || exit 9
export FAKE_DRIVER="$3"
case "$3" in *.json) echo "indium run: what is ${3##*/}?" >&2; exit 2 ;; esac
while test "$1" != --; do shift; done
shift
exec "$@"
'''
SLOW_S = 2  # processor time of a case: much longer than a process needs to start


class Place:
  """A tree of its own with bin/conformance, a fake indium, and a fake deqp-vk in the cache of the user."""

  def __init__(self, folder):
    self.folder = pathlib.Path(folder)
    self.root = self.folder / 'project'
    (self.root / 'bin').mkdir(parents=True)
    (self.root / 'tests/conformance').mkdir(parents=True)
    (self.root / 'tests/vulkan').mkdir()
    (self.root / 'src').symlink_to(ROOT / 'src') # tables of chips
    for name in ('bin/conformance', 'bin/deqp.py', 'bin/igt.py', 'bin/interlock.py', 'bin/matrix.py',
                 'bin/options.py', 'bin/piglit.py', 'bin/piglit_run.py', 'bin/processes.py',
                 'tests/vulkan/windows.py', 'tests/vulkan/pictures.py', 'tests/vulkan/xvfb_test.py'):
      shutil.copy(ROOT / name, self.root / name)
    for name in 'expected.txt', 'expected_amd.txt', 'expected_agx.txt':
      (self.root / 'tests/conformance' / name).write_text('# none\n')
    self.indium = self.folder / 'indium'
    self.indium.write_text(INDIUM)
    self.indium.chmod(0o755)
    self.log, self.indium_log, self.results = (self.folder / name for name in ('log', 'indium.log', 'results.csv'))

  def install(self, groups, listed):
    """deqp-vk, its data and lists, where all trees of the user find them."""
    folder = self.folder / 'cache/indium/deqp'
    (folder / 'vulkan').mkdir(parents=True)
    (folder / 'vk-default/deep').mkdir(parents=True)
    (folder / 'lists').mkdir()
    shutil.copy(FAKE, folder / 'deqp-vk')
    (folder / 'deqp-vk').chmod(0o755)
    (folder / 'vk-default/deep/a.txt').write_text('\n'.join(groups) + '\n')
    (folder / 'lists/b.txt').write_text('GROUP: t.b\n' + ''.join(f'TEST: {name}\n' for name in listed))

  def start(self, *args, **environment):
    """Status and output of bin/conformance deqp."""
    for file in (self.log, self.indium_log):
      file.unlink(missing_ok=True)
    clean = {k: v for k, v in os.environ.items() if k not in ('DEQP', 'LD_PRELOAD')}
    clean['XDG_CACHE_HOME'] = str(self.folder / 'cache')
    done = subprocess.run([self.root / 'bin/conformance', 'deqp', '--indium', self.indium, *args],
                          capture_output=True, text=True, timeout=300, cwd=self.folder,
                          env={**clean, 'FAKE_LOG': str(self.log), 'INDIUM_LOG': str(self.indium_log),
                               **environment})
    assert 'Traceback' not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr

  def run(self, names, *args, jobs=1, expected='', **environment):
    """Also: name -> status as results have it, and the cases that each process was given."""
    cases, fails = self.folder / 'cases.txt', self.folder / 'expected.txt'
    cases.write_text('# a comment\n\n' + ''.join(f'{name}\n' for name in names))
    fails.write_text(expected)
    status, out, err = self.start('--list', cases, '--results', self.results, '--expected', fails, '--jobs',
                                  str(jobs), '--timeout', str(SLOW_S), *args, **environment)
    rows = list(csv.DictReader(self.results.open()))
    assert len({row['name'] for row in rows}) == len(rows), 'each case once'
    assert all(float(row['seconds']) >= 0 for row in rows)
    processes = [line.split()[1:] for line in self.log.read_text().splitlines()] if self.log.exists() else []
    return status, out, err, {row['name']: row['status'] for row in rows}, processes


def check_ends(place):
  """Each way to end, as the only one among cases that pass; who stands before and after it is not harmed."""
  for what, status, words, processes in [
      ('pass', 'pass', '', 1), ('unsupported', 'not supported', '', 1), ('warning', 'warning', '', 1),
      ('capability', 'warning', '', 1), ('garbage', 'pass', '', 1), ('fail', 'fail', 'Image mismatch', 1),
      ('bare', 'fail', '', 1),
      ('error', 'fail', 'Odd', 1), ('lines', 'fail', 'one', 1), ('unknown', 'missing', 'does not know it', 2),
      ('stops', 'fail', 'VK_ERROR_OUT_OF_DEVICE_MEMORY', 2), ('aborts', 'fail', 'VK_ERROR_DEVICE_LOST', 2),
      ('mute', 'crash', 'gave no result', 1),
      ('crash', 'crash', 'signal 6', 2), ('killed', 'crash', 'signal 9', 2), ('exits', 'crash', 'status 3', 2),
      ('late_crash', 'crash', 'signal 6', 2), ('hangs', 'timeout', f'over {SLOW_S} s', 2),
      ('prints_for_ever', 'timeout', f'over {SLOW_S} s [indium: again]', 2),
      ('loses', 'fail', 'read of 0x1000', 2), ('quiet_loss', 'fail', 'pass, but the device was lost', 2),
      ('late_fault', 'fail', 'pass, but the device was lost', 2), ('never', 'crash', 'INCOMPATIBLE_DRIVER', 5)]:
    names = [f't.{i:02}.pass' for i in range(12)] + [f't.12.{what}', 't.13.pass', 't.14.unsupported', 't.15.pass']
    good = status in ('pass', 'not supported', 'warning')
    code, out, err, results, started = place.run(names)
    expected = {name: 'not supported' if name.endswith('unsupported') else 'pass' for name in names}
    assert results == {**expected, names[12]: status}, (what, results)
    assert code == (not good) and (good or f'{status}: {names[12]}: ' in out and words in out), (what, out, err)
    assert len(started) == 3 + processes, (what, started)  # sixteen cases are four batches
    if processes == 2: # the unknown one is given to a process of its own, the others are done
      assert started[-1] == ([names[12]] if what == 'unknown' else names[13:]), (what, started)


def check_many(place):
  """Cases of every kind together, in one process at a time and in three: each is blamed for its own end only."""
  kinds = ['pass', 'crash', 'unsupported', 'loses', 'pass', 'fail', 'late_crash', 'warning', 'pass', 'exits', 'loses',
           'quiet_loss', 'pass', 'killed', 'crash', 'unknown', 'pass']
  status = {'unsupported': 'not supported', 'loses': 'fail', 'quiet_loss': 'fail', 'late_crash': 'crash',
            'exits': 'crash', 'killed': 'crash', 'unknown': 'missing'}
  names = [f't.{i:03}.{kind}' for i, kind in enumerate(kinds * 12)]
  wanted = {name: status.get(name.split('.')[-1], name.split('.')[-1]) for name in names}
  for jobs in (1, 3):
    code, out, err, results, started = place.run(names, jobs=jobs)
    assert code == 1 and results == wanted, (code, results)
    assert '60 pass, 12 warning, 12 not supported, 48 fail, 60 crash, 12 missing in' in out, out
    assert '0 failed as expected, 120 not as expected' in out, out
  assert len(place.run([f't.{i}.pass' for i in range(900)])[-1]) == 5, '200 cases a process at most'
  code, out, _, results, _ = place.run(['t.1.sleeps', 't.2.pass'], '--timeout', '1')
  assert results == {'t.1.sleeps': 'timeout', 't.2.pass': 'pass'}, 'waits for ever and takes no processor time'
  assert place.run(['t.1.last'])[3] == {'t.1.last': 'crash'}, 'dies after its last case'


def check_start(place):
  """One sentence and status 2 or 77 where nothing can run; the cases are blamed only when others began."""
  code, out, err, results, started = place.run(['t.1.pass', 't.2.pass'], FAKE_DEAD='1')
  assert code == 2 and not results, (code, results)
  assert err.splitlines()[-1] == 'bin/conformance: deqp-vk does not start: FATAL ERROR: vk.createInstance(): ' \
    'VK_ERROR_INCOMPATIBLE_DRIVER', err
  code, out, err, results, started = place.run(['t.1.pass', 't.2.fail'], '--driver', 'other.json')
  assert code == 2 and not started, (code, started)
  assert err == 'bin/conformance: deqp-vk does not start: indium run: what is other.json?\n', err
  for args, status, words in [
      ([], 2, 'name cases'), (['--list', '/nowhere'], 2, 'cannot read /nowhere'),
      (['--list', '/dev/null'], 2, 'no case'), (['--group', 'u.*'], 2, 'no case'),
      (['--list', 'x', '--sample', '0'], 2, '--sample'),
      (['--list', 'x', '--jobs', '-1'], 2, '--jobs'), (['--list', 'x', '--compare', 'y'], 2, '--compare'),
      (['--list', place.folder / 'cases.txt', '--results', '/nowhere/x'], 2, '/nowhere/x'),
      (['--list', place.folder / 'cases.txt', '--results', '/dev/full'], 2, 'No space left'),
      (['--list', place.folder / 'cases.txt', '--deqp', '/nowhere'], 77, 'no deqp-vk in /nowhere'),
      (['x'], 2, 'unrecognized')]:
    code, out, err = place.start(*args)
    assert code == status and out in ('', '2 cases on indium (Indium 7)\n'), (args, code, out, err)
    assert words in err.splitlines()[-1], (args, err)


def check_choice(place, groups, listed):
  """Groups by glob over all lists, files, and samples that are stable."""
  def chosen(*args):
    code, out, err = place.start('--results', place.results, *args)
    assert code in (0, 1), err
    return [row['name'] for row in csv.DictReader(place.results.open())]
  assert sorted(chosen('--group', 't.*', '--jobs', '2')) == sorted({*groups, *listed})
  assert chosen('--group', 't.b.*', '--jobs', '1') == sorted(listed)
  assert sorted(chosen('--group', 't.b.*', '--group', 't.a.?.*')) == sorted([*listed, *groups[:10]])
  first = chosen('--group', 't.*', '--sample', '10', '--jobs', '1')
  assert len(first) == 10 and first == sorted(first) == chosen('--group', 't.*', '--sample', '10', '--jobs', '1')
  assert set(first) < set(chosen('--group', 't.*', '--sample', '20'))
  assert set(first) != set(chosen('--group', 't.*', '--sample', '10', '--seed', '2'))
  backwards = place.folder / 'backwards.txt'
  backwards.write_text(''.join(f'{name}  said why\n' for name in reversed(groups + listed)))
  assert first == chosen('--list', backwards, '--sample', '10', '--jobs', '1')


def check_lacks(place):
  """What is not supported has to be named, if the file of what is lacking is."""
  names, file = ['t.1.pass', 't.2.unsupported', 'u.3.unsupported', 't.4.fail'], place.folder / 'lacks.txt'
  file.write_text('# why\nt.*.unsupported  no such thing\nt.4.fail  no excuse\n')
  code, out, _, results, _ = place.run(names, '--lacks', file)
  assert code == 1 and '0 failed as expected, 2 not as expected' in out, out
  assert 'not supported: u.3.unsupported: No such feature at x.cpp:7 (not in the list of what is lacking)' in out, out
  assert 't.2.unsupported' not in out and results['u.3.unsupported'] == 'not supported', (out, results)
  file.write_text('*.unsupported\n')
  assert place.run(names[:3], '--lacks', file)[0] == 0
  assert place.run(names[:3])[0] == 0, 'without one, any case may be'


def check_expected(place):
  """Fails that are explained are no surprise; that they pass is one."""
  names = ['t.1.pass', 't.2.fail', 't.3.crash', 't.4.unsupported']
  code, out, _, _, _ = place.run(names, expected='t.2.fail  a reason\nt.3.crash\nt.9.fail  not run\n')
  assert code == 0 and '2 failed as expected, 0 not as expected' in out, out
  code, out, _, _, _ = place.run(names, expected='t.1.pass  a reason\nt.2.fail\nt.3.crash\nt.4.unsupported\n')
  assert code == 1 and '2 not as expected' in out, out
  assert 'pass, but a fail is expected: t.1.pass' in out, out
  assert 'not supported, but a fail is expected: t.4.unsupported' in out, out
  code, out, _, _, _ = place.run(names, expected='t.*.fail  a reason\nt.*.crash\nt.1.*  may pass\n')
  assert code == 0 and '2 failed as expected, 0 not as expected' in out, out
  code, out, _, _, _ = place.run(names, expected='t.*.fail  a reason\nu.*\n')
  assert code == 1 and '1 failed as expected, 1 not as expected' in out, out
  code, out, _, _, _ = place.run(names, '--driver', 'radv', expected='t.2.fail\nt.3.crash\n')
  assert code == 1 and '0 failed as expected, 2 not' in out, 'what our driver fails says nothing of another'


def check_stop(place):
  """Stopped from outside: what has ended stays, and no process is left behind."""
  cases = place.folder / 'cases.txt'
  cases.write_text('t.1.pass\nt.2.hangs\n')
  with subprocess.Popen([place.root / 'bin/conformance', 'deqp', '--indium', place.indium, '--list', cases, '--jobs',
                         '2', '--results', place.results], text=True, stdout=subprocess.PIPE,
                        env={**os.environ, 'XDG_CACHE_HOME': str(place.folder / 'cache'), 'FAKE_LOG': str(place.log),
                             'INDIUM_LOG': str(place.indium_log), 'FAKE_PID': str(place.folder / 'pid')}) as runner:
    while not (place.folder / 'pid').exists() or 't.1.pass' not in place.results.read_text():
      time.sleep(0.01)
    runner.terminate()
    out = runner.communicate(timeout=60)[0]
  assert runner.returncode == 130 and '1 pass in' in out, (runner.returncode, out)
  assert not pathlib.Path('/proc', (place.folder / 'pid').read_text()).exists()


def check_drivers(place):
  """What indium run is given, and whose fault a fail looks like."""
  code, out, err, results, started = place.run(
    ['t.1.here_only', 't.2.model_only', 't.3.fail', 't.4.pass', 't.5.hangs'], '--compare', 'lavapipe', '--compare',
    'radv', '--gpu', 'navi21', '--schedule', 'worst', expected='t.5.hangs\n')
  assert code == 1, (out, err)
  passed_on = [line.split(' -- ')[0] for line in place.indium_log.read_text().splitlines()]
  assert set(passed_on) == {'run --driver indium --gpu navi21 --schedule worst --conformance-version 1.4.6.1',
                            'run --driver radv --gpu navi21 --schedule worst'}, passed_on
  compared = out.splitlines()[out.splitlines().index('== 3 fails on lavapipe') + 1:]
  assert compared == [
    'lavapipe passes: t.1.here_only: our driver or model looks wrong',
    'lavapipe passes: t.2.model_only: our driver or model looks wrong',
    'lavapipe fails: t.3.fail: the test may be wrong',
    "== 3 fails on radv (Mesa 1, the system's)",
    'radv passes: t.1.here_only: our driver looks wrong',
    'radv fails: t.2.model_only: the model or the test looks wrong',
    'radv fails: t.3.fail: the model or the test looks wrong'], out
  place.run(['t.4.pass'], '--driver', 'radv-26')
  assert place.indium_log.read_text().split(' -- ')[0] == 'run --driver radv-26', 'no version of the tests'
  for given in ('--plain', '--plain=geometry,order'):
    place.run(['t.4.pass'], '--driver', 'radv-26', given)
    assert place.indium_log.read_text().split(' -- ')[0] == f'run --driver radv-26 {given}'
  code, out, err, results, _ = place.run(['t.1.here_only', 't.2.fail'], '--driver', 'lavapipe')
  assert results == {'t.1.here_only': 'pass', 't.2.fail': 'fail'} and not place.indium_log.exists(), (results, err)


def check_places(place):
  """--deqp goes before DEQP, that before build/deqp, and that before the cache of the user."""
  cache, folders = place.folder / 'cache/indium/deqp', []
  for i, folder in enumerate([place.root / 'build/deqp', place.folder / 'own', place.folder / 'given'], 1):
    shutil.copytree(cache, folder)
    folders.append(folder)
    (folder / 'lists/b.txt').write_text(''.join(f'TEST: t.b.{n}.pass\n' for n in range(i)))
  def cases(*args, **environment):
    code, out, err = place.start('--group', 't.b.*', *args, **environment)
    assert code == 0, err
    return int(out.split()[0])
  assert cases('--deqp', folders[2], DEQP=str(folders[1])) == 3
  assert cases(DEQP=str(folders[1])) == 2
  assert cases() == 1
  shutil.rmtree(place.root / 'build')
  assert cases() == 9
  home = place.folder / 'home'
  shutil.copytree(cache, home / '.cache/indium/deqp')
  shutil.rmtree(cache)
  assert cases(XDG_CACHE_HOME='', HOME=str(home)) == 9


def main():
  groups = [f't.a.{i}.pass' for i in range(40)]
  listed = [f't.b.{i}.unsupported' for i in range(9)]
  with tempfile.TemporaryDirectory() as folder:
    place = Place(folder)
    (place.folder / 'one.txt').write_text('t.b.0.unsupported\n')
    code, out, err = place.start('--list', place.folder / 'one.txt')
    assert code == 77 and err.startswith('bin/conformance: there is no deqp-vk in build/deqp or '), (code, err)
    place.install(groups, listed)
    check_start(place)
    check_ends(place)
    check_many(place)
    check_choice(place, groups, listed)
    check_expected(place)
    check_lacks(place)
    check_drivers(place)
    check_stop(place)
    check_places(place)


if __name__ == '__main__':
  main()
