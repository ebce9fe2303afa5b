"""Every register, field and descriptor dword of the tables against AMD's register databases, in every generation.

Usage: test_reg_reference.py TABLES_FOLDER DATABASES. DATABASES holds gfx9.json, gfx10.json, ... in the format of
Mesa's src/amd/registers; without it the test is skipped.
"""
import json
import pathlib
import sys

SKIPPED = 77
DESCRIPTORS = {'gfx9': 'gfx9.json', 'gfx10': 'gfx10-rsrc.json', 'gfx103': 'gfx10-rsrc.json',
               'gfx11': 'gfx11-rsrc.json', 'gfx115': 'gfx11-rsrc.json'}
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


def database(path, generation):
  """name -> (offset, {field: (low, high)}); offset None: a type that no register has."""
  data = json.loads(path.read_text())
  fields = {name: {f['name']: tuple(f['bits']) for f in t['fields']} for name, t in data['register_types'].items()}
  found = {name: (None, bits) for name, bits in fields.items()}
  for m in data['register_mappings']:
    if generation in m['chips'] or generation == 'gfx115':
      found[m['name']] = (m['map']['at'], fields.get(m.get('type_ref'), {}))
  return found


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
  tables_folder, folder = map(pathlib.Path, sys.argv[1:])
  if not (folder / 'gfx9.json').is_file():
    print(f'no register databases in {folder}')
    return SKIPPED
  sys.path.insert(0, str(tables_folder))
  sys.dont_write_bytecode = True
  from hw_tables import GENERATIONS, Tables
  tables = Tables(sorted(tables_folder.glob('reg_*.txt')) + [tables_folder / 'pm4.txt', tables_folder / 'desc.txt'])
  faults, compared = [], 0
  for generation in GENERATIONS:
    registers = database(folder / f'{generation}.json', generation)
    for word in tables.registers.values():
      if generation not in word.gens or word.name in NOT_IN_DATABASE:
        continue
      for name, offset in elements(word, generation):
        at = registers.get(name, (None, {}))[0]
        compared += 1
        if at != offset:
          faults.append(f'{generation} {name}: {offset:x} here, {at if at is None else hex(at)} there')
      faults += compare_fields(word, generation, registers.get(word.name, (None, {}))[1])
    descriptors = database(folder / DESCRIPTORS[generation], generation)
    for word in tables.descriptors.values():
      if generation in word.gens:
        compared += 1
        faults += compare_fields(word, generation, descriptors.get(word.name, (None, {}))[1])
  print('\n'.join(faults[:60]))
  print(f'{compared} registers and dwords compared, {len(faults)} faults')
  return bool(faults)


if __name__ == '__main__':
  sys.exit(main())
