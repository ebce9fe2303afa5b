#!/usr/bin/python3
"""indium run and gpus: what they set, and one line with status 2 for a wrong command line: test_run.py INDIUM."""
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

RADV = '/usr/share/vulkan/icd.d/radeon_icd.x86_64.json'


def run(*args, **environment):
  clean = {k: v for k, v in os.environ.items() if k not in (
    'LD_PRELOAD', 'INDIUM_GPU', 'INDIUM_MODE', 'RADV_DEBUG', 'AMD_DEBUG')}
  return subprocess.run([sys.argv[1], *args], capture_output=True, text=True, timeout=60,
                        env={**clean, **environment})


def check_faults():
  """Every wrong use: one line on stderr that names what is wrong, nothing on stdout, status 2."""
  for args, words in [
      ([], 'name a command'), (['what'], 'there is no command "what"'), (['--what'], 'there is no command "--what"'),
      (['gpus', 'all'], 'arguments'), (['drivers', 'radv'], 'arguments'), (['gpus', '--all'], 'option --all'),
      (['run'], 'program'), (['run', '--'], 'program'), (['run', '--gpu', 'navi99', '--', 'true'], 'navi99'),
      (['run', '--gpu'], '--gpu needs a value'), (['run', '--gpu', '--', 'true'], '--gpu needs a value'),
      (['run', '--gpu=', '--', 'true'], '--gpu needs a value'), (['run', '--driver'], '--driver needs a value'),
      (['run', '--mode', '--gpu', 'navi21', '--', 'true'], '--mode needs a value'),
      (['run', '--gpu', 'navi21'], 'name a program'), (['run', '--gpus', 'navi21', '--', 'true'], 'option --gpus'),
      (['run', '--mode', 'fast', '--', 'true'], 'fast'), (['run', '--driver', 'nvidia', '--', 'true'], 'nvidia'),
      (['run', '--driver', '/nowhere/x.json', '--', 'true'], '/nowhere/x.json'),
      (['run', '--what', 'true'], '--what'), (['run', '--budget'], '--budget needs a value'),
      *((['run', '--budget', bad, '--', 'true'], f'not "{bad}"') for bad in ('0', '-1', '1e9', '1' * 19)),
      *((['run', '--conformance-version', bad, '--', 'true'], f'not "{bad}"') for bad in (
        '1.3.5', '1.3.5.2.1', '1.3.5.2 ', ' 1.3.5.2', '01.3.5.2', '1.3.5.02', '1.3.5.x', '+1.3.5.2', '1.3.-5.2',
        '1,3,5,2', '0.0.0.0', '2.0.0.0', '1.5.0.0', '1.3.16.0', '1.3.5.255', '1.3.5.258', '1.3.4294967301.2',
        'v1.3.5.2')),
      (['run', '--conformance-version', '--', 'true'], '--conformance-version needs a value'),
      (['run', '--driver', 'radv', '--conformance-version', '1.3.5.2', '--', 'true'], "this tree's driver"),
      (['run', '--driver', RADV, '--', '/nowhere/program'], '/nowhere/program'),
      (['run', '--driver', RADV, '--plain', '--', 'true'], '--plain is for drivers by name'),
      *((['run', '--plain=' + bad, '--', 'true'], '--plain ') for bad in ('', 'order,', 'ord', 'order,,shading')),
      (['run', '--gl', 'gallium', '--', 'true'], 'not "gallium"'), (['run', '--gl'], '--gl needs a value'),
      (['run', '--gl', 'zink', '--driver', 'radeonsi', '--', 'true'], 'an OpenGL driver itself'),
      (['run', '--gl', 'zink', '--', '/nowhere/program'], '/nowhere/program'),
      (['shader'], 'name a file'), (['shader', '/nowhere.comp'], 'cannot be read'),
      (['shader', '/'], 'cannot be read'),
      (['shader', 'x.comp', 'y.comp'], 'one file, not y.comp too'), (['shader', '--wave', 'x.comp'], 'name a file'),
      (['shader', 'x.comp', '--wave', '16'], '--wave takes 32 or 64, not 16'),
      (['shader', 'x.comp', '--wave=16'], '--wave takes 32 or 64, not 16'),
      (['shader', 'x.spv', '--stage', 'mesh'], 'frag or comp, not mesh'),
      (['shader', 'x.comp', '--stage', 'frag'], 'gives its stage'),
      (['shader', 'x.comp', '--gpu', 'm1', '--wave', '32'], "for AMD's chips, not for m1"),
      (['shader', 'x.spv', '--gpu', 'm1', '--layers'], "for AMD's chips, not for m1"),
      (['shader', 'x.comp', '--gpu', 'm1', '--print', 'asm,time'], "--print time is for AMD's chips, not for m1"),
      (['shader', 'x.agx', '--print', 'time'], "--print time is for AMD's chips, not for agx"),
      (['shader', 'x.spv', '-DX=1'], '-D is for GLSL'),
      (['shader', 'x.comp', '--gpu', '--wave', '32'], '--gpu needs a value'), (['shader', '--what'], 'option --what'),
      (['format'], 'name a format'), (['format', 'R8_UNORM', 'R9_UNORM'], 'R9_UNORM'),
      (['layout'], 'WIDTHxHEIGHT'), (['layout', '4x4', 'VK_FORMAT_R8_UNORM', '--levels'], '--levels needs a value'),
      (['layout', '4x4', 'VK_FORMAT_R8_UNORM', '--levels', '--json'], '--levels needs a value'),
      (['layout', '4x4', 'VK_FORMAT_R8_UNORM', '--what', '1'], 'option --what'),
      (['trace'], 'name a file'), (['trace', '/nowhere.json'], '/nowhere.json'),
      (['trace', 'x', '--plot'], '--plot needs a value'), (['trace', 'x', '--what'], 'option --what'),
      (['manual'], 'name man'), (['manual', 'man', 'what'], 'name man'), (['manual', 'tcsh'], 'name man'),
      (['manual', 'bash', 'run'], 'name man')]:
    done = run(*args)
    assert done.returncode == 2, (args, done)
    assert len(done.stderr.splitlines()) == 1 and words in done.stderr and not done.stdout, (args, done)
    assert done.stderr.startswith('indium'), (args, done)


