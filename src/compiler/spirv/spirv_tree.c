/* Builds the structured tree of a function by walking from the first block; see spirv_tree.h. */
#include "compiler/spirv/spirv_tree.h"
#include "util/macros.h"

struct builder {
   struct spirv_module *m;
   struct spirv_function *function;
   struct spirv_construct *stack[SPIRV_MAX_NESTING];
   uint32_t depth;
};

#define ESCAPE_WORDS ((SPIRV_MAX_NESTING + 63) / 64)

static void
add_escape(const struct builder *t, struct spirv_escapes *set, uint32_t depth)
{
   if (!set->words)
      set->words = arena_array(&t->m->temp, uint64_t, ESCAPE_WORDS);
   set->words[depth / 64] |= UINT64_C(1) << (depth % 64);
}

static bool
escapes_to(const struct spirv_escapes *set, uint32_t depth)
{
   return set->words && set->words[depth / 64] >> (depth % 64) & 1;
}

static bool
has_escapes(const struct spirv_escapes *set)
{
   for (unsigned i = 0; set->words && i < ESCAPE_WORDS; i++) {
      if (set->words[i])
         return true;
   }
   return false;
}

static void
join_escapes(const struct builder *t, struct spirv_escapes *into, const struct spirv_escapes *set)
{
   if (!has_escapes(set))
      return;
   if (!into->words)
      into->words = arena_array(&t->m->temp, uint64_t, ESCAPE_WORDS);
   for (unsigned i = 0; i < ESCAPE_WORDS; i++)
      into->words[i] |= set->words[i];
}

static struct spirv_construct *
push(struct builder *t, enum spirv_construct_kind kind, uint32_t merge)
{
   spirv_require(t->m, t->depth < SPIRV_MAX_NESTING, "control flow nests too deep");
   struct spirv_construct *construct = arena_new(&t->m->temp, struct spirv_construct);
   construct->kind = kind;
   construct->merge = merge;
   construct->header = construct->target = SPIRV_NO_BLOCK;
   t->stack[t->depth++] = construct;
   return construct;
}

static struct spirv_node *
append(struct builder *t, struct spirv_seq *seq, enum spirv_node_type type, uint32_t block, uint32_t to)
{
   struct spirv_node *node = arena_new(&t->m->temp, struct spirv_node);
   node->type = type;
   node->block = block;
   node->to = to;
   if (seq->last)
      seq->last->next = node;
   else
      seq->first = node;
   seq->last = node;
   return node;
}

/* Depth of the innermost loop, -1 if there is none. */
static int
innermost_loop(const struct builder *t)
{
   for (uint32_t i = t->depth; i-- > 0;) {
      if (t->stack[i]->kind == SPIRV_CONSTRUCT_LOOP)
         return (int)i;
   }
   return -1;
}

static void
add_jump(struct builder *t, struct spirv_seq *seq, uint32_t from, uint32_t to, uint32_t depth)
{
   struct spirv_node *node = append(t, seq, SPIRV_NODE_JUMP, from, to);
   int loop = innermost_loop(t);
   node->target = t->stack[depth];
   node->target->end_reached = true;
   if (loop >= 0 && (int)depth <= loop) {
      node->is_break = true;
      if ((int)depth < loop)
         add_escape(t, &t->stack[loop]->escapes, depth);
   } else if (depth == t->depth - 1) {
      seq->falls = true;
   } else {
      add_escape(t, &seq->escapes, depth);
   }
}

/* ---- where a branch goes ---- */

enum target_kind {
   TARGET_PLAIN, /* to a block that follows */
   TARGET_EXIT,  /* to the end of the construct at `depth` */
   TARGET_FALL,  /* to case `index` of the switch whose case stands at `depth` */
};

struct target {
   enum target_kind kind;
   uint32_t depth, index;
};

static uint32_t
find_case(const struct builder *t, const struct spirv_node *node, uint32_t index)
{
   const struct spirv_block *block = spirv_block(t->m, index);
   return block->case_node == node ? block->case_index : SPIRV_NO_BLOCK;
}

