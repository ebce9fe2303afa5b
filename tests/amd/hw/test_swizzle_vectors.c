/* The tables of address patterns against what AMD's address library gives: each row has a vector, and each vector its
 * row. Usage: test_swizzle_vectors SWIZZLE_VECTORS_TXT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "amd/hw/descriptors.h"
#include "amd/hw/swizzle.h"
#include "util/macros.h"

enum { AXES = 4, MAX_BITS = 16, MAX_LINE = 512, LEAST = 1600 };

struct vector {
   char name[16], dim[8], configs[128];
   unsigned samples, element_B;
   uint32_t columns[AXES][MAX_BITS]; /* by bits of x, y, slice and sample */
};

static const char *path;

static const struct {
   const char *name;
   unsigned mode;
} modes[] = {
#define MODE(name) {#name, V_##name}
   MODE(SW_256B_S),    MODE(SW_256B_D),    MODE(SW_256B_R),   MODE(SW_4KB_Z),     MODE(SW_4KB_S),
   MODE(SW_4KB_D),     MODE(SW_4KB_R),     MODE(SW_64KB_Z),   MODE(SW_64KB_S),    MODE(SW_64KB_D),
   MODE(SW_64KB_R),    MODE(SW_64KB_Z_T),  MODE(SW_64KB_S_T), MODE(SW_64KB_D_T),  MODE(SW_64KB_R_T),
   MODE(SW_4KB_Z_X),   MODE(SW_4KB_S_X),   MODE(SW_4KB_D_X),  MODE(SW_4KB_R_X),   MODE(SW_64KB_Z_X),
   MODE(SW_64KB_S_X),  MODE(SW_64KB_D_X),  MODE(SW_64KB_R_X), MODE(SW_256KB_Z_X), MODE(SW_256KB_S_X),
   MODE(SW_256KB_D_X), MODE(SW_256KB_R_X),
#undef MODE
};
static const struct {
   const char *name;
   enum amd_gen gen;
} generations[] = {{"GFX9", AMD_GFX9},
                   {"GFX10", AMD_GFX10},
                   {"GFX10_3", AMD_GFX10_3},
                   {"GFX11", AMD_GFX11},
                   {"GFX11_5", AMD_GFX11_5}};

static unsigned
mode_of(const char *name)
{
   for (unsigned i = 0; i < ARRAY_SIZE(modes); i++)
      if (!strcmp(modes[i].name, name))
         return modes[i].mode;
   fail_msg("no mode %s", name);
   return 0;
}

static unsigned
log2_of(unsigned value)
{
   unsigned n = 0;
   while (1u << n < value)
      n++;
   return n;
}

static void
read_columns(struct vector *v, char *text)
{
   for (char *part = strtok(text, " \n"); part; part = strtok(NULL, " \n")) {
      const char *axis = strchr("xyzs", part[0]);
      assert_true(axis && part[1] == '=');
      uint32_t *column = v->columns[axis - "xyzs"];
      for (char *at = part + 2; *at; at += *at == ',')
         *column++ = (uint32_t)strtoul(at, &at, 16);
   }
}

/* A vector with the lines that continue with it; false at the end. */
static bool
next_vector(FILE *file, struct vector *v)
{
   char line[MAX_LINE], more[MAX_LINE];
   int used = 0, c;

   do {
      if (!fgets(line, sizeof(line), file))
         return false;
   } while (line[0] == '#');
   while ((c = fgetc(file)) == ' ' && fgets(more, sizeof(more), file)) {
      line[strcspn(line, "\n")] = ' ';
      assert_true(strlen(line) + strlen(more) < sizeof(line));
      strcat(line, more);
   }
   ungetc(c, file);
   memset(v, 0, sizeof(*v));
   assert_int_equal(
      sscanf(line, "%15s %7s %u %u %127s %n", v->name, v->dim, &v->samples, &v->element_B, v->configs, &used), 5);
   read_columns(v, line + used);
   return true;
}

/* The address inside a block of a coordinate with one bit set. */
static uint32_t
address(const struct amd_swizzle_equation *e, unsigned axis, uint32_t bit)
{
   uint32_t at = 0;
   for (unsigned i = 0; i < e->block_log2; i++) {
      const uint16_t of[AXES] = {e->bits[i].x, e->bits[i].y, e->bits[i].z, e->bits[i].s};
      at |= (of[axis] >> bit & 1u) << i;
   }
   return at;
}

static void
check(const struct vector *v, const char *text, bool *seen)
{
   char generation[16];
   unsigned config, gen = 0;

   assert_int_equal(sscanf(text, "%15[^/]/%x", generation, &config), 2);
   while (gen < ARRAY_SIZE(generations) && strcmp(generations[gen].name, generation) != 0)
      gen++;
   assert_true(gen < ARRAY_SIZE(generations));
   unsigned mode = mode_of(v->name), element_log2 = log2_of(v->element_B), samples_log2 = log2_of(v->samples);
   const struct amd_swizzle_equation *e =
      v->dim[0] == '3' ? amd_swizzle_find_3d(generations[gen].gen, config, mode, element_log2)
                       : amd_swizzle_find(generations[gen].gen, config, mode, element_log2, samples_log2);
   if (!e)
      fail_msg("%s: no row for %s, dim %s, %u samples, %u bytes", text, v->name, v->dim, v->samples, v->element_B);
   for (unsigned axis = 0; axis < AXES; axis++)
      for (unsigned bit = 0; bit < MAX_BITS; bit++)
         if (address(e, axis, bit) != v->columns[axis][bit])
            fail_msg("%s %s, dim %s, %u samples, %u bytes: bit %u of %c moves the address by %x, not %x", text,
                     v->name, v->dim, v->samples, v->element_B, bit, "xyzs"[axis], address(e, axis, bit),
                     v -> columns[axis][bit]);
   for (unsigned n = 0; amd_swizzle_at(n); n++)
      seen[n] |= amd_swizzle_at(n) == e;
}

static void
rows_are_measured(void **state)
{
   FILE *file = fopen(path, "r");
   unsigned rows = 0, vectors = 0;
   struct vector v;

   assert_non_null(file);
   while (amd_swizzle_at(rows))
      rows++;
   bool *seen = calloc(rows, sizeof(*seen));
   while (next_vector(file, &v))
      for (char *config = strtok(v.configs, ","); config; config = strtok(NULL, ","), vectors++)
         check(&v, config, seen);
   fclose(file);
   for (unsigned n = 0; n < rows; n++) {
      const struct amd_swizzle_equation *e = amd_swizzle_at(n);
      if (!seen[n])
         fail_msg("generation %u, config %x, mode %u, %u bytes, %u samples has no vector", e->gen, e->config, e->mode,
                  1u << e->element_log2, 1u << e->samples_log2);
   }
   printf("%u rows, %u vectors\n", rows, vectors);
   assert_true(rows >= LEAST && vectors >= rows);
   free(seen);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_measured)};

   path = argc == 2 ? argv[1] : NULL;
   return path ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
