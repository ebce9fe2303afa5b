/* Selection: what arrives in registers at entry. First the shader is searched for what it reads, then one p_startpgm
 * defines it. Orders of the hardware: docs/drivers.md, "Shader arguments"; AMD RDNA 2 ISA; the Linux-side ABI as
 * observed in RADV (wave launch state of GFX10.3). */
#include "amd/compiler/aco_select.h"
#include "amd/hw/descriptors.h"

struct needs {
   bool tgid[3], local_id, front_face, ancillary, coverage, scratch, derivatives, demotes, inputs;
   bool vertex_id, instance_id, primitive_id, ordered, collision_waveid, intrawave_collision, first_vertices;
   uint8_t pos;         /* bit per component of the fragment position */
   uint8_t barycentric; /* bit per PS input 0 to 6 */
   uint64_t slots, flat_slots, vertex_slots, explicit_slots;
   uint32_t vector_args; /* bit per VGPR of load_vector_arg */
   uint8_t vec_size[64]; /* dwords of load_scalar_arg at that SGPR, 0 none */
};

static void
need_barycentric(struct needs *needs, const struct nir_intrinsic_instr *intr, unsigned place)
{
   needs->barycentric |= (uint8_t)(1u << (place + (nir_intrinsic_interp(intr) == NIR_INTERP_NOPERSPECTIVE ? 4 : 0)));
}

static uint64_t
slot_bits(const struct nir_intrinsic_instr *intr, unsigned offset_src)
{
   unsigned offset =
      nir_src_is_const(intr->src[offset_src]) ? (unsigned)nir_src_comp_as_uint(intr->src[offset_src], 0) : 0;
   return UINT64_C(1) << (nir_intrinsic_slot(intr) + offset);
}

