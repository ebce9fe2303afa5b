/* Ordered sections of random programs: where the wave enters and leaves; turns of layers compute the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "choices.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"
#include "nir_random.h"
#include "util/dynarray.h"
#include "util/macros.h"

enum {
   PROGRAMS = 600,
   WALKS = 60,
   MAX_BLOCKS = 300, /* of a walk; a longer one ends without a verdict on its end */
   IN_SECTION = 1,   /* pass_flags: some walk was between a begin and an end here */
};

enum { DISCARDS, LENGTH, LAYERS };
static const struct choice table[] = {
   [DISCARDS] = {.name = "discards", .values = 2},
   [LENGTH] = {.name = "length", .values = 5},
   [LAYERS] = {.name = "layers", .values = 5},
};

static struct nir_shader *
random_shader(struct arena *arena, uint32_t seed, const struct choices *choices)
{
   const struct nir_random_options options = {.seed = seed,
                                              .interlock = true,
                                              .no_subgroups = true,
                                              .no_shared = true,
                                              .no_atomics = true,
                                              .discards = choices->now[DISCARDS],
                                              .statements = 20 + 10 * choices->now[LENGTH]};
   struct nir_shader *shader = nir_random_shader(arena, &options);
   nir_lower_constant_tables(shader, 16);
   nir_lower_initializers(shader);
   nir_lower_vars_to_ssa(shader);
   nir_lower_indirect_derefs(shader, 64);
   nir_lower_vars_to_ssa(shader);
   nir_lower_vars_to_scratch(shader);
   nir_lower_explicit_io(shader);
   return shader;
}

static enum nir_intrinsic_op
op_of(const struct nir_instr *instr)
{
   return instr->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic((struct nir_instr *)instr)->op : NIR_INTRINSIC_COUNT;
}

/* The next block of a random walk, NULL after the end. */
static struct nir_block *
step(const struct nir_shader *shader, const struct nir_block *block, uint64_t *random)
{
   struct nir_block *succ[2] = {NULL, NULL};
   nir_block_successors(shader, block, succ);
   struct nir_block *next = succ[1] && nir_random_next(random) % 2 ? succ[1] : succ[0];
   return next == shader->end_block ? NULL : next;
}

/* Marks what lies between a begin and the next end; without an end there is no section. */
static unsigned
mark_walk(struct nir_shader *shader, uint64_t *random)
{
   struct dynarray section = {0};
   bool begun = false;
   unsigned marked = 0;
   struct nir_block *block = nir_first_block(shader);
   for (unsigned i = 0; block && i < MAX_BLOCKS; i++) {
      nir_foreach_instr(instr, block) {
         if (op_of(instr) == NIR_INTRINSIC_begin_invocation_interlock)
            begun = true;
         else if (begun && op_of(instr) != NIR_INTRINSIC_end_invocation_interlock)
            dynarray_append(&section, struct nir_instr *, instr);
         if (op_of(instr) != NIR_INTRINSIC_end_invocation_interlock)
            continue;
         begun = false;
         for (; section.size_B; marked++)
            dynarray_pop(&section, struct nir_instr *)->pass_flags = IN_SECTION;
      }
      block = step(shader, block, random);
   }
   dynarray_free(&section);
   return marked;
}

/* Every marked instruction is inside, and who enters leaves once. */
static const char *
check_walk(struct nir_shader *shader, uint64_t *random)
{
   unsigned entered = 0, left = 0;
   struct nir_block *block = nir_first_block(shader);
   for (unsigned i = 0; block && i < MAX_BLOCKS; i++) {
      nir_foreach_instr(instr, block) {
         enum nir_intrinsic_op op = op_of(instr);
         if (op == NIR_INTRINSIC_begin_invocation_interlock || op == NIR_INTRINSIC_end_invocation_interlock)
            return "a begin or end is left";
         if (instr->pass_flags == IN_SECTION && (!entered || left))
            return "an instruction of a section is outside";
         entered += op == NIR_INTRINSIC_enter_ordered_section;
         if (op == NIR_INTRINSIC_leave_ordered_section && !entered)
            return "left before entered";
         left += op == NIR_INTRINSIC_leave_ordered_section;
         if (entered > 1 || left > 1)
            return "entered or left twice";
      }
      block = step(shader, block, random);
   }
   return !block && entered != left ? "entered and never left" : NULL;
}

