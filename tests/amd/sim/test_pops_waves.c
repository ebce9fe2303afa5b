/* Which quads share a wave, which wave overlaps which, and what a wave is told of it: against definitions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "amd/sim/batch/pipeline.h"
#include "pops_scene.h"

enum { QUADS = 600 };

static struct amd_quad quads[QUADS];
static uint32_t state;

static uint32_t
random_below(uint32_t limit)
{
   state = state * 1664525 + 1013904223;
   return (state >> 8) % limit;
}

/* Quads of some bins one after another, close together. */
static void
make_quads(unsigned bins, unsigned spread)
{
   for (unsigned i = 0; i < QUADS; i++) {
      unsigned bin = i / (QUADS / bins);
      quads[i] = (struct amd_quad){.prim = i,
                                   .x = (uint16_t)(bin % 3 * 64 + random_below(spread) * 2),
                                   .y = (uint16_t)(bin / 3 * 64 + random_below(spread) * 2)};
      for (unsigned k = 0; k < 4; k++) {
         quads[i].raster[k] = random_below(3) ? (uint8_t)(1u << random_below(8) | 1u << random_below(8)) : 0;
         quads[i].cover[k] = quads[i].raster[k] & (uint8_t)random_below(256);
      }
   }
}

static unsigned
granules(const struct amd_quad *quad, unsigned pixel, const struct amd_pops_state *pops, bool per_sample)
{
   unsigned mask = per_sample ? quad->cover[pixel] : quad->cover[pixel] ? quad->raster[pixel] : 0, found = 0;
   for (unsigned i = 0; i < 8; i++)
      if (mask >> i & 1)
         found |= 1u << (i % (1u << pops->samples_log2));
   return found;
}

static bool
overlap(const struct amd_quad *a, const struct amd_quad *b, const struct amd_pops_state *pops, bool per_sample)
{
   for (unsigned k = 0; a->x == b->x && a->y == b->y && k < 4; k++)
      if (granules(a, k, pops, per_sample) & granules(b, k, pops, per_sample))
         return true;
   return false;
}

struct expected {
   unsigned quad[16], count, packer, seq, layers, layer_start;
};

/* Waves by definition, compared with those of the launch. */
static void
check_waves(const struct amd_pops_launch *launch, const struct amd_pops_state *pops, unsigned per_wave,
            bool per_sample, const uint32_t *place)
{
   static struct expected waves[QUADS];
   unsigned count = 0, seqs[AMD_POPS_MAX_PACKERS] = {0};
   uint32_t newest[AMD_POPS_MAX_PACKERS];
   memset(newest, 0xff, sizeof(newest));
   for (unsigned q = 0; q < QUADS; q++) {
      unsigned packer = amd_pops_packer_of(&launch->packers, quads[q].x, quads[q].y);
      struct expected *wave = newest[packer] == AMD_POPS_NONE ? NULL : &waves[newest[packer]];
      bool layer = false, any = false;
      for (unsigned i = 0; wave && i < wave->count; i++) {
         bool meets = overlap(&quads[wave->quad[i]], &quads[q], pops, per_sample);
         any |= meets;
         layer |= meets && i >= wave->layer_start;
      }
      if (!wave || wave->count == per_wave || (any && !pops->pa_intrawave)) {
         newest[packer] = count;
         wave = &waves[count++];
         *wave = (struct expected){.packer = packer, .seq = seqs[packer]++};
         layer = false;
      }
      if (layer) {
         wave->layers |= 1u << wave->count;
         wave->layer_start = wave->count;
      }
      assert_int_equal(place[q], (wave - waves) * per_wave + wave->count);
      wave->quad[wave->count++] = q;
   }
   assert_int_equal(launch->wave_count, count);
   static uint32_t newest_of[QUADS];
   memset(newest_of, 0xff, sizeof(newest_of));
   for (unsigned b = 0; b < QUADS; b++) {
      for (unsigned a = 0; a < b; a++) {
         unsigned v = place[a] / per_wave, w = place[b] / per_wave;
         if (v != w && overlap(&quads[a], &quads[b], pops, per_sample) &&
             (newest_of[w] == AMD_POPS_NONE || waves[v].seq > newest_of[w]))
            newest_of[w] = waves[v].seq;
      }
   }
   for (unsigned w = 0; w < count; w++) {
      const struct amd_pops_wave *have = &launch->waves[w];
      uint32_t overlapped = newest_of[w], next = AMD_POPS_NONE;
      for (unsigned v = count; v-- > w + 1;)
         next = waves[v].packer == waves[w].packer ? v : next;
      assert_int_equal(have->count, waves[w].count);
      assert_int_equal(have->packer, waves[w].packer);
      assert_int_equal(have->seq, waves[w].seq);
      assert_int_equal(have->layers, waves[w].layers);
      assert_int_equal(have->newest, overlapped);
      assert_int_equal(have->next, next);
      if (!have->seq)
         assert_int_equal(launch->first[have->packer], w);
      for (unsigned i = 0; i < have->count; i++)
         assert_int_equal(launch->order[have->first + i], waves[w].quad[i]);
   }
}

