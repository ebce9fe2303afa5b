#!/usr/bin/python3
"""Has made recordings/ and traces/ here, and checks that it makes them again from observed.tar.xz: what Honeykrisp
26.1.6 and the asahi GL driver of the same Mesa submitted under a preload that answers the kernel interface and does
no work, and what they say themselves of it (ASAHI_MESA_DEBUG=trace).

Usage: observed.py ARCHIVE [--write]. ARCHIVE has NAME-submitN.txt, with command buffer, streams, what is reached from
them, and the bindings of the address space; bytes that it does not show are zero in the recording. NAME-trace.txt is
what the driver has written; records and fields are kept of it. NAME-submitN.mem.txt is for ../sim/observed.py.
"""
import pathlib
import re
import struct
import sys
import tarfile

WIDTH = 118
FILES = 16
SAME_AS_ANOTHER = {'triangle-spill-submit0.txt'}
BINDING = re.compile(r'  va 0x(\w+) range 0x(\w+) bo (\d+) off 0x(\w+)')
WORDS = r'((?:[0-9a-f]{8}\s?)+)'


def packed(words):
  return b''.join(struct.pack('<I', int(word, 16)) for word in words.split())


class Observed:
  def __init__(self, text):
    self.lines = text.splitlines()
    self.commands, self.bytes, self.bindings, self.usc = b'', {}, [], None
    self.next = self.code = None  # where bytes of the lines that follow go
    self.arrays = {}
    for line in self.lines:
      self.line(line)

  def put(self, va, data):
    for i, byte in enumerate(data):
      if self.bytes.setdefault(va + i, byte) != byte:
        sys.exit(f'two values at {va + i:x}')

  def line(self, line):
    for pattern, action in self.PATTERNS:
      match = re.match(pattern, line)
      if match:
        action(self, match)
        return

  def command(self, match):
    values = [int(value, 0) for value in match.groups()]
    self.commands += struct.pack('<4H', *values)

  def payload(self, match):
    self.commands += packed(match[1])

  def array(self, match):
    self.arrays[match[1]] = int(match[2], 16)

  def block(self, match):
    self.put(int(match[1], 16), packed(match[2]))

  def ppp(self, match):
    self.put(int(match[1], 16), packed(match[2]))
    self.next = int(match[1], 16) + 4

  def ppp_part(self, match):
    self.follow(packed(match[1]))

  def follow(self, data):
    self.put(self.next, data)
    self.next += len(data)

  def usc_list(self, match):
    self.next = int(match[2], 16)
    self.usc = self.next - (int(match[1], 16) & ~0x3f)

  def usc_word(self, match):
    self.follow(bytes.fromhex(match[1]))
    pointed = re.search(r'(?:from|at) 0x(\w+)', match[2])
    self.state = int(pointed[1], 16) if pointed else None
    data = re.search(r'= (\w+)$', match[2])
    if pointed and data:
      self.put(self.state, bytes.fromhex(data[1]))

  def texture_or_sampler(self, match):
    data = packed(match[1])
    self.put(self.state, data)
    self.state += len(data)

  def program(self, match):
    self.code = int(match[1], 16)

  def program_bytes(self, match):
    data = bytes.fromhex(match[1])
    self.put(self.code, data)
    self.code += len(data)

  def cf_bindings(self, match):
    self.put(int(match[1], 16), packed(match[2]))

  def named_array(self, match):
    data = packed(match[2])
    self.put(self.arrays[{'scissor': 'isp_scissor_base', 'dbias': 'isp_dbias_base'}[match[1]]], data)

  def binding(self, match):
    self.bindings.append(tuple(int(value, 16 if i != 2 else 10) for i, value in enumerate(match.groups())))

  PATTERNS = [
    (r'command type (\w+) size (\w+) vdm_barrier (\w+) cdm_barrier (\w+)', command),
    (r'  raw ' + WORDS, payload),
    (r'  \+ *\d+ (isp_scissor_base|isp_dbias_base) = 0x(\w+)', array),
    (r'([0-9a-f]+): ' + WORDS, block),
    (r' PPP record va 0x(\w+) .* header (\w{8})', ppp),
    (r' USC list .* ptr 0x(\w+) .*va 0x(\w+)', usc_list),
    (r'    (?:ts|ss)\d+: ' + WORDS, texture_or_sampler),
    (r'    ([0-9a-f]+)$', program_bytes),
    (r'  code .* va 0x(\w+)', program),
    (r'  CF bindings va 0x(\w+) .*?: ' + WORDS, cf_bindings),
    (r'  ((?:[0-9a-f]{2}){2,8}) +([A-Z].*)', usc_word),
    (r'  ' + WORDS + r' \w+$', ppp_part),
    (r'(scissor|dbias) array: ' + WORDS, named_array),
    (BINDING.pattern, binding),
  ]

  def words(self, first, last):
    """(va, words) of the runs in a range that are not zero."""
    found, runs = sorted({va & ~3 for va, byte in self.bytes.items() if first <= va < last and byte}), []
    for va in found:
      word = struct.unpack('<I', bytes(self.bytes.get(va + i, 0) for i in range(4)))[0]
      if not runs or va != runs[-1][0] + 4 * len(runs[-1][1]):
        runs.append((va, []))
      runs[-1][1].append(word)
    return runs


