#!/usr/bin/python3
"""indium trace: usage errors, bad files, the summary, the picture: test_trace.py INDIUM."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

INDIUM = sys.argv.pop()


def run(*args):
  done = subprocess.run([INDIUM, 'trace', *map(str, args)], capture_output=True, text=True, timeout=60)
  return done.returncode, done.stdout, done.stderr


def span(category, thread, start, length, name='x'):
  return {'ph': 'X', 'cat': category, 'name': name, 'pid': 1, 'tid': thread, 'ts': start, 'dur': length}


class Trace(unittest.TestCase):
  def setUp(self):
    self.folder = tempfile.TemporaryDirectory()
    self.path = pathlib.Path(self.folder.name)

  def tearDown(self):
    self.folder.cleanup()

  def write(self, content):
    file = self.path / 'trace.json'
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return file

  def test_usage_errors(self):
    for args in ([], ['a', 'b'], ['--what'], ['a', '--plot'], ['a', '--only']):
      status, out, err = run(*args)
      self.assertEqual((status, out, len(err.splitlines())), (2, '', 1), args)

  def test_bad_files(self):
    for content, word in [('', 'trace.json'), ('{', ''), ('{}', 'traceEvents'), ('[1]', 'event 0'),
                          ([{'ph': 'X'}], 'ts'), ([span('wave', 0, 0, 1), {'ph': 'X', 'ts': 0}], 'event 1'),
                          ([{'ph': 'E', 'ts': 0}], 'began'), ([{'ph': 'B', 'ts': 0}], 'never ends'),
                          ([{'ph': 'X', 'ts': '1'}], 'ts'), ([{'ph': 'X', 'ts': 0}], 'dur'),
                          ([{'ph': None, 'ts': 1}], 'ph'), ([span('wave', 0, 5, -1)], 'dur'),
                          ([span('wave', 0, 1e308, 1e308)], 'after all numbers'),
                          ('[{"ph": "i", "ts": 1e999}]', 'ts'),
                          ('[{} {}]', 'event 0'), ('[] x', 'more after the end'),
                          ('{"a": 1 "traceEvents": []}', 'comma'), ('{"traceEvents": {}}', 'no array'),
                          ('{"traceEvents": []', 'end'), ('{traceEvents: []}', 'name'), ('5', 'neither'),
                          ('{"traceEvents" []}', 'colon'), ('[{"ph": "M", "name": "x"', 'within a value')]:
      status, out, err = run(self.write(content))
      self.assertEqual((status, out, len(err.splitlines())), (2, '', 1), (content, err))
      self.assertIn(word, err)
    self.assertEqual(run(self.path / 'none.json')[0], 2)
    self.assertEqual(run(self.write([span('wave', 0, 0, 1)]), '--plot', '/nowhere/x.png')[0], 2)

  def test_summary(self):
    """Both spellings of a span count alike; counters and flows are not shown."""
    file = self.write({'traceEvents': [
      span('wave', 3, 10, 30), span('wave', 2, 0, 10), span('wait', 3, 12, 4),
      {'ph': 'C', 'ts': 1, 'name': 'counter'},
      {'ph': 'B', 'cat': 'section', 'name': 's', 'pid': 1, 'tid': 3, 'ts': 16},
      {'ph': 'E', 'pid': 1, 'tid': 3, 'ts': 24},
      {'ph': 'i', 'cat': 'export', 'name': 'e', 'pid': 1, 'tid': 3, 'ts': 30}]})
    status, out, _ = run(file)
    self.assertEqual(status, 0)
    rows = {line.split()[0]: [float(x) for x in line.split()[1:]] for line in out.splitlines()[2:]}
    self.assertEqual(rows, {'wave': [2, 40, 20, 30], 'wait': [1, 4, 4, 4], 'section': [1, 8, 8, 8],
                            'export': [1, 0, 0, 0]})
    self.assertIn('from 0 to 40', out)

  def test_plot(self):
    """Boxes lie where the times say: the second wave begins where the first ends and is three times as long."""
    file = self.write([span('wave', 1, 0, 10, 'first'), span('wave', 2, 10, 30, 'second'), span('wait', 2, 20, 10),
                       {'ph': 'M', 'name': 'process_name', 'pid': 1, 'tid': 0, 'args': {'name': 'packer'}}])
    svg = self.path / 'trace.svg'
    self.assertEqual(run(file, '--plot', svg)[0], 0)
    text = svg.read_text()
    boxes = {}
    for x, width, colour in re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)" [^>]*fill="(#\w+)"', text):
      boxes.setdefault(colour, []).append((float(x), float(width)))
    first, second = [box for box in boxes['#bcd0e8'] if box[1] != 12]
    wait, = [box for box in boxes['#f2a59d'] if box[1] != 12]
    self.assertAlmostEqual(first[0] + first[1], second[0], places=1)
    self.assertAlmostEqual(second[1], 3 * first[1], places=1)
    self.assertAlmostEqual(wait[0] - second[0], first[1], places=1)
    for word in ('first', 'second', 'packer 1', 'packer 2'):
      self.assertIn(word, text)
    png = self.path / 'trace.png'
    self.assertEqual(run(file, '--plot', png)[0], 0)
    self.assertEqual(png.read_bytes()[:8], b'\x89PNG\r\n\x1a\n')

  def test_odd_names(self):
    """Names that are missing, markup, or no ASCII: the picture is XML all the same."""
    file = self.write([span('wave', 1, 0, 10, None), span('a<b', 2, 0, 10, '<&>"\u00fc\u0001'),
                       {'ph': 'M', 'name': 'thread_name', 'pid': 1, 'tid': 1, 'args': {'name': '\u00fc' * 70}},
                       {'ph': 'M', 'name': 'thread_name', 'pid': 1, 'tid': 2, 'args': {'name': None}},
                       {'ph': 'M', 'name': 'thread_name', 'pid': 1, 'tid': 2, 'args': None}])
    svg = self.path / 'trace.svg'
    self.assertEqual(run(file, '--plot', svg)[0], 0)
    texts = [text.text for text in xml.etree.ElementTree.parse(svg).iter() if text.tag.endswith('text')]
    self.assertIn('<&>"???', texts)
    self.assertIn('a<b', texts)

  def test_only(self):
    """Rows by their label, in the table and in the picture."""
    file = self.write([span('wave', 1, 0, 10, 'first'), span('wave', 2, 10, 30, 'second'),
                       {'ph': 'M', 'name': 'thread_name', 'pid': 1, 'tid': 2, 'args': {'name': 'packer'}}])
    svg = self.path / 'trace.svg'
    status, out, _ = run(file, '--only', 'pack', '--plot', svg)
    self.assertEqual(status, 0)
    self.assertIn('1 events on 1 tracks', out)
    self.assertIn('from 10 to 40', out)
    self.assertIn('second', svg.read_text())
    self.assertNotIn('first', svg.read_text())
    self.assertIn('0 events', run(file, '--only', 'nobody')[1])

  def test_long(self):
    """A hundred thousand events, with other members around the list."""
    events = [span('wave', n % 7, n, 2) for n in range(100000)]
    status, out, _ = run(self.write({'before': [1, {'traceEvents': 5}], 'traceEvents': events, 'after': 'x"y'}))
    self.assertEqual(status, 0)
    self.assertIn('100000 events on 7 tracks from 0 to 100001', out)

  def test_empty(self):
    status, out, _ = run(self.write([]), '--plot', self.path / 'empty.png')
    self.assertEqual(status, 0)
    self.assertIn('0 events', out)


unittest.main()
