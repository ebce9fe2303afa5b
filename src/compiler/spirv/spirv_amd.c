/* Instruction sets of AMD: SPV_AMD_shader_trinary_minmax, SPV_AMD_gcn_shader, SPV_AMD_shader_ballot (whose group
 * operations are in spirv_subgroup.c) and SPV_AMD_shader_explicit_vertex_parameter. */
#include <string.h>

#include "compiler/nir/nir_deref.h"
#include "compiler/spirv/spirv_emit.h"
#include "util/macros.h"

/* By number; the specifications of the extensions name them. */
static const struct {
   const char *name;
   uint8_t inner, outer; /* enum nir_op: outer(inner(x, y), z); inner 0: the middle one of three */
   uint8_t max;          /* of the middle one, whose outer is its minimum */
} trinary[] = {
   [1] = {"FMin3AMD", NIR_OP_fmin, NIR_OP_fmin, 0}, [2] = {"UMin3AMD", NIR_OP_umin, NIR_OP_umin, 0},
   [3] = {"SMin3AMD", NIR_OP_imin, NIR_OP_imin, 0}, [4] = {"FMax3AMD", NIR_OP_fmax, NIR_OP_fmax, 0},
   [5] = {"UMax3AMD", NIR_OP_umax, NIR_OP_umax, 0}, [6] = {"SMax3AMD", NIR_OP_imax, NIR_OP_imax, 0},
   [7] = {"FMid3AMD", 0, NIR_OP_fmin, NIR_OP_fmax}, [8] = {"UMid3AMD", 0, NIR_OP_umin, NIR_OP_umax},
   [9] = {"SMid3AMD", 0, NIR_OP_imin, NIR_OP_imax},
};

enum { CUBE_FACE_INDEX = 1, CUBE_FACE_COORD = 2, TIME = 3 };
enum { SWIZZLE = 1, SWIZZLE_MASKED = 2, WRITE_INVOCATION = 3, MBCNT = 4 };

/* The instructions of the other sets. */
struct instruction {
   const char *name;
   unsigned operands;
};
enum { MAX_NUMBER = 4 };

static const struct spirv_amd_set {
   const char *name;
   uint8_t kind; /* enum spirv_id_kind */
   uint64_t feature;
   struct instruction instructions[MAX_NUMBER + 1]; /* by number */
} sets[] = {
   {"SPV_AMD_shader_trinary_minmax", SPIRV_ID_EXT_TRINARY, SPIRV_FEATURE_AMD_TRINARY, {{0}}},
   {"SPV_AMD_gcn_shader",
    SPIRV_ID_EXT_GCN,
    SPIRV_FEATURE_AMD_GCN,
    {[CUBE_FACE_INDEX] = {"CubeFaceIndexAMD", 1},
     [CUBE_FACE_COORD] = {"CubeFaceCoordAMD", 1},
     [TIME] = {"TimeAMD", 0}}},
   {"SPV_AMD_shader_ballot",
    SPIRV_ID_EXT_BALLOT,
    SPIRV_FEATURE_AMD_BALLOT,
    {[SWIZZLE] = {"SwizzleInvocationsAMD", 2},
     [SWIZZLE_MASKED] = {"SwizzleInvocationsMaskedAMD", 2},
     [WRITE_INVOCATION] = {"WriteInvocationAMD", 3},
     [MBCNT] = {"MbcntAMD", 1}}},
   {"SPV_AMD_shader_explicit_vertex_parameter",
    SPIRV_ID_EXT_EXPLICIT,
    SPIRV_FEATURE_AMD_EXPLICIT,
    {[1] = {"InterpolateAtVertexAMD", 2}}},
};

bool
spirv_amd_import(struct spirv_module *m, uint32_t id, const char *name)
{
   for (unsigned i = 0; i < ARRAY_SIZE(sets); i++) {
      if (strcmp(name, sets[i].name))
         continue;
      spirv_require(m, !m->options || m->options->features & sets[i].feature, "the instruction set is not enabled");
      m->ids[id].kind = sets[i].kind;
      return true;
   }
   return false;
}

