#!/usr/bin/python3
"""The generator of intrinsics takes a back end's rows, and refuses rows that say too little or what others say."""
import pathlib
import subprocess
import sys
import tempfile

GENERATOR = pathlib.Path(__file__).resolve().parents[3] / 'src/compiler/nir/nir_intrinsics_gen.py'
HEAD = 'from nir_intrinsics import ELIM, PURE, SYSVAL, DIVERGENT, UNIFORM\n'
GOOD = "('load_lane_agx', [], 1, 32, [], SYSVAL | DIVERGENT)"

# rows, sizes of sources, what the generator says
BAD = [
  ("('load_lane', [], 1, 32, [], PURE | DIVERGENT)", '', 'load_lane: the name does not end in'),
  (f'{GOOD}, {GOOD}', '', 'load_lane_agx: two rows'),
  ("('load_lane_agx', [], 1, 32, [], SYSVAL)", '', 'load_lane_agx: one of DIVERGENT and UNIFORM'),
  ("('load_lane_agx', [], 1, 32, [], PURE | DIVERGENT | UNIFORM)", '', 'load_lane_agx: one of'),
  ("('wait_agx', [], None, 0, [], UNIFORM)", '', 'wait_agx: one of'),
  ("('wait_agx', [1, 1], None, 0, [], 0)", "'wait_agx': [32]", 'wait_agx: 2 sources, 1 sizes'),
  (GOOD, "'load_lain_agx': [32]", 'load_lain_agx: sizes of sources, but no row'),
]


def generate(folder, kind, rows, sizes):
  path = pathlib.Path(folder) / 'rows.py'
  path.write_text(f'{HEAD}INTRINSICS = [{rows}]\nSOURCE_BITS = {{{sizes}}}\n')
  output = pathlib.Path(folder) / 'output'
  run = subprocess.run([sys.executable, '-B', GENERATOR, kind, output, path], capture_output=True, text=True,
                       timeout=60)
  return run.returncode, output.read_text() if not run.returncode else run.stderr


def main():
  with tempfile.TemporaryDirectory() as folder:
    for kind, piece in (('header', '   NIR_INTRINSIC_load_lane_agx,\n'), ('source', '"load_lane_agx"'),
                        ('builder', 'nir_load_lane_agx(struct nir_builder *b)')):
      status, text = generate(folder, kind, GOOD, '')
      assert not status and piece in text, (kind, text[-500:])
    for rows, sizes, piece in BAD:
      status, text = generate(folder, 'source', rows, sizes)
      assert status and piece in text, (rows, text)
  print(f'{len(BAD)} bad tables refused')


if __name__ == '__main__':
  main()
