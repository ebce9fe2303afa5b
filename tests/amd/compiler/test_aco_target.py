#!/usr/bin/python3
"""What amd/hw/traits.txt says of every generation is what LLVM 19's assembler and compiler accept and print.

Usage: test_aco_target.py PRINT_TARGETS. Without llvm-mc-19 and llc-19 the test is skipped (exit status 77).
"""
import re
import shutil
import subprocess
import sys

MC, LLC = 'llvm-mc-19', 'llc-19'
CPUS = {'GFX9': 'gfx900', 'GFX10': 'gfx1010', 'GFX10.3': 'gfx1030', 'GFX11': 'gfx1102', 'GFX11.5': 'gfx1150'}
TRIPLE = '-mtriple=amdgcn--amdpal'
OFFSETS = {
  'smem': 's_load_dword s0, s[2:3], {}', 'smem_buffer': 's_buffer_load_dword s0, s[4:7], {}',
  'mubuf': 'buffer_load_dword v0, off, s[4:7], 0 offset:{}', 'flat': 'flat_load_dword v0, v[2:3] offset:{}',
  'global': 'global_load_dword v0, v[2:3], off offset:{}', 'scratch': 'scratch_load_dword v0, v2, off offset:{}',
  'ds': 'ds_read_b32 v0, v1 offset:{}',
}
# Yes or no: the row says whether LLVM takes the instruction.
FLAGS = {
  'has_clauses': 's_clause 1', 'vop3_literals': 'v_fma_f32 v0, v0, v1, 0x1234567',
  'exports_halves': 'exp mrt0 v0, v0, v1, v1 done compr', 'has_null_target': 'exp null off, off, off, off done',
}
# The number of ({} is 0 up to it) that LLVM takes, and one more that it does not.
COUNTS = {'sgprs': 's_mov_b32 s{}, 0', 'max_params': 'exp param{} v0, v0, v0, v0'}
SCALARS = {1: 'v_fma_f32 v0, s0, v0, v0', 2: 'v_fma_f32 v0, s0, s1, v0', 3: 'v_fma_f32 v0, s0, s1, s2'}
SHIFTS = {1: 'v_lshlrev_b64 v[0:1], s0, v[2:3]', 2: 'v_lshlrev_b64 v[0:1], s0, s[2:3]'}
# Addresses of so many registers that do not stand in a row; no instruction has more.
ADDRESSES = {
  3: 'image_load v0, [v1, v3, v5], s[0:7] dmask:1 dim:SQ_RSRC_IMG_3D',
  5: 'image_sample_c_l v0, [v1, v3, v5, v7, v9], s[0:7], s[8:11] dmask:1 dim:SQ_RSRC_IMG_3D',
  6: 'image_sample_c_l_o v0, [v1, v3, v5, v7, v9, v11], s[0:7], s[8:11] dmask:1 dim:SQ_RSRC_IMG_3D',
  12: 'image_sample_c_d_cl_o v0, [v1, v3, v5, v7, v9, v11, v13, v15, v17, v19, v21, v23], s[0:7], s[8:11] '
      'dmask:1 dim:SQ_RSRC_IMG_3D',
}


class Assembler:
  """Collects questions and asks them all at once: each is (text, whether it should be taken)."""

  def __init__(self, cpu):
    self.cpu, self.questions = cpu, []

  def ask(self, text, taken):
    self.questions.append((text, bool(taken)))

  def wrong(self):
    run = subprocess.run([MC, '-triple=amdgcn--amdpal', f'-mcpu={self.cpu}', '-filetype=null'],
                         input=''.join(text + '\n' for text, _ in self.questions), capture_output=True, text=True)
    refused = {int(line) for line in re.findall(r'^<stdin>:(\d+):\d+: error', run.stderr, re.M)}
    return [f'{self.cpu}: {text}: LLVM {"refuses" if taken else "takes"} it'
            for number, (text, taken) in enumerate(self.questions, 1) if taken == (number in refused)]


def assembler_questions(cpu, rows):
  mc = Assembler(cpu)
  for name, text in OFFSETS.items():
    for value, taken in zip((rows[name][0] - 1, *rows[name], rows[name][1] + 1), (False, True, True, False)):
      if name != 'mubuf':  # LLVM's parser looks at nothing there: see encoded_offset()
        mc.ask(text.format(value), taken)
  for name, text in FLAGS.items():
    mc.ask(text, rows[name][0])
  for name, text in COUNTS.items():
    for n in range(rows[name][0] + 1):
      mc.ask(text.format(n), n < rows[name][0])
  for table, limit in ((SCALARS, rows['constant_bus'][0]), (SHIFTS, rows['constant_bus'][1])):
    for n, text in table.items():
      mc.ask(text, n <= limit)
  mc.ask('s_waitcnt_vscnt null, 0', rows['vscnt_max'][0])
  for n, text in ADDRESSES.items():
    if n <= rows['max_image_addresses'][0] or cpu != 'gfx1010':  # 13 fit there too, LLVM's compiler makes 5
      mc.ask(text, n <= rows['max_image_addresses'][0])
  return mc.wrong()


