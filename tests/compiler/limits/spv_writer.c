#include "spv_writer.h"

#include <stdlib.h>
#include <string.h>

static void
append(struct spv_words *to, const uint32_t *words, size_t count)
{
   if (to->count + count > to->capacity) {
      to->capacity = 2 * (to->count + count);
      to->at = realloc(to->at, to->capacity * sizeof(uint32_t));
   }
   if (count)
      memcpy(to->at + to->count, words, count * sizeof(uint32_t));
   to->count += count;
}

void
spv_op(struct spv_words *to, SpvOp op, const uint32_t *words, size_t count)
{
   uint32_t first = (uint32_t)(count + 1) << 16 | (uint32_t)op;
   append(to, &first, 1);
   append(to, words, count);
}

uint32_t
spv_id(struct spv *s)
{
   return s->bound++;
}

uint32_t
spv_import(struct spv *s, const char *name)
{
   uint32_t words[16] = {spv_id(s)};
   size_t length = strlen(name);
   memcpy(words + 1, name, length);
   spv_op(&s->imports, SpvOpExtInstImport, words, length / 4 + 2);
   return words[0];
}

uint32_t
spv_type(struct spv *s, SpvOp op, const uint32_t *words, size_t count)
{
   uint32_t id = spv_id(s);
   struct spv_words all = {0};
   append(&all, &id, 1);
   append(&all, words, count);
   spv_op(&s->globals, op, all.at, all.count);
   free(all.at);
   return id;
}

uint32_t
spv_uint(struct spv *s, uint32_t value)
{
   uint32_t *known = value < 64 ? &s->constants[value] : NULL;
   if (known && *known)
      return *known;
   uint32_t id = spv_id(s);
   SPV(&s->globals, SpvOpConstant, s->uint_type, id, value);
   if (known)
      *known = id;
   return id;
}

uint32_t
spv_pointer_type(struct spv *s, SpvStorageClass storage, uint32_t type)
{
   return SPV_TYPE(s, SpvOpTypePointer, storage, type);
}

uint32_t
spv_array_type(struct spv *s, uint32_t element, uint32_t length)
{
   uint32_t count = spv_uint(s, length);
   return SPV_TYPE(s, SpvOpTypeArray, element, count);
}

uint32_t
spv_variable(struct spv *s, SpvStorageClass storage, uint32_t type)
{
   uint32_t pointer = spv_pointer_type(s, storage, type), id = spv_id(s);
   SPV(storage == SpvStorageClassFunction ? &s->locals : &s->globals, SpvOpVariable, pointer, id, storage);
   return id;
}

uint32_t
spv_value(struct spv *s, SpvOp op, uint32_t type, uint32_t a, uint32_t b)
{
   uint32_t id = spv_id(s);
   SPV(&s->code, op, type, id, a, b);
   return id;
}

uint32_t
spv_load(struct spv *s, uint32_t type, uint32_t pointer)
{
   uint32_t id = spv_id(s);
   SPV(&s->code, SpvOpLoad, type, id, pointer);
   return id;
}

void
spv_store(struct spv *s, uint32_t pointer, uint32_t value)
{
   SPV(&s->code, SpvOpStore, pointer, value);
}

void
spv_label(struct spv *s, uint32_t label)
{
   SPV(&s->code, SpvOpLabel, label);
}

void
spv_branch(struct spv *s, uint32_t label)
{
   SPV(&s->code, SpvOpBranch, label);
}

void
spv_branch_if(struct spv *s, uint32_t condition, uint32_t yes, uint32_t no)
{
   SPV(&s->code, SpvOpBranchConditional, condition, yes, no);
}

void
spv_merge(struct spv *s, uint32_t merge)
{
   SPV(&s->code, SpvOpSelectionMerge, merge, 0);
}

