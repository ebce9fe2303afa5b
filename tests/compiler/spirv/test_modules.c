/* Memory, specialization, atomics, subgroups and images: modules as glslang writes them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "spirv_test.h"
#include "util/macros.h"

#define LANES 64

static struct nir_shader *
translate(struct arena *arena, const char *name, enum nir_stage stage)
{
   struct spirv_test_module module = spirv_test_load(name);
   const struct spirv_options options = {.stage = stage, .features = SPIRV_FEATURE_ALL};
   struct nir_shader *shader = spirv_test_translate(arena, &module, &options);
   free(module.words);
   return shader;
}

/* ---- memory ---- */

static void
put(uint32_t *data, unsigned offset_B, float value)
{
   data[offset_B / 4] = float_bits(value);
}

/* Offsets are std430's: rows at 128, columns at 176, array at 240, outer at 336, more at 448. */
static void
memory_run(bool optimize)
{
   static const uint32_t expected[26] = {8,    16, 35, 60, 7,  106, 25, 1,  255, 64,   4321, 8765, 4321,
                                         6543, 42, 13, 99, 64, 8,   64, 11, 5,   2294, 2,    62,   4};
   static const struct spirv_spec_constant constants[] = {{.id = 1, .size_B = 4, .value = 0x40200000},
                                                          {.id = 2, .size_B = 4, .value = 1},
                                                          {.id = 10, .size_B = 4, .value = LANES}};
   const struct spirv_options options = {.stage = NIR_STAGE_COMPUTE,
                                         .features = SPIRV_FEATURE_ALL,
                                         .spec_constants = constants,
                                         .num_spec_constants = ARRAY_SIZE(constants)};
   uint32_t data[112 + LANES] = {0};
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned r = 0; r < 3; r++) {
         put(data, 128 + r * 16 + c * 4, (float)(c + 2 * r + 1));
         put(data, 176 + c * 16 + r * 4, (float)(c + r + 1));
      }
   }
   put(data, 240 + 48 + 16 + 8, 42);
   put(data, 336 + 48 + 16 + 16 + 4, 6);
   data[(336 + 96) / 4] = 99;
   struct spirv_test_module module = spirv_test_load("memory.comp.spv");
   spirv_test_run(&module, &options, optimize, LANES, data, sizeof(data));
   for (unsigned i = 0; i < ARRAY_SIZE(expected); i++) {
      if (data[i] != expected[i])
         fail_msg("result %u is %u, not %u", i, data[i], expected[i]);
   }
   for (unsigned r = 0; r < 3; r++)
      assert_int_equal(data[(128 + r * 16 + 8) / 4], float_bits((float)(7 + r)));
   assert_int_equal(data[(128 + 16 + 12) / 4], float_bits(33));
   for (unsigned i = 0; i < LANES; i++)
      assert_int_equal(data[112 + i], ((i + 1) & 7) * ((i + 1) & 7));
   free(module.words);
}

static void
memory(void **state)
{
   memory_run(false);
   memory_run(true);
}

/* The module is right although its defaults are not; a pipeline without the constants is told what is missing. */
static void
array_lengths(void **state)
{
   static const struct spirv_spec_constant constants[] = {{.id = 0, .size_B = 4, .value = 5},
                                                          {.id = 1, .size_B = 4, .value = 7}};
   struct spirv_options options = {.stage = NIR_STAGE_COMPUTE,
                                   .features = SPIRV_FEATURE_ALL,
                                   .spec_constants = constants,
                                   .num_spec_constants = ARRAY_SIZE(constants)};
   uint32_t data[36] = {[35] = 9};
   struct spirv_test_module module = spirv_test_load("array_lengths.comp.spv");
   spirv_test_run(&module, &options, false, LANES, data, sizeof(data));
   for (unsigned i = 0; i < 35; i++)
      assert_int_equal(data[i], (34 - i) * 3 + i / 7 + 100);
   assert_int_equal(data[35], 9);

   struct arena arena = {0};
   const char *error = NULL;
   options.num_spec_constants = 1;
   assert_null(spirv_to_nir(&arena, module.words, module.count, &options, &error));
   assert_non_null(strstr(error, "an array of 0 elements"));
   arena_free(&arena);
   free(module.words);
}

