/* SPIR-V of ordered sections in all shapes, and the same in C: what one invocation does to the words of its pixel. */
/* size: a table of programs */
#ifndef INDIUM_TESTS_POPS_MODULES_H
#define INDIUM_TESTS_POPS_MODULES_H

#include <stdbool.h>
#include <stdint.h>

/* In front of the first function; between the parts stand an interlock capability and an interlock mode. */
#define MODULE_CAPABILITIES                                                                                          \
   "OpCapability Shader\n"                                                                                          \
   "OpCapability DemoteToHelperInvocation\n"
#define MODULE_ENTRY                                                                                                 \
   "OpExtension \"SPV_EXT_fragment_shader_interlock\"\n"                                                            \
   "OpExtension \"SPV_EXT_demote_to_helper_invocation\"\n"                                                          \
   "OpMemoryModel Logical GLSL450\n"                                                                                \
   "OpEntryPoint Fragment %main \"main\" %coord %number %coverage\n"                                                \
   "OpExecutionMode %main OriginUpperLeft\n"
#define MODULE_TYPES                                                                                                 \
   "OpDecorate %coord BuiltIn FragCoord\n"                                                                          \
   "OpDecorate %coverage BuiltIn SampleMask\n"                                                                      \
   "OpDecorate %number Location 0\n"                                                                                \
   "OpDecorate %number Flat\n"                                                                                      \
   "OpDecorate %array ArrayStride 4\n"                                                                              \
   "OpDecorate %block Block\n"                                                                                      \
   "OpMemberDecorate %block 0 Offset 0\n"                                                                           \
   "OpDecorate %buffer DescriptorSet 0\n"                                                                           \
   "OpDecorate %buffer Binding 0\n"                                                                                 \
   "%void = OpTypeVoid\n"                                                                                           \
   "%bool = OpTypeBool\n"                                                                                           \
   "%int = OpTypeInt 32 1\n"                                                                                        \
   "%uint = OpTypeInt 32 0\n"                                                                                       \
   "%float = OpTypeFloat 32\n"                                                                                      \
   "%v4 = OpTypeVector %float 4\n"                                                                                  \
   "%i0 = OpConstant %int 0\n"                                                                                      \
   "%u0 = OpConstant %uint 0\n"                                                                                     \
   "%u1 = OpConstant %uint 1\n"                                                                                     \
   "%u2 = OpConstant %uint 2\n"                                                                                     \
   "%u3 = OpConstant %uint 3\n"                                                                                     \
   "%u4 = OpConstant %uint 4\n"                                                                                     \
   "%u5 = OpConstant %uint 5\n"                                                                                     \
   "%u6 = OpConstant %uint 6\n"                                                                                     \
   "%u7 = OpConstant %uint 7\n"                                                                                     \
   "%u64 = OpConstant %uint 64\n"                                                                                   \
   "%million = OpConstant %uint 1000000\n"                                                                          \
   "%one = OpConstant %uint 1\n"                                                                                    \
   "%array = OpTypeRuntimeArray %uint\n"                                                                            \
   "%block = OpTypeStruct %array\n"                                                                                 \
   "%p_block = OpTypePointer StorageBuffer %block\n"                                                                \
   "%p_word = OpTypePointer StorageBuffer %uint\n"                                                                  \
   "%p_v4 = OpTypePointer Input %v4\n"                                                                              \
   "%p_float = OpTypePointer Input %float\n"                                                                        \
   "%masks = OpTypeArray %int %one\n"                                                                               \
   "%p_masks = OpTypePointer Input %masks\n"                                                                        \
   "%p_mask = OpTypePointer Input %int\n"                                                                           \
   "%buffer = OpVariable %p_block StorageBuffer\n"                                                                  \
   "%coord = OpVariable %p_v4 Input\n"                                                                              \
   "%number = OpVariable %p_float Input\n"                                                                          \
   "%coverage = OpVariable %p_masks Input\n"                                                                        \
   "%f_void = OpTypeFunction %void\n"                                                                               \
   "%f_uint = OpTypeFunction %void %uint\n"                                                                         \
   "%f_get = OpTypeFunction %uint\n"                                                                                \
   "%f_when = OpTypeFunction %bool %uint\n"

