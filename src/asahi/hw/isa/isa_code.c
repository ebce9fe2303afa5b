/* Instructions to bytes and back. */
#include <string.h>

#include "asahi/hw/isa/isa_tables.h"

/* Pieces may lie across the dwords of a word. */
static uint32_t
get_bits(const struct isa_word *word, unsigned low, unsigned width)
{
   uint64_t pair = word->dw[low / 32] | (uint64_t)(low / 32 < 2 ? word->dw[low / 32 + 1] : 0) << 32;
   return (uint32_t)(pair >> low % 32) & isa_ones(width);
}

static void
put_bits(struct isa_word *word, unsigned low, unsigned width, uint32_t value)
{
   const unsigned dw = low / 32, shift = low % 32;
   const uint64_t mask = (uint64_t)isa_ones(width) << shift, bits = (uint64_t)value << shift & mask;
   word->dw[dw] = (word->dw[dw] & ~(uint32_t)mask) | (uint32_t)bits;
   if (mask >> 32)
      word->dw[dw + 1] = (word->dw[dw + 1] & ~(uint32_t)(mask >> 32)) | (uint32_t)(bits >> 32);
}

static uint32_t
gather(const struct isa_word *word, const struct isa_place *place)
{
   uint32_t raw = 0;
   for (const struct isa_piece *p = isa_pieces + place->first; p < isa_pieces + place->first + place->pieces; p++)
      raw |= get_bits(word, p->low, p->width) << p->to;
   return raw;
}

static bool
decode_operand(const struct isa_place *place, uint32_t raw, struct agx_inst *inst)
{
   const struct isa_operand_kind *kind = &isa_kinds[place->values];
   for (unsigned i = 0; i < kind->cases; i++) {
      const struct isa_case *meaning = &isa_cases[kind->first + i];
      if ((raw & meaning->mask) == meaning->value)
         return isa_case_decode(meaning, raw, isa_operand(inst, place));
   }
   return false;
}

static bool
decode_place(const struct isa_word *word, const struct isa_place *place, struct agx_inst *inst)
{
   uint32_t raw = gather(word, place);
   if (place->how == ISA_OPERAND)
      return decode_operand(place, raw, inst);
   *isa_modifier(&inst->mod, place) = raw;
   return place->how != ISA_ENUM || isa_enum_text(place->values, raw);
}

static bool
matches(const struct isa_row *row, const struct isa_word *word)
{
   for (unsigned i = 0; i < 3; i++) {
      if ((word->dw[i] & row->mask.dw[i]) != row->value.dw[i])
         return false;
   }
   return true;
}

/* The size of the word of this row; what follows it is cleared. */
static unsigned
trim(const struct isa_row *row, struct isa_word *word)
{
   bool is_long = row->long_B > row->short_B && get_bits(word, row->length_bit, 1);
   unsigned size_B = is_long ? row->long_B : row->short_B;
   for (unsigned bit = size_B * 8; bit < 96; bit += 16)
      put_bits(word, bit, 16, 0);
   return size_B;
}

/* Whether the upper bytes are what a short form leaves out. */
static bool
fits_short(const struct isa_row *row, const struct isa_word *word)
{
   for (unsigned bit = row->short_B * 8u; bit < row->long_B * 8u; bit += 16) {
      if (get_bits(word, bit, 16))
         return false;
   }
   return true;
}

static bool
decode_row(const struct isa_row *row, struct isa_word word, size_t size_B, struct agx_inst *inst)
{
   *inst = (struct agx_inst){.op = (uint16_t)(row - isa_rows)};
   inst->size_B = (uint8_t)trim(row, &word);
   if (inst->size_B > size_B || !matches(row, &word))
      return false;
   inst->long_form = inst->size_B > row->short_B && fits_short(row, &word);
   for (const struct isa_place *place = isa_places + row->first; place < isa_places + row->first + row->places;
        place++) {
      if (!decode_place(&word, place, inst))
         return false;
   }
   return true;
}

unsigned
agx_isa_decode(const uint8_t *bytes, size_t size_B, struct agx_inst *inst)
{
   struct isa_word word = {{0}};
   for (unsigned i = 0; i < size_B && i < AGX_INST_MAX_B; i++)
      word.dw[i / 4] |= (uint32_t)bytes[i] << i % 4 * 8;
   unsigned first = word.dw[0] & 255;
   for (unsigned i = isa_candidate_first[first]; i < isa_candidate_first[first + 1]; i++) {
      if (decode_row(&isa_rows[isa_candidates[i]], word, size_B, inst))
         return inst->size_B;
   }
   *inst = (struct agx_inst){0};
   return 0;
}

