/* What the phases rely on without looking, in any program: they index operands and results, edges and sections as
 * this says. A program of ours has this form by construction; one that was read as text must show it. */
#include "amd/compiler/aco_text.h"

#define MAX_COPIED_DW 512

static bool
is_phi(const struct aco_instr *instr)
{
   return instr->op == ACO_P_PHI || instr->op == ACO_P_LINEAR_PHI;
}

/* ---- instructions ---- */

/* As copies count: a constant is one dword of a vector, and as large as its place in a copy. */
static unsigned
size_of(const struct aco_operand *op)
{
   return op->kind == ACO_OP_TEMP ? aco_rc_size_dw(op->rc) : 1;
}

static const char *
check_copy(const struct aco_instr *instr)
{
   unsigned total = 0;
   if (instr->num_ops != instr->num_defs)
      return "has not one operand for each result";
   for (unsigned i = 0; i < instr->num_ops; i++) {
      if (instr->ops[i].kind == ACO_OP_TEMP && size_of(&instr->ops[i]) != aco_rc_size_dw(instr->defs[i].rc))
         return "copies to another size";
      total += aco_rc_size_dw(instr->defs[i].rc);
   }
   return total > MAX_COPIED_DW ? "copies more than there are registers" : NULL;
}

static const char *
check_vector(const struct aco_instr *instr)
{
   unsigned parts = 0, whole;
   if (instr->op == ACO_P_CREATE_VECTOR) {
      whole = aco_rc_size_dw(instr->defs[0].rc);
      for (unsigned i = 0; i < instr->num_ops; i++)
         parts += size_of(&instr->ops[i]);
      return instr->num_ops && parts == whole ? NULL : "has not the size of its parts";
   }
   whole = aco_rc_size_dw(instr->ops[0].rc);
   for (unsigned i = 0; i < instr->num_defs; i++)
      parts += aco_rc_size_dw(instr->defs[i].rc);
   return instr->num_defs && parts <= whole ? NULL : "has not the size of its parts";
}

static const char *
check_spill(const struct aco_program *program, const struct aco_instr *instr)
{
   bool reload = instr->op == ACO_P_RELOAD_S || instr->op == ACO_P_RELOAD_V;
   bool vector = instr->op == ACO_P_SPILL_V || instr->op == ACO_P_RELOAD_V;
   aco_rc rc = reload ? instr->defs[0].rc : instr->ops[0].rc;
   if (aco_rc_is_v(rc) != vector)
      return "has a value of the other class";
   if (instr->offset < 0 || (!vector && (unsigned)instr->offset + aco_rc_size_dw(rc) > program->spill_s_slots))
      return "has no slot";
   return NULL;
}

static const char *
check_pseudo(const struct aco_program *program, const struct aco_block *block, const struct aco_instr *instr)
{
   const struct aco_pseudo_row *row = &aco_pseudo_rows[instr->op - ACO_P_FIRST];
   if ((row->num_ops >= 0 && instr->num_ops != row->num_ops) ||
       (row->num_defs >= 0 && instr->num_defs != row->num_defs))
      return "has another number of operands or results";
   switch ((enum aco_pseudo)instr->op) {
   case ACO_P_PHI:
   case ACO_P_LINEAR_PHI:
      if (instr->num_ops != (instr->op == ACO_P_PHI ? &block->logical_preds : &block->linear_preds)->count)
         return "has not one operand per predecessor";
      if (!instr->defs[0].temp || aco_rc_is_v(instr->defs[0].rc) != (instr->op == ACO_P_PHI))
         return "has a result of the other class";
      for (unsigned i = 0; i < instr->num_ops; i++) {
         if (instr->ops[i].kind == ACO_OP_TEMP && instr->ops[i].rc != instr->defs[0].rc)
            return "takes another class than it gives";
      }
      return NULL;
   case ACO_P_PARALLELCOPY:
      return check_copy(instr);
   case ACO_P_CREATE_VECTOR:
   case ACO_P_SPLIT_VECTOR:
      return check_vector(instr);
   case ACO_P_SPILL_S:
   case ACO_P_RELOAD_S:
   case ACO_P_SPILL_V:
   case ACO_P_RELOAD_V:
      return check_spill(program, instr);
   case ACO_P_DATA_ADDRESS:
      return program->data_B && instr->defs[0].rc == ACO_S2 ? NULL : "is no address of data that is there";
   case ACO_P_STARTPGM:
   case ACO_P_LOGICAL_END:
   case ACO_P_AWAIT_WAVES:
   case ACO_P_END:
      return NULL;
   }
   return NULL;
}

static const char *
check_hardware(const struct aco_program *program, const struct aco_instr *instr)
{
   uint32_t encs = aco_encs(program, instr);
   if (!encs)
      return "is not in this generation";
   if (instr->to_data &&
       (instr->op != AMD_OP_s_add_u32 || instr->num_ops != 2 || instr->ops[1].kind != ACO_OP_CONST ||
        instr->ops[1].value != ACO_TO_DATA || !program->data_B))
      return "is no distance to data that is there";
   const struct amd_op_info *info = aco_info(program, instr->op);
   unsigned num_ops = instr->num_ops - instr->tied;
   if (encs & (ACO_ENC_VALU | ACO_ENC_SALU) && (num_ops < info->src_count || num_ops > 4))
      return "has another number of operands";
   if (num_ops > ARRAY_SIZE(((struct amd_inst *)0)->nsa) + 4)
      return "has too many operands";
   if (encs & (ACO_ENC_VALU | ACO_ENC_SALU) && info->dst.cls != AMD_CLASS_NONE && !instr->num_defs)
      return "has no result";
   return NULL;
}

