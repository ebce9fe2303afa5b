"""`bin/shader-db --driver NAME`: compiles the same shaders with another driver and this tree's, without hardware.

Both make the same pipelines on the no-op kernel driver: a Vulkan driver by build/tests/bench/pipeline_stats, one for
OpenGL by shader_gl.py. A pipeline is a compute shader, or a fragment shader after the vertex shader that its file's
name says; a fragment shader without one stands after one that writes a position, if it has no inputs.
"""
import concurrent.futures
import csv
import dataclasses
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPENGL = {'asahi-gl'}
PAGE = ROOT / 'docs/drivers/asahi/shaders.md'
MARKS = '<!-- bin/shader-db --publish wrote what follows -->\n', '<!-- up to here -->\n'
CHUNK = 12  # pipelines a process
# Of the columns of pipeline_stats those that are shown, and what of them is better.
SUMS = ['instructions', 'code', 'registers', 'uniforms', 'preamble', 'loops', 'spills', 'fills', 'scratch']
STAGES = ['compute', 'vertex', 'fragment']
NOT_FETCHED = 77


class Missing(Exception):
  """The driver is not here."""


@dataclasses.dataclass(frozen=True)
class Pipeline:
  """Names and modules of the shaders: (compute,) or (vertex, fragment)."""
  names: tuple
  modules: tuple

  def argument(self):
    return ':'.join(map(str, self.modules))


def entry(module):
  """Stage of the first entry point of SPIR-V, and whether its shader has inputs of its own."""
  words = memoryview(module.read_bytes()).cast('I')
  at, stage, located, inputs = 5, None, set(), set()
  while at < len(words):
    op, length = words[at] & 0xffff, words[at] >> 16
    if op == 15 and stage is None:  # OpEntryPoint
      stage = {0: 'vertex', 4: 'fragment', 5: 'compute'}.get(words[at + 1])
    elif op == 71 and words[at + 2] == 30:  # OpDecorate Location
      located.add(words[at + 1])
    elif op == 59 and words[at + 3] == 1:  # OpVariable Input
      inputs.add(words[at + 2])
    at += length
  return stage, bool(located & inputs)


def vertex_names(name):
  """What the vertex shader of a fragment shader may be called."""
  stem = name.removesuffix('.spv')
  yield re.sub(r'\.frag$', '.vert', stem) + name[len(stem):]
  yield stem.rpartition('_')[0] + '_vert.spv'


def pipelines(modules, plain):
  """Of name -> module; plain is a vertex shader that only writes a position. And the names that are in none."""
  found, used = [], set()
  for name, module in modules.items():
    stage, has_inputs = entry(module)
    if stage == 'compute':
      found.append(Pipeline((name,), (module,)))
    elif stage == 'fragment':
      vertex = next((v for v in vertex_names(name) if v in modules and v != name), None)
      if vertex:
        found.append(Pipeline((vertex, name), (modules[vertex], module)))
      elif not has_inputs:
        found.append(Pipeline(('', name), (plain, module)))
  for pipeline in found:
    used.update(pipeline.names)
  return found, [name for name in modules if name not in used]


class Driver:
  """One of `indium drivers`, on a chip in noop mode."""

  def __init__(self, build, name, gpu):
    self.name, self.gpu, self.indium = name, gpu, build / 'src/tools/indium'
    inner = [sys.executable, '-B', ROOT / 'bin/shader_gl.py'] if name in OPENGL else [
      build / 'tests/bench/pipeline_stats']
    self.command = [self.indium, 'run', '--gpu', gpu, '--mode', 'noop', '--driver', name, '--plain', '--', *inner]

  def version(self):
    listed = subprocess.run([self.indium, 'drivers'], capture_output=True, text=True).stdout.splitlines()
    return ''.join(row[2].strip() for line in listed if (row := line.split(None, 2))[0] == self.name)

  def some(self, queue):
    """Results of as many pipelines as one process gets to: (ms, {stage: {column: number}}), or None if refused."""
    environment = {**os.environ, 'MESA_SHADER_CACHE_DISABLE': 'true', 'RADV_DEBUG': 'nocache'}
    done = subprocess.run([*self.command, *(pipeline.argument() for pipeline in queue)], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL if queue else subprocess.PIPE, text=True, errors='replace',
                          env=environment)
    if done.returncode == NOT_FETCHED:
      raise Missing(done.stderr.strip())
    columns, results = [], []
    for line in done.stdout.splitlines():
      kind, *words = line.split() or ['']
      if kind == 'columns':
        columns = words
      elif kind == 'pipeline':
        results.append((float(words[1]), {}) if words[0] == '1' else None)
      elif kind == 'stage':
        results[-1][1][words[0]] = {c: int(n) for c, n in zip(columns, words[1:]) if n != '-'}
    if not columns:
      raise Missing(f'{self.name} does not start on {self.gpu}: {(done.stderr or "").strip()[-300:]}')
    return results

  def measure(self, queue):
    """As some(), of all: one that ends the process, or never ends, is refused."""
    results = []
    while len(results) < len(queue):
      results += self.some(queue[len(results):])
      if len(results) < len(queue):
        results.append(None)
    return results

  def measure_all(self, queue):
    """Several processes at once. What they say on stderr is of no use, and of some drivers without end."""
    self.some([])
    chunks = [queue[i:i + CHUNK] for i in range(0, len(queue), CHUNK)]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
      return [result for results in pool.map(self.measure, chunks) for result in results]


def rows_of(queue, results):
  """(stage, name) -> columns; a vertex shader as its first pipeline has it."""
  rows = {}
  for pipeline, result in zip(queue, results):
    if result:
      stages = ['vertex', 'fragment'] if len(pipeline.names) == 2 else ['compute']
      for stage, name in zip(stages, pipeline.names):
        if name and stage in result[1]:
          rows.setdefault((stage, name), result[1][stage])
  return rows


