#include "gallium/drivers/asahi/program/agx_part.h"

#include <stdlib.h>
#include <string.h>

#include "gallium/drivers/asahi/program/agx_program.h"
#include "util/hash.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/within_memory.h"

#define NO_UNIFORMS_H 1 /* of agx_options.uniforms_max_h: constants are in the code */
#define FENCES_TILE 12  /* of pixwait: agx_select_io.c */

struct agx_parts {
   pthread_mutex_t lock;
   struct hash_table table;
};

/* ---- keys ---- */

struct agx_part_key
agx_part_fetch(const struct pipe_vertex_attribute *attribute)
{
   struct agx_part_key key;

   memset(&key, 0, sizeof(key));
   key.kind = AGX_PART_FETCH;
   key.fetch.format = attribute->format;
   key.fetch.location = attribute->location;
   key.fetch.dynamic_stride = attribute->dynamic_stride;
   key.fetch.stride_B = attribute->dynamic_stride ? 0 : attribute->stride_B;
   key.fetch.per_instance = attribute->per_instance;
   key.fetch.divisor = attribute->per_instance ? attribute->divisor : 0;
   return key;
}

struct agx_part_key
agx_part_zeros(unsigned first_h)
{
   struct agx_part_key key;

   memset(&key, 0, sizeof(key));
   key.kind = AGX_PART_ZEROS;
   key.first_h = first_h;
   return key;
}

struct agx_part_key
agx_part_wait(void)
{
   struct agx_part_key key;

   memset(&key, 0, sizeof(key));
   key.kind = AGX_PART_WAIT;
   return key;
}

/* What does not change the tests is left out, so that as few as there can be are compiled. */
struct agx_part_key
agx_part_tests(const struct agx_fragment_key *fragment, const struct agx_fragment_outputs *outputs)
{
   struct agx_part_key key;

   memset(&key, 0, sizeof(key));
   key.kind = AGX_PART_TESTS;
   key.fragment.samples = fragment->tile.samples;
   key.fragment.per_sample = fragment->per_sample;
   key.fragment.sample_mask = fragment->sample_mask & (uint32_t)bit_mask(fragment->tile.samples);
   key.fragment.alpha_to_coverage = fragment->alpha_to_coverage && outputs->colors & 1;
   key.fragment.outputs.colors = key.fragment.alpha_to_coverage;
   key.fragment.outputs.samples = outputs->samples;
   key.fragment.outputs.early = outputs->early;
   key.fragment.outputs.depth = outputs->depth && !outputs->early;
   key.fragment.outputs.stencil = outputs->stencil && !outputs->early;
   key.fragment.outputs.writes_memory =
      outputs->writes_memory && !outputs->early && !outputs->samples && !outputs->depth && !outputs->stencil;
   return key;
}

static void
add_equation(struct agx_part_key *key, const struct pipe_graphics_state *state, unsigned target)
{
   const struct pipe_blend_equation *from = &state->blend[target];

   key->fragment.logic_op_enable = state->logic_op_enable;
   key->fragment.logic_op = state->logic_op_enable ? state->logic_op : 0;
   key->fragment.enable = pipe_is_blended(state, target) && !state->logic_op_enable;
   if (!key->fragment.enable)
      return;
   key->fragment.equation = *from;
}

struct agx_part_key
agx_part_target(const struct agx_fragment_key *fragment, const uint32_t *color_formats, unsigned target, bool masked)
{
   const struct agx_tile_target *tile = &fragment->tile.targets[target];
   struct agx_part_key key;

   memset(&key, 0, sizeof(key));
   key.kind = AGX_PART_TARGET;
   key.fragment.samples = fragment->tile.samples;
   key.fragment.per_sample = fragment->per_sample;
   key.fragment.alpha_to_one = fragment->alpha_to_one;
   key.fragment.target = (uint8_t)target;
   key.fragment.masked = masked;
   key.fragment.format = color_formats[target];
   key.fragment.write_mask = fragment->color_write_mask[target];
   key.fragment.spilled = tile->spilled;
   key.fragment.state = tile->spilled ? tile->state : 0;
   key.fragment.offset_B = tile->spilled ? 0 : tile->offset_B;
   if (fragment->blend)
      add_equation(&key, fragment->blend, target);
   return key;
}

/* ---- code ---- */

struct work {
   struct agx_screen *screen;
   struct agx_part *part;
   struct arena arena;
   bool made;
};

