#!/usr/bin/python3
"""Command lines, of all commands alike: test_command_lines.py INDIUM.

Help: --help and -h of every script of bin/ and of every command of indium print something and touch nothing. Wrong
use: options that are not there, and files that are not there, empty, folders, noise or may not be read, are one line
that says what is wrong, status 2, and nothing on stdout.
"""
import collections
import os
import pathlib
import pty
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
INDIUM = os.path.abspath(sys.argv[1])
# Programs that install, build, fetch or draw: none of them may start.
OTHERS = ['apt-get', 'dpkg-query', 'gcc', 'git', 'meson', 'ninja', 'pkg-config', 'sudo', 'glslangValidator',
          'clang-format-19', 'clang-tidy-19', 'Xvfb']
SUITES = ['deqp', 'matrix', 'piglit', 'igt', 'interlock']  # of bin/conformance
OTHER_USER = ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups'] if os.getuid() == 0 else []

Done = collections.namedtuple('Done', 'status out err')


def call(words, **more):
  done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors='replace', timeout=60,
                        **more)
  return Done(done.returncode, done.stdout, done.stderr)


class Tree:
  """A copy of bin/ next to the rest of the source tree, without a build unless one is linked, and stand-ins for
  OTHERS that write down that they were started."""

  def __init__(self, folder, built):
    self.folder = pathlib.Path(folder)
    self.root = self.folder / 'tree'
    shutil.copytree(ROOT / 'bin', self.root / 'bin', ignore=shutil.ignore_patterns('__pycache__'))
    for name in ('debian', 'docs', 'src', 'tests'):
      (self.root / name).symlink_to(ROOT / name)
    if built:
      (self.root / 'build/src/tools').mkdir(parents=True)
      (self.root / 'build/src/tools/indium').symlink_to(INDIUM)
    (self.folder / 'path').mkdir()
    for name in OTHERS:
      (self.folder / 'path' / name).write_text(f'#!/bin/sh\necho {name} "$@" >>{self.folder}/started\nexit 1\n')
      (self.folder / 'path' / name).chmod(0o755)
    self.before = self.listing()

  def listing(self):
    return sorted((str(p), p.stat().st_mtime_ns) for p in self.root.rglob('*') if not p.is_symlink())

  def run(self, *words):
    path = f'{self.folder / "path"}:{os.environ["PATH"]}'
    return call([self.root / 'bin' / words[0], *words[1:]], cwd=self.root, env={**os.environ, 'PATH': path})

  def touched(self):
    """What has been started or changed, or ''."""
    started = self.folder / 'started'
    return started.read_text() if started.exists() else '' if self.listing() == self.before else 'its files'


def scripts():
  return sorted(p.name for p in (ROOT / 'bin').iterdir() if p.is_file() and os.access(p, os.X_OK))


def commands():
  return re.findall(r'(?m)^  (\w+) ', call([INDIUM, '--help']).out)


def check_help():
  """How many helps there are."""
  count = 0
  for built in (False, True):
    with tempfile.TemporaryDirectory() as folder:
      tree = Tree(folder, built)
      lines = [[name] for name in scripts()] + [['conformance', suite] for suite in SUITES]
      lines += [['indium', command] for command in commands()]
      for line in [words + [word] for words in lines for word in ('--help', '-h')] + [['indium', 'help']]:
        done = tree.run(*line)
        assert (done.status, done.err) == (0, '') and 'usage: ' in done.out, (line, done)
        assert not tree.touched(), (line, tree.touched())
        count += 1
  for command in commands():
    for word in ('--help', '-h'):
      done = call([INDIUM, command, word])
      assert (done.status, done.err) == (0, '') and done.out.startswith(f'usage: indium {command}'), done
  return count


# Of scripts; FILE stands for each of FILES.
WRONG = [
  *([name, '--no-such-option'] for name in scripts() if name != 'indium'),
  *(['conformance', suite, '--no-such-option'] for suite in SUITES),
  ['conformance'], ['conformance', 'nope'],
  *(['conformance', suite, '--gpu', 'foo'] for suite in SUITES), ['conformance', 'deqp'],
  ['conformance', 'deqp', '--list', 'FILE'], ['conformance', 'deqp', '--sample', '0', '--group', 'x'],
  ['conformance', 'matrix', '--jobs', '0'], ['conformance', 'matrix', '--program', 'foo'],
  ['conformance', 'matrix', '--driver', 'foo'],
  ['bench', '--gpu', 'foo'], ['bench', 'foo'], ['bench', '--rounds', '0'], ['bench', '--gpu'],
  ['check_layers.py', '/nowhere'], ['check_layers.py', 'README.md'], ['check_size.py', 'x'],
  ['check_generations.py', 'x'], ['check_switches.py', 'x'], ['coverage', '--suite'], ['demo', '--width'],
  ['demo', '--width', '0'], ['demo', 'x'], ['faults', 'x'], ['format', 'nope.c'], ['format', '--check', 'bin'],
  ['headers', 'x'], ['offers', 'x'], ['offers', '--compare', 'navi21'], ['offers', '--compare', 'navi21', 'FILE'],
  ['offers', '--compare', 'foo', '/dev/null'], ['offers', '--record', '/nowhere'], ['packages', 'a', 'b'],
  ['packages', 'bin/packages'], ['peers', 'foo'], ['peers', '--list', 'mesa25'], ['peers', '--update', 'foo'],
  ['ran'], ['ran', '/nowhere'], ['ran', 'bin/ran'], ['ran', 'bin'], ['setup', '--packaging', 'x'],
  ['shader-db', 'FILE'], ['shader-db', 'FILE', 'FILE'], ['shader-db', 'bin'],
  ['shader-db', '--list', 'x'], ['shader-db', '--gpu', 'foo'],
  ['shader-db', '--gpu', 'm1'], ['shader-db', '--save', '/nowhere/file', 'FILE'], ['shader-db', 'a', 'b', 'c'],
  ['shader-db', '--driver', 'foo'], ['status', 'x'], ['test', 'x'], ['test', '--quick', '--full'], ['tidy', 'nope.c'],
  ['tidy', 'bin'],
]
# Of indium. A reader of lines names the line of a file that is none; glslangValidator has lines of its own for what
# it does not compile; code may be any bytes.
FILES = {'nope': 'No such file or directory', 'folder': 'Is a directory', 'secret': 'Permission denied', 'empty': '',
         'noise': ''}
