/* Links of random vertex and fragment programs that were compiled separately: words as the vertex program leaves them
 * by the table, walked back from the registers of the fragment program through bindings and remapper. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "gallium/drivers/asahi/base/agx_abi.h"
#include "gallium/drivers/asahi/varyings/agx_link.h"

enum { PAIRS = 2000, POSITION = 4, NOTHING = 0xffff };

static uint32_t state;

static uint32_t
random_below(uint32_t limit)
{
   state = state * 1664525 + 1013904223;
   return (state >> 8) % limit;
}

/* Slots that both may have; others only the vertex program. */
static unsigned
random_slot(void)
{
   static const uint8_t special[] = {NIR_SLOT_CLIP_DIST0, NIR_SLOT_CLIP_DIST1, NIR_SLOT_VIEWPORT};
   return random_below(5) ? NIR_SLOT_VAR0 + random_below(16) : special[random_below(3)];
}

struct pair {
   struct agx_vertex_outputs outputs;
   struct agx_fragment_reads reads;
   struct agx_fragment_registers registers;
   struct agx_vertex_words compiled; /* as the vertex program was */
   struct agx_varyings linked;
   uint32_t table[AGX_LINK_DW];
   struct agx_primitives prims;
   uint16_t words[256]; /* what stands there: slot * 4 + component, or NOTHING */
};

static void
make_pair(struct pair *p)
{
   *p = (struct pair){.prims = {(enum pipe_topology)random_below(6), random_below(2)}};
   p->outputs.components.slot[NIR_SLOT_POS] = 0xf;
   p->outputs.components.slot[NIR_SLOT_LAYER] = (uint8_t)random_below(2);
   p->outputs.clip_distances = (uint8_t)random_below(9);
   for (unsigned i = random_below(20); i > 0; i--)
      p->outputs.components.slot[random_slot()] |= (uint8_t)(1 + random_below(15));
   for (unsigned i = random_below(20); i > 0; i--) {
      unsigned slot = random_slot();
      p->reads.components.slot[slot] |= (uint8_t)(1 + random_below(15));
      p->reads.interp[slot] = (uint8_t)random_below(3);
      p->reads.half.slot[slot] = p->reads.components.slot[slot];
   }
   p->reads.frag_coord_z = random_below(2);
   p->reads.point_coord = random_below(2);
   p->reads.primitive_id = random_below(2);
}

static void
put(struct pair *p, unsigned word, unsigned what)
{
   assert_true(word < p->linked.vertex.words);
   assert_int_equal(p->words[word], NOTHING);
   p->words[word] = (uint16_t)what;
}

/* As the compiled program does it, with the table of the link. */
static void
run_vertex(struct pair *p)
{
   const struct agx_vertex_words *w = &p->compiled;
   memset(p->words, 0xff, sizeof(p->words));
   for (unsigned i = 0; i < POSITION; i++)
      put(p, i, NIR_SLOT_POS * 4 + i);
   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      unsigned word = w->linked[slot] ? p->table[w->linked[slot]] : 0;
      for (unsigned i = 0; i < 4 && word; i++)
         if (p->outputs.components.slot[slot] >> i & 1)
            put(p, word++, slot * 4 + i);
   }
   assert_int_equal(w->point_size != 0, p->prims.topology == PIPE_POINT_LIST);
   if (w->point_size)
      put(p, w->point_size, NIR_SLOT_PSIZ * 4);
   if (w->layer_viewport)
      put(p, w->layer_viewport, NIR_SLOT_LAYER * 4);
   for (unsigned i = 0; i < w->num_clip; i++)
      put(p, w->clip + i, NIR_SLOT_PSIZ * 4 + 1);
   for (unsigned i = 0; i < p->linked.vertex.words; i++)
      assert_int_not_equal(p->words[i], NOTHING);
   assert_int_equal(w->words, p->linked.vertex.words);
   assert_int_equal(w->point_size, p->linked.vertex.point_size);
   assert_int_equal(w->layer_viewport, p->linked.vertex.layer_viewport);
   assert_int_equal(w->clip, p->linked.vertex.clip);
}