static void
look_at(struct needs *needs, const struct nir_intrinsic_instr *intr)
{
   /* size: a flat switch */
   switch ((int)intr->op) { /* others: need no argument */
   case NIR_INTRINSIC_load_workgroup_id:
   case NIR_INTRINSIC_load_global_invocation_id:
      needs->tgid[0] = needs->tgid[1] = needs->tgid[2] = true;
      if (intr->op == NIR_INTRINSIC_load_workgroup_id)
         break;
      needs->local_id = true;
      break;
   case NIR_INTRINSIC_load_local_invocation_id:
   case NIR_INTRINSIC_load_local_invocation_index:
   case NIR_INTRINSIC_load_subgroup_id:
   case NIR_INTRINSIC_shuffle:
   case NIR_INTRINSIC_shuffle_xor:
   case NIR_INTRINSIC_shuffle_up:
   case NIR_INTRINSIC_shuffle_down:
      needs->local_id = true;
      break;
   case NIR_INTRINSIC_load_scratch:
   case NIR_INTRINSIC_store_scratch:
      needs->scratch = true;
      break;
   case NIR_INTRINSIC_await_waves_amd:
   case NIR_INTRINSIC_await_exports_amd:
      needs->ordered = true;
      break;
   case NIR_INTRINSIC_load_collision_waveid_amd:
      needs->collision_waveid = true;
      break;
   case NIR_INTRINSIC_load_intrawave_collision_amd:
      needs->intrawave_collision = true;
      break;
   case NIR_INTRINSIC_load_frag_coord:
      needs->pos = 0xf;
      break;
   case NIR_INTRINSIC_load_sample_pos:
      needs->pos |= 3;
      break;
   case NIR_INTRINSIC_load_front_face:
      needs->front_face = true;
      break;
   case NIR_INTRINSIC_load_sample_id:
   case NIR_INTRINSIC_load_layer_id:
   case NIR_INTRINSIC_load_shading_rate:
      needs->ancillary = true;
      break;
   case NIR_INTRINSIC_load_sample_mask_in:
      needs->coverage = needs->ancillary = true;
      break;
   case NIR_INTRINSIC_load_barycentric_pixel:
      need_barycentric(needs, intr, 1);
      break;
   case NIR_INTRINSIC_load_barycentric_centroid:
      need_barycentric(needs, intr, 2);
      break;
   case NIR_INTRINSIC_load_barycentric_sample:
      need_barycentric(needs, intr, 0);
      break;
   case NIR_INTRINSIC_load_barycentric_at_sample:
   case NIR_INTRINSIC_load_barycentric_at_offset:
      need_barycentric(needs, intr, nir_intrinsic_interp(intr) == NIR_INTERP_NOPERSPECTIVE ? 1 : ISEL_PULL_MODEL);
      needs->derivatives = true;
      break;
   case NIR_INTRINSIC_load_input:
      needs->slots |= slot_bits(intr, 0);
      needs->flat_slots |= slot_bits(intr, 0);
      break;
   case NIR_INTRINSIC_load_interpolated_input:
      needs->slots |= slot_bits(intr, 1);
      break;
   case NIR_INTRINSIC_load_per_vertex_input:
      needs->slots |= slot_bits(intr, 1);
      needs->vertex_slots |= slot_bits(intr, 1);
      break;
   case NIR_INTRINSIC_load_explicit_input:
      needs->slots |= slot_bits(intr, 1);
      needs->explicit_slots |= slot_bits(intr, 1);
      break;
   case NIR_INTRINSIC_load_barycentric_model:
      needs->barycentric |= 1u << ISEL_PULL_MODEL;
      break;
   case NIR_INTRINSIC_load_first_vertices_amd:
      needs->first_vertices = true;
      break;
   case NIR_INTRINSIC_load_primitive_id:
      needs->primitive_id = true;
      break;
   case NIR_INTRINSIC_load_vertex_id:
   case NIR_INTRINSIC_load_vertex_id_zero_base:
      needs->vertex_id = true;
      break;
   case NIR_INTRINSIC_load_instance_id:
      needs->instance_id = true;
      break;
   case NIR_INTRINSIC_discard:
   case NIR_INTRINSIC_discard_if:
   case NIR_INTRINSIC_demote:
   case NIR_INTRINSIC_demote_if:
      needs->demotes = true;
      break;
   case NIR_INTRINSIC_load_helper_invocation:
      needs->demotes = true;
      break;
   case NIR_INTRINSIC_quad_broadcast:
   case NIR_INTRINSIC_quad_swap_horizontal:
   case NIR_INTRINSIC_quad_swap_vertical:
   case NIR_INTRINSIC_quad_swap_diagonal:
   case NIR_INTRINSIC_quad_vote_any:
   case NIR_INTRINSIC_quad_vote_all:
      needs->derivatives = true;
      break;
   case NIR_INTRINSIC_load_vector_arg:
      needs->vector_args |= (uint32_t)bit_mask(intr->def.num_components) << nir_intrinsic_base(intr);
      break;
   case NIR_INTRINSIC_load_scalar_arg: {
      unsigned base = (unsigned)nir_intrinsic_base(intr), n = intr->def.num_components;
      if ((n == 2 || n == 4) && base % n == 0 && base + n <= 64)
         needs->vec_size[base] = (uint8_t)MAX2(n, needs->vec_size[base]);
      break;
   }
   default:
      break;
   }
}

static bool
has_implicit_lod(const struct nir_tex_instr *tex)
{
   bool has_bias = false;
   for (unsigned i = 0; i < tex->num_srcs; i++)
      has_bias |= tex->src[i].type == NIR_TEX_SRC_BIAS;
   return tex->op == NIR_TEX || tex->op == NIR_LOD || has_bias;
}

static void
gather(const struct nir_shader *nir, struct needs *needs)
{
   nir_foreach_block(block, nir) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC)
            look_at(needs, nir_as_intrinsic(instr));
         else if (instr->type == NIR_INSTR_TEX)
            needs->derivatives |= has_implicit_lod(nir_as_tex(instr));
         else if (instr->type == NIR_INSTR_ALU)
            needs->derivatives |= nir_as_alu(instr)->op >= NIR_OP_fddx && nir_as_alu(instr)->op <= NIR_OP_fddy_coarse;
      }
   }
}

