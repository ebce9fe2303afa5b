#include "gallium/drivers/asahi/commands/agx_tile_programs.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/nir/nir_builder.h"
#include "gallium/auxiliary/aux_nir_sum.h"
#include "gallium/drivers/asahi/nir/agx_nir.h"
#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"
#include "gallium/drivers/asahi/program/agx_program.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/mutant.h"
#include "util/within_memory.h"

#define ALL_SAMPLES 0xff

struct agx_tile_program {
   struct agx_tile_key key;
   struct agx_stage_code code;
   struct agx_tile_program *next;
};

struct agx_tile_programs {
   pthread_mutex_t lock;
   struct agx_tile_program *list;
};

/* ---- nir ---- */

struct build {
   struct nir_builder b;
   const struct agx_tile_key *key;
};

static struct nir_def *
state_handle(struct build *s, unsigned number)
{
   struct nir_def *words[2] = {nir_imm_int(&s->b, AGX_HANDLE_STATE), nir_imm_int(&s->b, (int32_t)number)};

   return nir_vec(&s->b, words, 2);
}

static struct nir_def *
layer(struct build *s)
{
   return nir_load_sr_agx(&s->b, 32, .base = AGX_SR_THREADGROUP_IN_GRID_Z);
}

static struct nir_def *
pixel(struct build *s, unsigned axis)
{
   return nir_u2uN(&s->b, nir_channel(&s->b, nir_load_pixel_coord_agx(&s->b), axis), 32);
}

static enum nir_base_type
texel_type(const struct agx_tile_format *format)
{
   return !format->is_integer ? NIR_TYPE_FLOAT : format->is_signed ? NIR_TYPE_INT : NIR_TYPE_UINT;
}

/* A texel of a texture state; sample: NULL where there is one. place: x, y, layer (of arrays). */
static struct nir_def *
fetch(struct build *s, unsigned state, const struct agx_tile_format *format, struct nir_def *const place[3],
      bool is_array, struct nir_def *sample)
{
   struct nir_builder *b = &s->b;
   struct nir_tex_instr *tex = nir_tex_create(b->shader, sample ? NIR_TXF_MS : NIR_TXF);

   tex->dim = sample ? NIR_DIM_MS : NIR_DIM_2D;
   tex->is_array = is_array;
   tex->dest_type = texel_type(format);
   nir_tex_add_src(tex, NIR_TEX_SRC_COORD, nir_vec(b, place, is_array ? 3 : 2));
   if (sample)
      nir_tex_add_src(tex, NIR_TEX_SRC_MS_INDEX, sample);
   else
      nir_tex_add_src(tex, NIR_TEX_SRC_LOD, nir_imm_int(b, 0));
   nir_tex_add_src(tex, NIR_TEX_SRC_TEXTURE_HANDLE, state_handle(s, state));
   return nir_build_tex(b, tex, 4, 32);
}

static void
store_tile(struct build *s, const struct agx_tile_target *target, enum agx_format format, struct nir_def *value,
           unsigned samples)
{
   unsigned all = (1u << target->format.components) - 1;

   nir_store_tile_agx(&s->b, nir_channels(&s->b, value, all), nir_imm_int(&s->b, (int32_t)samples),
                      .base = target->offset_B, .format = format, .write_mask = all);
}

/* Texels that are sRGB come as they lie in memory, and so they lie in the tile: the texture state says UNORM. */
static enum agx_format
raw_format(const struct agx_tile_format *format)
{
   return format->is_srgb ? AGX_FORMAT_U8NORM : format->format;
}

static void
load_target(struct build *s, unsigned i)
{
   struct nir_builder *b = &s->b;
   const struct agx_tile_target *target = &s->key->tile.targets[i];
   struct nir_def *place[3] = {pixel(s, 0), pixel(s, 1), layer(s)};
   unsigned samples = s->key->tile.samples;

   for (unsigned n = 0; n < samples; n++) {
      struct nir_def *sample = samples > 1 ? nir_imm_int(b, (int32_t)n) : NULL;

      store_tile(s, target, raw_format(&target->format), fetch(s, i, &target->format, place, s->key->layered, sample),
                 samples > 1 ? 1u << n : ALL_SAMPLES);
   }
}

