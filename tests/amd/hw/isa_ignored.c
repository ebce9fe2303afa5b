/* Instructions with anything in the bits that hardware ignores: the strict decoder takes none of them, the loose one
 * reads the same instruction as without. A line each that LLVM reads otherwise: "ignored bits, words, our text,
 * LLVM's" between tabs; then "= WORDS BY_LLVM".
 *
 * Usage: isa_ignored CPU SEED 32|64 < LINES (what isa_random writes). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amd/hw/isa.h"
#include "isa_cpu.h"
#include "isa_llvm.h"

static uint64_t state;
static enum amd_gen gen;
static bool wave64;

static uint64_t
rnd(void)
{
   state ^= state << 13;
   state ^= state >> 7;
   state ^= state << 17;
   return state;
}

static void
fail(const char *what, const uint32_t *words)
{
   fprintf(stderr, "%08x %08x: %s\n", words[0], words[1], what);
   exit(1);
}

/* False: no bit is ignored, or the draw gave what must be there. */
static bool
change(const uint32_t *words, unsigned size, uint32_t *changed)
{
   uint64_t ignored = amd_isa_ignored_bits(gen, words, size), drawn = rnd() & ignored;
   if (rnd() % 4 == 0) /* what Mesa 26.2 writes into sources of long forms */
      drawn = ignored & 0x0101000000000000;
   memcpy(changed, words, AMD_INST_MAX_DW * sizeof(*words));
   changed[0] = (changed[0] & ~(uint32_t)ignored) | (uint32_t)drawn;
   changed[1] = (changed[1] & ~(uint32_t)(ignored >> 32)) | (uint32_t)(drawn >> 32);
   return memcmp(changed, words, size * sizeof(*words)) != 0;
}

/* Whether the words are of one instruction that hardware reads like the other. */
static bool
check(const uint32_t *words, unsigned size, const uint32_t *changed)
{
   struct amd_inst proper, loose, strict;
   uint32_t cleared[2];
   if (amd_isa_decode(gen, words, size, &proper) != size)
      fail("the strict decoder does not take it", words);
   if (amd_isa_decode(gen, changed, size, &strict))
      fail("the strict decoder takes it", changed);
   if (!amd_isa_clear_ignored(gen, changed, size, cleared))
      return false; /* a source that announces a dword */
   if (memcmp(cleared, words, (size < 2 ? 1 : 2) * sizeof(*words)))
      fail("other bits were cleared", changed);
   if (amd_isa_decode_loosely(gen, changed, size, &loose) != size || memcmp(&loose, &proper, sizeof(loose)))
      fail("the loose decoder reads something else", changed);
   for (unsigned cut = 0; cut < size; cut++)
      if (amd_isa_decode_loosely(gen, changed, cut, &loose))
         fail("the loose decoder takes a part of it", changed);
   return true;
}

int
main(int argc, char **argv)
{
   if (argc != 4 || !gen_of_cpu(argv[1], &gen))
      return 2;
   state = 88172645463325252u ^ strtoull(argv[2], NULL, 0) * 0x9e3779b97f4a7c15u;
   wave64 = argv[3][0] == '6';
   struct isa_llvm *llvm = isa_llvm_create(argv[1], wave64);
   unsigned long count = 0, by_llvm = 0;
   char line[512];
   while (fgets(line, sizeof(line), stdin)) {
      uint32_t words[AMD_INST_MAX_DW] = {0}, changed[AMD_INST_MAX_DW];
      unsigned size = 0;
      for (char *at = line; *at != '|' && size < AMD_INST_MAX_DW; size++)
         words[size] = (uint32_t)strtoul(at, &at, 16);
      if (!change(words, size, changed) || !check(words, size, changed))
         continue;
      count++;
      char ours[256] = "", theirs[256] = "";
      struct amd_inst inst;
      amd_isa_decode_loosely(gen, changed, size, &inst);
      amd_isa_print(gen, &inst, wave64, ours, sizeof(ours));
      unsigned their_size = llvm ? isa_llvm_print(llvm, changed, size, theirs, sizeof(theirs)) : 0;
      by_llvm += their_size == size && !strcmp(ours, theirs);
      if (their_size != size || strcmp(ours, theirs))
         printf("%016lx\t%08x %08x\t%s\t%s\n", (unsigned long)amd_isa_ignored_bits(gen, words, size), changed[0],
                changed[1], ours, their_size ? theirs : "");
   }
   printf("= %lu %lu\n", count, by_llvm);
   isa_llvm_destroy(llvm);
   return 0;
}