/* ---- the defining instruction ---- */

struct entry {
   struct isel *c;
   struct aco_def defs[160];
   unsigned count, sgprs, vgprs;
};

static uint32_t
define(struct entry *entry, uint16_t reg, aco_rc rc)
{
   uint32_t temp = aco_temp(entry->c->program, rc);
   entry->defs[entry->count++] = (struct aco_def){.temp = temp, .reg = reg, .rc = rc, .fixed = true};
   return temp;
}

static uint32_t
next_sgpr(struct entry *entry)
{
   return define(entry, amd_sgpr(entry->sgprs++), ACO_S1);
}

static uint32_t
next_vgpr(struct entry *entry)
{
   uint32_t temp = define(entry, amd_vgpr(entry->vgprs), ACO_V1);
   if (entry->vgprs < ARRAY_SIZE(entry->c->vector_arg))
      entry->c->vector_arg[entry->vgprs] = temp;
   entry->vgprs++;
   return temp;
}

static void
user_sgprs(struct entry *entry, const struct needs *needs)
{
   struct isel *c = entry->c;
   unsigned count = MIN2(c->args->num_user_sgprs, 64), first = entry->sgprs;
   while (entry->sgprs < first + count) {
      unsigned at = entry->sgprs - first, n = needs->vec_size[at];
      if (n > 1 && at + n <= count) {
         c->user_vec[at] = define(entry, amd_sgpr(entry->sgprs), aco_rc_s(n));
         entry->sgprs += n;
      } else {
         c->user_sgpr[at] = next_sgpr(entry);
      }
   }
}

static void
fragment_vgprs(struct entry *entry, const struct needs *needs)
{
   struct isel *c = entry->c;
   uint32_t ena = needs->barycentric | (uint32_t)needs->pos << 8;
   ena |= (uint32_t)needs->front_face << 12 | (uint32_t)needs->ancillary << 13 | (uint32_t)needs->coverage << 14;
   /* The hardware wants at least one barycentric, and POS_W a perspective one. */
   if (!(ena & 0x7f) || ((ena & 1 << 11) && !(ena & 0xf)))
      ena |= 1 << 1;
   for (unsigned i = 0; i < 16; i++) {
      if (!(ena >> i & 1))
         continue;
      if (i < 7) {
         for (unsigned n = 0; n < (i == ISEL_PULL_MODEL ? 3 : 2); n++)
            c->barycentric[i][n] = next_vgpr(entry);
      } else if (i >= 8 && i < 12) {
         c->frag_pos[i - 8] = next_vgpr(entry);
      } else {
         uint32_t temp = next_vgpr(entry);
         if (i == 12)
            c->front_face = temp;
         else if (i == 13)
            c->ancillary = temp;
         else if (i == 14)
            c->coverage = temp;
      }
   }
   c->out->ps.input_ena = c->out->ps.input_addr = ena;
}

static void
input_slots(struct isel *c, const struct needs *needs, uint64_t slots)
{
   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      if (!(slots >> slot & 1))
         continue;
      if (c->out->ps.num_inputs == 32) {
         aco_fail(c->program, "more than 32 fragment inputs");
         return;
      }
      unsigned attr = c->out->ps.num_inputs++;
      c->input_of_slot[slot] = (uint8_t)attr;
      c->out->ps.inputs[attr].slot = (uint8_t)slot;
      c->out->ps.inputs[attr].flat = needs->flat_slots >> slot & 1;
      c->out->ps.inputs[attr].by_vertex = (needs->vertex_slots | needs->explicit_slots) >> slot & 1;
      c->out->ps.inputs[attr].turned = needs->vertex_slots >> slot & 1;
   }
}

