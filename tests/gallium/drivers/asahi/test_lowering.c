/* What the driver's lowering of vertex and fragment shaders makes of them, as the nir interpreter runs it: random
 * programs that discard and are shaded by samples leave in memory what they left before, and vertices get what C
 * reads from their buffers by the text of the Vulkan specification. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/nir/nir_interp.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"
#include "nir_random.h"
#include "util/format.h"
#include "util/format_enum.h"
#include "util/macros.h"

#define LANES 32
#define PROGRAMS 300

typedef bool (*matcher)(const struct nir_intrinsic_instr *instr);

/* Whether some instruction matches. */
static bool
has(struct nir_shader *shader, matcher matches)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && matches(nir_as_intrinsic(instr)))
            return true;
      }
   }
   return false;
}

/* ---- fragments: discards, helpers, samples ---- */

#define SAMPLES 4

static bool
is_discard(const struct nir_intrinsic_instr *instr)
{
   return instr->op >= NIR_INTRINSIC_discard && instr->op <= NIR_INTRINSIC_demote_if;
}

static bool
is_sample_id(const struct nir_intrinsic_instr *instr)
{
   return instr->op == NIR_INTRINSIC_load_sample_id;
}

static uint32_t
covered_samples(uint32_t lane)
{
   return (lane * 11 >> 1) % 16;
}

/* Loads depend on the sample, and each sample has its own part of the output. */
static void
use_sample(struct nir_shader *shader, uint32_t out_B)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         struct nir_intrinsic_instr *intrinsic = instr->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic(instr) : NULL;
         bool load = intrinsic && intrinsic->op == NIR_INTRINSIC_load_ssbo;

         if (!load && (!intrinsic || intrinsic->op != NIR_INTRINSIC_store_ssbo))
            continue;
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));
         struct nir_src *offset = &intrinsic->src[load ? 1 : 2];
         struct nir_def *more = nir_imul_imm(&b, nir_load_sample_id(&b), load ? 16 : (int64_t)out_B);

         nir_src_rewrite(offset, nir_iadd(&b, offset->def, more));
      }
   }
}

/* The mask of covered samples, which the hardware has in a register, as an argument of each lane. */
static void
replace_coverage(struct nir_shader *shader)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_load_sr_agx)
            continue;
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));

         assert_int_equal(nir_intrinsic_base(nir_as_intrinsic(instr)), AGX_SR_INPUT_SAMPLE_MASK);
         nir_def_replace(&nir_as_intrinsic(instr)->def, nir_load_vector_arg(&b, 1, .base = 0));
         nir_instr_remove(instr);
      }
   }
}

static void
interpret(struct arena *arena, struct nir_shader *shader, uint32_t seed, uint8_t *out, uint32_t out_B,
          const bool *helper, uint32_t sample)
{
   /* size: inputs and results of a run */
   static uint32_t sysvals[LANES][NIR_INTERP_SYSVALS][4];
   uint32_t masks[LANES][4];
   uint8_t in[NIR_RANDOM_IN_B];
   const struct nir_interp_buffer buffers[2] = {{.binding = 0, .data = in, .size_B = sizeof(in)},
                                                {.binding = 1, .data = out, .size_B = out_B}};

   nir_random_fill(seed, in, sizeof(in));
   for (uint32_t lane = 0; lane < LANES; lane++) {
      masks[lane][0] = covered_samples(lane);
      sysvals[lane][NIR_INTRINSIC_load_sample_id - NIR_INTRINSIC_load_vertex_id][0] = sample;
   }
   struct nir_interp_result result = nir_interp_run(arena, shader,
                                                    &(struct nir_interp_params){.subgroup_size = 32,
                                                                                .num_workgroups = {1, 1, 1},
                                                                                .buffers = buffers,
                                                                                .num_buffers = 2,
                                                                                .sysvals = sysvals,
                                                                                .vector_args = masks,
                                                                                .num_vector_args = 1,
                                                                                .helper = helper});
   if (result.error)
      fail_msg("seed %u: %s", seed, result.error);
}

/* As Vulkan says it: the whole program once for each sample, and samples that are not covered are helpers. */
static void
run_samples(struct arena *arena, struct nir_shader *shader, uint32_t seed, uint8_t *out, uint32_t out_B)
{
   for (uint32_t sample = 0; sample < SAMPLES; sample++) {
      bool helper[LANES];

      for (uint32_t lane = 0; lane < LANES; lane++)
         helper[lane] = !(covered_samples(lane) >> sample & 1);
      interpret(arena, shader, seed, out, out_B, helper, sample);
   }
}

