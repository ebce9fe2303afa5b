/* The reverse of amd_isa_print(). What has a name in the text (counters, messages, lane patterns, selections) stands
 * only in the tables of the printer: here the value is looked for that prints so. */
#include "amd/wave/assemble.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

#define MAX_WORDS 24
#define WORD_B 160

/* The text after the mnemonic in words. Commas part operands; modifiers follow the last operand by spaces. */
struct words {
   char operand[MAX_WORDS][WORD_B], modifier[MAX_WORDS][WORD_B];
   unsigned num_operands, num_modifiers;
   unsigned next; /* operand */
};

static bool
wrong(struct assembler *a, const char *what, const char *text)
{
   if (!a->error[0])
      snprintf(a->error, sizeof(a->error), "%s: %s", text, what);
   return false;
}

/* ---- words ---- */

static bool
starts(const char *text, const char *prefix)
{
   return !strncmp(text, prefix, strlen(prefix));
}

/* The end of a word: `stop` or the text's end, but not in brackets or quotes. */
static const char *
word_end(const char *text, const char *stop)
{
   int depth = 0;
   for (; *text && (depth > 0 || !strchr(stop, *text)); text++)
      depth += strchr("[(", *text) ? 1 : strchr("])", *text) ? -1 : 0;
   return text;
}

static bool
put_word(struct assembler *a, char to[WORD_B], const char *text, const char *end)
{
   while (end > text && isspace((unsigned char)end[-1]))
      end--;
   if (end - text >= WORD_B)
      return wrong(a, "too long", "a word");
   memcpy(to, text, (size_t)(end - text));
   to[end - text] = 0;
   return true;
}

static bool
split(struct assembler *a, const char *text, struct words *w)
{
   *w = (struct words){.next = 0};
   for (bool operands = true; *(text += strspn(text, " \t"));) {
      const char *end = word_end(text, operands ? ", \t" : " \t");
      if (w->num_operands == MAX_WORDS || w->num_modifiers == MAX_WORDS)
         return wrong(a, "too many", "words");
      char *to = operands ? w->operand[w->num_operands++] : w->modifier[w->num_modifiers++];
      if (!put_word(a, to, text, end))
         return false;
      text = end + strspn(end, " \t");
      operands = operands && *text == ',';
      text += operands;
   }
   return true;
}

/* Whether the text has the word between spaces, commas and its ends. */
static bool
has_word(const char *text, const char *word)
{
   size_t length = strlen(word);
   for (const char *at = text; (at = strstr(at, word)); at++) {
      bool begins = at == text || strchr(" ,", at[-1]), ends = !at[length] || strchr(" ,", at[length]);
      if (begins && ends)
         return true;
   }
   return false;
}

/* ---- values that print so ---- */

static void
set(struct amd_inst *inst, size_t offset_B, size_t size_B, uint32_t value)
{
   memcpy((char *)inst + offset_B, &value, size_B);
}

/* The first value below `count` of a field with which the instruction prints the word, or false. */
static bool
find(const struct assembler *a, struct amd_inst *inst, size_t offset_B, size_t size_B, uint32_t count,
     const char *word)
{
   char text[512];
   struct amd_inst tried = *inst;
   for (uint32_t value = 0; value < count; value++) {
      set(&tried, offset_B, size_B, value);
      amd_isa_print(a->gen, &tried, a->wave64, text, sizeof(text));
      if (has_word(text, word)) {
         *inst = tried;
         return true;
      }
   }
   return false;
}
#define FIND(a, inst, field, count, word)                                                                            \
   find(a, inst, offsetof(struct amd_inst, field), sizeof((inst)->field), count, word)

static bool
number(const char *text, long long *value)
{
   char *end;
   *value = strtoll(text, &end, 0);
   return *text && !*end && !isspace((unsigned char)*text);
}

/* ---- operands ---- */

