/* Reads every word of a module once, against the grammar: lengths, operand kinds, enumerants, capabilities and
 * versions, ids (in bounds, defined once, defined before use), the order of sections,
 and the shape of functions and blocks. */
#include <string.h>

#include "compiler/spirv/spirv_module.h"

/* Sections of a module in order (SPIR-V 2.4). */
enum section {
   SECTION_CAPABILITY,
   SECTION_EXTENSION,
   SECTION_EXT_IMPORT,
   SECTION_MEMORY_MODEL,
   SECTION_ENTRY,
   SECTION_MODE,
   SECTION_DEBUG_SOURCE,
   SECTION_DEBUG_NAME,
   SECTION_DEBUG_PROCESSED,
   SECTION_ANNOTATION,
   SECTION_TYPE,
   SECTION_FUNCTION,
};

struct parser {
   struct spirv_module *m;
   enum section section;
   uint32_t function, block; /* index + 1 of the open ones */
   bool body_begun;          /* an instruction other than OpPhi and lines was seen in the block */
   bool after_variables;     /* one other than OpVariable too */
   bool after_merge;
   uint32_t operands_end; /* words of the instruction that is being read */
};

static enum section
section_of(uint32_t opcode)
{
   switch (opcode) {
   case SpvOpCapability:
      return SECTION_CAPABILITY;
   case SpvOpExtension:
      return SECTION_EXTENSION;
   case SpvOpExtInstImport:
      return SECTION_EXT_IMPORT;
   case SpvOpMemoryModel:
      return SECTION_MEMORY_MODEL;
   case SpvOpEntryPoint:
      return SECTION_ENTRY;
   case SpvOpExecutionMode:
   case SpvOpExecutionModeId:
      return SECTION_MODE;
   case SpvOpString:
   case SpvOpSource:
   case SpvOpSourceContinued:
   case SpvOpSourceExtension:
      return SECTION_DEBUG_SOURCE;
   case SpvOpName:
   case SpvOpMemberName:
      return SECTION_DEBUG_NAME;
   case SpvOpModuleProcessed:
      return SECTION_DEBUG_PROCESSED;
   case SpvOpDecorate:
   case SpvOpMemberDecorate:
   case SpvOpDecorationGroup:
   case SpvOpGroupDecorate:
   case SpvOpGroupMemberDecorate:
   case SpvOpDecorateId:
   case SpvOpDecorateString:
   case SpvOpMemberDecorateString:
      return SECTION_ANNOTATION;
   default: /* others: by their range */
      if (spirv_makes_type(opcode) || (opcode >= SpvOpConstantTrue && opcode <= SpvOpSpecConstantOp) ||
          opcode == SpvOpConstantCompositeReplicateEXT || opcode == SpvOpSpecConstantCompositeReplicateEXT)
         return SECTION_TYPE;
      return SECTION_FUNCTION;
   }
}

/* Opcodes that may name an id before it is defined. */
static bool
may_refer_forward(uint32_t opcode)
{
   switch (opcode) {
   case SpvOpEntryPoint:
   case SpvOpExecutionMode:
   case SpvOpExecutionModeId:
   case SpvOpName:
   case SpvOpMemberName:
   case SpvOpDecorate:
   case SpvOpDecorateId:
   case SpvOpDecorateString:
   case SpvOpMemberDecorate:
   case SpvOpMemberDecorateString:
   case SpvOpGroupDecorate:
   case SpvOpGroupMemberDecorate:
   case SpvOpTypeForwardPointer:
   case SpvOpTypeStruct:
   case SpvOpFunctionCall:
   case SpvOpPhi:
   case SpvOpLoopMerge:
   case SpvOpSelectionMerge:
   case SpvOpBranch:
   case SpvOpBranchConditional:
   case SpvOpSwitch:
   case SpvOpExtInstWithForwardRefsKHR:
      return true;
   default: /* others: refer to what is before them */
      return false;
   }
}

static void
check_allowed(struct spirv_module *m, uint32_t first, uint32_t count, uint32_t version, const char *what)
{
   for (uint32_t i = 0; i < count; i++) {
      if (spirv_has(m, (SpvCapability)spirv_table_capabilities[first + i]))
         return;
   }
   spirv_require(m, !count, "%s needs a capability that the module does not declare", what);
   spirv_require(m, version == 0xffff || version <= m->version, "%s needs a later version of SPIR-V", what);
}

