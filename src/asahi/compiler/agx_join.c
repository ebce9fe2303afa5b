/* Parts of a program become one: code after code, with a wait where one may still load, and the end. Jumps are
 * relative and stay within their part, but for the one that begins the next round of all. */
#include "asahi/compiler/agx_builder.h"
#include "util/hash.h"
#include "util/mutant.h"

#include <string.h>

#define BACKGROUND_MAX 8 /* operations of a group */

struct join {
   struct agx_output *whole;
   struct agx_builder b;
   uint8_t *code;
   uint32_t code_B;
   unsigned running; /* operations that parts have not waited for, at most */
};

static void
put(struct join *j, const struct agx_instr *instr)
{
   j->code_B += agx_encode_known(instr, j->code + j->code_B);
   j->whole->stats.instructions++;
}

/* Parts that load on their own may continue while others do, as long as there is room. */
static void
wait_ahead_of(struct join *j, const struct agx_output *part)
{
   const bool fits = part->background && j->running + part->operations <= BACKGROUND_MAX;
   if (!j->running || fits)
      return;
   j->running = 0;
   if (!mutant("agx-seam-wait-missing"))
      put(j, agx_wait(&j->b));
}

static void
add_stats(struct agx_stats *to, const struct agx_stats *from)
{
   to->instructions += from->instructions;
   to->alu += from->alu;
   to->loops += from->loops;
   to->spills += from->spills;
   to->fills += from->fills;
   to->preamble_instructions += from->preamble_instructions;
   to->scratch = MAX2(to->scratch, from->scratch);
}

static void
add_numbers(struct agx_output *to, const struct agx_output *from)
{
   to->registers_h = MAX2(to->registers_h, from->registers_h);
   to->uniforms_h = MAX2(to->uniforms_h, from->uniforms_h);
   to->scratch_B = MAX2(to->scratch_B, from->scratch_B);
   to->local_B = MAX2(to->local_B, from->local_B);
   to->texture_states = MAX2(to->texture_states, from->texture_states);
   to->sampler_states = MAX2(to->sampler_states, from->sampler_states);
   to->coefficients = MAX2(to->coefficients, from->coefficients);
   for (unsigned i = 0; i < ARRAY_SIZE(to->vs.uvs_written); i++)
      to->vs.uvs_written[i] |= from->vs.uvs_written[i];
   to->fs.reads_tile |= from->fs.reads_tile;
   to->fs.writes_sample_mask |= from->fs.writes_sample_mask;
   to->fs.writes_depth |= from->fs.writes_depth;
   to->fs.writes_stencil |= from->fs.writes_stencil;
   to->fs.loads_varyings |= from->fs.loads_varyings;
   to->fs.writes_memory |= from->fs.writes_memory;
   to->fs.waits_for_pixels |= from->fs.waits_for_pixels;
   to->fs.disables_tri_merging |= from->fs.disables_tri_merging;
   add_stats(&to->stats, &from->stats);
}

static void
take_preamble(struct arena *arena, struct agx_output *to, const struct agx_output *from)
{
   if (from->preamble) {
      assert(!to->preamble && "one part has a preamble");
      to->preamble = arena_dup(arena, from->preamble, from->preamble_B);
      to->preamble_B = from->preamble_B;
      to->preamble_registers_h = from->preamble_registers_h;
      to->preamble_scratch_B = from->preamble_scratch_B;
   }
   if (from->data_B) {
      assert(!to->data_B && "one part has tables of constants");
      to->data = arena_dup(arena, from->data, from->data_B);
      to->data_B = from->data_B;
      to->data_h = from->data_h;
   }
   if (from->constant_count) {
      assert(!to->constant_count && "one part has constants");
      to->constants = arena_dup(arena, from->constants, from->constant_count * sizeof(*from->constants));
      to->constant_count = from->constant_count;
   }
}

static void
add_part(struct join *j, const struct agx_output *part)
{
   wait_ahead_of(j, part);
   memcpy(j->code + j->code_B, part->code, part->stats.code_B);
   j->code_B += part->stats.code_B;
   j->running = part->background ? j->running + part->operations : 0;
   const uint16_t registers_h = j->whole->registers_h;
   add_numbers(j->whole, part);
   if (mutant("agx-seam-registers") && registers_h)
      j->whole->registers_h = registers_h;
   take_preamble(j->b.ir->arena, j->whole, part);
}

#define ROUND_INSTRUCTIONS 6

static void
begin_rounds(struct join *j, const struct agx_rounds *rounds)
{
   put(j, agx_ldimm16_to(&j->b, agx_reg(0, 16, 1))); /* nobody waits for anybody */
   put(j, agx_ldimm32_to(&j->b, agx_reg(rounds->register_h, 32, 1)));
   j->whole->registers_h = (uint16_t)(rounds->register_h + 2);
}

/* All threads are of one mind: they jump back, or all wait until the pop. */
static void
end_round(struct join *j, const struct agx_rounds *rounds, uint32_t start_B)
{
   const struct agx_ref number = agx_reg(rounds->register_h, 32, 1);
   put(j, agx_iadd_to(&j->b, number, number, agx_imm(1)));
   struct agx_instr *more = agx_if_icmp(&j->b, number, agx_imm(rounds->count));
   more->mod.icond = AGX_ICOND_ULT;
   more->mod.nest = 1;
   put(j, more);
   struct agx_instr *jump = agx_jmp_any(&j->b), *pop = agx_pop_exec(&j->b);
   jump->mod.offset = start_B - j->code_B;
   put(j, jump);
   pop->mod.nest = 1;
   put(j, pop);
   j->whole->stats.loops++;
}

static uint32_t
room_for(const struct agx_output *const *parts, unsigned count)
{
   uint32_t size_B = (AGX_TRAPS + ROUND_INSTRUCTIONS + 1) * AGX_INST_MAX_B;
   for (unsigned i = 0; i < count; i++)
      size_B += parts[i]->stats.code_B + AGX_INST_MAX_B;
   return size_B;
}

void
agx_join(struct arena *arena, const struct agx_output *const *parts, unsigned count, const struct agx_rounds *rounds,
         bool listing, struct agx_output *whole)
{
   struct agx_ir ir = {.arena = arena};
   struct agx_block made = {0};
   struct join j = {.whole = whole, .b = {.ir = &ir, .block = &made}};
   *whole = (struct agx_output){0};
   j.code = arena_alloc(arena, room_for(parts, count));
   if (rounds)
      begin_rounds(&j, rounds);
   const uint32_t start_B = j.code_B;
   for (unsigned i = 0; i < count; i++)
      add_part(&j, parts[i]);
   if (rounds)
      end_round(&j, rounds, start_B);
   if (!count || parts[count - 1]->continues)
      put(&j, agx_stop(&j.b));
   whole->stats.code_B = j.code_B;
   whole->stats.hash = hash_bytes(j.code, j.code_B);
   whole->listing = listing ? agx_listing(arena, j.code, j.code_B) : NULL;
   for (unsigned i = 0; i < AGX_TRAPS; i++)
      j.code_B += agx_encode_known(agx_trap(&j.b), j.code + j.code_B);
   whole->code = j.code;
   whole->code_B = j.code_B;
   whole->stats.gprs = whole->registers_h;
   whole->stats.uniforms = whole->uniforms_h;
   whole->stats.threads = agx_max_threads(whole->registers_h);
}
