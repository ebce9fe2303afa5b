/* What Honeykrisp submitted for examples/triangle, observed without the hardware, gives the triangle: each pixel of
 * the compressed render target against colours computed from the example's corners. Argument: the recording. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/hw/chips.h"
#include "asahi/sim/agx_sim.h"
#include "asahi/sim/surface/surface.h"
#include "sim/record/replay.h"
#include "util/macros.h"

enum { SIDE_PX = 512, TARGET_B = 0x108000 };
/* The PBE that the end-of-tile program of the recording has in its list. */
static const uint32_t target_words[6] = {0xffe40a22, 0x08007fc1, 0xfffe8c00, 0x80000002, 0xffff8c00, 0x00000002};
#define TARGET_VA UINT64_C(0x2fffe8c000)

static const struct sim_schedule schedules[] = {
   {SIM_SCHEDULE_IN_ORDER, 0}, {SIM_SCHEDULE_SEED, 5}, {SIM_SCHEDULE_WORST, 0}};

struct test {
   struct sim_schedule schedule;
   unsigned wrong;
};

/* Of a pixel's middle; false outside of the triangle or too near to an edge to say. */
static bool
colour_at(double x, double y, double rgb[3], bool *near_edge)
{
   static const double corners[3][2] = {{256.0, 51.2}, {460.8, 435.2}, {51.2, 435.2}};
   static const double colours[3][3] = {{1.0, 0.1, 0.1}, {0.1, 0.9, 0.1}, {0.1, 0.2, 1.0}};
   double area = 0.0, weight[3];
   *near_edge = false;
   rgb[0] = rgb[1] = rgb[2] = 0.0;
   bool inside = true;
   for (unsigned i = 0; i < 3; i++) {
      const double *a = corners[(i + 1) % 3], *b = corners[(i + 2) % 3];
      weight[i] = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
      area += weight[i];
      inside &= weight[i] > 0.0;
      *near_edge |= fabs(weight[i]) < 8.0; /* corners are rounded to 1/256 px */
   }
   for (unsigned i = 0; i < 3; i++)
      for (unsigned c = 0; c < 3; c++)
         rgb[c] += weight[i] / area * colours[i][c];
   return inside;
}

static void
compare_pixel(struct test *test, uint32_t texel, unsigned x, unsigned y)
{
   static const double clear[3] = {0.05, 0.05, 0.08};
   double rgb[3];
   bool near_edge, inside = colour_at(x + 0.5, y + 0.5, rgb, &near_edge);
   bool ok = texel >> 24 == 0xff;
   for (unsigned c = 0; c < 3; c++)
      ok &= fabs((double)(texel >> c * 8 & 0xff) - (inside ? rgb[c] : clear[c]) * 255.0) <= 1.0;
   if (!ok && !near_edge && !test->wrong++)
      printf("pixel %u, %u is %08x\n", x, y, texel);
}

static bool
compare_target(struct test *test, struct sim_vm *vm, struct sim_fault *fault)
{
   struct agx_surface target;
   if (!agx_surface_of_pbe(&target, target_words, fault) || !agx_surface_map(&target, vm, SIM_READ, fault))
      return false;
   for (unsigned y = 0; y < SIDE_PX; y++) {
      for (unsigned x = 0; x < SIDE_PX; x++) {
         uint32_t rgba[4], texel = 0;
         if (agx_surface_read(&target, vm, &(struct agx_surface_place){.x_px = x, .y_px = y}, rgba, fault) !=
             AGX_SURFACE_DONE)
            return false;
         for (unsigned c = 0; c < 4; c++)
            texel |= (uint32_t)lroundf(bits_float(rgba[c]) * 255.0f) << c * 8;
         compare_pixel(test, texel, x, y);
      }
   }
   return true;
}

static bool
submit(void *data, struct sim_player *player, struct sim_vm *vm, const struct sim_record *record,
       struct sim_fault *fault, struct sim_record_error *error)
{
   (void)player;
   struct test *test = data;
   struct dynarray words = {0};
   uint64_t usc_base;
   struct agx_sim_command command;
   void *target = calloc(1, TARGET_B); /* no part of the recording, which keeps what is not zero */
   struct agx_sim *sim = agx_sim_create(agx_chip_by_name("m1"), 2);
   bool ok = target && sim && sim_record_read_words(record, "usc", &usc_base, &words, error) &&
             sim_vm_map(vm, sim_va(TARGET_VA), TARGET_B, target, SIM_READ | SIM_WRITE);
   if (ok) {
      agx_sim_set_schedule(sim, &test->schedule);
      const char *bytes = words.data;
      if (agx_sim_command_read(&command, true, bytes + AGX_COMMAND_HEADER_SIZE_B, fault) &&
          agx_sim_run(sim, vm, usc_base, &command, fault))
         compare_target(test, vm, fault);
      sim_vm_unmap(vm, sim_va(TARGET_VA), TARGET_B);
   }
   agx_sim_destroy(sim);
   dynarray_free(&words);
   free(target);
   return ok;
}

int
main(int argc, char **argv)
{
   static const struct sim_record_language no_languages[] = {{0}};
   struct sim_record_error error = {0};
   for (unsigned i = 0; i < ARRAY_SIZE(schedules); i++) {
      size_t size_B;
      char *text = sim_recording_load(argc > 1 ? argv[1] : "", &size_B);
      struct sim_recording recording = {0};
      struct test test = {.schedule = schedules[i]};
      if (!text || !sim_recording_read(&recording, text, size_B, no_languages, &error))
         return sim_record_report(argv[1], &error);
      struct sim_replay replay = {
         .path = argv[1], .recording = &recording, .compares = true, .data = &test, .submit = submit};
      if (sim_replay_run(&replay, &error) != SIM_REPLAY_SAME || test.wrong) {
         printf("schedule %u: %u pixels are wrong %s\n", i, test.wrong, error.message);
         return 1;
      }
      sim_recording_free(&recording);
      free(text);
   }
   return 0;
}
