#!/usr/bin/python3
"""indium run --record around programs, and what replay and decode make of it: test_record.py INDIUM TRIANGLE COMPUTE
SCENE [PROGRAM]..."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TRIANGLE, COMPUTE, SCENE, *OTHERS = (os.path.abspath(path) for path in sys.argv[2:])
INDIUM = os.path.abspath(sys.argv[1])
del sys.argv[1:]
PROGRAMS = {TRIANGLE: ['-o', '/dev/null'], COMPUTE: ['--count', '3000'],
            SCENE: ['--width', '48', '--height', '32', '-o', '/dev/null']}


def indium(*args, **environment):
  done = subprocess.run([INDIUM, *map(str, args)], capture_output=True, text=True, timeout=60,
                        env={**os.environ, **environment})
  return done.returncode, done.stdout, done.stderr


def wrote(text):
  return re.findall(r'(?m)^wrote .*', text)


class Record(unittest.TestCase):
  def setUp(self):
    self.folder = tempfile.TemporaryDirectory()
    self.file = pathlib.Path(self.folder.name) / 'recording'

  def tearDown(self):
    self.folder.cleanup()

  def record(self, *args):
    self.file.unlink(missing_ok=True)
    status, _, err = indium('run', '--record', self.file, *args)
    self.assertEqual((status, err), (0, ''), args)
    return self.file.read_text()

  def test_same_bytes(self):
    """Each submission writes again what it wrote, by two drivers, in three orders; decoded too, which decodes to
    itself; on other numbers of threads."""
    for program, args in PROGRAMS.items():
      for driver in ('indium', 'radv'):
        for schedule in ('in-order', 'seed=1', 'seed=2'):
          text = self.record('--driver', driver, '--plain', '--schedule', schedule, '--', program, *args)
          hashes = wrote(text)
          self.assertGreater(len(hashes), 0)
          self.assertEqual(len(hashes), text.count('\nsubmit '))
          status, out, err = indium('replay', self.file, INDIUM_THREADS='1')
          self.assertEqual((status, wrote(out), err), (0, hashes, ''), (program, driver, schedule))
        _, decoded, _ = indium('decode', self.file)
        self.assertRegex(decoded, r'\n  (DRAW_INDEX_AUTO|DISPATCH_DIRECT).*\n')
        self.assertRegex(decoded, r'\n    s_endpgm\n')
        self.file.write_text(decoded)
        status, out, err = indium('replay', self.file, INDIUM_THREADS='3')
        self.assertEqual((status, wrote(out), err), (0, hashes, ''), (program, driver))
        self.assertEqual((0, decoded, ''), indium('decode', self.file))

  def test_others(self):
    """Programs with many submissions, from one thread and several, and with words of the GPU's clock."""
    for program in OTHERS:
      for driver in ('indium', 'radv'):
        hashes = wrote(self.record('--driver', driver, '--plain', '--', program))
        self.assertGreater(len(hashes), 10)
        status, out, err = indium('replay', self.file)
        self.assertEqual((status, wrote(out), err), (0, hashes, ''), (program, driver))

  def test_host_writes(self):
    """A submission waits for an event that the host sets later, and then copies what the host has written."""
    sync = next(program for program in OTHERS if program.endswith('sync'))
    for driver in ('indium', 'radv'):
      text = self.record('--driver', driver, '--plain', '--', sync)
      waited = list(re.finditer(r'(?m)^waited\n', text))
      self.assertEqual(len(waited), 1, driver)
      self.assertRegex(text[:waited[0].start()], r'write \d+ 0x[0-9a-f]+\n  00001267\nwrite .*\n  .*\n$')
      _, decoded, _ = indium('decode', self.file)
      self.assertIn('\nwaited\n', decoded)
      for changed in (text, decoded):
        self.file.write_text(changed)
        status, out, err = indium('replay', self.file)
        self.assertEqual((status, wrote(out), err), (0, wrote(text), ''), driver)

  def test_other_device(self):
    """Told, and not compared: a driver's commands for one chip run on another of its generation."""
    hashes = wrote(self.record('--', COMPUTE, '--count', '300'))
    status, out, err = indium('replay', self.file, '--gpu', 'vangogh')
    self.assertEqual((status, len(wrote(out)), err), (0, len(hashes), ''))

  def test_a_packet_less(self):
    """A launch is deleted from what decode prints: other bytes, at the submission that is told."""
    self.record('--', COMPUTE, '--count', '300')
    _, decoded, _ = indium('decode', self.file)
    launches = list(re.finditer(r'(?m)^  DISPATCH_DIRECT .*\n', decoded))
    self.assertGreater(len(launches), 1)
    self.file.write_text(decoded[:launches[-1].start()] + decoded[launches[-1].end():])
    status, _, err = indium('replay', self.file)
    self.assertEqual(status, 1, err)
    self.assertRegex(err, r'the submission at line \d+ wrote [0-9a-f]{16}, not [0-9a-f]{16}\n$')

  def test_not_written(self):
    for file in ('/nowhere/recording', self.folder.name):
      status, out, err = indium('run', '--record', file, '--', 'echo', 'started')
      self.assertEqual((status, out, len(err.splitlines())), (2, '', 1))
    self.assertEqual(2, indium('run', '--record', self.file, '--mode', 'noop', '--', 'true')[0])
    status, _, err = indium('run', '--record', '/dev/full', '--', COMPUTE, '--count', '300')
    self.assertEqual(status, 2, err)


if __name__ == '__main__':
  unittest.main()
