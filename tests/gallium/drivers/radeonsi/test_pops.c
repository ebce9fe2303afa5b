/* POPS state against rules written as data from the article "Primitive Ordered Pixel Shading", over the whole input
 * space and over every change from one draw to the next. Chips are the article's names; what they have in common is
 * stated per rule, by name, and nothing of the driver's capability table is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "amd/common/ac_pops_caps.h"
#include "gallium/drivers/radeonsi/shader/si_pops.h"
#include "util/macros.h"

enum chip { VEGA10, RAVEN, RENOIR, NAVI10, NAVI12, NAVI14, NAVI21, VANGOGH, NAVI31, PHOENIX, STRIX, CHIPS };
static const char *const chip_names[CHIPS][2] = {
   {"vega10", "gfx900"},  {"raven", "gfx902"},    {"renoir", "gfx90c"},  {"navi10", "gfx1010"},
   {"navi12", "gfx1011"}, {"navi14", "gfx1012"},  {"navi21", "gfx1030"}, {"vangogh", "gfx1033"},
   {"navi31", "gfx1100"}, {"phoenix", "gfx1103"}, {"strix", "gfx1150"}};

#define BIT(n) (1u << (n))
#define ANY    0xffffffffu
#define GFX9   (BIT(VEGA10) | BIT(RAVEN) | BIT(RENOIR))
#define GFX101 (BIT(NAVI10) | BIT(NAVI12) | BIT(NAVI14))
#define GFX103 (BIT(NAVI21) | BIT(VANGOGH))
#define GFX11  (BIT(NAVI31) | BIT(PHOENIX))
#define GFX115 BIT(STRIX)
#define TO_103 (GFX9 | GFX101 | GFX103)
#define FROM_11 (GFX11 | GFX115)

#define NONE   BIT(NIR_INTERLOCK_NONE)
#define PIXEL  (BIT(NIR_INTERLOCK_PIXEL_ORDERED) | BIT(NIR_INTERLOCK_PIXEL_UNORDERED))
#define SAMPLE (BIT(NIR_INTERLOCK_SAMPLE_ORDERED) | BIT(NIR_INTERLOCK_SAMPLE_UNORDERED))
#define ORDERED (BIT(NIR_INTERLOCK_PIXEL_ORDERED) | BIT(NIR_INTERLOCK_SAMPLE_ORDERED))
#define POPS   (PIXEL | SAMPLE)

/* Sample counts as bits of their logarithm; no depth target is bit 5. */
#define S1 BIT(0)
#define S8_UP (BIT(3) | BIT(4))
#define NO_DEPTH 5
#define NO BIT(0)
#define YES BIT(1)
/* Exports: nothing, colour, depth, both; each also with discard. */
#define NOTHING BIT(0)
#define NOTHING_BUT_DISCARD BIT(4)
enum { FORMAT_32_R = 1, FORMAT_COLOR = 0x49, FORMAT_DEPTH = 1 };

enum field {
   PRIMITIVE_ORDERED,
   OVERLAP_NUM_SAMPLES,
   OVERRIDE_RATE_ENABLE,
   OVERRIDE_RATE,
   LOAD_COLLISION,
   LOAD_INTRAWAVE,
   PUNCHOUT_MODE,
   DRAIN,
   SQUAD_LAUNCH,
   COL_FORMAT,
   COARSE_SHADING,
   MAY_REORDER,
   FIELDS
};
static const char *const field_names[FIELDS] = {"PRIMITIVE_ORDERED_PIXEL_SHADER",
                                                "POPS_OVERLAP_NUM_SAMPLES",
                                                "OVERRIDE_INTRINSIC_RATE_ENABLE",
                                                "OVERRIDE_INTRINSIC_RATE",
                                                "LOAD_COLLISION_WAVEID",
                                                "LOAD_INTRAWAVE_COLLISION",
                                                "PUNCHOUT_MODE",
                                                "POPS_DRAIN_PS_ON_OVERLAP",
                                                "PARTIAL_SQUAD_LAUNCH_CONTROL",
                                                "SPI_SHADER_COL_FORMAT",
                                                "coarse shading",
                                                "may reorder"};

enum value { CONSTANT, RASTER_LOG2, AS_EXPORTED };

