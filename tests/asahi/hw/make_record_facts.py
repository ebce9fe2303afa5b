#!/usr/bin/python3
"""Has made record_facts.txt: fields of AGX control structures and the values of their enums.

Usage: make_record_facts.py CMDBUF_XML >record_facts.txt, with the description that Mesa publishes (cmdbuf.xml of its
folder src/asahi/genxml). Only numbers and names are kept. Lines are

  enum NAME|value first-last ...
  struct NAME
   first bit:width|name|type|modifier

with a blank before each field of a struct; a modifier that is not there is empty, and so is a type of plain numbers.
"""
import sys
import xml.etree.ElementTree

PLAIN = {'uint', 'int', 'hex', 'address', 'float', 'bool'}


def place(field):
  """First bit: 'WORD:BIT' or 'BIT' there."""
  word, _, bit = field.get('start').rpartition(':')
  return int(word or 0) * 32 + int(bit)


def ranges(values):
  runs = []
  for value in sorted(values):
    if runs and value == runs[-1][1] + 1:
      runs[-1][1] = value
    else:
      runs.append([value, value])
  return ' '.join(f'{first}-{last}' if last != first else str(first) for first, last in runs)


def main():
  root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
  print('# Fields of AGX control structures: see make_record_facts.py.')
  print('# Source: description of control structures that Mesa 25.0.7 publishes (src/asahi/genxml/cmdbuf.xml).')
  for enum in root.findall('enum'):
    print(f'enum {enum.get("name")}|{ranges(int(value.get("value"), 0) for value in enum)}')
  for struct in root.findall('struct'):
    print(f'struct {struct.get("name")}')
    for field in struct.findall('field'):
      kind = '' if field.get('type') in PLAIN else field.get('type')
      print(f' {place(field)}:{field.get("size")}|{field.get("name")}|{kind}|{field.get("modifier", "")}')


if __name__ == '__main__':
  main()
