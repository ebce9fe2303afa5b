"""Implements `bin/conformance matrix`: programs through other people's drivers on every chip of the model, compared
with lavapipe and llvmpipe. A cell is one program through one driver on one chip."""
import collections
import concurrent.futures
import contextlib
import csv
import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'tests/vulkan'))
import windows  # noqa: E402
from options import progress, wipe  # noqa: E402
from pictures import agree  # noqa: E402

PUBLISHED = ROOT / 'tests/conformance/matrix.csv'
TABLE = ROOT / 'docs/conformance.md'
MARKS = ('<!-- bin/conformance matrix wrote what follows -->', '<!-- up to here -->')
COLUMNS = ['driver', 'version', 'chip', 'settings', 'program', 'result', 'detail']
DRIVERS = {'vulkan': ['radv', 'radv-25', 'radv-26', 'radv-sid'],
           'gl': ['radeonsi', 'radeonsi-25', 'radeonsi-26', 'radeonsi-sid']}
CHIPS = ['vega10', 'raven', 'renoir', 'navi10', 'navi21', 'vangogh', 'navi31', 'phoenix', 'gfx1150',
         'krackan']
ENOUGH = 99.97  # percent of pixels within 2/255: least that was measured
LESS = {'glmark2 shading:shading=blinn-phong-inf': 99.68,
        'glmark2 desktop:effect=blur:blur-radius=5:passes=1:separable=true:windows=4': 99.84}
# Not shading=phong: llvmpipe and softpipe differ in 0.6% of its pixels.
SCENES = ['build', 'texture:texture-filter=linear', 'texture:texture-filter=mipmap', 'shading:shading=gouraud',
          'shading:shading=blinn-phong-inf', 'bump:bump-render=height', 'effect2d:kernel=0,1,0;1,-4,1;0,1,0;',
          'pulsar:light=false:quads=5:texture=false',
          'desktop:effect=blur:blur-radius=5:passes=1:separable=true:windows=4', 'ideas', 'jellyfish',
          'buffer:columns=50:interleave=false:rows=10:update-dispersion=0.9:update-fraction=0.5:update-method=map']
RESULTS = ['pass', 'differs', 'fault', 'fails', 'timeout', 'no model', 'unsupported', 'skipped']


@dataclasses.dataclass
class Program:
  name: str
  api: str
  words: list          # {build}, {size}; {picture}: a PNG file that it writes
  library: str = ''    # stands between it and its window
  size: int = 0        # of that window
  frames: int = 0      # it is ended after so many; 0: it ends itself

  @property
  def group(self):
    """The table's column."""
    return self.name.split(' ')[0]


def glmark(scene):
  """nframes=2: in the first frame nothing has moved."""
  words = ['/usr/bin/glmark2-es2', '-s', '{size}x{size}', '-b', f'{scene}:nframes=2']
  return Program(f'glmark2 {scene}', 'gl', words, 'libframe_gl.so', 128)


PROGRAMS = [
  Program('triangle', 'vulkan', ['{build}/examples/triangle', '-o', '{picture}']),
  Program('scene', 'vulkan', ['{build}/examples/scene', '--width', '320', '--height', '180', '-o', '{picture}']),
  Program('compute', 'vulkan', ['{build}/examples/compute', '--count', '100000']),
  Program('oit', 'vulkan', ['{build}/examples/oit', '--check', '--width', '320', '--height', '180', '--triangles',
                            '1500']),
  Program('vkcube', 'vulkan', ['/usr/bin/vkcube', '--c', '30', '--width', '{size}', '--height', '{size}'],
          'libframe_vk.so', 128),
  Program('glxgears', 'gl', ['/usr/bin/glxgears.x86_64-linux-gnu'], 'libframe_gl.so', 128, 5),
  Program('es2gears', 'gl', ['/usr/bin/es2gears_x11.x86_64-linux-gnu'], 'libframe_gl.so', 128, 5),
  *map(glmark, SCENES),
]


@dataclasses.dataclass
class Done:
  """How a program ended: its status, or None after the time limit."""
  status: int
  text: str
  picture: pathlib.Path


def start(words, environment, limit_s):
  with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                        env=environment, start_new_session=True) as process:
    try:
      text = process.communicate(timeout=limit_s)[0]
      return process.returncode, text.decode(errors='replace')
    except BaseException as error:
      os.killpg(process.pid, signal.SIGKILL)
      if not isinstance(error, subprocess.TimeoutExpired):
        raise
      return None, process.communicate()[0].decode(errors='replace')


