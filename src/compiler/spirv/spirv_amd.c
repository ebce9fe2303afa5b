/* Instruction sets of AMD: SPV_AMD_shader_trinary_minmax, SPV_AMD_gcn_shader. */
#include <string.h>

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
static const struct {
   const char *name;
   unsigned operands;
} gcn[] = {
   [CUBE_FACE_INDEX] = {"CubeFaceIndexAMD", 1}, [CUBE_FACE_COORD] = {"CubeFaceCoordAMD", 1}, [TIME] = {"TimeAMD", 0}};

static const struct spirv_amd_set {
   const char *name;
   uint8_t kind; /* enum spirv_id_kind */
   uint64_t feature;
} sets[] = {{"SPV_AMD_shader_trinary_minmax", SPIRV_ID_EXT_TRINARY, SPIRV_FEATURE_AMD_TRINARY},
            {"SPV_AMD_gcn_shader", SPIRV_ID_EXT_GCN, SPIRV_FEATURE_AMD_GCN}};

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

void
spirv_amd_check(struct spirv_module *m, uint8_t kind, uint32_t number, uint32_t operands)
{
   const bool three = kind == SPIRV_ID_EXT_TRINARY;
   const char *name = three ? number < ARRAY_SIZE(trinary) ? trinary[number].name : NULL
                            : (number < ARRAY_SIZE(gcn) ? gcn[number].name : NULL);
   spirv_require(m, name, "the instruction set has no instruction %u", number);
   const uint32_t wanted = three ? 3 : gcn[number].operands;
   spirv_require(m, operands == wanted, "%s takes %u operands", name, wanted);
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

bool
spirv_emit_amd(struct spirv_emit *e, const uint32_t *w)
{
   const uint8_t kind = e->m->ids[w[3]].kind;
   if (kind == SPIRV_ID_EXT_TRINARY)
      emit_trinary(e, w);
   else if (kind == SPIRV_ID_EXT_GCN)
      emit_gcn(e, w);
   return kind == SPIRV_ID_EXT_TRINARY || kind == SPIRV_ID_EXT_GCN;
}
