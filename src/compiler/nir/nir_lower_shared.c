#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_passes.h"
#include "util/macros.h"

enum { CHUNK_B = 16 }; /* that an invocation clears at a time */

static bool
is_block(const struct nir_variable *variable)
{
   return variable->mode == NIR_VAR_SHARED && variable->type->is_block;
}

/* Blocks have a layout. Those that are aliased begin at one place. */
static bool
lay_out_blocks(struct nir_shader *shader)
{
   uint32_t *size_B = &shader->info.shared_B;
   bool progress = false;
   nir_foreach_variable(variable, shader) {
      if (!is_block(variable))
         continue;
      progress = true;
      variable->offset_B = 0;
      if (variable->aliased)
         *size_B = MAX2(*size_B, nir_type_explicit_size_B(variable->type));
   }
   nir_foreach_variable(variable, shader) {
      if (!is_block(variable) || variable->aliased)
         continue;
      variable->offset_B = (uint32_t)align_up(*size_B, CHUNK_B);
      *size_B = variable->offset_B + nir_type_explicit_size_B(variable->type);
   }
   *size_B = (uint32_t)align_up(*size_B, CHUNK_B);
   return progress;
}

/* What `zeroed` variables cover, in whole chunks; what lies between them has no value yet. */
static void
find_zeroed(const struct nir_shader *shader, uint32_t *begin_B, uint32_t *end_B)
{
   *begin_B = UINT32_MAX;
   *end_B = 0;
   nir_foreach_variable(variable, shader) {
      if (variable->mode != NIR_VAR_SHARED || !variable->zeroed)
         continue;
      const uint32_t last_B = variable->offset_B + nir_type_explicit_size_B(variable->type);
      *begin_B = MIN2(*begin_B, variable->offset_B / CHUNK_B * CHUNK_B);
      *end_B = MAX2(*end_B, (uint32_t)align_up(last_B, CHUNK_B));
   }
}

static void
clear(struct nir_builder *b, struct nir_def *offset_B, uint32_t begin_B)
{
   nir_store_shared(b, nir_imm_zero(b, 4, 32), offset_B, .base = (int32_t)begin_B, .write_mask = 15,
                    .align_mul = CHUNK_B);
}

/* Each invocation clears every `step_B / CHUNK_B`-th chunk. */
static void
clear_in_turns(struct nir_builder *b, struct nir_def *first_B, uint32_t begin_B, uint32_t size_B, uint32_t step_B)
{
   struct nir_loop *loop = nir_push_loop(b);
   struct nir_block *entry = nir_cf_as_block(list_entry(loop->cf.link.prev, struct nir_cf_node, link));
   struct nir_phi_instr *at = nir_build_phi(b, 1, 32);
   struct nir_if *done = nir_push_if(b, nir_uge(b, &at->def, nir_imm_int(b, (int32_t)size_B)));
   nir_break(b);
   nir_pop_if(b, done);
   clear(b, &at->def, begin_B);
   struct nir_def *next = nir_iadd_imm(b, &at->def, step_B);
   struct nir_block *last = b->cursor.block;
   nir_phi_add_src(b->shader, at, entry, first_B);
   nir_phi_add_src(b->shader, at, last, next);
   nir_pop_loop(b, loop);
}

static void
clear_zeroed(struct nir_shader *shader)
{
   uint32_t begin_B, end_B;
   const uint32_t *group = shader->info.workgroup_size;
   const uint32_t step_B = group[0] * group[1] * group[2] * CHUNK_B;
   find_zeroed(shader, &begin_B, &end_B);
   if (begin_B >= end_B)
      return;
   shader->info.shared_B = MAX2(shader->info.shared_B, end_B);
   struct nir_builder b = nir_builder_at(shader, nir_before_block(nir_first_block(shader)));
   struct nir_def *first_B = nir_imul_imm(&b, nir_load_local_invocation_index(&b), CHUNK_B);
   clear_in_turns(&b, first_B, begin_B, end_B - begin_B, step_B);
   nir_barrier(&b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_WORKGROUP,
               .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE | NIR_SEMANTICS_MAKE_AVAILABLE |
                                   NIR_SEMANTICS_MAKE_VISIBLE,
               .memory_modes = NIR_VAR_SHARED);
}

/* That of a task shader follows its workgroup memory, in whole chunks; both shaders have the same distances in it. */
static bool
lay_out_payload(struct nir_shader *shader)
{
   struct nir_shader_info *info = &shader->info;
   const bool task = shader->stage == NIR_STAGE_TASK;
   uint32_t end_B = task ? (uint32_t)align_up(info->shared_B, CHUNK_B) : 0;
   info->payload_at_B = end_B;
   if (!nir_layout_variables(shader, NIR_VAR_TASK_PAYLOAD, &end_B))
      return false;
   info->payload_B = (uint32_t)align_up(end_B - info->payload_at_B, CHUNK_B);
   if (task)
      info->shared_B = info->payload_at_B + info->payload_B;
   return true;
}

bool
nir_lower_shared(struct nir_shader *shader)
{
   shader->info.shared_B = 0;
   bool progress = lay_out_blocks(shader);
   progress |= nir_layout_variables(shader, NIR_VAR_SHARED, &shader->info.shared_B);
   clear_zeroed(shader);
   return lay_out_payload(shader) || progress;
}
