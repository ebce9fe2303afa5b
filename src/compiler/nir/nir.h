/* nir: the SSA intermediate representation between SPIR-V and the back ends. Specification: docs/ir.md.
 *
 * A shader is one function in structured control flow (the front end inlines calls): a list of control flow nodes,
 * each a block, an if or a loop; a block is a list of instructions; an instruction defines at most one SSA value.
 * Opcodes, intrinsics and their meaning stand in nir_opcodes.py and nir_intrinsics.py. */
/* size: the structures of one graph that all point at each other */
#ifndef INDIUM_NIR_H
#define INDIUM_NIR_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "compiler/nir/nir_intrinsics.h" /* generated: enum nir_intrinsic_op, its info table, index accessors */
#include "compiler/nir/nir_opcodes.h"    /* generated: enum nir_op, its info table */
#include "compiler/nir/nir_shader_info.h"
#include "compiler/nir/nir_types.h"
#include "util/arena.h"
#include "util/list.h"

#define NIR_MAX_COMPONENTS 4

/* ---- SSA values ---- */

/* A value: 1 to 4 components of 1 (boolean), 8, 16, 32 or 64 bits. */
struct nir_def {
   struct nir_instr *parent;
   struct list_head uses; /* of nir_src.use_link */
   uint32_t index;        /* dense after nir_index_defs() */
   uint8_t num_components;
   uint8_t bit_size;
   bool divergent; /* differs between the lanes of a wave; set by nir_divergence_analysis() */
};

/* One use of a value, by an instruction or as the condition of an if. */
struct nir_src {
   struct nir_def *def;
   struct nir_instr *parent_instr; /* NULL if parent_if is set */
   struct nir_if *parent_if;
   struct list_head use_link;
};

/* ---- instructions ---- */

enum nir_instr_type {
   NIR_INSTR_ALU,
   NIR_INSTR_LOAD_CONST,
   NIR_INSTR_UNDEF,
   NIR_INSTR_DEREF,
   NIR_INSTR_INTRINSIC,
   NIR_INSTR_TEX,
   NIR_INSTR_PHI,
   NIR_INSTR_JUMP,
};

struct nir_instr {
   struct list_head link; /* in nir_block.instrs */
   struct nir_block *block;
   enum nir_instr_type type;
   uint32_t index;      /* order in the shader after nir_index_instrs() */
   uint32_t pass_flags; /* scratch of the running pass */
};

struct nir_alu_src {
   struct nir_src src;
   uint8_t swizzle[NIR_MAX_COMPONENTS]; /* component of src per component of the result (or of a fixed-size input) */
};

struct nir_alu_instr {
   struct nir_instr instr;
   enum nir_op op;
   bool exact; /* SPIR-V NoContraction / precise: no transform that changes a float result */
   struct nir_def def;
   struct nir_alu_src src[]; /* as many as the operation has */
};

static inline size_t
nir_alu_size_B(enum nir_op op)
{
   return sizeof(struct nir_alu_instr) + nir_op_infos[op].num_srcs * sizeof(struct nir_alu_src);
}

union nir_const_value {
   bool b;
   uint8_t u8;
   int8_t i8;
   uint16_t u16; /* also the bits of a half */
   int16_t i16;
   uint32_t u32;
   int32_t i32;
   float f32;
   uint64_t u64;
   int64_t i64;
   double f64;
};

struct nir_load_const_instr {
   struct nir_instr instr;
   struct nir_def def;
   union nir_const_value value[NIR_MAX_COMPONENTS]; /* unused high bits are 0 */
};

struct nir_undef_instr {
   struct nir_instr instr;
   struct nir_def def;
};

/* An access path into a variable. Its def is a pointer-like value of 1x32 bits that only derefs and the *_deref
 * intrinsics use; nir_lower_* passes turn all of them into offsets. */
enum nir_deref_type {
   NIR_DEREF_VAR,    /* root: a variable */
   NIR_DEREF_ARRAY,  /* parent[index]: arrays, matrix columns, vector components */
   NIR_DEREF_STRUCT, /* parent.field */
   /* A root; parent is the result of vulkan_resource_index (ubo, ssbo), or what deref_address makes (global, ssbo,
    * shared). */
   NIR_DEREF_CAST,
};

struct nir_deref_instr {
   struct nir_instr instr;
   enum nir_deref_type deref_type;
   uint32_t mode;               /* enum nir_var_mode, of the root */
   const struct nir_type *type; /* of what it points to */
   struct nir_def def;
   struct nir_variable *var; /* VAR */
   struct nir_src parent;    /* all but VAR */
   struct nir_src index;     /* ARRAY */
   uint32_t field;           /* STRUCT */
};

