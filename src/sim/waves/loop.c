#include "sim/waves/loop.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/waves/rounds.h"
#include "sim/vm/vm.h"
#include "util/macros.h"

enum {
   LONG_SHARE = 128,  /* of the budget */
   WATCH_ROUNDS = 16, /* waves of fewer rounds, and not so many instructions, are not looked at */
   WATCH_INSTRUCTIONS = 1 << 17,
   WATCH_EVERY = 1024, /* then a state is kept at each power of two of rounds, and so often */
   WATCH_LENGTH = 128, /* and compared in so many rounds */
   MAX_TURN = 65536,
   WATCH_QUANTUM = 4096,
   TEXT = 600, /* of a loop, and of what is wrong with it */
   WHAT = 200,
};

static struct sim_traffic
traffic(const struct sim_wave *w)
{
   return w->rounds->model->traffic(w);
}

/* What the budget is compared with. */
static uint64_t
spent(const struct sim_wave *w)
{
   struct sim_traffic t = traffic(w);
   return w->instructions + SIM_ACCESS_COST * (t.reads + t.writes);
}

bool
sim_loop_is_long(const struct sim_wave *w)
{
   return spent(w) > w->rounds->budget / LONG_SHARE;
}

static void
keep_state(struct sim_wave *w, uint64_t hash)
{
   struct sim_loop *l = &w->loop;
   l->kept = true;
   l->next = w->next;
   l->round = l->rounds;
   l->hash = hash;
   l->instructions = w->instructions;
   l->changes = w->rounds->changes;
   l->jumped_then = l->jumped;
   l->reads = traffic(w).reads;
   w->rounds->watches = true;
}

static bool
has_other_inputs(const struct sim_wave *w)
{
   return w->loop.read_clock || w->rounds->model->has_other_inputs(w);
}

static uint64_t
hash_state(const struct sim_wave *w)
{
   return w->rounds->model->hash(w);
}

/* Instructions until the state comes again: those since the last time, or between two jumps if the loop is plain. */
static uint64_t
turn_length(const struct sim_wave *w)
{
   uint64_t length = w->instructions - w->loop.instructions, jumps = w->loop.jumped - w->loop.jumped_then;
   return jumps && !w->loop.uneven && length % jumps == 0 ? length / jumps : length;
}

static void
hang(struct sim_wave *w, const char *what)
{
   char loop[TEXT], message[TEXT + WHAT];
   w->rounds->model->describe_loop(w, loop, sizeof(loop));
   snprintf(message, sizeof(message), "%.*s: %s", WHAT - 3, what, loop);
   w->rounds->model->hang(w, message);
}

/* Whether the state is the one that was kept, or one between it and its repetition. */
static bool
repeats(struct sim_wave *w)
{
   struct sim_loop *l = &w->loop;
   uint32_t ago = l->rounds - l->round;
   uint64_t hash;
   if (!l->kept || l->changes != w->rounds->changes || ago > (l->period ? l->period : WATCH_LENGTH) ||
       has_other_inputs(w)) {
      l->uneven |= l->period;
      l->kept = false;
      l->period = 0;
      return false;
   }
   if (l->jumped == l->jumped_then) /* stood at a wait all the while: what it waits for is on its way */
      return l->period;
   if (l->next != w->next || l->hash != (hash = hash_state(w)))
      return l->period;
   bool read = traffic(w).reads != l->reads;
   uint64_t turn = turn_length(w), length = w->instructions - l->instructions;
   l->period = ago;
   l->turn = turn <= MAX_TURN ? (uint32_t)turn : 0;
   keep_state(w, hash);
   if (!read) {
      char text[WHAT];
      snprintf(text, sizeof(text),
               "endless loop, all registers are as they were %" PRIu64 " instructions ago and no memory was read "
               "since",
               length);
      hang(w, text);
   }
   return true;
}

static void
exceed(struct sim_wave *w)
{
   char accessed[80] = "", text[WHAT];
   struct sim_traffic t = traffic(w);
   if (t.reads + t.writes)
      snprintf(accessed, sizeof(accessed), " and %" PRIu64 " accesses of memory (each counts as %u)",
               t.reads + t.writes, SIM_ACCESS_COST);
   snprintf(text, sizeof(text),
            "still running after %" PRIu64 " instructions%s, more than the budget of %" PRIu64
            " (indium run --budget)",
            w->instructions, accessed, w->rounds->budget);
   hang(w, text);
}

bool
sim_loop_round(struct sim_wave *w)
{
   struct sim_loop *l = &w->loop;
   if (w->state == SIM_WAVE_END)
      return false;
   l->rounds++;
   if (is_power_of_two(l->rounds)) {
      l->jumps_before = l->jumps;
      l->jumps = (struct sim_jumps){0};
   }
   if (spent(w) > w->rounds->budget) {
      exceed(w);
      return false;
   }
   w->rounds->any_long |= sim_loop_is_long(w);
   if (l->rounds < WATCH_ROUNDS && w->instructions < WATCH_INSTRUCTIONS)
      return false;
   bool again = repeats(w);
   if (!l->kept && !has_other_inputs(w) && (is_power_of_two(l->rounds) || l->rounds % WATCH_EVERY == 0))
      keep_state(w, hash_state(w));
   return again;
}

uint32_t
sim_loop_quantum(const struct sim_wave *w, uint32_t most)
{
   const struct sim_loop *l = &w->loop;
   return !l->kept ? most : l->period && l->turn ? l->turn : MIN2(most, WATCH_QUANTUM);
}

struct sim_jumps
sim_loop_jumps(const struct sim_loop *l)
{
   struct sim_jumps a = l->jumps, b = l->jumps_before;
   if (!a.count || !b.count)
      return a.count ? a : b;
   return (struct sim_jumps){MIN2(a.first, b.first), MAX2(a.last, b.last), a.count + b.count};
}

/* Whether memory differs from the bytes. */
static bool
differs(const struct sim_vm *vm, struct sim_va va, const uint8_t *data, unsigned size_B)
{
   for (unsigned done_B = 0, part_B; done_B < size_B; done_B += part_B) {
      uint64_t run_B = 0;
      const void *host = sim_vm_lookup(vm, sim_va_add(va, done_B), SIM_READ, &run_B, NULL);
      part_B = (unsigned)MIN2(run_B, size_B - done_B);
      if (!host || memcmp(host, data + done_B, part_B))
         return true;
   }
   return false;
}

/* While nobody asks, each write counts as a change. */
void
sim_loop_note_write(struct sim_rounds *rounds, const struct sim_vm *vm, struct sim_va va, const void *data,
                    unsigned size_B)
{
   rounds->changes += !rounds->watches || differs(vm, va, data, size_B);
}

void
sim_loop_note_pieces(struct sim_rounds *rounds, const struct sim_vm *vm, const struct sim_vm_pieces *p)
{
   if (!rounds->watches)
      rounds->changes += p->count;
   for (uint32_t i = 0; i < p->count && rounds->watches; i++)
      sim_loop_note_write(rounds, vm, sim_va_add(p->va, (int64_t)i * p->step_B), p->data + i * p->piece_B,
                          p->piece_B);
}