/* SPV_AMD_shader_ballot: with Groups, which the grammar does not say. */
static bool
is_of_groups(const struct spirv_module *m, enum spirv_operand_kind kind, uint32_t value)
{
   return kind == SPIRV_KIND_GROUP_OPERATION && value <= SpvGroupOperationExclusiveScan &&
          spirv_has(m, SpvCapabilityGroups);
}

/* Naming these built-ins in a decoration needs no capability, only using them does (Vulkan, as the blocks of
 * glslang declare all of them). */
static bool
is_free_builtin(enum spirv_operand_kind kind, uint32_t value)
{
   return kind == SPIRV_KIND_BUILT_IN &&
          (value == SpvBuiltInPointSize || value == SpvBuiltInClipDistance || value == SpvBuiltInCullDistance);
}

/* SampleId without SampleRateShading, where the device has it: the copies of multisampled images of Zink 22.3 are so.
 * spirv-val refuses them, other drivers do not. */
static bool
is_undeclared_sample_id(const struct spirv_module *m, enum spirv_operand_kind kind, uint32_t value)
{
   return kind == SPIRV_KIND_BUILT_IN && value == SpvBuiltInSampleId &&
          (!m->options || m->options->features & SPIRV_FEATURE_SAMPLE_SHADING);
}

static void
check_ref(struct parser *p, uint32_t id, bool forward)
{
   struct spirv_module *m = p->m;
   spirv_require(m, id && id < m->bound, "id %u is out of bounds", id);
   if (m->ids[id].word)
      return;
   spirv_require(m, forward || m->ids[id].flags & SPIRV_ID_FORWARD, "id %u is used before its definition", id);
   dynarray_append(&m->pending, uint32_t, id);
   dynarray_append(&m->pending, uint32_t, m->at);
}

/* Words of a literal number of the type; 0 if the id is no integer or float type. */
static uint32_t
literal_words(const struct spirv_module *m, uint32_t type_id)
{
   if (!type_id || type_id >= m->bound || !m->ids[type_id].word)
      return 0;
   const uint32_t *w = spirv_words(m, m->ids[type_id].word);
   if (spirv_opcode(w) != SpvOpTypeInt && spirv_opcode(w) != SpvOpTypeFloat)
      return 0;
   return w[2] <= 32 ? 1 : w[2] <= 64 ? 2 : 0;
}

static uint32_t read_run(struct parser *p, const uint32_t *w, uint32_t at, uint32_t first, uint32_t count);

static uint32_t
read_enum(struct parser *p, const uint32_t *w, uint32_t at, enum spirv_operand_kind kind)
{
   struct spirv_module *m = p->m;
   const struct spirv_kind_info *info = &spirv_kind_infos[kind];
   uint32_t value = w[at++];
   if (!info->is_bits || !value) {
      const struct spirv_enumerant_info *row = spirv_enumerant_info(kind, value);
      spirv_require(m, row, "%u is no %s", value, info->name);
      if (kind == SPIRV_KIND_CAPABILITY || is_free_builtin(kind, value) || is_of_groups(m, kind, value) ||
          is_undeclared_sample_id(m, kind, value))
         return at;
      check_allowed(m, row->first_capability, row->num_capabilities, row->version, row->name);
      return read_run(p, w, at, row->first_operand, row->num_operands);
   }
   for (uint32_t rest = value; rest; rest &= rest - 1) {
      const struct spirv_enumerant_info *row = spirv_enumerant_info(kind, rest & -rest);
      spirv_require(m, row, "bit %#x is no %s", rest & -rest, info->name);
      check_allowed(m, row->first_capability, row->num_capabilities, row->version, row->name);
      at = read_run(p, w, at, row->first_operand, row->num_operands);
   }
   return at;
}

static uint32_t
read_string(struct parser *p, const uint32_t *w, uint32_t at)
{
   const char *text = (const char *)(w + at);
   const char *end = memchr(text, 0, (size_t)(p->operands_end - at) * 4);
   spirv_require(p->m, end, "a string does not end");
   return at + (uint32_t)(end - text) / 4 + 1;
}

