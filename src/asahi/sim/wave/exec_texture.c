/* Textures and images: operands are gathered for the texture unit (asahi/sim/tex), once for each descriptor that
 * threads ask for. Image writes wait in the wave's queue. */
#include <string.h>

#include "asahi/sim/tex/tex.h"
#include "asahi/sim/wave/exec.h"
#include "asahi/sim/wave/wave_watch.h"

/* Sources of SAMPLE, in the order of its text; of image instructions DATA is before HEAP. */
enum { HEAP, TEXTURE, SAMPLER, COORDS, LOD, COMPARE };
enum { IMAGE_DATA, IMAGE_HEAP, IMAGE_TEXTURE, IMAGE_COORDS, IMAGE_LOD };

static bool
is_read(const struct agx_inst *in)
{
   return in->op == AGX_OP_SMPF || in->op == AGX_OP_SMPI;
}

static struct agx_tex_operands
operands(const struct agx_inst *in)
{
   bool has_offset = is_read(in) && in->src[COMPARE].kind == AGX_REG && in->src[COMPARE].size == 16;
   return agx_tex_operands(&in->mod, has_offset, in->src[is_read(in) ? COORDS : IMAGE_COORDS].size == 16);
}

/* Registers of `bits` that follow each other, of all lanes. */
static void
gather(const struct wave *w, const struct agx_operand *o, unsigned count, unsigned bits, uint32_t (*to)[LANES])
{
   for (unsigned i = 0; i < count; i++) {
      struct agx_operand one = *o;
      one.size = (uint8_t)bits;
      if (o->kind == AGX_REG || o->kind == AGX_UNIFORM)
         one.value += (int32_t)(i * bits / 16);
      for (unsigned l = 0; l < LANES; l++)
         to[i][l] = (uint32_t)exec_value(w, &one, l);
   }
}

/* The reference of 32 bits, then the offsets of 16. */
static void
gather_compare(const struct wave *w, const struct code *c, struct agx_tex_request *r)
{
   struct agx_operand o = c->in.src[COMPARE];
   unsigned n = 0;
   if (r->shadow)
      gather(w, &o, 1, 32, &r->zs[n++]);
   o.value += r->shadow ? 2 : 0;
   if (r->has_offset)
      gather(w, &o, 1, 16, &r->zs[n]);
}

/* What a thread asks for: a number, which with the instruction says all. */
static uint32_t
handle(const struct wave *w, const struct agx_operand *o, unsigned lane)
{
   return (uint32_t)exec_value(w, o, lane);
}

/* A descriptor of 24 bytes, by state register or heap. False after a fault. */
static bool
read_texture(struct wave *w, const struct code *c, const struct agx_operand *o, const struct agx_operand *heap,
             unsigned lane, uint32_t words[6])
{
   uint32_t n = handle(w, o, lane);
   if (o->kind == AGX_TS || (o->kind == AGX_REG && o->size == 16)) {
      if (!agx_program_has_texture(w->program, n)) {
         wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "nothing is bound to texture state %u", n);
         return false;
      }
      memcpy(words, w->program->textures[n].words, 24);
      return true;
   }
   if (o->kind != AGX_REG) {
      wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "a kind of texture operand that nobody knows");
      return false;
   }
   const uint8_t *host = wave_read_memory(w, c, sim_va(exec_value(w, heap, lane) + n), 24);
   if (host)
      memcpy(words, host, 24);
   return host != NULL;
}

/* By state register, or by a number: small ones are state registers too, and those of the heap follow (observed: with
 * Honeykrisp the first entry of a heap has number 28). */
static bool
read_sampler(struct wave *w, const struct code *c, const struct agx_operand *o, unsigned lane, uint32_t words[6])
{
   uint32_t n = handle(w, o, lane);
   memset(words, 0, 24);
   if (o->kind == AGX_SS || n < AGX_SAMPLER_HEAP_FIRST) {
      if (!agx_program_has_sampler(w->program, n)) {
         wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "nothing is bound to sampler state %u", n);
         return false;
      }
      memcpy(words, w->program->samplers[n].words, 8);
      memcpy(words + 2, w->program->samplers[n].border, 16);
      return true;
   }
   n -= AGX_SAMPLER_HEAP_FIRST;
   if (n >= w->program->sampler_heap_count) {
      wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "sampler %u of a heap of %u", n, w->program->sampler_heap_count);
      return false;
   }
   const uint8_t *host = wave_read_memory(w, c, sim_va_add(w->program->sampler_heap, (int64_t)n * 8), 8);
   if (host)
      memcpy(words, host, 8);
   return host != NULL;
}

