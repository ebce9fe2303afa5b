/* Random fragment shaders with ordered sections: what aco makes of them, drawn on the model with overlapping
 * rectangles under several schedules, leaves in memory what the interpreter leaves, one rectangle after the other.
 * The words of a pixel are reached by address, through three descriptors of buffers, and as texels of a texel buffer,
 * an image and a texture. A plane of constants is read ahead of sections, inside and after them, in all these ways,
 * sampled and gathered. Every pair of choices must occur. ACO_TEST_CHIP says on which chip, ACO_TEST_PROGRAMS how
 * many, ACO_TEST_FIRST from which seed on; test_pops_random SEED prints one program and runs only that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "amd/common/ac_descriptor.h"
#include "amd/common/ac_surface.h"
#include "choices.h"
#include "compiler/nir/nir_builder.h"
#include "pops_compiled.h"
#include "random_sections.h"
#include "share.h"
#include "util/arena.h"

enum {
   PROGRAMS = 1200,
   WORDS = 4,                /* of a pixel in a plane */
   PLANES = POPS_PLANES - 1, /* the last one is for what is done after the sections */
   PLANE_B = POPS_PLANE_B,
   CONSTANTS = POPS_PLANES, /* a plane after those that are written */
   MEMORY_B = POPS_MEMORY_B + PLANE_B,
   BEFORE_B = 256, /* how far ahead of the memory the second descriptor begins */
};

/* ---- programs ---- */

enum {
   QUADS,      /* derivatives and quad operations; then no invocation ends before the others of its quad */
   ALONE,      /* there is one section, in a branch */
   LOOP,       /* a loop in each section */
   LEFT,       /* by invocations that end in it, outside of its loops */
   DERIVATIVE, /* at the start */
   WAVE64,
   LAYERS,
   TEXTURES,     /* read; then the driver empties L0 and L1 at a section's entry, and nothing is stale in it */
   ENDS_IN_LOOP, /* the same inside of one */
   CHOICES,
};

static struct choice table[CHOICES] = {
   [QUADS] = {.name = "quads", .values = 2, .one_in = 4},
   [ALONE] = {.name = "alone", .values = 2, .one_in = 3},
   [LOOP] = {.name = "loop", .values = 2, .one_in = 3},
   [LEFT] = {.name = "left", .values = 2, .one_in = 3},
   [DERIVATIVE] = {.name = "derivative", .values = 2},
   [WAVE64] = {.name = "wave64", .values = 2},
   [LAYERS] = {.name = "layers", .values = 2},
   [TEXTURES] = {.name = "textures", .values = 2},
   [ENDS_IN_LOOP] = {.name = "discard in a section's loop", .values = 2, .found = true},
};
static const struct choices_never never[] = {{QUADS, 1, LEFT, 1}, {QUADS, 1, ENDS_IN_LOOP, 1}};
static struct choices choices = {.table = table, .count = CHOICES, .never = never, .never_count = ARRAY_SIZE(never)};

struct generator {
   struct sections s;
   struct nir_def *place;                     /* a number of the pixel */
   struct nir_def *descriptors[3], *offset_B; /* of memory, and the pixel's words in the first */
   bool texels;                               /* false: by address where a texel is meant (for the interpreter) */
   struct nir_def *elements;                  /* descriptor: a texel is the pixel's words of a plane */
   struct nir_def *image[2];                  /* two halves; planes lie one below the other */
   struct nir_def *sampler;                   /* of the nearest texel */
   struct nir_def *x, *y, *pixel;
};

static unsigned
below(struct generator *g, unsigned n)
{
   return sections_below(&g->s, n);
}

/* Words of the pixel in one plane, and the way to them: by address, through one of the descriptors, which begin at
 * the memory, ahead of it, and at the last plane, or as a texel, which is all of them. A gather has the first of the
 * words of four pixels. */
enum way { ADDRESS, WHOLE, EARLY, LAST_PLANE, ELEMENT, IMAGE, TEXTURE, SAMPLE, GATHER };
struct words {
   enum way way;
   unsigned plane, first, count;
};

static enum way
any_way(struct generator *g, enum way last)
{
   return (enum way)below(g, (choices.now[TEXTURES] ? last : IMAGE) + 1);
}

