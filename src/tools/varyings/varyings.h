/* The parts of `indium varyings`. */
#ifndef INDIUM_TOOLS_VARYINGS_H
#define INDIUM_TOOLS_VARYINGS_H

#include "gallium/drivers/asahi/varyings/agx_varyings.h"

struct varyings_view {
   struct agx_varyings link;
   unsigned words_32; /* of a vertex, if every value had a word of 32 bits */
   unsigned words_16; /* the same, if RelaxedPrecision were said of all */
   bool frag_coord_z;
   uint8_t interp[AGX_SLOT_COUNT]; /* enum nir_interp */
};

/* What stands in a word of the vertex: up to two values, the lower half first. */
struct varyings_word {
   unsigned count;
   struct varyings_value {
      uint8_t slot, component;   /* of the interface; AGX_SLOT_COUNT: what the hardware takes itself */
      unsigned cf, vertex_cf[2]; /* vertex_cf: of what is read of each vertex, of the second and third; else 0 */
      char name[32];
   } values[2];
   const char *kind; /* "smooth", "flat", "linear", or what the hardware takes it for */
   bool half;
   int hardware_slot; /* after the remapper; -1: none */
};
struct varyings_word varyings_word(const struct varyings_view *view, unsigned word);

/* The names of a binding's source and of its shade model. */
const char *varyings_source_name(const struct agx_cf_binding *binding);
const char *varyings_model_name(const struct agx_cf_binding *binding);
unsigned varyings_binding_registers(const struct varyings_view *view, const struct agx_cf_binding *binding);

void varyings_print(const struct varyings_view *view);
void varyings_print_json(const struct varyings_view *view);

/* Words, slots and registers side by side, as SVG or PNG by the end of the path. False with a line on stderr
 * when it cannot be written. */
bool varyings_plot(const struct varyings_view *view, const char *path);

#endif
