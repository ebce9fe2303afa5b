/* Control and memory barriers, scopes, and what else a fragment says about its execution. */
#include "compiler/spirv/spirv_emit.h"

enum nir_scope
spirv_scope(struct spirv_emit *e, uint32_t id)
{
   switch (spirv_constant_u32(e->m, id)) {
   case SpvScopeDevice:
      return NIR_SCOPE_DEVICE;
   case SpvScopeQueueFamily:
      return NIR_SCOPE_QUEUE_FAMILY;
   case SpvScopeWorkgroup:
      return NIR_SCOPE_WORKGROUP;
   case SpvScopeSubgroup:
      return NIR_SCOPE_SUBGROUP;
   case SpvScopeInvocation:
      return NIR_SCOPE_INVOCATION;
   default:
      spirv_fail(e->m, "scope %u is not supported", spirv_constant_u32(e->m, id));
   }
}

static uint32_t
memory_modes(uint32_t semantics)
{
   uint32_t modes = 0;
   if (semantics & SpvMemorySemanticsUniformMemoryMask)
      modes |= NIR_VAR_SSBO | NIR_VAR_GLOBAL;
   if (semantics & SpvMemorySemanticsWorkgroupMemoryMask)
      modes |= NIR_VAR_SHARED;
   if (semantics & SpvMemorySemanticsImageMemoryMask)
      modes |= NIR_VAR_UNIFORM;
   if (semantics & SpvMemorySemanticsOutputMemoryMask)
      modes |= NIR_VAR_SHADER_OUT | NIR_VAR_TASK_PAYLOAD;
   return modes;
}

/* semantics: SpvMemorySemanticsMask bits. memory_modes of the result: storage images are in NIR_VAR_UNIFORM. */
void
spirv_memory_barrier(struct spirv_emit *e, enum nir_scope execution, enum nir_scope memory, uint32_t semantics)
{
   uint32_t bits = 0;
   const uint32_t both = SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsSequentiallyConsistentMask;
   if (semantics & (SpvMemorySemanticsAcquireMask | both))
      bits |= NIR_SEMANTICS_ACQUIRE;
   if (semantics & (SpvMemorySemanticsReleaseMask | both))
      bits |= NIR_SEMANTICS_RELEASE;
   /* Outside of the Vulkan memory model every release makes available and every acquire makes visible. */
   bool implied = e->m->memory_model == SpvMemoryModelGLSL450;
   if (semantics & SpvMemorySemanticsMakeAvailableMask || (implied && bits & NIR_SEMANTICS_RELEASE))
      bits |= NIR_SEMANTICS_MAKE_AVAILABLE;
   if (semantics & SpvMemorySemanticsMakeVisibleMask || (implied && bits & NIR_SEMANTICS_ACQUIRE))
      bits |= NIR_SEMANTICS_MAKE_VISIBLE;
   uint32_t modes = bits ? memory_modes(semantics) : 0;
   if (execution == NIR_SCOPE_NONE && !modes)
      return;
   nir_barrier(&e->b, .execution_scope = execution, .memory_scope = modes ? memory : NIR_SCOPE_NONE,
               .memory_semantics = modes ? bits : 0, .memory_modes = modes);
}

/* A control barrier of a control shader makes the outputs of a patch visible to all its invocations, whatever its
 * semantics are. */
static void
publish_outputs(struct spirv_emit *e)
{
   nir_barrier(&e->b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_WORKGROUP,
               .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE, .memory_modes = NIR_VAR_SHADER_OUT);
}

static void
clock(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   enum nir_scope scope = spirv_scope(e, w[3]);
   spirv_require(e->m, scope == NIR_SCOPE_SUBGROUP || scope == NIR_SCOPE_DEVICE, "a clock of this scope");
   struct nir_def *time = nir_shader_clock(&e->b, .memory_scope = scope);
   spirv_require(e->m, spirv_is_int(type) && !type->is_signed, "the result is no unsigned integer");
   spirv_set_def(e, w, type->bit_size == 64 ? nir_pack_64_2x32(&e->b, time) : time);
}

/* Whether invocations wait for those of the same workgroup or patch. */
static bool
meets_others(const struct nir_shader *shader)
{
   return (NIR_STAGES_WORKGROUPS | 1u << NIR_STAGE_TESS_CTRL) >> shader->stage & 1;
}

bool
spirv_emit_barrier(struct spirv_emit *e, const uint32_t *w)
{
   switch (spirv_opcode(w)) {
   case SpvOpControlBarrier: {
      enum nir_scope execution = spirv_scope(e, w[1]);
      spirv_require(e->m,
                    execution == NIR_SCOPE_SUBGROUP || (execution == NIR_SCOPE_WORKGROUP && meets_others(e->shader)),
                    "a barrier of this scope does not exist here");
      spirv_memory_barrier(e, execution, spirv_scope(e, w[2]), spirv_constant_u32(e->m, w[3]));
      if (execution == NIR_SCOPE_WORKGROUP && e->shader->stage == NIR_STAGE_TESS_CTRL)
         publish_outputs(e);
      return true;
   }
   case SpvOpMemoryBarrier:
      spirv_memory_barrier(e, NIR_SCOPE_NONE, spirv_scope(e, w[1]), spirv_constant_u32(e->m, w[2]));
      return true;
   case SpvOpDemoteToHelperInvocation:
      spirv_require(e->m, e->shader->stage == NIR_STAGE_FRAGMENT, "only a fragment can become a helper");
      nir_demote(&e->b);
      return true;
   case SpvOpBeginInvocationInterlockEXT:
   case SpvOpEndInvocationInterlockEXT:
      spirv_require(e->m, e->shader->info.interlock != NIR_INTERLOCK_NONE,
                    "an ordered section without an interlock mode");
      if (spirv_opcode(w) == SpvOpBeginInvocationInterlockEXT)
         nir_begin_invocation_interlock(&e->b);
      else
         nir_end_invocation_interlock(&e->b);
      return true;
   case SpvOpIsHelperInvocationEXT:
      spirv_require(e->m, e->shader->stage == NIR_STAGE_FRAGMENT, "only a fragment can be a helper");
      spirv_set_def(e, w, nir_is_helper_invocation(&e->b));
      return true;
   case SpvOpReadClockKHR:
      clock(e, w);
      return true;
   default: /* others: not of this file */
      return false;
   }
}
