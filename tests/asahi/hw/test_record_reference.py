"""Every field of the public description of AGX control structures stands in the tables, at the same bits, with the
same modifier and the same values; and what the tables have more is listed here.

Usage: test_record_reference.py TABLES_FOLDER FACTS. FACTS is record_facts.txt, made by make_record_facts.py.
"""
import collections
import pathlib
import re
import sys

Field = collections.namedtuple('Field', 'low width name type modifier')

# Their struct -> (our record, bit that theirs begins at), where the name is not the same.
STRUCTS = {
  'PPP Header': ('PPP', 0), 'Viewport control': ('VIEWPORT_CONTROL', 0), 'Fragment face': ('FRONT_FACE', 0),
  'Fragment face 2': ('FRONT_FACE_2', 0), 'Fragment stencil': ('FRONT_STENCIL', 0),
  'Fragment occlusion query': ('OCCLUSION_QUERY', 0), 'Fragment occlusion query 2': ('OCCLUSION_QUERY_2', 0),
  'Varying Counts': ('VARYING_COUNTS_32', 0), 'Depth bias/Scissor': ('DEPTH_BIAS_SCISSOR', 0),
  'Fragment Shader Word 0': ('FRAGMENT_SHADER', 0), 'Fragment Shader Word 1': ('FRAGMENT_SHADER', 32),
  'Fragment Shader Word 2': ('FRAGMENT_SHADER', 64), 'Fragment Shader Word 3': ('FRAGMENT_SHADER', 96),
  'PPP State': ('VDM_PPP_STATE', 0), 'Index List': ('VDM_INDEX_LIST', 0),
  'Index List: Buffer lo': ('VDM_INDEX_BUFFER', 0), 'Index List: Count': ('VDM_INDEX_COUNT', 0),
  'Index List: Instances': ('VDM_INSTANCE_COUNT', 0), 'Index List: Start': ('VDM_START', 0),
  'Index List: Buffer size': ('VDM_INDEX_BUFFER_SIZE', 0), 'Index List: Indirect buffer': ('VDM_INDIRECT', 0),
  'VDM State Vertex Shader Word 0': ('VDM_VERTEX_SHADER_0', 0),
  'VDM State Vertex Shader Word 1': ('VDM_VERTEX_SHADER_1', 0),
  'CDM Launch Word 0': ('CDM_LAUNCH', 0), 'CDM Launch Word 1': ('CDM_LAUNCH', 32),
  'CDM Unk G14X': ('CDM_CLUSTERS', 0),
}
# A struct of theirs that is only part of others: its fields stand in those.
PARTS = {'Spill Buffer Histogram'}

# (struct, field): why we differ. Later observations are those of the drivers in tests/asahi/lib.
DIFFERS = {
  ('Texture', 'Null'): 'with bit 104, two bits of mode',
  ('Texture', 'Acceleration buffer'): '64 bits there, of addresses of 40',
  ('PBE', 'Acceleration buffer'): '64 bits there, of addresses of 40',
  ('Texture', 'Stride'): '16 less',
  ('Texture', 'Layer stride (linear)'): '0x80 less',
  ('PBE', 'Layer stride (linear)'): '0x80 less',
  ('PBE', 'Stride'): '4 less',
  ('Counts', 'CF binding count'): 'of fragment programs; these are others',
  ('Fragment face', 'Line width'): 'with what it means',
  ('USC Shared', 'Sample stride in 8 bytes'): 'in bytes',
  ('VDM Tessellate', 'Instance count present'): 'the bit has two names there',
  ('VDM Tessellate', 'Instance stride present'): 'the bit has two names there',
  ('VDM Tessellate', 'Unknown 1'): 'the bit has two names there',
}
# Records of theirs that we have not: nothing says that they are there.
MISSING = {'VDM Tessellate: Instance count': 'its bit has another name, too',
           'VDM Tessellate: Instance stride': 'its bit has another name, too'}
# Records of ours that they have not: the kernel's, and what is later.
ONLY_OURS = {'BACK_FACE', 'BACK_FACE_2', 'BACK_STENCIL', 'FRAGMENT_CONTROL_2', 'VARYING_COUNTS_16', 'SPARSE_BLOCK',
             'VDM_INDEX_UNKNOWN_1', 'VDM_INDEX_UNKNOWN_2', 'CR_ISP_ZLS_PIXELS', 'CR_PPP_CONTROL',
             'MULTISAMPLE_CONTROL', 'BACKGROUND_VALUES', 'COMMAND_HEADER', 'ATTACHMENT', 'RENDER_COMMAND',
             'COMPUTE_COMMAND', 'IOKIT_SET_API', 'IOKIT_QUEUE_RESPONSE', 'IOKIT_ALLOCATE_REQUEST',
             'IOKIT_ALLOCATE_RESPONSE', 'IOKIT_SHMEM_RESPONSE', 'IOKIT_NOTIFICATION_RESPONSE', 'IOKIT_SUBMIT_HEADER',
             'IOKIT_SUBMIT_COMMAND', 'IOKIT_SEGMENT_LIST', 'IOKIT_RESOURCE_GROUP'}
