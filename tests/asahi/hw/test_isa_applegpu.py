#!/usr/bin/python3
"""Words that nobody chose, and what applegpu's disassembler (dougallj/applegpu) makes of those that ours takes.

Usage: test_isa_applegpu.py INDIUM isa_applegpu.txt
       test_isa_applegpu.py INDIUM isa_applegpu.txt SEEDS.txt... APPLEGPU_FOLDER COUNT

With a folder that has applegpu.py: compares COUNT words, made of those of SEEDS with some bits flipped, prints what
differs and how many words only one of the two takes, and writes some of the rows. A row is the bytes, then "|" and
applegpu's text. Names, sizes and conditions must go together one to one; the operands of arithmetic, flow and loads
and stores are compared as text, but for what Comparison says.
"""
import collections
import pathlib
import random
import re
import subprocess
import sys
import tempfile

KEPT = 3000

# Our mnemonic -> applegpu's, where they are not the same.
NAMES = {
  'ffma': 'fmadd32', 'fadd': 'fadd32', 'fmul': 'fmul32', 'hfma': 'fmadd16', 'hadd': 'fadd16', 'hmul': 'fmul16',
  'csel': 'icmpsel fcmpsel', 'load': 'device_load tex_state_store sampler_state_store', 'store': 'device_store',
  'mov': 'mov get_sr uniform_store bitop', 'ldimm': 'mov_imm', 'imul': 'imadd', 'shl': 'bfi', 'shr': 'bfeil',
  'rsqrts': 'rsqrt_special', 'sinr': 'sin_pt_1', 'sinc': 'sin_pt_2', 'if': 'if_icmp if_fcmp push_exec',
  'else': 'else_icmp else_fcmp', 'while': 'while_icmp while_fcmp', 'jmp_any': 'jmp_exec_any',
  'jmp_none': 'jmp_exec_none', 'popcnt': 'popcount', 'rint': 'rint roundeven',
  'intl': 'intl interleave', 'st_var': 'st_var st_var_final', 'pixwait': 'wait_pix', 'pixrel': 'signal_pix',
  'uniform_store_unk': 'uniform_store device_store', 'smpf': 'texture_sample', 'smpi': 'texture_load',
  'iter': 'iter iterproj',
  'ldcf': 'TODO.ldcf', 'lload': 'threadgroup_load', 'lstore': 'threadgroup_store', 'latomic': 'threadgroup_atomic',
  'imgw': 'image_write', 'imgwblk': 'image_write_block', 'barrier': 'threadgroup_barrier',
}
CONVERTS = {'u8_to_f', 's8_to_f', 'f_to_u16', 'f_to_s16', 'u16_to_f', 's16_to_f', 'f_to_u32', 'f_to_s32', 'u32_to_f',
            's32_to_f'}
UNARY = {'not', 'not_a', 'mov_a'}
BITOPS = {'and', 'or', 'xor', 'nor', 'xnor', 'nand', 'andn1', 'andn2', 'orn1', 'orn2', 'zero', 'one'} | UNARY
SAME_OPERANDS = {'ffma', 'fadd', 'fmul', 'hfma', 'hadd', 'hmul', 'iadd', 'isub', 'imadd', 'imsub', 'imul', 'shl',
                 'shr', 'bfi', 'bfeil', 'extr', 'shlhi', 'shrhi', 'asr', 'asrh', 'floor', 'rsqrts', 'dfdx', 'dfdy',
                 'rcp', 'rsqrt', 'sinr', 'sinc', 'log2', 'exp2', 'ceil', 'trunc', 'rint', 'bitrev', 'popcnt', 'ffs',
                 'intl', 'csel', 'if', 'else', 'while', 'ldimm', 'jmp_any', 'jmp_none', 'call', 'ret', 'pop_exec',
                 'pixwait', 'pixrel', 'doorbell'} | CONVERTS | BITOPS
# Named by a register's number there, by its meaning here, or printed by only one.
CONDITIONS = set('''ieq ult ugt seq slt sgt ine ugte ulte nseq sgte slte feq flt fgt fltn fgte flte fgtn fneq fnlt
                    fngt fnltn fngte fnlte fngtn'''.split())


