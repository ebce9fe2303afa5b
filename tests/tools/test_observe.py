#!/usr/bin/python3
"""indium run --trace, --races, --schedule, --report and --dump-state around a program: test_observe.py INDIUM OIT."""
import collections
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

OIT = os.path.abspath(sys.argv.pop())
INDIUM = os.path.abspath(sys.argv.pop())
TRIANGLE = os.path.join(os.path.dirname(OIT), 'triangle')
SMALL = ['--width', '96', '--height', '64', '--triangles', '150']
SCHEDULES = ['in-order', 'round-robin', 'worst', 'seed=5']


def run(*args, threads=1, environment=()):
  done = subprocess.run([INDIUM, 'run', *map(str, args)], capture_output=True, text=True, timeout=120,
                        env={**os.environ, 'INDIUM_THREADS': str(threads), **dict(environment)})
  return done.returncode, done.stdout, done.stderr


def rows(events):
  """Spans and instants by row, in the order of the file."""
  found = {}
  for event in events:
    if event['ph'] in 'Xi':
      found.setdefault((event['pid'], event['tid']), []).append(event)
  return found


class Observe(unittest.TestCase):
  def setUp(self):
    self.folder = tempfile.TemporaryDirectory()
    self.path = pathlib.Path(self.folder.name)

  def tearDown(self):
    self.folder.cleanup()

  def trace(self, *args, threads=1):
    file = self.path / 'trace.json'
    status, _, err = run('--trace', file, *args, threads=threads)
    return status, file.read_bytes(), err

  def test_not_writable(self):
    for file in ('/nowhere/trace.json', self.path):
      status, out, err = run('--trace', file, '--', 'echo', 'started')
      self.assertEqual((status, out, len(err.splitlines())), (2, '', 1))
      self.assertIn(str(file), err)

  def test_no_device(self):
    """A program that never asks for a device leaves an empty timeline, even if it goes elsewhere first."""
    status, text, _ = self.trace('--', 'true')
    self.assertEqual((status, json.loads(text)), (0, {'traceEvents': []}))

  def test_relative(self):
    """The file's name counts from where indium was started."""
    script = 'cd / && ' + shlex.join([OIT, *SMALL])
    done = subprocess.run([INDIUM, 'run', '--trace', 'here.json', '--', 'sh', '-c', script], capture_output=True,
                          cwd=self.path, timeout=60)
    self.assertEqual(done.returncode, 0, done)
    self.assertGreater(len(json.loads((self.path / 'here.json').read_text())['traceEvents']), 100)

  def test_threads_change_nothing(self):
    """Timelines and pictures: the same bytes on any number of host threads, and for a seed each time."""
    picture = self.path / 'picture.png'
    for samples in ('1', '4', '8'):
      for schedule in SCHEDULES:
        seen = set()
        for threads in (1, 2, 3):
          status, text, err = self.trace('--schedule', schedule, '--', OIT, *SMALL, '--samples', samples,
                                         '--unordered', '--out', picture, threads=threads)
          self.assertEqual(status, 0, err)
          seen.add((text, picture.read_bytes()))
        self.assertEqual(len(seen), 1, (samples, schedule))

  def test_seeds_differ(self):
    """Two seeds are two orders of events: a seed that replays is not one order for all."""
    texts = {self.trace('--schedule', f'seed={n}', '--', OIT, *SMALL)[1] for n in (1, 2, 3)}
    self.assertEqual(len(texts), 3)

  def test_times(self):
    """On each row waves follow one another, and what a wave does lies inside of it; launches follow one another."""
    for schedule in SCHEDULES:
      _, text, _ = self.trace('--schedule', schedule, '--', OIT, '--width', '200', '--height', '120',
                              '--triangles', '400', '--samples', '4', '--interlock', 'sample')
      events = json.loads(text)['traceEvents']
      ends = {}
      waves = sections = waits = 0
      for row in rows(events).values():
        start = end = 0
        for event in row:
          if event['cat'] == 'wave':
            self.assertGreaterEqual(event['ts'], end)
            start, end = event['ts'], event['ts'] + event['dur']
            self.assertLess(start, end)
            launch = event['args']['launch']
            old = ends.get(launch, (start, end))
            ends[launch] = min(old[0], start), max(old[1], end)
            self.assertNotIn('unfinished', event['args'])
            waves += 1
          else:
            self.assertLessEqual(start, event['ts'])
            self.assertLessEqual(event['ts'] + event.get('dur', 0), end)
            sections += event['cat'] == 'section'
            waits += event['cat'] == 'wait'
      self.assertGreater(min(waves, sections, waits), 20, (waves, sections, waits))
      order = [ends[launch] for launch in sorted(ends)]
      self.assertGreater(len(order), 2)
      for before, after in zip(order, order[1:]):
        self.assertLess(before[1], after[0] + 1)
      names = [event['args']['name'] for event in events if event['ph'] == 'M']
      self.assertTrue(any(re.fullmatch(r'SE \d packer \d', name) for name in names), names)

  def test_dump_state(self):
    """Registers stand before each draw and dispatch, whoever wrote them; packets in the order they run."""
    file = self.path / 'state.txt'
    status, _, err = run('--dump-state', file, '--', OIT, *SMALL, '--samples', '4')
    self.assertEqual(status, 0, err)
    lines = file.read_text().splitlines()
    self.assertRegex(lines[0], r'packet CONTEXT_CONTROL 0x80000000 0x80000000$')
    launches, registers, before = [], None, {}
    for line in lines:
      words = line.split()
      if words[0] == 'registers':
        self.assertEqual(words[1:], ['gfx', str(len(launches))])
        registers = {}
      elif words[0] != 'packet':
        registers[words[0]] = int(words[1], 16), words[2:]
      elif words[1].startswith(('DRAW', 'DISPATCH')):
        launches.append((words[1], registers))
        self.assertGreaterEqual(registers.keys(), before.keys())
        before, registers = registers, None
      else:
        self.assertNotIn('SET_', words[1])
    names = {name for name, _ in launches}
    self.assertTrue({'DISPATCH_DIRECT', 'DRAW_INDEX_AUTO'} <= names, names)
    ordered = [r for name, r in launches if name.startswith('DRAW') and r['DB_SHADER_CONTROL'][0] >> 16 & 1]
    self.assertTrue(ordered)
    for r in ordered:
      self.assertEqual(r['PA_SC_AA_CONFIG'][0] & 7, 2)
      self.assertEqual(r['SPI_SHADER_PGM_RSRC2_PS'][0] >> 25 & 1, 1)
      self.assertEqual(r['PA_SC_SCREEN_SCISSOR_BR'], (0x40004000, ['default']))
    self.assertNotIn('SPI_SHADER_PGM_RSRC1_HS', ordered[0])

  def test_dump_layouts(self):
    """Of AGX it says how each image lies and why: whole lines among those of the records."""
    file = self.path / 'state.txt'
    status, _, err = run('--gpu', 'm1', '--dump-state', file, '--', TRIANGLE, '-o', '/dev/null')
    self.assertEqual(status, 0, err)
    lines = file.read_text().splitlines()
    images = [line for line in lines if line.startswith('image ')]
    # The same target, as another driver lays it out on the chip: metadata after 0x100000 bytes, 8 for 16x16 pixels.
    size_B = 0x100000 + 8 * 32 * 32
    self.assertIn(f'image R8G8B8A8_UNORM 512x512x1, levels: 1, layers: 1, samples: 1, bytes: {size_B}. '
                  'GPU-tiled, because nobody wants rows, and what is near in the picture shall be near in memory; '
                  'compressed, because renders store to it, and the ends of their tiles compress', images)
    for line in lines:
      self.assertRegex(line, r'^(image |command |draw |dispatch |program | *[0-9a-f]+ [A-Z])')

  def test_full(self):
    """What cannot be written whole is an error, however the program ends: a line, and a status other than 0."""
    full = self.path / 'full.json'
    for option, words in [('--dump-state', 'the dump of states ends here'), ('--trace', 'cannot write')]:
      status, _, err = run(option, '/dev/full', '--', OIT, *SMALL)
      self.assertEqual((status, err.count(words), err.count('No space left')), (2, 1, 1), err)
    status, _, err = run('--', OIT, *SMALL, environment={'INDIUM_TRACE': '/dev/full'})
    self.assertEqual((status, err.count('the timeline ends here'), err.count('No space left')), (2, 1, 1), err)
    seven = ['sh', '-c', shlex.join([OIT, *SMALL]) + ' && exit 3 || exit 7']
    self.assertEqual(run('--dump-state', '/dev/full', '--', *seven)[0], 7)

  def test_report(self):
    """It counts what the dump of states and the timeline show one by one, whatever the threads; stderr or a file."""
    state, report = self.path / 'state.txt', self.path / 'report.txt'
    program = ['--', OIT, *SMALL]
    status, timeline, err = self.trace('--dump-state', state, f'--report={report}', *program, threads=2)
    self.assertEqual((status, err), (0, ''))
    first, *lines = report.read_text().splitlines()
    self.assertEqual(first, 'report navi21')
    counts, notes = {}, {}
    for line in lines:
      kind, name, count, *note = line.split(' ', 3)
      self.assertNotIn((kind, name), counts)
      counts[kind, name], notes[kind, name] = int(count), ' '.join(note)
    packets = collections.Counter(words[1] for line in state.read_text().splitlines()
                                  if (words := line.split())[0] == 'packet')
    ran = {name: n for (kind, name), n in counts.items() if kind == 'packet' and 'SET_' not in name}
    self.assertEqual(ran, packets)
    self.assertGreater(counts['packet', 'SET_CONTEXT_REG'], 0)
    self.assertEqual(sum(n for (kind, _), n in counts.items() if kind == 'event'),
                     packets['EVENT_WRITE'] + packets['RELEASE_MEM'])
    waves = [event['args']['instructions'] for event in json.loads(timeline)['traceEvents']
             if event['ph'] == 'X' and event.get('cat') == 'wave']
    self.assertEqual(counts['instruction', 's_endpgm'], len(waves))
    ran = sum(n for (kind, _), n in counts.items() if kind == 'instruction')
    self.assertTrue(0.98 * sum(waves) < ran <= sum(waves), 'the timeline counts those that wait for stores twice')
    for name, verdict in [(('instruction', 'v_fma_f32'), ''), (('instruction', 'v_rcp_f32'), 'approximate:'),
                          (('instruction', 's_clause'), 'ignored:'),
                          (('register', 'PA_SC_BINNER_CNTL_0'), 'ignored:')]:
      self.assertEqual(notes[name].split(' ')[0], verdict, name)
    status, _, err = run('--report', *program, threads=1)
    self.assertEqual((status, err), (0, report.read_text()))

  def test_report_without_device(self):
    report = self.path / 'report.txt'
    status, out, err = run(f'--report={report}', '--', 'true')
    self.assertEqual((status, out), (0, ''))
    self.assertIn('got no submits', err)
    self.assertEqual(report.read_text(), '')
    status, _, err = run('--', OIT, *SMALL, environment={'INDIUM_REPORT': f'{self.path}/of-%p.txt'})
    (own,) = self.path.glob('of-*.txt')
    self.assertRegex(own.name, r'of-\d+.txt')
    self.assertTrue(own.read_text().startswith('report navi21\n'))
    for args in (['--mode', 'noop'], ['--gpu', 'm1']):
      status, _, err = run('--report', *args, '--', OIT, *SMALL)
      self.assertEqual((status, len(err.splitlines())), (2, 1), err)

  def test_dump_state_not_writable(self):
    status, out, err = run('--dump-state', self.path, '--', 'echo', 'started')
    self.assertEqual((status, out, len(err.splitlines())), (2, '', 1))

  def test_races(self):
    """Ordered programs are silent, also in draws of many waves; the unordered ones name instructions and pixels."""
    for args in (SMALL, SMALL + ['--samples', '4', '--interlock', 'sample'], SMALL + ['--samples', '2', '--kbuffer'],
                 ['--width', '1280', '--height', '720', '--triangles', '1500']):
      status, _, err = run('--races', '--', OIT, *args)
      self.assertEqual((status, err), (0, ''), args)
    status, _, err = run('--races', '--', OIT, *SMALL, '--unordered')
    self.assertEqual(status, 0)
    self.assertRegex(err, r'indium: draw 0: \d+ races of overlapping pixel shader invocations\n')
    self.assertRegex(err, r'first at pixel \(\d+, \d+\): write at 0x[0-9a-f]+ \(buffer_store_dword .*\), '
                          r'then read at 0x[0-9a-f]+ \(buffer_load_dword .*\); neither is ordered')


unittest.main()
