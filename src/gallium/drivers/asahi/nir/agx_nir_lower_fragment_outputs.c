/* The end of a fragment shader: samples are killed and tested, colours blended and stored to the tile buffer.
 *
 * Tests. Without sample_mask and zs_emit in a program the hardware tests before it runs. A program that kills,
 * covers, exports depth or writes memory tests by itself, at its end and each sample once. With early tests (the
 * shader says so) kills only keep colours from being stored.
 *
 * Colours that depend on what the target holds are made for each sample by itself. */
#include "compiler/nir/nir_cf.h"
#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"
#include "util/macros.h"
#include "util/mutant.h"

#define ALL_SAMPLES 0xff /* of sample_mask, ld_tile and st_tile */

struct outputs {
   struct nir_builder b;
   const struct agx_fragment_key *key;
   struct agx_fragment_info *info;
   struct nir_def *color[PIPE_MAX_COLOR_TARGETS][4], *second[4]; /* 32 bits; NULL: not written */
   bool is_integer[PIPE_MAX_COLOR_TARGETS];                      /* as the shader writes it */
   struct nir_def *depth, *stencil, *mask;
   struct nir_def *killed; /* boolean, or NULL */
   bool early;
   bool is_part;  /* a mask has no bits beyond the samples of a pixel */
   bool in_order; /* older fragments of the pixel are done with images */
};

/* ---- gathering ---- */

static struct nir_def *
to_word(struct nir_builder *b, struct nir_def *value, enum nir_base_type type)
{
   if (value->bit_size == 32)
      return value;
   return type == NIR_TYPE_FLOAT ? nir_f2fN(b, value, 32)
          : type == NIR_TYPE_INT ? nir_i2iN(b, value, 32)
                                 : nir_u2uN(b, value, 32);
}

static struct nir_def **
place_of(struct outputs *o, unsigned slot, unsigned component, unsigned frag_index)
{
   switch (slot) {
   case NIR_SLOT_FRAG_DEPTH:
      return &o->depth;
   case NIR_SLOT_FRAG_STENCIL:
      return &o->stencil;
   case NIR_SLOT_FRAG_SAMPLE_MASK:
      return &o->mask;
   default: /* others: colours */
      break;
   }
   if (slot < NIR_SLOT_FRAG_DATA0 || slot > NIR_SLOT_FRAG_DATA7)
      return NULL;
   return frag_index ? &o->second[component] : &o->color[slot - NIR_SLOT_FRAG_DATA0][component];
}

static bool
take_store(struct outputs *o, struct nir_intrinsic_instr *store, const struct nir_block *last, const char **error)
{
   struct nir_builder b = nir_builder_at(o->b.shader, nir_before_instr(&store->instr));
   unsigned slot = nir_intrinsic_slot(store), first = nir_intrinsic_component(store);

   if (store->instr.block != last || !nir_src_is_const(store->src[1])) {
      *error = "outputs of a fragment shader that are not all written at its end, at fixed places";
      return false;
   }
   slot += (unsigned)nir_src_comp_as_uint(store->src[1], 0);
   for (unsigned i = 0; i < store->src[0].def->num_components; i++) {
      struct nir_def **place = place_of(o, slot, first + i, nir_intrinsic_frag_index(store));

      if (slot >= NIR_SLOT_FRAG_DATA0 && slot <= NIR_SLOT_FRAG_DATA7)
         o->is_integer[slot - NIR_SLOT_FRAG_DATA0] = nir_intrinsic_src_type(store) != NIR_TYPE_FLOAT;
      if (place && nir_intrinsic_write_mask(store) >> i & 1)
         *place = to_word(&b, nir_channel(&b, store->src[0].def, i), nir_intrinsic_src_type(store));
   }
   nir_instr_remove(&store->instr);
   return true;
}

static bool
gather(struct outputs *o, const char **error)
{
   struct nir_block *last = nir_cf_list_last(&o->b.shader->body);

   nir_foreach_block(block, o->b.shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == NIR_INTRINSIC_store_output &&
             !take_store(o, nir_as_intrinsic(instr), last, error))
            return false;
      }
   }
   o->b.cursor = nir_after_block(last);
   return true;
}

/* ---- coverage and tests ---- */

/* Of a pixel all samples, else that of the loop. */
static struct nir_def *
own_samples(struct outputs *o)
{
   struct nir_builder *b = &o->b;

   if (!o->key->per_sample)
      return nir_imm_int(b, ALL_SAMPLES);
   return nir_ishl(b, nir_imm_int(b, 1), nir_load_sample_id(b));
}

