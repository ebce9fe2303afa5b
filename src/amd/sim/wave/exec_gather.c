/* Loads of all lanes at once: where these find what memory has, in one piece of it. Who may hold older bytes is asked
 * of all lines of a page together (cache/cache_reads.c). */
#include "amd/sim/wave/exec_lanes.h"
#include "amd/sim/wave/exec_memory.h"
#include "util/macros.h"

#ifdef __AVX2__

enum { STRIP = 8, STRIPS = AMD_WAVE_MAX_LANES / STRIP, PAGES = 8, SEEN = 16, PAGE_B = 1 << AMD_CACHE_PAGE_LOG2 };

/* Of the lanes that read: the others' offsets are of no use. */
struct gathered {
   __m256i reads[STRIPS];
   uint32_t least, most; /* offsets */
   bool any, halves;     /* halves: a lane has only some of its dwords in range */
};

static inline __m256i
load(const uint32_t *from)
{
   return _mm256_loadu_si256((const __m256i *)from);
}

static inline __m256i
word(uint32_t value)
{
   return _mm256_set1_epi32((int)value);
}

static inline bool
is_none(__m256i words)
{
   return _mm256_testz_si256(words, words);
}

static inline const uint32_t *
mask_of(const struct wave_state *s, unsigned strip)
{
   return &s->exec_mask[strip / (HALF / STRIP)][strip % (HALF / STRIP) * STRIP];
}

static void
find_hull(const struct wave_state *s, const struct exec_places *p, struct gathered *g)
{
   __m256i least = word(UINT32_MAX), most = word(0), any = word(0), halves = word(0);
   for (unsigned i = 0; i < s->lanes / STRIP; i++) {
      const __m256i offset = load(p->offset + i * STRIP), active = load(mask_of(s, i));
      const __m256i inside = _mm256_cmpeq_epi32(_mm256_min_epu32(offset, word(p->last)), offset);
      const __m256i is_beyond = _mm256_cmpeq_epi32(_mm256_max_epu32(offset, word(p->beyond)), offset);
      const __m256i reads = g->reads[i] = _mm256_and_si256(active, inside);
      least = _mm256_min_epu32(least, _mm256_or_si256(offset, _mm256_xor_si256(reads, word(UINT32_MAX))));
      most = _mm256_max_epu32(most, _mm256_and_si256(offset, reads));
      any = _mm256_or_si256(any, reads);
      halves = _mm256_or_si256(halves, _mm256_andnot_si256(_mm256_or_si256(inside, is_beyond), active));
   }
   uint32_t lows[STRIP], highs[STRIP];
   memcpy(lows, &least, sizeof(lows));
   memcpy(highs, &most, sizeof(highs));
   g->least = UINT32_MAX;
   g->most = 0;
   for (unsigned i = 0; i < STRIP; i++) {
      g->least = lows[i] < g->least ? lows[i] : g->least;
      g->most = highs[i] > g->most ? highs[i] : g->most;
   }
   g->any = !is_none(any);
   g->halves = !is_none(halves);
}

/* Memory at va, in one piece of so many bytes; NULL: not there, or in pieces. */
static const uint8_t *
find_memory(struct wave *w, struct sim_va va, uint64_t size_B)
{
   const uint64_t into_B = va.va - w->tlb_va.va;
   if (w->tlb_size_B >= size_B && into_B <= w->tlb_size_B - size_B)
      return w->tlb_host + into_B;
   uint64_t run_B = 0;
   uint8_t *host = sim_vm_lookup(w->launch->vm, va, SIM_READ, &run_B, NULL);
   if (!host || run_B < size_B)
      return NULL;
   w->tlb_va = va;
   w->tlb_size_B = run_B;
   w->tlb_host = host;
   return host;
}

/* Lines of each page that the lanes touch; at: what is to be added to offsets, so that they count from the first. */
static void
find_lines(const struct wave_state *s, const struct exec_places *p, const struct gathered *g, uint32_t at,
           unsigned load_B, unsigned pages, uint32_t lines[PAGES])
{
   /* size: where lanes read */
   __m256i found[PAGES] = {0};
   for (unsigned i = 0; i < s->lanes / STRIP; i++) {
      const __m256i first = _mm256_add_epi32(load(p->offset + i * STRIP), word(at)),
                    last = _mm256_add_epi32(first, word(load_B - 1));
      for (unsigned k = 0; k < 2; k++) {
         const __m256i byte = k ? last : first;
         const __m256i line = _mm256_and_si256(_mm256_srli_epi32(byte, AMD_CACHE_LINE_LOG2), word(31));
         const __m256i bit = _mm256_and_si256(_mm256_sllv_epi32(word(1), line), g->reads[i]);
         const __m256i page = _mm256_srli_epi32(byte, AMD_CACHE_PAGE_LOG2);
         for (unsigned n = 0; n < pages; n++)
            found[n] = _mm256_or_si256(found[n], _mm256_and_si256(bit, _mm256_cmpeq_epi32(page, word(n))));
      }
   }
   for (unsigned n = 0; n < pages; n++) {
      uint32_t bits[STRIP];
      memcpy(bits, &found[n], sizeof(bits));
      lines[n] = 0;
      for (unsigned i = 0; i < STRIP; i++)
         lines[n] |= bits[i];
   }
}