static void
atomics(void **state)
{
   uint32_t data[30] = {[1] = 1000, [3] = UINT32_MAX, [7] = 100, [17] = (uint32_t)-1000};
   const struct spirv_options options = {.stage = NIR_STAGE_COMPUTE, .features = SPIRV_FEATURE_ALL};
   struct spirv_test_module module = spirv_test_load("atomics.comp.spv");
   spirv_test_run(&module, &options, false, LANES, data, sizeof(data));
   static const uint32_t expected[] = {
      2016, 5, 63, 0, 0xffff, 0, 77, 100, 8, 8, 8, 8, 8, 8, 8, 8, (uint32_t)-63, (uint32_t)-37, 2016, 9};
   assert_memory_equal(data, expected, sizeof(expected));
   assert_int_equal(data[24], float_bits(32));
   assert_int_equal(data[26] | (uint64_t)data[27] << 32, UINT64_C(2016) << 30);
   free(module.words);
}

/* ---- subgroups of 32 lanes ---- */

struct lane {
   uint32_t x, l, base; /* invocation, lane, first invocation of the subgroup */
};

static uint32_t
sum_to(const struct lane *lane, uint32_t from, uint32_t to)
{
   uint32_t sum = 0;
   for (uint32_t i = from; i < to; i++)
      sum += lane->base + i;
   return sum;
}

static uint32_t
xor_of(const struct lane *lane, uint32_t from, uint32_t to, uint32_t factor)
{
   uint32_t value = 0;
   for (uint32_t i = from; i < to; i++)
      value ^= (lane->base + i) * factor;
   return value;
}

static uint32_t
and_of(const struct lane *lane, uint32_t set)
{
   uint32_t value = UINT32_MAX;
   for (uint32_t i = 0; i < 32; i++)
      value &= (lane->base + i) | set;
   return value;
}

static uint32_t
thirds(void)
{
   uint32_t ballot = 0;
   for (uint32_t i = 0; i < 32; i += 3)
      ballot |= 1u << i;
   return ballot;
}

static uint32_t
max_inclusive(uint32_t l)
{
   uint32_t value = 0;
   for (uint32_t i = 0; i <= l; i++)
      value = MAX2(value, i ^ 5);
   return value;
}

static void
expected_subgroup(uint32_t x, uint32_t *r)
{
   const struct lane lane = {x, x % 32, x / 32 * 32};
   uint32_t l = lane.l, base = lane.base, quad = x & ~3u, below = (1u << l) - 1;
   /* clang-format off */
   const uint32_t values[54] = {
      l == 0, 1, 0, 1, 0, base + 7, base * 3, thirds(), 0x5a5a5a5a >> l & 1, 0x1234u >> l & 1, 12,
      (uint32_t)__builtin_popcount(0xf0f0f0f0u & (below | 1u << l)),
      (uint32_t)__builtin_popcount(0xf0f0f0f0u & below), 7, 11,
      base + (l ^ 3), base + (l ^ 5), l > 1 ? x - 2 : 0, l < 30 ? x + 2 : 0,
      sum_to(&lane, 0, 32), 81, base, base + 31, and_of(&lane, 64), base + 31, xor_of(&lane, 0, 32, 7), 248,
      1, 5, 69, sum_to(&lane, 0, l + 1), sum_to(&lane, 0, l), max_inclusive(l),
      l ? 101 - l : 0xffff, sum_to(&lane, l & ~3u, (l & ~3u) + 4), base + (l | 7),
      quad + 2, x ^ 1, x ^ 2, x ^ 3, 32, 2, x / 32, 1u << l, ~below, ~below & ~(1u << l), below | 1u << l, below,
      1, 0, 1, base + 4, l >= 2 ? 5 : 1, (x & ~1u) ^ (x | 1)
   };
   /* clang-format on */
   memcpy(r, values, sizeof(values));
}

static void
subgroups(void **state)
{
   static uint32_t data[LANES][64];
   const struct spirv_options options = {.stage = NIR_STAGE_COMPUTE, .features = SPIRV_FEATURE_ALL};
   struct spirv_test_module module = spirv_test_load("subgroups.comp.spv");
   memset(data, 0, sizeof(data));
   spirv_test_run(&module, &options, false, LANES, data, sizeof(data));
   for (uint32_t x = 0; x < LANES; x++) {
      uint32_t expected[54];
      expected_subgroup(x, expected);
      for (unsigned i = 0; i < 54; i++) {
         if (data[x][i] != expected[i])
            fail_msg("invocation %u row %u is %#x, not %#x", x, i, data[x][i], expected[i]);
      }
   }
   free(module.words);
}

