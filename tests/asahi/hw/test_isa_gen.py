#!/usr/bin/python3
"""The generator of AGX's instruction set refuses tables that contradict themselves, with a sentence that names both
sides.

Usage: test_isa_gen.py ISA_GEN.PY
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

GENERATOR = pathlib.Path(sys.argv.pop())

FORMATS = '''
ENUM group
0 a
1 b

KIND reg16 8
reg value=0:7

KIND alu 12
imm value=0:5,10:11 zero=6:9
reg value=0:5,10:11 hint=6:7 zero=8 size32=9

FORM WAIT 2 : group
15:9 zero
8 group
7:0 op

FORM MOVE 4/6@15 : dst a
47:46 zero
45:34 a/alu
33:16 zero
15 length
14:7 dst/reg16
6:0 op
'''
TABLE = '''
wait | = | WAIT | 38 | sync | XML
mov  | = | MOVE | 2  | move | XML
'''


class Tables(unittest.TestCase):
  def generate(self, table, formats):
    with tempfile.TemporaryDirectory() as folder:
      folder = pathlib.Path(folder)
      (folder / 'table.txt').write_text(table)
      (folder / 'formats.txt').write_text(formats)
      done = subprocess.run([sys.executable, '-B', GENERATOR, folder / 'table.txt', folder / 'formats.txt',
                             folder / 'isa_opcodes.h', folder / 'isa_tables.c'], capture_output=True, text=True,
                            timeout=60)
      written = (folder / 'isa_tables.c').exists()
    self.assertEqual(written, done.returncode == 0)
    self.assertNotIn('Traceback', done.stderr)
    return done.stderr

  def test_good(self):
    self.assertEqual(self.generate(TABLE, FORMATS), '')

  def refuse(self, old, new, *words):
    """Whichever table has the line: with another one instead it is refused, and the sentence has these words."""
    self.assertEqual((TABLE + FORMATS).count(old), 1, old)
    sentence = self.generate(TABLE.replace(old, new), FORMATS.replace(old, new))
    for word in words:
      self.assertIn(word, sentence)

  def test_owners(self):
    self.refuse('15:9 zero', '15:8 zero', 'bit 8 of WAIT', 'zero and group')
    self.refuse('15:9 zero', '15:10 zero', 'nobody owns bit 9 of WAIT')
    self.refuse('15:9 zero', '16:9 zero', 'WAIT has no bit 16')
    self.refuse('45:34 a/alu', '45:34 a/reg16', 'has no bit 8')
    self.refuse('14:7 dst/reg16', '14:8 dst/reg16', 'nobody owns bit 7')
    self.refuse('14:7 dst/reg16', '14:7 dst/reg16.1', 'has no bit 8')
    self.refuse('imm value=0:5,10:11 zero=6:9', 'imm value=0:5,10:11 zero=6:8', 'nobody owns bit 9')
    self.refuse('imm value=0:5,10:11 zero=6:9', 'imm value=0:6,10:11 zero=6:9', 'bit 6', 'value and zero')
    self.refuse('8 group', '8 +group', 'shares bits')

  def test_matches(self):
    self.refuse('2  | move', '38 | move', 'a word can be mov and wait')
    row = 'wait | = | WAIT | 38 | sync | XML'
    self.refuse(row, f'{row}\n{row.replace("wait", "wait2")}', 'a word can be wait2 and wait')
    self.refuse('mov  |', 'wait |', 'stands twice')
    self.refuse('2  | move', '82 | move', 'cannot hold the opcode')

  def test_unknown_words(self):
    self.refuse('45:34 a/alu', '45:34 a/nothing', 'no kind nothing')
    self.refuse('45:34 a/alu', '45:34 b/alu', 'b has no place in the text')
    self.refuse(': dst a', ': dst a b', 'nothing holds b')
    self.refuse('| MOVE |', '| NOTHING |', 'no form NOTHING')
    self.refuse('reg value=0:7', 'register value=0:7', 'cannot be "register"')
    self.refuse('reg value=0:7', 'reg valve=0:7', '"valve" is unknown')
    self.refuse('15 length', '15 zero', 'nothing says the length')
    self.refuse('1 b', '0 b', 'stands twice')
    self.refuse('38 | sync', 'xy | sync', 'is no number')
    self.refuse('33:16 zero', '33-16 zero', 'is no field')
    self.refuse('| XML\nmov', '\nmov', 'six columns')


if __name__ == '__main__':
  unittest.main()
