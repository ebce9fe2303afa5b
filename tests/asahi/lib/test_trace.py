"""What the decoder says of observed submissions against what the driver that made them says itself (traces/), value
by value, in order of each kind of record.

And what it says of a submission with a fault.

Usage: test_trace.py INDIUM FOLDER. FOLDER holds recordings/ and traces/ (observed.py).
"""
import pathlib
import re
import subprocess
import sys
import tempfile

MIN_VALUES = 2500

# Their record -> ours.
RECORDS = {
  'Uniform': 'USC_UNIFORM', 'Shared': 'USC_SHARED', 'Shader': 'USC_SHADER',
  'Registers': 'USC_REGISTERS', 'Preshader': 'USC_PRESHADER', 'Fragment properties': 'USC_FRAGMENT_PROPERTIES',
  'Texture state': 'USC_TEXTURE', 'Sampler state': 'USC_SAMPLER', 'Barrier': ('VDM_BARRIER', 'CDM_BARRIER'),
  'Compute': 'CDM_LAUNCH', 'Compute word 1': 'CDM_LAUNCH', 'Global size': 'CDM_GLOBAL_SIZE',
  'Local size': 'CDM_LOCAL_SIZE',
  'Stream Link': ('VDM_STREAM_LINK', 'CDM_STREAM_LINK'), 'Vertex shader word 0': 'VDM_VERTEX_SHADER_0',
  'Vertex shader word 1': 'VDM_VERTEX_SHADER_1', 'Vertex outputs': 'VDM_VERTEX_OUTPUTS',
  'Vertex unknown': 'VDM_VERTEX_UNKNOWN', 'Index List': 'VDM_INDEX_LIST', 'Index count': 'VDM_INDEX_COUNT',
  'Index buffer': 'VDM_INDEX_BUFFER', 'Index buffer size': 'VDM_INDEX_BUFFER_SIZE', 'Start': 'VDM_START',
  'Instance count': 'VDM_INSTANCE_COUNT', 'Fragment shader word 0': 'FRAGMENT_SHADER',
  'Fragment shader word 1': 'FRAGMENT_SHADER', 'Fragment shader word 2': 'FRAGMENT_SHADER',
  'Fragment shader word 3': 'FRAGMENT_SHADER', 'Occlusion query': 'OCCLUSION_QUERY',
  'Occlusion query 2': 'OCCLUSION_QUERY_2', 'Coefficient binding header:': 'CF_BINDING_HEADER',
  'Coefficient binding:': 'CF_BINDING', 'ZLS Control': 'ZLS_CONTROL', 'Depth bias/scissor': 'DEPTH_BIAS_SCISSOR',
}
SAME_NAME = ['Texture', 'PBE', 'Sampler', 'Region clip', 'Viewport', 'W clamp', 'Front face', 'Front face 2',
             'Front stencil', 'Back face', 'Back face 2', 'Back stencil', 'Output select', 'Varying counts 32',
             'Varying counts 16', 'Cull', 'Cull 2', 'Fragment control', 'Fragment control 2', 'Output size']
# Their field -> ours; a pair adds what their number is of ours: (name, factor, what is added after it).
FIELDS = {
  'Uniform register count': 'uniforms', 'Texture state register count': 'textures',
  'Sampler state register count': 'samplers', 'Preshader register count': 'preshader_registers',
  'CF binding count': 'cf_bindings_count', 'Register count': 'registers', 'Start (halfs)': 'start',
  'Size (halfs)': 'size', 'Sample stride in 8 bytes': ('sample_stride_B', 1 / 8, 0),
  'Bytes per threadgroup': 'threadgroup_B', 'Output count 1': 'count_1_dw', 'Output count 2': 'count_2_dw',
  'Line width': ('line_width_px', 16, -1), 'Unk - visibility test internal': 'unk_22',
  'Sample mask after depth/stencil': 'sample_mask_after_depth_stencil', 'Buffer lo': 'address_lo',
  'Number of 32-bit slots': 'slots_dw', 'Number of coefficient registers': 'coefficient_registers',
  'Width': 'width_px', 'Height': 'height_px', 'Acceleration buffer': 'metadata', 'sRGB 2-channel': 'srgb_2_channel',
  'Early-z testing': 'early_z_testing', 'Frag coord Z': 'frag_coord_z', 'CF bindings': 'cf_bindings',
  'Two-sided stencil': 'two_sided_stencil', 'Page-aligned layers': 'page_aligned_layers',
}
FIELDS_OF = {
  'Region clip': {'Max X': 'max_x_tl', 'Min X': 'min_x_tl', 'Max Y': 'max_y_tl', 'Min Y': 'min_y_tl'},
  'Shader': {'Unk 1': 'unk_9', 'Unk 2': 'unk_10'}, 'Registers': {'Unk 1': 'unk_13', 'Unk 4': 'unk_24'},
  'Preshader': {'Unk': 'unk_8'}, 'PBE': {'Buffer': 'address', 'Stride': ('stride_B', 1, -4)},
  'Texture': {'Depth': 'layers', 'Stride': ('stride_B', 1, -16)},
  'Fragment properties': {'Unk 2': 'unk_9', 'Unk 3': 'unk_12', 'Unk 4': 'unk_16', 'Unk 5': 'unk_24'},
  'Vertex shader word 0': {'Unknown 0': 'unk_0'}, 'Vertex shader word 1': {'Unknown 1:0': 'unk_0'},
  'Fragment shader word 0': {'Unknown 0': 'unk_0'}, 'Fragment shader word 1': {'Unknown 1:0': 'unk_32'},
  'Fragment shader word 3': {'Unknown': 'unk_96'}, 'Output size': {'Count': 'count_dw'},
  'Occlusion query 2': {'Unknown': 'unk_0'}, 'ZLS Control': {'Unknown 0': 'unk_0'},
  'Vertex unknown': {'Unknown 4': 'unk_4', 'Unknown 5': 'unk_5'}, 'Index buffer size': {'Size': 'size_B'},
}
VALUES = {'2D Multisampled': '2D_MS', '2D Array Multisampled': '2D_MS_ARRAY', '1': 'ONE', '0': 'ZERO'}
# Readings of bits that the form of the record does not have, and of what software keeps there.
NOT_THERE = {
  'compressed': {'Stride', 'Depth (linear)', 'Layer stride (linear)'},
  'tiled': {'Stride', 'Depth (linear)', 'Layer stride (linear)', 'Acceleration buffer'},
  'linear': {'Depth', 'Depth (linear)', 'Layer stride (linear)', 'Acceleration buffer', 'Levels', 'Layers',
             'Page-aligned layers'},
}


