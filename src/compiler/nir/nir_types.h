/* Types of variables and derefs. Types are immutable and live in an arena; compare with nir_type_equal. */
#ifndef INDIUM_NIR_TYPES_H
#define INDIUM_NIR_TYPES_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

enum nir_base_type {
   NIR_TYPE_VOID,
   NIR_TYPE_BOOL,
   NIR_TYPE_INT,
   NIR_TYPE_UINT,
   NIR_TYPE_FLOAT,
   NIR_TYPE_ARRAY,
   NIR_TYPE_STRUCT,
   NIR_TYPE_IMAGE, /* sampled or storage image, or texel buffer, without sampler */
   NIR_TYPE_SAMPLER,
   NIR_TYPE_SAMPLED_IMAGE, /* combined */
};

enum nir_image_dim {
   NIR_DIM_1D,
   NIR_DIM_2D,
   NIR_DIM_3D,
   NIR_DIM_CUBE,
   NIR_DIM_BUF,
   NIR_DIM_MS,      /* 2D multisampled */
   NIR_DIM_SUBPASS, /* input attachment */
   NIR_DIM_SUBPASS_MS,
};

struct nir_type;

struct nir_struct_field {
   const struct nir_type *type;
   const char *name;      /* may be NULL */
   int32_t offset_B;      /* -1: no explicit layout */
   uint32_t access;       /* enum nir_access bits */
   int32_t location;      /* enum nir_slot of a member of an in or out block, -1 if none */
   uint32_t first_vector; /* how many vectors the fields ahead hold; by nir_type_struct() */
};

struct nir_type {
   enum nir_base_type base;
   /* numeric: */
   uint8_t bit_size;   /* 1 (bool), 8, 16, 32, 64 */
   uint8_t components; /* rows: 1 to 4 */
   uint8_t columns;    /* 1, or 2 to 4 for a matrix */
   bool row_major;     /* explicit layout of a matrix */
   /* array, or matrix (bytes between columns, or rows if row_major): */
   uint32_t stride_B; /* 0: no explicit layout */
   uint32_t length;   /* 0: run-time sized */
   const struct nir_type *element;
   /* struct: */
   const char *name;
   uint32_t num_fields;
   const struct nir_struct_field *fields;
   bool is_block;
   uint32_t vectors; /* array, structure: vectors inside, columns of matrices count; UINT32_MAX: too many */
   /* image: */
   enum nir_image_dim dim;
   bool is_array, is_shadow;
   enum nir_base_type sampled; /* BOOL never; INT, UINT, FLOAT */
};

const struct nir_type *nir_type_void(void);
/* bit_size 1, 8, 16, 32 or 64 as the base allows; components 1 to 4. */
const struct nir_type *nir_type_vector(enum nir_base_type base, unsigned bit_size, unsigned components);
const struct nir_type *nir_type_matrix(struct arena *arena, unsigned bit_size, unsigned rows, unsigned columns,
                                       uint32_t stride_B, bool row_major);
const struct nir_type *nir_type_array(struct arena *arena, const struct nir_type *element, uint32_t length,
                                      uint32_t stride_B);
const struct nir_type *nir_type_struct(struct arena *arena, const struct nir_struct_field *fields, uint32_t count,
                                       const char *name);
const struct nir_type *nir_type_sampler(void);
/* base: NIR_TYPE_IMAGE or NIR_TYPE_SAMPLED_IMAGE. */
const struct nir_type *nir_type_image(struct arena *arena, enum nir_base_type base, enum nir_image_dim dim,
                                      bool is_array, bool is_shadow, enum nir_base_type sampled);

bool nir_type_equal(const struct nir_type *a, const struct nir_type *b);
bool nir_type_is_numeric(const struct nir_type *type); /* scalar, vector or matrix */
bool nir_type_is_vector_or_scalar(const struct nir_type *type);
/* Of an array, a matrix (its column) or a vector (its component). */
const struct nir_type *nir_type_element(const struct nir_type *type);
/* How many vectors (columns of a matrix count) a type holds. */
uint32_t nir_type_vectors(const struct nir_type *type);
/* How many scalars a value holds. */
unsigned nir_type_scalars(const struct nir_type *type);
/* How many locations an input or output of the type takes. */
unsigned nir_type_slots(const struct nir_type *type);
/* Size in bytes of an explicit layout (a run-time array counts 0 elements). */
uint32_t nir_type_explicit_size_B(const struct nir_type *type);

#endif
