#include "amd/sim/sdma/sdma.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amd/hw/sdma.h"
#include "amd/sim/base/dump.h"
#include "amd/sim/report.h"
#include "amd/sim/sdma/sdma_private.h"
#include "util/macros.h"

static const struct {
   uint32_t opcode;
   sdma_handler run;
} handlers[] = {
   {SDMA_NOP, sdma_nop},
   {SDMA_COPY_LINEAR, sdma_copy_linear},
   {SDMA_COPY_LINEAR_WINDOW, sdma_copy_linear_window},
   {SDMA_COPY_TILED_WINDOW, sdma_copy_tiled_window},
   {SDMA_COPY_TILED_TO_TILED, sdma_copy_tiled_to_tiled},
   {SDMA_WRITE, sdma_write},
   {SDMA_FENCE, sdma_fence},
   {SDMA_POLL_REGMEM, sdma_poll},
   {SDMA_ATOMIC, sdma_atomic},
   {SDMA_CONSTANT_FILL, sdma_constant_fill},
   {SDMA_TIMESTAMP, sdma_timestamp},
};

bool
sdma_refuse(struct amd_sdma *sdma, const char *what, uint32_t value)
{
   return sim_fault_set(sdma->gpu->fault, SIM_FAULT_PACKET, sdma->packet_va, "the model does not have %s %u", what,
                        value);
}

/* Copies of compressed surfaces have a second form. */
static const struct amd_pm4_form *
form_of(const struct amd_pm4_packet *packet, uint32_t header)
{
   return &packet->forms[packet->form_count > 1 && G_SDMA_COPY_TILED_WINDOW_HEADER_COMPRESSED(header)];
}

uint32_t
amd_sdma_size(const struct amd_pm4_packet *packet, const uint32_t *words)
{
   uint32_t fixed = form_of(packet, words[0])->word_count;
   if (packet->opcode == SDMA_NOP)
      return fixed + G_SDMA_NOP_HEADER_COUNT_dw(words[0]);
   return packet->opcode == SDMA_WRITE ? fixed + G_SDMA_WRITE_COUNT_COUNT_dw_1(words[3]) + 1 : fixed;
}

static bool
check_bits(struct amd_sdma *sdma, const struct amd_pm4_packet *packet, const uint32_t *words)
{
   enum amd_gen gen = sdma->gpu->model->gen;
   const struct amd_pm4_form *form = form_of(packet, words[0]);
   for (uint32_t i = 0; i < form->word_count; i++) {
      uint32_t unknown = words[i] & amd_reg_unknown_bits(gen, form->words[i]);
      if (unknown)
         return sim_fault_set(sdma->gpu->fault, SIM_FAULT_PACKET, sdma->packet_va,
                              "unknown bits 0x%08x in dword %u (%s)", unknown, i, form->words[i]->name);
   }
   return true;
}

static bool
run_packet(struct amd_sdma *sdma, const struct amd_pm4_packet *packet, const uint32_t *words, uint32_t count)
{
   if (!check_bits(sdma, packet, words))
      return false;
   if (sdma->gpu->report)
      sdma->gpu->report->sdma[packet->opcode]++;
   if (sdma->gpu->dump)
      amd_dump_packet(sdma->gpu->dump, sdma->gpu, packet->name, words[0], words + 1, count - 1);
   for (unsigned i = 0; i < ARRAY_SIZE(handlers); i++)
      if (handlers[i].opcode == packet->opcode)
         return handlers[i].run(sdma, words, count);
   return sdma_refuse(sdma, "opcode", packet->opcode);
}

static bool
run_words(struct amd_sdma *sdma, struct sim_va va, const uint32_t *words, uint32_t size_dw)
{
   for (uint32_t at = 0, count; at < size_dw; at += count) {
      const struct amd_pm4_packet *packet = amd_sdma_find(sdma->gpu->model->gen, words[at]);
      sdma->packet_va = sim_va_add(va, (int64_t)at * 4);
      sdma->packet_name = packet ? packet->name : "?";
      if (!packet)
         return sim_fault_set(sdma->gpu->fault, SIM_FAULT_PACKET, sdma->packet_va, "unknown SDMA header 0x%08x",
                              words[at]);
      count = form_of(packet, words[at])->word_count;
      count = count > size_dw - at ? count : amd_sdma_size(packet, words + at);
      if (count > size_dw - at)
         return sim_fault_set(sdma->gpu->fault, SIM_FAULT_PACKET, sdma->packet_va,
                              "packet 0x%08x of %u dwords runs past the end of its buffer", words[at], count);
      if ((sdma->pause && !sdma->pause(sdma->wait_data)) || !run_packet(sdma, packet, words + at, count))
         return false;
   }
   return true;
}

bool
amd_sdma_run(struct amd_sdma *sdma, struct sim_va va, uint32_t size_dw)
{
   struct sim_fault *fault = sdma->gpu->fault;
   struct sim_va bad;
   uint32_t *words = malloc(size_dw ? size_dw * 4ull : 4);
   if (!words)
      return sim_fault_set(fault, SIM_FAULT_EXHAUSTED, va, "out of host memory for a buffer of %u dwords", size_dw);
   bool ok = sim_vm_read(sdma->gpu->vm, va, words, size_dw * 4ull, &bad);
   if (!ok)
      sim_fault_set(fault, SIM_FAULT_ADDRESS, bad, "read of unmapped address 0x%012lx", (long)bad.va);
   else if (!(ok = run_words(sdma, va, words, size_dw))) {
      size_t used = strlen(fault->message);
      snprintf(fault->message + used, sizeof(fault->message) - used,
               "; packet SDMA %s at dword %lu of buffer 0x%012lx", sdma->packet_name,
               (long)(sdma->packet_va.va - va.va) / 4, (long)va.va);
   }
   free(words);
   return ok;
}
