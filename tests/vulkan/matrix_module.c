#include "matrix_module.h"

#include <assert.h>
#include <string.h>

/* Instructions go to one of two places: types and constants may be asked for while there is code already. */
struct section {
   uint32_t words[MATRIX_MAX_WORDS], count;
};

struct module {
   const struct matrix_product *product;
   struct section head, globals, code;
   uint32_t bound, uint, bool_type, stride, rows, scope;
   uint32_t scalar[MATRIX_PLACES], matrix[MATRIX_PLACES], buffer[MATRIX_PLACES], shared[MATRIX_PLACES];
   uint32_t pointer[MATRIX_PLACES], shared_pointer[MATRIX_PLACES];
   uint32_t numbers[1024]; /* constants, 0: not yet */
   uint32_t local;
};

bool
matrix_is_float(VkComponentTypeKHR type)
{
   return type == VK_COMPONENT_TYPE_FLOAT16_KHR || type == VK_COMPONENT_TYPE_FLOAT32_KHR;
}

bool
matrix_is_signed(VkComponentTypeKHR type)
{
   return type == VK_COMPONENT_TYPE_SINT8_KHR || type == VK_COMPONENT_TYPE_SINT32_KHR;
}

uint32_t
matrix_bits(VkComponentTypeKHR type)
{
   switch ((int)type) {
   case VK_COMPONENT_TYPE_FLOAT16_KHR:
      return 16;
   case VK_COMPONENT_TYPE_SINT8_KHR:
   case VK_COMPONENT_TYPE_UINT8_KHR:
      return 8;
   default: /* others: the sums */
      return 32;
   }
}

/* ---- words ---- */

