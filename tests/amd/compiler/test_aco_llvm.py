#!/usr/bin/env python3
"""LLVM 19 disassembles every program that aco emits to the text that our printer gives.

Usage: test_aco_llvm.py ACO_DUMP. Without llvm-mc-19 the test is skipped (exit status 77).
"""
import shutil
import subprocess
import sys

MC = 'llvm-mc-19'


def disassemble(words, wave64):
  """The instructions of a program as LLVM prints them."""
  data = b''.join(word.to_bytes(4, 'little') for word in words)
  text = '\n'.join('[' + ','.join(f'0x{b:02x}' for b in data[i:i + 4]) + ']' for i in range(0, len(data), 4))
  features = '-wavefrontsize32,+wavefrontsize64' if wave64 else '+wavefrontsize32,-wavefrontsize64'
  # one line of bytes: an instruction may take several words
  text = text.replace(']\n[', ',').replace('[', '').replace(']', '').replace(',', ' ')
  run = subprocess.run([MC, '-disassemble', '-triple=amdgcn--amdpal', '-mcpu=gfx1030', f'-mattr={features}'], input=text,
                       capture_output=True, text=True)
  if run.stderr:
    sys.exit(run.stderr[:2000])
  return [' '.join(l.split()) for l in run.stdout.splitlines() if l.strip() and not l.strip().startswith('.')]


def main():
  if not shutil.which(MC):
    print('llvm-mc-19 is not installed')
    return 77
  programs = 0
  for wave, first, count in ((32, 5000, 40), (64, 6000, 40)):
    dump = subprocess.run([sys.argv[1], str(wave), str(first), str(count)], capture_output=True, text=True, check=True)
    words, ours = [], []
    for line in dump.stdout.splitlines():
      if line.startswith('code'):
        words += [int(w, 16) for w in line.split()[1:]]
        programs += 1
      else:
        ours.append(' '.join(line.split()))
    theirs = disassemble(words, wave == 64)
    for i, (a, b) in enumerate(zip(ours, theirs)):
      if a != b:
        print(f'wave{wave} instruction {i}: ours "{a}", LLVM "{b}"')
        return 1
    if len(ours) != len(theirs):
      print(f'wave{wave}: {len(ours)} instructions, LLVM finds {len(theirs)}')
      return 1
    print(f'wave{wave}: {len(ours)} instructions agree')
  return programs == 0


if __name__ == '__main__':
  sys.exit(main())