class Machine:
  """Runs programs on this machine; keeps the pictures of the CPU's drivers."""

  def __init__(self, options, display, folder):
    self.options, self.display, self.folder = options, display, folder
    self.indium = str(options.build / 'src/tools/indium')
    self.lock, self.numbers = threading.Lock(), iter(range(1 << 30))
    self.references, self.found = {}, {}

  def run(self, program, ahead, more):
    with self.lock:
      picture = self.folder / f'{next(self.numbers)}.png'
    values = {'build': self.options.build, 'size': program.size, 'picture': picture}
    words = [word.format(**values) for word in program.words]
    environment = os.environ | {'INDIUM_THREADS': str(self.options.threads)} | more
    if program.library:
      picture.touch()
      environment |= {'LD_PRELOAD': str(self.options.build / 'tests/vulkan' / program.library),
                      'DISPLAY': self.display or '', 'FRAME_SIZE': f'{program.size}x{program.size}',
                      'FRAME_FILE': str(picture)}
      if program.frames:
        environment['FRAME_COUNT'] = str(program.frames)
    return Done(*start(ahead + words, environment, self.options.timeout), picture)

  def reference(self, program):
    """By lavapipe or llvmpipe, once."""
    with self.lock:
      future = self.references.get(program.name)
      mine = future is None
      if mine:
        future = self.references[program.name] = concurrent.futures.Future()
    if mine:
      try:
        future.set_result(self.run(program, [], windows.on_processor()))
      except BaseException as error:
        future.set_exception(error)
    return future.result()

  def knows(self, driver, chip):
    """Whether a Vulkan driver finds the chip."""
    key = driver, chip
    if key not in self.found:
      _, text = start([self.indium, 'run', '--mode', 'noop', '--driver', driver, '--gpu', chip, '--', 'vulkaninfo',
                       '--summary'], os.environ, self.options.timeout)
      refused = re.search('ERROR_(INITIALIZATION_FAILED|INCOMPATIBLE_DRIVER)', text)
      self.found[key] = 'deviceName' in text or not refused
    return self.found[key]

  def compare(self, program, ours):
    theirs, enough = self.reference(program), LESS.get(program.name, ENOUGH)
    if theirs.status != 0:
      return 'skipped', f'no picture of the CPU: {last_line(theirs.text)}'
    if not program.library:
      status, text = start([str(self.options.build / 'tests/vulkan/compare_pictures'), str(ours), str(theirs.picture),
                            str(enough)], os.environ, self.options.timeout)
      percent = re.match(r'([\d.]+)%', text)
      return ('fails', last_line(text)) if not percent else ('differs' if status else 'pass', percent[1])
    size_B = program.size * program.size * 4
    mine, other = ours.read_bytes(), theirs.picture.read_bytes()
    if len(mine) != len(other) or len(other) < size_B:
      return 'fails', f'{len(mine) // size_B} of {len(other) // size_B} frames'
    close, colours = agree(mine[-size_B:], other[-size_B:])
    if colours < 2:
      return 'skipped', 'the frame of the CPU is empty'
    return 'pass' if close >= enough / 100 else 'differs', f'{100 * close:.3f}'

  def cell(self, driver, chip, program):
    """(result, detail)"""
    if program.library and not self.display:
      return 'skipped', 'there is no X server'
    if program.words[0].startswith('/') and not os.access(program.words[0], os.X_OK):
      return 'skipped', f'there is no {program.words[0]}'
    if program.api == 'vulkan' and not self.knows(driver, chip):
      return 'unsupported', 'the driver does not know the chip'
    plain = ['--plain' + f'={self.options.plain}' * bool(self.options.plain)] * (self.options.plain is not None)
    words = [self.indium, 'run', '--driver', driver, '--gpu', chip, *plain]
    if self.options.reports:
      name = re.sub(r'[^\w.-]+', '_', f'{driver}.{chip}.{program.name}.{settings_of(self.options)}')
      words.append(f'--report={self.options.reports / name}.txt')
    done = self.run(program, words + ['--'], {})
    return judge(done) or (('pass', '') if not program.library and '{picture}' not in program.words
                           else self.compare(program, done.picture))


# The part after the submit: the sentence, the wave and its shader, the packet.
FAULT = re.compile(r'indium: GPU fault: (?:context \d+, \w+ ring \d+, submit \d+: )?'
                   r'(.*?)(?: \[.*?)?(?:; shader .*?)?(?:; packet (\w+) .*)?$', re.M)


def judge(done):
  """The result that the program's end decides; None: its picture has to be compared."""
  fault = FAULT.search(done.text)
  if fault:
    return 'fault', fault[1] + (f' (packet {fault[2]})' if fault[2] else '')
  if done.status == 77:
    return 'skipped', 'the driver was not fetched'
  if re.search(r'CS has been rejected.*\(-19\)', done.text):
    return 'no model', ''
  renderer = re.search(r'frame_gl: renderer: (.*)', done.text)
  if renderer and re.search('llvmpipe|softpipe|swrast', renderer[1]):
    return 'unsupported', 'the driver does not know the chip'
  lacks = re.search(r'^.* does not have (VK_\w+)$', done.text, re.M)
  if lacks:
    return 'unsupported', f'the driver has no {lacks[1]}'
  if done.status is None:
    return 'timeout', ''
  return ('fails', f'status {done.status}: {last_line(done.text)}') if done.status else None


