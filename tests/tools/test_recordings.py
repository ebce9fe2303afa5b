#!/usr/bin/python3
"""indium replay and decode on recordings written by hand, good and bad: test_recordings.py INDIUM FOLDER.

FOLDER has one file for each bug that was found, or thing to be shown; a line of it says what must come out.
"""
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

FILES = sorted(pathlib.Path(sys.argv.pop()).glob('*.txt'))
INDIUM = os.path.abspath(sys.argv.pop())
SHARE = int(os.environ.get('TEST_SHARE', '1'))
HEAD = 'indium recording 1\ndevice amdgpu navi21\n'
MEMORY = HEAD + 'memory 1 0x2000\nmap 1 0x100000 0x2000 rw 1 0\n'
PACKETS = MEMORY + 'packets 1 0x1000 8\n'
CODE = MEMORY.replace('0x2000', '0x100000') + 'code32 1 0x1000 4\n'
SUBMIT = MEMORY + 'submit 1 gfx\n  ib 0x100000 4\n'

# What is wrong, the line and a part of the message.
BAD = [
  ('', '', 'it ends ahead of its second line'),
  ('indium recording 2\n', 1, 'not a recording'),
  ('indium recording 1\nmemory 1 0x1000\n', 2, 'device DRIVER CHIP'),
  ('indium recording 1\ndevice intel dg2\n', '', 'recordings of intel'),
  (HEAD + 'schedule\n', 3, 'schedule is missing'),
  (HEAD + 'memory 1 0x1000\0\n', 3, 'zero'),
  (HEAD + 'frobnicate 1\n', 3, 'no directive "frobnicate"'),
  (HEAD + '  00000000\n', 3, 'nothing above'),
  (HEAD + 'memory 0 0x1000\n', 3, 'zero'),
  (HEAD + 'memory 1 0x1001\n', 3, 'multiple of 0x1000'),
  (HEAD + 'memory 1 0x8000000000000\n', 3, 'at most'),
  (HEAD + 'memory 99999999 0x1000\n', 3, 'at most'),
  (HEAD + 'memory one 0x1000\n', 3, '"one"'),
  (HEAD + 'memory 1\n', 3, 'size is missing'),
  (HEAD + 'memory 1 0x1000 2\n', 3, 'too many words'),
  (HEAD + 'schedule in-order more\n', 3, 'too many words'),
  (HEAD + 'option one two\n', 3, 'too many words'),
  (MEMORY + 'memory 1 0x1000\n', 5, 'already'),
  (MEMORY + 'free 2\n', 5, 'no memory 2'),
  (MEMORY + 'free 1\nwrite 1 0\n', 6, 'no memory 1'),
  (MEMORY + 'map 1 0x200000 0x1000 rwz 1 0\n', 5, '"rwz"'),
  (MEMORY + 'map 1 0x200000 0x1000 rw\n', 5, 'only holes'),
  (MEMORY + 'map 1 0x200000 0x1000 rw 1 0x2000\n', 5, 'has only'),
  (MEMORY + 'map 1 0x800000000000 0x1000 rw 1 0\n', 5, '48 bits'),
  (MEMORY + 'map 1 0x7ffffffff000 0x2000 rw 1 0\n', 5, '48 bits'),
  (MEMORY + 'map 1 0x101000 0x1000 rw 1 0\n', 5, 'mapped there already'),
  (MEMORY + 'write 1 0x2004\n', 5, 'at most 0x2000'),
  (MEMORY + 'write 1 2\n', 5, 'multiple of 4'),
  (MEMORY + 'write 1 0x1ffc\n  1 2\n', 5, 'past the end'),
  (MEMORY + 'write 1 0\n  12345678 123456789\n', 6, '"123456789"'),
  (MEMORY + 'write 1 0\n  0*\n', 6, 'count'),
  (MEMORY + 'write 1 0\n  0*0\n', 6, 'count'),
  (MEMORY + 'write 1 0\n  0*99999999999\n', 6, 'count'),
  (MEMORY + 'write 1 0\n  0*0x4000000 0\n', 6, 'more words'),
  (MEMORY + 'wrote 0123456789abcdef\n', 5, 'after a submission'),
  (SUBMIT + 'wrote 0123456789ABCDEF\n', 7, '16'),
  (SUBMIT + 'write 1 0\n  1\nexpect 1 0\n  1\n', 9, 'after a submission'),
  (MEMORY + 'waited\n', 5, 'after a submission'),
  (SUBMIT + 'wrote 0123456789abcdef\nwaited\n', 8, 'after a submission'),
  (SUBMIT + 'waited 1\n', 7, 'too many words'),
  (SUBMIT + 'write 1 0\n  1\nwaited\nwrite 1 0\n  1\nexpect 1 0\n  1\n', 12, 'after a submission'),
  (HEAD + 'option\n', 3, 'option is missing'),
  (MEMORY + 'submit 1 vcn\n', 5, 'submit SPACE gfx'),
  (MEMORY + 'submit 1 gfx\n  ib 0x100002 4\n', 6, 'multiple of 4'),
  (MEMORY + 'submit 1 gfx\n  ib 0x100000\n', 6, 'ib ADDRESS'),
  (MEMORY + 'submit 1 gfx\n  ib 0x100000 4 sync sync\n', 6, 'ib ADDRESS'),
  (PACKETS + '  FROBNICATE 1\n', 6, 'no packet "FROBNICATE"'),
  (PACKETS + '  NOP/LOUD 1\n', 6, '"LOUD"'),
  (PACKETS + '  NOP 1 x\n', 6, '"x"'),
  (PACKETS + '  NOP 1*x\n', 6, '"x"'),
  (PACKETS + '  NOP 1*0x4000\n', 6, 'at most'),
  (PACKETS + '  NOP 1*8\n', 5, '9 words, and room for 8'),
  (PACKETS + '  EVENT_WRITE EVENT=1\n', 6, 'no field "EVENT"'),
  (PACKETS + '  EVENT_WRITE EVENT_TYPE=64\n', 6, 'at most 0x3f'),
  (PACKETS + '  SET_SH_REG\n    COMPUTE_PGM_LO\n', 7, 'one value'),
  (PACKETS + '  SET_SH_REG\n    COMPUTE_PGM_LOW 1\n', 7, 'COMPUTE_PGM_LOW'),
  (PACKETS + '  SET_SH_REG\n    CB_COLOR0_BASE 1\n', 7, 'not among the registers'),
  (PACKETS + '  SET_SH_REG\n    COMPUTE_PGM_LO 1\n    COMPUTE_USER_DATA_0 1\n', 8, 'packet of its own'),
  (PACKETS + '  SET_SH_REG COMPUTE_PGM_LO 1\n', 6, 'lines of their own'),
  (PACKETS + '  pad many\n', 6, 'number of dwords'),
  (PACKETS + '  dwords c000100g\n', 6, '"c000100g"'),
  (CODE + '  s_frobnicate s0\n', 6, 's_frobnicate'),
  (CODE + '  s_mov_b32 s0\n', 6, 's_mov_b32'),
  (CODE + '  .long 1 x\n', 6, '"x"'),
  (CODE + '  s_branch end\n', 6, 'no label "end"'),
  (CODE + '  end:\n  s_nop 0\n  end:\n', 8, 'label "end" already'),
  (CODE + '  ' + 'l' * 40 + ':\n', 6, 'less than 32'),
  (CODE + '  end:\n' + '  s_nop 0\n' * 32768 + '  s_branch end\n', 32775, 'too far'),
  (CODE.replace('4\n', '1\n') + '  s_nop 0\n  s_nop 0\n', 5, '2 words, and room for 1'),
]


