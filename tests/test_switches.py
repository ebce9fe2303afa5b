#!/usr/bin/python3
"""No switch hides a missing case without a reason, and bin/check_switches.py would notice one."""
import pathlib
import runpy
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'bin'))  # of what the check imports
CHECK = pathlib.Path(__file__).resolve().parent.parent / 'bin/check_switches.py'
CAST = 'a cast in a switch without a reason'
DEFAULT = 'default: below enumerators without a reason'
# (switch, its cases and what follows it, what is found at which line)
ROWS = [
  ('switch ((int)op) {', 'case OP_add: {\n   one();\n}\ncase OP_sub:\n   break;\n}', [(1, CAST)]),
  ('switch ((uint32_t)type) {', 'case VK_A:\n   break;\ndefault:\n   return -EINVAL;\n}', [(1, CAST)]),
  ('switch ((int)op) { /* others: stay */', 'case OP_add:\n   break;\n}', []),
  ('switch ((int)op) {', 'case OP_add:\n   break;\ndefault: /* others: stay */\n   break;\n}', []),
  ('switch ((enum op)word) {', 'case OP_add:\n   break;\n}', []),
  ('switch (op) {', 'case OP_add: {\n   char c = \'}\';\n   break;\n}\ndefault:\n   break;\n}', [(6, DEFAULT)]),
  ('switch (op) {', 'case OP_add: return 1;\ndefault: return 0;\n}', [(3, DEFAULT)]),
  ('switch (op) {', 'case OP_add: return 1;\ndefault: /* the rest */\n   return 0;\n}', [(3, DEFAULT)]),
  ('switch (op) {', 'case OP_add: return 1;\ndefault: return 0; /* others: no sums */\n}', []),
  ('switch (op) {', 'case OP_add:\n   return 1;\ndefault:\n   return fault(gpu, "no");\n}', [(4, DEFAULT)]),
  ('switch (op) {', 'case OP_add:\n   return 1;\ndefault:\n   return sim_fault_set(gpu, "no");\n}', []),
  ('switch (op) {', 'case OP_add:\n   return true;\ndefault:\n   spirv_fail(m, "%u", op);\n}', []),
  ('switch (i % 3) {', "case 0:\n   return 1;\ncase '}':\n   return 2;\ndefault:\n   return 3;\n}", []),
  ('switch (args->op) {', 'case AMDGPU_VA_OP_MAP:\n   return 1;\ndefault:\n   return 0;\n}', []),
  ('switch (inner) {', 'case 1:\n   switch (op) {\n   case OP_add:\n      break;\n   default:\n      break;\n   }\n'
   '   break;\ndefault:\n   break;\n}', [(6, DEFAULT)]),
]


def main():
  check = runpy.run_path(str(CHECK))['check']
  for head, body, faults in ROWS:
    found = list(check(f'{head}\n{body}'.splitlines()))
    assert found == faults, f'{head}\n{body}\n{found} in place of {faults}'
  return subprocess.run([sys.executable, CHECK]).returncode


if __name__ == '__main__':
  sys.exit(main())
