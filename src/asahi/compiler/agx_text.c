#include "asahi/compiler/agx_text.h"

#include <string.h>

static const char *const pseudo_names[] = {
   [AGX_P_PHI - AGX_P_FIRST] = "phi",           [AGX_P_COPY - AGX_P_FIRST] = "copy",
   [AGX_P_COLLECT - AGX_P_FIRST] = "collect",   [AGX_P_SPLIT - AGX_P_FIRST] = "split",
   [AGX_P_PRELOAD - AGX_P_FIRST] = "preload",   [AGX_P_LEAVE - AGX_P_FIRST] = "leave",
   [AGX_P_ELSE - AGX_P_FIRST] = "else",         [AGX_P_ENDIF - AGX_P_FIRST] = "endif",
   [AGX_P_LOOP - AGX_P_FIRST] = "loop",         [AGX_P_BREAK - AGX_P_FIRST] = "break",
   [AGX_P_CONTINUE - AGX_P_FIRST] = "continue", [AGX_P_NEXT - AGX_P_FIRST] = "next",
   [AGX_P_ENDLOOP - AGX_P_FIRST] = "endloop",   [AGX_P_FUSED - AGX_P_FIRST] = "fused",
   [AGX_P_SPILL - AGX_P_FIRST] = "spill",       [AGX_P_FILL - AGX_P_FIRST] = "fill",
};

const char *
agx_op_name(unsigned op)
{
   if (op < AGX_OP_COUNT)
      return agx_isa_op_info(op).name;
   return op >= AGX_P_FIRST && op < AGX_P_END ? pseudo_names[op - AGX_P_FIRST] : NULL;
}

unsigned
agx_op_by_name(const char *name)
{
   for (unsigned i = 0; i < ARRAY_SIZE(pseudo_names); i++) {
      if (!strcmp(pseudo_names[i], name))
         return AGX_P_FIRST + i;
   }
   const enum agx_op op = agx_isa_op_by_name(name);
   return op == AGX_OP_COUNT ? AGX_P_END : op;
}

const struct agx_text_field agx_text_fields[] = {
   {"exact", offsetof(struct agx_instr, exact), true},
   {"long_form", offsetof(struct agx_instr, long_form), true},
#define X(name) {#name, offsetof(struct agx_instr, mod.name), false},
#include "asahi/compiler/agx_modifiers.h"
#undef X
};
const unsigned agx_text_field_count = ARRAY_SIZE(agx_text_fields);

#define NUMBER(name) {#name, offsetof(struct agx_ir, name), sizeof(((struct agx_ir *)NULL)->name)}
const struct agx_text_header agx_text_headers[] = {
   NUMBER(num_values), NUMBER(next_uniform_h), NUMBER(scratch_B), NUMBER(registers_max_h), NUMBER(used_registers_h),
   NUMBER(allocated),  NUMBER(has_flow),       NUMBER(spills),    NUMBER(fills),           NUMBER(data_h),
};
const unsigned agx_text_header_count = ARRAY_SIZE(agx_text_headers);

/* Prefixes of which none begins another one. */
const struct agx_text_kind agx_text_kinds[] = {
   {AGX_SSA, true, "%"},  {AGX_UNIFORM, true, "u"}, {AGX_REG, true, "h"},   {AGX_UNDEF, true, "?"},
   {AGX_IMM, false, "#"}, {AGX_SIMM, false, "+"},   {AGX_FIMM, false, "f"}, {AGX_TS, false, "ts"},
   {AGX_SS, false, "ss"}, {AGX_CF, false, "cf"},    {AGX_NONE, false, "_"},
};
const unsigned agx_text_kind_count = ARRAY_SIZE(agx_text_kinds);

#define FLAG(name) {#name, offsetof(struct agx_ref, name)}
const struct agx_text_flag agx_text_flags[] = {
   FLAG(abs), FLAG(neg), FLAG(sext), FLAG(cache), FLAG(discard),
};
const unsigned agx_text_flag_count = ARRAY_SIZE(agx_text_flags);
