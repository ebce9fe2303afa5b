#!/usr/bin/python3
"""The machine IR of whole shaders, taken after several phases, reads back to the same text and gives the same code.

Usage: test_text.py INDIUM SHADER... (files that `indium shader` takes)
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

PHASES = ['selection', 'register_allocation', 'clauses']


def shader(indium, path, *options):
  run = subprocess.run([indium, 'shader', path, '--print', 'ir,code', *options], capture_output=True, text=True)
  if run.returncode:
    return run.stderr, None
  ir, _, code = run.stdout.rpartition('code ')
  return ir, code


def check(indium, path, folder):
  """How many texts were read, and what is wrong."""
  ir, code = shader(indium, path, '--after', ','.join(PHASES))
  if code is None:
    return 0, []  # what does not compile is another test's business
  texts = ['aco ' + text for text in ('\n' + ir).split('\naco ')[1:]]
  texts = [text if text.endswith('\n') else text + '\n' for text in texts]
  wrong = [] if len(texts) == len(PHASES) else [f'{path}: {len(texts)} texts']
  for phase, text in zip(PHASES, texts):
    file = pathlib.Path(folder, f'{path.name}-{phase}.aco')
    file.write_text(text)
    ir, again = shader(indium, file)
    if ir != text or again != code:
      wrong.append(f'{path} after {phase}: ' + ('other code' if ir == text else 'other text' if again else ir))
  return len(texts), wrong


def main():
  indium, paths = sys.argv[1], [pathlib.Path(path) for path in sys.argv[2::int(os.environ.get('TEST_SHARE', 1))]]
  with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    results = list(pool.map(lambda path: check(indium, path, folder), paths))
  wrong = [line for _, lines in results for line in lines]
  print('\n'.join(wrong[:10] + [f'{sum(n for n, _ in results)} texts of {len(paths)} shaders, {len(wrong)} wrong']))
  return bool(wrong) or sum(n > 0 for n, _ in results) < len(paths) * 0.9


if __name__ == '__main__':
  sys.exit(main())