def ours_of(text):
  """[(name, form, {field: value})] of the decoder's lines."""
  records = []
  for line in text.splitlines():
    words = line.split()
    if not re.fullmatch('[A-Z][A-Z0-9_]*', words[1]):
      continue
    form = words[2] if words[2:] and words[2] in NOT_THERE and words[1] in ('TEXTURE', 'PBE') else ''
    fields = (word.partition('=') for word in words[3 if form else 2:])
    records.append((words[1], form, {name: value or 'true' for name, _, value in fields}))
  return records


def instructions_of(text):
  """The decoder's lines that are neither records nor words of uniforms."""
  texts = (' '.join(line.split()[1:]) for line in text.splitlines())
  return [text for text in texts if re.match('[a-z]', text) and not re.fullmatch('([0-9a-f]{4} ?)+', text)]


def theirs_of(text):
  """[(name, {field: value})]. After a texture, its bytes read as a PBE are a guess of theirs."""
  records, is_texture = [], False
  for line in text.replace('\n |', '|').splitlines():
    name, *fields = line.split('|')
    is_guess = name == 'PBE' and is_texture
    is_texture = name == 'Texture' or (is_texture and not name.startswith('ts'))
    if name[0] not in '#>' and fields and not is_guess:
      values = dict(field.rsplit('=', 1) for field in fields)
      name = 'Compute word 1' if name == 'Compute' and list(values) == ['Pipeline'] else name
      records.append(('', {name: values['']}) if list(values) == [''] else (name, values))
  return records


def number(text):
  try:
    return float(int(text, 0))
  except ValueError:
    try:
      return float(text)
    except ValueError:
      return None


def is_same(theirs, ours, factor, plus):
  if theirs in ('true', 'false'):
    return (ours == 'true') == (theirs == 'true')
  if number(theirs) is not None and number(ours) is not None:
    return abs(number(ours) * factor + plus - number(theirs)) < 1e-6
  return ours == VALUES.get(theirs, re.sub(r'\W', '_', theirs.upper()))


def field_of(name, field):
  """(our name, factor, what is added)."""
  known = FIELDS_OF.get(name, {}).get(field) or FIELDS.get(field) or re.sub(r'\W', '_', field.lower())
  return known if isinstance(known, tuple) else (known, 1, 0)


class Comparison:
  def __init__(self, program, ours):
    self.program, self.ours, self.faults, self.count, self.used = program, ours, [], 0, {}

  def next(self, name):
    """The next of our records that answers to their name; words of FRAGMENT_SHADER are parts of one."""
    wanted = RECORDS[name] if name in RECORDS else re.sub(r'\W', '_', name.upper())
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    at = self.used.get(name, 0)
    while at < len(self.ours) and self.ours[at][0] not in wanted:
      at += 1
    self.used[name] = at + 1
    return self.ours[at] if at < len(self.ours) else None

  def record(self, name, fields):
    ours = self.next(name)
    if not ours:
      self.faults.append(f'{self.program}: {name} is missing here')
      return
    for field, theirs in fields.items():
      if field in NOT_THERE.get(ours[1], ()) or '(sw)' in field:
        continue
      known, factor, plus = field_of(name, field)
      self.count += 1
      if not is_same(theirs, ours[2].get(known, '0'), factor, plus):
        self.faults.append(f'{self.program}: {name}.{field} is {theirs} there, {known}={ours[2].get(known)} here')


