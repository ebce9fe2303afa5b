"""The generator of stages' registers: it refuses tables that contradict themselves, and each generation has its own
cells.

Usage: test_stages_gen.py STAGES_GEN.PY TABLE...
"""
import pathlib
import subprocess
import sys
import tempfile

BAD = {
  'stage A stands twice': 'stage A\nstage A\n',
  'rsrc1 stands twice': 'stage A\n rsrc1 COMPUTE_PGM_RSRC1\n rsrc1 COMPUTE_PGM_RSRC1\n',
  'rsrc9?': 'stage A\n rsrc9 COMPUTE_PGM_RSRC1\n',
  'no generation gfx12': 'stage A\n rsrc1 gfx12=COMPUTE_PGM_RSRC1\n',
  'rsrc1 has two cells on gfx10': 'stage A\n rsrc1 gfx9-gfx10=COMPUTE_PGM_RSRC1 gfx10=COMPUTE_PGM_RSRC2\n',
  'gfx11 has no register SPI_SHADER_PGM_LO_VS': 'stage A\n pgm_lo SPI_SHADER_PGM_LO_VS\n',
  'gfx9 has no register NOTHING': 'stage A\n pgm_lo NOTHING\n',
  'COMPUTE_PGM_RSRC1 has no field NOTHING': 'stage A\n wave32 COMPUTE_PGM_RSRC1.NOTHING\n',
  'wave32 is bits': 'stage A\n wave32 COMPUTE_PGM_RSRC1\n',
  'rsrc1 is a register': 'stage A\n rsrc1 COMPUTE_PGM_RSRC1.VGPRS\n',
}
TABLE = '''
stage A @gfx9-gfx10
 pgm_lo gfx9=COMPUTE_PGM_LO gfx10=COMPUTE_PGM_HI
 mem_ordered COMPUTE_PGM_RSRC1.MEM_ORDERED
'''


def generate(generator, tables, folder, text):
  (folder / 'stages.txt').write_text(text)
  run = subprocess.run([sys.executable, '-B', generator, 'stages.c', folder / 'stages.c', folder / 'stages.txt',
                        *tables], capture_output=True, text=True)
  return run, (folder / 'stages.c').read_text() if run.returncode == 0 else ''


def main():
  generator, *tables = sys.argv[1:]
  with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    for sentence, text in BAD.items():
      run, _ = generate(generator, tables, folder, text)
      assert run.returncode and sentence in run.stderr, f'{sentence}: {run.stderr or "accepted"}'
      assert 'Traceback' not in run.stderr, run.stderr
    run, c = generate(generator, tables, folder, TABLE)
    assert not run.returncode, run.stderr
    gens = {block.split(']')[0]: block for block in c.split('[AMD_GFX')[1:]}
    assert '{.pgm_lo = 0xb830}' in gens['9'], c
    assert '{.pgm_lo = 0xb834, .mem_ordered = {0xb848, 0x40000000}}' in gens['10'], c
    assert 'AMD_HW_A' not in gens['11'], c


if __name__ == '__main__':
  main()
