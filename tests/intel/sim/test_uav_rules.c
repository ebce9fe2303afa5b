/* Each rule's decision for each draw there is, in the model: what is lost, what hangs, what it costs. The counts are
 * a table in docs/drivers/intel/uav.md; test_uav_rules PAGE fails if it says something else, --write PAGE corrects
 * it. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intel/hw/uav_caps.h"
#include "intel/sim/uav_history.h"
#include "intel/sim/uav_needs.h"
#include "uav_space.h"
#include "util/dynarray.h"
#include "util/macros.h"

/* ---- one draw in the pipeline ---- */

enum { PRIMS = 3 };

/* Three primitives of the draw, the second one with vertices of the first one alone, or in place of the third the HiZ
 * operation that follows. */
static void
make_stream(const struct uav_draw *draw, const struct intel_uav_bits *bits, struct uav_prim prims[PRIMS])
{
   struct intel_uav_input input = uav_draw_input(draw);
   assert(intel_uav_input_valid(&input));
   for (unsigned i = 0; i < PRIMS; i++) {
      prims[i] = (struct uav_prim){
         .state = intel_uav_state_of(&input, bits),
         .new_vertices = i != 1,
         .wait = i && bits->cs_stall ? UAV_WAIT_STALL : UAV_WAIT_NONE,
         .writes = (uint8_t)draw->stores,
         .needs = (uint8_t)uav_draw_needs(draw),
      };
   }
   if (!draw->hiz_follows)
      return;
   prims[2].state.hz_op = true;
   prims[2].writes = prims[2].needs = 0;
   if (bits->reset_wm)
      prims[2].state.wm.force_dispatch = INTEL_FORCE_NORMAL;
}

/* What interleavings come to depends on little of the state: the same was explored before. */
static struct uav_hang
explore(const struct uav_prim prims[PRIMS], bool *hangs)
{
   static struct {
      bool known, hangs;
      struct uav_hang hang;
   } seen[INTEL_GENS << (INTEL_STAGES + 2)];
   struct uav_stream stream;
   uav_stream_init(&stream, prims, PRIMS);
   unsigned key = prims[0].state.gen;
   key = key << INTEL_STAGES | stream.plans[0].accesses;
   key = key << 1 | stream.plans[2].ps_hangs;
   key = key << 1 | (prims[1].wait != UAV_WAIT_NONE);
   if (!seen[key].known) {
      struct uav_found found = uav_explore(prims, PRIMS);
      seen[key].known = true;
      seen[key].hangs = found.hangs;
      seen[key].hang = found.hang;
   }
   *hangs = seen[key].hangs;
   return seen[key].hang;
}

/* ---- counts ---- */

struct counts {
   unsigned draws, stores, count, outputs, vs_hangs, hiz_hangs, flushes, needless, stalls, forced, above, into_hiz;
};

static void
count_draw(struct counts *c, const struct uav_draw *draw, const struct intel_uav_bits *bits)
{
   struct uav_prim prims[PRIMS];
   make_stream(draw, bits, prims);
   unsigned lost = uav_lost(&prims[0]);
   bool above = false;
   c->draws++;
   c->stores += (lost & UAV_NEED_STORES) != 0;
   c->count += (lost & UAV_NEED_COUNT) != 0;
   c->outputs += (lost & (UAV_NEED_TARGET | UAV_NEED_DEPTH)) != 0;
   bool hangs;
   struct uav_hang hang = explore(prims, &hangs);
   c->vs_hangs += hangs && hang.stage == INTEL_VS;
   c->hiz_hangs += hangs && hang.stage == INTEL_PS;
   struct uav_cost cost = uav_cost(prims, 1);
   c->flushes += cost.flushes;
   c->needless += cost.needless;
   c->stalls += bits->cs_stall;
   for (unsigned stage = 0; stage < INTEL_PS; stage++)
      above |= bits->accesses_uav[stage];
   c->above += above;
   c->into_hiz += draw->hiz_follows && prims[2].state.wm.force_dispatch == INTEL_FORCE_ON;
   struct uav_prim free = prims[0];
   free.state.wm.force_dispatch = INTEL_FORCE_NORMAL;
   c->forced += bits->force_dispatch == INTEL_FORCE_ON && !uav_lost(&free);
}

