#!/usr/bin/python3
"""The generator of what differs by kind of core, with a made-up table: each kind has its own cells; and what it
refuses.

Usage: test_traits_gen.py TRAITS_GEN.PY SOURCE_ROOT BUILD_ROOT CC...
"""
import pathlib
import subprocess
import sys
import tempfile

SOURCE = 'source book doc a book\n'
BAD = {
  'no generation g15': 'trait a bool driver g15 <- book\n b\n',
  'no generation gfx9': 'trait a bool driver gfx9 <- book\n b\n',
  'a has two values on g13x': 'trait a u8 driver g13-g13x=1 g13x=2 <- book\n b\n',
  'compiler?': 'trait a bool compiler g13 <- book\n b\n',
  'range?': 'trait a range driver g13=0..1 <- book\n b\n',
}
TABLE = SOURCE + '''
trait dies bool driver g13x g14x <- book
 of some
trait units u8 driver g13=3 g13x-g14x=4 <- book
 of all
'''
PROGRAM = r'''
#include <assert.h>
#include "traits_driver.h"

static const struct agx_driver_traits traits[AGX_GEN_COUNT] = {AGX_DRIVER_TRAITS_ROWS};

int main(void)
{
   assert(!traits[AGX_G13].dies && traits[AGX_G13X].dies && !traits[AGX_G14].dies && traits[AGX_G14X].dies);
   assert(traits[AGX_G13].units == 3 && traits[AGX_G13X].units == 4 && traits[AGX_G14X].units == 4);
}
'''


def generate(generator, folder, text):
  table = folder / 'table.txt'
  table.write_text(text)
  return subprocess.run([sys.executable, '-B', generator, 'driver.h', folder / 'traits_driver.h', table],
                        capture_output=True, text=True)


def main():
  generator, source, build, *cc = sys.argv[1:]
  with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for sentence, text in BAD.items():
      result = generate(generator, folder, SOURCE + text)
      assert result.returncode and sentence in result.stderr, f'{sentence}: {result.stderr or "accepted"}'
    result = generate(generator, folder, TABLE)
    assert not result.returncode, result.stderr
    (folder / 'program.c').write_text(PROGRAM)
    subprocess.run([*cc, '-Wall', '-Werror', '-I', name, '-I', source, '-I', build, '-o', folder / 'program',
                    folder / 'program.c'], check=True)
    subprocess.run([folder / 'program'], check=True)


if __name__ == '__main__':
  main()
