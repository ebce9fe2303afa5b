/* A plain wave interpreter that stands in for the interleaving one: waves of a group run in turns, memory is written at once.
 * Remove standin* together with its list in meson.build when wave.c and dispatch.c are there. Internal to standin_*.c. */
#ifndef INDIUM_AMD_SIM_STANDIN_H
#define INDIUM_AMD_SIM_STANDIN_H

#include <string.h>

#include "amd/hw/isa.h"
#include "amd/sim/wave.h"
#include "util/macros.h"

enum {
   LANES = AMD_WAVE_MAX_LANES,
   WAVE_SGPRS = 128, /* operands 0 to 127: VCC, M0 and EXEC among them */
};

struct wave_code {
   struct sim_va base;
   uint32_t count_dw;
   uint32_t *words;            /* what was decoded */
   struct amd_inst *insts;     /* by dword; size_dw 0: not the start of an instruction */
};

enum wave_status {
   WAVE_RUNNING,
   WAVE_BARRIER,
   WAVE_ENDED,
};

struct wave_group {
   uint8_t *lds;
   uint32_t lds_B;
};

struct wave {
   uint32_t vgpr[256][LANES];
   uint32_t sgpr[WAVE_SGPRS];
   uint32_t pc;                /* dwords from the start of the code */
   bool scc;
   uint8_t size;               /* lanes */
   enum wave_status status;
   uint32_t flat_scratch[2];
   uint64_t instructions;
   const struct amd_wave_launch *launch;
   const struct wave_code *code;
   struct wave_group *group;
   struct sim_fault *fault;
   struct amd_wave_params params;
   struct dynarray *exports;   /* struct amd_wave_export */
};

static inline uint64_t
wave_exec(const struct wave *w)
{
   return w->size == 64 ? (uint64_t)w->sgpr[AMD_EXEC_HI] << 32 | w->sgpr[AMD_EXEC_LO] : w->sgpr[AMD_EXEC_LO];
}

static inline float
as_float(uint32_t u)
{
   return bits_float(u);
}

static inline uint32_t
as_bits(float f)
{
   return float_bits(f);
}

/* Value of a constant operand (not VGPR, SGPR). */
static inline uint32_t
constant_operand(const struct wave *w, const struct amd_inst *inst, unsigned operand)
{
   static const uint32_t floats[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000,
                                     0x40800000, 0xc0800000, 0x3e22f983};
   if (operand >= 128 && operand <= 192)
      return operand - 128;
   if (operand >= 193 && operand <= 208)
      return (uint32_t)(192 - (int)operand);
   if (operand >= 240 && operand <= 248)
      return floats[operand - 240];
   switch (operand) {
   case AMD_LITERAL:
      return inst->literal;
   case AMD_SCC:
      return w->scc;
   case AMD_VCCZ:
      return w->size == 64 ? !(w->sgpr[AMD_VCC_LO] | w->sgpr[AMD_VCC_HI]) : !w->sgpr[AMD_VCC_LO];
   case AMD_EXECZ:
      return !wave_exec(w);
   case AMD_SHARED_BASE:
   case AMD_SHARED_LIMIT:
   case AMD_PRIVATE_BASE:
   case AMD_PRIVATE_LIMIT:
   default:
      return 0;
   }
}

static inline uint32_t
scalar_operand(const struct wave *w, const struct amd_inst *inst, unsigned operand)
{
   if (operand == AMD_NULL)
      return 0;
   return operand < WAVE_SGPRS ? w->sgpr[operand] : constant_operand(w, inst, operand);
}

static inline uint64_t
scalar_operand64(const struct wave *w, const struct amd_inst *inst, unsigned operand)
{
   if (operand == AMD_NULL)
      return 0;
   if (operand + 1 < WAVE_SGPRS)
      return (uint64_t)w->sgpr[operand + 1] << 32 | w->sgpr[operand];
   if (operand == AMD_LITERAL)
      return inst->literal;
   return (uint64_t)(int64_t)(int32_t)constant_operand(w, inst, operand);
}

static inline void
set_sgpr(struct wave *w, unsigned operand, uint32_t value)
{
   if (operand < WAVE_SGPRS && operand != AMD_NULL)
      w->sgpr[operand] = value;
}

static inline void
set_sgpr64(struct wave *w, unsigned operand, uint64_t value)
{
   if (operand == AMD_NULL)
      return;
   set_sgpr(w, operand, (uint32_t)value);
   if (operand + 1 < WAVE_SGPRS)
      w->sgpr[operand + 1] = (uint32_t)(value >> 32);
}

/* A lane mask: one SGPR in wave32, two in wave64. */
static inline void
set_mask(struct wave *w, unsigned operand, uint64_t value)
{
   if (w->size == 64)
      set_sgpr64(w, operand, value);
   else
      set_sgpr(w, operand, (uint32_t)value);
}

static inline uint64_t
mask_operand(const struct wave *w, const struct amd_inst *inst, unsigned operand)
{
   return w->size == 64 ? scalar_operand64(w, inst, operand) : scalar_operand(w, inst, operand);
}

bool standin_fault(struct wave *w, enum sim_fault_kind kind, struct sim_va va, const char *what);

/* Execute one instruction whose pc has advanced. False after a fault. */
bool standin_scalar(struct wave *w, const struct amd_inst *inst);
bool standin_vector(struct wave *w, const struct amd_inst *inst);
bool standin_memory(struct wave *w, const struct amd_inst *inst);
bool standin_image(struct wave *w, const struct amd_inst *inst);
bool standin_lds(struct wave *w, const struct amd_inst *inst);

/* The atomic operation on memory that all threads share; returns the old value. */
enum wave_atomic {
   WAVE_ATOMIC_SWAP, WAVE_ATOMIC_CMPSWAP, WAVE_ATOMIC_ADD, WAVE_ATOMIC_SUB, WAVE_ATOMIC_SMIN, WAVE_ATOMIC_UMIN, WAVE_ATOMIC_SMAX,
   WAVE_ATOMIC_UMAX, WAVE_ATOMIC_AND, WAVE_ATOMIC_OR, WAVE_ATOMIC_XOR, WAVE_ATOMIC_INC, WAVE_ATOMIC_DEC, WAVE_ATOMIC_FMIN,
   WAVE_ATOMIC_FMAX, WAVE_ATOMIC_FADD, WAVE_ATOMIC_FCMPSWAP, WAVE_ATOMIC_RSUB, WAVE_ATOMIC_NONE,
};
uint64_t standin_atomic_value(enum wave_atomic op, bool wide, uint64_t old, uint64_t data, uint64_t compare);
uint64_t standin_atomic_memory(enum wave_atomic op, bool wide, void *host, uint64_t data, uint64_t compare);

#endif
