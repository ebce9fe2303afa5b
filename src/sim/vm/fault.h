/* A guest fault: what the program on the modelled GPU did wrong and where. The first one stops the queue. */
#ifndef INDIUM_SIM_FAULT_H
#define INDIUM_SIM_FAULT_H

#include <stdbool.h>
#include <stdint.h>

/* A GPU virtual address: never a host pointer, never a bare integer (48 bits, sign-extended from bit 47). */
struct sim_va {
   uint64_t va;
};

static inline struct sim_va
sim_va(uint64_t address)
{
   return (struct sim_va){(uint64_t)((int64_t)(address << 16) >> 16)};
}

static inline struct sim_va
sim_va_add(struct sim_va base, int64_t offset_B)
{
   return sim_va(base.va + (uint64_t)offset_B);
}

enum sim_fault_kind {
   SIM_FAULT_NONE,
   SIM_FAULT_ADDRESS,     /* unmapped, or mapped without the needed permission */
   SIM_FAULT_STORE,       /* ADDRESS, of a store (as AMD's model has it) */
   SIM_FAULT_PACKET,      /* unknown or malformed packet, unknown register or register field value */
   SIM_FAULT_INSTRUCTION, /* unknown or malformed instruction */
   SIM_FAULT_STATE,       /* a combination of state that the hardware does not define or the model does not have */
   SIM_FAULT_POISON,      /* a result was used before the wait that makes it valid */
   SIM_FAULT_HAZARD,      /* memory is touched while an earlier write to it may be under way */
   SIM_FAULT_HANG,        /* a shader or a wait that does not end */
   SIM_FAULT_EXHAUSTED,   /* the model's own: the host has no memory for it */
   SIM_FAULT_ORDER,       /* a rule of ordered sections broken in a way that hangs the hardware */
};

struct sim_fault {
   enum sim_fault_kind kind;
   char message[1024]; /* one line: what, packet and buffer offset, wave and instruction address where known */
   struct sim_va va;   /* the address concerned, if any */
   struct sim_va pc;   /* of the instruction, where AMD's waves fault; 0: elsewhere */
};

/* Records a fault unless one is recorded already (the first fault is the cause). Returns false, so that a handler can
 * end with `return sim_fault_set(...)`. */
bool sim_fault_set(struct sim_fault *fault, enum sim_fault_kind kind, struct sim_va va, const char *format, ...)
   __attribute__((format(printf, 4, 5)));

#endif