/* "v7", "s[4:7]": the first number, or -1. */
static int
range(const char *text, const char *prefix)
{
   size_t length = strlen(prefix);
   if (strncmp(text, prefix, length))
      return -1;
   text += length;
   bool several = *text == '[';
   const char *end = text + several;
   long first = strtol(end, (char **)&end, 10), last = first;
   if (!isdigit((unsigned char)text[several]))
      return -1;
   if (several &&
       (*end != ':' || !isdigit((unsigned char)end[1]) || (last = strtol(end + 1, (char **)&end, 10), *end++ != ']')))
      return -1;
   return *end || first < 0 || last < first || last > 255 ? -1 : (int)first;
}

static int
vgpr(const char *text)
{
   int first = range(text, "v");
   return first < 0 ? -1 : AMD_VGPR0 + first;
}

/* A scalar register or a constant by its name: what a move of it prints. -1: none. */
static int
scalar_by_name(const struct assembler *a, const char *text)
{
   static const enum amd_op moves[] = {AMD_OP_s_mov_b32, AMD_OP_s_mov_b64};
   for (unsigned i = 0; i < ARRAY_SIZE(moves); i++) {
      struct amd_inst move = amd_inst_init(moves[i], AMD_ENC_SOP1);
      if (FIND(a, &move, src[0], AMD_LITERAL, text))
         return move.src[0];
   }
   return -1;
}

/* A number of any operand, with its literal. */
static bool
operand_number(struct assembler *a, struct amd_inst *inst, struct amd_operand_info info, const char *text,
               uint16_t *place)
{
   long long value;
   char *end;
   int reg = vgpr(text), limit = 106;
   if (!*text)
      return wrong(a, "an operand is missing", amd_isa_op_name((enum amd_op)inst->op));
   if (reg < 0 && (reg = range(text, "s")) < 0 && (reg = range(text, "ttmp")) >= 0)
      reg += 108, limit = 124;
   if (reg >= 0 && (amd_is_vgpr((uint16_t)reg) || reg < limit)) {
      *place = (uint16_t)reg;
      return true;
   }
   bool whole = number(text, &value);
   if (whole && value >= -16 && value <= 64 && info.cls != AMD_CLASS_LITERAL) {
      *place = amd_inline_int((int)value);
      return true;
   }
   if (!whole && (reg = scalar_by_name(a, text)) >= 0) {
      *place = (uint16_t)reg;
      return true;
   }
   if (!whole) { /* a float that is no constant of the hardware */
      float f = strtof(text, &end);
      if (*end || end == text || !strchr(text, '.'))
         return wrong(a, "no such operand", text);
      _Float16 half = (_Float16)f;
      uint16_t half_bits;
      memcpy(&half_bits, &half, 2);
      value = info.type == AMD_TYPE_F16 ? half_bits : float_bits(f);
   }
   if (value < INT32_MIN || value > UINT32_MAX)
      return wrong(a, "more than 32 bits", text);
   *place = AMD_LITERAL;
   inst->literal = (uint32_t)value;
   return true;
}

/* Cuts "before...after" off the text. */
static bool
unwrap(char *text, const char *before, const char *after)
{
   size_t length = strlen(text), first = strlen(before), last = strlen(after);
   if (length < first + last + 1 || strncmp(text, before, first) || strcmp(text + length - last, after))
      return false;
   memmove(text, text + first, length - first - last);
   text[length - first - last] = 0;
   return true;
}

/* Source i of a vector instruction: sign, absolute value, sign extension. The mix operations have abs in neg_hi. */
static bool
source(struct assembler *a, struct amd_inst *inst, const struct amd_op_info *info, unsigned i, char *text)
{
   long long value;
   bool packed = info->src[i].type >= AMD_TYPE_V2F16 && info->src[i].type <= AMD_TYPE_V2U16;
   bool mix = inst->enc == AMD_ENC_VOP3P;
   bool constant = number(text, &value) || (text[0] == '-' && scalar_by_name(a, text) >= 0);
   bool neg = unwrap(text, "neg(", ")") || (!constant && unwrap(text, "-", ""));
   bool abs = unwrap(text, "|", "|");
   if (packed && (neg || abs))
      return wrong(a, "packed values have neg_lo and neg_hi", text);
   inst->neg |= (uint8_t)(neg << i);
   *(mix ? &inst->neg_hi : &inst->abs) |= (uint8_t)(abs << i);
   inst->sdwa_sext |= (uint8_t)(unwrap(text, "sext(", ")") << i);
   return operand_number(a, inst, info->src[i], text, &inst->src[i]);
}

