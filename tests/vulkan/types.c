/* Numbers of every type in uniform, storage and push constant blocks. The offsets are computed here from the rules of
 * the GLSL specification (7.6.2.2) and of VK_EXT_scalar_block_layout, with N the size of a component. */
#include <stdio.h>
#include <string.h>

#include "vkt_dispatch.h"

#define CODE(name) static const uint32_t name[] =
CODE(code_int8){
#include "types_int8.inc"
};
CODE(code_uint8){
#include "types_uint8.inc"
};
CODE(code_int16){
#include "types_int16.inc"
};
CODE(code_uint16){
#include "types_uint16.inc"
};
CODE(code_half){
#include "types_half.inc"
};
CODE(code_float){
#include "types_float.inc"
};
CODE(code_int64){
#include "types_int64.inc"
};
CODE(code_uint64){
#include "types_uint64.inc"
};
CODE(code_double){
#include "types_double.inc"
};

enum { LANES = 64, MAX_ROWS = 200, BUFFER_B = 2048, PUSH_B = 128 };
enum layout { STD140, STD430, SCALAR };

static const struct type {
   const char *name;
   struct vkt_code code;
   uint32_t size_B;
   bool has_matrices, needs_float64;
} types[] = {
   {"int8", {code_int8, sizeof(code_int8)}, 1, false, false},
   {"uint8", {code_uint8, sizeof(code_uint8)}, 1, false, false},
   {"int16", {code_int16, sizeof(code_int16)}, 2, false, false},
   {"uint16", {code_uint16, sizeof(code_uint16)}, 2, false, false},
   {"float16", {code_half, sizeof(code_half)}, 2, true, false},
   {"float", {code_float, sizeof(code_float)}, 4, true, false},
   {"int64", {code_int64, sizeof(code_int64)}, 8, false, false},
   {"uint64", {code_uint64, sizeof(code_uint64)}, 8, false, false},
   {"double", {code_double, sizeof(code_double)}, 8, true, true},
};

/* ---- offsets ---- */

static uint32_t
align(uint32_t x, uint32_t to)
{
   return (x + to - 1) / to * to;
}

static uint32_t
max(uint32_t a, uint32_t b)
{
   return a > b ? a : b;
}

static uint32_t
vector_align_B(const struct type *type, enum layout layout, uint32_t n)
{
   return type->size_B * (layout == SCALAR || n == 1 ? 1 : n == 2 ? 2 : 4);
}

static uint32_t
array_align_B(const struct type *type, enum layout layout, uint32_t n)
{
   const uint32_t own = vector_align_B(type, layout, n);
   return layout == STD140 ? align(own, 16) : own;
}

/* Of an array of vectors of n components: from one to the next. */
static uint32_t
stride_B(const struct type *type, enum layout layout, uint32_t n)
{
   return align(type->size_B * n, array_align_B(type, layout, n));
}

/* Bytes from the start of struct S, and of the block. */
struct offsets {
   uint32_t s, a, b, c, d, e, f, size, m, n, end;
};

static uint32_t
next(uint32_t *at, uint32_t align_B, uint32_t size_B)
{
   const uint32_t here = align(*at, align_B);
   *at = here + size_B;
   return here;
}

static struct offsets
offsets_of(const struct type *type, enum layout layout)
{
   const uint32_t n = type->size_B;
   uint32_t at = 0;
   struct offsets o;
   o.s = next(&at, n, n);
   o.a = next(&at, vector_align_B(type, layout, 2), 2 * n);
   o.b = next(&at, vector_align_B(type, layout, 3), 3 * n);
   o.c = next(&at, vector_align_B(type, layout, 4), 4 * n);
   o.d = next(&at, array_align_B(type, layout, 1), 3 * stride_B(type, layout, 1));
   o.e = next(&at, array_align_B(type, layout, 3), 2 * stride_B(type, layout, 3));
   o.f = next(&at, n, n);
   o.size = align(at, max(vector_align_B(type, layout, 4), layout == STD140 ? 16 : 1));
   at = 2 * o.size;
   /* Both matrices are vectors of 3: two columns, and two rows. */
   o.m = next(&at, array_align_B(type, layout, 3), 2 * stride_B(type, layout, 3));
   o.n = next(&at, array_align_B(type, layout, 3), 2 * stride_B(type, layout, 3));
   o.end = type->has_matrices ? at : 2 * o.size;
   return o;
}

/* ---- what a lane reads ---- */

struct reader {
   const struct type *type;
   enum layout layout;
   const uint8_t *bytes;
   uint64_t rows[MAX_ROWS];
   unsigned count;
};

static void
put(struct reader *r, uint32_t offset_B, uint32_t components)
{
   for (uint32_t i = 0; i < components; i++) {
      uint64_t word = 0;
      memcpy(&word, r->bytes + offset_B + i * r->type->size_B, r->type->size_B);
      r->rows[r->count++] = word;
   }
}

static void
put_matrices(struct reader *r, const struct offsets *o, uint32_t i, uint32_t k)
{
   const uint32_t stride = stride_B(r->type, r->layout, 3), n = r->type->size_B;
   put(r, o->m, 3);
   put(r, o->m + stride, 3);
   for (uint32_t column = 0; column < 3; column++) {
      for (uint32_t row = 0; row < 2; row++)
         put(r, o->n + row * stride + column * n, 1);
   }
   put(r, o->m + i * stride + k * n, 1);
   put(r, o->n + i * stride + k * n, 1);
   for (uint32_t row = 0; row < 2; row++)
      put(r, o->n + row * stride + k * n, 1);
}

