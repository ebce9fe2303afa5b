/* Lowering to the ABI: the result is valid nir, and reads what the layout says from where the ABI says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/radeonsi/meta/si_meta.h"
#include "gallium/drivers/radeonsi/shader/si_nir.h"
#include "util/format_enum.h"

#define NUM_BINDINGS 6

struct layout {
   struct pipe_set_layout *set;
   struct pipe_pipeline_layout pipeline;
   struct pipe_vertex_attribute attributes[1];
   struct si_nir_options options;
};

/* Set 1: storage buffers [3], sampler, texture [2], combined, texel buffer, dynamic uniform buffer. */
static void
layout_init(struct layout *l)
{
   static const enum pipe_descriptor kinds[NUM_BINDINGS] = {
      PIPE_DESCRIPTOR_STORAGE_BUFFER,       PIPE_DESCRIPTOR_SAMPLER,
      PIPE_DESCRIPTOR_SAMPLED_IMAGE,        PIPE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER,
      PIPE_DESCRIPTOR_STORAGE_TEXEL_BUFFER, PIPE_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC};
   static const uint32_t counts[NUM_BINDINGS] = {3, 1, 2, 1, 1, 1};
   static const uint32_t sizes_B[NUM_BINDINGS] = {16, 16, 32, 48, 16, 0};
   uint32_t offset_B = 0;

   memset(l, 0, sizeof(*l));
   l->set = calloc(1, sizeof(*l->set) + NUM_BINDINGS * sizeof(l->set->bindings[0]));
   l->set->num_bindings = NUM_BINDINGS;
   for (unsigned i = 0; i < NUM_BINDINGS; i++) {
      l->set->bindings[i] = (struct pipe_set_binding){
         .kind = kinds[i], .count = counts[i], .offset_B = offset_B, .stride_B = sizes_B[i]};
      offset_B += counts[i] * sizes_B[i];
   }
   l->pipeline.num_sets = 2;
   l->pipeline.sets[1] = l->set;
   l->pipeline.dynamic_base[1] = 4;
   l->attributes[0] = (struct pipe_vertex_attribute){
      .format = FORMAT_R32G32_SFLOAT, .location = 3, .per_instance = true, .divisor = 3};
   l->options = (struct si_nir_options){
      .layout = &l->pipeline, .address32_hi = 0xffff8000, .num_attributes = 1, .attributes = l->attributes};
}

static void
check_valid(struct nir_shader *shader)
{
   const char *error = nir_validate(shader);

   if (error) {
      nir_print(shader, stderr);
      fail_msg("%s", error);
   }
}

/* Every load from a pointer: the SGPR it comes from and its constant offset, as "s2+16 "; offsets that are not
 * constant as "?". */
static const char *
loads(struct arena *arena, struct nir_shader *shader)
{
   const char *text = "";

   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_load_global_constant)
            continue;
         struct nir_intrinsic_instr *load = nir_as_intrinsic(instr);
         struct nir_alu_instr *pack = nir_as_alu(load->src[0].def->parent);
         struct nir_alu_instr *vec = nir_as_alu(pack->src[0].src.def->parent);
         struct nir_intrinsic_instr *arg = nir_as_intrinsic(vec->src[0].src.def->parent);

         assert_int_equal(pack->op, NIR_OP_pack_64_2x32);
         assert_int_equal(arg->op, NIR_INTRINSIC_load_scalar_arg);
         assert_int_equal(nir_src_comp_as_uint(vec->src[1].src, 0), 0xffff8000);
         if (nir_src_is_const(load->src[1]))
            text = arena_printf(arena, "%ss%d+%u ", text, nir_intrinsic_base(arg),
                                (unsigned)nir_src_comp_as_uint(load->src[1], 0));
         else
            text = arena_printf(arena, "%ss%d+? ", text, nir_intrinsic_base(arg));
      }
   }
   return text;
}

static struct nir_def *
resource(struct nir_builder *b, unsigned binding, struct nir_def *element, enum nir_descriptor_kind kind)
{
   return nir_vulkan_resource_index(b, element, .set = 1, .binding = binding, .descriptor_kind = kind);
}

