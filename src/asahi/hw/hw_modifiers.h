/* DRM format modifiers that name layouts of this hardware: vendor APPLE (0x0c) in the upper byte. Source: the
 * kernel's drm_fourcc.h (doc), also for what they say: images have one plane, the metadata of a compressed one
 * included, and the pitch of rows, which means nothing where there are none, is the width in bytes. */
#ifndef INDIUM_ASAHI_HW_HW_MODIFIERS_H
#define INDIUM_ASAHI_HW_HW_MODIFIERS_H

#include <stdint.h>

#define AGX_MODIFIER_LINEAR UINT64_C(0) /* of all vendors */
#define AGX_MODIFIER_GPU_TILED UINT64_C(0x0c00000000000001)
#define AGX_MODIFIER_GPU_TILED_COMPRESSED UINT64_C(0x0c00000000000002)

#endif
