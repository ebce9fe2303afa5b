"""isa_check.c: modifiers that an operation has not, and what rules.py forbids."""
from columns import enum, symbol
from modifiers import DPP_CONTROLS
from rows import MODIFIERS
from rules import RULES, SECOND_RULES

HEAD = '''/* Generated from the tables of src/amd/hw. */
#include "amd/hw/isa_runtime.h"

/* VOPD: the first sources, and the second, come from different banks of four, the third from different ones of two;
 * at most two scalar values. Source: RDNA 3 ISA, section "Dual Issue VALU". */
static inline bool
isa_banks_meet(const struct amd_inst *in, const struct amd_op_info *first, const struct amd_op_info *second)
{
   static const unsigned banks[3] = {4, 4, 2};
   uint32_t seen[6];
   unsigned count = 0;
   for (unsigned i = 0; i < 3; i++) {
      /* What an operation adds to is its third source. */
      uint16_t x = i == 2 && first->flags & AMD_FLAG_READS_DST ? in->dst : in->src[i];
      uint16_t y = i == 2 && second->flags & AMD_FLAG_READS_DST ? in->dual_dst : in->dual_src[i];
      if (amd_is_vgpr(x) && amd_is_vgpr(y) && (x - y) % banks[i] == 0)
         return true;
      for (unsigned half = 0; half < 2; half++) {
         uint16_t n = half ? y : x;
         bool scalar = n < AMD_INT_0 && n != AMD_NULL;
         scalar |= n == AMD_LITERAL || (n > 208 && n < AMD_FLOAT_0_5) || (n > AMD_FLOAT_INV_2PI && n < AMD_LITERAL);
         for (unsigned j = 0; j < count; j++)
            scalar &= seen[j] != n;
         if (scalar)
            seen[count++] = n;
      }
   }
   return count > 2;
}

/* Modifiers of the base encoding or, with a second dword, of that. */
static inline bool
isa_modifiers_fit(const struct isa_entry *e, const struct amd_inst *in)
{
   bool sdwa = in->modifier == AMD_MOD_SDWA;
   bool second = sdwa || (in->modifier == AMD_MOD_DPP16 && in->enc != AMD_ENC_VOP3 && in->enc != AMD_ENC_VOP3P);
   unsigned neg = second ? e->second_neg : e->neg, abs = second ? e->second_neg : e->abs;
   uint32_t flags = sdwa ? e->flags >> 2 : e->flags;
   _Static_assert(ISA_SDWA_CLAMP == ISA_CLAMP << 2 && ISA_SDWA_OMOD == ISA_OMOD << 2, "the order of the flags");
   return !(in->neg & ~neg) && !(in->abs & ~abs) && !(in->neg_hi & ~e->neg_hi) && !(in->op_sel & ~e->op_sel) &&
          !(in->clamp && !(flags & ISA_CLAMP)) && !(in->omod && !(flags & ISA_OMOD)) &&
          !(in->sdwa_sext & ~(sdwa ? e->second_sext : 0u));
}

'''


def rules_c(text, rules, names):
  """The rules of the encodings in names; NAME@GENERATION is for one generation only."""
  out = ''
  for where, condition, why in rules:
    if set(where.split()) & set(names):
      out += f'{text}/* {why[0].upper()}{why[1:]}. */\n{text}if ({condition})\n{text}   return false;\n'
  return out


def dpp_c(gen):
  """Which lane patterns a generation has."""
  tests = ' || '.join(f'control == {first:#x}' if first == last else f'control <= {last:#x}' if not first else
                      f'(control >= {first:#x} && control <= {last:#x})'
                      for first, last, _, _, gens in DPP_CONTROLS if gen in gens)
  return f'static inline bool\ndpp_is_defined_{symbol(gen)}(unsigned control)\n{{\n   return {tests};\n}}\n\n'


def check_c(built):
  out = HEAD
  for gen, (entries, _) in built.items():
    out += dpp_c(gen)
    cases = ''
    for enc in {e.enc: None for e in entries}:
      body = rules_c('      ', RULES, [enc, f'{enc}@{gen}'])
      seconds = {m for e in entries if e.enc == enc for m in e.modifiers}
      for m in MODIFIERS:
        if m in seconds and (inner := rules_c('         ', SECOND_RULES, [MODIFIERS[m]])):
          inner = inner.replace('dpp_is_defined', f'dpp_is_defined_{symbol(gen)}')
          body += f'      if (in->modifier == AMD_MOD_{MODIFIERS[m]}) {{\n{inner}      }}\n'
      if body:
        cases += f'   case AMD_ENC_{enc}:\n{body}      break;\n'
    out += (f'static bool\ncheck_{symbol(gen)}(const struct isa_entry *e, const struct amd_inst *in)\n{{\n'
            f'   const struct amd_op_info *info = &isa_ops_{symbol(gen)}[in->op];\n   (void)info;\n'
            f'   switch (in->enc) {{\n{cases}   }}\n   return true;\n}}\n\n')
  cases = ''.join(f'   case {enum(g)}:\n      return check_{symbol(g)}(e, in);\n' for g in built)
  return out + ('bool\nisa_check(enum amd_gen gen, const struct isa_entry *e, const struct amd_inst *in)\n{\n'
                '   if (!isa_modifiers_fit(e, in))\n      return false;\n'
                f'   switch ((int)gen) {{\n{cases}   }}\n   return false;\n}}\n')