/* Searches outwards for a construct that ends at the block; checks that the way there is a legal exit. */
static struct target
resolve(struct builder *t, uint32_t to)
{
   struct spirv_module *m = t->m;
   bool in_selection = false, in_switch = false, in_loop = false;
   for (uint32_t i = t->depth; i-- > 0;) {
      const struct spirv_construct *c = t->stack[i];
      switch (c->kind) {
      case SPIRV_CONSTRUCT_FUNCTION:
         break;
      case SPIRV_CONSTRUCT_IF:
         if (to == c->merge) {
            spirv_require(m, !in_selection && !in_loop && !in_switch,
                          "a branch to the merge block of an outer selection");
            return (struct target){TARGET_EXIT, i, 0};
         }
         in_selection |= !c->is_virtual;
         break;
      case SPIRV_CONSTRUCT_CASE: {
         if (to == c->merge) {
            spirv_require(m, !in_switch && !in_loop, "a branch to the merge block of an outer switch");
            return (struct target){TARGET_EXIT, i, 0};
         }
         uint32_t index = find_case(t, c->node, to);
         if (index != SPIRV_NO_BLOCK) {
            spirv_require(m, !in_switch && !in_loop, "a branch into a case of an outer switch");
            spirv_require(m, index != c->case_index, "a case branches to its own start");
            return (struct target){TARGET_FALL, i, index};
         }
         in_switch = true;
         break;
      }
      case SPIRV_CONSTRUCT_LOOP:
         if (to == c->merge) {
            spirv_require(m, !in_loop, "a branch to the merge block of an outer loop");
            return (struct target){TARGET_EXIT, i, 0};
         }
         spirv_require(m, to != c->header, "a branch to a loop header that is no back edge");
         in_loop = true;
         break;
      case SPIRV_CONSTRUCT_BODY:
         if (to == c->target) {
            spirv_require(m, !in_loop, "a branch to the continue target of an outer loop");
            return (struct target){TARGET_EXIT, i, 0};
         }
         break;
      case SPIRV_CONSTRUCT_CONTINUE:
         if (to == c->header) {
            spirv_require(m, i == t->depth - 1 || t->stack[t->depth - 1]->is_virtual,
                          "the back edge leaves a construct");
            return (struct target){TARGET_EXIT, i, 0};
         }
         break;
      }
   }
   return (struct target){TARGET_PLAIN, 0, 0};
}

static void build_region(struct builder *t, struct spirv_seq *seq, uint32_t block);

static void
add_fall(struct builder *t, struct spirv_seq *seq, uint32_t from, uint32_t to, struct target target)
{
   struct spirv_construct *c = t->stack[target.depth];
   struct spirv_case *from_case = &c->node->cases[c->case_index], *to_case = &c->node->cases[target.index];
   spirv_require(t->m, !from_case->has_fall || from_case->fall_to == target.index, "a case falls into two others");
   spirv_require(t->m, to_case->fall_from == SPIRV_NO_BLOCK || to_case->fall_from == c->case_index,
                 "two cases fall into one");
   from_case->has_fall = true;
   from_case->fall_to = target.index;
   to_case->fall_from = c->case_index;
   struct spirv_node *node = append(t, seq, SPIRV_NODE_FALL, from, to);
   node->target = c;
   if (target.depth == t->depth - 1)
      seq->falls = true;
   else
      add_escape(t, &seq->escapes, target.depth);
}

/* An exit of the current constructs, or a region of its own (of an arm, a case). */
static void
build_branch(struct builder *t, struct spirv_seq *seq, uint32_t from, uint32_t to)
{
   struct target target = resolve(t, to);
   if (target.kind == TARGET_EXIT) {
      add_jump(t, seq, from, to, target.depth);
   } else if (target.kind == TARGET_FALL) {
      add_fall(t, seq, from, to, target);
   } else {
      append(t, seq, SPIRV_NODE_EDGE, from, to);
      build_region(t, seq, to);
   }
}

/* ---- what follows an if, switch or loop ---- */