/* The next operand, or "". */
static char *
next(struct words *w)
{
   static char none[1];
   return w->next < w->num_operands ? w->operand[w->next++] : none;
}

static bool
parse_operand(struct assembler *a, struct amd_inst *inst, struct amd_operand_info info, struct words *w,
              uint16_t *place)
{
   return !info.cls || operand_number(a, inst, info, next(w), place);
}

/* ---- by encoding ---- */

static bool
take_plain(struct assembler *a, struct amd_inst *inst, const struct amd_op_info *info, struct words *w)
{
   bool ok = parse_operand(a, inst, info->dst, w, &inst->dst) && parse_operand(a, inst, info->sdst, w, &inst->sdst);
   if (ok && inst->enc == AMD_ENC_SOP1 && w->next < w->num_operands && starts(w->operand[w->next], "sendmsg(")) {
      const char *message = next(w);
      return FIND(a, inst, simm16, 256, message) || wrong(a, "no such message", message);
   }
   for (unsigned i = 0; i < 3 && ok; i++)
      ok = !info->src[i].cls || source(a, inst, info, i, next(w));
   if (!ok || inst->op != AMD_OP_s_set_gpr_idx_on)
      return ok;
   const char *moved = next(w);
   return FIND(a, inst, simm16, 16, moved) || wrong(a, "no such operands", "s_set_gpr_idx_on");
}

/* A number, a label or a name: what makes the whole text. */
static bool
take_immediate(struct assembler *a, struct amd_inst *inst, const struct amd_op_info *info, const char *text,
               const char *whole)
{
   long long value;
   if (number(text, &value)) {
      inst->simm16 = (uint16_t)value;
      return (value >= INT16_MIN && value <= UINT16_MAX) || wrong(a, "more than 16 bits", text);
   }
   if (info->flags & AMD_FLAG_BRANCH && (isalpha((unsigned char)*text) || *text == '_')) {
      if (strlen(text) >= sizeof(a->label))
         return wrong(a, "too long", text);
      strcpy(a->label, text);
      return true;
   }
   char printed[512];
   for (unsigned i = 0; i <= UINT16_MAX; i++) {
      inst->simm16 = (uint16_t)i;
      amd_isa_print(a->gen, inst, a->wave64, printed, sizeof(printed));
      if (!strcmp(printed, whole))
         return true;
   }
   return wrong(a, "no such immediate", text);
}

/* Registers and an immediate, in any order: s_setreg has the immediate first. */
static bool
take_sopk(struct assembler *a, struct amd_inst *inst, const struct amd_op_info *info, struct words *w,
          const char *whole)
{
   const char *immediate = NULL;
   bool placed = !info->dst.cls && !info->src[0].cls;
   while (w->next < w->num_operands) {
      const char *text = next(w);
      long long value;
      if (inst->op == AMD_OP_s_setreg_imm32_b32 && immediate) {
         int constant = number(text, &value) ? 0 : scalar_by_name(a, text);
         if (constant && (constant < AMD_FLOAT_0_5 || constant >= AMD_FLOAT_0_5 + AMD_INLINE_FLOATS))
            return wrong(a, "a number expected", text);
         inst->literal = constant ? amd_isa_inline_floats[constant - AMD_FLOAT_0_5].f32 : (uint32_t)value;
      } else if (!placed && !strchr(text, '(')) {
         placed = true;
         if (!operand_number(a, inst, info->src[0], text, info->dst.cls ? &inst->dst : &inst->src[0]))
            return false;
      } else {
         immediate = text;
      }
   }
   return !immediate || take_immediate(a, inst, info, immediate, whole);
}

