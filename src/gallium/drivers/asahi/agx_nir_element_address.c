/* Tiled addresses in shaders, for what the texture unit and the pixel back end do not do: atomics, and copies of
 * elements as they are. */
#include "gallium/drivers/asahi/agx_nir.h"

static struct nir_def *
field(struct nir_builder *b, struct nir_def *word, unsigned low, unsigned bits)
{
   return nir_iand_imm(b, nir_ushr_imm(b, word, low), (1u << bits) - 1);
}

/* The low 8 bits of x at the even places. */
static struct nir_def *
spread(struct nir_builder *b, struct nir_def *x)
{
   static const struct {
      uint8_t shift;
      uint32_t mask;
   } steps[] = {{4, 0x0f0f}, {2, 0x3333}, {1, 0x5555}};

   for (unsigned i = 0; i < 3; i++)
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
   struct nir_def *beside = nir_ishl(b, nir_ushr(b, in_x, h), nir_ishl_imm(b, h, 1));

   return nir_ior(b, nir_ishl(b, tile, nir_iadd(b, w, h)), nir_ior(b, beside, square));
}

struct nir_def *
agx_nir_element_address(struct nir_builder *b, const struct agx_nir_level *level, struct nir_def *const place[3])
{
   struct nir_def *tiles = level->tiles, *x = place[0], *y = place[1];
   struct nir_def *element_log2 = field(b, tiles, AGX_TILES_ELEMENT, 4);
   struct nir_def *linear = nir_ine_imm(b, nir_iand_imm(b, tiles, AGX_TILES_LINEAR), 0);
   struct nir_def *in_rows = nir_iadd(b, nir_imul(b, nir_u2u64(b, y), nir_u2u64(b, level->row_B)),
                                      nir_u2u64(b, nir_ishl(b, x, element_log2)));
   struct nir_def *in_tiles = nir_ishl(b, nir_u2u64(b, tiled_index(b, tiles, x, y)), element_log2);
   struct nir_def *of_layer = nir_imul(b, nir_u2u64(b, place[2]), level->layer_B);

   return nir_iadd(b, nir_iadd(b, level->start, of_layer), nir_bcsel(b, linear, in_rows, in_tiles));
}
