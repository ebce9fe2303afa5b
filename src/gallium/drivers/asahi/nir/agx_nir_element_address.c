/* Tiled addresses in shaders, for what the texture unit and the pixel back end do not do: atomics, and copies of
 * elements as they are. */
#include <ail/ail.h>

#include "gallium/drivers/asahi/nir/agx_nir.h"

static struct nir_def *
field(struct nir_builder *b, struct nir_def *word, unsigned low, unsigned bits)
{
   return nir_iand_imm(b, nir_ushr_imm(b, word, low), (1u << bits) - 1);
}

/* The low 16 bits of x at the even places: a twiddled level is one tile. */
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

static struct nir_def *
low_bits(struct nir_builder *b, struct nir_def *x, struct nir_def *count)
{
   return nir_iand(b, x, nir_iadd_imm(b, nir_ishl(b, nir_imm_int(b, 1), count), -1));
}

/* The number of an element in its level: tiles in rows, in each squares of Morton order side by side. */
static struct nir_def *
tiled_index(struct nir_builder *b, struct nir_def *tiles, struct nir_def *x, struct nir_def *y)
{
   struct nir_def *per_row = field(b, tiles, 0, AGX_TILES_WIDTH);
   struct nir_def *w = field(b, tiles, AGX_TILES_WIDTH, 4), *h = field(b, tiles, AGX_TILES_HEIGHT, 4);
   struct nir_def *tile = nir_iadd(b, nir_imul(b, nir_ushr(b, y, h), per_row), nir_ushr(b, x, w));
   struct nir_def *in_x = low_bits(b, x, w), *in_y = low_bits(b, y, h);
   struct nir_def *square = nir_ior(b, spread(b, low_bits(b, in_x, h)), nir_ishl_imm(b, spread(b, in_y), 1));
   struct nir_def *next_tile = nir_ishl(b, nir_ushr(b, in_x, h), nir_ishl_imm(b, h, 1));

   return nir_ior(b, nir_ishl(b, tile, nir_iadd(b, w, h)), nir_ior(b, next_tile, square));
}

/* Through the table: offset_B is from the begin of the level on. Of images that have none the word is any that is
 * there. */
static struct nir_def *
sparse_address(struct nir_builder *b, const struct agx_nir_level *level, struct nir_def *is_sparse,
               struct nir_def *layer, struct nir_def *offset_B)
{
   const unsigned page_log2 = 14, folio_log2 = 8, folio_B_log2 = 11;
   struct nir_def *in_layer = nir_iadd(b, nir_ishl_imm(b, nir_u2u64(b, level->level), 7), offset_B);
   struct nir_def *page = nir_u2u32(b, nir_ushr_imm(b, in_layer, page_log2));
   struct nir_def *folio_B = nir_ishl_imm(b, nir_ushr_imm(b, page, folio_log2), folio_B_log2);
   struct nir_def *word_B = nir_ishl_imm(b, nir_iand_imm(b, page, AIL_FOLIO_PAGES - 1), 2);
   struct nir_def *at = nir_iadd(b, level->start, nir_imul(b, nir_u2u64(b, layer), level->layer_B));
   struct nir_def *word_at = nir_iadd(b, at, nir_u2u64(b, nir_iadd(b, folio_B, word_B)));
   struct nir_def *word = nir_load_global(b, 1, 32, nir_bcsel(b, is_sparse, word_at, level->start), .align_mul = 4);
   struct nir_def *to = nir_ishl_imm(b, nir_u2u64(b, nir_iand_imm(b, word, (1u << 26) - 1)), page_log2);
   struct nir_def *in_page = nir_u2u64(b, nir_iand_imm(b, nir_u2u32(b, in_layer), AIL_PAGE_B - 1));

   return nir_bcsel(b, nir_ilt_imm(b, word, 0), nir_iadd(b, to, in_page), nir_imm_int64(b, 0));
}

struct nir_def *
agx_nir_element_address(struct nir_builder *b, const struct agx_nir_level *level, struct nir_def *const place[3])
{
   struct nir_def *tiles = level->tiles, *x = place[0], *y = place[1];
   struct nir_def *element_log2 = field(b, tiles, AGX_TILES_ELEMENT, 4);
   struct nir_def *linear = nir_ine_imm(b, nir_iand_imm(b, tiles, AGX_TILES_LINEAR), 0);
   struct nir_def *is_sparse = nir_ine_imm(b, nir_iand_imm(b, tiles, AGX_TILES_SPARSE), 0);
   struct nir_def *in_rows = nir_iadd(b, nir_imul(b, nir_u2u64(b, y), nir_u2u64(b, level->row_B)),
                                      nir_u2u64(b, nir_ishl(b, x, element_log2)));
   struct nir_def *in_tiles = nir_ishl(b, nir_u2u64(b, tiled_index(b, tiles, x, y)), element_log2);
   struct nir_def *of_layer = nir_imul(b, nir_u2u64(b, place[2]), level->layer_B);
   struct nir_def *plain = nir_iadd(b, nir_iadd(b, level->start, of_layer), nir_bcsel(b, linear, in_rows, in_tiles));

   if (level->straight)
      return nir_bcsel(b, is_sparse, sparse_address(b, level, is_sparse, place[2], in_tiles), plain);
   struct nir_if *sparse = nir_push_if(b, is_sparse);
   struct nir_def *walked = sparse_address(b, level, is_sparse, place[2], in_tiles);

   nir_push_else(b, sparse);
   nir_pop_if(b, sparse);
   return nir_if_phi(b, walked, plain);
}

struct nir_def *
agx_nir_sample_place(struct nir_builder *b, const struct agx_nir_level *level, struct nir_def *const place[3],
                     const struct agx_nir_sample *sample)
{
   const int32_t row_mask = (1 << AGX_TEXEL_ROW_LOG2) - 1;
   struct nir_def *element_log2 = field(b, level->tiles, AGX_TILES_ELEMENT, 4);
   struct nir_def *texel_log2 = nir_isub(b, element_log2, sample->count_log2);
   struct nir_def *of_layer = nir_imul(b, nir_u2u64(b, place[2]), nir_ushr(b, level->layer_B, texel_log2));
   struct nir_def *in_layer = nir_ishl(b, tiled_index(b, level->tiles, place[0], place[1]), sample->count_log2);
   struct nir_def *index = nir_iadd(b, of_layer, nir_u2u64(b, nir_iadd(b, in_layer, sample->number)));
   struct nir_def *low = nir_u2u32(b, index), *parts[3] = {
                                                 nir_iand_imm(b, low, row_mask),
                                                 nir_iand_imm(b, nir_ushr_imm(b, low, AGX_TEXEL_ROW_LOG2), row_mask),
                                                 nir_u2u32(b, nir_ushr_imm(b, index, 2 * AGX_TEXEL_ROW_LOG2)),
                                              };

   return nir_vec(b, parts, 3);
}