static void
clear_target(struct build *s, unsigned i)
{
   const struct agx_tile_target *target = &s->key->tile.targets[i];
   struct nir_def *color = agx_nir_arg(&s->b, AGX_TABLE_STAGE, AGX_TILE_COLORS + 4 * i, 4);

   store_tile(s, target, target->format.format, color, mutant("agx-clear-one-sample") ? 1 : ALL_SAMPLES);
}

static void
write_target(struct build *s, unsigned i)
{
   const struct agx_tile_target *target = &s->key->tile.targets[i];
   bool ms = s->key->tile.samples > 1;

   struct nir_def *to = mutant("agx-tile-wrong-layer") ? nir_imm_int(&s->b, 0) : layer(s);

   nir_store_block_agx(&s->b, state_handle(s, i), nir_imm_int(&s->b, target->offset_B), to,
                       .format = target->format.block, .image_dim = ms ? NIR_DIM_MS : NIR_DIM_2D,
                       .image_array = s->key->layered);
}

/* ---- transfers ---- */

static struct nir_def *
arg(struct build *s, unsigned word)
{
   return agx_nir_arg(&s->b, AGX_TABLE_STAGE, word, 1);
}

static struct nir_def *
is_inside(struct build *s, struct nir_def *const place[3])
{
   struct nir_builder *b = &s->b;
   struct nir_def *inside = nir_imm_bool(b, true);

   for (unsigned i = 0; i < 2; i++) {
      inside = nir_iand(b, inside, nir_uge(b, place[i], arg(s, AGX_TILE_RECT + i)));
      inside = nir_iand(b, inside, nir_ult(b, place[i], arg(s, AGX_TILE_RECT + 2 + i)));
   }
   return inside;
}

/* Two samples of one texel. */
static struct nir_def *
combined(struct build *s, struct nir_def *x, struct nir_def *y)
{
   struct nir_builder *b = &s->b;
   bool is_integer = s->key->tile.targets[0].format.is_integer;

   switch ((enum pipe_resolve)s->key->resolve) {
   case PIPE_RESOLVE_NONE:
   case PIPE_RESOLVE_SAMPLE_ZERO:
   case PIPE_RESOLVE_AVERAGE:
      return x;
   case PIPE_RESOLVE_MIN:
      return is_integer ? nir_umin(b, x, y) : nir_fmin(b, x, y);
   case PIPE_RESOLVE_MAX:
      return is_integer ? nir_umax(b, x, y) : nir_fmax(b, x, y);
   }
   return x;
}

static struct nir_def *
average(struct build *s, const struct agx_tile_format *format, struct nir_def *const from[3])
{
   struct nir_builder *b = &s->b;
   struct nir_def *first = fetch(s, 0, format, from, true, nir_imm_int(b, 0));
   struct aux_sum sum = {first, nir_imm_zero(b, first->num_components, first->bit_size)};

   for (unsigned n = 1; n < s->key->src_samples; n++)
      sum = aux_nir_add(b, sum, fetch(s, 0, format, from, true, nir_imm_int(b, (int32_t)n)));
   return nir_fmul_imm(b, aux_nir_sum(b, sum), 1.0 / s->key->src_samples);
}

static struct nir_def *
resolved(struct build *s, struct nir_def *const place[3])
{
   struct nir_builder *b = &s->b;
   const struct agx_tile_format *format = &s->key->tile.targets[0].format;
   struct nir_def *from[3], *sum = NULL;
   const bool averages = s->key->resolve == PIPE_RESOLVE_AVERAGE;
   const bool first = s->key->resolve == PIPE_RESOLVE_SAMPLE_ZERO || (averages && format->is_integer);
   const unsigned samples = first ? 1 : s->key->src_samples;

   for (unsigned i = 0; i < 2; i++)
      from[i] = nir_iadd(b, place[i], arg(s, AGX_TILE_ORIGIN + i));
   from[2] = nir_iadd(b, place[2], arg(s, AGX_TILE_LAYER));
   if (samples > 1 && averages)
      return average(s, format, from);
   for (unsigned n = 0; n < samples; n++) {
      struct nir_def *value = fetch(s, 0, format, from, true, nir_imm_int(b, (int32_t)n));

      sum = sum ? combined(s, sum, value) : value;
   }
   return sum;
}