class Comparison:
  """Our driver's results next to another's."""

  def __init__(self, queue, ours, theirs):
    self.both = [(a[0], b[0]) for a, b in zip(ours, theirs) if a and b]
    self.refused = [[p.names[-1] for p, own in zip(queue, results) if not own] for results in (ours, theirs)]
    mine, other = rows_of(queue, ours), rows_of(queue, theirs)
    self.pairs = {stage: {name: (mine[key], other[key]) for key in mine if key in other and key[0] == stage
                          for name in key[1:]} for stage in STAGES}

  def table(self, stage):
    """Rows of column, our sum, the other's, how often ours is fewer and more."""
    pairs = self.pairs[stage].values()
    for column in SUMS:
      known = [(a[column], b[column]) for a, b in pairs if column in a and column in b]
      if known and any(map(any, known)):
        yield (column, sum(a for a, _ in known), sum(b for _, b in known), sum(a < b for a, b in known),
               sum(a > b for a, b in known))

  def ratio(self, stage):
    """Of instructions, in the geometric mean."""
    logs = [math.log(a['instructions'] / b['instructions']) for a, b in self.pairs[stage].values()
            if a['instructions'] and b['instructions']]
    return math.exp(statistics.fmean(logs)) if logs else math.nan

  def extremes(self, stage, count):
    """Those with the most instructions more than the other, and those with the most fewer."""
    rows = sorted(((a['instructions'] - b['instructions'], name, a['instructions'], b['instructions'])
                   for name, (a, b) in self.pairs[stage].items()), key=lambda row: (-row[0], row[1]))
    return [r for r in rows[:count] if r[0] > 0], [r for r in rows[:-count - 1:-1] if r[0] < 0]


def percent(a, b):
  return f'{100 * (a - b) / b:+.1f}%' if b else '' if a == b else 'new'


def print_comparison(comparison, driver, listed):
  for k, name in enumerate(('indium', driver)):
    names = comparison.refused[k]
    print(f'{name} refuses {len(names)}' + (f': {", ".join(names[:listed])}' if names else ''))
  for stage in STAGES:
    if not comparison.pairs[stage]:
      continue
    print(f'== {len(comparison.pairs[stage])} {stage} shaders; instructions in the geometric mean '
          f'{comparison.ratio(stage):.3f} of {driver}\'s')
    for column, a, b, fewer, more in comparison.table(stage):
      print(f'{column:14} {a:>9} {b:>9} {percent(a, b):>8}  {fewer} fewer, {more} more')
    for title, rows in zip(('longer', 'shorter'), comparison.extremes(stage, listed)):
      for _, name, a, b in rows:
        print(f'  {title}: {name}: {a}, {b}')
  times = [statistics.median(side) for side in zip(*comparison.both)]
  if times:
    print(f'a pipeline, median: {times[0]:.3f} ms, {times[1]:.3f} ms')


def save(path, driver, comparison):
  columns = dict.fromkeys(c for pairs in comparison.pairs.values() for a, b in pairs.values() for c in [*a, *b])
  with open(path, 'w', encoding='utf-8', newline='') as file:
    writer = csv.DictWriter(file, ['driver', 'stage', 'shader', *columns], restval='')
    writer.writeheader()
    for stage, pairs in comparison.pairs.items():
      for name, both in pairs.items():
        for side, row in zip(('indium', driver), both):
          writer.writerow({'driver': side, 'stage': stage, 'shader': name, **row})


def markdown(comparison, driver, listed):
  yield f'| {driver.gpu}, {driver.name} ({driver.version()}) | column | ours | theirs | | fewer, more |\n'
  yield '|---|---|---|---|---|---|\n'
  for stage in STAGES:
    what = f'{len(comparison.pairs[stage])} {stage}: {comparison.ratio(stage):.2f}'
    for column, a, b, fewer, more in comparison.table(stage):
      yield f'| {what} | {column} | {a:,} | {b:,} | {percent(a, b)} | {fewer}, {more} |\n'
      what = ''
  yield '\n'
  for stage in STAGES:
    for title, rows in zip(('Longer', 'Shorter'), comparison.extremes(stage, listed)):
      if rows:
        names = ', '.join(f'`{pathlib.PurePath(name).name.removesuffix(".spv")}` {a} ({b})' for _, name, a, b in rows)
        yield f'{title}, {stage}: {names}.\n'
  yield '\n'


def publish(texts):
  before, _, rest = PAGE.read_text().partition(MARKS[0])
  after = rest.partition(MARKS[1])[2]
  PAGE.write_text(before + MARKS[0] + ''.join(texts) + MARKS[1] + after)


def main(args, modules, plain):
  """The exit status: 77 if a driver is not here. modules: name -> SPIR-V."""
  build, texts = ROOT / 'build', []
  queue, alone = pipelines(modules, plain)
  print(f'{len(queue)} pipelines; {len(alone)} modules stand in none')
  for name in args.driver:
    gpu = args.gpu or ('m1' if name in ('honeykrisp', 'asahi-gl') else 'navi21')
    driver = Driver(build, name, gpu)
    try:
      theirs = driver.measure_all(queue)
    except Missing as missing:
      print(f'bin/shader-db: {missing}', file=sys.stderr)
      return NOT_FETCHED
    comparison = Comparison(queue, Driver(build, 'indium', gpu).measure_all(queue), theirs)
    print(f'== indium and {name} ({driver.version()}) on {gpu}')
    print_comparison(comparison, name, args.list)
    if args.save:
      save(args.save, name, comparison)
    texts += markdown(comparison, driver, args.list)
  if args.publish:
    publish(texts)
  return 0
