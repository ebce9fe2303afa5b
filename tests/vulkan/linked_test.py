#!/usr/bin/python3
"""linked_test.py INDIUM PROGRAM CHIP LIMIT [parts]: the program prints lines before and after links of libraries;
between them the driver compiles LIMIT shaders at most, which it says of each (INDIUM_DEBUG=asm), and before them
some. With `parts`, parts of shaders do not count."""
import os
import re
import subprocess
import sys

indium, program, chip, limit, *parts = sys.argv[1:]
run = subprocess.run([indium, 'run', '--gpu', chip, '--', program], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                     text=True, check=False, env=os.environ | {'INDIUM_DEBUG': 'asm'})
if run.returncode:
  sys.exit(f'status {run.returncode}')
before, between, _ = re.split('^linked: .*$', run.stderr, flags=re.MULTILINE)
listing = re.compile(f'^(?:vertex|fragment) shader {"(?!of a part,)" if parts else ""}.*, hash', re.MULTILINE)
compiled = [len(listing.findall(text)) for text in (before, between)]
print(f'{compiled[0]} shaders ahead of the links, {compiled[1]} by them')
if not sum(compiled):
  sys.exit('the driver compiled nothing')
if compiled[1] > int(limit):
  sys.exit(1)
