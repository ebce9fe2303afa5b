/* Vertex shaders in the next-generation pipeline (NGG): a wave has threads of primitives (GS) and of vertices (ES),
 * numbered from its first lane on; those of a subgroup of waves know each other by these numbers.
 *
 *    GS threads: export of the primitive, which arrives as the export wants it (PRIMGEN_PASSTHRU)
 *    ES threads: the shader; parameters, positions
 *
 * The number of a primitive goes through LDS to the vertex that provokes it. Parameters that are no exports are
 * stored to the attribute ring: a V# of 16-byte elements, 32 records side by side; the last export of a position
 * says that they are there. Sources: RDNA 3 ISA; arguments and order as public drivers have them (radeonsi, RADV). */
#include "amd/compiler/aco_select.h"
#include "amd/hw/descriptors.h"

enum { TARGET_PRIM = 20, RING_UNIT_LOG2 = 9, PARAM_B = 16 };

#define FIELD(first, bits) (uint32_t)((first) | (bits) << 16) /* as s_bfe_u32 takes it */

static struct aco_operand
sgpr(const struct isel *c, unsigned number)
{
   return aco_op_temp(c->program, c->ngg.sgpr[number]);
}

/* Those of the first lanes that there is a thread for; at: of the count in merged_wave_info. */
static struct aco_operand
threads(struct isel *c, unsigned at)
{
   struct aco_operand count = isel_s2(c, AMD_OP_s_bfe_u32, ACO_S1, sgpr(c, 3), k(FIELD(at, 8)));
   return isel_v2(c, AMD_OP_v_cmp_gt_u32, c->program->lm, count, isel_lane_id(c));
}

/* Number in the subgroup of the lane's thread, of vertices as of primitives. */
static struct aco_operand
thread(struct isel *c)
{
   unsigned log2 = log2_floor(c->program->wave_size);
   struct aco_operand wave = isel_s2(c, AMD_OP_s_bfe_u32, ACO_S1, sgpr(c, 3), k(FIELD(24, 4)));
   return isel_v2(c, AMD_OP_v_add_nc_u32, ACO_V1, isel_s2(c, AMD_OP_s_lshl_b32, ACO_S1, wave, k(log2)),
                  isel_lane_id(c));
}

static void
set_exec(struct isel *c, struct aco_operand mask)
{
   struct aco_instr *instr = isel_emit(c, ISEL_LM(c, s_mov), 1, 1);
   instr->ops[0] = mask;
   isel_fixed_result(instr, AMD_EXEC_LO);
}

/* The rest of the program is for these lanes, until the returned block gets its other successor. */
static struct aco_block *
begin_lanes(struct isel *c, struct aco_operand mask)
{
   struct aco_block *head = c->block;
   isel_emit(c, ACO_P_LOGICAL_END, 0, 0);
   set_exec(c, mask);
   head->term = ACO_TERM_EXECZ;
   c->block = aco_block_create(c->program);
   aco_link_linear(c->program, head, c->block);
   aco_link_logical(c->program, head, c->block);
   return head;
}

static void
end_lanes(struct isel *c, struct aco_block *head)
{
   struct aco_block *last = c->block, *skip = aco_block_create(c->program);
   isel_emit(c, ACO_P_LOGICAL_END, 0, 0);
   last->term = skip->term = ACO_TERM_JUMP;
   aco_link_linear(c->program, head, skip);
   c->block = aco_block_create(c->program);
   aco_link_linear(c->program, last, c->block);
   aco_link_linear(c->program, skip, c->block);
   aco_link_logical(c->program, head, c->block);
   aco_link_logical(c->program, last, c->block);
}

static void
give_primitive_id(struct isel *c, struct aco_operand primitive)
{
   struct aco_operand vertex = isel_v2(c, AMD_OP_v_and_b32, ACO_V1, k(0x1ff), primitive);
   struct aco_operand address = isel_v2(c, AMD_OP_v_lshlrev_b32, ACO_V1, k(2), vertex);
   struct aco_instr *write = isel_emit(c, AMD_OP_ds_write_b32, 0, 3);
   write->ops[0] = address;
   write->ops[1] = aco_op_temp(c->program, c->primitive_id);
   write->side_effects = true;
   c->program->lds_B = 4 * ACO_NGG_MAX_VERTICES;
}

static void
take_primitive_id(struct isel *c)
{
   struct aco_operand address = isel_v2(c, AMD_OP_v_lshlrev_b32, ACO_V1, k(2), thread(c));
   struct aco_instr *read = isel_emit(c, AMD_OP_ds_read_b32, 1, 3);
   read->ops[0] = address;
   read->defs[0] = (struct aco_def){.temp = aco_temp(c->program, ACO_V1), .rc = ACO_V1};
   c->primitive_id = read->defs[0].temp;
}