static void
fragment_inputs(struct isel *c, struct needs *needs)
{
   if (needs->primitive_id) {
      needs->slots |= UINT64_C(1) << NIR_SLOT_PRIMITIVE_ID;
      needs->flat_slots |= UINT64_C(1) << NIR_SLOT_PRIMITIVE_ID;
   }
   const uint64_t whole = needs->slots & c->options->ps.primitive_slots;
   input_slots(c, needs, needs->slots & ~whole);
   const unsigned of_vertices = c->out->ps.num_inputs;
   input_slots(c, needs, whole);
   c->out->ps.num_primitive_inputs = (uint8_t)(c->out->ps.num_inputs - of_vertices);
}

static void
cs_registers(struct entry *entry, struct needs *needs)
{
   struct isel *c = entry->c;
   const uint32_t *size = c->nir->info.workgroup_size;
   for (unsigned i = 0; i < 3; i++) {
      c->out->cs.tgid[i] = needs->tgid[i];
      if (needs->tgid[i])
         c->workgroup_id[i] = next_sgpr(entry);
   }
   for (unsigned i = 0; i < (c->program->target->packed_ids ? 1 : 3); i++)
      c->local_id[i] = next_vgpr(entry);
   c->out->cs.tidig_comp_cnt = !needs->local_id ? 0 : size[2] > 1 ? 2 : size[1] > 1 ? 1 : 0;
}

/* The highest of v1 to v3 that a geometry shader reads. */
static uint8_t
geometry_vgprs(uint32_t vector_args)
{
   const uint32_t counted = vector_args & 0xe;
   return counted ? (uint8_t)log2_floor(counted) : 0;
}

/* The last of four VGPRs from `first` on that the shader reads. */
static uint8_t
last_vgpr(const struct needs *needs, unsigned first)
{
   const uint32_t read = needs->vector_args >> first & 0xf;
   return read ? (uint8_t)log2_floor(read) : 0;
}

/* HS has v0 and v1, LS the next four; with erratum gfx9-ls-vgprs these are read elsewhere, too. */
static void
hs_registers(struct entry *entry, struct needs *needs)
{
   enum { HS_VGPRS = 2, LS_VGPRS = 4 };
   for (unsigned i = 0; i < HS_VGPRS + LS_VGPRS; i++)
      next_vgpr(entry);
   entry->c->out->vs.vgpr_comp_cnt = last_vgpr(needs, HS_VGPRS);
}

/* Threads of primitives have v0 to v4, those of vertices v5 to v8. */
static void
gs_registers(struct entry *entry, struct needs *needs)
{
   struct isel *c = entry->c;
   uint32_t vgprs[9];
   for (unsigned i = 0; i < ARRAY_SIZE(vgprs); i++)
      vgprs[i] = next_vgpr(entry);
   c->ngg.primitive = vgprs[0];
   if (c->options->vs.xfb_buffers) {
      c->user_sgpr[c->args->num_user_sgprs] = c->system_sgpr[2];
      c->user_sgpr[c->args->num_user_sgprs + 1] = c->system_sgpr[3];
   }
   c->primitive_id = vgprs[2];
   c->vertex_id = vgprs[5];
   const unsigned instance = c->program->target->instance_vgpr;
   c->instance_id = vgprs[5 + instance];
   c->out->vs.ngg_asks = c->program->target->ngg_asks;
   c->out->vs.gs_vgpr_comp_cnt = c->options->vs.export_primitive_id ? 2 : geometry_vgprs(needs->vector_args);
   c->out->vs.vgpr_comp_cnt = MAX2(needs->instance_id ? (uint8_t)instance : 0, last_vgpr(needs, 5));
   if (c->nir->stage == NIR_STAGE_TESS_EVAL) {
      c->primitive_id = vgprs[8];
      c->out->vs.vgpr_comp_cnt = c->options->vs.export_primitive_id ? 3 : last_vgpr(needs, 5);
      c->out->vs.gs_vgpr_comp_cnt = 0;
   }
}

