#!/usr/bin/python3
"""The table of what the driver offers, against the registry: test_registry.py FRONTEND_DIR vk.xml.

Wrong tables are refused; structs of versions share the features of extensions; the manifest has the newest
version."""
import pathlib
import re
import subprocess
import sys
import tempfile

FRONTEND, XML = pathlib.Path(sys.argv[1]), sys.argv[2]
TABLE = (FRONTEND / 'vk_device_table.txt').read_text()
# Removed text, text in its place, what the generator says.
WRONG = [
  ('device VK_KHR_pipeline_library\n', '', 'VK_EXT_graphics_pipeline_library depends on '),
  ('device VK_KHR_pipeline_library\n', 'device VK_KHR_pipeline_library = caps->x\n',
   'VK_EXT_graphics_pipeline_library depends on '),
  ('device VK_KHR_pipeline_library\n', 'device VK_KHR_pipelines\n', 'the registry has no VK_KHR_pipelines'),
  ('device VK_KHR_pipeline_library\n', 'instance VK_KHR_pipeline_library\n',
   'VK_KHR_pipeline_library is of the device'),
  ('  feature timelineSemaphore\n', '', 'VK_KHR_timeline_semaphore comes with timelineSemaphore'),
  ('  feature timelineSemaphore\n', '  feature timelineSemaphore = caps->x\n',
   'VK_KHR_timeline_semaphore comes with timelineSemaphore'),
  ('  feature fragmentShaderSampleInterlock\n  feature fragmentShaderPixelInterlock\n', '',
   'VK_EXT_fragment_shader_interlock comes with fragmentShaderSampleInterlock or fragmentShaderPixelInterlock or '),
  ('  feature timelineSemaphore\n', '  feature timelineSemaphore\n  feature hostQueryReset\n',
   'VK_KHR_timeline_semaphore has no feature hostQueryReset'),
  ('  feature multiview\n', '  feature multiview\n  feature multiview\n', 'feature multiview has two rows'),
  ('  property maxTimelineSemaphoreValueDifference = INT64_MAX\n', '',
   'VkPhysicalDeviceTimelineSemaphoreProperties.maxTimelineSemaphoreValueDifference\n'),
  ('  property maxTexelBufferElements = caps->max_texels\n', '',
   'no row for VkPhysicalDeviceProperties2.properties.limits.maxTexelBufferElements\n'),
  ('  property maxTexelBufferElements = caps->max_texels\n', '  property maxTexelElements = 1\n',
   '1.0 has no property maxTexelElements'),
  ('  feature robustBufferAccess\n', '', 'Vulkan 1.0 requires robustBufferAccess\n'),
  ('  feature shaderDrawParameters\n', '  feature shaderDrawParameters = caps->x\n',
   'Vulkan 1.1 requires shaderDrawParameters\n'),
  ('version 1.1\n', 'version 1.1 = caps->x\n',
   'some devices with Vulkan 1.2 have no Vulkan 1.1\n'),
  ('device VK_KHR_relaxed_block_layout\n', '', 'Vulkan 1.1 has VK_KHR_relaxed_block_layout\n'),
  ('device VK_KHR_relaxed_block_layout\n', 'device VK_KHR_relaxed_block_layout = caps->x\n',
   'Vulkan 1.1 has VK_KHR_relaxed_block_layout\n'),
]
# Struct of the generated tables: features that it shares with extensions, and its number of features (the
# specification's).
LATER = {
  'vulkan_1_1': (['storageBuffer16BitAccess', 'multiview', 'shaderDrawParameters'], 12),
  'vulkan_1_2': (['timelineSemaphore', 'hostQueryReset', 'shaderInt8', 'storageBuffer8BitAccess'], 47),
  'vulkan_1_3': (['dynamicRendering', 'synchronization2', 'computeFullSubgroups'], 15),
  'vulkan_1_4': (['hostImageCopy', 'indexTypeUint8', 'vertexAttributeInstanceRateDivisor'], 21),
}


def generate(folder, text):
  (folder / 'vk_device_table.txt').write_text(text)
  done = subprocess.run([sys.executable, '-B', FRONTEND / 'vk_device_gen.py', folder / 'vk_device_table.txt', XML,
                         folder / 'out.h', folder / 'out.c'], capture_output=True, text=True, timeout=60)
  return done.returncode, done.stderr


def features(source):
  """Struct -> its features, in order."""
  arrays = re.findall(r'of_(\w+)_features_features\[\] = \{\n(.*?)\};', source, re.S)
  return {name: re.findall(r'vk_features, (\w+)\)', body) for name, body in arrays}


def check_wrong(folder):
  for old, new, says in WRONG:
    assert TABLE.count(old) == 1, old
    status, error = generate(folder, TABLE.replace(old, new))
    assert status == 1 and len(error.splitlines()) == 1 and says in error, (old, new, status, error)


def check_later(folder):
  """Structs of versions that no device reports."""
  source = generated(folder, TABLE)
  after = features(source)
  header = (folder / 'out.h').read_text()
  for name, (shared, count) in LATER.items():
    assert len(after[name]) == count, (name, len(after[name]))
    assert set(shared) <= set(after[name]), name
    assert all(header.count(f'   bool {feature};\n') == 1 for feature in after[name]), name
  assert after['timeline_semaphore'] == ['timelineSemaphore']
  # Promoted properties keep their value, also where the struct of the version has another name for them.
  whole = re.search(r'^of_vulkan_1_1_properties\(.*?^}', source, re.S | re.M)[0]
  assert 'to->subgroupSize = caps->subgroup_size;' in whole
  assert 'to->subgroupSupportedStages = caps->shader_stages;' in whole


def generated(folder, text):
  status, error = generate(folder, text)
  assert status == 0, error
  return (folder / 'out.c').read_text()


def check_manifest():
  rows = re.findall(r'^version (\S+)(.*)$', TABLE, re.M)
  newest = [version for version, value in rows if value.strip() != '= false'][-1]
  said = re.search(r'"api_version": "(\d+\.\d+)\.\d+"', (FRONTEND / 'indium_icd.json.in').read_text())
  assert said[1] == newest, (said[1], newest)


def main():
  check_manifest()
  with tempfile.TemporaryDirectory() as name:
    check_wrong(pathlib.Path(name))
    check_later(pathlib.Path(name))


if __name__ == '__main__':
  main()
