#include "fake_gpu.h"

#include <string.h>

#include "amd/compiler/aco.h"
#include "compiler/nir/nir.h"

bool fake_kills, fake_intrawave;

/* s_endpgm, and outputs that look like those of small shaders. */

static void
fill_vertex(const struct nir_shader *nir, const struct aco_options *options, struct aco_output *out)
{
   memset(out->vs.param_of_slot, ACO_NO_REG, sizeof(out->vs.param_of_slot));
   out->vs.num_pos = 1;
   out->vs.ngg_asks = options->gen < AMD_GFX11;
   for (unsigned slot = NIR_SLOT_VAR0; slot <= NIR_SLOT_VAR31; slot++) {
      if (nir->info.outputs_written >> slot & 1)
         out->vs.param_of_slot[slot] = out->vs.num_params++;
   }
}

static void
fill_fragment(const struct nir_shader *nir, const struct aco_options *options, struct aco_output *out)
{
   out->ps.input_ena = out->ps.input_addr = 2;
   for (unsigned slot = NIR_SLOT_VAR0; slot <= NIR_SLOT_VAR31; slot++) {
      if (nir->info.inputs_read >> slot & 1)
         out->ps.inputs[out->ps.num_inputs++].slot = (uint8_t)slot;
   }
   out->ps.col_format = options->ps.col_format;
   for (unsigned i = 0; i < 8; i++)
      out->ps.cb_shader_mask |= options->ps.col_format >> (4 * i) & 15 ? 15u << (4 * i) : 0;
   out->ps.kills = fake_kills;
   out->ps.ordered = out->ps.load_collision_waveid = nir->info.uses_interlock;
   out->ps.load_intrawave_collision = nir->info.uses_interlock && fake_intrawave;
}

bool
aco_compile(struct arena *arena, const struct aco_stage *stage, const struct aco_options *options,
            struct aco_output *out, const char **error)
{
   struct nir_shader *nir = stage->shaders[0];
   static const uint32_t code[64] = {0xbf810000};

   memset(out, 0, sizeof(*out));
   nir_gather_info(nir);
   out->code = code;
   out->code_dw = 64;
   out->num_vgprs = 8;
   out->float_mode = options->float_mode;
   out->wave_size = options->wave_size;
   out->cs.tgid[0] = true;
   if (nir->stage == NIR_STAGE_VERTEX)
      fill_vertex(nir, options, out);
   else if (nir->stage == NIR_STAGE_FRAGMENT)
      fill_fragment(nir, options, out);
   return true;
}

bool
aco_may_loop_over_layers(const struct nir_shader *nir)
{
   return true;
}
