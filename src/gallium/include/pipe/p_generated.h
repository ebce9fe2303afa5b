/* Commands that the GPU makes of a stream of the application's data (caps.generated_commands). A sequence of the
 * stream has the data of all tokens of a layout, the last of which draws or dispatches. */
#ifndef INDIUM_P_GENERATED_H
#define INDIUM_P_GENERATED_H

#include <stdbool.h>
#include <stdint.h>

#include "gallium/include/pipe/p_defines.h"

#define PIPE_MAX_TOKENS 128
#define PIPE_MAX_SEQUENCES (1u << 20)
#define PIPE_MAX_EXECUTION_SET 4096
#define PIPE_GENERATED_ALIGNMENT_B 256 /* of memory for generated commands */

/* What the data of a token is, as u32 unless stated. Addresses are u64. */
enum pipe_token_kind {
   PIPE_TOKEN_PROGRAM,            /* the number of one of the execution set's programs */
   PIPE_TOKEN_PUSH_CONSTANTS,     /* size_B bytes for offset_B of the push constants */
   PIPE_TOKEN_SEQUENCE,           /* no data: the sequence's number is a push constant */
   PIPE_TOKEN_VERTEX_BUFFER,      /* address, size_B, stride_B */
   PIPE_TOKEN_INDEX_BUFFER,       /* address, size_B, type */
   PIPE_TOKEN_DRAW,               /* vertices, instances, first vertex, first instance */
   PIPE_TOKEN_DRAW_INDEXED,       /* indices, instances, first index, vertex offset, first instance */
   PIPE_TOKEN_DRAW_COUNT,         /* address of such draws, stride_B, count */
   PIPE_TOKEN_DRAW_INDEXED_COUNT, /* the same */
   PIPE_TOKEN_MESHES,             /* workgroups x, y, z */
   PIPE_TOKEN_MESHES_COUNT,       /* as for DRAW_COUNT */
   PIPE_TOKEN_DISPATCH,           /* workgroups x, y, z */
   PIPE_TOKEN_KINDS,
};

struct pipe_token {
   enum pipe_token_kind kind;
   uint32_t at_B;             /* of the data in the sequence */
   uint32_t offset_B, size_B; /* push constants, in bytes */
   uint32_t binding;          /* vertex buffer */
   uint32_t index_types[3];   /* types that stand for indices of 1, 2 and 4 bytes */
};

struct pipe_token_layout {
   enum pipe_bind_point point;
   uint32_t stride_B; /* of sequences */
   uint32_t num_tokens;
   struct pipe_token tokens[PIPE_MAX_TOKENS];
};

struct pipe_execution_set;

struct pipe_generated {
   const struct pipe_token_layout *layout;
   struct pipe_execution_set *set; /* NULL: no token names a program */
   uint64_t stream_va;
   uint64_t memory_va;     /* generated_size() bytes */
   uint32_t max_sequences; /* at least 1, at most PIPE_MAX_SEQUENCES */
   uint64_t count_va;      /* u32: how many there are, if fewer; 0: max_sequences */
   uint32_t max_draws;     /* of a token with a count */
   bool own_strides;       /* the strides of vertex buffers are in the stream */
};

#endif
