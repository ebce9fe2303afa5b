#!/usr/bin/python3
"""Writes every command of vk.xml that a Vulkan 1.x driver may have, one C initializer for each version or extension
that has it: {name, kind of the first parameter, minor version or -1, extension or NULL, what else it depends on (the
registry's expression) or NULL}. Lines of a command stand together."""
import sys
import xml.etree.ElementTree as ElementTree

KINDS = {'VkInstance': 'INSTANCE', 'VkPhysicalDevice': 'PHYSICAL', 'VkDevice': 'DEVICE', 'VkQueue': 'DEVICE',
         'VkCommandBuffer': 'DEVICE', 'VkExternalComputeQueueNV': 'DEVICE'}


def quoted(text):
  return f'"{text}"' if text else 'NULL'


def main():
  xml, path = sys.argv[1:]
  root = ElementTree.parse(xml).getroot()
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
        rows.setdefault(command.get('name'), []).append((int(feature.get('number').split('.')[1]), None, None))
  for extension in root.iterfind('extensions/extension'):
    if 'vulkan' not in extension.get('supported').split(','):
      continue
    for require in extension.iterfind('require'):
      for command in require.iterfind('command'):
        rows.setdefault(command.get('name'), []).append((-1, extension.get('name'), require.get('depends')))
  with open(path, 'w') as out:
    for name, offers in sorted(rows.items()):
      original = name
      while original in alias:
        original = alias[original]
      kind = KINDS.get(first[original], 'GLOBAL') if name != 'vkGetInstanceProcAddr' else 'GLOBAL'
      for version, extension, besides in offers:
        out.write(f'{{"{name}", {kind}, {version}, {quoted(extension)}, {quoted(besides)}}},\n')


main()
