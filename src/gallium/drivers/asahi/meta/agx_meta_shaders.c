/* The nir of the internal programs. */
#include <stddef.h>

#include "asahi/compiler/agx.h"
#include "gallium/drivers/asahi/meta/agx_meta.h"
#include "gallium/drivers/asahi/nir/agx_nir.h"

#define WORD(field) (offsetof(struct agx_meta_table, field) / 4)

struct build {
   struct nir_builder b;
   unsigned size_log2;    /* of elements */
   bool samples;          /* of textures */
   struct nir_def *id[3]; /* of the invocation */
};

static struct nir_def *
load(struct build *s, size_t word, unsigned count)
{
   return agx_nir_arg(&s->b, AGX_TABLE_STAGE, (unsigned)word, count);
}

static struct nir_def *
load_address(struct build *s, size_t word)
{
   return agx_nir_address_arg(&s->b, AGX_TABLE_STAGE, (unsigned)word);
}

/* The invocation's place in the grid, and an if around what follows for those inside size. */
static struct nir_if *
begin(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *global = nir_load_global_invocation_id(b), *size = load(s, WORD(size), 3), *inside = NULL;

   for (unsigned i = 0; i < 3; i++) {
      struct nir_def *in;

      s->id[i] = nir_channel(b, global, i);
      in = nir_ult(b, s->id[i], nir_channel(b, size, i));
      inside = inside ? nir_iand(b, inside, in) : in;
   }
   return nir_push_if(b, inside);
}

/* ---- elements of images and rows of buffers ---- */

/* What lies in the box of a side, at an offset from its origin: x, y, layer. */
static void
place_in(struct build *s, size_t side, struct nir_def *const offset[3], struct nir_def *place[3])
{
   struct nir_def *origin = load(s, side + WORD(dst.x_el), 3);

   for (unsigned i = 0; i < 3; i++)
      place[i] = nir_iadd(&s->b, offset[i], nir_channel(&s->b, origin, i));
}

static struct nir_def *
place_address(struct build *s, size_t side, struct nir_def *const place[3])
{
   return agx_nir_element_address(&s->b,
                                  &(struct agx_nir_level){.start = load_address(s, side + WORD(dst.va)),
                                                          .layer_B = load_address(s, side + WORD(dst.layer_B)),
                                                          .tiles = load(s, side + WORD(dst.tiles), 1),
                                                          .row_B = load(s, side + WORD(dst.row_B), 1),
                                                          .level = load(s, side + WORD(dst.level), 1)},
                                  place);
}

/* The element of the invocation, and its part of it; both count from the origin. */
static void
divide(struct build *s, struct nir_def *offset[3], struct nir_def **part)
{
   struct nir_builder *b = &s->b;
   struct nir_def *parts_log2 = load(s, WORD(parts_log2), 1);

   offset[0] = nir_ushr(b, s->id[0], parts_log2);
   offset[1] = s->id[1];
   offset[2] = s->id[2];
   *part = nir_isub(b, s->id[0], nir_ishl(b, offset[0], parts_log2));
}

/* The address of the invocation's part of an element of a side. */
static struct nir_def *
element_address(struct build *s, size_t side, struct nir_def *part_B_log2)
{
   struct nir_builder *b = &s->b;
   struct nir_def *offset[3], *place[3], *part;

   divide(s, offset, &part);
   place_in(s, side, offset, place);
   return nir_iadd(b, place_address(s, side, place), nir_u2u64(b, nir_ishl(b, part, part_B_log2)));
}

static unsigned
component_bits(const struct build *s)
{
   return s->size_log2 < 2 ? 8u << s->size_log2 : 32;
}

static unsigned
components(const struct build *s)
{
   return s->size_log2 < 2 ? 1 : 1u << (s->size_log2 - 2);
}

static struct nir_def *
number(struct build *s, enum agx_meta_number number)
{
   return load(s, WORD(number) + number, 1);
}

/* The low 16 bits of the result are those of a word, turned. */
static struct nir_def *
turn(struct build *s, struct nir_def *word)
{
   struct nir_builder *b = &s->b;
   struct nir_def *right = nir_isub(b, nir_imm_int(b, 16), number(s, AGX_META_TURN));

   return nir_ushr(b, nir_ior(b, word, nir_ishl_imm(b, word, 16)), right);
}