static void
forming(void **test)
{
   static const unsigned spreads[] = {2, 6, 30};
   for (unsigned n = 0; n < 64; n++) {
      state = n;
      make_quads(1 + n % 5, spreads[n % 3]);
      struct amd_pops_state pops = {.enable = true, .samples_log2 = (uint8_t)(n / 4 % 4), .pa_intrawave = n & 1};
      unsigned per_wave = n & 2 ? 16 : 8;
      bool per_sample = n / 16 % 2;
      static struct amd_pops_memory memory;
      memory = (struct amd_pops_memory){0};
      struct amd_pops_launch launch = {.packers = amd_pops_packers(amd_chip_by_name("navi21"))};
      amd_pops_form(&launch, &memory, &pops, quads, QUADS, per_wave, per_sample);
      check_waves(&launch, &pops, per_wave, per_sample, memory.place.data);
      amd_pops_memory_free(&memory);
   }
}

enum { WIDE = 192, HIGH = 128, PAST_LAUNCHES = 5 };

/* What a wave is to be told of waves of earlier launches: how far the newest on its pixels is ahead of the launch's
 * first one. last: number + 1 of each pixel's newest. */
static uint32_t
expected_before(const struct amd_pops_launch *launch, const struct amd_pops_memory *memory,
                const struct amd_pops_wave *w, const uint32_t last[HIGH][WIDE], const struct amd_pops_state *pops)
{
   uint32_t newest = 0;
   for (unsigned i = 0; i < 4 * w->count; i++) {
      const struct amd_quad *quad = &quads[launch->order[w->first + i / 4]];
      const uint32_t number = last[quad->y + (i >> 1 & 1)][quad->x + (i & 1)];
      if (granules(quad, i & 3, pops, false) && number > memory->drained[w->packer])
         newest = MAX2(newest, number);
   }
   return newest;
}

static void
earlier_launches(void **test)
{
   static struct amd_pops_memory memory;
   static uint32_t last[HIGH][WIDE], base[AMD_POPS_MAX_PACKERS];
   unsigned told = 0;
   memory = (struct amd_pops_memory){0};
   for (unsigned n = 0; n < 4 * PAST_LAUNCHES; n++) {
      const struct amd_pops_state pops = {.enable = true, .samples_log2 = (uint8_t)(n / PAST_LAUNCHES)};
      struct amd_pops_launch launch = {.packers = amd_pops_packers(amd_chip_by_name("navi21"))};
      state = n;
      make_quads(6, 2 + n % 12);
      if (n % PAST_LAUNCHES == 3)
         amd_pops_drain(&memory);
      memcpy(base, memory.started, sizeof(base));
      amd_pops_form(&launch, &memory, &pops, quads, QUADS, 8, false);
      for (unsigned w = 0; w < launch.wave_count; w++) {
         const struct amd_pops_wave *wave = &launch.waves[w];
         const uint32_t newest = expected_before(&launch, &memory, wave, last, &pops);
         assert_int_equal(wave->before, newest ? base[wave->packer] - newest + 1 : 0);
         told += newest != 0;
      }
      for (unsigned q = 0; q < QUADS; q++) {
         const struct amd_pops_wave *wave = &launch.waves[((uint32_t *)memory.place.data)[q] / 8];
         for (unsigned i = 0; i < 4; i++)
            if (granules(&quads[q], i, &pops, false))
               last[quads[q].y + i / 2][quads[q].x + i % 2] = base[wave->packer] + wave->seq + 1;
      }
   }
   assert_true(told > 100);
   amd_pops_memory_free(&memory);
}