static struct nir_def *
blitted(struct build *s, struct nir_def *const place[3])
{
   struct nir_builder *b = &s->b;
   struct nir_tex_instr *tex = nir_tex_create(b->shader, NIR_TXL);
   struct nir_def *from[3], *sampler[2] = {nir_imm_int(b, AGX_HANDLE_HEAP), arg(s, AGX_TILE_SCALE + 3)};

   for (unsigned i = 0; i < 3; i++) {
      struct nir_def *at = nir_u2fN(b, place[i], 32);

      if (i < 2 || s->key->src_3d)
         at = nir_fadd_imm(b, at, 0.5);
      from[i] = nir_ffma(b, at, arg(s, AGX_TILE_SCALE + i), arg(s, AGX_TILE_ORIGIN + i));
   }
   tex->dim = s->key->src_3d ? NIR_DIM_3D : NIR_DIM_2D;
   tex->is_array = !s->key->src_3d;
   tex->dest_type = texel_type(&s->key->tile.targets[0].format);
   nir_tex_add_src(tex, NIR_TEX_SRC_COORD, nir_vec(b, from, 3));
   nir_tex_add_src(tex, NIR_TEX_SRC_LOD, nir_imm_float(b, 0));
   nir_tex_add_src(tex, NIR_TEX_SRC_TEXTURE_HANDLE, state_handle(s, 0));
   nir_tex_add_src(tex, NIR_TEX_SRC_SAMPLER_HANDLE, nir_vec(b, sampler, 2));
   return nir_build_tex(b, tex, 4, 32);
}

/* What comes is linear, so that the tile encodes it, and may be of a wider format; what stays is stored over it as it
 * is. */
static void
transfer_target(struct build *s, struct nir_def *(*transfer)(struct build *s, struct nir_def *const place[3]))
{
   struct nir_builder *b = &s->b;
   const struct agx_tile_target *target = &s->key->tile.targets[0];
   struct nir_def *place[3] = {pixel(s, 0), pixel(s, 1), layer(s)};
   struct nir_def *inside = is_inside(s, place), *value = transfer(s, place);
   struct nir_if *nif = nir_push_if(b, inside);

   if (target->format.is_integer || target->format.format == AGX_FORMAT_F16)
      value = agx_nir_clamp_to_target(b, value, &target->format);
   store_tile(s, target, target->format.format, value, ALL_SAMPLES);
   nir_push_else(b, nif);
   store_tile(s, target, raw_format(&target->format), fetch(s, 1, &target->format, place, s->key->layered, NULL),
              ALL_SAMPLES);
   nir_pop_if(b, nif);
}

static struct nir_shader *
build(struct arena *arena, const struct agx_tile_key *key)
{
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_FRAGMENT);
   struct build s = {.b = nir_builder_create(shader), .key = key};

   shader->name = "tile";
   for (unsigned i = 0; i < key->tile.num_targets; i++) {
      switch ((enum agx_tile_op)key->ops[i]) {
      case AGX_TILE_NOTHING:
         break;
      case AGX_TILE_CLEAR:
         clear_target(&s, i);
         break;
      case AGX_TILE_LOAD:
         load_target(&s, i);
         break;
      case AGX_TILE_STORE:
         write_target(&s, i);
         break;
      case AGX_TILE_RESOLVE:
         transfer_target(&s, resolved);
         break;
      case AGX_TILE_BLIT:
         transfer_target(&s, blitted);
         break;
      }
   }
   return shader;
}

