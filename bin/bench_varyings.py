"""bench_varyings.py BUILD: words of a vertex that the driver of Apple's GPUs needs for pairs of shaders: those of the
examples and of the API tests, and random ones. For `bin/bench --gpu m1 varyings`."""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'tests/vulkan'))
sys.dont_write_bytecode = True
import varying_pairs  # noqa: E402

RANDOM = 100
COLUMNS = ['words_without_16_bits', 'words', 'words_if_relaxed']


def words(indium, vertex, fragment):
  """None: not a pair, or they need macros."""
  done = subprocess.run([indium, 'varyings', vertex, fragment, '--json'], capture_output=True, text=True, timeout=60)
  if done.returncode:
    return None
  found = json.loads(done.stdout)
  return [found[column] for column in COLUMNS]


def main():
  indium = pathlib.Path(sys.argv[1], 'src/tools/indium')
  rows, without = [], []
  for folder in 'examples/shaders', 'tests/vulkan/shaders':
    for vertex in sorted((ROOT / folder).glob('*.vert')):
      fragment = vertex.with_suffix('.frag')
      row = words(indium, vertex, fragment) if fragment.exists() else None
      if row:
        rows.append((f'{folder.split("/")[0]} {vertex.stem}', row))
      elif fragment.exists():
        without.append(vertex.stem)
  with tempfile.TemporaryDirectory() as folder:
    some = []
    for seed in range(1, RANDOM + 1):
      varying_pairs.compile_pair(folder, seed, varying_pairs.Pair(seed))
      some.append(words(indium, f'{folder}/{seed}.vert.spv', f'{folder}/{seed}.frag.spv'))
  rows.append((f'{RANDOM} random pairs', [sum(column) for column in zip(*some)]))
  print(f'{"words of a vertex":<28}{"32 bits":>9}{"now":>9}{"relaxed":>9}')
  for name, row in rows:
    print(f'{name:<28}' + ''.join(f'{number:>9}' for number in row))
  print(f'now: 16 bits where the shaders allow them; relaxed: if they said mediump of everything that is passed. '
        f'Not alone compiled: {", ".join(without) or "none"}')


if __name__ == '__main__':
  main()