static void
placement(void **state)
{
   unsigned sections = 0, marked = 0;
   static struct choices choices = {.table = table, .count = LAYERS};
   for (uint32_t seed = 0; seed < PROGRAMS; seed++) {
      struct arena arena = {0};
      choices_draw(&choices, seed);
      choices_count(&choices);
      struct nir_shader *shader = random_shader(&arena, seed, &choices);
      uint64_t random = seed * 2 + 1;
      nir_foreach_block(block, shader) {
         nir_foreach_instr(instr, block)
            instr->pass_flags = 0;
      }
      for (unsigned i = 0; i < WALKS; i++)
         marked += mark_walk(shader, &random);
      sections += nir_lower_interlock(shader, false);
      const char *fault = nir_validate(shader);
      for (unsigned i = 0; i < WALKS && !fault; i++)
         fault = check_walk(shader, &random);
      fault = fault ? fault : nir_check_ordered_section(shader);
      if (fault) {
         nir_print(shader, stderr);
         fail_msg("seed %u: %s", seed, fault);
      }
      arena_free(&arena);
   }
   assert_true(sections > PROGRAMS / 2 && marked > PROGRAMS * WALKS);
   assert_int_equal(choices_missing(&choices, stderr), 0);
}

/* Invocations do not see each other's stores here, so taking turns may change nothing. */
static void
turns(void **state)
{
   static struct choices choices = {.table = table, .count = ARRAY_SIZE(table)};
   for (uint32_t seed = 1000; seed < 1000 + PROGRAMS; seed++) {
      struct arena arena = {0};
      choices_draw(&choices, seed);
      choices_count(&choices);
      const struct nir_random_options options = {.seed = seed, .section_layers = 1 + choices.now[LAYERS]};
      uint32_t size_B = nir_random_out_size_B(&options);
      uint8_t *before = malloc(size_B), *after = malloc(size_B);
      struct nir_shader *shader = random_shader(&arena, seed, &choices);
      const char *error = nir_random_execute(&arena, shader, &options, before);
      if (error)
         fail_msg("seed %u: %s", seed, error);
      nir_lower_interlock(shader, true);
      error = nir_validate(shader);
      error = error ? error : nir_check_ordered_section(shader);
      error = error ? error : nir_random_execute(&arena, shader, &options, after);
      /* The counters after the lanes' parts are reached in another order. */
      if (error || memcmp(before, after, size_B - NIR_RANDOM_COUNTERS_B)) {
         nir_print(shader, stderr);
         fail_msg("seed %u: %s", seed, error ? error : "turns change the results");
      }
      free(before);
      free(after);
      arena_free(&arena);
   }
   assert_int_equal(choices_missing(&choices, stderr), 0);
}

/* ---- flags of accesses ---- */

struct places {
   struct nir_builder b;
   struct nir_def *address[2], *descriptor[2], *offset, *value, *coord, *zero;
};

static uint32_t
mask_of(char kind, unsigned count)
{
   return kind == 'p' ? 1 : (1u << count) - 1;
}

/* kind: l load, c one that the application calls coherent, s whole store, p partial store. place: a, b address with
 * two bases, n the first's two first words, z another address; d, e two descriptors, f the first with another offset,
 * g two words of the first; t, u their texels; i, j their images, k another dimension, w an array, m another sample,
 * v another level of the first. */
