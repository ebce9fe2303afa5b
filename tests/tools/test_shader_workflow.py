#!/usr/bin/python3
"""docs/drivers/asahi/shaders.md, its first table: test_shader_workflow.py INDIUM PIPELINE_STATS SHADER.comp DRIVER.

A shader is compiled without hardware, and its statistics and texts come out: by our driver in two ways that must
agree, or by Mesa's, whose own line of statistics must agree with what bin/shader-db reads. 77: it was not fetched.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINE = re.compile(r'CS shader: (\d+) instrs, .* (\d+) code size, (\d+) gprs, (\d+) uniforms, (\d+) scratch, '
                  r'\d+ threads, (\d+) loops, (\d+):(\d+) spills:fills, (\d+) preamble inst')
ORDER = ['instructions', 'code', 'registers', 'uniforms', 'scratch', 'loops', 'spills', 'fills', 'preamble']
INDIUM, PIPELINE_STATS, SHADER, DRIVER = sys.argv[1:]


def run(*command, **environment):
  done = subprocess.run(command, capture_output=True, text=True, errors='replace', timeout=100,
                        env={**os.environ, **environment})
  if done.returncode == 77:
    print(done.stderr, end='')
    sys.exit(77)
  assert done.returncode == 0, done.stderr[-2000:]
  return done.stdout, done.stderr


def statistics(program, module, **environment):
  """What a program tells of the one pipeline, and all that it and the driver print."""
  out, err = run(INDIUM, 'run', '--gpu', 'm1', '--mode', 'noop', '--driver', DRIVER, '--', *program, module,
                 MESA_SHADER_CACHE_DISABLE='true', **environment)
  columns = re.search(r'^columns (.*)', out, re.M)[1].split()
  assert re.search(r'^pipeline 1 [\d.]+$', out, re.M), out[-500:]
  values = re.findall(r'^stage compute (.*)', out, re.M)
  assert len(values) == 1, values
  return dict(zip(columns, values[0].split())), out, err


def check_ours(module):
  table, _, _ = statistics([PIPELINE_STATS], module)
  out, _ = run(INDIUM, 'shader', '--gpu', 'm1', module, '--print', 'nir,ir,asm,stats')
  for text in ('load_', '\nstop', 'block'):
    assert text in out, text
  first = re.search(r'instructions (\d+) .*, (\d+) in the preamble, (\d+) loops', out)
  second = re.search(r'code (\d+) B, (\d+) GPRs', out)
  assert first.groups() == (table['instructions'], table['preamble'], table['loops']), (table, first[0])
  assert second.groups() == (table['code'], table['registers']), (table, second[0])
  return table


def check_mesa(module):
  program = [PIPELINE_STATS] if DRIVER == 'honeykrisp' else ['/usr/bin/python3', '-B', ROOT / 'bin/shader_gl.py']
  table, out, err = statistics(program, module, AGX_MESA_DEBUG='shaders,shaderdb', ASAHI_MESA_DEBUG='precompile')
  said = LINE.search(err)
  assert said, err[-500:]
  assert [table[column] for column in ORDER] == list(said.groups()), (table, said[0])
  for text in ('\nimpl ', '@load_', 'block0 {'):  # NIR, and the back end's IR
    assert text in out + err, text
  # The code itself; our disassembler calls it the same.
  listed = re.findall(r'^ +[0-9a-f]+: ([0-9a-f]{4,}) +(\w+)', out + err, re.M)
  assert len(listed) >= int(table['instructions']) // 2, len(listed)
  with tempfile.NamedTemporaryFile('w', suffix='.txt') as file:
    file.write(''.join(f'{code}\n' for code, _ in listed))
    file.flush()
    ours = run(INDIUM, 'disasm', '--gpu', 'm1', file.name)[0].splitlines()
  assert len(ours) == len(listed), (len(ours), len(listed))
  return table


def main():
  with tempfile.TemporaryDirectory() as folder:
    module = os.path.join(folder, 'x.spv')
    run('glslangValidator', '--quiet', '-V', '--target-env', 'vulkan1.1', '-o', module, SHADER)
    print(DRIVER, (check_ours if DRIVER == 'indium' else check_mesa)(module))


if __name__ == '__main__':
  main()