static struct words
any_words(struct generator *g)
{
   struct words w = {.way = any_way(g, TEXTURE), .count = 1u << below(g, 3)};
   if (w.way >= ELEMENT)
      w.count = WORDS;
   w.plane = w.way == LAST_PLANE ? PLANES - 1 : below(g, PLANES);
   w.first = below(g, WORDS / w.count) * w.count;
   return w;
}

/* From the pixel's words in the first plane. */
static int32_t
bytes_to(const struct words *w)
{
   return (int32_t)(w->plane * PLANE_B + w->first * 4);
}

static struct nir_def *
offset_of(struct generator *g, const struct words *w)
{
   int32_t begin_B = w->way == EARLY ? -BEFORE_B : w->way == LAST_PLANE ? (PLANES - 1) * PLANE_B : 0;
   return nir_iadd_imm(&g->s.b, g->offset_B, bytes_to(w) - begin_B);
}

static int32_t
element_of(const struct words *w)
{
   return (int32_t)w->plane * POPS_W * POPS_H;
}

/* x, y of a plane's texel; vectors of images have four components. */
static struct nir_def *
texel_of(struct generator *g, const struct words *w, unsigned components)
{
   struct nir_def *y = nir_iadd_imm(&g->s.b, g->y, (int32_t)(w->plane * POPS_H)), *zero = nir_imm_int(&g->s.b, 0);
   return nir_vec(&g->s.b, (struct nir_def *[]){g->x, y, zero, zero}, components);
}

static struct nir_def *
fetch(struct generator *g, const struct words *w)
{
   struct nir_builder *b = &g->s.b;
   struct nir_tex_instr *tex = nir_tex_create(b->shader, NIR_TXF);
   tex->dim = NIR_DIM_2D;
   tex->dest_type = NIR_TYPE_UINT;
   nir_tex_add_src(tex, NIR_TEX_SRC_COORD, texel_of(g, w, 2));
   nir_tex_add_src(tex, NIR_TEX_SRC_LOD, nir_imm_int(b, 0));
   nir_tex_add_src(tex, NIR_TEX_SRC_TEXTURE_DESC, g->image[0]);
   nir_tex_add_src(tex, NIR_TEX_SRC_TEXTURE_DESC_HI, g->image[1]);
   return nir_build_tex(b, tex, WORDS, 32);
}

/* In the middle of the texel, or where it meets its right and lower neighbours, coordinates from 0 to 1. */
static struct nir_def *
sample(struct generator *g, const struct words *w)
{
   struct nir_builder *b = &g->s.b;
   bool gather = w->way == GATHER, with_quad = choices.now[QUADS] && !g->s.depth && !gather;
   struct nir_tex_instr *tex = nir_tex_create(b->shader, gather ? NIR_TG4 : with_quad ? NIR_TEX : NIR_TXL);
   struct nir_def *texel = texel_of(g, w, 2), *at[2], *middle = nir_imm_float(b, gather ? 1.0f : 0.5f);
   const float size[2] = {POPS_W, (CONSTANTS + 1) * POPS_H};
   for (unsigned i = 0; i < 2; i++)
      at[i] = nir_fmul(b, nir_fadd(b, nir_u2fN(b, nir_channel(b, texel, i), 32), middle),
                       nir_imm_float(b, 1.0f / size[i]));
   tex->dim = NIR_DIM_2D;
   tex->dest_type = NIR_TYPE_UINT;
   tex->gather_component = (uint8_t)w->first;
   nir_tex_add_src(tex, NIR_TEX_SRC_COORD, nir_vec(b, at, 2));
   if (tex->op == NIR_TXL)
      nir_tex_add_src(tex, NIR_TEX_SRC_LOD, nir_imm_int(b, 0));
   nir_tex_add_src(tex, NIR_TEX_SRC_TEXTURE_DESC, g->image[0]);
   nir_tex_add_src(tex, NIR_TEX_SRC_TEXTURE_DESC_HI, g->image[1]);
   nir_tex_add_src(tex, NIR_TEX_SRC_SAMPLER_DESC, g->sampler);
   return nir_build_tex(b, tex, 4, 32);
}