static void
test_buffers(void **state)
{
   struct arena arena = {0};
   struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_COMPUTE);
   struct nir_builder b = nir_builder_create(shader);
   const char *error = NULL;
   struct layout l;

   layout_init(&l);
   struct nir_def *zero = nir_imm_int(&b, 0);
   struct nir_def *x = nir_load_ssbo(&b, 1, 32, resource(&b, 0, nir_imm_int(&b, 2), NIR_DESCRIPTOR_STORAGE_BUFFER),
                                     zero, .align_mul = 4);
   struct nir_def *y =
      nir_load_ubo(&b, 1, 32, resource(&b, 5, zero, NIR_DESCRIPTOR_UNIFORM_BUFFER), zero, .align_mul = 4);
   struct nir_def *z = nir_load_push_constant(&b, 1, 32, zero, .base = 12, .align_mul = 4);
   struct nir_def *any = resource(&b, 0, x, NIR_DESCRIPTOR_STORAGE_BUFFER);
   nir_store_ssbo(&b, nir_iadd(&b, nir_iadd(&b, x, y), z), any, zero, .write_mask = 1, .align_mul = 4);
   assert_true(si_nir_lower_descriptors(shader, &l.options, &error));
   nir_optimize(shader);
   check_valid(shader);
   assert_string_equal(loads(&arena, shader), "s3+32 s1+64 s0+12 s3+? ");
   free(l.set);
   arena_free(&arena);
}

static struct nir_variable *
uniform(struct nir_shader *shader, const struct nir_type *type, unsigned binding)
{
   struct nir_variable *var = nir_variable_create(shader, NIR_VAR_UNIFORM, type, NULL);

   var->set = 1;
   var->binding = binding;
   return var;
}

static void
test_images(void **state)
{
   struct arena arena = {0};
   struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_FRAGMENT);
   struct nir_builder b = nir_builder_create(shader);
   const struct nir_type image = {.base = NIR_TYPE_IMAGE, .dim = NIR_DIM_2D, .sampled = NIR_TYPE_FLOAT};
   const struct nir_type buffer = {.base = NIR_TYPE_IMAGE, .dim = NIR_DIM_BUF, .sampled = NIR_TYPE_FLOAT};
   const struct nir_type sampler = {.base = NIR_TYPE_SAMPLER};
   const struct nir_type combined = {.base = NIR_TYPE_SAMPLED_IMAGE, .dim = NIR_DIM_2D, .sampled = NIR_TYPE_FLOAT};
   const char *error = NULL;
   struct layout l;

   layout_init(&l);
   struct nir_variable *textures = uniform(shader, nir_type_array(&arena, &image, 2, 0), 2);
   struct nir_variable *sampler_var = uniform(shader, &sampler, 1), *both = uniform(shader, &combined, 3);
   struct nir_variable *texels = uniform(shader, &buffer, 4);
   struct nir_def *coord = nir_imm_zero(&b, 2, 32);
   struct nir_tex_instr *tex = nir_tex_create(shader, NIR_TEX);
   tex->dim = NIR_DIM_2D;
   tex->dest_type = NIR_TYPE_FLOAT;
   nir_tex_add_src(tex, NIR_TEX_SRC_COORD, coord);
   nir_tex_add_src(tex, NIR_TEX_SRC_TEXTURE_DEREF,
                   &nir_build_deref_array_imm(&b, nir_build_deref_var(&b, textures), 1)->def);
   nir_tex_add_src(tex, NIR_TEX_SRC_SAMPLER_DEREF, &nir_build_deref_var(&b, sampler_var)->def);
   struct nir_def *first = nir_build_tex(&b, tex, 4, 32);
   tex = nir_tex_create(shader, NIR_TEX);
   tex->dim = NIR_DIM_2D;
   tex->dest_type = NIR_TYPE_FLOAT;
   nir_tex_add_src(tex, NIR_TEX_SRC_COORD, nir_channels(&b, first, 3));
   nir_tex_add_src(tex, NIR_TEX_SRC_TEXTURE_DEREF, &nir_build_deref_var(&b, both)->def);
   nir_tex_add_src(tex, NIR_TEX_SRC_SAMPLER_DEREF, &nir_build_deref_var(&b, both)->def);
   struct nir_def *second = nir_build_tex(&b, tex, 4, 32), *zero = nir_imm_int(&b, 0);
   nir_image_deref_store(&b, &nir_build_deref_var(&b, texels)->def, nir_imm_zero(&b, 4, 32), zero, second, zero,
                         .image_dim = NIR_DIM_BUF, .src_type = NIR_TYPE_FLOAT);
   check_valid(shader);
   assert_true(si_nir_lower_descriptors(shader, &l.options, &error));
   nir_opt_dce(shader);
   nir_optimize(shader);
   check_valid(shader);
   /* set: buffers at 0, sampler at 48, textures at 64, combined at 128, texel buffer at 176 */
   assert_string_equal(loads(&arena, shader), "s3+96 s3+112 s3+48 s3+128 s3+144 s3+160 s3+176 ");
   free(l.set);
   arena_free(&arena);
}

