"""Runs cases of dEQP-VK in processes of deqp-vk and reports the result of each, for `bin/conformance deqp`.

deqp-vk prints every case when it begins and when it ends. If the process dies or the time is up, the running case is
blamed and the remaining ones run in a fresh process; also after a lost device, which a process cannot recover.
"""
import collections
import dataclasses
import os
import re
import select
import signal
import subprocess
import tempfile
import threading
import time

LAVAPIPE = '/usr/share/vulkan/icd.d/lvp_icd.x86_64.json'
# What deqp-vk prints -> how a case ended.
ENDS = {'Pass': 'pass', 'NotSupported': 'not supported', 'QualityWarning': 'warning',
        'CompatibilityWarning': 'warning', 'CapabilityWarning': 'warning', 'Waiver': 'warning', 'Fail': 'fail',
        'InternalError': 'fail', 'ResourceError': 'fail', 'Pending': 'fail', 'DeviceLost': 'fail', 'Crash': 'crash',
        'Timeout': 'timeout'}
STATUSES = ['pass', 'warning', 'not supported', 'fail', 'crash', 'timeout', 'missing']
GOOD = set(STATUSES[:3])
BATCH = 200  # most cases of a process: starting one costs as much as a few dozen unsupported cases
PATIENCE = 10  # limit of wall clock, as a multiple of the processor time

BEGIN = re.compile(r"Test case '(\S+)'\.\.$")
END = re.compile(rf"  ({'|'.join(ENDS)})(?: \((.*?)\)?)?$")
REPORT = re.compile(r'indium(?: run)?: .*|FATAL ERROR: .*')
LOST = re.compile(r'VK_ERROR_DEVICE_LOST|indium: GPU fault')


class CannotStart(Exception):
  """deqp-vk ended before it began any case."""


@dataclasses.dataclass
class Case:
  name: str
  began: float = dataclasses.field(default_factory=time.monotonic)
  status: str = ''
  seconds: float = 0
  text: str = ''

  def end(self, status, text):
    self.status, self.seconds = status, time.monotonic() - self.began
    self.text = f'{text} [{self.text}]' if self.text and text else self.text or text


