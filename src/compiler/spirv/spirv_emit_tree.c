/* Emits the structured tree of a function as nir control flow. */
#include "compiler/nir/nir_cf.h"
#include "compiler/spirv/spirv_emit.h"
#include "util/macros.h"

static void emit_seq(struct spirv_emit *e, const struct spirv_seq *seq);

/* ---- flags ---- */

static struct nir_variable *
flag_variable(struct spirv_emit *e, struct nir_variable **flag, const char *name)
{
   if (!*flag)
      *flag = nir_variable_create(e->shader, NIR_VAR_FUNCTION_TEMP, nir_type_vector(NIR_TYPE_BOOL, 1, 1), name);
   return *flag;
}

static void
clear_flag(struct spirv_emit *e, struct spirv_construct *construct)
{
   if (construct->needs_flag)
      nir_store_var(&e->b, flag_variable(e, &construct->flag, "left"), spirv_bool_constant(e, false), 1);
}

static void
set_flag(struct spirv_emit *e, struct spirv_construct *construct)
{
   if (construct->needs_flag)
      nir_store_var(&e->b, flag_variable(e, &construct->flag, "left"), spirv_bool_constant(e, true), 1);
}

static struct nir_def *
load_flag(struct spirv_emit *e, struct spirv_construct *construct)
{
   return nir_load_var(&e->b, flag_variable(e, &construct->flag, "left"));
}

/* ---- phis ---- */

/* Edges are asked for in the order of the operands, mostly: the search continues after the last that was found. */
static uint32_t
phi_source(struct spirv_emit *e, const uint32_t *w, uint32_t from)
{
   uint32_t label = spirv_block(e->m, from)->label_id, count = (spirv_length(w) - 3) / 2;
   uint32_t *at = &e->m->ids[w[2]].phi_operand;
   for (uint32_t i = 0; i < count; i++) {
      *at = *at + 1 < count ? *at + 1 : 0;
      if (w[3 + 2 * *at + 1] == label) {
         spirv_count_work(e, i / 64);
         return w[3 + 2 * *at];
      }
   }
   spirv_fail(e->m, "the phi has no value for the predecessor %%%u", label);
}

static void
check_phi(struct spirv_emit *e, const uint32_t *w, const struct spirv_block *block)
{
   spirv_require(e->m, (spirv_length(w) - 3) / 2 == block->num_preds,
                 "the phi has %u values, the block %u predecessors", (spirv_length(w) - 3) / 2, block->num_preds);
   for (uint32_t i = 0; i < block->num_preds; i++)
      phi_source(e, w, block->preds[i]);
}

/* The phis of block `to` take their values from block `from`. */
static void
emit_edge(struct spirv_emit *e, uint32_t from, uint32_t to)
{
   if (to == SPIRV_NO_BLOCK)
      return;
   const struct spirv_block *block = spirv_block(e->m, to);
   const uint32_t *end = spirv_words(e->m, block->end);
   e->block = spirv_block(e->m, from);
   for (const uint32_t *w = spirv_words(e->m, block->begin); w < end; w += spirv_length(w)) {
      uint32_t opcode = spirv_opcode(w);
      if (opcode == SpvOpLine || opcode == SpvOpNoLine)
         continue;
      if (opcode != SpvOpPhi)
         break;
      e->m->at = (uint32_t)(w - e->m->words);
      struct spirv_id *id = &e->m->ids[w[2]];
      struct spirv_ssa *value = spirv_ssa(e, phi_source(e, w, from));
      spirv_require(e->m, value->type == spirv_result_type(e, w), "a value of the phi has the wrong type");
      if (!id->phi)
         id->phi = spirv_temporary(e, value->type);
      spirv_store_deref(e, &e->b, nir_build_deref_var(&e->b, id->phi), value, 0);
   }
}

