#!/usr/bin/python3
"""Every operation that LLVM 19 knows of a generation is in the instruction table, with its number and its name.

Usage: test_isa_complete.py ISA_FOLDER TABLE FORMATS. Without llvm-mc-19 the test is skipped (exit status 77).
All numbers of all encodings go through LLVM's disassembler, with seeded operands; that the numbers which the table
has are all found is the test's own check. What the rows say is for test_isa_llvm.py.
"""
import pathlib
import random
import re
import shutil
import subprocess
import sys

MC = 'llvm-mc-19'
CPUS = {'gfx900': 'GFX9', 'gfx1010': 'GFX10', 'gfx1030': 'GFX10.3', 'gfx1100': 'GFX11', 'gfx1150': 'GFX11.5'}
VARIANTS = 20
# What LLVM knows and the table leaves out on purpose: {name: reason}. Of operands and bits: src_lds_direct and NV of
# GFX9, which no driver of Mesa uses; null of GFX9, which has no such register (LLVM's disassembler names number 125
# so on every chip); bits that must be 0, which LLVM's disassembler does not look at.
LEFT_OUT = {'v_illegal': 'the word 0, no operation', 'ds_bvh_stack_rtn_b32': 'ray tracing'}
# What the table has and LLVM 19 has not.
NOT_IN_LLVM = {('VOP3', 'v_mov_b16'): 'LLVM has the long form with +real-true16 only; ACO emits it',
               ('VOP1', 'v_swap_b16'): 'LLVM 20 has it; ACO of Mesa 26 emits it'}
# Rows without a number: LLVM prints "exp" for all of them. Second halves stand after the first; test_isa_llvm pairs
# all of them.
NOT_SWEPT = {'EXP', 'VOPDY'}


def base_forms(forms):
  """The forms whose bits say what the encoding is, those with the most constant bits first."""
  base = [f for f in forms.values() if not {'where', 'marker', 'half'} & f.properties.keys()]
  return sorted(base, key=lambda f: -(f.mask & 0xffffffff).bit_count())


def number(form, word):
  return sum((word >> low & (1 << high - low + 1) - 1) << shift for high, low, shift in form.fields.get('op', []))


def operands(form, rng, variant):
  """A word with operands that mostly exist (VGPRs, small even numbers, null, EXEC, a constant) and few modifiers;
  none at first, then all modifiers of one bit."""
  if variant < 2:
    return sum(variant << low for what, places in form.fields.items() for high, low, _ in places
               if high == low and what != 'op')
  word = 0
  for what, places in form.fields.items():
    value = rng.choice([0, 0, 0, 4, 8, 0x7d, 0x7e, 0x80]) if '/' in what else rng.choice([0, 0, 0, 0, 1, 3])
    value = rng.choice([0x100, 0x101, 4]) if what.endswith('/a') and rng.random() < 0.8 else value
    for high, low, _ in places if what != 'op' else []:
      word |= (value & (1 << high - low + 1) - 1) << low
  return word


def sweep(forms):
  """Code of every number of every encoding, as bytes for the disassembler."""
  lines = []
  for form in forms:
    bits = sum(high - low + 1 for high, low, _ in form.fields.get('op', []))
    for n in range(1 << bits):
      rng = random.Random(f'{form.name} {n}')
      op = sum((n >> shift & (1 << high - low + 1) - 1) << low for high, low, shift in form.fields.get('op', []))
      for variant in range(VARIANTS):
        word = form.value | op | operands(form, rng, variant)
        lines.append(' '.join(f'{b:#04x}' for b in word.to_bytes(4 * form.size_dw, 'little')))
  return lines


def found_by_llvm(cpu, forms):
  """{(encoding, number): names}, by the bits of what LLVM encodes again."""
  run = subprocess.run([MC, '-triple', 'amdgcn--amdpal', f'-mcpu={cpu}', '-disassemble', '-show-encoding'],
                       input='\n'.join(sweep(forms)) + '\n', capture_output=True, text=True, check=False)
  found = {}
  for name, code in re.findall(r'^\s*(\w+).*(?:;|//) encoding: \[(.*)\]$', run.stdout, re.MULTILINE):
    word = int.from_bytes(bytes(int(b, 0) for b in code.split(',')), 'little')
    form = next((f for f in forms if not (word ^ f.value) & f.mask & 0xffffffff), None)
    if form:
      found.setdefault((form.enc, number(form, word)), set()).add(re.sub(r'_(e32|e64|sdwa|dpp)$', '', name))
  return found


def check(cpu, gen, rows, forms):
  ours = {(enc, n): name for row in rows for enc, (n, _, name) in row.encs[gen].items()}
  found = found_by_llvm(cpu, base_forms(forms[gen]))
  faults = [f'{gen} {enc} {n:#x}: LLVM has {" and ".join(sorted(names))}, the table {ours.get((enc, n))}'
            for (enc, n), names in sorted(found.items())
            if names != {ours.get((enc, n))} and not names <= LEFT_OUT.keys()]
  faults += [f'{gen} {enc} {n:#x}: the sweep does not find {name}' for (enc, n), name in sorted(ours.items())
             if (enc, n) not in found and enc not in NOT_SWEPT and (enc, name) not in NOT_IN_LLVM]
  print('\n'.join(faults[:40]))
  print(f'{cpu}: {len(found)} numbers that LLVM knows, {len(ours)} in the table, {len(faults)} faults')
  return len(faults)


def main():
  if not shutil.which(MC):
    print(f'{MC} is not installed')
    return 77
  folder, table, formats = sys.argv[1:]
  sys.path.insert(0, str(pathlib.Path(folder)))
  sys.dont_write_bytecode = True
  from forms import read_forms
  from rows import read_rows
  rows, forms = read_rows(table), read_forms(formats)
  return sum(check(cpu, gen, rows, forms) for cpu, gen in CPUS.items()) > 0


if __name__ == '__main__':
  sys.exit(main())
