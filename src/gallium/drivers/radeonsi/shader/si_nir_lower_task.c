/* Task shaders as compute shaders. At the end the workgroup copies the payload from LDS to its entry of a ring in
 * memory; then one thread stores how many workgroups of the mesh shader follow, and last that the entry is ready: a
 * bit that has another value in each turn around the ring. Source: RADV's comments and what it programs. */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/radeonsi/shader/si_task.h"
#include "gallium/drivers/radeonsi/si_abi.h"
#include "util/mutant.h"

enum { CHUNK_B = 16 }; /* that a thread copies at a time */

struct pass {
   struct nir_builder b;
   const struct si_nir_options *options;
   struct nir_variable *size[3]; /* of the mesh shader's dispatch */
};

struct nir_def *
si_nir_task_entry(struct nir_builder *b, const struct si_nir_options *options, struct nir_def *entry, unsigned rings,
                  bool payload)
{
   struct nir_def *in_ring = nir_iand_imm(b, entry, SI_TASK_ENTRIES - 1);
   const uint32_t payload_B = mutant("task-payloads-overlap") ? SI_TASK_ENTRY_B / 4 : SI_TASK_ENTRY_B;
   struct nir_def *offset = nir_imul_imm(b, in_ring, payload ? payload_B : SI_TASK_DRAW_B);
   struct nir_def *halves[2] = {nir_load_scalar_arg(b, 1, .base = (int32_t)rings),
                                nir_imm_int(b, (int32_t)options->address32_hi)};
   struct nir_def *begin = nir_pack_64_2x32(b, nir_vec(b, halves, 2));

   offset = nir_iadd_imm(b, offset, payload ? SI_TASK_PAYLOADS_B : SI_TASK_CONTROL_B);
   return nir_iadd(b, begin, nir_u2uN(b, offset, 64));
}

void
si_nir_count_for_query(struct nir_builder *b, const struct si_nir_options *options, unsigned rings,
                       uint32_t counter_B, struct nir_def *count)
{
   struct nir_def *halves[2] = {
      nir_iadd_imm(b, nir_load_scalar_arg(b, 1, .base = (int32_t)rings), SI_TASK_COUNTERS_B + counter_B),
      nir_imm_int(b, (int32_t)options->address32_hi)};
   struct nir_def *words[2] = {count, nir_imm_int(b, 0)};

   nir_global_atomic(b, nir_pack_64_2x32(b, nir_vec(b, halves, 2)), nir_pack_64_2x32(b, nir_vec(b, words, 2)),
                     .atomic_op = NIR_ATOMIC_iadd);
}

/* All workgroups of a dispatch are told the first one's. */
static struct nir_def *
own_entry(struct nir_builder *b)
{
   struct nir_def *id = nir_load_workgroup_id(b), *size = nir_load_num_workgroups(b);
   struct nir_def *row =
      nir_iadd(b, nir_imul(b, nir_channel(b, id, 2), nir_channel(b, size, 1)), nir_channel(b, id, 1));
   struct nir_def *number = nir_iadd(b, nir_imul(b, row, nir_channel(b, size, 0)), nir_channel(b, id, 0));

   if (mutant("task-first-entry"))
      number = nir_imm_int(b, 0);
   return nir_iadd(b, nir_load_scalar_arg(b, 1, .base = SI_SGPR_TS_RING_ENTRY), number);
}

/* What this invocation has stored is there before it goes on; execution: before others do. */
static void
await_stores(struct nir_builder *b, enum nir_scope execution)
{
   nir_barrier(b, .execution_scope = execution, .memory_scope = NIR_SCOPE_DEVICE,
               .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE,
               .memory_modes = NIR_VAR_SHARED | NIR_VAR_GLOBAL);
}

static void
store(struct nir_builder *b, struct nir_def *value, struct nir_def *address, uint32_t offset_B)
{
   nir_store_global(b, value, address, .base = (int32_t)offset_B, .write_mask = (1u << value->num_components) - 1,
                    .access = NIR_ACCESS_COHERENT, .align_mul = value->bit_size / 8);
}

static uint32_t
num_threads(const struct nir_builder *b)
{
   const uint32_t *size = b->shader->info.workgroup_size;

   return size[0] * size[1] * size[2];
}

