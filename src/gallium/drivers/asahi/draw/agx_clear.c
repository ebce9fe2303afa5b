/* Clears inside of a rendering: rectangles drawn in one colour, one depth, one stencil value. */
#include <stdlib.h>
#include <string.h>

#include "compiler/nir/nir_builder.h"
#include "asahi/hw/hw_limits.h"
#include "gallium/drivers/asahi/draw/agx_clear.h"
#include "gallium/drivers/asahi/nir/agx_nir.h"
#include "gallium/drivers/asahi/program/agx_program.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/within_memory.h"

/* Half the size of the viewport: a power of two, so that pixel coordinates survive the way through clip space. */
#define HALF_PX 8192.0f

/* ---- programs: for targets of some formats, one attachment of them ---- */

struct clear_key {
   uint32_t formats[PIPE_MAX_COLOR_TARGETS], num_colors, attachment;
   uint32_t samples;
};

struct clear_program {
   struct clear_key key;
   struct pipe_program *program;
   struct clear_program *next;
};

struct agx_clears {
   pthread_mutex_t lock;
   struct clear_program *programs;
};

static struct nir_def *
arg(struct nir_builder *b, unsigned word, unsigned count)
{
   return agx_nir_arg(b, AGX_TABLE_STAGE, word, count);
}

/* Vertices 0 to 3 of a strip; an instance for each layer. */
static struct nir_shader *
build_vertex(struct arena *arena)
{
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_VERTEX);
   struct nir_builder b = nir_builder_create(shader);
   struct nir_def *id = nir_load_vertex_id(&b), *rect = arg(&b, AGX_CLEAR_RECT, 4), *position[4];

   shader->name = "clear vertex";
   position[0] =
      nir_bcsel(&b, nir_ieq_imm(&b, nir_iand_imm(&b, id, 1), 0), nir_channel(&b, rect, 0), nir_channel(&b, rect, 2));
   position[1] = nir_bcsel(&b, nir_ult_imm(&b, id, 2), nir_channel(&b, rect, 1), nir_channel(&b, rect, 3));
   position[2] = arg(&b, AGX_CLEAR_DEPTH, 1);
   position[3] = nir_imm_float(&b, 1);
   nir_store_output(&b, nir_vec(&b, position, 4), nir_imm_int(&b, 0), .slot = NIR_SLOT_POS, .write_mask = 0xf,
                    .src_type = NIR_TYPE_FLOAT);
   nir_store_output(&b, nir_iadd(&b, arg(&b, AGX_CLEAR_LAYER, 1), nir_load_instance_id(&b)), nir_imm_int(&b, 0),
                    .slot = NIR_SLOT_LAYER, .write_mask = 1, .src_type = NIR_TYPE_UINT);
   return shader;
}

static struct nir_shader *
build_fragment(struct arena *arena, unsigned attachment)
{
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_FRAGMENT);
   struct nir_builder b = nir_builder_create(shader);

   shader->name = "clear fragment";
   nir_store_output(&b, arg(&b, AGX_CLEAR_COLOR, 4), nir_imm_int(&b, 0), .slot = NIR_SLOT_FRAG_DATA0 + attachment,
                    .write_mask = 0xf, .src_type = NIR_TYPE_UINT);
   return shader;
}

struct creation {
   struct agx_screen *screen;
   struct clear_program *clear;
   struct arena arena;
   bool ok;
};

static void
create_program(void *data)
{
   struct creation *c = data;
   const struct clear_key *key = &c->clear->key;
   struct pipe_graphics_state state = {
      .topology = PIPE_TRIANGLE_STRIP,
      .samples = (uint8_t)key->samples,
      .sample_mask = UINT32_MAX,
      .targets = {.num_colors = key->num_colors},
   };
   const struct pipe_graphics_options options = {.state = &state};
   struct nir_shader *shaders[NIR_STAGES] = {[NIR_STAGE_VERTEX] = build_vertex(&c->arena)};

   memcpy(state.targets.color_formats, key->formats, sizeof(state.targets.color_formats));
   if (key->attachment < PIPE_MAX_COLOR_TARGETS) {
      state.color_write_mask = 0xfu << (4 * key->attachment);
      shaders[NIR_STAGE_FRAGMENT] = build_fragment(&c->arena, key->attachment);
   }
   c->ok = agx_graphics_program_create(&c->screen->base, shaders, &options, &c->clear->program) == PIPE_OK;
}

static struct clear_program *
create(struct agx_screen *screen, const struct clear_key *key)
{
   struct creation c = {.screen = screen, .clear = calloc(1, sizeof(*c.clear))};

   if (!c.clear)
      return NULL;
   c.clear->key = *key;
   bool ok = within_memory(create_program, &c) && c.ok;

   arena_free(&c.arena);
   if (ok)
      return c.clear;
   free(c.clear);
   return NULL;
}

static struct agx_program *
find_program(struct agx_screen *screen, const struct agx_framebuffer *fb, uint32_t attachment)
{
   struct agx_clears *clears = screen->clears;
   struct clear_key key;
   struct clear_program *clear;

   memset(&key, 0, sizeof(key));
   memcpy(key.formats, fb->formats, sizeof(key.formats));
   key.num_colors = fb->tile.num_targets;
   key.attachment = attachment;
   key.samples = fb->tile.samples;
   pthread_mutex_lock(&clears->lock);
   for (clear = clears->programs; clear; clear = clear->next) {
      if (!memcmp(&clear->key, &key, sizeof(key)))
         break;
   }
   if (!clear && (clear = create(screen, &key))) {
      clear->next = clears->programs;
      clears->programs = clear;
   }
   pthread_mutex_unlock(&clears->lock);
   return clear ? agx_program(clear->program) : NULL;
}