static bool
take_smem(struct assembler *a, struct amd_inst *inst, const struct amd_op_info *info, struct words *w)
{
   long long value;
   bool data = info->src[3].cls;
   if (!data && !info->dst.cls && w->num_operands && number(w->operand[0], &value)) { /* probes */
      inst->simm16 = (uint16_t)value;
      w->next++;
   }
   if (!parse_operand(a, inst, data ? info->src[3] : info->dst, w, data ? &inst->src[3] : &inst->dst))
      return false;
   if (!info->src[0].cls)
      return true;
   if (!operand_number(a, inst, info->src[0], next(w), &inst->src[0]))
      return false;
   const char *offset = next(w);
   inst->src[1] = AMD_NULL;
   if (!number(offset, &value))
      return !*offset || operand_number(a, inst, info->src[1], offset, &inst->src[1]);
   inst->offset = (int32_t)value;
   return true;
}

/* "off" leaves the place empty. */
static bool
take_or_off(struct assembler *a, struct amd_inst *inst, struct amd_operand_info info, struct words *w,
            uint16_t *place)
{
   const char *text = next(w);
   return !strcmp(text, "off") || operand_number(a, inst, info, text, place);
}

/* The register of buffer and image data: also where an atomic returns. */
static bool
take_data(struct assembler *a, struct amd_inst *inst, const struct amd_op_info *info, struct words *w)
{
   bool stores = info->src[3].cls, returns = info->flags & AMD_FLAG_ATOMIC && inst->glc && info->dst.cls;
   uint16_t data;
   if (!operand_number(a, inst, info->dst, next(w), &data))
      return false;
   if (stores)
      inst->src[3] = data;
   if (!stores || returns)
      inst->dst = data;
   return true;
}

static bool
take_buffer(struct assembler *a, struct amd_inst *inst, const struct amd_op_info *info, struct words *w)
{
   if (!info->src[1].cls) /* invalidates */
      return true;
   bool no_registers = !info->dst.cls && !info->src[3].cls && inst->lds; /* from LDS to memory: no address either */
   if (no_registers)
      return parse_operand(a, inst, info->src[1], w, &inst->src[1]) &&
             parse_operand(a, inst, info->src[2], w, &inst->src[2]);
   bool no_data = inst->lds || (!info->dst.cls && !info->src[3].cls);
   return (no_data || take_data(a, inst, info, w)) && take_or_off(a, inst, info->src[0], w, &inst->src[0]) &&
          parse_operand(a, inst, info->src[1], w, &inst->src[1]) &&
          parse_operand(a, inst, info->src[2], w, &inst->src[2]);
}

/* "[v3, v7, v1]": registers that do not stand in a row. */
static bool
take_addresses(struct assembler *a, struct amd_inst *inst, const char *text)
{
   unsigned count = 0;
   for (const char *end; *text && *text != ']'; text = end + strspn(end, ", ")) {
      char word[WORD_B];
      end = word_end(text + (count == 0), ",]");
      if (!put_word(a, word, text + (count == 0), end) || vgpr(word) < 0 || count > ARRAY_SIZE(inst->nsa))
         return wrong(a, "no such address", text);
      if (count)
         inst->nsa[count - 1] = (uint8_t)(vgpr(word) - AMD_VGPR0);
      else
         inst->src[0] = (uint16_t)vgpr(word);
      count++;
   }
   inst->nsa_count = (uint8_t)(count - 1);
   return count > 0;
}

static bool
take_image(struct assembler *a, struct amd_inst *inst, const struct amd_op_info *info, struct words *w)
{
   if (!take_data(a, inst, info, w))
      return false;
   const char *address = next(w);
   bool ok = *address == '[' ? take_addresses(a, inst, address)
                             : operand_number(a, inst, info->src[0], address, &inst->src[0]);
   return ok && parse_operand(a, inst, info->src[1], w, &inst->src[1]) &&
          parse_operand(a, inst, info->src[2], w, &inst->src[2]);
}

static bool
take_flat(struct assembler *a, struct amd_inst *inst, const struct amd_op_info *info, struct words *w)
{
   bool returns = info->dst.cls && (!(info->flags & AMD_FLAG_ATOMIC) || inst->glc);
   bool ok = (!returns || operand_number(a, inst, info->dst, next(w), &inst->dst)) &&
             (!info->src[0].cls || take_or_off(a, inst, info->src[0], w, &inst->src[0])) &&
             parse_operand(a, inst, info->src[1], w, &inst->src[1]);
   return ok && (inst->enc == AMD_ENC_FLAT || take_or_off(a, inst, info->src[2], w, &inst->src[2]));
}

