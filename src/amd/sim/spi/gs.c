/* Geometry shaders whose vertices go through memory: ES-GS waves write the GSVS ring and send messages, then waves of
 * a copy shader read it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/spi/ngg_private.h"
#include "util/macros.h"

enum {
   MESSAGE_GS = 2,
   MESSAGE_GS_DONE = 3,
   OP_CUT = 1, /* bits of the message's operation */
   OP_EMIT = 2,
   LANES = 64,      /* these waves have no other size */
   RING_LANES = 16, /* whose dwords lie side by side in the ring */
};

struct gs_run {
   struct amd_pipeline *p;
   uint32_t first_group, waves_per_group;
   bool ok;
};

/* The running strip of a thread and stream. */
struct strip {
   uint32_t emitted, length;
   uint32_t last[2]; /* numbers in gs_vertices */
};

static bool __attribute__((format(printf, 2, 3)))
broken(struct gs_run *run, const char *format, ...)
{
   if (!run->ok)
      return false;
   char text[200];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   run->ok = false;
   return sim_fault_set(run->p->gpu->fault, SIM_FAULT_HANG, run->p->state.shaders[AMD_STAGE_GS].program,
                        "geometry shader: %s", text);
}

/* Waves of a launch in order: each has a part of the ring. */
static uint32_t
slot_of(const struct gs_run *run, uint32_t group, uint32_t wave)
{
   return group * run->waves_per_group + wave;
}

static uint32_t
wave_ring_B(const struct amd_pipeline *p)
{
   return p->state.gs.ring_item_dw * LANES * 4;
}

static const struct ngg_group *
group_at(const struct gs_run *run, uint32_t group)
{
   return dynarray_at(&run->p->memory->ngg_groups, struct ngg_group, run->first_group + group);
}

static void
start(void *user, uint32_t group, uint32_t wave, uint32_t scratch_slot, struct amd_wave_start *s)
{
   const struct gs_run *run = user;
   const struct amd_pipeline *p = run->p;
   const struct ngg_group *g = group_at(run, group);
   const struct amd_shader_state *shader = &p->state.shaders[AMD_STAGE_GS];
   uint32_t es = ngg_in_wave(g->vertex_count, wave, LANES), gs = ngg_in_wave(ngg_gs_threads(g), wave, LANES);
   uint32_t slot = slot_of(run, group, wave);
   s->exec = bit_mask(MAX2(es, gs));
   for (unsigned i = 0; i < AMD_MERGED_SGPRS; i++)
      s->sgpr[i] = AMD_WAVE_GARBAGE;
   s->sgpr[0] = shader->user_addr[0];
   s->sgpr[1] = shader->user_addr[1];
   s->sgpr[2] = slot * wave_ring_B(p);
   s->sgpr[3] = es | gs << 8 | (slot & 0xff) << 16 | wave << 24 | run->waves_per_group << 28;
   s->sgpr[4] = p->offchip_offset_B;
   s->sgpr[5] = scratch_slot * p->state.scratch_wave_B;
   memcpy(s->sgpr + AMD_MERGED_SGPRS, shader->user_data, shader->user_sgprs * 4);
   s->sgpr_count = AMD_MERGED_SGPRS + shader->user_sgprs;
   ngg_start_vgprs(p, g, wave, s);
}

static void
add_corners(struct amd_draw_memory *m, unsigned stream, const uint32_t *corners, unsigned count)
{
   memcpy(dynarray_grow(&m->gs_corners[stream], count * 4), corners, count * 4);
}

/* A new vertex of a strip makes a primitive with those before it. Of two triangles one is turned: what stays in its
 * place is the provoking vertex. */