/* The binding that fills the register: exactly one. */
static const struct agx_cf_binding *
binding_of(const struct pair *p, unsigned cf)
{
   const struct agx_cf_binding *found = NULL;
   for (unsigned i = 0; i < p->linked.bindings.count; i++) {
      const struct agx_cf_binding *b = &p->linked.bindings.binding[i];
      if (cf < b->base_coefficient_register || cf >= b->base_coefficient_register + b->components)
         continue;
      assert_null(found);
      found = b;
   }
   assert_non_null(found);
   return found;
}

static void
check_value(const struct pair *p, unsigned slot, unsigned component)
{
   const struct agx_word_counts *counts = &p->linked.vertex.counts_32;
   const enum nir_interp interp = (enum nir_interp)p->reads.interp[slot];
   unsigned cf = p->registers.cf[slot][component], fixed = 1 + p->reads.frag_coord_z;
   assert_int_not_equal(cf, 0);
   const struct agx_cf_binding *b = binding_of(p, cf);
   assert_int_equal(b->source, AGX_COEFFICIENT_SOURCE_VARYING);
   unsigned after = b->base_slot + cf - b->base_coefficient_register;
   if (!(p->outputs.components.slot[slot] >> component & 1)) {
      assert_int_equal(after, 0); /* W */
      return;
   }
   assert_true(after >= fixed && after < p->linked.bindings.slots_32);
   unsigned user = after - fixed;
   assert_int_equal(p->words[POSITION + user], slot * 4 + component);
   enum nir_interp group = user < counts->smooth                  ? NIR_INTERP_SMOOTH
                           : user < counts->smooth + counts->flat ? NIR_INTERP_FLAT
                                                                  : NIR_INTERP_NOPERSPECTIVE;
   assert_int_equal(group, interp);
   unsigned flat = p->prims.provoking_last                  ? AGX_SHADE_MODEL_FLAT_VERTEX_2
                   : p->prims.topology == PIPE_TRIANGLE_FAN ? AGX_SHADE_MODEL_FLAT_VERTEX_1
                                                            : AGX_SHADE_MODEL_FLAT_VERTEX_0;
   assert_int_equal(b->shade_model, interp == NIR_INTERP_SMOOTH ? AGX_SHADE_MODEL_PERSPECTIVE
                                    : interp == NIR_INTERP_FLAT ? flat
                                                                : AGX_SHADE_MODEL_LINEAR);
}

static void
test_random_pairs(void **unused)
{
   for (unsigned i = 0; i < PAIRS; i++) {
      struct pair p;
      make_pair(&p);
      assert_true(agx_link_vertex(&p.compiled, &p.outputs, p.prims));
      assert_true(agx_link_fragment(&p.registers, &p.reads));
      assert_true(agx_link_varyings(&p.linked, p.table, &p.outputs, &p.reads, &p.registers, p.prims));
      run_vertex(&p);
      for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++)
         for (unsigned c = 0; c < 4; c++)
            if (p.reads.components.slot[slot] >> c & 1)
               check_value(&p, slot, c);
      for (unsigned cf = 0; cf < p.registers.num_cf; cf++)
         binding_of(&p, cf);
      assert_int_equal(p.table[AGX_LINK_FAN], p.prims.topology == PIPE_TRIANGLE_FAN && !p.prims.provoking_last);
      assert_int_equal(p.table[AGX_LINK_VIEWPORT], p.outputs.components.slot[NIR_SLOT_VIEWPORT] ? UINT32_MAX : 0);
   }
}

/* Where distances cull, the fragment program has a part in it. */
static void
test_cull_distances(void **unused)
{
   struct agx_vertex_outputs outputs = {.components.slot = {[NIR_SLOT_POS] = 0xf, [NIR_SLOT_CULL_DIST0] = 1},
                                        .cull_distances = 1};
   struct agx_vertex_words words;
   assert_false(agx_link_vertex(&words, &outputs, (struct agx_primitives){.topology = PIPE_TRIANGLE_LIST}));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_pairs), cmocka_unit_test(test_cull_distances)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
