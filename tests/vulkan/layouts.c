/* Layouts of buffers: std140, std430 and scalar, matrices by rows and by columns, arrays of structs of arrays. The
 * offsets are computed here from the rules of the GLSL specification (7.6.2.2) and of VK_EXT_scalar_block_layout. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vkt_dispatch.h"

enum { LANES = 64, MAX_WORDS = 256 };
enum layout { STD140, STD430, SCALAR };

/* Walks over the members of a struct as the shader does. */
struct walk {
   enum layout layout;
   bool rows; /* row_major */
   uint32_t at_B, count;
   uint32_t offset_B[MAX_WORDS]; /* of each word, in the shader's order */
};

static uint32_t
align(uint32_t x, uint32_t to)
{
   return (x + to - 1) / to * to;
}

static uint32_t
vector_align_B(const struct walk *w, uint32_t n)
{
   return w->layout == SCALAR || n == 1 ? 4 : n == 2 ? 8 : 16;
}

/* Of an element: its alignment within an array. */
static uint32_t
array_align_B(const struct walk *w, uint32_t align_B)
{
   return w->layout == STD140 ? align(align_B, 16) : align_B;
}

static void
vector(struct walk *w, uint32_t n)
{
   w->at_B = align(w->at_B, vector_align_B(w, n));
   for (uint32_t i = 0; i < n; i++)
      w->offset_B[w->count++] = w->at_B + 4 * i;
   w->at_B += 4 * n;
}

/* count vectors of n */
static void
vectors(struct walk *w, uint32_t count, uint32_t n)
{
   const uint32_t align_B = array_align_B(w, vector_align_B(w, n)), stride_B = align(4 * n, align_B);
   w->at_B = align(w->at_B, align_B);
   for (uint32_t i = 0; i < count * n; i++)
      w->offset_B[w->count++] = w->at_B + i / n * stride_B + i % n * 4;
   w->at_B += count * stride_B;
}

static void
matrix(struct walk *w, uint32_t columns, uint32_t rows)
{
   const uint32_t n = w->rows ? columns : rows;
   const uint32_t align_B = array_align_B(w, vector_align_B(w, n)), stride_B = align(4 * n, align_B);
   w->at_B = align(w->at_B, align_B);
   for (uint32_t c = 0; c < columns; c++) {
      for (uint32_t r = 0; r < rows; r++)
         w->offset_B[w->count++] = w->at_B + (w->rows ? r * stride_B + 4 * c : c * stride_B + 4 * r);
   }
   w->at_B += (w->rows ? rows : columns) * stride_B;
}

/* The size of the outer struct. */
static uint32_t
outer(struct walk *w)
{
   const uint32_t struct_align_B = w->layout == SCALAR ? 4 : 16; /* it has a vec3 */
   vector(w, 1);
   for (unsigned i = 0; i < 2; i++) {
      w->at_B = align(w->at_B, struct_align_B);
      vector(w, 3);
      vector(w, 1);
      matrix(w, 3, 2);
      matrix(w, 2, 3);
      vectors(w, 2, 2);
      w->at_B = align(w->at_B, struct_align_B);
   }
   for (unsigned i = 0; i < 6; i++)
      matrix(w, 4, 3);
   vector(w, 3);
   vector(w, 1);
   return align(w->at_B, struct_align_B);
}

static const uint32_t std140_row_whole[] = {
#include "layouts_std140_row_whole.inc"
};
static const uint32_t std140_row_dynamic[] = {
#include "layouts_std140_row_dynamic.inc"
};
static const uint32_t std140_column_whole[] = {
#include "layouts_std140_column_whole.inc"
};
static const uint32_t std140_column_dynamic[] = {
#include "layouts_std140_column_dynamic.inc"
};
static const uint32_t std430_row_whole[] = {
#include "layouts_std430_row_whole.inc"
};
static const uint32_t std430_row_dynamic[] = {
#include "layouts_std430_row_dynamic.inc"
};
static const uint32_t std430_column_whole[] = {
#include "layouts_std430_column_whole.inc"
};
static const uint32_t std430_column_dynamic[] = {
#include "layouts_std430_column_dynamic.inc"
};
static const uint32_t scalar_row_whole[] = {
#include "layouts_scalar_row_whole.inc"
};
static const uint32_t scalar_row_dynamic[] = {
#include "layouts_scalar_row_dynamic.inc"
};
static const uint32_t scalar_column_whole[] = {
#include "layouts_scalar_column_whole.inc"
};
static const uint32_t scalar_column_dynamic[] = {
#include "layouts_scalar_column_dynamic.inc"
};

