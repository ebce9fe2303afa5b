/* Emission of nir: where instructions go, and the values of ids. */
#ifndef INDIUM_SPIRV_EMIT_H
#define INDIUM_SPIRV_EMIT_H

#include "compiler/nir/nir_builder.h"
#include "compiler/spirv/spirv_module.h"
#include "compiler/spirv/spirv_tree.h"

/* Ifs, loops and calls inside each other, which is what the later passes recurse by. */
#define SPIRV_MAX_CF_DEPTH 4096

struct spirv_emit {
   struct spirv_module *m;
   struct nir_shader *shader;
   struct nir_builder b;            /* where the code goes */
   struct nir_builder start;        /* constants, roots of derefs, first values of variables: before all code */
   const struct spirv_block *block; /* that is being translated */
   struct spirv_function *function;
   struct nir_variable *return_variable;
   struct spirv_ssa *return_value;
   struct nir_def *bools[2], *small_ints[16]; /* constants at the start, NULL until used */
   uint32_t work, call_depth, cf_depth;
   bool needs_repair; /* a value may not dominate its uses any more */
};

/* Counts work and fails when a module grows beyond bounds. */
void spirv_count_work(struct spirv_emit *e, uint32_t amount);

/* ---- values of ids; each fails if the id is of another kind or does not dominate the block in translation ---- */

struct spirv_ssa *spirv_ssa(struct spirv_emit *e, uint32_t id);
struct nir_def *spirv_def(struct spirv_emit *e, uint32_t id); /* scalar or vector */
struct nir_def *spirv_def_of(struct spirv_emit *e, uint32_t id, const struct spirv_type *type);
struct nir_def *spirv_index(struct spirv_emit *e, uint32_t id); /* integer scalar, sign-extended or cut to 32 bits */
struct spirv_pointer *spirv_pointer(struct spirv_emit *e, uint32_t id);
/* Pointers may be values, too. */
bool spirv_is_pointer(struct spirv_emit *e, uint32_t id);
struct spirv_handle *spirv_handle(struct spirv_emit *e, uint32_t id);
const struct spirv_type *spirv_type_of(struct spirv_emit *e, uint32_t id); /* of a value */

/* Results. The type is that of the instruction at w (w[1] type, w[2] result). */
void spirv_set_ssa(struct spirv_emit *e, const uint32_t *w, struct spirv_ssa *ssa);
void spirv_set_def(struct spirv_emit *e, const uint32_t *w, struct nir_def *def); /* checks size and components */
void spirv_set_pointer(struct spirv_emit *e, uint32_t id, struct spirv_pointer *pointer);
void spirv_set_handle(struct spirv_emit *e, uint32_t id, struct spirv_handle *handle);
static inline const struct spirv_type *
spirv_result_type(struct spirv_emit *e, const uint32_t *w)
{
   return spirv_type(e->m, w[1]);
}

/* ---- values ---- */

struct spirv_ssa *spirv_ssa_new(struct spirv_emit *e, const struct spirv_type *type); /* its parts are to be put */
void spirv_ssa_put(struct spirv_emit *e, struct spirv_ssa *ssa, uint32_t index, struct spirv_ssa *part);
/* A copy of a composite with another part. */
struct spirv_ssa *spirv_ssa_with(struct spirv_emit *e, const struct spirv_ssa *ssa, uint32_t index,
                                 struct spirv_ssa *part);
struct spirv_ssa *spirv_ssa_of_def(struct spirv_emit *e, const struct spirv_type *type, struct nir_def *def);
struct spirv_ssa *spirv_ssa_constant(struct spirv_emit *e, struct spirv_constant *constant);
struct spirv_ssa *spirv_ssa_undef(struct spirv_emit *e, const struct spirv_type *type);
/* At the start of the shader. */
struct nir_def *spirv_bool_constant(struct spirv_emit *e, bool value);
struct nir_def *spirv_int_constant(struct spirv_emit *e, uint32_t value); /* 32 bits */

/* ---- memory ---- */

/* enum nir_access bits of a SpvMemoryAccess operand; w: the mask, words: how many are left. */
uint32_t spirv_memory_access(const uint32_t *w, uint32_t words);
/* Of any pointer to memory; that of a whole block is made here. */
struct nir_deref_instr *spirv_pointer_deref(struct spirv_emit *e, const struct spirv_pointer *pointer);
/* The value that a pointer stands for (spirv_is_address), and the reverse. */
struct nir_def *spirv_address(struct spirv_emit *e, const struct spirv_pointer *pointer);
struct spirv_pointer *spirv_address_pointer(struct spirv_emit *e, const struct spirv_type *type,
                                            struct nir_def *address);
/* Of the array that the pointer is in: the element `index` places after the pointer's. */
struct spirv_pointer *spirv_element_pointer(struct spirv_emit *e, uint32_t id, uint32_t index);
/* The steps of an access chain: the ids from w[first] on. */
struct spirv_pointer *spirv_chain(struct spirv_emit *e, struct spirv_pointer *pointer, const uint32_t *w,
                                  uint32_t first);
/* The pointer, if it is untyped as one to the type. */
struct spirv_pointer *spirv_pointer_as(struct spirv_emit *e, struct spirv_pointer *pointer,
                                       const struct spirv_type *type);
