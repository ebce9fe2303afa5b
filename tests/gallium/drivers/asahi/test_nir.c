/* Lowering to the ABI: addresses that shaders compute are ail's; uniforms get what the shader reads, at places that
 * the hardware can name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/nir/nir_interp.h"
#include "gallium/drivers/asahi/nir/agx_nir.h"
#include "gallium/drivers/asahi/resource/agx_resource.h"
#include "util/format_enum.h"
#include "util/macros.h"

#define PLACES 512
#define RESULTS_VA UINT64_C(0x100000)

/* A shader that computes the address of the element in its inputs: x, y, layer by its invocation. */
static struct nir_shader *
make_shader(struct arena *arena, const uint32_t words[5], uint32_t row_B, uint64_t layer_B, const uint32_t size[3],
            bool straight)
{
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_COMPUTE);
   struct nir_builder b = nir_builder_create(shader);
   struct nir_def *id, *place[3], *vsharp[4];

   shader->info.workgroup_size[0] = PLACES;
   id = nir_load_local_invocation_index(&b);
   /* Steps that are prime to most sizes. */
   for (unsigned i = 0; i < 3; i++)
      place[i] = nir_umod_imm(&b, nir_imul_imm(&b, id, (int64_t[]){7919, 104729, 31}[i]), size[i]);
   struct nir_def *address = agx_nir_element_address(
      &b,
      &(struct agx_nir_level){.start = nir_imm_int64(&b, (int64_t)(words[0] | (uint64_t)words[1] << 32)),
                              .layer_B = nir_imm_int64(&b, (int64_t)layer_B),
                              .tiles = nir_imm_int(&b, (int32_t)words[3]),
                              .row_B = nir_imm_int(&b, (int32_t)row_B),
                              .level = nir_imm_int(&b, (int32_t)words[4]),
                              .straight = straight},
      place);
   for (unsigned i = 0; i < 4; i++)
      vsharp[i] = nir_imm_int(&b, (int32_t[]){RESULTS_VA, 0, PLACES * 8, 0}[i]);
   nir_store_ssbo(&b, nir_unpack_64_2x32(&b, address), nir_vec(&b, vsharp, 4), nir_ishl_imm(&b, id, 3),
                  .write_mask = 3, .align_mul = 8);
   return shader;
}

/* Pages here and there, and no page everywhere else. */
static uint32_t *
fill_table(struct arena *arena, const struct ail_layout *layout)
{
   size_t words = layout->sparse_table_size_B / 4;
   uint32_t *table = arena_array(arena, uint32_t, words);

   for (size_t i = 0; i < words; i++) {
      if (i * 2654435761u >> 7 & 1)
         ail_sparse_pack((UINT64_C(0x1000) + i * 7919 % 0xffff) * AIL_PAGE_B, &table[i]);
   }
   return table;
}

static void
check_level(const struct agx_resource *image, unsigned level, bool straight)
{
   const struct ail_layout *layout = &image->planes[AGX_PLANE_MAIN];
   const struct ail_level *l = &layout->levels[level];
   const uint32_t size[3] = {l->width_el, l->height_el, layout->layer_count};
   struct arena arena = {0};
   uint64_t results[PLACES] = {0};
   uint32_t *table = NULL;
   uint64_t layer_B = layout->layer_stride_B;
   uint32_t words[5];

   agx_level_words(image, AGX_PLANE_MAIN, level, 0, words);
   if (layout->image.sparse) {
      layer_B = layout->sparse_table_size_B / layout->layer_count;
      table = fill_table(&arena, layout);
   }
   /* The same numbers as the descriptor's words. */
   assert_int_equal((uint64_t)words[2] * 128, layer_B);
   struct nir_interp_buffer buffers[2] = {
      {.va = RESULTS_VA, .data = (uint8_t *)results, .size_B = sizeof(results)},
      {.va = image->va, .data = (uint8_t *)table, .size_B = layout->sparse_table_size_B},
   };
   struct nir_shader *shader = make_shader(&arena, words, layout->stride_B, layer_B, size, straight);
   struct nir_interp_result run = nir_interp_run(
      &arena, shader,
      &(struct nir_interp_params){.subgroup_size = 32, .buffers = buffers, .num_buffers = table ? 2 : 1});
   assert_null(run.error);
   for (uint32_t i = 0; i < PLACES; i++) {
      uint32_t layer = i * 31 % size[2];
      uint64_t offset_B = ail_element_offset_B(layout, i * 7919 % size[0], i * 104729 % size[1], layer, level, 0);
      uint64_t wanted = image->va + offset_B;

      if (table && ail_sparse_walk(layout, table, layer, offset_B - layer * layout->layer_stride_B, &wanted))
         wanted = 0;
      assert_int_equal(results[i], wanted);
   }
   arena_free(&arena);
}