static uint32_t
read_ext_inst(struct parser *p, const uint32_t *w, uint32_t at)
{
   struct spirv_module *m = p->m;
   struct spirv_id *set = &m->ids[w[at - 1]];
   if (set->kind >= SPIRV_ID_EXT_TRINARY && set->kind <= SPIRV_ID_EXT_EXPLICIT) {
      spirv_amd_check(m, set->kind, w[at], p->operands_end - at - 1);
      return at + 1;
   }
   spirv_require(m, set->kind == SPIRV_ID_EXT_GLSL || set->kind == SPIRV_ID_EXT_SKIP, "%%%u is no instruction set",
                 w[at - 1]);
   if (set->kind == SPIRV_ID_EXT_SKIP)
      return at + 1;
   uint32_t number = w[at];
   spirv_require(m, spirv_opcode(w) == SpvOpExtInst, "only non-semantic instructions refer forward");
   spirv_require(m, number < spirv_glsl_count && spirv_glsl_infos[number].name, "no instruction %u in GLSL.std.450",
                 number);
   spirv_require(m, p->operands_end - at - 1 == spirv_glsl_infos[number].num_operands, "%s takes %u operands",
                 spirv_glsl_infos[number].name, spirv_glsl_infos[number].num_operands);
   return at + 1;
}

static uint32_t
read_spec_op(struct parser *p, const uint32_t *w, uint32_t at)
{
   const struct spirv_op_info *info = spirv_op_info(w[at]);
   spirv_require(p->m,
                 info && info->num_operands >= 2 &&
                    spirv_operand_infos[info->first_operand].kind == SPIRV_KIND_ID_RESULT_TYPE,
                 "opcode %u makes no specialization constant", w[at]);
   return read_run(p, w, at + 1, info->first_operand + 2u, info->num_operands - 2u);
}

/* Reads one operand; returns the word after it. */
static uint32_t
read_operand(struct parser *p, const uint32_t *w, uint32_t at, enum spirv_operand_kind kind)
{
   struct spirv_module *m = p->m;
   uint32_t opcode = spirv_opcode(w), left = p->operands_end - at, words;
   switch ((int)kind) {
   case SPIRV_KIND_ID_RESULT_TYPE:
   case SPIRV_KIND_ID_REF:
   case SPIRV_KIND_ID_SCOPE:
   case SPIRV_KIND_ID_MEMORY_SEMANTICS:
      check_ref(p, w[at], may_refer_forward(opcode));
      return at + 1;
   case SPIRV_KIND_ID_RESULT:
      spirv_require(m, w[at] && w[at] < m->bound, "result id %u is out of bounds", w[at]);
      spirv_require(m, !m->ids[w[at]].word, "id %u is defined twice", w[at]);
      return at + 1; /* registered when the instruction is complete */
   case SPIRV_KIND_LITERAL_INTEGER:
      return at + 1;
   case SPIRV_KIND_LITERAL_STRING:
      return read_string(p, w, at);
   case SPIRV_KIND_LITERAL_CONTEXT_DEPENDENT_NUMBER:
      words = literal_words(m, w[1]);
      spirv_require(m, words, "the result type is no number of at most 64 bits");
      spirv_require(m, left >= words, "a literal is cut off");
      return at + words;
   case SPIRV_KIND_LITERAL_EXT_INST_INTEGER:
      return read_ext_inst(p, w, at);
   case SPIRV_KIND_LITERAL_SPEC_CONSTANT_OP_INTEGER:
      return read_spec_op(p, w, at);
   case SPIRV_KIND_PAIR_LITERAL_INTEGER_ID_REF:
      words = literal_words(m, m->ids[w[1]].type_id);
      spirv_require(m, words, "the selector is no integer");
      spirv_require(m, left > words, "a target is cut off");
      check_ref(p, w[at + words], true);
      return at + words + 1;
   case SPIRV_KIND_PAIR_ID_REF_LITERAL_INTEGER:
      spirv_require(m, left >= 2, "a pair is cut off");
      check_ref(p, w[at], true);
      return at + 2;
   case SPIRV_KIND_PAIR_ID_REF_ID_REF:
      spirv_require(m, left >= 2, "a pair is cut off");
      check_ref(p, w[at], true);
      check_ref(p, w[at + 1], true);
      return at + 2;
   default: /* others: the kinds whose words are in the grammar's tables */
      return read_enum(p, w, at, kind);
   }
}

/* Reads operands as a run of the table says; returns the word after them. */
static uint32_t
read_run(struct parser *p, const uint32_t *w, uint32_t at, uint32_t first, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      const struct spirv_operand_info *operand = &spirv_operand_infos[first + i];
      if (operand->quantifier == SPIRV_ONE)
         spirv_require(p->m, at < p->operands_end, "an operand is missing");
      while (at < p->operands_end) {
         at = read_operand(p, w, at, (enum spirv_operand_kind)operand->kind);
         if (operand->quantifier != SPIRV_MANY)
            break;
      }
   }
   return at;
}

