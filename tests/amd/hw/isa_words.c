/* Words that nobody chose, to our decoder and to LLVM's: what they do not agree on, a line each,
 * "hexadecimal words, our text, LLVM's text" between tabs, empty for who refuses; then "= WORDS TAKEN_BY_BOTH DIED".
 *
 * Usage: isa_words CPU SEED COUNT 32|64 < LINES. COUNT words at random, then each of LINES (what isa_random writes)
 * with one to three bits flipped, some with another literal. LLVM's printer dies of some words, so children do the
 * work: after one that died the next continues after the word, and LLVM's text is "dies". Without LLVM's library the
 * status is 77. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "isa_cpu.h"
#include "isa_llvm.h"
#include "isa_try.h"

/* What lasts beyond a child. */
struct progress {
   unsigned long next, both, died;
   bool in_llvm;
};

static uint64_t state;
static enum amd_gen gen;
static bool wave64;
static struct isa_llvm *llvm;
static struct progress *progress;

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

static void
write_line(const uint32_t *words, unsigned count, const char *ours, const char *theirs)
{
   for (unsigned i = 0; i < count; i++)
      printf("%08x%s", words[i], i + 1 < count ? " " : "");
   printf("\t%s\t%s\n", ours, theirs);
}

static void
compare(const uint32_t *words)
{
   char ours[256] = "", theirs[256] = "";
   unsigned size = isa_try_words(gen, words, AMD_INST_MAX_DW, wave64, ours, sizeof(ours));
   progress->in_llvm = true;
   unsigned their_size = isa_llvm_print(llvm, words, AMD_INST_MAX_DW, theirs, sizeof(theirs));
   progress->in_llvm = false;
   progress->both += size && their_size;
   if (size != their_size || strcmp(ours, theirs))
      write_line(words, size ? size : their_size, size ? ours : "", their_size ? theirs : "");
}

/* An instruction of a line, changed. */
static void
change(char *line, uint32_t *words)
{
   unsigned count = 0;
   for (char *at = line; *at != '|' && count < AMD_INST_MAX_DW; count++)
      words[count] = (uint32_t)strtoul(at, &at, 16);
   for (unsigned i = count; i < AMD_INST_MAX_DW; i++)
      words[i] = rnd();
   for (unsigned flips = 1 + rnd() % 3; flips; flips--)
      words[rnd() % count] ^= 1u << rnd() % 32;
   if (count > 1 && rnd() % 4 == 0)
      words[count - 1] = literals[rnd() % (sizeof(literals) / sizeof(literals[0]))];
}

/* All words: COUNT at random and one a line. */
static uint32_t (*make_words(unsigned long number, unsigned long *count))[AMD_INST_MAX_DW]
{
   unsigned long capacity = number + 1024;
   uint32_t(*words)[AMD_INST_MAX_DW] = malloc(capacity * sizeof(*words));
   char line[512];
   for (unsigned long i = 0; words && i < number; i++)
      for (unsigned j = 0; j < AMD_INST_MAX_DW; j++)
         words[i][j] = rnd();
   *count = number;
   while (words && fgets(line, sizeof(line), stdin)) {
      if (*count == capacity)
         words = realloc(words, (capacity *= 2) * sizeof(*words));
      if (words)
         change(line, words[(*count)++]);
   }
   return words;
}

/* In a child: from the next word to the last, if LLVM bears all. */
static void
compare_rest(uint32_t (*words)[AMD_INST_MAX_DW], unsigned long count)
{
   setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
   setvbuf(stdout, NULL, _IOLBF, 0);
   while (progress->next < count)
      compare(words[progress->next++]);
   fflush(stdout);
   _exit(0);
}

static bool
compare_all(uint32_t (*words)[AMD_INST_MAX_DW], unsigned long count)
{
   while (progress->next < count) {
      pid_t child = fork();
      int status;
      if (!child)
         compare_rest(words, count);
      if (child < 0 || waitpid(child, &status, 0) != child)
         return false;
      if (status == 0)
         continue;
      if (!progress->in_llvm)
         return false;
      progress->in_llvm = false;
      const uint32_t *last = words[progress->next - 1];
      char ours[256] = "";
      unsigned size = isa_try_words(gen, last, AMD_INST_MAX_DW, wave64, ours, sizeof(ours));
      progress->died++;
      write_line(last, size ? size : 2, size ? ours : "", "dies");
      fflush(stdout);
   }
   return true;
}

int
main(int argc, char **argv)
{
   if (argc != 5 || !gen_of_cpu(argv[1], &gen))
      return 2;
   state = 88172645463325252u ^ strtoull(argv[2], NULL, 0) * 0x9e3779b97f4a7c15u;
   wave64 = argv[4][0] == '6';
   unsigned long count;
   uint32_t(*words)[AMD_INST_MAX_DW] = make_words(strtoul(argv[3], NULL, 0), &count);
   progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   llvm = isa_llvm_create(argv[1], wave64);
   if (!llvm)
      return 77;
   if (!words || progress == MAP_FAILED || !compare_all(words, count))
      return 1;
   printf("= %lu %lu %lu\n", count, progress->both, progress->died);
   free(words);
   isa_llvm_destroy(llvm);
   return 0;
}
