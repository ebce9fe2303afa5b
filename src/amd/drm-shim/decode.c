/* Where packets and code lie in a recording is known only from its submissions: a first walk, with nothing run, finds
 * them; then the recording is printed, and what was written of them moves into blocks of their own ahead of the
 * submission that follows the writes. */
#include "amd/drm-shim/decode.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "amd/drm-shim/code_text.h"
#include "amd/drm-shim/packet_text.h"
#include "amd/hw/chips.h"
#include "amd/hw/isa.h"
#include "amd/hw/pm4.h"
#include "amd/hw/registers.h"
#include "amd/hw/stages.h"
#include "sim/record/record_text.h"
#include "sim/record/replay.h"
#include "util/macros.h"
#include "util/within_memory.h"

#define MAX_IB_DW (1u << 20)
#define MAX_IBS 4096 /* of a submission, with those that it calls */
#define MAX_CODE_DW (1u << 16)

/* A range of a memory that a submission reads as packets or as code. */
struct part {
   const struct sim_record *used, *written; /* by the submission; ahead of that one */
   uint64_t memory, offset_B, count;
   uint32_t *words;
   bool is_code, wave64;
   bool is_whole; /* the writes ahead of `written` cover it: it can take their place. Else it is a comment */
};

struct decoder {
   const struct sim_recording *recording;
   enum amd_gen gen;
   const struct sim_player *player;
   struct sim_vm *vm;
   const struct sim_record *submit;
   unsigned ib_count;
   uint32_t regs[AMD_SIM_RINGS][AMD_UCONFIG_REG_END / 4];
   struct dynarray parts; /* struct part */
};

/* AMD_SIM_RINGS: there is no such ring. */
static enum amd_sim_ring
ring_by_name(const char *name)
{
   enum amd_sim_ring ring = AMD_SIM_RING_GFX;
   while (ring < AMD_SIM_RINGS && (!name || strcmp(name, amd_sim_ring_names[ring])))
      ring++;
   return ring;
}

static bool
read_submit_line(const struct sim_record_line *line, enum amd_sim_ring ring, struct dynarray *ibs, uint64_t *clock,
                 struct sim_record_error *error)
{
   char copy[256], *at = copy;
   const char *words[5];
   uint64_t va, count;
   snprintf(copy, sizeof(copy), "%s", line->text);
   for (unsigned i = 0; i < ARRAY_SIZE(words); i++)
      words[i] = sim_record_word(&at);
   bool sync = words[2] && words[3] && !strcmp(words[3], "sync");
   const char *own_ring = sync ? words[4] : words[2] ? words[3] : NULL;
   bool is_ib = words[2] && !strcmp(words[0], "ib") && sim_record_number(words[1], UINT64_MAX, &va) &&
                sim_record_number(words[2], MAX_IB_DW, &count) && !*at && (sync || !words[3] || !words[4]);
   bool is_clock =
      words[1] && !words[2] && !strcmp(words[0], "clock") && sim_record_number(words[1], UINT64_MAX, clock);
   if (own_ring)
      ring = ring_by_name(own_ring);
   if ((!is_ib && !is_clock) || ring == AMD_SIM_RINGS)
      return sim_record_fail(error, line->number, "neither \"ib ADDRESS DWORDS [sync] [RING]\" nor \"clock TICKS\"");
   if (is_ib && va % 4)
      return sim_record_fail(error, line->number, "the address is not a multiple of 4");
   if (is_ib)
      dynarray_append(ibs, struct amd_sim_ib, (struct amd_sim_ib){sim_va(va), (uint32_t)count, ring, sync, 0});
   return true;
}

bool
amd_submit_read(const struct sim_record *submit, struct dynarray *ibs, uint64_t *clock,
                struct sim_record_error *error)
{
   char copy[64], *at = copy;
   snprintf(copy, sizeof(copy), "%s", submit->text);
   const char *name = sim_record_word(&at);
   enum amd_sim_ring ring = ring_by_name(name);
   if (ring >= AMD_SIM_RING_CE || sim_record_word(&at))
      return sim_record_fail(error, submit->line, "a submission is \"submit SPACE gfx\", \"compute\" or \"sdma\"");
   *clock = 0;
   dynarray_for_each(const struct sim_record_line, line, &submit->lines)
      if (!read_submit_line(line, ring, ibs, clock, error))
         return false;
   return true;
}

