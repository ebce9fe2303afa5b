/* State of one translation: the parsed module, its id table, and what the phases leave for each other.
 *
 * Phases: spirv_parse (every word, against the grammar) -> spirv_decorations -> spirv_types_and_constants -> for each
 * function that is reached, spirv_analyze_function (blocks, dominators, structured tree) and spirv_emit_tree (nir,
 * calls inlined) -> spirv_repair. An error leaves through spirv_fail(), which does not return; everything allocated
 * lives in the two arenas or in the arrays that the end frees. Work that could grow faster than the module is counted
 * and bounded.
 */
/* size: the structures of one translation that all point at each other */
#ifndef INDIUM_SPIRV_MODULE_H
#define INDIUM_SPIRV_MODULE_H

#include <setjmp.h>
#include <spirv/unified1/spirv.h>

#include "compiler/nir/nir.h"
#include "compiler/spirv/spirv_parts.h"
#include "compiler/spirv/spirv_table.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "util/bitset.h"
#include "util/dynarray.h"

#define SPIRV_MAX_CAPABILITY 8192
#define SPIRV_MAX_SCALARS (1u << 20) /* of a value held in SSA form */
/* SPIR-V (2.17, "Universal Limits") lets structures nest 255 deep, and has no limit for arrays around them. */
#define SPIRV_MAX_TYPE_DEPTH 512
/* Of constructs in a function: SPIR-V lets control flow nest 1,023 deep, and a loop counts twice here. */
#define SPIRV_MAX_NESTING 2100
#define SPIRV_MAX_INDICES 255
#define SPIRV_MAX_STEPS 100000000
#define SPIRV_MAX_WORK (1u << 22) /* instructions, parts of aggregates: what inlining may grow to; constants alike */

/* ---- types ---- */

enum spirv_type_kind {
   SPIRV_TYPE_VOID,
   SPIRV_TYPE_BOOL,
   SPIRV_TYPE_INT,
   SPIRV_TYPE_FLOAT,
   SPIRV_TYPE_VECTOR,
   SPIRV_TYPE_MATRIX,
   SPIRV_TYPE_ARRAY, /* length 0: run-time array */
   SPIRV_TYPE_STRUCT,
   SPIRV_TYPE_POINTER,
   SPIRV_TYPE_FUNCTION,
   SPIRV_TYPE_IMAGE,
   SPIRV_TYPE_SAMPLER,
   SPIRV_TYPE_SAMPLED_IMAGE,
   SPIRV_TYPE_COOPERATIVE, /* matrix of a subgroup: the elements that an invocation has */
};

struct spirv_member {
   const struct spirv_type *type;
   int32_t offset_B;        /* -1: none */
   int32_t matrix_stride_B; /* 0: none */
   bool row_major;
   uint32_t access;     /* enum nir_access bits */
   struct spirv_io *io; /* decorations of an input or output */
};

struct spirv_type {
   enum spirv_type_kind kind;
   uint32_t id;
   uint8_t bit_size; /* bool 1, int, float; vector and matrix: of the component */
   bool is_signed;
   uint8_t components;               /* 1 scalar; vector; rows of a matrix */
   uint8_t columns;                  /* matrix, else 1 */
   uint16_t depth;                   /* of nested types below */
   enum nir_base_type base;          /* scalar, vector, matrix; VOID of an address */
   const struct spirv_type *element; /* component, column, array element, pointee, image of a sampled image, texel
                                        component of an image, result of a function */
   uint32_t length;                  /* array, cooperative matrix; number of members or parameters */
   uint32_t stride_B;                /* array; pointer, if decorated */
   uint32_t scalars;                 /* leaves of a value, UINT32_MAX if too many */
   struct spirv_member *members;
   const struct spirv_type **params;
   bool is_block, is_buffer_block, has_opaque, has_pointer, has_bool;
   SpvStorageClass storage; /* pointer */
   bool is_untyped;         /* pointer: element is void */
   uint8_t use;             /* cooperative matrix: enum nir_matrix_use */
   enum nir_image_dim dim;  /* image */
   bool is_arrayed, is_multisampled, is_depth;
   uint32_t sampled;           /* 0 unknown, 1 sampled, 2 storage */
   uint32_t format;            /* VkFormat */
   const struct nir_type *nir; /* NULL for void, pointers and functions */
   uint64_t layout_size_B;     /* of a struct in a block, once its explicit layout is checked */
   uint32_t layout_align_B;    /* 0: it is not yet */
};

