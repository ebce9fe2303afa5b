#!/usr/bin/python3
"""Checks that the folders of the tree use each other along the allowed edges only (docs/architecture.md).

Usage: check_layers.py [ROOT [BUILD]]. Of ROOT/src it reads every #include, also those that generators write; with
BUILD, nm on the objects checks who really uses whose functions, however they were declared.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from options import Parser, input_folder  # noqa: E402

# folder -> folders it may use, besides itself. The longest folder that is a prefix of a path owns the file.
DRIVER = {
  'util': '',
  'amd/hw': '',
  'asahi/hw': '',
  'intel/hw': '',
  'compiler/nir': 'util',
  'amd/common': 'amd/hw util',
  'asahi/layout': 'util',
  'asahi/lib': 'asahi/hw util',
  'intel/common': 'intel/hw util',
  'compiler/spirv': 'compiler/nir util',
  'compiler/backend': 'util',
  'amd/compiler': 'amd/hw amd/common compiler/backend compiler/nir util',
  'asahi/compiler': 'asahi/hw compiler/backend compiler/nir util',
  'gallium/include/pipe': 'compiler/nir util', # shaders come as nir, by their stages
  'gallium/winsys/common': 'util',
  'gallium/winsys/amdgpu': 'gallium/winsys/common util',
  'gallium/winsys/asahi': 'gallium/winsys/common util',
  'gallium/auxiliary': 'gallium/include/pipe gallium/winsys/common compiler/nir util', # what drivers share
  'gallium/drivers/radeonsi':
    'gallium/include/pipe gallium/auxiliary amd/hw amd/common amd/compiler gallium/winsys/amdgpu '
    'gallium/winsys/common compiler/spirv compiler/nir util', # an internal program comes as SPIR-V
  'gallium/drivers/asahi':
    'gallium/include/pipe gallium/auxiliary asahi/hw asahi/layout asahi/lib asahi/compiler gallium/winsys/asahi '
    'gallium/winsys/common compiler/spirv compiler/nir util', # internal programs come as SPIR-V
  'gallium/frontends/vulkan': 'gallium/include/pipe compiler/nir compiler/spirv util',
}
MODEL = {
  'sim': 'util',
  'amd/sim': 'sim amd/hw util',
  'amd/wave': 'amd/sim sim amd/hw util',
  'asahi/sim': 'sim asahi/hw util',
  'intel/sim': 'sim intel/hw util',
  'drm-shim': 'util',
  'amd/drm-shim': 'drm-shim amd/wave amd/sim sim amd/hw util',
  'asahi/drm-shim': 'drm-shim asahi/sim sim asahi/hw util',
  'intel/drm-shim': 'drm-shim intel/sim sim intel/hw util',
}
# The command line stands above everything and joins the pure libraries; of the driver, what compiles a shader.
TOOLS = {
  'asahi/decode': 'asahi/lib asahi/hw sim util', # reads recordings, as the model does, and runs nothing
  # Stands next to a driver and looks at what it asks of the kernel; runs nothing.
  'asahi/wrap': 'asahi/lib asahi/hw drm-shim sim util',
  'tools/order_layer': 'amd/hw util', # stands between a program and a driver
  'tools': 'gallium/drivers/radeonsi gallium/drivers/asahi compiler/spirv compiler/nir amd/compiler amd/common '
    'amd/hw asahi/compiler asahi/hw asahi/layout intel/common intel/hw intel/sim util',
}
EDGES = {**DRIVER, **MODEL, **TOOLS}

# Folders of a house, from top to bottom: room -> rooms whose headers it may include and whose functions it may call.
# All of these stand further down, so that no two rooms call each other. All rooms may include headers that lie at the
# top (''), which are what others see of the house; others include these only.
ROOMS = {
  'amd/sim': {
    '': 'base cache check cp draw pops sdma wave',
    'sdma': 'base cache cp surface',
    'cp': 'base cache check draw wave',
    'check': 'base cache draw state wave',
    'draw': 'base batch cache ge pa pops rb spi state surface wave',
    'ge': 'base batch cache state wave',
    'pa': 'base batch rb state',
    'spi': 'base batch pops rb state wave',
    'rb': 'base batch state surface',
    'batch': 'base cache pops state surface wave', # data that the blocks of a draw pass on
    'wave': 'base cache pops surface tex',
    'pops': 'base state',
    'state': 'base surface', # registers of a draw, decoded
    'tex': 'base cache surface',
    'cache': 'base',
    'surface': 'base',
    'base': '',
  },
  'asahi/sim': {
    '': 'base cache cp wave',
    'cp': 'base batch cache draw tile usc wave',
    'draw': 'base batch pa surface tile wave',
    'pa': 'batch',
    'tile': 'base batch surface tex usc wave',
    'batch': 'base surface wave', # data that the stages of a render pass on
    'usc': 'base wave', # records of programs and of what is bound to them
    'wave': 'base surface tex',
    'tex': 'cache surface',
    'cache': 'surface',
    'surface': '',
    'base': '',
  },
  'sim': {
    '': '',
    'record': 'vm waves',
    'waves': 'vm',
    'host': '', # code that is made while a model runs
    'raster': '',
    'texel': '',
    'vm': '',
  },
  'gallium/drivers/radeonsi': {
    '': 'base cs draw generate meta resource shader state',
    'generate': 'base cs draw meta resource shader state',
    'draw': 'base cs meta order resource shader state',
    'meta': 'base cs draw resource shader state',
    'state': 'base cs order resource shader',
    'shader': 'base cs order resource',
    'order': 'cs',
    'resource': 'base cs meta',
    'cs': 'base',
    'base': '',
  },
  'gallium/drivers/asahi': {
    '': 'assembly base commands draw meta nir program resource varyings',
    'draw': 'assembly base commands encode meta nir program resource varyings',
    'commands': 'assembly base encode meta nir program resource',
    'assembly': 'base commands encode meta nir program resource',
    'meta': 'base commands encode nir program resource',
    'encode': 'base program',
    'program': 'assembly base nir varyings',
    'nir': 'base resource varyings',
    'varyings': 'base',
    'resource': 'base',
    'base': '',
  },
  'tools': {
    '': 'base launch layout mutants order shader sparse trace uav varyings',
    'sparse': 'base layout',
    'layout': 'base',
    'varyings': 'base shader',
    'shader': 'base',
    'uav': 'base order trace',
    'order': 'base launch',
    'trace': 'base',
    'mutants': 'base launch',
    'launch': 'base',
    'base': '',
  },
}
# Houses whose rooms all are what others see of them.
OPEN = {'sim', 'gallium/drivers/radeonsi', 'gallium/drivers/asahi'}
# Rooms that call each other: the first names the second, which stands further up.
CYCLES = {
  'gallium/drivers/radeonsi': {
    ('meta', 'draw'),     # clears draw, and pause the queries of statistics
    ('resource', 'meta'), # DCC and HTILE are cleared and decompressed by shaders
  },
  'gallium/drivers/asahi': {
    ('assembly', 'commands'), # vertices are made by dispatches; queries of primitives are counted there
    ('program', 'assembly'),  # shaders become compute; internal programs are programs
    ('meta', 'commands'), # copies are dispatches; queries and statistics are filled and summed by copies
  },
}

# Structs of the contract have their bodies there; a driver's objects are its own (pipe/p_handle.h).
CONTRACT = 'gallium/include/pipe'
CONTRACT_BODY = re.compile(r'\bstruct\s+(pipe_\w+)\s*\{')

# What driver and model must not share: one side's headers in a folder that both use.
DRIVER_ONLY = {'util/half.h'}

# What differs by generation has a header for each side, which one folder includes.
TRAITS = {f'amd/hw/traits_{side}.h': home
          for side, home in (('driver', 'amd/common'), ('compiler', 'amd/compiler'), ('model', 'amd/sim'))}

# Headers of include/, as other people's programs name them, and the folder that they are of.
PUBLIC = {'ail/': 'asahi/layout'}

# The pipe loader is the one file that names the drivers, fd -> winsys -> screen: by what these headers declare.
EXCEPTIONS = {
  'gallium/frontends/vulkan/pipe_loader.c':
    {'gallium/drivers/radeonsi/si_public.h', 'gallium/winsys/amdgpu/amdgpu_winsys.h',
     'gallium/drivers/asahi/agx_public.h', 'gallium/winsys/asahi/asahi_winsys.h'},
  # Waves without a queue around them: as the model's own dispatch starts them.
  'amd/wave/wave_file.c': {'amd/sim/wave/wave.h'},
  'amd/wave/wave_run.c': {'amd/sim/wave/wave.h', 'amd/sim/wave/wave_state.h'},
}

# The names of libc that a shim or a tracer takes over, in these files: who uses them means libc's.
INTERPOSE = ('drm-shim/interpose_', 'asahi/wrap/drm_interpose')
# What the shim of all vendors calls and each vendor's folder defines; two vendors' are never in one library.
UPWARD = {'shim_vendor_init': '/drm-shim'}

# The libraries that meet at the ioctl, driver and shims, and the folders that may be in them.
LIBRARIES = {
  'gallium/frontends/vulkan/libindium_icd.so': set(DRIVER),
  'amd/drm-shim/libindium_amdgpu_shim.so': {'amd/drm-shim', *MODEL['amd/drm-shim'].split()},
  'asahi/drm-shim/libindium_asahi_shim.so': {'asahi/drm-shim', *MODEL['asahi/drm-shim'].split()},
  'asahi/wrap/libindium_asahi_wrap.so': {'asahi/wrap', *TOOLS['asahi/wrap'].split()},
  'tools/order_layer/libindium_order_layer.so': {'tools/order_layer', *TOOLS['tools/order_layer'].split()},
  'intel/drm-shim/libindium_i915_shim.so': {'intel/drm-shim', *MODEL['intel/drm-shim'].split()},
}

CODE = {'.c', '.h'}
GENERATORS = {'.py', '.in'}
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*', re.S)
INCLUDE = re.compile(r'#\s*(?:include|include_next|import)\b\s*(?:"([^"\n]*)"|<([^>\n]*)>|(.*))')
# At the start of a line of a .c file: "extern", and a function that is declared and not static.
EXTERN = re.compile(r'\bextern\b|'
                    r'^(?!static\b|typedef\b|return\b|else\b)[A-Za-z_][\w \t*]*[\s*]\w+\([^;{}=]*\)[^;{}=]*;',
                    re.M)


def owner(path):
  folders = [f for f in EDGES if path.startswith(f + '/')]
  return max(folders, key=len, default=None)


def room(path):
  """('amd/sim', 'cp') of amd/sim/cp/cp.h; the room is '' where a folder has none."""
  home = owner(path)
  inside = pathlib.PurePath(path).relative_to(home).parts if home in ROOMS else ()
  return home, inside[0] if len(inside) > 1 else ''


def allowed(folder):
  return {folder, *EDGES[folder].split()}


class Tree:
  def __init__(self, root):
    self.src = root / 'src'
    self.files = sorted(p for p in self.src.rglob('*') if p.is_file())
    self.headers = ['/' + p.relative_to(self.src).as_posix() for p in self.files if p.suffix == '.h']

  def check_target(self, relative, home, name, angle):
    """What is wrong with one include, or None."""
    public = next((folder for prefix, folder in PUBLIC.items() if name.startswith(prefix)), None)
    target = owner(name) or public
    if angle and not public and (target or any(header.endswith('/' + name) for header in self.headers)):
      return f'<{name}> is ours: it is included by "..."'
    if angle and not public:
      return None
    if name in EXCEPTIONS.get(relative, ()):
      return None
    if pathlib.PurePath(name).suffix != '.h':
      return f'"{name}" is not a header'
    if target is None or '..' in pathlib.PurePath(name).parts:
      return f'"{name}" does not start with a folder of src/'
    if target not in allowed(home):
      return f'{home} must not include {name}, of {target}'
    (_, here), (house, there) = room(relative), room(name)
    if re.search(r'_(private|internal)\.h$', name) and (home, here) != (target, there):
      return f'{name} is for {"/".join(filter(None, (target, there)))} alone'
    if home == house and there and there not in {here, *ROOMS[house][here].split()}:
      return f'{name} is of {there}, which {here or "the top"} of {house} does not use'
    if home != house and there and house not in OPEN:
      return f'{name} is inside of {house}'
    if TRAITS.get(name, home) != home:
      return f'{name} is for {TRAITS[name]} alone'
    if name in DRIVER_ONLY and home in MODEL:
      return f'{name} is of the driver side; the model has its own'
    return None

  def check_file(self, path):
    relative = path.relative_to(self.src).as_posix()
    if path.suffix == '.inl':
      return [f'src/{relative}: code that is included: make it a .c file with a header']
    if path.suffix not in CODE | GENERATORS:
      return []
    home = owner(relative)
    if not home:
      return [f'src/{relative}: the folder is not in the table of bin/check_layers.py']
    if home in ROOMS and room(relative)[1] not in ROOMS[home]:
      return [f'src/{relative}: the room is not in the table of bin/check_layers.py']
    blank = lambda match: re.sub(r'[^\n]', ' ', match[0])
    text = path.read_text()
    text = COMMENT.sub(blank, text) if path.suffix in CODE else text
    faults = []
    for match in INCLUDE.finditer(text):
      what = 'an include of what a macro says'
      if match[1] is not None or match[2] is not None:
        what = self.check_target(relative, home, match[1] or match[2], match[1] is None)
      elif path.suffix in GENERATORS:
        continue
      if what:
        faults.append((match.start(), what))
    if home != CONTRACT:
      faults += [(m.start(), f'a body of struct {m[1]}: of {CONTRACT}, or make it a struct of {home}')
                 for m in CONTRACT_BODY.finditer(text)]
    if path.suffix == '.c':
      faults += [(m.start(), 'declared by hand: include the header that declares it') for m in EXTERN.finditer(text)]
    return [f'src/{relative}:{text.count(chr(10), 0, at) + 1}: {what}' for at, what in sorted(faults)]


def objects(build):
  """(source, object) of the folders of src/, relative to it; the source of generated code is named by its object."""
  for entry in json.loads((build / 'compile_commands.json').read_text()):
    path = entry.get('output', '')
    if path.startswith('src/') and (build / path).is_file():
      source = (pathlib.Path(entry['directory']) / entry['file']).resolve().as_posix()
      yield source.rpartition('/src/')[2], path.removeprefix('src/')


def symbols(build, paths):
  """path -> (names it defines, its static names, names it wants)."""
  if not paths:
    return {}
  out = subprocess.run(['nm', '-A', *(f'src/{p}' for p in paths)], cwd=build, capture_output=True, text=True,
                       check=True).stdout
  found = {path: (set(), set(), set()) for path in paths}
  for line in out.splitlines():
    path, _, rest = line.partition(':')
    *_, kind, name = rest.split()
    found[path.removeprefix('src/')][2 if kind in 'Uwv' else kind.islower()].add(name)
  return found


def check_libraries(build, found, definers):
  """In a library all names are hidden: what none of its folders has at all came from elsewhere."""
  paths = [path for path in LIBRARIES if (build / 'src' / path).is_file()]
  for library, (defined, static, _) in symbols(build, paths).items():
    own = set().union(*(d | s for path, (d, s, _) in found.items() if owner(path) in LIBRARIES[library]))
    for name in sorted(((defined | static) & definers.keys()) - own):
      yield f'{library}: {name}, of {", ".join(definers[name])}, is in it'


def may_share(folders):
  """The models of two vendors have the same rooms, and may have the same names in them: no library has both."""
  return set(folders) <= {'amd/sim', 'asahi/sim'}


def climbs(rooms, cycles=()):
  """(room, room that its row names and that does not stand further down) unless `cycles` has it; and what `cycles`
  has and no row names."""
  order = list(rooms)
  up = {(here, there) for here, row in rooms.items() for there in row.split()
        if there not in order[order.index(here) + 1:]}
  return sorted(up.symmetric_difference(cycles))


def check_rooms(found, sources):
  """Calls between the rooms of a house, along the table."""
  definers = collections.defaultdict(set)
  for path, (defined, _, _) in found.items():
    house, here = room(sources[path])
    for name in defined if house in ROOMS else ():
      definers[house, name].add(here)
  for path, (_, _, wanted) in found.items():
    house, here = room(sources[path])
    for name in sorted(wanted) if house in ROOMS else ():
      there = definers.get((house, name), {here})
      if not there & {here, *ROOMS[house][here].split()}:
        yield f'src/{sources[path]}: {here or "the top"} of {house} must not use {name}, of {min(there) or "the top"}'


def check_symbols(root, build):
  sources = dict((path, source) for source, path in objects(build))
  found = symbols(build, sorted(sources))
  definers = collections.defaultdict(set)
  for path, (defined, _, _) in found.items():
    for name in defined - {'main'} if not sources[path].startswith(INTERPOSE) else ():
      definers[name].add(owner(path))
  faults = [f'{name} is defined in {" and ".join(sorted(folders))}' for name, folders in sorted(definers.items())
            if len(folders) > 1 and name not in UPWARD and not may_share(folders)]
  faults += [f'{name} is defined in {folder}, which is no folder of a vendor: */{where[1:]}'
             for name, where in UPWARD.items() for folder in definers.get(name, ()) if not folder.endswith(where)]
  for path, (_, _, wanted) in found.items():
    home, source = owner(path), sources[path]
    public = ' '.join((root / 'src' / header).read_text() for header in EXCEPTIONS.get(source, ()))
    for name in sorted(wanted & definers.keys() - UPWARD.keys()):
      if not definers[name] & allowed(home) and not re.search(rf'\b{name}\(', public):
        faults.append(f'src/{source}: {home} must not use {name}, of {", ".join(definers[name])}')
  faults += check_libraries(build, found, definers)
  faults += check_rooms(found, sources)
  # A folder without objects was not checked.
  built = {owner(path) for path in found}
  faults += [f'{build}: nothing is built of src/{folder}' for folder in EDGES
             if folder not in built and any((root / 'src' / folder).glob('*.c'))]
  return faults, len(found)


def check(root, build=None):
  """(faults, what was read)"""
  tree = Tree(root)
  faults = [f'ROOMS, CYCLES: {here} of {house} names {there}, which does not stand further down, in one of them only'
            for house, rooms in ROOMS.items() for here, there in climbs(rooms, CYCLES.get(house, ()))]
  faults += [fault for path in tree.files for fault in tree.check_file(path)]
  if not build:
    return faults, f'{len(tree.files)} files'
  used, count = check_symbols(root, build)
  return faults + used, f'{len(tree.files)} files, {count} objects'


def main():
  parser = Parser(__doc__, prog='bin/check_layers.py')
  parser.add_argument('root', metavar='ROOT', nargs='?', default=pathlib.Path(__file__).parent.parent,
                      type=input_folder)
  parser.add_argument('build', metavar='BUILD', nargs='?', type=input_folder)
  options = parser.parse_args()
  faults, read = check(*(pathlib.Path(folder).resolve() for folder in (options.root, options.build) if folder))
  print('\n'.join(faults + [f'{read}, {len(faults)} faults']))
  return bool(faults)


if __name__ == '__main__':
  sys.exit(main())