static void
emit_phi(struct spirv_emit *e, const uint32_t *w)
{
   struct spirv_id *id = &e->m->ids[w[2]];
   const struct spirv_type *type = spirv_result_type(e, w);
   spirv_require(e->m, type->nir && !type->has_opaque, "a phi of type %s", spirv_type_name(e->m, type));
   check_phi(e, w, e->block);
   if (!id->phi)
      id->phi = spirv_temporary(e, type);
   spirv_set_ssa(e, w, spirv_load_deref(e, &e->b, nir_build_deref_var(&e->b, id->phi), type, 0));
}

/* ---- nodes ---- */

static void
emit_block(struct spirv_emit *e, uint32_t index)
{
   struct spirv_module *m = e->m;
   e->block = spirv_block(m, index);
   for (m->at = e->block->begin; m->at < e->block->end; m->at += spirv_length(spirv_words(m, m->at))) {
      const uint32_t *w = spirv_words(m, m->at);
      uint32_t at = m->at;
      spirv_count_work(e, 1);
      if (spirv_opcode(w) == SpvOpPhi)
         emit_phi(e, w);
      else
         spirv_emit_instruction(e, w);
      e->block = spirv_block(m, index); /* a call has changed it */
      m->at = at;
   }
   m->at = e->block->terminator;
   /* What the other ways into a merge block define counts as dominating it. */
   e->needs_repair |= spirv_opcode(spirv_words(m, m->at)) == SpvOpUnreachable;
}

static void
emit_return(struct spirv_emit *e, uint32_t block)
{
   e->block = spirv_block(e->m, block);
   const uint32_t *w = spirv_words(e->m, e->block->terminator);
   const struct spirv_type *type = e->function->type->element;
   e->m->at = e->block->terminator;
   if (spirv_opcode(w) == SpvOpEmitMeshTasksEXT)
      spirv_launch_meshes(e, w);
   if (spirv_opcode(w) != SpvOpReturnValue) {
      spirv_require(e->m, type->kind == SPIRV_TYPE_VOID, "a return without value");
      return;
   }
   struct spirv_ssa *value = spirv_ssa(e, w[1]);
   spirv_require(e->m, value->type == type, "the returned value has the wrong type");
   if (e->function->num_returns == 1) {
      e->return_value = value;
      return;
   }
   if (!e->return_variable)
      e->return_variable = spirv_temporary(e, type);
   spirv_store_deref(e, &e->b, nir_build_deref_var(&e->b, e->return_variable), value, 0);
}

static void
emit_jump(struct spirv_emit *e, const struct spirv_node *node)
{
   if (node->target->kind == SPIRV_CONSTRUCT_FUNCTION)
      emit_return(e, node->block);
   else
      emit_edge(e, node->block, node->to);
   if (!(node->is_break && node->target->kind == SPIRV_CONSTRUCT_LOOP))
      set_flag(e, node->target);
   if (node->is_break)
      nir_break(&e->b);
}

static void
emit_fall(struct spirv_emit *e, const struct spirv_node *node)
{
   const struct spirv_case *from = &node->target->node->cases[node->target->case_index];
   struct spirv_case *to = &node->target->node->cases[from->fall_to];
   emit_edge(e, node->block, node->to);
   if (!from->always_falls)
      nir_store_var(&e->b, flag_variable(e, &to->fell, "fell"), spirv_bool_constant(e, true), 1);
   set_flag(e, node->target);
}

static void
enter(struct spirv_emit *e)
{
   e->cf_depth++;
   spirv_require(e->m, e->cf_depth + e->call_depth <= SPIRV_MAX_CF_DEPTH, "control flow nests too deep");
}

/* Where the nodes of a sequence go: outermost is the node of nir that they went into first, NULL if there is none.
 * The last guards stand inside each other from `base` on, at most MAX_OPEN_GUARDS of them: then all are closed, and
 * one if tests the flags of all. Else sequences of nodes that may leave would nest without end. */
#define MAX_OPEN_GUARDS 16

