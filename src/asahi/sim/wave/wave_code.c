/* Programs: decoded once, kept by address, checked against memory at each launch. All that jumps and calls lead to is
 * decoded, in either direction from the first instruction. */
#include <stdlib.h>
#include <string.h>

#include "asahi/sim/wave/exec.h"
#include "util/dynarray.h"
#include "util/within_memory.h"

enum { REACH_B = 1 << 20 }; /* of a program, from its first instruction, either way */

static enum step
run_undecodable(struct wave *w, const struct code *c)
{
   uint8_t bytes[8] = {0};
   struct sim_va bad;
   sim_vm_read(w->launch->vm, wave_va(w, c), bytes, sizeof(bytes), &bad);
   return wave_fault(w, c, SIM_FAULT_INSTRUCTION, wave_va(w, c),
                     "unknown instruction %02x%02x%02x%02x%02x%02x%02x%02x", bytes[0], bytes[1], bytes[2], bytes[3],
                     bytes[4], bytes[5], bytes[6], bytes[7]);
}

static enum step
run_unmapped(struct wave *w, const struct code *c)
{
   return wave_fault(w, c, SIM_FAULT_ADDRESS, wave_va(w, c), "runs into memory that is unmapped or not executable");
}

static enum step
run_far(struct wave *w, const struct code *c)
{
   return wave_fault(w, c, SIM_FAULT_INSTRUCTION, wave_va(w, c), "the model has programs of up to %u bytes", REACH_B);
}

static enum step
run_unmodelled(struct wave *w, const struct code *c)
{
   return wave_fault(w, c, SIM_FAULT_INSTRUCTION, wave_va(w, c), "instruction without a model");
}

static enum step
run_beyond(struct wave *w, const struct code *c)
{
   return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "names a register above the %u halves allocated",
                     w->engine->bindings ? w->program->preamble_registers : w->program->registers);
}

void
wave_add_use(struct code *c, unsigned half, unsigned count, bool writes, bool all_lanes)
{
   if (!count || c->use_count == MAX_USES)
      return;
   c->uses[c->use_count++] = (struct use){(uint16_t)half, (uint16_t)count, writes, all_lanes};
   c->half_end = (uint16_t)MAX2(c->half_end, half + count);
   for (unsigned h = half; h < half + count && h < HALVES; h++) {
      c->touches[h / 64] |= UINT64_C(1) << h % 64;
      c->writes[h / 64] |= (uint64_t)writes << h % 64;
      c->reads[h / 64] |= (uint64_t)!writes << h % 64;
   }
   c->writes_all_lanes |= writes && all_lanes;
}

/* Whether it reads lanes other than its own. */
static bool
crosses_lanes(const struct agx_inst *in)
{
   switch (in->op) {
   case AGX_OP_DFDX:
   case AGX_OP_DFDY:
   case AGX_OP_SHUFFLE:
   case AGX_OP_SMPF:
      return true;
   default: /* others: reduce over active lanes or keep to their own */
      return false;
   }
}

static void
note_operands(struct code *c)
{
   const struct agx_inst *in = &c->in;
   const struct agx_op_info info = agx_isa_op_info((enum agx_op)in->op);
   bool nests = info.class == AGX_CLASS_FLOW && in->op >= AGX_OP_POP_EXEC && in->op <= AGX_OP_WHILE_FCMP;
   for (unsigned i = 0; i < info.source_count; i++) {
      const struct agx_operand *o = &in->src[i];
      if (o->kind == AGX_UNIFORM)
         c->uniform_end = (uint16_t)MAX2(c->uniform_end, o->value + o->count * o->size / 16);
      if (o->kind != AGX_REG)
         continue;
      unsigned halves = o->count * o->size / 16u;
      wave_add_use(c, (unsigned)o->value, halves, false, crosses_lanes(in));
      if (o->discard)
         c->discards[c->discard_count++ % 4] = (struct use){.half = (uint16_t)o->value, .count = (uint16_t)halves};
   }
   if (info.has_dst && in->dst.kind == AGX_REG)
      wave_add_use(c, (unsigned)in->dst.value, in->dst.count * in->dst.size / 16u, true, false);
   if (nests) {
      wave_add_use(c, 0, 1, false, true);
      wave_add_use(c, 0, 1, true, true);
   }
   if (in->op == AGX_OP_CALL || in->op == AGX_OP_CALL_REG)
      wave_add_use(c, 2, 2, true, false);
}