/* "mrt0 v1, off, off, v2": the target and the first register are not parted by a comma. */
static bool
take_export(struct assembler *a, struct amd_inst *inst, const struct amd_op_info *info, const char *text)
{
   struct words w;
   char target[WORD_B];
   const char *end = word_end(text, " ");
   if (!put_word(a, target, text, end) || !FIND(a, inst, exp_target, 64, target))
      return wrong(a, "no such target", text);
   if (!split(a, end, &w))
      return false;
   for (unsigned i = 0; i < w.num_modifiers; i++) {
      inst->exp_done |= !strcmp(w.modifier[i], "done");
      inst->exp_compr |= !strcmp(w.modifier[i], "compr");
      inst->exp_vm |= !strcmp(w.modifier[i], "vm");
      inst->row_en |= !strcmp(w.modifier[i], "row_en");
   }
   for (unsigned i = 0; i < 4; i++) {
      uint16_t *place = &inst->src[inst->exp_compr ? i / 2 : i];
      inst->exp_en |= (uint8_t)((strcmp(w.operand[i], "off") != 0) << i);
      if (!take_or_off(a, inst, info->src[i], &w, place))
         return false;
   }
   return true;
}

static bool
take_interpolation(struct assembler *a, struct amd_inst *inst, const struct amd_op_info *info, struct words *w)
{
   unsigned attr;
   char channel;
   if (!parse_operand(a, inst, info->dst, w, &inst->dst))
      return false;
   bool loads = inst->enc == AMD_ENC_LDSDIR, ok = true;
   char *text = next(w);
   if (!loads) {
      ok = info->src[0].cls ? source(a, inst, info, 0, text) : FIND(a, inst, simm16, 3, text);
      text = next(w);
   }
   const char *channels = "xyzw", *found;
   if (!ok || sscanf(text, "attr%u.%c", &attr, &channel) != 2 || attr > 63 || !(found = strchr(channels, channel)))
      return wrong(a, "no such attribute", text);
   inst->attr = (uint8_t)attr;
   inst->chan = (uint8_t)(found - channels);
   return !info->src[2].cls || source(a, inst, info, 2, next(w));
}

/* ---- modifiers ---- */

#define FIELD(name) offsetof(struct amd_inst, name), sizeof(((struct amd_inst *)0)->name)

static const struct {
   const char *name; /* a whole word: 1; with ':' a number follows */
   size_t offset_B, size_B;
   /* clang-format off */
} fields[] = {
   {"glc", FIELD(glc)}, {"slc", FIELD(slc)}, {"dlc", FIELD(dlc)}, {"lds", FIELD(lds)}, {"gds", FIELD(gds)},
   {"offen", FIELD(offen)}, {"idxen", FIELD(idxen)}, {"tfe", FIELD(tfe)}, {"lwe", FIELD(lwe)}, {"a16", FIELD(a16)},
   {"r128", FIELD(r128)}, {"da", FIELD(da)}, {"d16", FIELD(d16)}, {"high", FIELD(high)}, {"unorm", FIELD(unrm)},
   {"clamp", FIELD(clamp)},
   {"bound_ctrl:", FIELD(bound_ctrl)}, {"fi:", FIELD(fetch_inactive)}, {"offset:", FIELD(offset)},
   {"dmask:", FIELD(dmask)}, {"row_mask:", FIELD(row_mask)}, {"bank_mask:", FIELD(bank_mask)},
   {"format:", FIELD(format)}, {"wait_exp:", FIELD(wait_exp)}, {"wait_vdst:", FIELD(wait_vdst)},
};
/* clang-format on */

/* A bit or some bits for each number of a list in brackets. */
static const struct {
   const char *name;
   size_t offset_B, size_B;
   unsigned bits;
} lists[] = {{"op_sel:", FIELD(op_sel), 1},
             {"op_sel_hi:", FIELD(op_sel_hi), 1},
             {"neg_lo:", FIELD(neg), 1},
             {"neg_hi:", FIELD(neg_hi), 1},
             {"dpp8:", FIELD(dpp8), 3}};

