#!/usr/bin/python3
"""What Debian's RADV and radeonsi write on a chip decodes by the tables without an unknown packet, register, bit or
value.

Usage: foreign_streams.py INDIUM CHIP GL_STATES.PY TRIANGLE STATES TEXTURES PROGRAM...

The shim's noop mode lists what is submitted and runs nothing, so the programs that compare what they get (PROGRAM)
may fail; all must come to their end.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

NO_EGL = 77
# Of all streams together.
PACKETS = {'ACQUIRE_MEM', 'DISPATCH_DIRECT', 'DMA_DATA', 'DRAW_INDEX_2', 'DRAW_INDEX_AUTO', 'EVENT_WRITE',
           'INDIRECT_BUFFER', 'RELEASE_MEM', 'SET_CONTEXT_REG', 'SET_SH_REG', 'SET_UCONFIG_REG', 'WRITE_DATA'}
GL_PACKETS = {'DISPATCH_INDIRECT', 'DRAW_INDEX_INDIRECT_MULTI', 'DRAW_INDIRECT_MULTI', 'SET_PREDICATION'}
LEAST_REGISTERS = 250
# What the drivers should not write: why they do.
MISTAKES = {}


class Listing:
  """What all runs wrote."""

  def __init__(self, indium, chip):
    self.command = [indium, 'run', '--mode', 'noop', '--gpu', chip]
    self.packets, self.registers, self.faults = set(), set(), []

  def run(self, program, driver, environment, statuses):
    with tempfile.TemporaryDirectory() as folder:
      listing = pathlib.Path(folder) / 'listing'
      done = subprocess.run(self.command + ['--driver', *driver, '--dump-state', listing, '--', *program],
                            env=os.environ | environment, capture_output=True, text=True, timeout=120, check=False)
      if done.returncode not in statuses:
        self.faults.append(f'{program}: status {done.returncode}: {done.stderr[-300:]}')
      self.read(listing, program)
    return done

  def read(self, listing, program):
    before = ''
    for line in listing.read_text().splitlines():
      word = line.split(maxsplit=1)[0]
      if line in MISTAKES:
        continue
      if word == 'unknown:':
        self.faults.append(f'{os.path.basename(program[0])}: {line} (after {before[:60]})')
        continue
      before = line
      if word == 'packet':
        self.packets.add(line.split()[1])
      elif word != 'buffer':
        self.registers.add(word)


def check(indium, chip, gl_states, programs):
  listing = Listing(indium, chip)
  wanted = PACKETS
  for n, program in enumerate(programs):
    # All that RADV does; once also what --plain leaves.
    listing.run(program, ['radv'], {}, (0,) if '-o' in program else (0, 1))
    if not n:
      listing.run(program, ['radv', '--plain'], {}, (0,))
  for options in [], ['--plain=geometry']:
    gl = listing.run([sys.executable, gl_states], ['radv', *options], {'EGL_PLATFORM': 'surfaceless'}, (0, NO_EGL))
  if gl.returncode == 0:
    wanted = PACKETS | GL_PACKETS
    if 'LLVM' not in gl.stdout or 'llvmpipe' in gl.stdout:
      listing.faults.append(f'not radeonsi: {gl.stdout}')
  if wanted - listing.packets or len(listing.registers) < LEAST_REGISTERS:
    listing.faults.append(f'{len(listing.registers)} registers; not seen: {wanted - listing.packets}')
  print(f'{chip}: {len(listing.packets)} packets, {len(listing.registers)} registers, {len(listing.faults)} faults')
  for fault in sorted(set(listing.faults))[:20]:
    print(f'   {fault}')
  return bool(listing.faults)


def main():
  indium, chip, gl_states, triangle, states, textures, *rest = sys.argv[1:]
  pictures = [[triangle], [states], [states, '--samples', '4'], [textures]]
  programs = [p + ['-o', '/dev/null'] for p in pictures] + [[p] for p in rest]
  return check(indium, chip, gl_states, programs)


if __name__ == '__main__':
  sys.exit(main())