/* ---- values ---- */

struct spirv_constant {
   const struct spirv_type *type;
   union nir_const_value value[4]; /* scalar or vector */
   struct spirv_parts *parts;      /* matrix columns, array elements, members; those that are not there are zero */
   struct spirv_ssa *ssa;          /* when emitted */
};

/* A value in SSA form: a vector or scalar is def; a matrix (its columns) or an aggregate has parts. */
struct spirv_ssa {
   const struct spirv_type *type;
   struct nir_def *def;
   struct spirv_parts *parts;
};

struct spirv_io { /* decorations of an interface variable or member */
   int32_t builtin, location, component, index;
   int32_t xfb_buffer, xfb_offset_B, stream; /* -1: none */
   uint32_t xfb_stride_B;
   bool flat, noperspective, centroid, sample, invariant, relaxed, patch, per_vertex, per_primitive, explicit;
   uint32_t access;
};

/* A pointer. deref is set except for the roots that an access chain has to consume first: a struct that was split
 * into one variable per member (members), and a buffer block, arrays of it included (var). */
struct spirv_pointer {
   const struct spirv_type *type; /* what it points to */
   SpvStorageClass storage;
   struct nir_deref_instr *deref;
   struct spirv_pointer **members;
   struct spirv_variable *var;
   struct spirv_io io;          /* with members: of the structure */
   uint32_t vertices;           /* with members: variables are arrays of so many; 0: no arrays */
   struct nir_def *vertex;      /* that is meant of them; NULL: type is the array */
   struct nir_def *block_index; /* so far, NULL is 0; buffers */
   uint32_t access;
   bool is_mutable;
   bool is_untyped; /* type is what was known last: spirv_pointer_as() */
   bool is_texel;   /* of OpImageTexelPointer: deref is the image */
   const struct spirv_type *image;
   struct nir_def *coord, *sample;
};

/* A loaded image, sampler or both. */
struct spirv_handle {
   const struct spirv_type *type;
   const struct spirv_type *image_type;
   struct nir_deref_instr *image, *sampler;
   uint32_t access;
};

struct spirv_variable {
   uint32_t id;
   const struct spirv_type *type; /* pointee */
   SpvStorageClass storage;
   uint32_t word;
   const char *name;
   uint32_t set, binding;
   struct spirv_io io;
   uint32_t input_attachment_index;
   bool has_set, has_binding, has_input_attachment_index, is_untyped;
   struct spirv_constant *initializer;
   struct nir_variable *nir;      /* uniforms, buffers */
   struct nir_deref_instr *block; /* cached, of a block that is no array */
   struct spirv_pointer *pointer; /* once created */
};

/* ---- ids ---- */

enum spirv_id_kind {
   SPIRV_ID_NONE, /* defined, not yet processed */
   SPIRV_ID_EXT_GLSL,
   SPIRV_ID_EXT_SKIP, /* NonSemantic.* */
   SPIRV_ID_EXT_TRINARY,
   SPIRV_ID_EXT_GCN,
   SPIRV_ID_EXT_BALLOT,
   SPIRV_ID_EXT_EXPLICIT,
   SPIRV_ID_TYPE,
   SPIRV_ID_CONSTANT,
   SPIRV_ID_UNDEF,
   SPIRV_ID_VARIABLE,
   SPIRV_ID_POINTER,
   SPIRV_ID_FUNCTION,
   SPIRV_ID_SSA,
   SPIRV_ID_HANDLE,
   SPIRV_ID_VOID, /* result of a call of type void */
};

enum spirv_id_flag {
   SPIRV_ID_NO_CONTRACTION = 1 << 0,
   SPIRV_ID_NON_UNIFORM = 1 << 1,
   SPIRV_ID_INTERFACE = 1 << 2, /* the entry point lists the variable */
   SPIRV_ID_FAST = 1 << 3,      /* FPFastMathMode allows what transforms do */
   SPIRV_ID_FORWARD = 1 << 4,   /* OpTypeForwardPointer named it */
};

