"""What readers of hardware tables share, whoever's hardware it is: lines, and bits that have one owner each."""
import pathlib


class TableError(Exception):
  pass


def table_lines(path):
  """(where, whether it is indented, tokens) of each line that says something; '#' starts a comment."""
  for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
    tokens = line.split('#')[0].split()
    if tokens:
      yield f'{pathlib.Path(path).name}:{number}', line[0] == ' ', tokens


def bit_range(text):
  """'HIGH:LOW' or 'BIT' -> (low, high)."""
  high, _, low = text.partition(':')
  return int(low or high), int(high)


def check_owners(fields, width, name, where, on=''):
  """fields: from the lowest bit on, with low, high and name. Each bit below width has one owner."""
  following, owner = 0, None
  for field in fields:
    if field.low > field.high or field.high >= width:
      raise TableError(f'{where}: {name}.{field.name} has bits {field.high}:{field.low}')
    if field.low < following:
      owners = f'{owner.name} and {field.name}'
      raise TableError(f'{where}: bit {field.low} of {name} has two owners, {owners}{on}')
    if field.low > following:
      raise TableError(f'{where}: bit {following} of {name} has no owner{on}')
    following, owner = field.high + 1, field
  if following != width:
    raise TableError(f'{where}: bit {following} of {name} has no owner{on}')