static void
small_types(void **state)
{
   struct {
      uint8_t a[8];
      int16_t b[4];
      uint16_t c[4];
      uint32_t total;
   } data = {.a = {1, 2, 100, 200}, .b = {-5, 7, 300, -32768}, .c = {0x3c00, 0x4000, 0xc400, 0}};
   const struct spirv_options options = {.stage = NIR_STAGE_COMPUTE, .features = SPIRV_FEATURE_ALL};
   struct spirv_test_module module = spirv_test_load("small_types.comp.spv");
   spirv_test_run(&module, &options, false, 0, &data, sizeof(data));
   const uint8_t a[8] = {1, 2, 100, 200, 3, 6, 300 & 255, 600 & 255};
   const int16_t b[4] = {-10, 14, 600, 0};
   const uint16_t c[4] = {0x3e00, 0x4000, 0xbc00, 0x3c00}; /* 1.5, 2, -1, 1 */
   assert_memory_equal(data.a, a, sizeof(a));
   assert_memory_equal(data.b, b, sizeof(b));
   assert_memory_equal(data.c, c, sizeof(c));
   assert_int_equal(data.total, 303);
   free(module.words);
}

/* ---- what only assembly can say ---- */

static uint32_t
assembly_row(uint32_t x, unsigned row, uint32_t size)
{
   const bool is_odd = x & 1;
   switch (row) {
   case 0:
      return (uint32_t)(int32_t)(2 * fmodf(-7.5f - (float)x, 2));
   case 1:
      return (uint32_t)((-7 - (int32_t)x) % 3);
   case 2:
      return 3 + (x >= 2) * 8 + (x > 2) * 16 + (x <= 2) * 768;
   case 3:
      return is_odd ? 9 + 7 + 16 * x : 0;
   case 4:
      return 16 * x;
   case 5:
      return is_odd ? 0 : 16 * x;
   case 6:
      return x == 1 ? 12 : x == 2 ? 5 : 13;
   case 7:
      return x < 4 ? 9 * x : is_odd ? 13 : 12;
   case 8:
      return x < 4 ? (size * 3 + 5) >> 1 : 0;
   case 9:
      return x < 4 ? (size > 7 ? 11 : 12) : 0;
   case 10:
      return x < 4 ? 2 : 0;
   case 11:
      return x < 4 ? UINT32_MAX : 0;
   case 12:
      return x < 4 ? ((size * 3 + 5) >> 1) + 1 : 0;
   default:
      return 0;
   }
}

static void
assembly_run(uint32_t size, bool optimize)
{
   uint32_t data[8][16] = {{0}};
   const struct spirv_spec_constant constant = {.id = 7, .size_B = 4, .value = size};
   const struct spirv_options options = {.stage = NIR_STAGE_COMPUTE,
                                         .features = SPIRV_FEATURE_ALL,
                                         .spec_constants = &constant,
                                         .num_spec_constants = size != 8};
   struct spirv_test_module module = spirv_test_load("assembly.spv");
   spirv_test_run(&module, &options, optimize, 0, data, sizeof(data));
   for (uint32_t x = 0; x < 8; x++) {
      for (unsigned row = 0; row < 13; row++) {
         uint32_t expected = x < size ? assembly_row(x, row, size) : 0;
         if (data[x][row] != expected)
            fail_msg("size %u lane %u row %u is %#x, not %#x", size, x, row, data[x][row], expected);
      }
   }
   free(module.words);
}

static void
assembly(void **state)
{
   assembly_run(8, false);
   assembly_run(8, true);
   assembly_run(6, false);
}

/* ---- images: what each instruction of the shader becomes, in order ---- */

enum {
   P = 1 << NIR_TEX_SRC_PROJECTOR,
   C = 1 << NIR_TEX_SRC_COMPARATOR,
   O = 1 << NIR_TEX_SRC_OFFSET,
   B = 1 << NIR_TEX_SRC_BIAS,
   L = 1 << NIR_TEX_SRC_LOD,
   G = 1 << NIR_TEX_SRC_DDX | 1 << NIR_TEX_SRC_DDY,
   M = 1 << NIR_TEX_SRC_MS_INDEX,
};