/* The configuration, the number of the wave's first vertex, each buffer's offset: to load_scalar_arg they follow the
 * user SGPRs. */
static void
stream_output_sgprs(struct entry *entry)
{
   struct isel *c = entry->c;
   const bool evaluates = c->nir->stage == NIR_STAGE_TESS_EVAL; /* where the memory of patches begins comes last */
   const unsigned count = aco_stream_output_sgprs(c->options->vs.xfb_buffers, evaluates) + evaluates;
   for (unsigned i = 0; i < count; i++)
      c->user_sgpr[c->args->num_user_sgprs + i] = next_sgpr(entry);
}

static void
vs_registers(struct entry *entry, struct needs *needs)
{
   struct isel *c = entry->c;
   uint32_t vgprs[4];
   stream_output_sgprs(entry);
   const unsigned instance = c->program->target->instance_vgpr;
   for (unsigned i = 0; i < 4; i++)
      vgprs[i] = next_vgpr(entry);
   c->vertex_id = vgprs[0];
   c->primitive_id = vgprs[2];
   c->instance_id = vgprs[instance];
   const unsigned primitive_id = c->options->vs.export_primitive_id ? 2 : 0;
   c->out->vs.vgpr_comp_cnt = (uint8_t)MAX2(needs->instance_id ? instance : 0, primitive_id);
   if (c->nir->stage == NIR_STAGE_TESS_EVAL) {
      c->primitive_id = vgprs[3];
      c->out->vs.vgpr_comp_cnt = c->options->vs.export_primitive_id ? 3 : last_vgpr(needs, 0);
   }
}

static void
ps_registers(struct entry *entry, struct needs *needs)
{
   struct isel *c = entry->c;
   fragment_inputs(c, needs);
   c->prim_mask = next_sgpr(entry);
   if (needs->collision_waveid)
      c->collision_waveid = next_sgpr(entry);
   if (needs->intrawave_collision)
      c->intrawave_collision = next_sgpr(entry);
   if (needs->first_vertices)
      c->first_vertices = next_sgpr(entry);
   c->out->ps.reads_sample_mask = needs->coverage;
   c->out->ps.ordered = needs->ordered;
   c->out->ps.load_collision_waveid = needs->collision_waveid;
   c->out->ps.load_intrawave_collision = needs->intrawave_collision;
   c->out->ps.load_first_vertices = needs->first_vertices;
   fragment_vgprs(entry, needs);
}

/* What the hardware gives a wave after its user SGPRs. */
static void (*const system_registers[ACO_HW_STAGES])(struct entry *entry, struct needs *needs) = {
   [ACO_HW_VS] = vs_registers, [ACO_HW_HS] = hs_registers, [ACO_HW_GS] = gs_registers,
   [ACO_HW_PS] = ps_registers, [ACO_HW_CS] = cs_registers,
};

bool
aco_has_stage(enum aco_hw_stage hw, enum nir_stage stage)
{
   static const uint32_t stages[ACO_HW_STAGES] = {
      [ACO_HW_VS] = 1u << NIR_STAGE_VERTEX | 1u << NIR_STAGE_TESS_EVAL | 1u << NIR_STAGE_GEOMETRY,
      [ACO_HW_HS] = 1u << NIR_STAGE_VERTEX | 1u << NIR_STAGE_TESS_CTRL,
      [ACO_HW_GS] =
         1u << NIR_STAGE_VERTEX | 1u << NIR_STAGE_TESS_EVAL | 1u << NIR_STAGE_GEOMETRY | 1u << NIR_STAGE_MESH,
      [ACO_HW_PS] = 1u << NIR_STAGE_FRAGMENT,
      [ACO_HW_CS] = 1u << NIR_STAGE_COMPUTE,
   };
   return stages[hw] >> stage & 1;
}

