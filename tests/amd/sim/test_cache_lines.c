/* What loads find, next to caches that hold the bytes of each of their lines: random loads, stores, invalidates,
 * launches, jobs and waits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/sim/cache/order.h"
#include "util/macros.h"

enum {
   PAGES = 20, /* more than a port remembers */
   LINE_B = 128,
   LINES = PAGES * 4096 / LINE_B,
   CACHES = 256,
   PORTS = 6,
   GROUPS = 24, /* few units, that they meet again */
};

/* A line is one number, over and over. */
struct held {
   bool in, incoming;
   uint32_t value;
};

static uint8_t memory[LINES][LINE_B] __attribute__((aligned(4096)));
static struct held held[CACHES][LINES];
static uint32_t value_of[LINES], newest, writer_of[LINES]; /* draw or dispatch whose write may be under way */
static bool by_target[LINES];                              /* by CB, not by a shader */
static uint32_t number, done;
static uint16_t l1_of[CACHES]; /* of an L0 or a scalar cache */
static uint8_t level_of[CACHES];

static struct amd_caches *caches;
static struct amd_cache_port ports[PORTS];
static struct wave {
   uint8_t lost; /* levels */
   uint8_t dropped[LINES];
   bool loaded[LINES];
   bool changes;
} waves[PORTS];

static uint32_t
below(uint32_t n)
{
   static uint64_t state = 88172645463325252;
   state ^= state << 13;
   state ^= state >> 7;
   state ^= state << 17;
   return (uint32_t)((state >> 32) * n >> 32);
}

/* Few of each page. */
static unsigned
some_line(void)
{
   return below(PAGES) * 32 + below(5) * 7;
}

static struct sim_va
line_va(unsigned line)
{
   return sim_va(UINT64_C(0x7ffff000) + line * LINE_B); /* across a region's end */
}

static void
write_line(unsigned line)
{
   value_of[line] = ++newest;
   for (unsigned i = 0; i < LINE_B; i += 4)
      memcpy(&memory[line][i], &newest, 4);
}

/* What was read is in the caches: those after first. */
static void
merge(void)
{
   for (unsigned pass = 0; pass < 2; pass++) {
      for (unsigned c = 0; c < CACHES; c++) {
         for (unsigned line = 0; line < LINES && (level_of[c] == AMD_CACHE_L1) == !pass; line++) {
            struct held *h = &held[c][line];
            if (h->incoming && !h->in)
               *h = (struct held){true, false,
                                  pass && held[l1_of[c]][line].in ? held[l1_of[c]][line].value : value_of[line]};
            h->incoming = false;
         }
      }
   }
}

static void
lose(unsigned cache)
{
   memset(held[cache], 0, sizeof(held[cache]));
}

static void
drop(struct wave *w, unsigned line, unsigned level)
{
   w->dropped[line] |= (uint8_t)level;
   w->changes = true;
}

static uint32_t
expect_after(const struct amd_cache_port *port, struct wave *w, unsigned line, unsigned path)
{
   struct held *l1 = &held[port->l1][line];
   if (path & AMD_PATH_DLC) {
      if (l1->in)
         drop(w, line, AMD_CACHE_L1);
      return value_of[line];
   }
   l1->incoming |= !l1->in;
   return l1->in && !((w->dropped[line] | w->lost) & AMD_CACHE_L1) ? l1->value : value_of[line];
}

static uint32_t
expect_load(const struct amd_cache_port *port, struct wave *w, unsigned line, unsigned path)
{
   const bool scalar = path & AMD_PATH_SCALAR;
   const unsigned level = scalar ? AMD_CACHE_SCALAR : AMD_CACHE_L0;
   struct held *first = &held[scalar ? port->scalar : port->l0][line];
   const struct held *l1 = &held[port->l1][line];
   if (path & AMD_PATH_GLC) {
      if (first->in || (path & AMD_PATH_DLC && l1->in && l1->value != value_of[line]))
         drop(w, line, level);
      return expect_after(port, w, line, path);
   }
   if (first->in && !((w->dropped[line] | w->lost) & level))
      return first->value;
   uint32_t value = expect_after(port, w, line, path);
   first->incoming |= !first->in;
   return value;
}

