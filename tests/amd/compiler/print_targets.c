/* The rows of aco_target() as text, for test_aco_target.py: GENERATION NAME VALUE... */
#include <stdio.h>

#include "amd/compiler/aco_target.h"
#include "amd/hw/isa.h"
#include "util/macros.h"

static void
print_offsets(const char *gen, const char *name, const struct aco_offsets *offsets)
{
   printf("%s %s %d %d\n", gen, name, offsets->min_B, offsets->max_B);
}

static void
print_row(const char *gen, const struct aco_target *t)
{
   print_offsets(gen, "smem", &t->smem);
   print_offsets(gen, "smem_buffer", &t->smem_buffer);
   print_offsets(gen, "mubuf", &t->mubuf);
   print_offsets(gen, "flat", &t->flat);
   print_offsets(gen, "global", &t->global);
   print_offsets(gen, "scratch", &t->scratch);
   print_offsets(gen, "ds", &t->ds);
   printf("%s has_wave32 %d\n%s sgprs %u\n", gen, t->has_wave32, gen, t->sgprs);
   printf("%s vscnt_max %u\n%s has_clauses %d\n", gen, t->vscnt_max, gen, t->has_clauses);
   printf("%s constant_bus %u %u\n", gen, aco_constant_bus(t, AMD_OP_v_fma_f32),
          aco_constant_bus(t, AMD_OP_v_lshlrev_b64));
   printf("%s vop3_literals %d\n%s lds_B %u\n", gen, t->vop3_literals, gen, t->lds_B);
   printf("%s max_image_addresses %u\n", gen, t->max_image_addresses);
   printf("%s exports_halves %d\n%s has_null_target %d\n", gen, t->exports_halves, gen, t->has_null_target);
   printf("%s max_params %u\n%s fetch_line_B %u\n", gen, t->max_params, gen, t->fetch_line_B);
   for (unsigned wave_size = t->has_wave32 ? 32 : 64; wave_size <= 64; wave_size += 32) {
      for (unsigned vgprs = 1; vgprs <= 256; vgprs += vgprs < 136 ? 1 : 24)
         printf("%s waves_of_vgprs %u %u %u\n", gen, wave_size, vgprs, aco_waves(t, wave_size, vgprs, 1));
   }
   for (unsigned sgprs = 1; sgprs <= t->sgprs; sgprs += 7)
      printf("%s waves_of_sgprs %u %u\n", gen, sgprs, aco_waves(t, 64, 1, sgprs));
}

int
main(void)
{
   static const char *const names[AMD_GEN_COUNT] = {
      [AMD_GFX9] = "GFX9",   [AMD_GFX10] = "GFX10",     [AMD_GFX10_3] = "GFX10.3",
      [AMD_GFX11] = "GFX11", [AMD_GFX11_5] = "GFX11.5",
   };
   for (unsigned gen = 0; gen < AMD_GEN_COUNT; gen++)
      print_row(names[gen], aco_target((enum amd_gen)gen));
   return 0;
}
