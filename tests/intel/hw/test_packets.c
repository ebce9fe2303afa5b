/* Where bits are, against places written down from the manuals by hand; packing and unpacking; walking. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "intel/hw/packet_table.h"

enum { NOWHERE = 0xff };
#define NONE NOWHERE, 0, 0

struct bit {
   uint8_t dword, low, width;
};

/* dword, lowest bit, width. */
static const struct {
   enum intel_field field;
   struct bit bits[INTEL_GENS];
} expected[] = {
   {INTEL_3DSTATE_VS_ACCESSES_UAV, {{2, 12, 1}, {3, 12, 1}, {3, 12, 1}}},
   {INTEL_3DSTATE_HS_ACCESSES_UAV, {{5, 25, 1}, {7, 25, 1}, {7, 25, 1}}},
   {INTEL_3DSTATE_DS_ACCESSES_UAV, {{2, 14, 1}, {3, 14, 1}, {3, 14, 1}}},
   {INTEL_3DSTATE_GS_ACCESSES_UAV, {{2, 12, 1}, {3, 12, 1}, {3, 12, 1}}},
   {INTEL_3DSTATE_PS_ACCESSES_UAV, {{4, 5, 1}, {NONE}, {NONE}}},
   {INTEL_3DSTATE_PS_EXTRA_HAS_UAV, {{NONE}, {1, 2, 1}, {1, 2, 1}}},
   {INTEL_3DSTATE_PS_EXTRA_VALID, {{NONE}, {1, 31, 1}, {1, 31, 1}}},
   {INTEL_3DSTATE_PS_EXTRA_NO_RT_WRITE, {{NONE}, {1, 30, 1}, {1, 30, 1}}},
   {INTEL_3DSTATE_PS_EXTRA_OMASK, {{NONE}, {1, 29, 1}, {1, 29, 1}}},
   {INTEL_3DSTATE_PS_EXTRA_KILLS, {{NONE}, {1, 28, 1}, {1, 28, 1}}},
   {INTEL_3DSTATE_PS_EXTRA_COMPUTED_DEPTH, {{NONE}, {1, 26, 2}, {1, 26, 2}}},
   {INTEL_3DSTATE_PS_EXTRA_COMPUTES_STENCIL, {{NONE}, {NONE}, {1, 5, 1}}},
   {INTEL_3DSTATE_WM_UAV_ONLY, {{2, 30, 1}, {NONE}, {NONE}}},
   {INTEL_3DSTATE_WM_THREAD_DISPATCH, {{1, 29, 1}, {NONE}, {NONE}}},
   {INTEL_3DSTATE_WM_FORCE_DISPATCH, {{NONE}, {1, 19, 2}, {1, 19, 2}}},
   {INTEL_3DSTATE_WM_FORCE_KILL, {{NONE}, {1, 0, 2}, {1, 0, 2}}},
   {INTEL_3DSTATE_WM_EDSC, {{1, 21, 2}, {1, 21, 2}, {1, 21, 2}}},
   {INTEL_3DSTATE_PS_BLEND_HAS_WRITEABLE_RT, {{NONE}, {1, 30, 1}, {1, 30, 1}}},
   {INTEL_3DSTATE_PS_BLEND_ALPHA_TO_COVERAGE, {{NONE}, {1, 31, 1}, {1, 31, 1}}},
   {INTEL_3DSTATE_PS_BLEND_ALPHA_TEST, {{NONE}, {1, 8, 1}, {1, 8, 1}}},
   {INTEL_3DPRIMITIVE_UAV_COHERENCY_REQUIRED, {{0, 9, 1}, {0, 9, 1}, {0, 9, 1}}},
   {INTEL_PIPE_CONTROL_CS_STALL, {{1, 20, 1}, {1, 20, 1}, {1, 20, 1}}},
   {INTEL_PIPE_CONTROL_DC_FLUSH, {{1, 5, 1}, {1, 5, 1}, {1, 5, 1}}},
};