struct nir_intrinsic_instr {
   struct nir_instr instr;
   enum nir_intrinsic_op op;
   struct nir_def def;     /* valid if the info table says has_dest */
   uint8_t num_components; /* of the variable-sized sources and result */
   struct nir_src src[NIR_INTRINSIC_MAX_SRCS];
   int32_t index[NIR_INTRINSIC_MAX_INDICES]; /* by the generated nir_intrinsic_<index>() accessors */
};

enum nir_tex_op {
   NIR_TEX,    /* implicit derivative */
   NIR_TXB,    /* implicit derivative and bias */
   NIR_TXL,    /* explicit lod */
   NIR_TXD,    /* explicit derivatives */
   NIR_TXF,    /* texel fetch, integer coordinates */
   NIR_TXF_MS, /* texel fetch of one sample */
   NIR_TXS,    /* size of a level */
   NIR_LOD,    /* (clamped level, unclamped lod) */
   NIR_TG4,    /* gather of one component */
   NIR_QUERY_LEVELS,
   NIR_TEXTURE_SAMPLES,
};

enum nir_tex_src_type {
   NIR_TEX_SRC_COORD, /* with the array layer as last component; not divided by the projector */
   NIR_TEX_SRC_PROJECTOR,
   NIR_TEX_SRC_COMPARATOR,
   NIR_TEX_SRC_OFFSET, /* integer texel offset */
   NIR_TEX_SRC_BIAS,
   NIR_TEX_SRC_LOD,
   NIR_TEX_SRC_MIN_LOD,
   NIR_TEX_SRC_DDX,
   NIR_TEX_SRC_DDY,
   NIR_TEX_SRC_MS_INDEX,
   NIR_TEX_SRC_TEXTURE_DEREF, /* before descriptor lowering */
   NIR_TEX_SRC_SAMPLER_DEREF,
   NIR_TEX_SRC_TEXTURE_DESC,    /* after: the driver's descriptor words as uniform u32 vectors, first half */
   NIR_TEX_SRC_TEXTURE_DESC_HI, /* second half: words 4 to 7 */
   NIR_TEX_SRC_SAMPLER_DESC,
   NIR_TEX_SRC_TEXTURE_HANDLE, /* or, where hardware reads descriptors itself: a u32x2 that names one */
   NIR_TEX_SRC_SAMPLER_HANDLE,
   NIR_TEX_SRC_TYPE_COUNT,
};

struct nir_tex_src {
   struct nir_src src;
   enum nir_tex_src_type type;
};

#define NIR_TEX_MAX_SRCS 12

struct nir_tex_instr {
   struct nir_instr instr;
   enum nir_tex_op op;
   enum nir_image_dim dim;
   bool is_array, is_shadow;
   bool is_sparse; /* the result is no texel but its residency code: 0 if all that it is made of has memory */
   uint8_t gather_component;
   int8_t gather_offsets[4][2]; /* textureGatherOffsets */
   bool has_gather_offsets;
   enum nir_base_type dest_type;
   struct nir_def def;
   uint8_t num_srcs;
   struct nir_tex_src src[NIR_TEX_MAX_SRCS];
};

struct nir_phi_src {
   struct list_head link;
   struct nir_block *pred;
   struct nir_src src;
};

struct nir_phi_instr {
   struct nir_instr instr;
   struct list_head srcs; /* of nir_phi_src, one per predecessor of the block */
   struct nir_def def;
};

enum nir_jump_type {
   NIR_JUMP_BREAK,
   NIR_JUMP_CONTINUE,
   NIR_JUMP_HALT, /* ends the invocation; only at the end of a top-level or nested block (OpKill after lowering) */
};

struct nir_jump_instr {
   struct nir_instr instr;
   enum nir_jump_type jump;
};

/* ---- control flow ---- */

enum nir_cf_type {
   NIR_CF_BLOCK,
   NIR_CF_IF,
   NIR_CF_LOOP,
};

/* Every list of nodes starts and ends with a block, and between two non-blocks stands a block. */
struct nir_cf_node {
   struct list_head link; /* in a cf list */
   enum nir_cf_type type;
   struct nir_cf_node *parent; /* the if or loop around; NULL at the top */
   struct list_head *list;     /* the list that holds it */
};