/* As many samples as the alpha of the first colour covers. */
static struct nir_def *
alpha_coverage(struct outputs *o)
{
   struct nir_builder *b = &o->b;
   struct nir_def *scaled = nir_fmul_imm(b, nir_fsat(b, o->color[0][3]), o->key->tile.samples);
   struct nir_def *count = nir_f2uN(b, nir_fadd_imm(b, scaled, 0.5), 32);

   return nir_iadd_imm(b, nir_ishl(b, nir_imm_int(b, 1), count), -1);
}

static bool
masks_samples(const struct agx_fragment_key *key)
{
   uint32_t all = (uint32_t)bit_mask(key->tile.samples);

   return (key->sample_mask & all) != all;
}

/* Which of the samples live. NULL: all. */
static struct nir_def *
live_samples(struct outputs *o, struct nir_def *samples)
{
   struct nir_builder *b = &o->b;
   struct nir_def *live = samples;

   if (o->mask)
      live = o->is_part && !o->key->per_sample ? o->mask : nir_iand(b, live, o->mask);
   if (masks_samples(o->key))
      live = nir_iand_imm(b, live, o->key->sample_mask & bit_mask(o->key->tile.samples));
   if (o->key->alpha_to_coverage && o->color[0][3])
      live = nir_iand(b, live, alpha_coverage(o));
   if (o->killed)
      live = nir_bcsel(b, o->killed, nir_imm_int(b, 0), live);
   return live == samples ? NULL : live;
}

/* Kills and tests; returns the mask for stores, of what is left of the samples. */
static struct nir_def *
test(struct outputs *o, struct nir_def *samples)
{
   struct nir_builder *b = &o->b;
   struct nir_def *live = live_samples(o, samples);

   if (o->early)
      return live ? live : samples;
   if (!live && !o->depth && !o->stencil && (!o->info->writes_memory || mutant("agx-interlock-tests-early")))
      return samples;
   o->info->tests_late = true;
   if (!o->depth && !o->stencil) {
      nir_sample_mask_agx(b, samples, live ? live : samples);
      return samples;
   }
   o->info->writes_depth = o->depth != NULL;
   o->info->writes_stencil = o->stencil != NULL;
   if (live)
      nir_sample_mask_agx(b, nir_iand(b, samples, nir_inot(b, live)), nir_imm_int(b, 0));
   nir_zs_emit_agx(b, live ? live : samples, o->depth ? o->depth : nir_imm_int(b, 0),
                   o->stencil ? o->stencil : nir_imm_int(b, 0), .base = (o->depth ? 1 : 0) | (o->stencil ? 2 : 0));
   return samples;
}

/* ---- colours ---- */

/* What is stored of a target, and how. */
struct store {
   const struct agx_tile_target *target;
   const struct pipe_blend_equation *blend;
   unsigned mask;
   enum agx_format format; /* of loads and stores of the tile */
   bool blends, logic, merges;
};

static bool
logic_applies(const struct agx_tile_format *format)
{
   return format->is_integer || (format->is_normalized && !format->is_srgb);
}

static struct store
plan(const struct outputs *o, unsigned i)
{
   static const struct pipe_graphics_state none = {0};
   const struct pipe_graphics_state *state = o->key->blend ? o->key->blend : &none;
   const struct agx_tile_target *target = &o->key->tile.targets[i];
   const struct agx_tile_format *format = &target->format;
   unsigned all = (1u << format->components) - 1;
   struct store s = {.target = target, .blend = &state->blend[i], .format = format->format};

   s.mask = o->key->color_write_mask[i] & all;
   s.logic = state->logic_op_enable && state->logic_op != PIPE_LOGIC_COPY && logic_applies(format);
   s.blends = !state->logic_op_enable && pipe_is_blended(state, i) && !format->is_integer;
   s.merges = format->packed && s.mask != all; /* no write mask there */
   return s;
}

static struct nir_def *
apply_logic(struct outputs *o, const struct store *s, struct nir_def *color, struct nir_def *dst)
{
   struct nir_builder *b = &o->b;
   const struct agx_tile_format *format = &s->target->format;
   struct nir_def *out[4];

   for (unsigned i = 0; i < 4; i++) {
      struct nir_def *from = nir_channel(b, color, i), *to = nir_channel(b, dst, i);

      if (!format->is_integer) {
         from = agx_nir_color_to_bits(b, from, format, i);
         to = agx_nir_color_to_bits(b, to, format, i);
      }
      out[i] = agx_nir_logic_op(b, o->key->blend->logic_op, from, to);
      if (!format->is_integer)
         out[i] = agx_nir_color_from_bits(b, out[i], format, i);
   }
   return nir_vec(b, out, 4);
}