static const struct ail_image images[] = {
   {.format = FORMAT_R8G8B8A8_UNORM, .dimension = AIL_2D, .width_px = 640, .height_px = 481, .levels = 10},
   {.format = FORMAT_R8_UNORM, .dimension = AIL_2D, .width_px = 1000, .height_px = 77, .layers = 5, .levels = 1},
   {.format = FORMAT_R16_UINT, .dimension = AIL_2D, .width_px = 300, .height_px = 300, .layers = 2, .levels = 9},
   {.format = FORMAT_R32G32B32A32_UINT,
    .dimension = AIL_3D,
    .width_px = 70,
    .height_px = 33,
    .depth_px = 9,
    .levels = 7},
   {.format = FORMAT_BC1_RGBA_UNORM_BLOCK, .dimension = AIL_2D, .width_px = 1023, .height_px = 511, .levels = 10},
   {.format = FORMAT_R32_SFLOAT, .dimension = AIL_2D, .width_px = 130, .height_px = 70, .levels = 1, .samples = 4},
   {.format = FORMAT_R16G16B16A16_SFLOAT,
    .dimension = AIL_2D,
    .width_px = 130,
    .height_px = 70,
    .levels = 1,
    .samples = 2},
   {.format = FORMAT_R8G8_UNORM,
    .dimension = AIL_2D,
    .tiling = AIL_TILING_LINEAR,
    .width_px = 999,
    .height_px = 40,
    .levels = 1},
   {.format = FORMAT_R8G8B8A8_UNORM,
    .dimension = AIL_2D,
    .tiling = AIL_TILING_TWIDDLED,
    .width_px = 1500,
    .height_px = 700,
    .layers = 3,
    .levels = 11,
    .sparse = true},
   {.format = FORMAT_BC1_RGBA_UNORM_BLOCK,
    .dimension = AIL_2D,
    .width_px = 1023,
    .height_px = 511,
    .levels = 10,
    .sparse = true},
   {.format = FORMAT_R8_UNORM,
    .dimension = AIL_3D,
    .tiling = AIL_TILING_TWIDDLED,
    .width_px = 3000,
    .height_px = 2600,
    .depth_px = 3,
    .levels = 2,
    .sparse = true},
   {.format = FORMAT_R32_UINT, .dimension = AIL_1D, .width_px = 5000, .height_px = 1, .layers = 3, .levels = 1},
};

static void
test_element_address(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(images); i++) {
      struct ail_image image = images[i];
      struct agx_resource resource = {.va = UINT64_C(0x23456780000)};

      image.tiling = image.tiling ? image.tiling : AIL_TILING_GPU;
      image.layers = MAX2(image.layers, 1u);
      image.depth_px = MAX2(image.depth_px, 1u);
      image.samples = MAX2(image.samples, 1u);
      assert_int_equal(ail_layout_init(&resource.planes[AGX_PLANE_MAIN], &image), AIL_OK);
      /* The straight one loads a word of the image, which has no memory here, unless it is sparse. */
      for (unsigned level = 0; level < image.levels; level++) {
         check_level(&resource, level, false);
         if (image.sparse)
            check_level(&resource, level, true);
      }
   }
}

/* The uniform half of each word that the pushes bring, 0xffff for others. */
static uint16_t
half_of(const struct agx_arguments *arguments, unsigned table, unsigned word)
{
   for (unsigned i = 0; i < arguments->push_count; i++) {
      const struct agx_push *push = &arguments->pushes[i];

      if (push->table == table && word >= push->first_dw && word < push->first_dw + push->halves / 2u)
         return (uint16_t)(push->first_half + 2 * (word - push->first_dw));
   }
   return 0xffff;
}