/* The number of bytes that the programs wrote. */
static unsigned
check_fragment(uint32_t seed, bool per_sample)
{
   const struct nir_random_options options = {
      .seed = seed, .discards = true, .no_variables = true, .no_shared = true, .no_atomics = per_sample};
   const struct agx_fragment_registers registers = {0};
   const struct agx_fragment_key key = {.per_sample = per_sample, .tile.samples = per_sample ? SAMPLES : 1};
   const uint32_t lane_B = nir_random_out_size_B(&options), out_B = lane_B * SAMPLES;
   struct arena arena = {0};
   uint8_t *before = arena_array(&arena, uint8_t, out_B), *after = arena_array(&arena, uint8_t, out_B);
   struct nir_shader *shader = nir_random_shader(&arena, &options), *lowered = nir_random_shader(&arena, &options);
   unsigned written = 0;

   if (per_sample) {
      use_sample(shader, lane_B);
      use_sample(lowered, lane_B);
      run_samples(&arena, shader, seed, before, out_B);
   } else {
      interpret(&arena, shader, seed, before, out_B, NULL, 0);
   }
   agx_nir_lower_helper_writes(lowered, agx_nir_lower_discards(lowered, &registers), per_sample);
   agx_nir_lower_samples(lowered, &key);
   assert_false(has(lowered, is_discard) || has(lowered, is_sample_id));
   replace_coverage(lowered);
   nir_lower_vars_to_ssa(lowered);
   if (nir_validate(lowered))
      fail_msg("seed %u: %s", seed, nir_validate(lowered));
   interpret(&arena, lowered, seed, after, out_B, NULL, 0);
   if (memcmp(before, after, out_B))
      fail_msg("seed %u: other results%s", seed, per_sample ? " by samples" : "");
   for (uint32_t i = 0; i < out_B; i++)
      written += before[i] != 0;
   arena_free(&arena);
   return written;
}

static void
test_discards(void **state)
{
   unsigned written = 0;

   for (uint32_t seed = 1; seed <= PROGRAMS; seed++)
      written += check_fragment(seed, false);
   assert_true(written > PROGRAMS * 200);
}

static void
test_samples(void **state)
{
   unsigned written = 0;

   for (uint32_t seed = 1; seed <= PROGRAMS; seed++)
      written += check_fragment(seed, true);
   assert_true(written > PROGRAMS * 200);
}

/* A value of a loop that is used after it, and is not there for those who were discarded ahead of it. */
static void
test_value_after_loop(void **state)
{
   const struct agx_fragment_registers registers = {0};
   struct arena arena = {0};
   _Alignas(4) uint8_t out[LANES * 4] = {0};
   struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_COMPUTE);
   struct nir_builder b = nir_builder_create(shader);

   shader->info.workgroup_size[0] = LANES;
   struct nir_def *lane = nir_load_local_invocation_index(&b);
   struct nir_def *first = nir_imm_int(&b, 0);
   struct nir_def *buffer =
      nir_vulkan_resource_index(&b, first, .binding = 1, .descriptor_kind = NIR_DESCRIPTOR_STORAGE_BUFFER);
   struct nir_loop *loop = nir_push_loop(&b);

   nir_discard_if(&b, nir_ieq_imm(&b, nir_iand_imm(&b, lane, 3), 1));
   struct nir_def *value = nir_imul_imm(&b, nir_iadd_imm(&b, lane, 5), 7);

   nir_break(&b);
   nir_pop_loop(&b, loop);
   nir_store_ssbo(&b, value, buffer, nir_imul_imm(&b, lane, 4), .align_mul = 4, .write_mask = 1);
   assert_null(nir_validate(shader));
   agx_nir_lower_helper_writes(shader, agx_nir_lower_discards(shader, &registers), false);
   nir_lower_vars_to_ssa(shader);
   assert_null(nir_validate(shader));
   interpret(&arena, shader, 1, out, sizeof(out), NULL, 0);
   for (uint32_t i = 0; i < LANES; i++)
      assert_int_equal(((uint32_t *)out)[i], i % 4 == 1 ? 0 : 7 * (i + 5));
   arena_free(&arena);
}

/* ---- vertex attributes ---- */

#define ELEMENTS 24
#define BUFFER_VA UINT64_C(0x23456700000)
#define FETCHES 6

static float
half_value(uint32_t bits, unsigned mantissa)
{
   uint32_t exponent = bits >> mantissa & 31, fraction = bits & ((1u << mantissa) - 1);
   float value = exponent ? ldexpf(1 + ldexpf((float)fraction, -(int)mantissa), (int)exponent - 15)
                          : ldexpf((float)fraction, -14 - (int)mantissa);

   value = exponent == 31 ? fraction ? NAN : INFINITY : value;
   return mantissa == 10 && bits >> 15 ? -value : value;
}

