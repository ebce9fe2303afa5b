#!/usr/bin/python3
"""Random instructions with anything in the bits that hardware ignores (isa_ignored.c). LLVM reads as we do what its
tables leave open; from GFX10 on there are long forms besides, of which it takes none, and drivers write them.

Usage: test_isa_ignored.py ISA_RANDOM ISA_IGNORED [SEED]
"""
import subprocess
import sys

# Wave sizes take turns; how many words at least, with and without what LLVM refuses.
CPUS = {'gfx900': ('64', 600, 600), 'gfx1010': ('32', 3000, 500), 'gfx1030': ('64', 3000, 500),
        'gfx1100': ('32', 7000, 500), 'gfx1150': ('64', 7000, 500)}
VARIANTS = '12'
LONG_FORMS = (0x35, 0x33) # bits 31:26 of VOP3 and VOP3P, from GFX10 on


def take(command, text=None):
  done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
  if done.returncode:
    sys.exit(f'{" ".join(command)}: status {done.returncode}: {done.stderr}')
  return done.stdout


def main():
  isa_random, isa_ignored, seed = (sys.argv[1:] + ['7'])[:3]
  wrong = 0
  for cpu, (wave, least, least_by_llvm) in CPUS.items():
    lines = take([isa_random, cpu, seed, VARIANTS, wave])
    *differ, total = take([isa_ignored, cpu, seed, wave], lines).splitlines()
    count, by_llvm = map(int, total.split()[1:])
    for line in differ:
      _, words, ours, theirs = line.split('\t')
      is_long = int(words.split()[0], 16) >> 26 in LONG_FORMS and cpu != 'gfx900'
      if theirs or not is_long and by_llvm:
        print(f'{cpu}: {words}: ours {ours}, LLVM {theirs or "refuses"}')
        wrong += 1
    if count < least or by_llvm and by_llvm < least_by_llvm:
      sys.exit(f'{cpu}: {count} words only, {by_llvm} of them read by LLVM')
    print(f'{cpu} wave{wave}: {count} words, LLVM takes {by_llvm}')
  return wrong != 0


if __name__ == '__main__':
  sys.exit(main())
