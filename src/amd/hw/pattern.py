"""What the generators of address patterns ask of them."""


def rank(rows):
  """Of a matrix over two elements: each row a number, its bits the columns."""
  rows, count = list(rows), 0
  while rows:
    pivot = rows.pop()
    if pivot:
      count += 1
      low = pivot & -pivot
      rows = [r ^ pivot if r & low else r for r in rows]
  return count