static struct nir_def *
blend(struct outputs *o, const struct store *s, struct nir_def *color, struct nir_def *dst)
{
   struct nir_builder *b = &o->b;
   const struct agx_tile_format *format = &s->target->format;
   struct nir_def *second = agx_nir_clamp_to_target(b, agx_nir_complete_color(b, o->second, format), format),
                  *constant = NULL;

   if (agx_blend_reads_constant(s->blend)) {
      constant = agx_nir_arg(b, AGX_TABLE_STAGE, AGX_GRAPHICS_BLEND_CONSTANTS, 4);
      constant = agx_nir_clamp_to_target(b, constant, format);
   }
   color = agx_nir_blend(b, s->blend, color, second, dst, constant);
   /* Norms of few bits are floats in the tile, which does not clamp them. */
   return format->format == AGX_FORMAT_F16 ? agx_nir_clamp_to_target(b, color, format) : color;
}

static void
store(struct outputs *o, const struct store *s, struct nir_def *color, struct nir_def *samples)
{
   struct nir_builder *b = &o->b;

   color = agx_nir_round_to_target(b, &s->target->format, color);
   unsigned all = (1u << s->target->format.components) - 1, count = s->target->format.components;
   unsigned mask = s->target->format.packed ? all : s->mask;

   nir_store_tile_agx(b, nir_channels(b, color, (1u << count) - 1), samples, .base = s->target->offset_B,
                      .format = s->format, .write_mask = mask);
}

static struct nir_def *
merge(struct outputs *o, const struct store *s, struct nir_def *color, struct nir_def *dst)
{
   struct nir_def *out[4];

   for (unsigned i = 0; i < 4; i++)
      out[i] = nir_channel(&o->b, s->mask >> i & 1 ? color : dst, i);
   return nir_vec(&o->b, out, 4);
}

/* What a colour makes of what is there. */
static struct nir_def *
over(struct outputs *o, const struct store *s, struct nir_def *color, struct nir_def *dst)
{
   if (s->logic)
      color = apply_logic(o, s, color, dst);
   else if (s->blends)
      color = blend(o, s, color, dst);
   return s->merges ? merge(o, s, color, dst) : color;
}

/* samples: that one store is for. */
static void
store_over(struct outputs *o, const struct store *s, struct nir_def *color, struct nir_def *samples)
{
   store(o, s, over(o, s, color, agx_nir_load_tile_color(&o->b, s->target, s->format, samples)), samples);
}

/* ---- targets that are not in the tile ---- */

static struct nir_def *
state_handle(struct nir_builder *b, unsigned state)
{
   struct nir_def *words[2] = {nir_imm_int(b, AGX_HANDLE_STATE), nir_imm_int(b, (int32_t)state)};

   return nir_vec(b, words, 2);
}

/* x, y, layer of the pixel: the image is always an array. */
static struct nir_def *
image_place(struct nir_builder *b)
{
   struct nir_def *pixel = nir_load_pixel_coord_agx(b);
   struct nir_def *place[4] = {nir_u2uN(b, nir_channel(b, pixel, 0), 32), nir_u2uN(b, nir_channel(b, pixel, 1), 32),
                               nir_load_sr_agx(b, 32, .base = AGX_SR_THREADGROUP_IN_GRID_Z), nir_imm_int(b, 0)};

   return nir_vec(b, place, 4);
}

static void
store_image_sample(struct outputs *o, const struct store *s, struct nir_def *color, struct nir_def *place,
                   struct nir_def *sample, bool reads)
{
   struct nir_builder *b = &o->b;
   enum nir_image_dim dim = o->key->tile.samples > 1 ? NIR_DIM_MS : NIR_DIM_2D;
   struct nir_def *dst = nir_imm_zero(b, 4, 32), *level = nir_imm_int(b, 0);

   if (reads)
      dst = nir_image_load_agx(b, 32, state_handle(b, s->target->state), place, sample, level, .image_dim = dim,
                               .image_array = true, .access = NIR_ACCESS_COHERENT);
   nir_image_store_agx(b, state_handle(b, s->target->state + 1), place, sample, over(o, s, color, dst), level,
                       .image_dim = dim, .image_array = true, .access = NIR_ACCESS_COHERENT);
}