struct rest {
   const struct spirv_seq *seq;
   struct nir_cf_node *outermost, *base;
   uint32_t base_depth, open;
   struct spirv_construct **flags; /* that guards from base on test */
   uint32_t num_flags, max_flags;
};

static void
forget_flags(struct rest *rest)
{
   for (uint32_t i = 0; i < rest->num_flags; i++)
      rest->flags[i]->guarded = NULL;
   rest->num_flags = rest->open = 0;
   rest->base = NULL;
}

static struct nir_cf_node *
push_guard(struct spirv_emit *e, struct spirv_construct *const *flags, uint32_t count)
{
   struct nir_def *left = NULL;
   for (uint32_t i = 0; i < count; i++) {
      struct nir_def *flag = load_flag(e, flags[i]);
      left = left ? nir_ior(&e->b, left, flag) : flag;
   }
   e->needs_repair = true;
   enter(e);
   return &nir_push_if(&e->b, nir_inot(&e->b, left))->cf;
}

static void
enter_guard(struct spirv_emit *e, const struct spirv_node *node, struct rest *rest)
{
   for (uint32_t i = 0; i < node->num_guards; i++) {
      struct spirv_construct *flag = node->guards[i];
      if (flag->guarded == rest->seq)
         continue;
      flag->guarded = rest->seq;
      rest->flags = arena_room(&e->m->temp, rest->flags, sizeof(*rest->flags), rest->num_flags, &rest->max_flags);
      rest->flags[rest->num_flags++] = flag;
   }
   if (rest->open < MAX_OPEN_GUARDS) {
      uint32_t depth = e->cf_depth;
      struct nir_cf_node *guard = push_guard(e, node->guards, node->num_guards);
      if (!rest->open++) {
         rest->base = guard;
         rest->base_depth = depth;
      }
      if (!rest->outermost)
         rest->outermost = guard;
      return;
   }
   e->b.cursor = nir_before_block(nir_cf_block_after(rest->base));
   e->cf_depth = rest->base_depth;
   struct nir_cf_node *guard = push_guard(e, rest->flags, rest->num_flags);
   if (rest->outermost == rest->base)
      rest->outermost = guard;
   rest->base = guard;
   rest->open = 1;
}

/* Puts the cursor into the branch that the rest goes to and returns the if; NULL: the rest goes after it. */
static struct nir_cf_node *
emit_if(struct spirv_emit *e, const struct spirv_node *node)
{
   e->block = spirv_block(e->m, node->block);
   e->m->at = e->block->terminator;
   const uint32_t *w = spirv_words(e->m, e->m->at),
                  *merge = e->block->merge ? spirv_words(e->m, e->block->merge) : NULL;
   struct nir_def *condition = node->is_constant ? spirv_bool_constant(e, true) : spirv_def(e, w[1]);
   uint32_t depth = e->cf_depth;
   enter(e);
   struct nir_if *nif = nir_push_if(&e->b, condition);
   if (merge && spirv_opcode(merge) == SpvOpSelectionMerge) {
      nif->flatten = merge[2] & SpvSelectionControlFlattenMask;
      nif->dont_flatten = merge[2] & SpvSelectionControlDontFlattenMask;
   }
   emit_seq(e, &node->then_seq);
   nir_push_else(&e->b, nif);
   emit_seq(e, &node->else_seq);
   if (node->rest == SPIRV_REST_IN_THEN || node->rest == SPIRV_REST_IN_ELSE) {
      struct list_head *list = node->rest == SPIRV_REST_IN_THEN ? &nif->then_list : &nif->else_list;
      e->b.cursor = nir_after_block(nir_cf_list_last(list));
      return &nif->cf;
   }
   nir_pop_if(&e->b, nif);
   e->cf_depth = depth;
   return NULL;
}

static uint64_t
literal_value(const struct spirv_emit *e, uint32_t word, unsigned bits)
{
   uint64_t value = e->m->words[word];
   return bits == 64 ? value | (uint64_t)e->m->words[word + 1] << 32 : value & bit_mask(bits);
}