/* Names: the value that prints so. A value is looked for among the first `count`. */
static const struct {
   const char *name;
   size_t offset_B, size_B;
   uint32_t count;
} names[] = {{"mul:", FIELD(omod), 4},
             {"div:", FIELD(omod), 4},
             {"dim:", FIELD(dim), 8},
             {"format:", FIELD(format), 128},
             {"offset:", FIELD(offset), 65536},
             {"dst_sel:", FIELD(sdwa_dst_sel), 7},
             {"dst_unused:", FIELD(sdwa_dst_unused), 3},
             {"src0_sel:", FIELD(sdwa_src_sel[0]), 7},
             {"src1_sel:", FIELD(sdwa_src_sel[1]), 7},
             {"quad_perm:", FIELD(dpp_ctrl), 512},
             {"row_", FIELD(dpp_ctrl), 512},
             {"wave_", FIELD(dpp_ctrl), 512}};

static bool
take_list(struct assembler *a, struct amd_inst *inst, unsigned row, const char *text)
{
   uint32_t value = 0;
   const char *at = text + strlen(lists[row].name);
   unsigned count = 0, bits = lists[row].bits;
   for (at += *at == '['; *at && *at != ']'; at += strspn(at, ", ")) {
      char *end;
      unsigned long item = strtoul(at, &end, 10);
      if (end == at || item >= 1u << bits || count * bits >= 24)
         return wrong(a, "no such list", text);
      value |= (uint32_t)item << count++ * bits;
      at = end;
   }
   /* One more than there are sources: the last is the result's. */
   if (lists[row].offset_B == offsetof(struct amd_inst, op_sel) && inst->enc == AMD_ENC_VOP3 &&
       count > amd_isa_op_info(a->gen, (enum amd_op)inst->op)->src_count)
      value = (value & ((1u << (count - 1)) - 1)) | (value >> (count - 1) & 1) << 3;
   if (lists[row].offset_B == offsetof(struct amd_inst, op_sel_hi))
      value |= inst->op_sel_hi & ~0u << count; /* of sources that there are not, all ones */
   set(inst, lists[row].offset_B, lists[row].size_B, value);
   return true;
}

static bool
take_modifier(struct assembler *a, struct amd_inst *inst, const char *text)
{
   long long value = 1;
   for (unsigned i = 0; i < ARRAY_SIZE(fields); i++) {
      size_t length = strlen(fields[i].name);
      bool numbered = fields[i].name[length - 1] == ':';
      if (numbered ? starts(text, fields[i].name) && number(text + length, &value) : !strcmp(text, fields[i].name)) {
         set(inst, fields[i].offset_B, fields[i].size_B, (uint32_t)value);
         return true;
      }
   }
   if ((starts(text, "offset0:") || starts(text, "offset1:")) && number(text + 8, &value) &&
       (unsigned long long)value < 256) {
      inst->offset |= (int32_t)value << (text[6] == '1' ? 8 : 0);
      return true;
   }
   for (unsigned i = 0; i < ARRAY_SIZE(lists); i++) {
      if (starts(text, lists[i].name))
         return take_list(a, inst, i, text);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
      if (starts(text, names[i].name) && find(a, inst, names[i].offset_B, names[i].size_B, names[i].count, text))
         return true;
   }
   return wrong(a, "no such modifier", text);
}

/* Ahead of the operands: some say how many there are, and DPP and SDWA are another encoding. */
static bool
take_modifiers(struct assembler *a, struct amd_inst *inst, struct words *w)
{
   for (unsigned i = 0; i < w->num_modifiers; i++) {
      if (starts(w->modifier[i], "row_mask:") || starts(w->modifier[i], "dpp8:")) /* all that comparisons say */
         inst->modifier = starts(w->modifier[i], "dpp8:") ? AMD_MOD_DPP8 : AMD_MOD_DPP16;
   }
   for (unsigned i = 0; i < w->num_modifiers; i++) {
      if (!take_modifier(a, inst, w->modifier[i]))
         return false;
   }
   /* Without operands the first modifier looks like one. */
   const struct amd_op_info *info = amd_isa_op_info(a->gen, (enum amd_op)inst->op);
   if (inst->enc == AMD_ENC_DS && !info->dst.cls && !info->src_count && w->num_operands == 1)
      return take_modifier(a, inst, w->operand[w->next++]);
   return true;
}