/* ---- the library ---- */

struct creation {
   struct agx_screen *screen;
   struct agx_tile_program *program;
   struct arena arena;
   bool ok;
};

static void
compile(void *data)
{
   struct creation *c = data;
   struct agx_shader_options options = agx_shader_options(c->screen, NULL);
   struct agx_usc_shared shared = agx_tile_shared(&c->program->key.tile);
   struct agx_arguments arguments;
   struct agx_output out;
   uint32_t word;

   options.agx.no_pixwait = true;
   options.agx.no_preamble = true;
   agx_usc_shared_pack(&word, &shared);
   c->ok = agx_shader_compile(&c->arena, build(&c->arena, &c->program->key), &options, &arguments, &out) &&
           agx_stage_code_init(c->screen, &c->program->code, AGX_PROGRAM_TILE, &arguments, &out, word);
}

static struct agx_tile_program *
create(struct agx_screen *screen, const struct agx_tile_key *key)
{
   struct creation c = {.screen = screen, .program = calloc(1, sizeof(*c.program))};

   if (!c.program)
      return NULL;
   c.program->key = *key;
   bool ok = within_memory(compile, &c) && c.ok;

   arena_free(&c.arena);
   if (ok)
      return c.program;
   log_error("a program of tiles cannot be made");
   free(c.program);
   return NULL;
}

const struct agx_tile_program *
agx_tile_program(struct agx_screen *screen, const struct agx_tile_key *key)
{
   struct agx_tile_programs *programs = screen->tile_programs;
   struct agx_tile_program *program;

   pthread_mutex_lock(&programs->lock);
   for (program = programs->list; program; program = program->next) {
      if (!memcmp(&program->key, key, sizeof(*key)))
         break;
   }
   if (!program && (program = create(screen, key))) {
      program->next = programs->list;
      programs->list = program;
   }
   pthread_mutex_unlock(&programs->lock);
   return program;
}

struct agx_tile_use
agx_tile_use(struct agx_context *ctx, const struct agx_tile_program *program, const uint32_t words[AGX_TILE_WORDS],
             const uint32_t (*textures)[6], unsigned texture_count)
{
   const struct agx_stage_code *code = &program->code;
   struct agx_tile_use use = {.counts = code->counts};
   struct agx_tables tables = {0};
   char *usc = agx_usc_alloc(
      ctx, AGX_USC_TEXTURE_SIZE_B + code->arguments.push_count * AGX_USC_UNIFORM_SIZE_B + code->usc_B, 64, &use.usc);

   if (texture_count) {
      struct agx_usc_texture record = {.count = texture_count};

      memcpy(agx_upload_alloc(ctx, texture_count * 24, 16, &record.buffer), textures, texture_count * 24);
      agx_usc_texture_pack(usc, &record);
      usc += AGX_USC_TEXTURE_SIZE_B;
   }
   if (code->arguments.push_count)
      memcpy(agx_upload_alloc(ctx, 4 * AGX_TILE_WORDS, 16, &tables.va[AGX_TABLE_STAGE]), words, 4 * AGX_TILE_WORDS);
   usc = agx_usc_push(&tables, &code->arguments, usc);
   memcpy(usc, code->usc, code->usc_B);
   return use;
}

bool
agx_tile_programs_init(struct agx_screen *screen)
{
   screen->tile_programs = calloc(1, sizeof(*screen->tile_programs));
   if (!screen->tile_programs)
      return false;
   pthread_mutex_init(&screen->tile_programs->lock, NULL);
   return true;
}

void
agx_tile_programs_finish(struct agx_screen *screen)
{
   struct agx_tile_programs *programs = screen->tile_programs;

   if (!programs)
      return;
   for (struct agx_tile_program *program = programs->list, *next; program; program = next) {
      next = program->next;
      aux_code_free(&screen->code, program->code.memory);
      free(program);
   }
   pthread_mutex_destroy(&programs->lock);
   free(programs);
   screen->tile_programs = NULL;
}