static void
note_last_uses(struct code *c)
{
   for (unsigned i = 0; i < c->discard_count; i++) {
      const struct use *use = &c->discards[i];
      for (unsigned h = use->half; h < use->half + use->count && h < HALVES; h++)
         c->last_uses[h / 64] |= UINT64_C(1) << h % 64 & ~c->writes[h / 64];
   }
}

static bool
bind_class(struct code *c)
{
   switch ((enum agx_class)agx_isa_op_info((enum agx_op)c->in.op).class) {
   case AGX_CLASS_MOVE:
   case AGX_CLASS_INTEGER:
   case AGX_CLASS_CONVERT:
   case AGX_CLASS_FLOAT:
      return exec_alu_bind(c);
   case AGX_CLASS_FLOW:
      return exec_flow_bind(c);
   case AGX_CLASS_GROUP:
      return exec_group_bind(c);
   case AGX_CLASS_SYNC:
      return exec_sync_bind(c);
   case AGX_CLASS_VARYING:
      return exec_varying_bind(c);
   case AGX_CLASS_MEMORY:
      return exec_memory_bind(c);
   case AGX_CLASS_LOCAL:
      return exec_local_bind(c);
   case AGX_CLASS_STACK:
      return exec_stack_bind(c);
   case AGX_CLASS_UNIFORM:
   case AGX_CLASS_STATE:
      return exec_state_bind(c);
   case AGX_CLASS_TILE:
      return exec_tile_bind(c);
   case AGX_CLASS_TEXTURE:
   case AGX_CLASS_IMAGE:
      return exec_texture_bind(c);
   case AGX_CLASS_HELPER:
      return exec_helper_bind(c);
   }
   return false;
}

/* Where a jump or a call leads to, from the program's first instruction; or INT64_MIN. */
static int64_t
target_of(const struct code *c)
{
   switch (c->in.op) {
   case AGX_OP_JMP_ANY:
   case AGX_OP_JMP_NONE:
   case AGX_OP_CALL:
      return c->at_B + (int64_t)(int32_t)c->in.mod.offset;
   case AGX_OP_JMP_IF_SKIPPING_DOORBELL:
      return c->at_B + (int64_t)c->in.mod.offset;
   default: /* others: do not jump, or to where a register says */
      return INT64_MIN;
   }
}

static bool
leaves(const struct code *c)
{
   return !c->in.size_B || c->in.op == AGX_OP_TRAP || c->in.op == AGX_OP_RET;
}

/* How much deeper threads are nested after it. */
static int
deeper(const struct code *c)
{
   switch (c->in.op) {
   case AGX_OP_IF_ICMP:
   case AGX_OP_IF_FCMP:
      return (int)c->in.mod.nest;
   case AGX_OP_POP_EXEC:
      return -(int)c->in.mod.nest;
   default: /* others: leave the depth as it is */
      return 0;
   }
}

/* Places that are known, a bit each two bytes, and those to decode from. */
struct decoder {
   const struct sim_vm *vm;
   struct program *program;
   unsigned registers;
   struct dynarray codes, starts; /* struct code, int64_t */
   int64_t furthest_B;            /* of the jumps' targets */
   uint64_t *known;
};

static bool
is_near(int64_t at_B)
{
   return at_B >= -REACH_B && at_B < REACH_B && !(at_B & 1);
}

/* Whether it was not known. at_B: near. */
static bool
note_place(struct decoder *d, int64_t at_B)
{
   uint64_t bit = (uint64_t)(at_B + REACH_B) / 2, mask = UINT64_C(1) << bit % 64;
   bool is_new = !(d->known[bit / 64] & mask);
   d->known[bit / 64] |= mask;
   return is_new;
}