static void
test_places(void)
{
   for (unsigned i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
      for (enum intel_gen gen = 0; gen < INTEL_GENS; gen++) {
         const struct bit bit = expected[i].bits[gen];
         uint32_t dw[32] = {0};
         assert(intel_field_exists(gen, expected[i].field) == (bit.dword != NOWHERE));
         if (bit.dword == NOWHERE) {
            memset(dw, 0xff, sizeof(dw));
            assert(!intel_field_get(gen, expected[i].field, dw));
            continue;
         }
         const uint32_t all = (1u << bit.width) - 1;
         dw[bit.dword] = all << bit.low;
         assert(intel_field_get(gen, expected[i].field, dw) == all);
         memset(dw, 0xff, sizeof(dw));
         dw[bit.dword] = ~(all << bit.low);
         assert(!intel_field_get(gen, expected[i].field, dw));
      }
   }
}

/* Each field of each packet holds what was put there, whatever came into the others. */
static void
test_round_trip(void)
{
   srand(15);
   for (enum intel_gen gen = 0; gen < INTEL_GENS; gen++) {
      for (enum intel_packet p = INTEL_PACKET_NONE + 1; p < INTEL_PACKETS; p++) {
         const struct intel_packet_info *info = &intel_packets[p];
         uint32_t dw[32], put[32];
         if (!info->length_dw[gen])
            continue;
         const unsigned length_dw = intel_packet_start(gen, p, dw);
         for (unsigned i = 0; i < info->num_fields; i++) {
            const struct intel_place place = intel_fields[info->first_field + i].places[gen];
            put[i] =
               place.exists ? ((uint32_t)rand() << 16 ^ (uint32_t)rand()) >> (31 - (place.high - place.low)) : 0;
            if (place.exists)
               intel_field_set(gen, info->first_field + i, dw, put[i]);
         }
         for (unsigned i = 0; i < info->num_fields; i++)
            assert(intel_field_get(gen, info->first_field + i, dw) == put[i]);
         assert(!info->mask || (intel_packet_find(gen, dw[0]) == p && intel_command_length_dw(dw[0]) == length_dw));
      }
   }
}

static void
test_walk(void)
{
   assert(intel_command_length_dw(0) == 1);              /* MI_NOOP */
   assert(intel_command_length_dw(0x05000000) == 1);     /* MI_BATCH_BUFFER_END */
   assert(intel_command_length_dw(0x11000001) == 3);     /* MI_LOAD_REGISTER_IMM of one register */
   assert(intel_command_length_dw(0x10400002) == 4);     /* MI_STORE_DATA_IMM with a flag */
   assert(intel_command_length_dw(0x7a000004) == 6);     /* PIPE_CONTROL */
   assert(intel_command_length_dw(0x69040302) == 1);     /* PIPELINE_SELECT with a mask */
   assert(intel_command_length_dw(0x680b0001) == 1);     /* 3DSTATE_VF_STATISTICS */
   assert(intel_command_length_dw(0x79170101) == 0x103); /* 3DSTATE_SO_DECL_LIST */
   assert(intel_command_length_dw(0x70000007) == 9);     /* MEDIA_VFE_STATE */
   assert(!intel_command_length_dw(0x20000000) && !intel_command_length_dw(0xffffffff));
}

