#!/usr/bin/python3
"""LLVM 19 as the witness of what the decoder takes and refuses: words at random, and instructions with a few bits
flipped. What our decoder takes LLVM must take too, with the same length and text; exceptions stand in KNOWN. What
LLVM takes we must take; exceptions stand in REFUSED. (LLVM's disassembler passes over bits without a meaning: what it
takes is what it assembles to the same words again.)

Usage: test_isa_words.py ISA_RANDOM ISA_WORDS [SEED [WORDS]]. WORDS: so many at random for each chip and wave size.
Without LLVM 19 the test is skipped (exit status 77).
"""
import os
import re
import shutil
import subprocess
import sys

MC = 'llvm-mc-19'
# Wave sizes of each: whether it has 64 lanes.
CPUS = {'gfx900': [True], 'gfx1010': [False, True], 'gfx1030': [False, True], 'gfx1100': [False, True],
        'gfx1150': [False, True]}
WORDS, VARIANTS = 30000 // int(os.environ.get('TEST_SHARE', 1)), 6
CHUNK = 20000 # lines that the assembler gets at once
# LLVM takes it with a sentence that it should not be.
DOUBTFUL = re.compile(r'Warning:|/\*Invalid')
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
  r'(s_\w+_f16|s_cvt_f32_f16|v_cmpx?_class_f16\S*|v_dot2_\w*bf16) .*(0(x|\.)|, -?\d+(\.0)?$)':
    'LLVM writes all 32 bits of such literals',
  r'v_fma_mix\S*_dpp v\d+, [^,]*, -?\|?[^v|-]': 
    'LLVM reads no scalar there, where every other operation of GFX11.5 may have one',
  r'v_mov_b16': 'LLVM has its short form only, with names of halves',
  r'v_(cndmask|(add|sub|subrev)_co_ci_u)\w+_e64\w* .*, exec(_lo|_hi)?( |$)':
    'LLVM keeps its allocator off EXEC as a lane mask',
  r'v_swap_b16': 'LLVM 20 has it; ACO of Mesa 26 emits it',
  r'image_atomic\S* .* tfe\b': 'LLVM counts the registers of an atomic with status from its default form',
  r'v_wmma_bf16\S* .*, 0\.15915494\b': 'LLVM writes more digits',
}
# Comparisons with DPP before GFX11, which LLVM has not: the ISA documents allow them, ACO of Mesa 26 emits them.
BEFORE_GFX11 = ('gfx900', 'gfx1010', 'gfx1030')
COMPARED_LANES = re.compile(r'v_cmpx?_\w+ .* (row_mask|dpp8):')
# Lane masks of wave64 are pairs; the decoder is not told the wave size, and takes what wave32 takes.
# Nor can waves of 64 lanes have pairs of operations.
ODD_MASK = re.compile(r'v_dual_|v_\w+ .*?(?:\b(?:s|ttmp)\[\d*[13579]:|\b(?:vcc|exec|m0|flat_scratch|xnack_mask)\b)')


# LLVM's text, where we refuse, with the reason.
REFUSED = {
  r'.*\bsrc_lds_direct\b': 'test_isa_complete.py leaves it out',
  r'v_\w+_sdwa .*\b(src_\w+|xnack_mask\w*|flat_scratch\w*)\b': 'SDWA reads registers and constants',
  r'v_\w+_sdwa .* clamp |v_cmp\w+_e64 .* clamp$': 'LLVM clamps what has no range',
  r'ds_swizzle_b32 .* gds$': 'lanes are permuted without memory',
  r'(flat|global|scratch)_load_\w+ .* lds$': 'loads into LDS for which drivers have no use',
  r'v_\w+_dpp .*(-v|-?\|)': 'signs of pairs, which LLVM takes and assembles after DPP only',
  r'v_(?!\w+_sdwa )\w+ .*sext\(': 'SDWA alone extends integers',
  r'v_cvt_pk_[iu]16_f32\S* .* clamp': 'they saturate anyway',
  r'v_cvt_pkrtz_f16_f32_sdwa .* (mul|div):': 'pairs are not scaled',
  r'v_dot2_b?f16_b?f16': 'signs of its sources: no driver of Mesa emits them',
  r'v_dot(4_i32_iu8|8_i32_iu4) .* (op_sel\w*:|neg_hi:|neg_lo:\[\d,\d,1\])': 'bits without a meaning',
  r'(v_cmp\w+ src_|v_readfirstlane_b32 src_)': 'results go to registers',
  r'v_(addc|subb|subbrev|cndmask)\w*_e64 .*, src_\w+$': 'lane masks are registers',
  r'ds_bvh_stack_rtn_b32': 'ray tracing',
  r'v_wmma_i32\w* .* neg_\w+:\[\d,\d,1\]|v_wmma_b?f\w+ .* neg_': 'signs whose meaning no document says',
  r'v_wmma_b?f16\w* .* op_sel:\[(1|0,1)': 'the same of halves of A and B',
  r'v_wmma_\w+ .*\bv\[(249|25[0-2]):25[2-5]\]': 'C and D of 64 lanes: the decoder leaves room for those of 32',
  r'v_ldexp_f16_e64 ': 'signs of its integer, and scales',
  r'v_\w+_e64_dpp .* 0x[\da-f]+ .*(row_mask|dpp8):': 'a literal and lanes at once',
  r's_movrels\w+ .*, (-?[\d.]+|src_\w+|0x\w+)$': 'M0 counts from a register',
  r'image_\w+ .*_2D_MSAA': 'multisampled images have neither levels nor filters',
}


