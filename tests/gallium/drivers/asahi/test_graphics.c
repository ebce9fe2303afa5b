/* What draws are made of, apart from a GPU: blending against arithmetic in C by the text of the Vulkan specification;
 * layouts of the tile buffer and bindings of varyings against words that Honeykrisp submitted
 * (tests/asahi/lib/recordings). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/nir/nir_interp.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"
#include "gallium/drivers/asahi/base/agx_tile.h"
#include "gallium/drivers/asahi/varyings/agx_varyings.h"
#include "util/format_enum.h"
#include "util/macros.h"

#define LANES 32

/* ---- blending ---- */

struct colors {
   float src[4], src1[4], dst[4], constant[4];
};

static float
value_of(unsigned *seed)
{
   *seed = *seed * 1664525 + 1013904223;
   unsigned bits = *seed >> 20;

   return bits % 7 == 0 ? 0 : bits % 7 == 1 ? 1 : (float)(bits % 257) / 256;
}

/* The table of factors of the specification. */
static float
factor(enum pipe_blend_factor factor, const struct colors *c, unsigned i)
{
   float saturate = fminf(c->src[3], 1 - c->dst[3]);
   const float values[] = {
      [PIPE_FACTOR_ZERO] = 0,
      [PIPE_FACTOR_ONE] = 1,
      [PIPE_FACTOR_SRC_COLOR] = c->src[i],
      [PIPE_FACTOR_ONE_MINUS_SRC_COLOR] = 1 - c->src[i],
      [PIPE_FACTOR_DST_COLOR] = c->dst[i],
      [PIPE_FACTOR_ONE_MINUS_DST_COLOR] = 1 - c->dst[i],
      [PIPE_FACTOR_SRC_ALPHA] = c->src[3],
      [PIPE_FACTOR_ONE_MINUS_SRC_ALPHA] = 1 - c->src[3],
      [PIPE_FACTOR_DST_ALPHA] = c->dst[3],
      [PIPE_FACTOR_ONE_MINUS_DST_ALPHA] = 1 - c->dst[3],
      [PIPE_FACTOR_CONSTANT_COLOR] = c->constant[i],
      [PIPE_FACTOR_ONE_MINUS_CONSTANT_COLOR] = 1 - c->constant[i],
      [PIPE_FACTOR_CONSTANT_ALPHA] = c->constant[3],
      [PIPE_FACTOR_ONE_MINUS_CONSTANT_ALPHA] = 1 - c->constant[3],
      [PIPE_FACTOR_SRC_ALPHA_SATURATE] = i == 3 ? 1 : saturate,
      [PIPE_FACTOR_SRC1_COLOR] = c->src1[i],
      [PIPE_FACTOR_ONE_MINUS_SRC1_COLOR] = 1 - c->src1[i],
      [PIPE_FACTOR_SRC1_ALPHA] = c->src1[3],
      [PIPE_FACTOR_ONE_MINUS_SRC1_ALPHA] = 1 - c->src1[3],
   };

   return values[factor];
}

static float
blended(const struct pipe_blend_equation *blend, const struct colors *c, unsigned i)
{
   enum pipe_blend_op op = i == 3 ? blend->op_alpha : blend->op_rgb;
   float src = c->src[i] * factor(i == 3 ? blend->src_alpha : blend->src_rgb, c, i);
   float dst = c->dst[i] * factor(i == 3 ? blend->dst_alpha : blend->dst_rgb, c, i);

   switch (op) {
   case PIPE_BLEND_ADD:
      return src + dst;
   case PIPE_BLEND_SUBTRACT:
      return src - dst;
   case PIPE_BLEND_REVERSE_SUBTRACT:
      return dst - src;
   case PIPE_BLEND_MIN:
      return fminf(c->src[i], c->dst[i]);
   case PIPE_BLEND_MAX:
      return fmaxf(c->src[i], c->dst[i]);
   }
   return 0;
}

static struct nir_def *
input(struct nir_builder *b, unsigned number)
{
   return nir_load_input(b, 4, 32, nir_imm_int(b, 0), .slot = NIR_SLOT_VAR0 + number, .src_type = NIR_TYPE_FLOAT);
}