/* text NULL: our rule. */
static struct counts
count_all(const struct intel_uav_text_rule *text, enum intel_gen gen)
{
   struct counts counts = {0};
   for (unsigned index = 0; index < UAV_DRAWS; index++) {
      struct uav_draw draw;
      enum intel_uav_reason reason;
      if (!uav_draw(gen, index, &draw))
         continue;
      struct intel_uav_input input = uav_draw_input(&draw);
      struct intel_uav_bits bits = text ? text->bits(&input) : intel_uav_rule(&input, &reason);
      count_draw(&counts, &draw, &bits);
   }
   return counts;
}

/* ---- texts ---- */

static void
print_row(FILE *out, const char *name, enum intel_gen gen, const struct counts *c)
{
   fprintf(out, "| %s | %s | %u | %u | %u | %u | %u | %u | %u | %u | %u | %u |\n", name, intel_uav_caps[gen].name,
           c->draws, c->stores, c->count, c->outputs, c->vs_hangs, c->hiz_hangs, c->flushes, c->needless, c->stalls,
           c->forced);
}

/* What is known of each rule: by the mail, by messages of later commits, by reports of hangs. A letter for a column
 * of the table that is not 0, and two that it does not count:
 *
 *   s  stores are lost                              h  hangs in HiZ operations: forced dispatch, not taken back
 *   c  counts: who does not ask for discards, or    f  flushes: the bit is set
 *      not for sample masks and alpha to coverage   n  needlessly, as nobody requires coherency and the shader runs
 *   o  outputs                                      w  waits
 *   v  hangs: the bit of the vertex shader alone    p  forces what runs anyway, which forbids the PMA fix
 *                                                   a  bits in stages above the pixel shader
 *                                                   z  forced dispatch in HiZ operations, hang or not */
static const struct {
   const char *name, *columns[INTEL_GENS];
} known[] = {
   {"ours", {"", "", "f"}},
   {"i965-2015", {"fna", "cvfna", "cfna"}},
   {"cs-stall", {NULL, "cfnwa", "cfnwa"}},
   {"mail", {"", "cfn", "cfn"}},
   {"i965-2016", {NULL, "cfn", "cfn"}},
   {"crocus", {"", "cfnp", NULL}},
   {"hasvk", {NULL, "p", NULL}},
   {"iris", {NULL, "cp", "cp"}},
   {"anv-2018", {NULL, "cpz", "chpz"}},
   {"anv-2024", {NULL, NULL, "fn"}},
};

static bool
is_as_known(const char *name, enum intel_gen gen, const struct counts *c)
{
   char columns[12] = "", *end = columns;
   const unsigned counts[] = {c->stores,   c->count,  c->outputs, c->vs_hangs, c->hiz_hangs, c->flushes,
                              c->needless, c->stalls, c->forced,  c->above,    c->into_hiz};
   for (unsigned i = 0; i < ARRAY_SIZE(counts); i++) {
      if (counts[i])
         *end++ = "scovhfnwpaz"[i];
   }
   for (unsigned i = 0; i < ARRAY_SIZE(known); i++) {
      if (!strcmp(known[i].name, name) && known[i].columns[gen] && !strcmp(known[i].columns[gen], columns))
         return true;
   }
   fprintf(stderr, "%s on %s: %s is not what is known of it\n", name, intel_uav_caps[gen].name, columns);
   return false;
}

static bool
print_rule(FILE *out, const char *name, const struct intel_uav_text_rule *text, enum intel_gen gen)
{
   struct counts counts = count_all(text, gen);
   print_row(out, name, gen, &counts);
   return is_as_known(name, gen, &counts);
}