/* Lanes that ask for the same as this one. */
static uint32_t
same_lanes(const struct wave *w, const struct agx_operand *texture, const struct agx_operand *sampler, uint32_t among,
           unsigned lane)
{
   uint32_t lanes = 0, t = handle(w, texture, lane), s = sampler ? handle(w, sampler, lane) : 0;
   for (unsigned l = lane; l < LANES; l++)
      if (among >> l & 1 && handle(w, texture, l) == t && (!sampler || handle(w, sampler, l) == s))
         lanes |= 1u << l;
   return lanes;
}

static bool
failed(struct wave *w, const struct code *c, const struct sim_fault *fault)
{
   wave_fault(w, c, fault->kind ? fault->kind : SIM_FAULT_STATE, fault->va, "%.500s", fault->message);
   return false;
}

static void
put_texels(struct wave *w, const struct code *c, uint32_t exec, const struct agx_tex_result *result)
{
   unsigned half = (unsigned)c->in.dst.value, bits = c->in.dst.size;
   for (unsigned i = 0; i < 4; i++) {
      if (!(c->in.mod.mask >> i & 1))
         continue;
      for (unsigned l = 0; l < LANES; l++)
         if (exec >> l & 1)
            state_put(&w->state, half, bits, l, result->value[i][l]);
      half += bits / 16;
   }
   /* After them bit 0 says that a texel was not there (as Honeykrisp's programs take it). */
   for (unsigned l = 0; l < LANES && c->in.mod.sparse; l++)
      if (exec >> l & 1)
         state_put(&w->state, half, bits, l, result->not_resident >> l & 1);
}

static unsigned
result_halves(const struct agx_inst *in)
{
   return (in->dst.count + !!in->mod.sparse) * in->dst.size / 16u;
}

/* For who watches. */
static void
note_fetch(struct wave *w, const struct code *c, const struct agx_tex_request *r)
{
   uint64_t va[LANES];
   unsigned size_B = agx_tex_fetch_places(w->launch->vm, r, va);
   wave_race_note_image(w, c, r->exec, va, size_B);
}

static void
note_write(struct wave *w, const struct code *c, const struct agx_tex_write *q)
{
   uint64_t va[LANES];
   unsigned size_B = agx_tex_write_places(w->launch->vm, q, va);
   wave_race_note_image(w, c, q->exec, va, size_B);
}

/* A fetch that need not see what other cores, or those of other clusters, have written. */
static bool
is_cached(const struct wave *w, const struct code *c)
{
   const bool sees_all = c->in.mod.rw && (c->in.mod.coherent || !w->engine->clusters);
   return c->in.op == AGX_OP_SMPI && !sees_all && !wave_cache_is_empty(w);
}

static bool
read_texels(struct wave *w, const struct code *c, const struct agx_tex_request *r)
{
   struct agx_tex_result result;
   struct sim_fault fault = {0};
   uint64_t va[LANES];
   uint8_t kept[LANES][16];
   bool cached = is_cached(w, c);
   unsigned size_B = cached ? agx_tex_fetch_places(w->launch->vm, r, va) : 0;
   if (cached)
      wave_cache_swap(w, va, size_B, kept);
   bool ok = agx_tex_run(w->launch->vm, r, &result, &fault);
   if (cached)
      wave_cache_swap_back(w, va, size_B, kept);
   if (!ok)
      return failed(w, c, &fault);
   put_texels(w, c, r->exec, &result);
   return true;
}

bool
exec_texture_late_read(struct wave *w, const struct code *c, const void *request)
{
   struct agx_tex_request r;
   memcpy(&r, request, sizeof(r));
   return read_texels(w, c, &r);
}