static const struct shader {
   const char *name;
   enum layout layout;
   bool rows;
   struct vkt_code code;
} shaders[] = {
   {"std140_row_whole", STD140, true, VKT_CODE(std140_row_whole)},
   {"std140_row_dynamic", STD140, true, VKT_CODE(std140_row_dynamic)},
   {"std140_column_whole", STD140, false, VKT_CODE(std140_column_whole)},
   {"std140_column_dynamic", STD140, false, VKT_CODE(std140_column_dynamic)},
   {"std430_row_whole", STD430, true, VKT_CODE(std430_row_whole)},
   {"std430_row_dynamic", STD430, true, VKT_CODE(std430_row_dynamic)},
   {"std430_column_whole", STD430, false, VKT_CODE(std430_column_whole)},
   {"std430_column_dynamic", STD430, false, VKT_CODE(std430_column_dynamic)},
   {"scalar_row_whole", SCALAR, true, VKT_CODE(scalar_row_whole)},
   {"scalar_row_dynamic", SCALAR, true, VKT_CODE(scalar_row_dynamic)},
   {"scalar_column_whole", SCALAR, false, VKT_CODE(scalar_column_whole)},
   {"scalar_column_dynamic", SCALAR, false, VKT_CODE(scalar_column_dynamic)},
};

/* A float that any conversion would keep: small integers and halves. */
static uint32_t
random_word(void)
{
   const float x = (float)((int)vkt_random_below(8192) - 4096) / 2;
   uint32_t word;
   memcpy(&word, &x, 4);
   return word;
}

static void
run_shader(struct vkx *vkx, const struct shader *shader)
{
   struct walk w = {.layout = shader->layout, .rows = shader->rows};
   const uint32_t size_B = outer(&w), words = w.count;
   struct vkx_buffer b[4] = {
      vkt_buffer_create(vkx, LANES * size_B, 0x55), vkt_buffer_create(vkx, LANES * size_B, 0xaa),
      vkt_buffer_create(vkx, LANES * words * 4, 0), vkt_buffer_create(vkx, LANES * words * 4, 0)};
   uint8_t *from = b[0].map, *to = b[1].map, *want = malloc(LANES * size_B);
   uint32_t *source = b[2].map, *got = b[3].map;
   memset(want, 0xaa, LANES * size_B);
   for (uint32_t lane = 0; lane < LANES; lane++) {
      for (uint32_t i = 0; i < words; i++) {
         const uint32_t word = random_word(), at_B = lane * size_B + w.offset_B[i];
         memcpy(from + at_B, &word, 4);
         source[i * LANES + lane] = random_word();
         memcpy(want + at_B, &source[i * LANES + lane], 4);
      }
   }
   vkt_dispatch(vkx, &(struct vkt_dispatch){shader->code, 4, b, .groups = 1});
   unsigned unread = 0, unwritten = 0;
   for (uint32_t i = 0; i < words * LANES; i++) {
      const uint32_t at_B = i % LANES * size_B + w.offset_B[i / LANES];
      if (memcmp(&got[i], from + at_B, 4) && unread++ < 3)
         printf("   %s, lane %u, word %u: %#x\n", shader->name, i % LANES, i / LANES, got[i]);
   }
   for (uint32_t i = 0; i < LANES * size_B; i++) {
      if (to[i] != want[i] && unwritten++ < 3)
         printf("   %s, byte %u of struct %u: %#x, not %#x\n", shader->name, i % size_B, i / size_B, to[i], want[i]);
   }
   vkt_expect(!unread, "%s: %u words read wrongly", shader->name, unread);
   vkt_expect(!unwritten, "%s: %u bytes written wrongly", shader->name, unwritten);
   free(want);
   for (unsigned i = 0; i < 4; i++)
      vkx_buffer_destroy(vkx, &b[i]);
}

int
main(void)
{
   struct vkx vkx = vkt_create("layouts");
   for (unsigned i = 0; i < sizeof(shaders) / sizeof(shaders[0]); i++) {
      if (shaders[i].layout != SCALAR || vkt_has("VK_EXT_scalar_block_layout"))
         run_shader(&vkx, &shaders[i]);
      else
         vkt_skip("scalar layout");
   }
   return vkt_finish(&vkx);
}