# Only what is of one of the commands is compared.
COMMAND_FIELDS = {'flags': None, 'pointer': ('ATTACHMENT', 'pointer'), 'size': ('ATTACHMENT', 'size_B'),
                  'cdm_ctrl_stream_base': ('COMPUTE_COMMAND', 'cdm_ctrl_stream_base')}


def compare_commands(program, ours, theirs):
  """(faults, number of values) of what stands in the commands themselves, in order of each name."""
  faults, count, used = [], 0, {}
  for name, value in ((n, v) for record, fields in theirs if not record for n, v in fields.items()):
    place = COMMAND_FIELDS.get(name, ('RENDER_COMMAND', name.replace('.', '_')))
    if place:
      records = [r for r in ours if r[0] == place[0]]
      at = used[name] = used.get(name, -1) + 1
      here = records[at][2].get(place[1], '0') if at < len(records) else None
      count += 1
      if here is None or not is_same(value, here, 1, 0):
        faults.append(f'{program}: {name} is {value} there, {here} here')
  return faults, count


def decode(decoder, recording):
  return subprocess.run([decoder, 'decode', recording], capture_output=True, text=True)


# What is changed in the triangle's recording -> status, what is said.
FAULTS = {
  ('00000d00', '00000f00'): (1, '# PPP: bit 9 is set, which nobody knows'),
  ('0000062f ', 'e000062f '): (1, '# 0xe000062f begins no block of a stream of VDM'),
  ('00000b2f ', '00000a2f '): (1, '# a PPP record of 10 words ends inside of VIEWPORT'),
  ('00000b2f ', '00000c2f '): (1, '# a PPP record of 11 words has 12'),
  ('words 00f00000', 'words 01000000'): (1, '# a command of 256 bytes, of which there are 240'),
  ('device asahi g13g', 'device asahi g12g'): (2, 'no chip or core is called "g12g"'),
  ('usc 0x', 'base 0x'): (2, 'neither "usc ADDRESS" nor "words WORD..."'),
}


def try_faults(decoder, folder):
  text, faults = (folder / 'recordings/triangle-submit0.txt').read_text(), []
  for (before, after), (status, said) in FAULTS.items():
    with tempfile.NamedTemporaryFile('w', suffix='.txt') as file:
      file.write(text.replace(before, after))
      file.flush()
      run = decode(decoder, file.name)
    if text.count(before) != 1 or run.returncode != status or said not in run.stdout + run.stderr:
      faults.append(f'{after}: expected {status} and "{said}", got {run.returncode} and {run.stderr}')
  return faults


def compare_instructions(path, ours):
  theirs = [line[1:] for line in path.read_text().splitlines() if line[0] == '>']
  print(f'{path.stem}: {len(theirs)} instructions')
  for i, (here, there) in enumerate(zip(ours, theirs)):
    if here != there:
      return [f'{path.stem}: instruction {i} is "{there}" there, "{here}" here']
  return [] if len(ours) == len(theirs) > 30 else [f'{path.stem}: {len(theirs)} instructions there, {len(ours)} here']


def decoded(decoder, folder, path):
  """Of all submissions of a program: those of which the driver has kept what it says."""
  text = path.read_text().replace('\n |', '|').replace('|=', '=')
  found = ''
  for recording in sorted((folder / 'recordings').glob(f'{path.stem}-submit*.txt')):
    said = decode(decoder, recording).stdout
    if re.search(r'[vc]dm_ctrl_stream_base=\S+', said)[0] in text.split('\n'):
      found += said
  return found


def main():
  decoder, folder = sys.argv[1], pathlib.Path(sys.argv[2])
  faults, count = try_faults(decoder, folder), 0
  for path in sorted((folder / 'traces').glob('*.txt')):
    said = decoded(decoder, folder, path)
    ours, theirs = ours_of(said), theirs_of(path.read_text())
    faults += compare_instructions(path, instructions_of(said))
    comparison = Comparison(path.stem, ours)
    for name, fields in theirs:
      if name in RECORDS or name in SAME_NAME:
        comparison.record(name, fields)
      elif name:
        comparison.faults.append(f'{path.stem}: nobody knows {name}')
    command_faults, command_count = compare_commands(path.stem, ours, theirs)
    faults += comparison.faults + command_faults
    count += comparison.count + command_count
    print(f'{path.stem}: {comparison.count + command_count} values')
  for fault in faults[:40]:
    print(fault)
  if count < MIN_VALUES:
    print(f'{count} values only')
  return bool(faults) or count < MIN_VALUES


if __name__ == '__main__':
  sys.exit(main())
