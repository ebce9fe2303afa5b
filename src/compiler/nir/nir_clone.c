#include "compiler/nir/nir_clone.h"

#include "compiler/nir/nir_cf.h"

struct nir_def *
nir_clone_def(const struct nir_cloner *cloner, struct nir_def *def)
{
   bool known = def->index < cloner->num_defs && cloner->defs[def->index];
   return known ? cloner->defs[def->index] : def;
}

static bool
remap_src(struct nir_src *src, void *data)
{
   nir_src_init(src, nir_clone_def(data, src->def));
   return true;
}

/* The same words with fresh links; the size is that of the instruction's structure. */
static struct nir_instr *
copy_words(struct nir_cloner *cloner, const struct nir_instr *instr, size_t size_B)
{
   struct nir_instr *copy = arena_dup(cloner->shader->arena, instr, size_B);
   copy->link.next = copy->link.prev = NULL;
   copy->block = NULL;
   return copy;
}

static void
own_sources(struct nir_instr *instr, struct nir_src *srcs, unsigned count, size_t stride_B)
{
   for (unsigned i = 0; i < count; i++)
      ((struct nir_src *)((char *)srcs + i * stride_B))->parent_instr = instr;
}

static struct nir_instr *
copy_instr(struct nir_cloner *cloner, const struct nir_instr *instr)
{
   struct nir_instr *copy = NULL;
   switch (instr->type) {
   case NIR_INSTR_ALU:
      copy = copy_words(cloner, instr, nir_alu_size_B(nir_as_alu(instr)->op));
      own_sources(copy, &nir_as_alu(copy)->src[0].src, nir_op_infos[nir_as_alu(instr)->op].num_srcs,
                  sizeof(struct nir_alu_src));
      break;
   case NIR_INSTR_LOAD_CONST:
      copy = copy_words(cloner, instr, sizeof(struct nir_load_const_instr));
      break;
   case NIR_INSTR_UNDEF:
      copy = copy_words(cloner, instr, sizeof(struct nir_undef_instr));
      break;
   case NIR_INSTR_DEREF:
      copy = copy_words(cloner, instr, sizeof(struct nir_deref_instr));
      nir_as_deref(copy)->parent.parent_instr = nir_as_deref(copy)->index.parent_instr = copy;
      if (cloner->variables && nir_as_deref(copy)->deref_type == NIR_DEREF_VAR)
         nir_as_deref(copy)->var = cloner->variables[nir_as_deref(copy)->var->index];
      break;
   case NIR_INSTR_INTRINSIC:
      copy = copy_words(cloner, instr, sizeof(struct nir_intrinsic_instr));
      own_sources(copy, nir_as_intrinsic(copy)->src, NIR_INTRINSIC_MAX_SRCS, sizeof(struct nir_src));
      break;
   case NIR_INSTR_TEX:
      copy = copy_words(cloner, instr, sizeof(struct nir_tex_instr));
      own_sources(copy, &nir_as_tex(copy)->src[0].src, NIR_TEX_MAX_SRCS, sizeof(struct nir_tex_src));
      break;
   case NIR_INSTR_JUMP:
      return &nir_jump_create(cloner->shader, nir_as_jump(instr)->jump)->instr;
   case NIR_INSTR_PHI:
      assert(!"phis are copied with their block");
   }
   nir_foreach_src(copy, remap_src, cloner);
   return copy;
}

static void
define(struct nir_cloner *cloner, const struct nir_instr *instr, struct nir_instr *copy)
{
   const struct nir_def *def = nir_instr_def(instr);
   if (!def)
      return;
   struct nir_def *copy_def = nir_instr_def(copy);
   nir_def_init(cloner->shader, copy, copy_def, def->num_components, def->bit_size);
   if (def->index < cloner->num_defs)
      cloner->defs[def->index] = copy_def;
}

/* Of one source, in the copy of a part. */
static bool
is_passed(const struct nir_cloner *cloner, const struct nir_phi_instr *phi)
{
   return !cloner->variables && phi->srcs.next == phi->srcs.prev;
}

/* Sources from blocks not copied yet (the back edges of an inner loop) are added by finish_phis(). */
static void
clone_phi(struct nir_cloner *cloner, const struct nir_phi_instr *phi, struct nir_block *to)
{
   if (is_passed(cloner, phi)) {
      const struct nir_phi_src *only = list_first(&phi->srcs, struct nir_phi_src, link);
      cloner->defs[phi->def.index] = nir_clone_def(cloner, only->src.def);
      return;
   }
   struct nir_phi_instr *copy = nir_phi_create(cloner->shader);
   define(cloner, &phi->instr, &copy->instr);
   nir_instr_insert(nir_before_block(to), &copy->instr);
}

void
nir_clone_instrs(struct nir_cloner *cloner, const struct nir_block *block, struct nir_block *to)
{
   nir_foreach_instr(instr, block) {
      if (instr->type == NIR_INSTR_PHI) {
         clone_phi(cloner, nir_as_phi(instr), to);
         continue;
      }
      struct nir_instr *copy = copy_instr(cloner, instr), *last = nir_block_last(to);
      define(cloner, instr, copy);
      nir_instr_insert(last ? nir_after_instr(last) : nir_after_block(to), copy);
   }
   if (block->index < cloner->num_blocks)
      cloner->blocks[block->index] = to;
}

