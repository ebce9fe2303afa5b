/* indium disasm FILE: machine code as text, of either vendor. */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amd/hw/chips.h"
#include "amd/hw/isa.h"
#include "asahi/hw/chips.h"
#include "asahi/hw/isa.h"
#include "tools/indium.h"
#include "util/read_file.h"

enum {
   LINE_BYTES_MAX = 64,
   TEXT_SIZE = 512,
};

struct request {
   const char *gpu;
   bool wave64, strict;
};

/* One instruction at bytes as text: its size, or 0 if they are none. */
struct code {
   unsigned (*print)(const struct code *code, const uint8_t *bytes, size_t size_B, char text[TEXT_SIZE]);
   unsigned unit_B; /* what instructions are made of */
   bool reversed;   /* in hexadecimal a unit is a number, its highest byte first */
   enum amd_gen gen;
   bool wave64, strict;
};

static unsigned
print_agx(const struct code *code, const uint8_t *bytes, size_t size_B, char text[TEXT_SIZE])
{
   (void)code;
   struct agx_inst inst;
   unsigned used_B = agx_isa_decode(bytes, size_B, &inst);
   if (used_B)
      agx_isa_print(&inst, text, TEXT_SIZE);
   return used_B;
}

static unsigned
print_amd(const struct code *code, const uint8_t *bytes, size_t size_B, char text[TEXT_SIZE])
{
   uint32_t words[AMD_INST_MAX_DW] = {0};
   unsigned count = 0;
   for (; count < AMD_INST_MAX_DW && (count + 1) * sizeof(*words) <= size_B; count++) {
      for (unsigned i = 0; i < 4; i++)
         words[count] |= (uint32_t)bytes[count * 4 + i] << 8 * i;
   }
   struct amd_inst inst;
   unsigned used_dw = code->strict ? amd_isa_decode(code->gen, words, count, &inst)
                                   : amd_isa_decode_loosely(code->gen, words, count, &inst);
   if (used_dw)
      amd_isa_print(code->gen, &inst, code->wave64, text, TEXT_SIZE);
   return used_dw * 4;
}

/* The bytes of a unit as they are written in hexadecimal. */
static void
print_unknown(const struct code *code, const uint8_t *bytes, size_t size_B)
{
   printf("unknown ");
   for (size_t i = 0; i < size_B; i++)
      printf("%02x", bytes[code->reversed ? size_B - 1 - i : i]);
   printf("\n");
}

static void
print_binary(const struct code *code, const uint8_t *bytes, size_t size_B)
{
   for (size_t at = 0; at < size_B;) {
      char text[TEXT_SIZE];
      size_t left_B = size_B - at, unit_B = left_B < code->unit_B ? left_B : code->unit_B;
      unsigned used_B = code->print(code, bytes + at, left_B, text);
      if (used_B)
         printf("%s\n", text);
      else
         print_unknown(code, bytes + at, unit_B);
      at += used_B ? used_B : unit_B;
   }
}

/* A line of hexadecimal digits, with spaces between units if need be. *size_B: how many bytes. NULL, or what is wrong
 * with it. */
static const char *
read_hex(const struct code *code, const char *line, uint8_t *bytes, size_t *size_B)
{
   size_t digits = 0;
   for (; *line && *line != '#'; line++) {
      if (isspace((unsigned char)*line))
         continue;
      if (!isxdigit((unsigned char)*line))
         return "not a hexadecimal digit";
      if (digits == 2 * LINE_BYTES_MAX)
         return "longer than any instruction";
      const char digit[2] = {*line};
      unsigned value = (unsigned)strtoul(digit, NULL, 16);
      uint8_t *byte = &bytes[digits / 2];
      *byte = (uint8_t)(digits % 2 ? *byte << 4 | value : value);
      digits++;
   }
   *size_B = digits / 2;
   if (digits % (2 * code->unit_B))
      return code->unit_B == 4 ? "not whole dwords, of eight digits" : "not whole halfwords, of four digits";
   for (size_t at = 0; code->reversed && at < *size_B; at += code->unit_B) {
      for (unsigned i = 0; i < code->unit_B / 2; i++) {
         uint8_t byte = bytes[at + i];
         bytes[at + i] = bytes[at + code->unit_B - 1 - i];
         bytes[at + code->unit_B - 1 - i] = byte;
      }
   }
   return NULL;
}

