/* Parts of graphics programs (docs/drivers/asahi/graphics.md): what fetches an attribute ahead of a vertex shader,
 * and what tests and stores after a fragment shader, as code of its own. Each is compiled once for its key and stays
 * as long as the screen; any number of threads may ask for it. What registers they share stands in agx_abi.h. */
#ifndef INDIUM_AGX_PART_H
#define INDIUM_AGX_PART_H

#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"
#include "gallium/drivers/asahi/agx_screen.h"
#include "util/arena.h"

enum agx_part_kind {
   AGX_PART_FETCH,
   AGX_PART_ZEROS, /* four in place of what nobody makes */
   AGX_PART_TESTS,
   AGX_PART_WAIT, /* until the tile is the fragment's */
   AGX_PART_TARGET,
};

/* Zeroed but for what the part depends on: compared as bytes. */
struct agx_part_key {
   uint32_t kind;
   uint32_t first_h; /* ZEROS */
   struct {
      uint32_t format, location, stride_B, dynamic_stride, per_instance, divisor;
   } fetch;
   struct {
      uint32_t samples, per_sample, sample_mask;
      uint32_t alpha_to_coverage, alpha_to_one;
      struct agx_fragment_outputs outputs; /* TESTS */
      uint8_t target, masked;              /* TARGET, and the rest */
      uint8_t write_mask, offset_B, spilled, state, logic_op_enable, enable;
      uint32_t format, logic_op;
      struct pipe_blend_equation equation;
   } fragment;
};

struct agx_part {
   struct agx_part_key key;
   struct arena arena;
   struct agx_output output;
   struct agx_fragment_info info;
   bool reads_draw, reads_constants; /* AGX_PART_INSTANCE_UNIFORM, AGX_PART_BLEND_UNIFORM */
};

/* NULL, with a line in the log, if it cannot be, or when out of memory. */
const struct agx_part *agx_part_get(struct agx_screen *screen, const struct agx_part_key *key);

/* Keys. */
struct agx_part_key agx_part_fetch(const struct pipe_vertex_attribute *attribute);
struct agx_part_key agx_part_zeros(unsigned first_h);
struct agx_part_key agx_part_tests(const struct agx_fragment_key *key, const struct agx_fragment_outputs *outputs);
struct agx_part_key agx_part_wait(void);
struct agx_part_key agx_part_target(const struct agx_fragment_key *key, const uint32_t *color_formats,
                                    unsigned target, bool masked);

/* A copy in the arena. */
void agx_output_keep(struct arena *arena, const struct agx_output *from, struct agx_output *to);

bool agx_parts_init(struct agx_screen *screen);
void agx_parts_finish(struct agx_screen *screen);

#endif
