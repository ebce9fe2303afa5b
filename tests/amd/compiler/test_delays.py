#!/usr/bin/python3
"""What s_delay_alu says of an instruction is so: the one that it counts back to has written what this one reads.
And no pair of operations (VOPD) has the hazard vopd-interlock (docs/errata.md).

Usage: test_delays.py INDIUM SHADER... Compiles them for GFX11 and GFX11.5 in both wave sizes, and reads the listings.
"""
import re
import subprocess
import sys

DELAY = re.compile(r'(VALU|TRANS32)_DEP_(\d)|SALU_CYCLE_(\d)')
TRANS = re.compile(r'v_(rcp|rsq|sqrt|exp|log|sin|cos)_(iflag_)?f(16|32)')
SKIPS = {'SAME': 0, 'NEXT': 1, **{f'SKIP_{n}': n + 1 for n in range(1, 5)}}
NOT_SCALAR = re.compile(r's_(waitcnt|nop|c?branch|clause|delay|barrier|sendmsg|endpgm|load|buffer|sleep|wait_)')


def registers(text):
  """Numbers after v or s, of vcc, exec and m0 the name; of "v[2:3]" both."""
  found = set()
  for file, first, last in re.findall(r'\b([vs])\[(\d+):(\d+)\]', text):
    found |= {f'{file}{n}' for n in range(int(first), int(last) + 1)}
  found |= set(re.findall(r'\b[vs]\d+\b', text))
  return found | {name for name in ('vcc', 'exec', 'm0') if re.search(rf'\b{name}(_lo|_hi)?\b', text)}


class Instruction:
  def __init__(self, text):
    self.text, self.written, self.read = text, set(), set()
    for half in text.split(' :: '):
      self.name, _, operands = half.partition(' ')
      parts = operands.split(', ')
      two = re.match(r'v_(add|sub|subrev)_co|v_mad_[iu]64|v_div_scale', self.name)
      results = 2 if two else 0 if re.match('s_cmp|s_bitcmp|s_setreg|v_cmpx', self.name) else 1
      self.written |= registers(', '.join(parts[:results]))
      self.read |= registers(', '.join(parts[results:]))
      if re.match('v_dual_cndmask', self.name):
        self.read |= {'vcc'}
      if re.match('v_(dual_)?fmac|v_writelane|v_dot2c|v_swap|.*_dpp', self.name):  # by DPP: lanes without source
        self.read |= self.written
      if self.name.startswith('v_swap'):
        self.written |= self.read
    self.kind = ('TRANS32' if TRANS.match(text) else 'VALU' if text.startswith('v_') else
                 'SALU' if text.startswith('s_') and not NOT_SCALAR.match(text) else '')


def check_dependency(before, now, name):
  kind, number, cycles = DELAY.fullmatch(name).groups()
  if cycles:
    return any(i.kind == 'SALU' and i.written & now.read for i in before[-4:])
  same = [i for i in before if i.kind == kind]
  return len(same) >= int(number) and bool(same[-int(number)].written & now.read)


def loses_interlock(text):
  """vopd-interlock: the two halves' first sources, or their second ones, are both even or both odd VGPRs."""
  halves = [half.split(', ') for half in text.split(' :: ')]
  if len(halves) < 2:
    return False
  places = zip(halves[0][1:3], halves[1][1:3])
  both = [re.findall(r'^v(\d+) v(\d+)$', f'{x.strip()} {y.strip()}') for x, y in places]
  return any(int(x) % 2 == int(y) % 2 for found in both for x, y in found)


def check(listing):
  """(number of dependencies, those that are not)"""
  before, wanted, count, wrong = [], {}, 0, []
  for line in listing.splitlines():
    text = line.strip()
    if text.startswith('s_delay_alu'):
      parts = dict(re.findall(r'(instid0|instskip|instid1)\((\w+)\)', text))
      if not parts or not set(parts) <= {'instid0', 'instskip', 'instid1'}:
        wrong.append(text)
      at = len(before)
      wanted.setdefault(at, []).append(parts['instid0'])
      if 'instid1' in parts:
        wanted.setdefault(at + SKIPS[parts.get('instskip', 'SAME')], []).append(parts['instid1'])
      continue
    now = Instruction(text)
    if loses_interlock(text):
      wrong.append(f'vopd-interlock: {text}')
    for name in wanted.pop(len(before), []):
      count += 1
      if not check_dependency(before, now, name):
        wrong.append(f'{name} of "{text}" after {[i.text for i in before[-6:]]}')
    before.append(now)
  return count, wrong + [f'{names} after the end' for names in wanted.values()]


def main():
  indium, total, wrong = sys.argv[1], 0, []
  for shader in sys.argv[2:]:
    for chip in ('navi31', 'gfx1150'):
      for wave in ('32', '64'):
        done = subprocess.run([indium, 'shader', shader, '--gpu', chip, '--wave', wave, '--print', 'asm'],
                              capture_output=True, text=True)  # which are refused, test_aco_llvm.py knows
        count, those = check(done.stdout)
        total += count
        wrong += [f'{shader} {chip} wave{wave}: {what}' for what in those]
  for line in wrong[:10]:
    print(line)
  print(f'{total} dependencies, {len(wrong)} wrong')
  return bool(wrong) or total < 5000


if __name__ == '__main__':
  sys.exit(main())
