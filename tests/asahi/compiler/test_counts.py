#!/usr/bin/python3
"""Our code of the examples' compute shaders is not longer than 1.05 times that of Honeykrisp 26.1.6, all together.

Usage: test_counts.py INDIUM FOLDER_OF_SHADERS. Numbers: what the driver said of them by
VK_KHR_pipeline_executable_properties (instructions of the main program; both have a preamble beside it).
"""
import pathlib
import re
import subprocess
import sys

HONEYKRISP = {'scan': 159, 'add': 26, 'histogram': 25, 'texture': 224, 'downsample': 54}
MOST = 1.05


def main():
  indium, folder = sys.argv[1], pathlib.Path(sys.argv[2])
  ours = {}
  for name in HONEYKRISP:
    run = subprocess.run([indium, 'shader', folder / f'{name}.comp', '--gpu', 'm1', '--print', 'stats'],
                         capture_output=True, text=True)
    if run.returncode:
      print(run.stderr)
      return 1
    ours[name] = int(re.match(r'instructions (\d+)', run.stdout)[1])
    print(f'{name:12} {ours[name]:4} Honeykrisp {HONEYKRISP[name]:4}')
  ratio = sum(ours.values()) / sum(HONEYKRISP.values())
  print(f'together {ratio:.3f}')
  return ratio > MOST


if __name__ == '__main__':
  sys.exit(main())
