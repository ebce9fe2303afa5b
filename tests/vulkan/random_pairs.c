/* Which pairs of choices the draws of random_draws had. */
#include "random_scene.h"

enum {
   SAMPLES,
   TYPES,
   COLORS,
   DEPTH,
   TOPOLOGY,
   SHADER,
   CLIP,
   COMMAND,
   CULL,
   BLEND,
   STENCIL,
   DEPTH_TEST,
   BIAS,
   PROVOKING,
   DEPTH_CLIP,
   ALPHA_ONE,
   BRESENHAM,
   CONDITION,
   GENERATED,
   DESCRIPTORS,
   COUNT
};

enum { NO_DEPTH, ONLY_DEPTH, DEPTH_STENCIL, ONLY_STENCIL };
enum { SHADER_PLAIN, SHADER_DEPTH, SHADER_EARLY, SHADER_TWO_SOURCES, SHADER_READS };
enum { NO_BLEND, BLENDS, LOGIC };

static const struct choice table[COUNT] = {
   [SAMPLES] = {"samples", 2, .found = true},
   [TYPES] = {"types", 4, .found = true},
   [COLORS] = {"colours", 4, .found = true},
   [DEPTH] = {"depth format", 4, .found = true},
   [TOPOLOGY] = {"topology", 4, .found = true},
   [SHADER] = {"fragment shader", 5, .found = true},
   [CLIP] = {"clip distances", 2, .found = true},
   [COMMAND] = {"command", 4, .found = true},
   [CULL] = {"culling", 3, .found = true},
   [BLEND] = {"blending", 3, .found = true},
   [STENCIL] = {"stencil test", 2, .found = true},
   [DEPTH_TEST] = {"depth test", 2, .found = true},
   [BIAS] = {"depth bias", 2, .found = true},
   [PROVOKING] = {"provoking vertex", 2, .found = true},
   [ALPHA_ONE] = {"alpha to one", 2, .found = true},
   [BRESENHAM] = {"lines of Bresenham", 2, .found = true},
   [DEPTH_CLIP] = {"depth clip", 2, .found = true},
   [CONDITION] = {"condition", 3, .found = true},
   [GENERATED] = {"generated command", 2, .found = true},
   [DESCRIPTORS] = {"descriptor buffer", 2, .found = true},
};

/* What choose_targets(), choose_shaders() and choose_blend() keep from meeting. */
static const struct choices_never never[] = {
   {SAMPLES, 1, TYPES, TYPES_UINT},
   {SAMPLES, 1, TYPES, TYPES_SINT},
   {SAMPLES, 1, TYPES, TYPES_ALL},
   {SAMPLES, 1, SHADER, SHADER_READS},
   {SAMPLES, 1, BLEND, LOGIC},
   {TYPES, TYPES_UINT, SHADER, SHADER_TWO_SOURCES},
   {TYPES, TYPES_SINT, SHADER, SHADER_TWO_SOURCES},
   {TYPES, TYPES_ALL, SHADER, SHADER_TWO_SOURCES},
   {TYPES, TYPES_UINT, SHADER, SHADER_READS},
   {TYPES, TYPES_SINT, SHADER, SHADER_READS},
   {TYPES, TYPES_ALL, SHADER, SHADER_READS},
   {TYPES, TYPES_UINT, BLEND, BLENDS},
   {TYPES, TYPES_SINT, BLEND, BLENDS},
   {TYPES, TYPES_UINT, ALPHA_ONE, 1},
   {TYPES, TYPES_SINT, ALPHA_ONE, 1},
   {TYPES, TYPES_ALL, ALPHA_ONE, 1},
   {ALPHA_ONE, 1, BRESENHAM, 1},
   {COLORS, 0, SHADER, SHADER_TWO_SOURCES},
   {COLORS, 2, SHADER, SHADER_TWO_SOURCES},
   {COLORS, 3, SHADER, SHADER_TWO_SOURCES},
   {COLORS, 0, SHADER, SHADER_READS},
   {COLORS, 1, SHADER, SHADER_READS},
   {COLORS, 0, BLEND, BLENDS},
   {SHADER, SHADER_TWO_SOURCES, BLEND, LOGIC},
   {SHADER, SHADER_TWO_SOURCES, BLEND, NO_BLEND}, /* but with the one format that cannot blend */
};

struct choices random_draw_pairs = {
   .table = table, .count = COUNT, .never = never, .never_count = sizeof(never) / sizeof(never[0])};

static unsigned
shader_of(const struct random_draw *draw)
{
   if (draw->fragment_shader == SHADER_DUAL)
      return SHADER_TWO_SOURCES;
   return draw->fragment_shader == SHADER_INPUT ? SHADER_READS : SHADER_PLAIN + draw->fragment_shader % 3;
}

static unsigned
topology_of(const struct random_draw *draw)
{
   return draw->assembly.topology < VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
             ? 0
             : 1 + draw->assembly.topology - VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
}

void
random_scene_count(const struct random_scene *scene)
{
   const struct random_targets *targets = &scene->targets;
   unsigned *now = random_draw_pairs.now;
   now[SAMPLES] = targets->samples > 1;
   now[TYPES] = targets->types;
   now[COLORS] = targets->colors < 3 ? targets->colors : 3;
   now[DESCRIPTORS] = scene->descriptor_buffer;
   now[DEPTH] = targets->depth ? vkt_aspects(targets->depth) >> 1 : NO_DEPTH;
   now[DEPTH] = now[DEPTH] == 3 ? DEPTH_STENCIL : now[DEPTH] == 2 ? ONLY_STENCIL : now[DEPTH];
   for (uint32_t i = 0; i < scene->draws; i++) {
      const struct random_draw *draw = &scene->draw[i];
      bool blends = false;
      for (uint32_t k = 0; k < draw->blend.attachmentCount; k++)
         blends |= draw->blends[k].blendEnable;
      now[TOPOLOGY] = topology_of(draw);
      now[SHADER] = shader_of(draw);
      now[CLIP] = draw->vertex_shader == SHADER_CLIP;
      now[COMMAND] = draw->indexed + 2 * draw->indirect;
      now[CULL] = draw->raster.cullMode % 3;
      now[BLEND] = draw->blend.logicOpEnable ? LOGIC : blends;
      now[STENCIL] = draw->depth.stencilTestEnable;
      now[DEPTH_TEST] = draw->depth.depthTestEnable;
      now[BIAS] = draw->raster.depthBiasEnable;
      now[PROVOKING] = draw->provokes_last;
      now[ALPHA_ONE] = draw->multisample.alphaToOneEnable;
      now[BRESENHAM] = draw->bresenham;
      now[DEPTH_CLIP] = draw->depth_clip != 0;
      now[CONDITION] = draw->condition;
      now[GENERATED] = draw->generated;
      choices_count(&random_draw_pairs);
   }
}