/* The first rule of a field whose masks all hold gives its value. */
static const struct rule {
   enum field field;
   unsigned chips, interlocks, raster, depth, vrs, loop, drain, blend, exports;
   enum value value;
   unsigned constant;
   const char *because;
} rules[] = {
   {PRIMITIVE_ORDERED, ANY, POPS, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 1,
    "To enable POPS for the draw, PRIMITIVE_ORDERED_PIXEL_SHADER should be set to 1"},
   {PRIMITIVE_ORDERED, ANY, NONE, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 0, "no POPS"},

   {OVERLAP_NUM_SAMPLES, TO_103, PIXEL, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 0,
    "For pixel interlock, it must be set to 0 (1 sample)"},
   {OVERLAP_NUM_SAMPLES, TO_103, SAMPLE, ANY, ANY, ANY, ANY, ANY, ANY, ANY, RASTER_LOG2, 0,
    "If sample interlock is sufficient, it may be set to MSAA_EXPOSED_SAMPLES"},
   {OVERLAP_NUM_SAMPLES, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 0, "no POPS, or replaced on GFX11"},

   {OVERRIDE_RATE_ENABLE, FROM_11, POPS, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 1,
    "OVERRIDE_INTRINSIC_RATE_ENABLE must be set to 1"},
   {OVERRIDE_RATE_ENABLE, GFX11, NONE, S1, ANY, ANY, ANY, ANY, YES, ANY, CONSTANT, 1,
    "the GFX11 blending performance workaround"},
   {OVERRIDE_RATE_ENABLE, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 0,
    "no POPS, or not there before GFX11"},
   {OVERRIDE_RATE, FROM_11, SAMPLE, ANY, ANY, ANY, ANY, ANY, ANY, ANY, RASTER_LOG2, 0,
    "OVERRIDE_INTRINSIC_RATE is used in place of POPS_OVERLAP_NUM_SAMPLES"},
   {OVERRIDE_RATE, FROM_11, PIXEL, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 0,
    "must be used solely to control the interlock granularity in this case"},
   {OVERRIDE_RATE, GFX11, NONE, S1, ANY, ANY, ANY, ANY, YES, ANY, CONSTANT, 2,
    "the GFX11 blending performance workaround"},
   {OVERRIDE_RATE, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 0, "no POPS, or not there before GFX11"},

   {LOAD_COLLISION, TO_103, POPS, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 1,
    "Its loading needs to be enabled in SPI_SHADER_PGM_RSRC2_PS and PA_SC_SHADER_CONTROL"},
   {LOAD_COLLISION, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 0,
    "Instead of exposing wave IDs to shaders, GFX11 ..."},
   {LOAD_INTRAWAVE, TO_103, POPS, ANY, ANY, ANY, YES, ANY, ANY, ANY, CONSTANT, 1,
    "optional: activated by enabling loading of the INTRAWAVE_COLLISION SGPR"},
   {LOAD_INTRAWAVE, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 0, "GFX11 removes this concept entirely"},

   {PUNCHOUT_MODE, TO_103, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 2, "forced off by every public driver"},
   {PUNCHOUT_MODE, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 0, "DB_DFSM_CONTROL is gone"},
   {DRAIN, BIT(VEGA10) | BIT(RAVEN), POPS, S8_UP, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 1,
    "if POPS is used with 8 or more rasterization samples"},
   {DRAIN, BIT(VEGA10) | BIT(RAVEN), POPS, ANY, S8_UP, ANY, ANY, ANY, ANY, ANY, CONSTANT, 1,
    "or with 8 or more depth/stencil target samples"},
   {DRAIN, TO_103, POPS, ANY, ANY, ANY, ANY, YES, ANY, ANY, CONSTANT, 1, "if it's enabled for some reason"},
   {DRAIN, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 0, "for draws that satisfy this condition"},
   {SQUAD_LAUNCH, GFX101, POPS, ANY, ANY, ANY, ANY, YES, ANY, ANY, CONSTANT, 1,
    "if it's enabled on GFX10.1, and the draw uses POPS, must be set to PSLC_ON_HANG_ONLY"},
   {SQUAD_LAUNCH, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 0, "PSLC_AUTO otherwise"},

   {COL_FORMAT, ANY, POPS, ANY, ANY, ANY, ANY, ANY, ANY, NOTHING | NOTHING_BUT_DISCARD, CONSTANT, FORMAT_32_R,
    "some space must be allocated in the export buffer, such as by setting some color output to SPI_SHADER_32_R"},
   {COL_FORMAT, GFX9, NONE, ANY, ANY, ANY, ANY, ANY, ANY, NOTHING, CONSTANT, FORMAT_32_R,
    "the export skipping that was added in GFX10"},
   {COL_FORMAT, ANY, NONE, ANY, ANY, ANY, ANY, ANY, ANY, NOTHING_BUT_DISCARD, CONSTANT, FORMAT_32_R,
    "discard is exported"},
   {COL_FORMAT, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, AS_EXPORTED, 0, "what the shader exports"},

   {COARSE_SHADING, GFX103, NONE, ANY, ANY, YES, ANY, ANY, ANY, ANY, CONSTANT, 1, "no POPS"},
   {COARSE_SHADING, FROM_11, ANY, ANY, ANY, YES, ANY, ANY, ANY, ANY, CONSTANT, 1, "the property must be true"},
   {COARSE_SHADING, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 0,
    "On GFX10.3, PRIMITIVE_ORDERED_PIXEL_SHADER forces the shading rate to be 1x1"},
   {MAY_REORDER, ANY, ORDERED, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 0,
    "If the shader specifies an ordered interlock execution mode, [it] must not be enabled implicitly"},
   {MAY_REORDER, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, CONSTANT, 1, "no order is asked for"},
};