static void
store(struct nir_builder *b, struct nir_def *value)
{
   nir_store_output(b, value, nir_imm_int(b, 0), .slot = NIR_SLOT_FRAG_DATA0, .write_mask = 0xf,
                    .src_type = NIR_TYPE_FLOAT);
}

static void
check_blend(const struct pipe_blend_equation *blend, unsigned *seed)
{
   static uint32_t inputs[LANES][NIR_SLOT_COUNT][4];
   struct colors colors[LANES];
   struct arena arena = {0};
   struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_FRAGMENT);
   struct nir_builder b = nir_builder_create(shader);

   store(&b, agx_nir_blend(&b, blend, input(&b, 0), input(&b, 1), input(&b, 2), input(&b, 3)));
   assert_null(nir_validate(shader));
   for (unsigned lane = 0; lane < LANES; lane++) {
      for (unsigned i = 0; i < 16; i++)
         ((float *)&colors[lane])[i] = value_of(seed);
      memcpy(inputs[lane][NIR_SLOT_VAR0], &colors[lane], sizeof(colors[lane]));
   }
   struct nir_interp_result run = nir_interp_run(
      &arena, shader,
      &(struct nir_interp_params){
         .num_lanes = LANES, .subgroup_size = 32, .inputs = (const uint32_t(*)[NIR_SLOT_COUNT][4])inputs});
   assert_null(run.error);
   for (unsigned lane = 0; lane < LANES; lane++) {
      for (unsigned i = 0; i < 4; i++) {
         float got, want = blended(blend, &colors[lane], i);

         memcpy(&got, &run.outputs[lane][NIR_SLOT_FRAG_DATA0][i], 4);
         assert_true(fabsf(got - want) < 1e-6f);
      }
   }
   arena_free(&arena);
}

static void
test_blend(void **state)
{
   unsigned seed = 1;

   for (unsigned src = 0; src <= PIPE_FACTOR_ONE_MINUS_SRC1_ALPHA; src++) {
      for (unsigned dst = 0; dst <= PIPE_FACTOR_ONE_MINUS_SRC1_ALPHA; dst++) {
         unsigned other = (src * 7 + dst * 3) % (PIPE_FACTOR_ONE_MINUS_SRC1_ALPHA + 1);
         struct pipe_blend_equation blend = {.src_rgb = (uint8_t)src,
                                             .dst_rgb = (uint8_t)dst,
                                             .src_alpha = (uint8_t)dst,
                                             .dst_alpha = (uint8_t)other,
                                             .op_rgb = (src + dst) % 5,
                                             .op_alpha = (src + 2 * dst) % 5};

         check_blend(&blend, &seed);
      }
   }
}

/* A bit of the result for source and destination bits, as the specification's table of operations tells. */
static unsigned
logic_bit(enum pipe_logic_op op, unsigned s, unsigned d)
{
   const unsigned values[] = {
      [PIPE_LOGIC_CLEAR] = 0,
      [PIPE_LOGIC_AND] = s & d,
      [PIPE_LOGIC_AND_REVERSE] = s & (!d),
      [PIPE_LOGIC_COPY] = s,
      [PIPE_LOGIC_AND_INVERTED] = (!s) & d,
      [PIPE_LOGIC_NO_OP] = d,
      [PIPE_LOGIC_XOR] = s ^ d,
      [PIPE_LOGIC_OR] = s | d,
      [PIPE_LOGIC_NOR] = !(s | d),
      [PIPE_LOGIC_EQUIVALENT] = !(s ^ d),
      [PIPE_LOGIC_INVERT] = !d,
      [PIPE_LOGIC_OR_REVERSE] = s | (!d),
      [PIPE_LOGIC_COPY_INVERTED] = !s,
      [PIPE_LOGIC_OR_INVERTED] = (!s) | d,
      [PIPE_LOGIC_NAND] = !(s & d),
      [PIPE_LOGIC_SET] = 1,
   };

   return values[op];
}