static void
build_copy(struct build *s)
{
   struct nir_builder *b = &s->b;
   unsigned align = component_bits(s) / 8;
   struct nir_def *part_B_log2 = nir_imm_int(b, 4);
   struct nir_def *from = element_address(s, WORD(src), part_B_log2);
   struct nir_def *to = element_address(s, WORD(dst), part_B_log2);
   struct nir_def *value = nir_load_global(b, components(s), component_bits(s), from, .align_mul = align);

   if (s->size_log2 == 1)
      value = nir_u2uN(b, turn(s, nir_u2u32(b, value)), 16);
   nir_store_global(b, value, to, .write_mask = (1u << components(s)) - 1, .align_mul = align);
}

static void
build_clear(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *value = load(s, WORD(value), components(s)), *to;

   to = element_address(s, WORD(dst), nir_imm_int(b, 4));
   if (s->size_log2 < 2)
      value = nir_u2uN(b, value, component_bits(s));
   nir_store_global(b, value, to, .write_mask = (1u << components(s)) - 1, .align_mul = component_bits(s) / 8);
}

/* ---- texels of compressed images ---- */

/* The components of a texel as integers; of images without samples, sample does not matter. */
static struct nir_def *
load_texel(struct build *s, struct nir_def *const place[3], struct nir_def *sample)
{
   struct nir_builder *b = &s->b;
   struct nir_def *zero = nir_imm_int(b, 0), *handle = nir_vec2(b, nir_imm_int(b, AGX_HANDLE_STATE), zero);

   return nir_image_load_agx(b, 32, handle, nir_vec4(b, place[0], place[1], place[2], zero), sample, zero,
                             .image_dim = s->samples ? NIR_DIM_MS : NIR_DIM_2D, .image_array = true);
}

static void
store_sized(struct build *s, struct nir_def *value, unsigned size_log2, struct nir_def *to)
{
   struct nir_builder *b = &s->b;
   struct nir_if *sized = nir_push_if(b, nir_ieq_imm(b, number(s, AGX_META_TEXEL_LOG2), size_log2));
   unsigned bits = size_log2 < 2 ? 8u << size_log2 : 32;

   nir_store_global(b, size_log2 < 2 ? nir_u2uN(b, value, bits) : value, to,
                    .write_mask = (1u << value->num_components) - 1, .align_mul = bits / 8);
   nir_pop_if(b, sized);
}

/* As it lies in an image that is not compressed. */
static void
store_texel(struct build *s, struct nir_def *texel, struct nir_def *to)
{
   struct nir_builder *b = &s->b;
   struct nir_def *shifts = number(s, AGX_META_TEXEL_SHIFTS), *word = nir_imm_int(b, 0), *pair[2];
   struct nir_def *halves = nir_ine_imm(b, number(s, AGX_META_TEXEL_HALVES), 0);

   for (unsigned i = 0; i < 4; i++) {
      struct nir_def *shift = nir_iand_imm(b, nir_ushr_imm(b, shifts, 8 * i), 31);

      word = nir_ior(b, word, nir_ishl(b, nir_channel(b, texel, i), shift));
   }
   for (unsigned i = 0; i < 2; i++) {
      struct nir_def *two =
         nir_ior(b, nir_channel(b, texel, 2 * i), nir_ishl_imm(b, nir_channel(b, texel, 2 * i + 1), 16));

      pair[i] = nir_bcsel(b, halves, two, nir_channel(b, texel, i));
   }
   for (unsigned size_log2 = 0; size_log2 <= 2; size_log2++)
      store_sized(s, size_log2 == 1 ? turn(s, word) : word, size_log2, to);
   store_sized(s, nir_vec(b, pair, 2), 3, to);
   store_sized(s, texel, 4, to);
}

static void
build_load(struct build *s)
{
   struct nir_def *offset[3], *place[3], *sample;

   divide(s, offset, &sample);
   place_in(s, WORD(src), offset, place);
   store_texel(s, load_texel(s, place, sample), element_address(s, WORD(dst), number(s, AGX_META_TEXEL_LOG2)));
}

