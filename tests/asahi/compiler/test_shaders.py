#!/usr/bin/python3
"""The shaders that lie in the repository compile for m1, each as the driver does it alone: the machine IR is checked
after every phase, and its assembly reads back to its bytes. What the chip cannot do is told in a sentence.

Usage: test_shaders.py INDIUM FOLDER...
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SHARE = int(os.environ.get('TEST_SHARE', 1))  # one in so many shaders
STAGES = ('.vert', '.frag', '.comp')
# What the chip does not have.
REFUSED = {
  'amd_sets.comp': 'no instruction for the intrinsic shader_clock',
  'last_group.comp': 'bytes of shared memory',
  'doubles.vert': 'capability Float64 is not supported on m1',
  'explicit_vertices.frag': 'the instruction set is not enabled',
  'shading_rates.frag': 'capability FragmentShadingRateKHR is not supported on m1',
}
# What the listing must show: a reference and offsets are three halves, whatever stands ahead of them.
SHOWS = {'least_level.frag': r'r\d+l_r\d+h_r\d+l, shadow, 2d, x, lod_grad_min'}


def indium(program, *arguments):
  run = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120)
  return run.returncode, run.stdout, run.stderr


def needs_macros(path):
  """Texts that are shaders only with macros or includes, which the tests around them give."""
  return subprocess.run(['glslangValidator', '-V', '--target-env', 'vulkan1.1', '-o', '/dev/null', path],
                        capture_output=True, timeout=60).returncode != 0


def check(program, path):
  status, out, err = indium(program, 'shader', '--gpu', 'm1', path, '--print', 'code,asm')
  if path.name in REFUSED:
    assert status and REFUSED[path.name] in err, (path, err)
    return 0
  assert not status, (path, err)
  lines = out.splitlines()
  code = next(line.split()[1] for line in lines if line.startswith('code '))
  text = [line for line in lines if not line.startswith('code ')]
  with tempfile.NamedTemporaryFile(suffix='.bin') as file:
    file.write(bytes.fromhex(code))
    file.flush()
    status, again, err = indium(program, 'disasm', '--gpu', 'm1', file.name)
  assert re.search(SHOWS.get(path.name, ''), out), (path, out)
  assert not status and [line.split() for line in again.splitlines()] == [line.split() for line in text], (path, err)
  return 1


def main():
  program, *folders = sys.argv[1:]
  paths = sorted(p for folder in folders for p in pathlib.Path(folder).iterdir() if p.suffix in STAGES)
  compiled = sum(check(program, path) for path in paths[::SHARE] if not needs_macros(path))
  assert compiled >= 50 / SHARE, compiled
  print(f'{compiled} shaders')


if __name__ == '__main__':
  main()
