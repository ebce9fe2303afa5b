#!/usr/bin/python3
"""Stands in for deqp-vk: what happens to a case is the last part of its name (test_conformance.py).

$FAKE_LOG gets a line for each process: the driver, and the cases that it was given.
"""
import os
import sys
import time

DEVICE_LOST = 'vk.waitForFences(device): VK_ERROR_DEVICE_LOST at vkCmdUtil.cpp:393'
FAULT = 'indium: GPU fault: read of 0x1000; the context is lost'
ENDS = {'pass': 'Pass (Good)', 'fail': 'Fail (Image mismatch)', 'bare': 'Fail', 'error': 'InternalError (Odd)',
        'unsupported': 'NotSupported (No such feature at x.cpp:7)', 'warning': 'QualityWarning (Meh)',
        'lines': 'Fail (one\ntwo)', 'late_crash': 'Pass (Good)', 'late_fault': 'Pass (Good)', 'last': 'Pass (Good)',
        'quiet_loss': 'Pass (Good)', 'garbage': 'Pass (Good)', 'loses': f'Fail ({DEVICE_LOST})',
        'stops': 'ResourceError (VK_ERROR_OUT_OF_DEVICE_MEMORY)', 'aborts': f'DeviceLost ({DEVICE_LOST})',
        'mute': 'NewWord (x)', 'capability': 'CapabilityWarning (Meh)'}


def say(text):
  os.write(1, text.encode() + b'\n')


def run(name, driver, lost):
  """Whether the device is lost from here on."""
  what = name.split('.')[-1]
  say(f"\nTest case '{name}'..")
  if lost:
    say(f'  Fail ({DEVICE_LOST})')
    return True
  if what == 'crash':
    os.abort()
  if what == 'exits':
    sys.exit(3)
  if what == 'killed':
    os.kill(os.getpid(), 9)
  if what == 'hangs':
    if 'FAKE_PID' in os.environ:
      with open(os.environ['FAKE_PID'] + '.new', 'w') as file:
        file.write(str(os.getpid()))
      os.rename(file.name, os.environ['FAKE_PID'])
    while True:
      pass
  if what == 'sleeps':
    time.sleep(1000)
  if what == 'prints_for_ever':
    while True:
      os.write(2, b'indium: again\n')
  if what == 'garbage':
    os.write(1, b"\xff\x00Test case 'x'\nTest case ''..\n  Passed:  \n  Fails (x)\nDONE\n" + b'x' * 100000 + b'\n')
  if what in ('loses', 'quiet_loss'):
    os.write(2, FAULT.encode() + b'\n')
  if what in ('here_only', 'model_only'):
    fails = driver == 'indium' or what == 'model_only' and driver == 'radv'
    say('  Fail (Image mismatch)' if fails else '  Pass (Good)')
  else:
    say(f'  {ENDS[what]}')
  if what == 'late_crash':
    os.abort()
  if what == 'late_fault':
    os.write(2, FAULT.encode() + b'\n')
  return what in ('loses', 'quiet_loss', 'late_fault')


def main():
  option = dict(arg.split('=', 1) for arg in sys.argv[1:])
  names = open(option['--deqp-caselist-file']).read().split()
  driver = os.environ.get('FAKE_DRIVER') or 'lavapipe' * ('lvp' in os.environ['VK_ICD_FILENAMES'])
  with open(os.environ['FAKE_LOG'], 'a') as log:
    print(driver, *names, file=log)
  assert os.path.isdir('vulkan'), 'the data is in the current folder'
  if 'FAKE_DEAD' in os.environ or any(name.endswith('.never') for name in names):
    os.write(2, b'FATAL ERROR: vk.createInstance(): VK_ERROR_INCOMPATIBLE_DRIVER\n')
    os.kill(os.getpid(), 9)
  say("Writing test log into /dev/null\nstarting..\n  target implementation = 'Fake'")
  lost = False
  for name in names:
    if not name.endswith('.unknown'):
      lost = run(name, driver, lost)
    if name.endswith(('.stops', '.aborts')): # as the real one does where memory is exhausted, or the device is lost
      break
  say('\nDONE!\n\nTest run totals:')
  if names[-1].endswith('.last'):
    os.abort()
  return any(name.endswith('fail') for name in names)


if __name__ == '__main__':
  sys.exit(main())