/* The low 16 bits of x at the even places. */
static struct nir_def *
spread(struct nir_builder *b, struct nir_def *x)
{
   static const struct {
      uint8_t shift;
      uint32_t mask;
   } steps[] = {{8, 0x00ff00ff}, {4, 0x0f0f0f0f}, {2, 0x33333333}, {1, 0x55555555}};

   for (unsigned i = 0; i < 4; i++)
      x = nir_iand_imm(b, nir_ior(b, x, nir_ishl_imm(b, x, steps[i].shift)), steps[i].mask);
   return x;
}

/* The address of a tile's mode bytes: Morton order, the longer side on top. */
static struct nir_def *
mode_address(struct build *s, struct nir_def *x, struct nir_def *y)
{
   struct nir_builder *b = &s->b;
   struct nir_def *tiles = number(s, AGX_META_TILES);
   struct nir_def *w = nir_iand_imm(b, tiles, 0xffff), *h = nir_ushr_imm(b, tiles, 16), *square = nir_umin(b, w, h);
   struct nir_def *mask = nir_iadd_imm(b, nir_ishl(b, nir_imm_int(b, 1), square), -1);
   struct nir_def *longer = nir_ushr(b, nir_bcsel(b, nir_ult(b, h, w), x, y), square);
   struct nir_def *morton =
      nir_ior(b, spread(b, nir_iand(b, x, mask)), nir_ishl_imm(b, spread(b, nir_iand(b, y, mask)), 1));
   struct nir_def *index = nir_ior(b, nir_ishl(b, longer, nir_ishl_imm(b, square, 1)), morton);
   struct nir_def *layer_B = nir_imul(b, nir_u2u64(b, s->id[2]), nir_u2u64(b, load(s, WORD(value[2]), 1)));

   return nir_iadd(b, nir_iadd(b, load_address(s, WORD(value)), layer_B), nir_u2u64(b, nir_ishl_imm(b, index, 3)));
}

/* Place of the invocation, which is a sample of the box, and which one of its pixel. */
static struct nir_def *
place_of_sample(struct build *s, struct nir_def *place[3])
{
   struct nir_builder *b = &s->b;
   struct nir_def *offset[3] = {NULL, NULL, s->id[2]}, *in[2];
   struct nir_def *log2[2] = {number(s, AGX_META_SAMPLES_WIDE), number(s, AGX_META_SAMPLES_HIGH)};

   for (unsigned i = 0; i < 2; i++) {
      offset[i] = nir_ushr(b, s->id[i], log2[i]);
      in[i] = nir_isub(b, s->id[i], nir_ishl(b, offset[i], log2[i]));
   }
   place_in(s, WORD(dst), offset, place);
   return nir_ior(b, in[0], nir_ishl(b, in[1], log2[0]));
}

/* A workgroup is a tile: all its texels are loaded before the first one is stored. Tiles that lie as they are stay
 * unread, so that others may write to them meanwhile. */
static void
build_decompress(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *place[3], *sample = place_of_sample(s, place), *four = nir_imm_int(b, 4);
   struct nir_def *modes = mode_address(s, nir_ushr(b, place[0], nir_isub(b, four, number(s, AGX_META_SAMPLES_WIDE))),
                                        nir_ushr(b, place[1], nir_isub(b, four, number(s, AGX_META_SAMPLES_HIGH))));
   struct nir_def *stored = nir_load_global(b, 2, 32, modes, .align_mul = 8), *plain = load(s, WORD(value[3]), 1);
   struct nir_def *differs =
      nir_ior(b, nir_ine(b, nir_channel(b, stored, 0), plain), nir_ine(b, nir_channel(b, stored, 1), plain));
   struct nir_if *compressed = nir_push_if(b, differs);
   struct nir_def *texel = load_texel(s, place, sample);

   nir_barrier(b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_WORKGROUP,
               .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE,
               .memory_modes = NIR_VAR_UNIFORM | NIR_VAR_SSBO);
   struct nir_if *inside = nir_push_if(b, nir_iand(b, nir_ult(b, place[0], number(s, AGX_META_LEVEL_WIDTH)),
                                                   nir_ult(b, place[1], number(s, AGX_META_LEVEL_HEIGHT))));
   struct nir_def *in_element = nir_ishl(b, sample, number(s, AGX_META_TEXEL_LOG2));

   store_texel(s, texel, nir_iadd(b, place_address(s, WORD(dst), place), nir_u2u64(b, in_element)));
   nir_pop_if(b, inside);
   struct nir_if *first = nir_push_if(b, nir_ieq_imm(b, nir_load_local_invocation_index(b), 0));
   nir_store_global(b, nir_vec2(b, plain, plain), modes, .write_mask = 3, .align_mul = 8);
   nir_pop_if(b, first);
   nir_pop_if(b, compressed);
}

