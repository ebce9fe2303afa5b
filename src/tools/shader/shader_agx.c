#include "compiler/nir/nir.h"
#include "tools/shader/shader_agx.h"

#include <inttypes.h>
#include <stdio.h>

bool
shader_agx_compile(struct arena *arena, struct nir_shader *nir, const char *text, const char *after,
                   struct agx_output *out, const char **error)
{
   /* As if the driver filled a quarter of the uniforms. */
   const struct agx_options options = {
      .uniforms_h = AGX_UNIFORMS / 4, .validate = true, .listing = true, .print_ir = after};
   if (nir)
      nir->info.robust_uniform = nir->info.robust_storage = NIR_ROBUST_INSIDE;
   return nir ? agx_compile(arena, nir, &options, out, error) : agx_compile_text(arena, text, &options, out, error);
}

/* One line: the bytes of the instructions. */
void
shader_agx_print_code(const struct agx_output *out)
{
   printf("code ");
   for (uint32_t i = 0; i < out->stats.code_B; i++)
      printf("%02x", out->code[i]);
   printf("\n");
}

void
shader_agx_print_stats(const struct agx_output *out)
{
   const struct agx_stats *s = &out->stats;
   printf("instructions %u (%u alu), %u in the preamble, %u loops\n", s->instructions, s->alu,
          s->preamble_instructions, s->loops);
   printf("code %u B, %u GPRs, %u uniforms (16 bits), %u constants, spills %u, fills %u, scratch %u B, %u threads\n",
          s->code_B, s->gprs, s->uniforms, out->constant_count, s->spills, s->fills, s->scratch, s->threads);
   printf("hash %016" PRIx64 "\n", s->hash);
}