static void
extend(struct gs_run *run, unsigned stream, struct strip *strip, uint32_t vertex)
{
   struct amd_pipeline *p = run->p;
   unsigned kind = p->state.gs.kind[stream], count = amd_prim_vertices(kind);
   bool turned = kind == AMD_PRIM_TRIANGLE && strip->length & 1, last = p->state.clip.provoking_last;
   uint32_t a = strip->last[0], b = strip->last[1];
   uint32_t corners[AMD_PRIM_VERTICES] = {vertex};
   if (kind == AMD_PRIM_LINE)
      memcpy(corners, (const uint32_t[]){b, vertex}, 8);
   else if (kind == AMD_PRIM_TRIANGLE && !turned)
      memcpy(corners, (const uint32_t[]){a, b, vertex}, 12);
   else if (kind == AMD_PRIM_TRIANGLE)
      memcpy(corners, last ? (const uint32_t[]){b, a, vertex} : (const uint32_t[]){a, vertex, b}, 12);
   if (++strip->length >= count)
      add_corners(p->memory, stream, corners, count);
   strip->last[0] = b;
   strip->last[1] = vertex;
}

static void
emit(struct gs_run *run, unsigned stream, uint32_t slot, uint32_t lane, struct strip *strip)
{
   const struct amd_gs_state *gs = &run->p->state.gs;
   struct dynarray *vertices = &run->p->memory->gs_vertices[stream];
   uint32_t item_dw = gs->vertex_dw[stream] * gs->max_vertices;
   if (strip->emitted == gs->max_vertices) {
      broken(run, "a thread emits more than %u vertices (VGT_GS_MAX_VERT_OUT)", gs->max_vertices);
      return;
   }
   uint32_t place_dw = slot * wave_ring_B(run->p) / 4 + gs->stream_offset_dw[stream] * LANES +
                       lane / RING_LANES * RING_LANES * item_dw + strip->emitted++ * RING_LANES + lane % RING_LANES;
   uint32_t number = (uint32_t)dynarray_count(vertices, uint32_t);
   dynarray_append(vertices, uint32_t, place_dw);
   extend(run, stream, strip, number);
}

/* The messages that a lane took part in. */
static void
take_lane(struct gs_run *run, uint32_t slot, uint32_t lane, const struct amd_wave_result *result)
{
   struct strip strips[AMD_STREAMS] = {0};
   for (uint32_t i = 0; i < result->message_count && run->ok; i++) {
      const struct amd_wave_message *message = &result->messages[i];
      unsigned op = message->simm16 >> 4 & 3, stream = message->simm16 >> 8 & 3;
      if ((message->simm16 & 15) != MESSAGE_GS || !(message->exec >> lane & 1))
         continue;
      if (op & OP_EMIT)
         emit(run, stream, slot, lane, &strips[stream]);
      if (op & OP_CUT)
         strips[stream].length = 0;
   }
}

/* All of a wave's messages carry its id; the last one is GS_DONE. */
static bool
check_messages(struct gs_run *run, uint32_t slot, const struct amd_wave_result *result)
{
   bool done = false;
   for (uint32_t i = 0; i < result->message_count; i++) {
      const struct amd_wave_message *message = &result->messages[i];
      unsigned id = message->simm16 & 15;
      if (id != MESSAGE_GS && id != MESSAGE_GS_DONE)
         continue;
      if (done)
         return broken(run, "a message after GS_DONE");
      if ((message->m0 & 0xff) != (slot & 0xff))
         return broken(run, "M0 of a message is 0x%08x, the wave's id %u", message->m0, slot & 0xff);
      done = id == MESSAGE_GS_DONE;
   }
   return done || broken(run, "a wave ended without GS_DONE");
}

static void
retire(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result)
{
   struct gs_run *run = user;
   uint32_t slot = slot_of(run, group, wave);
   uint32_t lanes = ngg_in_wave(ngg_gs_threads(group_at(run, group)), wave, LANES);
   if (!lanes || !run->ok || !check_messages(run, slot, result))
      return;
   for (uint32_t lane = 0; lane < lanes && run->ok; lane++)
      take_lane(run, slot, lane, result);
}

