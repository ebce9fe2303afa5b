#include "compiler/nir/nir_types.h"

#include <assert.h>
#include <string.h>

#include "util/arena.h"
#include "util/macros.h"

#define VECTORS(b, bits)                                                                                             \
   {.base = b, .bit_size = bits, .components = 1, .columns = 1}, {.base = b, .bit_size = bits, .components = 2,      \
    .columns = 1}, {.base = b, .bit_size = bits, .components = 3, .columns = 1}, {.base = b, .bit_size = bits,       \
    .components = 4, .columns = 1}

static const struct nir_type bool_types[4] = {VECTORS(NIR_TYPE_BOOL, 1)};
static const struct nir_type int_types[4][4] = {
   {VECTORS(NIR_TYPE_INT, 8)}, {VECTORS(NIR_TYPE_INT, 16)}, {VECTORS(NIR_TYPE_INT, 32)}, {VECTORS(NIR_TYPE_INT, 64)}};
static const struct nir_type uint_types[4][4] = {{VECTORS(NIR_TYPE_UINT, 8)},
                                                 {VECTORS(NIR_TYPE_UINT, 16)},
                                                 {VECTORS(NIR_TYPE_UINT, 32)},
                                                 {VECTORS(NIR_TYPE_UINT, 64)}};
static const struct nir_type float_types[4][4] = {
   {}, {VECTORS(NIR_TYPE_FLOAT, 16)}, {VECTORS(NIR_TYPE_FLOAT, 32)}, {VECTORS(NIR_TYPE_FLOAT, 64)}};

const struct nir_type *
nir_type_void(void)
{
   static const struct nir_type type = {.base = NIR_TYPE_VOID};
   return &type;
}

const struct nir_type *
nir_type_sampler(void)
{
   static const struct nir_type type = {.base = NIR_TYPE_SAMPLER};
   return &type;
}

const struct nir_type *
nir_type_vector(enum nir_base_type base, unsigned bit_size, unsigned components)
{
   assert(components >= 1 && components <= 4);
   if (base == NIR_TYPE_BOOL)
      return &bool_types[components - 1];
   assert(bit_size >= 8 && bit_size <= 64 && is_power_of_two(bit_size));
   unsigned size = log2_floor(bit_size) - 3;
   if (base == NIR_TYPE_INT)
      return &int_types[size][components - 1];
   if (base == NIR_TYPE_UINT)
      return &uint_types[size][components - 1];
   assert(base == NIR_TYPE_FLOAT && bit_size != 8);
   return &float_types[size][components - 1];
}

const struct nir_type *
nir_type_matrix(struct arena *arena, unsigned bit_size, unsigned rows, unsigned columns, uint32_t stride_B,
                bool row_major)
{
   assert(columns >= 2 && columns <= 4 && rows >= 2 && rows <= 4);
   struct nir_type *type = arena_new(arena, struct nir_type);
   *type = *nir_type_vector(NIR_TYPE_FLOAT, bit_size, rows);
   type->columns = (uint8_t)columns;
   type->stride_B = stride_B;
   type->row_major = row_major;
   return type;
}

uint32_t
nir_type_vectors(const struct nir_type *type)
{
   if (type->base == NIR_TYPE_ARRAY || type->base == NIR_TYPE_STRUCT)
      return type->vectors;
   return nir_type_is_numeric(type) ? type->columns : 1;
}

const struct nir_type *
nir_type_array(struct arena *arena, const struct nir_type *element, uint32_t length, uint32_t stride_B)
{
   struct nir_type *type = arena_new(arena, struct nir_type);
   type->base = NIR_TYPE_ARRAY;
   type->element = element;
   type->length = length;
   type->stride_B = stride_B;
   type->vectors = (uint32_t)MIN2((uint64_t)length * nir_type_vectors(element), UINT32_MAX);
   return type;
}

const struct nir_type *
nir_type_struct(struct arena *arena, const struct nir_struct_field *fields, uint32_t count, const char *name)
{
   struct nir_type *type = arena_new(arena, struct nir_type);
   struct nir_struct_field *own = arena_dup(arena, fields, sizeof(*fields) * count);
   uint64_t vectors = 0;
   for (uint32_t i = 0; i < count; i++) {
      own[i].first_vector = (uint32_t)MIN2(vectors, UINT32_MAX);
      vectors += nir_type_vectors(own[i].type);
   }
   type->base = NIR_TYPE_STRUCT;
   type->fields = own;
   type->num_fields = count;
   type->vectors = (uint32_t)MIN2(vectors, UINT32_MAX);
   type->name = name;
   return type;
}

