#!/usr/bin/python3
"""bin/check_layers.py finds what it is there for: each fault planted by itself into a small tree that has none.

Usage: test_layers.py C_COMPILER..."""
import json
import pathlib
import runpy
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOADER = 'gallium/frontends/vulkan/pipe_loader.c'

# A tree of the driver's and the model's folders that keeps the rules; comments and libc may say what code may not.
TREE = {
  'util/log.h': 'void log_error(void);\n',
  'util/log.c': '#include "util/log.h"\n#include <stdio.h>\nvoid\nlog_error(void)\n{\n   puts("error");\n}\n',
  'util/half.h': 'static inline int half(void) { return 1; }\n',
  'sim/vm/vm.h': 'int sim_vm(void);\n',
  'sim/vm/vm.c': '#include "sim/vm/vm.h"\n#include "util/log.h"\n'
                 'int\nsim_vm(void)\n{\n   log_error();\n   return 0;\n}\n',
  'amd/sim/model.h': 'int model_run(int);\n',
  'amd/sim/wave/wave.h': 'int wave(void);\n',
  'amd/sim/wave/wave_private.h': 'int wave_ip(void);\n',
  'amd/sim/wave/wave.c': '#include "amd/sim/wave/wave_private.h"\n#include "amd/sim/model.h"\n',
  'amd/sim/cp/cp.h': 'int cp(int);\n',
  'amd/sim/cp/cp.c': '#include "amd/sim/cp/cp.h"\n#include "amd/sim/wave/wave.h"\n'
                       'int\ncp(int a)\n{\n   return a;\n}\n',
  'amd/sim/model.c': '#include "amd/sim/model.h"\n#include "sim/vm/vm.h"\n'
                     '/* extern int never(void);\n#include "amd/compiler/aco.h" */\n'
                     'int\nmodel_run(int a)\n{\n   return sim_vm() + a;\n}\n',
  'amd/drm-shim/device.c': '#include "amd/sim/model.h"\nstatic int\nopen_file(void)\n{\n   return model_run(1);\n}\n'
                           'int (*const shim_opener)(void) = open_file;\n',
  'asahi/drm-shim/device.c': 'int (*const shim_other)(void) = 0;\n',
  'drm-shim/vendor.h': 'int shim_vendor_init(void);\n',
  'drm-shim/shim.c': '#include "drm-shim/vendor.h"\nint (*const vendor)(void) = shim_vendor_init;\n',
  'drm-shim/interpose_path.c': 'int\nchdir(const char *path)\n{\n   return path ? 0 : -1;\n}\n',
  'asahi/layout/ail_size.c': '#include <ail/ail.h>\nint\nail_size(void)\n{\n   return 2;\n}\n',
  'gallium/drivers/radeonsi/si_public.h': 'int si_screen_create(void);\n',
  'gallium/drivers/radeonsi/si_screen.h': 'int si_secret(void);\n',
  'gallium/drivers/radeonsi/si_screen.c':
    '#include "gallium/drivers/radeonsi/si_public.h"\n#include "gallium/drivers/radeonsi/si_screen.h"\n'
    '#include "util/half.h"\n#include <unistd.h>\nint\nsi_secret(void)\n{\n   return chdir("/");\n}\n'
    'int\nsi_screen_create(void)\n{\n   return half() + si_secret();\n}\n',
  'gallium/winsys/amdgpu/amdgpu_winsys.h': 'int amdgpu_ws_create(void);\n',
  'gallium/drivers/asahi/agx_public.h': 'int agx_screen_create(void);\n',
  'gallium/winsys/asahi/asahi_winsys.h': 'int asahi_ws_create(void);\n',
  LOADER: '#include "gallium/drivers/radeonsi/si_public.h"\n#include "gallium/winsys/amdgpu/amdgpu_winsys.h"\n'
          'static int\nprobe(void)\n{\n   return si_screen_create();\n}\nint (*const loader)(void) = probe;\n',
  'util/table_gen.py': 'print(\'#include "util/log.h"\')\n',
}

