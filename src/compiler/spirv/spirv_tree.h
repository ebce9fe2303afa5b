/* The structured form of a function: what the merge instructions of SPIR-V promise, as a tree.
 *
 * nir has ifs and loops, break, and no other jumps; SPIR-V lets a block also leave a switch, continue, or return from
 * inside other constructs. A jump to the end of a construct further out is an escape. It costs nothing where the code
 * that must not run can move into the other branch of an if; else it sets a flag of its target, and what follows on
 * the way is guarded by the flag. Inside a loop the jump is a break, and the flag is tested after the loop. */
#ifndef INDIUM_SPIRV_TREE_H
#define INDIUM_SPIRV_TREE_H

#include "compiler/spirv/spirv_module.h"

#define SPIRV_NO_BLOCK UINT32_MAX

/* Up to so many cases of a switch, nested less deep, have their conditions made ahead of all; of more, where they are
 * used. */
#define SPIRV_FEW_CASES 64
#define SPIRV_FEW_LEVELS 16

struct spirv_escapes { /* set of constructs, by depth in the stack; NULL: none, as nearly always */
   uint64_t *words;
};

enum spirv_construct_kind {
   SPIRV_CONSTRUCT_FUNCTION, /* ends: return */
   SPIRV_CONSTRUCT_IF,       /* ends: merge block */
   SPIRV_CONSTRUCT_CASE,     /* of a switch; ends: merge block of the switch, or the next case */
   SPIRV_CONSTRUCT_LOOP,     /* ends: merge block */
   SPIRV_CONSTRUCT_BODY,     /* of a loop; ends: continue target */
   SPIRV_CONSTRUCT_CONTINUE, /* of a loop; ends: back edge */
};

struct spirv_construct {
   enum spirv_construct_kind kind;
   uint32_t merge;          /* block; SPIRV_NO_BLOCK */
   uint32_t header, target; /* loop: header and continue target */
   struct spirv_node *node; /* if, switch, loop */
   uint32_t case_index;
   bool is_virtual; /* an if without merge instruction */
   bool needs_flag;
   bool end_reached;                /* by a jump */
   const struct spirv_seq *guarded; /* the sequence that has its flag among its guards, when emitted */
   struct spirv_escapes escapes;    /* loop: constructs further out that jumps inside the loop go to */
   struct nir_variable *flag;       /* when emitted */
};

/* Nodes in order. falls: its end is reached. escapes: constructs further out that it jumps to. */
struct spirv_seq {
   struct spirv_node *first, *last;
   bool falls;
   uint32_t nested_rests; /* nodes whose rest went into a branch of theirs */
   struct spirv_escapes escapes;
};

enum spirv_node_type {
   SPIRV_NODE_BLOCK, /* the instructions of a block */
   SPIRV_NODE_EDGE,  /* the phis of block `to` take their values from block `block` */
   SPIRV_NODE_JUMP,  /* edge if `to` is a block, then to the end of `target` */
   SPIRV_NODE_FALL,  /* edge, then into the case `case_index` after this one */
   SPIRV_NODE_KILL,
   SPIRV_NODE_IF,
   SPIRV_NODE_SWITCH,
   SPIRV_NODE_LOOP,
};

/* Where the nodes after an if, switch or loop go. */
enum spirv_rest {
   SPIRV_REST_AFTER,
   SPIRV_REST_IN_THEN,
   SPIRV_REST_IN_ELSE,
   SPIRV_REST_GUARDED, /* after, under: no flag of `guards` is set */
};

struct spirv_case {
   uint32_t label;     /* block */
   uint32_t *literals; /* word offsets */
   uint32_t num_literals;
   bool is_default;
   bool is_region; /* has blocks of its own, does not just leave */
   bool has_fall, always_falls;
   uint32_t fall_to, fall_from; /* case index, SPIRV_NO_BLOCK */
   struct spirv_construct *construct;
   struct spirv_seq seq;
   struct nir_def *condition, *entered; /* when emitted: chosen; chosen or fallen into */
   struct nir_variable *fell;           /* when emitted */
};

struct spirv_exit { /* after a loop: leave the loop around when the flag is set */
   struct spirv_construct *flag;
   bool always;
};

struct spirv_node {
   struct spirv_node *next;
   enum spirv_node_type type;
   uint32_t block, to;
   struct spirv_construct *target; /* jump */
   bool is_break;                  /* jump: leaves the innermost loop */
   bool is_constant;               /* if: both branches lead to the then part */
   enum spirv_rest rest;
   struct spirv_construct **guards;
   uint32_t num_guards;
   struct spirv_seq then_seq, else_seq; /* if; loop: body and continue construct */
   struct spirv_construct *loop, *body; /* loop */
   struct spirv_exit *exits;
   uint32_t num_exits;
   struct spirv_case *cases; /* switch */
   uint32_t num_cases, *case_order;
   bool late_conditions; /* switch: made where they are used */
   bool merge_reached;
};

struct spirv_tree {
   struct spirv_construct *function;
   struct spirv_seq seq;
};

struct spirv_tree *spirv_build_tree(struct spirv_module *m, struct spirv_function *function);
uint32_t spirv_switch_literal_words(const struct spirv_module *m, const uint32_t *w);

#endif