/* x: 16 bytes of the begin of a tile, and the tile that they are of. */
static void
build_solid(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *tile[3], *place[3], *part, *four = nir_imm_int(b, 4);

   divide(s, tile, &part);
   tile[0] = nir_ishl(b, tile[0], nir_isub(b, four, number(s, AGX_META_SAMPLES_WIDE)));
   tile[1] = nir_ishl(b, tile[1], nir_isub(b, four, number(s, AGX_META_SAMPLES_HIGH)));
   place_in(s, WORD(dst), tile, place);
   nir_store_global(b, load(s, WORD(value), 4),
                    nir_iadd(b, place_address(s, WORD(dst), place), nir_u2u64(b, nir_ishl(b, part, four))),
                    .write_mask = 0xf, .align_mul = 16);
}

/* ---- buffers ---- */

/* Four words an invocation; number[0]: how many words there are. Runs body for the last ones one by one. */
static void
four_words(struct build *s, void (*body)(struct build *s, struct nir_def *at_B, unsigned count))
{
   struct nir_builder *b = &s->b;
   struct nir_def *first = nir_ishl_imm(b, s->id[0], 2), *count = load(s, WORD(number), 1);
   struct nir_if *whole = nir_push_if(b, nir_uge(b, count, nir_iadd_imm(b, first, 4)));

   body(s, nir_ishl_imm(b, first, 2), 4);
   nir_push_else(b, whole);
   for (unsigned i = 0; i < 3; i++) {
      struct nir_def *word = nir_iadd_imm(b, first, i);
      struct nir_if *there = nir_push_if(b, nir_ult(b, word, count));

      body(s, nir_ishl_imm(b, word, 2), 1);
      nir_pop_if(b, there);
   }
   nir_pop_if(b, whole);
}

static struct nir_def *
at(struct build *s, size_t side, struct nir_def *offset_B)
{
   struct nir_builder *b = &s->b;

   return nir_iadd(b, load_address(s, side + WORD(dst.va)), nir_u2u64(b, offset_B));
}

static void
fill_words(struct build *s, struct nir_def *at_B, unsigned count)
{
   struct nir_builder *b = &s->b;

   struct nir_def *layer_B = nir_imul(b, nir_u2u64(b, s->id[1]), load_address(s, WORD(dst.layer_B)));

   nir_store_global(b, nir_channels(b, load(s, WORD(value), 4), (1u << count) - 1),
                    nir_iadd(b, at(s, WORD(dst), at_B), layer_B), .write_mask = (1u << count) - 1, .align_mul = 4);
}

static void
build_fill(struct build *s)
{
   four_words(s, fill_words);
}

static void
copy_words(struct build *s, struct nir_def *at_B, unsigned count)
{
   struct nir_builder *b = &s->b;
   struct nir_def *value = nir_load_global(b, count, 32, at(s, WORD(src), at_B), .align_mul = 4);

   nir_store_global(b, value, at(s, WORD(dst), at_B), .write_mask = (1u << count) - 1, .align_mul = 4);
}

static void
build_copy_words(struct build *s)
{
   four_words(s, copy_words);
}

static void
build_copy_bytes(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *value = nir_load_global(b, 1, 8, at(s, WORD(src), s->id[0]), .align_mul = 1);

   nir_store_global(b, value, at(s, WORD(dst), s->id[0]), .write_mask = 1, .align_mul = 1);
}

