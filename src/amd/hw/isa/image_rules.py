"""Address registers of image instructions. Source: RDNA 2 ISA, section "Image Instructions: addressing", table "MIMG
dimensions"; a16 and g16 packing observed with LLVM 19 MC."""
from fail import TableError

# dim: (name, coordinates, coordinates that have derivatives)
DIMS = [('1D', 1, 1), ('2D', 2, 2), ('3D', 3, 3), ('CUBE', 3, 2), ('1D_ARRAY', 2, 1), ('2D_ARRAY', 3, 2),
        ('2D_MSAA', 3, 2), ('2D_MSAA_ARRAY', 4, 2)]
# What image= may name, and its enum amd_image_flag: parts of the address, how it is packed, what comes back. level:
# the address is a level only.
PARTS = {'offset': 'OFFSET', 'bias': 'BIAS', 'compare': 'COMPARE', 'gradient': 'GRADIENT', 'lod': 'LOD',
         'clamp': 'CLAMP', 'lodzero': 'LOD_ZERO', 'gather': 'GATHER', 'g16': 'G16', 'level': None}
WHOLE_DWORDS = {'offset', 'bias', 'compare'}  # never packed with others


def parts(row):
  """What image= names, the same in every generation."""
  said = {attributes.get('image', '') for attributes in row.attributes.values()}
  if len(said) > 1:
    raise TableError(f'{row.where}: {row.name} has two kinds of addresses, {" and ".join(sorted(said))}')
  names = ''.join(said).split('+') if any(said) else []
  if len(set(names)) < len(names) or not PARTS.keys() >= set(names):
    raise TableError(f'{row.where}: {row.name}: image={"+".join(names)} names a part twice or one that is unknown')
  return names


def flags(row):
  return [PARTS[name] for name in row.image if PARTS[name]]


def address_dw(row, dim, a16):
  """Dwords of the address of the operation."""
  have = set(row.image)
  _, coordinates, gradients = DIMS[dim]
  components = 1 if 'level' in have else coordinates + bool(have & {'lod', 'clamp'})
  words = len(have & WHOLE_DWORDS) + ((components + 1) // 2 if a16 else components)
  if 'gradient' in have:
    words += 2 * ((gradients + 1) // 2) if 'g16' in have else 2 * gradients
  return words
