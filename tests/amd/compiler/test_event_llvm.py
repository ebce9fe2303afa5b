#!/usr/bin/python3
"""What enters an ordered section on GFX11 is what LLVM 19 makes of its builtin, operand included.

Usage: test_event_llvm.py INDIUM SOURCE_ROOT. Without llc-19 the test is skipped (exit status 77).
"""
import pathlib
import re
import shutil
import subprocess
import sys

LLC = 'llc-19'
CHIPS = {'navi31': 'gfx1100', 'gfx1150': 'gfx1150'}
BUILTIN = 'llvm.amdgcn.s.wait.event.export.ready'
IR = f"""
declare void @{BUILTIN}()
define amdgpu_ps void @section() {{
  call void @{BUILTIN}()
  ret void
}}
"""


def events(text):
  return re.findall(r's_wait_event .*\S', text)


def output(command, **options):
  return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, **options).stdout


def main():
  if not shutil.which(LLC):
    print(f'{LLC} is not installed')
    return 77
  shader = pathlib.Path(sys.argv[2]) / 'examples/shaders/oit.frag'
  for chip, cpu in CHIPS.items():
    wanted = events(output([LLC, '-mtriple=amdgcn', f'-mcpu={cpu}'], input=IR))
    found = events(output([sys.argv[1], 'shader', shader, '-DPIXEL', '--gpu', chip, '--print', 'asm']))
    print(f'{chip}: ours {found}, LLVM {wanted}')
    assert len(wanted) == 1 and found == wanted, chip
  return 0


if __name__ == '__main__':
  sys.exit(main())
