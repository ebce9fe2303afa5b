/* Random programs of structs, arrays, control flow, calls and arithmetic of all types: what each invocation writes on
 * the device is what the same program in C, compiled by gcc, writes. shaders/fuzz.py writes both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "vkt_dispatch.h"

/* Returns whether all agrees. */
static bool
check(const struct fuzz_program *p, struct vkx_buffer buffers[3], int32_t constant)
{
   unsigned wrong = 0;
   uint8_t *outputs = calloc(FUZZ_LANES, p->out_B);
   for (uint32_t i = 0; i < FUZZ_LANES; i++) {
      uint32_t want[FUZZ_WORDS] = {0};
      p->run(&(struct invocation){buffers[0].map, outputs, want, i, i / p->group_size, i % p->group_size, constant});
      const uint32_t *got = (const uint32_t *)buffers[1].map + i * FUZZ_WORDS;
      for (unsigned w = 0; w < FUZZ_WORDS; w++) {
         if (got[w] != want[w] && wrong++ < 3)
            printf("   program %u, invocation %u, variable %u: %#x, not %#x\n", p->number, i, w, got[w], want[w]);
      }
      const uint8_t *stored = (const uint8_t *)buffers[2].map + i * p->out_B;
      for (size_t b = 0; b < p->out_B; b++) {
         if (stored[b] != outputs[i * p->out_B + b] && wrong++ < 3)
            printf("   program %u, invocation %u, byte %zu of the output: %#x, not %#x\n", p->number, i, b, stored[b],
                   outputs[i * p->out_B + b]);
      }
   }
   free(outputs);
   return !wrong;
}

static void
run_program(struct vkx *vkx, const struct fuzz_program *p)
{
   const size_t sizes_B[3] = {FUZZ_LANES * p->in_B, FUZZ_LANES * FUZZ_WORDS * 4, FUZZ_LANES * p->out_B};
   struct vkx_buffer buffers[3];
   uint64_t addresses[3];
   for (unsigned i = 0; i < 3; i++) {
      buffers[i] = p->addresses ? vkt_addressed_create(vkx, sizes_B[i], 0) : vkt_buffer_create(vkx, sizes_B[i], 0);
      addresses[i] = p->addresses ? vkt_address(vkx, &buffers[i]) : 0;
   }
   p->fill(buffers[0].map);
   const uint32_t constant = p->constant, groups = (FUZZ_LANES + p->group_size - 1) / p->group_size;
   const uint32_t size = vkt_offers_lanes(vkx, p->lanes) ? p->lanes : 0;
   vkt_dispatch(vkx, &(struct vkt_dispatch){{p->words, p->size_B},
                                            p->addresses ? 0 : 3,
                                            buffers,
                                            1,
                                            &constant,
                                            .groups = groups,
                                            .subgroup_size = size,
                                            .push = addresses,
                                            .push_B = p->addresses ? sizeof(addresses) : 0});
   vkt_expect(check(p, buffers, (int32_t)constant), "program %u, groups of %u, subgroups of %u", p->number,
              p->group_size, size);
   for (unsigned i = 0; i < 3; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}

/* What RADV compiles wrongly: 26.1.6 the last, 22.3.6 the others, which 26.1.6, Indium and gcc agree on. */
static bool
is_wrong_in_radv(unsigned number)
{
   static const unsigned numbers[] = {1, 10, 23, 29, 37, 43, 44, 1022};
   for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
      if (numbers[i] == number)
         return true;
   }
   return false;
}

/* The one argument: a program's number, for only that one. --quirks radv: without those that RADV compiles wrongly.
 */
int
main(int argc, char **argv)
{
   struct vkx vkx = vkt_create("fuzz");
   const bool radv = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   const bool offered = vkt_features.shaderInt64 && vkt_features.shaderInt16 && vkt_float16 && vkt_int8 &&
                        vkt_has("VK_EXT_scalar_block_layout");
   for (unsigned i = 0; i < fuzz_count && offered; i++) {
      const struct fuzz_program *p = &fuzz_programs[i];
      if ((argc != 2 || atoi(argv[1]) == (int)p->number) && (!p->has_doubles || vkt_features.shaderFloat64) &&
          (!p->addresses || vkt_has("VK_KHR_buffer_device_address")) && !(radv && is_wrong_in_radv(p->number)))
         run_program(&vkx, p);
   }
   if (!offered)
      vkt_skip("types that the device lacks");
   vkt_expect(fuzz_count > 0, "no programs");
   return vkt_finish(&vkx);
}
