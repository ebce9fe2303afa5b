/* Emission: allocated instructions to words, branches, padding, the listing and statistics. */
#include "amd/compiler/aco_ir.h"

#include <stdlib.h>
#include <string.h>

#include "amd/compiler/aco_mutant.h"
#include "compiler/nir/nir_constant_data.h"

struct branch {
   unsigned at_dw; /* of the branch word, or of the first word of a long jump */
   struct aco_block *target;
   bool is_long;
};

struct emitter {
   struct aco_program *program;
   uint32_t *code;
   unsigned count, capacity;
   struct branch *branches;
   unsigned num_branches, branches_capacity;
   unsigned pc_dw; /* what the last s_getpc_b64 gives */
   struct {
      unsigned at_dw, pc_dw;
   } *distances; /* to the data: literals */
   unsigned num_distances, distances_capacity;
   bool *empty;        /* by block: nothing but a jump */
   bool *padded;       /* by branch: a s_nop after it (erratum branch-offset-3f); NULL: none */
   bool long_branches; /* some branch does not reach: all unconditional jumps are long, conditional ones hop */
};

static void
put(struct emitter *e, const uint32_t *words, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      e->code = arena_room(e->program->arena, e->code, sizeof(*e->code), e->count, &e->capacity);
      e->code[e->count++] = words[i];
   }
}

/* Where SGPRs are given out by number: the two that are never allocated count only if they are used. */
static void
note_sgprs(struct aco_program *program, const struct amd_inst *inst)
{
   const struct amd_op_info *info = aco_info(program, inst->op);
   const unsigned size_dw = info->dst.cls == AMD_CLASS_MASK ? program->wave_size / 32 : info->dst.size_dw;
   if (program->target->simd_sgprs && inst->dst < program->target->sgprs)
      program->used_sgprs = MAX2(program->used_sgprs, inst->dst + MAX2(size_dw, 1));
}

static void
put_inst(struct emitter *e, const struct amd_inst *inst)
{
   note_sgprs(e->program, inst);
   uint32_t words[AMD_INST_MAX_DW];
   unsigned size = 0;
   if (!amd_isa_encode(e->program->gen, inst, words, &size)) {
      aco_fail(e->program, "the encoder refuses %s", amd_isa_op_name((enum amd_op)inst->op));
      return;
   }
   put(e, words, size);
   e->program->out->stats.instructions++;
}

static void
put_sopp(struct emitter *e, enum amd_op op, uint16_t simm16)
{
   struct amd_inst inst = amd_inst_init(op, AMD_ENC_SOPP);
   inst.simm16 = simm16;
   put_inst(e, &inst);
}

static struct aco_block *
final_target(const struct emitter *e, struct aco_block *block)
{
   while (e->empty[block->index])
      block = block->linear_succs.at[0];
   return block;
}

/* True if running on from `block` reaches target without a branch. */
static bool
falls_through(const struct emitter *e, const struct aco_block *block, const struct aco_block *target)
{
   for (unsigned i = block->index + 1; i <= target->index; i++) {
      if (e->program->blocks[i] == target)
         return true;
      if (!e->empty[i])
         return false;
   }
   return false;
}

static void
remember_branch(struct emitter *e, struct aco_block *target, bool is_long)
{
   e->branches =
      arena_room(e->program->arena, e->branches, sizeof(*e->branches), e->num_branches, &e->branches_capacity);
   e->branches[e->num_branches++] = (struct branch){e->count, target, is_long};
}

static void
put_branch(struct emitter *e, enum amd_op op, struct aco_block *target)
{
   bool padded = e->padded && e->padded[e->num_branches];

   remember_branch(e, target, false);
   put_sopp(e, op, 0);
   if (padded)
      put_sopp(e, AMD_OP_s_nop, 0);
}

/* s_getpc; add the distance; s_setpc, through the scalar pair that is never allocated. SCC is dead at a jump. */
static void
put_long_jump(struct emitter *e, struct aco_block *target)
{
   struct amd_inst inst = amd_inst_init(AMD_OP_s_getpc_b64, AMD_ENC_SOP1);
   uint16_t scratch = e->program->scratch_sgpr;
   remember_branch(e, target, true);
   inst.dst = scratch;
   put_inst(e, &inst);
   for (unsigned i = 0; i < 2; i++) {
      inst = amd_inst_init(i ? AMD_OP_s_addc_u32 : AMD_OP_s_add_u32, AMD_ENC_SOP2);
      inst.dst = inst.src[0] = (uint16_t)(scratch + i);
      inst.src[1] = AMD_LITERAL;
      put_inst(e, &inst);
   }
   inst = amd_inst_init(AMD_OP_s_setpc_b64, AMD_ENC_SOP1);
   inst.src[0] = scratch;
   put_inst(e, &inst);
}