struct nir_block {
   struct nir_cf_node cf;
   struct list_head instrs;   /* phis first, a jump last */
   uint32_t index;            /* after nir_index_blocks(): source order, dominators first */
   struct nir_block *succ[2]; /* [0] then or next, [1] else; NULL if none */
   struct nir_block **preds;
   uint32_t num_preds, max_preds;
   struct nir_block *idom;     /* by nir_compute_dominance() */
   uint32_t dom_pre, dom_post; /* a dominates b iff a.pre <= b.pre and a.post >= b.post */
   uint8_t loop_depth;         /* by nir_index_blocks() */
   bool divergent;             /* reached under divergent control flow; set by nir_divergence_analysis() */
};

struct nir_if {
   struct nir_cf_node cf;
   struct nir_src condition; /* 1x1 boolean */
   struct list_head then_list, else_list;
   bool flatten, dont_flatten; /* hints of the source */
};

/* Repeats until a break. `continue` goes to the first block of the body. */
struct nir_loop {
   struct nir_cf_node cf;
   struct list_head body;
   bool unroll, dont_unroll; /* hints */
   bool divergent;           /* lanes leave in different iterations */
   bool divergent_continue;  /* lanes start the next iteration from different blocks */
};

/* ---- variables ---- */

enum nir_var_mode {
   NIR_VAR_FUNCTION_TEMP = 1 << 0,
   NIR_VAR_SHADER_IN = 1 << 1,
   NIR_VAR_SHADER_OUT = 1 << 2,
   NIR_VAR_UNIFORM = 1 << 3, /* opaque: samplers, textures, images */
   NIR_VAR_UBO = 1 << 4,
   NIR_VAR_SSBO = 1 << 5,
   NIR_VAR_PUSH_CONST = 1 << 6,
   NIR_VAR_SHARED = 1 << 7,
   NIR_VAR_CONSTANT = 1 << 8,     /* a table that nobody writes: its initializer, with a layout and an offset */
   NIR_VAR_TASK_PAYLOAD = 1 << 9, /* what a task's workgroup passes to its mesh workgroups, which read it */
   NIR_VAR_GLOBAL = 1 << 10,      /* memory at a 64-bit address; of casts only */
};

#define NIR_MAX_INITIALIZER (1u << 22) /* scalars */
#define NIR_MAX_CONSTANT_B (1u << 26)  /* of a shader */

struct nir_variable {
   struct list_head link;       /* in nir_shader.variables */
   const char *name;            /* may be NULL */
   uint32_t mode;               /* one enum nir_var_mode */
   const struct nir_type *type; /* of an arrayed block: array of the block */
   uint32_t index;
   int32_t location;   /* enum nir_slot for inputs and outputs, -1 if none */
   uint8_t component;  /* first component of the location */
   uint8_t frag_index; /* dual-source blending: 1 for the second colour */
   enum nir_interp interp;
   bool centroid, sample, invariant;
   /* Of inputs, and outputs of control shaders: an array over the primitive's vertices, outermost. Other outputs of
    * control shaders and inputs of evaluation shaders are the patch's. Of outputs of mesh shaders: an array over the
    * workgroup's vertices, or with per_primitive over its primitives. */
   bool per_vertex;
   bool per_primitive;    /* of fragment shaders: an input that is the same in all of a mesh shader's primitive */
   uint8_t stream;        /* of outputs of a geometry shader */
   bool relaxed;          /* RelaxedPrecision: 16 bits are enough */
   bool zeroed;           /* of shared: holds zeros when a workgroup starts */
   bool aliased;          /* of shared blocks: in the same memory as the others that are */
   uint32_t set, binding; /* uniform, ubo, ssbo */
   uint32_t access;       /* enum nir_access bits */
   uint32_t input_attachment_index;
   uint32_t offset_B;                        /* shared, constant: where it begins */
   const union nir_const_value *initializer; /* per scalar in depth-first order, or NULL */
};

/* ---- shader ---- */

struct nir_shader {
   struct arena *arena; /* holds the shader and everything in it */
   bool watched;        /* INDIUM_DEBUG asks something of its passes (nir_pass.c) */
   enum nir_stage stage;
   const char *name;
   struct list_head variables;  /* of nir_variable */
   struct list_head body;       /* of nir_cf_node: the entry point */
   struct nir_block *end_block; /* empty; successor of the last block and of every halt */
   struct nir_shader_info info;
   uint32_t num_defs, num_instrs, num_blocks; /* by the nir_index_* functions */
   uint32_t next_index;                       /* source of def and variable indices */
};

/* ---- casts and iteration ---- */

