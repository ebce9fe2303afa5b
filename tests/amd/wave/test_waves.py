#!/usr/bin/python3
"""indium wave: each file of a folder leaves what it says, and says something; what is wrong in a file is told with
its line; other bytes never end the program otherwise. Usage: test_waves.py INDIUM FOLDER
"""
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

INDIUM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
CODE = 'code:\n v_mov_b32 v1, v0\n s_endpgm\n'
LOAD = 'code:\n v_mov_b32 v1, 0\n global_load_dword v2, v1, s[0:1]\n s_endpgm\n'
MEMORY = 'memory 0x10000 4096\nstart s0 = 0x10000 0\n'

# Text, exit status, what stands after the file's name; None: nothing.
ROWS = [
  (f'start v0 = lane\nexpect v1 = 0 1 ... 31\n{CODE}', 0, None),
  (f'start v0 = 7\nexpect v1 = 8\n{CODE}', 1, ':2: v1: value 0 is 0x7, not 0x8'),
  (f'start v0 = 1.5\nexpect v1 = 1.5\n{CODE}', 0, None),
  (f'start s3 = 5 6\nexpect s4 = 5\n{CODE}', 1, ':2: s4: value 0 is 0x6, not 0x5'),
  (f'expect fault v_mov\n{CODE}', 1, ':1: no fault'),
  (f'{LOAD}', 1, ':3: '),
  (f'gpu vega10\nlanes 64\n{LOAD}'.replace(' v_mov', '\n # a comment\nhere:\n v_mov'), 1, ':8: '),
  (f'gpu vega10\n{CODE}', 2, ':2: vega10 has only waves of 64 lanes: "lanes 64" expected before'),
  (f'gpu vega10\nlanes 32\n{CODE}', 2, ':3: vega10 has only waves of 64 lanes'),
  (f'expect fault lunch\n{LOAD}', 1, ':1: another fault: '),
  (f'expect fault global_load_dword v2, v1, s[0:1]\nstart s0 = 0 0\n{LOAD}', 0, None),
  (f'{MEMORY}expect v2 = 0\n{LOAD}', 1, ':3: v2: value 0: its result is still under way'),
  (f'{MEMORY}expect v32 = 0\n{LOAD}', 1, ':3: v32: value 0: the wave has no such register or lane'),
  (f'{MEMORY}start at 0x10ffc = 1 2\n{LOAD}', 1, ':3: no memory at 0x11000'),
  (f'{MEMORY}{MEMORY}{LOAD}', 1, ':3: no memory can be there: not an address, or there is some already'),
  (f'{MEMORY}expect at 0x20000 = 1\n{CODE}', 1, ':3: at 0x20000: value 0: there is no memory'),
  (f'start v0 = lane\nlanes 64\nwaves 2\ngroups 2\nexpect group 1 wave 1 v1 = 0 1 ... 63\n{CODE}', 0, None),
  (f'start v0 = thread\nwaves 2\nexpect wave 1 v1 = 32 33 ... 63\n{CODE}', 0, None),
  ('', 2, ':1: code: and instructions expected'),
  ('nonsense\n', 2, ':1: no such statement: "nonsense"'),
  ('\n# a comment\ngpu lunch\n', 2, ':3: no chip is called "lunch" (see: indium gpus)'),
  ('lanes 33', 2, ':1: a wave has 32 or 64 lanes'),
  ('lanes many', 2, ':1: a number expected, not "many"'),
  ('waves 33', 2, ':1: 33 is not from 1 to 32'),
  ('schedule sometimes', 2, ':1: the schedule is in-order, round-robin, seed=N or worst'),
  ('memory 0x10001 4096', 2, ':1: memory comes in pages of 4096 bytes'),
  ('memory 0 4096 swim', 2, ':1: memory is for read, write or execute, or a hole, not "swim"'),
  ('memory 0 4096 hole read', 2, ':1: memory is for read, write or execute, or a hole, not "read"'),
  ('start v0 =', 2, ':1: values expected'),
  ('start v0 7', 2, ':1: = and values expected'),
  ('start v0 = 7 ... 9', 2, ':1: two values stand ahead of "..."'),
  ('start v0 = 1 1 ... 9', 2, ':1: the two values ahead of "..." are the same'),
  ('start v0 = 0 2 ... 9', 2, ':1: more than 65536 values'),
  ('start v24 = 1', 2, ':1: a wave starts with s0 to s47, v0 to v23 and exec'),
  ('start x1 = 1', 2, ':1: no such register or place: "x1"'),
  ('start at 3 = 1', 2, ':1: dwords stand at multiples of 4'),
  ('start s0 = 1.2.3', 2, ':1: a value expected, not "1.2.3"'),
  ('lanes 32 64', 2, ':1: "64" is too much'),
  ('code:\n\n v_nothing v1\n', 2, ':3: v_nothing: no such instruction in this generation'),
  ('code:\n l:\n l:\n s_endpgm\n', 2, ':3: there is a label "l" already'),
  ('code:\n l: s_endpgm\n', 2, ':2: "s_endpgm" is too much'),
  ('code:\n s_branch nowhere\n', 2, ':2: there is no label "nowhere"'),
]

PIECES = [b'', b'0', b'9', b' ', b'=', b'\n', b'-', b'[', b'...', b'v3', b'\0']


# What the model says once of a program with bits that the hardware ignores. Such a program is right.
IGNORED = re.compile(r'(?m)^indium: the program at .* bits that the hardware ignores .*\n')