class Target:
  """A folder with deqp-vk and its data, and the driver to run on."""

  def __init__(self, folder, indium, driver, options=(), timeout_s=120, jobs=1):
    self.folder, self.timeout_s, self.jobs, self.live = folder, timeout_s, jobs, set()
    threads = max(1, len(os.sched_getaffinity(0)) // jobs)
    self.environment = {'INDIUM_THREADS': str(threads), 'NODEVICE_SELECT': '1', **os.environ}
    self.command = [os.path.join(folder, 'deqp-vk'), '--deqp-shadercache=disable', '--deqp-log-images=disable',
                    '--deqp-log-shader-sources=disable', '--deqp-log-flush=disable', '--deqp-log-filename=/dev/null']
    if driver == 'lavapipe':
      self.environment.update(VK_DRIVER_FILES=LAVAPIPE, VK_ICD_FILENAMES=LAVAPIPE)
    else:
      self.command = [indium, 'run', '--driver', driver, *options, '--', *self.command]

  def start(self, list_file):
    process = subprocess.Popen([*self.command, f'--deqp-caselist-file={list_file}'], cwd=self.folder,
                               env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
    self.live.add(process)
    return process


class Process:
  """One process of deqp-vk over some cases. record() gets each case that ends, or that ends the process."""

  def __init__(self, target, names, record):
    self.target, self.names, self.record = target, names, record
    self.case = None  # the one that is running, or else ended last: to blame for what happens now
    self.settled = set()
    self.process = None
    self.since = (0, 0)
    self.said = ''    # the last report outside of any case
    self.lost = self.done = self.late = False

  def run(self):
    """The cases left for another process."""
    with tempfile.NamedTemporaryFile('w', prefix='deqp-') as cases:
      cases.write('\n'.join(self.names) + '\n')
      cases.flush()
      self.process = process = self.target.start(cases.name)
      self.since = self.clocks()
      try:
        self.read(process.stdout.fileno())
        while not self.late and not self.dead() and process.poll() is None:
          time.sleep(0.005)
          self.late = self.is_late()
      finally:
        process.kill()
        process.wait()
        process.stdout.close()
        self.target.live.discard(process)
    return self.close(process.returncode)

  def clocks(self):
    """Time of day, and the processor time of deqp-vk, in seconds."""
    with open(f'/proc/{self.process.pid}/stat') as stat:
      fields = stat.read().rpartition(')')[2].split()
    return time.monotonic(), (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

  def is_late(self):
    """Processor time is independent of other load; wall clock ends a case that waits for ever."""
    day, processor = (now - then for now, then in zip(self.clocks(), self.since))
    return processor > self.target.timeout_s or day > PATIENCE * self.target.timeout_s

  def dead(self):
    """Results after this do not count: the device is lost, and the case that lost it has reported its result."""
    return self.lost and self.case.status

  def read(self, fd):
    rest = b''
    while not self.dead():
      ready = select.select([fd], [], [], 0.5)[0]
      self.late = self.is_late()
      data = os.read(fd, 1 << 16) if ready else None
      if self.late or data == b'':
        return
      if not ready:
        continue
      *lines, rest = (rest[-4096:] + data).split(b'\n')
      for line in lines:
        if not self.dead():
          self.take(line.decode(errors='replace'))

  def take(self, line):
    begin, end, report = BEGIN.search(line), END.match(line), REPORT.search(line)
    running = self.case and not self.case.status
    if begin:
      self.settle()
      self.case, self.since = Case(begin[1]), self.clocks()
    elif end and running:
      self.case.end(ENDS[end[1]], end[2] or '')
      self.since = self.clocks()
    elif report and self.case:
      self.case.text = report[0]
    elif report:
      self.said = report[0]
    elif line == 'DONE!':
      self.done = True
    if self.case and LOST.search(line):
      self.lost = True

  def settle(self):
    """The case's result is final: the process is still alive."""
    if self.case:
      if not self.case.status:
        self.case.end('crash', 'deqp-vk gave no result')
      if self.lost and self.case.status in GOOD:
        self.case.end('fail', f'{self.case.status}, but the device was lost')
      self.settled.add(self.case.name)
      self.record(self.case)
    self.case = None

  def close(self, code):
    """Blames a case for a process that ended badly; returns the cases that are left."""
    how = f'over {self.target.timeout_s} s' if self.late else f'signal {-code}' if code < 0 else f'status {code}'
    if code == -signal.SIGINT:
      raise KeyboardInterrupt
    finished = self.done and code >= 0 # 1: some case failed
    if self.case and not finished and not self.dead():
      self.case.end('timeout' if self.late else 'crash', how)
    self.settle()
    left = [name for name in self.names if name not in self.settled]
    if self.settled: # of a clean end too: deqp-vk stops early when memory is exhausted
      return left
    if not finished:
      raise CannotStart(self.said or how)
    for name in left:
      self.record(Case(name, status='missing', text='deqp-vk does not know it'))
    return []


def run(target, names, record):
  """Runs the cases in target.jobs processes at once. record(case) is called from one thread at a time."""
  size = max(1, min(BATCH, len(names) // (4 * target.jobs)))
  batches = collections.deque(names[i:i + size] for i in range(0, len(names), size))
  lock, errors, recorded = threading.Lock(), [], []

  def take(case):
    with lock:
      if not errors:
        recorded.append(case.name)
        record(case)

  def work():
    while not errors:
      try:
        batch = batches.popleft()
      except IndexError:
        return
      try:
        batch = Process(target, batch, take).run()
      except CannotStart as error: # with any case, or with one of these?
        if not recorded:
          errors.append(error)
        elif len(batch) == 1:
          take(Case(batch.pop(), status='crash', text=f'before it began: {error}'))
        else:
          batches.append(batch[len(batch) // 2:])
          batch = batch[:len(batch) // 2]
      except BaseException as error:
        errors.append(error)
      if batch:
        batches.appendleft(batch)

  workers = [threading.Thread(target=work, daemon=True) for _ in range(target.jobs)]
  for worker in workers:
    worker.start()
  while any(worker.is_alive() for worker in workers):
    try:
      time.sleep(0.05) # and no join(): an interrupted one takes its thread as ended
    except KeyboardInterrupt as error:
      errors.append(error)
    for process in list(target.live) if errors else []:
      process.kill()
  if errors:
    raise errors[0]