static enum step
run_sample(struct wave *w, const struct code *c)
{
   const struct agx_inst *in = &c->in;
   struct agx_tex_operands n = operands(in);
   bool late = sim_rounds_late_load(&w->base) || is_cached(w, c);
   struct agx_tex_request r = {.fetch = in->op == AGX_OP_SMPI,
                               .cache = in->mod.rw ? NULL : w->engine->textures,
                               .coords_16 = in->src[COORDS].size == 16,
                               .shadow = in->mod.shadow,
                               .has_offset = in->src[COMPARE].kind == AGX_REG && in->src[COMPARE].size == 16,
                               .query_lod = in->mod.query_lod,
                               .dst_16 = in->dst.size == 16,
                               .dim = (uint8_t)in->mod.dim,
                               .lod_type = (uint8_t)in->mod.lod_type,
                               .gather = (uint8_t)in->mod.gather,
                               .extended_sampler = w->program->extended_samplers};
   gather(w, &in->src[COORDS], n.coords, n.coords_bits, r.coords);
   gather(w, &in->src[LOD], n.lod, n.lod_bits, r.lod);
   gather_compare(w, c, &r);
   for (uint32_t left = w->state.exec; left; left &= ~r.exec) {
      unsigned lane = (unsigned)__builtin_ctz(left);
      r.exec = same_lanes(w, &in->src[TEXTURE], &in->src[SAMPLER], left, lane);
      if (!read_texture(w, c, &in->src[TEXTURE], &in->src[HEAP], lane, r.texture) ||
          !read_sampler(w, c, &in->src[SAMPLER], lane, r.sampler))
         return STEP_FAULT;
      if (w->launch->races && r.fetch)
         note_fetch(w, c, &r);
      if (late)
         sim_queue_load(&w->base.queue, (uint32_t)(c - w->code->codes), &r, sizeof(r));
      else if (!read_texels(w, c, &r))
         return STEP_FAULT;
   }
   w->reads_issued++;
   wave_outstanding(w, in->mod.group, (unsigned)in->dst.value, result_halves(in), late);
   return STEP_NEXT;
}

/* Helpers write no pixels: Honeykrisp keeps them from storing to memory, and not from this. */
static uint32_t
live_lanes(const struct wave *w)
{
   uint32_t lanes = w->program->stage == AGX_STAGE_FRAGMENT ? 0 : UINT32_MAX;
   for (unsigned l = 0; l < LANES; l++)
      lanes |= (uint32_t)(w->live[l] != 0) << l;
   return lanes;
}

static enum step
run_write(struct wave *w, const struct code *c)
{
   const struct agx_inst *in = &c->in;
   struct agx_tex_operands n = operands(in);
   const struct agx_operand *data = &in->src[IMAGE_DATA], *texture = &in->src[IMAGE_TEXTURE];
   if (w->tests_queued)
      return STEP_AGAIN;
   struct agx_tex_write q = {.coords_16 = in->src[IMAGE_COORDS].size == 16,
                             .data_16 = data->size == 16,
                             .rtz = in->mod.rtz,
                             .dim = (uint8_t)in->mod.dim};
   gather(w, &in->src[IMAGE_COORDS], n.coords, n.coords_bits, q.coords);
   gather(w, &in->src[IMAGE_LOD], 1, 16, &q.lod);
   gather(w, data, 4, data->size, q.data);
   for (uint32_t left = w->state.exec, same; left; left &= ~same) {
      unsigned lane = (unsigned)__builtin_ctz(left);
      same = same_lanes(w, texture, NULL, left, lane);
      q.exec = same & live_lanes(w);
      if (!read_texture(w, c, texture, &in->src[IMAGE_HEAP], lane, q.pbe))
         return STEP_FAULT;
      unsigned halves = agx_tex_write_components(q.pbe) * data->size / 16u;
      if (wave_meets_poison(w, c) && !wave_check_halves(w, c, (unsigned)data->value, halves))
         return STEP_FAULT;
      if (w->launch->races)
         note_write(w, c, &q);
      sim_queue_other(&w->base.queue, (uint32_t)(c - w->code->codes), &q, sizeof(q));
   }
   w->base.queue.issue_seq++;
   w->writes_issued++;
   return STEP_NEXT;
}