/* Thread after thread takes the next chunk. */
static void
copy_payload(struct nir_builder *b, struct nir_def *address)
{
   const struct nir_shader_info *info = &b->shader->info;
   const uint32_t step_B = num_threads(b) * CHUNK_B;
   struct nir_def *first = nir_imul_imm(b, nir_load_local_invocation_index(b), CHUNK_B);
   struct nir_variable *at =
      nir_variable_create(b->shader, NIR_VAR_FUNCTION_TEMP, nir_type_vector(NIR_TYPE_UINT, 32, 1), "at");

   if (!info->payload_B)
      return;
   nir_store_var(b, at, first, 1);
   struct nir_loop *loop = nir_push_loop(b);
   struct nir_def *offset = nir_load_var(b, at);
   struct nir_if *nif = nir_push_if(b, nir_uge(b, offset, nir_imm_int(b, (int32_t)info->payload_B)));

   nir_break(b);
   nir_pop_if(b, nif);
   struct nir_def *chunk =
      nir_load_shared(b, 4, 32, offset, .base = (int32_t)info->payload_at_B, .align_mul = CHUNK_B);

   store(b, chunk, nir_iadd(b, address, nir_u2uN(b, offset, 64)), 0);
   nir_store_var(b, at, nir_iadd_imm(b, offset, step_B), 1);
   nir_pop_loop(b, loop);
}

static void
finish(struct pass *p)
{
   struct nir_builder *b = &p->b;

   b->cursor = nir_after_block(nir_cf_list_last(&b->shader->body));
   await_stores(b, NIR_SCOPE_WORKGROUP);
   struct nir_def *entry = own_entry(b);
   struct nir_def *payload = si_nir_task_entry(b, p->options, entry, SI_SGPR_TS_TASK_RINGS, true);

   copy_payload(b, payload);
   await_stores(b, NIR_SCOPE_WORKGROUP);
   struct nir_if *nif = nir_push_if(b, nir_ieq_imm(b, nir_load_local_invocation_index(b), 0));
   struct nir_def *draw = si_nir_task_entry(b, p->options, entry, SI_SGPR_TS_TASK_RINGS, false);
   struct nir_def *size[3], *turn = nir_iand_imm(b, nir_ushr_imm(b, entry, SI_TASK_ENTRIES_LOG2), 1);

   if (mutant("task-first-turn"))
      turn = nir_imm_int(b, 1);
   if (p->options->counts_meshes)
      si_nir_count_for_query(b, p->options, SI_SGPR_TS_TASK_RINGS, offsetof(struct si_task_counters, tasks),
                             nir_imm_int(b, (int32_t)num_threads(b)));
   for (unsigned i = 0; i < 3; i++)
      size[i] = nir_load_var(b, p->size[i]);
   store(b, nir_load_scalar_arg(b, 1, .base = SI_SGPR_TS_DRAW_ID), payload, SI_TASK_DRAW_ID_B);
   store(b, nir_vec(b, size, 3), draw, 0);
   await_stores(b, NIR_SCOPE_NONE);
   store(b, nir_u2uN(b, turn, 8), draw, SI_TASK_DRAW_READY_B);
   nir_pop_if(b, nif);
}

static void
lower_instr(struct pass *p, struct nir_intrinsic_instr *instr)
{
   p->b.cursor = nir_before_instr(&instr->instr);
   if (instr->op == NIR_INTRINSIC_launch_mesh_workgroups) {
      for (unsigned i = 0; i < 3; i++)
         nir_store_var(&p->b, p->size[i], nir_channel(&p->b, instr->src[0].def, i), 1);
      nir_instr_remove(&instr->instr);
   } else if (instr->op == NIR_INTRINSIC_load_draw_id) {
      nir_def_replace(&instr->def, nir_load_scalar_arg(&p->b, 1, .base = SI_SGPR_TS_DRAW_ID));
      nir_instr_remove(&instr->instr);
   }
}

void
si_nir_lower_task(struct nir_shader *shader, const struct si_nir_options *options)
{
   struct pass p = {.b = nir_builder_create(shader), .options = options};

   for (unsigned i = 0; i < 3; i++)
      p.size[i] =
         nir_variable_create(shader, NIR_VAR_FUNCTION_TEMP, nir_type_vector(NIR_TYPE_UINT, 32, 1), "workgroups");
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC)
            lower_instr(&p, nir_as_intrinsic(instr));
      }
   }
   p.b.cursor = nir_before_block(nir_first_block(shader));
   for (unsigned i = 0; i < 3; i++)
      nir_store_var(&p.b, p.size[i], nir_imm_int(&p.b, 0), 1);
   finish(&p);
   shader->stage = NIR_STAGE_COMPUTE;
   NIR_PASS(shader, nir_lower_vars_to_ssa);
}