/* A component's bits as the shader sees it, in 32 bits. */
static uint32_t
component_value(const struct format_component *component, uint32_t bits)
{
   uint32_t most = (uint32_t)((UINT64_C(1) << component->bits) - 1);
   int32_t extended = (int32_t)(bits << (32 - component->bits)) >> (32 - component->bits);
   float value = 0;
   uint32_t word;

   switch ((enum format_numeric)component->numeric) {
   case FORMAT_UNORM:
      value = (float)((double)bits / most);
      break;
   case FORMAT_SNORM:
      value = (float)fmax((double)extended / (most / 2), -1);
      break;
   case FORMAT_USCALED:
      value = (float)bits;
      break;
   case FORMAT_SSCALED:
      value = (float)extended;
      break;
   case FORMAT_SINT:
      return (uint32_t)extended;
   case FORMAT_UFLOAT:
      value = half_value(bits, component->bits - 5u);
      break;
   case FORMAT_SFLOAT:
      if (component->bits == 32)
         return bits;
      value = half_value(bits, 10);
      break;
   case FORMAT_UINT:
   case FORMAT_VOID:
   case FORMAT_SRGB:
   case FORMAT_FIXED:
      return bits;
   }
   memcpy(&word, &value, 4);
   return word;
}

static bool
is_float(const struct format_info *info)
{
   return info->components[0].numeric != FORMAT_UINT && info->components[0].numeric != FORMAT_SINT;
}

/* The four components of an element. */
static void
read_element(const struct format_info *info, const uint8_t *element, uint32_t out[4])
{
   const float one = 1;

   memset(out, 0, 16);
   if (is_float(info))
      memcpy(&out[3], &one, 4);
   else
      out[3] = 1;
   for (unsigned i = 0; i < info->component_count; i++) {
      const struct format_component *component = &info->components[i];
      uint64_t bits = 0;

      for (unsigned bit = 0; bit < component->bits; bit++) {
         unsigned at = component->shift + bit;

         bits |= (uint64_t)(element[at / 8] >> at % 8 & 1) << bit;
      }
      out[component->name] = component_value(component, (uint32_t)bits);
   }
}

/* load_agx as agx.h describes it, of loads that the interpreter knows. */
static struct nir_def *
device_load(struct nir_builder *b, const struct nir_intrinsic_instr *instr)
{
   static const struct {
      enum agx_format format;
      uint8_t bits;
   } sizes[] = {{AGX_FORMAT_I8, 8},   {AGX_FORMAT_U8NORM, 8},   {AGX_FORMAT_S8NORM, 8},
                {AGX_FORMAT_I16, 16}, {AGX_FORMAT_U16NORM, 16}, {AGX_FORMAT_S16NORM, 16},
                {AGX_FORMAT_F16, 16}, {AGX_FORMAT_I32, 32},     {AGX_FORMAT_RG11B10F, 32}};
   const enum agx_format format = (enum agx_format)nir_intrinsic_format(instr);
   struct nir_def *out[4] = {0};
   unsigned row = 0;

   while (row < ARRAY_SIZE(sizes) && sizes[row].format != format)
      row++;
   assert_true(row < ARRAY_SIZE(sizes));
   const unsigned bits = sizes[row].bits, stored = format == AGX_FORMAT_RG11B10F ? 1 : instr->def.num_components;
   struct nir_def *index = nir_ishl_imm(b, nir_u2uN(b, instr->src[1].def, 64), nir_intrinsic_shift(instr));

   for (unsigned i = 0; i < stored; i++) {
      struct nir_def *place = nir_imul_imm(b, nir_iadd_imm(b, index, i), bits / 8);
      struct nir_def *raw = nir_load_global(b, 1, bits, nir_iadd(b, instr->src[0].def, place));

      if (format == AGX_FORMAT_F16)
         out[i] = nir_f2fN(b, raw, 32);
      else if (format == AGX_FORMAT_U8NORM || format == AGX_FORMAT_U16NORM)
         out[i] = nir_fdiv(b, nir_u2fN(b, raw, 32), nir_imm_float(b, (float)((1u << bits) - 1)));
      else if (format == AGX_FORMAT_S8NORM || format == AGX_FORMAT_S16NORM)
         out[i] = nir_fmax(b, nir_fdiv(b, nir_i2fN(b, raw, 32), nir_imm_float(b, (float)((1u << (bits - 1)) - 1))),
                           nir_imm_float(b, -1));
      else
         out[i] = bits == 32 ? raw : nir_u2uN(b, raw, 32);
   }
   if (format != AGX_FORMAT_RG11B10F)
      return nir_vec(b, out, stored);
   /* Halves without sign and with fewer bits of the fraction. */
   static const uint8_t shift[] = {0, 11, 22}, fraction[] = {6, 6, 5};
   struct nir_def *word = out[0];

   for (unsigned i = 0; i < 3; i++) {
      struct nir_def *field = nir_iand_imm(b, nir_ushr_imm(b, word, shift[i]), (1 << (fraction[i] + 5)) - 1);
      struct nir_def *half = nir_u2uN(b, nir_ishl_imm(b, field, 10 - fraction[i]), 16);

      out[i] = nir_f2fN(b, half, 32);
   }
   return nir_vec(b, out, 3);
}