static const struct {
   enum nir_tex_op op;
   enum nir_image_dim dim;
   unsigned sources, components; /* sources besides image, sampler and coordinate */
   bool is_array;
   enum nir_base_type type;
   /* clang-format off */
} textures[] = {
   {NIR_TEX, NIR_DIM_1D, 0, 4, false, NIR_TYPE_FLOAT}, {NIR_TEX, NIR_DIM_2D, 0, 4, false, NIR_TYPE_FLOAT},
   {NIR_TEX, NIR_DIM_3D, 0, 4, false, NIR_TYPE_FLOAT}, {NIR_TEX, NIR_DIM_CUBE, 0, 4, false, NIR_TYPE_FLOAT},
   {NIR_TEX, NIR_DIM_2D, 0, 4, true, NIR_TYPE_FLOAT}, {NIR_TEX, NIR_DIM_CUBE, 0, 4, true, NIR_TYPE_FLOAT},
   {NIR_TEX, NIR_DIM_2D, C, 1, false, NIR_TYPE_FLOAT}, {NIR_TEX, NIR_DIM_CUBE, C, 1, true, NIR_TYPE_FLOAT},
   {NIR_TXB, NIR_DIM_2D, B, 4, false, NIR_TYPE_FLOAT}, {NIR_TXL, NIR_DIM_2D, L, 4, false, NIR_TYPE_FLOAT},
   {NIR_TXD, NIR_DIM_2D, G, 4, false, NIR_TYPE_FLOAT}, {NIR_TEX, NIR_DIM_2D, O, 4, false, NIR_TYPE_FLOAT},
   {NIR_TXL, NIR_DIM_2D, L | O, 4, false, NIR_TYPE_FLOAT}, {NIR_TXD, NIR_DIM_2D, G | O, 4, false, NIR_TYPE_FLOAT},
   {NIR_TEX, NIR_DIM_2D, P, 4, false, NIR_TYPE_FLOAT}, {NIR_TEX, NIR_DIM_2D, P, 4, false, NIR_TYPE_FLOAT},
   {NIR_TXL, NIR_DIM_2D, P | L, 4, false, NIR_TYPE_FLOAT}, {NIR_TXD, NIR_DIM_2D, P | G, 4, false, NIR_TYPE_FLOAT},
   {NIR_TEX, NIR_DIM_2D, P | C, 1, false, NIR_TYPE_FLOAT}, {NIR_TXL, NIR_DIM_2D, C | L, 1, false, NIR_TYPE_FLOAT},
   {NIR_TXD, NIR_DIM_2D, C | G, 1, false, NIR_TYPE_FLOAT}, {NIR_TXL, NIR_DIM_2D, P | C | L, 1, false, NIR_TYPE_FLOAT},
   {NIR_TEX, NIR_DIM_1D, C, 1, true, NIR_TYPE_FLOAT}, {NIR_TXL, NIR_DIM_1D, C | L, 1, true, NIR_TYPE_FLOAT},
   {NIR_TXF, NIR_DIM_2D, L, 4, false, NIR_TYPE_FLOAT}, {NIR_TXF, NIR_DIM_2D, L | O, 4, false, NIR_TYPE_FLOAT},
   {NIR_TXF_MS, NIR_DIM_MS, M, 4, false, NIR_TYPE_FLOAT}, {NIR_TXF, NIR_DIM_BUF, 0, 4, false, NIR_TYPE_FLOAT},
   {NIR_TXF, NIR_DIM_2D, L, 4, true, NIR_TYPE_FLOAT}, {NIR_TXF_MS, NIR_DIM_MS, M, 4, true, NIR_TYPE_UINT},
   {NIR_TG4, NIR_DIM_2D, 0, 4, false, NIR_TYPE_FLOAT}, {NIR_TG4, NIR_DIM_2D, 0, 4, false, NIR_TYPE_FLOAT},
   {NIR_TG4, NIR_DIM_2D, C, 4, false, NIR_TYPE_FLOAT}, {NIR_TG4, NIR_DIM_2D, O, 4, false, NIR_TYPE_FLOAT},
   {NIR_TG4, NIR_DIM_2D, 0, 4, false, NIR_TYPE_FLOAT}, {NIR_TEX, NIR_DIM_2D, 0, 4, false, NIR_TYPE_FLOAT},
   {NIR_TEX, NIR_DIM_2D, C, 1, false, NIR_TYPE_FLOAT}, {NIR_TEX, NIR_DIM_2D, 0, 4, false, NIR_TYPE_FLOAT},
   {NIR_TXF, NIR_DIM_SUBPASS, L, 4, false, NIR_TYPE_FLOAT}, {NIR_LOD, NIR_DIM_2D, 0, 2, false, NIR_TYPE_FLOAT},
   {NIR_LOD, NIR_DIM_CUBE, 0, 2, true, NIR_TYPE_FLOAT}, {NIR_TXF, NIR_DIM_2D, L, 4, false, NIR_TYPE_INT},
   {NIR_TEX, NIR_DIM_2D, 0, 4, false, NIR_TYPE_INT}, {NIR_TXF_MS, NIR_DIM_SUBPASS_MS, M, 4, false, NIR_TYPE_INT},
   {NIR_TXS, NIR_DIM_2D, L, 2, false, NIR_TYPE_UINT}, {NIR_TXS, NIR_DIM_MS, 0, 2, false, NIR_TYPE_UINT},
   {NIR_TXS, NIR_DIM_CUBE, L, 3, true, NIR_TYPE_UINT}, {NIR_TXS, NIR_DIM_3D, L, 3, false, NIR_TYPE_UINT},
   {NIR_TXS, NIR_DIM_MS, 0, 3, true, NIR_TYPE_UINT}, {NIR_TXS, NIR_DIM_BUF, 0, 1, false, NIR_TYPE_UINT},
   {NIR_TXS, NIR_DIM_1D, L, 1, false, NIR_TYPE_UINT}, {NIR_QUERY_LEVELS, NIR_DIM_2D, 0, 1, false, NIR_TYPE_UINT},
   {NIR_TEXTURE_SAMPLES, NIR_DIM_MS, 0, 1, false, NIR_TYPE_UINT},
};
/* clang-format on */

