"""The generator of generations' traits: it refuses tables that contradict themselves, and gives each side its own
traits, with the values of each generation.

Usage: test_traits_gen.py TRAITS_GEN.PY SOURCE_ROOT CC...
"""
import pathlib
import subprocess
import sys
import tempfile

SOURCE = 'source book doc a book\n'
BAD = {
  'no generation gfx12': 'trait a bool model gfx12 <- book\n b\n',
  'gfx11-gfx9 is no range': 'trait a bool model gfx11-gfx9 <- book\n b\n',
  'a has two values on gfx10': 'trait a u8 model gfx9-gfx10=1 gfx10=2 <- book\n b\n',
  'gfx9=1 is no cell of a bool': 'trait a bool model gfx9=1 <- book\n b\n',
  'gfx9 is no cell of a u8': 'trait a u8 model gfx9 <- book\n b\n',
  'u9?': 'trait a u9 model gfx9=1 <- book\n b\n',
  'kernel?': 'trait a bool kernel gfx9 <- book\n b\n',
  'hearsay?': 'trait a bool model gfx9 <- hearsay\n b\n',
  'no grade rumour': 'source tale rumour a tale\n',
  'trait a stands twice': 'trait a bool model gfx9 <- book\n b\ntrait a bool driver gfx9 <- book\n b\n',
  'a has no cell': 'trait a bool model <- book\n b\n',
  'a has no meaning': 'trait a bool model gfx9 <- book\n',
}

TABLE = SOURCE + '''
trait shared bool driver,model gfx10-gfx103 <- book
 of two sides
trait number u16 model gfx9=3 gfx11-gfx115=70000/2 <- book
 differs in each
trait reach range compiler <- book
 distances
 cell gfx9=-4..3
 cell gfx10-gfx115=0..7
trait places offsets4 model gfx103=0x10,0x20 <- book
 places
trait bits targets model gfx115=0-2,5,63 <- book
 a bit each
'''
PROGRAM = r'''
#include <assert.h>
#include "amd/hw/traits_model.h"
#ifdef BOTH
#include "amd/hw/traits_compiler.h"
#include "amd/hw/traits_driver.h"
#endif

static const struct amd_traits model[AMD_GEN_COUNT] = {AMD_TRAITS_ROWS};

int main(void)
{
   assert(!model[AMD_GFX9].shared && model[AMD_GFX10].shared && model[AMD_GFX10_3].shared);
   assert(!model[AMD_GFX11].shared);
   assert(model[AMD_GFX9].number == 3 && !model[AMD_GFX10].number && model[AMD_GFX11_5].number == 35000);
   assert(model[AMD_GFX10_3].places[1] == 0x20 && !model[AMD_GFX10_3].places[2] && !model[AMD_GFX11].places[0]);
   assert(model[AMD_GFX11_5].bits == (UINT64_C(1) << 63 | 0x27) && !model[AMD_GFX11].bits);
#ifdef BOTH
   static const struct aco_target compiler[AMD_GEN_COUNT] = {ACO_TARGET_ROWS};
   static const struct ac_gpu_traits driver[AMD_GEN_COUNT] = {AC_GPU_TRAITS_ROWS};

   assert(compiler[AMD_GFX9].reach.min_B == -4 && compiler[AMD_GFX11].reach.max_B == 7);
   assert(driver[AMD_GFX10].shared && !driver[AMD_GFX9].shared);
#endif
#ifdef OTHER_SIDE
   return model[AMD_GFX9].reach.min_B;
#endif
   return 0;
}
'''


def refuses_bad_tables(generator, folder):
  failures = 0
  table = folder / 'table.txt'
  for message, text in BAD.items():
    table.write_text(SOURCE + text)
    run = subprocess.run([sys.executable, '-B', generator, 'model.h', folder / 'out.h', table], capture_output=True,
                         text=True)
    if run.returncode == 0 or message not in run.stderr or 'Traceback' in run.stderr:
      failures += 1
      print(f'expected "{message}", got {run.returncode}: {run.stderr.strip()}')
  return failures


def gives_sides_their_own(generator, source, cc, folder):
  (folder / 'amd/hw').mkdir(parents=True)
  (folder / 'table.txt').write_text(TABLE)
  (folder / 'program.c').write_text(PROGRAM)
  for side in 'driver', 'compiler', 'model':
    subprocess.run([sys.executable, '-B', generator, f'{side}.h', folder / f'amd/hw/traits_{side}.h',
                    folder / 'table.txt'], check=True)
  compile_it = [*cc, '-std=c17', '-Wall', '-Werror', '-I', folder, '-I', source, '-o', folder / 'program',
                folder / 'program.c']
  subprocess.run([*compile_it, '-DBOTH'], check=True)
  failures = subprocess.run([folder / 'program']).returncode != 0
  other = subprocess.run([*compile_it, '-DOTHER_SIDE'], capture_output=True, text=True)
  if other.returncode == 0 or 'reach' not in other.stderr:
    print("the model's struct has a trait of the compiler")
    failures += 1
  return failures


def main():
  generator, source, *cc = sys.argv[1:]
  with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    return refuses_bad_tables(generator, folder) + gives_sides_their_own(generator, source, cc, folder)


if __name__ == '__main__':
  sys.exit(main())