/* ---- what single instructions mean for the parse ---- */

static void
import_set(struct spirv_module *m, const uint32_t *w)
{
   const char *name = (const char *)(w + 2);
   if (!strcmp(name, "GLSL.std.450"))
      m->ids[w[1]].kind = SPIRV_ID_EXT_GLSL;
   else if (!strncmp(name, "NonSemantic.", 12))
      m->ids[w[1]].kind = SPIRV_ID_EXT_SKIP;
   else if (!spirv_amd_import(m, w[1], name))
      spirv_fail(m, "the instruction set is not supported");
}

static void
add_entry(struct parser *p, const uint32_t *w)
{
   const uint32_t *interface = w + read_string(p, w, 3);
   dynarray_append(&p->m->entries, struct spirv_entry,
                   (struct spirv_entry){.model = w[1],
                                        .function = w[2],
                                        .word = p->m->at,
                                        .name = (const char *)(w + 3),
                                        .interface = interface,
                                        .num_interface = (uint32_t)(w + p->operands_end - interface)});
}

static void
add_decoration(struct parser *p, const uint32_t *w, int32_t member, uint32_t operand)
{
   struct spirv_module *m = p->m;
   struct spirv_id *target = &m->ids[w[1]];
   dynarray_append(&m->decorations, struct spirv_decoration,
                   (struct spirv_decoration){.next = target->decoration,
                                             .member = member,
                                             .decoration = w[operand],
                                             .word = m->at + operand + 1,
                                             .num_operands = p->operands_end - operand - 1,
                                             .source = m->at});
   target->decoration = (uint32_t)dynarray_count(&m->decorations, struct spirv_decoration);
}

static void
module_instruction(struct parser *p, const uint32_t *w)
{
   struct spirv_module *m = p->m;
   switch (spirv_opcode(w)) {
   case SpvOpCapability:
      spirv_declare_capability(m, w[1]);
      break;
   case SpvOpExtInstImport:
      import_set(m, w);
      break;
   case SpvOpMemoryModel:
      spirv_require(m, !m->memory_model, "the second memory model");
      spirv_require(m, w[1] == SpvAddressingModelLogical || w[1] == SpvAddressingModelPhysicalStorageBuffer64,
                    "only logical addressing and PhysicalStorageBuffer64 are supported");
      spirv_require(m, w[2] == SpvMemoryModelGLSL450 || w[2] == SpvMemoryModelVulkan,
                    "memory model is not supported");
      m->memory_model = w[2];
      break;
   case SpvOpEntryPoint:
      add_entry(p, w);
      break;
   case SpvOpTypeForwardPointer:
      m->ids[w[1]].flags |= SPIRV_ID_FORWARD;
      break;
   case SpvOpExecutionMode:
   case SpvOpExecutionModeId:
      dynarray_append(&m->modes, struct spirv_mode,
                      (struct spirv_mode){.function = w[1],
                                          .mode = w[2],
                                          .word = m->at + 3,
                                          .num_operands = p->operands_end - 3,
                                          .is_id = spirv_opcode(w) == SpvOpExecutionModeId});
      break;
   case SpvOpName:
      m->ids[w[1]].name = (const char *)(w + 2);
      break;
   case SpvOpDecorate:
   case SpvOpDecorateId:
   case SpvOpDecorateString:
      add_decoration(p, w, -1, 2);
      break;
   case SpvOpMemberDecorate:
   case SpvOpMemberDecorateString:
      spirv_require(m, w[2] < 0x10000, "member %u is out of bounds", w[2]);
      add_decoration(p, w, (int32_t)w[2], 3);
      break;
   case SpvOpGroupDecorate:
   case SpvOpGroupMemberDecorate:
      dynarray_append(&m->group_words, uint32_t, m->at);
      break;
   default: /* others: kept for later */
      break;
   }
}

/* ---- functions and blocks ---- */

