#!/usr/bin/python3
"""Writes every command of vk.xml, and of registries with newer extensions, that a Vulkan 1.x driver may meet, one C
initializer a line: {name, kind of the first parameter, minor version or -1, extension or NULL}.

Commands that a require block offers only together with something else, and those of two extensions, are left out."""
import sys
import xml.etree.ElementTree as ElementTree

KINDS = {'VkInstance': 'INSTANCE', 'VkPhysicalDevice': 'PHYSICAL', 'VkDevice': 'DEVICE', 'VkQueue': 'DEVICE',
         'VkCommandBuffer': 'DEVICE'}


def main():
  xml, *newer, path = sys.argv[1:]
  root = ElementTree.parse(xml).getroot()
  for name in newer:
    for group in ElementTree.parse(name).getroot():
      root.find(group.tag).extend(group)
  first, alias = {}, {}
  for command in root.iterfind('commands/command'):
    if command.get('alias'):
      alias[command.get('name')] = command.get('alias')
    else:
      first[command.find('proto/name').text] = command.find('param/type').text
  rows = {}
  for feature in root.iterfind('feature'):
    if 'vulkan' in feature.get('api').split(','):
      for command in feature.iterfind('require/command'):
        rows[command.get('name')] = (int(feature.get('number').split('.')[1]), None)
  for extension in root.iterfind('extensions/extension'):
    if 'vulkan' not in extension.get('supported').split(','):
      continue
    for require in extension.iterfind('require'):
      conditional = any(require.get(key) for key in ('depends', 'feature', 'extension'))
      for command in require.iterfind('command'):
        name = command.get('name')
        if name in rows or conditional:
          rows[name] = None
        else:
          rows[name] = (-1, extension.get('name'))
  with open(path, 'w') as out:
    for name, row in sorted(rows.items()):
      if row:
        original = name
        while original in alias:
          original = alias[original]
        kind = KINDS.get(first[original], 'GLOBAL') if name != 'vkGetInstanceProcAddr' else 'GLOBAL'
        extension = f'"{row[1]}"' if row[1] else 'NULL'
        out.write(f'{{"{name}", {kind}, {row[0]}, {extension}}},\n')


main()
