"""No word may match two operations of a generation: the second dword included, as far as it is constant."""
from fail import TableError


def check_matches(entries, gen):
  by_top = {}
  for e in entries:
    if 'half' in e.form.properties:  # its bits stand in the other half's word
      continue
    mask, value = e.form.op_bits(e.number, e.row)
    for key in range(512):
      if (key ^ value >> 23) & (mask >> 23 & 0x1ff) == 0:
        by_top.setdefault(key, []).append((mask, value, e))
  for group in by_top.values():
    seen = {}
    for mask, value, e in group:
      # Two patterns of one mask meet only in equal values: a look-up instead of a comparison of all pairs.
      for other_mask, table in seen.items():
        common = mask & other_mask
        if common == mask == other_mask:
          other = table.get(value)
        else:
          other = next((o for v, o in table.items() if not (v ^ value) & common), None)
        if other:
          raise TableError(f'{e.row.where}: {e.row.name} ({e.enc}) and {other.row.name} ({other.enc}) match the same '
                           f'word '
                           f'on {gen}')
      seen.setdefault(mask, {})[value] = e
