/* What goes from the vertex shader to the fragment shader, and through which registers of the hardware on the way
 * (docs/drivers/asahi/graphics.md):
 *
 *    words of a vertex (UVS)   position | user words: perspective, flat, linear | point size | layer, viewport | clip
 *    slots behind the remapper W | Z if it is read | user words
 *    coefficient registers     cf0: W | Z | point coordinate | primitive | user words
 *
 * User words are the components that the fragment shader reads and the vertex shader writes. */
#ifndef INDIUM_AGX_VARYINGS_H
#define INDIUM_AGX_VARYINGS_H

#include "asahi/hw/records.h"
#include "compiler/nir/nir.h"
#include "gallium/include/pipe/p_defines.h"

/* One component mask for each enum nir_slot. */
struct agx_slot_masks {
   uint8_t slot[NIR_SLOT_COUNT];
};

struct agx_fragment_reads {
   struct agx_slot_masks components;
   uint8_t interp[NIR_SLOT_COUNT]; /* enum nir_interp */
   bool frag_coord_z, point_coord, primitive_id;
   const char *error; /* what cannot be read so, or NULL */
};

#define AGX_MAX_BINDINGS 127
#define AGX_MAX_CULL_DISTANCES 8

struct agx_varyings {
   /* Of the vertex; 0: not there. */
   uint8_t word[NIR_SLOT_COUNT][4];
   uint8_t cull_word[AGX_MAX_CULL_DISTANCES]; /* 0 where the distance is negative, else 1 */
   uint8_t point_size, layer_viewport, clip;  /* clip: of the first distance */
   uint8_t num_clip, num_cull;
   uint8_t words;
   uint8_t smooth, flat, linear; /* counts of user words */

   /* Of the fragment: the coefficient register of each component; 0: there is none. */
   uint8_t cf[NIR_SLOT_COUNT][4];
   uint8_t cull_cf[AGX_MAX_CULL_DISTANCES];
   uint8_t z_cf, point_coord_cf, primitive_id_cf;
   uint8_t flat_coefficient; /* which of A, B, C holds a flat value */
   unsigned num_bindings, num_cf;
   uint8_t slots; /* behind the remapper */
   struct agx_cf_binding bindings[AGX_MAX_BINDINGS];
};

struct agx_varyings_key {
   enum pipe_topology topology;
   uint8_t clip_distances, cull_distances; /* that the vertex shader writes */
};

/* written: of the vertex shader's outputs. False if more is needed than the hardware has. */
bool agx_varyings_link(struct agx_varyings *varyings, const struct agx_slot_masks *written,
                       const struct agx_fragment_reads *reads, const struct agx_varyings_key *key);

/* Scans. */
void agx_nir_gather_fragment_reads(struct nir_shader *fragment, struct agx_fragment_reads *reads);
void agx_nir_gather_vertex_writes(struct nir_shader *vertex, struct agx_slot_masks *written);

#endif
