/* What the CPU tells the program that generates commands (generate.comp). C and GLSL both read this file: addresses
 * are u64 there and uvec2 here, whose lower half comes first. */
#ifndef INDIUM_SI_GENERATE_OP_H
#define INDIUM_SI_GENERATE_OP_H

#ifdef VULKAN
#define uint32_t uint
#define uint64_t uvec2
#else
#include <stdint.h>
#endif

#define SI_GENERATE_GROUP 64
#define SI_NOWHERE 0xffffffffu

/* A sequence's words are a copy of the template, in which operations change words: src_B names bytes of the
 * sequence's data in the stream, dst a word. Packets come first, then those of tasks, which another ring runs, then
 * data that both point to. */
#define SI_OP_COPY 0u     /* count words */
#define SI_OP_SEQUENCE 1u /* the sequence's number */
#define SI_OP_ADDRESS 2u  /* the lower half of the address of word args[0] of the data */
#define SI_OP_LEAST 3u    /* a word, at most args[0] */
#define SI_OP_PRODUCT 4u  /* of three words */
#define SI_OP_PROGRAM 5u  /* count words of a program's entry in the execution set, from word args[0] on */
#define SI_OP_VERTICES 6u /* the V# of an attribute. args: its offset and size in bytes, the stride of elements
                           * (SI_NOWHERE: the stream has it), word 3 of raw and of strided buffers, what a stride of
                           * 1 is in word 1, the mask of the address there */
#define SI_OP_INDICES 7u  /* the address of a draw's indices. args:
                           *   0 to 3   if src_B is SI_NOWHERE: address, size_B, log2 of an index's size;
                           *            else 0 to 2: the types that stand for 1, 2 and 4 bytes
                           *   4        the bytes of the stream that have the first index; SI_NOWHERE: it is 0
                           *   5        dst of how many indices there are
                           *   6        dst of VGT_INDEX_TYPE, or SI_NOWHERE; 7 to 9: its values by size
                           *   10       not 0: a draw is left out that has none */
#define SI_OP_SKIP 8u     /* args[0] words from dst on do nothing if one of count words is 0 */
#define SI_OP_ARGS 11

struct si_generate_op {
   uint32_t kind, count, dst, src_B;
   uint32_t args[SI_OP_ARGS];
};

struct si_generate_arguments {
   uint64_t stream_va, count_va;           /* count_va 0: max_sequences */
   uint64_t ops_va;                        /* num_ops, then the template */
   uint64_t packets_va, tasks_va, data_va; /* of sequence 0 */
   uint64_t set_va;                        /* entries of programs */
   uint32_t stream_stride_B, max_sequences;
   uint32_t packets_dw, tasks_dw, data_dw; /* of a sequence */
   uint32_t part_sequences;                /* in a buffer of packets */
   uint32_t part_B, tasks_part_B;          /* from one such buffer to the next */
   uint32_t entry_B;                       /* of the set */
   uint32_t num_ops;
   uint32_t nop, nop_more; /* header of a NOP of 2 dwords, and what each more of them adds */
};

#endif