static void
test_logic_ops(void **state)
{
   static uint32_t inputs[1][NIR_SLOT_COUNT][4];

   inputs[0][NIR_SLOT_VAR0][0] = 0xc; /* bit i: source bit i / 2, destination bit i % 2 */
   inputs[0][NIR_SLOT_VAR0 + 1][0] = 0xa;
   for (unsigned op = 0; op <= PIPE_LOGIC_SET; op++) {
      struct arena arena = {0};
      struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_FRAGMENT);
      struct nir_builder b = nir_builder_create(shader);

      store(&b, agx_nir_logic_op(&b, op, input(&b, 0), input(&b, 1)));
      struct nir_interp_result run = nir_interp_run(
         &arena, shader,
         &(struct nir_interp_params){
            .num_lanes = 1, .subgroup_size = 32, .inputs = (const uint32_t(*)[NIR_SLOT_COUNT][4])inputs});
      assert_null(run.error);
      for (unsigned i = 0; i < 4; i++)
         assert_int_equal(run.outputs[0][NIR_SLOT_FRAG_DATA0][0] >> i & 1, logic_bit(op, i / 2, i % 2));
      arena_free(&arena);
   }
}

/* ---- the tile buffer ---- */

static uint32_t
shared_word(const uint32_t *formats, unsigned count, unsigned samples)
{
   struct agx_tile_layout layout;
   uint32_t word = 0;

   assert_true(agx_tile_layout_init(&layout, formats, count, samples));
   struct agx_usc_shared shared = agx_tile_shared(&layout);

   agx_usc_shared_pack(&word, &shared);
   return word;
}

static void
test_tile_layout(void **state)
{
   const uint32_t rgba8[] = {FORMAT_R8G8B8A8_UNORM};
   const uint32_t mixed[] = {FORMAT_R8_UNORM, 0, FORMAT_R32G32_SFLOAT, FORMAT_R16_SFLOAT, FORMAT_R8G8_UINT};
   const uint32_t large[] = {FORMAT_R32G32B32A32_SFLOAT, FORMAT_R32G32B32A32_SFLOAT, FORMAT_R32G32B32A32_SFLOAT,
                             FORMAT_R32G32B32A32_SFLOAT, FORMAT_R8_UNORM};
   struct agx_tile_layout layout;

   assert_int_equal(shared_word(rgba8, 1, 1), 0x2010bd4d);
   assert_int_equal(shared_word(rgba8, 1, 4), 0x4012fd4d);
   assert_true(agx_tile_layout_init(&layout, mixed, 5, 1));
   assert_false(layout.targets[1].used);
   assert_int_equal(layout.targets[0].offset_B, 0);
   assert_int_equal(layout.targets[2].offset_B, 4);
   assert_int_equal(layout.targets[3].offset_B, 12);
   assert_int_equal(layout.targets[4].offset_B, 14);
   assert_int_equal(layout.sample_size_B, 16);
   assert_int_equal(layout.width_px, 32);
   assert_int_equal(layout.height_px, 32);
   assert_true(agx_tile_layout_init(&layout, large, 4, 1));
   assert_int_equal(layout.sample_size_B, 64);
   assert_int_equal(layout.width_px, 16);
   assert_int_equal(layout.num_spilled, 0);
   /* What does not fit is an image; what comes after it may fit. */
   assert_true(agx_tile_layout_init(&layout, large, 5, 1));
   assert_int_equal(layout.num_spilled, 1);
   assert_true(layout.targets[4].spilled);
   assert_true(agx_tile_layout_init(&layout, large + 3, 2, 4));
   assert_false(layout.targets[0].spilled || layout.targets[1].spilled);
   assert_int_equal(layout.sample_size_B, 24);
   assert_true(agx_tile_layout_init(&layout, large, 2, 4));
   assert_true(!layout.targets[0].spilled && layout.targets[1].spilled);
}

/* ---- varyings ---- */

