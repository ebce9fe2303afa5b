#!/usr/bin/python3
"""parts_count.py INDIUM PROGRAM CHIP ARGUMENTS...: with pipelines linked from four libraries (VKT_PARTS), the
program's shaders (main) are compiled once each, and every link puts both stages together from parts: so links
compile none."""
import os
import re
import subprocess
import sys

indium, program, chip, *arguments = sys.argv[1:]
text = subprocess.run([indium, 'run', '--gpu', chip, '--', program, *arguments], stdout=subprocess.DEVNULL,
                      stderr=subprocess.PIPE, text=True, check=True,
                      env=os.environ | {'INDIUM_DEBUG': 'asm', 'VKT_PARTS': '1'}).stderr
for stage in 'vertex', 'fragment':
  compiled = len(re.findall(f'^{stage} shader main, hash', text, flags=re.MULTILINE))
  linked = len(re.findall(f'^{stage} program of \\d+ parts, hash', text, flags=re.MULTILINE))
  print(f'{compiled} {stage} shaders, {linked} programs of parts')
  if not linked or compiled != linked:
    sys.exit(1)