struct spirv_id {
   uint32_t word; /* offset of the defining instruction, 0: undefined */
   uint32_t type_id;
   uint32_t decoration; /* first, index + 1 in decorations */
   uint32_t block;      /* index + 1 of the block that defines it, 0: at module level */
   uint8_t kind, flags;
   uint16_t opcode;
   const char *name;
   struct nir_variable *phi; /* of OpPhi, once created */
   uint32_t phi_operand;     /* of OpPhi: pair that was looked up last */
   union {
      struct spirv_type *type;
      struct spirv_constant *constant;
      struct spirv_variable *variable;
      struct spirv_pointer *pointer;
      struct spirv_ssa *ssa;
      struct spirv_handle *handle;
      uint32_t label_block;    /* index + 1, OpLabel */
      uint32_t function_index; /* OpFunction */
   };
};

struct spirv_decoration {
   uint32_t next;       /* index + 1 */
   int32_t member;      /* -1: the id itself */
   uint32_t decoration; /* SpvDecoration */
   uint32_t word;       /* of its first operand */
   uint32_t num_operands;
   uint32_t source; /* word of the instruction */
};

/* ---- functions ---- */

struct spirv_node;

struct spirv_block {
   uint32_t label_id, function; /* index of the function */
   uint32_t begin, end;         /* words of the body, without the merge instruction and terminator */
   uint32_t merge, terminator;  /* offset of the instruction, 0: none */
   uint32_t *succ, num_succ;    /* block indices */
   uint32_t num_preds, *preds;
   uint32_t order; /* reverse post-order number + 1, 0: unreachable */
   uint32_t idom, dom_pre, dom_post;
   bool visited;                       /* has its place in the tree */
   const struct spirv_node *case_node; /* the switch that the block is a case of, and which */
   uint32_t case_index;
};

struct spirv_function {
   uint32_t id, word; /* OpFunction */
   const struct spirv_type *type;
   uint32_t first_param, num_params; /* in param_ids */
   uint32_t first_block, num_blocks;
   bool analyzed, active; /* tree built; being inlined now */
   uint32_t num_returns;
   struct spirv_tree *tree;
};

struct spirv_stage {
   uint32_t model; /* SpvExecutionModel */
   bool is_supported;
};
extern const struct spirv_stage spirv_stages[NIR_STAGES];

struct spirv_entry {
   uint32_t model, function, word;
   const char *name;
   const uint32_t *interface;
   uint32_t num_interface;
};

struct spirv_mode { /* OpExecutionMode, OpExecutionModeId */
   uint32_t function, mode, word, num_operands;
   bool is_id;
};

struct spirv_module {
   struct arena *arena; /* of the result and of error texts */
   struct arena temp;   /* freed at the end */
   const struct spirv_options *options;
   const char *error;
   jmp_buf fail;

   const uint32_t *words;
   uint32_t count, version, bound; /* version: major << 8 | minor */
   uint32_t at;                    /* instruction that is being looked at; names the place in errors */
   struct spirv_id *ids;
   BITSET_DECLARE(capabilities, SPIRV_MAX_CAPABILITY);
   uint32_t memory_model;
   uint32_t types_begin, types_end; /* words of types, constants and global variables */

   struct dynarray decorations; /* spirv_decoration */
   struct dynarray group_words; /* uint32_t: offsets of OpGroup(Member)Decorate */
   struct dynarray entries;     /* spirv_entry */
   struct dynarray modes;       /* spirv_mode */
   struct dynarray functions;   /* spirv_function */
   struct dynarray blocks;      /* spirv_block */
   struct dynarray param_ids;   /* uint32_t */
   struct dynarray pending;     /* uint32_t: ids used before their definition, with the place */
   struct dynarray variables;   /* struct spirv_variable * */

   const struct spirv_entry *entry;
   bool exact_default;         /* of the entry point: FPFastMathDefault of some floats does not allow that */
   uint64_t dominator_steps;   /* bounded by SPIRV_MAX_STEPS */
   uint32_t constant_work;     /* parts that OpSpecConstantOp has copied; bounded by SPIRV_MAX_WORK */
   uint32_t workgroup_size_id; /* constant with BuiltIn WorkgroupSize, 0: none */
};

