/* Programs of random instructions, whole and damaged: they end, or in a report; never a crash (the sanitizers
 * watch), and the same on one host thread and two. Seeded.
 *
 * test_programs FILE COUNT [FIRST]: instructions in hexadecimal, one a line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/hw/isa.h"
#include "asahi/sim/base/stage.h"
#include "program_try.h"
#include "sim/waves/schedule.h"
#include "util/dynarray.h"

enum { MAX_LENGTH = 24, INST_B = 12, WAITS_B = 4 };

struct inst {
   uint8_t size_B, bytes[INST_B];
};

static void
read_instructions(struct dynarray *all, const char *path)
{
   char line[512];
   FILE *file = fopen(path, "r");
   if (!file)
      abort();
   while (fgets(line, sizeof(line), file)) {
      struct inst inst = {0};
      const size_t digits = strspn(line, "0123456789abcdef");
      for (size_t i = 0; i + 1 < digits && inst.size_B < INST_B; i += 2)
         inst.bytes[inst.size_B++] = (uint8_t)strtoul((char[]){line[i], line[i + 1], 0}, NULL, 16);
      if (digits)
         dynarray_append(all, struct inst, inst);
   }
   fclose(file);
}

struct numbers {
   uint64_t seed, count;
};

static uint32_t
random_below(struct numbers *n, uint32_t limit)
{
   return (uint32_t)(sim_schedule_random(n->seed, n->count++, 0) >> 20) % limit;
}

/* A small number, one of a descriptor's usual bits, anything. */
static uint32_t
random_word(struct numbers *n)
{
   const uint32_t word = random_below(n, UINT32_MAX);
   switch (random_below(n, 3)) {
   case 0:
      return word & 15;
   case 1:
      return word & random_below(n, UINT32_MAX) & random_below(n, UINT32_MAX);
   default:
      return word;
   }
}

static struct program_try_head
random_head(struct numbers *n)
{
   struct program_try_head head = {0};
   uint8_t *bytes = (uint8_t *)&head;
   for (size_t i = 0; i < sizeof(head); i += 4) {
      const uint32_t word = random_word(n);
      memcpy(bytes + i, &word, sizeof(word));
   }
   if (random_below(n, 8)) /* most may use all that there is */
      head.registers = 31, head.uniforms = 7, head.texture_count = head.sampler_count = 4;
   head.threads = (uint8_t)random_below(n, 256);
   head.flags &=
      (uint8_t)~(random_below(n, 4) ? PROGRAM_TRY_PREAMBLE | PROGRAM_TRY_NO_HOOKS | PROGRAM_TRY_HELPER : 0);
   return head;
}

static void
write_jump(struct numbers *n, uint8_t *bytes)
{
   const int32_t offset = ((int32_t)random_below(n, 80) - 50) * 2;
   bytes[0] = random_below(n, 2) ? 0x00 : 0x20, bytes[1] = 0xc0;
   memcpy(bytes + 2, &offset, sizeof(offset));
}

/* One that can go far: its last uses are no last ones, and it is of the stage. */
static struct inst
near_good(struct numbers *n, const struct dynarray *all, enum agx_stage stage)
{
   for (;;) {
      struct inst inst = *dynarray_at(all, struct inst, random_below(n, (uint32_t)dynarray_count(all, struct inst)));
      struct agx_inst in;
      if (agx_isa_decode(inst.bytes, inst.size_B, &in) != inst.size_B)
         continue;
      const struct agx_op_info info = agx_isa_op_info((enum agx_op)in.op);
      const bool of_tile =
         info.class == AGX_CLASS_TILE || (info.class == AGX_CLASS_VARYING && in.op != AGX_OP_ST_VAR);
      if (info.class == AGX_CLASS_UNIFORM || info.class == AGX_CLASS_STATE || in.op == AGX_OP_STOP ||
          (of_tile && stage < AGX_STAGE_FRAGMENT) || (in.op == AGX_OP_ST_VAR && stage != AGX_STAGE_VERTEX))
         continue;
      for (unsigned i = 0; i < info.source_count; i++)
         in.src[i].discard = false;
      const unsigned size_B = agx_isa_encode(&in, inst.bytes);
      if (!size_B)
         continue;
      inst.size_B = (uint8_t)size_B;
      return inst;
   }
}

static size_t
write_program(struct numbers *n, const struct dynarray *all, enum agx_stage stage, uint8_t *bytes)
{
   static const uint8_t waits[] = {0x38, 0x00, 0x38, 0x01}, stop[] = {0x88, 0x00};
   const uint32_t length = 1 + random_below(n, MAX_LENGTH), damages = random_below(n, 5) / 2;
   const bool good = random_below(n, 4), waiting = random_below(n, 4);
   size_t size_B = 0;
   for (uint32_t i = 0; i < length; i++) {
      const uint32_t from = random_below(n, (uint32_t)dynarray_count(all, struct inst));
      const struct inst inst = good ? near_good(n, all, stage) : *dynarray_at(all, struct inst, from);
      memcpy(bytes + size_B, inst.bytes, inst.size_B);
      size_B += inst.size_B;
      memcpy(bytes + size_B, waits, sizeof(waits));
      size_B += waiting ? sizeof(waits) : 0;
   }
   if (size_B >= 6 && random_below(n, 3) == 0)
      write_jump(n, bytes + random_below(n, (uint32_t)size_B - 5) / 2 * 2);
   for (uint32_t i = 0; i < damages; i++)
      bytes[random_below(n, (uint32_t)size_B)] ^= (uint8_t)(1u << random_below(n, 8));
   memcpy(bytes + size_B, stop, sizeof(stop));
   return size_B + sizeof(stop);
}

int
main(int argc, char **argv)
{
   static uint8_t bytes[sizeof(struct program_try_head) + MAX_LENGTH * (INST_B + WAITS_B) + 2];
   struct dynarray all = {0};
   if (argc < 3)
      return 2;
   read_instructions(&all, argv[1]);
   const uint64_t count = strtoull(argv[2], NULL, 0), first = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
   uint64_t ended = 0;
   for (uint64_t seed = first; seed < first + count; seed++) {
      struct numbers n = {seed, 0};
      const struct program_try_head head = random_head(&n);
      const enum agx_stage stage = (enum agx_stage)(head.stage % AGX_STAGE_PREAMBLE);
      memcpy(bytes, &head, sizeof(head));
      const size_t size_B = sizeof(head) + write_program(&n, &all, stage, bytes + sizeof(head));
      ended += program_try(bytes, size_B);
   }
   dynarray_free(&all);
   printf("%llu programs, %llu of them to their end\n", (unsigned long long)count, (unsigned long long)ended);
   return !(ended > count / 50 && ended < count); /* of both kinds */
}
