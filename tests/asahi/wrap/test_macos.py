#!/usr/bin/python3
"""Recordings of the tracer's front for macOS: test_macos.py INDIUM PLAYER FOLDER.

PLAYER (macos_player.c) submits observed recordings of FOLDER as a program on macOS would. What the tracer records of
it decodes without anything unknown, and leaves the same bytes on the model as the recording of Linux; what cannot run
there is refused with a name.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SAME = ['triangle-submit0', 'compute-submit0', 'scene-submit0', 'gles-submit0']
REFUSED = {'compute-spill-submit0': 'fault command buffer of macOS: programs with private memory'}


def run(*command, **environment):
  clean = {k: v for k, v in os.environ.items() if not k.startswith(('INDIUM_', 'AGXDECODE_'))}
  return subprocess.run(command, capture_output=True, text=True, timeout=100, env={**clean, **environment})


def words(text):
  """What changed, memories without their numbers: the front has a memory for each binding."""
  return re.sub('(?m)^expect [0-9]+|^(#|wrote).*', 'expect', text)


def main():
  indium, player, folder = sys.argv[1:]
  indium, player, folder = os.path.abspath(indium), os.path.abspath(player), pathlib.Path(folder).resolve()
  with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    for name in [*SAME, *REFUSED]:
      observed = folder / f'{name}.txt'
      done = run(player, observed, INDIUM_WRAP='recording', AGXDECODE_DUMP_FILE=name)
      assert done.returncode == 0 and not done.stderr, (name, done)
      text = pathlib.Path(f'{name}.0000').read_text()
      assert not re.findall('(?m)^ *([0-9a-f]+ +)?#.*', text), re.findall('(?m)^.*# .*', text)
      decoded = run(indium, 'decode', 'recording')
      assert decoded.returncode == 0 and 'IOGPU_HEADER' in decoded.stdout, (name, decoded)
      assert all(line in text for line in decoded.stdout.splitlines()), name

      played = run(indium, 'replay', '--changes', 'recording')
      if name in REFUSED:
        assert played.returncode == 1 and REFUSED[name] in played.stdout, (name, played)
        continue
      there = run(indium, 'replay', '--changes', observed)
      assert played.returncode == there.returncode == 0, (name, played.stderr, there.stderr)
      assert words(played.stdout) == words(there.stdout), name
      print(f'{name}: {len(played.stdout.splitlines())} lines of changes')


if __name__ == '__main__':
  main()