/* Lower left, lower right, upper right, upper left (Vulkan, "Texel Gathering"). */
static struct nir_def *
gather_by_address(struct generator *g, const struct words *w)
{
   static const unsigned neighbours[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
   struct nir_def *texels[4];
   for (unsigned i = 0; i < 4; i++) {
      unsigned pixel = neighbours[i][1] * POPS_W + neighbours[i][0];
      texels[i] = nir_load_global(&g->s.b, 1, 32, g->s.address, .base = bytes_to(w) + (int32_t)pixel * WORDS * 4,
                                  .align_mul = 4);
   }
   return nir_vec(&g->s.b, texels, 4);
}

static struct nir_def *
load_texel(struct generator *g, const struct words *w)
{
   if (w->way >= SAMPLE)
      return sample(g, w);
   struct nir_def *zero = nir_imm_int(&g->s.b, 0);
   if (w->way == ELEMENT)
      return nir_load_texel_buffer(&g->s.b, 32, g->elements, nir_iadd_imm(&g->s.b, g->pixel, element_of(w)));
   return w->way == IMAGE ? nir_image_load(&g->s.b, WORDS, 32, g->image[0], g->image[1], texel_of(g, w, 4), zero,
                                           zero, .image_dim = NIR_DIM_2D)
                          : fetch(g, w);
}

static void
store_texel(struct generator *g, struct nir_def *value, const struct words *w)
{
   struct nir_def *zero = nir_imm_int(&g->s.b, 0);
   if (w->way == ELEMENT)
      nir_store_texel_buffer(&g->s.b, g->elements, nir_iadd_imm(&g->s.b, g->pixel, element_of(w)), value);
   else
      nir_image_store(&g->s.b, g->image[0], g->image[1], texel_of(g, w, 4), zero, value, zero,
                      .image_dim = NIR_DIM_2D);
}

static bool
is_texel(const struct generator *g, const struct words *w)
{
   return g->texels && w->way >= ELEMENT;
}

static struct nir_def *
load_words(struct generator *g, const struct words *w)
{
   if (is_texel(g, w))
      return load_texel(g, w);
   if (w->way == GATHER)
      return gather_by_address(g, w);
   if (w->way == ADDRESS || w->way >= ELEMENT)
      return nir_load_global(&g->s.b, w->count, 32, g->s.address, .base = bytes_to(w), .align_mul = 4);
   /* A binding may promise what another one does not keep. */
   return nir_load_ssbo(&g->s.b, w->count, 32, g->descriptors[w->way - 1], offset_of(g, w), .align_mul = 4,
                        .access = below(g, 4) ? 0 : NIR_ACCESS_NON_WRITEABLE);
}

static void
store_words(struct generator *g, struct nir_def *value, const struct words *w, uint32_t write_mask)
{
   if (is_texel(g, w) && w->way != TEXTURE && write_mask == 15)
      store_texel(g, value, w);
   else if (w->way == ADDRESS || w->way >= ELEMENT)
      nir_store_global(&g->s.b, value, g->s.address, .base = bytes_to(w), .align_mul = 4, .write_mask = write_mask);
   else
      nir_store_ssbo(&g->s.b, value, g->descriptors[w->way - 1], offset_of(g, w), .align_mul = 4,
                     .write_mask = write_mask);
}

static struct nir_def *
atomic_word(struct generator *g, const struct words *w, struct nir_def *value)
{
   static const enum nir_atomic_op ops[] = {NIR_ATOMIC_iadd, NIR_ATOMIC_ixor, NIR_ATOMIC_umax, NIR_ATOMIC_xchg};
   struct nir_builder *b = &g->s.b;
   enum nir_atomic_op op = ops[below(g, ARRAY_SIZE(ops))];
   bool swap = !below(g, 5);
   struct nir_def *expected = swap ? sections_value(&g->s) : NULL;
   if (w->way == ADDRESS || w->way >= ELEMENT) {
      int32_t base = bytes_to(w);
      return swap ? nir_global_atomic_swap(b, g->s.address, expected, value, .base = base,
                                           .atomic_op = NIR_ATOMIC_cmpxchg)
                  : nir_global_atomic(b, g->s.address, value, .base = base, .atomic_op = op);
   }
   struct nir_def *descriptor = g->descriptors[w->way - 1], *offset = offset_of(g, w);
   return swap ? nir_ssbo_atomic_swap(b, descriptor, offset, expected, value, .atomic_op = NIR_ATOMIC_cmpxchg)
               : nir_ssbo_atomic(b, descriptor, offset, value, .atomic_op = op);
}

/* Reads, changes and writes words, each access by a way of its own now and then. */
static void
change_words(struct sections *s)
{
   struct generator *g = (struct generator *)s;
   struct nir_builder *b = &g->s.b;
   struct words w = any_words(g);
   struct nir_variable *variable = sections_variable(&g->s);
   uint32_t all = (1u << w.count) - 1;
   switch (below(g, 6)) {
   case 0: { /* a word */
      struct words word = {w.way, w.plane, w.first, 1};
      nir_store_var(b, variable, atomic_word(g, &word, sections_value(&g->s)), 1);
      break;
   }
   case 1: /* of the place, then all of it */
      store_words(g,
                  nir_vec(b,
                          (struct nir_def *[]){sections_value(&g->s), sections_value(&g->s), sections_value(&g->s),
                                               sections_value(&g->s)},
                          w.count),
                  &w, below(g, 3) ? 1 + below(g, all) : all);
      break;
   default:
      break;
   }
   struct nir_def *old = load_words(g, &w), *now = sections_change(&g->s, old);
   if (!below(g, 3))
      w.way = below(g, w.plane == PLANES - 1 ? ELEMENT : LAST_PLANE);
   if (below(g, 4))
      store_words(g, now, &w, below(g, 3) ? all : 1 + below(g, all));
   nir_store_var(b, variable, nir_channel(b, below(g, 2) ? old : now, below(g, w.count)), 1);
}

/* Reads words that others change, now and then twice; what they held matters after the section. More hangs on the
 * second load than on the first, so the scheduler would have it first. */
static void
read_words(struct sections *s)
{
   struct generator *g = (struct generator *)s;
   struct nir_builder *b = &g->s.b;
   struct words w = any_words(g);
   struct nir_def *value = nir_channel(b, load_words(g, &w), below(g, w.count));
   if (below(g, 2)) {
      struct nir_def *again = nir_channel(b, load_words(g, &w), below(g, w.count));
      for (unsigned i = 0; i < 8; i++)
         again = nir_iadd(b, nir_imul(b, again, again), g->place);
      value = nir_iadd(b, value, again);
   }
   nir_store_var(b, sections_variable(&g->s), value, 1);
}

/* Reads what nobody changes, wherever that is; it is under way when a section begins, or ends. */
static void
read_constants(struct sections *s)
{
   struct generator *g = (struct generator *)s;
   struct words w = {.way = any_way(g, GATHER), .plane = CONSTANTS, .count = WORDS};
   if (w.way == GATHER)
      w.first = below(g, WORDS);
   nir_store_var(&g->s.b, sections_variable(&g->s), nir_channel(&g->s.b, load_words(g, &w), below(g, w.count)), 1);
}

/* What the neighbours of the quad have, helpers among them: inside of a section they come with it. The coordinates
 * are those of helpers too, memory's values are not. */
static void
look_at_quad(struct sections *s)
{
   struct generator *g = (struct generator *)s;
   struct nir_builder *b = &g->s.b;
   struct nir_def *value = nir_iand_imm(b, nir_imul(b, g->place, g->place), 1023), *result;
   switch (below(g, 4)) {
   case 0:
      result = nir_f2iN(b, nir_fddx(b, nir_u2fN(b, value, 32)), 32);
      break;
   case 1:
      result = nir_f2iN(b, nir_fddy(b, nir_u2fN(b, value, 32)), 32);
      break;
   case 2:
      result = nir_quad_broadcast(b, value, nir_imm_int(b, (int32_t)below(g, 4)));
      break;
   default:
      result = nir_quad_swap_diagonal(b, value);
      break;
   }
   nir_store_var(b, sections_variable(&g->s), nir_iadd(b, sections_value(&g->s), result), 1);
}

static const struct sections_target target = {change_words, read_words, read_constants, look_at_quad};

/* A raw buffer descriptor of memory from some bytes after the address in s[0:1] on. */
static struct nir_def *
descriptor(struct nir_builder *b, int32_t after_B)
{
   uint32_t words[AC_BUFFER_DESCRIPTOR_DW];
   ac_buffer_descriptor(ac_raw_buffer_word3(aco_test_chip()->gen), 0, (uint32_t)(MEMORY_B - after_B), words);
   struct nir_def *address = nir_load_scalar_arg(b, 2, .base = 0);
   return nir_vec4(b, nir_iadd_imm(b, nir_channel(b, address, 0), after_B), nir_channel(b, address, 1),
                   nir_imm_int(b, (int32_t)words[2]), nir_imm_int(b, (int32_t)words[3]));
}

static struct nir_def *
constants(struct nir_builder *b, const uint32_t words[4])
{
   struct nir_def *defs[4];
   for (unsigned i = 0; i < 4; i++)
      defs[i] = nir_imm_int(b, (int32_t)words[i]);
   return nir_vec(b, defs, 4);
}

/* Memory as texels of four words: POPS_W in a row. */
static void
describe_texels(struct generator *g)
{
   static const uint8_t xyzw[4] = {V_SQ_SEL_X, V_SQ_SEL_Y, V_SQ_SEL_Z, V_SQ_SEL_W};
   const struct ac_typed_buffer buffer = {.va = pops_words_va,
                                          .size_B = MEMORY_B,
                                          .stride_B = 16,
                                          .element_B = 16,
                                          .format = V_GFX10_FORMAT_32_32_32_32_UINT,
                                          .select = xyzw};
   const struct ac_surface_desc desc = {.gen = aco_test_chip()->gen,
                                        .gb_addr_config = aco_test_chip()->gb_addr_config,
                                        .width_px = POPS_W,
                                        .height_px = (CONSTANTS + 1) * POPS_H,
                                        .slices = 1,
                                        .levels = 1,
                                        .element_B = 16,
                                        .block_width_px = 1,
                                        .block_height_px = 1,
                                        .samples = 1};
   struct ac_surface surface;
   const struct ac_image_view view = {.surface = &surface,
                                      .va = pops_words_va,
                                      .type = AC_VIEW_2D,
                                      .format = V_GFX10_FORMAT_32_32_32_32_UINT,
                                      .select = {V_SQ_SEL_X, V_SQ_SEL_Y, V_SQ_SEL_Z, V_SQ_SEL_W},
                                      .width_px = desc.width_px,
                                      .height_px = desc.height_px,
                                      .depth_px = 1};
   uint32_t image[AC_IMAGE_DESCRIPTOR_DW];
   uint32_t words[AC_BUFFER_DESCRIPTOR_DW], nearest[AC_SAMPLER_DESCRIPTOR_DW];
   if (!ac_surface_init(&surface, &desc))
      abort();
   ac_image_descriptor(aco_test_chip()->gen, &view, image);
   ac_typed_buffer_descriptor(aco_test_chip()->gen, &buffer, words);
   ac_sampler_descriptor(aco_test_chip()->gen, &(struct ac_sampler){0}, nearest);
   g->elements = constants(&g->s.b, words);
   g->sampler = constants(&g->s.b, nearest);
   g->image[0] = constants(&g->s.b, image);
   g->image[1] = constants(&g->s.b, image + 4);
}

static struct nir_shader *
random_shader(struct arena *arena, uint32_t seed, bool texels)
{
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_FRAGMENT);
   const unsigned *now = choices.now;
   struct generator g = {.s = {.b = nir_builder_create(shader),
                               .state = seed,
                               .target = &target,
                               .sums_B = PLANES * PLANE_B,
                               .single_section = now[ALONE],
                               .loops_inside = now[LOOP],
                               .ends_inside = now[LEFT],
                               .uses_quads = now[QUADS]},
                         .texels = texels};
   struct nir_builder *b = &g.s.b;
   shader->info.interlock = NIR_INTERLOCK_PIXEL_ORDERED;
   struct nir_def *place = nir_load_frag_coord(b), *zero = nir_imm_int(b, 0);
   struct nir_def *x = nir_f2u32(b, nir_channel(b, place, 0)), *y = nir_f2u32(b, nir_channel(b, place, 1));
   struct nir_def *pixel = nir_iadd(b, nir_imul_imm(b, y, POPS_W), x);
   struct nir_def *id =
      nir_f2u32(b, nir_load_input(b, 1, 32, zero, .slot = NIR_SLOT_VAR0, .src_type = NIR_TYPE_FLOAT));
   struct nir_def *base = nir_pack_64_2x32(b, nir_load_scalar_arg(b, 2, .base = 0));
   g.x = x;
   g.y = y;
   g.pixel = pixel;
   g.place = nir_iadd(b, nir_imul_imm(b, x, 7), y);
   g.offset_B = nir_imul_imm(b, pixel, WORDS * 4);
   g.s.address = nir_iadd(b, base, nir_u2uN(b, g.offset_B, 64));
   const int32_t after_B[] = {0, -BEFORE_B, (PLANES - 1) * PLANE_B};
   for (unsigned i = 0; i < ARRAY_SIZE(g.descriptors); i++)
      g.descriptors[i] = descriptor(b, after_B[i]);
   describe_texels(&g);
   struct nir_def *values[SECTIONS_VARIABLES] = {id, pixel, nir_iadd(b, nir_imul_imm(b, id, 5), x)};
   if (now[DERIVATIVE]) /* needs the helper lanes of the quad */
      values[2] =
         nir_f2iN(b, nir_fddx(b, nir_u2fN(b, nir_iand_imm(b, nir_imul(b, values[2], values[2]), 255), 32)), 32);
   sections_emit(&g.s, values);
   choices.now[ENDS_IN_LOOP] = g.s.ends_in_section_loop;
   return shader;
}