/* Whether the lanes find what memory has, asked page by page; if so, they have read it. */
static bool
read_lines(struct wave *w, const struct code *c, const struct exec_places *p, const struct gathered *g,
           struct sim_va first, unsigned pages)
{
   /* size: where lanes read */
   const uint64_t page = first.va >> AMD_CACHE_PAGE_LOG2;
   const uint32_t into_B = first.va & (PAGE_B - 1);
   uint32_t lines[PAGES], old = 0;
   find_lines(&w->state, p, g, into_B - g->least, 4u * c->memory.count, pages, lines);
   for (unsigned i = 0; i < pages; i++)
      if (lines[i] && !amd_cache_knows(&w->cache, c->path, page + i, lines[i]) &&
          (!amd_cache_read_lines(&w->cache, c->path, page + i, lines[i], &old) || old))
         return false;
   return true;
}

/* Lanes that find other bytes than memory has. */
struct old_lanes {
   uint64_t lanes;
   const uint8_t *bytes[AMD_WAVE_MAX_LANES];
};

static uint64_t
lanes_that_read(const struct wave_state *s, const struct gathered *g)
{
   uint64_t lanes = 0;
   for (unsigned i = 0; i < s->lanes / STRIP; i++)
      lanes |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(g->reads[i])) << STRIP * i;
   return lanes;
}

/* The same, asked lane by lane, which finds the others. host: memory at the least offset. False: a lane is in two
 * lines, or each of its bytes has to be looked at. */
static bool
read_far_lines(struct wave *w, const struct code *c, const struct exec_places *p, const struct gathered *g,
               const uint8_t *host, struct old_lanes *old)
{
   /* size: where lanes read, and from where */
   uint64_t seen[SEEN]; /* numbers of lines where memory is what there is, + 1, by their lowest bits */
   memset(seen, 0, sizeof(seen));
   for (uint64_t lanes = lanes_that_read(&w->state, g); lanes; lanes &= lanes - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(lanes);
      const uint64_t va = p->base.va + p->offset[l], line = va >> AMD_CACHE_LINE_LOG2;
      const uint32_t into_B = va % AMD_CACHE_LINE_B;
      if (into_B + 4u * c->memory.count > AMD_CACHE_LINE_B)
         return false;
      if (seen[line % SEEN] == line + 1)
         continue;
      const uint8_t *memory = host + (p->offset[l] - g->least) - into_B,
                    *found = amd_cache_read_line(&w->cache, c->path, sim_va(va - into_B), memory);
      if (!found)
         return false;
      if (found == memory)
         seen[line % SEEN] = line + 1;
      old->lanes |= (uint64_t)(found != memory) << l;
      old->bytes[l] = found + into_B;
   }
   return true;
}

/* What the lanes read passes the caches; first, host: of size_B bytes that hold it. False: it goes lane by lane. */
static bool
read_through(struct wave *w, const struct code *c, const struct exec_places *p, const struct gathered *g,
             struct sim_va first, uint32_t size_B, const uint8_t *host, struct old_lanes *old)
{
   /* size: where lanes read, and from where */
   const uint32_t pages = ((first.va & (PAGE_B - 1)) + size_B - 1) / PAGE_B + 1;
   return !w->cache.caches || (pages <= PAGES && read_lines(w, c, p, g, first, pages)) ||
          read_far_lines(w, c, p, g, host, old);
}

/* Dwords of lanes that find something else than what has been gathered. */
static void
patch_lanes(struct wave *w, const struct code *c, const struct old_lanes *old)
{
   uint32_t *dst = state_vgpr(&w->state, c->in.dst);
   for (uint64_t lanes = old->lanes; lanes; lanes &= lanes - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(lanes);
      for (unsigned i = 0; i < c->memory.count; i++)
         memcpy(&dst[i * w->state.lanes + l], old->bytes[l] + 4ul * i, 4);
   }
}