/* Sets the length of the run-time array that is the member of a block. */
void spirv_array_length(struct spirv_emit *e, const uint32_t *w, const struct spirv_pointer *pointer,
                        uint32_t member);
struct spirv_pointer *spirv_variable_pointer(struct spirv_emit *e, struct spirv_variable *variable);
struct spirv_ssa *spirv_load(struct spirv_emit *e, const struct spirv_pointer *pointer, uint32_t access);
void spirv_store(struct spirv_emit *e, const struct spirv_pointer *pointer, struct spirv_ssa *value, uint32_t access);
struct spirv_ssa *spirv_load_deref(struct spirv_emit *e, struct nir_builder *b, struct nir_deref_instr *deref,
                                   const struct spirv_type *type, uint32_t access);
void spirv_store_deref(struct spirv_emit *e, struct nir_builder *b, struct nir_deref_instr *deref,
                       const struct spirv_ssa *value, uint32_t access);
/* A variable of the function that holds a value of the type. */
struct nir_variable *spirv_temporary(struct spirv_emit *e, const struct spirv_type *type);
/* Makes the pointer refer to an input or output with these decorations. */
void spirv_io_pointer(struct spirv_emit *e, struct spirv_pointer *pointer, const struct spirv_io *io);
/* Of member `index` of a structure that became one variable per member. */
struct spirv_io spirv_member_io(const struct spirv_pointer *pointer, uint32_t index);
/* enum nir_slot of an output that is a built-in; -1: the stage has none. */
int32_t spirv_output_slot(const struct spirv_emit *e, int32_t builtin);
/* What a member's own decorations say of transform feedback goes before those of the structure. */
void spirv_xfb_inherit(struct spirv_io *io, const struct spirv_io *own);
/* Fills info.xfb. */
void spirv_gather_xfb(struct spirv_emit *e);
/* Member of an input or output that was split. */
struct spirv_pointer *spirv_io_member(struct spirv_emit *e, const struct spirv_pointer *pointer, uint32_t index);
/* Of an input that is an array over vertices: that of one. */
struct spirv_pointer *spirv_io_vertex(struct spirv_emit *e, const struct spirv_pointer *pointer,
                                      struct nir_def *vertex);

/* ---- instructions by kind: false if the opcode is not theirs ---- */

bool spirv_emit_address(struct spirv_emit *e, const uint32_t *w);
bool spirv_emit_memory(struct spirv_emit *e, const uint32_t *w);
bool spirv_emit_untyped(struct spirv_emit *e, const uint32_t *w);
bool spirv_emit_composite(struct spirv_emit *e, const uint32_t *w);
/* Matrices of subgroups; the second one what is done to each of their elements, for the first one. */
bool spirv_emit_cooperative(struct spirv_emit *e, const uint32_t *w);
bool spirv_emit_by_element(struct spirv_emit *e, const uint32_t *w);
bool spirv_emit_arithmetic(struct spirv_emit *e, const uint32_t *w);
bool spirv_emit_geometry(struct spirv_emit *e, const uint32_t *w);
bool spirv_emit_mesh(struct spirv_emit *e, const uint32_t *w);
void spirv_launch_meshes(struct spirv_emit *e, const uint32_t *w); /* a terminator */
bool spirv_emit_intel(struct spirv_emit *e, const uint32_t *w);
bool spirv_emit_bits(struct spirv_emit *e, const uint32_t *w);
bool spirv_emit_dot(struct spirv_emit *e, const uint32_t *w);
bool spirv_emit_conversion(struct spirv_emit *e, const uint32_t *w);
bool spirv_emit_matrix(struct spirv_emit *e, const uint32_t *w);
bool spirv_emit_texture(struct spirv_emit *e, const uint32_t *w);
bool spirv_emit_image(struct spirv_emit *e, const uint32_t *w);
bool spirv_emit_atomic(struct spirv_emit *e, const uint32_t *w);
bool spirv_emit_barrier(struct spirv_emit *e, const uint32_t *w);
bool spirv_emit_subgroup(struct spirv_emit *e, const uint32_t *w);
/* Whether the shader has quads. */
static inline bool
spirv_has_derivatives(const struct spirv_emit *e)
{
   return e->shader->stage == NIR_STAGE_FRAGMENT || e->shader->info.derivative_group;
}
bool spirv_emit_amd(struct spirv_emit *e, const uint32_t *w);
void spirv_emit_glsl(struct spirv_emit *e, const uint32_t *w);
void spirv_emit_instruction(struct spirv_emit *e, const uint32_t *w);

/* The body of a function at the cursor: its tree, the function's parameters being set. */
void spirv_emit_tree(struct spirv_emit *e, struct spirv_function *function);

/* ---- matrices ---- */

struct nir_def *spirv_determinant(struct spirv_emit *e, const struct spirv_ssa *matrix);
struct spirv_ssa *spirv_inverse(struct spirv_emit *e, const struct spirv_ssa *matrix);

/* ---- memory semantics ---- */

enum nir_scope spirv_scope(struct spirv_emit *e, uint32_t id);
void spirv_memory_barrier(struct spirv_emit *e, enum nir_scope execution, enum nir_scope memory, uint32_t semantics);

/* Gives values that do not dominate a use a way through a variable. */
void spirv_repair(struct nir_shader *shader);

#endif