/* Of the triangle: one vec3, in perspective. */
static void
test_varyings(void **state)
{
   static const uint32_t recorded[] = {0x00000404, 0x0000000c, 0x0001011e};
   struct agx_vertex_outputs outputs = {.components.slot = {[NIR_SLOT_POS] = 0xf, [NIR_SLOT_VAR0] = 0x7}};
   struct agx_fragment_reads reads = {.components.slot = {[NIR_SLOT_VAR0] = 0x7}};
   struct agx_varyings v;
   uint32_t words[3];

   assert_true(agx_varyings_link(&v, &outputs, &reads, (struct agx_primitives){.topology = PIPE_TRIANGLE_LIST}));
   struct agx_cf_binding_header header = {.slots_dw = v.bindings.slots_32,
                                          .coefficient_registers = v.fragment.num_cf};

   agx_cf_binding_header_pack(&words[0], &header);
   assert_int_equal(v.bindings.count, 2);
   for (unsigned i = 0; i < 2; i++)
      agx_cf_binding_pack(&words[1 + i], &v.bindings.binding[i]);
   assert_memory_equal(words, recorded, sizeof(recorded));
   assert_int_equal(v.vertex.words, 7);
   assert_int_equal(v.vertex.counts_32.smooth, 3);

   /* Kinds stand in their order, whatever that of locations; what nobody writes is nowhere. */
   outputs.components.slot[NIR_SLOT_VAR0 + 1] = outputs.components.slot[NIR_SLOT_VAR0 + 2] = 0xf;
   outputs.components.slot[NIR_SLOT_LAYER] = 1;
   reads.components.slot[NIR_SLOT_VAR0 + 1] = 0x6;
   reads.interp[NIR_SLOT_VAR0 + 1] = NIR_INTERP_FLAT;
   reads.components.slot[NIR_SLOT_VAR0 + 2] = 0x3;
   reads.interp[NIR_SLOT_VAR0 + 2] = NIR_INTERP_SMOOTH;
   reads.components.slot[NIR_SLOT_VAR0 + 3] = 0xf;
   reads.frag_coord_z = true;
   outputs.clip_distances = 2;
   assert_true(agx_varyings_link(&v, &outputs, &reads, (struct agx_primitives){.topology = PIPE_TRIANGLE_LIST}));
   assert_int_equal(v.vertex.word[NIR_SLOT_VAR0 + 2][0], 7);
   assert_int_equal(v.vertex.word[NIR_SLOT_VAR0 + 1][0], 0);
   assert_int_equal(v.vertex.word[NIR_SLOT_VAR0 + 1][1], 9);
   assert_int_equal(v.vertex.word[NIR_SLOT_VAR0 + 3][0], 0);
   assert_int_equal(v.vertex.layer_viewport, 11);
   assert_int_equal(v.vertex.clip, 12);
   assert_int_equal(v.vertex.words, 14);
   assert_int_equal(v.bindings.slots_32, 2 + 7);
   assert_int_equal(v.fragment.z_cf, 1);
}

/* Pairs stand after all words of 32 bits, kind by kind: two values each, of whatever locations, whichever side
 * allows 16 bits. What is left over of a kind has a word of 32. */
