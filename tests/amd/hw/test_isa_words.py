#!/usr/bin/python3
"""LLVM 19 as the witness of what the decoder refuses: words at random, and instructions with a few bits flipped.
What our decoder takes LLVM must take too, with the same length and text; exceptions stand in KNOWN.

Usage: test_isa_words.py ISA_RANDOM ISA_WORDS [SEED]. Without llvm-mc-19 the test is skipped (exit status 77).
"""
import re
import shutil
import subprocess
import sys

MC = 'llvm-mc-19'
# Wave sizes of each: whether it has 64 lanes.
CPUS = {'gfx900': [True], 'gfx1010': [False, True], 'gfx1030': [False, True], 'gfx1100': [False, True],
        'gfx1150': [False, True]}
WORDS = 30000
VARIANTS = 6
# Our text, where LLVM differs, with the reason.
KNOWN = {
  r'.*\bs\[\d+:107\]': 'LLVM has no tuples of scalar registers that end in VCC; RADV emits them',
  r'image_gather4\S* .* d16\b': 'LLVM counts four registers of data for some forms although two hold them',
  r'v_ldexp_f16\S* .*0(x|\.)': 'LLVM writes the integer exponent as a float of 16 bits',
  r'v_cndmask_b32_sdwa .*sext\(': 'LLVM takes the sources for floats only; RADV extends them as integers',
  r's_((buffer_|scratch_)?(load|store|atomic)|dcache_discard|atc_probe)\w* .*, '
  r'(s\d+|ttmp\d+|m0|(vcc|exec|flat_scratch|xnack_mask)_(lo|hi))( glc)?$':
  'LLVM tells a register with an offset of 0 (GFX9) from one alone',
  r'v_\w+ .*\bv\d+\.h\b': 'halves of registers in short forms: LLVM without true16 has none; ACO emits them',
  r'v_(?!pk_|fma_mix|dot|interp)\w+ .* op_sel:': 'the same in long forms, where LLVM passes over most of these bits',
  r'(s_\w+_f16|s_cvt_f32_f16|v_cmpx?_class_f16\S*|v_dot2_\w*bf16) .*(0(x|\.)|, -?\d+$)':
    'LLVM writes all 32 bits of such literals',
  r'v_fma_mix\S*_dpp v\d+, [^,]*, -?\|?[^v|-]': 
    'LLVM reads no scalar there, where every other operation of GFX11.5 may have one',
  r'v_mov_b16': 'LLVM has its short form only, with names of halves',
  r'image_atomic\S* .* tfe\b': 'LLVM counts the registers of an atomic with status from its default form',
}
# Lane masks of wave64 are pairs; the decoder is not told the wave size, and takes what wave32 takes.
# Nor can waves of 64 lanes have pairs of operations.
ODD_MASK = re.compile(r'v_dual_|v_\w+ .*?(?:\b(?:s|ttmp)\[\d*[13579]:|\b(?:vcc|exec|m0)\b)')


def take(command, **kwargs):
  result = subprocess.run(command, capture_output=True, text=True, check=False, **kwargs)
  if result.returncode:
    sys.exit(f'{" ".join(command)}: {result.stderr}')
  return result.stdout.splitlines()


def disassemble(rows, cpu, wave64):
  """What LLVM makes of each row: a list of texts, and the rows that it refuses."""
  lines = []
  for n, (words, _) in enumerate(rows):
    mark = (0xbf800100 + n % 0x8000).to_bytes(4, 'little')  # s_nop with a number, six in case the row swallows some
    code = b''.join(int(w, 16).to_bytes(4, 'little') for w in words.split())
    lines += [' '.join(f'{b:#04x}' for b in data) for data in (code, mark * 6)]
  feature = '+wavefrontsize64,-wavefrontsize32' if wave64 else '+wavefrontsize32,-wavefrontsize64'
  feature = feature if len(CPUS[cpu]) > 1 else ''
  run = subprocess.run([MC, '-disassemble', '-triple', 'amdgcn--amdpal', f'-mcpu={cpu}', f'-mattr={feature}'],
                       input='\n'.join(lines) + '\n', capture_output=True, text=True, check=False)
  refused = {(int(n) - 1) // 2 for n in re.findall(r'<stdin>:(\d+):\d+: warning', run.stderr)}
  texts, now = [], []
  for line in map(str.split, run.stdout.splitlines()):
    marked = int(line[1], 0) - 0x100 if line[:1] == ['s_nop'] else None
    if marked == len(texts) % 0x8000:
      texts.append(now)
      now = []
    elif line and line[0][0] != '.' and marked != (len(texts) - 1) % 0x8000:
      now.append(' '.join(line))
  return texts, refused


def run(isa_random, isa_words, cpu, seed, wave64):
  wave = '64' if wave64 else '32'
  good = take([isa_random, cpu, seed, str(VARIANTS), wave])
  lines = take([isa_words, cpu, seed, str(WORDS), wave], input='\n'.join(good) + '\n')
  rows = [line.split('|', 1) for line in lines]
  texts, refused = disassemble(rows, cpu, wave64)
  if len(texts) != len(rows) or len(rows) < WORDS // 3:
    sys.exit(f'{len(rows)} rows, LLVM gives {len(texts)}')
  wrong, tolerated = 0, 0
  for i, ((words, text), theirs) in enumerate(zip(rows, texts)):
    if i not in refused and theirs == [text]:
      continue
    if any(re.match(pattern, text) for pattern in KNOWN) or wave64 and ODD_MASK.match(text):
      tolerated += 1
      continue
    wrong += 1
    if wrong < 20:
      print(f'{words}: ours {text}, LLVM {"refuses" if i in refused else theirs}')
  print(f'{cpu} wave{wave}: {len(rows)} taken, {wrong} wrong, {tolerated} known')
  return wrong


def main():
  if not shutil.which(MC):
    print(f'{MC} is not installed')
    return 77
  seed = sys.argv[3] if len(sys.argv) > 3 else '7'
  return sum(run(sys.argv[1], sys.argv[2], cpu, seed, wave64) for cpu in CPUS for wave64 in CPUS[cpu]) != 0


if __name__ == '__main__':
  sys.exit(main())