static const struct instruction *
find(uint8_t kind, uint32_t number)
{
   for (unsigned i = 0; i < ARRAY_SIZE(sets); i++) {
      if (sets[i].kind == kind && number <= MAX_NUMBER)
         return &sets[i].instructions[number];
   }
   return NULL;
}

void
spirv_amd_check(struct spirv_module *m, uint8_t kind, uint32_t number, uint32_t operands)
{
   struct instruction wanted = {NULL, 3};
   if (kind == SPIRV_ID_EXT_TRINARY)
      wanted.name = number < ARRAY_SIZE(trinary) ? trinary[number].name : NULL;
   else if (find(kind, number))
      wanted = *find(kind, number);
   spirv_require(m, wanted.name, "the instruction set has no instruction %u", number);
   spirv_require(m, operands == wanted.operands, "%s takes %u operands", wanted.name, wanted.operands);
}

static void
emit_trinary(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   const uint32_t number = w[4];
   const struct spirv_type *type = spirv_result_type(e, w);
   struct nir_def *x[3];
   spirv_require(e->m, number % 3 == 1 ? spirv_is_float(type) : spirv_is_int(type),
                 "the operation does not exist on this type");
   for (unsigned i = 0; i < 3; i++)
      x[i] = spirv_def_of(e, w[5 + i], type);
   const enum nir_op outer = (enum nir_op)trinary[number].outer, inner = (enum nir_op)trinary[number].inner;
   if (trinary[number].max) {
      /* max(min(x, y), min(max(x, y), z)) */
      const enum nir_op max = (enum nir_op)trinary[number].max;
      struct nir_def *low = nir_build_alu(b, outer, x[0], x[1], NULL, NULL);
      struct nir_def *high = nir_build_alu(b, max, x[0], x[1], NULL, NULL);
      spirv_set_def(e, w, nir_build_alu(b, max, low, nir_build_alu(b, outer, high, x[2], NULL, NULL), NULL, NULL));
      return;
   }
   struct nir_def *first = nir_build_alu(b, inner, x[0], x[1], NULL, NULL);
   spirv_set_def(e, w, nir_build_alu(b, outer, first, x[2], NULL, NULL));
}

static void
emit_gcn(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   const struct spirv_type *type = spirv_result_type(e, w);
   if (w[4] == TIME) {
      spirv_require(e->m, spirv_is_int(type) && type->bit_size == 64, "the result is no integer of 64 bits");
      spirv_set_def(e, w, nir_pack_64_2x32(b, nir_shader_clock(b, .memory_scope = NIR_SCOPE_SUBGROUP)));
      return;
   }
   const struct spirv_type *from = spirv_type_of(e, w[5]);
   spirv_require(e->m, spirv_is_float(from) && from->components == 3 && from->bit_size == 32,
                 "the operand is no direction");
   struct nir_def *face = nir_cube_face(b, spirv_def(e, w[5]));
   if (w[4] == CUBE_FACE_INDEX) {
      spirv_set_def(e, w, nir_channel(b, face, 3));
      return;
   }
   /* From -axis to axis: from 0 to 1. cube_face gives twice the axis. */
   struct nir_def *scale = nir_frcp(b, nir_fabs(b, nir_channel(b, face, 2))), *parts[2];
   for (unsigned i = 0; i < 2; i++)
      parts[i] = nir_fadd(b, nir_fmul(b, nir_channel(b, face, i), scale), nir_imm_floatN(b, 0.5, 32));
   spirv_set_def(e, w, nir_vec(b, parts, 2));
}

/* ---- ballots ---- */

/* Component of a constant vector of integers. */
static struct nir_def *
component(struct spirv_emit *e, uint32_t id, unsigned components, unsigned i)
{
   const struct spirv_type *type = spirv_type_of(e, id);
   spirv_require(e->m,
                 e->m->ids[id].kind == SPIRV_ID_CONSTANT && spirv_is_int(type) && type->components == components &&
                    type->bit_size == 32,
                 "%%%u is no constant vector of %u integers", id, components);
   return nir_channel(&e->b, spirv_def(e, id), i);
}

