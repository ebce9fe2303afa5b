#!/usr/bin/python3
"""bin/conformance matrix with stand-ins for indium, the programs and their windows: test_matrix.py."""
import csv
import os
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FAULT = ('indium: GPU fault: context 1, gfx ring 0, submit 7: no such thing [PS, wave 3]; shader 12 at 0x5; '
         'packet DRAW at dword 3 of buffer 0x1; the context is lost')
# How triangle ends on each chip; it draws "same" unless the line says something else.
ENDS = {
  'vega10': 'echo "amdgpu: The CS has been rejected, see dmesg for more information (-19)."; exit 1',
  'renoir': 'exit 77', 'navi10': 'say=other', 'navi21': ':', 'vangogh': f'echo "{FAULT}"', 'navi31': 'sleep 60',
  'phoenix': 'echo "a word"; echo "the last word"; exit 3',
  **dict.fromkeys(['gfx1150', 'krackan'], 'echo "NAME does not have VK_EXT_thing"; exit 1'),
  'raven': 'echo "never started" >&2; exit 9'}
INDIUM = r"""#!/bin/sh
[ "$1" = drivers ] && { echo "radv Vulkan Mesa 7"; echo "radeonsi OpenGL Mesa 8"; exit; }
echo "$*" >>"$LOG"
driver= chip=
while [ "$1" != -- ]; do
   case $1 in --driver) driver=$2 ;; --gpu) chip=$2 ;; esac
   shift
done
shift
[ "$1" = vulkaninfo ] && { [ $chip = raven ] && echo VK_ERROR_INITIALIZATION_FAILED; exit; }
CHIP=$chip exec "$@"
"""
TRIANGLE = f"""#!/bin/sh
say=same
case $CHIP in
{chr(10).join(f'{chip}) {end} ;;' for chip, end in ENDS.items())}
esac
echo $say >"$2"
"""
COMPARE = '#!/bin/sh\ncmp -s "$1" "$2" && { echo "100.000% of pixels"; exit 0; }; echo "12.500% of pixels"; exit 1\n'
DOCUMENT = '# Title\n<!-- bin/conformance matrix wrote what follows -->\nold\n<!-- up to here -->\nend\n'


def write(path, text):
  path.parent.mkdir(parents=True, exist_ok=True)
  path.write_text(text)
  path.chmod(0o755)


class Place:
  def __init__(self, folder):
    self.root, self.build, self.log = folder / 'tree', folder / 'build', folder / 'log'
    for name in ('bin', 'tests/vulkan'):
      shutil.copytree(ROOT / name, self.root / name, ignore=shutil.ignore_patterns('shaders', '__pycache__'))
    write(self.root / 'docs/conformance.md', DOCUMENT)
    (self.root / 'tests/conformance').mkdir()
    (self.root / 'src').symlink_to(ROOT / 'src') # the tables of chips
    write(self.build / 'src/tools/indium', INDIUM)
    write(self.build / 'examples/triangle', TRIANGLE)
    write(self.build / 'examples/compute', '#!/bin/sh\n[ "$CHIP" = navi21 ]\n')
    write(self.build / 'tests/vulkan/compare_pictures', COMPARE)
    self.results = folder / 'some/results.csv'

  def run(self, *arguments):
    """Status, what was printed, the results and how often indium was started for a program."""
    self.log.unlink(missing_ok=True)
    done = subprocess.run([self.root / 'bin/conformance', 'matrix', '--build', self.build, '--results', self.results,
                           '--timeout', '2', *arguments], capture_output=True, text=True, timeout=120, check=False,
                          env=os.environ | {'LOG': str(self.log)})
    assert 'Traceback' not in done.stderr, done.stderr
    rows = list(csv.DictReader(self.results.open())) if self.results.exists() else []
    log = self.log.read_text().splitlines() if self.log.exists() else []
    cells = {(row['chip'], row['program']): (row['result'], row['detail']) for row in rows}
    return done.returncode, done.stdout, cells, [line for line in log if 'vulkaninfo' not in line]