static void
test_vertex_inputs(void **state)
{
   struct arena arena = {0};
   struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_VERTEX);
   struct nir_builder b = nir_builder_create(shader);
   const char *error = NULL;
   struct layout l;

   layout_init(&l);
   struct nir_def *zero = nir_imm_int(&b, 0);
   struct nir_def *known =
      nir_load_input(&b, 2, 32, zero, .slot = NIR_SLOT_VAR0 + 3, .component = 1, .src_type = NIR_TYPE_FLOAT);
   struct nir_def *missing = nir_load_input(&b, 2, 32, zero, .slot = NIR_SLOT_VAR0 + 4, .src_type = NIR_TYPE_FLOAT);
   struct nir_def *parts[4] = {nir_channel(&b, known, 0), nir_channel(&b, known, 1), nir_channel(&b, missing, 0),
                               nir_imm_float(&b, 1)};
   nir_store_output(&b, nir_vec(&b, parts, 4), zero, .slot = NIR_SLOT_POS, .write_mask = 15,
                    .src_type = NIR_TYPE_FLOAT);
   assert_true(si_nir_lower_vertex_inputs(shader, &l.options, &error));
   nir_optimize(shader);
   check_valid(shader);
   assert_string_equal(loads(&arena, shader), "s10+0 ");
   free(l.set);
   arena_free(&arena);
}

static void
test_point_coord(void **state)
{
   struct arena arena = {0};
   struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_FRAGMENT);
   struct nir_builder b = nir_builder_create(shader);

   assert_int_equal(si_nir_lower_point_coord(shader), -1);
   nir_variable_create(shader, NIR_VAR_SHADER_IN, nir_type_vector(NIR_TYPE_FLOAT, 32, 4), NULL)->location =
      NIR_SLOT_VAR31;
   struct nir_def *coord = nir_load_point_coord(&b);
   nir_store_output(&b, coord, nir_imm_int(&b, 0), .slot = NIR_SLOT_FRAG_DATA0, .write_mask = 3,
                    .src_type = NIR_TYPE_FLOAT);
   assert_int_equal(si_nir_lower_point_coord(shader), NIR_SLOT_VAR31 - 1);
   check_valid(shader);
   nir_gather_info(shader);
   assert_true(shader->info.inputs_read >> (NIR_SLOT_VAR31 - 1) & 1);
   arena_free(&arena);
}

static void
test_bad_binding(void **state)
{
   struct arena arena = {0};
   struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_COMPUTE);
   struct nir_builder b = nir_builder_create(shader);
   const char *error = NULL;
   struct layout l;

   layout_init(&l);
   struct nir_def *zero = nir_imm_int(&b, 0);
   nir_store_ssbo(&b, zero, resource(&b, 17, zero, NIR_DESCRIPTOR_STORAGE_BUFFER), zero, .write_mask = 1,
                  .align_mul = 4);
   assert_false(si_nir_lower_descriptors(shader, &l.options, &error));
   assert_non_null(strstr(error, "binding 17"));
   free(l.set);
   arena_free(&arena);
}

static void
test_internal_shaders_are_valid(void **state)
{
   const struct ac_gpu_info info = {.gen = AMD_GFX10_3, .gb_addr_config = 0x444, .address32_hi = 0xffff8000};

   for (unsigned i = 0; i < SI_META_COMPUTE_COUNT; i++) {
      struct arena arena = {0};
      struct nir_shader *shader = si_meta_build_compute(&arena, i, &info);

      check_valid(shader);
      nir_lower_variables(shader);
      nir_optimize(shader);
      check_valid(shader);
      arena_free(&arena);
   }
   for (unsigned i = 0; i < SI_META_CLEAR_DEPTH; i++) {
      struct arena arena = {0};

      check_valid(si_meta_build_clear_vertex(&arena));
      check_valid(si_meta_build_clear_fragment(&arena, i, 3));
      arena_free(&arena);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_buffers),       cmocka_unit_test(test_images),
      cmocka_unit_test(test_vertex_inputs), cmocka_unit_test(test_bad_binding),
      cmocka_unit_test(test_point_coord),   cmocka_unit_test(test_internal_shaders_are_valid),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
