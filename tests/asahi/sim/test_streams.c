/* Streams that call, return and go round: each of a few blocks, and how its walk ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asahi/hw/chips.h"
#include "asahi/sim/agx_sim.h"
#include "util/macros.h"

#define BASE UINT64_C(0x1000000000)
enum { PAGE_B = 16384, BLOCK_B = 8 };

/* A block a letter, 8 bytes each: a small one links to its number in the alphabet, a capital calls that, '<' returns,
 * '.' ends, '-' are two barriers, '!' links to where nothing is. After them no block begins. */
struct row {
   const char *blocks;
   enum sim_fault_kind kind;
   const char *message;
};

static const struct row rows[] = {
   {".", SIM_FAULT_NONE, NULL},
   {"--.", SIM_FAULT_NONE, NULL},
   {"b-", SIM_FAULT_PACKET, "begins no block"},
   {"c-.", SIM_FAULT_NONE, NULL},
   {"C.-<", SIM_FAULT_NONE, NULL},
   {"Ca-<", SIM_FAULT_HANG, "goes round for ever"},
   {"<", SIM_FAULT_PACKET, "a return where nothing was called"},
   {"C<-<", SIM_FAULT_PACKET, "a return where nothing was called"},
   {"BCDEFGHIJKLMNOPQ.", SIM_FAULT_NONE, NULL},
   {"BCDEFGHIJKLMNOPQR.", SIM_FAULT_PACKET, "more than 16 streams have called each other"},
   {"A", SIM_FAULT_PACKET, "more than 16 streams have called each other"},
   {"a", SIM_FAULT_HANG, "goes round for ever"},
   {"bcda", SIM_FAULT_HANG, "goes round for ever"},
   {"-----gf", SIM_FAULT_HANG, "goes round for ever"},
   {"!", SIM_FAULT_ADDRESS, "nothing is bound at"},
};

static void
put_block(char letter, uint32_t *words)
{
   const bool calls = letter >= 'A' && letter <= 'Z', links = letter >= 'a' && letter <= 'z';
   const uint64_t target = letter == '!' ? 2 * BASE : BASE + BLOCK_B * (uint64_t)(letter - (calls ? 'A' : 'a'));
   if (calls || links || letter == '!')
      agx_cdm_stream_link_pack(words, &(struct agx_cdm_stream_link){.target_hi = (uint32_t)(target >> 32),
                                                                    .target_lo = (uint32_t)target,
                                                                    .with_return = calls});
   else if (letter == '<')
      agx_cdm_stream_return_pack(words, &(struct agx_cdm_stream_return){0});
   else if (letter == '.')
      agx_cdm_stream_terminate_pack(words, &(struct agx_cdm_stream_terminate){0});
   for (unsigned i = 0; letter == '-' && i < 2; i++)
      agx_cdm_barrier_pack(&words[i], &(struct agx_cdm_barrier){.usc_cache_inval = true});
}

static void
test_walks(void **unused)
{
   (void)unused;
   struct sim_vm *vm = sim_vm_create();
   uint32_t *words = aligned_alloc(PAGE_B, PAGE_B);
   struct agx_sim *sim = agx_sim_create(agx_chip_by_name("m1"), 1);
   assert_true(sim_vm_map(vm, sim_va(BASE), PAGE_B, words, SIM_READ));
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct agx_sim_command command = {.compute.cdm_ctrl_stream_base = BASE};
      struct sim_fault fault = {0};
      memset(words, 0xff, PAGE_B);
      for (unsigned n = 0; rows[i].blocks[n]; n++)
         put_block(rows[i].blocks[n], &words[n * BLOCK_B / 4]);
      const bool ok = agx_sim_run(sim, vm, BASE, &command, &fault);
      if (ok != !rows[i].message || fault.kind != rows[i].kind || (!ok && !strstr(fault.message, rows[i].message)))
         fail_msg("%s: fault %u: %s", rows[i].blocks, fault.kind, fault.message);
   }
   agx_sim_destroy(sim);
   sim_vm_destroy(vm);
   free(words);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_walks)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
