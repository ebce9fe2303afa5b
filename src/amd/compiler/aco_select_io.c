/* Selection of shader inputs and outputs, and of system values. */
#include "amd/compiler/aco_select.h"

static struct aco_operand
arg(struct isel *c, uint32_t temp, const char *what)
{
   if (!temp) {
      aco_fail(c->program, "%s is read but does not arrive as an argument", what);
      return k(0);
   }
   return aco_op_temp(c->program, temp);
}

/* ---- fragment inputs ---- */

static struct aco_instr *
interp_instr(struct isel *c, unsigned op, unsigned attr, unsigned chan, unsigned num_ops)
{
   struct aco_instr *instr = isel_emit(c, op, 1, num_ops);
   instr->attr = (uint8_t)attr;
   instr->chan = (uint8_t)chan;
   instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, ACO_V1), .rc = ACO_V1};
   return instr;
}

/* Of the first vertex, or where values are by vertex of the second or third: P0, P10 or P20. */
static struct aco_operand
vertex_input(struct isel *c, unsigned attr, unsigned chan, unsigned vertex)
{
   static const uint8_t params[3] = {2, 0, 1};
   if (c->program->target->has_param_loads)
      return isel_vertex_param(c, attr, chan, vertex);
   struct aco_instr *instr = interp_instr(c, AMD_OP_v_interp_mov_f32, attr, chan, 0);
   instr->simm16 = params[vertex];
   return isel_result(c, instr, 0);
}

static struct aco_operand
interpolate(struct isel *c, struct aco_operand i, struct aco_operand j, unsigned attr, unsigned chan)
{
   if (c->program->target->has_param_loads)
      return isel_param(c, attr, chan, (struct aco_operand[2]){i, j});
   struct aco_instr *p1 = interp_instr(c, AMD_OP_v_interp_p1_f32, attr, chan, 1);
   p1->ops[0] = i;
   struct aco_instr *p2 = interp_instr(c, AMD_OP_v_interp_p2_f32, attr, chan, 2);
   p2->ops[0] = j;
   p2->ops[1] = isel_result(c, p1, 0);
   p2->tied = true;
   return isel_result(c, p2, 0);
}

static unsigned
input_slot(const struct nir_intrinsic_instr *intr, unsigned offset_src)
{
   return nir_intrinsic_slot(intr) + (unsigned)nir_src_comp_as_uint(intr->src[offset_src], 0);
}

static bool
is_by_vertex(const struct nir_intrinsic_instr *intr)
{
   return intr->op == NIR_INTRINSIC_load_per_vertex_input || intr->op == NIR_INTRINSIC_load_explicit_input;
}

static bool
has_constant_place(struct isel *c, const struct nir_intrinsic_instr *intr, unsigned offset_src)
{
   if (is_by_vertex(intr) && (!nir_src_is_const(intr->src[0]) || nir_src_comp_as_uint(intr->src[0], 0) > 2))
      aco_fail(c->program, "an input of a vertex that is not constant: lower it first");
   else if (!nir_src_is_const(intr->src[offset_src]))
      aco_fail(c->program, "an input array has a variable index: lower it first");
   else
      return true;
   return false;
}

static void
load_input(struct isel *c, struct nir_intrinsic_instr *intr)
{
   const bool smooth = intr->op == NIR_INTRINSIC_load_interpolated_input;
   const unsigned offset_src = intr->op == NIR_INTRINSIC_load_input ? 0 : 1;
   if (!has_constant_place(c, intr, offset_src))
      return;
   const unsigned vertex = is_by_vertex(intr) ? (unsigned)nir_src_comp_as_uint(intr->src[0], 0) : 0;
   unsigned attr = c->input_of_slot[input_slot(intr, offset_src)], first = nir_intrinsic_component(intr);
   struct aco_operand i = {0}, j = {0};
   if (smooth) {
      i = isel_as_v(c, isel_src(c, &intr->src[0], 0), 1);
      j = isel_as_v(c, isel_src(c, &intr->src[0], 1), 1);
   }
   for (unsigned n = 0; n < intr->def.num_components; n++) {
      struct aco_operand value =
         smooth ? interpolate(c, i, j, attr, first + n) : vertex_input(c, attr, first + n, vertex);
      if (intr->def.bit_size == 16)
         value = isel_v1(c, AMD_OP_v_cvt_f16_f32, ACO_V1, value);
      isel_set(c, &intr->def, n, value);
   }
}

