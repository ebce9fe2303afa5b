#!/usr/bin/python3
"""Writes the commands that the layer of `indium order --check` stands ahead of, from vk.xml: order_layer.h says what
it does then.

Usage: hooks_gen.py vk.xml OUTPUT
"""
import sys
import xml.etree.ElementTree as ElementTree

# A draw takes the order of the pipeline; ahead of what is not a draw of the program the order is strict again.
DRAWS = ['Draw', 'DrawIndexed', 'DrawIndirect', 'DrawIndexedIndirect', 'DrawIndirectCount',
         'DrawIndexedIndirectCount', 'DrawMultiEXT', 'DrawMultiIndexedEXT', 'DrawIndirectByteCountEXT']
ENDS = ['EndRenderPass', 'EndRenderPass2', 'NextSubpass', 'NextSubpass2', 'EndRendering', 'ClearAttachments',
        'BeginConditionalRenderingEXT', 'EndConditionalRenderingEXT', 'ExecuteCommands']


def main():
  registry, output = sys.argv[1:]
  commands, names = {}, {}
  for element in ElementTree.parse(registry).getroot().findall('commands/command'):
    if element.get('alias'):
      names[element.get('name')] = element.get('alias')
    elif 'vulkan' in (element.get('api') or 'vulkan').split(','):
      name = element.find('proto/name').text
      commands[name], names[name] = element, name
  wanted = {f'vkCmd{name}': kind for kind, rows in (('draw', DRAWS), ('end', ENDS)) for name in rows}
  hooks = sorted(name for name, of in names.items() if of in wanted)
  missing = set(wanted) - set(hooks)
  assert not missing, missing
  with open(output, 'w') as out:
    for name in hooks:
      params = [p for p in commands[names[name]].findall('param')
                if 'vulkan' in (p.get('api') or 'vulkan').split(',')]
      declared = ', '.join(' '.join(''.join(p.itertext()).split()) for p in params)
      passed = ', '.join(p.find('name').text for p in params)
      out.write(f'static VKAPI_ATTR void VKAPI_CALL\nhook_{name}({declared})\n{{\n'
                f'   PFN_{names[name]} next = (PFN_{names[name]})order_layer_{wanted[names[name]]}(commandBuffer, '
                f'"{name}");\n   next({passed});\n}}\n\n')
    out.write('static const struct order_layer_hook generated_hooks[] = {\n')
    for name in hooks:
      out.write(f'   {{"{name}", (PFN_vkVoidFunction)hook_{name}}},\n')
    out.write('};\n')


main()