# (file, what is put in front of it, a piece of what the checker says, None if it is right)
PLANTED = [
  ('amd/sim/model.c', '#include "amd/compiler/aco.h"\n', 'amd/sim must not include amd/compiler/aco.h'),
  ('amd/sim/model.c', ' #  include "asahi/layout/ail.h"\n', 'amd/sim must not include asahi/layout/ail.h'),
  ('amd/sim/model.c', '#include/**/"amd/compiler/aco.h"\n', 'must not include'),
  ('amd/sim/model.c', '#include <amd/compiler/aco.h>\n', 'is ours'),
  ('amd/sim/model.c', '#include "amd/hw/traits_driver.h"\n', 'amd/hw/traits_driver.h is for amd/common alone'),
  ('amd/sim/model.c', '#include "amd/hw/traits_model.h"\n', None),
  ('gallium/drivers/radeonsi/si_screen.c', '#include <amd/sim/model.h>\n', 'is ours'),
  ('gallium/drivers/radeonsi/si_screen.c', '#include <si_screen.h>\n', 'is ours'),
  ('gallium/drivers/radeonsi/si_screen.c', '#include <radeonsi/si_screen.h>\n', 'is ours'),
  ('amd/sim/model.c', '#include <ail/ail.h>\n', 'amd/sim must not include ail/ail.h, of asahi/layout'),
  ('amd/sim/model.c', '#include "model.h"\n', 'does not start with a folder'),
  ('amd/sim/model.c', '#include "amd/sim/../compiler/aco.h"\n', 'does not start with a folder'),
  ('amd/sim/model.c', '#include "amd/sim/rows.inl"\n', 'is not a header'),
  ('amd/sim/model.c', '#include "sim/vm/vm.c"\n', 'is not a header'),
  ('amd/sim/model.c', '#define HEADER "amd/compiler/aco.h"\n#include HEADER\n', 'what a macro says'),
  ('amd/sim/model.c', '#include "util/half.h"\n', 'of the driver side'),
  ('amd/drm-shim/device.c', '#include "amd/sim/wave/wave_private.h"\n', 'is for amd/sim/wave alone'),
  ('amd/sim/model.c', '#include "amd/sim/wave/wave_private.h"\n', 'is for amd/sim/wave alone'),
  ('amd/drm-shim/device.c', '#include "amd/sim/wave/wave.h"\n', 'wave.h is inside of amd/sim'),
  ('amd/sim/wave/wave.c', '#include "amd/sim/cp/cp.h"\n', 'cp.h is of cp, which wave of amd/sim does not use'),
  ('sim/vm/vm.c', '#include "sim/waves/pool.h"\n', 'pool.h is of waves, which vm of sim does not use'),
  ('amd/sim/cp/cp.c', '#include "sim/vm/vm.h"\n', None),
  ('amd/sim/attic/file.c', 'int other;\n', 'the room is not in the table'),
  ('util/rows.inl', 'int rows;\n', 'code that is included'),
  ('amd/other/file.c', 'int other;\n', 'not in the table'),
  ('amd/sim/model.c', 'extern int si_secret(void);\n', 'declared by hand'),
  ('amd/sim/model.c', 'static void\nlocal(void)\n{\n   extern int si_secret(void);\n}\n', 'declared by hand'),
  ('amd/sim/model.c', 'int si_secret(void);\n', 'declared by hand'),
  ('amd/sim/model.c', 'struct a *\nsi_secret(int a,\n          int b);\n', 'declared by hand'),
  (LOADER, '#include "gallium/drivers/radeonsi/si_screen.h"\n', 'must not include gallium/drivers/radeonsi'),
  ('gallium/frontends/vulkan/vk_device.c', '#include "gallium/drivers/radeonsi/si_public.h"\n', 'must not include'),
  ('gallium/drivers/radeonsi/si_screen.h', 'struct pipe_resource {\n   int va;\n};\n',
   'a body of struct pipe_resource'),
  ('gallium/drivers/radeonsi/si_screen.c', 'static struct pipe_sync\n{\n   int a;\n} sync;\n', 'a body of struct'),
  ('gallium/drivers/radeonsi/si_screen.c', 'struct pipe_sync;\nstruct si_sync {\n   struct pipe_sync *a;\n};\n',
   None),
  ('util/table_gen.py', 'print(\'#include "sim/vm/vm.h"\')\n', 'util must not include sim/vm/vm.h'),
]
# The same, seen only by nm: a header of its own hides the declaration from the readers of text.
LINKED = [
  ('amd/sim/model.c', 'int call(void);\nint call(void) { return si_secret(); }\n', 'amd/sim must not use si_secret'),
  ('gallium/drivers/radeonsi/si_screen.c', 'int call(void);\nint call(void) { return model_run(0); }\n',
   'radeonsi must not use model_run, of amd/sim'),
  ('amd/sim/wave/wave.c', 'int call(void);\nint call(void) { return cp(0); }\n',
   'wave of amd/sim must not use cp, of cp'),
  ('amd/sim/wave/wave.c', 'int call(void);\nint call(void) { return model_run(0); }\n',
   'wave of amd/sim must not use model_run, of the top'),
  ('util/log.c', 'int call(void);\nint call(void) { return sim_vm(); }\n', 'util must not use sim_vm'),
  (LOADER, 'int call(void);\nint call(void) { return si_secret(); }\n', 'frontends/vulkan must not use si_secret'),
  ('amd/sim/model.c', 'int si_secret(void);\nint si_secret(void) { return 3; }\n',
   'si_secret is defined in amd/sim and gallium/drivers/radeonsi'),
]
VENDOR = '#include "drm-shim/vendor.h"\nint\nshim_vendor_init(void)\n{\n   return 1;\n}\n'
# Definitions of what each vendor's shim has; several, and one where it may not be. (files, a piece of what is said)
VENDORS = [
  (['amd/drm-shim/device.c'], None),
  (['amd/drm-shim/device.c', 'asahi/drm-shim/device.c'], None),
  (['amd/drm-shim/device.c', 'amd/sim/model.c'], 'shim_vendor_init is defined in amd/sim, which is no folder of a'),
]
DRIVER, SHIM = 'src/gallium/frontends/vulkan/libindium_icd.so', 'src/amd/drm-shim/libindium_amdgpu_shim.so'
# (library, an object that lies in it, what is said)
LIBRARIES = [
  (DRIVER, 'gallium/drivers/radeonsi/si_screen.c', None),
  (SHIM, 'amd/sim/model.c', None),
  (DRIVER, 'amd/sim/model.c', 'libindium_icd.so: model_run, of amd/sim, is in it'),
  (SHIM, 'gallium/drivers/radeonsi/si_screen.c', 'libindium_amdgpu_shim.so: si_screen_create, of gallium/'),
]
# Rooms from top to bottom, and what is wrong with the table.
CLIMBS = [
  ({'': 'cp', 'cp': 'wave', 'wave': ''}, (), []),
  ({'': 'cp wave', 'wave': 'cp', 'cp': 'wave'}, (), [('cp', 'wave')]),
  ({'': 'cp wave', 'wave': 'cp', 'cp': 'wave'}, {('cp', 'wave')}, []),
  ({'cp': 'wave', 'wave': ''}, {('wave', 'cp')}, [('wave', 'cp')]),
  ({'cp': 'attic'}, (), [('cp', 'attic')]),
]
HIDDEN = 'int cp(int a);\nint si_secret(void);\nint model_run(int a);\nint sim_vm(void);\n'


