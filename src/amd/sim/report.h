/* What a run was made of: how often each packet, event, register and instruction came, and which of them the model
 * executes only approximately or ignores. As text, a line each, in the order of the tables:
 *
 *    report navi21
 *    packet DRAW_INDEX_AUTO 12
 *    sdma COPY_LINEAR 1 approximate: copies forwards, and ends before the next packet
 *    event BREAK_BATCH 3 ignored: the model does not batch primitives
 *    register PA_SC_BINNER_CNTL_0 3 ignored: says which units run the work, not what it computes
 *    instruction v_rcp_f32 64 approximate: within 1 ulp of the exact result
 */
#ifndef INDIUM_AMD_SIM_REPORT_H
#define INDIUM_AMD_SIM_REPORT_H

#include <stdio.h>

#include "amd/hw/isa.h"
#include "amd/hw/reg_table.h"

struct amd_chip;

#define AMD_REPORT_EVENTS 64
#define AMD_REPORT_SDMA 0x10000 /* operations, with their kinds */

struct amd_report {
   uint64_t packets[256]; /* by opcode, on all rings but those of SDMA */
   uint64_t sdma[AMD_REPORT_SDMA];
   uint64_t events[AMD_REPORT_EVENTS];
   uint64_t registers[AMD_UCONFIG_REG_END / 4]; /* writes, by offset / 4 */
   uint64_t instructions[AMD_OP_COUNT];         /* of waves; several threads count */
};

static inline void
amd_report_instruction(struct amd_report *report, unsigned op)
{
   __atomic_fetch_add(&report->instructions[op], 1, __ATOMIC_RELAXED);
}

void amd_report_write(const struct amd_report *report, const struct amd_chip *chip, FILE *out);

/* What the model says of a name of a kind ("packet", "sdma", "event", "register", "instruction"); *ignored: it has no
 * effect, else the model only comes close. NULL: it is executed as it is. */
const char *amd_report_note(const char *kind, const char *name, bool *ignored);

/* The notes one after the other, with a pattern of names each (fnmatch(3)); NULL after the last. */
const char *amd_report_pattern(unsigned i, const char **kind);

#endif