/* ---- the rest ---- */

static struct nir_def *
load_value(struct build *s, struct nir_def *offset_B, unsigned words)
{
   return nir_load_global(&s->b, words, 32, at(s, WORD(src), offset_B), .align_mul = 4);
}

/* A word, and the high one if results have 64 bits. */
static void
store_result(struct build *s, struct nir_def *at_B, struct nir_def *low, struct nir_def *high)
{
   struct nir_builder *b = &s->b;
   struct nir_def *wide = nir_ieq_imm(b, load(s, WORD(number[2]), 1), 8);

   nir_store_global(b, low, at(s, WORD(dst), at_B), .write_mask = 1, .align_mul = 4);
   struct nir_if *if_wide = nir_push_if(b, wide);
   nir_store_global(b, high, at(s, WORD(dst), nir_iadd_imm(b, at_B, 4)), .write_mask = 1, .align_mul = 4);
   nir_pop_if(b, if_wide);
}

/* x: the query, y: the value of it. Numbers: bytes of a slot, of a result's stride, of a value; where the
 * availability goes or -1; whether unavailable results are written; values: which value of the slot, 4 bits each, in
 * value[0..1]. */
static void
build_copy_queries(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *slot = nir_imul(b, s->id[0], load(s, WORD(number[0]), 1));
   struct nir_def *to = nir_imul(b, s->id[0], load(s, WORD(number[1]), 1));
   struct nir_def *value_B = load(s, WORD(number[2]), 1), *word = load(s, WORD(number[3]), 1);
   struct nir_def *orders = nir_pack_64_2x32(b, load(s, WORD(value), 2));
   struct nir_def *order = nir_iand_imm(b, nir_u2u32(b, nir_ushr(b, orders, nir_ishl_imm(b, s->id[1], 2))), 15);
   struct nir_def *available = load_value(s, slot, 1);
   struct nir_def *value =
      load_value(s, nir_iadd_imm(b, nir_iadd(b, slot, nir_ishl_imm(b, order, 3)), AGX_QUERY_VALUES_B), 2);
   struct nir_def *writes = nir_ine_imm(b, nir_ior(b, available, load(s, WORD(number[4]), 1)), 0);
   struct nir_if *if_writes = nir_push_if(b, writes);

   store_result(s, nir_iadd(b, to, nir_imul(b, s->id[1], value_B)), nir_channel(b, value, 0),
                nir_channel(b, value, 1));
   nir_pop_if(b, if_writes);
   struct nir_if *with = nir_push_if(b, nir_ige_imm(b, word, 0));
   store_result(s, nir_iadd(b, to, word), available, nir_imm_int(b, 0));
   nir_pop_if(b, with);
}

/* x: the draw, y: the word of it. Numbers: bytes from draw to draw, there and here, the first draw. value: the
 * address of the count. */
static void
build_limit_draws(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *in_draw = nir_ishl_imm(b, s->id[1], 2);
   struct nir_def *from = nir_iadd(b, nir_imul(b, s->id[0], load(s, WORD(number[0]), 1)), in_draw);
   struct nir_def *to = nir_iadd(b, nir_imul(b, s->id[0], load(s, WORD(number[1]), 1)), in_draw);
   struct nir_def *count = nir_load_global(b, 1, 32, load_address(s, WORD(value)), .align_mul = 4);
   struct nir_def *counts = nir_ult_imm(b, s->id[1], 2), *number = nir_iadd(b, s->id[0], load(s, WORD(number[2]), 1));
   struct nir_def *past_end = nir_uge(b, number, count);
   struct nir_def *word = nir_bcsel(b, nir_iand(b, counts, past_end), nir_imm_int(b, 0), load_value(s, from, 1));

   nir_store_global(b, word, at(s, WORD(dst), to), .write_mask = 1, .align_mul = 4);
}