#define NIR_CAST(name, struct_name, from_type, field)                                                                \
   static inline struct struct_name *name(const struct from_type *node)                                              \
   {                                                                                                                 \
      return container_of(node, struct struct_name, field);                                                          \
   }
NIR_CAST(nir_as_alu, nir_alu_instr, nir_instr, instr)
NIR_CAST(nir_as_load_const, nir_load_const_instr, nir_instr, instr)
NIR_CAST(nir_as_undef, nir_undef_instr, nir_instr, instr)
NIR_CAST(nir_as_deref, nir_deref_instr, nir_instr, instr)
NIR_CAST(nir_as_intrinsic, nir_intrinsic_instr, nir_instr, instr)
NIR_CAST(nir_as_tex, nir_tex_instr, nir_instr, instr)
NIR_CAST(nir_as_phi, nir_phi_instr, nir_instr, instr)
NIR_CAST(nir_as_jump, nir_jump_instr, nir_instr, instr)
NIR_CAST(nir_cf_as_block, nir_block, nir_cf_node, cf)
NIR_CAST(nir_cf_as_if, nir_if, nir_cf_node, cf)
NIR_CAST(nir_cf_as_loop, nir_loop, nir_cf_node, cf)

#define nir_foreach_cf(node, list) list_for_each(struct nir_cf_node, node, list, link)
#define nir_foreach_instr(it, block) list_for_each(struct nir_instr, it, &(block)->instrs, link)
#define nir_foreach_instr_safe(it, block) list_for_each_safe(struct nir_instr, it, &(block)->instrs, link)
#define nir_foreach_phi_src(it, phi) list_for_each(struct nir_phi_src, it, &(phi)->srcs, link)
#define nir_foreach_use(it, def) list_for_each(struct nir_src, it, &(def)->uses, use_link)
#define nir_foreach_use_safe(it, def) list_for_each_safe(struct nir_src, it, &(def)->uses, use_link)
#define nir_foreach_variable(it, shader) list_for_each(struct nir_variable, it, &(shader)->variables, link)
/* Blocks in source order; the current block may get instructions but not be split. */
#define nir_foreach_block(it, shader)                                                                                \
   for (struct nir_block *it = nir_first_block(shader); it; it = nir_next_block(it))

struct nir_block *nir_first_block(const struct nir_shader *shader);
struct nir_block *nir_next_block(const struct nir_block *block); /* NULL after the last; never the end block */

/* The value an instruction defines, or NULL. */
static inline struct nir_def *
nir_instr_def(const struct nir_instr *instr)
{
   switch (instr->type) {
   case NIR_INSTR_ALU:
      return &nir_as_alu(instr)->def;
   case NIR_INSTR_LOAD_CONST:
      return &nir_as_load_const(instr)->def;
   case NIR_INSTR_UNDEF:
      return &nir_as_undef(instr)->def;
   case NIR_INSTR_DEREF:
      return &nir_as_deref(instr)->def;
   case NIR_INSTR_INTRINSIC: {
      struct nir_intrinsic_instr *intrinsic = nir_as_intrinsic(instr);
      return nir_intrinsic_infos[intrinsic->op].has_dest ? &intrinsic->def : NULL;
   }
   case NIR_INSTR_TEX:
      return &nir_as_tex(instr)->def;
   case NIR_INSTR_PHI:
      return &nir_as_phi(instr)->def;
   case NIR_INSTR_JUMP:
      return NULL;
   }
   assert(!"instruction type");
   return NULL;
}

/* Calls visit for each source; stops and returns false when visit does. Most instructions are of the first kind: the
 * compiler puts visit itself there. */
bool nir_foreach_other_src(struct nir_instr *instr, bool (*visit)(struct nir_src *src, void *data), void *data);

static inline bool
nir_foreach_src(struct nir_instr *instr, bool (*visit)(struct nir_src *src, void *data), void *data)
{
   if (instr->type == NIR_INSTR_LOAD_CONST)
      return true;
   if (instr->type != NIR_INSTR_ALU)
      return nir_foreach_other_src(instr, visit, data);
   struct nir_alu_instr *alu = nir_as_alu(instr);
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_srcs; i++) {
      if (!visit(&alu->src[i].src, data))
         return false;
   }
   return true;
}

#include "compiler/nir/nir_intrinsic_accessors.h" /* nir_intrinsic_<index>(), nir_intrinsic_set_<index>() */

/* ---- construction (see nir_builder.h for the convenient form) ---- */

