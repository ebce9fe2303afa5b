#!/usr/bin/python3
"""Has made reg_facts.txt: offsets and fields of registers and descriptor dwords, of AMD's register databases.

Usage: make_reg_facts.py DATABASES >reg_facts.txt. DATABASES holds gfx9.json, gfx10.json, ... as in Mesa's folder
src/amd/registers. Only numbers and AMD's names are kept. A line is

  name|generations@offset ...|generations field=low[:high] ...|...

with offsets in hexadecimal (none: a dword of a descriptor, or a type that no register has) and generations as letters
of GENERATIONS. Fields stand by low bit. A line that begins with a blank continues with the one before.
"""
import collections
import json
import pathlib
import sys

WIDTH = 118
GENERATIONS = {'a': 'gfx9', 'b': 'gfx10', 'c': 'gfx103', 'd': 'gfx11', 'e': 'gfx115'}
DESCRIPTORS = {'gfx9': 'gfx9', 'gfx10': 'gfx10-rsrc', 'gfx103': 'gfx10-rsrc', 'gfx11': 'gfx11-rsrc',
               'gfx115': 'gfx11-rsrc'}
LEFT_OUT = ('PERFCOUNTER',)  # no table of ours has these


def database(path, generation):
  """name -> (offset or None, (field, low, high) ...)."""
  data = json.loads(path.read_text())
  fields = {name: tuple(sorted(((f['name'], *f['bits']) for f in t['fields']), key=lambda f: (f[1], f[2], f[0])))
            for name, t in data['register_types'].items()}
  found = {name: (None, bits) for name, bits in fields.items()}
  for m in data['register_mappings']:
    if generation in m['chips'] or generation == 'gfx115':
      found[m['name']] = (m['map']['at'], fields.get(m.get('type_ref'), ()))
  return found


def facts(folder):
  """name -> letter -> (offset, fields)."""
  found = collections.defaultdict(dict)
  for letter, generation in GENERATIONS.items():
    rows = database(folder / f'{DESCRIPTORS[generation]}.json', generation)
    rows |= database(folder / f'{generation}.json', generation)
    for name, row in rows.items():
      if not any(word in name for word in LEFT_OUT):
        found[name][letter] = row
  return found


def merged(values):
  """'ab' -> value, for letters of one value."""
  letters = collections.defaultdict(str)
  for letter, value in sorted(values.items()):
    letters[value] += letter
  return [(group, value) for value, group in letters.items()]


def bits(field):
  name, low, high = field
  return f'{name}={low}' + (f':{high}' if high != low else '')


def wrapped(line):
  lines = ['']
  for i, word in enumerate(line.split(' ')):
    text = f' {word}' if i else word
    if len(lines[-1] + text) > WIDTH:
      lines.append('')
    lines[-1] += text
  return lines


def main():
  print('# Offsets and fields of AMD registers and descriptor dwords: see make_reg_facts.py.')
  print("# Source: register databases of Mesa 25.0.7 (src/amd/registers), which are made from AMD's kernel headers.")
  for name, rows in sorted(facts(pathlib.Path(sys.argv[1])).items()):
    offsets = ' '.join(group + ('' if at is None else f'@{at:x}')
                       for group, at in merged({letter: row[0] for letter, row in rows.items()}))
    fields = ['|' + ' '.join([group, *map(bits, value)])
              for group, value in merged({letter: row[1] for letter, row in rows.items()}) if value]
    print('\n'.join(wrapped(f'{name}|{offsets}{"".join(fields)}')))


if __name__ == '__main__':
  main()