static void
replace_loads(struct nir_shader *shader)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_load_agx)
            continue;
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));

         nir_def_replace(&nir_as_intrinsic(instr)->def, device_load(&b, nir_as_intrinsic(instr)));
         nir_instr_remove(instr);
      }
   }
}

/* Copies each attribute to an output. */
static struct nir_shader *
copying_shader(struct arena *arena, const struct pipe_vertex_attribute *attributes, unsigned count)
{
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_VERTEX);
   struct nir_builder b = nir_builder_create(shader);

   for (unsigned i = 0; i < count; i++) {
      bool floats = is_float(format_info(attributes[i].format));
      enum nir_base_type type = floats ? NIR_TYPE_FLOAT : NIR_TYPE_UINT;
      struct nir_def *in = nir_load_input(&b, 4, 32, nir_imm_int(&b, 0),
                                          .slot = NIR_SLOT_VAR0 + attributes[i].location, .src_type = type);

      nir_store_output(&b, in, nir_imm_int(&b, 0), .slot = NIR_SLOT_VAR0 + i, .write_mask = 0xf, .src_type = type);
   }
   return shader;
}

/* Which element a lane's vertex has. */
static uint32_t
element_of(const struct pipe_vertex_attribute *attribute, uint32_t vertex, uint32_t instance, uint32_t base_instance)
{
   uint32_t step = attribute->divisor ? instance / attribute->divisor : 0;

   return attribute->per_instance ? base_instance + step : vertex;
}

static bool
equal(uint32_t a, uint32_t b, bool floats)
{
   float x, y;

   memcpy(&x, &a, 4);
   memcpy(&y, &b, 4);
   return a == b || (floats && ((isnan(x) && isnan(y)) || fabsf(x - y) <= 2.5e-7f * fabsf(y)));
}

static void
check_lanes(const struct pipe_vertex_attribute *attributes, uint32_t base_instance, const uint8_t *data,
            const struct nir_interp_result *result)
{
   static const uint8_t outside[16]; /* what the buffer does not hold is zero */

   for (uint32_t lane = 0; lane < LANES; lane++) {
      for (unsigned i = 0; i < FETCHES; i++) {
         const struct format_info *info = format_info(attributes[i].format);
         uint32_t want[4], element = element_of(&attributes[i], lane, lane / 3, base_instance);

         read_element(info, element < ELEMENTS ? data + 37 * i + (size_t)element * attributes[i].stride_B : outside,
                      want);
         for (unsigned c = 0; c < 4; c++) {
            uint32_t got = result->outputs[lane][NIR_SLOT_VAR0 + i][c];

            if (!equal(got, want[c], is_float(info)))
               fail_msg("%s, stride %u, lane %u, component %u: %08x, not %08x", info->name, attributes[i].stride_B,
                        lane, c, got, want[c]);
         }
      }
   }
}

