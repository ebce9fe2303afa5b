#!/usr/bin/env python3
"""indium run and gpus: what they set, and one line with status 2 for a wrong command line: test_run.py INDIUM."""
import os
import subprocess
import sys

RADV = '/usr/share/vulkan/icd.d/radeon_icd.x86_64.json'


def run(*args, **environment):
  clean = {k: v for k, v in os.environ.items() if k not in ('LD_PRELOAD', 'INDIUM_GPU', 'INDIUM_MODE', 'RADV_DEBUG')}
  return subprocess.run([sys.argv[1], *args], capture_output=True, text=True, timeout=60, env={**clean, **environment})


def check_faults():
  for args, word in [
      (['run'], 'program'), (['run', '--gpu', 'navi99', '--', 'true'], 'navi99'), (['run', '--gpu'], 'program'),
      (['run', '--mode', 'fast', '--', 'true'], 'fast'), (['run', '--driver', 'nvidia', '--', 'true'], 'nvidia'),
      (['run', '--driver', '/nowhere/x.json', '--', 'true'], '/nowhere/x.json'), (['run', '--what', 'true'], '--what'),
      (['run', '--driver', RADV, '--', '/nowhere/program'], '/nowhere/program'), (['gpus', 'all'], 'arguments')]:
    done = run(*args)
    assert done.returncode == 2, (args, done)
    assert word in done.stderr.splitlines()[0] and not done.stdout, (args, done)


def check_environment():
  done = run('run', '--gpu=vega10', '--mode', 'noop', '--driver', 'radv', '--', 'env', LD_PRELOAD='', RADV_DEBUG='info')
  assert done.returncode == 0, done
  env = dict(line.split('=', 1) for line in done.stdout.splitlines() if '=' in line)
  assert env['INDIUM_GPU'] == 'vega10' and env['INDIUM_MODE'] == 'noop'
  assert env['VK_DRIVER_FILES'] == env['VK_ICD_FILENAMES'] == RADV
  assert env['LD_PRELOAD'].endswith('/libindium_amdgpu_shim.so')
  assert env['RADV_DEBUG'] == 'info', 'what the user sets stays'
  assert run('run', '--driver', 'radv', '--', 'sh', '-c', 'exit 7').returncode == 7


def check_shim_faults():
  """The shim itself stops a program whose environment is wrong when the device is touched, and no other."""
  for environment in ({'INDIUM_GPU': 'navi99'}, {'INDIUM_MODE': 'fast'}):
    touched = run('run', '--driver', 'radv', '--', 'ls', '/dev/dri', **environment)
    assert touched.returncode == 2 and len(touched.stderr.splitlines()) == 1, touched
    assert run('run', '--driver', 'radv', '--', 'ls', '/', **environment).returncode == 0
  listed = run('run', '--driver', 'radv', '--', 'ls', '/dev/dri')
  assert listed.stdout.split() == ['renderD128'], listed


def main():
  names = [line.split()[0] for line in run('gpus').stdout.splitlines()]
  assert names == ['vega10', 'raven', 'renoir', 'navi10', 'navi21', 'vangogh', 'navi31', 'phoenix', 'gfx1150'], names
  check_faults()
  check_environment()
  check_shim_faults()
  print('fine')


if __name__ == '__main__':
  main()
