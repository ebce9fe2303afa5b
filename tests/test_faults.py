#!/usr/bin/python3
"""docs/faults.md has every report of the models and is what docs/faults.toml says; bin/faults refuses other data."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA, PAGE = 'docs/faults.toml', 'docs/faults.md'
PLANTED = 'src/sim/vm/fault.c'
# What is written into a file, what it is written over, and the message.
BROKEN = [
  (DATA, "  'ends without ORDERED_PS_DONE although POPS_PACKER was set',\n", '',
   'ends without ORDERED_PS_DONE although POPS_PACKER was set" is in no row of faults.toml'),
  (DATA, "'MODE names both packers'", "'MODE names no packer'",
   'pops-protocol: no model reports "MODE names no packer"'),
  (DATA, "  'can hang: %s\\n',\n", "  'may hang: %s\\n',\n", 'intel-hang: no model prints "may hang: %s\\n"'),
  (DATA, 'id = "last-use"', 'id = "missing-wait"', 'missing-wait is the name of two rows'),
  (DATA, "  'MODE names both packers',\n", "  'MODE names both packers',\n  'MODE names both packers',\n",
   '"MODE names both packers" is in two rows'),
  (DATA, "test = 'tests/amd/sim/test_gds.c'", "test = 'tests/amd/sim/test_gws.c'",
   'tests/amd/sim/test_gws.c is not there'),
  (DATA, "expects = 'of GDS'", "expects = 'of GDS, which has 7'",
   'test_gds.c does not contain "of GDS, which has 7"'),
  (DATA, "expects = 'of GDS'", "expects = 'const uint32_t'", '"const uint32_t" is part of no text of the row'),
  (DATA, "grade = 'a limit of the model'", "grade = 'hearsay'", '"hearsay" begins with no grade'),
  (PLANTED, '#include <stdio.h>\n',
   '#include <stdio.h>\nint f(int *p)\n{ sim_fault_set(p, SIM_FAULT_STATE, sim_va(0), "bit %u " "odd", 1); }\n',
   '"bit %u odd" is in no row of faults.toml'),
]


def run(root, *arguments):
  return subprocess.run([root / 'bin/faults', *arguments], capture_output=True, text=True, timeout=120)


def main():
  done = run(ROOT)
  assert (done.returncode, done.stdout, done.stderr) == (0, '', ''), done
  with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    (root / 'tests').symlink_to(ROOT / 'tests')
    models = [path.relative_to(ROOT) for pattern in ('sim', 'drm-shim', '*/sim', '*/drm-shim')
              for home in (ROOT / 'src').glob(pattern) for path in home.rglob('*.c')]
    for name in ['bin/faults', 'bin/options.py', DATA, PAGE, *models]:
      (root / name).parent.mkdir(parents=True, exist_ok=True)
      shutil.copy(ROOT / name, root / name)
    for name, old, new, message in BROKEN:
      text = (ROOT / name).read_text()
      assert old in text, old
      (root / name).write_text(text.replace(old, new, 1))
      for arguments in ([], ['--publish']):
        done = run(root, *arguments)
        assert done.returncode == 1 and message in done.stderr and 'Traceback' not in done.stderr, (message, done)
      assert (root / PAGE).read_text() == (ROOT / PAGE).read_text(), message
      (root / name).write_text(text)
    # A change of the data is a change of the page.
    (root / DATA).write_text((ROOT / DATA).read_text().replace('A program of AGX executes trap.', 'AGX trapped.'))
    done = run(root)
    assert done.returncode == 1 and 'bin/faults --publish' in done.stderr, done
    assert run(root, '--publish').returncode == 0 and run(root).returncode == 0
    assert 'AGX trapped.' in (root / PAGE).read_text()
  print(f'{len(BROKEN)} broken rows and reports are refused')


if __name__ == '__main__':
  sys.exit(main())