static void
check_fetch(const struct pipe_vertex_attribute *attributes, uint32_t base_instance, uint32_t seed)
{
   static uint32_t args[(AGX_TABLE_DRAW > AGX_TABLE_VERTEX ? AGX_TABLE_DRAW : AGX_TABLE_VERTEX) * AGX_TABLE_MAX_DW +
                        AGX_TABLE_MAX_DW][4];
   static uint32_t sysvals[LANES][NIR_INTERP_SYSVALS][4];
   static uint8_t data[ELEMENTS * 64];
   struct arena arena = {0};
   struct nir_shader *shader = copying_shader(&arena, attributes, FETCHES);
   const struct nir_interp_buffer buffer = {.va = BUFFER_VA, .data = data, .size_B = sizeof(data)};
   const char *error = NULL;

   nir_random_fill(seed, data, sizeof(data));
   for (unsigned i = 0; i < FETCHES; i++) {
      const uint64_t address = BUFFER_VA + 37 * i;

      memcpy(args[AGX_ARG(AGX_TABLE_VERTEX, 4 * i)], &address, 8);
      args[AGX_ARG(AGX_TABLE_VERTEX, 4 * i + 2)][0] = ELEMENTS - 1;
   }
   args[AGX_ARG(AGX_TABLE_DRAW, 1)][0] = base_instance;
   for (uint32_t lane = 0; lane < LANES; lane++) {
      sysvals[lane][NIR_INTRINSIC_load_vertex_id_zero_base - NIR_INTRINSIC_load_vertex_id][0] = lane;
      sysvals[lane][NIR_INTRINSIC_load_instance_id - NIR_INTRINSIC_load_vertex_id][0] = lane / 3;
   }
   if (!agx_nir_lower_vertex_inputs(shader, &(struct agx_vertex_inputs){.attributes = attributes, .count = FETCHES},
                                    &error))
      fail_msg("%s", error);
   replace_loads(shader);
   assert_null(nir_validate(shader));
   struct nir_interp_result result = nir_interp_run(&arena, shader,
                                                    &(struct nir_interp_params){.num_lanes = LANES,
                                                                                .subgroup_size = 32,
                                                                                .buffers = &buffer,
                                                                                .num_buffers = 1,
                                                                                .scalar_args = args,
                                                                                .num_scalar_args = ARRAY_SIZE(args),
                                                                                .sysvals = sysvals});
   assert_null(result.error);
   check_lanes(attributes, base_instance, data, &result);
   arena_free(&arena);
}

/* Every format with every way to step, and strides that the hardware's index has, or has not. */
static void
test_fetch(void **state)
{
   static const uint32_t formats[] = {FORMAT_R8_UNORM,
                                      FORMAT_R8G8_SNORM,
                                      FORMAT_R8G8B8A8_UNORM,
                                      FORMAT_B8G8R8A8_UNORM,
                                      FORMAT_R8G8B8A8_USCALED,
                                      FORMAT_R8G8B8A8_SSCALED,
                                      FORMAT_R8G8B8A8_UINT,
                                      FORMAT_R8G8B8_SINT,
                                      FORMAT_R16_UNORM,
                                      FORMAT_R16G16_SNORM,
                                      FORMAT_R16G16B16_USCALED,
                                      FORMAT_R16G16_SSCALED,
                                      FORMAT_R16G16B16A16_UINT,
                                      FORMAT_R16G16_SINT,
                                      FORMAT_R16G16B16A16_SFLOAT,
                                      FORMAT_R32_SFLOAT,
                                      FORMAT_R32G32B32_SFLOAT,
                                      FORMAT_R32G32B32A32_UINT,
                                      FORMAT_R32G32_SINT,
                                      FORMAT_A2B10G10R10_UNORM_PACK32,
                                      FORMAT_A2R10G10B10_SNORM_PACK32,
                                      FORMAT_A2B10G10R10_USCALED_PACK32,
                                      FORMAT_A2B10G10R10_SSCALED_PACK32,
                                      FORMAT_A2B10G10R10_UINT_PACK32,
                                      FORMAT_A2B10G10R10_SINT_PACK32,
                                      FORMAT_R5G6B5_UNORM_PACK16,
                                      FORMAT_B10G11R11_UFLOAT_PACK32};
   static const uint32_t strides[] = {16, 32, 0, 17, 8, 12, 30, 4, 48};
   static const int steps[] = {-1, 1, -1, 0, 3, 2, -1}; /* -1: by vertices */

   for (unsigned first = 0; first < ARRAY_SIZE(formats) * ARRAY_SIZE(strides); first++) {
      struct pipe_vertex_attribute attributes[FETCHES];

      for (unsigned i = 0; i < FETCHES; i++) {
         int step = steps[(first + i) % ARRAY_SIZE(steps)];

         attributes[i] = (struct pipe_vertex_attribute){
            .format = formats[(first + 5 * i) % ARRAY_SIZE(formats)],
            .location = (uint8_t)(FETCHES - i),
            .per_instance = step >= 0,
            .divisor = step >= 0 ? (uint32_t)step : 0,
            .stride_B = strides[(first + i) % ARRAY_SIZE(strides)],
         };
      }
      check_fetch(attributes, first % 3 * 7, first);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_discards),
      cmocka_unit_test(test_samples),
      cmocka_unit_test(test_value_after_loop),
      cmocka_unit_test(test_fetch),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