/* The lane in its quad that the offset of the own one names. */
static struct nir_def *
swizzled_lane(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   struct nir_def *lane = nir_load_subgroup_invocation(b), *in_quad = nir_iand_imm(b, lane, 3);
   struct nir_def *offset = component(e, w[6], 4, 0);
   for (unsigned i = 1; i < 4; i++)
      offset = nir_bcsel(b, nir_ieq_imm(b, in_quad, i), component(e, w[6], 4, i), offset);
   return nir_ior(b, nir_iand_imm(b, lane, ~UINT64_C(3)), nir_iand_imm(b, offset, 3));
}

/* Within 32 lanes: ((lane & x) | y) ^ z. */
static struct nir_def *
masked_lane(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   struct nir_def *lane = nir_load_subgroup_invocation(b), *to = nir_iand(b, lane, component(e, w[6], 3, 0));
   to = nir_ixor(b, nir_ior(b, to, component(e, w[6], 3, 1)), component(e, w[6], 3, 2));
   return nir_ior(b, nir_iand_imm(b, lane, ~UINT64_C(31)), nir_iand_imm(b, to, 31));
}

static struct nir_def *
count_below(struct spirv_emit *e, uint32_t mask_id)
{
   struct nir_builder *b = &e->b;
   struct nir_def *mask = spirv_def(e, mask_id), *zero = spirv_int_constant(e, 0);
   spirv_require(e->m, mask->bit_size == 64 && mask->num_components == 1, "the mask is no integer of 64 bits");
   struct nir_def *words = nir_unpack_64_2x32(b, mask);
   struct nir_def *ballot[4] = {nir_channel(b, words, 0), nir_channel(b, words, 1), zero, zero};
   return nir_ballot_bit_count_exclusive(b, nir_vec(b, ballot, 4));
}

static void
emit_ballot(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   const struct spirv_type *type = spirv_result_type(e, w);
   if (w[4] == MBCNT) {
      spirv_require(e->m, spirv_is_int(type) && type->bit_size == 32 && type->components == 1,
                    "the result is no integer");
      spirv_set_def(e, w, count_below(e, w[5]));
      return;
   }
   struct nir_def *x = spirv_def_of(e, w[5], type), *out;
   if (w[4] == WRITE_INVOCATION)
      out = nir_bcsel(b, nir_ieq(b, nir_load_subgroup_invocation(b), spirv_index(e, w[7])),
                      spirv_def_of(e, w[6], type), x);
   else
      out = nir_shuffle(b, x, w[4] == SWIZZLE ? swizzled_lane(e, w) : masked_lane(e, w));
   spirv_set_def(e, w, out);
}

/* ---- vertices ---- */

static void
emit_explicit(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_pointer *pointer = spirv_pointer(e, w[5]);
   const struct spirv_type *type = spirv_result_type(e, w);
   const uint32_t vertex = spirv_constant_u32(e->m, w[6]);
   spirv_require(
      e->m, pointer->deref && pointer->deref->mode == NIR_VAR_SHADER_IN && e->shader->stage == NIR_STAGE_FRAGMENT,
      "%%%u is no input of a fragment shader", w[5]);
   spirv_require(e->m, pointer->type == type && spirv_is_vector_or_scalar(type) && type->bit_size <= 32,
                 "the types do not fit");
   spirv_require(e->m, nir_deref_variable(pointer->deref)->interp == NIR_INTERP_FLAT, "%%%u is interpolated", w[5]);
   spirv_require(e->m, vertex < 3, "a triangle has no vertex %u", vertex);
   spirv_set_def(e, w,
                 nir_interp_deref_at_vertex(&e->b, type->components, type->bit_size, &pointer->deref->def,
                                            spirv_int_constant(e, vertex)));
}

bool
spirv_emit_amd(struct spirv_emit *e, const uint32_t *w)
{
   switch (e->m->ids[w[3]].kind) {
   case SPIRV_ID_EXT_TRINARY:
      emit_trinary(e, w);
      return true;
   case SPIRV_ID_EXT_GCN:
      emit_gcn(e, w);
      return true;
   case SPIRV_ID_EXT_BALLOT:
      emit_ballot(e, w);
      return true;
   case SPIRV_ID_EXT_EXPLICIT:
      emit_explicit(e, w);
      return true;
   default: /* others: no sets of AMD */
      return false;
   }
}