def indium(*args):
  done = subprocess.run([INDIUM, *map(str, args)], capture_output=True, text=True, timeout=60,
                        env={**os.environ, 'INDIUM_THREADS': '1'})
  return done.returncode, done.stdout, done.stderr


class Recordings(unittest.TestCase):
  def setUp(self):
    self.folder = tempfile.TemporaryDirectory()
    self.file = pathlib.Path(self.folder.name) / 'recording'

  def tearDown(self):
    self.folder.cleanup()

  def give(self, command, text, *args):
    self.file.write_bytes(text.encode())
    return indium(command, *args, self.file)

  def test_files(self):
    """Each of the folder gives what it says, and says something; so does what decode makes of it, twice the same."""
    self.assertGreater(len(FILES), 1)
    for file in FILES:
      self.assertRegex(file.read_text(), r'(?m)^(expect|wrote|fault) ', file)
      self.assertEqual((0, ''), indium('replay', file)[::2], file)
      status, decoded, _ = indium('decode', file)
      self.assertEqual((0, ''), self.give('replay', decoded)[::2], file)
      self.assertEqual((0, decoded, ''), self.give('decode', decoded), file)

  def test_differences(self):
    """A word, a hash and a fault that are not what the file says; with another schedule they are only told."""
    text = next(f for f in FILES if f.name == 'compute.txt').read_text()
    wrote = re.search('(?m)^wrote .*', self.give('replay', text)[1])[0]
    self.assertEqual(0, self.give('replay', f'{text}{wrote}\n')[0])
    for line, other in (('  64 67 6a', '  64 67 6b'), ('expect', 'wrote 0000000000000000\nexpect'),
                        ('expect', 'fault anything\nexpect')):
      changed = text.replace(line, other, 1)
      status, _, err = self.give('replay', changed)
      number = next(i for i, (a, b) in enumerate(zip(text.split('\n'), changed.split('\n')), 1) if a != b)
      number -= line.startswith('  ')
      self.assertEqual((status, err.count('\n')), (1, 1), err)
      self.assertIn(f'{self.file}:{number}: ', err)
      self.assertEqual((0, ''), self.give('replay', changed, '--schedule', 'worst')[::2])

  def test_new_fault(self):
    """Told with its line; nothing runs after it."""
    text = PACKETS + '  dwords 00000001\nsubmit 1 gfx\n  ib 0x101000 8\nsubmit 1 gfx\n  ib 0x101000 8\n'
    status, out, err = self.give('replay', text)
    self.assertEqual((status, out.count('submission')), (1, 1))
    self.assertRegex(err, r':7: GPU fault: not a packet header: 0x00000001.*\n$')

  def test_changes(self):
    """Printed as lines that expect them."""
    text = next(f for f in FILES if f.name == 'compute.txt').read_text()
    changes = re.search(r'(?m)^expect .*\n(  .*\n)+', self.give('replay', text, '--changes')[1])[0]
    start = text[:text.index('expect')]
    self.assertEqual((0, ''), self.give('replay', start + changes)[::2])
    self.assertEqual(1, self.give('replay', start + changes.replace('00000067', '00000068'))[0])

  def test_watchers(self):
    """Timelines, packets and registers of a replay, which change nothing."""
    file = next(f for f in FILES if f.name == 'triangle.txt')
    trace, dump = self.file.with_suffix('.json'), self.file.with_suffix('.txt')
    plain = indium('replay', file)
    args = ['--trace', trace, '--dump-state', dump, '--races', '--budget', '1000']
    self.assertEqual(plain, indium('replay', *args, file))
    self.assertGreater(len(json.loads(trace.read_text())['traceEvents']), 2)
    self.assertRegex(dump.read_text(), r'(?m)^CB_COLOR0_BASE 0x00002000\n(.*\n)*packet DRAW_INDEX_AUTO .*\n$')
    for args in (['--trace', '/nowhere/x'], ['--dump-state', '/dev/full'], ['--budget', '0'], ['--gpu', 'm1']):
      self.assertEqual(2, indium('replay', *args, file)[0], args)

  def test_packets(self):
    """Text and dwords, both ways: fields, flags, registers with and without a name, what is no packet, padding."""
    text = ('  NOP/PREDICATE/SHADER_TYPE 0x7*3\n'
            '  SET_SH_REG\n     COMPUTE_PGM_LO 0x1\n     COMPUTE_PGM_HI DATA=0x2\n'
            '  SET_UCONFIG_REG_INDEX INDEX=0x1\n     VGT_PRIMITIVE_TYPE PRIM_TYPE=DI_PT_TRILIST\n'
            '  SET_CONTEXT_REG\n     0x28ffc 0x5\n'
            '  dwords c000ff00 00000001\n  dwords 12345678\n  pad 3\n'
            '  EVENT_WRITE EVENT_TYPE=CS_PARTIAL_FLUSH,EVENT_INDEX=EVENT_INDEX_PARTIAL_FLUSH\n')
    words = ('c0021003 00000007*3 c0027600 0000020c 00000001 00000002 c0017a00 10000242 00000004 c0016900 000003ff '
             '00000005 c000ff00 00000001 12345678 ffff1000*3 c0004600 00000407')
    count = 22
    submit = f'submit 1 gfx\n  ib 0x100000 {count}\n'
    _, decoded, err = self.give('decode', f'{MEMORY}write 1 0\n  {words}\n{submit}')
    self.assertIn(f'packets 1 0x0 {count}\n{text}submit', decoded, err)
    # As words again, where no submission says that they are packets.
    _, plain, err = self.give('decode', f'{MEMORY}packets 1 0\n{text}')
    self.assertEqual(words.split(), plain[plain.index('write'):].split()[3:], err)

  def test_code(self):
    """Text and words, both ways: branches by label and by number, words that are no instructions, padding."""
    code = ('    s_mov_b32 s0, 0x12345678\n  L2:\n    v_cndmask_b32_e64 v1, -1.0, 1.0, %s\n    s_cbranch_scc0 L2\n'
            '    s_cbranch_scc1 L9\n    s_branch 100\n    .long 0xffffffff # ?\n    s_endpgm\n  L9:\n    s_endpgm\n')
    for lanes, vcc, word in (('32', 'vcc_lo', '01a9e4f3'), ('64', 'vcc', '01a9e4f3')):
      words = f'be8003ff 12345678 d5010001 {word} bf84fffd bf850003 bf820064 ffffffff bf810000*2 bf9f0000*2'
      text = code % vcc
      _, plain, err = self.give('decode', f'{MEMORY}code{lanes} 1 0 12\n{text}')
      self.assertEqual(words.split(), plain[plain.index('write'):].split()[3:], err)

  def test_bad(self):
    for text, line, message in BAD:
      status, out, err = self.give('replay', text)
      self.assertEqual((status, out, err.count('\n')), (2, '', 1), (text, err))
      self.assertTrue(err.startswith(f'indium: {self.file}:{line}: ' if line else f'indium: {self.file}: '), err)
      self.assertIn(message, err)
    for text, message in ((HEAD.replace('21', '99'), 'no chip is called "navi99"'),
                          (HEAD + 'schedule never\n', 'no schedule is called "never"'),
                          (HEAD + 'option soft\n', 'no option of navi21 is called "soft"')):
      status, out, err = self.give('replay', text)
      self.assertEqual((status, out, err.count('\n')), (2, '', 1), err)
      self.assertIn(message, err)
    for args in (['/nowhere'], ['/'], [], ['a', 'b'], ['--gpu']):
      for command in ('replay', 'decode'):
        status, out, err = indium(command, *args)
        self.assertEqual((status, out, bool(err)), (2, '', True), (command, args))

  def test_mutants(self):
    """Bytes, words and lines that are changed, lost or doubled: an answer, whatever it is, and no crash."""
    pick = random.Random(8)
    texts = [f.read_text() for f in FILES if f.stat().st_size < 5000]
    words = sorted({word for text in texts for word in re.findall(r'\S+', text)})
    words += ['0xffffffffffffffff', '0', '*', '=', '-1']
    seen = set()
    for _ in range(20 + 240 // SHARE):
      lines = pick.choice(texts).split('\n')
      for _ in range(pick.randint(1, 4)):
        at = pick.randrange(len(lines))
        kind = pick.randrange(4)
        if kind == 0:
          lines.pop(at) if len(lines) > 1 else None
        elif kind == 1:
          lines.insert(pick.randrange(len(lines)), lines[at])
        elif kind == 2:
          old = lines[at].split(' ')
          old[pick.randrange(len(old))] = pick.choice(words)
          lines[at] = ' '.join(old)
        elif lines[at]:
          i = pick.randrange(len(lines[at]))
          lines[at] = lines[at][:i] + chr(pick.randrange(1, 127)) + lines[at][i + 1:]
      text = '\n'.join(lines)
      for command in ('replay', 'decode'):
        status, _, err = self.give(command, text)
        self.assertIn(status, (0, 1, 2), (text, err))
        self.assertEqual(bool(err), status > 0, (text, err))
        self.assertNotIn('Sanitizer', err, text)
        seen.add((command, status))
    self.assertEqual({('replay', 0), ('replay', 1), ('replay', 2), ('decode', 0), ('decode', 2)}, seen)


if __name__ == '__main__':
  unittest.main()
