/* Which words of which tables a shader reads, and their places in the uniform file. Words that lie near each other
 * are copied together, as a USC word copies up to 64 halves. Of tables that do not fit the shader loads the words: a
 * preamble's work mostly, which has the rest of the uniforms. */
#include <string.h>

#include "gallium/drivers/asahi/nir/agx_nir.h"
#include "util/macros.h"

#define MAX_PUSH_DW 32
#define MAX_GAP_DW 3 /* copied as well: cheaper than a USC word */

struct words {
   uint32_t used[AGX_TABLES][AGX_TABLE_MAX_DW / 32];
   uint16_t half[AGX_TABLES][AGX_TABLE_MAX_DW]; /* of words that are pushed */
   uint32_t loaded, whole; /* bits of tables: words are loaded; the shader has the address and may read all */
};

static bool
is_used(const struct words *words, unsigned table, unsigned word)
{
   return words->used[table][word / 32] >> word % 32 & 1;
}

static void
gather(struct nir_shader *shader, struct words *words)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_load_scalar_arg)
            continue;
         struct nir_intrinsic_instr *load = nir_as_intrinsic(instr);
         int32_t arg = nir_intrinsic_base(load);

         for (unsigned i = 0; i < load->def.num_components; i++)
            words->used[AGX_ARG_TABLE(arg)][(AGX_ARG_WORD(arg) + i) / 32] |= 1u << (AGX_ARG_WORD(arg) + i) % 32;
      }
   }
}

static bool
add_push(struct agx_arguments *arguments, struct words *words, unsigned table, unsigned first, unsigned end,
         unsigned half)
{
   if (arguments->push_count == AGX_MAX_PUSHES || half + 2 * (end - first) > AGX_MAX_ARGUMENT_HALVES)
      return false;
   arguments->pushes[arguments->push_count++] = (struct agx_push){.table = (uint8_t)table,
                                                                  .first_dw = (uint8_t)first,
                                                                  .first_half = (uint16_t)half,
                                                                  .halves = (uint8_t)(2 * (end - first))};
   for (unsigned word = first; word < end; word++)
      words->half[table][word] = (uint16_t)(half + 2 * (word - first));
   arguments->halves = MAX2(arguments->halves, half + 2 * (end - first));
   arguments->table_dw[table] = MAX2(arguments->table_dw[table], (uint16_t)end);
   return true;
}

/* The end of the run that begins with a used word. */
static unsigned
end_of_run(const struct words *words, unsigned table, unsigned first)
{
   unsigned end = first + 1;

   unsigned limit = MIN2((first & ~1u) + MAX_PUSH_DW, AGX_TABLE_MAX_DW); /* between addresses */

   for (unsigned word = end; word < limit && word - end <= MAX_GAP_DW; word++) {
      if (is_used(words, table, word))
         end = word + 1;
   }
   return end;
}

/* Even words of a table lie at multiples of 4 halves, so that addresses are where the hardware reads 64 bits. */
static bool
push_table(struct agx_arguments *arguments, struct words *words, unsigned table)
{
   for (unsigned first = 0; first < AGX_TABLE_MAX_DW;) {
      if (!is_used(words, table, first)) {
         first++;
         continue;
      }
      unsigned end = end_of_run(words, table, first), half = (unsigned)align_up(arguments->halves, 4);

      if (!add_push(arguments, words, table, first, end, half + 2 * (first % 2)))
         return false;
      first = end;
   }
   return true;
}

/* Sets have fixed places. */
static bool
push_sets(struct agx_arguments *arguments, struct words *words)
{
   unsigned end = 0, first = 2 * AGX_MAX_SETS;

   for (unsigned set = 0; set < AGX_MAX_SETS; set++) {
      if (!(arguments->used_sets >> set & 1) && !is_used(words, AGX_TABLE_SETS, 2 * set))
         continue;
      first = MIN2(first, 2 * set);
      end = 2 * set + 2;
   }
   return end <= first || add_push(arguments, words, AGX_TABLE_SETS, first, end, AGX_SET_UNIFORM(first / 2));
}

static bool
push_tables(struct agx_arguments *arguments, struct words *words)
{
   *arguments = (struct agx_arguments){.used_sets = arguments->used_sets, .reserved_h = arguments->reserved_h};
   if (!push_sets(arguments, words))
      return false;
   arguments->halves = MAX2(arguments->halves, arguments->reserved_h);
   for (unsigned table = AGX_TABLE_SETS + 1; table < AGX_TABLES; table++) {
      if (!(words->loaded >> table & 1) && !push_table(arguments, words, table))
         return false;
   }
   return true;
}