static void
check_texture(const struct nir_tex_instr *tex, unsigned row)
{
   const unsigned common = 1 << NIR_TEX_SRC_TEXTURE_DEREF | 1 << NIR_TEX_SRC_SAMPLER_DEREF | 1 << NIR_TEX_SRC_COORD;
   unsigned sources = 0;
   for (unsigned i = 0; i < tex->num_srcs; i++)
      sources |= 1u << tex->src[i].type;
   if (tex->op != textures[row].op || tex->dim != textures[row].dim || (sources & ~common) != textures[row].sources ||
       tex->def.num_components != textures[row].components || tex->is_array != textures[row].is_array ||
       tex->dest_type != textures[row].type || tex->is_shadow != !!(sources & C))
      fail_msg("row %u: op %u dim %u sources %#x", row, tex->op, tex->dim, sources & ~common);
}

static void
images(void **state)
{
   struct arena arena = {0};
   struct nir_shader *shader = translate(&arena, "images.frag.spv", NIR_STAGE_FRAGMENT);
   unsigned row = 0, gathers = 0;
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type != NIR_INSTR_TEX)
            continue;
         const struct nir_tex_instr *tex = nir_as_tex(instr);
         assert_true(row < ARRAY_SIZE(textures));
         check_texture(tex, row++);
         gathers += tex->op == NIR_TG4;
         if (tex->has_gather_offsets) {
            static const int8_t offsets[4][2] = {{0, 0}, {1, 0}, {0, 1}, {-1, 2}};
            assert_memory_equal(tex->gather_offsets, offsets, sizeof(offsets));
            assert_int_equal(tex->gather_component, 1);
         }
      }
   }
   assert_int_equal(row, ARRAY_SIZE(textures));
   assert_int_equal(gathers, 5);
   arena_free(&arena);
}

/* How often each intrinsic of a range stands in the shader. */
static unsigned
count(const struct nir_shader *shader, enum nir_intrinsic_op op)
{
   unsigned found = 0;
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block)
         found += instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == op;
   }
   return found;
}

static unsigned
count_alu(const struct nir_shader *shader, enum nir_op op)
{
   unsigned found = 0;
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block)
         found += instr->type == NIR_INSTR_ALU && nir_as_alu(instr)->op == op;
   }
   return found;
}

static void
storage_images(void **state)
{
   struct arena arena = {0};
   const struct nir_shader *shader = translate(&arena, "storage_images.comp.spv", NIR_STAGE_COMPUTE);
   assert_int_equal(count(shader, NIR_INTRINSIC_image_deref_load), 5);
   assert_int_equal(count(shader, NIR_INTRINSIC_image_deref_store), 5);
   assert_int_equal(count(shader, NIR_INTRINSIC_image_deref_atomic), 10);
   assert_int_equal(count(shader, NIR_INTRINSIC_image_deref_atomic_swap), 1);
   assert_int_equal(count(shader, NIR_INTRINSIC_image_deref_size), 5);
   assert_int_equal(count(shader, NIR_INTRINSIC_image_deref_samples), 1);
   arena_free(&arena);
}