/* Whether bytes that all are read are what memory has. */
static bool
read_row(struct wave *w, const struct code *c, struct sim_va first, uint32_t size_B)
{
   for (uint64_t at = first.va, end = at + size_B, next; at < end && w->cache.caches; at = next) {
      next = MIN2((at | (PAGE_B - 1)) + 1, end);
      const uint32_t from = at >> AMD_CACHE_LINE_LOG2 & 31, to = (next - 1) >> AMD_CACHE_LINE_LOG2 & 31,
                     lines = (2u << to) - (1u << from);
      uint32_t old = 0;
      if (!amd_cache_knows(&w->cache, c->path, at >> AMD_CACHE_PAGE_LOG2, lines) &&
          (!amd_cache_read_lines(&w->cache, c->path, at >> AMD_CACHE_PAGE_LOG2, lines, &old) || old))
         return false;
   }
   return true;
}

/* ---- from memory to registers, of eight lanes ---- */

static inline __m256i
pair(const uint8_t *low, const uint8_t *high, __m128i mask)
{
   const __m128i first = _mm_maskload_epi32((const int *)(const void *)low, mask),
                 second = _mm_maskload_epi32((const int *)(const void *)high, mask);
   return _mm256_inserti128_si256(_mm256_castsi128_si256(first), second, 1);
}

/* Four dwords of each lane, of which those of the mask are read. */
static inline void
take_four(const uint8_t *host, const uint32_t at[STRIP], __m128i mask, __m256i to[4])
{
   const __m256i a = pair(host + at[0], host + at[4], mask), b = pair(host + at[1], host + at[5], mask),
                 c = pair(host + at[2], host + at[6], mask), d = pair(host + at[3], host + at[7], mask);
   const __m256i low_ab = _mm256_unpacklo_epi32(a, b), high_ab = _mm256_unpackhi_epi32(a, b),
                 low_cd = _mm256_unpacklo_epi32(c, d), high_cd = _mm256_unpackhi_epi32(c, d);
   to[0] = _mm256_unpacklo_epi64(low_ab, low_cd);
   to[1] = _mm256_unpackhi_epi64(low_ab, low_cd);
   to[2] = _mm256_unpacklo_epi64(high_ab, high_cd);
   to[3] = _mm256_unpackhi_epi64(high_ab, high_cd);
}

static inline __m128i
two_pairs(const uint8_t *first, const uint8_t *second)
{
   const __m128i low = _mm_loadl_epi64((const __m128i *)(const void *)first),
                 high = _mm_loadl_epi64((const __m128i *)(const void *)second);
   return _mm_unpacklo_epi64(low, high);
}

static inline void
take_two(const uint8_t *host, const uint32_t at[STRIP], __m256i to[4])
{
   const __m128i a = two_pairs(host + at[0], host + at[1]), b = two_pairs(host + at[2], host + at[3]),
                 c = two_pairs(host + at[4], host + at[5]), d = two_pairs(host + at[6], host + at[7]);
   const __m256 first = _mm256_castsi256_ps(_mm256_set_m128i(c, a)),
                second = _mm256_castsi256_ps(_mm256_set_m128i(d, b));
   to[0] = _mm256_castps_si256(_mm256_shuffle_ps(first, second, 0x88));
   to[1] = _mm256_castps_si256(_mm256_shuffle_ps(first, second, 0xdd));
}

