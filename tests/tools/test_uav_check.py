#!/usr/bin/python3
"""indium uav FILE on streams written by hand, from the manuals' places of bits: test_uav_check.py INDIUM."""
import pathlib
import re
import subprocess
import sys
import tempfile

BATCH, KERNEL = 0x1000, 0x8000
NAMES = {0x7810: '3DSTATE_VS', 0x7820: '3DSTATE_PS', 0x784F: '3DSTATE_PS_EXTRA', 0x784D: '3DSTATE_PS_BLEND',
         0x7814: '3DSTATE_WM', 0x7852: '3DSTATE_WM_HZ_OP', 0x7A00: 'PIPE_CONTROL', 0x7B00: '3DPRIMITIVE',
         0x0500: 'MI_BATCH_BUFFER_END'}


def packet(header, length, **bits):
  """dwN=value: the dwords that are not zero."""
  words = [header << 16 | (length - 2 if length > 1 else 0)] + [0] * (length - 1)
  for name, value in bits.items():
    words[int(name[2:])] |= value
  return words


DRAW = packet(0x7B00, 7, dw2=3)
STALL = packet(0x7A00, 6, dw1=1 << 20)
VS = packet(0x7810, 9, dw3=1 << 12, dw7=1)  # accesses UAV, and is on
PS = packet(0x7820, 12, dw1=KERNEL, dw6=1)  # of 8 lanes
RUNS = packet(0x784F, 2, dw1=1 << 31)
TARGET = packet(0x784D, 2, dw1=1 << 30)
FORCED = packet(0x7814, 2, dw1=2 << 19)
CLEAR = packet(0x7852, 5, dw1=1 << 30)
HAS_UAV = packet(0x784F, 2, dw1=1 << 31 | 1 << 2)
WRITE = packet(0x7A00, 6, dw1=1 << 14)
# A typed write through data port 1, and a message to the render cache that ends the thread.
STORE = [0x31 | 12 << 24, 0, 3 << 25, 13 << 14, 0x31 | 5 << 24, 0, 3 << 25, 1 << 31 | 12 << 14]
LOSES = 'loses stores to memory: the pixel shader does not run'
HANGS = r'can hang: only the vertex shader says .*\(lost-vs-flush\)'
NEEDLESS = 'flushes without need: PS says that it accesses UAVs'
# What is run, chip, packets, findings (draw, text), exit status.
ROWS = [
  ('nothing', 'bdw', [DRAW], [], 0),
  ('a store', 'bdw', [PS, RUNS, DRAW], [(1, LOSES)], 1),
  ('with a target', 'bdw', [PS, RUNS, TARGET, DRAW], [], 0),
  ('with force', 'skl', [PS, RUNS, FORCED, DRAW], [], 0),
  ('with the bit', 'skl', [PS, HAS_UAV, DRAW], [], 0),
  ('with the bit and a target', 'skl', [PS, HAS_UAV, TARGET, DRAW], [(1, NEEDLESS)], 0),
  ('the mail', 'bdw', [VS, DRAW, DRAW], [(2, HANGS)], 1),
  ('the mail with a stall', 'bdw', [VS, DRAW, STALL, DRAW], [], 0),
  ('the mail on Skylake', 'skl', [VS, DRAW, DRAW], [], 0),
  ('HiZ', 'skl', [FORCED, CLEAR, WRITE], [(1, r'can hang: threads are forced .*\(forced-dispatch-hiz\)')], 1),
  ('HiZ without force', 'skl', [CLEAR, WRITE], [], 0),
  ('HiZ on Broadwell', 'bdw', [FORCED, CLEAR, WRITE], [], 0),
]


def text_of(chip, packets):
  lines, at = ['indium intel stream 1', f'chip {chip}', f'submit 1 context 1 render {BATCH:x}'], BATCH
  for words in packets + [[0x05000000]]:
    lines.append(f'  packet {at:x} {NAMES[words[0] >> 16]} ' + ' '.join(f'{word:08x}' for word in words))
    at += 4 * len(words)
  return '\n'.join(lines + [f'  words {KERNEL:x} ' + ' '.join(f'{word:08x}' for word in STORE)]) + '\n'


def main():
  with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / 'stream.txt'
    for name, chip, packets, findings, status in ROWS:
      file.write_text(text_of(chip, packets))
      done = subprocess.run([sys.argv[1], 'uav', file], capture_output=True, text=True, timeout=60)
      assert done.returncode == status and not done.stderr, (name, done)
      found = [line for line in done.stdout.splitlines() if re.search('loses|can hang:|flushes without need:', line)]
      found = [line for line in found if not line.startswith('found:')]
      # A vertex shader with the bit always flushes, which nobody needs; that is not what these rows are about.
      found = [line for line in found if 'need: VS' not in line]
      assert len(found) == len(findings), (name, done.stdout)
      for line, (draw, message) in zip(found, findings):
        assert re.search(f'(draw|operation) {draw} at 0x[0-9a-f]+: {message}', line), (name, line)
  print('fine')


if __name__ == '__main__':
  main()
