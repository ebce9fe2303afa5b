#!/usr/bin/python3
"""Makes alu_vectors.txt: what the emulator of applegpu computes for random instructions.

Usage: make_alu_vectors.py FOLDER INDIUM > alu_vectors.txt, with FOLDER a checkout of github.com/dougallj/applegpu
(made with 4c5bae61). Each row: bytes, first half and bits of the result's register, its values in lanes 0, 5, 18
and 31. Registers and uniforms begin with value() of their place, which test_alu.c computes, too; u0 and u1 are an
address there.
"""
import contextlib
import io
import random
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
import applegpu # noqa: E402

MASK = 0xffffffff
LANES = 0, 5, 18, 31
REGISTERS = 32
SPECIAL = [0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 1, 0x00400000, 0x3f800000, 0x00800000, 0x3c003c00,
  0x7c00fc00, 0x04010001, 0x80018000, 0x7bff7bff, 0xbf800000, 0x0000ffff]
ROWS = 56  # of each kind

CLASSES = '''MovImm16 MovImm32 IAdd IMAdd BitfieldInsert BitfieldExtract Extract Shlhi Shrhi ArithmeticShiftRight
  ArithmeticShiftRightHigh Bitop BitReverse PopCount FindFirstSet FMAdd32 FMAdd16 FAdd32 FAdd16 FMul32 FMul16
  PopExec IfICmp IfFCmp WhileICmp WhileFCmp ElseICmp ElseFCmp ICmpsel FCmpsel ICmpBallot SimdShuffle SimdShuffleDown
  SimdShuffleUp SimdShuffleRotateUp SimdShuffleXor'''.split()


def value(place):
  x = (place + 1) * 0x9e3779b1 & MASK
  x = (x ^ x >> 15) * 0x85ebca77 & MASK
  x = (x ^ x >> 13) * 0xc2b2ae3d & MASK
  x ^= x >> 16
  kind = x >> 3 & 7
  if kind < 2:
    return SPECIAL[x >> 8 & 15]
  if kind == 2:
    return x >> 26
  if kind < 5:
    return 0x3f000000 | x >> 7 & 0x00ffffff | x << 31 & MASK
  return x


def state():
  uniforms = applegpu.Uniforms()
  uniforms.reg16s = [0] * 512
  for u in range(2, REGISTERS):
    uniforms.set_reg32(u, value(4096 + u))
  core = applegpu.CoreState(num_registers=REGISTERS + 1, uniforms=uniforms)
  for lane in range(32):
    for r in range(REGISTERS):
      core.set_reg32(r, lane, value(r * 32 + lane))
    core.set_reg16(0, lane, value(lane) >> 16 & 3)
  return core


def pick_fields(desc, draw):
  """Random ones; registers and uniforms below 32, no last uses."""
  fields = {}
  sources = {name for name, operand in desc.operands.items() if isinstance(operand, applegpu.AbstractSrcOperandDesc)}
  for name, parts in desc.merged_fields:
    bits = sum(size for _, size, raw in desc.fields if raw in [part for part, _ in parts])
    fields[name] = draw.getrandbits(bits)
  for name in sources:
    fields[name] &= 63
    kind = fields[name + 't']
    if kind & 0b1100 == 0b0100 or kind == 0b110 or kind == 0b111:
      fields[name + 't'] = kind & ~1
    elif kind & 3 == 3:
      fields[name + 't'] = kind & ~1
  if 'D' in fields:
    fields['D'] &= 62 if draw.getrandbits(1) else 63
  return fields


def rows_of(desc, draw):
  while True:
    try:
      word = desc.encode_fields(pick_fields(desc, draw))
      found = applegpu.get_instruction_descriptor(word)
      if found is not desc:
        continue
      operands = desc.decode_operands(word)
      regs = [o for o in operands if isinstance(o, applegpu.Register)]
      if any(isinstance(o, (applegpu.Reg64, applegpu.UReg64)) and o.n >= REGISTERS - 1 for o in regs):
        continue
      if any(isinstance(o, applegpu.UReg16) and o.n < 4 or isinstance(o, applegpu.UReg32) and o.n < 2 for o in regs):
        continue
      core = state()
      desc.exec(word, core)
    except (AssertionError, NotImplementedError, IndexError, KeyError, TypeError, AttributeError):
      continue
    dst = applegpu.Reg16(0) if 'Exec' in type(desc).__name__ or type(desc).__name__[:2] in ('If', 'Wh', 'El') \
      else desc.operands['D'].decode(dict(desc.decode_fields(word)))
    bits = dst.get_bit_size()
    half = dst.n * (1 if bits == 16 else 2)
    if half + bits // 16 > 2 * REGISTERS:
      continue
    # Products of zero have no sign there: it adds 0.0 to all of them.
    if type(desc).__name__.startswith('FMul') and any(not dst.get_thread(core, lane) for lane in LANES):
      continue
    values = ' '.join('%x' % dst.get_thread(core, lane) for lane in LANES)
    yield desc.to_bytes(word).hex(), '%u %u %s' % (half, bits, values)


def main():
  draw = random.Random(11)
  print('# What the emulator of github.com/dougallj/applegpu (4c5bae61) computes; made by make_alu_vectors.py.')
  for name in CLASSES:
    desc = [d for d in applegpu.instruction_descriptors if type(d).__name__ == name + 'InstructionDesc'][0]
    rows = rows_of(desc, draw)
    kept = 0
    while kept < ROWS:
      with contextlib.redirect_stdout(io.StringIO()): # the emulator talks
        some = [next(rows) for _ in range(ROWS)]
      listing = ''.join(code + '\n' for code, _ in some)
      text = subprocess.run([sys.argv[2], 'disasm', '--gpu', 'm1', '/dev/stdin'], input=listing, text=True,
        capture_output=True).stdout.splitlines()
      assert len(text) == len(some), text
      for (code, row), line in zip(some, text):
        if kept < ROWS and 'unknown' not in line and not line.startswith('.') and 'not_a' not in line and \
            'mov_a' not in line:
          print(code, row)
          kept += 1


main()
