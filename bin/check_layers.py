#!/usr/bin/python3
"""Checks that every #include of the tree follows the allowed edges between folders (docs/architecture.md)."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent / 'src'

# folder -> folders it may include, besides itself. The longest folder that is a prefix of a path owns the file.
DRIVER = {
  'util': '',
  'amd/hw': '',
  'compiler/nir': 'util',
  'amd/common': 'amd/hw util',
  'asahi/layout': 'util',
  'compiler/spirv': 'compiler/nir util',
  'amd/compiler': 'amd/hw amd/common compiler/nir util',
  'gallium/include/pipe': 'util',
  'gallium/winsys/amdgpu': 'util',
  'gallium/drivers/radeonsi':
    'gallium/include/pipe amd/hw amd/common amd/compiler gallium/winsys/amdgpu compiler/nir util',
  'gallium/frontends/vulkan': 'gallium/include/pipe compiler/nir compiler/spirv util',
}
MODEL = {
  'sim': 'util',
  'amd/sim': 'sim amd/hw util',
  'drm-shim': 'util',
  'amd/drm-shim': 'drm-shim amd/sim sim amd/hw util',
}
# The command line stands above everything and joins the pure libraries; of the driver, what compiles a shader.
TOOLS = {
  'tools': 'gallium/drivers/radeonsi compiler/spirv compiler/nir amd/compiler amd/common amd/hw asahi/layout util',
}
EDGES = {**DRIVER, **MODEL, **TOOLS}

# What driver and model must not share: one side's headers in a folder that both use.
DRIVER_ONLY = {'util/half.h'}

# The pipe loader is the one file that names the drivers: fd -> winsys -> screen.
EXCEPTIONS = {'gallium/frontends/vulkan/pipe_loader.c': 'gallium/drivers/radeonsi gallium/winsys/amdgpu'}


def owner(path):
  folders = [f for f in EDGES if path.startswith(f + '/')]
  return max(folders, key=len, default=None)


def check(path):
  relative = path.relative_to(ROOT).as_posix()
  home = owner(relative)
  if not home:
    return [f'src/{relative}: the folder is not in the table of bin/check_layers.py']
  allowed = {home, *EDGES[home].split(), *EXCEPTIONS.get(relative, '').split()}
  faults = []
  for number, line in enumerate(path.read_text().splitlines(), 1):
    match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
    if not match:
      continue
    target = owner(match[1])
    if match[1] in DRIVER_ONLY and home in MODEL:
      faults.append(f'src/{relative}:{number}: {match[1]} is of the driver side; the model has its own')
    if target is None:
      faults.append(f'src/{relative}:{number}: "{match[1]}" does not start with a folder of src/')
    elif target not in allowed:
      faults.append(f'src/{relative}:{number}: {home} must not include {target}')
  return faults


def main():
  files = sorted(p for p in ROOT.rglob('*') if p.suffix in ('.c', '.h'))
  faults = [fault for path in files for fault in check(path)]
  print('\n'.join(faults + [f'{len(files)} files, {len(faults)} faults']))
  return bool(faults)


if __name__ == '__main__':
  sys.exit(main())