/* Leaves the translation with one line: the text, the instruction at m->at and its offset. */
_Noreturn void spirv_fail(struct spirv_module *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fails unless the condition holds. */
#define spirv_require(m, condition, ...)                                                                             \
   do {                                                                                                              \
      if (__builtin_expect(!(condition), 0))                                                                         \
         spirv_fail((m), __VA_ARGS__);                                                                               \
   } while (0)

static inline bool
spirv_has(const struct spirv_module *m, SpvCapability capability)
{
   return (uint32_t)capability < SPIRV_MAX_CAPABILITY && bitset_test(m->capabilities, (unsigned)capability);
}

/* Words of the instruction at an offset: w[0] is opcode and length. */
static inline const uint32_t *
spirv_words(const struct spirv_module *m, uint32_t at)
{
   return m->words + at;
}

static inline uint32_t
spirv_opcode(const uint32_t *w)
{
   return w[0] & 0xffff;
}

static inline uint32_t
spirv_length(const uint32_t *w)
{
   return w[0] >> 16;
}

/* An instruction of a NonSemantic set. */
static inline bool
spirv_is_skipped(const struct spirv_module *m, const uint32_t *w)
{
   const uint32_t opcode = spirv_opcode(w);
   return (opcode == SpvOpExtInst || opcode == SpvOpExtInstWithForwardRefsKHR) &&
          m->ids[w[3]].kind == SPIRV_ID_EXT_SKIP;
}

/* ---- phases ---- */

void spirv_parse(struct spirv_module *m);
void spirv_declare_capability(struct spirv_module *m, uint32_t capability);
void spirv_check_features(struct spirv_module *m);
/* Of one instruction: what it needs is supported. */
void spirv_check_instruction(struct spirv_module *m, const struct spirv_op_info *info);
/* AMD's instruction sets: whether the name is one's, which the id becomes; whether one has the instruction. */
bool spirv_amd_import(struct spirv_module *m, uint32_t id, const char *name);
void spirv_amd_check(struct spirv_module *m, uint8_t kind, uint32_t number, uint32_t operands);
void spirv_decorations(struct spirv_module *m);
/* Whether an FPFastMathMode allows what transforms of inexact instructions do. */
bool spirv_is_fast(uint32_t mode);
void spirv_types_and_constants(struct spirv_module *m);
/* The one that the options name; NULL: there is none, or there are no options. */
const struct spirv_entry *spirv_find_entry(const struct spirv_module *m);
void spirv_execution_modes(struct spirv_module *m, struct nir_shader *shader);
/* Of geometry shaders: false if the mode is none; what they must have. */
bool spirv_geometry_mode(struct spirv_module *m, const struct spirv_mode *mode, struct nir_shader *shader);
void spirv_check_geometry(struct spirv_module *m, struct nir_shader *shader);
/* The same of tessellation shaders. */
bool spirv_tessellation_mode(struct spirv_module *m, const struct spirv_mode *mode, struct nir_shader *shader);
void spirv_check_tessellation(struct spirv_module *m, struct nir_shader *shader);
/* Those of task and mesh shaders. */
bool spirv_mesh_mode(struct spirv_module *m, const struct spirv_mode *mode, struct nir_shader *shader);
void spirv_check_mesh(struct spirv_module *m, struct nir_shader *shader);

/* ---- decorations ---- */

/* Visits the decorations of an id; member -1: of the id itself. */
#define spirv_for_each_decoration(it, m, id)                                                                         \
   for (const struct spirv_decoration *it = spirv_decoration_at((m), (m)->ids[id].decoration); it;                   \
        it = spirv_decoration_at((m), it->next))

static inline const struct spirv_decoration *
spirv_decoration_at(const struct spirv_module *m, uint32_t index)
{
   return index ? dynarray_at(&m->decorations, const struct spirv_decoration, index - 1) : NULL;
}

void spirv_io_init(struct spirv_io *io);
/* Takes what concerns an interface variable or member; false if the decoration is another kind. */
bool spirv_io_decorate(struct spirv_module *m, struct spirv_io *io, const struct spirv_decoration *decoration);

/* ---- types and constants ---- */

const struct spirv_type *spirv_type(struct spirv_module *m, uint32_t id); /* fails if the id is no type */
void spirv_type_instruction(struct spirv_module *m, const uint32_t *w);
void spirv_cooperative_type(struct spirv_module *m, struct spirv_type *type, const uint32_t *w);
/* OpCooperativeMatrixLengthKHR of the type at the id. */
uint32_t spirv_cooperative_length(struct spirv_module *m, uint32_t id);
/* Opcodes that make types. */
bool spirv_makes_type(uint32_t opcode);
/* Checks the explicit layout of what an address points to. */
/* The explicit layout of a type in a block is whole. Returns the bytes of its largest scalar. */
uint32_t spirv_check_layout(struct spirv_module *m, const struct spirv_type *type);
const char *spirv_type_name(struct spirv_module *m, const struct spirv_type *type); /* for errors */
bool spirv_type_compatible(const struct spirv_type *a, const struct spirv_type *b); /* as OpCopyLogical wants */

static inline bool
spirv_is_scalar(const struct spirv_type *type)
{
   return type->kind == SPIRV_TYPE_BOOL || type->kind == SPIRV_TYPE_INT || type->kind == SPIRV_TYPE_FLOAT;
}

/* A pointer that is a value: of physical storage, and variable ones. nir's deref_address says which. */
static inline bool
spirv_is_address(const struct spirv_type *type)
{
   return type->kind == SPIRV_TYPE_POINTER && type->bit_size;
}

static inline bool
spirv_is_vector_or_scalar(const struct spirv_type *type)
{
   return spirv_is_scalar(type) || type->kind == SPIRV_TYPE_VECTOR || spirv_is_address(type);
}

static inline bool
spirv_is_composite(const struct spirv_type *type)
{
   return type->kind == SPIRV_TYPE_MATRIX || type->kind == SPIRV_TYPE_ARRAY || type->kind == SPIRV_TYPE_STRUCT ||
          type->kind == SPIRV_TYPE_COOPERATIVE;
}

/* A vector or scalar of integers (INT and UINT). */
static inline bool
spirv_is_int(const struct spirv_type *type)
{
   return spirv_is_vector_or_scalar(type) && (type->base == NIR_TYPE_INT || type->base == NIR_TYPE_UINT);
}

static inline bool
spirv_is_float(const struct spirv_type *type)
{
   return spirv_is_vector_or_scalar(type) && type->base == NIR_TYPE_FLOAT;
}

static inline bool
spirv_is_bool(const struct spirv_type *type)
{
   return spirv_is_vector_or_scalar(type) && type->base == NIR_TYPE_BOOL;
}

/* Member or element `index` of a composite type. */
static inline const struct spirv_type *
spirv_child_type(const struct spirv_type *type, uint32_t index)
{
   return type->kind == SPIRV_TYPE_STRUCT ? type->members[index].type : type->element;
}

/* How many children a composite value has. */
static inline uint32_t
spirv_child_count(const struct spirv_type *type)
{
   return type->kind == SPIRV_TYPE_MATRIX ? type->columns : type->length;
}

static inline struct spirv_ssa *
spirv_ssa_part(const struct spirv_ssa *ssa, uint32_t index)
{
   return spirv_part(ssa->parts, spirv_child_count(ssa->type), index);
}

/* NULL: it is zero. */
static inline struct spirv_constant *
spirv_constant_part(const struct spirv_constant *constant, uint32_t index)
{
   return spirv_part(constant->parts, spirv_child_count(constant->type), index);
}

struct spirv_constant *spirv_constant(struct spirv_module *m, uint32_t id); /* fails if it is none */
/* Value of an integer scalar constant. */
uint64_t spirv_constant_uint(struct spirv_module *m, uint32_t id);
uint32_t spirv_constant_u32(struct spirv_module *m, uint32_t id); /* fails beyond 32 bits */
struct spirv_constant *spirv_constant_null(struct spirv_module *m, const struct spirv_type *type);
/* Whether OpUndef of the type makes a value. An undefined image, sampler, pointer or run-time array makes none: who
 * uses one is told that the id is no value. Fails if the type has no ids at all. */
bool spirv_may_be_undefined(struct spirv_module *m, const struct spirv_type *type);
struct spirv_constant *spirv_spec_op(struct spirv_module *m, const uint32_t *w);
void spirv_variable_instruction(struct spirv_module *m, const uint32_t *w);

/* ---- functions ---- */

/* Reads blocks' terminators, numbers blocks, computes dominators and the structured tree. */
void spirv_analyze_function(struct spirv_module *m, struct spirv_function *function);

static inline struct spirv_block *
spirv_block(const struct spirv_module *m, uint32_t index)
{
   return dynarray_at(&m->blocks, struct spirv_block, index);
}

static inline struct spirv_function *
spirv_function(const struct spirv_module *m, uint32_t index)
{
   return dynarray_at(&m->functions, struct spirv_function, index);
}

/* Both reachable and in one function. */
static inline bool
spirv_dominates(const struct spirv_block *a, const struct spirv_block *b)
{
   return a->function == b->function && a->order && b->order && a->dom_pre <= b->dom_pre &&
          a->dom_post >= b->dom_post;
}

#endif
