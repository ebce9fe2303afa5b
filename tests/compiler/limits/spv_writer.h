/* Writes SPIR-V modules word by word: a compute shader with one buffer of uints at set 0, binding 0. Types, constants
 * and variables may be asked for at any time; they stand in their own section. */
#ifndef INDIUM_SPV_WRITER_H
#define INDIUM_SPV_WRITER_H

#include <spirv/unified1/spirv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spv_words {
   uint32_t *at;
   size_t count, capacity;
};

struct spv {
   struct spv_words extensions, imports, entries, debug, annotations, globals,
      functions;                  /* of the module; extensions: capabilities too; entries: besides main */
   struct spv_words locals, code; /* of main: variables of its first block, all else */
   uint32_t bound, main;
   uint32_t void_type, bool_type, uint_type, main_type, word_pointer;
   uint32_t buffer, lane_input, lane, first_word; /* first_word: where x lies */
   uint32_t x;                                    /* value: the buffer's word of the lane */
   uint32_t constants[64];                        /* of small numbers, 0: not yet */
};

void spv_begin(struct spv *s); /* up to the first block of main; x is loaded */
/* Stores the value in the buffer at word lanes + lane, ends main; returns the module, on the heap. */
struct spv_words spv_end(struct spv *s, uint32_t value, uint32_t lanes);

uint32_t spv_id(struct spv *s);
/* One instruction: opcode, then count words. */
void spv_op(struct spv_words *to, SpvOp op, const uint32_t *words, size_t count);
#define SPV(to, op, ...)                                                                                             \
   spv_op((to), (op), (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* An instruction set; the text is padded with zeros. */
uint32_t spv_import(struct spv *s, const char *name);

/* In the section of globals. */
uint32_t spv_uint(struct spv *s, uint32_t value); /* a constant */
uint32_t spv_type(struct spv *s, SpvOp op, const uint32_t *words, size_t count);
#define SPV_TYPE(s, op, ...)                                                                                         \
   spv_type((s), (op), (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
uint32_t spv_array_type(struct spv *s, uint32_t element, uint32_t length);
/* A variable of a type, its address through all the indices given; storage Function: of main. */
uint32_t spv_variable(struct spv *s, SpvStorageClass storage, uint32_t type);
uint32_t spv_pointer_type(struct spv *s, SpvStorageClass storage, uint32_t type);

/* In the code of main. */
uint32_t spv_value(struct spv *s, SpvOp op, uint32_t type, uint32_t a, uint32_t b);
uint32_t spv_load(struct spv *s, uint32_t type, uint32_t pointer);
void spv_store(struct spv *s, uint32_t pointer, uint32_t value);
void spv_label(struct spv *s, uint32_t label);
void spv_branch(struct spv *s, uint32_t label);
void spv_branch_if(struct spv *s, uint32_t condition, uint32_t yes, uint32_t no);
void spv_merge(struct spv *s, uint32_t merge); /* OpSelectionMerge */

#endif