def operand(text):
  """One of ours as applegpu writes it."""
  hint = {'^': '.discard', '$': '.cache'}.get(text[:1], '')
  match = re.match(r'[$^]?([\w.-]*?)((?:\.(?:abs|neg|sx))*)$', text)
  if not match:
    return text
  value, suffix = match.groups()
  if re.match(r'd[ru]\d+$', value):
    number = int(value[2:])
    value = f'{value[1]}{number}_{value[1]}{number + 1}'
  if re.match(r'\d+$', value):
    suffix = suffix.replace('.sx', '') # of an immediate there is nothing to extend
  return value + hint + suffix


def split(text):
  name, _, rest = text.partition(' ')
  return name, [part.strip() for part in rest.split(',')] if rest.strip() else []


def expected(name, operands, their_name):
  """Our operands in applegpu's order and words."""
  flags = [o for o in operands if o in ('sat', 'cache')]
  operands = [o for o in operands if o not in flags]
  operands = [o if o.startswith('lsl') else operand(o) for o in operands]
  if name == 'imul':
    operands.append('0')
  if name in ('shl', 'shr'):
    operands.insert(1, '0')
  if name in ('bfi', 'bfeil', 'extr', 'shlhi', 'shrhi', 'asr', 'asrh'):
    mask = int(operands.pop())
    if their_name in ('asr', 'asrh'):
      operands.pop() # what they shift by stands second, and a third source says nothing
    elif mask:
      operands.append(f'mask 0x{(1 << mask) - 1:X}')
  if their_name == 'push_exec':
    operands = ['r0l' + ('.cache' if 'cache' in flags else ''), operands[2]]
  elif name in ('if', 'else', 'while'):
    operands = ['r0l' + ('.cache' if 'cache' in flags else ''), operands[3], *operands[:3]]
  if name == 'pop_exec':
    operands.insert(0, 'r0l' + ('.cache' if 'cache' in flags else ''))
  if name == 'csel':
    operands = [operands[-1], *operands[:-1]]
  if name in ('jmp_any', 'jmp_none', 'call') and re.match(r'-?\d+$', operands[-1]):
    operands[-1] = f'0x{int(operands[-1]):X}'
  return operands


class Comparison:
  def __init__(self):
    self.faults, self.conditions, self.back = [], {}, {}
    self.compared = collections.Counter()

  def same_condition(self, kind, ours, theirs):
    """Each of ours goes with one of theirs, and no two with the same."""
    return (self.conditions.setdefault((kind, ours), theirs) == theirs and
            self.back.setdefault((kind, theirs), ours) == ours)

  def same(self, kind, mine, its):
    if mine == its or (mine in CONDITIONS and self.same_condition(kind, mine, its)):
      return True
    # csel's uniforms: applegpu leaves out the upper bit, which Honeykrisp uses.
    wide = re.match(r'u(\d+)([lh]?)$', mine)
    return kind in ('icmpsel', 'fcmpsel') and bool(wide) and its == f'u{int(wide[1]) - 128}{wide[2]}'

  def row(self, code, ours, theirs):
    name, operands = split(ours)
    their_name, their_operands = split(theirs)
    base = their_name.removesuffix('.sat').removesuffix('.TODO').removeprefix('bitop_')
    if base == 'convert':
      base = their_operands.pop(0)
    if (base == 'bitop' or 'bitop_' in their_name) and name != 'uniform_store_unk':
      base, _ = name, their_operands.pop(0)
    self.compared[name] += 1
    fault = f'{code}: {ours} | {theirs}'
    if base not in NAMES.get(name, name).split() + [name] and not self.other_name(name, base):
      self.faults.append(fault)
    elif ('sat' in operands) != their_name.endswith('.sat'):
      self.faults.append(fault)
    elif name in SAME_OPERANDS:
      mine = expected(name, operands, base)
      if base == 'mov_imm' or name in UNARY:
        their_operands = their_operands[:2]
      if len(mine) != len(their_operands) or not all(self.same(base, m, t) for m, t in zip(mine, their_operands)):
        self.faults.append(fault)
    elif base in ('device_load', 'device_store'):
      self.memory(fault, operands, their_operands)

  def other_name(self, name, base):
    """Families that are one row there or here: they keep to one name each."""
    families = ('ballot', 'shuffle', 'quad', 'simd', 'barrier', 'tile', 'stack', 'map', 'flush', 'jmp_i', 'trap',
                'call', 'no_var', 'zs_emit')
    return any(word in name for word in families) and self.same_condition('name', name, base) or \
      any(word in name for word in ('ballot', 'shuffle', 'quad', 'simd', 'barrier', 'flush', 'tile'))

  def memory(self, fault, operands, their_operands):
    """All that both print, in whatever order; applegpu does not say which register would get nothing."""
    if 'none' in operands:
      return
    for mine in operands:
      if mine in ('a', 'b') or mine.startswith('coherent'):
        continue
      mine = operand(mine.removesuffix('.sx')).replace('_rtz', '.rtz')
      wrapped = str(int(mine) - 65536) if re.match(r'\d+$', mine) else mine
      if mine not in their_operands and wrapped not in their_operands:
        self.faults.append(fault)
        return


