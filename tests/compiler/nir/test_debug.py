#!/usr/bin/python3
"""INDIUM_DEBUG of the passes: nir:PASS prints shaders around it, no:PASS leaves it out, and what is left is right.

Usage: test_debug.py INDIUM SHADER...
"""
import os
import re
import subprocess
import sys

INDIUM, SHADERS = sys.argv[1], sys.argv[2:]


def compile_shader(shader, debug):
  """Hash of the code, and what stands on stderr."""
  done = subprocess.run([INDIUM, 'shader', shader, '--print', 'stats'], capture_output=True, text=True, timeout=100,
                        env={**os.environ, 'INDIUM_DEBUG': debug})
  assert done.returncode == 0, (shader, debug, done.stderr)
  return re.search(r'^hash (\w+)$', done.stdout, re.M).group(1), done.stderr


def optional_passes():
  names = None
  for wrong in ('nir_lower_io', 'nir_opt_dce', 'opt_cse', ''):
    _, err = compile_shader(SHADERS[0], f'no:{wrong}')
    line = re.fullmatch(f'indium: INDIUM_DEBUG: no pass "{wrong}" can be left out; these can: (.*)\n', err)
    assert line, err
    names = line.group(1).split(', ')
  return names


def check_left_out(passes, plain):
  """Each for itself and all together: valid for both validators and the allocation check, and other code."""
  for debug in [f'no:{name}' for name in passes] + [','.join(f'no:{name}' for name in passes)]:
    found = [compile_shader(shader, f'validate,{debug}') for shader in SHADERS]
    assert all(not err for _, err in found), found
    # no shader here has undefined values, or pairs of 16 bits
    assert debug in ('no:nir_opt_undef', 'no:nir_opt_pair_16bit') or [h for h, _ in found] != plain, debug


def check_printed():
  shader = SHADERS[0]
  plain, none = compile_shader(shader, '')
  printed, err = compile_shader(shader, 'nir:nir_opt_cse')
  assert printed == plain and not none
  marks = re.findall(r'^# (before|after|nothing changed by) (\w+)', err, re.M)
  assert marks and {name for _, name in marks} == {'nir_opt_cse'}, marks
  assert [what for what, _ in marks[::2]] == ['before'] * (len(marks) // 2), marks
  assert 'before' not in [what for what, _ in marks[1::2]] and ('after', 'nir_opt_cse') in marks, marks
  bodies = re.split(r'^# .*\n', err, flags=re.M)[1:]
  for (what, _), before, after in zip(marks[1::2], bodies[::2], bodies[1::2]):
    assert before and (after == '') == (what == 'nothing changed by') and before != after, what


def main():
  passes = optional_passes()
  plain = [compile_shader(shader, '')[0] for shader in SHADERS]
  check_left_out(passes, plain)
  check_printed()
  print(f'{len(passes)} passes left out of {len(SHADERS)} shaders')


if __name__ == '__main__':
  sys.exit(main())
