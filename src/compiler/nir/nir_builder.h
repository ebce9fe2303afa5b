/* Builder: creates instructions at a cursor that moves along. Source operands are values; results are values. */
#ifndef INDIUM_NIR_BUILDER_H
#define INDIUM_NIR_BUILDER_H

#include "compiler/nir/nir.h"

struct nir_builder {
   struct nir_shader *shader;
   struct nir_cursor cursor;
   bool exact; /* given to every ALU instruction built */
};

/* At the end of the shader. */
struct nir_builder nir_builder_create(struct nir_shader *shader);
struct nir_builder nir_builder_at(struct nir_shader *shader, struct nir_cursor cursor);

/* Inserts at the cursor and moves the cursor after it. */
void nir_builder_insert(struct nir_builder *b, struct nir_instr *instr);

/* Unused sources are NULL. Component count: fixed by the table, or the largest of the sources, a scalar source being
 * repeated for every component. */
struct nir_def *nir_build_alu(struct nir_builder *b, enum nir_op op, struct nir_def *src0, struct nir_def *src1,
                              struct nir_def *src2, struct nir_def *src3);

#include "compiler/nir/nir_builder_intrinsics.h" /* generated: nir_<intrinsic>() */
#include "compiler/nir/nir_builder_opcodes.h"    /* generated: nir_<opcode>() */

/* ---- constants ---- */

struct nir_def *nir_imm(struct nir_builder *b, unsigned num_components, unsigned bit_size,
                        const union nir_const_value *values);
struct nir_def *nir_imm_intN(struct nir_builder *b, uint64_t value, unsigned bit_size); /* truncated */
struct nir_def *nir_imm_floatN(struct nir_builder *b, double value, unsigned bit_size);
struct nir_def *nir_imm_int(struct nir_builder *b, int32_t value);
struct nir_def *nir_imm_int64(struct nir_builder *b, int64_t value);
struct nir_def *nir_imm_float(struct nir_builder *b, float value);
struct nir_def *nir_imm_bool(struct nir_builder *b, bool value);
struct nir_def *nir_imm_zero(struct nir_builder *b, unsigned num_components, unsigned bit_size);
struct nir_def *nir_imm_vec4(struct nir_builder *b, float x, float y, float z, float w);
struct nir_def *nir_undef(struct nir_builder *b, unsigned num_components, unsigned bit_size);

/* ---- vectors ---- */

struct nir_def *nir_vec(struct nir_builder *b, struct nir_def *const *scalars, unsigned count);
struct nir_def *nir_swizzle(struct nir_builder *b, struct nir_def *def, const unsigned *swizzle, unsigned count);
struct nir_def *nir_channel(struct nir_builder *b, struct nir_def *def, unsigned component);
/* Those of the mask, in order. */
struct nir_def *nir_channels(struct nir_builder *b, struct nir_def *def, unsigned mask);
/* Component by run-time index (undefined outside the vector). */
struct nir_def *nir_vector_extract(struct nir_builder *b, struct nir_def *vector, struct nir_def *index);
struct nir_def *nir_vector_insert(struct nir_builder *b, struct nir_def *vector, struct nir_def *scalar,
                                  struct nir_def *index);
struct nir_def *nir_vector_insert_imm(struct nir_builder *b, struct nir_def *vector, struct nir_def *scalar,
                                      unsigned component);
/* Cuts, or pads with undef. */
struct nir_def *nir_resize_vector(struct nir_builder *b, struct nir_def *vector, unsigned num_components);

/* ---- arithmetic with constants of the size of x ---- */

#define NIR_BUILD_IMM(op, type, make)                                                                                \
   static inline struct nir_def *nir_##op##_imm(struct nir_builder *b, struct nir_def *x, type value)                \
   {                                                                                                                 \
      return nir_##op(b, x, make);                                                                                   \
   }
NIR_BUILD_IMM(iand, uint64_t, nir_imm_intN(b, value, x->bit_size))
NIR_BUILD_IMM(ishl, uint32_t, nir_imm_int(b, (int32_t)value))
NIR_BUILD_IMM(ishr, uint32_t, nir_imm_int(b, (int32_t)value))
NIR_BUILD_IMM(ushr, uint32_t, nir_imm_int(b, (int32_t)value))
NIR_BUILD_IMM(ieq, uint64_t, nir_imm_intN(b, value, x->bit_size))
NIR_BUILD_IMM(ine, uint64_t, nir_imm_intN(b, value, x->bit_size))
NIR_BUILD_IMM(ilt, int64_t, nir_imm_intN(b, (uint64_t)value, x->bit_size))
NIR_BUILD_IMM(ige, int64_t, nir_imm_intN(b, (uint64_t)value, x->bit_size))
NIR_BUILD_IMM(ult, uint64_t, nir_imm_intN(b, value, x->bit_size))
NIR_BUILD_IMM(fadd, double, nir_imm_floatN(b, value, x->bit_size))
NIR_BUILD_IMM(fmul, double, nir_imm_floatN(b, value, x->bit_size))
NIR_BUILD_IMM(flt, double, nir_imm_floatN(b, value, x->bit_size))
NIR_BUILD_IMM(fge, double, nir_imm_floatN(b, value, x->bit_size))
NIR_BUILD_IMM(feq, double, nir_imm_floatN(b, value, x->bit_size))
struct nir_def *nir_iadd_imm(struct nir_builder *b, struct nir_def *x, int64_t value); /* x itself for 0 */
struct nir_def *nir_imul_imm(struct nir_builder *b, struct nir_def *x, int64_t value); /* a shift for powers of two */
struct nir_def *nir_udiv_imm(struct nir_builder *b, struct nir_def *x, uint64_t value);
struct nir_def *nir_umod_imm(struct nir_builder *b, struct nir_def *x, uint64_t value);