/* Squares of 16x16 px; on any 8x8 of them each packer has the same share; neighbours differ. */
static void
regions(void **test)
{
   struct amd_pops_packers packers = amd_pops_packers(amd_chip_by_name("navi21"));
   unsigned share[AMD_POPS_MAX_PACKERS] = {0};
   assert_int_equal(packers.count, 16);
   assert_int_equal(packers.per_se_log2, 2);
   for (unsigned y = 0; y < 128; y++) {
      for (unsigned x = 0; x < 128; x++) {
         unsigned packer = amd_pops_packer_of(&packers, x, y);
         assert_true(packer < packers.count);
         assert_int_equal(packer, amd_pops_packer_of(&packers, x & ~15u, y & ~15u));
         assert_int_not_equal(packer, amd_pops_packer_of(&packers, x + 16, y));
         assert_int_not_equal(packer, amd_pops_packer_of(&packers, x, y + 16));
         share[packer]++;
      }
   }
   for (unsigned i = 0; i < packers.count; i++)
      assert_int_equal(share[i], 128 * 128 / packers.count);
}

static struct pops_rect rects[1100];

/* The argument that the wave of each rectangle gets. */
static const uint32_t *
told(struct stream *s, const struct pops_draw *d)
{
   memset(s->memory + POPS_WORDS_B, 0, 4 * (d->rect_count + 1));
   pops_record(s, d);
   if (!stream_run(s))
      fail_msg("%s", s->fault.message);
   return (const uint32_t *)(s->memory + POPS_WORDS_B) + d->first_id;
}

enum { UNUSED = 0x4c00fc00, OVERLAP = 1u << 31 };

/* One pixel, many rectangles: wave n overlaps wave n - 1, in ids of ten bits that continue from draw to draw. */
static void
argument(void **test)
{
   static const struct sim_schedule schedules[] = {{SIM_SCHEDULE_IN_ORDER, 0}, {SIM_SCHEDULE_WORST, 0}};
   struct amd_pops_packers packers = amd_pops_packers(amd_chip_by_name("navi21"));
   for (unsigned k = 0; k < 2; k++) {
      struct stream s = stream_create(1);
      uint32_t first, before = 0;
      amd_sim_set_schedule(s.sim, &schedules[k]);
      for (unsigned draw = 0; draw < 2; draw++) {
         for (unsigned i = 0; i < ARRAY_SIZE(rects); i++)
            rects[i] = (struct pops_rect){20 * 16, 40 * 16, 21 * 16, 41 * 16};
         struct pops_draw d = {
            .shader = {.work = POPS_TELL}, .rects = rects, .rect_count = ARRAY_SIZE(rects), .first_id = 1};
         const uint32_t *words = told(&s, &d);
         first = words[0] & 0x3ff;
         if (draw)
            assert_int_equal(first, (before + 1) & 0x3ff);
         for (unsigned i = 0; i < d.rect_count; i++) {
            uint32_t word = words[i];
            assert_int_equal(word & UNUSED, UNUSED);
            assert_int_equal(word & 0x3ff, (first + i) & 0x3ff);
            assert_int_equal(word >> 28 & 3, amd_pops_packer_of(&packers, 20, 40) & 3);
            assert_int_equal(word >> 31, i != 0);
            if (i)
               assert_int_equal(word >> 16 & 0x3ff, (first + i - 1) & 0x3ff);
         }
         before = words[d.rect_count - 1] & 0x3ff;
      }
      stream_destroy(&s);
   }
}

/* Two rectangles that meet within a pixel: they share the pixel and no sample. */
static void
granularity(void **test)
{
   for (unsigned log2 = 0; log2 <= 3; log2++) {
      struct stream s = stream_create(1);
      rects[0] = (struct pops_rect){16, 16, 40, 32};
      rects[1] = (struct pops_rect){40, 16, 64, 32};
      struct pops_draw d = {.shader = {.work = POPS_TELL},
                            .rects = rects,
                            .rect_count = 2,
                            .first_id = 1,
                            .samples_log2 = 3,
                            .overlap_samples_log2 = log2};
      const uint32_t *words = told(&s, &d);
      assert_false(words[0] & OVERLAP);
      /* Samples with an x left of the centre: 1, 3, 4, 5; in fours they meet 0, 2, 6 and 7. */
      assert_int_equal(words[1] >> 31, log2 < 3);
      stream_destroy(&s);
   }
}

/* Layers of one wave are overlap too: without the bit a program may leave out all of it. Nobody has to leave then. */
static void
layers_are_told(void **test)
{
   struct stream s = stream_create(1);
   rects[0] = rects[1] = (struct pops_rect){16 * 16, 16 * 16, 17 * 16, 17 * 16};
   struct pops_draw d = {
      .shader = {.work = POPS_TELL}, .rects = rects, .rect_count = 2, .first_id = 1, .intrawave = true};
   const uint32_t *words = told(&s, &d);
   assert_int_equal(words[0], words[1]);
   assert_int_equal(words[0] >> 31, 1);
   assert_int_equal(words[0] >> 16 & 0x3ff, (words[0] - 1) & 0x3ff);
   d.shader.tell_layers = true;
   assert_int_equal(told(&s, &d)[0], 0xffff0002);
   d.wave32 = true;
   assert_int_equal(told(&s, &d)[0], 0xffffff02);
   stream_destroy(&s);
}