static void
test_pairs(void **state)
{
   struct agx_vertex_outputs outputs = {
      .components
         .slot = {[NIR_SLOT_POS] = 0xf, [NIR_SLOT_VAR0] = 0xf, [NIR_SLOT_VAR0 + 1] = 0xf, [NIR_SLOT_VAR0 + 2] = 0x7},
      .half.slot = {[NIR_SLOT_VAR0] = 0x7, [NIR_SLOT_VAR0 + 2] = 0x3}};
   struct agx_fragment_reads reads = {
      .components.slot = {[NIR_SLOT_VAR0] = 0xf, [NIR_SLOT_VAR0 + 1] = 0x3, [NIR_SLOT_VAR0 + 2] = 0x7},
      .half.slot = {[NIR_SLOT_VAR0 + 1] = 0x2, [NIR_SLOT_VAR0 + 2] = 0x4},
      .interp = {[NIR_SLOT_VAR0 + 2] = NIR_INTERP_FLAT}};
   struct agx_varyings v;
   const struct agx_vertex_words *w = &v.vertex;

   assert_true(agx_varyings_link(&v, &outputs, &reads, (struct agx_primitives){.topology = PIPE_TRIANGLE_LIST}));
   /* 32 bits: smooth 0.w and 1.x; flat 2.z, the odd one. Pairs: smooth 0.xy, 0.z with 1.y; flat 2.xy. */
   assert_int_equal(w->counts_32.smooth, 2);
   assert_int_equal(w->counts_32.flat, 1);
   assert_int_equal(w->counts_16.smooth, 2);
   assert_int_equal(w->counts_16.flat, 1);
   assert_int_equal(w->words, 10);
   assert_int_equal(w->word[NIR_SLOT_VAR0][3], 4);
   assert_int_equal(w->word[NIR_SLOT_VAR0 + 1][0], 5);
   assert_int_equal(w->word[NIR_SLOT_VAR0 + 2][2], 6);
   assert_int_equal(w->word[NIR_SLOT_VAR0][0], 7);
   assert_int_equal(w->word[NIR_SLOT_VAR0][1], 7);
   assert_int_equal(w->word[NIR_SLOT_VAR0][2], 8);
   assert_int_equal(w->word[NIR_SLOT_VAR0 + 1][1], 8);
   assert_int_equal(w->word[NIR_SLOT_VAR0 + 2][0], 9);
   assert_int_equal(w->high.slot[NIR_SLOT_VAR0], 2);
   assert_int_equal(w->high.slot[NIR_SLOT_VAR0 + 1], 2);
   assert_int_equal(v.fragment.half.slot[NIR_SLOT_VAR0 + 2], 3);
   assert_int_equal(v.bindings.slots_32, 1 + 3);
   /* Of pairs each value has a register: two slots fill four. */
   unsigned cf = v.fragment.cf[NIR_SLOT_VAR0][0];

   for (unsigned i = 0; i < v.bindings.count; i++) {
      const struct agx_cf_binding *b = &v.bindings.binding[i];

      if (b->base_slot == 4) {
         assert_int_equal(b->components, 2);
         assert_int_equal(b->base_coefficient_register, cf);
      }
   }
   assert_int_equal(v.fragment.cf[NIR_SLOT_VAR0 + 1][1], cf + 3);
   assert_int_equal(v.fragment.num_cf, 1 + 9);
}

/* A register is bound whatever the vertex program leaves; where that is, is its word. */
static void
test_separate(void **state)
{
   struct agx_vertex_outputs outputs = {.components.slot = {[NIR_SLOT_VAR0 + 1] = 0x1}};
   struct agx_fragment_reads reads = {.components.slot = {[NIR_SLOT_VAR0] = 0x3, [NIR_SLOT_VAR0 + 1] = 0x1}};
   struct agx_fragment_registers registers;
   struct agx_vertex_words words;
   struct agx_cf_bindings bindings;
   unsigned bound = 0;

   assert_true(
      agx_fragment_registers_assign(&registers, &reads, 0, (struct agx_primitives){.topology = PIPE_TRIANGLE_LIST}));
   assert_true(
      agx_vertex_words_assign(&words, &outputs, &reads, (struct agx_primitives){.topology = PIPE_TRIANGLE_LIST}));
   assert_true(agx_cf_bindings_make(&bindings, &words, &reads, &registers,
                                    (struct agx_primitives){.topology = PIPE_TRIANGLE_LIST}));
   assert_int_equal(words.words, 5);
   for (unsigned i = 0; i < bindings.count; i++) {
      for (unsigned k = 0; k < bindings.binding[i].components; k++)
         bound |= 1u << (bindings.binding[i].base_coefficient_register + k);
      if (bindings.binding[i].base_coefficient_register == registers.cf[NIR_SLOT_VAR0 + 1][0])
         assert_int_equal(bindings.binding[i].base_slot, 1);
      else
         assert_int_equal(bindings.binding[i].base_slot, 0);
   }
   assert_int_equal(bound, (1u << registers.num_cf) - 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_blend),    cmocka_unit_test(test_logic_ops), cmocka_unit_test(test_tile_layout),
      cmocka_unit_test(test_varyings), cmocka_unit_test(test_pairs),     cmocka_unit_test(test_separate),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
