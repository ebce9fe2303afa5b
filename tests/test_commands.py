#!/usr/bin/python3
"""The commands of README and of the howtos do what their pages say: those in blocks, and those in backticks.

Usage: test_commands.py BUILD. Each command is a row of RUNS, with what it prints, or of LEFT_OUT, with the reason.
One that is in neither fails, and so does a row whose command is on no page. Commands run with the programs of BUILD.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'tests/vulkan'))
from xvfb_test import screen  # noqa: E402

PAGES = ['README.md', *sorted(str(p.relative_to(ROOT)) for p in ROOT.glob('docs/howto-*.md')), 'docs/tour.md']
FRAGMENT = 'examples/shaders/triangle.frag'
# The command as on the page: more words at its end, what it prints
RUNS = {
  'bin/indium run -- vulkaninfo': ('', r'deviceName +=.*Indium'),
  'bin/indium run --gpu m1 -- vkcube': ('--c 3 --width 64 --height 64', r'Selected GPU 0:.*\(Indium\)'),
  "bin/indium run -- gdb -ex 'set breakpoint pending on' -ex 'break amd_cb_write_tile' -ex run -ex bt --args "
  'build/examples/triangle': ('-o {folder}/picture.png', r'#0 .*amd_cb_write_tile'),
  'bin/indium shader FILE.frag --print nir,ir,asm': ('', 's_endpgm'),
  'build/examples/triangle': ('-o {folder}/picture.png', 'wrote'),
  'build/examples/compute': ('', ''),
}
LEFT_OUT = {
  'bin/indium shader FILE.geom': 'an example of what is refused',
  'bin/demo': 'its programs are tests of their own',
  'bin/peers': 'it downloads',
  'bin/check_layers.py': 'the test layers', 'bin/check_generations.py': 'the test generations',
  'bin/shader-db --save FILE.csv': 'the test shader-db', 'bin/shader-db FILE.csv': 'the test shader-db',
  'bin/status --publish': 'it writes the page; the test status',
}


def commands():
  """Those of all pages that begin with bin/ or build/."""
  for page in PAGES:
    text = (ROOT / page).read_text()
    found = re.findall(r'^    ((?:bin|build)/[^#\n]*)', text, re.M) + re.findall(r'`((?:bin|build)/[^`]+)`', text)
    for words in found:
      if (ROOT / words.split()[0]).is_file() or words.startswith('build/examples/'):
        yield page, ' '.join(words.split())


def run(command, build, folder, display):
  """(status, output)"""
  more, _ = RUNS[command]
  words = shlex.split(command.replace('FILE.frag', FRAGMENT))
  words += shlex.split(more.format(folder=folder))
  if words[0].startswith('build/'):
    words = ['bin/indium', 'run', '--', *words]
  words = [str(build / 'src/tools/indium') if word == 'bin/indium' else
           str(build / word.removeprefix('build/')) if word.startswith('build/') else word for word in words]
  done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                        cwd=ROOT, timeout=200, check=False, env=os.environ | {'DISPLAY': display or ''})
  return done.returncode, done.stdout


def wrong(command, build, folder, display):
  """What is wrong, or None."""
  needed = next((name for name in ('vkcube', 'gdb', 'vulkaninfo') if name in command.split()), None)
  if needed and not shutil.which(needed) or needed == 'vkcube' and not display:
    print(f'not here: {needed}, or an X server for it')
    return None
  status, text = run(command, build, folder, display)
  if status or not re.search(RUNS[command][1], text):
    return f'status {status}: {text[-500:]}'
  return None


def main(build):
  there = list(commands())
  mistakes = [f'{page}: {command} is in neither table' for page, command in there
              if command not in RUNS and command not in LEFT_OUT]
  mistakes += [f'{command} is on no page' for command in [*RUNS, *LEFT_OUT] if command not in {c for _, c in there}]
  with tempfile.TemporaryDirectory() as folder, screen() as display:
    for command in dict.fromkeys(c for _, c in there if c in RUNS):
      why = wrong(command, pathlib.Path(build).resolve(), folder, display)
      mistakes += [f'{command}: {why}'] if why else []
  print('\n'.join(mistakes) or f'{len(there)} commands')
  return bool(mistakes)


if __name__ == '__main__':
  sys.exit(main(*sys.argv[1:]))