def write(path, text):
  path.parent.mkdir(parents=True, exist_ok=True)
  path.write_text(text)


def object_of(source):
  path = pathlib.PurePath(source)
  return f'src/{path.parent}/libthis.a.p/{path.name}.o'


def compile_source(root, compiler, source):
  output = root / 'build' / object_of(source)
  output.parent.mkdir(parents=True, exist_ok=True)
  subprocess.run([*compiler, '-c', '-I', root / 'src', '-I', root / 'include', '-o', output, root / 'src' / source],
                 check=True, timeout=60)


def make_tree(root, compiler):
  """The tree, its objects where meson puts them and their list."""
  for name, text in TREE.items():
    write(root / 'src' / name, text)
  write(root / 'include/ail/ail.h', 'int ail_size(void);\n')
  write(root / 'include/hidden.h', HIDDEN)
  sources = [name for name in TREE if name.endswith('.c')]
  for source in sources:
    compile_source(root, compiler, source)
  write(root / 'build/compile_commands.json', json.dumps(
    [{'directory': str(root / 'build'), 'file': f'../src/{name}', 'output': object_of(name)} for name in sources]))


def plant(root, file, text):
  write(root / 'src' / file, text + TREE.get(file, ''))


def expect(case, result, piece):
  """piece: of one of the faults; None: there are none."""
  faults = result[0]
  if faults if piece is None else not any(piece in fault for fault in faults):
    sys.exit(f'{case}: expected {piece!r}, got {faults}')


def main():
  compiler = sys.argv[1:]
  sys.path.insert(0, str(ROOT / 'bin'))
  checker = runpy.run_path(str(ROOT / 'bin/check_layers.py'))
  check = checker['check']
  with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder).resolve()
    build = root / 'build'
    make_tree(root, compiler)
    expect('the tree itself', check(root, build), None)
    for rooms, cycles, found in CLIMBS:
      if checker['climbs'](rooms, cycles) != found:
        sys.exit(f'{rooms}, {cycles}: expected {found}')
    for file, text, piece in PLANTED:
      plant(root, file, text)
      expect(f'{file} with {text!r}', check(root), piece)
      plant(root, file, '') if file in TREE else (root / 'src' / file).unlink()
    for file, text, piece in LINKED:
      plant(root, file, '#include "hidden.h"\n' + text)
      compile_source(root, compiler, file)
      expect(f'{file} with {text!r}', check(root, build), piece)
      plant(root, file, '')
      compile_source(root, compiler, file)
    for files, piece in VENDORS:
      for text in (VENDOR, ''):
        for file in files:
          plant(root, file, text)
          compile_source(root, compiler, file)
        expect(f'{files} with {text!r}', check(root, build), piece if text else None)
    for library, source, piece in LIBRARIES:
      (build / library).write_bytes((build / object_of(source)).read_bytes())
      expect(f'{library} with {source}', check(root, build), piece)
      (build / library).unlink()
    expect('the tree itself', check(root, build), None)
    write(build / 'compile_commands.json', '[]')
    expect('nothing built', check(root, build), 'nothing is built of src/amd/sim')
  print(f'{len(PLANTED) + len(LINKED) + len(VENDORS) + len(LIBRARIES) + len(CLIMBS)} cases')


if __name__ == '__main__':
  main()
