#!/usr/bin/python3
"""format_table.py REGISTRY OUT: writes OUT, format_enum.h or format_table.c, from <formats> of the Vulkan registry.

The registry names components and their bits; where a component sits in its word it leaves to the name of the format:
  R8G8B8A8_UNORM                 array: first component in the lowest bits
  A2B10G10R10_UNORM_PACK32       one packed word: first field in the highest bits
  R10X6G10X6_UNORM_2PACK16       several packed words: words in order, fields of each from the highest bits
  G8_B8R8_2PLANE_420_UNORM       planes: every plane is a format of its own, shifts count inside the plane
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

NUMERIC = {n: f'FORMAT_{n}' for n in
           'UNORM SNORM USCALED SSCALED UINT SINT UFLOAT SFLOAT SRGB'.split()} | {'SFIXED5': 'FORMAT_FIXED'}
NAMES = {'R': 'FORMAT_R', 'G': 'FORMAT_G', 'B': 'FORMAT_B', 'A': 'FORMAT_A', 'D': 'FORMAT_DEPTH',
         'S': 'FORMAT_STENCIL'}
# It calls the components of these SRGB.
SIGNED = {'BC4_SNORM_BLOCK', 'BC5_SNORM_BLOCK'}


def enum_values(root):
  """Name without prefix -> value, and alias -> name."""
  values, aliases = {}, {}

  def add(enum, extension_number):
    name = enum.get('name').removeprefix('VK_FORMAT_')
    if enum.get('alias'):
      aliases[name] = enum.get('alias').removeprefix('VK_FORMAT_')
    elif enum.get('value'):
      values[name] = int(enum.get('value'), 0)
    else:
      number = int(enum.get('extnumber') or extension_number)
      values[name] = 1000000000 + (number - 1) * 1000 + int(enum.get('offset'))

  for enum in root.findall("enums[@name='VkFormat']/enum"):
    add(enum, None)
  for owner in root.findall('feature') + root.findall('extensions/extension'):
    for enum in owner.iter('enum'):
      if enum.get('extends') == 'VkFormat':
        add(enum, owner.get('number'))
  return values, {alias: name for alias, name in aliases.items() if name in values}


def packed_fields(name, word_bits):
  """(letter, bits, shift) of each field of a packed name, padding (X) and the shared exponent (E) included."""
  fields, shift, word = [], word_bits, 0
  for letter, bits in re.findall(r'([RGBADSXE])(\d+)', name.split('_UNORM')[0].split('_PACK')[0]):
    if shift == 0:
      word, shift = word + 1, word_bits
    shift -= int(bits)
    assert shift >= 0, name
    fields.append((letter, int(bits), word * word_bits + shift))
  return fields


def components(name, format_):
  """(name, numeric, bits, shift, plane) of each component, lowest bits first inside each plane."""
  rows, next_shift = [], {}
  listed = format_.findall('component')
  # Planes that hold one 16-bit word a component are packed words too: the fields of each plane start anew.
  packed = format_.get('packed')
  fields = None
  if packed and format_.find('plane') is None:
    fields = [f for f in packed_fields(name, int(packed)) if f[0] not in 'XE']
    # The name decides: the registry lists B5G5R5A1 as B, R, G, A and gives R of B10G11R11 10 bits, against the
    # specification.
    assert sorted(f[0] for f in fields) == sorted(c.get('name') for c in listed), name
    listed = [next(c for c in listed if c.get('name') == letter) for letter, _, _ in fields]
  for i, c in enumerate(listed):
    numeric = 'FORMAT_SNORM' if name in SIGNED else NUMERIC[c.get('numericFormat')]
    # The number format of the whole format, as hardware has it: alpha, too, although it is linear.
    numeric = 'FORMAT_SRGB' if '_SRGB' in name else numeric
    if format_.get('compressed'):
      rows.append((NAMES[c.get('name')], numeric, 0, 0, 0))
      continue
    bits, plane = int(c.get('bits')), c.get('planeIndex')
    if fields:
      _, bits, shift = fields[i]
    else:
      word = int(packed) if packed else bits
      shift = next_shift.get(plane, 0) + word - bits
      next_shift[plane] = next_shift.get(plane, 0) + word
    rows.append((NAMES[c.get('name')], numeric, bits, shift, int(plane or 0)))
  return sorted(rows, key=lambda row: row[3]) if fields else rows


def planes(format_, values):
  """Cells of struct format_plane for each plane of a format that has several."""
  return ', '.join(f'{{{values[p.get("compatible").removeprefix("VK_FORMAT_")]}, {p.get("widthDivisor")}, '
                   f'{p.get("heightDivisor")}}}' for p in format_.findall('plane')) or '{0}'


def c_row(name, values, format_):
  width, height, _ = map(int, (format_.get('blockExtent') or '1,1,1').split(','))
  rows = components(name, format_)
  compression = f'"{format_.get("compressed")}"' if format_.get('compressed') else 'NULL'
  cells = ', '.join(f'{{{n}, {t}, {b}, {s}, {p}}}' for n, t, b, s, p in rows)
  count = max(1, len(format_.findall('plane')))
  return (f'   {{{values[name]}, "{name}", {compression}, {format_.get("blockSize")}, {width}, {height}, '
          f'{format_.get("packed") or 0}, {count}, {len(rows)},\n    {{{cells}}}, {{{planes(format_, values)}}}}},')


def write_table(values, aliases, formats):
  order = sorted(formats, key=lambda name: values[name])
  names = sorted([(name, name) for name in formats] + [(a, n) for a, n in aliases.items() if n in formats])
  index = {name: i for i, name in enumerate(order)}
  dense = next(i for i in range(len(order) + 1) if i == len(order) or values[order[i]] != i + 1)
  lines = ['/* Generated by format_table.py from the Vulkan registry. */', '#include <stddef.h>', '',
           '#include "util/format.h"', '#include "util/format_table.h"', '',
           f'const unsigned format_count = {len(order)}, format_dense_count = {dense}, '
           f'format_name_count = {len(names)};', '', 'const struct format_info format_table[] = {']
  lines += [c_row(name, values, formats[name]) for name in order] + ['};', '']
  lines += ['const struct format_name format_names[] = {']
  lines += [f'   {{"{name}", {index[target]}}},' for name, target in names] + ['};', '']
  return '\n'.join(lines)


def write_enum(values, aliases):
  lines = ['/* Generated by format_table.py: the values of VkFormat. */', '#ifndef INDIUM_UTIL_FORMAT_ENUM_H',
           '#define INDIUM_UTIL_FORMAT_ENUM_H', '', 'enum format {']
  lines += [f'   FORMAT_{name} = {value},' for name, value in sorted(values.items(), key=lambda item: item[1])]
  lines += ['};', '', '#endif', '']
  return '\n'.join(lines)


def main():
  root = ElementTree.parse(sys.argv[1]).getroot()
  values, aliases = enum_values(root)
  formats = {f.get('name').removeprefix('VK_FORMAT_'): f for f in root.findall('formats/format')}
  assert set(formats) <= set(values), f'formats without a value: {set(formats) - set(values)}'
  # No driver here supports blocks with a depth (3D ASTC), or ARM's formats (of tensors, and of 14 bits), some of
  # which have encodings that struct format_info cannot express.
  formats = {name: f for name, f in formats.items()
             if (f.get('blockExtent') or '1,1,1').endswith(',1') and not name.endswith('_ARM')}
  values = {name: value for name, value in values.items() if name in formats or name == 'UNDEFINED'}
  out = pathlib.Path(sys.argv[2])
  out.write_text(write_enum(values, aliases) if out.suffix == '.h' else write_table(values, aliases, formats))


if __name__ == '__main__':
  main()