/* Escapes of a finished node pass to the sequence around; returns those that need a guard as a list. */
static void
pass_escapes(struct builder *t, struct spirv_seq *seq, const struct spirv_escapes *set)
{
   struct spirv_escapes rest = {NULL};
   uint32_t owner = t->depth - 1;
   join_escapes(t, &rest, set);
   if (escapes_to(&rest, owner)) {
      seq->falls = true;
      rest.words[owner / 64] &= ~(UINT64_C(1) << (owner % 64));
   }
   join_escapes(t, &seq->escapes, &rest);
}

static void
guard(struct builder *t, struct spirv_node *node, const struct spirv_escapes *set)
{
   node->rest = SPIRV_REST_GUARDED;
   node->guards = arena_array(&t->m->temp, struct spirv_construct *, t->depth);
   for (uint32_t i = 0; i < t->depth; i++) {
      if (escapes_to(set, i)) {
         t->stack[i]->needs_flag = true;
         node->guards[node->num_guards++] = t->stack[i];
      }
   }
}

/* What follows goes into the other branch. Not without end: such ifs in a row would stand inside each other. */
#define MAX_NESTED_RESTS 64

static bool
may_nest_rest(struct spirv_seq *seq)
{
   return seq->nested_rests++ < MAX_NESTED_RESTS;
}

static void
place_rest_of_if(struct builder *t, struct spirv_seq *seq, struct spirv_node *node)
{
   struct spirv_escapes set = {NULL};
   join_escapes(t, &set, &node->then_seq.escapes);
   bool then_escapes = has_escapes(&set), else_escapes = has_escapes(&node->else_seq.escapes);
   join_escapes(t, &set, &node->else_seq.escapes);
   node->merge_reached = node->then_seq.falls || node->else_seq.falls;
   if ((then_escapes || else_escapes) && node->merge_reached) {
      if (!then_escapes && !node->else_seq.falls && may_nest_rest(seq))
         node->rest = SPIRV_REST_IN_THEN;
      else if (!else_escapes && !node->then_seq.falls && may_nest_rest(seq))
         node->rest = SPIRV_REST_IN_ELSE;
      else
         guard(t, node, &set);
   }
   pass_escapes(t, seq, &set);
}

/* ---- selections ---- */

static uint32_t
merge_block(const struct builder *t, const struct spirv_block *block)
{
   return block->merge ? t->m->ids[spirv_words(t->m, block->merge)[1]].label_block - 1 : SPIRV_NO_BLOCK;
}

static void
check_dominates(struct builder *t, uint32_t a, uint32_t b, const char *what)
{
   const struct spirv_block *block = spirv_block(t->m, b);
   spirv_require(t->m, !block->order || spirv_dominates(spirv_block(t->m, a), block),
                 "the header does not dominate its %s", what);
}

/* Returns the block to continue with, SPIRV_NO_BLOCK if there is none. */
static uint32_t
build_if(struct builder *t, struct spirv_seq *seq, uint32_t index, uint32_t merge, bool is_virtual)
{
   const struct spirv_block *block = spirv_block(t->m, index);
   struct spirv_node *node = append(t, seq, SPIRV_NODE_IF, index, SPIRV_NO_BLOCK);
   struct spirv_construct *construct = push(t, SPIRV_CONSTRUCT_IF, merge);
   construct->node = node;
   construct->is_virtual = is_virtual;
   node->is_constant = block->succ[0] == block->succ[1];
   build_branch(t, &node->then_seq, index, block->succ[0]);
   if (!node->is_constant)
      build_branch(t, &node->else_seq, index, block->succ[1]);
   t->depth--;
   place_rest_of_if(t, seq, node);
   return node->merge_reached ? merge : SPIRV_NO_BLOCK;
}