static void
barycentric(struct isel *c, struct nir_intrinsic_instr *intr, unsigned place)
{
   if (nir_intrinsic_interp(intr) == NIR_INTERP_NOPERSPECTIVE)
      place += 4;
   for (unsigned i = 0; i < 2; i++)
      isel_set(c, &intr->def, i, arg(c, c->barycentric[place][i], "a barycentric"));
}

/* The value at the pixel centre, moved by its derivatives: offset in pixels. */
static struct aco_operand
moved(struct isel *c, struct aco_operand value, const struct aco_operand *offset)
{
   static const unsigned lanes[3] = {0x00, 0x55, 0xaa};
   struct aco_operand q[3], result = value;
   for (unsigned n = 0; n < 3; n++)
      isel_quad_swizzle(c, value, lanes[n], &q[n]);
   for (unsigned n = 0; n < 2; n++) {
      struct aco_operand slope = isel_v2(c, AMD_OP_v_sub_f32, ACO_V1, q[n + 1], q[0]);
      result = isel_v3(c, AMD_OP_v_fma_f32, ACO_V1, slope, offset[n], result);
   }
   return result;
}

/* What varies linearly are I and J, or in perspective I/W, J/W and 1/W. */
static void
barycentric_at(struct isel *c, struct nir_intrinsic_instr *intr, const struct aco_operand *offset)
{
   const bool linear = nir_intrinsic_interp(intr) == NIR_INTERP_NOPERSPECTIVE;
   struct aco_operand at[3];
   for (unsigned i = 0; i < (linear ? 2 : 3); i++)
      at[i] = moved(c, arg(c, c->barycentric[linear ? 5 : ISEL_PULL_MODEL][i], "a barycentric"), offset);
   struct aco_operand w = linear ? (struct aco_operand){0} : isel_v1(c, AMD_OP_v_rcp_f32, ACO_V1, at[2]);
   for (unsigned i = 0; i < 2; i++)
      isel_set(c, &intr->def, i, linear ? at[i] : isel_v2(c, AMD_OP_v_mul_f32, ACO_V1, at[i], w));
}

/* Position of a sample in the pixel, from the table that the driver passes. */
static void
sample_position(struct isel *c, struct aco_operand sample, struct aco_operand *xy)
{
   if (c->args->sample_positions == ACO_NO_REG) {
      aco_fail(c->program, "sample positions are read but their table does not arrive as an argument");
      xy[0] = xy[1] = k(0);
      return;
   }
   struct aco_operand parts[2] = {arg(c, c->user_sgpr[c->args->sample_positions], "the sample table"),
                                  arg(c, c->user_sgpr[c->args->sample_positions + 1], "the sample table")};
   struct aco_instr *load = isel_emit(c, AMD_OP_global_load_dwordx2, 1, 3);
   c->block->count--; /* operands first */
   load->ops[2] = isel_vector(c, ACO_S2, 2, parts);
   load->ops[0] = isel_v2(c, AMD_OP_v_lshlrev_b32, ACO_V1, k(3), isel_as_v(c, sample, 1));
   load->reorder = true;
   load->defs[0] = (struct aco_def){.temp = aco_temp(c->program, ACO_V2), .rc = ACO_V2};
   aco_block_append(c->program, c->block, load);
   isel_split(c, isel_result(c, load, 0), 2, xy);
}

static void
barycentric_at_sample(struct isel *c, struct nir_intrinsic_instr *intr)
{
   struct aco_operand xy[2];
   sample_position(c, isel_src(c, &intr->src[0], 0), xy);
   for (unsigned i = 0; i < 2; i++)
      xy[i] = isel_v2(c, AMD_OP_v_add_f32, ACO_V1, k(float_bits(-0.5f)), xy[i]);
   barycentric_at(c, intr, xy);
}

/* ---- outputs: kept until the end of the shader ---- */