/* decided: which bits of raw the place decides. Whether shared ones are what their owner wrote. */
static bool
agrees(const struct isa_place *place, uint32_t raw, uint32_t decided, const struct isa_word *word)
{
   for (const struct isa_piece *p = isa_pieces + place->first; p < isa_pieces + place->first + place->pieces; p++) {
      uint32_t value = raw >> p->to & isa_ones(p->width), mask = decided >> p->to & isa_ones(p->width);
      if (p->shared && ((value ^ get_bits(word, p->low, p->width)) & mask))
         return false;
   }
   return true;
}

static bool
scatter(const struct isa_place *place, uint32_t raw, uint32_t decided, struct isa_word *word)
{
   if (place->shared && !agrees(place, raw, decided, word))
      return false;
   for (const struct isa_piece *p = isa_pieces + place->first; p < isa_pieces + place->first + place->pieces; p++) {
      if (!p->shared)
         put_bits(word, p->low, p->width, raw >> p->to);
   }
   return true;
}

static bool
encode_operand(const struct isa_place *place, const struct agx_operand *operand, struct isa_word *word)
{
   const struct isa_operand_kind *kind = &isa_kinds[place->values];
   for (unsigned i = 0; i < kind->cases; i++) {
      const struct isa_case *meaning = &isa_cases[kind->first + i];
      uint32_t raw;
      if (meaning->kind == operand->kind && isa_case_encode(meaning, operand, &raw) &&
          scatter(place, raw, meaning->written, word))
         return true;
   }
   return false;
}

static bool
encode_modifier(const struct isa_place *place, uint32_t value, struct isa_word *word)
{
   return !(value & ~isa_ones(place->width)) && scatter(place, value, UINT32_MAX, word);
}

static bool
same(const struct agx_inst *a, const struct agx_inst *b)
{
   return a->op == b->op && !memcmp(&a->dst, &b->dst, sizeof(a->dst)) && !memcmp(a->src, b->src, sizeof(a->src)) &&
          !memcmp(&a->mod, &b->mod, sizeof(a->mod));
}

/* Owners of bits before those that share them. */
static bool
encode_places(const struct isa_row *row, const struct agx_inst *inst, struct isa_word *word)
{
   for (unsigned shared = 0; shared <= row->shares; shared++) {
      for (unsigned i = 0; i < row->places; i++) {
         const struct isa_place *place = &isa_places[row->first + i];
         if (place->shared != shared)
            continue;
         bool fits = place->how == ISA_OPERAND ? encode_operand(place, isa_operand_value(inst, place), word)
                                               : encode_modifier(place, isa_modifier_value(&inst->mod, place), word);
         if (!fits)
            return false;
      }
   }
   return true;
}

unsigned
agx_isa_encode_known(struct agx_inst *inst, uint8_t bytes[AGX_INST_MAX_B])
{
   if (inst->op >= AGX_OP_COUNT)
      return 0;
   const struct isa_row *row = &isa_rows[inst->op];
   struct isa_word word = row->value;
   if (!encode_places(row, inst, &word))
      return 0;
   bool is_long = row->long_B > row->short_B && (inst->long_form || !fits_short(row, &word));
   if (is_long)
      put_bits(&word, row->length_bit, 1, 1);
   for (unsigned i = 0; i < AGX_INST_MAX_B; i++)
      bytes[i] = (uint8_t)(word.dw[i / 4] >> i % 4 * 8);
   inst->size_B = is_long ? row->long_B : row->short_B;
   return inst->size_B;
}

/* What the form does not have, or what says two things, does not come back. */
unsigned
agx_isa_encode(struct agx_inst *inst, uint8_t bytes[AGX_INST_MAX_B])
{
   struct agx_inst back;
   unsigned size_B = agx_isa_encode_known(inst, bytes);
   return size_B && agx_isa_decode(bytes, size_B, &back) == size_B && same(&back, inst) ? size_B : 0;
}

bool
agx_isa_takes(enum agx_op op, int source, const struct agx_operand *operand)
{
   const struct isa_row *row = &isa_rows[op];
   for (unsigned i = 0; i < row->places; i++) {
      const struct isa_place *place = &isa_places[row->first + i];
      if (place->how != ISA_OPERAND || place->index != source + 1)
         continue;
      const struct isa_operand_kind *kind = &isa_kinds[place->values];
      for (unsigned k = 0; k < kind->cases; k++) {
         uint32_t raw;
         const struct isa_case *meaning = &isa_cases[kind->first + k];
         if (meaning->kind == operand->kind && isa_case_encode(meaning, operand, &raw))
            return true;
      }
   }
   return false;
}