static uint32_t
word_of_lane(struct spv *s, uint32_t lane)
{
   uint32_t id = spv_id(s);
   SPV(&s->code, SpvOpAccessChain, s->word_pointer, id, s->buffer, spv_uint(s, 0), lane);
   return id;
}

static void
declare_buffer(struct spv *s)
{
   uint32_t words = SPV_TYPE(s, SpvOpTypeRuntimeArray, s->uint_type);
   uint32_t block = SPV_TYPE(s, SpvOpTypeStruct, words);
   s->buffer = spv_variable(s, SpvStorageClassStorageBuffer, block);
   s->word_pointer = spv_pointer_type(s, SpvStorageClassStorageBuffer, s->uint_type);
   SPV(&s->annotations, SpvOpDecorate, words, SpvDecorationArrayStride, 4);
   SPV(&s->annotations, SpvOpDecorate, block, SpvDecorationBlock);
   SPV(&s->annotations, SpvOpMemberDecorate, block, 0, SpvDecorationOffset, 0);
   SPV(&s->annotations, SpvOpDecorate, s->buffer, SpvDecorationDescriptorSet, 0);
   SPV(&s->annotations, SpvOpDecorate, s->buffer, SpvDecorationBinding, 0);
}

void
spv_begin(struct spv *s)
{
   *s = (struct spv){.bound = 1};
   s->void_type = spv_type(s, SpvOpTypeVoid, NULL, 0);
   s->bool_type = spv_type(s, SpvOpTypeBool, NULL, 0);
   s->uint_type = SPV_TYPE(s, SpvOpTypeInt, 32, 0);
   s->main_type = SPV_TYPE(s, SpvOpTypeFunction, s->void_type);
   declare_buffer(s);
   s->lane_input = spv_variable(s, SpvStorageClassInput, s->uint_type);
   SPV(&s->annotations, SpvOpDecorate, s->lane_input, SpvDecorationBuiltIn, SpvBuiltInLocalInvocationIndex);
   s->main = spv_id(s);
   s->lane = spv_load(s, s->uint_type, s->lane_input);
   s->first_word = word_of_lane(s, s->lane);
   s->x = spv_load(s, s->uint_type, s->first_word);
}

static void
write_head(const struct spv *s, struct spv_words *all, uint32_t lanes)
{
   const uint32_t header[] = {SpvMagicNumber, 0x10300, 0, s->bound, 0};
   const uint32_t name = 'm' | 'a' << 8 | 'i' << 16 | 'n' << 24;
   append(all, header, 5);
   SPV(all, SpvOpCapability, SpvCapabilityShader);
   append(all, s->extensions.at, s->extensions.count);
   append(all, s->imports.at, s->imports.count);
   SPV(all, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
   SPV(all, SpvOpEntryPoint, SpvExecutionModelGLCompute, s->main, name, 0, s->lane_input);
   append(all, s->entries.at, s->entries.count);
   SPV(all, SpvOpExecutionMode, s->main, SpvExecutionModeLocalSize, lanes, 1, 1);
}

struct spv_words
spv_end(struct spv *s, uint32_t value, uint32_t lanes)
{
   struct spv_words all = {0},
                    *parts[] = {&s->debug, &s->annotations, &s->globals, &s->locals, &s->code, &s->functions};
   uint32_t place = spv_value(s, SpvOpIAdd, s->uint_type, s->lane, spv_uint(s, lanes));
   spv_store(s, word_of_lane(s, place), value);
   spv_op(&s->code, SpvOpReturn, NULL, 0);
   spv_op(&s->code, SpvOpFunctionEnd, NULL, 0);
   SPV(&s->globals, SpvOpFunction, s->void_type, s->main, 0, s->main_type);
   SPV(&s->globals, SpvOpLabel, spv_id(s));
   write_head(s, &all, lanes);
   for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
      append(&all, parts[i]->at, parts[i]->count);
      free(parts[i]->at);
   }
   free(s->extensions.at);
   free(s->imports.at);
   free(s->entries.at);
   return all;
}