/* What has been written of each stream, through the copy shader. */
static bool
copy_streams(struct amd_pipeline *p)
{
   struct amd_draw_memory *m = p->memory;
   bool ok = true;
   for (unsigned i = 0; i < AMD_STREAMS && ok; i++) {
      const struct amd_vs_input in = {
         .vertices = m->gs_vertices[i].data,
         .vertex_count = (uint32_t)dynarray_count(&m->gs_vertices[i], uint32_t),
         .corners = m->gs_corners[i].data,
         .prim_vertices = amd_prim_vertices(p->state.gs.kind[i]),
         .prim_count = (uint32_t)dynarray_count(&m->gs_corners[i], uint32_t) / amd_prim_vertices(p->state.gs.kind[i]),
         .copy = true,
         .stream = i,
      };
      if (*p->gpu->stats_on)
         p->gpu->counters->stats[AMD_STAT_GS_PRIMITIVES] += in.prim_count;
      ok = amd_spi_run_vs(p, &in);
      m->gs_vertices[i].size_B = m->gs_corners[i].size_B = 0;
   }
   return ok;
}

/* Groups [first, end) at once, as many as the ring has room for. */
static bool
run_groups(struct amd_pipeline *p, uint32_t first, uint32_t end, uint32_t waves_per_group)
{
   struct gs_run run = {.p = p, .first_group = first, .waves_per_group = waves_per_group, .ok = true};
   struct amd_wave_launch launch = amd_spi_launch(p, AMD_STAGE_GS);
   launch.name = "geometry shader";
   launch.group_count = end - first;
   launch.waves_per_group = waves_per_group;
   launch.user = &run;
   launch.start = start;
   launch.retire = retire;
   return amd_wave_run(p->gpu->engine, &launch, p->gpu->fault) && run.ok && copy_streams(p);
}

/* Without LDS, ES hands nothing on. */
static bool
check_group(const struct amd_pipeline *p, const struct ngg_group *g)
{
   uint32_t needs_B = g->vertex_count * p->state.ngg.item_dw * 4;
   uint32_t lds_B = p->state.shaders[AMD_STAGE_GS].lds_size_B;
   return !lds_B || needs_B <= lds_B ||
          sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0),
                        "%u ES vertices of %u dwords are beyond the %u bytes of LDS (SPI_SHADER_PGM_RSRC2_GS)",
                        g->vertex_count, p->state.ngg.item_dw, lds_B);
}

bool
amd_spi_run_gs(struct amd_pipeline *p)
{
   uint64_t *stats = p->gpu->counters->stats;
   uint32_t waves = 1;
   if (!amd_spi_check_stage(p, AMD_STAGE_GS) || !ngg_form_groups(p))
      return false;
   uint32_t groups = (uint32_t)dynarray_count(&p->memory->ngg_groups, struct ngg_group);
   dynarray_for_each(struct ngg_group, g, &p->memory->ngg_groups) {
      waves = MAX2(waves, (uint32_t)div_round_up(MAX2(g->vertex_count, ngg_gs_threads(g)), LANES));
      if (!check_group(p, g))
         return false;
      stats[AMD_STAT_GS_INVOCATIONS] += *p->gpu->stats_on ? ngg_gs_threads(g) : 0;
      stats[AMD_STAT_VS_INVOCATIONS] += *p->gpu->stats_on && !p->state.tess.enabled ? g->vertex_count : 0;
   }
   p->kind = p->state.gs.kind[p->state.strmout.raster_stream % AMD_STREAMS];
   uint64_t group_B = (uint64_t)wave_ring_B(p) * waves;
   uint32_t room = group_B ? (uint32_t)MIN2(p->state.gs.ring_B / group_B, UINT32_MAX) : groups;
   if (!room)
      return sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "the GSVS ring has %llu bytes, a subgroup needs %llu (VGT_GSVS_RING_SIZE)",
                           (unsigned long long)p->state.gs.ring_B, (unsigned long long)group_B);
   for (uint32_t first = 0; first < groups; first += room) {
      if (!run_groups(p, first, MIN2(first + room, groups), waves))
         return false;
   }
   return true;
}