/* ---- pairs ---- */

static bool
has_literal(const struct amd_inst *inst)
{
   return inst->src[0] == AMD_LITERAL || inst->src[1] == AMD_LITERAL || inst->src[2] == AMD_LITERAL;
}

/* One operation of a pair. A lane mask is VCC, and is not named. */
static bool
take_half(struct assembler *a, const char *text, enum amd_enc enc, struct amd_inst *inst)
{
   struct words w;
   char mnemonic[64];
   size_t length = strcspn(text, " \t");
   snprintf(mnemonic, sizeof(mnemonic), "%.*s", (int)length, text);
   enum amd_op op = amd_isa_op_of(a->gen, mnemonic);
   const struct amd_op_info *info = op < AMD_OP_COUNT ? amd_isa_op_info(a->gen, op) : NULL;
   if (!info || !(info->encs >> enc & 1) || strncmp(mnemonic, "v_dual_", 7))
      return wrong(a, "no such operation of a pair in this generation", mnemonic);
   *inst = amd_inst_init(op, enc);
   if (!split(a, text + length, &w) || !parse_operand(a, inst, info->dst, &w, &inst->dst))
      return false;
   for (unsigned i = 0; i < 3; i++) {
      if (info->src[i].cls == AMD_CLASS_MASK)
         inst->src[i] = AMD_VCC_LO;
      else if (!parse_operand(a, inst, info->src[i], &w, &inst->src[i]))
         return false;
   }
   return (w.next == w.num_operands && !w.num_modifiers) || wrong(a, "too much", text);
}

/* "v_dual_a ... :: v_dual_b ..." */
static bool
take_pair(struct assembler *a, char *text, char *between, struct amd_inst *inst)
{
   struct amd_inst y;
   uint32_t words[AMD_INST_MAX_DW];
   unsigned size;
   *between = 0;
   const char *second = between + 2 + strspn(between + 2, " \t");
   if (!take_half(a, text, AMD_ENC_VOPD, inst) || !take_half(a, second, AMD_ENC_VOPDY, &y))
      return false;
   if (has_literal(inst) && has_literal(&y) && inst->literal != y.literal)
      return wrong(a, "a pair has one literal", second);
   inst->literal |= y.literal;
   inst->dual_op = y.op;
   inst->dual_dst = y.dst;
   memcpy(inst->dual_src, y.src, sizeof(inst->dual_src));
   return amd_isa_encode(a->gen, inst, words, &size) || wrong(a, "cannot be a pair with these operands", text);
}

/* ---- the line ---- */

#define VECTOR_SHORT (1u << AMD_ENC_VOP1 | 1u << AMD_ENC_VOP2 | 1u << AMD_ENC_VOPC)

static bool
ends(const char *text, const char *suffix)
{
   size_t length = strlen(text), last = strlen(suffix);
   return length >= last && !strcmp(text + length - last, suffix);
}

/* The encoding that a mnemonic asks for, or one of those that it leaves open. */
static enum amd_enc
encoding_of(const char *mnemonic, uint32_t encs)
{
   const uint32_t shorter = encs & (VECTOR_SHORT | 1u << AMD_ENC_VINTRP);
   if (shorter)
      encs = ends(mnemonic, "_e64") ? encs & ~shorter : shorter;
   return encs ? (enum amd_enc)__builtin_ctz(encs) : AMD_ENC_NONE;
}

