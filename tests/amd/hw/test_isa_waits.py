#!/usr/bin/python3
"""LLVM 19 as the witness of the layouts of s_waitcnt in every generation: immediates both ways, and where they end.

Usage: test_isa_waits.py ISA_WAITS. Without llvm-mc-19 the test is skipped (exit status 77).
"""
import random
import re
import shutil
import subprocess
import sys

MC = 'llvm-mc-19'
# The upper half of their s_waitcnt.
CPUS = {'gfx900': 0xbf8c, 'gfx1010': 0xbf8c, 'gfx1030': 0xbf8c, 'gfx1100': 0xbf89, 'gfx1150': 0xbf89}
COUNTERS = ['vmcnt', 'expcnt', 'lgkmcnt']
SAMPLES = 1500


def llvm(cpu, arguments, text):
  return subprocess.run([MC, '-triple', 'amdgcn--amdpal', f'-mcpu={cpu}', '-show-encoding', *arguments], input=text,
                        capture_output=True, text=True, check=False)


def disassembled(cpu, head, immediates, most):
  """What LLVM says is left of each counter; one that it leaves out is at its most."""
  code = ''.join(f'{i & 255:#04x} {i >> 8:#04x} {head & 255:#04x} {head >> 8:#04x}\n' for i in immediates)
  lines = [line for line in llvm(cpu, ['-disassemble'], code).stdout.splitlines() if 's_waitcnt' in line]
  found = [dict(re.findall(r'(\w+cnt)\((\d+)\)', line)) for line in lines]
  return [tuple(int(f.get(c, m)) for c, m in zip(COUNTERS, most)) for f in found]


def assembled(cpu, rows):
  """The immediates of waits; None for one that LLVM refuses."""
  text = [' '.join(f'{c}({n})' for c, n in zip(COUNTERS, row)) for row in rows]
  run = llvm(cpu, [], ''.join(f's_waitcnt {t}\n' for t in text))
  refused = {int(n) - 1 for n in re.findall(r'<stdin>:(\d+):\d+: error', run.stderr)}
  codes = iter([int(low, 0) | int(high, 0) << 8
                for low, high in re.findall(r'encoding: \[(0x..),(0x..),', run.stdout)])
  return [None if i in refused else next(codes) for i in range(len(rows))]


def check(isa_waits, cpu, head):
  lines = subprocess.run([isa_waits, cpu], capture_output=True, text=True, check=True).stdout.splitlines()
  most = tuple(map(int, lines[0].split()))
  ours = [(tuple(map(int, left.split())), int(again)) for left, again in (line.split('|') for line in lines[1:])]
  immediates = random.Random(4).sample(range(65536), SAMPLES)
  theirs = disassembled(cpu, head, immediates, most)
  faults = [f'{i:#06x}: {ours[i][0]} left, LLVM says {t}' for i, t in zip(immediates, theirs) if ours[i][0] != t]
  rows = [ours[i][0] for i in immediates]
  faults += [f'{row}: {ours[i][1]:#06x}, LLVM {code}' for i, row, code in zip(immediates, rows, assembled(cpu, rows))
             if ours[i][1] != code]
  beyond = [tuple(m + (n == k) for n, m in enumerate(most)) for k in range(3)]
  faults += [f'LLVM takes {row}' for row, code in zip(beyond, assembled(cpu, beyond)) if code is not None]
  if len(theirs) != SAMPLES or assembled(cpu, [most]) == [None]:
    faults.append(f'{len(theirs)} of {SAMPLES} disassembled, most {most}')
  print('\n'.join(faults[:10]))
  print(f'{cpu}: at most {most} left, {len(faults)} faults')
  return len(faults)


def main():
  if not shutil.which(MC):
    print(f'{MC} is not installed')
    return 77
  return sum(check(sys.argv[1], cpu, head) for cpu, head in CPUS.items()) > 0


if __name__ == '__main__':
  sys.exit(main())
