#!/usr/bin/python3
"""bin/ran on reports written by hand: test_ran.py."""
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REPORTS = {
  'drivers/a.txt': 'report navi21\npacket NOP 3 ignored: nothing\npacket DRAW_INDEX_AUTO 1\nregister X 1\n'
                   'instruction v_add_f32 70\n',
  'drivers/deep/b.txt': 'report navi21\npacket NOP 1 ignored: nothing\ninstruction s_endpgm 2\n'
                        'report navi10\ninstruction s_nop 1 ignored: takes no time\n',
  'tests/c.txt': 'report navi21\npacket SET_BASE 1\npacket NOP 9\ninstruction s_nop 5 ignored: x\n',
  'tests/empty.txt': '', 'tests/other.txt': 'what is this\npacket NOP 5\n'}
DOCUMENT = '# Title\n<!-- bin/ran wrote what follows -->\nold\n<!-- up to here -->\nend\n'


def main():
  with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    for name in ('bin/ran', 'bin/options.py', 'src/amd/hw/isa_table.txt', 'src/amd/hw/isa/columns.py',
                 'src/amd/hw/pm4.txt', 'src/amd/hw/chips.toml'):
      (root / name).parent.mkdir(parents=True, exist_ok=True)
      shutil.copy(ROOT / name, root / name)
    (root / 'docs').mkdir()
    (root / 'docs/ran.md').write_text(DOCUMENT)
    for name, text in REPORTS.items():
      (root / name).parent.mkdir(parents=True, exist_ok=True)
      (root / name).write_text(text)

    def run(*arguments):
      done = subprocess.run([root / 'bin/ran', *arguments], cwd=root, capture_output=True, text=True, timeout=60)
      return done.returncode, done.stdout, done.stderr

    status, out, err = run('--names', '--publish', 'drivers', 'tests')
    assert (status, err) == (0, ''), err
    rows = {row[1].strip(): [cell.strip() for cell in row[2:-1]] for line in out.splitlines()
            if len(row := line.split('|')) == 9}
    packets = sum(line.startswith('packet ') for line in (ROOT / 'src/amd/hw/pm4.txt').read_text().splitlines())
    assert rows['navi21'][:3] == ['2', '1', str(packets - 3)] and rows['navi21'][3:5] == ['2', '1'], rows
    assert rows['navi10'][:2] == ['0', '0'] and rows['navi10'][3:5] == ['1', '0'], rows
    assert rows['vega10'][3:5] == ['0', '0'] and int(rows['vega10'][5]) > 500, rows
    chips = (ROOT / 'src/amd/hw/chips.toml').read_text().count('\n[[chip]]\n')
    assert len(rows) == 2 + chips, rows  # title, line
    for line in ('navi21, packets, by drivers: DRAW_INDEX_AUTO, NOP', 'navi21, packets, in tests only: SET_BASE',
                 'navi21, instructions, by drivers: s_endpgm, v_add_f32',
                 'navi21, instructions, in tests only: s_nop'):
      assert line in out.splitlines(), (line, out[:2000])
    text = (root / 'docs/ran.md').read_text()
    assert text.startswith('# Title\n') and text.endswith('<!-- up to here -->\nend\n') and 'old' not in text
    assert '\n- navi21, packets, in tests only: SET_BASE\n' in text and '| navi21 | 2 | 1 |' in text, text
    for arguments in (['nowhere'], ['tests/nothing'], []):
      status, out, err = run(*arguments)
      assert status == 2 and 'Traceback' not in err, (arguments, err)
    (root / 'none').mkdir()
    assert run('none')[2] == 'bin/ran: there is no report in none\n'
  print('fine')


if __name__ == '__main__':
  main()