static bool
print_table(FILE *out)
{
   bool good = true;
   fputs(
      "| rule | | draws | stores lost | counts wrong | outputs lost | hangs, VS | hangs, HiZ | flushes | needless | "
      "stalls | forced needlessly |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n",
      out);
   for (enum intel_gen gen = 0; gen < INTEL_GENS; gen++)
      good &= print_rule(out, "ours", NULL, gen);
   for (unsigned i = 0; i < intel_uav_text_rule_count; i++) {
      const struct intel_uav_text_rule *rule = &intel_uav_text_rules[i];
      for (enum intel_gen gen = 0; gen < INTEL_GENS; gen++)
         good &= !(rule->gens >> gen & 1) || print_rule(out, rule->name, rule, gen);
   }
   return good;
}

/* The mail's sequence. */
static bool
print_history(FILE *out)
{
   struct uav_prim prims[3];
   struct arena arena = {0};
   for (unsigned i = 0; i < ARRAY_SIZE(prims); i++) {
      prims[i] = (struct uav_prim){.new_vertices = i != 1, .state.gen = INTEL_GEN8};
      prims[i].state.enabled[INTEL_VS] = prims[i].state.enabled[INTEL_PS] = true;
      prims[i].state.accesses_uav[INTEL_VS] = true;
   }
   struct uav_found found = uav_explore(prims, ARRAY_SIZE(prims));
   fprintf(out, "```\n%s```\n", uav_found_text(&arena, prims, ARRAY_SIZE(prims), &found));
   arena_free(&arena);
   return found.hangs;
}

/* ---- the page ---- */

/* What stands between the two, ends included, is a text. */
static const char from_mark[] = "<!-- test_uav_rules wrote the %s -->\n", to_mark[] = "<!-- up to here -->\n";
static const struct {
   const char *name;
   bool (*print)(FILE *out);
} texts[] = {{"history", print_history}, {"table", print_table}};

static bool
read_page(const char *path, struct dynarray *page)
{
   FILE *file = fopen(path, "r");
   if (!file)
      return false;
   for (int c; (c = fgetc(file)) != EOF;)
      *(char *)dynarray_grow(page, 1) = (char)c;
   *(char *)dynarray_grow(page, 1) = 0;
   return !fclose(file);
}

/* 0: the page holds the text. */
static int
check_page(const char *path, const char *name, const char *text, bool write)
{
   struct dynarray page = {0};
   char mark[80];
   int status = 0;
   snprintf(mark, sizeof(mark), from_mark, name);
   char *all = read_page(path, &page) ? page.data : NULL;
   char *from = all ? strstr(all, mark) : NULL, *to = from ? strstr(from, to_mark) : NULL;
   from = from ? from + strlen(mark) : NULL;
   if (!to || to < from) {
      fprintf(stderr, "%s has no place for the %s\n", path, name);
      status = 2;
   } else if (strlen(text) != (size_t)(to - from) || memcmp(text, from, strlen(text))) {
      FILE *file = write ? fopen(path, "w") : NULL;
      if (file)
         fprintf(file, "%.*s%s%s", (int)(from - all), all, text, to);
      else
         fprintf(stderr, "%s: the %s is not what the model says: test_uav_rules --write PAGE\n", path, name);
      status = !file || fclose(file);
   }
   dynarray_free(&page);
   return status;
}

int
main(int argc, char **argv)
{
   bool write = argc > 2 && !strcmp(argv[1], "--write");
   int status = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(texts); i++) {
      char *text = NULL;
      size_t size_B;
      FILE *out = open_memstream(&text, &size_B);
      bool good = out && texts[i].print(out);
      if (!out || fclose(out))
         return 2;
      fputs(text, stdout);
      int page = argc > 1 ? check_page(argv[argc - 1], texts[i].name, text, write) : 0;
      status = MAX2(status, MAX2(page, !good));
      free(text);
   }
   return status;
}