static void
put_jump(struct emitter *e, struct aco_block *target)
{
   e->program->out->stats.branches++;
   if (e->long_branches) {
      put_long_jump(e, target);
      return;
   }
   put_branch(e, AMD_OP_s_branch, target);
}

/* opposite: the branch taken when op is not; it hops over the long jump. */
static void
put_conditional(struct emitter *e, enum amd_op op, enum amd_op opposite, struct aco_block *target)
{
   e->program->out->stats.branches++;
   if (e->long_branches) {
      put_sopp(e, opposite, 6); /* s_getpc, 2 x 2 words, s_setpc */
      put_long_jump(e, target);
      return;
   }
   put_branch(e, op, target);
}

static void
put_terminator(struct emitter *e, struct aco_block *block)
{
   static const enum amd_op ops[][2] = {
      [ACO_TERM_SCC0] = {AMD_OP_s_cbranch_scc0, AMD_OP_s_cbranch_scc1},
      [ACO_TERM_SCC1] = {AMD_OP_s_cbranch_scc1, AMD_OP_s_cbranch_scc0},
      [ACO_TERM_EXECZ] = {AMD_OP_s_cbranch_execz, AMD_OP_s_cbranch_execnz},
   };
   if (block->term == ACO_TERM_END)
      return;
   struct aco_block *next = final_target(e, block->linear_succs.at[0]);
   if (block->term != ACO_TERM_JUMP) {
      struct aco_block *taken = final_target(e, block->linear_succs.at[1]);
      if (taken == next) {
         /* nothing to decide */
      } else if (falls_through(e, block, taken)) {
         put_conditional(e, ops[block->term][1], ops[block->term][0], next);
         return;
      } else {
         put_conditional(e, ops[block->term][0], ops[block->term][1], taken);
      }
   }
   if (!falls_through(e, block, next))
      put_jump(e, next);
}

static void
count(struct aco_stats *stats, uint32_t encs)
{
   stats->smem += (encs & 1u << AMD_ENC_SMEM) != 0;
   stats->vmem += (encs & ACO_ENC_VMEM) != 0;
   stats->lds += (encs & 1u << AMD_ENC_DS) != 0;
   stats->valu += (encs & ACO_ENC_VALU) != 0;
   stats->salu += (encs & ACO_ENC_SALU) != 0;
}

static void
put_await_waves(struct emitter *e, const struct aco_instr *instr)
{
   struct amd_inst insts[ACO_AWAIT_WAVES_MAX];
   unsigned number = aco_await_waves(e->program, instr, insts);
   for (unsigned i = 0; i < number; i++) {
      aco_mutate(e->program->gen, ACO_MUTANT_AWAIT_WAVES, &insts[i]);
      put_inst(e, &insts[i]);
      e->program->out->stats.branches += (aco_info(e->program, insts[i].op)->flags & AMD_FLAG_BRANCH) != 0;
   }
   e->program->out->stats.salu += number;
}

/* The literal is the last word. */
static void
remember_distance(struct emitter *e)
{
   e->distances =
      arena_room(e->program->arena, e->distances, sizeof(*e->distances), e->num_distances, &e->distances_capacity);
   e->distances[e->num_distances].at_dw = e->count - 1;
   e->distances[e->num_distances++].pc_dw = e->pc_dw;
}

static void
put_block(struct emitter *e, struct aco_block *block)
{
   block->offset_dw = e->count;
   if (e->empty[block->index])
      return; /* whoever would come here goes to its successor */
   for (unsigned i = 0; i < block->count; i++) {
      struct amd_inst inst;
      struct aco_instr *instr = block->instrs[i];
      if (instr->op == ACO_P_AWAIT_WAVES) {
         put_await_waves(e, instr);
         continue;
      }
      if (!aco_hw_instr(e->program, instr, &inst)) {
         char *text = NULL;
         size_t size;
         FILE *file = open_memstream(&text, &size);
         aco_print_instr(e->program, instr, file);
         fclose(file);
         aco_fail(e->program, "no encoding for: %s", text);
         free(text);
         return;
      }
      aco_mutate(e->program->gen, aco_mutant_context(e->program, block, i), &inst);
      put_inst(e, &inst);
      if (instr->op == AMD_OP_s_getpc_b64)
         e->pc_dw = e->count;
      if (instr->to_data)
         remember_distance(e);
      count(&e->program->out->stats, aco_encs(e->program, instr));
      e->program->out->stats.pairs += instr->dual != NULL;
   }
   put_terminator(e, block);
}

/* False if a short branch does not reach. */
static bool
patch_branches(struct emitter *e)
{
   for (unsigned i = 0; i < e->num_branches; i++) {
      const struct branch *branch = &e->branches[i];
      if (branch->is_long) {
         int64_t distance_B = ((int64_t)branch->target->offset_dw - (branch->at_dw + 1)) * 4;
         e->code[branch->at_dw + 2] = (uint32_t)distance_B;
         e->code[branch->at_dw + 4] = (uint32_t)(distance_B >> 32);
         continue;
      }
      int distance = (int)branch->target->offset_dw - (int)(branch->at_dw + 1);
      if (distance < -32768 || distance > 32767)
         return false;
      e->code[branch->at_dw] = (e->code[branch->at_dw] & 0xffff0000) | ((uint32_t)distance & 0xffff);
   }
   return true;
}

