#!/usr/bin/python3
"""bin/shader-db --driver with stand-ins for indium and the drivers: pairs, sums, who refuses, what is published."""
import array
import contextlib
import io
import pathlib
import struct
import sys
import tempfile
import types

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'bin'))
import shader_drivers  # noqa: E402
import shader_gl  # noqa: E402

# "run --gpu m1 --mode noop --driver NAME --plain -- PROGRAM PIPELINE...": a driver's result for each is next to it.
INDIUM = '''#!/bin/sh
if [ "$1" = drivers ]; then printf 'indium x 1\\nhoneykrisp mesa26 26.9\\n'; exit; fi
driver=$7; shift 10
[ "$driver" != gone ] || { echo "gone is not here: bin/peers" >&2; exit 77; }
echo "device: something"
echo "columns instructions code spills"
for pipeline; do
   file=${pipeline##*:}.$driver
   [ "$(cat "$file")" != dies ] || kill -9 $$
   cat "$file"
done
'''
RESULTS = {
  'a.comp': ('pipeline 1 1.0\nstage compute 10 100 0', 'pipeline 1 3.0\nstage compute 20 90 -'),
  'b.comp': ('pipeline 1 2.0\nstage compute 40 300 2', 'pipeline 1 4.0\nstage compute 10 90 -'),
  'dies.comp': ('pipeline 1 2.0\nstage compute 7 7 7', 'dies'),
  'refused.comp': ('pipeline 0 0.0', 'pipeline 1 1.0\nstage compute 5 5 5'),
  's.frag': ('pipeline 1 9.0\nstage vertex 3 30 0\nstage fragment 6 60 0',
             'pipeline 1 9.0\nstage vertex 6 30 0\nstage fragment 6 60 0'),
  's_x.spv': ('pipeline 1 9.0\nstage vertex 1000 1 0\nstage fragment 4 1 0',
              'pipeline 1 9.0\nstage vertex 1000 1 0\nstage fragment 2 1 0'),
}


def spirv(model, *instructions):
  words = [0x07230203, 0x10300, 0, 100, 0, 5 << 16 | 15, model, 1, 0x6e69616d, 0]
  for instruction in instructions:
    words += [len(instruction) << 16 | instruction[0], *instruction[1:]]
  return struct.pack(f'{len(words)}I', *words)


INPUT = (71, 9, 30, 0), (59, 8, 9, 1)  # OpDecorate Location, OpVariable Input
MODELS = {'a.comp': spirv(5), 'b.comp': spirv(5), 'dies.comp': spirv(5), 'refused.comp': spirv(5),
          's.vert': spirv(0), 's_vert.spv': spirv(0), 's.frag': spirv(4, *INPUT), 's_x.spv': spirv(4, *INPUT),
          'alone.frag': spirv(4, *INPUT), 'plain.frag': spirv(4)}


def check_pairs(modules, plain):
  """Which shader follows which; a fragment shader that reads what nobody writes stands nowhere."""
  queue, alone = shader_drivers.pipelines(modules, plain)
  assert [p.names for p in queue] == [('a.comp',), ('b.comp',), ('dies.comp',), ('refused.comp',),
                                      ('s.vert', 's.frag'), ('s_vert.spv', 's_x.spv'), ('', 'plain.frag')], queue
  assert alone == ['alone.frag'] and queue[-1].modules[0] == plain, alone
  return queue[:-1]


def check_sums(queue, build):
  sides = [shader_drivers.Driver(build, name, 'm1').measure_all(queue) for name in ('indium', 'honeykrisp')]
  comparison = shader_drivers.Comparison(queue, *sides)
  assert comparison.refused == [['refused.comp'], ['dies.comp']], comparison.refused
  # a.comp and b.comp: what one of them does not tell, or has not, is no row.
  assert list(comparison.table('compute')) == [('instructions', 50, 30, 1, 1), ('code', 400, 180, 0, 2)]
  assert abs(comparison.ratio('compute') - (10 / 20 * 40 / 10) ** .5) < 1e-9
  assert comparison.extremes('compute', 5) == ([(30, 'b.comp', 40, 10)], [(-10, 'a.comp', 10, 20)])
  assert list(comparison.pairs['vertex']) == ['s.vert', 's_vert.spv']
  assert list(comparison.table('fragment')) == [('instructions', 10, 8, 0, 1), ('code', 61, 61, 0, 0)]
  return comparison


def check_whole(modules, plain, folder):
  """The command after its arguments."""
  shader_drivers.ROOT, shader_drivers.PAGE = folder, folder / 'page.md'
  shader_drivers.PAGE.write_text('before\n' + ''.join(shader_drivers.MARKS) + 'after\n')
  del modules['plain.frag'], modules['alone.frag']
  args = types.SimpleNamespace(driver=['honeykrisp'], gpu=None, list=1, save=folder / 'rows.csv', publish=True)
  printed = io.StringIO()
  with contextlib.redirect_stdout(printed):
    assert shader_drivers.main(args, modules, plain) == 0
  assert '  longer: b.comp: 40, 10\n  shorter: a.comp: 10, 20\n' in printed.getvalue(), printed.getvalue()
  text = shader_drivers.PAGE.read_text()
  assert text.startswith('before\n<!--') and text.endswith('-->\nafter\n'), text
  assert '| 2 compute: 1.41 | instructions | 50 | 30 | +66.7% | 1, 1 |\n' in text and '26.9' in text, text
  assert 'indium,compute,b.comp,40,300,2\n' in args.save.read_text().replace('\r', ''), args.save.read_text()
  args.driver = ['gone']
  with contextlib.redirect_stderr(printed), contextlib.redirect_stdout(printed):
    assert shader_drivers.main(args, modules, plain) == 77


def check_opengl():
  """Sets become bindings, push constants a uniform block, vertices another variable."""
  words = array.array('I', spirv(0, (71, 2, 34, 1), (71, 2, 33, 5), (71, 3, 11, 42), (72, 4, 0, 11, 43),
                                 (21, 6, 32, 0), (32, 7, 9, 6), (59, 7, 8, 9)))
  place_of = shader_gl.places([words, array.array('I', spirv(4, (71, 2, 33, 0)))])
  assert place_of == {(0, 0): 0, (1, 5): 1}, place_of
  expected = spirv(0, (71, 2, 33, 1), (71, 3, 11, 5), (72, 4, 0, 11, 6), (71, 8, 33, 2), (21, 6, 32, 0),
                   (32, 7, 2, 6), (59, 7, 8, 2))
  assert shader_gl.for_opengl(words, place_of).tobytes() == expected


def main():
  with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    build = folder / 'build'
    (build / 'src/tools').mkdir(parents=True)
    (build / 'src/tools/indium').write_text(INDIUM)
    (build / 'src/tools/indium').chmod(0o755)
    modules = {}
    for module, data in MODELS.items():
      modules[module] = folder / module
      modules[module].write_bytes(data)
    for module, texts in RESULTS.items():
      for driver, text in zip(('indium', 'honeykrisp'), texts):
        (folder / f'{module}.{driver}').write_text(text + '\n')
    plain = modules['s.vert']
    check_sums(check_pairs(modules, plain), build)
    check_whole(modules, plain, folder)
    check_opengl()


if __name__ == '__main__':
  main()