static bool
ties_registers(const struct aco_program *program, const struct aco_instr *instr)
{
   if (!instr->num_ops || !instr->num_defs)
      return false;
   const struct aco_operand *last = &instr->ops[instr->num_ops - 1];
   return last->kind == ACO_OP_TEMP || (program->allocated && last->kind == ACO_OP_FIXED);
}

/* Of registers and constants the encoder says more. */
static bool
is_pair(const struct aco_program *program, const struct aco_instr *instr)
{
   const struct aco_instr *second = instr->dual;
   return program->wave_size == 32 && !second->dual && instr->num_defs == 1 && second->num_defs == 1 &&
          aco_encs(program, instr) & 1u << AMD_ENC_VOPD && aco_encs(program, second) & 1u << AMD_ENC_VOPDY &&
          !check_hardware(program, instr) && !check_hardware(program, second);
}

static const char *
check_instr(const struct aco_program *program, const struct aco_block *block, unsigned at)
{
   const struct aco_instr *instr = block->instrs[at];
   if (instr->tied && !ties_registers(program, instr))
      return "ties nothing";
   if (instr->drops_helpers && !instr->num_defs)
      return "does not keep who ran before";
   if (is_phi(instr) && at && !is_phi(block->instrs[at - 1]))
      return "is after other instructions";
   if (instr->dual && !is_pair(program, instr))
      return "is half of an impossible VOPD pair";
   if (instr->op == ACO_P_STARTPGM && (at || block->index))
      return "stands elsewhere than at the start";
   return aco_is_pseudo(instr) ? check_pseudo(program, block, instr) : check_hardware(program, instr);
}

/* ---- blocks ---- */

static unsigned
times(const struct aco_edges *edges, const struct aco_block *block)
{
   unsigned count = 0;
   for (unsigned i = 0; i < edges->count; i++)
      count += edges->at[i] == block;
   return count;
}

/* Back edges stay in their loop. */
static bool
loops_are_deep(const struct aco_program *program, const struct aco_block *block, const struct aco_edges *preds)
{
   for (unsigned i = 0; i < preds->count; i++) {
      for (unsigned b = block->index; b <= preds->at[i]->index; b++) {
         if (!program->blocks[b]->loop_depth)
            return false;
      }
   }
   return true;
}

static const char *
check_edges(const struct aco_program *program, const struct aco_block *block)
{
   const struct aco_edges *preds = &block->linear_preds, *succs = &block->linear_succs;
   static const unsigned wanted[] = {
      [ACO_TERM_END] = 0, [ACO_TERM_JUMP] = 1, [ACO_TERM_SCC0] = 2, [ACO_TERM_SCC1] = 2, [ACO_TERM_EXECZ] = 2};
   if (!block->index && (preds->count || block->logical_preds.count))
      return "has predecessors";
   if (block->index && !preds->count)
      return "has no linear predecessor: no wave comes here";
   if ((preds->count && preds->at[0]->index >= block->index) ||
       (block->logical_preds.count && block->logical_preds.at[0]->index >= block->index))
      return "has a back edge as its first predecessor";
   if (succs->count != wanted[block->term])
      return "has not as many linear successors as its end wants";
   for (unsigned i = 0; i < preds->count; i++) {
      if (times(&preds->at[i]->linear_succs, block) != times(preds, preds->at[i]))
         return "has a linear predecessor that does not go here";
   }
   for (unsigned i = 0; i < succs->count; i++) {
      if (!times(&succs->at[i]->linear_preds, block))
         return "goes to a block that does not have it as a linear predecessor";
      if (succs->count == 2 && succs->at[i]->linear_preds.count > 1)
         return "has a critical linear edge";
   }
   if (!loops_are_deep(program, block, preds) || !loops_are_deep(program, block, &block->logical_preds))
      return "is in a loop, but a block of it has depth 0";
   return NULL;
}

/* Sections with all lanes begin and end in one block. */
static bool
has_whole_sections(const struct aco_block *block)
{
   bool inside = false;
   for (unsigned i = 0; i < block->count; i++)
      inside ^= block->instrs[i]->preserves_lanes;
   return !inside;
}

const char *
aco_check_form(struct aco_program *program)
{
   for (unsigned b = 0; b < program->num_blocks; b++) {
      const struct aco_block *block = program->blocks[b];
      const char *what = check_edges(program, block);
      if (!what && !has_whole_sections(block))
         what = "has a section with all lanes that does not end";
      if (what)
         return arena_printf(program->arena, "block %u %s", b, what);
      for (unsigned i = 0; i < block->count; i++) {
         what = check_instr(program, block, i);
         if (what)
            return aco_fault_text(program, block, block->instrs[i], what);
      }
   }
   return NULL;
}

const char *
aco_check_lowered(struct aco_program *program)
{
   for (unsigned b = 0; b < program->num_blocks; b++) {
      const struct aco_block *block = program->blocks[b];
      for (unsigned i = 0; i < block->count; i++) {
         if (aco_is_pseudo(block->instrs[i]) && block->instrs[i]->op != ACO_P_AWAIT_WAVES)
            return aco_fault_text(program, block, block->instrs[i], "should have been lowered");
      }
   }
   return aco_check_form(program);
}