/* True where the selector chooses one of the case's literals. */
static struct nir_def *
literals_condition(struct spirv_emit *e, const struct spirv_case *c, struct nir_def *selector)
{
   struct nir_def *any = NULL;
   for (uint32_t i = 0; i < c->num_literals; i++) {
      struct nir_def *equal = nir_ieq_imm(&e->b, selector, literal_value(e, c->literals[i], selector->bit_size));
      any = any ? nir_ior(&e->b, any, equal) : equal;
   }
   return any ? any : spirv_bool_constant(e, false);
}

/* A switch while its cases are emitted. Conditions of many cases are made where they are used: thousands would not
 * fit into registers together. */
struct emitted_switch {
   const struct spirv_node *node;
   struct nir_def *selector, *others; /* others: the condition of any case so far but the default's */
};

/* Where the case is chosen, not fallen into. The default is asked for after the cases that do not fall into each
 * other with it. */
static struct nir_def *
case_condition(struct spirv_emit *e, struct emitted_switch *s, struct spirv_case *c)
{
   if (c->condition)
      return c->condition;
   if (!c->is_default) {
      c->condition = literals_condition(e, c, s->selector);
      s->others = s->others ? nir_ior(&e->b, s->others, c->condition) : c->condition;
      return c->condition;
   }
   for (uint32_t i = 0; i < s->node->num_cases; i++) {
      if (!s->node->cases[i].is_default)
         case_condition(e, s, &s->node->cases[i]);
   }
   return c->condition = s->others ? nir_inot(&e->b, s->others) : spirv_bool_constant(e, true);
}

static void
clear_falls(struct spirv_emit *e, const struct spirv_node *node)
{
   for (uint32_t i = 0; i < node->num_cases; i++) {
      const struct spirv_case *c = &node->cases[i];
      if (c->has_fall && !c->always_falls)
         nir_store_var(&e->b, flag_variable(e, &node->cases[c->fall_to].fell, "fell"), spirv_bool_constant(e, false),
                       1);
   }
}

static bool
has_phis(const struct spirv_emit *e, uint32_t index)
{
   const struct spirv_block *block = spirv_block(e->m, index);
   return block->begin < block->end && spirv_opcode(spirv_words(e->m, block->begin)) == SpvOpPhi;
}

/* Cases follow each other, each under its condition. */
static void
emit_switch(struct spirv_emit *e, const struct spirv_node *node)
{
   e->block = spirv_block(e->m, node->block);
   e->m->at = e->block->terminator;
   struct emitted_switch s = {node, spirv_def(e, spirv_words(e->m, e->m->at)[1]), NULL};
   uint32_t depth = e->cf_depth;
   for (uint32_t i = 0; i < node->num_cases; i++)
      node->cases[i].condition = NULL; /* of another call of the function */
   for (uint32_t i = 0; i < node->num_cases && !node->late_conditions; i++)
      case_condition(e, &s, &node->cases[i]);
   clear_falls(e, node);
   /* Before any case: one that is fallen into must keep what that edge brought. */
   for (uint32_t i = 0; i < node->num_cases; i++) {
      if (node->cases[i].is_region)
         emit_edge(e, node->block, node->cases[i].label);
   }
   for (uint32_t i = 0; i < node->num_cases; i++) {
      struct spirv_case *c = &node->cases[node->case_order[i]];
      const struct spirv_case *from = c->fall_from == SPIRV_NO_BLOCK ? NULL : &node->cases[c->fall_from];
      struct nir_def *condition = case_condition(e, &s, c);
      if (from)
         condition = nir_ior(&e->b, condition, from->always_falls ? from->entered : nir_load_var(&e->b, c->fell));
      c->entered = condition;
      if (c->label == c->construct->merge && !has_phis(e, c->label))
         continue;
      enter(e);
      struct nir_if *nif = nir_push_if(&e->b, condition);
      clear_flag(e, c->construct);
      emit_seq(e, &c->seq);
      nir_pop_if(&e->b, nif);
      e->cf_depth = depth;
   }
   e->needs_repair = true; /* a merge block may be dominated by the one case that reaches it */
}

