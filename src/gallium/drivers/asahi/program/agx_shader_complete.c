/* Shaders that were compiled without their vertex input, or without their targets, put together with the parts that
 * run before or after them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gallium/drivers/asahi/program/agx_part.h"
#include "gallium/drivers/asahi/program/agx_shader_separate.h"
#include "util/format.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/within_memory.h"

/* The body, tests, a wait; targets, each after zeros; or attributes and the body. */
#define MAX_PARTS (4 + 2 * PIPE_MAX_COLOR_TARGETS + AGX_PART_LOCATIONS)
#define MAX_PUSH_H 64 /* of a word in the USC list */

struct completion {
   struct agx_screen *screen;
   const struct agx_body *body;
   const struct pipe_graphics_options *options;
   struct agx_shader *stage;
   struct arena arena;
   enum pipe_result result;
   struct agx_fragment_key key;
   struct agx_fragment_info info;
   struct agx_arguments arguments;
   bool reads_draw, reads_constants;
   const struct agx_output *parts[MAX_PARTS];
   unsigned count;
};

static void
add_output(struct completion *c, const struct agx_output *output)
{
   if (output->stats.code_B)
      c->parts[c->count++] = output;
}

static void
add_part(struct completion *c, struct agx_part_key key)
{
   const struct agx_part *part = agx_part_get(c->screen, &key);

   if (!part) {
      c->result = PIPE_OUT_OF_HOST_MEMORY;
      return;
   }
   add_output(c, &part->output);
   c->reads_draw |= part->reads_draw;
   c->reads_constants |= part->reads_constants;
   c->info.reads_tile |= part->info.reads_tile;
   c->info.tests_late |= part->info.tests_late;
   c->info.writes_depth |= part->info.writes_depth;
   c->info.writes_stencil |= part->info.writes_stencil;
   c->info.writes_colors |= part->info.writes_colors;
   c->info.spills |= part->info.spills;
}

static void
push(struct completion *c, enum agx_table table, unsigned first_dw, unsigned count_dw, unsigned first_h)
{
   struct agx_arguments *to = &c->arguments;

   if (to->push_count == AGX_MAX_PUSHES) {
      c->result = PIPE_UNSUPPORTED;
      return;
   }
   to->pushes[to->push_count++] = (struct agx_push){.table = (uint8_t)table,
                                                    .first_dw = (uint8_t)first_dw,
                                                    .first_half = (uint16_t)first_h,
                                                    .halves = (uint8_t)(2 * count_dw)};
   to->table_dw[table] = (uint16_t)MAX2(to->table_dw[table], first_dw + count_dw);
}

/* ---- vertex ---- */

static const struct pipe_vertex_attribute *
find_attribute(const struct pipe_graphics_options *options, unsigned location)
{
   for (unsigned i = 0; i < options->state->attributes.count; i++) {
      if (options->state->attributes.of[i].location == location)
         return &options->state->attributes.of[i];
   }
   return NULL;
}

/* In the order of locations: each part keeps the registers below its own. */
static void
add_attributes(struct completion *c)
{
   struct agx_graphics_program *g = &c->stage->graphics;
   const unsigned end = agx_body_locations_end(c->body), step = MAX_PUSH_H / 8;

   g->num_attributes = end;
   for (unsigned location = 0; location < end; location++) {
      const struct pipe_vertex_attribute *attribute = find_attribute(c->options, location);
      const struct format_info *info = attribute ? format_info(attribute->format) : NULL;

      if (attribute)
         g->attributes[location] = (struct agx_attribute){.binding = attribute->binding,
                                                          .element_B = info ? info->block_size_B : 4,
                                                          .offset_B = attribute->offset_B};
      if (c->body->locations >> location & 1)
         add_part(c, attribute ? agx_part_fetch(attribute) : agx_part_zeros(AGX_PART_ATTRIBUTE_H(location)));
   }
   for (unsigned first = 0; first < end; first += step)
      push(c, AGX_TABLE_VERTEX, AGX_TABLE_ATTRIBUTE_DW * first, AGX_TABLE_ATTRIBUTE_DW * MIN2(end - first, step),
           AGX_PART_ATTRIBUTE_UNIFORM(first));
   if (c->reads_draw)
      push(c, AGX_TABLE_DRAW, 1, 1, AGX_PART_INSTANCE_UNIFORM);
}