static bool
has_offset_3f(const struct emitter *e, unsigned branch)
{
   const struct branch *b = &e->branches[branch];
   return !b->is_long && b->target->offset_dw == b->at_dw + 1 + 0x3f;
}

/* Marks the branches that need padding; false if none is new. */
static bool
pad_branches(struct emitter *e)
{
   bool any = false;
   if (!e->program->target->has_hazards)
      return false;
   if (!e->padded)
      e->padded = arena_array(e->program->arena, bool, e->num_branches);
   for (unsigned i = 0; i < e->num_branches; i++) {
      if (has_offset_3f(e, i))
         any = e->padded[i] = true;
   }
   return any;
}

static void
emit_all(struct emitter *e)
{
   struct aco_program *program = e->program;
   e->count = e->num_branches = e->num_distances = 0;
   struct aco_stats *stats = &program->out->stats;
   stats->instructions = stats->branches = stats->smem = stats->vmem = stats->lds = stats->valu = stats->salu = 0;
   stats->pairs = 0;
   for (unsigned b = 0; b < program->num_blocks && !program->error; b++)
      put_block(e, program->blocks[b]);
}

/* Of instructions, and of what follows them. */
static const char *
listing(struct aco_program *program, const uint32_t *code, unsigned count_dw, unsigned end_dw)
{
   char *text = NULL, line[256];
   size_t size;
   FILE *file = open_memstream(&text, &size);
   for (unsigned at = 0; at < count_dw;) {
      struct amd_inst inst;
      unsigned words = amd_isa_decode(program->gen, code + at, count_dw - at, &inst);
      if (!words) {
         fprintf(file, "\t.long 0x%08x\n", code[at++]);
         continue;
      }
      amd_isa_print(program->gen, &inst, program->wave_size == 64, line, sizeof(line));
      fprintf(file, "\t%s\n", line);
      at += words;
   }
   for (unsigned at = count_dw; at < end_dw; at++)
      fprintf(file, (at - count_dw) % 8 ? " 0x%08x%s" : "\t.long 0x%08x%s", code[at],
              (at - count_dw) % 8 == 7 || at + 1 == end_dw ? "\n" : "");
   fclose(file);
   const char *copy = arena_strdup(program->arena, text);
   free(text);
   return copy;
}

static void
put_padding(struct emitter *e)
{
   unsigned line_dw = e->program->target->fetch_line_B / 4;
   unsigned end_dw = line_dw ? (unsigned)align_up(e->count, line_dw) + 3 * line_dw : 0;
   struct amd_inst inst = amd_inst_init(AMD_OP_s_code_end, AMD_ENC_SOPP);
   uint32_t words[AMD_INST_MAX_DW];
   unsigned size = 0;
   while (e->count < end_dw && amd_isa_encode(e->program->gen, &inst, words, &size))
      put(e, words, size);
}

/* After the padding, so that nobody fetches it as code. */
static void
put_data(struct emitter *e)
{
   const struct aco_program *program = e->program;
   if (!program->data_B)
      return;
   while (e->count % (NIR_CONSTANT_ALIGN_B / 4))
      put(e, &(uint32_t){0}, 1);
   for (unsigned i = 0; i < e->num_distances; i++)
      e->code[e->distances[i].at_dw] = (e->count - e->distances[i].pc_dw) * 4;
   for (uint32_t at_B = 0; at_B < program->data_B; at_B += 4) {
      uint32_t word;
      memcpy(&word, program->data + at_B, 4);
      put(e, &word, 1);
   }
}

void
aco_emit(struct aco_program *program)
{
   struct emitter *e = arena_new(program->arena, struct emitter);
   e->program = program;
   e->empty = arena_array(program->arena, bool, program->num_blocks);
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block *block = program->blocks[b];
      e->empty[b] = !block->count && block->term == ACO_TERM_JUMP && block->linear_succs.at[0] != block &&
                    block->linear_succs.at[0]->index > block->index;
   }
   do
      emit_all(e);
   while (!program->error && pad_branches(e));
   if (!program->error && !patch_branches(e)) {
      e->long_branches = true;
      e->padded = NULL;
      emit_all(e);
      patch_branches(e);
   }
   if (program->error)
      return;
   struct aco_output *out = program->out;
   out->exec_dw = e->count;
   put_padding(e);
   put_data(e);
   out->code = e->code;
   out->code_dw = e->count;
   if (program->options->listing)
      out->listing = listing(program, e->code, out->exec_dw, program->data_B ? out->code_dw : out->exec_dw);
}