static enum step
run_block(struct wave *w, const struct code *c)
{
   const struct agx_inst *in = &c->in;
   const struct agx_operand *coords = &in->src[IMAGE_COORDS];
   struct agx_wave_block b = {.fragments = &w->fragments,
                              .group = w->base.group->index,
                              .format = (uint8_t)in->mod.format,
                              .dim = (uint8_t)in->mod.dim,
                              .explicit_coords = in->mod.explicit_coords,
                              .round_to_zero = in->mod.rtz};
   bool layers = in->mod.dim == AGX_DIM_2D_ARRAY || in->mod.dim == AGX_DIM_2D_MS_ARRAY;
   if (!w->launch->hooks || !w->launch->hooks->store_block)
      return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "there are no tiles in this stage");
   if (!w->state.exec)
      return STEP_NEXT;
   unsigned lane = (unsigned)__builtin_ctz(w->state.exec), count = b.explicit_coords ? 2 : 0;
   b.offset_B = (uint16_t)exec_value(w, &in->src[IMAGE_DATA], lane);
   b.lod = (uint32_t)exec_value(w, &in->src[IMAGE_LOD], lane);
   for (unsigned i = 0; i < count; i++)
      b.coords[i] = state_get(&w->state, (unsigned)coords->value + i * coords->size / 16u, coords->size, lane);
   /* A layer has 16 bits, as everywhere; the sample, which is none here, stands before it. */
   unsigned half = (unsigned)coords->value + count * coords->size / 16u + (in->mod.dim == AGX_DIM_2D_MS_ARRAY);
   if (layers)
      b.coords[count] = state_half(&w->state, half, lane);
   if (!read_texture(w, c, &in->src[IMAGE_TEXTURE], &in->src[IMAGE_HEAP], lane, b.texture))
      return STEP_FAULT;
   sim_queue_other(&w->base.queue, (uint32_t)(c - w->code->codes), &b, sizeof(b));
   w->base.queue.issue_seq++;
   return STEP_NEXT;
}

static void
note_cached(struct wave *w, const struct agx_tex_write *q)
{
   uint64_t va[LANES];
   unsigned size_B = w->engine->caches ? agx_tex_write_places(w->launch->vm, q, va) : 0;
   for (uint32_t left = size_B ? q->exec : 0; left; left &= left - 1) {
      unsigned lane = (unsigned)__builtin_ctz(left);
      if (va[lane])
         wave_cache_note_write(w, sim_va(va[lane]), size_B);
   }
}

bool
exec_texture_land(struct wave *w, const struct code *c, const void *payload)
{
   struct sim_fault fault = {0};
   if (c->in.op == AGX_OP_IMGW) {
      struct agx_tex_write q;
      memcpy(&q, payload, sizeof(q));
      note_cached(w, &q);
      return !q.exec || agx_tex_write(w->launch->vm, &q, &fault) || failed(w, c, &fault);
   }
   struct agx_wave_block b;
   memcpy(&b, payload, sizeof(b));
   return w->launch->hooks->store_block(w->launch->user, &b, &fault) || failed(w, c, &fault);
}

/* Registers that the operands' dimension and kind say, beyond what their bits do. */
static void
use_registers(struct code *c, const struct agx_operand *o, unsigned count, unsigned bits, bool all_lanes)
{
   if (o->kind == AGX_REG)
      wave_add_use(c, (unsigned)o->value, count * bits / 16, false, all_lanes);
}

bool
exec_texture_bind(struct code *c)
{
   struct agx_inst *in = &c->in;
   bool reads = is_read(in);
   unsigned coords = reads ? COORDS : IMAGE_COORDS;
   c->run = reads ? run_sample : in->op == AGX_OP_IMGW ? run_write : run_block;
   if (in->op == AGX_OP_IMGWBLK)
      return true;
   /* Of four registers of data an image with fewer components takes those: which image shows when it runs. */
   for (unsigned i = 0; !reads && i < c->use_count; i++)
      if (c->uses[i].half == in->src[IMAGE_DATA].value && !c->uses[i].writes)
         c->uses[i].count = in->src[IMAGE_DATA].size / 16u;
   struct agx_tex_operands n = operands(in);
   use_registers(c, &in->src[coords], n.coords, n.coords_bits, in->op == AGX_OP_SMPF);
   if (reads)
      use_registers(c, &in->src[LOD], n.lod, n.lod_bits, false);
   if (in->mod.sparse)
      wave_add_use(c, (unsigned)in->dst.value, result_halves(in), true, false);
   /* The last use is of all of them. */
   for (unsigned i = 0; i < c->discard_count; i++)
      if (c->discards[i].half == in->src[coords].value)
         c->discards[i].count = (uint16_t)(n.coords * n.coords_bits / 16);
   return true;
}
