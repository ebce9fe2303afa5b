/* Types and variables: depth, members, elements, how many. */
#include "constructs.h"

#include <stdlib.h>

/* ---- depth ---- */

/* Arrays of one element and structures of one member around a uint, by turns or only arrays. */
static uint32_t
nested_type(struct spv *s, uint32_t n, bool structs)
{
   uint32_t type = s->uint_type;
   for (uint32_t k = 0; k < n; k++)
      type = structs && k % 2 ? SPV_TYPE(s, SpvOpTypeStruct, type) : spv_array_type(s, type, 1);
   return type;
}

static uint32_t
deep_pointer(struct spv *s, SpvStorageClass storage, uint32_t variable, uint32_t n)
{
   uint32_t *words = calloc(n + 3, sizeof(*words));
   words[0] = spv_pointer_type(s, storage, s->uint_type);
   words[1] = spv_id(s);
   words[2] = variable;
   for (uint32_t k = 0; k < n; k++)
      words[3 + k] = spv_uint(s, 0);
   spv_op(&s->code, SpvOpAccessChain, words, n + 3);
   uint32_t id = words[1];
   free(words);
   return id;
}

/* What goes through memory: all lanes store the same into what they share. Makes x of the value that comes back. */
static uint32_t
to_store(struct spv *s, SpvStorageClass storage)
{
   return storage == SpvStorageClassWorkgroup ? spv_uint(s, 1) : s->x;
}

static uint32_t
x_of_loaded(struct spv *s, SpvStorageClass storage, uint32_t value)
{
   return storage == SpvStorageClassWorkgroup ? spv_value(s, SpvOpIMul, s->uint_type, s->x, value) : value;
}

/* Through memory and back, by one element and as a whole. */
static uint32_t
through(struct spv *s, SpvStorageClass storage, uint32_t n, bool structs)
{
   uint32_t type = nested_type(s, n, structs), a = spv_variable(s, storage, type), b = spv_variable(s, storage, type);
   spv_store(s, deep_pointer(s, storage, a, n), to_store(s, storage));
   spv_store(s, b, spv_load(s, type, a));
   return x_of_loaded(s, storage, spv_load(s, s->uint_type, deep_pointer(s, storage, b, n)));
}

static uint32_t
emit_deep_array(struct spv *s, uint32_t n)
{
   return through(s, SpvStorageClassFunction, n, false);
}

static uint32_t
emit_deep_struct(struct spv *s, uint32_t n)
{
   return through(s, SpvStorageClassFunction, n, true);
}

static uint32_t
emit_deep_private(struct spv *s, uint32_t n)
{
   return through(s, SpvStorageClassPrivate, n, true);
}

static uint32_t
emit_deep_shared(struct spv *s, uint32_t n)
{
   return through(s, SpvStorageClassWorkgroup, n, true);
}

/* A value without memory: OpCompositeInsert into an undefined one, OpCompositeExtract. */
static uint32_t
emit_deep_value(struct spv *s, uint32_t n)
{
   uint32_t type = nested_type(s, n, true), undefined = spv_id(s), *words = calloc(n + 4, sizeof(*words));
   SPV(&s->globals, SpvOpUndef, type, undefined);
   words[0] = type;
   uint32_t whole = words[1] = spv_id(s);
   words[2] = s->x;
   words[3] = undefined;
   spv_op(&s->code, SpvOpCompositeInsert, words, n + 4);
   words[1] = s->uint_type;
   uint32_t part = words[2] = spv_id(s);
   words[3] = whole;
   spv_op(&s->code, SpvOpCompositeExtract, words + 1, n + 3);
   free(words);
   return part;
}

static uint32_t
expect_x(uint32_t x, uint32_t n)
{
   (void)n;
   return x;
}

/* A struct of two structs of two structs ..., with the layout of a buffer: 2^n words. */
static uint32_t
emit_tree(struct spv *s, uint32_t n)
{
   uint32_t type = s->uint_type, sum = spv_id(s);
   for (uint32_t k = 0; k < n; k++) {
      type = SPV_TYPE(s, SpvOpTypeStruct, type, type);
      SPV(&s->annotations, SpvOpMemberDecorate, type, 0, SpvDecorationOffset, 0);
      SPV(&s->annotations, SpvOpMemberDecorate, type, 1, SpvDecorationOffset, 4u << k);
   }
   SPV(&s->annotations, SpvOpDecorate, type, SpvDecorationBlock);
   uint32_t buffer = spv_variable(s, SpvStorageClassStorageBuffer, type);
   SPV(&s->annotations, SpvOpDecorate, buffer, SpvDecorationDescriptorSet, 0);
   SPV(&s->annotations, SpvOpDecorate, buffer, SpvDecorationBinding, 0);
   SPV(&s->code, SpvOpIAdd, s->uint_type, sum, s->x,
       spv_load(s, s->uint_type, deep_pointer(s, SpvStorageClassStorageBuffer, buffer, n)));
   return sum; /* the first word is 0 */
}

