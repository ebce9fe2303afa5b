/* Inputs of fragments on GFX11: lds_param_load puts P0, P10 and P20 into the first three lanes of each quad, and
 * instructions read them there, whichever lanes are active (RDNA 3 ISA, "Parameter Interpolation").
 *
 * It writes whole quads: where lanes have parted, the register may hold values of neighbours that are elsewhere, and
 * all of it stands in a section that keeps these (aco_preserve_lanes.c). */
#include "amd/compiler/aco_select.h"

static struct aco_operand
result(struct isel *c, struct aco_instr *instr)
{
   instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, ACO_V1), .rc = ACO_V1};
   return isel_result(c, instr, 0);
}

static struct aco_operand
vinterp(struct isel *c, unsigned op, struct aco_operand param, struct aco_operand barycentric, struct aco_operand sum)
{
   struct aco_instr *instr = isel_emit(c, op, 1, 3);
   instr->ops[0] = param;
   instr->ops[1] = barycentric;
   instr->ops[2] = sum;
   return result(c, instr);
}

static struct aco_operand
lane_of_quad(struct isel *c, struct aco_operand param, unsigned lane)
{
   struct aco_instr *instr = isel_emit(c, AMD_OP_v_mov_b32, 1, 1);
   instr->ops[0] = param;
   instr->dpp = instr->bound_ctrl = instr->fetch_inactive = true;
   instr->dpp_ctrl = (uint16_t)(lane * 0x55); /* quad_perm */
   return result(c, instr);
}

/* Interpolated; ij NULL: of a vertex. */
static struct aco_operand
param(struct isel *c, unsigned attr, unsigned chan, const struct aco_operand *ij, unsigned vertex)
{
   struct aco_operand saved = {0}, x;
   if (c->divergence_depth)
      saved = isel_begin_whole(c);
   struct aco_instr *load = isel_emit(c, AMD_OP_lds_param_load, 1, 0);
   load->attr = (uint8_t)attr;
   load->chan = (uint8_t)chan;
   struct aco_operand loaded = result(c, load);
   if (ij) {
      x = vinterp(c, AMD_OP_v_interp_p10_f32, loaded, ij[0], loaded);
      x = vinterp(c, AMD_OP_v_interp_p2_inreg_f32, loaded, ij[1], x);
   } else {
      x = lane_of_quad(c, loaded, vertex);
   }
   return c->divergence_depth ? isel_end_whole(c, saved, x) : x;
}

struct aco_operand
isel_param(struct isel *c, unsigned attr, unsigned chan, const struct aco_operand *ij)
{
   return param(c, attr, chan, ij, 0);
}

struct aco_operand
isel_vertex_param(struct isel *c, unsigned attr, unsigned chan, unsigned vertex)
{
   return param(c, attr, chan, NULL, vertex);
}
