/* The poison of results that are under way, and of registers after their last use. */
#include "asahi/sim/wave/wave_private.h"
#include "util/macros.h"

void
wave_outstanding(struct wave *w, unsigned wait_group, unsigned half, unsigned count, bool needs_commit)
{
   const struct sim_operation operation = {.reg = (uint16_t)half,
                                           .count = (uint8_t)count,
                                           .seq = needs_commit ? ++w->base.queue.issue_seq : 0,
                                           .lanes = w->state.exec};
   sim_pending_add(&w->state.pending, wait_group, &operation);
}

static void
name_half(unsigned half, char text[8])
{
   unsigned r = half / 2;
   char *at = text;
   *at++ = 'r';
   if (r >= 100)
      *at++ = (char)('0' + r / 100);
   if (r >= 10)
      *at++ = (char)('0' + r / 10 % 10);
   *at++ = (char)('0' + r % 10);
   *at++ = half % 2 ? 'h' : 'l';
   *at = 0;
}

static bool
check_half(struct wave *w, const struct code *c, const struct use *use, unsigned half)
{
   struct agx_wave_registers *s = &w->state;
   uint32_t lanes = use->all_lanes ? s->lanes : s->exec;
   char name[8];
   name_half(half, name);
   if (sim_pending_writes(&s->pending, half, lanes)) {
      wave_fault(w, c, SIM_FAULT_POISON, sim_va(0), "%s is %s before the wait for its result", name,
                 use->writes ? "written" : "used");
      return false;
   }
   if (!use->writes && s->dead[half] & (use->all_lanes ? s->exec : lanes)) {
      wave_fault(w, c, SIM_FAULT_POISON, sim_va(0), "%s is used after an instruction that said it was the last one",
                 name);
      return false;
   }
   return true;
}

/* Written halves live again. */
static void
revive_each(struct agx_wave_registers *s, const struct code *c)
{
   for (unsigned u = 0; u < c->use_count; u++) {
      const struct use *use = &c->uses[u];
      for (unsigned half = use->half; use->writes && half < use->half + use->count; half++) {
         s->dead[half] &= ~(use->all_lanes ? ALL_LANES : s->exec);
         if (!s->dead[half])
            s->any_dead[half / 64] &= ~(UINT64_C(1) << half % 64);
      }
   }
}

static void
revive(struct agx_wave_registers *s, const struct code *c)
{
   if (c->writes_all_lanes) {
      revive_each(s, c);
      return;
   }
   for (unsigned i = 0; i < HALVES / 64; i++) {
      for (uint64_t rest = c->writes[i] & s->any_dead[i]; rest; rest &= rest - 1) {
         unsigned half = 64 * i + (unsigned)__builtin_ctzll(rest);
         s->dead[half] &= ~s->exec;
         if (!s->dead[half])
            s->any_dead[i] &= ~(rest & -rest);
      }
   }
}

/* Whether what it reads is dead somewhere, or a result under way. */
static bool
may_be_poison(const struct agx_wave_registers *s, const struct code *c)
{
   uint64_t poison = 0;
   for (unsigned i = 0; i < HALVES / 64; i++)
      poison |= (c->touches[i] & s->pending.poison.bits[i]) | (c->reads[i] & s->any_dead[i]);
   return poison;
}

bool
wave_check_uses(struct wave *w, const struct code *c)
{
   unsigned count = may_be_poison(&w->state, c) ? c->use_count : 0;
   for (unsigned u = 0; u < count; u++)
      for (unsigned half = c->uses[u].half; half < c->uses[u].half + c->uses[u].count; half++)
         if (!check_half(w, c, &c->uses[u], half))
            return false;
   revive(&w->state, c);
   return true;
}

bool
wave_check_halves(struct wave *w, const struct code *c, unsigned half, unsigned count)
{
   const struct use use = {.half = (uint16_t)half, .count = (uint16_t)count};
   for (unsigned i = 0; i < count; i++)
      if (!check_half(w, c, &use, half + i))
         return false;
   return true;
}

/* Of an instruction that ran in these lanes. What it wrote lives, and so does what other lanes have there: compilers
 * count on it (docs/quirks.md). */
void
wave_discard(struct wave *w, const struct code *c, uint32_t lanes)
{
   struct agx_wave_registers *s = &w->state;
   for (unsigned i = 0; i < HALVES / 64; i++) {
      for (uint64_t rest = c->last_uses[i]; rest; rest &= rest - 1)
         s->dead[64 * i + (unsigned)__builtin_ctzll(rest)] |= lanes;
      s->any_dead[i] |= c->last_uses[i];
   }
}