/* A pixel comes again when the wave that covered it first has long left: there is nothing to wait for, and its id
 * would not fit. What lies between fills the waves, so that the last rectangle has one without the others. */
static void
waves_that_have_left(void **test)
{
   enum { BETWEEN = 1050 };
   struct stream s = stream_create(1);
   rects[0] = rects[BETWEEN + 2] = (struct pops_rect){16 * 16, 16 * 16, 17 * 16, 17 * 16};
   for (unsigned i = 1; i <= BETWEEN; i++)
      rects[i] = (struct pops_rect){20 * 16, 16 * 16, 21 * 16, 17 * 16};
   rects[BETWEEN + 1] = (struct pops_rect){16 * 16, 24 * 16, 32 * 16, 32 * 16}; /* 32 quads */
   struct pops_draw d = {.shader = {.work = POPS_TELL}, .rects = rects, .rect_count = BETWEEN + 3, .first_id = 1};
   const uint32_t *words = told(&s, &d);
   assert_int_equal(words[BETWEEN] >> 31, 1);
   assert_int_equal(words[BETWEEN + 2] & 0x3ff, (BETWEEN + 1) & 0x3ff);
   assert_int_equal(words[BETWEEN + 2] >> 31, 0);
   stream_destroy(&s);
}

/* Two draws in a job. Waves of the second are told of the first as if it were in flight, unless it was waited for,
 * or too many waves came after. */
static void
earlier_draws(void **test)
{
   enum { PLAIN, WAIT, FINE_SAMPLES, UNORDERED_BETWEEN, LONG, CASES };
   for (unsigned which = 0; which < CASES; which++) {
      struct stream s = stream_create(1);
      unsigned count = which == LONG ? 2 * AMD_POPS_IN_FLIGHT : 5;
      struct pops_draw d = {.shader = {.work = POPS_TELL}, .rects = rects, .rect_count = count, .first_id = 1};
      for (unsigned i = 0; i < count; i++)
         rects[i] = (struct pops_rect){20 * 16, 40 * 16, 21 * 16, 41 * 16};
      if (which == LONG) /* the pixel of the first only comes again, after many waves of its packer */
         for (unsigned i = 1; i < count; i++)
            rects[i] = (struct pops_rect){24 * 16, 40 * 16, 25 * 16, 41 * 16};
      pops_record(&s, &d);
      if (which == WAIT)
         emit_packet(&s, PKT3_EVENT_WRITE, 1, (const uint32_t[1]){V_PS_PARTIAL_FLUSH | 4 << 8});
      if (which == UNORDERED_BETWEEN) {
         set_reg(&s, R_DB_SHADER_CONTROL, S_DB_SHADER_CONTROL_EXEC_ON_NOOP(1));
         draw_auto(&s, V_DI_PT_RECTLIST, 3);
      }
      if (which == FINE_SAMPLES)
         d.samples_log2 = d.overlap_samples_log2 = 2;
      if (which == LONG)
         d.rect_count = 1;
      const uint32_t *words = told(&s, &d);
      /* Words of the first draw are overwritten; its ids continue. In the long one the first two share a wave. */
      unsigned waves = which == LONG ? count - 1 : count;
      bool overlap = which != WAIT && which != LONG;
      assert_int_equal(words[0] & 0x3ff, waves);
      assert_int_equal(words[0] >> 31, overlap);
      if (overlap)
         assert_int_equal(words[0] >> 16 & 0x3ff, waves - 1);
      assert_int_equal(words[1] >> 31, which != LONG);
      if (which != LONG)
         assert_int_equal(words[1] >> 16 & 0x3ff, waves);
      stream_destroy(&s);
   }
}