static void
decode_one(struct decoder *d, int64_t at_B, struct code *c)
{
   uint64_t run_B = 0;
   struct sim_va va = sim_va_add(d->program->va, at_B);
   uint8_t bytes[AGX_INST_MAX_B] = {0};
   const uint8_t *host = sim_vm_lookup(d->vm, va, SIM_EXECUTE, &run_B, NULL);
   *c = (struct code){.at_B = (int32_t)at_B, .run = run_unmapped, .target = NO_CODE, .unmapped = true};
   if (!host)
      return;
   /* At the end of a mapping the rest of an instruction may lie in the next one. */
   struct sim_va bad;
   unsigned size_B = AGX_INST_MAX_B;
   while (size_B > run_B && !sim_vm_read(d->vm, va, bytes, size_B, &bad))
      size_B -= 2;
   if (size_B <= run_B)
      memcpy(bytes, host, size_B);
   c->run = run_undecodable;
   c->unmapped = false;
   c->kept_B = (uint8_t)size_B;
   if (!agx_isa_decode(bytes, size_B, &c->in))
      return;
   c->kept_B = c->in.size_B;
   note_operands(c);
   if (!bind_class(c))
      c->run = run_unmodelled;
   note_last_uses(c);
   if (c->half_end > d->registers)
      c->run = run_beyond;
   d->program->uniform_end = MAX2(d->program->uniform_end, c->uniform_end);
   d->program->fences |= c->in.op == AGX_OP_PIXWAIT ? c->in.mod.fences : 0;
   d->program->has_barrier |= c->in.op == AGX_OP_BARRIER;
   d->program->loads_cached |=
      (c->in.op == AGX_OP_LOAD && !c->in.mod.coherency) || (c->in.op == AGX_OP_SMPI && !c->in.mod.rw);
   d->program->loads_clustered |= c->in.op == AGX_OP_SMPI && !c->in.mod.coherent;
   d->program->has_tests |= c->in.op == AGX_OP_SAMPLE_MASK || c->in.op == AGX_OP_ZS_EMIT;
   d->program->has_local |= agx_isa_op_info((enum agx_op)c->in.op).class == AGX_CLASS_LOCAL;
}

/* In a line, up to an instruction that does not continue to the next one, or that is known. A program continues after
 * `stop` in a branch, or where something jumps over it. */
static void
decode_line(struct decoder *d, int64_t at_B)
{
   int depth = 0;
   for (bool end = false; !end;) {
      struct code c = {.at_B = (int32_t)at_B, .run = run_far, .target = NO_CODE};
      if (!note_place(d, at_B))
         return;
      if (at_B < REACH_B - AGX_INST_MAX_B)
         decode_one(d, at_B, &c);
      dynarray_append(&d->codes, struct code, c);
      int64_t target = target_of(&c);
      if (target != INT64_MIN && is_near(target)) {
         dynarray_append(&d->starts, int64_t, target);
         d->furthest_B = MAX2(d->furthest_B, target);
      }
      depth = MAX2(depth + deeper(&c), 0);
      at_B += c.in.size_B;
      end = leaves(&c) || (c.in.op == AGX_OP_STOP && !depth && d->furthest_B < at_B);
   }
}

static int
by_address(const void *a, const void *b)
{
   const struct code *x = a, *y = b;
   return x->at_B < y->at_B ? -1 : x->at_B > y->at_B;
}

uint32_t
wave_code_at(const struct program *p, int64_t at_B)
{
   uint32_t low = 0, high = p->code_count;
   while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (p->codes[middle].at_B < at_B)
         low = middle + 1;
      else
         high = middle;
   }
   return low < p->code_count && p->codes[low].at_B == at_B ? low : NO_CODE;
}

/* What memory has where the program was decoded from. */
static void
keep_bytes(struct decoder *d)
{
   struct program *p = d->program;
   struct dynarray list = {0};
   struct stretch *last = NULL;
   for (uint32_t i = 0; i < p->code_count; i++) {
      const struct code *c = &p->codes[i];
      if (!last || c->at_B > last->at_B + (int64_t)last->size_B) {
         dynarray_append(&list, struct stretch, (struct stretch){.at_B = c->at_B});
         p->stretches = list.data; /* the program's, also when there is no memory for the next */
         last = &p->stretches[p->stretch_count++];
      }
      last->size_B = MAX2(last->size_B, (uint32_t)(c->at_B + c->kept_B - last->at_B));
   }
   for (uint32_t i = 0; i < p->stretch_count; i++) {
      struct stretch *s = &p->stretches[i];
      struct sim_va bad;
      s->bytes = need_calloc("a program", 1, s->size_B + 1);
      sim_vm_read(d->vm, sim_va_add(p->va, s->at_B), s->bytes, s->size_B, &bad);
   }
}

