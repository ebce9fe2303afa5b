#!/usr/bin/env python3
"""The frame of the indium command: help, usage errors with exit status 2, and the format command."""
import subprocess
import sys
import unittest

INDIUM = sys.argv.pop()


def run(*args):
  result = subprocess.run([INDIUM, *args], capture_output=True, text=True, timeout=60)
  return result.returncode, result.stdout, result.stderr


class Frame(unittest.TestCase):
  def test_help(self):
    status, out, err = run('--help')
    self.assertEqual((status, err), (0, ''))
    for command in ('format', 'layout'):
      self.assertIn(f'  {command} ', out)
      status, out_command, err = run(command, '--help')
      self.assertEqual((status, err), (0, ''))
      self.assertTrue(out_command.startswith(f'usage: indium {command}'))

  def test_usage_errors(self):
    for args in ([], ['nonsense'], ['format'], ['format', 'R8G8B8A9_UNORM']):
      status, out, err = run(*args)
      self.assertEqual((status, out), (2, ''), args)
      self.assertTrue(err)

  def test_format(self):
    status, out, _ = run('format', 'VK_FORMAT_A2B10G10R10_UNORM_PACK32')
    self.assertEqual(status, 0)
    self.assertIn('value 64, block 4 B of 1x1 texels, packed in 32 bits', out)
    self.assertIn('A unorm    2 bits @30', out)


if __name__ == '__main__':
  unittest.main()