def take(command, **kwargs):
  result = subprocess.run(command, capture_output=True, text=True, check=False, **kwargs)
  if result.returncode == 77:
    print("LLVM 19's library is not installed")
    sys.exit(77)
  if result.returncode:
    sys.exit(f'{" ".join(command)}: status {result.returncode}: {result.stderr}')
  return result.stdout.splitlines()


def assembled(taken, cpu, wave64):
  """Of words that LLVM takes those that it assembles to the same words again: (words, LLVM's text)."""
  if len(taken) > CHUNK:
    return [row for at in range(0, len(taken), CHUNK) for row in assembled(taken[at:at + CHUNK], cpu, wave64)]
  feature = '' if cpu == 'gfx900' else ('+wavefrontsize64,-wavefrontsize32' if wave64 else
                                        '+wavefrontsize32,-wavefrontsize64')
  # s_nop with a number after each says which line a text is of.
  source = ''.join(f'{text}\ns_nop {n % 0x8000:#x}\n' for n, (_, text) in enumerate(taken))
  run = subprocess.run([MC, '-triple', 'amdgcn--amdpal', f'-mcpu={cpu}', f'-mattr={feature}', '-show-encoding'],
                       input=source, capture_output=True, text=True, check=False)
  found, n, code = [], 0, b''
  for text, encoding in re.findall(r'^\s*(\S.*?)\s*(?:;|//) encoding: \[(.*)\]$', run.stdout, re.MULTILINE):
    if text.startswith('s_nop') and int(text.split()[1], 0) == n % 0x8000:
      words = b''.join(int(w, 16).to_bytes(4, 'little') for w in taken[n][0].split())
      if code and words.startswith(code):
        found.append(taken[n])
      n, code = n + 1, b''
    else:
      code = bytes(int(b, 0) for b in encoding.split(','))
  assert n == len(taken), f'LLVM assembles {n} of {len(taken)} rows (status {run.returncode})'
  return found


def is_known(text, cpu, wave64):
  return (any(re.match(pattern, text) for pattern in KNOWN) or wave64 and ODD_MASK.match(text) or
          cpu in BEFORE_GFX11 and COMPARED_LANES.match(text))


def run(isa_random, isa_words, cpu, wave64, seed, number):
  wave = '64' if wave64 else '32'
  good = take([isa_random, cpu, seed, str(VARIANTS), wave])
  *lines, total = take([isa_words, cpu, seed, number, wave], input='\n'.join(good) + '\n')
  rows = [line.split('\t') for line in lines]
  count, both, died = map(int, total.split()[1:])
  taken = [(words, theirs) for words, ours, theirs in rows
           if not ours and theirs != 'dies' and not DOUBTFUL.search(theirs)]
  wrong = [(words, 'refuses', theirs) for words, theirs in assembled(taken, cpu, wave64)
           if not any(re.match(pattern, theirs) for pattern in REFUSED)]
  differ = [row for row in rows if row[1] and row[2] != 'dies']
  wrong += [(words, ours, theirs or 'refuses') for words, ours, theirs in differ if not is_known(ours, cpu, wave64)]
  for words, ours, theirs in wrong[:20]:
    print(f'{words}: ours {ours}, LLVM {theirs}')
  if both < int(number) // 3:
    sys.exit(f'both take {both} words of {count}')
  print(f'{cpu} wave{wave}: {count} words, {both} taken by both, {len(wrong)} wrong; LLVM dies of {died}')
  return len(wrong)


def main():
  if not shutil.which(MC):
    print(f'{MC} is not installed')
    return 77
  seed, number = (sys.argv[3:] + ['7', str(WORDS)][len(sys.argv) - 3:])[:2]
  return sum(run(*sys.argv[1:3], cpu, wave64, seed, number) for cpu in CPUS for wave64 in CPUS[cpu]) != 0


if __name__ == '__main__':
  sys.exit(main())