/* False after a message. */
static bool
print_line(const struct code *code, const char *path, unsigned number, const char *line)
{
   uint8_t bytes[LINE_BYTES_MAX] = {0};
   size_t size_B = 0;
   const char *fault = read_hex(code, line, bytes, &size_B);
   if (fault) {
      fprintf(stderr, "indium disasm: %s:%u: %s\n", path, number, fault);
      return false;
   }
   if (!size_B)
      return true;
   char text[TEXT_SIZE];
   unsigned used_B = code->print(code, bytes, size_B, text);
   if (used_B && used_B != size_B) {
      fprintf(stderr, "indium disasm: %s:%u: the instruction has %u bytes, the line %zu\n", path, number, used_B,
              size_B);
      return false;
   }
   if (used_B)
      printf("%s\n", text);
   else
      print_unknown(code, bytes, size_B);
   return true;
}

static bool
print_lines(const struct code *code, const char *path, char *text)
{
   unsigned number = 0;
   for (char *line = text, *end; line; line = end) {
      end = strchr(line, '\n');
      if (end)
         *end++ = 0;
      if (!print_line(code, path, ++number, line))
         return false;
   }
   return true;
}

/* Machine code has bytes that no text has. */
static bool
is_text(const char *bytes, size_t size_B)
{
   for (size_t i = 0; i < size_B; i++) {
      unsigned char c = (unsigned char)bytes[i];
      if (c >= 127 || (c < ' ' && !isspace(c)))
         return false;
   }
   return true;
}

/* False: no such chip. */
static bool
find_code(const struct request *request, struct code *code)
{
   const struct amd_chip *chip = amd_chip_by_name(request->gpu);
   if (chip)
      *code = (struct code){print_amd, 4, true, chip->gen, request->wave64, request->strict};
   else
      *code = (struct code){.print = print_agx, .unit_B = 2};
   return chip || agx_chip_by_name(request->gpu);
}

static int
disasm_main(int argc, char **argv)
{
   struct request request = {0};
   int count = parse_options(&command_disasm, argv, &request);
   struct code code;
   size_t size_B;
   if (count < 0)
      return 2;
   if (count != 1)
      return usage_error("disasm", "name a file");
   if (!request.gpu)
      return usage_error("disasm", "name the chip of the code: --gpu CHIP");
   if (!find_code(&request, &code))
      return usage_error("disasm", "no chip is called \"%s\" (see: indium gpus)", request.gpu);
   char *bytes = read_file(argv[0], SIZE_MAX, &size_B);
   if (!bytes) {
      fprintf(stderr, "indium disasm: %s: %s\n", argv[0], strerror(errno));
      return 2;
   }
   bool good = size_B > 0;
   if (!good)
      fprintf(stderr, "indium disasm: %s: it is empty\n", argv[0]);
   else if (is_text(bytes, size_B))
      good = print_lines(&code, argv[0], bytes);
   else
      print_binary(&code, (const uint8_t *)bytes, size_B);
   free(bytes);
   return good ? 0 : 2;
}

static const struct option options[] = {
   {"--gpu", "CHIP", offsetof(struct request, gpu), "the chip of the code, one of indium gpus"},
   {"--wave64", NULL, offsetof(struct request, wave64), "lane masks have 64 lanes (AMD)"},
   {"--strict", NULL, offsetof(struct request, strict),
    "accept bits that hardware ignores only as LLVM writes them (AMD)"},
   {0},
};

const struct command command_disasm = {
   .name = "disasm",
   .purpose = "disassembles machine code",
   .synopsis = {"--gpu CHIP [OPTION]... FILE"},
   .text = "Prints the instructions of a file, one per line: AMD's in LLVM's syntax, Apple's in that of the driver "
           "Honeykrisp. The file contains the code itself or, as text, one instruction in hexadecimal per line: for "
           "AMD dwords, for Apple bytes in memory order; # begins a comment. What does not decode is printed as "
           "\"unknown\" and its digits.",
   .options = options,
   .run = disasm_main,
};