/* -- the walk -- */

/* Words from va on, as many as lie in one piece, at most `count`. NULL: none. */
static const uint32_t *
look(const struct decoder *decoder, struct sim_va va, uint64_t *count)
{
   uint64_t run_B;
   const uint32_t *words = sim_vm_lookup(decoder->vm, va, 0, &run_B, NULL);
   *count = MIN2(*count, run_B / 4);
   return words && *count ? words : NULL;
}

/* False: it is known already. */
static bool
add_part(struct decoder *decoder, const uint32_t *words, uint64_t count, bool is_code, bool wave64)
{
   struct part part = {.used = decoder->submit, .count = count, .is_code = is_code, .wave64 = wave64};
   if (!sim_player_locate(decoder->player, words, &part.memory, &part.offset_B))
      return false;
   dynarray_for_each(const struct part, it, &decoder->parts)
      if (it->memory == part.memory && it->offset_B == part.offset_B && it->count == count &&
          it->is_code == is_code && !memcmp(it->words, words, count * 4))
         return it->used != decoder->submit;
   part.words = malloc(count * 4);
   if (!part.words)
      return false;
   memcpy(part.words, words, count * 4);
   dynarray_append(&decoder->parts, struct part, part);
   return true;
}

/* Dwords up to the end of the program that no branch jumps over. */
static uint32_t
code_size(const struct decoder *decoder, const uint32_t *words, uint32_t count)
{
   uint32_t farthest = 0;
   for (uint32_t at = 0, size; at < count; at += size) {
      struct amd_inst inst;
      size = amd_isa_decode_loosely(decoder->gen, words + at, count - at, &inst);
      if (!size)
         return at;
      const struct amd_op_info *info = amd_isa_op_info(decoder->gen, inst.op);
      if (info->flags & AMD_FLAG_BRANCH && inst.enc == AMD_ENC_SOPP) {
         int64_t target = (int64_t)at + size + (int16_t)inst.simm16;
         farthest = target > (int64_t)farthest ? (uint32_t)MIN2(target, (int64_t)count) : farthest;
      }
      if (info->flags & AMD_FLAG_END && at + size > farthest)
         return at + size;
   }
   return count;
}

/* ES's program is that of merged ES and GS, LS's that of LS and HS. */
static void
find_programs(struct decoder *decoder, const uint32_t *regs, bool is_compute)
{
   for (enum amd_hw_stage hw = 0; hw < AMD_HW_STAGES; hw++) {
      const struct amd_stage_regs *stage = &amd_stage_regs[decoder->gen][hw];
      if (is_compute != (hw == AMD_HW_CS) || !stage->pgm_lo)
         continue;
      uint64_t count = MAX_CODE_DW;
      uint64_t high = regs[stage->pgm_hi / 4], low = regs[stage->pgm_lo / 4];
      struct sim_va va = sim_va(high << 40 | low << 8);
      const uint32_t *words = low ? look(decoder, va, &count) : NULL;
      uint32_t size = words ? code_size(decoder, words, (uint32_t)count) : 0;
      if (size)
         add_part(decoder, words, size, true, !(regs[stage->wave32.reg / 4] & stage->wave32.mask));
   }
}

static void walk_ib(struct decoder *decoder, enum amd_sim_ring ring, struct sim_va va, uint64_t count);