/* The image changes where a sample lives after its tests, when older fragments are done with the pixel. */
static void
store_spilled(struct outputs *o, unsigned i, struct nir_def *samples)
{
   struct nir_builder *b = &o->b;
   struct store s = plan(o, i);
   unsigned all = (1u << s.target->format.components) - 1, times = o->key->per_sample ? 1 : o->key->tile.samples;

   s.merges = s.mask != all;
   bool reads = s.logic || s.merges || (s.blends && agx_blend_reads_target(s.blend));
   struct nir_def *color =
      agx_nir_clamp_to_target(b, agx_nir_complete_color(b, o->color[i], &s.target->format), &s.target->format);

   if (!o->in_order)
      nir_begin_invocation_interlock(b);
   o->in_order = o->info->reads_tile = o->info->spills = true;
   struct nir_def *place = image_place(b);
   struct nir_def *live = nir_iand(b, samples, nir_load_sr_agx(b, 32, .base = AGX_SR_INTERNAL_COVERAGE_MASK));

   for (unsigned n = 0; n < times; n++) {
      struct nir_def *sample = o->key->per_sample ? nir_load_sample_id(b) : nir_imm_int(b, (int32_t)n);
      struct nir_def *bit = o->key->per_sample ? samples : nir_imm_int(b, 1 << n);
      struct nir_if *nif = nir_push_if(b, nir_ine_imm(b, nir_iand(b, live, bit), 0));

      store_image_sample(o, &s, color, place, sample, reads);
      nir_pop_if(b, nif);
   }
}

/* samples: to store to, the whole pixel's or one. */
static void
store_target(struct outputs *o, unsigned i, struct nir_def *samples)
{
   struct nir_builder *b = &o->b;
   struct store s = plan(o, i);
   bool reads = s.logic || s.merges || (s.blends && agx_blend_reads_target(s.blend));
   unsigned times = reads && !o->key->per_sample ? o->key->tile.samples : 1;
   struct nir_def *color = agx_nir_complete_color(b, o->color[i], &s.target->format);

   /* The store clamps what is normalized. */
   if (s.target->format.is_integer || s.blends || s.logic || s.merges)
      color = agx_nir_clamp_to_target(b, color, &s.target->format);
   if (!reads) {
      store(o, &s, s.blends ? blend(o, &s, color, nir_imm_zero(b, 4, 32)) : color, samples);
      return;
   }
   o->info->reads_tile = true;
   for (unsigned n = 0; n < times; n++)
      store_over(o, &s, color, times > 1 ? nir_iand_imm(b, samples, 1u << n) : samples);
}

/* A colour that a later test asks for must be as the shader has made it; then alpha is one. */
static void
alpha_to_one(struct outputs *o)
{
   struct nir_def *one = nir_imm_float(&o->b, 1);

   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++) {
      if (o->key->tile.targets[i].used && !o->key->tile.targets[i].format.is_integer && o->color[i][0])
         o->color[i][3] = one;
   }
   o->second[3] = one;
}

static bool
is_written(const struct outputs *o, unsigned i)
{
   return o->color[i][0] || o->color[i][1] || o->color[i][2] || o->color[i][3];
}

static void
store_colors(struct outputs *o, struct nir_def *samples)
{
   if (o->key->alpha_to_one)
      alpha_to_one(o);
   for (unsigned i = 0; i < o->key->tile.num_targets; i++) {
      const struct agx_tile_target *target = &o->key->tile.targets[i];
      unsigned all = (1u << target->format.components) - 1, mask = o->key->color_write_mask[i] & all;

      if (!target->used)
         continue;
      o->info->keeps_colors |= mask != all || !is_written(o, i);
      if (!mask || !is_written(o, i))
         continue;
      o->info->writes_colors = true;
      if (target->spilled)
         store_spilled(o, i, samples);
      else
         store_target(o, i, samples);
   }
   if (o->in_order)
      nir_end_invocation_interlock(&o->b);
}

/* ---- parts ---- */

static void
leave_color(struct outputs *o, struct nir_def *const color[4], bool is_integer, int32_t first_h)
{
   for (int32_t i = 0; i < 4; i++) {
      struct nir_def *missing = i < 3 || is_integer ? nir_imm_int(&o->b, i == 3) : nir_imm_float(&o->b, 1);

      nir_leave_register_agx(&o->b, color[i] ? color[i] : missing, .base = first_h + 2 * i);
   }
}

