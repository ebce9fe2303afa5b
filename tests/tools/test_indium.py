#!/usr/bin/python3
"""The frame of the indium command: help, usage errors with exit status 2, and the format command."""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

INDIUM = sys.argv.pop()
ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*args):
  result = subprocess.run([INDIUM, *args], capture_output=True, text=True, timeout=60)
  return result.returncode, result.stdout, result.stderr


class Frame(unittest.TestCase):
  def test_help(self):
    status, out, err = run('--help')
    self.assertEqual((status, err), (0, ''))
    commands = re.findall(r'^  (\w+) ', out, re.M)
    self.assertEqual(commands, ['decode', 'disasm', 'drivers', 'format', 'gpus', 'layout', 'manual', 'mutants',
                                'order', 'replay', 'run', 'shader', 'sparse', 'trace', 'uav', 'varyings',
                                'wave'])
    for command in commands:
      status, out_command, err = run(command, '--help')
      self.assertEqual((status, err), (0, ''))
      self.assertTrue(out_command.startswith(f'usage: indium {command}'))

  def test_examples(self):
    """What --help and the manual page show as examples are commands with options that they have."""
    out, page = run('--help')[1], run('manual', 'man')[1]
    examples = re.findall(r'^    indium (\w+)(.*?)  +(\S.*)$', out, re.M)
    self.assertGreater(len(examples), 20)
    self.assertLessEqual(max(map(len, out.splitlines())), 118)
    for command, arguments, purpose in examples:
      for option in re.findall(r' (--\w[\w-]*)', arguments.partition(' -- ')[0]):
        self.assertRegex(run(command, '--help')[1], rf'(?m)^  {option}\b', (command, arguments))
      self.assertIn(f'\n\\fBindium {command}', page)
      self.assertIn(purpose.replace('-', r'\-'), page)
    unseen = set(re.findall(r'^  (\w+) ', out, re.M)) - {command for command, _, _ in examples}
    self.assertEqual(unseen, {'drivers', 'format', 'gpus', 'manual', 'sparse'})

  def test_help_of_a_program(self):
    """What follows the program is its own."""
    self.assertEqual(run('run', '--driver', '/nowhere.json', 'true', '--help')[0], 2)
    self.assertTrue(run('run', '--help', '--', 'true')[1].startswith('usage: indium run'))

  def test_operands_after_dashes(self):
    self.assertIn('cannot be read', run('shader', '--', '--gpu')[2])
    self.assertEqual(run('format', '--', 'R8_UNORM')[0], 0)

  def test_output_that_does_not_arrive(self):
    for args in (['--help'], ['gpus'], ['format', 'R8_UNORM']):
      with open('/dev/full', 'w', encoding='utf-8') as full:
        done = subprocess.run([INDIUM, *args], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
      self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), args)

  def test_usage_errors(self):
    for args in ([], ['nonsense'], ['format'], ['format', 'R8G8B8A9_UNORM']):
      status, out, err = run(*args)
      self.assertEqual((status, out), (2, ''), args)
      self.assertTrue(err)

  def test_shader_macros(self):
    """What -D switches on is in the program, and nothing is without it."""
    with tempfile.TemporaryDirectory() as folder:
      path = os.path.join(folder, 'a b.frag')
      with open(path, 'w', encoding='utf-8') as file:
        file.write('#version 450\n#ifdef ORDERED\n#extension GL_ARB_fragment_shader_interlock : require\n'
                   'layout(pixel_interlock_ordered) in;\n#endif\n'
                   'layout(set = 0, binding = 0) buffer B { uint n; };\nvoid main() {\n#ifdef ORDERED\n'
                   'beginInvocationInterlockARB();\n#endif\nn += STEP;\n#ifdef ORDERED\n'
                   'endInvocationInterlockARB();\n#endif\n}\n')
      for macros, ordered in ((['-DSTEP=5'], False), (['-DSTEP=5', '-DORDERED'], True)):
        status, out, err = run('shader', path, *macros, '--print', 'asm')
        self.assertEqual((status, err), (0, ''))
        self.assertEqual('MSG_ORDERED_PS_DONE' in out, ordered)
      for wrong in ([], ['-D'], [f'-DSTEP{i}' for i in range(17)]):
        self.assertEqual(run('shader', path, *wrong)[0], 2)

  def test_shader_errors(self):
    with tempfile.TemporaryDirectory() as folder:
      good = os.path.join(folder, 'empty.comp')
      with open(good, 'w', encoding='utf-8') as file:
        file.write('#version 450\nvoid main() {}\n')
      junk = os.path.join(folder, 'junk.spv')
      with open(junk, 'wb') as file:
        file.write(bytes(range(256)))
      cut, whole = os.path.join(folder, 'cut.aco'), os.path.join(folder, 'whole.aco')
      text = run('shader', good, '--print', 'ir', '--after', 'spill')[1]
      for path, lines in ((whole, text), (cut, text.rpartition('\n   end')[0])):
        with open(path, 'w', encoding='utf-8') as file:
          file.write(lines)
      self.assertEqual(run('shader', good, '--print', 'nir,ir,asm,code,stats')[0], 0)
      self.assertEqual(run('shader', whole, '--print', 'asm,stats'), run('shader', good))
      for args in ([], ['/dev/zero'], ['/dev/zero', '--stage', 'frag'],
                   ['/nowhere.spv'], ['/nowhere.frag'], [junk], [good, '--gpu', 'nonsense'],
                   [good, '--gpu', 'krackan'], [good, '--print', 'asm,nonsense'], [good, '--print', ''],
                   [good, '--wave', '16'], [good, '--print'], [good, '--after', 'lunch'], [cut],
                   [whole, '--gpu', 'navi10'], [whole, '--wave', '32']):
        status, out, err = run('shader', *args)
        self.assertEqual((status, out), (2, ''), args)
        self.assertEqual(err.count('\n'), 1, err)
        self.assertTrue(err.startswith('indium shader: '), err)

  def test_stages_that_are_refused(self):
    """Only linked programs are tessellated: one sentence for GLSL, binaries and nir."""
    sources = {'tesc': 'layout(vertices = 3) out;', 'tese': 'layout(triangles) in;'}
    with tempfile.TemporaryDirectory() as folder:
      for stage, layout in sources.items():
        path = os.path.join(folder, 'a.' + stage)
        with open(path, 'w', encoding='utf-8') as file:
          file.write(f'#version 450\n{layout}\nvoid main() {{}}\n')
        binary = os.path.join(folder, stage + '.spv')
        subprocess.run(['glslangValidator', '--quiet', '-V', path, '-o', binary], check=True, timeout=60)
        for args in ([path], [binary], [binary, '--stage', stage]):
          status, out, err = run('shader', *args)
          self.assertEqual((status, out, err.count('\n')), (2, '', 1), args)
          self.assertIn('capability Tessellation is not supported', err)
      for stage, sentence in (('tess_ctrl', 'tess_ctrl shaders are not supported'),
                              ('tess_eval', 'there is tessellation, but no shader says of which domain')):
        path = os.path.join(folder, 'a.nir')
        with open(path, 'w', encoding='utf-8') as file:
          file.write(f'shader {stage}\n{{\nblock b0:\n}}\n')
        self.assertEqual(run('shader', path)[::2], (1, f'indium shader: {path}: {sentence}\n'))

  def test_file_is_named_once(self):
    err = run('shader', '/nowhere.spv')[2]
    self.assertEqual(err.count('/nowhere.spv'), 1, err)

  def test_point_coordinate(self):
    with tempfile.TemporaryDirectory() as folder:
      path = os.path.join(folder, 'point.frag')
      with open(path, 'w', encoding='utf-8') as file:
        file.write('#version 450\nlayout(location = 0) out vec2 o;\nvoid main() { o = gl_PointCoord; }\n')
      status, out, err = run('shader', path, '--print', 'asm')
    self.assertEqual((status, err), (0, ''))
    self.assertIn('v_interp_p2_f32', out)

  def test_format(self):
    status, out, _ = run('format', 'VK_FORMAT_A2B10G10R10_UNORM_PACK32')
    self.assertEqual(status, 0)
    self.assertIn('value 64, block 4 B of 1x1 texels, packed in 32 bits', out)
    self.assertIn('A unorm    2 bits @30', out)