static uint32_t
build_conditional(struct builder *t, struct spirv_seq *seq, uint32_t index, bool is_loop_header)
{
   const struct spirv_block *block = spirv_block(t->m, index);
   uint32_t yes = block->succ[0], no = block->succ[1];
   if (block->merge && !is_loop_header) {
      uint32_t merge = merge_block(t, block);
      check_dominates(t, index, merge, "merge block");
      return build_if(t, seq, index, merge, false);
   }
   if (yes == no) {
      struct target target = resolve(t, yes);
      if (target.kind == TARGET_PLAIN) {
         append(t, seq, SPIRV_NODE_EDGE, index, yes);
         return yes;
      }
      build_branch(t, seq, index, yes);
      return SPIRV_NO_BLOCK;
   }
   bool yes_exits = resolve(t, yes).kind != TARGET_PLAIN, no_exits = resolve(t, no).kind != TARGET_PLAIN;
   spirv_require(t->m, yes_exits || no_exits || is_loop_header, "a selection without merge instruction");
   /* One branch leaves: the other continues after an if that has no merge block of its own. */
   uint32_t merge = yes_exits && no_exits ? SPIRV_NO_BLOCK : yes_exits ? no : no_exits ? yes : SPIRV_NO_BLOCK;
   return build_if(t, seq, index, merge, true);
}

/* ---- switches ---- */

static void
collect_cases(struct builder *t, struct spirv_node *node, uint32_t index)
{
   struct spirv_module *m = t->m;
   const struct spirv_block *block = spirv_block(m, index);
   const uint32_t *w = spirv_words(m, block->terminator);
   uint32_t literal = spirv_switch_literal_words(m, w), count = block->num_succ;
   uint32_t *words = arena_array(&m->temp, uint32_t, count), *case_of = arena_array(&m->temp, uint32_t, count);
   node->cases = arena_array(&m->temp, struct spirv_case, count);
   for (uint32_t i = 0; i < count; i++) {
      uint32_t found = find_case(t, node, block->succ[i]);
      if (found == SPIRV_NO_BLOCK) {
         found = node->num_cases++;
         spirv_block(m, block->succ[i])->case_node = node;
         spirv_block(m, block->succ[i])->case_index = found;
         node->cases[found] =
            (struct spirv_case){.label = block->succ[i], .fall_to = SPIRV_NO_BLOCK, .fall_from = SPIRV_NO_BLOCK};
      }
      case_of[i] = found;
      node->cases[found].num_literals += i > 0;
      node->cases[found].is_default |= i == 0;
   }
   for (uint32_t i = 0; i < node->num_cases; i++) {
      node->cases[i].literals = words;
      words += node->cases[i].num_literals;
      node->cases[i].num_literals = 0;
   }
   for (uint32_t i = 1; i < count; i++) {
      struct spirv_case *c = &node->cases[case_of[i]];
      c->literals[c->num_literals++] = block->terminator + 3 + (i - 1) * (literal + 1);
   }
}

static uint32_t
next_case(const struct spirv_node *node, uint32_t index)
{
   return node->cases[index].has_fall ? node->cases[index].fall_to : SPIRV_NO_BLOCK;
}

static uint32_t
place_chain(struct spirv_node *node, uint32_t first, uint32_t placed)
{
   for (uint32_t c = first; c != SPIRV_NO_BLOCK; c = next_case(node, c))
      node->case_order[placed++] = c;
   return placed;
}

/* Chains of cases that fall into each other stand together; among many cases that of the default comes last, as its
 * condition is that no other holds. */
static void
order_cases(struct builder *t, struct spirv_node *node)
{
   uint32_t placed = 0, last = SPIRV_NO_BLOCK;
   node->late_conditions = node->num_cases > SPIRV_FEW_CASES || t->depth > SPIRV_FEW_LEVELS;
   node->case_order = arena_array(&t->m->temp, uint32_t, node->num_cases);
   for (uint32_t i = 0; i < node->num_cases; i++) {
      bool has_default = false;
      if (node->cases[i].fall_from != SPIRV_NO_BLOCK)
         continue;
      for (uint32_t c = i; c != SPIRV_NO_BLOCK; c = next_case(node, c))
         has_default |= node->cases[c].is_default;
      if (has_default && node->late_conditions)
         last = i;
      else
         placed = place_chain(node, i, placed);
   }
   if (last != SPIRV_NO_BLOCK)
      placed = place_chain(node, last, placed);
   spirv_require(t->m, placed == node->num_cases, "cases fall into each other in a circle");
}