static void
build_access(struct places *p, char kind, char place)
{
   struct nir_builder *b = &p->b;
   bool load = kind == 'l' || kind == 'c';
   uint32_t flags = kind == 'c' ? NIR_ACCESS_COHERENT : NIR_ACCESS_NON_WRITEABLE;
   struct nir_def *zero = p->zero;
   if (place <= 'b' || place == 'n' || place == 'z') {
      unsigned count = place == 'n' ? 2 : 4;
      int32_t base = place == 'b' ? 16 : 0;
      struct nir_def *address = p->address[place == 'z'];
      if (load)
         nir_load_global(b, count, 32, address, .base = base, .align_mul = 4, .access = flags);
      else
         nir_store_global(b, nir_channels(b, p->value, (1u << count) - 1), address, .base = base, .align_mul = 4,
                          .write_mask = mask_of(kind, count));
   } else if (place <= 'g') {
      struct nir_def *descriptor = p->descriptor[place == 'e'], *offset = place == 'f' ? zero : p->offset;
      unsigned count = place == 'g' ? 2 : 4;
      if (load)
         nir_load_ssbo(b, count, 32, descriptor, offset, .align_mul = 4, .access = flags);
      else
         nir_store_ssbo(b, nir_channels(b, p->value, (1u << count) - 1), descriptor, offset, .align_mul = 4,
                        .write_mask = mask_of(kind, count));
   } else if (place == 't' || place == 'u') {
      if (load)
         nir_load_texel_buffer(b, 32, p->descriptor[place == 'u'], p->offset);
      else
         nir_store_texel_buffer(b, p->descriptor[place == 'u'], p->offset, p->value);
   } else {
      struct nir_def *half = p->descriptor[place == 'j'];
      enum nir_image_dim dim = place == 'k' ? NIR_DIM_3D : NIR_DIM_2D;
      bool array = place == 'w';
      struct nir_def *sample = place == 'm' ? p->offset : zero, *level = place == 'v' ? p->offset : zero;
      if (load)
         nir_image_load(b, 4, 32, half, half, p->coord, sample, level, .image_dim = dim, .image_array = array);
      else
         nir_image_store(b, half, half, p->coord, sample, p->value, level, .image_dim = dim, .image_array = array);
   }
}

static void
collect_flags(struct nir_shader *shader, char *flags)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || !nir_intrinsic_has_access(nir_as_intrinsic(instr)))
            continue;
         uint32_t access = nir_intrinsic_access(nir_as_intrinsic(instr));
         *flags++ = access & (NIR_ACCESS_NON_WRITEABLE | NIR_ACCESS_CAN_REORDER) ? 'R'
                    : access & NIR_ACCESS_COHERENT                               ? 'C'
                                                                                 : '-';
      }
   }
   *flags = 0;
}

/* `text` holds accesses of a section as build_access() names them, and: ? a demote, ! a discard, + arithmetic, { } a
 * branch, [ ] begin, end. expected: C coherent, R promised that nobody writes, - neither. */
static void
expect_flags(const char *text, const char *expected)
{
   struct arena arena = {0};
   struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_FRAGMENT);
   struct places p = {.b = nir_builder_create(shader)};
   struct nir_builder *b = &p.b;
   shader->info.interlock = NIR_INTERLOCK_PIXEL_ORDERED;
   struct nir_def *condition = nir_load_front_face(b);
   p.address[0] = nir_pack_64_2x32(b, nir_load_scalar_arg(b, 2, .base = 0));
   p.address[1] = nir_pack_64_2x32(b, nir_load_scalar_arg(b, 2, .base = 2));
   p.descriptor[0] = nir_load_scalar_arg(b, 4, .base = 4);
   p.descriptor[1] = nir_load_scalar_arg(b, 4, .base = 8);
   p.offset = nir_load_primitive_id(b);
   p.zero = nir_imm_int(b, 0);
   p.value = p.coord = nir_f2u32(b, nir_load_frag_coord(b));
   struct nir_if *nif = NULL;
   for (const char *at = text; *at; at++) {
      if (*at == '[')
         nir_begin_invocation_interlock(b);
      else if (*at == ']')
         nir_end_invocation_interlock(b);
      else if (*at == '?')
         nir_demote_if(b, condition);
      else if (*at == '!')
         nir_discard(b);
      else if (*at == '+')
         nir_iadd(b, p.offset, p.offset);
      else if (*at == '{')
         nif = nir_push_if(b, condition);
      else if (*at == '}')
         nir_pop_if(b, nif);
      else if (*at != ' ') {
         build_access(&p, at[0], at[1]);
         at++;
      }
   }
   char flags[64];
   assert_null(nir_validate(shader));
   assert_true(nir_lower_interlock(shader, false));
   collect_flags(shader, flags);
   if (strcmp(flags, expected))
      fail_msg("%s: %s, not %s", text, flags, expected);
   arena_free(&arena);
}

