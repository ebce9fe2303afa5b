#!/usr/bin/python3
"""LLVM 19 disassembles every instruction that the tests make aco emit to the text that our printer gives.

Usage: test_aco_llvm.py INDIUM TEST... -- SHADER...
TEST: tests with aco_record.c linked in: they must pass, and what they compiled is compared.
SHADER: files that `indium shader` takes, or folders of such, compiled in both wave sizes (those that aco is known not
to take must fail with their sentence, see REFUSED). Without llvm-mc-19 the tests run, and the shaders are skipped
(exit status 77).
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MC = 'llvm-mc-19'
SHARE = int(os.environ.get('TEST_SHARE', 1))  # one in so many shaders
CHIP = os.environ.get('ACO_TEST_CHIP', 'navi21')
CPUS = {'vega10': 'gfx900', 'raven': 'gfx902', 'navi10': 'gfx1010', 'navi21': 'gfx1030', 'vangogh': 'gfx1033',
        'navi31': 'gfx1100', 'gfx1150': 'gfx1150'}
CPU = CPUS[CHIP]
WAVES = ('64',) if CPUS[CHIP].startswith('gfx9') else ('32', '64')
# LLVM 19 knows upper halves in short forms only by the number that stands there.
HALF = re.compile(r"v(\d+)/\*Invalid register, operand has '\w+_Lo128' register class\*/")
# And in the long forms of these not at all.
HALVES = re.compile(r'(?P<op>v_\w+_e64 .*?) op_sel:\[[01,]+\]')
KINDS = ('.comp', '.vert', '.frag', '.nir')
REFUSED = {
  'array_lengths.comp.spv': 'an array of 0 elements',  # a pipeline has to say how many
  'pass.tesc': 'tess_ctrl shaders are not supported',
  'pass.tese': 'tess_eval shaders are not supported',
  'pass.geom': 'geometry shaders are not supported',
  'atomics.comp.spv': 'no instruction for this atomic operation of 32 bits',  # float add outside LDS
}


def disassemble(instructions, wave64):
  """Each list of words by itself, as LLVM prints it; a list of lists of lines."""
  marker = bytes.fromhex('7f0080bf')  # s_nop 0x7f tells one from the next
  lines = []
  for words in instructions:
    data = b''.join(int(word, 16).to_bytes(4, 'little') for word in words)
    lines += [' '.join(f'0x{b:02x}' for b in data), ' '.join(f'0x{b:02x}' for b in marker)]
  features = '+wavefrontsize64,-wavefrontsize32' if wave64 else '+wavefrontsize32,-wavefrontsize64'
  run = subprocess.run([MC, '-disassemble', '-triple=amdgcn--amdpal', f'-mcpu={CPU}', f'-mattr={features}'],
                       input='\n'.join(lines), capture_output=True, text=True)
  if run.stderr:
    sys.exit(run.stderr[:2000])
  result, now = [], []
  for line in run.stdout.splitlines():
    line = HALF.sub(lambda found: f'v{int(found[1]) - 128}.h', ' '.join(line.split()))
    if line == 's_nop 0x7f':
      result.append(now)
      now = []
    elif line and not line.startswith('.'):
      now.append(line)
  return result


def compare(what, programs, wave64):
  """programs: (words, texts), of one instruction or of many in a row. True if LLVM agrees."""
  theirs = disassemble([words.split() for words, _ in programs], wave64)
  wrong = []
  for (words, texts), lines in zip(programs, theirs):
    if len(lines) != len(texts):
      wrong.append(f'{words}: {len(texts)} instructions, LLVM finds {len(lines)}: {lines}')
    wrong += [f'ours "{a}", LLVM "{b}"' for a, b in zip(texts, lines) if a != b and HALVES.sub(r'\g<op>', a) != b]
  if len(theirs) != len(programs):
    wrong.append(f'{len(programs)} programs, LLVM finds {len(theirs)}')
  for line in wrong[:10]:
    print(what, line[:400])
  print(f'{what}: {sum(len(texts) for _, texts in programs)} instructions, {len(wrong)} differ')
  return bool(programs) and not wrong


def plain(text):
  return ' '.join(text.split())


def record_of(test, folder):
  """The different instructions that a test makes: (words, [text]) by wave size."""
  path = pathlib.Path(folder) / 'record'
  if subprocess.run([test], env={**os.environ, 'ACO_RECORD': str(path)}).returncode:
    sys.exit(f'{test} failed')
  record = {'32': [], '64': []}
  for line in path.read_text().splitlines():
    head, text = line.split('\t', 1)
    wave, words = head.split(' ', 1)
    record[wave].append((words, [plain(text)]))
  return record


def program_of(indium, path, wave):
  """None if aco refuses the shader as known."""
  run = subprocess.run([indium, 'shader', path, '--gpu', CHIP, '--wave', wave, '--print', 'code,asm'],
                       capture_output=True, text=True)
  refused = REFUSED.get(pathlib.Path(path).name)
  if refused and run.returncode and refused in run.stderr:
    return None
  if run.returncode or refused:
    sys.exit(f'{path}: exit status {run.returncode}: {run.stderr}')
  code, *texts = run.stdout.splitlines()
  # Rows of .long are what comes after the code: padding and constants.
  return code.split(' ', 1)[1], [plain(text) for text in texts if not plain(text).startswith('.long')]


def shader_files(paths):
  for path in map(pathlib.Path, paths):
    yield from sorted(p for p in path.iterdir() if p.suffix in KINDS) if path.is_dir() else [path]


def main():
  indium, rest = sys.argv[1], sys.argv[2:]
  tests, shaders = rest[:rest.index('--')], rest[rest.index('--') + 1:]
  if not shutil.which(MC):
    print('llvm-mc-19 is not installed')
    return 77 if shaders else any([subprocess.run([test]).returncode for test in tests])
  equal = bool(tests or shaders)
  with tempfile.TemporaryDirectory() as folder:
    for test in tests:
      record = record_of(test, folder)
      equal &= bool(record['32'] or record['64'])
      for wave, programs in record.items():
        equal &= not programs or compare(f'{pathlib.Path(test).name} wave{wave}', programs, wave == '64')
  for wave in WAVES if shaders else ():
    programs = [program_of(indium, str(path), wave) for path in list(shader_files(shaders))[::SHARE]]
    equal &= compare(f'shaders wave{wave}', [program for program in programs if program], wave == '64')
  return not equal


if __name__ == '__main__':
  sys.exit(main())