/* For agx_nir_test_part() and agx_nir_target_part(). */
static void
leave_outputs(struct outputs *o)
{
   struct nir_builder *b = &o->b;
   struct agx_fragment_outputs *outputs = &o->info->outputs;
   struct nir_def *live = o->mask ? nir_iand_imm(b, o->mask, ALL_SAMPLES) : NULL;

   *outputs = (struct agx_fragment_outputs){.early = o->early,
                                            .writes_memory = o->info->writes_memory,
                                            .samples = o->mask || o->killed,
                                            .depth = o->depth,
                                            .stencil = o->stencil};
   if (o->killed)
      live = nir_bcsel(b, o->killed, nir_imm_int(b, 0), live ? live : nir_imm_int(b, ALL_SAMPLES));
   if (live)
      nir_leave_register_agx(b, live, .base = AGX_PART_SAMPLES_H);
   if (o->depth)
      nir_leave_register_agx(b, o->depth, .base = AGX_PART_DEPTH_H);
   if (o->stencil)
      nir_leave_register_agx(b, o->stencil, .base = AGX_PART_STENCIL_H);
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++) {
      if (!is_written(o, i))
         continue;
      outputs->colors |= (uint8_t)(1u << i);
      leave_color(o, o->color[i], o->is_integer[i], AGX_PART_COLOR_H((int32_t)i));
   }
   outputs->second = !(outputs->colors & 2) && (o->second[0] || o->second[1] || o->second[2] || o->second[3]);
   if (outputs->second)
      leave_color(o, o->second, o->is_integer[0], AGX_PART_SECOND_H);
}

static struct nir_def *
taken(struct outputs *o, int32_t half)
{
   return nir_load_register_agx(&o->b, .base = half);
}

static struct outputs
begin_part(struct nir_shader *shader, const struct agx_fragment_key *key, struct agx_fragment_info *info)
{
   *info = (struct agx_fragment_info){0};
   return (struct outputs){
      .b = nir_builder_at(shader, nir_after_block(nir_cf_list_last(&shader->body))), .key = key, .info = info};
}

void
agx_nir_test_part(struct nir_shader *shader, const struct agx_fragment_key *key,
                  const struct agx_fragment_outputs *outputs, struct agx_fragment_info *info)
{
   struct outputs o = begin_part(shader, key, info);

   o.is_part = true;
   o.early = outputs->early;
   o.info->writes_memory = outputs->writes_memory;
   o.mask = outputs->samples ? taken(&o, AGX_PART_SAMPLES_H) : NULL;
   o.depth = outputs->depth ? taken(&o, AGX_PART_DEPTH_H) : NULL;
   o.stencil = outputs->stencil ? taken(&o, AGX_PART_STENCIL_H) : NULL;
   o.color[0][3] = outputs->colors & 1 ? taken(&o, AGX_PART_COLOR_H(0) + 6) : NULL;
   struct nir_def *samples = test(&o, own_samples(&o));

   if (agx_stores_are_masked(key, outputs))
      nir_leave_register_agx(&o.b, samples, .base = AGX_PART_SAMPLES_H);
}

void
agx_nir_target_part(struct nir_shader *shader, const struct agx_fragment_key *key, unsigned target, bool masked,
                    struct agx_fragment_info *info)
{
   struct outputs o = begin_part(shader, key, info);

   for (int32_t i = 0; i < 4; i++) {
      o.color[target][i] = taken(&o, AGX_PART_COLOR_H((int32_t)target) + 2 * i);
      o.second[i] = taken(&o, AGX_PART_SECOND_H + 2 * i);
   }
   o.info->writes_colors = true;
   if (o.key->alpha_to_one)
      alpha_to_one(&o);
   struct nir_def *samples = masked ? taken(&o, AGX_PART_SAMPLES_H) : own_samples(&o);

   if (key->tile.targets[target].spilled)
      store_spilled(&o, target, samples);
   else
      store_target(&o, target, samples);
   if (o.in_order)
      nir_end_invocation_interlock(&o.b);
}

bool
agx_stores_are_masked(const struct agx_fragment_key *key, const struct agx_fragment_outputs *outputs)
{
   bool covers = key->alpha_to_coverage && outputs->colors & 1;

   return outputs->early && (outputs->samples || covers || masks_samples(key));
}

bool
agx_nir_lower_fragment_outputs(struct nir_shader *shader, const struct agx_fragment_key *key,
                               struct nir_variable *killed, struct agx_fragment_info *info, const char **error)
{
   struct outputs o = {.key = key, .info = info, .early = shader->info.early_fragment_tests};

   o.b = nir_builder_at(shader, nir_after_block(nir_cf_list_last(&shader->body)));
   if (!gather(&o, error))
      return false;
   if (o.early)
      o.depth = o.stencil = NULL;
   if (killed)
      o.killed = nir_load_var(&o.b, killed);
   if (key->open) {
      leave_outputs(&o);
      return true;
   }
   struct nir_def *samples = test(&o, own_samples(&o));
   store_colors(&o, samples);
   info->keeps_colors |= o.early && (o.killed || key->alpha_to_coverage || masks_samples(key));
   return true;
}