static void
flags_of_accesses(void **state)
{
   expect_flags("la [ la la ] la", "RC-R");
   expect_flags("[ sa la sa ]", "--C");
   expect_flags("[ pa la sa ]", "-CC"); /* a store of some words says nothing of the others */
   expect_flags("[ la pa la ]", "CC-"); /* a load of all does */
   expect_flags("[ sa pa la ]", "CC-");
   expect_flags("[ la lb ln lz ]", "CCCC"); /* bases, sizes, addresses */
   expect_flags("[ sa sb sn sz sa ]", "-CCCC");
   expect_flags("[ ld le lf ld ]", "CCC-"); /* descriptors, offsets; promises do not count */
   expect_flags("[ ld lg ld lg ]", "CC--"); /* sizes */
   expect_flags("[ sg ld sd lg ]", "CCC-");
   expect_flags("[ sd sg sd sg ]", "--CC");
   expect_flags("[ li lw li lw ]", "CC--"); /* arrays */
   expect_flags("[ lt lu lt st lt ]", "CC-C-");
   expect_flags("[ li lj lk lm lv li si li ]", "CCCCC-C-");
   expect_flags("[ si sj sk sm sv si ]", "-CCCCC");
   expect_flags("[ si lj li ]", "CC-");
   expect_flags("[ sd st sf su sd st ]", "--CCCC");
   expect_flags("[ ld lt li la ]", "CCCC"); /* kinds */
   expect_flags("[ sd st si sa ]", "CCCC");
   expect_flags("[ sd se sd ]", "-CC");
   expect_flags("[ sd pd ]", "CC");
   expect_flags("[ cd cd ]", "CC"); /* what the application asks for it gets */
   expect_flags("[ sd + sd ]", "-C");
   expect_flags("[ sd ? sd ]", "CC"); /* those that are demoted do not come to the second store */
   expect_flags("[ sd ! sd ]", "CC");
   expect_flags("[ sd {sd} ]", "CC");
   expect_flags("[ {ld} ld ]", "CC");
   expect_flags("[ {sd} ld ]", "CC");
   expect_flags("[ ld {ld} ld ]", "C--");
   expect_flags("[ ld ] ld [ ld ]", "C--"); /* one section of the wave */
}

static const char *
fault_of(const char *body)
{
   struct arena arena = {0};
   const char *error = NULL;
   char text[600];
   snprintf(text, sizeof(text), "shader fragment\n{\n%s}\n", body);
   struct nir_shader *shader = nir_parse(&arena, text, &error);
   if (!shader)
      fail_msg("%s", error);
   const char *fault = nir_check_ordered_section(shader);
   static char copy[100];
   snprintf(copy, sizeof(copy), "%s", fault ? fault : "");
   arena_free(&arena);
   return copy;
}

/* The check itself finds each kind of wrong path. */
static void
wrong_paths(void **state)
{
   assert_string_equal(fault_of("block b0:\n enter_ordered_section()\n leave_ordered_section()\n"), "");
   assert_string_equal(fault_of("block b0:\n"), "");
   assert_non_null(strstr(fault_of("block b0:\n enter_ordered_section()\n"), "ends inside"));
   assert_non_null(strstr(fault_of("block b0:\n leave_ordered_section()\n"), "without entering"));
   assert_non_null(strstr(fault_of("block b0:\n enter_ordered_section()\n leave_ordered_section()\n"
                                   " leave_ordered_section()\n"),
                          "twice"));
   assert_non_null(strstr(fault_of("block b0:\n enter_ordered_section()\n leave_ordered_section()\n"
                                   " enter_ordered_section()\n leave_ordered_section()\n"),
                          "again"));
   assert_non_null(strstr(fault_of("block b0:\n 1x1 %1 = load_front_face()\n enter_ordered_section()\n if %1 {\n"
                                   " block b1:\n leave_ordered_section()\n } else {\n block b2:\n }\n block b3:\n"),
                          "ends inside"));
   assert_non_null(strstr(fault_of("block b0:\n enter_ordered_section()\n 1x1 %1 = load_front_face()\n loop {\n"
                                   " block b1:\n leave_ordered_section()\n if %1 {\n block b2:\n break\n } else {\n"
                                   " block b3:\n }\n block b4:\n }\n block b5:\n"),
                          "twice"));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(placement),
      cmocka_unit_test(turns),
      cmocka_unit_test(flags_of_accesses),
      cmocka_unit_test(wrong_paths),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
