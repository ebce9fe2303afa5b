/* One instruction of a block. */
#include "compiler/spirv/spirv_emit.h"

/* A parameter stands for the argument: value, pointer or handle. */
static void
bind(struct spirv_emit *e, uint32_t param, uint32_t argument)
{
   struct spirv_id *to = &e->m->ids[param];
   const struct spirv_id *from = &e->m->ids[argument];
   const struct spirv_type *type = spirv_type(e->m, to->type_id);
   spirv_require(e->m, from->type_id == to->type_id, "argument %%%u has another type than the parameter", argument);
   if (from->kind == SPIRV_ID_VARIABLE || from->kind == SPIRV_ID_POINTER) {
      to->pointer = spirv_pointer(e, argument);
      to->kind = SPIRV_ID_POINTER;
   } else if (from->kind == SPIRV_ID_HANDLE) {
      to->handle = spirv_handle(e, argument);
      to->kind = SPIRV_ID_HANDLE;
   } else {
      to->ssa = spirv_ssa(e, argument);
      to->kind = SPIRV_ID_SSA;
   }
   spirv_require(e->m, spirv_is_pointer(e, param) == (type->kind == SPIRV_TYPE_POINTER), "argument %%%u is no %s",
                 argument, spirv_type_name(e->m, type));
}

static struct spirv_function *
find_function(struct spirv_module *m, uint32_t id)
{
   spirv_require(m, m->ids[id].opcode == SpvOpFunction, "%%%u is no function", id);
   return spirv_function(m, m->ids[id].function_index);
}

static void
emit_call(struct spirv_emit *e, const uint32_t *w)
{
   struct spirv_module *m = e->m;
   struct spirv_function *function = find_function(m, w[3]);
   struct spirv_ssa *value = e->return_value;
   spirv_require(m, !function->active, "function %%%u calls itself", w[3]);
   spirv_require(m, e->cf_depth + e->call_depth < SPIRV_MAX_CF_DEPTH, "calls nest too deep");
   spirv_require(m, spirv_length(w) - 4 == function->num_params, "%u arguments for %u parameters",
                 spirv_length(w) - 4, function->num_params);
   spirv_analyze_function(m, function);
   spirv_require(m, function->type->element == spirv_result_type(e, w), "the result type is not the function's");
   for (uint32_t i = 0; i < function->num_params; i++)
      bind(e, *dynarray_at(&m->param_ids, uint32_t, function->first_param + i), w[4 + i]);
   e->call_depth++;
   function->active = true;
   spirv_emit_tree(e, function);
   function->active = false;
   e->call_depth--;
   if (function->type->element->kind == SPIRV_TYPE_VOID)
      m->ids[w[2]].kind = SPIRV_ID_VOID;
   else
      spirv_set_ssa(e, w, e->return_value);
   e->return_value = value;
}

static bool
is_exact(const struct spirv_module *m, uint32_t id)
{
   return m->ids[id].flags & SPIRV_ID_NO_CONTRACTION || (m->exact_default && !(m->ids[id].flags & SPIRV_ID_FAST));
}

void
spirv_emit_instruction(struct spirv_emit *e, const uint32_t *w)
{
   struct spirv_module *m = e->m;
   const struct spirv_op_info *info;
   switch (spirv_opcode(w)) {
   case SpvOpNop:
   case SpvOpLine:
   case SpvOpNoLine:
      return;
   case SpvOpExtInstWithForwardRefsKHR:
      return;
   case SpvOpExtInst:
      if (spirv_is_skipped(m, w))
         return;
      e->b.exact = is_exact(m, w[2]);
      if (!spirv_emit_amd(e, w))
         spirv_emit_glsl(e, w);
      e->b.exact = false;
      return;
   case SpvOpFunctionCall:
      emit_call(e, w);
      return;
   default: /* others: asked of the families below */
      break;
   }
   info = spirv_op_info(spirv_opcode(w));
   bool has_result =
      info->num_operands >= 2 && spirv_operand_infos[info->first_operand + 1].kind == SPIRV_KIND_ID_RESULT;
   e->b.exact = has_result && is_exact(m, w[2]);
   bool known = spirv_emit_cooperative(e, w) || spirv_emit_memory(e, w) || spirv_emit_untyped(e, w) ||
                spirv_emit_address(e, w) || spirv_emit_arithmetic(e, w) || spirv_emit_composite(e, w) ||
                spirv_emit_conversion(e, w) || spirv_emit_matrix(e, w) || spirv_emit_texture(e, w) ||
                spirv_emit_image(e, w) || spirv_emit_atomic(e, w) || spirv_emit_barrier(e, w) ||
                spirv_emit_subgroup(e, w) || spirv_emit_dot(e, w) || spirv_emit_bits(e, w) ||
                spirv_emit_intel(e, w) || spirv_emit_geometry(e, w) || spirv_emit_mesh(e, w);
   e->b.exact = false;
   spirv_require(m, known, "the instruction is not supported");
}