static void
store_output(struct isel *c, struct nir_intrinsic_instr *intr)
{
   if (intr->instr.block->cf.parent) {
      aco_fail(c->program, "an output is stored inside control flow: lower outputs to temporaries first");
      return;
   }
   if (!nir_src_is_const(intr->src[1])) {
      aco_fail(c->program, "an output array has a variable index: lower it first");
      return;
   }
   unsigned slot = input_slot(intr, 1) + (nir_intrinsic_frag_index(intr) ? NIR_SLOT_COUNT : 0);
   unsigned first = nir_intrinsic_component(intr), bits = intr->src[0].def->bit_size;
   c->outputs[slot].type = nir_intrinsic_src_type(intr);
   c->outputs[slot].bit_size = (uint8_t)bits;
   for (unsigned i = 0; i < intr->src[0].def->num_components; i++) {
      if (!(nir_intrinsic_write_mask(intr) >> i & 1) || first + i > 3)
         continue;
      struct aco_operand value = isel_src(c, &intr->src[0], i);
      if (bits == 16 && nir_intrinsic_src_type(intr) == NIR_TYPE_FLOAT)
         value = isel_v1(c, AMD_OP_v_cvt_f32_f16, ACO_V1, isel_as_v(c, value, 1));
      else if (bits < 32)
         value = isel_extend(c, value, bits, nir_intrinsic_src_type(intr) == NIR_TYPE_INT);
      c->outputs[slot].comp[first + i] = value;
      c->outputs[slot].mask |= (uint8_t)(1u << (first + i));
   }
}

bool
isel_io(struct isel *c, struct nir_intrinsic_instr *intr)
{
   /* size: a flat switch */
   struct aco_operand offset[2];
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_input:
      if (c->nir->stage != NIR_STAGE_FRAGMENT)
         return false;
      load_input(c, intr);
      return true;
   case NIR_INTRINSIC_load_interpolated_input:
   case NIR_INTRINSIC_load_per_vertex_input:
   case NIR_INTRINSIC_load_explicit_input:
      load_input(c, intr);
      return true;
   case NIR_INTRINSIC_load_barycentric_pixel:
      barycentric(c, intr, 1);
      return true;
   case NIR_INTRINSIC_load_barycentric_centroid:
      barycentric(c, intr, 2);
      return true;
   case NIR_INTRINSIC_load_barycentric_sample:
      barycentric(c, intr, 0);
      return true;
   case NIR_INTRINSIC_load_barycentric_at_offset:
      for (unsigned i = 0; i < 2; i++)
         offset[i] = isel_src(c, &intr->src[0], i);
      barycentric_at(c, intr, offset);
      return true;
   case NIR_INTRINSIC_load_barycentric_at_sample:
      barycentric_at_sample(c, intr);
      return true;
   case NIR_INTRINSIC_load_barycentric_model:
      for (unsigned i = 0; i < 3; i++)
         isel_set(c, &intr->def, i, arg(c, c->barycentric[ISEL_PULL_MODEL][i], "a barycentric"));
      return true;
   case NIR_INTRINSIC_load_first_vertices_amd:
      isel_set(c, &intr->def, 0, aco_op_temp(c->program, c->first_vertices));
      return true;
   case NIR_INTRINSIC_store_output:
      store_output(c, intr);
      return true;
   default: /* others: no inputs of fragments */
      return false;
   }
}

/* ---- system values ---- */

static void
set_scalar_args(struct isel *c, struct nir_intrinsic_instr *intr, unsigned first, const char *what)
{
   for (unsigned i = 0; i < intr->def.num_components; i++) {
      unsigned at = first + i;
      isel_set(c, &intr->def, i, first != ACO_NO_REG && at < 64 ? arg(c, c->user_sgpr[at], what) : arg(c, 0, what));
   }
}

struct aco_operand
isel_lane_id(struct isel *c)
{
   struct aco_operand id = isel_v2(c, AMD_OP_v_mbcnt_lo_u32_b32, ACO_V1, k(UINT32_MAX), k(0));
   if (c->program->wave_size == 64)
      id = isel_v2(c, AMD_OP_v_mbcnt_hi_u32_b32, ACO_V1, k(UINT32_MAX), id);
   return id;
}

