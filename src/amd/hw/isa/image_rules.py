"""Address registers of image instructions. Source: RDNA 2 ISA, section "Image Instructions: addressing", table "MIMG
dimensions"; a16 and g16 packing observed with LLVM 19 MC."""

# dim: (name, coordinates, coordinates that have derivatives)
DIMS = [('1D', 1, 1), ('2D', 2, 2), ('3D', 3, 3), ('CUBE', 3, 2), ('1D_ARRAY', 2, 1), ('2D_ARRAY', 3, 2),
        ('2D_MSAA', 3, 2), ('2D_MSAA_ARRAY', 4, 2)]
# Parts of an image mnemonic: enum amd_image_flag.
PARTS = {'o': 'OFFSET', 'c': 'COMPARE', 'b': 'BIAS', 'l': 'LOD', 'lz': 'LOD_ZERO', 'd': 'GRADIENT',
         'cd': 'GRADIENT', 'cl': 'CLAMP', 'mip': 'LOD', 'g16': 'G16'}
WHOLE_DWORDS = {'OFFSET', 'BIAS', 'COMPARE'}  # never packed with others
NO_COORDINATES = {'image_get_resinfo'}        # a level only


def parts(name):
  """The flags of a mnemonic, GATHER included."""
  if not name.startswith('image_'):
    return []
  return (['GATHER'] if 'gather4' in name else []) + [PARTS[w] for w in name.split('_') if w in PARTS]


def address_dw(name, dim, a16):
  """Dwords of the address of the operation."""
  have = set(parts(name))
  _, coordinates, gradients = DIMS[dim]
  components = 1 if name in NO_COORDINATES else coordinates + bool(have & {'LOD', 'CLAMP'})
  words = len(have & WHOLE_DWORDS) + ((components + 1) // 2 if a16 else components)
  if 'GRADIENT' in have:
    words += 2 * ((gradients + 1) // 2) if 'G16' in have else 2 * gradients
  return words