/* Back from the key: what the passes take. */
static void
fragment_key(const struct agx_part_key *key, struct agx_fragment_key *fragment, struct pipe_graphics_state *state)
{
   unsigned i = key->fragment.target;
   struct agx_tile_target *tile = &fragment->tile.targets[i];

   *state = (struct pipe_graphics_state){.logic_op_enable = key->fragment.logic_op_enable,
                                         .logic_op = (enum pipe_logic_op)key->fragment.logic_op,
                                         .blend_enable = (uint8_t)(key->fragment.enable << i)};
   state->blend[i] = key->fragment.equation;
   *fragment = (struct agx_fragment_key){.blend = state,
                                         .open = true,
                                         .per_sample = key->fragment.per_sample,
                                         .alpha_to_coverage = key->fragment.alpha_to_coverage,
                                         .alpha_to_one = key->fragment.alpha_to_one,
                                         .sample_mask = key->fragment.sample_mask};
   fragment->tile.samples = (uint8_t)key->fragment.samples;
   fragment->tile.num_targets = i + 1;
   fragment->color_write_mask[i] = key->fragment.write_mask;
   tile->used = agx_tile_format(key->fragment.format, &tile->format);
   tile->spilled = key->fragment.spilled;
   tile->state = key->fragment.state;
   tile->offset_B = key->fragment.offset_B;
}

static bool
build(const struct agx_screen *screen, struct nir_shader *shader, struct agx_part *part)
{
   const struct agx_part_key *key = &part->key;
   struct nir_builder b = nir_builder_at(shader, nir_after_block(nir_first_block(shader)));
   const struct pipe_vertex_attribute attribute = {.format = key->fetch.format,
                                                   .location = (uint8_t)key->fetch.location,
                                                   .per_instance = key->fetch.per_instance,
                                                   .divisor = key->fetch.divisor,
                                                   .stride_B = key->fetch.stride_B,
                                                   .dynamic_stride = key->fetch.dynamic_stride};
   struct agx_fragment_key fragment;
   struct pipe_graphics_state state;

   fragment_key(key, &fragment, &state);
   switch ((enum agx_part_kind)key->kind) {
   case AGX_PART_FETCH:
      return agx_nir_fetch_attribute(&b, &attribute, agx_read_nowhere_hi(screen));
   case AGX_PART_ZEROS:
      for (unsigned i = 0; i < 4; i++)
         nir_leave_register_agx(&b, nir_imm_int(&b, 0), .base = (int32_t)(key->first_h + 2 * i));
      return true;
   case AGX_PART_TESTS:
      agx_nir_test_part(shader, &fragment, &key->fragment.outputs, &part->info);
      agx_nir_lower_samples(shader, &fragment);
      return true;
   case AGX_PART_WAIT:
      nir_pixwait_agx(&b, .base = FENCES_TILE);
      return true;
   case AGX_PART_TARGET:
      agx_nir_target_part(shader, &fragment, key->fragment.target, key->fragment.masked, &part->info);
      agx_nir_lower_samples(shader, &fragment);
      return true;
   }
   return false;
}

/* The uniform half of a word of a table that parts read. */
static unsigned
uniform_of(struct agx_part *part, int32_t arg)
{
   unsigned word = AGX_ARG_WORD(arg);

   if (AGX_ARG_TABLE(arg) == AGX_TABLE_VERTEX)
      return AGX_PART_ATTRIBUTE_UNIFORM(word / 4) + 2 * (word % 4);
   part->reads_draw |= AGX_ARG_TABLE(arg) == AGX_TABLE_DRAW;
   part->reads_constants |= AGX_ARG_TABLE(arg) == AGX_TABLE_STAGE;
   return AGX_ARG_TABLE(arg) == AGX_TABLE_DRAW ? AGX_PART_INSTANCE_UNIFORM
                                               : AGX_PART_BLEND_UNIFORM + 2 * (word - AGX_GRAPHICS_BLEND_CONSTANTS);
}

static void
place_arguments(struct nir_shader *shader, struct agx_part *part)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_load_scalar_arg)
            continue;
         struct nir_intrinsic_instr *load = nir_as_intrinsic(instr);
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));
         int32_t half = (int32_t)uniform_of(part, nir_intrinsic_base(load));

         nir_def_replace(&load->def, nir_load_uniform_agx(&b, load->def.num_components, 32, .base = half));
         nir_instr_remove(instr);
      }
   }
}

