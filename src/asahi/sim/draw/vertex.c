/* Vertex waves: what they leave becomes the batch's vertices. */
#include <stdio.h>
#include <string.h>

#include "asahi/sim/draw/draw_private.h"
#include "util/macros.h"

enum { REG_VERTEX = 5, REG_INSTANCE = 6 };

/* What stands in registers and words that nobody has written. */
#define UNWRITTEN 0x7fa5c0deu

static uint32_t
count_vertices(const struct agx_render *render)
{
   return (uint32_t)dynarray_count(&render->vertices_in, struct agx_vertex_in);
}

static uint32_t
wave_lanes(const struct agx_render *render, uint32_t group)
{
   return MIN2(count_vertices(render) - group * AGX_WAVE_LANES, (uint32_t)AGX_WAVE_LANES);
}

static void
start(void *user, uint32_t group, uint32_t wave, struct agx_wave_start *start)
{
   (void)wave; /* groups are single waves */
   const struct agx_render *render = user;
   const struct agx_vertex_in *in = dynarray_at(&render->vertices_in, struct agx_vertex_in, group * AGX_WAVE_LANES);
   uint32_t lanes = wave_lanes(render, group);
   start->lanes = (uint32_t)bit_mask(lanes);
   start->register_count = REG_INSTANCE + 1;
   for (unsigned r = 0; r < REG_VERTEX; r++) {
      for (uint32_t i = 0; i < lanes; i++)
         start->reg[r][i] = UNWRITTEN;
   }
   for (uint32_t i = 0; i < lanes; i++) {
      start->reg[REG_VERTEX][i] = in[i].index;
      start->reg[REG_INSTANCE][i] = in[i].instance;
   }
}

static void
retire(void *user, uint32_t group, uint32_t wave, const struct agx_wave_result *result)
{
   (void)wave;
   struct agx_render *render = user;
   uint32_t words = render->layout.words, lanes = wave_lanes(render, group);
   uint32_t *out = (uint32_t *)render->vertices.data + (size_t)group * AGX_WAVE_LANES * words;
   for (uint32_t w = 0; w < words; w++) {
      uint32_t has = result->has_output[w];
      render->unwritten[w] += (uint32_t)__builtin_popcount(~has & (uint32_t)bit_mask(lanes));
      for (uint32_t l = 0; l < lanes; l++)
         out[l * words + w] = has >> l & 1 ? result->outputs[w][l] : UNWRITTEN;
   }
}

bool
agx_vertices_run(struct agx_render *render)
{
   const struct agx_program *program = render->state->vertex;
   if (!program)
      return agx_draw_fault(render, "there is no vertex program");
   uint32_t count = count_vertices(render);
   render->vertices.size_B = 0;
   memset(render->unwritten, 0, sizeof(render->unwritten));
   dynarray_grow(&render->vertices, (size_t)count * render->layout.words * 4);
   char name[32];
   snprintf(name, sizeof(name), "draw %u", render->draw->number);
   const struct agx_wave_launch launch = {
      .program = program,
      .name = name,
      .vm = render->gpu->vm,
      .soft_faults = render->gpu->soft_faults,
      .group_count = (uint32_t)div_round_up(count, AGX_WAVE_LANES),
      .waves_per_group = 1,
      .output_count = render->layout.words,
      .user = render,
      .start = start,
      .retire = retire,
   };
   return agx_wave_run(render->gpu->engine, &launch, render->gpu->fault);
}

static bool
check_word(const struct agx_render *render, uint32_t word, const char *what)
{
   uint32_t count = count_vertices(render), lack = render->unwritten[word];
   if (lack == count)
      return agx_draw_fault(render, "the vertex program does not write word %u, %s, which the draw takes", word,
                            what);
   return !lack || agx_draw_fault(render, "the vertex program writes word %u, %s, of %u vertices of %u", word, what,
                                  count - lack, count);
}

bool
agx_vertices_check(const struct agx_render *render)
{
   const struct agx_vertex_layout *l = &render->layout;
   for (uint32_t i = 0; i < l->user; i++) {
      if (!check_word(render, i, "position"))
         return false;
   }
   for (uint32_t i = 0; i < (uint32_t)__builtin_popcount(l->clip_mask); i++) {
      if (!check_word(render, l->clip + i, "a clip distance"))
         return false;
   }
   return (!l->point_size || check_word(render, l->point_size, "the size of points")) &&
          (!l->target || check_word(render, l->target, "layer and viewport"));
}