/* Whether it hits or evicts is up to who forgets first that the wave has just loaded the line. */
static bool
is_open(const struct amd_cache_port *port, const struct wave *w, unsigned line, unsigned path)
{
   return path & AMD_PATH_DLC && !(path & AMD_PATH_GLC) && w->loaded[line] && held[port->l1][line].in;
}

static bool
is_under_way(unsigned line)
{
   return writer_of[line] > done && writer_of[line] != number;
}

static void
load(unsigned p, unsigned path)
{
   const unsigned size_B = 4u << below(6), first = some_line();
   const unsigned into_B = below(LINE_B / 4) * 4, last = first + (into_B + size_B > LINE_B);
   struct amd_cache_port *port = &ports[p];
   if (is_open(port, &waves[p], first, path) || is_open(port, &waves[p], last, path))
      return;
   waves[p].loaded[first] = waves[p].loaded[last] = true;
   const uint8_t *found =
      amd_cache_read(port, path, sim_va_add(line_va(first), into_B), memory[first] + into_B, size_B);
   uint32_t start, end;
   memcpy(&start, found, 4);
   memcpy(&end, found + size_B - 4, 4);
   for (unsigned line = first; line <= last; line++) {
      const uint32_t expected = expect_load(port, &waves[p], line, path), was = line == first ? start : end;
      if (was != expected)
         fail_msg("line %u, path %u: found %u, not %u", line, path, was, expected);
   }
   assert_int_equal(port->hazard.tag != 0, is_under_way(first) || is_under_way(last));
   port->hazard.tag = 0;
}

/* Of a page, as the texture units read. */
static void
load_lines(unsigned p, unsigned path)
{
   const unsigned page = below(PAGES);
   const uint32_t lines = 1u << below(5) * 7 | 1u << below(5) * 7 | (below(4) ? 0 : 0xf0u << below(24));
   const uint64_t number_of_page = line_va(page * 32).va >> AMD_CACHE_PAGE_LOG2;
   struct amd_cache_port *port = &ports[p];
   for (unsigned i = 0; i < 32; i++)
      if (lines >> i & 1 && is_open(port, &waves[p], page * 32 + i, path))
         return;
   uint32_t old = 0;
   if (!amd_cache_knows(port, path, number_of_page, lines) &&
       !amd_cache_read_lines(port, path, number_of_page, lines, &old))
      return;
   for (unsigned i = 0; i < 32; i++) {
      if (!(lines >> i & 1))
         continue;
      uint32_t found = value_of[page * 32 + i];
      if (old >> i & 1)
         memcpy(&found, amd_cache_old_line(port, path, line_va(page * 32 + i)), 4);
      waves[p].loaded[page * 32 + i] = true;
      assert_int_equal(expect_load(port, &waves[p], page * 32 + i, path), found);
      assert_false(is_under_way(page * 32 + i));
   }
}

static void
invalidate_own(unsigned p)
{
   const unsigned levels = 1 + below(7);
   amd_cache_port_invalidate(&ports[p], levels);
   waves[p].lost |= (uint8_t)levels;
   waves[p].changes = true;
}

static void
commit(unsigned p)
{
   const struct amd_cache_port *port = &ports[p];
   const unsigned of_level[][2] = {
      {AMD_CACHE_L0, port->l0}, {AMD_CACHE_SCALAR, port->scalar}, {AMD_CACHE_L1, port->l1}};
   struct wave *w = &waves[p];
   amd_cache_port_commit(&ports[p]);
   if (w->changes)
      merge();
   for (unsigned i = 0; i < ARRAY_SIZE(of_level); i++) {
      if (w->lost & of_level[i][0])
         lose(of_level[i][1]);
      for (unsigned line = 0; line < LINES; line++)
         if (w->dropped[line] & of_level[i][0])
            held[of_level[i][1]][line].in = false;
   }
   *w = (struct wave){0};
}

