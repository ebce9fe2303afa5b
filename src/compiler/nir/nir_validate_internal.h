#ifndef INDIUM_NIR_VALIDATE_INTERNAL_H
#define INDIUM_NIR_VALIDATE_INTERNAL_H

#include "compiler/nir/nir.h"

struct nir_validator {
   const struct nir_shader *shader;
   const char *error; /* the first fault found */
   const struct nir_instr *where;
   uint64_t srcs, uses; /* counted to find sources that are in no list of uses */
};

void nir_validate_fail(struct nir_validator *v, const char *what);

/* Records the fault unless the condition holds; the value of the condition. */
static inline bool
nir_check(struct nir_validator *v, bool condition, const char *what)
{
   if (!condition)
      nir_validate_fail(v, what);
   return condition;
}

/* Types and shapes of one instruction; its sources are known to be values of the shader. */
void nir_validate_types(struct nir_validator *v, const struct nir_instr *instr);
void nir_validate_intrinsic(struct nir_validator *v, const struct nir_intrinsic_instr *instr);
void nir_validate_tex(struct nir_validator *v, const struct nir_tex_instr *tex);

#endif
