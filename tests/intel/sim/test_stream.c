/* Random streams of packets: none crashes or loops for ever, and many have draws. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "intel/hw/packet_table.h"
#include "intel/sim/kernel.h"
#include "stream_try.h"

enum { STREAMS = 100000, MAX_WORDS = 300 };

static uint64_t seed = 1;

static uint32_t
draw_number(uint32_t below)
{
   seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (uint32_t)(seed >> 33) % below;
}

static uint32_t
random_word(void)
{
   switch (draw_number(4)) {
   case 0:
      return 0;
   case 1:
      return (draw_number(1024) & ~3u) + 0x1000 +
             draw_number(2); /* an address of the stream, or a base that is set */
   case 2:
      return 1u << draw_number(32);
   default:
      return draw_number(0x10000) << 16 | draw_number(0x10000);
   }
}

/* Packets of the generation with a field or more that is not zero, and now and then something else. */
static unsigned
random_stream(enum intel_gen gen, uint32_t *words)
{
   unsigned count = 0, most = 1 + draw_number(MAX_WORDS);
   while (count + 32 < most) {
      enum intel_packet packet = INTEL_PACKET_NONE + 1 + draw_number(INTEL_PACKETS - 1);
      if (!intel_packets[packet].length_dw[gen] || !intel_packets[packet].mask)
         continue;
      unsigned length_dw = intel_packet_start(gen, packet, words + count);
      for (unsigned i = 1; i < length_dw; i++)
         words[count + i] = random_word();
      if (!draw_number(100))
         words[count] ^= 1u << draw_number(32);
      count += length_dw;
   }
   while (count < most)
      words[count++] = draw_number(8) ? 0 : random_word();
   return count;
}

static void
test_random(void **state)
{
   unsigned draws = 0, ends = 0, packets = 0;
   for (unsigned i = 0; i < STREAMS; i++) {
      uint32_t words[MAX_WORDS];
      enum intel_gen gen = (enum intel_gen)(i % INTEL_GENS);
      unsigned count = random_stream(gen, words);
      /* Of just this size, so that a sanitizer sees what is read after it. */
      uint32_t *copy = malloc(count * sizeof(*copy));
      assert_non_null(copy);
      memcpy(copy, words, count * sizeof(*copy));
      struct stream_tried tried = stream_try(gen, copy, count);
      free(copy);
      draws += tried.draws;
      ends += tried.ends;
      packets += tried.packets;
   }
   assert_true(draws > STREAMS / 10);
   assert_true(ends > STREAMS / 10);
   assert_true(packets > STREAMS);
}

/* Kernels by hand, from the manuals' layout of a SEND: opcode 6:0, function 27:24, descriptor 127:96 with message
 * type 18:14, end of thread 127, the second source an immediate (90:89 on gen8, 43:42 on Haswell). */
struct kernel_words {
   const uint64_t *words;
   unsigned count;
   enum intel_gen gen;
};

/* In a message's second half: its descriptor is an immediate. read_kernel() puts it where the generation has it. */
#define IMMEDIATE UINT64_C(1)

static bool
read_kernel(void *data, uint64_t va, void *bytes, uint32_t size_B)
{
   const struct kernel_words *kernel = data;
   if (va % 8 || size_B != 8 || va / 8 >= kernel->count)
      return false;
   uint64_t word = kernel->words[va / 8];
   bool is_send = (word & 0x7f) == 0x31, low = kernel->gen == INTEL_GEN7_5;
   if (is_send && low && va / 8 + 1 < kernel->count && kernel->words[va / 8 + 1] & IMMEDIATE)
      word |= UINT64_C(3) << 42;
   if (!is_send && (word & IMMEDIATE))
      word = (word ^ IMMEDIATE) | (low ? 0 : UINT64_C(3) << 25);
   memcpy(bytes, &word, 8);
   return true;
}

#define SEND(sfid) (0x31 | (uint64_t)(sfid) << 24)
#define DESC(type, entry, end) ((uint64_t)((type) << 14 | (entry)) << 32 | (uint64_t)(end) << 63 | IMMEDIATE)
#define LENGTHS (UINT64_C(1) << 62 | UINT64_C(1) << 57) /* of a message: bits below that which ends the thread */
#define COMPACT (0x40 | UINT64_C(1) << 29)

static void
test_kernels(void **state)
{
   const uint64_t target[] = {COMPACT, SEND(5), DESC(12, 3, 1), SEND(12), DESC(9, 1, 1)};
   const uint64_t typed[] = {SEND(12), DESC(13, 0, 0) | LENGTHS, COMPACT, SEND(5), DESC(12, 0, 1)};
   const uint64_t fence[] = {SEND(10), DESC(7, 0, 0) | LENGTHS, SEND(12), DESC(5, 0, 0), SEND(6), DESC(0, 0, 1)};
   const uint64_t bytes[] = {SEND(10), DESC(12, 2, 0), SEND(6), DESC(0, 0, 1)};
   const uint64_t spill[] = {SEND(10), DESC(8, 255, 0), SEND(10), DESC(0x1c, 0, 0), SEND(6), DESC(0, 0, 1)};
   const uint64_t run_time[] = {0x31 | UINT64_C(12) << 24, 0, SEND(6), DESC(0, 0, 1)};
   const uint64_t endless[] = {COMPACT, COMPACT};
   const struct {
      const uint64_t *words;
      unsigned count;
      enum intel_stores stores;
      uint32_t targets;
   } rows[] = {
      {target, 5, INTEL_STORES_NOT, 1u << 3}, {typed, 5, INTEL_STORES, 1},
      {fence, 6, INTEL_STORES_NOT, 0},        {bytes, 4, INTEL_STORES, 0},
      {spill, 6, INTEL_STORES_NOT, 0},        {run_time, 4, INTEL_STORES_UNKNOWN, 0},
      {endless, 2, INTEL_STORES_UNKNOWN, 0},
   };
   for (enum intel_gen gen = INTEL_GEN7_5; gen < INTEL_GENS; gen++) {
      for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
         struct kernel_words words = {rows[i].words, rows[i].count, gen};
         struct intel_memory memory = {read_kernel, &words};
         struct intel_kernel kernel = intel_kernel_read(gen, &memory, 0);
         assert_int_equal(kernel.stores, rows[i].stores);
         assert_int_equal(kernel.targets, rows[i].targets);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_kernels)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