/* One point of the input space; each a small number, so that masks can select it. */
struct point {
   unsigned chip, interlock, raster, depth, shading, vrs, loop, drain, blend, exports;
};

static const unsigned sizes[] = {CHIPS, 5, 5, 6, 2, 2, 2, 2, 2, 8};

static struct point
point_at(unsigned index)
{
   unsigned digits[ARRAY_SIZE(sizes)];

   for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
      digits[i] = index % sizes[i];
      index /= sizes[i];
   }
   return (struct point){digits[0], digits[1], digits[2], digits[3], digits[4],
                         digits[5], digits[6], digits[7], digits[8], digits[9]};
}

static unsigned
space_size(void)
{
   unsigned size = 1;

   for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++)
      size *= sizes[i];
   return size;
}

static struct si_pops_key
key_of(const struct point *p)
{
   return (struct si_pops_key){.caps = ac_pops_caps(chip_names[p->chip][1]),
                               .interlock = (enum nir_interlock)p->interlock,
                               .raster_samples_log2 = (uint8_t)p->raster,
                               .depth_samples_log2 = p->depth == NO_DEPTH ? SI_POPS_NO_DEPTH : (uint8_t)p->depth,
                               .sample_shading = p->shading,
                               .vrs = p->vrs,
                               .intrawave_loop = p->loop,
                               .force_drain = p->drain,
                               .blends = p->blend,
                               .col_format = p->exports & 1 ? FORMAT_COLOR : 0,
                               .z_format = p->exports & 2 ? FORMAT_DEPTH : 0,
                               .kills = p->exports & 4};
}

static bool
rule_holds(const struct rule *rule, const struct point *p)
{
   return rule->chips & BIT(p->chip) && rule->interlocks & BIT(p->interlock) && rule->raster & BIT(p->raster) &&
          rule->depth & BIT(p->depth) && rule->vrs & BIT(p->vrs) && rule->loop & BIT(p->loop) &&
          rule->drain & BIT(p->drain) && rule->blend & BIT(p->blend) && rule->exports & BIT(p->exports);
}

static unsigned
expected_value(const struct rule *rule, const struct point *p)
{
   switch (rule->value) {
   case CONSTANT:
      return rule->constant;
   case RASTER_LOG2:
      return p->raster;
   case AS_EXPORTED:
      return p->exports & 1 ? FORMAT_COLOR : 0;
   }
   return 0;
}

static void
expect(const struct point *p, unsigned values[FIELDS], const struct rule *by[FIELDS])
{
   unsigned found = 0;

   for (unsigned i = 0; i < ARRAY_SIZE(rules); i++) {
      if (found & BIT(rules[i].field) || !rule_holds(&rules[i], p))
         continue;
      found |= BIT(rules[i].field);
      values[rules[i].field] = expected_value(&rules[i], p);
      by[rules[i].field] = &rules[i];
   }
   assert_int_equal(found, BIT(FIELDS) - 1);
}

static void
actual(const struct si_pops *pops, unsigned values[FIELDS])
{
   values[PRIMITIVE_ORDERED] = pops->primitive_ordered_pixel_shader;
   values[OVERLAP_NUM_SAMPLES] = pops->pops_overlap_num_samples;
   values[OVERRIDE_RATE_ENABLE] = pops->override_intrinsic_rate_enable;
   values[OVERRIDE_RATE] = pops->override_intrinsic_rate;
   values[LOAD_COLLISION] = pops->load_collision_waveid;
   values[LOAD_INTRAWAVE] = pops->load_intrawave_collision;
   values[PUNCHOUT_MODE] = pops->punchout_mode;
   values[DRAIN] = pops->pops_drain_ps_on_overlap;
   values[SQUAD_LAUNCH] = pops->partial_squad_launch_control;
   values[COL_FORMAT] = pops->col_format;
   values[COARSE_SHADING] = pops->coarse_shading;
   values[MAY_REORDER] = pops->may_reorder;
}

