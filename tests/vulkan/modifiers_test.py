#!/usr/bin/python3
"""Images with DRM format modifiers from one driver's process to another's: modifiers_test.py INDIUM CHIP PROGRAM
FIRST SECOND. The first driver makes them, both write and read. 77: a driver is not there."""
import socket
import subprocess
import sys

indium, chip, program, *drivers = sys.argv[1:]
links = socket.socketpair()
sides = []
for side, (driver, link) in enumerate(zip(drivers, links)):
  sides.append(subprocess.Popen(
    [indium, 'run', '--gpu', chip, '--driver', driver, '--', program, '--socket', str(link.fileno()),
     '--side', str(side), '--strict', '0'],
    pass_fds=[link.fileno()], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
for link in links:
  link.close()
texts = [side.communicate(timeout=280)[0] for side in sides]
for driver, text in zip(drivers, texts):
  print(f'{driver}:\n{text}')
statuses = [side.returncode for side in sides]
missing = [text for text in texts if 'bin/peers' in text]
print(*missing, sep='', end='')
passed = statuses == [0, 0] and all('skipped: modifiers' not in text for text in texts)
sys.exit(77 if missing else 0 if passed else 1)