/* ---- fragment ---- */

static bool
is_stored(const struct completion *c, unsigned target)
{
   const struct agx_tile_target *tile = &c->key.tile.targets[target];
   unsigned all = (1u << tile->format.components) - 1;

   return tile->used && c->key.color_write_mask[target] & all && c->body->info.outputs.colors >> target & 1;
}

/* The last first: each part keeps the registers below its own. */
static void
add_targets(struct completion *c)
{
   const struct agx_fragment_outputs *outputs = &c->body->info.outputs;
   bool masked = agx_stores_are_masked(&c->key, outputs), waits = false;

   c->info.keeps_colors |= masked;
   for (unsigned i = c->key.tile.num_targets; i-- > 0;) {
      const struct agx_tile_target *tile = &c->key.tile.targets[i];
      unsigned all = (1u << tile->format.components) - 1;

      c->info.keeps_colors |= tile->used && (!is_stored(c, i) || (c->key.color_write_mask[i] & all) != all);
      if (!is_stored(c, i))
         continue;
      if (!waits && !tile->spilled) {
         add_part(c, agx_part_wait());
         waits = true;
      }
      if (!i && !outputs->second && agx_blends_second(c->key.blend))
         add_part(c, agx_part_zeros(AGX_PART_SECOND_H));
      add_part(c, agx_part_target(&c->key, c->options->state->targets.color_formats, i, masked));
   }
   if (c->reads_constants)
      push(c, AGX_TABLE_STAGE, AGX_GRAPHICS_BLEND_CONSTANTS, 4, AGX_PART_BLEND_UNIFORM);
}

/* ---- both ---- */

static char *
copy_of(const char *text)
{
   return text ? strdup(text) : NULL;
}

/* Of a fragment shader the key is known. */
static void
put_together(struct completion *c)
{
   struct agx_shader *stage = c->stage;
   bool is_fragment = stage->stage == NIR_STAGE_FRAGMENT;
   struct agx_output out;

   if (!is_fragment)
      add_attributes(c);
   add_output(c, &c->body->output);
   if (is_fragment) {
      add_part(c, agx_part_tests(&c->key, &c->body->info.outputs));
      add_targets(c);
   }
   if (c->result != PIPE_OK)
      return;
   bool prints = debug_flag(DEBUG_ASM);
   const struct agx_rounds rounds = {c->key.tile.samples, AGX_PART_SAMPLE_H};

   agx_join(&c->arena, c->parts, c->count, c->body->per_sample ? &rounds : NULL, prints || c->options->capture_text,
            &out);
   if (prints)
      fprintf(stderr, "%s program of %u parts, hash %016" PRIx64 ":\n%s", nir_stage_names[stage->stage], c->count,
              out.stats.hash, out.listing);
   if (c->options->capture_text)
      stage->program.stages[agx_hw_stage(stage->stage)].texts.assembly = copy_of(out.listing);
   c->result = agx_graphics_add_code(c->screen, &stage->program, stage->stage, is_fragment ? &c->key : NULL,
                                     &c->arguments, &out);
   if (is_fragment)
      agx_fragment_words(&stage->graphics, &c->info, c->body->depth_layout, &out);
}

static void
complete(void *data)
{
   struct completion *c = data;
   const char *error = NULL;

   if (c->stage->stage == NIR_STAGE_FRAGMENT) {
      if (!agx_fragment_key_init(&c->key, c->options, c->body->per_sample, &error)) {
         log_error("a fragment shader: %s", error);
         c->result = PIPE_INVALID_SHADER;
         return;
      }
      if (c->key.per_sample && !c->body->per_sample) {
         c->result = PIPE_UNSUPPORTED;
         return;
      }
      c->stage->graphics.tile = c->key.tile;
      agx_shader_samples(c->stage, &c->key);
   }
   put_together(c);
}

/* What depends only on the body. */
static void
take_body(struct agx_shader *to, const struct agx_shader *from, const struct pipe_graphics_options *options)
{
   const enum agx_hw_stage hw = agx_hw_stage(from->stage);
   struct agx_shader_texts *texts = &to->program.stages[hw].texts;

   to->references = 1;
   to->stage = from->stage;
   to->prims = agx_primitives_of(options->state);
   to->outputs = from->outputs;
   to->reads = from->reads;
   to->registers = from->registers;
   to->loads_varyings = from->loads_varyings;
   to->program.point = PIPE_BIND_GRAPHICS;
   texts->nir = copy_of(from->program.stages[hw].texts.nir);
   texts->machine_ir = copy_of(from->program.stages[hw].texts.machine_ir);
}

