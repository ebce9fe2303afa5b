"""The command lines of the scripts that are Python: as argparse has them, but wrong use is one line."""
import argparse
import errno
import os
import pathlib
import re
import shutil
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Parser(argparse.ArgumentParser):
  """doc: the script's docstring, printed by --help as it is, what follows `usage: ` in it first."""

  def __init__(self, doc=None, **more):
    if doc:
      usage = re.search(r'(?ms)^usage: (.*?)\n(?:\n|\Z)', doc)
      more = {'description': doc.replace(usage[0], '') if usage else doc, 'usage': usage and usage[1],
              'formatter_class': argparse.RawDescriptionHelpFormatter} | more
    super().__init__(**more)

  def error(self, message):
    self.exit(2, f'{self.prog}: {message} (see: {self.prog} --help)\n')


def readable(path):
  """Why a file cannot be read, or ''."""
  if os.path.isdir(path):
    return os.strerror(errno.EISDIR)
  try:
    with open(path, 'rb'):
      return ''
  except OSError as error:
    return error.strerror


def input_file(path):
  """An argument's type: a file that can be read."""
  why = readable(path)
  if why:
    raise argparse.ArgumentTypeError(f'cannot read {path}: {why}')
  return path


def input_folder(path):
  """An argument's type: a folder."""
  if not os.path.isdir(path):
    why = os.strerror(errno.ENOTDIR) if os.path.exists(path) else os.strerror(errno.ENOENT)
    raise argparse.ArgumentTypeError(f'cannot read {path}: {why}')
  return path


def chip(name):
  """An argument's type: a chip of the tables."""
  names = [row['name'] for path in sorted(ROOT.glob('src/*/hw/chips.toml'))
           for row in tomllib.loads(path.read_text())['chip']]
  if name not in names:
    raise argparse.ArgumentTypeError(f'no chip is called "{name}"; there are: {" ".join(names)}')
  return name


def driver(name):
  """An argument's type: a driver that indium run knows by name."""
  table = (ROOT / 'src/tools/launch/driver_table.h').read_text()
  names = ''.join(re.findall(r'"([\w|-]+)"', re.search(r'#define DRIVER_NAMES (.*?)\n\n', table, re.S)[1])).split('|')
  if name not in names:
    raise argparse.ArgumentTypeError(f'there is no driver "{name}"; there are: {" ".join(names)}')
  return name


def progress(done, total, what=''):
  """A line on a terminal that the next one replaces; whatever is printed otherwise comes after wipe()."""
  if sys.stderr.isatty():
    text = f'{done}/{total} {what}'.strip()
    print('\r\033[K' + text[:shutil.get_terminal_size().columns - 1], end='', file=sys.stderr, flush=True)


def wipe():
  """Takes the line of progress away."""
  if sys.stderr.isatty():
    print('\r\033[K', end='', file=sys.stderr, flush=True)