static void
split_user_vectors(struct isel *c)
{
   for (unsigned at = 0; at < 64; at++) {
      if (!c->user_vec[at])
         continue;
      struct aco_operand vec = aco_op_temp(c->program, c->user_vec[at]), parts[4];
      unsigned n = aco_rc_size_dw(vec.rc);
      isel_split(c, vec, n, parts);
      for (unsigned i = 0; i < n; i++)
         c->user_sgpr[at + i] = parts[i].value;
   }
}

/* GFX9 (Vega ISA, "Buffer Resource Descriptor"): what is DATA_FORMAT else is the upper part of the stride here. */
static uint32_t
scratch_word3(const struct aco_program *program)
{
   const uint32_t lanes = S_SQ_BUF_RSRC_WORD3_INDEX_STRIDE(program->wave_size == 64 ? 3 : 2); /* 64 or 32 */
   if (program->target->split_formats)
      return lanes | S_SQ_BUF_RSRC_WORD3_NUM_FORMAT(7) | S_SQ_BUF_RSRC_WORD3_ADD_TID_ENABLE(1);
   return lanes | S_SQ_BUF_RSRC_WORD3_FORMAT(program->gen, V_GFX10_FORMAT_32_FLOAT) |
          S_SQ_BUF_RSRC_WORD3_ADD_TID_ENABLE(1) |
          S_SQ_BUF_RSRC_WORD3_RESOURCE_LEVEL(program->target->resource_level) | S_SQ_BUF_RSRC_WORD3_OOB_SELECT(3);
}

/* V# of the lanes' scratch: swizzled by lane, 4-byte elements, raw bounds. RDNA 2 ISA, "Buffer Addressing". */
static void
scratch_descriptor(struct isel *c)
{
   unsigned at = c->args->scratch_address;
   if (at == ACO_NO_REG || at + 1 >= c->args->num_user_sgprs)
      return;
   struct aco_program *program = c->program;
   struct aco_operand hi = isel_s2(c, AMD_OP_s_or_b32, ACO_S1, aco_op_temp(program, c->user_sgpr[at + 1]),
                                   aco_op_const(S_SQ_BUF_RSRC_WORD1_SWIZZLE_ENABLE(program->gen, 1)));
   struct aco_operand parts[4] = {aco_op_temp(program, c->user_sgpr[at]), hi, aco_op_const(UINT32_MAX),
                                  aco_op_const(scratch_word3(program))};
   c->scratch_desc = isel_vector(c, ACO_S4, 4, parts);
}

/* Raw bounds: what is outside of the data is 0. Once a block, so that it is not held for long. */
struct aco_operand
isel_data_descriptor(struct isel *c)
{
   const struct aco_target *target = c->program->target;
   if (c->data_block == c->block)
      return c->data_desc;
   uint32_t word3 = S_SQ_BUF_RSRC_WORD3_DST_SEL_X(V_SQ_SEL_X) | S_SQ_BUF_RSRC_WORD3_DST_SEL_Y(V_SQ_SEL_Y) |
                    S_SQ_BUF_RSRC_WORD3_DST_SEL_Z(V_SQ_SEL_Z) | S_SQ_BUF_RSRC_WORD3_DST_SEL_W(V_SQ_SEL_W);
   if (target->split_formats)
      word3 |= S_SQ_BUF_RSRC_WORD3_NUM_FORMAT(7) | S_SQ_BUF_RSRC_WORD3_DATA_FORMAT(4); /* one float */
   else
      word3 |= S_SQ_BUF_RSRC_WORD3_FORMAT(c->program->gen, V_GFX10_FORMAT_32_FLOAT) |
               S_SQ_BUF_RSRC_WORD3_RESOURCE_LEVEL(target->resource_level) | S_SQ_BUF_RSRC_WORD3_OOB_SELECT(3);
   struct aco_instr *address = isel_emit(c, ACO_P_DATA_ADDRESS, 1, 0);
   address->defs[0] = (struct aco_def){.temp = aco_temp(c->program, ACO_S2), .rc = ACO_S2};
   struct aco_operand parts[4] = {{0}, {0}, aco_op_const(c->program->data_B), aco_op_const(word3)};
   isel_split64(c, isel_result(c, address, 0), &parts[0], &parts[1]);
   c->data_desc = isel_vector(c, ACO_S4, 4, parts);
   c->data_block = c->block;
   return c->data_desc;
}