/* Numbers: bytes from place to place, what is taken off, what divides, a factor, whether there are three words. */
static void
build_count(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *from = nir_imul(b, s->id[0], load(s, WORD(number[0]), 1)), *words = load_value(s, from, 2);
   struct nir_def *first = nir_channel(b, words, 0), *less = load(s, WORD(number[1]), 1);
   struct nir_def *each = nir_udiv(b, nir_isub(b, first, nir_umin(b, first, less)), load(s, WORD(number[2]), 1));
   struct nir_def *times = nir_imul(b, nir_channel(b, words, 1), load(s, WORD(number[3]), 1));
   struct nir_def *third = nir_bcsel(b, nir_ine_imm(b, load(s, WORD(number[4]), 1), 0),
                                     load_value(s, nir_iadd_imm(b, from, 8), 1), nir_imm_int(b, 1));

   nir_global_atomic(b, load_address(s, WORD(dst.va)), nir_imul(b, nir_imul(b, each, times), third),
                     .atomic_op = NIR_ATOMIC_iadd);
}

/* x: the number of a value. */
static void
build_add(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *at_B = nir_ishl_imm(b, s->id[0], 3), *to = at(s, WORD(dst), at_B);
   struct nir_def *sum = nir_iadd(b, nir_pack_64_2x32(b, load_value(s, at_B, 2)),
                                  nir_pack_64_2x32(b, nir_load_global(b, 2, 32, to, .align_mul = 4)));

   nir_store_global(b, nir_unpack_64_2x32(b, sum), to, .write_mask = 3, .align_mul = 4);
}

/* x: the number of an entry, which is the number of a word and the word. */
static void
build_write_table(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *entry = load_value(s, nir_ishl_imm(b, s->id[0], 3), 2);

   nir_store_global(b, nir_channel(b, entry, 1), at(s, WORD(dst), nir_ishl_imm(b, nir_channel(b, entry, 0), 2)),
                    .write_mask = 1, .align_mul = 4);
}

struct nir_shader *
agx_meta_build(struct arena *arena, enum agx_meta_program program)
{
   static const struct {
      void (*body)(struct build *);
      uint8_t workgroup[2];
   } programs[AGX_META_PROGRAMS] = {
      [AGX_META_COPY] = {build_copy, {8, 8}},
      [AGX_META_CLEAR] = {build_clear, {8, 8}},
      [AGX_META_FILL] = {build_fill, {64, 1}},
      [AGX_META_COPY_WORDS] = {build_copy_words, {64, 1}},
      [AGX_META_COPY_BYTES] = {build_copy_bytes, {64, 1}},
      [AGX_META_COPY_QUERIES] = {build_copy_queries, {32, 1}},
      [AGX_META_LIMIT_DRAWS] = {build_limit_draws, {8, 8}},
      [AGX_META_COUNT] = {build_count, {32, 1}},
      [AGX_META_ADD] = {build_add, {32, 1}},
      [AGX_META_WRITE_TABLE] = {build_write_table, {64, 1}},
      [AGX_META_LOAD] = {build_load, {8, 8}},
      [AGX_META_LOAD_SAMPLES] = {build_load, {8, 8}},
      [AGX_META_DECOMPRESS] = {build_decompress, {AIL_COMPRESSION_TILE_SA, AIL_COMPRESSION_TILE_SA}},
      [AGX_META_DECOMPRESS_SAMPLES] = {build_decompress, {AIL_COMPRESSION_TILE_SA, AIL_COMPRESSION_TILE_SA}},
      [AGX_META_SOLID] = {build_solid, {8, 8}},
   };
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_COMPUTE);
   unsigned first = program < AGX_META_CLEAR ? AGX_META_COPY : program < AGX_META_FILL ? AGX_META_CLEAR : program;

   shader->name = "meta";
   shader->info.workgroup_size[0] = programs[first].workgroup[0];
   shader->info.workgroup_size[1] = programs[first].workgroup[1];
   shader->info.workgroup_size[2] = 1;
   struct build s = {.b = nir_builder_create(shader),
                     .size_log2 = program - first,
                     .samples = program == AGX_META_LOAD_SAMPLES || program == AGX_META_DECOMPRESS_SAMPLES};
   struct nir_if *inside = begin(&s);
   programs[first].body(&s);
   nir_pop_if(&s.b, inside);
   return shader;
}
