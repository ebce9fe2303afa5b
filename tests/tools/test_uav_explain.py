#!/usr/bin/python3
"""indium uav --explain: decisions, what other drivers say, both forms of a state, bad input."""
import json
import pathlib
import subprocess
import sys
import tempfile

# State, the first line's beginning and what it says, and of other drivers.
DECISIONS = [
  ('ps.stores=yes', 'skl: UAV in PS: ', 'only the bit makes it', {'iris': 'dispatch forced', 'mail': 'UAV in PS'}),
  ('gpu=skl ps.stores=yes color_writes=yes', 'skl: no bit: ', 'cost a flush', {'mail': 'no bit', 'i965-2015': 'UAV'}),
  ('discard=yes occlusion=yes', 'skl: UAV in PS: ', 'a query counts', {'mail': 'no bit', 'i965-2016': 'UAV in PS'}),
  ('vs.stores=yes pixel_shader=no gpu=bdw', 'bdw: no bit: ', 'no pixel shader',
   {'VS': 'no API orders', 'i965-2015': 'UAV in VS', 'cs-stall': 'UAV in VS, CS stall before', 'mail': 'no bit'}),
  ('gpu=bdw ps.stores=yes hiz_follows=yes', 'bdw: dispatch forced, force taken back', 'the bit has hung',
   {'crocus': 'UAV in PS, dispatch forced', 'hasvk': 'dispatch forced', 'anv-2018': 'dispatch forced ('}),
  ('gpu=hsw ps.stores=yes', 'hsw: dispatch enabled, UAV-only: ', '3DSTATE_WM', {'crocus': 'dispatch enabled, UAV'}),
  ('gpu=hsw vs.stores=yes exports_depth=less depth_test=yes', 'hsw: dispatch enabled: ', '3DSTATE_WM', {}),
]
# Text, place and what is said.
BAD = [
  ('ps.stores', '1:10', "expected '=', not the end"),
  ('gpu=skl\nps.stores=maybe', '2:1', '"maybe" is not yes or no'),
  ('gpu=vega10', '1:1', '"vega10" is not an Intel chip'),
  ('ps.size=3', '1:1', 'there is no key "ps.size"'),
  ('exports_depth=yes', '1:1', '"yes" is not no, any, greater or less'),
  ('{"ps": {"stores": 1}, "ps": {"stores": 0}}', '1:30', 'ps.stores contradicts or repeats ps.stores'),
  ('pixel_shader=no ps.stores=yes', '1:17', 'ps.stores contradicts pixel_shader'),
  ('color_writes=yes pixel_shader=no', '1:1', 'color_writes contradicts pixel_shader'),
  ('exports_depth=any\nearly_tests=yes', '1:1', 'exports_depth contradicts early_tests'),
  ('gpu=bdw exports_stencil=yes', '1:9', 'exports_stencil contradicts gpu: bdw cannot'),
  ('depth_write=yes', '1:1', 'depth_write contradicts depth_test'),
  ('stencil_write=yes stencil_test=no', '1:1', 'stencil_write contradicts stencil_test'),
]


def explain(state, stdin=None):
  done = subprocess.run([sys.argv[1], 'uav', '--explain', state], input=stdin, capture_output=True, timeout=60)
  return done.returncode, done.stdout.decode(), done.stderr.decode()


def as_json(text):
  state = {}
  for key, value in (item.split('=') for item in text.split()):
    stage, _, last = key.rpartition('.')
    (state.setdefault(stage, {}) if stage else state)[last] = {'yes': True, 'no': False}.get(value, value)
  return json.dumps(state, indent=1)


def main():
  for state, begin, sentence, others in DECISIONS:
    status, out, err = explain(state)
    first, *rest = out.splitlines() or ['']
    assert status == 0 and not err and first.startswith(begin) and sentence in first, (state, out, err)
    for who, what in others.items():
      assert any(line.split()[0] == who and what in line for line in rest), (state, who, out)
    assert explain(as_json(state)) == (status, out, err), state
    assert explain('-', state.replace(' ', '\n').encode()) == (status, out, err), state
  with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / 'state'
    for state, place, message in BAD:
      file.write_text(state)
      status, out, err = explain(str(file))
      assert (status, out) == (2, '') and f':{place}: ' in err and message in err, (state, err)
    for data in (b'\0', bytes(range(256)) * 100, b'{' * 60000, b'a=' * 30000, b'"' * 1000):
      file.write_bytes(data)
      status, out, err = explain(str(file))
      assert (status, out, len(err.splitlines())) == (2, '', 1) and err.isascii(), err
    for path in '/nonexistent', folder, '/dev/zero':
      assert explain(path)[0] == 2, path
  print('fine')


if __name__ == '__main__':
  main()
