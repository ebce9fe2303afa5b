#!/usr/bin/python3
"""indium sparse: usage errors, pages and folios against sums done by hand from the document, tables, --at, --plot."""
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

INDIUM = sys.argv.pop()


def run(*args):
  result = subprocess.run([INDIUM, 'sparse', *map(str, args)], capture_output=True, text=True, timeout=60)
  return result.returncode, result.stdout, result.stderr


class Sparse(unittest.TestCase):
  def setUp(self):
    self.folder = tempfile.TemporaryDirectory()
    self.path = pathlib.Path(self.folder.name)

  def tearDown(self):
    self.folder.cleanup()

  def table(self, text, *args):
    file = self.path / 'table'
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return run(*args, '--table', file)

  def test_usage_errors(self):
    for line in ['', '64x64', '64x64 NO_FORMAT', '64x64 R8_UNORM extra', '64x64 R8_UNORM --tiling linear',
                 '64x64 R8_UNORM --at 64,0,0,0', '64x64 R8_UNORM --what', '64x64 R8_UNORM --table /nonexistent',
                 '64x64 R8_UNORM --plot nowhere.gif', '99999999999x4 R8_UNORM']:
      status, _, err = run(*line.split())
      self.assertEqual(status, 2, line)
      self.assertTrue(err, line)

  def test_folios(self):
    """2048x1024 texels of 4 bytes: 512 pages of 64x64, two folios a layer, 2 KiB each."""
    status, out, _ = run('2048x1024', 'R32_UINT', '--layers', 3)
    self.assertEqual(status, 0)
    self.assertIn('512 pages of 16384 B, in 2 folios of 256; the table: 12288 B', out)

  def test_walk(self):
    """Layer 1 begins at folio 2. Page 3 of a Morton order of pages is at (64, 64)."""
    status, out, _ = run('2048x1024', 'R32_UINT', '--layers', 3, '--at', '65,66,1,0')
    self.assertEqual(status, 0)
    self.assertIn('page 3\n', out)
    self.assertIn(f'folio 2, word {2 * 512 + 3} of the table', out)
    _, out, _ = self.table(f'0*{2 * 512 + 3} c0123456 0*{4 * 512 - 4}', '2048x1024', 'R32_UINT', '--layers', 3,
                           '--at', '65,66,1,0')
    # In the page x is 1, at the even bits, and y is 2, at the odd ones; elements have 4 bytes.
    self.assertIn(f'address 0x{(0x123456 << 14) + 4 * 0b1001:010x}', out)

  def test_table(self):
    image = ('256x256', 'R32_UINT')
    status, out, _ = self.table('c0000001*4 0*252 7 0*255', *image)
    self.assertEqual(status, 0)
    self.assertIn('  ####............\n  4 of 16 pages have memory, counters: 7\n', out)
    for word, says in (('40000000', 'bits 30 and 31'), ('80000001', 'bits 30 and 31'), ('c4000000', '26 to 29')):
      status, out, _ = self.table(f'{word} 0*511', *image)
      self.assertEqual(status, 1)
      self.assertIn(says, out)
    status, out, _ = self.table('0*16 c0000001 0*495', *image)
    self.assertEqual(status, 1)
    self.assertIn('word 16 (page 16 of layer 0): 0xc0000001 is set, and the layer has no such page', out)

  def test_bad_files(self):
    for text in ('', '0*511', '0*513', 'x', '0*', '0*0 0*512', '123456789 0*511', '0*99999999999999999999',
                 b'0\0*512', b'\xff' * 100, '0' * 1000):
      status, out, err = self.table(text, '256x256', 'R32_UINT')
      self.assertEqual((status, out, len(err.splitlines())), (2, '', 1), text)

  def test_plot(self):
    file = self.path / 'plot.svg'
    self.assertEqual(run('1000x700', 'R8G8B8A8_UNORM', '--levels', 'full', '--layers', 2, '--plot', file)[0], 0)
    text = ''.join(ElementTree.parse(file).getroot().itertext())
    self.assertIn('folio 3: layer 1, pages 256 to 341', text)
    self.assertIn('level 4: 62x43 el, 1x1 pages', text)


if __name__ == '__main__':
  unittest.main()