def check_cells(place):
  status, out, cells, started = place.run('--driver', 'radv', '--program', 'triangle', '--jobs', '3')
  assert status == 1, out
  assert {chip: cell for (chip, _), cell in cells.items()} == {
    'vega10': ('no model', ''), 'raven': ('unsupported', 'the driver does not know the chip'),
    'renoir': ('skipped', 'the driver was not fetched'), 'navi10': ('differs', '12.500'),
    'navi21': ('pass', '100.000'), 'vangogh': ('fault', 'no such thing (packet DRAW)'), 'navi31': ('timeout', ''),
    'phoenix': ('fails', 'status 3: the last word'),
    'gfx1150': ('unsupported', 'the driver has no VK_EXT_thing'),
    'krackan': ('unsupported', 'the driver has no VK_EXT_thing')}, cells
  assert out.splitlines()[-1] == (
    '1 pass, 1 differs, 1 fault, 1 fails, 1 timeout, 1 no model, 3 unsupported, 1 skipped'), out
  assert len(started) == 9, 'the chip that the driver does not know is not tried'
  first = place.results.read_text()
  assert [line.split(',')[2] for line in first.splitlines()[1:4]] == ['vega10', 'raven', 'renoir'], 'in order'


def check_resume(place):
  """What has ended is not run again; more is added; the bytes do not depend on who ends first."""
  before = place.results.read_text()
  lines = before.splitlines(keepends=True)
  place.results.write_text(''.join(line for line in lines if ',navi21,' not in line and ',navi10,' not in line))
  status, _, _, started = place.run('--driver', 'radv', '--program', 'triangle')
  assert status == 1 and len(started) == 3 and place.results.read_text() == before, started
  status, _, cells, started = place.run('--driver', 'radv', '--gpu', 'navi21', '--program', 'compute')
  assert status == 0 and cells['navi21', 'compute'] == ('pass', '') and len(started) == 1 and len(cells) == 11, cells
  status, _, _, started = place.run('--driver', 'radv', '--gpu', 'navi21', '--program', 'triangle', '--plain=order')
  assert status == 0 and '--plain=order --' in started[0], started
  assert ',plain order,' in place.results.read_text()
  status, out, _, started = place.run('--driver', 'radv', '--gpu', 'renoir', '--program', 'triangle')
  assert status == 77 and len(started) == 1, 'what was not there may be there now'


def check_publish(place):
  status, _, _, _ = place.run('--driver', 'radv', '--gpu', 'navi21', '--program', 'compute', '--publish')
  text = (place.root / 'docs/conformance.md').read_text()
  assert status == 0 and text.startswith('# Title\n') and text.endswith('<!-- up to here -->\nend\n'), text
  for line in ['| driver | chip | settings | triangle | compute |', '| radv | navi21 | defaults | 100% | pass |',
               '| radv | vangogh | defaults | fault [2] |  |', '| radv | navi10 | defaults | **differs** 12.5% |  |',
               '| radv | navi21 | plain order | 100% |  |',
               '| radv | raven, gfx1150, krackan | defaults | unsupported |  |',
               '2. no such thing (packet DRAW)', 'Drivers: radv: Mesa 7.']:
    assert f'\n{line}\n' in text, (line, text)
  assert 'old' not in text
  published = place.root / 'tests/conformance/matrix.csv'
  # Rows of others stay, and of those that were run the new ones count.
  rows = published.read_text()
  published.write_text(rows.replace('radv,', 'radv-25,').replace('Mesa 7', 'Mesa 9') + rows.split('\n', 1)[1])
  place.run('--driver', 'radv', '--gpu', 'navi21', '--program', 'compute', '--publish')
  assert len(published.read_text().splitlines()) == 2 * len(rows.splitlines()) - 1
  assert 'radv-25: Mesa 9' in (place.root / 'docs/conformance.md').read_text()
  # Only what is said to pass; one that does not any more is told.
  place.results.unlink()
  status, _, cells, _ = place.run('--driver', 'radv', '--expected')
  assert status == 0 and set(cells) == {('navi21', 'triangle'), ('navi21', 'compute')}, cells
  cell = 'navi10,defaults,triangle,'
  published.write_text(published.read_text().replace(cell + 'differs', cell + 'pass'))
  status, out, _, _ = place.run('--driver', 'radv', '--expected', '--again')
  assert status == 1 and 'navi10 triangle: differs: 12.500' in out, out


def main():
  with tempfile.TemporaryDirectory() as folder:
    place = Place(pathlib.Path(folder))
    for arguments in (['--driver', 'nobody'], ['--program', 'nothing'], ['--jobs', '0']):
      assert place.run(*arguments)[0] == 2, arguments
    check_cells(place)
    check_resume(place)
    check_publish(place)
  print('fine')


if __name__ == '__main__':
  main()
