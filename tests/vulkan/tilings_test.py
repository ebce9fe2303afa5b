#!/usr/bin/python3
"""Two drivers name the same modifiers, offsets and pitches: tilings_test.py INDIUM CHIP PROGRAM FIRST SECOND.
77: a driver is not there."""
import subprocess
import sys

indium, chip, program, *drivers = sys.argv[1:]
lists = []
for driver in drivers:
  out = subprocess.run([indium, 'run', '--gpu', chip, '--driver', driver, '--', program, '--list', '1'],
                       capture_output=True, text=True, timeout=250)
  if 'bin/peers' in out.stderr:
    print(out.stderr)
    sys.exit(77)
  lists.append([line for line in out.stdout.splitlines() if line.startswith('layout ')])
print(f'{len(lists[0])} layouts')
only = [f'{driver} alone: {line}' for driver, some, others in zip(drivers, lists, reversed(lists))
        for line in some if line not in others]
print('\n'.join(only))
sys.exit(bool(only) or len(lists[0]) < 60)