/* A depth target whose sample count GFX11 would have to program twice. */
static bool
impossible(const struct point *p)
{
   return FROM_11 & BIT(p->chip) && POPS & BIT(p->interlock) && p->depth != NO_DEPTH && p->depth != p->raster;
}

static void
test_rows(void **state)
{
   for (unsigned i = 0; i < CHIPS; i++) {
      const struct ac_pops_caps *caps = ac_pops_caps(chip_names[i][1]);

      assert_non_null(caps);
      assert_string_equal(caps->chip, chip_names[i][0]);
   }
   assert_null(ac_pops_caps("gfx803"));
}

static void
test_whole_space(void **state)
{
   unsigned size = space_size(), used[ARRAY_SIZE(rules)] = {0};

   for (unsigned index = 0; index < size; index++) {
      struct point p = point_at(index);
      struct si_pops_key key = key_of(&p);
      struct si_pops pops;
      unsigned want[FIELDS], have[FIELDS];
      const struct rule *by[FIELDS];

      assert_int_equal(si_pops(&key, &pops), !impossible(&p));
      if (impossible(&p))
         continue;
      expect(&p, want, by);
      actual(&pops, have);
      for (unsigned field = 0; field < FIELDS; field++) {
         if (want[field] != have[field])
            fail_msg("%s, interlock %u, %u samples, depth 2^%u, exports %u: %s is %u and not %u (\"%s\")",
                     chip_names[p.chip][0], p.interlock, 1 << p.raster, p.depth, p.exports, field_names[field],
                     have[field], want[field], by[field]->because);
         used[by[field] - rules]++;
      }
   }
   for (unsigned i = 0; i < ARRAY_SIZE(rules); i++)
      assert_true(used[i] > 0);
}

/* What the driver asks for: Vulkan's sample counts up to 8, with a depth target of as many or none; only waves of
 * chips with wave ids have layers to loop over. The number stands in docs/drivers/amd/pops.md. */
static void
test_driven(void **state)
{
   unsigned size = space_size(), driven = 0;

   for (unsigned index = 0; index < size; index++) {
      struct point p = point_at(index);
      struct si_pops_key key = key_of(&p);
      bool layers = !p.loop || (POPS & BIT(p.interlock) && TO_103 & BIT(p.chip));
      bool asked = p.raster <= 3 && (p.depth == p.raster || p.depth == NO_DEPTH) && layers;

      assert_int_equal(si_pops_is_driven(&key), asked);
      assert_false(asked && impossible(&p));
      driven += asked && p.chip != NAVI12 && p.chip != NAVI14;
   }
   assert_int_equal(driven, 70656);
}

#define DRAW(chip_, interlock_, raster_, depth_) \
   {.chip = chip_, .interlock = interlock_, .raster = raster_, .depth = depth_}

/* The workaround of VEGA10 and RAVEN ends when its condition ends: by the interlock, by the rasterisation samples, by
 * the depth target. */
static void
test_drain_ends(void **state)
{
   static const struct {
      struct point before, after;
      bool drain_before, drain_after;
   } rows[] = {
      {DRAW(VEGA10, NIR_INTERLOCK_PIXEL_ORDERED, 3, 3), DRAW(VEGA10, NIR_INTERLOCK_NONE, 3, 3), true, false},
      {DRAW(VEGA10, NIR_INTERLOCK_SAMPLE_ORDERED, 3, NO_DEPTH),
       DRAW(VEGA10, NIR_INTERLOCK_SAMPLE_ORDERED, 2, NO_DEPTH), true, false},
      {DRAW(RAVEN, NIR_INTERLOCK_PIXEL_UNORDERED, 2, 3), DRAW(RAVEN, NIR_INTERLOCK_PIXEL_UNORDERED, 2, 2), true,
       false},
      {DRAW(RAVEN, NIR_INTERLOCK_NONE, 3, 3), DRAW(RAVEN, NIR_INTERLOCK_PIXEL_ORDERED, 3, 3), false, true},
      {DRAW(RENOIR, NIR_INTERLOCK_PIXEL_ORDERED, 3, 3), DRAW(RENOIR, NIR_INTERLOCK_NONE, 3, 3), false, false},
   };

   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct si_pops_key keys[2] = {key_of(&rows[i].before), key_of(&rows[i].after)};
      struct si_pops before, after;

      assert_true(si_pops(&keys[0], &before) && si_pops(&keys[1], &after));
      assert_int_equal(before.pops_drain_ps_on_overlap, rows[i].drain_before);
      assert_int_equal(after.pops_drain_ps_on_overlap, rows[i].drain_after);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_whole_space),
                                      cmocka_unit_test(test_driven), cmocka_unit_test(test_drain_ends)};

   return cmocka_run_group_tests(tests, NULL, NULL);
}