static void
emit_loop(struct spirv_emit *e, const struct spirv_node *node)
{
   uint32_t depth = e->cf_depth, control = spirv_words(e->m, spirv_block(e->m, node->block)->merge)[3];
   enter(e);
   clear_flag(e, node->loop);
   struct nir_loop *loop = nir_push_loop(&e->b);
   loop->unroll = control & SpvLoopControlUnrollMask;
   loop->dont_unroll = control & SpvLoopControlDontUnrollMask;
   clear_flag(e, node->body);
   emit_seq(e, &node->then_seq);
   emit_seq(e, &node->else_seq);
   nir_pop_loop(&e->b, loop);
   e->cf_depth = depth;
   for (uint32_t i = 0; i < node->num_exits; i++) {
      e->needs_repair = true;
      if (node->exits[i].always) {
         nir_break(&e->b);
         continue;
      }
      struct nir_if *nif = nir_push_if(&e->b, load_flag(e, node->exits[i].flag));
      nir_break(&e->b);
      nir_pop_if(&e->b, nif);
   }
}

/* Returns the node whose branch the rest goes into, or NULL. */
static struct nir_cf_node *
emit_node(struct spirv_emit *e, const struct spirv_node *node)
{
   switch (node->type) {
   case SPIRV_NODE_BLOCK:
      emit_block(e, node->block);
      break;
   case SPIRV_NODE_EDGE:
      emit_edge(e, node->block, node->to);
      break;
   case SPIRV_NODE_JUMP:
      emit_jump(e, node);
      break;
   case SPIRV_NODE_FALL:
      emit_fall(e, node);
      break;
   case SPIRV_NODE_KILL:
      spirv_require(e->m, e->shader->stage == NIR_STAGE_FRAGMENT, "only a fragment shader can end this way");
      nir_discard(&e->b);
      e->needs_repair = true;
      break;
   case SPIRV_NODE_IF:
      return emit_if(e, node);
   case SPIRV_NODE_SWITCH:
      emit_switch(e, node);
      break;
   case SPIRV_NODE_LOOP:
      emit_loop(e, node);
      break;
   }
   return NULL;
}

/* On return the cursor is after everything that was emitted, on the level where it was. */
static void
emit_seq(struct spirv_emit *e, const struct spirv_seq *seq)
{
   struct rest rest = {.seq = seq};
   uint32_t depth = e->cf_depth;
   for (const struct spirv_node *node = seq->first; node; node = node->next) {
      struct nir_cf_node *inside = emit_node(e, node);
      if (inside)
         forget_flags(&rest);
      if (!rest.outermost)
         rest.outermost = inside;
      if (node->rest == SPIRV_REST_GUARDED)
         enter_guard(e, node, &rest);
   }
   forget_flags(&rest);
   e->cf_depth = depth;
   if (rest.outermost)
      e->b.cursor = nir_before_block(nir_cf_block_after(rest.outermost));
}

void
spirv_emit_tree(struct spirv_emit *e, struct spirv_function *function)
{
   struct spirv_function *caller = e->function;
   struct nir_variable *variable = e->return_variable;
   struct spirv_tree *tree = function->tree;
   e->function = function;
   e->return_variable = NULL;
   e->return_value = NULL;
   clear_flag(e, tree->function);
   emit_seq(e, &tree->seq);
   const struct spirv_type *type = function->type->element;
   if (function->num_returns > 1 && type->kind != SPIRV_TYPE_VOID)
      e->return_value = spirv_load_deref(e, &e->b, nir_build_deref_var(&e->b, e->return_variable), type, 0);
   else if (!e->return_value && type->kind != SPIRV_TYPE_VOID)
      e->return_value = spirv_ssa_undef(e, type);
   e->function = caller;
   e->return_variable = variable;
}