/* ---- conversions to a bit size ---- */

struct nir_def *nir_f2fN(struct nir_builder *b, struct nir_def *x, unsigned bit_size);
struct nir_def *nir_i2iN(struct nir_builder *b, struct nir_def *x, unsigned bit_size);
struct nir_def *nir_u2uN(struct nir_builder *b, struct nir_def *x, unsigned bit_size);
struct nir_def *nir_f2iN(struct nir_builder *b, struct nir_def *x, unsigned bit_size);
struct nir_def *nir_f2uN(struct nir_builder *b, struct nir_def *x, unsigned bit_size);
struct nir_def *nir_i2fN(struct nir_builder *b, struct nir_def *x, unsigned bit_size);
struct nir_def *nir_u2fN(struct nir_builder *b, struct nir_def *x, unsigned bit_size);
struct nir_def *nir_b2iN(struct nir_builder *b, struct nir_def *x, unsigned bit_size);
/* The value of a component of a format that lies from bit `shift` of a word of 32 bits on, as floats or integers of
 * 32 bits. Of floats with a shared exponent, and of sRGB, only the bits. nir_unpack_component.c. */
struct format_component;
struct nir_def *nir_unpack_component(struct nir_builder *b, struct nir_def *word, unsigned shift,
                                     const struct format_component *component);
struct nir_def *nir_b2fN(struct nir_builder *b, struct nir_def *x, unsigned bit_size);
struct nir_def *nir_fdot(struct nir_builder *b, struct nir_def *x, struct nir_def *y); /* by component count, 1 too */

/* ---- control flow: the cursor moves into and after the construct ---- */

struct nir_if *nir_push_if(struct nir_builder *b, struct nir_def *condition);
void nir_push_else(struct nir_builder *b, struct nir_if *nif); /* NULL: the innermost around the cursor */
void nir_pop_if(struct nir_builder *b, struct nir_if *nif);
struct nir_loop *nir_push_loop(struct nir_builder *b);
void nir_pop_loop(struct nir_builder *b, struct nir_loop *loop);
/* Right after pop_if: the value of the branch that ran. A branch that ends in a jump does not count. */
struct nir_def *nir_if_phi(struct nir_builder *b, struct nir_def *then_def, struct nir_def *else_def);
/* A phi at the start of the cursor's block with the given shape; the caller adds the sources. */
struct nir_phi_instr *nir_build_phi(struct nir_builder *b, unsigned num_components, unsigned bit_size);
void nir_jump(struct nir_builder *b, enum nir_jump_type type);

static inline void
nir_break(struct nir_builder *b)
{
   nir_jump(b, NIR_JUMP_BREAK);
}

static inline void
nir_continue(struct nir_builder *b)
{
   nir_jump(b, NIR_JUMP_CONTINUE);
}

static inline void
nir_halt(struct nir_builder *b)
{
   nir_jump(b, NIR_JUMP_HALT);
}

/* ---- derefs ---- */

struct nir_deref_instr *nir_build_deref_var(struct nir_builder *b, struct nir_variable *variable);
/* Element of an array, column of a matrix, component of a vector. */
struct nir_deref_instr *nir_build_deref_array(struct nir_builder *b, struct nir_deref_instr *parent,
                                              struct nir_def *index);
struct nir_deref_instr *nir_build_deref_array_imm(struct nir_builder *b, struct nir_deref_instr *parent,
                                                  uint32_t index);
struct nir_deref_instr *nir_build_deref_struct(struct nir_builder *b, struct nir_deref_instr *parent, uint32_t field);
/* Root of a buffer block: buffer is the result of vulkan_resource_index. */
struct nir_deref_instr *nir_build_deref_cast(struct nir_builder *b, struct nir_def *buffer, uint32_t mode,
                                             const struct nir_type *type);
/* Of a scalar or vector. access: enum nir_access bits; write_mask 0 stores all components. */
struct nir_def *nir_build_load_deref_of(struct nir_builder *b, struct nir_deref_instr *deref, uint32_t access);
void nir_build_store_deref_of(struct nir_builder *b, struct nir_deref_instr *deref, struct nir_def *value,
                              uint32_t write_mask, uint32_t access);
struct nir_def *nir_load_var(struct nir_builder *b, struct nir_variable *variable);
void nir_store_var(struct nir_builder *b, struct nir_variable *variable, struct nir_def *value, uint32_t write_mask);

/* ---- textures ---- */

/* Gives the result its shape and inserts; sources were added with nir_tex_add_src(). */
struct nir_def *nir_build_tex(struct nir_builder *b, struct nir_tex_instr *tex, unsigned num_components,
                              unsigned bit_size);

#endif