class Mutants(unittest.TestCase):
  def test_page(self):
    """In docs/mutants.md a check that is there has found each mistake, on each chip where it can matter."""
    parts = re.split(r'\n(?:chips|checks):\n', run('mutants', '--list', '--gpu', 'all')[1])
    mistakes, chips, checks = (re.findall(r'^(\S.*?)  +(\d*)', part, re.M) for part in parts)
    checks = [name for name, _ in checks]
    rows = [[cell.strip() for cell in line.strip('|').split('|')]
            for line in (ROOT / 'docs/mutants.md').read_text().splitlines() if re.match(r'\| [a-z]', line)]
    found, on_chip, columns = {}, collections.Counter(), []
    for name, *cells in rows:
      if name == 'mistake':
        columns = cells
      else:
        found[name] = found.get(name, []) + cells
        on_chip.update(chip for chip, cell in zip(columns, cells) if cell != '-')
    self.assertEqual(sorted(found), sorted(name for name, _ in mistakes))
    self.assertEqual(on_chip, {name: int(count) for name, count in chips})
    for name, cells in found.items():
      caught = [cell for cell in cells if cell != '-']
      self.assertTrue(caught, name)
      for cell in caught:
        check, reason = cell.rsplit(': ', 1)
        self.assertIn(check, checks, name)
        self.assertIn(reason, ('pixels', 'hang', 'report'), name)