#define FUNCTION(name) "%" name " = OpFunction %void None %f_void\n%" name "_0 = OpLabel\n"
#define FUNCTION_OF(name) /* of a number, %NAME_n */                                                                 \
   "%" name " = OpFunction %void None %f_uint\n%" name "_n = OpFunctionParameter %uint\n%" name "_0 = OpLabel\n"
#define FUNCTION_END "OpReturn\nOpFunctionEnd\n"
#define BEGIN "OpBeginInvocationInterlockEXT\n"
#define END "OpEndInvocationInterlockEXT\n"
#define CALL(result, name) "%" result " = OpFunctionCall %void %" name "\n"
#define CALL_OF(result, name, n) "%" result " = OpFunctionCall %void %" name " %" n "\n"
#define TOUCH(result, n) CALL_OF(result, "touch", n)
#define WHEN(n) "%w" n " = OpFunctionCall %bool %when %u" n "\n"
#define IF(n) /* what when() says of n */                                                                            \
   WHEN(n) "OpSelectionMerge %join" n " None\nOpBranchConditional %w" n " %yes" n " %join" n "\n%yes" n " = OpLabel\n"
#define IF_ELSE(n)                                                                                                   \
   WHEN(n) "OpSelectionMerge %join" n " None\nOpBranchConditional %w" n " %yes" n " %no" n "\n%yes" n " = OpLabel\n"
#define ELSE(n) "OpBranch %join" n "\n%no" n " = OpLabel\n"
#define END_IF(n) "OpBranch %join" n "\n%join" n " = OpLabel\n"
#define RETURN_IF(n) IF(n) "OpReturn\n%join" n " = OpLabel\n"
#define LOOP(n, limit) /* %iN counts from 0 */                                                                       \
   "OpBranch %pre" n "\n%pre" n " = OpLabel\nOpBranch %head" n "\n%head" n " = OpLabel\n"                           \
   "%i" n " = OpPhi %uint %u0 %pre" n " %next" n " %again" n "\nOpLoopMerge %end" n " %again" n " None\n"           \
   "OpBranch %test" n "\n%test" n " = OpLabel\n%more" n " = OpULessThan %bool %i" n " %" limit "\n"                 \
   "OpBranchConditional %more" n " %body" n " %end" n "\n%body" n " = OpLabel\n"
#define END_LOOP(n)                                                                                                  \
   "OpBranch %again" n "\n%again" n " = OpLabel\n%next" n " = OpIAdd %uint %i" n " %u1\nOpBranch %head" n "\n"      \
   "%end" n " = OpLabel\n"

/* After the module's own functions. touch(n): word = word * 3 + id + n for each covered sample; when(n): a bit that
 * depends on the pixel and the rectangle; ordered(n): touch(n) in a section. */