bool
agx_clears_init(struct agx_screen *screen)
{
   screen->clears = calloc(1, sizeof(*screen->clears));
   if (!screen->clears)
      return false;
   pthread_mutex_init(&screen->clears->lock, NULL);
   return true;
}

void
agx_clears_finish(struct agx_screen *screen)
{
   struct agx_clears *clears = screen->clears;

   if (!clears)
      return;
   for (struct clear_program *clear = clears->programs, *next; clear; clear = next) {
      next = clear->next;
      screen->base.program_destroy(&screen->base, clear->program);
      free(clear);
   }
   pthread_mutex_destroy(&clears->lock);
   free(clears);
   screen->clears = NULL;
}

/* ---- draws ---- */

/* Tests that pass and write everywhere. */
static struct pipe_graphics_state
state_of(bool depth, bool stencil, uint8_t value)
{
   struct pipe_graphics_state state = {
      .topology = PIPE_TRIANGLE_STRIP,
      .viewports = {1, {{0, 0, 2 * HALF_PX, 2 * HALF_PX, 0, 1}}},
      .scissors = {1, {{0, 0, AGX_MAX_PX, AGX_MAX_PX}}},
      .line_width_px = 1,
      .depth_test = depth,
      .depth_write = depth,
      .depth_compare = PIPE_COMPARE_ALWAYS,
      .stencil_test = stencil,
   };

   for (unsigned face = 0; face < 2; face++) {
      state.stencil[face] = (struct pipe_stencil_face){PIPE_STENCIL_REPLACE, PIPE_STENCIL_REPLACE,
                                                       PIPE_STENCIL_REPLACE, PIPE_COMPARE_ALWAYS};
      state.stencil_compare_mask[face] = state.stencil_write_mask[face] = 0xff;
      state.stencil_reference[face] = value;
   }
   return state;
}

static uint32_t
float_word(float value)
{
   uint32_t word;

   memcpy(&word, &value, 4);
   return word;
}

static void
set_words(struct agx_graphics_state *state, const union pipe_clear_color *color, float depth,
          const struct pipe_clear_rect *rect)
{
   uint32_t *words = state->stage_words;
   const uint32_t corners[4] = {rect->x, rect->y, rect->x + rect->width, rect->y + rect->height};

   for (unsigned i = 0; i < 4; i++)
      words[AGX_CLEAR_RECT + i] = float_word((float)corners[i] / HALF_PX - 1);
   words[AGX_CLEAR_DEPTH] = float_word(depth);
   words[AGX_CLEAR_LAYER] = rect->base_layer;
   if (color)
      memcpy(words + AGX_CLEAR_COLOR, color->u, sizeof(color->u));
}

static void
clear_attachment(struct pipe_context *pipe, uint32_t attachment, uint32_t aspects,
                 const struct pipe_clear_value *value, const struct pipe_clear_rect *rect)
{
   struct agx_context *ctx = agx_context(pipe);
   const struct agx_framebuffer *fb = &ctx->graphics.framebuffer;
   bool is_color = attachment < PIPE_MAX_COLOR_TARGETS;
   struct pipe_graphics_state gfx =
      state_of(!is_color && aspects & PIPE_ASPECT_DEPTH, !is_color && aspects & PIPE_ASPECT_STENCIL, value->stencil);
   struct agx_program *program, *saved_program = ctx->programs[PIPE_BIND_GRAPHICS];

   if (is_color && (attachment >= fb->tile.num_targets || !fb->formats[attachment]))
      return;
   program = find_program(ctx->screen, fb, is_color ? attachment : UINT32_MAX);
   if (!program) {
      ctx->failed = true;
      return;
   }
   struct agx_graphics_state saved = ctx->graphics;
   struct agx_graphics_state *state = &ctx->graphics;
   bool counts = ctx->statistics.active, counts_primitives = ctx->xfb.counts, has_geometry = ctx->has_geometry;

   ctx->statistics.active = ctx->xfb.counts = ctx->has_geometry = false;
   ctx->programs[PIPE_BIND_GRAPHICS] = program;
   state->gfx = &gfx;
   state->visibility = AGX_VISIBILITY_MODE_NONE;
   state->render.bias_dirty = true;
   /* Of colours it may be any float, which would be clipped. */
   bool clears_depth = !is_color && aspects & PIPE_ASPECT_DEPTH;

   set_words(state, is_color ? &value->color : NULL, clears_depth ? value->depth : 0, rect);
   agx_set_topology(ctx, gfx.topology);
   ctx->dirty = AGX_ALL_ATOMS;
   ctx->base.draw(&ctx->base, 4, rect->layers, 0, 0);

   struct agx_render render = state->render; /* has grown */

   ctx->graphics = saved;
   ctx->graphics.render = render;
   ctx->graphics.render.bias_dirty = true;
   ctx->programs[PIPE_BIND_GRAPHICS] = saved_program;
   ctx->statistics.active = counts;
   ctx->xfb.counts = counts_primitives;
   ctx->has_geometry = has_geometry;
   agx_table_forget(ctx, PIPE_BIND_GRAPHICS, AGX_TABLE_STAGE);
   agx_table_forget(ctx, PIPE_BIND_GRAPHICS, AGX_TABLE_DRAW);
   ctx->dirty = AGX_ALL_ATOMS;
}

void
agx_init_clear(struct agx_context *ctx)
{
   ctx->base.clear_attachment = clear_attachment;
}
