"""The one way in which the generators of this folder refuse a table."""


class TableError(Exception):
  """A sentence that names what contradicts what."""
