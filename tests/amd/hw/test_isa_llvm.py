#!/usr/bin/python3
"""LLVM 19 as the witness of the instruction table: every row, random operands, both ways, bit for bit, text for text.

Usage: test_isa_llvm.py ISA_RANDOM [SEED]. Without llvm-mc-19 the test is skipped (exit status 77).
"""
import re
import shutil
import subprocess
import sys

MC = 'llvm-mc-19'
# Wave sizes of each: whether it has 64 lanes.
CPUS = {'gfx900': [True], 'gfx1010': [False, True], 'gfx1030': [False, True], 'gfx1100': [False, True],
        'gfx1150': [False, True]}
VARIANTS = 8
# What LLVM has not: (text, chips, reason).
LACKING = [
  (r'v_(mov|swap)_b16', list(CPUS), 'mov: only its short form, with names of halves; swap: LLVM 20 has it'),
  (r'v_ldexp_f16_sdwa v\d+, \S+, 0\.15915494 ', ['gfx900', 'gfx1010', 'gfx1030'],
   'the assembler takes the second source for an integer with SDWA, and 1 / (2 pi) for no constant of these; the '
   'disassembler prints it, and without SDWA the assembler takes it'),
  (r'v_cmpx?_\w+ .* (row_mask|dpp8):', ['gfx900', 'gfx1010', 'gfx1030'],
   'comparisons with DPP: the ISA documents allow them, ACO of Mesa 26 emits them, LLVM has them from GFX11 on'),
]
# Their short forms have the same text, and the assembler takes these.
LONG_FORMS = re.compile(r'v_(nop|pipeflush|clrexcp)$')


def llvm_mc(cpu, arguments, text, wave64):
  feature = '+wavefrontsize64,-wavefrontsize32' if wave64 else '+wavefrontsize32,-wavefrontsize64'
  feature = feature if len(CPUS[cpu]) > 1 else ''
  command = [MC, '-triple', 'amdgcn--amdpal', f'-mcpu={cpu}', f'-mattr={feature}', '-show-encoding'] + arguments
  result = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
  lines = []
  for line in result.stdout.splitlines():
    if match := re.match(r'\s*(\S.*?)\s*(?:;|//) encoding: \[(.*)\]', line):
      lines.append((re.sub(r'\s+', ' ', match[1]), bytes(int(b, 0) for b in match[2].split(','))))
  return lines, result.stderr


def compare(what, expected, found, errors):
  """expected and found: lists of (text, bytes) in order."""
  wrong = [(e, f) for e, f in zip(expected, found) if e != f]
  for (text, code), (llvm_text, llvm_code) in wrong[:10]:
    print(f'{what}: ours {code.hex()} {text}\n{" " * len(what)}  LLVM {llvm_code.hex()} {llvm_text}')
  if len(expected) != len(found):
    print(f'{what}: {len(expected)} lines, LLVM gives {len(found)}: {errors[:2000]}')
  return len(wrong) + abs(len(expected) - len(found))


def run(isa_random, cpu, seed, wave64):
  result = subprocess.run([isa_random, cpu, seed, str(VARIANTS), '64' if wave64 else '32'], capture_output=True,
                          text=True, check=False)
  if result.returncode:
    sys.exit(result.stderr)
  lines = []
  for line in result.stdout.splitlines():
    words, text = line.split('|', 1)
    if any(cpu in cpus and re.match(pattern, text) for pattern, cpus, _ in LACKING):
      continue
    lines.append((text, b''.join(int(w, 16).to_bytes(4, 'little') for w in words.split())))
  code = '\n'.join(' '.join(f'{b:#04x}' for b in code) for _, code in lines)
  wrong = compare('disassembler', lines, *llvm_mc(cpu, ['-disassemble'], code, wave64))
  found, errors = llvm_mc(cpu, [], '\n'.join(text for text, _ in lines), wave64)
  refused = {int(n) - 1 for n in re.findall(r'<stdin>:(\d+):\d+: error', errors)}
  for i in sorted(refused)[:10]:
    print(f'the assembler refuses {lines[i][0]}')
  accepted = [(text, code) for i, (text, code) in enumerate(lines) if i not in refused]
  same = [len(code) == 4 or not LONG_FORMS.match(text) for text, code in accepted]
  accepted, found = [line for line, s in zip(accepted, same) if s], [line for line, s in zip(found, same) if s]
  wrong += len(refused)
  wrong += compare('assembler', [(None, c) for _, c in accepted], [(None, c) for _, c in found], errors)
  print(f'{cpu} wave{64 if wave64 else 32}: {len(lines)} instructions disassembled, {len(accepted)} assembled, '
        f'{wrong} differ')
  return wrong


def main():
  if not shutil.which(MC):
    print(f'{MC} is not installed')
    return 77
  seed = sys.argv[2] if len(sys.argv) > 2 else '20'
  return sum(run(sys.argv[1], cpu, seed, wave64) for cpu in CPUS for wave64 in CPUS[cpu]) != 0


if __name__ == '__main__':
  sys.exit(main())
