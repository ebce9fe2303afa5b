/* Atomic operations on memory and texels. */
#include "compiler/spirv/spirv_image.h"
#include "util/macros.h"

static const struct {
   uint16_t opcode;
   uint8_t op, is_float; /* enum nir_atomic_op */
} rows[] = {
   {SpvOpAtomicExchange, NIR_ATOMIC_xchg, 2},   {SpvOpAtomicCompareExchange, NIR_ATOMIC_cmpxchg, 0},
   {SpvOpAtomicIIncrement, NIR_ATOMIC_iadd, 0}, {SpvOpAtomicIDecrement, NIR_ATOMIC_iadd, 0},
   {SpvOpAtomicIAdd, NIR_ATOMIC_iadd, 0},       {SpvOpAtomicISub, NIR_ATOMIC_iadd, 0},
   {SpvOpAtomicSMin, NIR_ATOMIC_imin, 0},       {SpvOpAtomicUMin, NIR_ATOMIC_umin, 0},
   {SpvOpAtomicSMax, NIR_ATOMIC_imax, 0},       {SpvOpAtomicUMax, NIR_ATOMIC_umax, 0},
   {SpvOpAtomicAnd, NIR_ATOMIC_iand, 0},        {SpvOpAtomicOr, NIR_ATOMIC_ior, 0},
   {SpvOpAtomicXor, NIR_ATOMIC_ixor, 0},        {SpvOpAtomicFAddEXT, NIR_ATOMIC_fadd, 1},
   {SpvOpAtomicFMinEXT, NIR_ATOMIC_fmin, 1},    {SpvOpAtomicFMaxEXT, NIR_ATOMIC_fmax, 1},
};

/* An untyped pointer is one to the type. */
static struct spirv_pointer *
target(struct spirv_emit *e, uint32_t id, const struct spirv_type *of)
{
   struct spirv_pointer *pointer = spirv_pointer_as(e, spirv_pointer(e, id), of);
   const struct spirv_type *type = pointer->type;
   const uint32_t modes = NIR_VAR_SSBO | NIR_VAR_SHARED | NIR_VAR_TASK_PAYLOAD | NIR_VAR_GLOBAL;
   const bool memory = pointer->deref && pointer->deref->mode & modes;
   spirv_require(e->m, pointer->is_texel || memory, "%%%u does not point to shared memory, a buffer or a texel", id);
   spirv_require(e->m, (type->kind == SPIRV_TYPE_INT || type->kind == SPIRV_TYPE_FLOAT) && type->bit_size >= 32,
                 "an atomic on %s", spirv_type_name(e->m, type));
   spirv_require(e->m,
                 type->kind != SPIRV_TYPE_INT || type->bit_size == 32 || spirv_has(e->m, SpvCapabilityInt64Atomics),
                 "a 64-bit atomic needs Int64Atomics");
   return pointer;
}

/* Fences that the semantics of an atomic ask for, before (release) or after (acquire). */
static void
fence(struct spirv_emit *e, uint32_t scope_id, uint32_t semantics, bool before)
{
   const uint32_t acquire = SpvMemorySemanticsAcquireMask | SpvMemorySemanticsMakeVisibleMask;
   const uint32_t release = SpvMemorySemanticsReleaseMask | SpvMemorySemanticsMakeAvailableMask;
   const uint32_t both = SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsSequentiallyConsistentMask;
   if (semantics & both)
      semantics = (semantics & ~both) | SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask;
   semantics &= before ? ~acquire : ~release;
   if (semantics & (acquire | release))
      spirv_memory_barrier(e, NIR_SCOPE_NONE, spirv_scope(e, scope_id), semantics);
}

static uint32_t
semantics_of(struct spirv_emit *e, uint32_t id)
{
   return spirv_constant_u32(e->m, id);
}

static void
load(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_pointer *pointer = target(e, w[3], spirv_result_type(e, w));
   uint32_t semantics = semantics_of(e, w[5]);
   spirv_require(e->m, pointer->type == spirv_result_type(e, w), "the types do not fit");
   spirv_scope(e, w[4]);
   if (pointer->is_texel)
      spirv_set_def(e, w, spirv_image_load_texel(e, pointer, NIR_ACCESS_COHERENT));
   else
      spirv_set_ssa(e, w, spirv_load(e, pointer, NIR_ACCESS_COHERENT));
   fence(e, w[4], semantics, false);
}

static void
store(struct spirv_emit *e, const uint32_t *w)
{
   struct spirv_ssa *value = spirv_ssa(e, w[4]);
   const struct spirv_pointer *pointer = target(e, w[1], value->type);
   spirv_require(e->m, value->type == pointer->type, "the types do not fit");
   spirv_scope(e, w[2]);
   fence(e, w[2], semantics_of(e, w[3]), true);
   if (pointer->is_texel)
      spirv_image_store_texel(e, pointer, value->def, NIR_ACCESS_COHERENT);
   else
      spirv_store(e, pointer, value, NIR_ACCESS_COHERENT);
}

static struct nir_def *
emit(struct spirv_emit *e, const struct spirv_pointer *pointer, enum nir_atomic_op op, struct nir_def *compare,
     struct nir_def *data)
{
   uint32_t access = pointer->access | NIR_ACCESS_COHERENT;
   spirv_require(e->m, pointer->is_mutable, "an atomic on what cannot be written");
   if (pointer->is_texel)
      return spirv_image_atomic(e, pointer, op, compare, data, access);
   if (compare)
      return nir_deref_atomic_swap(&e->b, &pointer->deref->def, compare, data, .atomic_op = op, .access = access);
   return nir_deref_atomic(&e->b, &pointer->deref->def, data, .atomic_op = op, .access = access);
}

static void
modify(struct spirv_emit *e, const uint32_t *w, unsigned row)
{
   const struct spirv_pointer *pointer = target(e, w[3], spirv_result_type(e, w));
   const struct spirv_type *type = pointer->type;
   uint32_t opcode = spirv_opcode(w), semantics = semantics_of(e, w[5]);
   struct nir_def *data, *compare = NULL;
   spirv_require(e->m, type == spirv_result_type(e, w), "the types do not fit");
   spirv_require(e->m, rows[row].is_float == 2 || rows[row].is_float == (type->kind == SPIRV_TYPE_FLOAT),
                 "the operation does not exist on this type");
   spirv_scope(e, w[4]);
   if (opcode == SpvOpAtomicCompareExchange) {
      semantics |= semantics_of(e, w[6]);
      data = spirv_def_of(e, w[7], type);
      compare = spirv_def_of(e, w[8], type);
   } else if (opcode == SpvOpAtomicIIncrement || opcode == SpvOpAtomicIDecrement) {
      data = nir_imm_intN(&e->b, opcode == SpvOpAtomicIIncrement ? 1 : UINT64_MAX, type->bit_size);
   } else {
      data = spirv_def_of(e, w[6], type);
      if (opcode == SpvOpAtomicISub)
         data = nir_ineg(&e->b, data);
   }
   fence(e, w[4], semantics, true);
   spirv_set_def(e, w, emit(e, pointer, (enum nir_atomic_op)rows[row].op, compare, data));
   fence(e, w[4], semantics, false);
}

bool
spirv_emit_atomic(struct spirv_emit *e, const uint32_t *w)
{
   uint32_t opcode = spirv_opcode(w);
   if (opcode == SpvOpAtomicLoad) {
      load(e, w);
      return true;
   }
   if (opcode == SpvOpAtomicStore) {
      store(e, w);
      return true;
   }
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (rows[i].opcode == opcode) {
         modify(e, w, i);
         return true;
      }
   }
   return false;
}