enum pipe_result
agx_shader_complete(struct pipe_screen *pipe, struct pipe_shader *incomplete,
                    const struct pipe_graphics_options *options, struct pipe_shader **out)
{
   const struct agx_shader *from = agx_shader(incomplete);
   struct completion c = {.screen = agx_screen(pipe),
                          .body = from->body,
                          .options = options,
                          .stage = calloc(1, sizeof(*c.stage)),
                          .info = from->body->info,
                          .arguments = from->body->arguments};

   *out = NULL;
   if (!c.stage)
      return PIPE_OUT_OF_HOST_MEMORY;
   take_body(c.stage, from, options);
   if (!within_memory(complete, &c))
      c.result = PIPE_OUT_OF_HOST_MEMORY;
   arena_free(&c.arena);
   if (c.result == PIPE_OK)
      *out = agx_shader_handle(c.stage);
   else
      agx_shader_unref(c.screen, c.stage);
   return c.result;
}

/* ---- ahead of completions ---- */

static bool
get(struct agx_screen *screen, struct agx_part_key key)
{
   return agx_part_get(screen, &key) != NULL;
}

static bool
prepare_vertex(struct agx_screen *screen, const struct pipe_graphics_options *options)
{
   bool made = true;

   for (unsigned i = 0; i < options->state->attributes.count && made; i++) {
      if (options->state->attributes.of[i].location < AGX_PART_LOCATIONS)
         made = get(screen, agx_part_fetch(&options->state->attributes.of[i]));
   }
   return made;
}

/* Of shaders that leave anything. */
static bool
prepare_tests(struct agx_screen *screen, const struct agx_fragment_key *key)
{
   bool made = true;

   for (unsigned bits = 0; bits < 64 && made; bits++) {
      const struct agx_fragment_outputs outputs = {.colors = bits & 1,
                                                   .samples = bits >> 1 & 1,
                                                   .depth = bits >> 2 & 1,
                                                   .stencil = bits >> 3 & 1,
                                                   .early = bits >> 4 & 1,
                                                   .writes_memory = bits >> 5 & 1};

      made = get(screen, agx_part_tests(key, &outputs));
   }
   return made;
}

static bool
prepare_fragment(struct agx_screen *screen, const struct pipe_graphics_options *options,
                 const struct agx_fragment_key *key)
{
   bool made = prepare_tests(screen, key) && get(screen, agx_part_wait());

   if (made && agx_blends_second(key->blend))
      made = get(screen, agx_part_zeros(AGX_PART_SECOND_H));
   for (unsigned i = 0; i < key->tile.num_targets && made; i++) {
      const struct agx_tile_target *tile = &key->tile.targets[i];

      if (!tile->used || !(key->color_write_mask[i] & ((1u << tile->format.components) - 1)))
         continue;
      made = get(screen, agx_part_target(key, options->state->targets.color_formats, i, false)) &&
             get(screen, agx_part_target(key, options->state->targets.color_formats, i, true));
   }
   return made;
}

enum pipe_result
agx_shader_prepare(struct pipe_screen *pipe, enum nir_stage stage, const struct pipe_graphics_options *options)
{
   struct agx_screen *screen = agx_screen(pipe);
   struct agx_fragment_key key;
   const char *error = NULL;

   if (stage == NIR_STAGE_VERTEX)
      return prepare_vertex(screen, options) ? PIPE_OK : PIPE_OUT_OF_HOST_MEMORY;
   if (!agx_fragment_key_init(&key, options, false, &error)) {
      log_error("a fragment shader: %s", error);
      return PIPE_INVALID_SHADER;
   }
   bool made = key.per_sample || prepare_fragment(screen, options, &key);

   /* Shaders may run for samples of themselves. */
   key.per_sample = key.tile.samples > 1;
   if (made && key.per_sample)
      made = prepare_fragment(screen, options, &key);
   return made ? PIPE_OK : PIPE_OUT_OF_HOST_MEMORY;
}