def wave_with_notes(*args, environment={}):
  done = subprocess.run([INDIUM, 'wave', *args], capture_output=True, text=True, timeout=120,
                        env=os.environ | environment)
  return done.returncode, done.stdout, done.stderr


# The last line about a file.
SUMMARY = re.compile(r'(?m)^# .*: \d+ waves? on \w+ (?:ended|stopped at a fault); .*\n')


def wave(*args, environment={}):
  code, out, err = wave_with_notes(*args, environment=environment)
  return code, SUMMARY.sub('', out), IGNORED.sub('', err)


class Waves(unittest.TestCase):
  def setUp(self):
    self.folder = tempfile.TemporaryDirectory()
    self.file = pathlib.Path(self.folder.name) / 'test.wave'

  def tearDown(self):
    self.folder.cleanup()

  def give(self, text, *args):
    self.file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return wave(*args, self.file)

  def test_files(self):
    files = sorted(FOLDER.glob('*.wave'))
    self.assertGreater(len(files), 10)
    for file in files:
      self.assertRegex(file.read_text(), r'(?m)^expect ', file)
    for schedule in ((), ('--schedule', 'seed=3')):
      self.assertEqual((0, '', ''), wave(*schedule, *files))

  def test_ignored_bits(self):
    self.assertRegex(wave_with_notes(FOLDER / 'cmpx_without_destination.wave')[2], IGNORED)

  def test_rows(self):
    for text, status, message in ROWS:
      code, out, err = self.give(text)
      self.assertEqual((code, out), (status, ''), (text, err))
      self.assertTrue(err.startswith(f'{self.file}{message}') if message else not err, (text, err))

  def test_print(self):
    """What is printed is what would be expected."""
    text = f'{MEMORY}start v0 = lane\nstart at 0x10000 = 5 6\n%s{CODE}'
    code, out, err = self.give(text % 'print v1\nprint at 0x10000 2\nprint exec\n')
    self.assertEqual((code, err, len(out.splitlines())), (0, '', 3))
    self.assertEqual((0, '', ''), self.give(text % out))

  def test_summary(self):
    """What ran, and how many expectations are met, a line for each file."""
    right, wrong = (pathlib.Path(self.folder.name) / name for name in ('right.wave', 'wrong.wave'))
    right.write_text(f'waves 2\n{CODE}')
    wrong.write_text(f'start s0 = 1 2\nexpect s0 = 1\nexpect s1 = 7\nexpect fault nothing\n{CODE}')
    code, out, err = wave_with_notes(right, wrong, FOLDER / 'poison.wave', '--gpu', 'navi10')
    self.assertEqual((code, len(err.splitlines())), (1, 2), err)
    self.assertEqual(out, f'# {right}: 2 waves on navi10 ended; the file expects nothing\n'
                          f'# {wrong}: 1 wave on navi10 ended; 1 of 3 expectations met\n'
                          f'# {FOLDER / "poison.wave"}: 1 wave on navi10 stopped at a fault; '
                          '1 of 1 expectations met\n')

  def test_options(self):
    """Of the chip: GFX10.1 has a hazard that GFX10.3 has not."""
    text = (f'{MEMORY}start v0 = 0\nexpect s0 = 3\n'
            'code:\n global_load_dword v2, v0, s[0:1]\n s_mov_b32 s0, 3\n s_endpgm\n')
    self.assertEqual((0, '', ''), self.give(text))
    code, _, err = self.give(text, '--gpu', 'navi10')
    self.assertEqual(code, 1)
    self.assertIn('vmem-scalar-write', err)
    for args in ([], ['--gpu', 'lunch', self.file], ['--schedule', 'never', self.file], ['/nowhere.wave'], ['/']):
      self.assertEqual(wave(*args)[0], 2, args)
    for name, why in (('/nowhere.wave', 'No such file or directory'), ('/', 'Is a directory')):
      self.assertEqual(wave(name), (2, '', f'indium wave: cannot read {name}: {why}\n'))

  def test_report(self):
    """INDIUM_REPORT: how often each instruction ran, of each file."""
    report = pathlib.Path(self.folder.name) / 'report.txt'
    other = pathlib.Path(self.folder.name) / 'other.wave'
    other.write_text('start v0 = 0\ncode:\n v_mov_b32 v1, v0\n v_mov_b32 v2, v0\n s_endpgm\n')
    self.file.write_text(f'gpu navi10\nwaves 3\nstart v0 = 0\n{CODE}')
    self.assertEqual((0, '', ''), wave(self.file, other, environment={'INDIUM_REPORT': str(report)}))
    self.assertEqual(report.read_text().splitlines(),
                     ['report navi10', 'instruction s_endpgm 3', 'instruction v_mov_b32 3',
                      'report navi21', 'instruction s_endpgm 1', 'instruction v_mov_b32 2'])

  def test_mutated(self):
    """Any bytes give a result or a message; seeded."""
    sequence, seen = random.Random(3), set()
    for file in sorted(FOLDER.glob('*.wave')):
      for _ in range(max(1, 8 // int(os.environ.get('TEST_SHARE', 1)))):
        data = bytearray(file.read_bytes())
        for _ in range(sequence.randint(1, 4)):
          at, length = sequence.randrange(len(data)), sequence.randint(0, 3)
          data[at:at + length] = sequence.choice(PIECES)
        status, _, err = self.give(bytes(data))
        self.assertIn(status, (0, 1, 2), data)
        self.assertEqual(status == 0, not err, (data, err))
        seen.add(status)
    self.assertEqual(seen, {0, 1, 2})


if __name__ == '__main__':
  unittest.main(argv=sys.argv[:1])