/* ---- width ---- */

static uint32_t
wide_struct(struct spv *s, uint32_t n)
{
   uint32_t *words = calloc(n, sizeof(*words));
   for (uint32_t k = 0; k < n; k++)
      words[k] = s->uint_type;
   uint32_t type = spv_type(s, SpvOpTypeStruct, words, n);
   free(words);
   return type;
}

static uint32_t
element(struct spv *s, SpvStorageClass storage, uint32_t variable, uint32_t index)
{
   uint32_t id = spv_id(s), pointer = spv_pointer_type(s, storage, s->uint_type);
   SPV(&s->code, SpvOpAccessChain, pointer, id, variable, index);
   return id;
}

/* First and last member change places, the whole is copied. */
static uint32_t
wide(struct spv *s, SpvStorageClass storage, uint32_t type, uint32_t n)
{
   uint32_t a = spv_variable(s, storage, type), b = spv_variable(s, storage, type);
   uint32_t first = spv_uint(s, 0), last = spv_uint(s, n - 1);
   spv_store(s, element(s, storage, a, first), to_store(s, storage));
   spv_store(s, element(s, storage, a, last), spv_uint(s, 11));
   spv_store(s, b, spv_load(s, type, a));
   uint32_t low = spv_load(s, s->uint_type, element(s, storage, b, first));
   uint32_t high = spv_load(s, s->uint_type, element(s, storage, b, last));
   return spv_value(s, SpvOpIMul, s->uint_type, x_of_loaded(s, storage, low), high);
}

static uint32_t
expect_11x(uint32_t x, uint32_t n)
{
   (void)n;
   return 11 * x;
}

static uint32_t
emit_members(struct spv *s, uint32_t n)
{
   return wide(s, SpvStorageClassFunction, wide_struct(s, n), n);
}

static uint32_t
emit_elements(struct spv *s, uint32_t n)
{
   return wide(s, SpvStorageClassFunction, spv_array_type(s, s->uint_type, n), n);
}

static uint32_t
emit_private_elements(struct spv *s, uint32_t n)
{
   return wide(s, SpvStorageClassPrivate, spv_array_type(s, s->uint_type, n), n);
}

static uint32_t
emit_shared_elements(struct spv *s, uint32_t n)
{
   return wide(s, SpvStorageClassWorkgroup, spv_array_type(s, s->uint_type, n), n);
}

/* An array that is indexed at run time and copied as a whole: each element is 5 but the one of x. */
static uint32_t
emit_indexed(struct spv *s, uint32_t n)
{
   uint32_t type = spv_array_type(s, s->uint_type, n), *words = calloc(n + 2, sizeof(*words));
   uint32_t a = spv_variable(s, SpvStorageClassFunction, type), b = spv_variable(s, SpvStorageClassFunction, type);
   words[0] = type;
   words[1] = spv_id(s);
   for (uint32_t k = 0; k < n; k++)
      words[2 + k] = spv_uint(s, 5);
   spv_op(&s->globals, SpvOpConstantComposite, words, n + 2);
   uint32_t place = spv_value(s, SpvOpUMod, s->uint_type, s->x, spv_uint(s, n));
   spv_store(s, a, words[1]);
   spv_store(s, element(s, SpvStorageClassFunction, a, place), s->x);
   spv_store(s, b, spv_load(s, type, a));
   free(words);
   uint32_t mine = spv_load(s, s->uint_type, element(s, SpvStorageClassFunction, b, place));
   uint32_t next = spv_value(s, SpvOpUMod, s->uint_type, spv_value(s, SpvOpIAdd, s->uint_type, place, spv_uint(s, 1)),
                             spv_uint(s, n));
   return spv_value(s, SpvOpIMul, s->uint_type, mine,
                    spv_load(s, s->uint_type, element(s, SpvStorageClassFunction, b, next)));
}

static uint32_t
expect_5x(uint32_t x, uint32_t n)
{
   (void)n;
   return 5 * x;
}

/* ---- how many ---- */