const struct nir_type *
nir_type_image(struct arena *arena, enum nir_base_type base, enum nir_image_dim dim, bool is_array, bool is_shadow,
               enum nir_base_type sampled)
{
   assert(base == NIR_TYPE_IMAGE || base == NIR_TYPE_SAMPLED_IMAGE);
   struct nir_type *type = arena_new(arena, struct nir_type);
   type->base = base;
   type->dim = dim;
   type->is_array = is_array;
   type->is_shadow = is_shadow;
   type->sampled = sampled;
   return type;
}

static bool
same_string(const char *a, const char *b)
{
   return a == b || (a && b && !strcmp(a, b));
}

bool
nir_type_equal(const struct nir_type *a, const struct nir_type *b)
{
   if (a == b)
      return true;
   if (a->base != b->base)
      return false;
   if (a->base == NIR_TYPE_ARRAY)
      return a->length == b->length && a->stride_B == b->stride_B && nir_type_equal(a->element, b->element);
   if (a->base == NIR_TYPE_STRUCT) {
      if (a->num_fields != b->num_fields || a->is_block != b->is_block || !same_string(a->name, b->name))
         return false;
      for (uint32_t i = 0; i < a->num_fields; i++) {
         const struct nir_struct_field *x = &a->fields[i], *y = &b->fields[i];
         if (x->offset_B != y->offset_B || x->access != y->access || x->location != y->location ||
             !same_string(x->name, y->name) || !nir_type_equal(x->type, y->type))
            return false;
      }
      return true;
   }
   return a->bit_size == b->bit_size && a->components == b->components && a->columns == b->columns &&
          a->row_major == b->row_major && a->stride_B == b->stride_B && a->dim == b->dim &&
          a->is_array == b->is_array && a->is_shadow == b->is_shadow && a->sampled == b->sampled;
}

bool
nir_type_is_numeric(const struct nir_type *type)
{
   return type->base >= NIR_TYPE_BOOL && type->base <= NIR_TYPE_FLOAT;
}

bool
nir_type_is_vector_or_scalar(const struct nir_type *type)
{
   return nir_type_is_numeric(type) && type->columns == 1;
}

const struct nir_type *
nir_type_element(const struct nir_type *type)
{
   if (type->base == NIR_TYPE_ARRAY)
      return type->element;
   assert(nir_type_is_numeric(type));
   return nir_type_vector(type->base, type->bit_size, type->columns > 1 ? type->components : 1);
}

unsigned
nir_type_scalars(const struct nir_type *type)
{
   if (type->base == NIR_TYPE_ARRAY)
      return type->length * nir_type_scalars(type->element);
   if (type->base == NIR_TYPE_STRUCT) {
      unsigned count = 0;
      for (uint32_t i = 0; i < type->num_fields; i++)
         count += nir_type_scalars(type->fields[i].type);
      return count;
   }
   return nir_type_is_numeric(type) ? (unsigned)type->components * type->columns : 0;
}

unsigned
nir_type_slots(const struct nir_type *type)
{
   if (type->base == NIR_TYPE_ARRAY)
      return type->length * nir_type_slots(type->element);
   if (type->base == NIR_TYPE_STRUCT) {
      unsigned count = 0;
      for (uint32_t i = 0; i < type->num_fields; i++)
         count += nir_type_slots(type->fields[i].type);
      return count;
   }
   return type->columns * (type->bit_size == 64 && type->components > 2 ? 2 : 1);
}

uint32_t
nir_type_explicit_size_B(const struct nir_type *type)
{
   if (type->base == NIR_TYPE_ARRAY) {
      if (!type->length)
         return 0;
      return (type->length - 1) * type->stride_B + nir_type_explicit_size_B(type->element);
   }
   if (type->base == NIR_TYPE_STRUCT) {
      uint32_t size_B = 0;
      for (uint32_t i = 0; i < type->num_fields; i++) {
         uint32_t end_B = (uint32_t)type->fields[i].offset_B + nir_type_explicit_size_B(type->fields[i].type);
         size_B = MAX2(size_B, end_B);
      }
      return size_B;
   }
   uint32_t scalar_B = MAX2(type->bit_size / 8u, 4u * (type->bit_size == 1));
   if (type->columns == 1)
      return type->components * scalar_B;
   /* The last column (or row) is not padded to the stride. */
   unsigned major = type->row_major ? type->components : type->columns;
   unsigned minor = type->row_major ? type->columns : type->components;
   return (major - 1) * type->stride_B + minor * scalar_B;
}