static void
open_function(struct parser *p, const uint32_t *w)
{
   struct spirv_module *m = p->m;
   spirv_require(m, !p->function, "a function inside a function");
   struct spirv_function function = {.id = w[2],
                                     .word = m->at,
                                     .first_param = (uint32_t)dynarray_count(&m->param_ids, uint32_t),
                                     .first_block = (uint32_t)dynarray_count(&m->blocks, struct spirv_block)};
   m->ids[w[2]].function_index = (uint32_t)dynarray_count(&m->functions, struct spirv_function);
   dynarray_append(&m->functions, struct spirv_function, function);
   p->function = (uint32_t)dynarray_count(&m->functions, struct spirv_function);
}

static void
close_function(struct parser *p)
{
   struct spirv_module *m = p->m;
   spirv_require(m, p->function && !p->block, "the function is not complete");
   struct spirv_function *function = spirv_function(m, p->function - 1);
   function->num_blocks = (uint32_t)dynarray_count(&m->blocks, struct spirv_block) - function->first_block;
   spirv_require(m, function->num_blocks, "the function has no body (linkage is not supported)");
   p->function = 0;
}

static void
open_block(struct parser *p, const uint32_t *w)
{
   struct spirv_module *m = p->m;
   spirv_require(m, p->function && !p->block, "a label outside of a function or inside a block");
   dynarray_append(&m->blocks, struct spirv_block,
                   (struct spirv_block){.label_id = w[1], .function = p->function - 1, .begin = m->at + 2});
   p->block = (uint32_t)dynarray_count(&m->blocks, struct spirv_block);
   m->ids[w[1]].label_block = p->block;
   p->body_begun = p->after_variables = p->after_merge = false;
}

static bool
is_terminator(uint32_t opcode)
{
   return (opcode >= SpvOpBranch && opcode <= SpvOpUnreachable) || opcode == SpvOpTerminateInvocation ||
          opcode == SpvOpEmitMeshTasksEXT;
}

static void
block_instruction(struct parser *p, const uint32_t *w)
{
   struct spirv_module *m = p->m;
   uint32_t opcode = spirv_opcode(w);
   if (opcode == SpvOpLine || opcode == SpvOpNoLine)
      return;
   /* Between functions and after them, too. */
   if (!p->function && spirv_is_skipped(m, w))
      return;
   if (!p->block) {
      spirv_check_instruction(m, spirv_op_info(opcode)); /* types of extensions stand there, for one */
      spirv_require(m, false, "the instruction stands outside of a block");
   }
   struct spirv_block *block = spirv_block(m, p->block - 1);
   spirv_require(m, !p->after_merge || is_terminator(opcode), "a merge instruction must stand before the branch");
   if (opcode == SpvOpPhi) {
      spirv_require(m, !p->body_begun, "OpPhi must stand at the start of the block");
      return;
   }
   p->body_begun = true;
   if (opcode == SpvOpVariable || opcode == SpvOpUntypedVariableKHR) {
      spirv_require(m, !p->after_variables && spirv_function(m, p->function - 1)->first_block == p->block - 1,
                    "a variable must stand at the start of the function");
      return;
   }
   if (!spirv_is_skipped(m, w))
      p->after_variables = true;
   if (opcode == SpvOpLoopMerge || opcode == SpvOpSelectionMerge) {
      block->merge = m->at;
      block->end = m->at;
      p->after_merge = true;
   } else if (is_terminator(opcode)) {
      block->terminator = m->at;
      if (!block->merge)
         block->end = m->at;
      p->block = 0;
   }
}

static void
function_instruction(struct parser *p, const uint32_t *w)
{
   struct spirv_module *m = p->m;
   switch (spirv_opcode(w)) {
   case SpvOpFunction:
      open_function(p, w);
      break;
   case SpvOpFunctionParameter: {
      spirv_require(m, p->function, "a parameter outside of a function");
      struct spirv_function *function = spirv_function(m, p->function - 1);
      spirv_require(m, !p->block && dynarray_count(&m->blocks, struct spirv_block) == function->first_block,
                    "a parameter after the first block");
      dynarray_append(&m->param_ids, uint32_t, w[2]);
      function->num_params++;
      break;
   }
   case SpvOpLabel:
      open_block(p, w);
      break;
   case SpvOpFunctionEnd:
      close_function(p);
      break;
   default: /* others: in a block */
      block_instruction(p, w);
   }
}