#define MODULE_FUNCTIONS                                                                                             \
   "%get_id = OpFunction %uint None %f_get\n%get_id_0 = OpLabel\n"                                                  \
   "%id_f = OpLoad %float %number\n%id = OpConvertFToU %uint %id_f\nOpReturnValue %id\nOpFunctionEnd\n"             \
   "%get_x = OpFunction %uint None %f_get\n%get_x_0 = OpLabel\n"                                                    \
   "%x_v = OpLoad %v4 %coord\n%x_f = OpCompositeExtract %float %x_v 0\n%x = OpConvertFToU %uint %x_f\n"             \
   "OpReturnValue %x\nOpFunctionEnd\n"                                                                              \
   "%get_y = OpFunction %uint None %f_get\n%get_y_0 = OpLabel\n"                                                    \
   "%y_v = OpLoad %v4 %coord\n%y_f = OpCompositeExtract %float %y_v 1\n%y = OpConvertFToU %uint %y_f\n"             \
   "OpReturnValue %y\nOpFunctionEnd\n"                                                                              \
   "%when = OpFunction %bool None %f_when\n%when_n = OpFunctionParameter %uint\n%when_0 = OpLabel\n"                \
   "%when_id = OpFunctionCall %uint %get_id\n%when_x = OpFunctionCall %uint %get_x\n"                               \
   "%when_y = OpFunctionCall %uint %get_y\n%when_a = OpIMul %uint %when_id %u3\n"                                   \
   "%when_b = OpIMul %uint %when_x %u5\n%when_c = OpIMul %uint %when_y %u7\n"                                       \
   "%when_ab = OpIAdd %uint %when_a %when_b\n%when_abc = OpIAdd %uint %when_ab %when_c\n"                           \
   "%when_s = OpShiftRightLogical %uint %when_abc %when_n\n%when_bit = OpBitwiseAnd %uint %when_s %u1\n"            \
   "%when_is = OpINotEqual %bool %when_bit %u0\nOpReturnValue %when_is\nOpFunctionEnd\n"                            \
   FUNCTION_OF("ordered") BEGIN TOUCH("ordered_r", "ordered_n") END FUNCTION_END                                    \
   FUNCTION_OF("touch") LOOP("_s", "u4")                                                                            \
   "%mask_p = OpAccessChain %p_mask %coverage %i0\n%mask_i = OpLoad %int %mask_p\n"                                 \
   "%mask = OpBitcast %uint %mask_i\n%mask_s = OpShiftRightLogical %uint %mask %i_s\n"                              \
   "%covers = OpBitwiseAnd %uint %mask_s %u1\n%is_in = OpINotEqual %bool %covers %u0\n"                             \
   "OpSelectionMerge %skip None\nOpBranchConditional %is_in %do %skip\n%do = OpLabel\n"                             \
   "%t_x = OpFunctionCall %uint %get_x\n%t_y = OpFunctionCall %uint %get_y\n%t_id = OpFunctionCall %uint %get_id\n" \
   "%row = OpIMul %uint %t_y %u64\n%pixel = OpIAdd %uint %row %t_x\n%first = OpIMul %uint %pixel %u4\n"             \
   "%at = OpIAdd %uint %first %i_s\n%word = OpAccessChain %p_word %buffer %i0 %at\n%old = OpLoad %uint %word\n"     \
   "%three = OpIMul %uint %old %u3\n%sum = OpIAdd %uint %three %t_id\n%new = OpIAdd %uint %sum %touch_n\n"          \
   "OpStore %word %new\nOpBranch %skip\n%skip = OpLabel\n" END_LOOP("_s") FUNCTION_END

struct invocation {
   uint32_t id, x, y, mask; /* mask: samples */
   uint32_t *words;         /* one a sample */
   bool helper;
};

static inline void
touch(struct invocation *v, uint32_t n)
{
   for (unsigned s = 0; s < 4 && !v->helper; s++)
      if (v->mask >> s & 1)
         v->words[s] = v->words[s] * 3 + v->id + n;
}

static inline bool
when(const struct invocation *v, uint32_t n)
{
   return (v->id * 3 + v->x * 5 + v->y * 7) >> n & 1;
}

static inline void
in_calls(struct invocation *v)
{
   touch(v, 4);
}

static inline void
in_branches(struct invocation *v)
{
   touch(v, when(v, 1) ? 5 : 2);
}

static inline void
in_one_branch(struct invocation *v)
{
   if (when(v, 0) && when(v, 2))
      touch(v, 3);
}

static inline void
around_branches(struct invocation *v)
{
   touch(v, 1);
   if (when(v, 1)) {
      touch(v, 2);
      if (when(v, 2))
         touch(v, 7);
   } else {
      touch(v, 3);
   }
   touch(v, 4);
}

