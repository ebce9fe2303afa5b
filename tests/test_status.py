#!/usr/bin/python3
"""README's matrix and docs/status.md are what docs/status.toml says, and bin/status refuses data that is not true."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = ['bin/status', 'bin/options.py', 'docs/status.toml', 'docs/status.md', 'README.md',
         'tests/conformance/matrix.csv',
         *(f'src/{vendor}/hw/chips.toml' for vendor in ('amd', 'asahi', 'intel'))]
# What is written into the data, what it is written over, and the message.
BROKEN = [
  ('names = ["navi10"]', 'names = ["navi11"]', 'navi10 is in no row of chips'),
  ('names = ["navi10"]', 'names = ["navi10", "navi21"]', 'navi21 is in two rows of chips'),
  ('names = ["krackan"]', 'names = ["krackan", "krakow"]', 'krakow is no chip of a shim'),
  ('unit = "tests/amd/compiler"', 'unit = "tests/amd/interpreter"', 'tests/amd/interpreter is not there'),
  ('has = {shim = "yes", model = "yes", foreign = "RADV, radeonsi"}', 'has = {shim = "yes", model = "yes"}',
   'krackan: the matrix of bin/conformance has other drivers that draw'),
  ('has = {shim = "no-op"}', 'has = {shims = "no-op"}', 'there is no feature shims'),
  ('evidence = ["foreign"]', 'evidence = ["hearsay"]', 'there is no evidence hearsay'),
  ('part = "uav-intel"', 'part = "uav"', 'no part uav has that evidence'),
  ('hardware = "never"', 'hardware = "Navi 21"', 'nothing here has run on hardware'),
]


def run(root, *arguments):
  return subprocess.run([root / 'bin/status', *arguments], capture_output=True, text=True, timeout=60)


def main():
  done = run(ROOT)
  assert (done.returncode, done.stdout, done.stderr) == (0, '', ''), done
  text = (ROOT / 'docs/status.toml').read_text()
  with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    for part in tomllib.loads(text)['part']:
      for kind in ('unit', 'model', 'foreign'):
        path = root / part[kind].split('#')[0]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch() if path.suffix else path.mkdir(exist_ok=True)
    for name in FILES:
      (root / name).parent.mkdir(parents=True, exist_ok=True)
      shutil.copy(ROOT / name, root / name)
    for old, new, message in BROKEN:
      assert old in text, old
      (root / 'docs/status.toml').write_text(text.replace(old, new, 1))
      for arguments in ([], ['--publish']):
        done = run(root, *arguments)
        assert done.returncode == 1 and message in done.stderr and 'Traceback' not in done.stderr, (message, done)
      assert (root / 'README.md').read_text() == (ROOT / 'README.md').read_text(), message
    # A change of the data is a change of both pages.
    (root / 'docs/status.toml').write_text(text.replace('rates = "yes"', 'rates = "slow"').replace(
      'title = "POPS state"', 'title = "State of POPS"'))
    done = run(root)
    assert done.returncode == 1 and done.stderr.count('--publish') == 2, done
    assert run(root, '--publish').returncode == 0 and run(root).returncode == 0
    assert ' slow ' in (root / 'README.md').read_text()
    assert '### State of POPS' in (root / 'docs/status.md').read_text()
  print(f'{len(BROKEN)} broken tables are refused')


if __name__ == '__main__':
  sys.exit(main())
