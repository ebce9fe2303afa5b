/* What the scalar instructions share. Each is a function; the tables of exec_sop*.c find it by the operation. One
 * that comes with 32 and with 64 bits is one function: the row of the instruction says how many dwords it writes. */
#ifndef INDIUM_AMD_SIM_EXEC_SALU_PRIVATE_H
#define INDIUM_AMD_SIM_EXEC_SALU_PRIVATE_H

#include "amd/sim/wave/exec_private.h"

typedef enum step (*scalar_fn)(struct wave *wave, const struct code *code);

/* By encoding; false if the operation is not modelled. */
bool exec_sop1_bind(struct code *code);
bool exec_sop2_bind(struct code *code);
bool exec_sopc_bind(struct code *code);
bool exec_sopk_bind(struct code *code);
bool exec_sopp_bind(struct code *code);

/* handlers: by operation, NULL where there is none; count: of the table. */
static inline bool
scalar_bind(struct code *c, const scalar_fn *handlers, unsigned count)
{
   c->run = c->in.op < count ? handlers[c->in.op] : NULL;
   return c->run;
}

/* The low dword of scalar source i. */
static inline uint32_t
scalar_low(const struct wave *w, const struct code *c, unsigned i)
{
   return (uint32_t)exec_scalar(w, c, i);
}

static inline enum step
scalar_write(struct wave *w, const struct code *c, uint64_t value)
{
   if (c->info->dst.size_dw == 2)
      state_write64(&w->state, c->in.dst, value);
   else
      state_write(&w->state, c->in.dst, (uint32_t)value);
   return STEP_NEXT;
}

static inline enum step
scalar_write_scc(struct wave *w, const struct code *c, uint64_t value, bool scc)
{
   w->state.scc = scc;
   return scalar_write(w, c, value);
}

/* SCC: whether the result is not 0. */
static inline enum step
scalar_write_test(struct wave *w, const struct code *c, uint64_t value)
{
   return scalar_write_scc(w, c, value, (c->info->dst.size_dw == 2 ? value : (uint32_t)value) != 0);
}

/* To a dword of the program. */
enum step exec_jump(struct wave *wave, const struct code *code, int64_t target_dw);
/* Into the program or into another one (the parts that drivers compile separately: prologs, epilogs). That one is
 * found in the serial phase, when no memory instruction of this one is in flight any more. */
enum step exec_jump_to_va(struct wave *wave, const struct code *code, struct sim_va va);
/* As programs see it: the program counter has 48 bits and is not sign-extended. Shaders put it into buffer
 * descriptors. */
uint64_t exec_next_va(const struct wave *wave, const struct code *code);

/* exec_hwreg.c: s_getreg and s_setreg. */
enum step exec_hwreg(struct wave *wave, const struct code *code);

#endif
