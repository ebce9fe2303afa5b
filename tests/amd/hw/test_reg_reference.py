#!/usr/bin/python3
"""Every register, field and descriptor dword of the tables against AMD's register databases, in every generation.

Usage: test_reg_reference.py TABLES_FOLDER FACTS. FACTS is reg_facts.txt, made by make_reg_facts.py.
"""
import pathlib
import sys

LETTERS = {'gfx9': 'a', 'gfx10': 'b', 'gfx103': 'c', 'gfx11': 'd', 'gfx115': 'e'}
LEAST = 4000  # registers and dwords that are compared
# What the tables have and a database has not, with where it is from.
NOT_IN_DATABASE = {
  'DB_DEPTH_INFO': 'written by RADV and radeonsi on gfx10',
  'GE_VRS_RATE': 'registers-manually-defined.json',
  'PA_SC_VRS_SURFACE_CNTL_1': "AMD's PAL",
  'VGT_ESGS_RING_SIZE': 'written by RADV on gfx9; in the databases of gfx10',
  'VGT_GS_MAX_PRIMS_PER_SUBGROUP': 'written by public drivers on gfx10, whose database has an older name there',
}
FIELDS_NOT_IN_DATABASE = {
  ('gfx103', 'PA_SU_SMALL_PRIM_FILTER_CNTL', 'SC_1XMSAA_COMPATIBLE_DISABLE'): "AMD's PAL",
  ('gfx11', 'PA_SU_SMALL_PRIM_FILTER_CNTL', 'SC_1XMSAA_COMPATIBLE_DISABLE'): "AMD's PAL",
  ('gfx9', 'VGT_SHADER_STAGES_EN', 'DYNAMIC_HS'): 'written by radeonsi on gfx9; in the databases of gfx8 and gfx10',
  ('gfx103', 'COMPUTE_DISPATCH_INITIATOR', 'DISABLE_DISP_PREMPT_EN'):
    'written by RADV 26 with task shaders on gfx103; in the database of gfx11',
  ('gfx103', 'SPI_PS_IN_CONTROL', 'PARAM_GEN'): 'written by radeonsi on gfx103; in the databases of gfx10 and gfx11',
}
FIELDS_NOT_IN_DATABASE |= {
  (gen, 'CB_RMI_GL2_CACHE_CONTROL', f'FORMER_{name}_POLICY'):
    'written by RADV 25 and 26 on gfx11; in the database of gfx10'
  for gen in ('gfx11', 'gfx115') for name in ('DCC_WR', 'CMASK_RD', 'FMASK_RD')}
# The two names that the database gives to the same bits on gfx9.
SECOND_NAMES = {'DATA_FORMAT_STENCIL', 'NUM_FORMAT_FMASK'}


def lines_of(path):
  """Lines; what begins with a blank continues with the line before."""
  lines = []
  for line in path.read_text().splitlines():
    if line.startswith(' '):
      lines[-1] += line
    elif not line.startswith('#'):
      lines.append(line)
  return lines


def read_facts(path):
  """generation letter -> name -> (offset, {field: (low, high)}); offset None: a dword that is no register."""
  facts = {letter: {} for letter in LETTERS.values()}
  for line in lines_of(path):
    name, offsets, *groups = line.split('|')
    for letters, _, at in (text.partition('@') for text in offsets.split()):
      for letter in letters:
        facts[letter][name] = (int(at, 16) if at else None, {})
    for letters, *fields in map(str.split, groups):
      for field, _, bits in (text.partition('=') for text in fields):
        low, _, high = bits.partition(':')
        for letter in letters:
          facts[letter][name][1][field] = (int(low), int(high or low))
  return facts


def elements(word, generation):
  offset, step = word.places[generation]
  for i in range(word.count):
    yield word.format % i if i and word.format else word.name, offset + i * step


def compare_fields(word, generation, theirs):
  """Faults of one dword. Fields that only the database has are unknown bits to us, or reserved."""
  ours = {f.name: (f.low, f.high) for f in word.fields(generation) if f.owned}
  if word.is_plain() or not theirs:
    return []
  faults = [f'{generation} {word.name}.{name}: bits {bits} here, {theirs.get(name)} there'
            for name, bits in ours.items()
            if theirs.get(name) != bits and (generation, word.name, name) not in FIELDS_NOT_IN_DATABASE]
  faults += [f'{generation} {word.name}.{name} is missing' for name in theirs
             if name not in ours and name not in SECOND_NAMES and 'RESERVED' not in name.upper()]
  return faults


def main():
  tables_folder, facts = pathlib.Path(sys.argv[1]), read_facts(pathlib.Path(sys.argv[2]))
  sys.path.insert(0, str(tables_folder))
  sys.dont_write_bytecode = True
  from hw_tables import GENERATIONS, Tables
  tables = Tables(sorted(tables_folder.glob('reg_*.txt')) + [tables_folder / 'pm4.txt', tables_folder / 'desc.txt'])
  faults, compared = [], 0
  for generation in GENERATIONS:
    known = facts[LETTERS[generation]]
    for word in tables.registers.values():
      if generation not in word.gens or word.name in NOT_IN_DATABASE:
        continue
      for name, offset in elements(word, generation):
        at = known.get(name, (None, {}))[0]
        compared += 1
        if at != offset:
          faults.append(f'{generation} {name}: {offset:x} here, {at if at is None else hex(at)} there')
      faults += compare_fields(word, generation, known.get(word.name, (None, {}))[1])
    for word in tables.descriptors.values():
      if generation in word.gens:
        compared += 1
        faults += compare_fields(word, generation, known.get(word.name, (None, {}))[1])
  print('\n'.join(faults[:60]))
  print(f'{compared} registers and dwords compared, {len(faults)} faults')
  return bool(faults) or compared < LEAST


if __name__ == '__main__':
  sys.exit(main())