struct aco_operand
isel_local_index(struct isel *c)
{
   const uint32_t *size = c->nir->info.workgroup_size;
   struct aco_operand index = size[0] > 1 ? arg(c, c->local_id[0], "the local id") : k(0);
   if (size[1] > 1)
      index = isel_v3(c, AMD_OP_v_mad_u32_u24, ACO_V1, arg(c, c->local_id[1], "the local id"), k(size[0]), index);
   if (size[2] > 1)
      index = isel_v3(c, AMD_OP_v_mad_u32_u24, ACO_V1, arg(c, c->local_id[2], "the local id"), k(size[0] * size[1]),
                      index);
   return index;
}

static void
lane_masks(struct isel *c, struct nir_intrinsic_instr *intr)
{
   struct aco_operand id = isel_lane_id(c), words[2] = {k(0), k(0)};
   enum nir_intrinsic_op op = intr->op;
   bool wide = c->program->wave_size == 64;
   bool gt = op == NIR_INTRINSIC_load_subgroup_gt_mask, ge = op == NIR_INTRINSIC_load_subgroup_ge_mask;
   bool le = op == NIR_INTRINSIC_load_subgroup_le_mask, lt = op == NIR_INTRINSIC_load_subgroup_lt_mask;
   /* eq: 1 << id; ge: -1 << id; gt: -2 << id; lt: ~ge; le: ~gt */
   int32_t start = ge || lt ? -1 : gt || le ? -2 : 1;
   if (wide) {
      struct aco_operand shifted = isel_v2(c, AMD_OP_v_lshlrev_b64, ACO_V2, id, isel_as_v(c, k((uint32_t)start), 2));
      isel_split(c, shifted, 2, words);
   } else {
      words[0] = isel_v2(c, AMD_OP_v_lshlrev_b32, ACO_V1, id, isel_as_v(c, k((uint32_t)start), 1));
   }
   for (unsigned i = 0; i < 4; i++) {
      if (i < (wide ? 2u : 1u))
         isel_set(c, &intr->def, i, lt || le ? isel_v1(c, AMD_OP_v_not_b32, ACO_V1, words[i]) : words[i]);
      else
         isel_set(c, &intr->def, i, k(0));
   }
}

static void
set_helper(struct isel *c, struct nir_intrinsic_instr *intr)
{
   if (c->masks->exact.kind == ACO_OP_NONE)
      isel_set_mask(c, &intr->def, 0, isel_as_s(c, k(0), aco_rc_size_dw(c->program->lm)));
   else
      isel_set_mask(c, &intr->def, 0, isel_s1(c, ISEL_LM(c, s_not), c->program->lm, c->masks->exact));
}

/* Ancillary bits 3:2 and 5:4 are the logarithms of width and height. Source: RADV. */
static struct aco_operand
shading_rate(struct isel *c)
{
   struct aco_operand ancillary = arg(c, c->ancillary, "the shading rate");
   struct aco_operand width = isel_v2(c, AMD_OP_v_and_b32, ACO_V1, k(3 << 2), ancillary);
   struct aco_operand height = isel_v3(c, AMD_OP_v_bfe_u32, ACO_V1, ancillary, k(4), k(2));
   return isel_v2(c, AMD_OP_v_or_b32, ACO_V1, width, height);
}