def disassemble(indium, codes):
  """The text of each, which is "unknown ..." for what is none."""
  with tempfile.NamedTemporaryFile('w', suffix='.hex') as file:
    file.write('\n'.join(codes) + '\n')
    file.flush()
    done = subprocess.run([indium, 'disasm', '--gpu', 'm1', file.name], capture_output=True, text=True, timeout=120)
  if done.returncode:
    sys.exit(done.stderr)
  return [re.sub(' +', ' ', line) for line in done.stdout.splitlines()]


def read_rows(path):
  lines = [line for line in pathlib.Path(path).read_text().splitlines() if line and line[0] != '#']
  return [line.split('|', 1) for line in lines]


def random_words(seeds, count):
  random.seed(20260701)
  for _ in range(count):
    word = bytearray(bytes.fromhex(random.choice(seeds)).ljust(12, b'\0'))
    for _ in range(random.randint(1, 6)):
      bit = random.randrange(len(word) * 8)
      word[bit // 8] ^= 1 << bit % 8
    yield bytes(word)


def ask(applegpu, word):
  """(bytes that it takes, text), or None."""
  number = applegpu.opcode_to_number(word)
  for row in applegpu.instruction_descriptors:
    if row.matches(number):
      try:
        return word[:row.decode_size(number)].hex(), re.sub(' +', ' ', str(row.disassemble(number, pc=0)))
      except Exception: # pylint: disable=broad-exception-caught
        # It trips over many words that it has found a row for.
        return None
  return None


def make(indium, path, seed_files, folder, count):
  sys.path.insert(0, folder)
  import applegpu # pylint: disable=import-error,import-outside-toplevel
  seeds = [line.lstrip('=').split()[0] for file in seed_files for line in pathlib.Path(file).read_text().splitlines()
           if line and line[0] != '#']
  asked = [row for row in (ask(applegpu, word) for word in random_words(seeds, count)) if row]
  texts = disassemble(indium, [code for code, _ in asked])
  rows = [(code, ours, theirs) for (code, theirs), ours in zip(asked, texts) if not ours.startswith('unknown')]
  print(f'{count} words, {len(asked)} taken by applegpu, {len(rows)} of them by ours')
  comparison = Comparison()
  for row in rows:
    comparison.row(*row)
  print('\n'.join(comparison.faults[:60] + [f'{len(comparison.faults)} differ']))
  kept = random.sample(sorted({(code, theirs) for code, _, theirs in rows}), KEPT)
  head = ('# Random words that are instructions and the text that applegpu (dougallj/applegpu at 4c5bae61) prints\n'
          f'# for them: {KEPT} of {len(rows)} that test_isa_applegpu.py made and compared.\n')
  pathlib.Path(path).write_text(head + '\n'.join('|'.join(row) for row in sorted(kept)) + '\n')
  return comparison.faults


def check(indium, path):
  rows = read_rows(path)
  comparison = Comparison()
  for (code, theirs), ours in zip(rows, disassemble(indium, [code for code, _ in rows]), strict=True):
    comparison.row(code, ours, theirs)
  print('\n'.join(comparison.faults + [f'{len(rows)} words, {len(comparison.faults)} differ']))
  return comparison.faults or len(rows) < KEPT or len(comparison.compared) < 60


def main():
  indium, path, *rest = sys.argv[1:]
  if rest:
    *seeds, folder, count = rest
    return bool(make(indium, path, seeds, folder, int(count)))
  return bool(check(indium, path))


if __name__ == '__main__':
  sys.exit(main())
