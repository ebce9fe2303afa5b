#!/usr/bin/python3
"""No generation is named outside the tables, and bin/check_generations.py would notice one."""
import pathlib
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).resolve().parent.parent / 'bin/check_generations.py'
FAULTS = ['if (gen >= AMD_GFX11)', 'switch (gen) {\ncase AMD_GFX9:\n', 'if (chip->gen != AMD_GFX10_3)',
          'if (gen < other)']
FINE = ['.gen = screen->info.gen,', 'enum amd_gen gen = w->launch->chip->gen;', 'const char *genre;']


def found(text, name='gallium/drivers/radeonsi/si_draw.c'):
  with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / name
    path.parent.mkdir(parents=True)
    path.write_text(text + '\n')
    return subprocess.run([sys.executable, CHECK, folder], capture_output=True).returncode != 0


def main():
  assert all(found(text) for text in FAULTS)
  assert not any(found(text) for text in FINE)
  assert not any(found(text, 'amd/compiler/aco_target.c') for text in FAULTS)
  return subprocess.run([sys.executable, CHECK]).returncode


if __name__ == '__main__':
  sys.exit(main())
