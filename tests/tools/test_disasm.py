#!/usr/bin/python3
"""indium disasm: code in hexadecimal and as it is, of both vendors; files that are at fault.

Usage: test_disasm.py INDIUM isa_honeykrisp.txt
"""
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

VECTORS = pathlib.Path(sys.argv.pop())
INDIUM = sys.argv.pop()
# As LLVM's assembler writes them, with their words.
AMD = [('s_endpgm', [0xbf810000]), ('v_mov_b32_e32 v0, 0', [0x7e000280]),
       ('s_mov_b32 s0, 0x12345678', [0xbe8003ff, 0x12345678])]


def run(content, *args):
  with tempfile.NamedTemporaryFile() as file:
    file.write(content if isinstance(content, bytes) else content.encode())
    file.flush()
    done = subprocess.run([INDIUM, 'disasm', *args, file.name], capture_output=True, timeout=60)
  return done.returncode, done.stdout.decode(), done.stderr.decode().replace(file.name, 'FILE')


class Disassembly(unittest.TestCase):
  def test_apple(self):
    """Byte for byte what Honeykrisp prints."""
    rows = [line.split(' ', 1) for line in VECTORS.read_text().splitlines() if line[0] != '#']
    self.assertGreater(len(rows), 3000)
    want = ''.join(f'{text}\n' for _, text in rows)
    self.assertEqual(run('\n'.join(code for code, _ in rows), '--gpu', 'm1'), (0, want, ''))
    code = bytes.fromhex(''.join(code for code, _ in rows))
    for chip in ('m1', 'm1max', 'm2'):
      self.assertEqual(run(code, '--gpu', chip), (0, want, ''))

  def test_amd(self):
    want = ''.join(f'{text}\n' for text, _ in AMD)
    lines = '# words\n\n' + '\n'.join(' '.join(f'{w:08x}' for w in words) + ' # as numbers' for _, words in AMD)
    code = b''.join(w.to_bytes(4, 'little') for _, words in AMD for w in words)
    for chip in ('navi10', 'navi21'):
      self.assertEqual(run(lines, '--gpu', chip), (0, want, ''))
      self.assertEqual(run(code, '--gpu', chip), (0, want, ''))
    compare = b''.join(w.to_bytes(4, 'little') for w in (0xd4820000, 0x00010180))
    narrow, wide = (run(compare, '--gpu', 'navi21', *more)[1] for more in ([], ['--wave64']))
    self.assertIn('s0,', narrow)
    self.assertIn('s[0:1],', wide)

  def test_ignored_bits(self):
    """What Mesa 26.2 writes into the source that an operation lacks; LLVM takes none of it."""
    line = 'd56a0002 02000300'
    self.assertEqual(run(line, '--gpu', 'navi21'), (0, 'v_mul_hi_u32 v2, v0, s1\n', ''))
    self.assertEqual(run(line, '--gpu', 'navi21', '--strict'), (0, 'unknown 02000300d56a0002\n', ''))

  def test_what_is_no_instruction(self):
    self.assertEqual(run('ffff\n3800\nff00ff00ff00\n', '--gpu', 'm1'),
                     (0, 'unknown ffff\nwait     a\nunknown ff00ff00ff00\n', ''))
    self.assertEqual(run(b'\xff\xff\x38\x00\xff', '--gpu', 'm1')[1], 'unknown ffff\nwait     a\nunknown ff\n')
    self.assertEqual(run('ffffffff', '--gpu', 'navi21')[1], 'unknown ffffffff\n')
    self.assertEqual(run(b'\xff\xfe\xfd\xfc\x00', '--gpu', 'navi21')[1], 'unknown fcfdfeff\nunknown 00\n')
    self.assertEqual(run('', '--gpu', 'm1'), (2, '', 'indium disasm: FILE: it is empty\n'))

  def test_any_bytes(self):
    """Every byte is in some line, and no file makes it stumble."""
    random.seed(7)
    for chip in ('m1', 'navi10', 'navi21'):
      for size in (1, 2, 3, 5, 11, 64, 4097, 50000):
        status, out, err = run(b'\x80' + random.randbytes(size), '--gpu', chip)
        self.assertEqual((status, err), (0, ''))
        self.assertTrue(out.endswith('\n'))

  def test_bad_files(self):
    for text, message in [('3800\nzz\n', 'FILE:2: not a hexadecimal digit'),
                          ('380\n', 'FILE:1: not whole halfwords'),
                          ('3800\n\n38003800\n', 'FILE:3: the instruction has 2 bytes, the line 4'),
                          ('00' * 65, 'FILE:1: longer than any instruction')]:
      status, _, err = run(text, '--gpu', 'm1')
      self.assertEqual(status, 2)
      self.assertIn(message, err)
    self.assertIn('FILE:1: not whole dwords', run('bf81', '--gpu', 'navi21')[2])

  def test_usage(self):
    self.assertIn('name the chip of the code', run('')[2])
    self.assertEqual('indium disasm: no chip is called "m9" (see: indium gpus)\n', run('', '--gpu', 'm9')[2])
    for arguments in (['--gpu', 'm1'], ['--gpu', 'm1', '/nowhere/file'], ['--gpu', 'm1', '/']):
      done = subprocess.run([INDIUM, 'disasm', *arguments], capture_output=True, text=True, timeout=60)
      self.assertEqual((done.returncode, done.stdout), (2, ''))
      self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)


if __name__ == '__main__':
  unittest.main()