def last_line(text):
  lines = [line for line in text.splitlines() if line.strip()]
  return lines[-1].strip()[:200] if lines else ''


def load(path):
  """(driver, chip, settings, program) -> row"""
  if not path.exists():
    return {}
  with path.open(newline='') as file:
    return {(row['driver'], row['chip'], row['settings'], row['program']): row for row in csv.DictReader(file)}


def order(row):
  """In the order of the tables of this file, whatever ended first."""
  def place(names, name):
    return names.index(name) if name in names else len(names)
  return (place(sum(DRIVERS.values(), []), row['driver']), row['settings'], place(CHIPS, row['chip']),
          place([program.name for program in PROGRAMS], row['program']))


def save(path, rows):
  path.parent.mkdir(parents=True, exist_ok=True)
  with tempfile.NamedTemporaryFile('w', newline='', dir=path.parent, delete=False) as file:
    writer = csv.DictWriter(file, COLUMNS, lineterminator='\n')
    writer.writeheader()
    writer.writerows(sorted(rows.values(), key=order))
  os.chmod(file.name, 0o644)
  os.replace(file.name, path)


def choose(options):
  """(driver, chip, program) of the requested cells."""
  for api, names in DRIVERS.items():
    for driver in names:
      if options.driver and driver not in options.driver:
        continue
      for chip in options.gpu or CHIPS:
        for program in PROGRAMS:
          if program.api == api and (not options.program or {program.name, program.group} & set(options.program)):
            yield driver, chip, program


def versions(indium):
  listed = subprocess.run([indium, 'drivers'], capture_output=True, text=True, check=True).stdout.splitlines()
  return {row[0]: row[2] for line in listed if len(row := line.split(None, 2)) == 3}


def settings_of(options):
  return 'defaults' if options.plain is None else f'plain {options.plain}'.strip()


def run(options):
  """Runs the requested cells that the results lack; returns the rows of all requested ones."""
  rows = {} if options.again else load(options.results)
  settings, known = settings_of(options), versions(str(options.build / 'src/tools/indium'))
  wanted = list(choose(options))
  if options.expected:
    expected = load(options.expected)
    wanted = [(driver, chip, program) for driver, chip, program in wanted
              if expected.get((driver, chip, settings, program.name), {}).get('result') == 'pass']
  keys = [(driver, chip, settings, program.name) for driver, chip, program in wanted]
  lock = threading.Lock()
  with windows.screen() if any(p.library for _, _, p in wanted) else contextlib.nullcontext() as display, \
       tempfile.TemporaryDirectory(prefix='matrix-') as folder, \
       concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
    machine = Machine(options, display, pathlib.Path(folder))

    def one(key, driver, chip, program):
      result, detail = machine.cell(driver, chip, program)
      with lock:
        wipe()
        rows[key] = dict(zip(COLUMNS, (driver, known.get(driver, ''), chip, settings, program.name, result, detail)))
        print(f'{driver} {chip} {program.name}: {result}{": " * bool(detail)}{detail}', flush=True)
        save(options.results, rows)
        progress(sum(row.get('result', 'skipped') != 'skipped' for k in keys if (row := rows.get(k))), len(keys),
                 'cells')

    futures = [pool.submit(one, key, *cell) for key, cell in zip(keys, wanted)
               if rows.get(key, {}).get('result', 'skipped') == 'skipped']
    try:
      for future in concurrent.futures.as_completed(futures):
        future.result()
    except BaseException:
      pool.shutdown(cancel_futures=True)
      raise
  wipe()
  return [rows[key] for key in keys]


def summary(rows):
  counts = collections.Counter(row['result'] for row in rows)
  return ', '.join(f'{counts[result]} {result}' for result in RESULTS if counts[result]) or 'nothing was asked for'


def group_cell(rows, note):
  """One cell of the table: rows of one program, or of its scenes."""
  if len(rows) == 1:
    result, detail = rows[0]['result'], rows[0]['detail']
    if result in ('pass', 'differs'):
      return '**differs** ' * (result != 'pass') + (f'{float(detail):g}%' if detail else 'pass')
    return result + (note(detail) if detail and result != 'unsupported' else '')
  passed = sum(row['result'] == 'pass' for row in rows)
  others = collections.Counter((row['result'], row['detail'] if row['result'] != 'differs' else '') for row in rows
                               if row['result'] != 'pass')
  if not passed and len(others) == 1:
    (result, detail), = others
    return result + (note(detail) if detail and result != 'unsupported' else '')
  return f'{passed} of {len(rows)}' + ''.join(
    f', {count} {result}{note(detail) if detail else ""}' for (result, detail), count in sorted(others.items()))


