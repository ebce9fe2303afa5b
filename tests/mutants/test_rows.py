#!/usr/bin/python3
"""The mistakes of this folder: what stands in the code and what in rows; and what rows.py refuses."""
import pathlib
import re
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TABLES = [*sorted((ROOT / 'src/amd/hw').glob('reg_*.txt')), ROOT / 'src/amd/hw/pm4.txt', ROOT / 'src/amd/hw/sdma.txt',
          ROOT / 'src/amd/hw/desc.txt']
RECORDS = [ROOT / f'src/asahi/hw/{name}.txt' for name in ('desc', 'control', 'submit', 'iogpu')]

sys.path.insert(0, str(HERE))
import rows


def refused(line, says='something', check='oit 1x'):
  """What rows.py says of a mistake of this row, or None."""
  seam = line.split()[0]
  with tempfile.TemporaryDirectory() as folder:
    text = pathlib.Path(folder) / 'planted.txt'
    text.write_text(f'mistake planted AMD\n  says {says}\n  check {check}\n  {line}\n')
    try:
      rows.seam_c(seam if seam in rows.SEAMS else 'register', rows.read([text]),
                  RECORDS if seam == 'record' else TABLES)
    except rows.TableError as error:
      return str(error)
  return None


class Code(unittest.TestCase):
  def test_code(self):
    """Each mistake is in the code or in rows, and none is only in the code."""
    mistakes = rows.read(sorted(HERE.glob('*.txt')))
    sources = [path for path in (ROOT / 'src').rglob('*.[ch]')]
    called = {name for path in sources for name in re.findall(r'\bmutant\("([^"]+)"\)', path.read_text())}
    self.assertEqual(called, {m.name for m in mistakes if m.code})

  def test_checks(self):
    """`check` names checks of src/tools/mutants/mutants_check.c, and `mistake` chips of mutants_chip.h next to it."""
    text = (ROOT / 'src/tools/mutants/mutants_check.c').read_text()
    checks = set(re.findall(r'\{MUTANTS_\w+, "([^"]+)"', text))
    checks |= {'oit ' + name for name in re.findall(r'OIT(?:_ON)?\((?:MUTANTS_\w+, )?"([^"]+)"', text)}
    checks |= {f'{name}, hard faults' for name in re.findall(r'HARD_FAULTS\("([^"]+)"', text)}
    chips = set(re.findall(r'MUTANTS_(\w+),', (ROOT / 'src/tools/mutants/mutants_chip.h').read_text()))
    for mistake in rows.read(sorted(HERE.glob('*.txt'))):
      self.assertLessEqual(set(mistake.checks), checks, mistake.name)
      self.assertEqual(len(set(mistake.checks)), len(mistake.checks), mistake.name)
      self.assertIn(mistake.chips, chips, mistake.name)


class Refused(unittest.TestCase):
  def test_good(self):
    self.assertIsNone(refused('register DB_SHADER_CONTROL if Z_ORDER=LATE_Z: Z_ORDER=0, KILL_ENABLE^=1'))
    self.assertIsNone(refused('descriptor SQ_IMG_SAMP_WORD0: CLAMP_X^=1'))
    self.assertIsNone(refused('packet EVENT_WRITE @gfx10 if EVENT.EVENT_TYPE=PS_PARTIAL_FLUSH: drop'))

  def test_names(self):
    for line, what in [
        ('register DB_SHADER_CONTROLS: Z_ORDER=0', 'nothing is called DB_SHADER_CONTROLS'),
        ('register DB_SHADER_CONTROL: Z_ORDERS=0', 'no field Z_ORDERS'),
        ('register DB_SHADER_CONTROL if Z_ORDERS=0: drop', 'no field Z_ORDERS'),
        ('register DB_SHADER_CONTROL: Z_ORDER=SOME_Z', 'no value SOME_Z'),
        ('register DB_SHADER_CONTROL: Z_ORDER=4', '4 does not fit Z_ORDER'),
        ('register PA_SC_VRS_RATE_BASE @gfx9: BASE_256B=0', 'gfx9 has no PA_SC_VRS_RATE_BASE'),
        ('register DB_SHADER_CONTROL @gfx8: Z_ORDER=0', 'no generation gfx8'),
        ('register DB_SHADER_CONTROL: Z_ORDER=0 and more', '?'),
        ('packet EVENT_WRITES: drop', 'no packet EVENT_WRITES'),
        ('packet EVENT_WRITE: EVENTS.EVENT_TYPE=0', 'no packet EVENT_WRITE has these words'),
        ('packet EVENT_WRITE: EVENT.EVENT_TYPES=0', 'no field EVENT_TYPES'),
        ('descriptor SQ_BUF_RSRC_WORD4: BASE_ADDRESS=0', 'nothing is called SQ_BUF_RSRC_WORD4'),
        ('record VDM_BARRIERS: returns=1', 'no record is called VDM_BARRIERS'),
        ('record VDM_BARRIER: return=1', 'VDM_BARRIER has no field return'),
        ('wrong NAME: FIELD=0', '?'),
        ('# nothing that makes it', 'lacks what it says, its check or what makes it')]:
      self.assertIn(what, refused(line) or '', line)

  def test_incomplete(self):
    self.assertIn('lacks', refused('code', says='') or '')
    self.assertIn('lacks', refused('code', check='') or '')


if __name__ == '__main__':
  unittest.main()