static uint32_t
build_switch(struct builder *t, struct spirv_seq *seq, uint32_t index)
{
   const struct spirv_block *block = spirv_block(t->m, index);
   spirv_require(t->m, block->merge, "a switch without merge instruction");
   uint32_t merge = merge_block(t, block);
   check_dominates(t, index, merge, "merge block");
   struct spirv_node *node = append(t, seq, SPIRV_NODE_SWITCH, index, SPIRV_NO_BLOCK);
   struct spirv_escapes set = {NULL};
   collect_cases(t, node, index);
   for (uint32_t i = 0; i < node->num_cases; i++) {
      struct spirv_case *c = &node->cases[i];
      struct spirv_construct *construct = push(t, SPIRV_CONSTRUCT_CASE, merge);
      construct->node = node;
      construct->case_index = i;
      c->construct = construct;
      uint32_t label = c->label;
      if (label == merge) {
         add_jump(t, &c->seq, index, label, t->depth - 1);
      } else {
         spirv_block(t->m, label)->case_node = NULL; /* not to fall into while its own start is resolved */
         struct target target = resolve(t, label);
         spirv_block(t->m, label)->case_node = node;
         if (target.kind == TARGET_EXIT) {
            append(t, &c->seq, SPIRV_NODE_EDGE, index, label);
            add_jump(t, &c->seq, index, SPIRV_NO_BLOCK, target.depth);
         } else {
            spirv_require(t->m, target.kind == TARGET_PLAIN, "a switch branches into a case of an outer switch");
            c->is_region = true;
            build_region(t, &c->seq, label);
         }
      }
      t->depth--;
      c->always_falls = c->has_fall && !construct->end_reached && !has_escapes(&c->seq.escapes);
      node->merge_reached |= construct->end_reached;
      join_escapes(t, &set, &c->seq.escapes);
   }
   order_cases(t, node);
   if (has_escapes(&set) && node->merge_reached)
      guard(t, node, &set);
   pass_escapes(t, seq, &set);
   return node->merge_reached ? merge : SPIRV_NO_BLOCK;
}

/* ---- loops ---- */

static uint32_t build_block(struct builder *t, struct spirv_seq *seq, uint32_t index, bool is_loop_header);

/* Jumps from inside the loop to constructs further out continue after it. */
static void
leave_loop(struct builder *t, struct spirv_seq *seq, struct spirv_node *node)
{
   struct spirv_construct *loop = node->loop;
   struct spirv_escapes other = {NULL};
   int around = innermost_loop(t);
   uint32_t count = 0;
   for (uint32_t i = 0; i < t->depth; i++)
      count += escapes_to(&loop->escapes, i);
   node->exits = arena_array(&t->m->temp, struct spirv_exit, count);
   for (uint32_t i = 0; i < t->depth; i++) {
      if (!escapes_to(&loop->escapes, i))
         continue;
      if (around < 0 || (int)i > around) {
         add_escape(t, &other, i);
         continue;
      }
      struct spirv_exit *exit = &node->exits[node->num_exits++];
      exit->flag = t->stack[i];
      exit->always = count == 1 && !loop->end_reached;
      t->stack[i]->needs_flag |= !exit->always;
      if ((int)i < around)
         add_escape(t, &t->stack[around]->escapes, i);
   }
   if (has_escapes(&other) && loop->end_reached)
      guard(t, node, &other);
   pass_escapes(t, seq, &other);
}