READ = [
  ['decode', 'FILE'], ['replay', 'FILE'], ['disasm', '--gpu', 'm1', 'FILE'], ['disasm', '--gpu', 'navi21', 'FILE'],
  *(['shader', f'FILE{end}'] for end in ('', '.spv', '.nir', '.aco', '.agx', '.frag', '.comp')),
  ['trace', 'FILE'], ['trace', 'FILE', '--plot', '/dev/null/x.png'], ['uav', 'FILE'], ['uav', '--explain', 'FILE'],
  ['order', '--explain', 'FILE'], ['order', '--check', '--replay', 'FILE'], ['varyings', 'FILE', 'FILE'],
  ['varyings', 'FILE.vert', 'FILE.frag'], ['wave', 'FILE'], ['layout', '--check', 'FILE'],
  ['sparse', '4096x4096', 'VK_FORMAT_R8G8B8A8_UNORM', '--table', 'FILE'],
  ['run', '--driver', 'FILE.json', '--', 'true'],
]
MANY_LINES = {('shader', 'empty.frag'), ('shader', 'empty.comp'), ('shader', 'noise.frag'), ('shader', 'noise.comp'),
              ('varyings', 'empty.vert'), ('varyings', 'noise.vert')}
ANY_BYTES = {('disasm', 'noise')}


def make_files(folder):
  """Each with every ending that a command asks for."""
  folder.chmod(0o755)
  endings = {pathlib.PurePath(word).suffix for line in READ for word in line if word.startswith('FILE')}
  noise = random.Random(1).randbytes(3000)
  for end in endings:
    (folder / f'folder{end}').mkdir()
    for name, data in (('empty', b''), ('noise', noise), ('secret', b'x\n')):
      (folder / f'{name}{end}').write_bytes(data)
    (folder / f'secret{end}').chmod(0)


def refuse(done, line, why=''):
  """What is wrong with how the command refused, or ''."""
  known = not why or why in done.err
  one_line = len(done.err.splitlines()) == 1 and done.err.strip()
  good = done.status == 2 and not done.out and one_line and known and 'Traceback' not in done.err
  return '' if good else f'{" ".join(map(str, line))}: {done}, expected one line, status 2, {why!r}'


def with_files(line):
  """The line with each of FILES, and the reason that it must give."""
  if not any('FILE' in word for word in line):
    return [(line, '')]
  return [([word.replace('FILE', name) if word.startswith('FILE') else word for word in line], why)
          for name, why in FILES.items()]


def check_scripts():
  wrong, count = [], 0
  for line in WRONG:
    for words, why in with_files(line):
      with tempfile.TemporaryDirectory() as folder:
        tree = Tree(folder, False)
        make_files(tree.root)
        if 'secret' in words and os.getuid() == 0:
          continue  # root may read it
        if words[0] == 'shader-db' and 'folder' in words:
          why = 'none of a build'
        tree.before = tree.listing()
        done = tree.run(*words)
        wrong.append(refuse(done, words, why) or (tree.touched() and f'{words}: touched {tree.touched()}'))
        count += 1
  return wrong, count


def check_commands():
  wrong, count = [], 0
  with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    make_files(folder)
    lines = [[command, '--no-such-option'] for command in commands()]
    lines += [[command] for command in commands() if command not in ('drivers', 'gpus', 'manual', 'mutants')]
    lines += [[command, *many] for command, many in (('drivers', 'x'), ('gpus', 'x'), ('manual', 'x'))]
    for line, why in [pair for line in lines + READ for pair in with_files(line)]:
      key = line[0], next((word for word in line[1:] if word.partition('.')[0] in FILES), '')
      done = call([*OTHER_USER, INDIUM, *line], cwd=folder)
      count += 1
      if key in ANY_BYTES and done.status == 0 or key in MANY_LINES and done.status == 2:
        continue
      wrong.append(refuse(done, line, why))
  return wrong, count


def check_progress():
  """Lines of progress are for terminals."""
  python = ['/usr/bin/python3', '-Bc', 'import options; options.progress(1, 7, "cells"); options.wipe()']
  shell = ['bash', '-c', f'. {ROOT}/bin/debian.sh; progress some cells; progress']
  for words in (python, shell):
    assert call(words, cwd=ROOT / 'bin') == (0, '', ''), words
    ours, theirs = pty.openpty()
    subprocess.run(words, cwd=ROOT / 'bin', stdin=subprocess.DEVNULL, stderr=theirs, check=True, timeout=60)
    os.close(theirs)
    said = os.read(ours, 1000)
    os.close(ours)
    assert b'cells' in said and said.endswith(b'\r\x1b[K'), said


def main():
  check_progress()
  helps = check_help()
  wrong, count = check_scripts()
  more, others = check_commands()
  found = [text for text in wrong + more if text]
  print(*found, f'{helps} helps; {count + others} wrong uses, {len(found)} of them taken wrongly', sep='\n')
  return bool(found)


if __name__ == '__main__':
  sys.exit(main())