def lines_of(words):
  return ['  ' + ' '.join(f'{word:08x}' for word in words[i:i + 8]) for i in range(0, len(words), 8)]


def read(archive):
  """name -> text"""
  with tarfile.open(archive) as tar:
    return {member.name: tar.extractfile(member).read().decode() for member in tar}


def recording(name, text, chip):
  observed = Observed(text)
  lines = [f'# {name}: a submission of Mesa 26.1.6, observed without the hardware; made by observed.py.',
           'indium recording 1', f'device asahi {chip}']
  number, bound = 0, set()
  for va, size_B, _, _ in observed.bindings:
    runs = observed.words(va, va + size_B)
    if not any(va <= at < va + size_B for at in observed.bytes):
      continue
    number += 1
    bound |= {at + 4 * i for at, words in runs for i in range(len(words))}
    access = 'rx' if observed.usc <= va < observed.usc + (1 << 32) else 'rw'
    lines += [f'memory {number} 0x{size_B:x}', f'map 1 0x{va:x} 0x{size_B:x} {access} {number} 0x0']
    for at, words in runs:
      lines += [f'write {number} 0x{at - va:x}', *lines_of(words)]
  lost = {va & ~3 for va, byte in observed.bytes.items() if byte} - bound
  if lost:
    sys.exit(f'{name}: 0x{min(lost):x} is not bound')
  words = struct.unpack(f'<{len(observed.commands) // 4}I', observed.commands)
  lines += ['submit 1 queue', f'  usc 0x{observed.usc:x}', *(f'  words{text[1:]}' for text in lines_of(words))]
  return '\n'.join(lines) + '\n'


FIELD = re.compile(r'  ([A-Z].*): (\S.*)$')
INSTRUCTION = re.compile(r' +[0-9a-f]+: (?:[0-9a-f]{4}){1,6} +([a-z].*)$')
COMMAND_FIELD = re.compile(r'(\w[\w.]*) = (\w+)$')


def trace(name, text):
  """Each record: its name and its fields; lines with a blank first continue. "tsN:" tells which state follows, and
  instructions stand after '>'."""
  lines = [f'# {name}: what Mesa 26.1.6 says of what it has submitted; made by observed.py.']
  for line in text.splitlines():
    field, command, instruction = FIELD.match(line), COMMAND_FIELD.match(line), INSTRUCTION.match(line)
    if field:
      lines[-1] += f'|{field[1]}={field[2]}'
    elif command:
      lines.append(f'{command[1]}|={command[2]}')
    elif instruction:
      lines.append('>' + ' '.join(instruction[1].split()))
    elif re.match(r'[A-Za-z][^(=]*$', line):
      lines.append(line.strip())
  kept = [line for line in lines if '|' in line or re.match(r'#|>|ts\d+:', line)]
  return ''.join(text + '\n' for line in kept for text in wrapped(line))


def wrapped(line):
  """Lines of at most 118 characters."""
  lines = ['']
  for i, field in enumerate(line.split('|')):
    text = f'|{field}' if i else field
    if len(lines[-1] + text) > WIDTH:
      lines.append(' ')
    lines[-1] += text
  return lines


def main():
  here = pathlib.Path(__file__).resolve().parent
  seen = read(sys.argv[1])
  texts = {f'recordings/{name}': recording(name, text, 'g14c' if 'g14c' in name else 'g13g')
           for name, text in seen.items() if re.search(r'-submit\d\.txt$', name) and name not in SAME_AS_ANOTHER}
  texts |= {f'traces/{name.replace("-trace", "")}': trace(name, text)
            for name, text in seen.items() if name.endswith('-trace.txt')}
  for name, text in texts.items():
    if '--write' in sys.argv:
      (here / name).parent.mkdir(exist_ok=True)
      (here / name).write_text(text)
    elif (here / name).read_text() != text:
      print(f'{name} is not what {sys.argv[1]} says')
      return 1
  print(f'{len(texts)} files')
  return len(texts) != FILES


if __name__ == '__main__':
  sys.exit(main())