/* Every second dword of a line, then the others; all but the first at once. */
static bool
store_in_pieces(struct amd_cache_port *port, struct sim_va line, const uint8_t *data, bool evicts)
{
   struct sim_va at;
   for (unsigned k = 0; k < 8; k += 4) {
      const struct sim_vm_pieces rest = {sim_va_add(line, k + 8), LINE_B / 8 - 1, 4, 8, data};
      if (amd_cache_store(port, sim_va_add(line, k), 4, evicts ? NULL : data, &at))
         return false;
      assert_true(amd_cache_store_more(port, &rest, evicts));
   }
   return true;
}

/* A whole line. evicts: as with GLC. */
static void
store(unsigned p, bool evicts)
{
   struct amd_cache_port *port = &ports[p];
   const unsigned line = some_line();
   uint8_t data[LINE_B];
   struct sim_va at;
   const uint32_t next = newest + 1;
   for (unsigned i = 0; i < LINE_B; i += 4)
      memcpy(&data[i], &next, 4);
   const bool meets = by_target[line] && writer_of[line] > done;
   if (below(2))
      assert_int_equal(!store_in_pieces(port, line_va(line), data, evicts), meets);
   else
      assert_int_equal(amd_cache_store(port, line_va(line), LINE_B, evicts ? NULL : data, &at) != 0, meets);
   merge();
   if (meets)
      return;
   write_line(line);
   writer_of[line] = number;
   by_target[line] = false;
   held[port->l1][line].in = false;
   held[port->l0][line].in &= !evicts;
   held[port->l0][line].value = newest;
}

/* Or by CB. */
static void
write_by_packet(void)
{
   const unsigned line = some_line(), count = 1 + below(MIN2(LINES - line, 40));
   amd_caches_write(caches, line_va(line), count * LINE_B);
   merge();
   for (unsigned i = 0; i < count; i++)
      write_line(line + i);
   if (below(2))
      return;
   bool meets = false;
   struct sim_va at;
   for (unsigned i = 0; i < count; i++)
      meets |= !by_target[line + i] && is_under_way(line + i);
   const uint64_t tag = amd_order_tag(caches, AMD_WRITER_CB);
   assert_int_equal(amd_order_mark_target(caches, tag, line_va(line), count * LINE_B, &at) != 0, meets);
   for (unsigned i = 0; i < count && !meets; i++) {
      writer_of[line + i] = number;
      by_target[line + i] = true;
   }
}

static void
invalidate(void)
{
   const unsigned levels = below(3) ? AMD_CACHE_ALL : 1 + below(7);
   amd_caches_invalidate(caches, levels);
   merge();
   for (unsigned c = 0; c < CACHES; c++)
      if (level_of[c] & levels)
         lose(c);
}

/* What the host writes, no packet has announced. */
static void
end_job(const struct sim_vm *vm)
{
   amd_caches_job_end(caches);
   merge();
   for (unsigned i = below(60); i; i--)
      write_line(some_line());
   if (below(2))
      invalidate();
   amd_caches_job_start(caches, vm);
}

/* The next wave. */
static void
open_port(unsigned p)
{
   struct amd_cache_port *port = &ports[p];
   const struct amd_cache_packet packet = amd_caches_packet(caches);
   amd_cache_port_open(port, caches, &packet, AMD_STAGE_CS, below(GROUPS), below(2), below(2));
   level_of[port->l0] = AMD_CACHE_L0;
   level_of[port->scalar] = AMD_CACHE_SCALAR;
   level_of[port->l1] = AMD_CACHE_L1;
   l1_of[port->l0] = l1_of[port->scalar] = port->l1;
   waves[p] = (struct wave){0};
}

