/* Two shaders that one hardware stage runs. Some invocations run the first, some the second, some both:
 *
 *    if (runs_first)
 *       ... the first ...
 *    barrier of the workgroup
 *    if (runs_second)
 *       ... the second ... */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"
#include "util/macros.h"

/* Alignment of tables of constants. */
enum { TABLE_B = 16 };

/* Tables of the first shader go after those of the second. */
static void
merge_constants(struct nir_shader *first, struct nir_shader *second)
{
   const uint32_t begin_B = (uint32_t)align_up(second->info.constant_B, TABLE_B);
   if (!first->info.constant_B)
      return;
   nir_foreach_block(block, first) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == NIR_INTRINSIC_load_constant)
            nir_intrinsic_set_base(nir_as_intrinsic(instr),
                                   nir_intrinsic_base(nir_as_intrinsic(instr)) + (int32_t)begin_B);
      }
   }
   second->info.constant_B = begin_B + first->info.constant_B;
   nir_foreach_variable(variable, first) {
      if (variable->mode == NIR_VAR_CONSTANT) {
         struct nir_variable *table = nir_variable_create(second, NIR_VAR_CONSTANT, variable->type, variable->name);
         table->initializer = variable->initializer;
         table->offset_B = variable->offset_B + begin_B;
         table->location = -1;
      }
   }
}

/* What either needs. Only one of them runs at a time. */
static void
merge_info(const struct nir_shader_info *first, struct nir_shader_info *second)
{
   second->shared_B = MAX2(first->shared_B, second->shared_B);
   second->scratch_B = MAX2(first->scratch_B, second->scratch_B);
   second->robust_uniform = MAX2(first->robust_uniform, second->robust_uniform);
   second->robust_storage = MAX2(first->robust_storage, second->robust_storage);
   second->buffer_holes |= first->buffer_holes;
   second->writes_memory |= first->writes_memory;
}

void
nir_fill_branch(struct nir_if *nif, struct list_head *list)
{
   list_remove(&nir_cf_list_first(&nif->then_list)->cf.link);
   while (!list_is_empty(list)) {
      struct nir_cf_node *node = list_entry(list->next, struct nir_cf_node, link);
      list_remove(&node->link);
      nir_cf_link(node, &nif->cf, &nif->then_list, nif->then_list.prev);
   }
}

void
nir_take_body(struct nir_shader *shader, struct list_head *body)
{
   list_init(body);
   while (!list_is_empty(&shader->body)) {
      struct list_head *node = shader->body.next;
      list_remove(node);
      list_add_tail(node, body);
   }
   struct nir_block *block = nir_block_create(shader);
   nir_cf_link(&block->cf, NULL, &shader->body, &shader->body);
}

static struct nir_if *
empty_if(struct nir_builder *b, struct nir_def *condition)
{
   struct nir_if *nif = nir_push_if(b, condition);
   nir_pop_if(b, nif);
   return nif;
}

bool
nir_merge_shaders(struct nir_shader *first, struct nir_shader *second)
{
   struct list_head old;
   assert(first->arena == second->arena && "merged shaders live together");
   if (first->info.float_controls != second->info.float_controls)
      return false;
   merge_constants(first, second);
   merge_info(&first->info, &second->info);
   nir_take_body(second, &old);
   struct nir_builder b = nir_builder_at(second, nir_after_block(nir_first_block(second)));
   struct nir_if *run_first = empty_if(&b, nir_load_runs_first(&b));
   nir_barrier(&b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_WORKGROUP,
               .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE, .memory_modes = NIR_VAR_SHARED);
   struct nir_if *run_second = empty_if(&b, nir_load_runs_second(&b));
   nir_fill_branch(run_first, &first->body);
   nir_fill_branch(run_second, &old);
   nir_index_defs(second);
   return true;
}