/* Lanes side by side are the commonest. */
static inline __m256i
take_one(const uint8_t *host, __m256i at)
{
   const __m256i row = _mm256_sub_epi32(at, _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
   const __m256i first = _mm256_broadcastd_epi32(_mm256_castsi256_si128(row));
   if (is_none(_mm256_xor_si256(row, first)))
      return _mm256_loadu_si256((const __m256i *)(const void *)(host + _mm256_extract_epi32(at, 0)));
   return _mm256_i32gather_epi32((const int *)(const void *)host, at, 1);
}

/* Lanes that are out of range get zeros. */
static inline __attribute__((always_inline)) void
gather(struct wave_state *s, uint32_t *dst, unsigned count, const struct exec_places *p, const struct gathered *g,
       const uint8_t *host)
{
   /* size: what lanes read, and from where */
   const __m128i mask = _mm_setr_epi32(-1, -1, count > 2 ? -1 : 0, count > 3 ? -1 : 0);
   for (unsigned i = 0; i < s->lanes / STRIP; i++) {
      const __m256i active = load(mask_of(s, i));
      const __m256i at = _mm256_and_si256(_mm256_sub_epi32(load(p->offset + i * STRIP), word(g->least)), g->reads[i]);
      _Alignas(32) uint32_t places[STRIP];
      __m256i read[4];
      _mm256_store_si256((__m256i *)places, at);
      if (count == 1)
         read[0] = take_one(host, at);
      else if (count == 2)
         take_two(host, places, read);
      else
         take_four(host, places, mask, read);
      for (unsigned k = 0; k < count; k++) {
         uint32_t *to = dst + k * s->lanes + i * STRIP;
         const __m256i value = _mm256_and_si256(read[k], g->reads[i]);
         _mm256_storeu_si256((__m256i *)to, _mm256_blendv_epi8(load(to), value, active));
      }
   }
}

static void
gather_all(struct wave_state *s, uint32_t *dst, unsigned count, const struct exec_places *p, const struct gathered *g,
           const uint8_t *host)
{
   /* size: what lanes read, and from where */
   switch (count) {
   case 1:
      gather(s, dst, 1, p, g, host);
      break;
   case 2:
      gather(s, dst, 2, p, g, host);
      break;
   case 3:
      gather(s, dst, 3, p, g, host);
      break;
   default:
      gather(s, dst, 4, p, g, host);
      break;
   }
}

/* Whether all lanes are active, and each continues where the one ahead of it ends. */
static bool
are_in_row(const struct wave_state *s, const struct exec_places *p, unsigned load_B)
{
   const __m256i first = word(p->offset[0]), from = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
   __m256i differs = word(0);
   for (unsigned i = 0; i < s->lanes / STRIP; i++) {
      const __m256i lane = _mm256_add_epi32(from, word(i * STRIP));
      const __m256i want = _mm256_add_epi32(first, _mm256_mullo_epi32(lane, word(load_B)));
      differs = _mm256_or_si256(differs, _mm256_xor_si256(load(p->offset + i * STRIP), want));
   }
   return is_none(differs) && state_has_all_lanes(s);
}

static inline __attribute__((always_inline)) void
copy_row(struct wave_state *s, uint32_t *dst, unsigned count, const uint8_t *host)
{
   const __m128i mask = _mm_setr_epi32(-1, -1, count > 2 ? -1 : 0, count > 3 ? -1 : 0);
   for (unsigned i = 0; i < s->lanes / STRIP; i++, host += STRIP * 4 * count, dst += STRIP) {
      uint32_t at[STRIP];
      __m256i read[4];
      for (unsigned l = 0; l < STRIP; l++)
         at[l] = 4 * count * l;
      if (count == 2)
         take_two(host, at, read);
      else
         take_four(host, at, mask, read);
      for (unsigned k = 0; k < count; k++)
         _mm256_storeu_si256((__m256i *)(dst + k * s->lanes), read[k]);
   }
}

static void
copy_all(struct wave_state *s, uint32_t *dst, unsigned count, const uint8_t *host)
{
   switch (count) {
   case 1:
      memcpy(dst, host, s->lanes * 4ul);
      break;
   case 2:
      copy_row(s, dst, 2, host);
      break;
   case 3:
      copy_row(s, dst, 3, host);
      break;
   default:
      copy_row(s, dst, 4, host);
      break;
   }
}

/* False: some are out of range, or it is done otherwise. */
static bool
load_row(struct wave *w, const struct code *c, const struct exec_places *p)
{
   struct wave_state *s = &w->state;
   const uint32_t load_B = 4u * c->memory.count, size_B = load_B * s->lanes;
   const uint64_t end = (uint64_t)p->offset[0] + size_B - load_B;
   const struct sim_va first = sim_va_add(p->base, p->offset[0]);
   if (end > p->last || sim_queue_touches(&w->base.queue, first, size_B))
      return false;
   const uint8_t *host = find_memory(w, first, size_B);
   if (!host || !read_row(w, c, first, size_B))
      return false;
   copy_all(s, state_vgpr(s, c->in.dst), c->memory.count, host);
   return true;
}

bool
WIDE(exec_gather)(struct wave *w, const struct code *c, const struct exec_places *p)
{
   static const uint8_t nothing[16];
   struct wave_state *s = &w->state;
   struct gathered g;
   struct old_lanes old;
   old.lanes = 0;
   if (are_in_row(s, p, 4u * c->memory.count) && load_row(w, c, p))
      return true;
   for (unsigned half = 0; half < s->halves; half++)
      exec_update_mask(s, half);
   find_hull(s, p, &g);
   const uint8_t *host = nothing;
   if (g.halves)
      return false;
   if (g.any) {
      const struct sim_va first = sim_va_add(p->base, g.least);
      const uint32_t size_B = g.most - g.least + 4u * c->memory.count;
      if (g.most - g.least > INT32_MAX / 2 || sim_queue_touches(&w->base.queue, first, size_B))
         return false;
      host = find_memory(w, first, size_B);
      if (!host || !read_through(w, c, p, &g, first, size_B, host, &old))
         return false;
   }
   gather_all(s, state_vgpr(s, c->in.dst), c->memory.count, p, &g, host);
   patch_lanes(w, c, &old);
   return true;
}

#else

/* Lane by lane. */
bool
WIDE(exec_gather)(struct wave *w, const struct code *c, const struct exec_places *p)
{
   return false;
}

#endif
