/* Functions: parameters, calls, depth of calls. */
#include "constructs.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <stdlib.h>

struct function {
   uint32_t id, param, type;
};

static struct function
begin_function(struct spv *s, uint32_t type)
{
   struct function f = {spv_id(s), spv_id(s), type};
   SPV(&s->functions, SpvOpFunction, s->uint_type, f.id, 0, type);
   SPV(&s->functions, SpvOpFunctionParameter, s->uint_type, f.param);
   SPV(&s->functions, SpvOpLabel, spv_id(s));
   return f;
}

static void
end_function(struct spv *s, uint32_t value)
{
   SPV(&s->functions, SpvOpReturnValue, value);
   spv_op(&s->functions, SpvOpFunctionEnd, NULL, 0);
}

static uint32_t
in_function(struct spv *s, SpvOp op, uint32_t a, uint32_t b)
{
   uint32_t id = spv_id(s);
   SPV(&s->functions, op, s->uint_type, id, a, b);
   return id;
}

static uint32_t
call_in_function(struct spv *s, uint32_t function, uint32_t argument)
{
   uint32_t id = spv_id(s);
   SPV(&s->functions, SpvOpFunctionCall, s->uint_type, id, function, argument);
   return id;
}

static uint32_t
call(struct spv *s, uint32_t function, uint32_t argument)
{
   uint32_t id = spv_id(s);
   SPV(&s->code, SpvOpFunctionCall, s->uint_type, id, function, argument);
   return id;
}

/* f0(x) = x * 5 + 3; fk(x) = f(k-1)(x + k) */
static uint32_t
emit_deep_calls(struct spv *s, uint32_t n)
{
   uint32_t type = SPV_TYPE(s, SpvOpTypeFunction, s->uint_type, s->uint_type);
   struct function f = begin_function(s, type);
   end_function(s, in_function(s, SpvOpIAdd, in_function(s, SpvOpIMul, f.param, spv_uint(s, 5)), spv_uint(s, 3)));
   for (uint32_t k = 1; k <= n; k++) {
      uint32_t before = f.id;
      f = begin_function(s, type);
      end_function(s, call_in_function(s, before, in_function(s, SpvOpIAdd, f.param, spv_uint(s, k))));
   }
   return call(s, f.id, s->x);
}

static uint32_t
expect_deep_calls(uint32_t x, uint32_t n)
{
   for (uint32_t k = n; k > 0; k--)
      x += k;
   return x * 5 + 3;
}

/* f0(x) = x * 5 + 3; fk(x) = f(k-1)(x) ^ f(k-1)(x + k): 2^n bodies where calls are copied. */
static uint32_t
emit_twice(struct spv *s, uint32_t n)
{
   uint32_t type = SPV_TYPE(s, SpvOpTypeFunction, s->uint_type, s->uint_type);
   struct function f = begin_function(s, type);
   end_function(s, in_function(s, SpvOpIAdd, in_function(s, SpvOpIMul, f.param, spv_uint(s, 5)), spv_uint(s, 3)));
   for (uint32_t k = 1; k <= n; k++) {
      uint32_t before = f.id;
      f = begin_function(s, type);
      uint32_t other = in_function(s, SpvOpIAdd, f.param, spv_uint(s, k));
      uint32_t a = call_in_function(s, before, f.param), b = call_in_function(s, before, other);
      end_function(s, in_function(s, SpvOpBitwiseXor, a, b));
   }
   return call(s, f.id, s->x);
}

static uint32_t
expect_twice(uint32_t x, uint32_t n)
{
   return n ? expect_twice(x, n - 1) ^ expect_twice(x + n, n - 1) : x * 5 + 3;
}

/* A function with n parameters, its sum. */
static uint32_t
emit_parameters(struct spv *s, uint32_t n)
{
   uint32_t *words = calloc(n + 3, sizeof(*words)), function = spv_id(s), result = spv_id(s), first = s->bound;
   for (uint32_t k = 0; k <= n; k++)
      words[k] = s->uint_type;
   uint32_t type = spv_type(s, SpvOpTypeFunction, words, n + 1);
   SPV(&s->functions, SpvOpFunction, s->uint_type, function, 0, type);
   first = s->bound;
   for (uint32_t k = 0; k < n; k++)
      SPV(&s->functions, SpvOpFunctionParameter, s->uint_type, spv_id(s));
   SPV(&s->functions, SpvOpLabel, spv_id(s));
   uint32_t sum = first;
   for (uint32_t k = 1; k < n; k++)
      sum = in_function(s, SpvOpIAdd, sum, first + k);
   end_function(s, sum);
   words[1] = result;
   words[2] = function;
   for (uint32_t k = 0; k < n; k++)
      words[3 + k] = k % 2 ? spv_uint(s, k % 60) : s->x;
   spv_op(&s->code, SpvOpFunctionCall, words, n + 3);
   free(words);
   return result;
}