class Manual(unittest.TestCase):
  """Pages and completion know each command, each option and each value, by what --help says."""

  def options(self):
    """(command, option, value)"""
    for command in re.findall(r'^  (\w+) ', run('--help')[1], re.M):
      for option, value in re.findall(r'^  (-[^\s[]+)(?:[ [](\S+))?', run(command, '--help')[1], re.M):
        yield command, *(('-D', option[2:]) if option.startswith('-D') else (option, value))

  def test_pages(self):
    pages = {None: run('manual', 'man')[1]}
    for command, option, _ in self.options():
      page = pages.setdefault(command, run('manual', 'man', command)[1])
      escaped = option.replace('-', r'\-')
      self.assertIn(f'\n.TP\n\\fB{escaped}\\fR', page)
      self.assertIn(rf'.BR indium\-{command} (1)', pages[None])
    self.assertTrue(len(pages) > 4)
    for name, page in pages.items():
      self.assertTrue(page.startswith('.TH "indium' + (rf'\-{name}"' if name else '"')))
      self.assertEqual(re.findall(r"^['.](?!TH |SH |TP$|BR |B |I |br$|PP$).*", page, re.M), [])
      self.assertEqual(re.findall(r'(?<!\\)-', page), [])
      self.assertEqual(re.findall(r'\\(?![-efR&]|fB|fI)', page), [])

  def complete(self, *words):
    """What bash offers for the last word."""
    with tempfile.NamedTemporaryFile('w', suffix='.bash') as script:
      script.write(run('manual', 'bash')[1])
      script.flush()
      text = (f'. {script.name}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _indium; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
      done = subprocess.run(['bash', '-uc', text, 'bash', *words], capture_output=True, text=True, timeout=60)
    self.assertEqual((done.returncode, done.stderr), (0, ''), words)
    return done.stdout.split()

  def test_bash(self):
    chips = [line.split()[0] for line in run('gpus')[1].splitlines()]
    for words, expected in [
        (['indium', 'm'], ['manual', 'mutants']), (['indium', '-'], ['--help']),
        (['indium', 'run', '--gpu', ''], chips), (['indium', 'run', '--gpu', '=', 'navi2'], ['navi21']),
        (['indium', 'shader', 'a b.frag', '--gpu', '='], chips), (['indium', 'trace', ''], []),
        (['indium', 'run', '--schedule', ''], ['in-order', 'round-robin', 'seed=', 'worst']),
        (['indium', 'run', '--driver', 'radv'], ['radv', 'radv-25', 'radv-26', 'radv-sid']),
        (['indium', 'run', '--budget', ''], []), (['indium', 'run', '--plain', '=', 'sur'], ['surfaces']),
        (['indium', 'run', '--', 'tru'], None), (['indium', 'run', '--', 'true', '--'], []),
        (['indium', 'layout', '4x4', 'R8_UNORM', '--s'], ['--samples', '--stride', '--sparse'])]:
      offered = self.complete(*words)
      self.assertEqual(sorted(offered), sorted(expected)) if expected is not None else self.assertIn('true', offered)
    for command, option, value in self.options():
      self.assertIn(option, self.complete('indium', command, '-'))

  def test_other_shells(self):
    """They take the scripts, where they are installed; all options are in them."""
    for shell, script in (('fish', run('manual', 'fish')[1]), ('zsh', run('manual', 'zsh')[1])):
      for _, option, _ in self.options():
        self.assertIn({'fish': f' -l {option[2:]} ' if option[1] == '-' else f' -s {option[1:]} ',
                       'zsh': f"'{option}"}[shell], script)
      if shutil.which(shell):
        done = subprocess.run([shell, '-n'], input=script, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ''))


if __name__ == '__main__':
  unittest.main()