static void
start_gs(struct isel *c, const struct needs *needs)
{
   if (c->nir->stage == NIR_STAGE_GEOMETRY || c->nir->stage == NIR_STAGE_MESH)
      isel_set_exec(c, k(UINT32_MAX));
   else
      isel_start_ngg(c);
}

static void
start_cs(struct isel *c, const struct needs *needs)
{
   struct aco_operand packed = aco_op_temp(c->program, c->local_id[0]);
   for (unsigned i = 0; i < 3 && needs->local_id && c->program->target->packed_ids; i++)
      c->local_id[i] = isel_v3(c, AMD_OP_v_bfe_u32, ACO_V1, packed, k(10 * i), k(10)).value;
}

static void
start_ps(struct isel *c, const struct needs *needs)
{
   struct aco_program *program = c->program;
   if (c->out->ps.num_inputs) {
      struct aco_instr *instr = isel_emit(c, AMD_OP_s_mov_b32, 1, 1);
      instr->ops[0] = aco_op_temp(program, c->prim_mask);
      isel_fixed_result(instr, AMD_M0);
   }
   c->wqm = needs->derivatives || c->nir->info.full_quads;
   if (c->wqm || needs->demotes)
      c->masks->exact = isel_op1(c, ISEL_LM(c, s_mov), program->lm, isel_exec(c));
   if (c->wqm) {
      struct aco_instr *instr = isel_emit(c, ISEL_LM(c, s_wqm), 1, 1);
      instr->ops[0] = isel_exec(c);
      isel_fixed_result(instr, AMD_EXEC_LO);
   }
   c->out->ps.kills = needs->demotes;
}

static void
start_hs(struct isel *c, const struct needs *needs)
{
   isel_set_exec(c, k(UINT32_MAX));
}

/* What a stage does before anything else; NULL: nothing. */
static void (*const start_stage[ACO_HW_STAGES])(struct isel *c, const struct needs *needs) = {
   [ACO_HW_HS] = start_hs,
   [ACO_HW_GS] = start_gs,
   [ACO_HW_PS] = start_ps,
   [ACO_HW_CS] = start_cs,
};

void
isel_start(struct isel *c)
{
   struct needs needs = {0};
   gather(c->nir, &needs);
   struct entry *entry = arena_new(c->program->arena, struct entry);
   entry->c = c;
   const bool merged = isel_is_merged(c);
   for (unsigned i = 0; i < ARRAY_SIZE(c->system_sgpr) && merged; i++)
      c->system_sgpr[i] = next_sgpr(entry);
   c->program->first_user_sgpr = entry->sgprs;
   user_sgprs(entry, &needs);
   system_registers[c->program->hw](entry, &needs);
   /* One of the system's, or the last one: not there if no scratch is used. */
   c->scratch_offset = merged ? c->system_sgpr[5] : next_sgpr(entry);
   c->block = aco_block_create(c->program);
   struct aco_instr *start = isel_emit(c, ACO_P_STARTPGM, entry->count, 0);
   for (unsigned i = 0; i < entry->count; i++)
      start->defs[i] = entry->defs[i];
   c->program->used_sgprs = merged ? entry->sgprs : entry->sgprs - 1;
   c->program->used_vgprs = entry->vgprs;
   c->program->scratch_offset_temp = c->scratch_offset;
   split_user_vectors(c);
   scratch_descriptor(c);
   if (start_stage[c->program->hw])
      start_stage[c->program->hw](c, &needs);
   if (isel_ends_lanes(c->nir))
      c->masks->alive = isel_op1(c, ISEL_LM(c, s_mov), c->program->lm, isel_exec(c));
}
