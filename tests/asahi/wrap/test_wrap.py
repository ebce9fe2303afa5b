#!/usr/bin/python3
"""A tracer next to a driver sees what the shim behind it sees: test_wrap.py INDIUM DRIVER MODE PROGRAM [ARGUMENT]...

Both record the same run. What they say in words is the same, and so are the bytes that a replay of either leaves; in
model mode they are those that the run has left. Exit status 77 where the driver was not fetched.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

def run(*command, **environment):
  clean = {k: v for k, v in os.environ.items() if not k.startswith(('INDIUM_', 'AGXDECODE_'))}
  done = subprocess.run(command, capture_output=True, text=True, timeout=280, env={**clean, **environment})
  if done.returncode == 77:
    print(done.stderr, end='')
    sys.exit(77)
  return done


def lines(text, pattern):
  return [line for line in text.splitlines() if re.match(pattern, line)]


def main():
  indium, driver, mode, program, *arguments = sys.argv[1:]
  indium, program = os.path.abspath(indium), [os.path.abspath(program), *arguments]
  with tempfile.TemporaryDirectory() as folder:
    shim, wrap, text = (os.path.join(folder, name) for name in ('shim', 'wrap', 'text'))
    os.chdir(folder)
    done = run(indium, 'run', '--gpu', 'm1', '--driver', driver, '--mode', mode, '--record', shim, f'--wrap={wrap}',
               '--', *program, AGXDECODE_DUMP_FILE=text)
    assert done.returncode == 0 or mode == 'noop', done
    assert not lines(done.stderr, 'indium: wrap'), done.stderr

    decoded = [run(indium, 'decode', path) for path in (shim, wrap)]
    assert [done.returncode for done in decoded] == [0, 0], decoded[1].stdout[-2000:]
    assert decoded[0].stdout == decoded[1].stdout
    live = pathlib.Path(text + '.0000').read_text()
    assert not lines(live, '#'), lines(live, '#')
    assert lines(live, ' *[0-9a-f]+ ') == decoded[0].stdout.splitlines()

    replays = [run(indium, 'replay', '--changes', path) for path in (shim, wrap)]
    assert [done.returncode for done in replays] == [0, 0], [done.stderr for done in replays]
    changes = [lines(done.stdout, '(?!#)') for done in replays]
    assert changes[0] == changes[1]
    recorded = pathlib.Path(shim).read_text()
    submissions = len(lines(recorded, 'submit '))
    assert submissions and len(lines(pathlib.Path(wrap).read_text(), 'submit ')) == submissions
    if mode == 'model':
      wrote = lines(recorded, 'wrote ')
      assert len(wrote) == submissions and wrote == lines(replays[1].stdout, 'wrote '), wrote
  print(f'{submissions} submissions, {len(decoded[0].stdout.splitlines())} lines in words, '
        f'{len(changes[0])} of changes')


if __name__ == '__main__':
  main()
