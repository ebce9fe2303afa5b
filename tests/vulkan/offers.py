#!/usr/bin/python3
"""Writes the structs of features and the limits that vk.xml knows, for offers.c.

offers.py vk.xml OUTPUT"""
import re
import sys
import xml.etree.ElementTree as ElementTree


def words(text):
  return (text or '').split(',')


def owners(root):
  """Struct -> extensions and versions that have it, without those that vulkan.h leaves out: provisional ones, and
  those of platforms"""
  found, alias = {}, {t.get('name'): t.get('alias') for t in root.iterfind('types/type') if t.get('alias')}
  for owner in [*root.iterfind('feature'), *root.iterfind('extensions/extension')]:
    apis = words(owner.get('supported') or owner.get('api'))
    if owner.get('provisional') or owner.get('platform') or 'vulkan' not in apis:
      continue
    # The registry divides a version into VK_BASE_, VK_COMPUTE_ and VK_GRAPHICS_VERSION.
    whole = re.sub('VK_[A-Z]+_VERSION', 'VK_VERSION', owner.get('name'))
    for type_ in owner.iterfind('require/type'):
      name = type_.get('name')
      names = found.setdefault(alias.get(name, name), [])
      names += [whole] if whole not in names else []
  return found


def members(struct):
  return [m for m in struct.iterfind('member') if 'vulkan' in words(m.get('api') or 'vulkan')]


def main():
  xml, path = sys.argv[1:]
  root = ElementTree.parse(xml).getroot()
  owned, structs, names = owners(root), [], []
  for struct in root.iterfind('types/type[@category="struct"]'):
    name = struct.get('name')
    if 'VkPhysicalDeviceFeatures2' not in words(struct.get('structextends')) or name not in owned or \
        (name.startswith('VkPhysicalDeviceVulkan1') and name.endswith('Features')):
      continue
    features = [m.findtext('name') for m in members(struct)[2:]]
    s_type = members(struct)[0].get('values')
    structs.append(f'   {{{s_type}, sizeof({name}), "{" ".join(owned[name])}", {len(names)}, {len(features)}}},')
    names += features
  limits = []
  for member in members(root.find('types/type[@name="VkPhysicalDeviceLimits"]')):
    name, text, kind = member.findtext('name'), ''.join(member.itertext()), words(member.get('limittype'))[0]
    places = [f'[{i}]' for i in range(int(text.split('[')[1][0]))] if '[' in text else ['']
    limits += [f'   LIMIT({name}{place}, {kind});' for place in places]
  core = [m.findtext('name') for m in root.find('types/type[@name="VkPhysicalDeviceFeatures"]').iterfind('member')]
  with open(path, 'w') as out:
    out.write('static const struct feature_struct feature_structs[] = {\n' + '\n'.join(structs) + '\n};\n\n'
              'static const char *const feature_names[] = {\n' + '\n'.join(f'   "{n}",' for n in names) + '\n};\n\n'
              'static const char *const core_features[] = {\n' + '\n'.join(f'   "{n}",' for n in core) + '\n};\n\n'
              'static void\nprint_limits(const VkPhysicalDeviceLimits *limits)\n{\n' + '\n'.join(limits) + '\n}\n')


if __name__ == '__main__':
  main()