/* The words of one table more are to be loaded. Those that may have many words come first. */
static bool
load_another_table(struct words *words)
{
   static const uint8_t tables[] = {AGX_TABLE_VERTEX, AGX_TABLE_PUSH, AGX_TABLE_DYNAMIC};

   for (unsigned i = 0; i < ARRAY_SIZE(tables); i++) {
      if (words->loaded >> tables[i] & 1)
         continue;
      words->loaded |= 1u << tables[i];
      words->used[AGX_TABLE_ADDRESSES][0] |= 3u << 2 * tables[i];
      return true;
   }
   return false;
}

/* halves: of each component. Mostly they follow each other. */
static struct nir_def *
uniforms(struct nir_builder *b, const uint16_t *halves, unsigned count)
{
   struct nir_def *parts[4];
   bool follow = true;

   for (unsigned i = 0; i < count; i++)
      follow = follow && halves[i] == halves[0] + 2 * i;
   if (follow)
      return nir_load_uniform_agx(b, count, 32, .base = halves[0]);
   for (unsigned i = 0; i < count; i++)
      parts[i] = nir_load_uniform_agx(b, 1, 32, .base = halves[i]);
   return nir_vec(b, parts, count);
}

static struct nir_def *
words_of(struct nir_builder *b, const struct words *words, int32_t arg, unsigned count)
{
   const unsigned table = AGX_ARG_TABLE(arg), word = AGX_ARG_WORD(arg);

   if (!(words->loaded >> table & 1))
      return uniforms(b, &words->half[table][word], count);
   struct nir_def *address = uniforms(b, &words->half[AGX_TABLE_ADDRESSES][2 * table], 2);
   return nir_load_global_constant(b, count, 32, nir_pack_64_2x32(b, address), nir_imm_int(b, 4 * (int32_t)word),
                                   .access = NIR_ACCESS_CAN_REORDER, .align_mul = 4);
}

static void
rewrite(struct nir_shader *shader, const struct words *words)
{
   struct nir_builder b = {.shader = shader};

   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_load_scalar_arg)
            continue;
         struct nir_intrinsic_instr *load = nir_as_intrinsic(instr);

         b.cursor = nir_before_instr(instr);
         nir_def_replace(&load->def, words_of(&b, words, nir_intrinsic_base(load), load->def.num_components));
         nir_instr_remove(instr);
      }
   }
}

/* Of tables whose addresses the shader reads anything may be asked for. */
static void
add_addressed(struct words *words)
{
   for (unsigned table = 0; table < AGX_TABLES; table++) {
      if (is_used(words, AGX_TABLE_ADDRESSES, 2 * table))
         words->whole |= 1u << table;
   }
}

/* How much of the tables that are not pushed must be there. */
static void
set_sizes(struct agx_arguments *arguments, const struct words *words)
{
   static const uint16_t whole_dw[AGX_TABLES] = {[AGX_TABLE_PUSH] = PIPE_MAX_PUSH_CONSTANT_B / 4,
                                                 [AGX_TABLE_DYNAMIC] =
                                                    PIPE_MAX_DYNAMIC_BUFFERS * AGX_BUFFER_DESCRIPTOR_DW};

   for (unsigned table = 0; table < AGX_TABLES; table++) {
      unsigned end = words->whole >> table & 1 ? whole_dw[table] : 0;

      for (unsigned word = 0; words->loaded >> table & 1 && word < AGX_TABLE_MAX_DW; word++)
         end = is_used(words, table, word) ? MAX2(end, word + 1) : end;
      arguments->table_dw[table] = MAX2(arguments->table_dw[table], (uint16_t)end);
   }
}

bool
agx_nir_assign_uniforms(struct nir_shader *shader, struct agx_arguments *arguments, const char **error)
{
   struct words words;

   memset(&words, 0, sizeof(words));
   gather(shader, &words);
   add_addressed(&words);
   while (!push_tables(arguments, &words)) {
      if (!load_another_table(&words)) {
         *error = "the arguments of the shader do not fit into the uniforms";
         return false;
      }
   }
   set_sizes(arguments, &words);
   rewrite(shader, &words);
   return true;
}