static inline void
around_a_loop(struct invocation *v)
{
   for (uint32_t i = 0; i < (v->id & 3); i++) {
      if (!when(v, i))
         touch(v, i);
   }
   touch(v, 5);
}

static inline void
in_a_loop(struct invocation *v)
{
   for (uint32_t i = 0; i < 3; i++)
      if (when(v, i))
         touch(v, i);
}

static inline void
several(struct invocation *v)
{
   touch(v, 1);
   if (when(v, 1))
      touch(v, 2);
   if (when(v, 2))
      touch(v, 3);
   else
      touch(v, 4);
}

static inline void
never(struct invocation *v)
{
}

static inline void
never_and_once(struct invocation *v)
{
   touch(v, 6);
}

static inline void
return_before(struct invocation *v)
{
   if (!when(v, 1) && !when(v, 0))
      touch(v, 1);
}

static inline void
return_inside(struct invocation *v)
{
   touch(v, 1);
   if (!when(v, 1))
      touch(v, 2);
}

static inline void
return_from_a_loop(struct invocation *v)
{
   for (uint32_t i = 0; i < 4; i++) {
      touch(v, i);
      if (when(v, i))
         return;
   }
   touch(v, 7);
}

static inline void
kill_before(struct invocation *v)
{
   if (!when(v, 1))
      touch(v, 1);
}

static inline void
demote_inside(struct invocation *v)
{
   touch(v, 1);
   v->helper = when(v, 1);
   touch(v, 2);
}

static inline void
kill_in_a_loop(struct invocation *v)
{
   for (uint32_t i = 0; i < 3; i++) {
      touch(v, i);
      if (when(v, i))
         return;
   }
   touch(v, 6);
}

static inline void
kill_in_a_branch(struct invocation *v)
{
   if (!when(v, 0))
      return;
   touch(v, 1);
   if (!when(v, 1))
      touch(v, 2);
}

static inline void
all_killed_in_a_branch(struct invocation *v)
{
   if (when(v, 0))
      touch(v, 1);
}

static inline void
in_cases(struct invocation *v)
{
   switch (v->id & 3) {
   case 0:
      touch(v, 1);
      break;
   case 1:
      touch(v, 2);
      touch(v, 3);
      break;
   case 2:
      touch(v, 3);
      break;
   default:
      if (when(v, 2))
         touch(v, 7);
      break;
   }
}

static inline void
deep(struct invocation *v)
{
   for (uint32_t i = 0; i < 2; i++) {
      if (!when(v, i))
         continue;
      for (uint32_t k = 0; k < 2; k++)
         touch(v, i + k);
   }
   touch(v, 3);
}

#define NUMBER_AND(n) "%id_n = OpFunctionCall %uint %get_id\n%number_n = OpBitwiseAnd %uint %id_n %" n "\n"

