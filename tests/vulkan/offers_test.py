#!/usr/bin/python3
"""offers_test.py INDIUM PROGRAM CHIP: our driver offers all that the others offer on the chip, or has a reason; and a
list that lacks something, or has a worse limit, is found."""
import pathlib
import subprocess
import sys
import tempfile

OFFERS = pathlib.Path(__file__).resolve().parent.parent.parent / 'bin/offers'


def compare(chip, text):
  with tempfile.NamedTemporaryFile('w') as file:
    file.write(text)
    file.flush()
    return subprocess.run([sys.executable, '-B', OFFERS, '--compare', chip, file.name], capture_output=True,
                          text=True, timeout=60)


def main():
  indium, program, chip = sys.argv[1:]
  ours = subprocess.run([indium, 'run', '--gpu', chip, '--', program], capture_output=True, text=True, timeout=120,
                        check=True).stdout
  done = compare(chip, ours)
  sys.stderr.write(done.stderr)
  assert done.returncode == 0
  for old, new, says in [('extension VK_KHR_maintenance1\n', '', 'VK_KHR_maintenance1'),
                         ('feature multiview\n', '', 'multiview'),
                         ('limit maxImageDimension2D 16384', 'limit maxImageDimension2D 16383', 'is 16383, not'),
                         ('limit nonCoherentAtomSize 64', 'limit nonCoherentAtomSize 65', 'is 65, not')]:
    assert old in ours, old
    done = compare(chip, ours.replace(old, new))
    assert done.returncode == 1 and says in done.stderr, (old, done)


if __name__ == '__main__':
  main()