static void
put_block(struct reader *r, enum layout layout, const uint8_t *bytes, uint32_t lane)
{
   const struct offsets o = offsets_of(r->type, layout);
   const uint32_t i = lane & 1, k = lane % 3, at = i * o.size, n = r->type->size_B;
   const uint32_t one = stride_B(r->type, layout, 1), three = stride_B(r->type, layout, 3);
   r->layout = layout;
   r->bytes = bytes;
   put(r, at + o.s, 1);
   put(r, at + o.a, 2);
   put(r, at + o.b, 3);
   put(r, at + o.c, 4);
   for (uint32_t j = 0; j < 3; j++)
      put(r, at + o.d + j * one, 1);
   for (uint32_t j = 0; j < 2; j++)
      put(r, at + o.e + j * three, 3);
   put(r, at + o.f, 1);
   put(r, at + o.b + k * n, 1);
   put(r, at + o.d + k * one, 1);
   put(r, at + o.e + i * three + k * n, 1);
   put(r, o.size + o.c + (i + k) * n, 1);
   if (r->type->has_matrices)
      put_matrices(r, &o, i, k);
}

static void
put_push(struct reader *r, const uint8_t *bytes)
{
   const uint32_t n = r->type->size_B;
   uint32_t at = 0;
   r->bytes = bytes;
   put(r, next(&at, n, n), 1);
   const uint32_t b = next(&at, 4 * n, 3 * n);
   put(r, b, 3);
   put(r, next(&at, n, n), 1);
   put(r, next(&at, 2 * n, 2 * n), 2);
   put(r, next(&at, n, 2 * n) + n, 1);
   put(r, b + n, 1);
}

/* ---- what is stored ---- */

static void
copy(const struct type *type, uint32_t offset_B, uint32_t components, const uint8_t *from, uint8_t *to)
{
   memcpy(to + offset_B, from + offset_B, components * type->size_B);
}

/* Members only: the bytes between them stay. */
static void
store_block(const struct type *type, const uint8_t *from, uint8_t *to)
{
   const struct offsets o = offsets_of(type, STD430);
   const uint32_t one = stride_B(type, STD430, 1), three = stride_B(type, STD430, 3);
   for (uint32_t at = 0; at <= o.size; at += o.size) {
      copy(type, at + o.s, 1, from, to);
      copy(type, at + o.a, 2, from, to);
      copy(type, at + o.b, 3, from, to);
      copy(type, at + o.c, 4, from, to);
      for (uint32_t j = 0; j < 3; j++)
         copy(type, at + o.d + j * one, 1, from, to);
      for (uint32_t j = 0; j < 2; j++)
         copy(type, at + o.e + j * three, 3, from, to);
      copy(type, at + o.f, 1, from, to);
   }
   for (uint32_t j = 0; j < 2 && type->has_matrices; j++) {
      copy(type, o.m + j * three, 3, from, to);
      copy(type, o.n + j * three, 3, from, to);
   }
}

static void
run_type(struct vkx *vkx, const struct type *type)
{
   struct vkx_buffer buffers[5];
   uint8_t push[PUSH_B], stored[BUFFER_B];
   unsigned wrong = 0;
   for (unsigned i = 0; i < 5; i++)
      buffers[i] = vkt_buffer_create(vkx, i == 4 ? MAX_ROWS * LANES * 8 : BUFFER_B, 0xaa);
   for (unsigned i = 0; i < 3 * BUFFER_B; i++)
      ((uint8_t *)buffers[i / BUFFER_B].map)[i % BUFFER_B] = (uint8_t)vkt_random();
   for (unsigned i = 0; i < PUSH_B; i++)
      push[i] = (uint8_t)vkt_random();
   memset(stored, 0xaa, BUFFER_B);
   vkt_dispatch(vkx, &(struct vkt_dispatch){type->code, 5, buffers, .groups = 1, .uniforms = 1, .push = push,
                                            .push_B = PUSH_B});
   const uint64_t *got = buffers[4].map;
   const uint64_t mask = type->size_B == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * type->size_B) - 1;
   for (uint32_t lane = 0; lane < LANES; lane++) {
      struct reader r = {.type = type};
      for (enum layout layout = STD140; layout <= SCALAR; layout++)
         put_block(&r, layout, buffers[layout].map, lane);
      put_push(&r, push);
      for (unsigned i = 0; i < r.count; i++) {
         if ((got[i * LANES + lane] & mask) != r.rows[i] && wrong++ < 3)
            printf("   %s, row %u, lane %u: %#llx, not %#llx\n", type->name, i, lane,
                   (unsigned long long)got[i * LANES + lane], (unsigned long long)r.rows[i]);
      }
   }
   vkt_expect(!wrong, "%s: %u loads", type->name, wrong);
   store_block(type, buffers[1].map, stored);
   vkt_expect(!memcmp(stored, buffers[3].map, BUFFER_B), "%s: stores", type->name);
   for (unsigned i = 0; i < 5; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}

int
main(void)
{
   struct vkx vkx = vkt_create("types");
   if (vkt_has("VK_KHR_8bit_storage") && vkt_has("VK_EXT_scalar_block_layout") && vkt_features.shaderInt64 &&
       vkt_features.shaderInt16 && vkt_int8 && vkt_float16) {
      for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
         if (types[i].needs_float64 && !vkt_features.shaderFloat64)
            vkt_skip(types[i].name);
         else
            run_type(&vkx, &types[i]);
      }
   } else {
      vkt_skip("numbers of 8, 16 and 64 bits in memory");
   }
   return vkt_finish(&vkx);
}
