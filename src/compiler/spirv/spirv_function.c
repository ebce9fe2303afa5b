/* Functions: successors of blocks, reachability, dominators; then the structured tree. */
#include "compiler/spirv/spirv_module.h"
#include "compiler/spirv/spirv_tree.h"

static uint32_t
block_of_label(struct spirv_module *m, const struct spirv_function *function, uint32_t label)
{
   spirv_require(m, m->ids[label].opcode == SpvOpLabel, "%%%u is no label", label);
   uint32_t index = m->ids[label].label_block - 1;
   spirv_require(m, index >= function->first_block && index - function->first_block < function->num_blocks,
                 "label %%%u belongs to another function", label);
   spirv_require(m, index != function->first_block, "a branch to the first block of the function");
   return index;
}

/* Words of a literal of OpSwitch. */
uint32_t
spirv_switch_literal_words(const struct spirv_module *m, const uint32_t *w)
{
   const struct spirv_id *selector = &m->ids[w[1]];
   return m->ids[selector->type_id].type->bit_size == 64 ? 2 : 1;
}

static void
read_successors(struct spirv_module *m, const struct spirv_function *function, struct spirv_block *block)
{
   const uint32_t *w = spirv_words(m, block->terminator);
   m->at = block->terminator;
   uint32_t literal, count;
   switch (spirv_opcode(w)) {
   case SpvOpBranch:
      block->num_succ = 1;
      block->succ = arena_array(&m->temp, uint32_t, 1);
      block->succ[0] = block_of_label(m, function, w[1]);
      break;
   case SpvOpBranchConditional:
      spirv_require(m, spirv_length(w) == 4 || spirv_length(w) == 6, "two branch weights or none");
      block->num_succ = 2;
      block->succ = arena_array(&m->temp, uint32_t, 2);
      block->succ[0] = block_of_label(m, function, w[2]);
      block->succ[1] = block_of_label(m, function, w[3]);
      break;
   case SpvOpSwitch:
      literal = spirv_switch_literal_words(m, w);
      count = (spirv_length(w) - 3) / (literal + 1);
      block->num_succ = count + 1;
      block->succ = arena_array(&m->temp, uint32_t, count + 1);
      block->succ[0] = block_of_label(m, function, w[2]);
      for (uint32_t i = 0; i < count; i++)
         block->succ[1 + i] = block_of_label(m, function, w[3 + i * (literal + 1) + literal]);
      break;
   default: /* others: branch nowhere */
      break;
   }
}

static void
add_pred(struct spirv_module *m, struct spirv_block *block, uint32_t pred, uint32_t *capacity)
{
   /* Predecessors come in order: an edge that is there twice comes at once. */
   if (block->num_preds && block->preds[block->num_preds - 1] == pred)
      return;
   block->preds = arena_room(&m->temp, block->preds, sizeof(*block->preds), block->num_preds, capacity);
   block->preds[block->num_preds++] = pred;
}

static void
find_preds(struct spirv_module *m, struct spirv_function *function)
{
   uint32_t *capacity = arena_array(&m->temp, uint32_t, function->num_blocks);
   for (uint32_t i = 0; i < function->num_blocks; i++) {
      struct spirv_block *block = spirv_block(m, function->first_block + i);
      for (uint32_t s = 0; s < block->num_succ; s++)
         add_pred(m, spirv_block(m, block->succ[s]), function->first_block + i,
                  &capacity[block->succ[s] - function->first_block]);
   }
}

/* Numbers reachable blocks in reverse post-order from 1 and returns them in that order. */
static uint32_t *
number_blocks(struct spirv_module *m, struct spirv_function *function, uint32_t *count)
{
   uint32_t n = function->num_blocks, depth = 0, done = n;
   uint32_t *stack = arena_array(&m->temp, uint32_t, n), *next = arena_array(&m->temp, uint32_t, n);
   uint32_t *post = arena_array(&m->temp, uint32_t, n);
   bool *seen = arena_array(&m->temp, bool, n);
   stack[depth++] = 0;
   seen[0] = true;
   while (depth) {
      uint32_t local = stack[depth - 1];
      const struct spirv_block *block = spirv_block(m, function->first_block + local);
      if (next[local] == block->num_succ) {
         post[--done] = function->first_block + local;
         depth--;
         continue;
      }
      uint32_t to = block->succ[next[local]++] - function->first_block;
      if (!seen[to]) {
         seen[to] = true;
         stack[depth++] = to;
      }
   }
   *count = n - done;
   for (uint32_t i = done; i < n; i++)
      spirv_block(m, post[i])->order = i - done + 1;
   return post + done;
}

static uint32_t
common_dominator(struct spirv_module *m, uint32_t a, uint32_t b)
{
   while (a != b) {
      spirv_require(m, m->dominator_steps++ < SPIRV_MAX_STEPS, "the control flow is too complicated");
      if (spirv_block(m, a)->order > spirv_block(m, b)->order)
         a = spirv_block(m, a)->idom;
      else
         b = spirv_block(m, b)->idom;
   }
   return a;
}

/* Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm". */
static void
find_dominators(struct spirv_module *m, const uint32_t *order, uint32_t count)
{
   bool changed = true;
   for (uint32_t i = 0; i < count; i++)
      spirv_block(m, order[i])->idom = UINT32_MAX;
   spirv_block(m, order[0])->idom = order[0];
   while (changed) {
      changed = false;
      for (uint32_t i = 1; i < count; i++) {
         struct spirv_block *block = spirv_block(m, order[i]);
         uint32_t idom = UINT32_MAX;
         for (uint32_t p = 0; p < block->num_preds; p++) {
            const struct spirv_block *pred = spirv_block(m, block->preds[p]);
            if (!pred->order || pred->idom == UINT32_MAX)
               continue;
            idom = idom == UINT32_MAX ? block->preds[p] : common_dominator(m, idom, block->preds[p]);
         }
         changed |= block->idom != idom;
         block->idom = idom;
      }
   }
}

/* Pre- and post-order numbers of the dominator tree: children counted, then intervals handed out in order. */
static void
number_dominators(struct spirv_module *m, const struct spirv_function *function, const uint32_t *order,
                  uint32_t count)
{
   uint32_t *size = arena_array(&m->temp, uint32_t, function->num_blocks);
   uint32_t *used = arena_array(&m->temp, uint32_t, function->num_blocks);
   for (uint32_t i = count; i-- > 0;) {
      size[order[i] - function->first_block]++;
      if (i)
         size[spirv_block(m, order[i])->idom - function->first_block] += size[order[i] - function->first_block];
   }
   for (uint32_t i = 0; i < count; i++) {
      struct spirv_block *block = spirv_block(m, order[i]);
      uint32_t local = order[i] - function->first_block, start = 0;
      if (i) {
         uint32_t parent = block->idom - function->first_block;
         start = spirv_block(m, block->idom)->dom_pre + 1 + used[parent];
         used[parent] += size[local];
         m->at = block->begin - 2;
         spirv_require(m, block->idom < order[i], "the block stands before its dominator");
      }
      block->dom_pre = start;
      block->dom_post = start + size[local];
   }
}

static void
check_merges(struct spirv_module *m, const struct spirv_function *function)
{
   for (uint32_t i = 0; i < function->num_blocks; i++) {
      struct spirv_block *block = spirv_block(m, function->first_block + i);
      if (!block->merge)
         continue;
      const uint32_t *w = spirv_words(m, block->merge);
      uint32_t branch = spirv_opcode(spirv_words(m, block->terminator));
      bool loop = spirv_opcode(w) == SpvOpLoopMerge;
      m->at = block->merge;
      spirv_require(m, branch == SpvOpBranchConditional || (loop ? branch == SpvOpBranch : branch == SpvOpSwitch),
                    "the merge instruction does not fit the branch after it");
      block_of_label(m, function, w[1]);
      if (!loop)
         continue;
      uint32_t target = m->ids[w[2]].opcode == SpvOpLabel ? m->ids[w[2]].label_block - 1 : UINT32_MAX;
      spirv_require(m, target >= function->first_block && target - function->first_block < function->num_blocks,
                    "the continue target is no label of the function");
      spirv_require(m, w[1] != w[2] && w[1] != block->label_id, "merge block and continue target are the same");
   }
}

/* The types that terminators need, checked before anything follows them. */
static void
check_terminator_types(struct spirv_module *m, const struct spirv_function *function)
{
   for (uint32_t i = 0; i < function->num_blocks; i++) {
      m->at = spirv_block(m, function->first_block + i)->terminator;
      const uint32_t *w = spirv_words(m, m->at);
      uint32_t opcode = spirv_opcode(w);
      if (opcode == SpvOpBranchConditional || opcode == SpvOpSwitch) {
         uint32_t type_id = m->ids[w[1]].type_id;
         spirv_require(m, type_id, "%%%u is no value", w[1]);
         enum spirv_type_kind kind = spirv_type(m, type_id)->kind;
         spirv_require(m, kind == (opcode == SpvOpSwitch ? SPIRV_TYPE_INT : SPIRV_TYPE_BOOL),
                       "%%%u has the wrong type for a %s", w[1], opcode == SpvOpSwitch ? "selector" : "condition");
      }
   }
}

static void
check_signature(struct spirv_module *m, struct spirv_function *function)
{
   m->at = function->word;
   const uint32_t *w = spirv_words(m, function->word);
   function->type = spirv_type(m, w[4]);
   spirv_require(m, function->type->kind == SPIRV_TYPE_FUNCTION, "%%%u is no function type", w[4]);
   spirv_require(m, function->type->element == spirv_type(m, w[1]), "the result type differs from the function type");
   spirv_require(m, function->type->length == function->num_params, "%u parameters, the function type has %u",
                 function->num_params, function->type->length);
   for (uint32_t i = 0; i < function->num_params; i++) {
      uint32_t id = *dynarray_at(&m->param_ids, uint32_t, function->first_param + i);
      m->at = m->ids[id].word;
      spirv_require(m, spirv_type(m, m->ids[id].type_id) == function->type->params[i],
                    "the parameter has another type than the function type says");
   }
}

void
spirv_analyze_function(struct spirv_module *m, struct spirv_function *function)
{
   if (function->analyzed)
      return;
   uint32_t at = m->at, count;
   function->analyzed = true;
   check_signature(m, function);
   check_terminator_types(m, function);
   for (uint32_t i = 0; i < function->num_blocks; i++)
      read_successors(m, function, spirv_block(m, function->first_block + i));
   check_merges(m, function);
   find_preds(m, function);
   const uint32_t *order = number_blocks(m, function, &count);
   find_dominators(m, order, count);
   number_dominators(m, function, order, count);
   function->tree = spirv_build_tree(m, function);
   m->at = at;
}