static void
test_apply(void)
{
   uint32_t dw[32];
   struct intel_uav_state state = {.gen = INTEL_GEN8, .psx.kills = true};
   unsigned length_dw = intel_packet_start(state.gen, INTEL_3DSTATE_PS_EXTRA, dw);
   dw[1] = 1u << 31 | 1u << 2 | 2u << 26;
   assert(intel_uav_apply_packet(&state, INTEL_3DSTATE_PS_EXTRA, dw, length_dw));
   assert(state.psx.valid && state.enabled[INTEL_PS] && state.accesses_uav[INTEL_PS] && !state.psx.kills &&
          state.psx.computed_depth == INTEL_DEPTH_ON_GE);
   /* Another length, and a value without a meaning. */
   const struct intel_uav_state before = state;
   assert(!intel_uav_apply_packet(&state, INTEL_3DSTATE_PS_EXTRA, dw, length_dw + 1));
   length_dw = intel_packet_start(state.gen, INTEL_3DSTATE_WM, dw);
   dw[1] = 3u << 19 | 1u << 21;
   assert(intel_packet_invalid_field(state.gen, INTEL_3DSTATE_WM, dw) == INTEL_3DSTATE_WM_FORCE_DISPATCH);
   assert(!intel_uav_apply_packet(&state, INTEL_3DSTATE_WM, dw, length_dw));
   assert(!memcmp(&before, &state, sizeof(state)));
   dw[1] = 2u << 19 | 2u << 21;
   assert(intel_uav_apply_packet(&state, INTEL_3DSTATE_WM, dw, length_dw));
   assert(state.wm.force_dispatch == INTEL_FORCE_ON && state.wm.edsc == INTEL_EDSC_PREPS);
   /* Any of several bits; a surface of no type; a count. */
   length_dw = intel_packet_start(state.gen, INTEL_3DSTATE_WM_HZ_OP, dw);
   dw[1] = 1u << 27;
   assert(intel_uav_apply_packet(&state, INTEL_3DSTATE_WM_HZ_OP, dw, length_dw) && state.hz_op);
   dw[1] = 1u << 25;
   assert(intel_uav_apply_packet(&state, INTEL_3DSTATE_WM_HZ_OP, dw, length_dw) && !state.hz_op);
   length_dw = intel_packet_start(state.gen, INTEL_3DSTATE_DEPTH_BUFFER, dw);
   dw[1] = 1u << 29;
   assert(intel_uav_apply_packet(&state, INTEL_3DSTATE_DEPTH_BUFFER, dw, length_dw) && state.buffer.depth);
   dw[1] = 7u << 29;
   assert(intel_uav_apply_packet(&state, INTEL_3DSTATE_DEPTH_BUFFER, dw, length_dw) && !state.buffer.depth);
   length_dw = intel_packet_start(state.gen, INTEL_3DSTATE_RASTER, dw);
   dw[1] = 4u << 18;
   assert(intel_uav_apply_packet(&state, INTEL_3DSTATE_RASTER, dw, length_dw) && state.rt_independent_raster);
   /* Gen7.5's 3DSTATE_PS enables the shader by any width; later it says nothing of it. */
   struct intel_uav_state haswell = {.gen = INTEL_GEN7_5};
   length_dw = intel_packet_start(haswell.gen, INTEL_3DSTATE_PS, dw);
   dw[4] = 1u << 1 | 1u << 5;
   assert(intel_uav_apply_packet(&haswell, INTEL_3DSTATE_PS, dw, length_dw));
   assert(haswell.enabled[INTEL_PS] && haswell.accesses_uav[INTEL_PS]);
   length_dw = intel_packet_start(state.gen, INTEL_3DSTATE_PS, dw);
   assert(intel_uav_apply_packet(&state, INTEL_3DSTATE_PS, dw, length_dw) && state.enabled[INTEL_PS]);
}

static void
test_print(void)
{
   char *text = NULL;
   size_t size_B = 0;
   uint32_t dw[8];
   FILE *out = open_memstream(&text, &size_B);
   intel_packet_start(INTEL_GEN9, INTEL_3DSTATE_WM, dw);
   dw[1] = 1u << 31 | 2u << 19 | 1u << 21;
   intel_packet_print(out, INTEL_GEN9, INTEL_3DSTATE_WM, dw);
   fclose(out);
   assert(!strcmp(text, "3DSTATE_WM statistics edsc=psexec force_dispatch=on\n"));
   free(text);
}

int
main(void)
{
   test_places();
   test_round_trip();
   test_walk();
   test_apply();
   test_print();
   return 0;
}