static void
put(struct section *to, SpvOp op, const uint32_t *words, uint32_t count)
{
   assert(to->count + count < MATRIX_MAX_WORDS);
   to->words[to->count++] = (count + 1) << 16 | (uint32_t)op;
   memcpy(to->words + to->count, words, count * sizeof(*words));
   to->count += count;
}
#define PUT(to, op, ...)                                                                                             \
   put(to, op, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static uint32_t
with_result(struct module *m, struct section *to, SpvOp op, uint32_t type, const uint32_t *words, uint32_t count)
{
   uint32_t all[16] = {type, m->bound};
   const uint32_t ahead = type ? 2 : 1;
   all[ahead - 1] = m->bound;
   memcpy(all + ahead, words, count * sizeof(*words));
   put(to, op, all, ahead + count);
   return m->bound++;
}
/* The new id of the result. */
#define RESULT(m, to, op, type, ...)                                                                                 \
   with_result(m, to, op, type, (const uint32_t[]){__VA_ARGS__},                                                     \
               sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define VALUE(m, op, type, ...) RESULT(m, &(m)->code, op, type, __VA_ARGS__)
#define TYPE(m, op, ...) RESULT(m, &(m)->globals, op, 0, __VA_ARGS__)

static uint32_t
number(struct module *m, uint32_t value)
{
   if (!m->numbers[value]) {
      m->numbers[value] = m->bound++;
      PUT(&m->globals, SpvOpConstant, m->uint, m->numbers[value], value);
   }
   return m->numbers[value];
}

static uint32_t
specialized(struct module *m, uint32_t id, uint32_t value)
{
   PUT(&m->globals, SpvOpSpecConstant, m->uint, m->bound, value);
   PUT(&m->head, SpvOpDecorate, m->bound, SpvDecorationSpecId, id);
   return m->bound++;
}

/* ---- the module's parts ---- */

static VkComponentTypeKHR
component(const struct module *m, unsigned place)
{
   return place < 2 ? m->product->factors[place] : m->product->sum;
}

static void
begin(struct module *m)
{
   static const uint32_t capabilities[] = {SpvCapabilityShader,
                                           SpvCapabilityFloat16,
                                           SpvCapabilityInt8,
                                           SpvCapabilityStorageBuffer16BitAccess,
                                           SpvCapabilityStorageBuffer8BitAccess,
                                           SpvCapabilityCooperativeMatrixKHR};
   static const char *const extensions[] = {"SPV_KHR_8bit_storage", "SPV_KHR_cooperative_matrix"};
   for (unsigned i = 0; i < sizeof(capabilities) / sizeof(*capabilities); i++)
      PUT(&m->head, SpvOpCapability, capabilities[i]);
   for (unsigned i = 0; i < sizeof(extensions) / sizeof(*extensions); i++) {
      uint32_t text[8] = {0};
      memcpy(text, extensions[i], strlen(extensions[i]));
      put(&m->head, SpvOpExtension, text, (uint32_t)strlen(extensions[i]) / 4 + 1);
   }
   PUT(&m->head, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
   m->local = m->bound++;
   PUT(&m->head, SpvOpEntryPoint, SpvExecutionModelGLCompute, 1, 0x6e69616d /* main */, 0, m->local);
   PUT(&m->head, SpvOpExecutionMode, 1, SpvExecutionModeLocalSize, m->product->lanes, 1, 1);
   PUT(&m->head, SpvOpDecorate, m->local, SpvDecorationBuiltIn, SpvBuiltInLocalInvocationIndex);
   m->uint = TYPE(m, SpvOpTypeInt, 32, 0);
   m->bool_type = m->bound++;
   PUT(&m->globals, SpvOpTypeBool, m->bool_type);
   m->stride = specialized(m, 0, MATRIX_SIDE);
   m->rows = specialized(m, 1, MATRIX_SIDE);
   m->scope = number(m, SpvScopeSubgroup);
   PUT(&m->globals, SpvOpVariable, TYPE(m, SpvOpTypePointer, SpvStorageClassInput, m->uint), m->local,
       SpvStorageClassInput);
}

/* Types of scalars and matrices are there once for each kind. */
static void
declare_types(struct module *m, unsigned place)
{
   const VkComponentTypeKHR type = component(m, place);
   const uint32_t use = place < 2 ? place : SpvCooperativeMatrixUseMatrixAccumulatorKHR;
   for (unsigned i = 0; i < place; i++) {
      if (component(m, i) == type)
         m->scalar[place] = m->scalar[i];
   }
   if (place == MATRIX_RESULT) {
      m->matrix[place] = m->matrix[MATRIX_C];
      return;
   }
   if (!m->scalar[place] && type == VK_COMPONENT_TYPE_UINT32_KHR)
      m->scalar[place] = m->uint;
   else if (!m->scalar[place])
      m->scalar[place] = matrix_is_float(type) ? TYPE(m, SpvOpTypeFloat, matrix_bits(type))
                                               : TYPE(m, SpvOpTypeInt, matrix_bits(type), matrix_is_signed(type));
   m->matrix[place] = TYPE(m, SpvOpTypeCooperativeMatrixKHR, m->scalar[place], m->scope, m->rows,
                           number(m, MATRIX_SIDE), number(m, use));
}

static void
declare_memory(struct module *m, unsigned place)
{
   const uint32_t scalar = m->scalar[place], bits = matrix_bits(component(m, place));
   const uint32_t array = TYPE(m, SpvOpTypeRuntimeArray, scalar), block = TYPE(m, SpvOpTypeStruct, array);
   const uint32_t pointer = TYPE(m, SpvOpTypePointer, SpvStorageClassStorageBuffer, block);
   PUT(&m->head, SpvOpDecorate, array, SpvDecorationArrayStride, bits / 8);
   PUT(&m->head, SpvOpDecorate, block, SpvDecorationBlock);
   PUT(&m->head, SpvOpMemberDecorate, block, 0, SpvDecorationOffset, 0);
   m->pointer[place] = TYPE(m, SpvOpTypePointer, SpvStorageClassStorageBuffer, scalar);
   m->buffer[place] = m->bound++;
   PUT(&m->globals, SpvOpVariable, pointer, m->buffer[place], SpvStorageClassStorageBuffer);
   PUT(&m->head, SpvOpDecorate, m->buffer[place], SpvDecorationDescriptorSet, 0);
   PUT(&m->head, SpvOpDecorate, m->buffer[place], SpvDecorationBinding, place);
   const uint32_t tile = TYPE(m, SpvOpTypeArray, scalar, number(m, MATRIX_SIDE * MATRIX_SIDE));
   m->shared_pointer[place] = TYPE(m, SpvOpTypePointer, SpvStorageClassWorkgroup, scalar);
   m->shared[place] = m->bound++;
   PUT(&m->globals, SpvOpVariable, TYPE(m, SpvOpTypePointer, SpvStorageClassWorkgroup, tile), m->shared[place],
       SpvStorageClassWorkgroup);
}

static uint32_t
word_of_buffer(struct module *m, unsigned place, uint32_t index)
{
   return VALUE(m, SpvOpAccessChain, m->pointer[place], m->buffer[place], number(m, 0), index);
}

static void
barrier(struct module *m)
{
   PUT(&m->code, SpvOpControlBarrier, number(m, SpvScopeWorkgroup), number(m, SpvScopeWorkgroup),
       number(m, SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsWorkgroupMemoryMask));
}

/* Lines of a tile between a buffer, from element `first` on, and workgroup memory, an element each invocation. */
static void
copy_tile(struct module *m, unsigned place, uint32_t first, uint32_t lane, bool to_shared)
{
   for (uint32_t at = 0; at < MATRIX_SIDE * MATRIX_SIDE; at += m->product->lanes) {
      const uint32_t index = VALUE(m, SpvOpIAdd, m->uint, lane, number(m, at));
      const uint32_t line = VALUE(m, SpvOpUDiv, m->uint, index, number(m, MATRIX_SIDE));
      const uint32_t inside = VALUE(m, SpvOpUMod, m->uint, index, number(m, MATRIX_SIDE));
      uint32_t word = VALUE(m, SpvOpIMul, m->uint, line, m->stride);
      word = VALUE(m, SpvOpIAdd, m->uint, word, inside);
      word = VALUE(m, SpvOpIAdd, m->uint, word, first);
      const uint32_t in_buffer = word_of_buffer(m, place, word);
      const uint32_t in_shared = VALUE(m, SpvOpAccessChain, m->shared_pointer[place], m->shared[place], index);
      const uint32_t value = VALUE(m, SpvOpLoad, m->scalar[place], to_shared ? in_buffer : in_shared);
      PUT(&m->code, SpvOpStore, to_shared ? in_shared : in_buffer, value);
   }
}

static uint32_t
layout(struct module *m, unsigned place)
{
   return number(m, m->product->by_columns[place] ? SpvCooperativeMatrixLayoutColumnMajorKHR
                                                  : SpvCooperativeMatrixLayoutRowMajorKHR);
}

static uint32_t
start_of_shared(struct module *m, unsigned place)
{
   return VALUE(m, SpvOpAccessChain, m->shared_pointer[place], m->shared[place], number(m, 0));
}

static uint32_t
load_matrix(struct module *m, unsigned place, uint32_t first)
{
   const bool shared = m->product->shared && place != MATRIX_C;
   const uint32_t pointer = shared ? start_of_shared(m, place) : word_of_buffer(m, place, first);
   return VALUE(m, SpvOpCooperativeMatrixLoadKHR, m->matrix[place], pointer, layout(m, place),
                shared ? number(m, MATRIX_SIDE) : m->stride);
}

static uint32_t
operands_of(const struct matrix_product *p)
{
   const bool is_signed = matrix_is_signed(p->sum);
   return (matrix_is_signed(p->factors[0]) ? SpvCooperativeMatrixOperandsMatrixASignedComponentsKHRMask : 0) |
          (matrix_is_signed(p->factors[1]) ? SpvCooperativeMatrixOperandsMatrixBSignedComponentsKHRMask : 0) |
          (is_signed ? SpvCooperativeMatrixOperandsMatrixCSignedComponentsKHRMask |
                          SpvCooperativeMatrixOperandsMatrixResultSignedComponentsKHRMask
                     : 0) |
          (p->saturates ? SpvCooperativeMatrixOperandsSaturatingAccumulationKHRMask : 0);
}

/* ---- the code ---- */

static void
label(struct module *m, uint32_t id)
{
   PUT(&m->code, SpvOpLabel, id);
}

static void
branch(struct module *m, uint32_t to)
{
   PUT(&m->code, SpvOpBranch, to);
}

/* The sum after one more tile. */
static uint32_t
add_tile(struct module *m, uint32_t tile, uint32_t sum, uint32_t lane)
{
   const uint32_t size = VALUE(m, SpvOpIMul, m->uint, m->stride, number(m, MATRIX_SIDE));
   const uint32_t first = VALUE(m, SpvOpIMul, m->uint, tile, size);
   for (unsigned place = MATRIX_A; place <= MATRIX_B && m->product->shared; place++)
      copy_tile(m, place, first, lane, true);
   if (m->product->shared)
      barrier(m);
   const uint32_t a = load_matrix(m, MATRIX_A, first), b = load_matrix(m, MATRIX_B, first);
   const uint32_t next =
      VALUE(m, SpvOpCooperativeMatrixMulAddKHR, m->matrix[MATRIX_C], a, b, sum, operands_of(m->product));
   if (m->product->shared)
      barrier(m);
   return next;
}

static void
store_result(struct module *m, uint32_t sum, uint32_t lane)
{
   const unsigned place = MATRIX_RESULT;
   const uint32_t pointer = m->product->shared ? start_of_shared(m, place) : word_of_buffer(m, place, number(m, 0));
   PUT(&m->code, SpvOpCooperativeMatrixStoreKHR, pointer, sum, layout(m, place),
       m->product->shared ? number(m, MATRIX_SIDE) : m->stride);
   if (!m->product->shared)
      return;
   barrier(m);
   copy_tile(m, place, number(m, 0), lane, false);
}

static void
write_code(struct module *m)
{
   const uint32_t start = m->bound++, head = m->bound++, body = m->bound++, next = m->bound++, end = m->bound++;
   const uint32_t sum = m->bound++, tile = m->bound++, next_tile = m->bound++;
   label(m, start);
   const uint32_t lane = VALUE(m, SpvOpLoad, m->uint, m->local);
   const uint32_t first = load_matrix(m, MATRIX_C, number(m, 0));
   branch(m, head);
   label(m, head);
   const uint32_t phis = m->code.count;
   PUT(&m->code, SpvOpPhi, m->matrix[MATRIX_C], sum, first, start, 0, next);
   PUT(&m->code, SpvOpPhi, m->uint, tile, number(m, 0), start, next_tile, next);
   PUT(&m->code, SpvOpLoopMerge, end, next, 0);
   branch(m, body);
   label(m, body);
   const uint32_t more = add_tile(m, tile, sum, lane);
   m->code.words[phis + 5] = more;
   branch(m, next);
   label(m, next);
   PUT(&m->code, SpvOpIAdd, m->uint, next_tile, tile, number(m, 1));
   const uint32_t again = VALUE(m, SpvOpULessThan, m->bool_type, next_tile, number(m, m->product->tiles));
   PUT(&m->code, SpvOpBranchConditional, again, head, end);
   label(m, end);
   store_result(m, more, lane);
   put(&m->code, SpvOpReturn, NULL, 0);
   put(&m->code, SpvOpFunctionEnd, NULL, 0);
}

static void
append(struct matrix_module *to, const struct section *from)
{
   assert(to->count + from->count <= MATRIX_MAX_WORDS);
   memcpy(to->words + to->count, from->words, from->count * sizeof(*from->words));
   to->count += from->count;
}

void
matrix_product_module(const struct matrix_product *product, struct matrix_module *module)
{
   struct module m = {.product = product, .bound = 2};
   begin(&m);
   for (unsigned place = 0; place < MATRIX_PLACES; place++)
      declare_types(&m, place);
   for (unsigned place = 0; place < MATRIX_PLACES; place++)
      declare_memory(&m, place);
   const uint32_t nothing = m.bound++;
   PUT(&m.globals, SpvOpTypeVoid, nothing);
   const uint32_t type = TYPE(&m, SpvOpTypeFunction, nothing);
   PUT(&m.code, SpvOpFunction, nothing, 1, 0, type);
   write_code(&m);
   const uint32_t header[] = {SpvMagicNumber, 0x10300, 0, m.bound, 0};
   memcpy(module->words, header, sizeof(header));
   module->count = 5;
   append(module, &m.head);
   append(module, &m.globals);
   append(module, &m.code);
}