struct nir_shader *nir_shader_create(struct arena *arena, enum nir_stage stage);
struct nir_variable *nir_variable_create(struct nir_shader *shader, uint32_t mode, const struct nir_type *type,
                                         const char *name);
struct nir_alu_instr *nir_alu_create(struct nir_shader *shader, enum nir_op op);
struct nir_load_const_instr *nir_load_const_create(struct nir_shader *shader, unsigned num_components,
                                                   unsigned bit_size);
struct nir_undef_instr *nir_undef_create(struct nir_shader *shader, unsigned num_components, unsigned bit_size);
struct nir_deref_instr *nir_deref_create(struct nir_shader *shader, enum nir_deref_type type);
struct nir_intrinsic_instr *nir_intrinsic_create(struct nir_shader *shader, enum nir_intrinsic_op op);
struct nir_tex_instr *nir_tex_create(struct nir_shader *shader, enum nir_tex_op op);
struct nir_phi_instr *nir_phi_create(struct nir_shader *shader);
struct nir_jump_instr *nir_jump_create(struct nir_shader *shader, enum nir_jump_type type);
void nir_phi_add_src(struct nir_shader *shader, struct nir_phi_instr *phi, struct nir_block *pred,
                     struct nir_def *def);
/* Before insertion. */
void nir_tex_add_src(struct nir_tex_instr *tex, enum nir_tex_src_type type, struct nir_def *def);
int nir_tex_src_index(const struct nir_tex_instr *tex, enum nir_tex_src_type type); /* -1 if absent */
void nir_def_init(struct nir_shader *shader, struct nir_instr *instr, struct nir_def *def, unsigned num_components,
                  unsigned bit_size);

/* Where to insert. */
enum nir_cursor_option {
   NIR_CURSOR_BEFORE_BLOCK, /* after the phis */
   NIR_CURSOR_AFTER_BLOCK,  /* before a final jump */
   NIR_CURSOR_BEFORE_INSTR,
   NIR_CURSOR_AFTER_INSTR,
};

struct nir_cursor {
   enum nir_cursor_option option;
   struct nir_block *block;
   struct nir_instr *instr;
};

struct list_head *nir_cursor_link(struct nir_cursor cursor); /* the node of nir_block.instrs before the cursor */
struct nir_cursor nir_before_block(struct nir_block *block);
struct nir_cursor nir_after_block(struct nir_block *block);
struct nir_cursor nir_before_instr(struct nir_instr *instr);
struct nir_cursor nir_after_instr(struct nir_instr *instr);

void nir_instr_insert(struct nir_cursor cursor, struct nir_instr *instr); /* links the uses of its sources */
void nir_instr_remove(struct nir_instr *instr);                           /* its value must be unused */
void nir_src_init(struct nir_src *src, struct nir_def *def);              /* before insertion */
void nir_src_rewrite(struct nir_src *src, struct nir_def *def);           /* of an inserted instruction or if */
void nir_def_replace(struct nir_def *def, struct nir_def *by);            /* rewrites every use */

void nir_src_unlink(struct nir_src *src); /* of an instruction about to change */

/* Inserts an empty if or loop after the block part before the cursor (the block is split). */
struct nir_if *nir_if_insert(struct nir_shader *shader, struct nir_cursor cursor, struct nir_def *condition);
struct nir_loop *nir_loop_insert(struct nir_shader *shader, struct nir_cursor cursor);

/* ---- constants of sources ---- */

bool nir_src_is_const(struct nir_src src);
/* Zero-extended component; the source is constant. */
uint64_t nir_src_comp_as_uint(struct nir_src src, unsigned component);
double nir_const_as_float(union nir_const_value value, unsigned bit_size);

/* ---- analyses ---- */

void nir_index_blocks(struct nir_shader *shader);
void nir_index_instrs(struct nir_shader *shader);
void nir_index_defs(struct nir_shader *shader);
void nir_compute_preds(struct nir_shader *shader);
void nir_compute_dominance(struct nir_shader *shader);
bool nir_block_dominates(const struct nir_block *a, const struct nir_block *b);
void nir_gather_info(struct nir_shader *shader);

/* ---- text, checking ---- */

void nir_print(const struct nir_shader *shader, FILE *file);
/* NULL on a syntax or type error, described with its line in *error (in the arena). */
struct nir_shader *nir_parse(struct arena *arena, const char *text, const char **error);
/* NULL if the shader obeys docs/ir.md, else what is wrong (in the arena). */
const char *nir_validate(const struct nir_shader *shader);

#endif