/* ---- inputs and outputs ---- */

static const struct nir_variable *
at_location(const struct nir_shader *shader, uint32_t mode, int32_t location, unsigned frag_index)
{
   nir_foreach_variable(variable, shader) {
      if (variable->mode == mode && variable->location == location && variable->frag_index == frag_index)
         return variable;
   }
   fail_msg("no variable at location %d", location);
   return NULL;
}

static void
vertex_interface(void **state)
{
   struct arena arena = {0};
   const struct nir_shader *shader = translate(&arena, "interface.vert.spv", NIR_STAGE_VERTEX);
   const uint32_t in = NIR_VAR_SHADER_IN, out = NIR_VAR_SHADER_OUT;
   assert_true(at_location(shader, out, NIR_SLOT_POS, 0)->invariant);
   assert_int_equal(at_location(shader, out, NIR_SLOT_PSIZ, 0)->type->components, 1);
   assert_int_equal(at_location(shader, out, NIR_SLOT_CLIP_DIST0, 0)->type->length, 3);
   assert_int_equal(at_location(shader, out, NIR_SLOT_CULL_DIST0, 0)->type->length, 2);
   assert_int_equal(at_location(shader, out, NIR_SLOT_VAR0 + 1, 0)->interp, NIR_INTERP_FLAT);
   assert_int_equal(at_location(shader, out, NIR_SLOT_VAR0 + 2, 0)->interp, NIR_INTERP_NOPERSPECTIVE);
   assert_true(at_location(shader, out, NIR_SLOT_VAR0 + 5, 0)->centroid);
   assert_int_equal(at_location(shader, out, NIR_SLOT_VAR0 + 6, 0)->component, 2);
   assert_int_equal(at_location(shader, out, NIR_SLOT_VAR0 + 9, 0)->type->components, 1);
   assert_int_equal(at_location(shader, in, NIR_SLOT_VAR0 + 3, 0)->type->columns, 3);
   assert_int_equal(at_location(shader, in, NIR_SLOT_VAR0 + 7, 0)->component, 1);
   arena_free(&arena);
}

static void
fragment_interface(void **state)
{
   struct arena arena = {0};
   const struct nir_shader *shader = translate(&arena, "interface.frag.spv", NIR_STAGE_FRAGMENT);
   const uint32_t out = NIR_VAR_SHADER_OUT;
   at_location(shader, out, NIR_SLOT_FRAG_DATA0, 0);
   at_location(shader, out, NIR_SLOT_FRAG_DATA0, 1);
   at_location(shader, out, NIR_SLOT_FRAG_DEPTH, 0);
   at_location(shader, out, NIR_SLOT_FRAG_STENCIL, 0);
   at_location(shader, out, NIR_SLOT_FRAG_SAMPLE_MASK, 0);
   assert_true(at_location(shader, NIR_VAR_SHADER_IN, NIR_SLOT_VAR0 + 7, 0)->sample);
   assert_int_equal(shader->info.depth_layout, NIR_DEPTH_LAYOUT_LESS);
   assert_int_equal(count(shader, NIR_INTRINSIC_discard), 1);
   assert_int_equal(count(shader, NIR_INTRINSIC_demote), 1);
   assert_int_equal(count(shader, NIR_INTRINSIC_is_helper_invocation), 1);
   assert_int_equal(count(shader, NIR_INTRINSIC_interp_deref_at_centroid), 1);
   assert_int_equal(count(shader, NIR_INTRINSIC_interp_deref_at_sample), 2);
   assert_int_equal(count(shader, NIR_INTRINSIC_interp_deref_at_offset), 1);
   /* Each derivative by itself and in its fwidth. */
   static const enum nir_op derivatives[] = {NIR_OP_fddx,      NIR_OP_fddy,        NIR_OP_fddx_fine,
                                             NIR_OP_fddy_fine, NIR_OP_fddx_coarse, NIR_OP_fddy_coarse};
   for (unsigned i = 0; i < ARRAY_SIZE(derivatives); i++)
      assert_int_equal(count_alu(shader, derivatives[i]), 2);
   arena_free(&arena);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory),           cmocka_unit_test(array_lengths),
      cmocka_unit_test(atomics),          cmocka_unit_test(small_types),
      cmocka_unit_test(assembly),         cmocka_unit_test(subgroups),
      cmocka_unit_test(images),           cmocka_unit_test(storage_images),
      cmocka_unit_test(vertex_interface), cmocka_unit_test(fragment_interface),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
