#!/usr/bin/python3
"""Has made recordings/ here, and checks that it makes them again from ../lib/observed.tar.xz: submissions of Mesa
26.1.6, observed under a preload that answers the kernel interface and does no work (see ../lib/observed.py), with all
memory that their address space shows, so that they can be run.

Usage: observed.py ARCHIVE [--write]. ARCHIVE has NAME.txt with the command buffer and the bindings, and NAME.mem.txt
with the memory that is not zero; of bindings of 4 MiB and more it has none.
"""
import itertools
import pathlib
import re
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'lib'))
import observed  # noqa: E402

NAMES = ['compute-submit0', 'compute-spill-submit0', 'gles-submit0', 'scene-submit0', 'triangle-submit0']
BINDING = re.compile(r'  va 0x(\w+) range 0x(\w+) bo (\d+) off 0x(\w+) bindflags (\d+)')
READ, WRITE = 2, 4


def memory_of(text):
  """va -> word, of those that are not zero."""
  words = {}
  for line in text.splitlines():
    if line.startswith('#'):
      continue
    va, data = line.split(': ')
    for i, (word,) in enumerate(struct.iter_unpack('<I', bytes.fromhex(data))):
      if word:
        words[int(va, 16) + 4 * i] = word
  return words


def runs_of(words):
  """(offset_B, [word]) of words that follow each other."""
  runs = []
  for at in sorted(words):
    if not runs or at != runs[-1][0] + 4 * len(runs[-1][1]):
      runs.append((at, []))
    runs[-1][1].append(words[at])
  return runs


def lines_of(words):
  texts = []
  for word, group in itertools.groupby(words):
    count = len(list(group))
    texts += [f'{word:08x}*{count}'] if count > 3 else [f'{word:08x}'] * count
  return ['  ' + ' '.join(texts[i:i + 8]) for i in range(0, len(texts), 8)]


def recording(files, name):
  source = files[f'{name}.txt']
  seen, memory = observed.Observed(source), memory_of(files[f'{name}.mem.txt'])
  bindings = [tuple(int(value, 10 if i in (2, 4) else 16) for i, value in enumerate(match.groups()))
              for match in map(BINDING.match, source.splitlines()) if match]
  lines = [f'# {name}.txt: a submission of Mesa 26.1.6 with all memory that it finds, observed without the '
           'hardware;', '# made by observed.py.', 'indium recording 1', 'device asahi g13g']
  for bo in sorted({binding[2] for binding in bindings}):
    of_bo = [binding for binding in bindings if binding[2] == bo]
    lines.append(f'memory {bo} 0x{max(offset + size for _, size, _, offset, _ in of_bo):x}')
    words = {}
    for va, size, _, offset, flags in of_bo:
      access = 'r' * bool(flags & READ) + 'w' * bool(flags & WRITE) + 'x' * bool(flags & READ)
      lines.append(f'map 1 0x{va:x} 0x{size:x} {access} {bo} 0x{offset:x}')
      words.update({offset + at - va: memory.pop(at) for at in [at for at in memory if va <= at < va + size]})
    for at, run in runs_of(words):
      lines += [f'write {bo} 0x{at:x}', *lines_of(run)]
  if memory:
    sys.exit(f'{name}: 0x{min(memory):x} is not bound')
  commands = struct.unpack(f'<{len(seen.commands) // 4}I', seen.commands)
  lines += ['submit 1 queue', f'  usc 0x{seen.usc:x}']
  lines += [f'  words{text[1:]}' for text in observed.lines_of(commands)]
  return '\n'.join(lines) + '\n'


def main():
  here, files = pathlib.Path(__file__).resolve().parent / 'recordings', observed.read(sys.argv[1])
  status = 0
  for name in NAMES:
    text, path = recording(files, name), here / f'{name}.txt'
    if '--write' in sys.argv:
      path.write_text(text)
    elif path.read_text() != text:
      print(f'{path} is another')
      status = 1
  return status


if __name__ == '__main__':
  sys.exit(main())
