"""What accesses of memory are: values of the attributes load, store, atomic and two.
Source: RDNA 2 ISA, sections of the instructions."""
import re

from fail import TableError

# enum amd_atomic. cmpswap: the buffer and flat forms have the new value first, DS the value that is compared;
# cmpstore: DS of GFX11, the new value first. mskor:
# the first operand clears, the second sets; append and consume add the number of lanes, wrap and condxchg are of DS.
ATOMICS = ['swap', 'cmpswap', 'add', 'sub', 'rsub', 'csub', 'smin', 'umin', 'smax', 'umax', 'and', 'or', 'xor', 'inc',
           'dec', 'fmin', 'fmax', 'fcmpswap', 'fadd', 'mskor', 'append', 'consume', 'wrap', 'condxchg', 'cmpstore',
           'fcmpstore']
VALUES = {'load': r'f[1-4]|i?(8|16)|32|64|96|128', 'store': r'f[1-4]|8|16|32|64|96|128', 'two': '64',
          'atomic': '|'.join(ATOMICS), 'commutes': r'\w+', 'interp': 'f32|f16|mov'}
# Encodings whose loads and stores say their size; in others it is that of the data.
SIZED = {'DS', 'MUBUF', 'MTBUF', 'FLAT', 'GLOBAL', 'SCRATCH'}


def takes(name, value):
  """Whether an attribute may have this value ('' is none)."""
  return value == '' or re.fullmatch(VALUES.get(name, '(?!)'), value)


def check_access(row):
  for gen, attributes in row.attributes.items():
    sized = SIZED & set(row.encs[gen])
    for name in ('load', 'store', 'atomic'):
      if attributes.get(name) == '' and (sized or name == 'atomic'):
        raise TableError(f'{row.where}: {row.name} does not say what its {name} accesses')


def access(row, gen):
  """(bytes of one access, signed, components of a format, operation, units of two offsets)"""
  what = row.value('load', gen) or row.value('store', gen) or ''
  bits, components = (32, int(what[1])) if what.startswith('f') else (int(what.lstrip('i') or 0), 0)
  units = int(row.value('two', gen, 1))
  return bits // 8, what.startswith('i'), components, row.value('atomic', gen), units