static const struct {
   const char *name, *functions; /* main and what it calls */
   void (*run)(struct invocation *v);
   /* clang-format off */
} modules[] = {
   {"begin and end in functions of functions",
    FUNCTION("main") CALL("r", "outer") FUNCTION_END FUNCTION("outer") CALL("o0", "enter") TOUCH("o1", "u4")
    CALL("o2", "leave") FUNCTION_END FUNCTION("enter") CALL("e0", "begin") FUNCTION_END FUNCTION("begin") BEGIN
    FUNCTION_END FUNCTION("leave") END FUNCTION_END, in_calls},
   {"calls in both branches",
    FUNCTION("main") IF_ELSE("1") CALL_OF("a", "ordered", "u5") ELSE("1") CALL_OF("b", "ordered", "u2") END_IF("1")
    FUNCTION_END, in_branches},
   {"the same pair of functions in both branches",
    FUNCTION("main") IF_ELSE("1") CALL("a", "enter") TOUCH("b", "u5") CALL("c", "leave") ELSE("1") CALL("d", "enter")
    TOUCH("e", "u2") CALL("f", "leave") END_IF("1") FUNCTION_END FUNCTION("enter") BEGIN FUNCTION_END
    FUNCTION("leave") END FUNCTION_END, in_branches},
   {"branches around, one pair", FUNCTION("main") BEGIN IF_ELSE("1") TOUCH("a", "u5") ELSE("1") TOUCH("b", "u2")
    END_IF("1") END FUNCTION_END, in_branches},
   {"a branch in a branch", FUNCTION("main") IF("0") IF("2") CALL_OF("a", "ordered", "u3") END_IF("2") END_IF("0")
    FUNCTION_END, in_one_branch},
   {"a call in a branch that has a branch",
    FUNCTION("main") IF("0") CALL("a", "inner") END_IF("0") FUNCTION_END FUNCTION("inner") IF("2")
    CALL_OF("b", "ordered", "u3") END_IF("2") FUNCTION_END, in_one_branch},
   {"branches inside", FUNCTION("main") BEGIN TOUCH("a", "u1") IF_ELSE("1") TOUCH("b", "u2") IF("2") TOUCH("c", "u7")
    END_IF("2") ELSE("1") TOUCH("d", "u3") END_IF("1") TOUCH("e", "u4") END FUNCTION_END, around_branches},
   {"a loop inside", FUNCTION("main") NUMBER_AND("u3") BEGIN LOOP("l", "number_n")
    "%c = OpFunctionCall %bool %when %il\nOpSelectionMerge %joinx None\nOpBranchConditional %c %joinx %yesx\n"
    "%yesx = OpLabel\n" TOUCH("a", "il") END_IF("x") END_LOOP("l") TOUCH("b", "u5") END FUNCTION_END, around_a_loop},
   {"a section in a loop", FUNCTION("main") LOOP("l", "u3")
    "%c = OpFunctionCall %bool %when %il\nOpSelectionMerge %joinx None\nOpBranchConditional %c %yesx %joinx\n"
    "%yesx = OpLabel\n" CALL_OF("a", "ordered", "il") END_IF("x") END_LOOP("l") FUNCTION_END, in_a_loop},
   {"a loop with a section of nothing", FUNCTION("main") LOOP("l", "u3") BEGIN
    "%c = OpFunctionCall %bool %when %il\nOpSelectionMerge %joinx None\nOpBranchConditional %c %yesx %joinx\n"
    "%yesx = OpLabel\n" TOUCH("a", "il") END_IF("x") END END_LOOP("l") FUNCTION_END, in_a_loop},
   {"several pairs", FUNCTION("main") CALL_OF("a", "ordered", "u1") IF("1") CALL_OF("b", "ordered", "u2") END_IF("1")
    IF_ELSE("2") BEGIN TOUCH("c", "u3") END ELSE("2") CALL_OF("d", "ordered", "u4") END_IF("2") FUNCTION_END,
    several},
   {"a pair that is never executed", FUNCTION("main")
    "%n = OpFunctionCall %uint %get_id\n%c = OpUGreaterThan %bool %n %million\n"
    "OpSelectionMerge %joinx None\nOpBranchConditional %c %yesx %joinx\n%yesx = OpLabel\n"
    CALL_OF("a", "ordered", "u1") END_IF("x") FUNCTION_END, never},
   {"a pair in a function that nobody calls", FUNCTION("main") FUNCTION_END, never},
   {"a pair that is never executed, and one that is", FUNCTION("main")
    "%n = OpFunctionCall %uint %get_id\n%c = OpUGreaterThan %bool %n %million\n"
    "OpSelectionMerge %joinx None\nOpBranchConditional %c %yesx %joinx\n%yesx = OpLabel\n"
    CALL_OF("a", "ordered", "u1") END_IF("x") CALL_OF("b", "ordered", "u6") FUNCTION_END, never_and_once},
   {"an early return from main and from a function", FUNCTION("main") RETURN_IF("1") CALL("a", "inner") FUNCTION_END
    FUNCTION("inner") RETURN_IF("0") CALL_OF("b", "ordered", "u1") FUNCTION_END, return_before},
   {"a return inside, after an end", FUNCTION("main") BEGIN TOUCH("a", "u1") IF("1") END
    "OpReturn\n%join1 = OpLabel\n" TOUCH("b", "u2") END FUNCTION_END, return_inside},
   {"a function that returns early, inside", FUNCTION("main") BEGIN CALL("a", "inner") END FUNCTION_END
    FUNCTION("inner") TOUCH("b", "u1") RETURN_IF("1") TOUCH("c", "u2") FUNCTION_END, return_inside},
   {"a return from a loop inside", FUNCTION("main") BEGIN CALL("a", "inner") END FUNCTION_END
    FUNCTION("inner") LOOP("l", "u4") TOUCH("b", "il") "%c = OpFunctionCall %bool %when %il\n"
    "OpSelectionMerge %joinx None\nOpBranchConditional %c %yesx %joinx\n%yesx = OpLabel\nOpReturn\n%joinx = OpLabel\n"
    END_LOOP("l") TOUCH("d", "u7") FUNCTION_END, return_from_a_loop},
   {"OpKill before", FUNCTION("main") IF("1") "OpKill\n%join1 = OpLabel\n" CALL_OF("a", "ordered", "u1") FUNCTION_END,
    kill_before},
   {"OpKill inside", FUNCTION("main") BEGIN TOUCH("a", "u1") IF("1") "OpKill\n%join1 = OpLabel\n" TOUCH("b", "u2") END
    FUNCTION_END, return_inside},
   {"OpKill inside, in a branch", FUNCTION("main") IF("0") BEGIN TOUCH("a", "u1") IF("1") "OpKill\n%join1 = OpLabel\n"
    TOUCH("b", "u2") END END_IF("0") FUNCTION_END, kill_in_a_branch},
   {"OpKill inside for all, in a branch", FUNCTION("main") IF("0") BEGIN TOUCH("a", "u1")
    "OpSelectionMerge %joinx None\nOpBranchConditional %w0 %yesx %joinx\n%yesx = OpLabel\nOpKill\n%joinx = OpLabel\n"
    TOUCH("b", "u2") END END_IF("0") FUNCTION_END, all_killed_in_a_branch},
   {"OpKill in a function, inside", FUNCTION("main") BEGIN TOUCH("a", "u1") CALL("b", "inner") TOUCH("c", "u2") END
    FUNCTION_END FUNCTION("inner") IF("1") "OpKill\n%join1 = OpLabel\n" FUNCTION_END, return_inside},
   {"OpDemoteToHelperInvocation inside", FUNCTION("main") BEGIN TOUCH("a", "u1") IF("1")
    "OpDemoteToHelperInvocationEXT\n" END_IF("1") TOUCH("b", "u2") END FUNCTION_END, demote_inside},
   {"OpKill in a loop inside", FUNCTION("main") BEGIN LOOP("l", "u3") TOUCH("a", "il")
    "%c = OpFunctionCall %bool %when %il\n"
    "OpSelectionMerge %joinx None\nOpBranchConditional %c %yesx %joinx\n%yesx = OpLabel\nOpKill\n%joinx = OpLabel\n"
    END_LOOP("l") TOUCH("b", "u6") END FUNCTION_END, kill_in_a_loop},
   {"sections in cases that fall through", FUNCTION("main") NUMBER_AND("u3")
    "OpSelectionMerge %done None\nOpSwitch %number_n %other 0 %case0 1 %case1 2 %case2\n"
    "%case0 = OpLabel\n" CALL_OF("a", "ordered", "u1") "OpBranch %done\n"
    "%case1 = OpLabel\n" CALL_OF("b", "ordered", "u2") "OpBranch %case2\n"
    "%case2 = OpLabel\n" CALL_OF("c", "ordered", "u3") "OpBranch %done\n"
    "%other = OpLabel\n" IF("2") CALL_OF("d", "ordered", "u7") END_IF("2") "OpBranch %done\n%done = OpLabel\n"
    FUNCTION_END, in_cases},
   {"calls in loops in calls in branches in loops", FUNCTION("main") LOOP("l", "u2")
    "%c = OpFunctionCall %bool %when %il\nOpSelectionMerge %joinx None\nOpBranchConditional %c %yesx %joinx\n"
    "%yesx = OpLabel\n" CALL_OF("a", "inner", "il") END_IF("x") END_LOOP("l") CALL_OF("b", "ordered", "u3")
    FUNCTION_END FUNCTION_OF("inner") LOOP("k", "u2") "%both = OpIAdd %uint %inner_n %ik\n"
    CALL_OF("d", "ordered", "both") END_LOOP("k") FUNCTION_END, deep},
};
/* clang-format on */