# Fields that are there later than the description; the stride overlaps with bit 127 there.
LATER = {('TEXTURE', 'mode'), ('PBE', 'mode'), ('TEXTURE', 'software'),
         ('PBE', 'software'), ('TEXTURE', 'stride_B'), ('TEXTURE', 'metadata'),
         ('PBE', 'metadata')}
# Enums whose values we know better: layouts were renamed, one value is of software, tiling has a name.
ENUMS = {'Layout': 'later drivers print other names',
         'Channels': '0x36 is of software'}


def canonical(name):
  return re.sub(r'\W+', '_', name.upper()).strip('_')


def record_of(struct, tables):
  name, base = STRUCTS.get(struct, (None, 0))
  if name:
    return name, base
  name = canonical(struct.replace('VDM State ', 'VDM ') if struct != 'VDM State' else struct)
  return (name, 0) if name in tables.records else (None, 0)


def span(first, last=None):
  return range(int(first), int(last or first) + 1)


def read_facts(path):
  """Structs (name -> fields) and enums (name -> values)."""
  structs, enums = {}, {}
  for line in path.read_text().splitlines():
    kind, _, rest = line.partition(' ')
    if kind == 'enum':
      name, _, values = rest.partition('|')
      enums[name] = [value for run in values.split() for value in span(*run.split('-'))]
    elif kind == 'struct':
      fields = structs[rest] = []
    elif not kind:
      place, *texts = rest.split('|')
      fields.append(Field(*map(int, place.split(':')), *texts))
  return structs, enums


def modifier(field):
  match = re.fullmatch(r'(\w+)(?:\((\w+)\))?', field.modifier)
  return (match[1], int(match[2] or 0)) if match else None


def our_modifier(field):
  for name in ('minus', 'shr', 'groups'):
    if getattr(field, name):
      return name, getattr(field, name)
  return ('log2', 0) if field.type == 'log2' else None


def compare_field(struct, field, low, record, enums, tables):
  width, name = field.width, f'{struct}.{field.name}'
  ours = [f for f in record.fields if f.owned and (f.low, f.width) == (low, width)]
  if not ours:
    # Several of their bits side by side may be one of ours without a name of its own.
    return [f'{name}: no field of {record.name} has bits {low + width - 1}:{low}']
  faults = []
  if all(our_modifier(f) != modifier(field) for f in ours):
    faults.append(f'{name}: {modifier(field)} there, {[our_modifier(f) for f in ours]} here')
  values = enums.get(field.type)
  if values and field.type not in ENUMS and all(
      f.enum is None or set(tables.enums[f.enum]) != set(values) for f in ours):
    faults.append(f'{name}: other values than {field.type}')
  return faults


def unmatched(tables, matched):
  """Our fields that theirs have not."""
  for record in tables.records.values():
    for field in record.fields:
      known = (record.name, field.low, field.width) in matched or (record.name, field.name) in LATER
      if field.owned and not known and record.name not in ONLY_OURS:
        yield f'{record.name}.{field.name} is only in our tables'


def fields_of(struct, structs):
  """(field, first bit); of a part, its fields."""
  for field in structs[struct]:
    if field.type in PARTS:
      yield from ((inner, field.low + at) for inner, at in fields_of(field.type, structs))
    else:
      yield field, field.low


def compare(structs, enums, tables):
  faults, matched, count, seen = [], set(), 0, set()
  for name in structs:
    if name in PARTS or name in MISSING:
      continue
    ours, base = record_of(name, tables)
    if not ours:
      faults.append(f'{name} is not in our tables')
      continue
    seen.add(ours)
    for field, low in fields_of(name, structs):
      matched.add((ours, low + base, field.width))
      if '(sw)' in field.name or (name, field.name) in DIFFERS:
        continue
      count += 1
      faults += compare_field(name, field, low + base, tables.records[ours], enums, tables)
  faults += list(unmatched(tables, matched))
  faults += [f'{name} is only in our tables' for name in set(tables.records) - seen - ONLY_OURS]
  return faults, count


def main():
  tables_folder, facts = map(pathlib.Path, sys.argv[1:])
  sys.path.insert(0, str(tables_folder))
  sys.dont_write_bytecode = True
  from hw_tables import Tables
  tables = Tables([tables_folder / name for name in ('desc.txt', 'control.txt', 'submit.txt', 'iogpu.txt')])
  faults, count = compare(*read_facts(facts), tables)
  print('\n'.join(faults))
  print(f'{count} fields compared')
  return bool(faults) or count < 300


if __name__ == '__main__':
  sys.exit(main())