static uint32_t
build_loop(struct builder *t, struct spirv_seq *seq, uint32_t index)
{
   struct spirv_module *m = t->m;
   const struct spirv_block *block = spirv_block(m, index);
   uint32_t merge = merge_block(t, block), target = m->ids[spirv_words(m, block->merge)[2]].label_block - 1;
   m->at = block->merge;
   check_dominates(t, index, merge, "merge block");
   check_dominates(t, index, target, "continue target");
   struct spirv_node *node = append(t, seq, SPIRV_NODE_LOOP, index, SPIRV_NO_BLOCK);
   node->loop = push(t, SPIRV_CONSTRUCT_LOOP, merge);
   node->loop->header = index;
   node->body = push(t, SPIRV_CONSTRUCT_BODY, SPIRV_NO_BLOCK);
   node->body->target = target;
   node->body->header = index;
   uint32_t next = build_block(t, &node->then_seq, index, true);
   if (next != SPIRV_NO_BLOCK)
      build_region(t, &node->then_seq, next);
   t->depth--;
   if (node->body->end_reached && target != index) {
      push(t, SPIRV_CONSTRUCT_CONTINUE, SPIRV_NO_BLOCK)->header = index;
      build_region(t, &node->else_seq, target);
      t->depth--;
   }
   t->depth--;
   node->merge_reached = node->loop->end_reached;
   leave_loop(t, seq, node);
   return node->merge_reached ? merge : SPIRV_NO_BLOCK;
}

/* ---- regions ---- */

/* A block and its branch; returns the block to continue with in the same sequence. */
static uint32_t
build_block(struct builder *t, struct spirv_seq *seq, uint32_t index, bool is_loop_header)
{
   struct spirv_module *m = t->m;
   struct spirv_block *block = spirv_block(m, index);
   append(t, seq, SPIRV_NODE_BLOCK, index, SPIRV_NO_BLOCK);
   m->at = block->terminator;
   switch (spirv_opcode(spirv_words(m, block->terminator))) {
   case SpvOpBranch: {
      uint32_t to = block->succ[0];
      if (resolve(t, to).kind == TARGET_PLAIN) {
         append(t, seq, SPIRV_NODE_EDGE, index, to);
         return to;
      }
      build_branch(t, seq, index, to);
      return SPIRV_NO_BLOCK;
   }
   case SpvOpBranchConditional:
      return build_conditional(t, seq, index, is_loop_header);
   case SpvOpSwitch:
      return build_switch(t, seq, index);
   case SpvOpReturn:
   case SpvOpReturnValue:
   case SpvOpEmitMeshTasksEXT:
      t->function->num_returns++;
      add_jump(t, seq, index, SPIRV_NO_BLOCK, 0);
      return SPIRV_NO_BLOCK;
   case SpvOpKill:
   case SpvOpTerminateInvocation:
      append(t, seq, SPIRV_NODE_KILL, index, SPIRV_NO_BLOCK);
      return SPIRV_NO_BLOCK;
   default: /* others: OpUnreachable */
      spirv_require(m, spirv_opcode(spirv_words(m, block->terminator)) == SpvOpUnreachable,
                    "the terminator is not supported");
      return SPIRV_NO_BLOCK;
   }
}

static void
build_region(struct builder *t, struct spirv_seq *seq, uint32_t index)
{
   while (index != SPIRV_NO_BLOCK) {
      struct spirv_block *block = spirv_block(t->m, index);
      t->m->at = block->begin - 2;
      spirv_require(t->m, !block->visited, "the block is entered from two constructs");
      block->visited = true;
      bool is_loop = block->merge && spirv_opcode(spirv_words(t->m, block->merge)) == SpvOpLoopMerge;
      uint32_t next = is_loop ? build_loop(t, seq, index) : build_block(t, seq, index, false);
      /* The merge block of one construct may be where another ends, as the continue target. */
      if (next != SPIRV_NO_BLOCK && block->merge) {
         struct target target = resolve(t, next);
         spirv_require(t->m, target.kind != TARGET_FALL, "a merge block is a case of the switch around");
         if (target.kind == TARGET_EXIT) {
            add_jump(t, seq, index, SPIRV_NO_BLOCK, target.depth);
            return;
         }
      }
      index = next;
   }
}

struct spirv_tree *
spirv_build_tree(struct spirv_module *m, struct spirv_function *function)
{
   struct builder t = {.m = m, .function = function};
   struct spirv_tree *tree = arena_new(&m->temp, struct spirv_tree);
   tree->function = push(&t, SPIRV_CONSTRUCT_FUNCTION, SPIRV_NO_BLOCK);
   build_region(&t, &tree->seq, function->first_block);
   return tree;
}
