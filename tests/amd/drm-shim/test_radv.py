#!/usr/bin/python3
"""Debian's RADV finds every chip that it knows: test_radv.py INDIUM. The names are RADV's, by PCI and revision."""
import subprocess
import sys

NAMES = {
  'vega10': 'RADV VEGA10', 'raven': 'RADV RAVEN', 'renoir': 'RADV RENOIR', 'navi10': 'RADV NAVI10',
  'navi21': 'AMD Radeon RX 6800 (RADV NAVI21)', 'vangogh': 'RADV VANGOGH', 'navi31': 'RADV GFX1100',
  'phoenix': 'RADV GFX1103_R1',
}


def main():
  faults = []
  for chip, name in NAMES.items():
    run = subprocess.run([sys.argv[1], 'run', '--driver', 'radv', '--mode', 'noop', '--gpu', chip, '--',
                          'vulkaninfo', '--summary'], capture_output=True, text=True, timeout=60)
    if run.returncode or name not in run.stdout or 'vendorID           = 0x1002' not in run.stdout:
      faults.append(f'{chip}: {name} not found (status {run.returncode})\n{run.stdout[-400:]}{run.stderr[-400:]}')
  print('\n'.join(faults) or f'{len(NAMES)} chips found')
  return bool(faults)


if __name__ == '__main__':
  sys.exit(main())