static uint32_t
many(struct spv *s, SpvStorageClass storage, uint32_t n)
{
   uint32_t pointer = spv_pointer_type(s, storage, s->uint_type), sum = s->x, first = s->bound;
   for (uint32_t k = 0; k < n; k++)
      SPV(storage == SpvStorageClassFunction ? &s->locals : &s->globals, SpvOpVariable, pointer, spv_id(s), storage);
   for (uint32_t k = 0; k < n; k++)
      spv_store(s, first + k, sum = spv_value(s, SpvOpIAdd, s->uint_type, sum, spv_uint(s, k % 50)));
   uint32_t last = spv_load(s, s->uint_type, first + n - 1), middle = spv_load(s, s->uint_type, first + n / 2);
   return spv_value(s, SpvOpBitwiseXor, s->uint_type, last, middle);
}

static uint32_t
expect_many(uint32_t x, uint32_t n)
{
   uint32_t sum = x, middle = 0;
   for (uint32_t k = 0; k < n; k++) {
      sum += k % 50;
      middle = k == n / 2 ? sum : middle;
   }
   return sum ^ middle;
}

static uint32_t
emit_locals(struct spv *s, uint32_t n)
{
   return many(s, SpvStorageClassFunction, n);
}

static uint32_t
emit_privates(struct spv *s, uint32_t n)
{
   return many(s, SpvStorageClassPrivate, n);
}

/* Values that live at the same time: loaded all, then used all. */
static uint32_t
emit_live(struct spv *s, uint32_t n)
{
   uint32_t *values = calloc(n, sizeof(*values)), sum = s->x;
   for (uint32_t k = 0; k < n; k++)
      values[k] = spv_load(s, s->uint_type, s->first_word);
   for (uint32_t k = 0; k < n; k++)
      sum = spv_value(s, SpvOpBitwiseXor, s->uint_type, sum,
                      spv_value(s, SpvOpIMul, s->uint_type, values[k], spv_uint(s, k + 1)));
   for (uint32_t k = n; k-- > 0;)
      sum = spv_value(s, SpvOpBitwiseXor, s->uint_type, sum,
                      spv_value(s, SpvOpIMul, s->uint_type, values[k], spv_uint(s, k + 1)));
   free(values);
   return sum;
}

/* Each value depends on the one before. */
static uint32_t
emit_chain(struct spv *s, uint32_t n)
{
   uint32_t value = s->x;
   for (uint32_t k = 0; k < n; k++) {
      value = spv_value(s, SpvOpIMul, s->uint_type, value, s->x);
      value = spv_value(s, SpvOpBitwiseXor, s->uint_type, value, spv_uint(s, k));
   }
   return value;
}

static uint32_t
expect_chain(uint32_t x, uint32_t n)
{
   uint32_t value = x;
   for (uint32_t k = 0; k < n; k++)
      value = value * x ^ k;
   return value;
}

/* Constants of constants: OpSpecConstantOp on the one before. */
static uint32_t
emit_spec_chain(struct spv *s, uint32_t n)
{
   uint32_t value = spv_uint(s, 1);
   for (uint32_t k = 0; k < n; k++) {
      uint32_t id = spv_id(s);
      SPV(&s->globals, SpvOpSpecConstantOp, s->uint_type, id, SpvOpIAdd, value, spv_uint(s, 2));
      value = id;
   }
   return spv_value(s, SpvOpIAdd, s->uint_type, s->x, value);
}

static uint32_t
expect_spec_chain(uint32_t x, uint32_t n)
{
   return x + 2 * n + 1;
}

/* ---- parts of values ---- */

static uint32_t
null_array(struct spv *s, uint32_t type)
{
   uint32_t id = spv_id(s);
   SPV(&s->globals, SpvOpConstantNull, type, id);
   return id;
}

static uint32_t
extract(struct spv *s, uint32_t composite, uint32_t index)
{
   uint32_t id = spv_id(s);
   SPV(&s->code, SpvOpCompositeExtract, s->uint_type, id, composite, index);
   return id;
}

/* Each insert makes another value of the whole array; the one half way is read at the end. */
static uint32_t
emit_inserts(struct spv *s, uint32_t n)
{
   uint32_t type = spv_array_type(s, s->uint_type, n), whole = null_array(s, type), middle = whole, sum = s->x;
   for (uint32_t k = 0; k < n; k++) {
      uint32_t id = spv_id(s), value = spv_value(s, SpvOpIAdd, s->uint_type, s->x, spv_uint(s, k % 50));
      SPV(&s->code, SpvOpCompositeInsert, type, id, value, whole, k);
      whole = id;
      middle = k == n / 2 ? whole : middle;
      sum = spv_value(s, SpvOpBitwiseXor, s->uint_type, sum, extract(s, whole, k / 2));
   }
   sum = spv_value(s, SpvOpIAdd, s->uint_type, sum, extract(s, middle, n - 1)); /* 0 */
   return spv_value(s, SpvOpIAdd, s->uint_type, sum, extract(s, middle, 0));    /* x */
}

