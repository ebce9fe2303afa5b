#include "gallium/drivers/asahi/varyings/agx_link.h"

#include "gallium/drivers/asahi/base/agx_abi.h"
#include "util/macros.h"
#include "util/mutant.h"

#define POSITION_WORDS 4

/* What fragment programs may read of the slots that a vertex program writes. */
static uint8_t
readable(const struct agx_vertex_outputs *outputs, unsigned slot)
{
   bool can = (slot >= NIR_SLOT_VAR0 && slot <= NIR_SLOT_VAR31) || slot == NIR_SLOT_CLIP_DIST0 ||
              slot == NIR_SLOT_CLIP_DIST1 || slot == NIR_SLOT_VIEWPORT;

   return can ? outputs->components.slot[slot] : 0;
}

static unsigned
count_words(const struct agx_vertex_outputs *outputs)
{
   unsigned count = 0;

   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++)
      count += (unsigned)__builtin_popcount(readable(outputs, slot));
   return count;
}

/* After the user words. */
static unsigned
place_special_words(struct agx_vertex_words *w, const struct agx_vertex_outputs *outputs, struct agx_primitives prims)
{
   unsigned word = POSITION_WORDS + count_words(outputs);

   if (prims.topology == PIPE_POINT_LIST)
      w->point_size = (uint8_t)word;
   word += prims.topology == PIPE_POINT_LIST || outputs->any_topology;
   if (outputs->components.slot[NIR_SLOT_LAYER] || outputs->components.slot[NIR_SLOT_VIEWPORT])
      w->layer_viewport = (uint8_t)word++;
   w->num_clip = outputs->clip_distances;
   if (w->num_clip)
      w->clip = (uint8_t)word;
   word += w->num_clip;
   w->words = (uint8_t)word;
   return word;
}

bool
agx_link_vertex(struct agx_vertex_words *w, const struct agx_vertex_outputs *outputs, struct agx_primitives prims)
{
   const struct agx_primitives points = {.topology = PIPE_POINT_LIST};
   unsigned link_word = AGX_LINK_SLOTS;

   *w = (struct agx_vertex_words){0};
   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      if (readable(outputs, slot))
         w->linked[slot] = (uint8_t)link_word++;
   }
   return !outputs->cull_distances && link_word <= AGX_LINK_DW &&
          place_special_words(w, outputs, outputs->any_topology ? points : prims) <= UINT8_MAX;
}

bool
agx_link_fragment(struct agx_fragment_registers *registers, struct agx_fragment_reads *reads)
{
   reads->half = (struct agx_slot_masks){0};
   const struct agx_primitives triangles = {.topology = PIPE_TRIANGLE_LIST};
   bool fits = agx_fragment_registers_assign(registers, reads, 0, triangles);

   registers->separate = true;
   return fits;
}

/* What nobody reads is as good as smooth. */
static enum nir_interp
interp_of(const struct agx_fragment_reads *reads, unsigned slot)
{
   return reads->components.slot[slot] ? (enum nir_interp)reads->interp[slot] : NIR_INTERP_SMOOTH;
}

/* All slots of a kind. */
static unsigned
place_kind(struct agx_vertex_words *w, const struct agx_vertex_outputs *outputs,
           const struct agx_fragment_reads *reads, enum nir_interp kind, unsigned word)
{
   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      if (interp_of(reads, slot) != kind)
         continue;
      for (uint8_t mask = readable(outputs, slot); mask; mask &= (uint8_t)(mask - 1))
         w->word[slot][__builtin_ctz(mask)] = (uint8_t)word++;
   }
   return word;
}

static void
fill_table(uint32_t table[AGX_LINK_DW], const struct agx_vertex_words *w, const struct agx_vertex_outputs *outputs,
           struct agx_primitives prims)
{
   unsigned word = AGX_LINK_SLOTS, in_order = POSITION_WORDS;

   table[AGX_LINK_FAN] = agx_provoking_vertex(prims) == 1 && !mutant("agx-link-fan");
   table[AGX_LINK_VIEWPORT] =
      outputs->components.slot[NIR_SLOT_VIEWPORT] || mutant("agx-link-viewport") ? UINT32_MAX : 0;
   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      uint8_t mask = readable(outputs, slot);

      if (mask)
         table[word++] = mutant("agx-link-order") ? in_order : w->word[slot][__builtin_ctz(mask)];
      in_order += (unsigned)__builtin_popcount(mask);
   }
}

bool
agx_link_varyings(struct agx_varyings *v, uint32_t table[AGX_LINK_DW], const struct agx_vertex_outputs *outputs,
                  const struct agx_fragment_reads *reads, const struct agx_fragment_registers *registers,
                  struct agx_primitives prims)
{
   struct agx_vertex_words *w = &v->vertex;

   *v = (struct agx_varyings){.fragment = *registers};
   place_special_words(w, outputs, prims);
   unsigned flat = place_kind(w, outputs, reads, NIR_INTERP_SMOOTH, POSITION_WORDS);
   unsigned linear = place_kind(w, outputs, reads, NIR_INTERP_FLAT, flat);
   unsigned end = place_kind(w, outputs, reads, NIR_INTERP_NOPERSPECTIVE, linear);

   /* The size of what is no point is one more word that nobody reads. */
   end += outputs->any_topology && prims.topology != PIPE_POINT_LIST;

   w->counts_32 =
      (struct agx_word_counts){(uint8_t)(flat - POSITION_WORDS), (uint8_t)(linear - flat), (uint8_t)(end - linear)};
   if (mutant("agx-link-counts"))
      w->counts_32 = (struct agx_word_counts){.smooth = (uint8_t)(end - POSITION_WORDS)};
   fill_table(table, w, outputs, prims);
   return agx_cf_bindings_make(&v->bindings, w, reads, registers, prims);
}
