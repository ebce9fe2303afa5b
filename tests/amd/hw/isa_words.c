/* Words that nobody chose, and what our decoder makes of them: "hexadecimal words|text" a line, without a text for
 * those it refuses.
 *
 * Usage: isa_words CPU SEED COUNT 32|64 < LINES. COUNT words at random, then each of LINES (what isa_random writes)
 * with one to three bits flipped, some with another literal. */
#include <stdio.h>
#include <stdlib.h>

#include "isa_cpu.h"
#include "isa_try.h"

static uint64_t state;
static enum amd_gen gen;

/* Literals with the bits of constants, in one half or the other. */
static const uint32_t literals[] = {0,          5,          64,         65,         0xfffffff0, 0xffffffef,
                                    0xfff0,     0x1234fff0, 0x12340005, 0x3c00,     0x12343c00, 0x3c003c00,
                                    0x3118,     0x3f000000, 0x3f800000, 0xc0800000, 0x3e22f983, 0x3fe00000,
                                    0x3ff00000, 0xc0100000, 0x3fc45f30};

static uint32_t
rnd(void)
{
   state ^= state << 13;
   state ^= state >> 7;
   state ^= state << 17;
   return (uint32_t)(state >> 16);
}

/* count: as many of the words are written if none are taken. */
static void
write_line(const uint32_t *words, unsigned count, bool wave64)
{
   char text[256];
   unsigned size = isa_try_words(gen, words, AMD_INST_MAX_DW, wave64, text, sizeof(text));
   count = size ? size : count;
   for (unsigned i = 0; i < count; i++)
      printf("%08x%s", words[i], i + 1 < count ? " " : "");
   printf("|%s\n", size ? text : "");
}

int
main(int argc, char **argv)
{
   if (argc != 5 || !gen_of_cpu(argv[1], &gen))
      return 2;
   state = 88172645463325252u ^ strtoull(argv[2], NULL, 0) * 0x9e3779b97f4a7c15u;
   bool wave64 = argv[4][0] == '6';
   char line[512];
   for (long i = 0; i < atol(argv[3]); i++) {
      uint32_t words[AMD_INST_MAX_DW];
      for (unsigned j = 0; j < AMD_INST_MAX_DW; j++)
         words[j] = rnd();
      write_line(words, 2, wave64);
   }
   while (fgets(line, sizeof(line), stdin)) {
      uint32_t words[AMD_INST_MAX_DW];
      unsigned count = 0;
      for (char *at = line; *at != '|' && count < AMD_INST_MAX_DW; count++)
         words[count] = (uint32_t)strtoul(at, &at, 16);
      for (unsigned i = count; i < AMD_INST_MAX_DW; i++)
         words[i] = rnd();
      for (unsigned flips = 1 + rnd() % 3; flips; flips--)
         words[rnd() % count] ^= 1u << rnd() % 32;
      if (count > 1 && rnd() % 4 == 0)
         words[count - 1] = literals[rnd() % (sizeof(literals) / sizeof(literals[0]))];
      write_line(words, count, wave64);
   }
   return 0;
}