/* OpLine, OpNoLine, OpUndef, OpVariable and NonSemantic instructions stand among the types too. */
static enum section
instruction_section(const struct parser *p, const uint32_t *w)
{
   uint32_t opcode = spirv_opcode(w);
   if (p->section < SECTION_FUNCTION &&
       (opcode == SpvOpUndef || opcode == SpvOpVariable || opcode == SpvOpUntypedVariableKHR || opcode == SpvOpLine ||
        opcode == SpvOpNoLine || spirv_is_skipped(p->m, w)))
      return SECTION_TYPE;
   return section_of(opcode);
}

static void
register_result(struct parser *p, const uint32_t *w, const struct spirv_op_info *info)
{
   struct spirv_module *m = p->m;
   const struct spirv_operand_info *operands = &spirv_operand_infos[info->first_operand];
   bool typed = info->num_operands && operands[0].kind == SPIRV_KIND_ID_RESULT_TYPE;
   if (info->num_operands <= typed || operands[typed].kind != SPIRV_KIND_ID_RESULT)
      return;
   struct spirv_id *id = &m->ids[w[1 + typed]];
   id->word = m->at;
   id->opcode = info->opcode;
   id->type_id = typed ? w[1] : 0;
   id->block = p->block;
   if (typed) {
      uint32_t type_opcode = m->ids[w[1]].opcode;
      spirv_require(m, spirv_makes_type(type_opcode) && type_opcode != SpvOpTypeForwardPointer, "%%%u is no type",
                    w[1]);
   }
}

static void
instruction(struct parser *p)
{
   struct spirv_module *m = p->m;
   const uint32_t *w = spirv_words(m, m->at);
   const struct spirv_op_info *info = spirv_op_info(spirv_opcode(w));
   spirv_require(m, info, "unknown opcode %u", spirv_opcode(w));
   p->operands_end = spirv_length(w);
   spirv_require(m, p->operands_end && p->operands_end <= m->count - m->at, "the instruction is cut off");
   check_allowed(m, info->first_capability, info->num_capabilities, info->version, info->name);
   uint32_t end = read_run(p, w, 1, info->first_operand, info->num_operands);
   spirv_require(m, end == p->operands_end, "the instruction has %u words too many", p->operands_end - end);

   enum section section = instruction_section(p, w);
   spirv_require(m, section >= p->section, "the instruction stands in the wrong section of the module");
   spirv_require(m, m->memory_model || section <= SECTION_MEMORY_MODEL, "the module has no memory model");
   if (section == SECTION_TYPE && p->section < SECTION_TYPE)
      m->types_begin = m->at;
   if (section == SECTION_FUNCTION && p->section < SECTION_FUNCTION)
      m->types_end = m->at;
   p->section = section;
   register_result(p, w, info);
   if (section == SECTION_FUNCTION)
      function_instruction(p, w);
   else
      module_instruction(p, w);
}

static void
check_header(struct spirv_module *m, size_t count)
{
   const uint32_t *w = m->words;
   spirv_require(m, count >= 5, "the module is shorter than its header");
   spirv_require(m, count < UINT32_MAX / 8, "the module is too long");
   spirv_require(m, w[0] == SpvMagicNumber, "%#010x is not the magic number of SPIR-V", w[0]);
   m->version = w[1] >> 8;
   spirv_require(m, !(w[1] & 0xff0000ff) && m->version >= 0x100 && m->version <= 0x106,
                 "SPIR-V version %u.%u is not supported", w[1] >> 16 & 255, w[1] >> 8 & 255);
   spirv_require(m, w[3] && w[3] <= 0x3fffff, "id bound %u is out of range", w[3]);
   spirv_require(m, !w[4], "the reserved schema is not 0");
   m->bound = w[3];
}

void
spirv_parse(struct spirv_module *m)
{
   struct parser p = {.m = m};
   check_header(m, m->count);
   m->ids = arena_array(&m->temp, struct spirv_id, m->bound);
   m->types_begin = m->types_end = m->count;
   for (m->at = 5; m->at < m->count; m->at += spirv_length(spirv_words(m, m->at)))
      instruction(&p);
   m->at = 0;
   spirv_require(m, m->memory_model, "the module has no memory model");
   spirv_require(m, !p.function, "the last function does not end");
   for (size_t i = 0; i < dynarray_count(&m->pending, uint32_t); i += 2) {
      uint32_t id = *dynarray_at(&m->pending, uint32_t, i);
      m->at = *dynarray_at(&m->pending, uint32_t, i + 1);
      spirv_require(m, m->ids[id].word, "id %u is used but not defined", id);
   }
   if (m->types_end < m->types_begin)
      m->types_begin = m->types_end;
}