static void
await_group(struct isel *c)
{
   isel_emit(c, AMD_OP_s_waitcnt, 0, 0)->side_effects = true;
   isel_emit(c, AMD_OP_s_barrier, 0, 0)->side_effects = true;
}

void
isel_start_ngg(struct isel *c)
{
   struct aco_operand primitive = aco_op_temp(c->program, c->ngg.primitive), vertices = threads(c, 0);
   struct aco_block *head = begin_lanes(c, threads(c, 8));
   if (c->options->vs.export_primitive_id)
      give_primitive_id(c, primitive);
   struct aco_instr *export = isel_emit(c, AMD_OP_exp, 0, 4);
   export->ops[0] = primitive;
   export->exp_target = TARGET_PRIM;
   export->exp_en = 1;
   export->exp_done = export->side_effects = true;
   end_lanes(c, head);
   if (c->options->vs.export_primitive_id)
      await_group(c);
   c->ngg.head = begin_lanes(c, vertices);
   if (c->options->vs.export_primitive_id)
      take_primitive_id(c);
}

void
isel_end_ngg(struct isel *c)
{
   c->block = aco_block_create(c->program);
   aco_link_linear(c->program, c->ngg.head, c->block);
   isel_emit(c, ACO_P_LOGICAL_END, 0, 0);
   isel_emit(c, AMD_OP_s_endpgm, 0, 0);
   c->block->term = ACO_TERM_END;
}

/* ---- the attribute ring ---- */

static struct aco_operand
ring_descriptor(struct isel *c, unsigned params)
{
   const struct aco_program *program = c->program;
   unsigned at = c->args->attribute_ring;
   struct aco_operand hi =
      isel_s2(c, AMD_OP_s_or_b32, ACO_S1, aco_op_temp(program, c->user_sgpr[at + 1]),
              k(S_SQ_BUF_RSRC_WORD1_STRIDE(params * PARAM_B) | S_SQ_BUF_RSRC_WORD1_SWIZZLE_ENABLE(program->gen, 3)));
   struct aco_operand parts[4] = {
      aco_op_temp(program, c->user_sgpr[at]), hi, k(UINT32_MAX),
      k(S_SQ_BUF_RSRC_WORD3_DST_SEL_X(V_SQ_SEL_X) | S_SQ_BUF_RSRC_WORD3_DST_SEL_Y(V_SQ_SEL_Y) |
        S_SQ_BUF_RSRC_WORD3_DST_SEL_Z(V_SQ_SEL_Z) | S_SQ_BUF_RSRC_WORD3_DST_SEL_W(V_SQ_SEL_W) |
        S_SQ_BUF_RSRC_WORD3_FORMAT(program->gen, V_GFX10_FORMAT_32_FLOAT) | S_SQ_BUF_RSRC_WORD3_INDEX_STRIDE(2))};
   return isel_vector(c, ACO_S4, 4, parts);
}

void
isel_store_params(struct isel *c, unsigned count, const uint8_t *slots)
{
   if (!count)
      return;
   if (c->args->attribute_ring == ACO_NO_REG) {
      aco_fail(c->program, "there are parameters, but the driver passes no attribute ring");
      return;
   }
   struct aco_operand ring = ring_descriptor(c, count), index = thread(c);
   struct aco_operand offset = isel_s2(c, AMD_OP_s_and_b32, ACO_S1, sgpr(c, 5), k(0x7fff));
   offset = isel_s2(c, AMD_OP_s_lshl_b32, ACO_S1, offset, k(RING_UNIT_LOG2));
   for (unsigned i = 0; i < count; i++) {
      struct aco_operand values[4];
      for (unsigned n = 0; n < 4; n++) {
         const struct aco_operand *from = &c->outputs[slots[i]].comp[n];
         values[n] = from->kind == ACO_OP_NONE ? k(0) : *from;
      }
      struct aco_operand data = isel_vector(c, aco_rc_v(4), 4, values);
      struct aco_instr *store = isel_emit(c, AMD_OP_buffer_store_dwordx4, 0, 4);
      store->ops[0] = index;
      store->ops[1] = ring;
      store->ops[2] = offset;
      store->ops[3] = data;
      store->idxen = store->side_effects = true;
      store->offset = (int32_t)(i * PARAM_B);
      isel_set_coherence(c, store, NIR_ACCESS_COHERENT, false);
   }
   struct aco_instr *wait = isel_emit(c, AMD_OP_s_waitcnt_vscnt, 0, 1);
   wait->ops[0] = aco_op_fixed(AMD_NULL);
   wait->side_effects = true;
}
