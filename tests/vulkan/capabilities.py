#!/usr/bin/python3
"""Writes what vk.xml says about capabilities of SPIR-V: a table of numbers and names, and a function that asks a
device for what enables each.

capabilities.py vk.xml spirv.core.grammar.json OUTPUT"""
import json
import sys
import xml.etree.ElementTree as ElementTree


def structs_of_features(root):
  """member: [(struct, sType)] of all that may extend VkPhysicalDeviceFeatures2, but those of provisional extensions,
  which the headers leave out"""
  provisional = {type_.get('name') for extension in root.iterfind('extensions/extension[@provisional]')
                 for type_ in extension.iterfind('require/type')}
  found = {}
  for struct in root.iterfind('types/type[@category="struct"]'):
    name = struct.get('name')
    extends = (struct.get('structextends') or '').split(',')
    if 'VkPhysicalDeviceFeatures2' not in extends or name in provisional:
      continue
    s_type = next(m.get('values') for m in struct.iterfind('member') if m.find('name').text == 'sType')
    for member in struct.iterfind('member'):
      found.setdefault(member.find('name').text, []).append((name, s_type))
  return found


def condition(enable, features):
  """C for one <enable>."""
  if enable.get('version'):
    return f'vkx->properties.apiVersion >= {enable.get("version").replace("VK_VERSION", "VK_API_VERSION")}'
  if enable.get('extension') == 'VK_EXT_conservative_rasterization':
    return 'knows_fully_covered(vkx)'
  if enable.get('extension'):
    return f'has_extension(vkx, "{enable.get("extension")}")'
  if enable.get('property'):
    if enable.get('member') == 'subgroupSupportedOperations':
      return f'subgroup_operations(vkx) & {enable.get("value")}'
    return f'float_controls(vkx).{enable.get("member")}'
  if enable.get('struct') == 'VkPhysicalDeviceFeatures':
    return f'vkt_features.{enable.get("feature")}'
  return ' || '.join(f'FEATURE({name}, {s_type}, {enable.get("feature")})'
                     for name, s_type in features.get(enable.get('feature'), [])) or 'false'


def main():
  xml, grammar, path = sys.argv[1:]
  root = ElementTree.parse(xml).getroot()
  with open(grammar) as file:
    kinds = json.load(file)['operand_kinds']
  numbers = {e['enumerant']: e['value'] for k in kinds if k['kind'] == 'Capability' for e in k['enumerants']}
  features, table, cases = structs_of_features(root), [], []
  for capability in root.iterfind('spirvcapabilities/spirvcapability'):
    name = capability.get('name')
    if name not in numbers:
      continue
    conditions = dict.fromkeys(condition(enable, features) for enable in capability)
    either = ' ||\n             '.join(f'({c})' for c in conditions)
    cases.append(f'   case {len(table)}:\n      return {either};')
    table.append(f'   {{{numbers[name]}, "{name}"}},')
  with open(path, 'w') as out:
    out.write('static const struct capability capabilities[] = {\n' + '\n'.join(table) + '\n};\n\n')
    out.write('static bool\nis_offered(struct vkx *vkx, unsigned i)\n{\n   switch (i) {\n' + '\n'.join(cases) +
              '\n   default:\n      return false;\n   }\n}\n')


main()