static void
walk_packet(struct decoder *decoder, enum amd_sim_ring ring, unsigned opcode, const uint32_t *payload, uint32_t count)
{
   uint32_t base_B = amd_pm4_registers(opcode).start_B, *regs = decoder->regs[ring];
   uint32_t at = base_B ? base_B / 4 + amd_pm4_set_reg_unpack(payload).reg_offset : 0;
   for (uint32_t i = AMD_PM4_SET_REG_DW; base_B && i < count; i++, at++) {
      if (at < AMD_UCONFIG_REG_END / 4)
         regs[at] = payload[i];
   }
   if (opcode == PKT3_INDIRECT_BUFFER && count >= AMD_PM4_INDIRECT_BUFFER_DW) {
      const struct amd_pm4_indirect_buffer buffer = amd_pm4_indirect_buffer_unpack(payload);
      walk_ib(decoder, ring, sim_va(buffer.base), buffer.ib_size);
   }
   const struct amd_pm4_initiator initiator = amd_pm4_initiator(opcode);
   if (initiator.reg_B && initiator.from_end_dw <= count) {
      regs[initiator.reg_B / 4] = payload[count - initiator.from_end_dw];
      find_programs(decoder, regs, initiator.reg_B == R_COMPUTE_DISPATCH_INITIATOR);
   }
}

static void
walk_ib(struct decoder *decoder, enum amd_sim_ring ring, struct sim_va va, uint64_t count)
{
   const uint32_t *words = va.va % 4 ? NULL : look(decoder, va, &count);
   if (!words || ++decoder->ib_count > MAX_IBS || !add_part(decoder, words, count, false, false))
      return;
   for (uint64_t at = 0; at < count;) {
      uint32_t size = words[at] >> 30 == 3 && words[at] != PKT3_NOP_PAD ? G_PKT3_COUNT(words[at]) + 2 : 1;
      if (size > 1 && size <= count - at)
         walk_packet(decoder, ring, G_PKT3_OPCODE(words[at]), words + at + 1, size - 1);
      at += size;
   }
}

static bool
walk_submit(void *data, struct sim_player *player, struct sim_vm *vm, const struct sim_record *submit,
            struct sim_fault *fault, struct sim_record_error *error)
{
   struct decoder *decoder = data;
   struct dynarray ibs = {0};
   uint64_t clock;
   bool ok = amd_submit_read(submit, &ibs, &clock, error);
   decoder->player = player;
   decoder->vm = vm;
   decoder->submit = submit;
   decoder->ib_count = 0;
   dynarray_for_each(const struct amd_sim_ib, ib, &ibs)
      if (ok && ib->ring != AMD_SIM_RING_SDMA) /* whose packets stay numbers */
         walk_ib(decoder, ib->ring, ib->va, ib->size_dw);
   dynarray_free(&ibs);
   return ok;
}

/* -- where parts are printed -- */

static uint64_t
end_B(const struct sim_record *write)
{
   return write->offset_B + write->words.size_B;
}

static bool
touches(const struct sim_record *write, const struct part *part)
{
   return write->kind == SIM_RECORD_WRITE && write->memory == part->memory &&
          write->offset_B < part->offset_B + part->count * 4 && end_B(write) > part->offset_B;
}

/* Whether the writes of [first, end) cover the part. */
static bool
is_covered(const struct part *part, const struct sim_record *first, const struct sim_record *end)
{
   uint64_t at_B = part->offset_B;
   for (const struct sim_record *write = first; write < end && at_B < part->offset_B + part->count * 4;) {
      bool continues = touches(write, part) && write->offset_B <= at_B && end_B(write) > at_B;
      at_B = continues ? end_B(write) : at_B;
      write = continues ? first : write + 1;
   }
   return at_B >= part->offset_B + part->count * 4;
}

/* The first record after the submission ahead of this one. */
static const struct sim_record *
group_start(const struct decoder *decoder, const struct sim_record *submit)
{
   const struct sim_record *first = decoder->recording->records.data;
   while (submit > first && submit[-1].kind != SIM_RECORD_SUBMIT)
      submit--;
   return submit;
}

static void
place(const struct decoder *decoder, struct part *part)
{
   const struct sim_record *first = decoder->recording->records.data, *last = part->used;
   while (last > first && !touches(last, part))
      last--;
   part->written = touches(last, part) ? last : part->used;
   while (part->written->kind != SIM_RECORD_SUBMIT)
      part->written++;
   part->is_whole = is_covered(part, group_start(decoder, part->written), part->written);
}