static bool
fragment_sysval(struct isel *c, struct nir_intrinsic_instr *intr)
{
   /* size: a flat switch */
   struct nir_def *def = &intr->def;
   struct aco_operand x;
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_frag_coord:
      for (unsigned i = 0; i < 3; i++)
         isel_set(c, def, i, c->frag_pos[i] ? aco_op_temp(c->program, c->frag_pos[i]) : k(0));
      isel_set(c, def, 3,
               c->frag_pos[3] ? isel_v1(c, AMD_OP_v_rcp_f32, ACO_V1, aco_op_temp(c->program, c->frag_pos[3])) : k(0));
      return true;
   case NIR_INTRINSIC_load_sample_pos:
      for (unsigned i = 0; i < 2; i++)
         isel_set(c, def, i, isel_v1(c, AMD_OP_v_fract_f32, ACO_V1, arg(c, c->frag_pos[i], "the position")));
      return true;
   case NIR_INTRINSIC_load_front_face:
      x = arg(c, c->front_face, "the front face");
      isel_set_mask(c, def, 0, isel_v2(c, AMD_OP_v_cmp_ne_u32, c->program->lm, k(0), x));
      return true;
   case NIR_INTRINSIC_load_sample_id:
      isel_set(c, def, 0, isel_v3(c, AMD_OP_v_bfe_u32, ACO_V1, arg(c, c->ancillary, "the sample id"), k(8), k(4)));
      return true;
   case NIR_INTRINSIC_load_layer_id:
      isel_set(c, def, 0, isel_v3(c, AMD_OP_v_bfe_u32, ACO_V1, arg(c, c->ancillary, "the layer"), k(16), k(11)));
      return true;
   case NIR_INTRINSIC_load_shading_rate:
      isel_set(c, def, 0, shading_rate(c));
      return true;
   case NIR_INTRINSIC_load_sample_mask_in:
      x = arg(c, c->coverage, "the coverage");
      if (c->options->ps.per_sample) {
         struct aco_operand id =
            isel_v3(c, AMD_OP_v_bfe_u32, ACO_V1, arg(c, c->ancillary, "the sample id"), k(8), k(4));
         struct aco_operand bit = isel_v2(c, AMD_OP_v_lshlrev_b32, ACO_V1, id, isel_as_v(c, k(1), 1));
         x = isel_v2(c, AMD_OP_v_and_b32, ACO_V1, x, bit);
      }
      isel_set(c, def, 0, x);
      return true;
   case NIR_INTRINSIC_load_primitive_id:
      isel_set(c, def, 0, vertex_input(c, c->input_of_slot[NIR_SLOT_PRIMITIVE_ID], 0, 0));
      return true;
   case NIR_INTRINSIC_load_helper_invocation:
   case NIR_INTRINSIC_is_helper_invocation:
      set_helper(c, intr);
      return true;
   default: /* others: of no fragment */
      return false;
   }
}

static bool
compute_sysval(struct isel *c, struct nir_intrinsic_instr *intr)
{
   /* size: a flat switch */
   struct nir_def *def = &intr->def;
   const uint32_t *size = c->nir->info.workgroup_size;
   struct aco_operand x;
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_local_invocation_id:
      for (unsigned i = 0; i < 3; i++)
         isel_set(c, def, i, size[i] > 1 ? arg(c, c->local_id[i], "the local id") : k(0));
      return true;
   case NIR_INTRINSIC_load_local_invocation_index:
      isel_set(c, def, 0, isel_local_index(c));
      return true;
   case NIR_INTRINSIC_load_workgroup_id:
      for (unsigned i = 0; i < 3; i++)
         isel_set(c, def, i, c->workgroup_id[i] ? aco_op_temp(c->program, c->workgroup_id[i]) : k(0));
      return true;
   case NIR_INTRINSIC_load_num_workgroups:
      set_scalar_args(c, intr, c->args->num_workgroups, "the number of workgroups");
      return true;
   case NIR_INTRINSIC_load_workgroup_size:
      for (unsigned i = 0; i < 3; i++)
         isel_set(c, def, i, k(size[i]));
      return true;
   case NIR_INTRINSIC_load_global_invocation_id:
      for (unsigned i = 0; i < 3; i++) {
         x = arg(c, c->workgroup_id[i], "the workgroup id");
         x = isel_s2(c, AMD_OP_s_mul_i32, ACO_S1, x, k(size[i]));
         if (size[i] > 1)
            x = isel_v2(c, AMD_OP_v_add_nc_u32, ACO_V1, x, arg(c, c->local_id[i], "the local id"));
         isel_set(c, def, i, x);
      }
      return true;
   case NIR_INTRINSIC_load_subgroup_id:
      /* Waves hold consecutive local indices. */
      if (size[0] * size[1] * size[2] <= c->program->wave_size) {
         isel_set(c, def, 0, k(0));
      } else {
         x = isel_as_s(c, isel_local_index(c), 1);
         isel_set(c, def, 0, isel_s2(c, AMD_OP_s_lshr_b32, ACO_S1, x, k(log2_floor(c->program->wave_size))));
      }
      return true;
   case NIR_INTRINSIC_load_num_subgroups:
      isel_set(c, def, 0, k((uint32_t)div_round_up(size[0] * size[1] * size[2], c->program->wave_size)));
      return true;
   default: /* others: of no workgroup */
      return false;
   }
}

