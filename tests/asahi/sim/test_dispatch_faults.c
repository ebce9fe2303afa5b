/* Dispatches with one thing wrong each, and the sentence that the model says of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/hw/chips.h"
#include "asahi/hw/isa.h"
#include "asahi/sim/agx_sim.h"
#include "util/macros.h"

#define BASE UINT64_C(0x1000000000)
enum { MEMORY_B = 65536, LIST_B = 4096, CODE_B = 8192, SIZES_B = 12288 };

/* What a test may change. */
struct dispatch {
   struct agx_cdm_launch launch;
   uint32_t threads[3], group[3];
   struct agx_usc_shared shared;
   uint32_t registers;
   uint32_t sizes[6]; /* of indirect ones */
   const char *program;
};

static const struct dispatch usual = {
   .launch = {.uniforms = 64, .textures = 8, .preshader_registers = 16, .pipeline = LIST_B},
   .threads = {64, 1, 1},
   .group = {32, 1, 1},
   .shared = {.layout = AGX_SHARED_LAYOUT_VERTEX_COMPUTE, .sample_count = 1, .threadgroup_B = 65536},
   .registers = 64,
   .program = "stop\n",
};

/* Threadgroups with a tile of their own. */
static const struct agx_usc_shared tile = {.uses_shared_memory = true,
                                           .layout = AGX_SHARED_LAYOUT_32X32,
                                           .sample_count = 1,
                                           .sample_stride_B = 8,
                                           .threadgroup_B = 8192};

struct row {
   void (*spoil)(struct dispatch *dispatch);
   const char *words;
};

#define CHANGE(name, what) \
   static void name(struct dispatch *d) \
   { \
      what; \
   }

CHANGE(no_group, d->group[0] = 0)
CHANGE(large_group, d->threads[0] = d->group[0] = 1025)
CHANGE(crowded, (d->threads[0] = d->group[0] = 1024, d->registers = 256))
CHANGE(nowhere, d->launch.pipeline = 0x7000000)
CHANGE(huge, (d->launch.mode = AGX_CDM_MODE_INDIRECT_GLOBAL, d->sizes[0] = 0x10000000, d->sizes[1] = d->sizes[2] = 1))
CHANGE(small_tile, (d->shared = tile, d->shared.threadgroup_B = 4096))
CHANGE(no_place, (d->shared = tile, d->program = "ldimm r2, 0\nldimm r4, 0\n"
                                                 "imgwblk r2l, ts0, r4, 0, 2d, u8norm\nstop\n"))
CHANGE(block_beyond, (d->shared = tile, d->program = "ldimm r2, 8\nldimm r4, 0\nldimm r5, 0\n"
                                                     "imgwblk r2l, ts0, r4, 0, explicit_coords, 2d, u8norm\nstop\n"))

static const struct row rows[] = {
   {no_group, "groups have 1 to 1024 threads"},
   {large_group, "groups have 1 to 1024 threads"},
   {crowded, "so many threads with the program's registers fit into no core"},
   {nowhere, "a USC list at "},
   {huge, "indirect sizes at 0x1000003000: 268435456 groups of 32 threads"},
   {small_tile, "and a tile of theirs would have 32x32 pixels of 1 samples of 8"},
   {no_place, "a threadgroup's tile has no place without coordinates"},
   {block_beyond, "byte 8 of a sample that has 8 in the tile buffer"},
};

static void
put(uint8_t *memory, const struct dispatch *d)
{
   uint8_t *at = memory, *list = memory + LIST_B, *code = memory + CODE_B;
   char text[512], *rest = text;
   agx_cdm_launch_pack(at, &d->launch), at += AGX_CDM_LAUNCH_SIZE_B;
   if (d->launch.mode == AGX_CDM_MODE_DIRECT) {
      agx_cdm_global_size_pack(at, &(struct agx_cdm_global_size){d->threads[0], d->threads[1], d->threads[2]});
      at += AGX_CDM_GLOBAL_SIZE_SIZE_B;
   } else {
      agx_cdm_indirect_pack(at,
                            &(struct agx_cdm_indirect){.address_hi = (uint32_t)(BASE >> 32), .address_lo = SIZES_B});
      at += AGX_CDM_INDIRECT_SIZE_B;
   }
   agx_cdm_local_size_pack(at, &(struct agx_cdm_local_size){d->group[0], d->group[1], d->group[2]});
   at += AGX_CDM_LOCAL_SIZE_SIZE_B;
   agx_cdm_stream_terminate_pack(at, &(struct agx_cdm_stream_terminate){0});
   memcpy(memory + SIZES_B, d->sizes, sizeof(d->sizes));
   agx_usc_texture_pack(list, &(struct agx_usc_texture){.count = 1, .buffer = BASE + SIZES_B});
   agx_usc_shared_pack(list + 8, &d->shared);
   agx_usc_shader_pack(list + 12, &(struct agx_usc_shader){.unk_10 = 3, .code = CODE_B});
   agx_usc_registers_pack(list + 18, &(struct agx_usc_registers){.registers = d->registers, .unk_24 = 1});
   agx_usc_no_preshader_pack(list + 22, &(struct agx_usc_no_preshader){0});
   strcpy(text, d->program);
   for (char *line; (line = strsep(&rest, "\n")) && *line;) {
      struct agx_inst inst;
      if (!agx_isa_parse(line, &inst)) {
         printf("no instruction: %s\n", line);
         exit(1);
      }
      code += agx_isa_encode(&inst, code);
   }
}

static bool
says(const struct row *row)
{
   struct sim_vm *vm = sim_vm_create();
   uint8_t *memory = aligned_alloc(16384, MEMORY_B);
   struct agx_sim *sim = agx_sim_create(agx_chip_by_name("m1"), 1);
   struct agx_sim_command command = {.compute.cdm_ctrl_stream_base = BASE};
   struct sim_fault fault = {0};
   struct dispatch d = usual;
   if (row)
      row->spoil(&d);
   memset(memory, 0, MEMORY_B);
   put(memory, &d);
   bool right = sim_vm_map(vm, sim_va(BASE), MEMORY_B, memory, SIM_READ | SIM_WRITE | SIM_EXECUTE);
   bool ok = agx_sim_run(sim, vm, BASE, &command, &fault);
   right &= row ? !ok && strstr(fault.message, row->words) : ok;
   if (!right)
      printf("%s: %s\n", row ? row->words : "nothing is wrong", ok ? "no fault" : fault.message);
   agx_sim_destroy(sim);
   sim_vm_destroy(vm);
   free(memory);
   return right;
}

int
main(void)
{
   unsigned failures = !says(NULL);
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
      failures += !says(&rows[i]);
   return failures != 0;
}
