"""Runs many test processes in parallel, each with a time limit, for bin/piglit.py and bin/igt.py."""
import concurrent.futures
import os
import re
import resource
import signal
import subprocess
import threading

NOT_HERE = 77
FAULT = re.compile(r'indium: GPU fault: (?:context \d+, \w+ ring \d+, submit \d+: )?(.*)')


class Stop(Exception):
  def __init__(self, text, status=2):
    super().__init__(text)
    self.status = status


class Processes:
  """limit_s: processor time of a process; `patience` times that is its wall-clock limit."""

  def __init__(self, limit_s, patience):
    self.limit_s, self.patience, self.live = limit_s, patience, set()

  def run(self, words, limit_s=None, **more):
    """The output, and the status; None after the time limit. Kills what the process leaves running."""
    limit_s = limit_s or self.limit_s
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          start_new_session=True, **more) as process:
      self.live.add(process.pid)
      try:
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (limit_s, limit_s + 1))
        text = process.communicate(timeout=limit_s * self.patience)[0].decode(errors='replace')
        over = process.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU)
        return text, None if over else process.returncode
      except subprocess.TimeoutExpired:
        self.kill(process.pid)
        return process.communicate()[0].decode(errors='replace'), None
      finally:
        self.kill(process.pid)
        self.live.discard(process.pid)

  @staticmethod
  def kill(pid):
    try:
      os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
      pass

  def stop(self):
    for pid in list(self.live):
      self.kill(pid)


def run_all(processes, units, run_unit, done, jobs):
  """run_unit(unit) yields rows; calls done(*row) for each, from one thread at a time."""
  lock = threading.Lock()

  def one(unit):
    for row in run_unit(unit):
      with lock:
        done(*row)

  with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
    futures = [pool.submit(one, unit) for unit in units]
    try:
      for future in concurrent.futures.as_completed(futures):
        future.result()
    except BaseException:
      pool.shutdown(wait=False, cancel_futures=True)
      processes.stop()
      raise