def compile_all(cpu, functions, wave_size):
  """LLVM's statistics of functions (name: (declarations, attributes, body)), by name."""
  ir = ''.join(f'{declared}\ndefine amdgpu_{kind} void @{name}() {{\n  {body}\n  ret void\n}}\n'
               for name, (declared, kind, body) in functions.items())
  wave = [] if cpu == 'gfx900' else [f'-mattr=+wavefrontsize{wave_size},-wavefrontsize{96 - wave_size}']
  run = subprocess.run([LLC, TRIPLE, f'-mcpu={cpu}', *wave, '-o', '-'], input=ir, capture_output=True, text=True)
  found = re.findall(r'^(\w+): .*?; @\1$.*?; Occupancy: (\d+)', run.stdout, re.M | re.S)
  return run, {name: int(waves) for name, waves in found}


def clobbers(register):
  return f'call void asm sideeffect "; use", "~{{{register}}}"()'


def occupancy(cpu, rows):
  """Waves by registers. SGPRs come in blocks of 16 (Vega ISA, "SGPR Allocation"); LLVM counts 8: a wave more."""
  wrong = []
  for wave_size in (32, 64):
    ours = {(f'v{n}', 'vgprs'): waves for size, n, waves in rows['waves_of_vgprs'] if size == wave_size}
    ours |= {(f's{n}', 'sgprs'): waves for n, waves in rows['waves_of_sgprs'] if wave_size == 64}
    functions = {name: ('', 'ps', clobbers(f'{name[0]}{int(name[1:]) - 1}')) for name, _ in ours}
    if not functions:
      continue
    _, theirs = compile_all(cpu, functions, wave_size)
    wrong += [f'{cpu} wave{wave_size}: {name}: {waves} waves, LLVM says {theirs.get(name)}'
              for (name, kind), waves in ours.items()
              if theirs.get(name) != waves and (kind == 'vgprs' or theirs.get(name) != waves + 1)]
  return wrong


def lds_limit(cpu, lds_B):
  """LLVM compiles a workgroup with so much LDS and refuses four bytes more."""
  def fits(size_B):
    declared = f'@lds = internal addrspace(3) global [{size_B} x i8] undef, align 4'
    body = 'store volatile i8 1, ptr addrspace(3) @lds'
    run, _ = compile_all(cpu, {'k': (declared, 'cs', body)}, 64)
    return run.returncode == 0 and 'exceeds limit' not in run.stderr
  return [] if fits(lds_B) and not fits(lds_B + 4) else [f'{cpu}: LDS of {lds_B} B is not the limit of LLVM']


def padding(cpu, line_B):
  run, _ = compile_all(cpu, {'k': ('', 'ps', '')}, 64)
  found = re.search(r'\.p2alignl (\d+), 3214868480\s+\.fill (\d+), 4, 3214868480', run.stdout)
  theirs = (1 << int(found[1]), int(found[2]) * 4) if found else (0, 0)
  return [] if theirs == (line_B, 3 * line_B) else [f'{cpu}: lines of {line_B} B, LLVM pads {theirs}']


def encoded_offset(cpu, limits):
  """The largest offset of a buffer instruction fills its field: all bits of it, from bit 0 on, and no others."""
  text = ''.join(OFFSETS['mubuf'].format(value) + '\n' for value in (0, limits[1]))
  run = subprocess.run([MC, '-triple=amdgcn--amdpal', f'-mcpu={cpu}', '-show-encoding'], input=text,
                       capture_output=True, text=True)
  words = [int.from_bytes(bytes(int(b, 16) for b in code.split(',')), 'little')
           for code in re.findall(r'encoding: \[(.*?)\]', run.stdout)]
  return [] if limits[0] == 0 and words[0] ^ words[1] == limits[1] else [f'{cpu}: the offset of MUBUF']


def main():
  if not shutil.which(MC) or not shutil.which(LLC):
    return 77
  generations = {}
  for line in subprocess.run([sys.argv[1]], capture_output=True, text=True, check=True).stdout.splitlines():
    gen, name, *values = line.split()
    rows, values = generations.setdefault(gen, {}), [int(value) for value in values]
    if name.startswith('waves_of'):
      rows.setdefault(name, []).append(values)
    else:
      rows[name] = values
  assert set(generations) == set(CPUS)
  wrong = []
  for gen, rows in generations.items():
    cpu = CPUS[gen]
    wrong += assembler_questions(cpu, rows) + occupancy(cpu, rows) + lds_limit(cpu, rows['lds_B'][0])
    wrong += padding(cpu, rows['fetch_line_B'][0]) + encoded_offset(cpu, rows['mubuf'])
  print('\n'.join(wrong))
  return bool(wrong)


if __name__ == '__main__':
  sys.exit(main())
