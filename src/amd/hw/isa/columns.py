"""The generations: columns of every table, in the order of enum amd_gen (gen.h)."""

GENS = ['GFX9', 'GFX10', 'GFX10.3', 'GFX11', 'GFX11.5']


def symbol(gen):
  """GFX10.3 -> gfx10_3, as C names hold it."""
  return gen.lower().replace('.', '_')


def enum(gen):
  return 'AMD_' + gen.replace('.', '_')
