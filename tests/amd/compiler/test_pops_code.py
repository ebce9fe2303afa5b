#!/usr/bin/python3
"""The left columns of docs/drivers/amd/pops.md, "Entry and exit", are what the compiler makes of oit's section.

Usage: test_pops_code.py INDIUM SOURCE_ROOT. A table is of the chips in backticks of the line above it.
"""
import pathlib
import re
import subprocess
import sys


def tables(page):
  """(chips, instructions) of each table."""
  part = page.split('## Entry and exit')[1].split('\n## ')[0]
  for chips, table in re.findall(r'^GFX(.*):\n\n((?:\|.*\n)+)', part, re.M):
    rows = [row.split(' | ')[0].lstrip('| ').strip('`') for row in table.splitlines()[2:]]
    yield re.findall(r'`(\w+)`', chips), [row for row in rows if row]


def main():
  indium, root = sys.argv[1], pathlib.Path(sys.argv[2])
  checked = 0
  for chips, wanted in tables((root / 'docs/drivers/amd/pops.md').read_text()):
    for chip in chips:
      asm = subprocess.run([indium, 'shader', root / 'examples/shaders/oit.frag', '-DPIXEL', '--gpu', chip,
                            '--print', 'asm'], capture_output=True, text=True, check=True, timeout=60).stdout
      lines = [line.strip() for line in asm.splitlines()]
      entry = next(i for i, word in enumerate(wanted) if word.startswith('s_wait')) or 1
      first = lines.index(wanted[0])
      assert lines[first:first + entry] == wanted[:entry], (chip, lines[first:first + entry], wanted[:entry])
      end = wanted[entry:] + ['s_endpgm']
      assert lines[-len(end):] == end, (chip, lines[-len(end):], end)
      checked += 1
  assert checked == 6, checked
  print(f'{checked} chips')


if __name__ == '__main__':
  main()