static uint32_t
expect_inserts(uint32_t x, uint32_t n)
{
   uint32_t sum = x;
   for (uint32_t k = 0; k < n; k++)
      sum ^= x + k / 2 % 50;
   return sum + x;
}

/* The same of constants; each element is that of the value before + 1. */
static uint32_t
emit_spec_inserts(struct spv *s, uint32_t n)
{
   uint32_t type = spv_array_type(s, s->uint_type, n), whole = null_array(s, type), element = spv_uint(s, 0);
   for (uint32_t k = 0; k < n; k++) {
      uint32_t next = spv_id(s), id = spv_id(s), read = spv_id(s);
      SPV(&s->globals, SpvOpSpecConstantOp, s->uint_type, next, SpvOpIAdd, element, spv_uint(s, 1));
      SPV(&s->globals, SpvOpSpecConstantOp, type, id, SpvOpCompositeInsert, next, whole, k);
      SPV(&s->globals, SpvOpSpecConstantOp, s->uint_type, read, SpvOpCompositeExtract, id, k);
      whole = id;
      element = read;
   }
   return spv_value(s, SpvOpIAdd, s->uint_type, s->x, element);
}

static uint32_t
expect_spec_inserts(uint32_t x, uint32_t n)
{
   return x + n;
}

/* ---- names, decorations, ids ---- */

static uint32_t
emit_name(struct spv *s, uint32_t n)
{
   uint32_t *words = calloc(n / 4 + 2, sizeof(*words));
   words[0] = s->buffer;
   for (uint32_t k = 0; k < n; k++)
      ((char *)(words + 1))[k] = (char)('a' + k % 26);
   spv_op(&s->debug, SpvOpName, words, n / 4 + 2);
   free(words);
   return s->x;
}

static uint32_t
emit_decorations(struct spv *s, uint32_t n)
{
   uint32_t value = spv_value(s, SpvOpIAdd, s->uint_type, s->x, spv_uint(s, 0));
   for (uint32_t k = 0; k < n; k++)
      SPV(&s->annotations, SpvOpDecorate, value, SpvDecorationRelaxedPrecision);
   return value;
}

static uint32_t
emit_bound(struct spv *s, uint32_t n)
{
   s->bound = n;
   return s->x;
}

const struct construct constructs_types[] = {
   {"deep_array", {3, 32, 254}, emit_deep_array, expect_x},
   {"deep_struct", {3, 32, 254}, emit_deep_struct, expect_x},
   {"deep_private", {3, 32, 254}, emit_deep_private, expect_x},
   {"deep_shared", {3, 32, 254}, emit_deep_shared, expect_x},
   {"deep_value", {3, 32, 254}, emit_deep_value, expect_x},
   {"tree", {3, 28, 28}, emit_tree, expect_x},
   {"members", {3, 300, 16383}, emit_members, expect_11x},
   {"elements", {3, 300, 100000}, emit_elements, expect_11x},
   {"private_elements", {3, 300, 100000}, emit_private_elements, expect_11x},
   {"shared_elements", {3, 300, 4000}, emit_shared_elements, expect_11x},
   {"indexed", {3, 300, 4000}, emit_indexed, expect_5x},
   {"locals", {3, 300, 100000}, emit_locals, expect_many},
   {"privates", {3, 300, 60000}, emit_privates, expect_many},
   {"live", {3, 300, 3000}, emit_live, expect_x},
   {"chain", {3, 300, 30000}, emit_chain, expect_chain},
   {"spec_chain", {3, 300, 100000}, emit_spec_chain, expect_spec_chain},
   {"inserts", {3, 300, 16383}, emit_inserts, expect_inserts},
   {"spec_inserts", {3, 300, 16383}, emit_spec_inserts, expect_spec_inserts},
   {"name", {3, 300, 65535}, emit_name, expect_x},
   {"decorations", {3, 300, 16383}, emit_decorations, expect_x},
   {"bound", {100, 10000, 0x3ffff0}, emit_bound, expect_x},
   {0},
};