def markdown(rows):
  """The table of all rows, and the reasons that its numbers name."""
  notes = {}

  def note(text):
    return f' [{notes.setdefault(text, len(notes) + 1)}]'

  lines = []
  for api, names in DRIVERS.items():
    mine = sorted((row for row in rows if row['driver'] in names), key=order)
    groups = [group for group in dict.fromkeys(p.group for p in PROGRAMS if p.api == api)
              if any(row['program'].split(' ')[0] == group for row in mine)]
    if not mine:
      continue
    lines += ['| driver | chip | settings | ' + ' | '.join(groups) + ' |', '|' + '---|' * (3 + len(groups))]
    lines_of = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in mine:
      lines_of[row['driver'], row['settings'], row['chip']][row['program'].split(' ')[0]].append(row)
    same = collections.defaultdict(list) # chips of one line
    for (driver, settings, chip), cells in lines_of.items():
      line = ' | '.join(group_cell(cells[group], note) if cells[group] else '' for group in groups)
      same[driver, settings, line].append(chip)
    lines += [f'| {driver} | {", ".join(chips)} | {settings} | {line} |'
              for (driver, settings, line), chips in same.items()]
    lines.append('')
  of = sorted({(row['driver'], row['version']) for row in rows})
  lines += [f'{number}. {text}' for text, number in notes.items()] + [''] * bool(notes)
  of = 'Drivers: ' + '; '.join(f'{driver}: {version}' for driver, version in of) + '.'
  return '\n'.join([of, '', *lines]).strip()


def publish(options):
  """Replaces the published rows of the same cells by those of the results."""
  rows = load(PUBLISHED) | load(options.results)
  save(PUBLISHED, rows)
  before, _, rest = TABLE.read_text().partition(MARKS[0])
  after = rest.partition(MARKS[1])[2]
  TABLE.write_text(f'{before}{MARKS[0]}\n{markdown(list(rows.values()))}\n{MARKS[1]}{after}')


def add_parser(suites, positive):
  parser = suites.add_parser(
    'matrix', help="programs through other people's drivers on every chip",
    description='Runs programs through RADV and radeonsi on modelled chips and on the CPU, and compares their '
    'pictures. Status 0: every cell that could run passes; 1: some do not; 2: wrong use; 77: nothing could run.')
  add = parser.add_argument
  add('--driver', action='append', choices=sum(DRIVERS.values(), []), help='repeatable; default all')
  add('--gpu', action='append', choices=CHIPS, metavar='CHIP', help='repeatable; default all')
  add('--program', action='append', choices=sorted({*(p.name for p in PROGRAMS), *(p.group for p in PROGRAMS)}),
      metavar='PROGRAM',
      help=f'{", ".join(dict.fromkeys(p.group for p in PROGRAMS))}, or a scene; repeatable; default all')
  add('--plain', nargs='?', const='', metavar='GROUP,...', help='as for indium run')
  add('--results', metavar='FILE', type=pathlib.Path, default=ROOT / 'out/matrix.csv',
      help='keeps the rows of finished cells, which are not run again; default out/matrix.csv')
  add('--again', action='store_true', help='forget the rows of the results file')
  add('--expected', metavar='FILE', type=pathlib.Path, nargs='?', const=PUBLISHED,
      help='run only what passes in FILE; without FILE, in the published table')
  add('--reports', metavar='FOLDER', type=pathlib.Path, help='write the report of each run there (for bin/ran)')
  add('--publish', action='store_true',
      help=f'write the results into {PUBLISHED.relative_to(ROOT)} and the table of {TABLE.relative_to(ROOT)}')
  add('--timeout', metavar='SECONDS', type=positive, default=300, help='of a program; default 300')
  add('--jobs', metavar='J', type=positive, default=len(os.sched_getaffinity(0)),
      help='parallel programs; default one per core')
  add('--build', metavar='FOLDER', type=pathlib.Path, help='a built tree; by default this one is built')


def main(options):
  if not options.build:
    subprocess.run([ROOT / 'bin/setup', 'build'], check=True)
    options.build = ROOT / 'build'
  options.build = options.build.resolve()
  if options.reports:
    options.reports = options.reports.resolve()
    options.reports.mkdir(parents=True, exist_ok=True)
  options.threads = max(1, len(os.sched_getaffinity(0)) // options.jobs)
  rows = run(options)
  print(summary(rows))
  if options.publish:
    publish(options)
  if all(row['result'] == 'skipped' for row in rows):
    return 77
  return int(any(row['result'] not in ('pass', 'unsupported', 'skipped') for row in rows))