static void
test_uniforms(void **state)
{
   struct arena arena = {0};
   struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_COMPUTE);
   struct nir_builder b = nir_builder_create(shader);
   struct agx_arguments arguments = {.used_sets = 1 << 3};
   const char *error = NULL;
   struct nir_def *out[4] = {
      agx_nir_arg(&b, AGX_TABLE_PUSH, 1, 1),
      agx_nir_arg(&b, AGX_TABLE_PUSH, 66, 1),
      agx_nir_arg(&b, AGX_TABLE_GRID, 2, 1),
      nir_channel(&b, nir_load_global(&b, 1, 32, agx_nir_address_arg(&b, AGX_TABLE_ADDRESSES, 2 * AGX_TABLE_PUSH)),
                  0),
   };

   nir_store_global(&b, nir_vec(&b, out, 4), agx_nir_address_arg(&b, AGX_TABLE_SETS, 2), .write_mask = 15);
   assert_true(agx_nir_assign_uniforms(shader, &arguments, &error));
   assert_null(nir_validate(shader));
   /* Sets are at their places, with what lies between them; addresses at multiples of 64 bits. */
   assert_int_equal(half_of(&arguments, AGX_TABLE_SETS, 2), AGX_SET_UNIFORM(1));
   assert_int_equal(half_of(&arguments, AGX_TABLE_SETS, 6), AGX_SET_UNIFORM(3));
   assert_int_equal(half_of(&arguments, AGX_TABLE_SETS, 0), 0xffff);
   assert_int_equal(half_of(&arguments, AGX_TABLE_ADDRESSES, 2 * AGX_TABLE_PUSH) % 4, 0);
   assert_int_not_equal(half_of(&arguments, AGX_TABLE_PUSH, 1), 0xffff);
   assert_int_not_equal(half_of(&arguments, AGX_TABLE_PUSH, 66), 0xffff);
   assert_int_equal(half_of(&arguments, AGX_TABLE_PUSH, 30), 0xffff);
   /* Who has the address of a table sees all of it. */
   assert_int_equal(arguments.table_dw[AGX_TABLE_PUSH], PIPE_MAX_PUSH_CONSTANT_B / 4);
   assert_int_equal(arguments.table_dw[AGX_TABLE_GRID], 3);
   uint8_t taken[AGX_MAX_ARGUMENT_HALVES] = {0};
   for (unsigned i = 0; i < arguments.push_count; i++) {
      assert_true(arguments.pushes[i].halves <= 64);
      for (unsigned h = 0; h < arguments.pushes[i].halves; h++)
         assert_int_equal(taken[arguments.pushes[i].first_half + h]++, 0);
   }
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC)
            assert_int_not_equal(nir_as_intrinsic(instr)->op, NIR_INTRINSIC_load_scalar_arg);
      }
   }
   arena_free(&arena);
}

/* A table that does not fit is loaded from, and there up to the last word that is read. */
static void
test_loaded_table(void **state)
{
   struct arena arena = {0};
   struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_VERTEX);
   struct nir_builder b = nir_builder_create(shader);
   struct agx_arguments arguments = {0};
   const char *error = NULL;
   unsigned loads = 0;

   for (unsigned i = 0; i < 240; i += 4)
      nir_store_global(&b, agx_nir_arg(&b, AGX_TABLE_VERTEX, i, 4), agx_nir_address_arg(&b, AGX_TABLE_SETS, 2),
                       .write_mask = 15);
   assert_true(agx_nir_assign_uniforms(shader, &arguments, &error));
   assert_null(nir_validate(shader));
   assert_int_equal(arguments.table_dw[AGX_TABLE_VERTEX], 240);
   assert_int_equal(half_of(&arguments, AGX_TABLE_VERTEX, 0), 0xffff);
   assert_int_not_equal(half_of(&arguments, AGX_TABLE_ADDRESSES, 2 * AGX_TABLE_VERTEX), 0xffff);
   assert_int_equal(arguments.table_dw[AGX_TABLE_ADDRESSES], 2 * AGX_TABLE_VERTEX + 2);
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         const struct nir_intrinsic_instr *load = nir_as_intrinsic(instr);

         if (instr->type != NIR_INSTR_INTRINSIC || load->op != NIR_INTRINSIC_load_global_constant)
            continue;
         assert_int_equal(nir_src_comp_as_uint(load->src[1], 0), 16 * loads++);
      }
   }
   assert_int_equal(loads, 60);
   arena_free(&arena);
}

/* Too much is refused. */
static void
test_too_many(void **state)
{
   struct arena arena = {0};
   struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_COMPUTE);
   struct nir_builder b = nir_builder_create(shader);
   struct agx_arguments arguments = {0};
   const char *error = NULL;

   for (unsigned i = 0; i < 240; i += 4)
      agx_nir_arg(&b, AGX_TABLE_STAGE, i, 4);
   assert_false(agx_nir_assign_uniforms(shader, &arguments, &error));
   assert_non_null(error);
   arena_free(&arena);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_element_address),
      cmocka_unit_test(test_uniforms),
      cmocka_unit_test(test_loaded_table),
      cmocka_unit_test(test_too_many),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
