#!/usr/bin/python3
"""indium order --explain: decisions, what is said of them, both forms of a state, bad input."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
INDIUM = sys.argv.pop()
DEPTH = 'depth_buffer=yes depth_test=yes depth_compare=less '
COLOR = 'color0.format=R8G8B8A8_UNORM '
MAXIMUM = COLOR + 'color0.blend=yes color0.op=max '
# State, and what the first line has to begin with and to say.
DECISIONS = [
  (DEPTH + 'depth_write=yes', 'out of order: ', 'nothing depends on'),
  (DEPTH + 'depth_write=yes ' + COLOR, 'in order: ', 'color0 (R8G8B8A8_UNORM) depends on which fragment passes last'),
  (DEPTH + COLOR, 'in order: ', 'which fragment passes last'),
  (DEPTH + MAXIMUM, 'out of order: ', ''),
  (DEPTH + 'depth_write=yes ' + MAXIMUM, 'in order: ', 'which fragments pass'),
  (MAXIMUM + 'color3.format=R8_UNORM', 'in order: ', 'color3 (R8_UNORM) depends on'),
  (DEPTH + 'depth_write=yes early_tests=yes stores=yes', 'in order: ', 'stores to memory after early tests'),
  (DEPTH + 'depth_write=yes stores=yes', 'out of order: ', ''),
  (DEPTH + 'depth_write=yes occlusion=precise', 'in order: ', 'occlusion query depends on how many fragments pass'),
  (DEPTH + 'depth_write=yes occlusion=boolean', 'out of order: ', ''),
  (DEPTH + 'depth_write=yes statistics=yes early_tests=yes', 'in order: ', 'statistics query'),
  (DEPTH + 'depth_write=yes depth_bounds=yes', 'in order: ', 'do not keep what depth and stencil are in the end'),
  ('depth_test=yes depth_write=yes', 'out of order: ', ''),
  ('interlock=ordered', 'in order: ', 'ordered sections'),
  ('interlock=unordered', 'out of order: ', ''),
  (COLOR + 'reads_targets=yes', 'in order: ', 'reads what fragments of the draw write'),
  (COLOR + 'relaxed=yes', 'out of order: ', 'relaxes'),
  (COLOR + 'relaxed=yes nooutoforder=yes', 'in order: ', 'nooutoforder'),
  (COLOR + 'relaxed=yes chip=raven', 'in order: ', 'raven rasterises in the order of primitives'),
  (COLOR + 'relaxed=yes chip=navi31', 'in order: ', 'navi31'),
  (DEPTH + 'depth_write=yes assume_no_z_fights=yes ' + COLOR, 'out of order: ', ''),
  (COLOR + 'color0.blend=yes color0.op=add color0.src=one color0.dst=one', 'in order: ', ''),
  (COLOR + 'color0.blend=yes color0.op=add color0.src=one color0.dst=one commutative_blend_add=1', 'out of ', ''),
  ('color0.format=R8G8B8A8_UINT logic_op=xor', 'out of order: ', ''),
  (COLOR + 'color0.write_mask=0', 'out of order: ', ''),
  ('stencil_buffer=yes stencil_test=yes front.pass=zero back.pass=invert', 'in order: ', ''),
  ('stencil_buffer=yes stencil_test=yes stencil.pass=VK_STENCIL_OP_INCREMENT_AND_WRAP', 'out of order: ', ''),
  ('stencil_buffer=yes stencil_test=yes stencil.pass=replace', 'out of order: ', ''),
  ('stencil_buffer=yes stencil_test=yes stencil.pass=replace exports_stencil=yes', 'in order: ', ''),
  ('stencil_buffer=yes stencil_test=yes stencil.pass=replace back.reference=1', 'in order: ', ''),
  ('stencil_buffer=yes stencil_test=yes stencil.pass=replace back.reference=1 stencil.write_mask=2', 'out of ', ''),
  ('discard=on alpha_to_coverage=TRUE exports_mask=1', 'out of order: ', ''),
]
# Text, place and what is said.
BAD = [
  ('depth_test', '1:11', "expected '=', not the end"),
  ('=', '1:1', "expected a key, not '='"),
  ('chip=vega10\n  depth_test=', '2:14', 'expected a value, not the end'),
  ('chip=vega10\n\x01', '2:1', 'not a byte 0x01'),
  ('chip=vega10\n# comment\nsize=3', '3:1', 'there is no key "size"'),
  ('front.size=3', '1:1', 'there is no key "front.size"'),
  ('color8.format=R8_UNORM', '1:1', 'there is no key'),
  ('color0.size=3', '1:1', 'there is no key'),
  ('chip=vega9', '1:1', '"vega9" is not an AMD chip'),
  ('chip=m1', '1:1', '"m1" is not an AMD chip'),
  ('depth_test=maybe', '1:1', '"maybe" is not yes or no'),
  ('stencil_test=1 stencil.reference=256', '1:16', '"256" is not a number from 0 to 255'),
  ('color0.format=R8', '1:1', '"R8" is not a format of colour targets'),
  ('color0.format=D32_SFLOAT', '1:1', 'is not a format of colour targets'),
  (COLOR + 'color0.write_mask=rgbx', '1:30', '"rgbx" is not letters of rgba'),
  ('depth_test=1 depth_compare=nearer', '1:14', '"nearer" is not one of Vulkan\'s names'),
  ('x' * 100, '1:48', 'the word is too long'),
  ('{"chip": "vega10"', '1:18', "expected ',' or '}', not the end"),
  ('{"chip": "vega10"}}', '1:19', 'expected the end'),
  ('{"chip": [1]}', '1:10', "expected a value, not '['"),
  ('{"chip": "ve ga"}', '1:13', "expected '\"'"),
  ('{"front": {"size": 1}}', '1:12', 'there is no key "front.size"'),
  ('{' + '"a":{' * 6, '1:26', 'too many parts'),
  # Contradictions: both sides are named.
  ('depth_test=no\ndepth_test=yes', '2:1', 'depth_test contradicts or repeats depth_test of line 1, column 1'),
  ('stencil_test=1 stencil.pass=zero\nfront.pass=keep', '2:1', 'front.pass contradicts or repeats stencil.pass'),
  ('depth_compare=less', '1:1', 'depth_compare contradicts depth_test'),
  ('depth_write=yes depth_test=no', '1:1', 'depth_write contradicts depth_test'),
  ('back.fail=zero', '1:1', 'back.fail contradicts stencil_test'),
  ('color1.blend=yes', '1:1', 'color1.blend contradicts color1: without a format'),
  (COLOR + 'color0.op=max', '1:30', 'color0.op contradicts color0.blend'),
  ('color0.format=R32_UINT color0.blend=yes', '1:24', 'color0.blend contradicts color0.format: R32_UINT'),
  ('reads_targets=yes', '1:1', 'reads_targets contradicts the rest'),
]


def explain(state, stdin=None):
  done = subprocess.run([INDIUM, 'order', '--explain', state], input=stdin, capture_output=True, timeout=60)
  return done.returncode, done.stdout.decode(), done.stderr.decode()


def as_json(text):
  """The same state as an object in which faces and targets are objects."""
  state = {}
  for key, value in (item.split('=') for item in text.split()):
    *path, last = key.split('.')
    inner = state
    for part in path:
      inner = inner.setdefault(part, {})
    inner[last] = {'yes': True, 'no': False}.get(value, int(value) if value.isdigit() else value)
  return json.dumps(state, indent=1)


class Explain(unittest.TestCase):
  def setUp(self):
    self.folder = tempfile.TemporaryDirectory()
    self.file = pathlib.Path(self.folder.name) / 'state'

  def tearDown(self):
    self.folder.cleanup()

  def test_decisions(self):
    for state, begin, sentence in DECISIONS:
      status, out, err = explain(state)
      line = out.splitlines()[0] if out else ''
      self.assertTrue(status == 0 and not err and line.startswith(begin) and sentence in line, (state, out, err))
      self.assertEqual(explain(as_json(state)), (status, out, err), state)
      self.file.write_text(state.replace(' ', '\n') + '\n# the end')
      self.assertEqual(explain(str(self.file)), (status, out, err), state)
      self.assertEqual(explain('-', state.encode()), (status, out, err), state)

  def test_needs(self):
    _, out, _ = explain(DEPTH + MAXIMUM + 'occlusion=precise depth_bias=yes')
    self.assertEqual([line.split() for line in out.splitlines()[1:]],
                     [['tests', 'keep', 'depth-stencil', 'any', 'count', 'set'], ['color0', 'needs', 'set'],
                      ['occlusion', 'needs', 'count'], ['depth_bias', 'makes', 'no', 'difference']])

  def test_bad_input(self):
    for state, place, message in BAD:
      self.file.write_text(state)
      status, out, err = explain(str(self.file))
      self.assertTrue((status, out) == (2, '') and len(err.splitlines()) == 1 and f':{place}: ' in err
                      and message in err, (state, place, message, err))

  def test_junk(self):
    for data in (b'\0', bytes(range(256)) * 100, b'\xff\x1b[31m', b'{' * 60000, b'a=' * 30000, b'"' * 1000):
      self.file.write_bytes(data)
      status, out, err = explain(str(self.file))
      self.assertEqual((status, out, len(err.splitlines())), (2, '', 1), err)
      self.assertTrue(err[:-1].isprintable() and err.isascii(), err)

  def test_no_state(self):
    for state in ('/nonexistent', self.folder.name, '/dev/zero'):
      status, out, err = explain(state)
      self.assertEqual((status, out, len(err.splitlines())), (2, '', 1), err)
    for args in ([], ['--explain'], ['--explain', 'chip=vega10', 'more'], ['--what']):
      done = subprocess.run([INDIUM, 'order', *args], capture_output=True, text=True, timeout=60)
      self.assertEqual((done.returncode, done.stdout), (2, ''), args)
      self.assertIn('indium order', done.stderr)

  def test_keys_are_named(self):
    """Every key of the table is in --help."""
    source = (ROOT / 'src/tools/order/order_state.c').read_text()
    keys = [*re.findall(r'^   (?:STATE|FACE|COLOR)\("(\w+)"', source, re.M),
            *re.findall(r'"(\w+)"', source.split('order_idle_keys[ORDER_NUM_IDLE] = ')[1].split(';')[0])]
    text = subprocess.run([INDIUM, 'order', '--help'], capture_output=True, text=True, timeout=60).stdout
    self.assertTrue(len(keys) > 40, keys)
    for key in keys:
      self.assertRegex(text, rf'\b{re.sub("_(rgb|alpha)$", "", key)}\b')


if __name__ == '__main__':
  unittest.main()
