/* Command streams and memory for tests of the model. */
#ifndef INDIUM_TESTS_STREAM_H
#define INDIUM_TESTS_STREAM_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "amd/hw/chips.h"
#include "amd/hw/pm4.h"
#include "amd/hw/reg_table.h"
#include "amd/hw/registers.h"
#include "amd/sim/amd_sim.h"
#include "report_to.h"

enum {
   STREAM_MEMORY_B = 32 << 20,
   STREAM_IB_B = 0, /* the buffer of packets is at the start of memory */
   STREAM_IB_SIZE_B = 1 << 20,
};

static const uint64_t stream_base = UINT64_C(0x100000000);

/* 32 MiB at stream_base: packets first, the rest is the test's. */
struct stream {
   struct sim_vm *vm;
   struct amd_sim *sim;
   uint8_t *memory;
   uint32_t count_dw;
   struct sim_fault fault;
};

static inline struct stream
stream_create_on(const char *chip, unsigned threads)
{
   struct stream s = {.vm = sim_vm_create(), .sim = amd_sim_create(amd_chip_by_name(chip), threads)};
   if (getenv("INDIUM_REPORT"))
      amd_sim_count(s.sim);
   /* Zeros; most of it is never touched. */
   s.memory = mmap(NULL, STREAM_MEMORY_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   if (s.memory == MAP_FAILED)
      abort();
   sim_vm_map(s.vm, sim_va(stream_base), STREAM_MEMORY_B, s.memory, SIM_READ | SIM_WRITE | SIM_EXECUTE);
   return s;
}

static inline struct stream
stream_create(unsigned threads)
{
   return stream_create_on("navi21", threads);
}

static inline void
stream_destroy(struct stream *s)
{
   FILE *report = report_to();
   if (report) {
      amd_sim_write_report(s->sim, report);
      fclose(report);
   }
   amd_sim_destroy(s->sim);
   sim_vm_destroy(s->vm);
   munmap(s->memory, STREAM_MEMORY_B);
}

static inline void
emit(struct stream *s, uint32_t dword)
{
   memcpy(s->memory + s->count_dw++ * 4, &dword, 4);
}

static inline void
emit_packet(struct stream *s, unsigned opcode, unsigned count, const uint32_t *payload)
{
   emit(s, PKT3(opcode, count));
   for (unsigned i = 0; i < count; i++)
      emit(s, payload[i]);
}

static inline void
set_reg(struct stream *s, uint32_t reg, uint32_t value)
{
   unsigned opcode = PKT3_SET_UCONFIG_REG;
   uint32_t base = AMD_UCONFIG_REG_START;
   if (reg < AMD_SH_REG_END)
      opcode = PKT3_SET_SH_REG, base = AMD_SH_REG_START;
   else if (reg < AMD_CONTEXT_REG_END)
      opcode = PKT3_SET_CONTEXT_REG, base = AMD_CONTEXT_REG_START;
   emit_packet(s, opcode, 2, (const uint32_t[2]){(reg - base) / 4, value});
}

static inline void
set_float(struct stream *s, uint32_t reg, float value)
{
   uint32_t bits;
   memcpy(&bits, &value, 4);
   set_reg(s, reg, bits);
}

/* From (-1, -1) to (1, 1), in pixels; nothing outside is drawn. */
static inline void
set_whole_viewport(struct stream *s, uint32_t width, uint32_t height)
{
   set_float(s, R_PA_CL_VPORT_XSCALE, (float)width / 2.0f);
   set_float(s, R_PA_CL_VPORT_XOFFSET, (float)width / 2.0f);
   set_float(s, R_PA_CL_VPORT_YSCALE, (float)height / 2.0f);
   set_float(s, R_PA_CL_VPORT_YOFFSET, (float)height / 2.0f);
   set_float(s, R_PA_CL_VPORT_ZSCALE, 1.0f);
   set_float(s, R_PA_CL_VPORT_ZOFFSET, 0.0f);
   set_reg(s, R_PA_SC_WINDOW_SCISSOR_BR, height << 16 | width);
}

/* Runs and clears the recorded packets. */
static inline bool
stream_run_on(struct stream *s, enum amd_sim_ring ring)
{
   const struct amd_sim_ib ib = {.va = sim_va(stream_base), .size_dw = s->count_dw, .ring = ring};
   s->count_dw = 0;
   s->fault = (struct sim_fault){0};
   return amd_sim_run(s->sim, s->vm, &ib, 1, &s->fault);
}

static inline bool
stream_run(struct stream *s)
{
   return stream_run_on(s, AMD_SIM_RING_GFX);
}

#endif