/* Shading of single samples, whole pixels ordered: samples of a pixel have waves of their own, and these are full. */
static void
sample_iterations(void **test)
{
   enum { SIDE = 16, QUADS_PER_WAVE = 16 };
   for (unsigned log2 = 0; log2 <= 2; log2++) {
      struct stream s = stream_create(1);
      rects[0] = (struct pops_rect){SIDE * 16, SIDE * 16, 2 * SIDE * 16, 2 * SIDE * 16};
      struct pops_draw d = {
         .shader = {.work = POPS_TELL}, .rects = rects, .rect_count = 1, .first_id = 1, .samples_log2 = 2};
      pops_state(&s, &d);
      set_reg(&s, R_PA_SC_MODE_CNTL_1, S_PA_SC_MODE_CNTL_1_PS_ITER_SAMPLE(1));
      set_reg(&s, R_DB_EQAA, S_DB_EQAA_PS_ITER_SAMPLES(log2));
      draw_auto(&s, V_DI_PT_RECTLIST, 3);
      assert_true(stream_run(&s));
      uint32_t told = *(const uint32_t *)(s.memory + POPS_WORDS_B + 4); /* what the last wave is */
      uint32_t per_sample = SIDE * SIDE / 4 / QUADS_PER_WAVE, last = (per_sample << log2) - 1;
      assert_int_equal(told & 0x3ff, last);
      assert_int_equal(told >> 31, log2 > 0);
      if (log2)
         assert_int_equal(told >> 16 & 0x3ff, last - per_sample);
      stream_destroy(&s);
   }
}

/* Registers that say one thing and do another. */
static void
state_faults(void **test)
{
   static const struct {
      unsigned reg, value;
      const char *text;
   } cases[] = {
      {R_DB_SHADER_CONTROL, S_DB_SHADER_CONTROL_EXEC_IF_OVERLAPPED(1), "EXEC_IF_OVERLAPPED"},
      {R_DB_SHADER_CONTROL, S_DB_SHADER_CONTROL_PRE_SHADER_DEPTH_COVERAGE_ENABLE(1), "coverage of late depth tests"},
      {R_DB_SHADER_CONTROL,
       S_DB_SHADER_CONTROL_PRIMITIVE_ORDERED_PIXEL_SHADER(1) | S_DB_SHADER_CONTROL_POPS_OVERLAP_NUM_SAMPLES(3),
       "above PA_SC_AA_CONFIG.MSAA_EXPOSED_SAMPLES 2"},
      {R_PA_SC_AA_CONFIG, S_PA_SC_AA_CONFIG_MSAA_NUM_SAMPLES(2), "exposes as many samples"},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      struct stream s = stream_create(1);
      rects[0] = (struct pops_rect){0, 0, 64, 64};
      struct pops_draw d = {.rects = rects, .rect_count = 1, .first_id = 1, .samples_log2 = 2};
      pops_state(&s, &d);
      set_reg(&s, cases[i].reg, cases[i].value);
      draw_auto(&s, V_DI_PT_RECTLIST, 3);
      assert_false(stream_run(&s));
      if (s.fault.kind != SIM_FAULT_STATE || !strstr(s.fault.message, cases[i].text))
         fail_msg("%s", s.fault.message);
      stream_destroy(&s);
   }
}

/* GFX11: coarse pixels that share no fine one do not overlap, fine ones overlap the coarse ones that have them. */
static void
coarse_pixels(void **state)
{
   static struct amd_pops_memory memory;
   const struct amd_pops_state pops = {.enable = true};
   const struct amd_quad list[3] = {
      {.cover = {1}, .raster = {1}, .rate = {1, 1}, .part = {{1, 0, 0, 0}}},
      {.prim = 1, .cover = {1}, .raster = {1}, .rate = {1, 1}, .part = {{0, 0, 0, 1}}},
      {.prim = 2, .cover = {0, 0, 0, 1}, .raster = {0, 0, 0, 1}},
   };
   struct amd_pops_launch launch = {.packers = {1, 0}};
   amd_pops_form(&launch, &memory, &pops, list, 3, 8, false);
   const uint32_t *place = memory.place.data;
   assert_int_equal(launch.wave_count, 2);
   assert_int_equal(place[0] / 8, 0);
   assert_int_equal(place[1] / 8, 0);
   assert_int_equal(place[2] / 8, 1);
   assert_int_equal(launch.waves[1].newest, 0);
   amd_pops_memory_free(&memory);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(coarse_pixels),     cmocka_unit_test(forming),
                                      cmocka_unit_test(regions),           cmocka_unit_test(argument),
                                      cmocka_unit_test(granularity),       cmocka_unit_test(earlier_draws),
                                      cmocka_unit_test(sample_iterations), cmocka_unit_test(state_faults),
                                      cmocka_unit_test(layers_are_told),   cmocka_unit_test(waves_that_have_left),
                                      cmocka_unit_test(earlier_launches)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
