/* Helpers on access paths, for passes. */
#ifndef INDIUM_NIR_DEREF_H
#define INDIUM_NIR_DEREF_H

#include "compiler/nir/nir_builder.h"

/* Types nest less deep: SPIRV_MAX_TYPE_DEPTH, and NIR_MAX_TYPE_DEPTH of a text. */
#define NIR_DEREF_MAX_PATH 520

/* The chain from the root (path[0]) to a deref. */
struct nir_deref_path {
   struct nir_deref_instr *path[NIR_DEREF_MAX_PATH];
   unsigned length;
};

static inline struct nir_deref_instr *
nir_src_as_deref(struct nir_src src)
{
   return src.def->parent->type == NIR_INSTR_DEREF ? nir_as_deref(src.def->parent) : NULL;
}

/* The deref this one extends, NULL for a root. */
struct nir_deref_instr *nir_deref_parent(const struct nir_deref_instr *deref);
struct nir_deref_instr *nir_deref_root(struct nir_deref_instr *deref);
/* The variable at the root, NULL if it is a cast. */
struct nir_variable *nir_deref_variable(struct nir_deref_instr *deref);
void nir_deref_path_of(struct nir_deref_instr *deref, struct nir_deref_path *path);

/* True if the intrinsic takes a deref as source 0. */
bool nir_intrinsic_takes_deref(enum nir_intrinsic_op op);

/* A layout for a type without one: arrays dense, components at their natural size, booleans as 32 bits, vectors
 * aligned to their size rounded up to a power of two. */
const struct nir_type *nir_type_with_layout(struct arena *arena, const struct nir_type *type);
uint32_t nir_type_align_B(const struct nir_type *type);

/* Gives derefs of the mode the types that follow from their variables. */
void nir_retype_derefs(struct nir_shader *shader, uint32_t mode);

/* Gives variables of the modes such types, offsets from *size_B on, and retypes their derefs. */
bool nir_layout_variables(struct nir_shader *shader, uint32_t mode, uint32_t *size_B);

#endif