static void
start_launch(void)
{
   amd_caches_launch(caches);
   merge();
   amd_order_begin(caches, 0, "a dispatch", sim_va(0), false);
   number++;
   if (below(2)) {
      amd_order_wait(caches, 0, UINT32_MAX);
      done = number;
   }
   for (unsigned p = 0; p < PORTS; p++)
      open_port(p);
}

static void
run_round(bool has_l1)
{
   for (unsigned i = below(80); i; i--) {
      const unsigned p = below(PORTS);
      if (!below(8) && !waves[p].changes)
         open_port(p);
      unsigned path = below(3) ? 0 : AMD_PATH_SCALAR;
      if (has_l1)
         path |= below(30) ? 0 : (1 + below(3)) << 1;
      else
         path |= AMD_PATH_DLC | (below(60) ? 0 : AMD_PATH_GLC);
      if (!below(400))
         invalidate_own(p);
      if (below(2))
         load_lines(p, path);
      else
         load(p, path);
   }
   for (unsigned p = 0; p < PORTS; p++)
      commit(p);
   for (unsigned i = below(4) ? 0 : 3; i; i--)
      store(below(PORTS), below(2));
}

static void
find_what_caches_hold(void **state)
{
   struct sim_vm *vm = sim_vm_create();
   static const char *const chips[] = {"navi21", "navi31", "vega10"};
   assert_true(sim_vm_map(vm, line_va(0), sizeof(memory), memory, SIM_READ | SIM_WRITE));
   for (unsigned i = 0; i < ARRAY_SIZE(chips); i++) {
      caches = amd_caches_create(amd_chip_by_name(chips[i]));
      amd_caches_job_start(caches, vm);
      memset(held, 0, sizeof(held));
      memset(level_of, 0, sizeof(level_of));
      memset(ports, 0, sizeof(ports));
      memset(writer_of, 0, sizeof(writer_of));
      memset(by_target, 0, sizeof(by_target));
      number = done = 0;
      for (unsigned line = 0; line < LINES; line++)
         write_line(line);
      for (unsigned launch = 0; launch < 1500; launch++) {
         start_launch();
         for (unsigned rounds = 1 + below(3); rounds; rounds--)
            run_round(i < 2);
         if (!below(3))
            write_by_packet();
         if (!below(5))
            invalidate();
         if (!below(6))
            end_job(vm);
      }
      amd_caches_destroy(caches);
   }
   sim_vm_destroy(vm);
}

/* Waves that share two compute units have two L0s, on two shader arrays where there are two, in no fixed turn. */
static void
few_units(void **state)
{
   static const char *const chips[] = {"navi21", "vega10", "vangogh"};
   for (unsigned i = 0; i < ARRAY_SIZE(chips); i++) {
      const struct amd_chip *chip = amd_chip_by_name(chips[i]);
      struct amd_caches *of_chip = amd_caches_create(chip);
      struct amd_cache_packet packet = amd_caches_packet(of_chip);
      struct amd_cache_port port = {0};
      uint16_t l0[2] = {0}, l1[2] = {0};
      unsigned units = 0, same[65] = {0};
      bool first[1000];
      packet.crowded = true;
      for (unsigned group = 0; group < ARRAY_SIZE(first); group++) {
         amd_cache_port_open(&port, of_chip, &packet, AMD_STAGE_PS, group, 0, false);
         if (!units || (units == 1 && port.l0 != l0[0])) {
            l1[units] = port.l1;
            l0[units++] = port.l0;
         }
         assert_true(port.l0 == l0[0] || port.l0 == l0[1]);
         first[group] = port.l0 == l0[0];
         for (unsigned distance = 1; distance <= 64 && distance <= group; distance++)
            same[distance] += first[group] == first[group - distance];
      }
      assert_int_equal(units, 2);
      assert_int_equal(l1[0] != l1[1], chip->num_se * chip->num_sa_per_se > 1);
      for (unsigned distance = 1; distance <= 64; distance++)
         assert_true(same[distance] > 350 && same[distance] < 650);
      amd_caches_destroy(of_chip);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(find_what_caches_hold), cmocka_unit_test(few_units)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