static uint32_t
expect_parameters(uint32_t x, uint32_t n)
{
   uint32_t sum = 0;
   for (uint32_t k = 0; k < n; k++)
      sum += k % 2 ? k % 60 : x;
   return sum;
}

/* Calls of one function after each other. */
static uint32_t
emit_calls(struct spv *s, uint32_t n)
{
   uint32_t type = SPV_TYPE(s, SpvOpTypeFunction, s->uint_type, s->uint_type), value = s->x;
   struct function f = begin_function(s, type);
   end_function(s, in_function(s, SpvOpIAdd, in_function(s, SpvOpIMul, f.param, spv_uint(s, 5)), f.param));
   for (uint32_t k = 0; k < n; k++)
      value = call(s, f.id, spv_value(s, SpvOpBitwiseXor, s->uint_type, value, spv_uint(s, k)));
   return value;
}

static uint32_t
expect_calls(uint32_t x, uint32_t n)
{
   for (uint32_t k = 0; k < n; k++)
      x = (x ^ k) * 6;
   return x;
}

/* Functions that nobody calls. */
static uint32_t
emit_functions(struct spv *s, uint32_t n)
{
   uint32_t type = SPV_TYPE(s, SpvOpTypeFunction, s->uint_type, s->uint_type);
   for (uint32_t k = 0; k < n; k++) {
      struct function f = begin_function(s, type);
      end_function(s, in_function(s, SpvOpIAdd, f.param, f.param));
   }
   return s->x;
}

/* main by other names. */
static uint32_t
emit_entries(struct spv *s, uint32_t n)
{
   for (uint32_t k = 0; k < n; k++) {
      const uint32_t digits =
         '0' + k / 1000 % 10 + (('0' + k / 100 % 10) << 8) + (('0' + k / 10 % 10) << 16) + (('0' + k % 10) << 24);
      SPV(&s->entries, SpvOpEntryPoint, SpvExecutionModelGLCompute, s->main, digits, 'A' + k / 10000, s->lane_input);
   }
   return s->x;
}

/* if (x == 0) return 0; if (x == 1) return 3; ... return 1; */
static uint32_t
emit_returns(struct spv *s, uint32_t n)
{
   uint32_t type = SPV_TYPE(s, SpvOpTypeFunction, s->uint_type, s->uint_type);
   struct function f = begin_function(s, type);
   for (uint32_t k = 0; k < n; k++) {
      uint32_t equal = spv_id(s), leave = spv_id(s), stay = spv_id(s);
      SPV(&s->functions, SpvOpIEqual, s->bool_type, equal, f.param, spv_uint(s, k));
      SPV(&s->functions, SpvOpSelectionMerge, stay, 0);
      SPV(&s->functions, SpvOpBranchConditional, equal, leave, stay);
      SPV(&s->functions, SpvOpLabel, leave);
      SPV(&s->functions, SpvOpReturnValue, spv_uint(s, 3 * k));
      SPV(&s->functions, SpvOpLabel, stay);
   }
   end_function(s, spv_uint(s, 1));
   return call(s, f.id, s->x);
}

static uint32_t
expect_returns(uint32_t x, uint32_t n)
{
   return x < n ? 3 * x : 1;
}

/* The same from inside of loops, which do not repeat: a flag guards what follows each. */
static uint32_t
emit_returns_of_loops(struct spv *s, uint32_t n)
{
   uint32_t type = SPV_TYPE(s, SpvOpTypeFunction, s->uint_type, s->uint_type);
   struct function f = begin_function(s, type);
   for (uint32_t k = 0; k < n; k++) {
      uint32_t equal = spv_id(s), leave = spv_id(s), header = spv_id(s), next = spv_id(s), merge = spv_id(s);
      SPV(&s->functions, SpvOpBranch, header);
      SPV(&s->functions, SpvOpLabel, header);
      SPV(&s->functions, SpvOpIEqual, s->bool_type, equal, f.param, spv_uint(s, k));
      SPV(&s->functions, SpvOpLoopMerge, merge, next, 0);
      SPV(&s->functions, SpvOpBranchConditional, equal, leave, merge);
      SPV(&s->functions, SpvOpLabel, leave);
      SPV(&s->functions, SpvOpReturnValue, spv_uint(s, 3 * k));
      SPV(&s->functions, SpvOpLabel, next);
      SPV(&s->functions, SpvOpBranch, header);
      SPV(&s->functions, SpvOpLabel, merge);
   }
   end_function(s, spv_uint(s, 1));
   return call(s, f.id, s->x);
}

