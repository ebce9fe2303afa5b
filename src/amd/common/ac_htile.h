/* What HTILE says, a dword for 8x8 pixels of a depth buffer. Where it lies: ac_meta.h.
 *
 * Only depth: the largest and smallest depth in 14 bits each, whether depth is plain. With stencil: a base and a
 * difference of depths, 9:8 whether stencil is plain, 7:4 results of its tests, whether depth is. Source: RADV and
 * radeonsi. */
#ifndef INDIUM_AC_HTILE_H
#define INDIUM_AC_HTILE_H

#include <stdbool.h>
#include <stdint.h>

#define AC_HTILE_TILE_PX 8

#define AC_HTILE_DEPTH_BITS 0xfffffc0fu /* what is depth's where there is stencil */
#define AC_HTILE_STENCIL_BITS 0x000003f0u

/* Plain, of any depth. */
static inline uint32_t
ac_htile_plain(bool has_stencil)
{
   return has_stencil ? 0xfffff30f : 0xfffc000f;
}

/* All samples have one depth, 0 or 1, and stencil 0. */
static inline uint32_t
ac_htile_clear(bool has_stencil, bool depth_is_1)
{
   return depth_is_1 ? (has_stencil ? 0xfffc0000 : 0xfffffff0) : 0;
}

#endif