static bool
take_operands(struct assembler *a, struct amd_inst *inst, const struct amd_op_info *info, struct words *w,
              const char *whole, const char *rest)
{
   for (unsigned i = 0; inst->enc != AMD_ENC_SOPP && inst->enc != AMD_ENC_EXP && i < w->num_operands; i++) {
      if (starts(w->operand[i], "attr"))
         return take_interpolation(a, inst, info, w);
   }
   switch ((enum amd_enc)inst->enc) {
   case AMD_ENC_SOPP:
      return !*rest || take_immediate(a, inst, info, rest, whole);
   case AMD_ENC_SOPK:
      return take_sopk(a, inst, info, w, whole);
   case AMD_ENC_SMEM:
      return take_smem(a, inst, info, w);
   case AMD_ENC_MUBUF:
   case AMD_ENC_MTBUF:
      return take_buffer(a, inst, info, w);
   case AMD_ENC_MIMG:
      return take_image(a, inst, info, w);
   case AMD_ENC_FLAT:
   case AMD_ENC_GLOBAL:
   case AMD_ENC_SCRATCH:
      return take_flat(a, inst, info, w);
   case AMD_ENC_EXP:
      return take_export(a, inst, info, rest);
   case AMD_ENC_SOP1:
   case AMD_ENC_SOP2:
   case AMD_ENC_SOPC:
   case AMD_ENC_VOP1:
   case AMD_ENC_VOP2:
   case AMD_ENC_VOPC:
   case AMD_ENC_VOP3:
   case AMD_ENC_VOP3P:
   case AMD_ENC_DS:
   case AMD_ENC_VINTERP:
   case AMD_ENC_LDSDIR:
      return take_plain(a, inst, info, w);
   case AMD_ENC_VINTRP:
   case AMD_ENC_VOPD: /* take_pair() */
   case AMD_ENC_VOPDY:
   case AMD_ENC_NONE:
      break;
   }
   return wrong(a, "has no encoding", amd_isa_op_name((enum amd_op)inst->op));
}

bool
assemble(struct assembler *a, const char *line, struct amd_inst *inst)
{
   struct words w;
   char mnemonic[64], whole[512];
   a->label[0] = a->error[0] = 0;
   line += strspn(line, " \t");
   size_t length = strcspn(line, " \t");
   snprintf(mnemonic, sizeof(mnemonic), "%.*s", (int)length, line);
   snprintf(whole, sizeof(whole), "%s", line);
   while (*whole && isspace((unsigned char)whole[strlen(whole) - 1]))
      whole[strlen(whole) - 1] = 0;
   char *between = strstr(whole, "::");
   if (between)
      return take_pair(a, whole, between, inst);
   bool long_dpp = ends(mnemonic, "_e64_dpp");
   if (long_dpp)
      mnemonic[strlen(mnemonic) - strlen("_dpp")] = 0;
   enum amd_op op = amd_isa_op_of(a->gen, mnemonic);
   const struct amd_op_info *info = op < AMD_OP_COUNT ? amd_isa_op_info(a->gen, op) : NULL;
   if (!info || !info->encs)
      return wrong(a, "no such instruction in this generation", mnemonic);
   enum amd_enc enc = encoding_of(mnemonic, info->encs);
   *inst = amd_inst_init(op, enc);
   inst->format = enc == AMD_ENC_MTBUF ? 1 : 0; /* the one that is not printed */
   inst->modifier = ends(mnemonic, "_sdwa")              ? AMD_MOD_SDWA
                    : long_dpp || ends(mnemonic, "_dpp") ? AMD_MOD_DPP16
                                                         : AMD_MOD_NONE;
   const char *rest = whole + MIN2(length, strlen(whole));
   rest += strspn(rest, " \t");
   bool named = enc == AMD_ENC_SOPP || enc == AMD_ENC_EXP;
   if (!named && (!split(a, rest, &w) || !take_modifiers(a, inst, &w)))
      return false;
   if (!take_operands(a, inst, info, &w, whole, rest))
      return false;
   if (!named && w.next < w.num_operands)
      return wrong(a, "one operand too many", w.operand[w.next]);
   bool open = info->encs & VECTOR_SHORT && !ends(mnemonic, "_e32") && !ends(mnemonic, "_e64") && !inst->modifier;
   if (open)
      inst->enc = (uint8_t)amd_isa_pick_encoding(a->gen, inst);
   uint32_t words[AMD_INST_MAX_DW];
   unsigned size;
   return amd_isa_encode(a->gen, inst, words, &size) || wrong(a, "has no encoding with these operands", mnemonic);
}