def check_full():
  """What does not arrive whole is an error, wherever it goes."""
  with tempfile.TemporaryDirectory() as folder:
    shader, timeline = os.path.join(folder, 'x.comp'), os.path.join(folder, 'x.json')
    with open(shader, 'w') as file:
      file.write('#version 450\nvoid main() {}\n')
    with open(timeline, 'w') as file:
      file.write('{"traceEvents": [{"ph": "X", "pid": 1, "tid": 1, "name": "a", "ts": 0, "dur": 4}]}')
    layout = ['layout', '64x64', 'VK_FORMAT_R8_UNORM']
    for args in (['--help'], ['gpus'], ['drivers'], ['run', '--help'], ['shader', '--help'],
                 ['format', 'VK_FORMAT_R8_UNORM'], ['mutants', '--list'], layout, [*layout, '--json'],
                 [*layout, '--at', '1,1,0,0'], ['trace', timeline],
                 *(['shader', shader, '--print', part] for part in (
                   'nir', 'ir', 'asm', 'code', 'stats'))):
      with open('/dev/full', 'w') as full:
        done = subprocess.run([sys.argv[1], *args], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
      assert done.returncode == 2 and done.stderr.count('No space left') == 1, (args, done)
    for kind in ('svg', 'png'):
      picture = os.path.join(folder, 'full.' + kind)
      os.symlink('/dev/full', picture)
      for args in (layout, ['trace', timeline]):
        done = run(*args, '--plot', picture)
        assert done.returncode == 2 and done.stderr.count('No space left') == 1, (args, done)
        assert os.path.islink(picture), 'what cannot be written is not removed'


def check_environment():
  done = run('run', '--gpu=vega10', '--mode', 'noop', '--driver', 'radv', '--', 'env', LD_PRELOAD='',
             RADV_DEBUG='info')
  assert done.returncode == 0, done
  env = dict(line.split('=', 1) for line in done.stdout.splitlines() if '=' in line)
  assert env['INDIUM_GPU'] == 'vega10' and env['INDIUM_MODE'] == 'noop'
  assert env['VK_DRIVER_FILES'] == env['VK_ICD_FILENAMES'] == RADV
  # Where a path with spaces cannot stand: the bare name, looked for in LD_LIBRARY_PATH.
  assert os.path.basename(env['LD_PRELOAD']) == 'libindium_amdgpu_shim.so'
  assert env['RADV_DEBUG'] == 'info', 'what the user sets stays'
  assert run('run', '--driver', 'radv', '--', 'sh', '-c', 'exit 7').returncode == 7
  for options, value in [(['--conformance-version', '1.3.5.2'], '1.3.5.2'),
                         (['--conformance-version=1.4.10.0'], '1.4.10.0'), ([], None)]:
    lines = run('run', *options, '--', 'env').stdout.splitlines()
    assert [x for x in lines if 'CONFORMANCE' in x] == [f'INDIUM_CONFORMANCE_VERSION={value}'] * bool(value), lines
  with tempfile.NamedTemporaryFile('w', suffix='.comp') as shader:
    print('#version 450\nlayout(set = 0, binding = 0) buffer B { int x; };', file=shader)
    print('void main() { x = x > 3 ? x * 2 : 5; }', file=shader, flush=True)
    for flags, lines in [('validate,,', 0), ('validate,asn,nirs', 1)]:
      done = run('shader', shader.name, INDIUM_DEBUG=flags)
      assert done.returncode == 0 and len(done.stderr.splitlines()) == lines, done
      assert not lines or 'INDIUM_DEBUG: there is no "asn"; there are: nir, asm, validate' in done.stderr, done
    done = run('shader', shader.name, '--print', 'nir', INDIUM_DEBUG='nir')
    assert 'store_' in done.stderr and done.stderr.strip() == done.stdout.strip(), done


def check_gl():
  """Zink is Mesa's choice for every device; the program's status counts, and a run without submits fails."""
  done = run('run', '--gl', 'zink', '--mode', 'noop', '--', 'env', LIBGL_ALWAYS_SOFTWARE='1', DISPLAY='')
  lines = done.stdout.splitlines()
  assert 'MESA_LOADER_DRIVER_OVERRIDE=zink' in lines and not any('ALWAYS_SOFTWARE' in line for line in lines), lines
  assert done.returncode == 1 and done.stderr.count('got no submits') == 1, done
  for command, status in [('exit 7', 7), ('kill -9 $$', 137), ('exit 0', 1)]:
    assert run('run', '--gl', 'zink', '--', 'sh', '-c', command).returncode == status, command
  with tempfile.TemporaryDirectory() as folder: # nothing is fetched there
    done = run('run', '--gl', 'zink-26', '--', 'true', INDIUM_PEERS=folder)
    assert done.returncode == 77 and 'bin/peers mesa26' in done.stderr, done
    os.mkdir(os.path.join(folder, 'mesa26')) # a release without Zink
    done = run('run', '--gl', 'zink-26', '--', 'true', INDIUM_PEERS=folder)
    assert done.returncode == 2 and 'zink_dri.so' in done.stderr, done
    for driver, words in [('radv', 'of another release'), ('lavapipe-26', 'cannot read')]:
      done = run('run', '--gl', 'zink-26', '--driver', driver, '--', 'true', INDIUM_PEERS=folder)
      assert done.returncode == 2 and words in done.stderr, done


def check_plain():
  """What Mesa's drivers are told: nothing unless it is asked for, by groups, and never over the user's own word."""
  def told(*options, **environment):
    lines = run('run', '--driver', 'radv', *options, '--', 'env', **environment).stdout.splitlines()
    pairs = dict(line.split('=', 1) for line in lines if '=' in line)
    return pairs.get('RADV_DEBUG'), pairs.get('AMD_DEBUG')
  assert told() == (None, None)
  assert told('--plain=geometry') == ('nongg,nonggc',) * 2
  assert told('--plain=submits,surfaces') == ('nohiz,nodcc,nofastclears,nofmask,noibs', 'nohyperz,nodcc,nofmask')
  assert told('--plain=compute', AMD_DEBUG='x') == ('nocompute', 'x')
  words = [set(words.split(',')) for words in told('--plain')]
  assert words[0] >= {'nongg', 'nodcc', 'noibs', 'novrsflatshading'} and words[1] >= {'nongg', 'nodpbb'}, words
  assert told('--plain', RADV_DEBUG='info')[0] == 'info' and told('--plain', RADV_DEBUG='')[0] == ''
  assert run('run', '--plain', '--', 'env').stdout.count('_DEBUG=no') == 0, "this tree's driver has no such words"


def check_proven():
  """What gpus says of a chip's drivers is what the matrix found with their defaults."""
  table = pathlib.Path(__file__).resolve().parent.parent / 'conformance/matrix.csv'
  rows = [row for row in csv.DictReader(table.open(newline=''))
          if row['settings'] == 'defaults' and row['result'] not in ('unsupported', 'skipped')]
  for line in run('gpus').stdout.splitlines():
    chip = line.split()[0]
    said = dict(re.findall(r'(\S+) (\d+/\d+)', line))
    mine = [row for row in rows if row['chip'] == chip]
    assert said.keys() == {row['driver'] for row in mine}, line
    for driver, counts in said.items():
      results = [row['result'] for row in mine if row['driver'] == driver]
      assert counts == f'{results.count("pass")}/{len(results)}', (chip, driver, counts)


def said(done):
  """The lines on stderr but for the last one, that there were no submits."""
  return [line for line in done.stderr.splitlines() if ' got no submits: ' not in line]


def is_stopped(done):
  return done.returncode == 2 and len(said(done)) == 1


def check_shim_faults():
  """The shim itself stops a program whose environment is wrong when the device is touched, and no other."""
  for environment in ({'INDIUM_GPU': 'navi99'}, {'INDIUM_MODE': 'fast'}, {'INDIUM_THREADS': '0'},
                      {'INDIUM_THREADS': '2x'}, {'INDIUM_SCHEDULE': 'seed=x'},
                      {'INDIUM_BUDGET': '0'}, {'INDIUM_BUDGET': '1e9'}, {'INDIUM_RACES': 'yes'},
                      {'INDIUM_CARD': 'yes'}, {'INDIUM_TRACE': '/nowhere/trace.json'}):
    touched = run('run', '--driver', 'radv', '--', 'ls', '/dev/dri', **environment)
    assert is_stopped(touched), touched
    assert run('run', '--driver', 'radv', '--', 'ls', '/', **environment).returncode == 0
  # What nothing runs for.
  for chip, noop in (('navi21', {'INDIUM_MODE': 'noop'}), ('m1', {'INDIUM_MODE': 'noop'}), ('skl', {})):
    command = ['run', '--gpu', chip, '--driver', RADV, '--', 'ls', '/dev/dri']
    touched = run(*command, INDIUM_RACES='1', **noop)
    assert is_stopped(touched), (chip, touched)
    assert 'INDIUM_RACES=1: noop mode runs nothing' in touched.stderr, (chip, touched)
    listed = run(*command, INDIUM_RACES='0', **noop)
    assert listed.stdout.split() == ['renderD128'], (chip, listed)
    listed = run('run', '--card', *command[1:], **noop)
    assert listed.stdout.split() == ['card0', 'renderD128'], (chip, listed)
  noop = ['run', '--gpu', 'm2', '--mode', 'noop', '--driver', RADV, '--', 'ls', '/dev/dri']
  touched = run(*noop, INDIUM_DUMP_STATE='1')
  assert is_stopped(touched) and 'DUMP_STATE' in touched.stderr, touched
  listed = run(*noop)
  assert listed.stdout.split() == ['renderD128'], listed
  # Children with another environment, too
  for command in ['ls'], ['env', '-i', 'ls'], ['sh', '-c', 'unset LD_PRELOAD; exec ls "$@"', 'sh']:
    listed = run('run', '--driver', 'radv', '--', *command, '/dev/dri', INDIUM_THREADS='64')
    assert listed.stdout.split() == ['renderD128'], listed


def check_watched_noop():
  """What watches the model says that nothing runs."""
  for option in '--races', '--report=/dev/null':
    refused = run('run', '--driver', RADV, '--mode', 'noop', option, '--', 'ls')
    assert refused.returncode == 2 and option.split('=')[0] in refused.stderr, refused
    assert '--mode noop runs nothing' in refused.stderr, refused


def check_no_model():
  """Chips of which nothing here runs packets: noop mode without asking, and a sentence for what a model does."""
  manifest = '/usr/share/vulkan/icd.d/intel_hasvk_icd.x86_64.json'
  if not os.path.exists(manifest):
    return
  listed = run('run', '--gpu', 'hsw', '--driver', 'hasvk', '--', 'ls', '/dev/dri')
  assert listed.stdout.split() == ['renderD128'], listed
  for options in (['--mode', 'model'], ['--schedule', 'worst'], ['--races'], ['--budget', '5'],
                  ['--trace', '/dev/null'], ['--record', '/dev/null']):
    refused = run('run', '--gpu', 'hsw', '--driver', 'hasvk', *options, '--', 'ls')
    assert refused.returncode == 2 and options[0] in refused.stderr, refused
    assert 'there is no model of hsw' in refused.stderr, refused
  for chip, driver, message in (('skl', 'hasvk', 'driver hasvk is not for skl'),
                                ('skl', 'indium', 'has no driver for skl'),
                                ('navi21', 'hasvk', 'driver hasvk is not for navi21')):
    refused = run('run', '--gpu', chip, '--driver', driver, '--', 'ls')
    assert refused.returncode == 2 and message in refused.stderr, refused
  for variable in {'INDIUM_MODE': 'model'}, {'INDIUM_RECORD': '/dev/null'}, {'INDIUM_TRACE': '/dev/null'}:
    touched = run('run', '--gpu', 'hsw', '--driver', 'hasvk', '--', 'ls', '/dev/dri', **variable)
    assert is_stopped(touched), touched


def check_folders():
  """A tree may lie in a folder whose name has spaces; in one whose name no list of paths can hold, it says so."""
  build = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(sys.argv[1]))))
  for name, listable in (('a tree', True), ('a:tree', False), ('a; tree', False)):
    with tempfile.TemporaryDirectory() as folder:
      root = os.path.join(folder, name)
      for part in ('src/tools', 'src/amd/drm-shim'):
        os.makedirs(os.path.join(root, part))
      indium = shutil.copy(sys.argv[1], os.path.join(root, 'src/tools/indium'))
      shim = 'src/amd/drm-shim/libindium_amdgpu_shim.so'
      os.symlink(os.path.join(build, shim), os.path.join(root, shim))
      done = subprocess.run([indium, 'run', '--driver', RADV, '--', 'ls', '/dev/dri'], capture_output=True, text=True,
                            timeout=60)
      if listable:
        assert (done.returncode, done.stdout, said(done)) == (0, 'renderD128\n', []), done
      else:
        assert (done.returncode, done.stdout) == (2, '') and "has a ':' or ';'" in done.stderr, done


def main():
  names = [line.split()[0] for line in run('gpus').stdout.splitlines()]
  assert names == ['vega10', 'raven', 'renoir', 'navi10', 'navi21', 'vangogh', 'navi31', 'phoenix', 'gfx1150',
                   'krackan', 'm1', 'm1pro', 'm1max', 'm1ultra', 'm2', 'm2pro', 'm2max', 'm2ultra', 'hsw', 'bdw',
                   'skl'], names
  check_faults()
  check_full()
  check_environment()
  check_gl()
  check_plain()
  check_proven()
  check_shim_faults()
  check_watched_noop()
  check_no_model()
  check_folders()
  print('fine')


if __name__ == '__main__':
  main()
