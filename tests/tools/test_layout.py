#!/usr/bin/python3
"""indium layout: usage errors, table, --at, --json, --plot and --check. Expected bytes come from measured rows and
from sums done by hand."""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

VECTORS = sys.argv.pop()
INDIUM = sys.argv.pop()
HEADER = 'format,width_px,height_px,layers,levels,samples,compressed,metadata_offset_B,size_B,level_offsets_B\n'


def run(*args):
  result = subprocess.run([INDIUM, 'layout', *map(str, args)], capture_output=True, text=True, timeout=60)
  return result.returncode, result.stdout, result.stderr


class Layout(unittest.TestCase):
  def setUp(self):
    self.folder = tempfile.TemporaryDirectory()
    self.path = pathlib.Path(self.folder.name)

  def tearDown(self):
    self.folder.cleanup()

  def check(self, text):
    file = self.path / 'rows.csv'
    file.write_text(text)
    return run('--check', file)

  def test_usage_errors(self):
    wrong = ['', '64x64', '64 R8_UNORM', '64xR8 R8_UNORM', '0x64 R8_UNORM', '64x64 NO_FORMAT', '64x64 R8_UNORM extra',
             '64x64 R8_UNORM --levels 8', '64x64 R8_UNORM --levels', '64x64 R8_UNORM --tiling odd',
             '64x64 R8_UNORM --stride 72', '64x64 R8_UNORM --at 64,0,0,0', '64x64 R8_UNORM --at 1,2,3',
             '64x64 R8_UNORM --what', '8x8 R8_UNORM --compressed', '64x64 BC1_RGB_UNORM_BLOCK --tiling linear',
             '64x64 R8G8B8_UNORM', '64x64 R8_UNORM --samples 3', '-1x4 R8_UNORM', '99999999999x4 R8_UNORM',
             '64x64 R8_UNORM --plot nowhere.gif', '64x64 R8_UNORM --plot /nonexistent/folder/a.svg', '--check']
    for line in wrong:
      status, _, err = run(*line.split())
      self.assertEqual(status, 2, line)
      self.assertTrue(err, line)

  def test_junk(self):
    """No table, or one without an end: a line that can be printed, and no more."""
    junk = self.path / 'junk'
    for data in (None, b'', b'\0', b'format,\xff\x1b[31m\n', b'a' * 10**6,
                 b'format,width_px,height_px\n' + b'1,' * 50000, bytes(range(256)) * 100):
      if data is not None:
        junk.write_bytes(data)
      status, out, err = run('--check', '/dev/zero' if data is None else junk)
      self.assertEqual((status, out, len(err.splitlines())), (2, '', 1), err)
      self.assertTrue(len(err) < 250 and err[:-1].isprintable() and err.isascii(), err)

  def test_rule_is_named(self):
    _, _, err = run('64x64', 'R8_UNORM', '--stride', '72')
    self.assertIn('a linear stride is a multiple of 16 bytes', err)

  def test_table_and_at(self):
    status, out, _ = run('1024x717', 'R8G8B8A8_UNORM', '--levels', 'full', '--at', '100,37,0,2')
    self.assertEqual(status, 0)
    self.assertIn('size 4232832 B', out)
    # Level 2 starts at 3932160 (measured); tile (1, 0) of 64 x 64; in the tile (36, 37), whose Morton code is
    # 110000110010 in binary = 3122.
    self.assertIn(f'= {3932160 + 16384 + 3122 * 4:12} (0x', out)

  def test_json(self):
    status, out, _ = run('717x717', 'R8G8B8A8_UNORM', '--levels', '10', '--layers', '2', '--compressed', '--json',
                         '--at', '0,0,1,1')
    image = json.loads(out)
    self.assertEqual(status, 0)
    offsets = [level['offset_B'] for level in image['level_layouts']]
    self.assertEqual(offsets, [0, 2359296, 2949120, 3096576, 3178496, 3194880, 3198976, 3200000, 3200256, 3200384])
    self.assertEqual(image['at']['offset_B'], image['layer_stride_B'] + 2359296)
    for options in ('--sparse', '--tiling linear', '--dim cube --layers 6', '--samples 4', '--tiling twiddled'):
      status, out, _ = run('64x64', 'R8_UNORM', '--json', *options.split())
      self.assertEqual((status, json.loads(out)['width_px']), (0, 64))

  def test_plots(self):
    for options in ('717x717 R8G8B8A8_UNORM --levels full --compressed --layers 3', '100x50 R8_UNORM --tiling linear',
                    '5x1 R8_UNORM', '300x200x7 ASTC_6x5_SRGB_BLOCK --levels full', '16384x16384 R8_UNORM --sparse',
                    '64x64 R32G32B32A32_SFLOAT --samples 4 --layers 99'):
      svg, png = self.path / 'a.svg', self.path / 'a.png'
      self.assertEqual(run(*options.split(), '--plot', svg)[0], 0)
      self.assertEqual(run(*options.split(), '--plot', png)[0], 0)
      root = ElementTree.parse(svg).getroot()
      texts = [e.text for e in root.iter('{http://www.w3.org/2000/svg}text')]
      self.assertTrue(any('level 0' in text for text in texts))
      data = png.read_bytes()
      self.assertEqual(data[:8], b'\x89PNG\r\n\x1a\n')
      self.assertEqual(struct.unpack('>II', data[16:24]),
                       (2 * int(root.get('width')), 2 * int(root.get('height'))))

  def test_check_vectors(self):
    for kind, rows in ('comp-twiddled', 1190), ('miptree', 12), ('msaa', 1225), ('uncomp-twiddled', 393):
      status, out, err = run('--check', f'{VECTORS}/{kind}.csv')
      self.assertEqual((status, out, err), (0, f'{rows} passed, 0 failed\n', ''))

  def test_check_failures(self):
    good = 'R8_UNORM,1,4,1,3,1,0,,384,\n'
    self.assertEqual(self.check(HEADER + good)[:2], (0, '1 passed, 0 failed\n'))
    status, out, _ = self.check(HEADER + good.replace('384', '385') + good + 'R8_UNORM,1,4,1,3,1,0,,,0 128 300\n')
    self.assertEqual((status, out.splitlines()[-1]), (1, '1 passed, 2 failed'))
    self.assertIn(':2: R8_UNORM 1x4, 1 layers, 3 levels, 1 samples: size_B is 385 there, 384 here', out)
    self.assertIn('offset of level 2 is 300 there, 256 here', out)
    # A description that breaks a rule fails, and so does a format nobody knows.
    status, out, _ = self.check(HEADER + 'R8_UNORM,8,8,1,1,1,1,,384,\n' + 'R8_ODD,8,8,1,1,1,0,,384,\n')
    self.assertEqual((status, out.splitlines()[-1]), (1, '0 passed, 2 failed'))

  def test_check_order_and_empty_cells(self):
    self.assertEqual(self.check('size_B,height_px,levels,width_px,format\r\n384,4,3,1,R8_UNORM\r\n\r\n')[:2],
                     (0, '1 passed, 0 failed\n'))
    self.assertEqual(self.check(HEADER + 'R8_UNORM,1,4,,,,,,,\n')[:2], (0, '1 passed, 0 failed\n'))

  def test_check_unreadable(self):
    for text in ('', 'what\n1\n', 'format,width_px\n', HEADER + 'R8_UNORM,1\n',
                 HEADER + 'R8_UNORM,x,4,1,3,1,0,,384,\n', HEADER + 'R8_UNORM,1,4,1,3,1,0,,3e4,\n',
                 'format,format,width_px,height_px\n'):
      status, _, err = self.check(text)
      self.assertEqual(status, 2, text)
      self.assertTrue(err)
    for path in (self.path, self.path / 'none.csv'):
      self.assertEqual(run('--check', path)[0], 2)


if __name__ == '__main__':
  unittest.main()