/* ---- running them ---- */

static void
fill_constants(uint8_t *words)
{
   uint64_t state = 1;
   for (uint32_t i = 0; i < PLANE_B / 4; i++)
      memcpy(words + CONSTANTS * PLANE_B + 4 * i, (const uint32_t[]){(uint32_t)choices_random(&state)}, 4);
}

static struct stream
create_stream(void)
{
   struct stream s = pops_stream_create();
   fill_constants(s.memory + POPS_WORDS_B);
   return s;
}

static const char *
run_in_order(struct arena *arena, struct nir_shader *shader, const struct pops_rects *rects, uint8_t *memory)
{
   const uint32_t last_B = (PLANES - 1) * PLANE_B;
   const struct nir_interp_buffer buffers[] = {
      {.va = pops_words_va, .data = memory + BEFORE_B, .size_B = MEMORY_B},
      {.va = pops_words_va - BEFORE_B, .data = memory, .size_B = BEFORE_B + MEMORY_B},
      {.va = pops_words_va + last_B, .data = memory + BEFORE_B + last_B, .size_B = MEMORY_B - last_B},
   };
   return pops_interpret(arena, shader, rects, buffers, ARRAY_SIZE(buffers));
}

static bool
run_seed(struct stream *s, uint32_t seed, bool print)
{
   struct arena arena = {0};
   struct pops_rects rects = {.samples_log2 = 0};
   struct aco_output out;
   uint8_t *expected = calloc(1, BEFORE_B + MEMORY_B);
   choices_draw(&choices, seed);
   struct nir_shader *shader = random_shader(&arena, seed, false);
   choices_count(&choices);
   pops_random_rects(&rects, seed);
   if (print)
      nir_print(random_shader(&arena, seed, true), stderr);
   fill_constants(expected + BEFORE_B);
   const char *fault = nir_validate(shader);
   fault = fault ? fault : run_in_order(&arena, shader, &rects, expected);
   if (!fault &&
       pops_compile(&arena, random_shader(&arena, seed, true), choices.now[WAVE64] ? 64 : 32, choices.now[LAYERS],
                    &out, &fault) &&
       print)
      fprintf(stderr, "%s", out.listing);
   fault = fault ? fault : pops_draw_schedules(&arena, s, &rects, &out, seed, expected + BEFORE_B);
   if (fault)
      fprintf(stderr, "seed %u: %s\n", seed, fault);
   free(expected);
   arena_free(&arena);
   return !fault;
}

static void
random_programs(void **state)
{
   const char *wanted = getenv("ACO_TEST_PROGRAMS"), *from = getenv("ACO_TEST_FIRST");
   const uint32_t programs = wanted ? (uint32_t)strtoul(wanted, NULL, 10) : test_share_of(PROGRAMS);
   const uint32_t first = from ? (uint32_t)strtoul(from, NULL, 10) : 1;
   unsigned failures = 0;
   struct stream s = create_stream();
   for (uint32_t seed = first; seed < first + programs && !failures; seed++)
      failures += !run_seed(&s, seed, false);
   stream_destroy(&s);
   assert_int_equal(failures, 0);
   assert_int_equal(choices_missing(&choices, stderr), 0);
}

int
main(int argc, char **argv)
{
   table[LAYERS].values = pops_has_layers() ? 2 : 1;
   table[WAVE64].values = aco_test_wave_size(32) == 32 ? 2 : 1;
   if (argc > 1 && argv[1][0] >= '0' && argv[1][0] <= '9') {
      struct stream s = create_stream();
      return !run_seed(&s, (uint32_t)strtoul(argv[1], NULL, 10), true);
   }
   const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