/* Undefined in most executions: what they leave in memory does not matter, but they come to an end. */
static const struct {
   const char *name, *functions;
} wrong_modules[] = {
   {"an end on one path only", FUNCTION("main") BEGIN TOUCH("a", "u1") IF("1") END END_IF("1") FUNCTION_END},
   {"a return without end", FUNCTION("main") BEGIN TOUCH("a", "u1") RETURN_IF("1") TOUCH("b", "u2") END FUNCTION_END},
   {"a begin on one path only", FUNCTION("main") IF("1") BEGIN END_IF("1") TOUCH("a", "u1") END FUNCTION_END},
   {"begin and end under different conditions",
    FUNCTION("main") IF("0") BEGIN END_IF("0") TOUCH("a", "u1") IF("1") END END_IF("1") FUNCTION_END},
   {"begin in one branch, end in the other",
    FUNCTION("main") IF("0") IF_ELSE("1") BEGIN TOUCH("a", "u1") ELSE("1") TOUCH("b", "u1") END END_IF("1")
       END_IF("0") CALL_OF("c", "ordered", "u3") FUNCTION_END},
   {"a second begin on one path",
    FUNCTION("main") BEGIN TOUCH("a", "u1") IF("1") BEGIN END_IF("1") TOUCH("b", "u2") END FUNCTION_END},
   {"a second end on one path", FUNCTION("main") BEGIN TOUCH("a", "u1") END IF("1") END END_IF("1") FUNCTION_END},
   {"begins in a loop, one end",
    FUNCTION("main") LOOP("l", "u3") BEGIN TOUCH("a", "il") END_LOOP("l") END FUNCTION_END},
   {"one begin, ends in a loop",
    FUNCTION("main") BEGIN LOOP("l", "u3") TOUCH("a", "il") END END_LOOP("l") FUNCTION_END},
   {"an end in a loop, then a begin", FUNCTION("main") LOOP("l", "u3") END TOUCH("a", "il") BEGIN END_LOOP("l")
                                         CALL_OF("b", "ordered", "u1") FUNCTION_END},
   {"a begin in a loop, returns with and without end",
    FUNCTION("main") LOOP("l", "u3") BEGIN TOUCH("a", "il") RETURN_IF("1") IF("0") END
    "OpReturn\n%join0 = OpLabel\n" END_LOOP("l") FUNCTION_END},
   {"a begin in a loop that some leave by OpKill",
    FUNCTION("main") LOOP("l", "u3") BEGIN TOUCH("a", "il") IF("1") "OpKill\n%join1 = OpLabel\n" END_LOOP("l")
       TOUCH("b", "u1") END FUNCTION_END},
   {"a begin in a branch that all leave by OpKill",
    FUNCTION("main") IF("1") BEGIN TOUCH("a", "u1") "OpKill\n"
                                                    "%join1 = OpLabel\n" CALL_OF("b", "ordered", "u1") FUNCTION_END},
   {"a pair in a pair", FUNCTION("main") BEGIN IF("0") CALL_OF("a", "ordered", "u1") END_IF("0") IF("1") TOUCH(
                           "b", "u2") END END_IF("1") IF("2") BEGIN TOUCH("c", "u2") END END_IF("2") FUNCTION_END},
};

#endif