/* Once everything is copied: the sources of the phis of one block. */
static void
finish_phis(struct nir_cloner *cloner, const struct nir_block *block)
{
   nir_foreach_instr(instr, block) {
      if (instr->type != NIR_INSTR_PHI)
         break;
      const struct nir_phi_instr *phi = nir_as_phi(instr);
      if (is_passed(cloner, phi))
         continue;
      struct nir_phi_instr *copy = nir_as_phi(cloner->defs[phi->def.index]->parent);
      nir_foreach_phi_src(src, phi)
         nir_phi_add_src(cloner->shader, copy, cloner->blocks[src->pred->index], nir_clone_def(cloner, src->src.def));
   }
}

static void
finish_list(struct nir_cloner *cloner, const struct nir_cf_node *node)
{
   for (; node; node = nir_cf_next(node)) {
      if (node->type == NIR_CF_BLOCK) {
         finish_phis(cloner, nir_cf_as_block(node));
      } else if (node->type == NIR_CF_IF) {
         finish_list(cloner, &nir_cf_list_first(&nir_cf_as_if(node)->then_list)->cf);
         finish_list(cloner, &nir_cf_list_first(&nir_cf_as_if(node)->else_list)->cf);
      } else {
         finish_list(cloner, &nir_cf_list_first(&nir_cf_as_loop(node)->body)->cf);
      }
   }
}

static void copy_nodes(struct nir_cloner *cloner, const struct nir_cf_node *node, struct nir_block **at);

static void
copy_list(struct nir_cloner *cloner, const struct list_head *from, struct nir_cf_node *parent, struct list_head *to)
{
   struct nir_block *block = nir_block_create(cloner->shader);
   list_init(to);
   nir_cf_link(&block->cf, parent, to, to);
   copy_nodes(cloner, &nir_cf_list_first(from)->cf, &block);
}

static void
copy_if(struct nir_cloner *cloner, const struct nir_if *nif, struct nir_block *at)
{
   struct nir_def *condition = nir_clone_def(cloner, nif->condition.def);
   struct nir_if *copy = arena_dup(cloner->shader->arena, nif, sizeof(*nif));
   copy->condition.parent_if = copy;
   nir_src_init(&copy->condition, condition);
   list_add_tail(&copy->condition.use_link, &condition->uses);
   nir_cf_link(&copy->cf, at->cf.parent, at->cf.list, &at->cf.link);
   copy_list(cloner, &nif->then_list, &copy->cf, &copy->then_list);
   copy_list(cloner, &nif->else_list, &copy->cf, &copy->else_list);
}

static void
copy_nodes(struct nir_cloner *cloner, const struct nir_cf_node *node, struct nir_block **at)
{
   for (; node; node = nir_cf_next(node)) {
      if (node->type == NIR_CF_BLOCK) {
         nir_clone_instrs(cloner, nir_cf_as_block(node), *at);
         continue;
      }
      struct nir_block *after = nir_block_create(cloner->shader);
      struct list_head *place = &(*at)->cf.link;
      if (node->type == NIR_CF_IF) {
         copy_if(cloner, nir_cf_as_if(node), *at);
      } else {
         struct nir_loop *copy = arena_dup(cloner->shader->arena, nir_cf_as_loop(node), sizeof(struct nir_loop));
         nir_cf_link(&copy->cf, (*at)->cf.parent, (*at)->cf.list, place);
         copy_list(cloner, &nir_cf_as_loop(node)->body, &copy->cf, &copy->body);
      }
      nir_cf_link(&after->cf, (*at)->cf.parent, (*at)->cf.list, place->next);
      *at = after;
   }
}

void
nir_clone_nodes(struct nir_cloner *cloner, const struct nir_cf_node *node, struct nir_block **at)
{
   copy_nodes(cloner, node, at);
   finish_list(cloner, node);
}

static void
clone_variables(struct nir_cloner *cloner, struct nir_shader *from)
{
   nir_foreach_variable(variable, from) {
      struct nir_variable *copy = arena_dup(from->arena, variable, sizeof(*variable));
      list_add_tail(&copy->link, &cloner->shader->variables);
      cloner->variables[variable->index] = copy;
   }
}

struct nir_shader *
nir_clone_shader(struct nir_shader *shader)
{
   struct nir_shader *copy = nir_shader_create(shader->arena, shader->stage);
   copy->name = shader->name;
   copy->info = shader->info;
   nir_index_defs(shader);
   nir_index_blocks(shader);
   copy->next_index = shader->next_index;
   struct nir_cloner cloner = {.shader = copy, .num_defs = shader->num_defs, .num_blocks = shader->num_blocks};
   cloner.defs = arena_array(shader->arena, struct nir_def *, shader->num_defs);
   cloner.blocks = arena_array(shader->arena, struct nir_block *, shader->num_blocks);
   cloner.variables = arena_array(shader->arena, struct nir_variable *, shader->next_index);
   struct nir_block *at = nir_first_block(copy);
   clone_variables(&cloner, shader);
   nir_clone_nodes(&cloner, &nir_first_block(shader)->cf, &at);
   nir_index_defs(copy);
   return copy;
}
