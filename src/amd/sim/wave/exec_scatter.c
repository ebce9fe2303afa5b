/* Stores of dwords of all lanes at once: those that lie equally far apart are one entry of the wave's queue. */
#include "amd/sim/wave/exec_lanes.h"
#include "amd/sim/wave/exec_memory.h"
#include "sim/vm/vm.h"
#include "util/macros.h"

/* MOST_APART_B: farther apart, no two pieces share a line of the caches. */
enum { MOST_APART_B = 64, MOST_DW = 4 };

/* Dwords of lanes side by side, as memory has them; in room, if they must be moved for that. */
static inline const uint32_t *
in_order(const uint32_t *data, unsigned stride, unsigned count, unsigned lanes, uint32_t *room)
{
   if (count == 1)
      return data;
   for (unsigned i = 0; i < count; i++)
      for (unsigned l = 0; l < lanes; l++)
         room[l * count + i] = data[i * stride + l];
   return room;
}

/* How many of the lanes from l on lie as far apart as it and the next one, and how far. */
static unsigned
find_run(const struct exec_places *p, uint64_t lanes, unsigned l, uint32_t size_B, uint32_t *step_B)
{
   const unsigned first = l;
   uint64_t left = lanes >> l >> 1;
   *step_B = left & 1 ? p->offset[l + 1] - p->offset[l] : 0;
   if (*step_B < size_B || *step_B > MOST_APART_B)
      return 1;
   for (; left & 1 && (uint64_t)p->offset[l] + *step_B == p->offset[l + 1]; l++)
      left >>= 1;
   return l + 1 - first;
}

/* Lanes whose next one goes on where they end. */
static uint64_t
find_neighbours(const struct wave_state *s, const struct exec_places *p, uint32_t size_B)
{
   uint64_t lanes = 0;
#ifdef __AVX2__
   for (unsigned l = 0; l < s->lanes; l += 8) {
      const __m256i here = _mm256_loadu_si256((const __m256i *)(const void *)&p->offset[l]),
                    next = _mm256_loadu_si256((const __m256i *)(const void *)&p->offset[l + 1]);
      const __m256i is_one = _mm256_cmpeq_epi32(_mm256_sub_epi32(next, here), _mm256_set1_epi32((int)size_B));
      lanes |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(is_one)) << l;
   }
#else
   for (unsigned l = 0; l < s->lanes; l++)
      lanes |= (uint64_t)(p->offset[l + 1] - p->offset[l] == size_B) << l;
#endif
   return lanes;
}

static void
store_run(struct wave *w, const struct code *c, struct sim_va va, const uint32_t *data, unsigned lanes,
          uint32_t step_B)
{
   uint32_t room[MOST_DW * AMD_WAVE_MAX_LANES];
   const uint32_t size_B = 4u * c->memory.count;
   const uint32_t *words = in_order(data, w->state.lanes, c->memory.count, lanes, room);
   if (lanes == 1 || step_B == size_B)
      sim_queue_store(&w->base.queue, c->pc_dw, va, words, size_B * lanes);
   else
      sim_queue_store_pieces(
         &w->base.queue,
         &(struct sim_queued){
            .va = va, .size_B = size_B * lanes, .place = c->pc_dw, .piece_B = size_B, .step_B = step_B},
         words);
}

/* Active lanes that are in range. *halves: one is in part. */
static uint64_t
find_lanes(struct wave_state *s, const struct exec_places *p, bool *halves)
{
   const uint64_t exec = state_exec(s);
   uint64_t inside = 0, outside = 0;
   uint32_t any = 0;
   for (unsigned half = 0; half < s->halves; half++) {
      exec_update_mask(s, half);
      for (unsigned l = 0; l < HALF; l++)
         any |= p->offset[half * HALF + l] > p->last ? s->exec_mask[half][l] : 0;
   }
   *halves = false;
   if (!any)
      return exec;
   for (unsigned l = 0; l < s->lanes; l++) {
      inside |= (uint64_t)(p->offset[l] <= p->last) << l;
      outside |= (uint64_t)(p->offset[l] >= p->beyond) << l;
   }
   *halves = exec & ~(inside | outside);
   return exec & inside;
}

bool
WIDE(exec_scatter)(struct wave *w, const struct code *c, const struct exec_places *p)
{
   bool halves;
   const uint64_t lanes = find_lanes(&w->state, p, &halves);
   if (halves)
      return false;
   const uint32_t *data = state_vgpr(&w->state, c->in.src[c->in.enc == AMD_ENC_MUBUF ? 3 : 1]);
   const uint32_t size_B = 4u * c->memory.count;
   const uint64_t neighbours = find_neighbours(&w->state, p, size_B) & lanes & lanes >> 1;
   for (uint64_t left = lanes; left;) {
      const unsigned l = (unsigned)__builtin_ctzll(left);
      uint32_t step_B = size_B;
      const unsigned run = neighbours >> l & 1 ? (unsigned)__builtin_ctzll(~(neighbours >> l)) + 1
                                               : find_run(p, lanes, l, size_B, &step_B);
      store_run(w, c, sim_va_add(p->base, p->offset[l]), data + l, run, step_B);
      left &= ~(bit_mask(run) << l);
   }
   return true;
}