/* The registers that are others', from 0 on. */
static unsigned
first_register_h(const struct agx_part_key *key)
{
   switch ((enum agx_part_kind)key->kind) {
   case AGX_PART_FETCH:
      return AGX_PART_ATTRIBUTE_H(key->fetch.location);
   case AGX_PART_ZEROS:
      return key->first_h;
   case AGX_PART_TESTS:
   case AGX_PART_WAIT:
      return AGX_PART_END_H;
   case AGX_PART_TARGET:
      return AGX_PART_COLOR_H(key->fragment.target);
   }
   return 0;
}

void
agx_output_keep(struct arena *arena, const struct agx_output *from, struct agx_output *to)
{
   *to = *from;
   to->code = arena_dup(arena, from->code, from->code_B);
   if (from->preamble)
      to->preamble = arena_dup(arena, from->preamble, from->preamble_B);
   if (from->data_B)
      to->data = arena_dup(arena, from->data, from->data_B);
   if (from->constant_count)
      to->constants = arena_dup(arena, from->constants, from->constant_count * sizeof(*from->constants));
   to->listing = to->ir = NULL;
}

static void
compile(void *data)
{
   struct work *work = data;
   struct agx_part *part = work->part;
   bool fetches = part->key.kind == AGX_PART_FETCH;
   struct nir_shader *shader = nir_shader_create(&work->arena, fetches ? NIR_STAGE_VERTEX : NIR_STAGE_FRAGMENT);
   struct agx_shader_options options = agx_shader_options(work->screen, NULL);
   struct agx_arguments arguments;
   struct agx_output out;

   shader->name = "of a part";
   options.agx.continues = options.agx.no_preamble = true;
   options.agx.no_pixwait = part->key.kind == AGX_PART_TARGET;
   options.agx.no_end_wait = fetches;
   options.agx.uniforms_max_h = NO_UNIFORMS_H;
   options.agx.first_register_h = first_register_h(&part->key);
   if (!build(work->screen, shader, part)) {
      log_error("asahi: an attribute of a format that cannot be one");
      return;
   }
   place_arguments(shader, part);
   if (!agx_shader_compile(&work->arena, shader, &options, &arguments, &out))
      return;
   agx_output_keep(&part->arena, &out, &part->output);
   work->made = !out.scratch_B && !out.preamble && !out.constant_count && !out.data_B;
}

/* ---- all of them ---- */

static void
part_free(struct agx_part *part)
{
   arena_free(&part->arena);
   free(part);
}

static struct agx_part *
make(struct agx_screen *screen, const struct agx_part_key *key)
{
   struct work work = {.screen = screen, .part = calloc(1, sizeof(struct agx_part))};

   if (!work.part)
      return NULL;
   work.part->key = *key;
   if (!within_memory(compile, &work))
      work.made = false;
   arena_free(&work.arena);
   if (work.made)
      return work.part;
   part_free(work.part);
   return NULL;
}

struct addition {
   struct agx_parts *parts;
   struct agx_part *part;
};

static void
add_part(void *data)
{
   struct addition *a = data;

   hash_add(&a->parts->table, &a->part->key, sizeof(a->part->key), a->part);
}

/* The one that is kept: another thread may have been faster. NULL when out of memory. */
static struct agx_part *
keep(struct agx_parts *parts, struct agx_part *part)
{
   struct addition addition = {parts, part};

   pthread_mutex_lock(&parts->lock);
   struct agx_part *kept = hash_find(&parts->table, &part->key, sizeof(part->key));

   if (!kept && within_memory(add_part, &addition))
      kept = part;
   pthread_mutex_unlock(&parts->lock);
   if (kept != part)
      part_free(part);
   return kept;
}

const struct agx_part *
agx_part_get(struct agx_screen *screen, const struct agx_part_key *key)
{
   struct agx_parts *parts = screen->parts;

   pthread_mutex_lock(&parts->lock);
   struct agx_part *part = hash_find(&parts->table, key, sizeof(*key));
   pthread_mutex_unlock(&parts->lock);
   if (part)
      return part;
   part = make(screen, key);
   return part ? keep(parts, part) : NULL;
}

bool
agx_parts_init(struct agx_screen *screen)
{
   screen->parts = calloc(1, sizeof(*screen->parts));
   if (!screen->parts)
      return false;
   pthread_mutex_init(&screen->parts->lock, NULL);
   return true;
}

void
agx_parts_finish(struct agx_screen *screen)
{
   if (!screen->parts)
      return;
   hash_for_each(it, &screen->parts->table)
      part_free(it->value);
   hash_free(&screen->parts->table);
   pthread_mutex_destroy(&screen->parts->lock);
   free(screen->parts);
}
