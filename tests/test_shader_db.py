#!/usr/bin/python3
"""bin/shader-db from a copy among stand-ins for ninja and the compilers: what it counts, compares and leaves out."""
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# It compiles for navi10 and navi21; NUMBER stands in the module, FACTOR next to the program.
COMPILER = '''#!/bin/sh
if [ "$1" = gpus ]; then
   printf 'vega10 gfx900 x\\nnavi10 gfx1010 x\\nnavi21 gfx1030 x\\nvangogh gfx1033 x\\nm1 g13g x\\n'
   exit
fi
case "$4" in navi10|m1) plus=1 ;; navi21) plus=0 ;; *) echo "indium shader: no compiler for $4" >&2; exit 2 ;; esac
read -r number < "$2"
[ "$number" != bad ] || { echo "indium shader: $2: it is refused" >&2; exit 1; }
n=$((number * $(cat "$(dirname "$0")/factor") + plus))
echo "instructions $n (1 valu, 2 salu, 0 smem, 0 vmem, 0 lds, 0 branches, 0 copies)"
waves=$((16 - n / 100))
echo "code $((n * 4)) B, 10 SGPRs, 4 VGPRs, spills 3 SGPRs and 0 VGPRs, scratch 16 B, LDS 64 B, $waves waves"
echo "hash 000000000000000$n"
echo "time $n.5 us"
'''


def write(path, text):
  path.parent.mkdir(parents=True, exist_ok=True)
  path.write_text(text)
  path.chmod(0o755)


class Tree:
  def __init__(self, folder):
    self.root = pathlib.Path(folder).resolve()
    (self.root / 'bin').mkdir()
    for name in ('shader-db', 'options.py'):
      shutil.copy(ROOT / 'bin' / name, self.root / 'bin')
    write(self.root / 'path/ninja', '#!/bin/sh\nexit 0\n')
    write(self.root / 'path/glslangValidator', '#!/bin/sh\nshift 5\ncp "$2" "$1"\n')
    write(self.root / 'build/build.ninja', '')
    write(self.root / 'build/tests/vulkan/shaders/shader-db.txt', 'tests/a.spv tests/b.spv ../c.frag tests/d.spv\n')
    for name, number in (('build/tests/a.spv', '1'), ('build/tests/b.spv', '2'), ('c.frag', '300'),
                         ('build/tests/d.spv', 'bad')):
      write(self.root / name, number + '\n')
    self.compiler('build', 1)

  def compiler(self, build, factor):
    write(self.root / build / 'src/tools/indium', COMPILER)
    write(self.root / build / 'src/tools/factor', f'{factor}\n')

  def run(self, *args):
    path = f'{self.root / "path"}:{os.environ["PATH"]}'
    done = subprocess.run([self.root / 'bin/shader-db', *map(str, args)], env={**os.environ, 'PATH': path},
                          capture_output=True, text=True, timeout=60, cwd=self.root)
    assert 'Traceback' not in done.stderr, done.stderr
    return done.returncode, [' '.join(line.split()) for line in done.stdout.splitlines()], done.stderr


def check_totals(tree):
  status, out, err = tree.run('--save', 'one.csv')
  assert status == 0, err
  expected = ['instructions 303', 'code B 1212', 'SGPRs 30', 'VGPRs 12', 'spilled SGPRs 9', 'spilled VGPRs 0',
              'scratch B 48', 'waves 45', 'time us 304.5']
  assert out[10:] == ['== GFX10.3: 3 shaders, 1 refused', *expected], out
  assert out[:2] == ['== GFX10.1: 3 shaders, 1 refused', 'instructions 306'], out
  with open(tree.root / 'one.csv', encoding='utf-8', newline='') as file:
    rows = {(r['generation'], r['shader']): r for r in csv.DictReader(file)}
  assert len(rows) == 8 and rows['GFX10.3', 'c.frag']['code B'] == '1200', rows
  assert rows['GFX10.1', 'tests/d.spv']['error'] == 'it is refused', rows


def check_comparison(tree):
  """Two builds, a file and a build, two files: the same table."""
  tree.compiler('other', 2)
  status, builds, err = tree.run('--list', '1', 'build', 'other')
  assert status == 0, err
  assert tree.run('--list', '1', 'one.csv', 'other')[1] == builds
  assert tree.run('--save', 'two.csv', 'other', 'other')[0] == 0
  assert tree.run('--list', '1', 'one.csv', 'two.csv')[1] == builds
  at = builds.index('== GFX10.3: 3 shaders compared, 3 changed, 0 have no counterpart of the same SPIR-V')
  assert builds[at + 1:] == [
    'instructions 303 606 +100.00% 0 better, 3 worse', 'code B 1212 2424 +100.00% 0 better, 3 worse',
    'SGPRs 30 30 +0.00% 0 better, 0 worse', 'VGPRs 12 12 +0.00% 0 better, 0 worse',
    'spilled SGPRs 9 9 +0.00% 0 better, 0 worse', 'spilled VGPRs 0 0 0 better, 0 worse',
    'scratch B 48 48 +0.00% 0 better, 0 worse', 'waves 45 42 -6.67% 0 better, 1 worse',
    'time us 304.5 607.5 +99.51%',
    'c.frag: instructions 300 -> 600, code B 1200 -> 2400, waves 13 -> 10'], builds
  better = tree.run('two.csv')[1]
  for line in ('instructions 606 303 -50.00% 3 better, 0 worse', 'waves 42 45 +7.14% 1 better, 0 worse'):
    assert line in better, better


def check_other_sources(tree):
  """Rows of other SPIR-V are not compared; who is refused, or no longer, is named."""
  write(tree.root / 'build/tests/a.spv', '7\n')
  write(tree.root / 'build/tests/b.spv', 'bad\n')
  status, out, err = tree.run('one.csv')
  assert status == 0 and '== GFX10.3: 1 shaders compared, 0 changed, 2 have no counterpart of the same SPIR-V' in out
  text = (tree.root / 'one.csv').read_text()
  (tree.root / 'refused.csv').write_text(text.replace(',it is refused' + ',' * 10, ',,0' + ',1' * 9))
  assert 'tests/d.spv: refused now: it is refused' in tree.run('refused.csv', 'one.csv')[1]
  assert 'tests/d.spv: compiles now' in tree.run('one.csv', 'refused.csv')[1]


def check_errors(tree):
  (tree.root / 'odd.csv').write_text('a,b\n1,2\n')
  for args in (['odd.csv'], ['a', 'b', 'c'], ['--list', 'x']):
    status, out, err = tree.run(*args)
    assert status and not out and err, (args, out)
  write(tree.root / 'old/src/tools/indium',
        '#!/bin/sh\ntest "$1" = gpus && exit 0\necho "takes no time" >&2; exit 2\n')
  status, out, err = tree.run('old')
  assert status and not out and 'takes no time' in err, err


def main():
  with tempfile.TemporaryDirectory() as folder:
    tree = Tree(folder)
    for check in (check_totals, check_comparison, check_other_sources, check_errors):
      check(tree)


if __name__ == '__main__':
  sys.exit(main())
