#!/usr/bin/env python3
"""LLVM 19 disassembles every program that aco emits to the text that our printer gives.

Usage: test_aco_llvm.py ACO_DUMP INDIUM SHADER... (files that `indium shader` takes, beside random programs). Without llvm-mc-19 the test is skipped (exit status 77).
"""
import re
import shutil
import subprocess
import sys

MC = 'llvm-mc-19'
COUNT = 200  # random programs of each wave size


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
  lines = [' '.join(l.split()) for l in run.stdout.splitlines() if l.strip() and not l.strip().startswith('.')]
  # The same bits: a scalar load without offset. LLVM reads them as the null register for an offset, its assembler takes both.
  return [re.sub(r'^(s_(?:buffer_)?load_dword.*, )null$', r'\g<1>0x0', line) for line in lines]


def compare(what, dump, wave64):
  """dump: lines of words ("code ...") and of our text. The number of programs, 0 after a difference."""
  programs, words, ours = 0, [], []
  for line in dump.splitlines():
    if line.startswith('code'):
      words += [int(w, 16) for w in line.split()[1:]]
      programs += 1
    else:
      ours.append(' '.join(line.split()))
  theirs = disassemble(words, wave64)
  for i, (a, b) in enumerate(zip(ours, theirs)):
    if a != b:
      print(f'{what} instruction {i}: ours "{a}", LLVM "{b}"')
      return 0
  if len(ours) != len(theirs):
    print(f'{what}: {len(ours)} instructions, LLVM finds {len(theirs)}')
    return 0
  print(f'{what}: {programs} programs, {len(ours)} instructions agree')
  return programs


def dump_of(command):
  return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main():
  if not shutil.which(MC):
    print('llvm-mc-19 is not installed')
    return 77
  aco_dump, indium, shaders = sys.argv[1], sys.argv[2], sys.argv[3:]
  equal = bool(shaders)
  for wave, first, count in (('32', 5000, COUNT), ('64', 6000, COUNT)):
    equal &= compare(f'random wave{wave}', dump_of([aco_dump, wave, str(first), str(count)]), wave == '64') == count
    dumps = [dump_of([indium, 'shader', path, '--wave', wave, '--print', 'code,asm']) for path in shaders]
    equal &= compare(f'shaders wave{wave}', ''.join(dumps), wave == '64') == len(shaders)
  return not equal


if __name__ == '__main__':
  sys.exit(main())