static bool
is_same(const struct program *p, const struct sim_vm *vm)
{
   for (uint32_t i = 0; i < p->stretch_count; i++) {
      const struct stretch *s = &p->stretches[i];
      uint32_t done_B = 0;
      while (done_B < s->size_B) {
         uint64_t run_B = 0;
         const void *host = sim_vm_lookup(vm, sim_va_add(p->va, s->at_B + done_B), SIM_EXECUTE, &run_B, NULL);
         uint32_t part_B = (uint32_t)MIN2(run_B, s->size_B - done_B);
         if (!host || memcmp(host, s->bytes + done_B, part_B) != 0)
            return false;
         done_B += part_B;
      }
   }
   /* Where it ran out of memory there may be some by now. */
   for (uint32_t i = 0; i < p->code_count; i++)
      if (p->codes[i].unmapped)
         return false;
   return true;
}

static void
link_codes(struct program *p)
{
   for (uint32_t i = 0; i < p->code_count; i++) {
      struct code *c = &p->codes[i];
      c->next = leaves(c) ? i : wave_code_at(p, c->at_B + c->in.size_B);
      int64_t target = target_of(c);
      c->target = target == INT64_MIN ? NO_CODE : wave_code_at(p, target);
   }
   p->entry = wave_code_at(p, 0);
}

static void
decode(struct program *p, const struct sim_vm *vm, unsigned registers)
{
   struct decoder d = {.vm = vm, .program = p, .registers = registers};
   struct owned codes, starts, known;
   d.known = need_calloc("a program", REACH_B / 64, sizeof(uint64_t));
   own(&known, free, d.known);
   own(&codes, dynarray_release, &d.codes);
   own(&starts, dynarray_release, &d.starts);
   decode_line(&d, 0);
   while (d.starts.size_B) {
      int64_t at_B = dynarray_pop(&d.starts, int64_t);
      decode_line(&d, at_B);
   }
   p->code_count = (uint32_t)dynarray_count(&d.codes, struct code);
   p->codes = need_malloc("a program", d.codes.size_B);
   memcpy(p->codes, d.codes.data, d.codes.size_B);
   qsort(p->codes, p->code_count, sizeof(*p->codes), by_address);
   disown(&starts);
   disown(&codes);
   disown(&known);
   link_codes(p);
   keep_bytes(&d);
}

static void
program_free(struct program *p)
{
   for (uint32_t i = 0; i < p->stretch_count; i++)
      free(p->stretches[i].bytes);
   free(p->stretches);
   free(p->codes);
   free(p);
}

static void
release_fresh(void *slot)
{
   struct program *const *fresh = slot;
   if (*fresh)
      program_free(*fresh);
}

/* Not for the pool's threads: only before a launch runs. What it has asked for stays as it is. */
struct program *
wave_program(struct agx_wave_engine *engine, const struct sim_vm *vm, struct sim_va va, unsigned registers)
{
   struct program **slot = &engine->programs[(va.va >> 6 ^ va.va >> 14) & 255];
   for (struct program **it = slot; *it; it = &(*it)->next) {
      struct program *p = *it;
      if (p->va.va != va.va || p->registers != registers)
         continue;
      if (p->launch == engine->launches || is_same(p, vm)) {
         p->launch = engine->launches;
         return p;
      }
      *it = p->next;
      program_free(p);
      break;
   }
   if (!sim_vm_lookup(vm, va, SIM_EXECUTE, NULL, NULL))
      return NULL;
   struct program *p = need_calloc("a program", 1, sizeof(*p)), *fresh = p;
   struct owned owned;
   own(&owned, release_fresh, &fresh);
   p->va = va;
   p->registers = registers;
   p->launch = engine->launches;
   p->next = *slot;
   decode(p, vm, registers);
   *slot = p;
   fresh = NULL;
   disown(&owned);
   return p;
}

void
wave_programs_free(struct agx_wave_engine *engine)
{
   for (unsigned i = 0; i < 256; i++) {
      for (struct program *p = engine->programs[i], *next; p; p = next) {
         next = p->next;
         program_free(p);
      }
   }
}