/* -- printing -- */

static void
print_text(FILE *out, enum amd_gen gen, const struct part *part)
{
   const char *block = !part->is_code ? "packets" : part->wave64 ? "code64" : "code32";
   fprintf(out, "%s %" PRIu64 " 0x%" PRIx64 " %" PRIu64 "\n", block, part->memory, part->offset_B, part->count);
   if (part->is_code)
      amd_code_print(out, gen, part->wave64, part->words, (uint32_t)part->count);
   else
      amd_packet_print(out, gen, part->words, (uint32_t)part->count);
}

/* A comment: in part from elsewhere, from the GPU itself perhaps. */
static void
print_comment(FILE *out, enum amd_gen gen, const struct part *part)
{
   char *text = NULL;
   size_t size_B;
   FILE *lines = open_memstream(&text, &size_B);
   if (!lines)
      return;
   print_text(lines, gen, part);
   fclose(lines);
   for (char *line = text, *next; *line; line = next) {
      next = strchr(line, '\n') + 1;
      fprintf(out, "#%.*s", (int)(next - line), line);
   }
   free(text);
}

/* Of a write, what no part takes over. */
static void
print_write(const struct decoder *decoder, FILE *out, const struct sim_record *record)
{
   for (uint64_t at_B = record->offset_B; at_B < end_B(record);) {
      uint64_t taken_B = at_B, next_B = end_B(record);
      dynarray_for_each(const struct part, part, &decoder->parts) {
         bool moved = part->is_whole && touches(record, part) && record < part->written &&
                      record >= group_start(decoder, part->written);
         if (moved && part->offset_B > at_B)
            next_B = MIN2(next_B, part->offset_B);
         else if (moved)
            taken_B = MAX2(taken_B, part->offset_B + part->count * 4);
      }
      if (taken_B > at_B) {
         at_B = taken_B;
         continue;
      }
      struct sim_record rest = *record;
      rest.offset_B = at_B;
      rest.words.data = (char *)record->words.data + (at_B - record->offset_B);
      rest.words.size_B = next_B - at_B;
      sim_record_print(out, &rest);
      at_B = next_B;
   }
}

static void
print_submit(const struct decoder *decoder, FILE *out, const struct sim_record *record)
{
   dynarray_for_each(const struct part, part, &decoder->parts) {
      if (part->is_whole && part->written == record)
         print_text(out, decoder->gen, part);
      else if (!part->is_whole && part->used == record)
         print_comment(out, decoder->gen, part);
   }
   sim_record_print(out, record);
}

bool
amd_decode(const struct sim_recording *recording, FILE *out, struct sim_record_error *error)
{
   const struct amd_chip *chip = amd_chip_by_name(recording->chip);
   if (!chip)
      return sim_record_fail(error, 0, "no chip is called \"%.40s\"", recording->chip);
   struct decoder *decoder = need_calloc("the decoder", 1, sizeof(*decoder));
   decoder->recording = recording;
   decoder->gen = chip->gen;
   struct sim_replay walk = {.recording = recording, .only_walks = true, .data = decoder, .submit = walk_submit};
   bool ok = sim_replay_run(&walk, error) != SIM_REPLAY_BAD;
   dynarray_for_each(struct part, part, &decoder->parts)
      place(decoder, part);
   if (ok)
      sim_record_print_head(out, recording->driver, recording->chip, recording->schedule, recording->option);
   dynarray_for_each(const struct sim_record, record, &recording->records) {
      if (ok && record->kind == SIM_RECORD_SUBMIT)
         print_submit(decoder, out, record);
      else if (ok && record->kind == SIM_RECORD_WRITE)
         print_write(decoder, out, record);
      else if (ok)
         sim_record_print(out, record);
   }
   dynarray_for_each(struct part, part, &decoder->parts)
      free(part->words);
   dynarray_free(&decoder->parts);
   free(decoder);
   return ok;
}