/* After the functions. */
static uint32_t
emit_nonsemantic(struct spv *s, uint32_t n)
{
   const uint32_t words[] = {'S' | 'P' << 8 | 'V' << 16 | (uint32_t)'_' << 24,
                             'K' | 'H' << 8 | 'R' << 16 | (uint32_t)'_' << 24,
                             'n' | 'o' << 8 | 'n' << 16 | (uint32_t)'_' << 24,
                             's' | 'e' << 8 | 'm' << 16 | (uint32_t)'a' << 24,
                             'n' | 't' << 8 | 'i' << 16 | (uint32_t)'c' << 24,
                             '_' | 'i' << 8 | 'n' << 16 | (uint32_t)'f' << 24,
                             'o'};
   uint32_t set = spv_import(s, "NonSemantic.Indium"),
            type = SPV_TYPE(s, SpvOpTypeFunction, s->uint_type, s->uint_type);
   spv_op(&s->extensions, SpvOpExtension, words, 7);
   for (uint32_t k = 0; k < n; k++)
      SPV(&s->functions, SpvOpExtInst, s->void_type, spv_id(s), set, k);
   struct function f = begin_function(s, type);
   end_function(s, f.param);
   for (uint32_t k = 0; k < n; k++)
      SPV(&s->functions, SpvOpExtInst, s->void_type, spv_id(s), set, k);
   return call(s, f.id, s->x);
}

/* An exponent of 16 bits: that of x is its length. */
static uint32_t
emit_frexp16(struct spv *s, uint32_t n)
{
   uint32_t set = spv_import(s, "GLSL.std.450"), half = SPV_TYPE(s, SpvOpTypeFloat, 16);
   uint32_t exponent = SPV_TYPE(s, SpvOpTypeInt, 16, 1), pair = SPV_TYPE(s, SpvOpTypeStruct, half, exponent);
   uint32_t value = spv_id(s), both = spv_id(s), part = spv_id(s), wide = spv_id(s);
   SPV(&s->extensions, SpvOpCapability, SpvCapabilityFloat16);
   SPV(&s->extensions, SpvOpCapability, SpvCapabilityInt16);
   SPV(&s->code, SpvOpConvertUToF, half, value, spv_value(s, SpvOpUMod, s->uint_type, s->x, spv_uint(s, n)));
   SPV(&s->code, SpvOpExtInst, pair, both, set, GLSLstd450FrexpStruct, value);
   SPV(&s->code, SpvOpCompositeExtract, exponent, part, both, 1);
   SPV(&s->code, SpvOpUConvert, s->uint_type, wide, part);
   return wide;
}

static uint32_t
expect_frexp16(uint32_t x, uint32_t n)
{
   return x % n ? 32 - (uint32_t)__builtin_clz(x % n) : 0;
}

static uint32_t
expect_x(uint32_t x, uint32_t n)
{
   (void)n;
   return x;
}

const struct construct constructs_calls[] = {
   {"deep_calls", {3, 40, 1000}, emit_deep_calls, expect_deep_calls},
   {"twice", {3, 8, 14}, emit_twice, expect_twice},
   {"parameters", {3, 40, 255}, emit_parameters, expect_parameters},
   {"calls", {3, 300, 10000}, emit_calls, expect_calls},
   {"returns", {3, 100, 3000}, emit_returns, expect_returns},
   {"returns_of_loops", {3, 100, 1500}, emit_returns_of_loops, expect_returns},
   {"nonsemantic", {3, 100, 10000}, emit_nonsemantic, expect_x},
   {"frexp16", {3, 100, 2048}, emit_frexp16, expect_frexp16},
   {"functions", {3, 300, 10000}, emit_functions, expect_x},
   {"entries", {10, 1000, 20000}, emit_entries, expect_x},
   {0},
};

struct spv_words
construct_module(const struct construct *construct, uint32_t n, uint32_t lanes)
{
   struct spv s;
   spv_begin(&s);
   return spv_end(&s, construct->emit(&s, n), lanes);
}