static bool
vertex_sysval(struct isel *c, struct nir_intrinsic_instr *intr)
{
   struct nir_def *def = &intr->def;
   struct aco_operand x;
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_vertex_id:
      x = arg(c, c->vertex_id, "the vertex id");
      if (c->args->base_vertex != ACO_NO_REG)
         x =
            isel_v2(c, AMD_OP_v_add_nc_u32, ACO_V1, arg(c, c->user_sgpr[c->args->base_vertex], "the base vertex"), x);
      isel_set(c, def, 0, x);
      return true;
   case NIR_INTRINSIC_load_vertex_id_zero_base:
      isel_set(c, def, 0, arg(c, c->vertex_id, "the vertex id"));
      return true;
   case NIR_INTRINSIC_load_instance_id:
      isel_set(c, def, 0, arg(c, c->instance_id, "the instance id"));
      return true;
   case NIR_INTRINSIC_load_base_vertex:
      set_scalar_args(c, intr, c->args->base_vertex, "the base vertex");
      return true;
   case NIR_INTRINSIC_load_base_instance:
      set_scalar_args(c, intr, c->args->base_instance, "the base instance");
      return true;
   case NIR_INTRINSIC_load_draw_id:
      set_scalar_args(c, intr, c->args->draw_id, "the draw id");
      return true;
   default: /* others: of no vertex */
      return false;
   }
}

/* The others are lowered by the driver. */
static bool
mesh_sysval(struct isel *c, struct nir_intrinsic_instr *intr)
{
   if (intr->op != NIR_INTRINSIC_load_num_workgroups)
      return vertex_sysval(c, intr);
   set_scalar_args(c, intr, c->args->num_workgroups, "the number of workgroups");
   return true;
}

/* System values that one stage has; NULL: none. */
static bool (*const stage_sysval[NIR_STAGES])(struct isel *c, struct nir_intrinsic_instr *intr) = {
   [NIR_STAGE_VERTEX] = vertex_sysval,   [NIR_STAGE_TESS_CTRL] = vertex_sysval, /* of the shader in front */
   [NIR_STAGE_GEOMETRY] = vertex_sysval, [NIR_STAGE_FRAGMENT] = fragment_sysval,
   [NIR_STAGE_COMPUTE] = compute_sysval, [NIR_STAGE_MESH] = mesh_sysval,
};

bool
isel_sysval(struct isel *c, struct nir_intrinsic_instr *intr)
{
   struct nir_def *def = &intr->def;
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_view_index:
      set_scalar_args(c, intr, c->args->view_index, "the view index");
      return true;
   case NIR_INTRINSIC_load_scalar_arg:
      set_scalar_args(c, intr, (unsigned)nir_intrinsic_base(intr), "a user SGPR");
      if (def->num_components > 1 && c->user_vec[nir_intrinsic_base(intr) & 63])
         c->values[def->index].vec = c->user_vec[nir_intrinsic_base(intr) & 63];
      return true;
   case NIR_INTRINSIC_load_vector_arg:
      for (unsigned i = 0; i < def->num_components; i++) {
         unsigned at = (unsigned)nir_intrinsic_base(intr) + i;
         isel_set(c, def, i, arg(c, at < ARRAY_SIZE(c->vector_arg) ? c->vector_arg[at] : 0, "a VGPR argument"));
      }
      return true;
   case NIR_INTRINSIC_load_subgroup_size:
      isel_set(c, def, 0, k(c->program->wave_size));
      return true;
   case NIR_INTRINSIC_load_subgroup_invocation:
      isel_set(c, def, 0, isel_lane_id(c));
      return true;
   case NIR_INTRINSIC_load_subgroup_eq_mask:
   case NIR_INTRINSIC_load_subgroup_ge_mask:
   case NIR_INTRINSIC_load_subgroup_gt_mask:
   case NIR_INTRINSIC_load_subgroup_le_mask:
   case NIR_INTRINSIC_load_subgroup_lt_mask:
      lane_masks(c, intr);
      return true;
   default: /* others: by the stage */
      return stage_sysval[c->nir->stage] && stage_sysval[c->nir->stage](c, intr);
   }
}
