/* Nanoseconds of processor time that the texture unit of the model takes for a texel's result, of waves that walk
 * over an image of 512 x 512: samples of several formats and filters, loads, and images of samples. Each line stands
 * for one descriptor and one sampler. bench_tex */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "amd/hw/chips.h"
#include "amd/hw/descriptors.h"
#include "amd/sim/tex/tex.h"
#include "bench.h"

enum { SIDE = 512, DEPTH = 6, MEMORY_B = 32 << 20, WAVES = 4096, RUNS = 5 };

struct row {
   const char *name;
   enum amd_tex_kind kind;
   uint8_t format;
   uint8_t linear, mip;
   uint8_t dim;
   uint8_t samples_log2;
   uint8_t aniso_log2;
   bool compare;
};

static const struct row rows[] = {
   {"sample, bilinear, RGBA8", AMD_TEX_SAMPLE, V_GFX10_FORMAT_8_8_8_8_UNORM, 1, 0, 1, 0, 0, false},
   {"sample, trilinear, RGBA8 sRGB", AMD_TEX_SAMPLE, V_GFX10_FORMAT_8_8_8_8_SRGB, 1, 2, 1, 0, 0, false},
   {"sample, bilinear, RGBA16F", AMD_TEX_SAMPLE, V_GFX10_FORMAT_16_16_16_16_FLOAT, 1, 0, 1, 0, 0, false},
   {"sample, bilinear, R32F", AMD_TEX_SAMPLE, V_GFX10_FORMAT_32_FLOAT, 1, 0, 1, 0, 0, false},
   {"sample, bilinear, RGB10A2", AMD_TEX_SAMPLE, V_GFX10_FORMAT_10_10_10_2_UNORM, 1, 0, 1, 0, 0, false},
   {"sample, bilinear, BC1", AMD_TEX_SAMPLE, V_GFX10_FORMAT_BC1_UNORM, 1, 0, 1, 0, 0, false},
   {"sample, bilinear, BC7", AMD_TEX_SAMPLE, V_GFX10_FORMAT_BC7_UNORM, 1, 0, 1, 0, 0, false},
   {"sample, trilinear, BC7 sRGB", AMD_TEX_SAMPLE, V_GFX10_FORMAT_BC7_SRGB, 1, 2, 1, 0, 0, false},
   {"sample, bilinear, compare, R32F", AMD_TEX_SAMPLE, V_GFX10_FORMAT_32_FLOAT, 1, 0, 1, 0, 0, true},
   {"sample, trilinear, 4 probes, RGBA8", AMD_TEX_SAMPLE, V_GFX10_FORMAT_8_8_8_8_UNORM, 1, 2, 1, 0, 2, false},
   {"sample, linear, 3D, RGBA8", AMD_TEX_SAMPLE, V_GFX10_FORMAT_8_8_8_8_UNORM, 1, 0, 2, 0, 0, false},
   {"sample, trilinear, cube, RGBA8", AMD_TEX_SAMPLE, V_GFX10_FORMAT_8_8_8_8_UNORM, 1, 2, 3, 0, 0, false},
   {"gather, RGBA8", AMD_TEX_GATHER4, V_GFX10_FORMAT_8_8_8_8_UNORM, 1, 0, 1, 0, 0, false},
   {"gather, compare, R32F", AMD_TEX_GATHER4, V_GFX10_FORMAT_32_FLOAT, 1, 0, 1, 0, 0, true},
   {"load, RGBA8", AMD_TEX_LOAD, V_GFX10_FORMAT_8_8_8_8_UNORM, 0, 0, 1, 0, 0, false},
   {"load, RGBA32UI", AMD_TEX_LOAD, V_GFX10_FORMAT_32_32_32_32_UINT, 0, 0, 1, 0, 0, false},
   {"load, RGBA8, 4 samples", AMD_TEX_LOAD, V_GFX10_FORMAT_8_8_8_8_UNORM, 0, 0, 6, 2, 0, false},
};

static const uint64_t base = UINT64_C(0x200000000);

static void
describe(const struct row *row, struct amd_tex_request *r)
{
   const unsigned levels = row->mip ? 10 : 1;
   const unsigned filter = row->linear | (row->aniso_log2 ? 2 : 0);
   const unsigned last = row->samples_log2 ? row->samples_log2 : levels - 1;
   static const uint8_t types[8] = {
      [1] = V_SQ_RSRC_IMG_2D, [2] = V_SQ_RSRC_IMG_3D, [3] = V_SQ_RSRC_IMG_CUBE, [6] = V_SQ_RSRC_IMG_2D_MSAA};
   uint32_t *t = r->resource;
   *r = (struct amd_tex_request){.kind = row->kind,
                                 .dim = row->dim,
                                 .dmask = row->kind == AMD_TEX_GATHER4 ? 1 : 15,
                                 .compare = row->compare,
                                 .lanes = 64,
                                 .exec = UINT64_MAX,
                                 .chip = amd_chip_by_name("navi21")};
   t[0] = (uint32_t)(base >> 8);
   t[1] = S_SQ_IMG_RSRC_WORD1_BASE_ADDRESS_HI(base >> 40) | S_SQ_IMG_RSRC_WORD1_FORMAT(AMD_GFX10_3, row->format) |
          S_SQ_IMG_RSRC_WORD1_WIDTH_LO(SIDE - 1);
   t[2] = S_SQ_IMG_RSRC_WORD2_WIDTH_HI((SIDE - 1) >> 2) | S_SQ_IMG_RSRC_WORD2_HEIGHT(SIDE - 1) |
          S_SQ_IMG_RSRC_WORD2_RESOURCE_LEVEL(1);
   t[3] = S_SQ_IMG_RSRC_WORD3_DST_SEL_X(4) | S_SQ_IMG_RSRC_WORD3_DST_SEL_Y(5) | S_SQ_IMG_RSRC_WORD3_DST_SEL_Z(6) |
          S_SQ_IMG_RSRC_WORD3_DST_SEL_W(7) | S_SQ_IMG_RSRC_WORD3_LAST_LEVEL(last) |
          S_SQ_IMG_RSRC_WORD3_TYPE(types[row->dim]) |
          S_SQ_IMG_RSRC_WORD3_SW_MODE(row->samples_log2 ? V_SW_64KB_Z_X : V_SW_64KB_R_X);
   t[4] = S_SQ_IMG_RSRC_WORD4_DEPTH(row->dim == 2 || row->dim == 3 ? DEPTH - 1 : 0);
   t[5] = S_SQ_IMG_RSRC_WORD5_MAX_MIP(AMD_GFX10_3, last);
   r->sampler[0] = S_SQ_IMG_SAMP_WORD0_MAX_ANISO_RATIO(row->aniso_log2) | S_SQ_IMG_SAMP_WORD0_DEPTH_COMPARE_FUNC(1);
   r->sampler[1] = S_SQ_IMG_SAMP_WORD1_MAX_LOD(0xfff);
   r->sampler[2] = S_SQ_IMG_SAMP_WORD2_XY_MAG_FILTER(filter) | S_SQ_IMG_SAMP_WORD2_XY_MIN_FILTER(filter) |
                   S_SQ_IMG_SAMP_WORD2_MIP_FILTER(row->mip);
}

/* Tiles of 8 x 8 pixels, one texel and a bit apart. */
static void
place(const struct row *row, unsigned wave, struct amd_tex_request *r)
{
   const unsigned left = wave * 8 % SIDE, top = wave * 8 / SIDE * 8 % SIDE;
   for (unsigned lane = 0; lane < 64; lane++) {
      const unsigned x = left + (lane / 4 % 4 * 2 + lane % 2), y = top + (lane / 16 * 2 + lane / 2 % 2);
      if (row->kind == AMD_TEX_LOAD) {
         r->coord.u[0][lane] = x;
         r->coord.u[1][lane] = y;
         r->coord.u[2][lane] = wave % 4;
      } else {
         r->coord.f[0][lane] = ((float)x + 0.3f) * 1.3f / SIDE;
         r->coord.f[1][lane] = ((float)y + 0.7f) * 1.3f / SIDE * (float)(1 << row->aniso_log2);
         r->coord.f[2][lane] = row->dim == 3 ? (float)(wave % DEPTH) : (float)(wave % 4) * 0.2f;
         for (unsigned c = 0; c < 2 && row->dim == 3; c++)
            r->coord.f[c][lane] += 1.0f - (r->coord.f[c][lane] > 1.0f);
      }
   }
}

static double
processor_s(void)
{
   struct timespec time;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
   return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Seconds; below 0 after a fault. */
static double
run(const struct row *row, const struct sim_vm *vm, struct amd_caches *caches)
{
   static struct amd_cache_port port;
   static struct amd_tex_request r;
   static uint32_t result[4][AMD_TEX_LANES];
   struct sim_fault fault = {0};
   describe(row, &r);
   amd_caches_job_start(caches, vm);
   amd_caches_launch(caches);
   const struct amd_cache_packet packet = amd_caches_packet(caches);
   const double start_s = processor_s();
   for (unsigned wave = 0; wave < WAVES; wave++) {
      amd_cache_port_open(&port, caches, &packet, AMD_STAGE_PS, wave, 0, false);
      r.port = &port;
      place(row, wave, &r);
      if (!amd_tex_read(vm, sim_va(0), &r, result, &fault)) {
         fprintf(stderr, "bench_tex: %s: %s\n", row->name, fault.message);
         return -1;
      }
   }
   return processor_s() - start_s;
}

int
main(void)
{
   struct sim_vm *vm = sim_vm_create();
   uint8_t *memory = aligned_alloc(4096, MEMORY_B);
   struct amd_caches *caches = amd_caches_create(amd_chip_by_name("navi21"));
   if (!vm || !memory || !caches || !sim_vm_map(vm, sim_va(base), MEMORY_B, memory, SIM_READ | SIM_WRITE))
      return 1;
   for (uint32_t i = 0, state = 1; i < MEMORY_B; i++, state = state * 1664525 + 1013904223)
      memory[i] = (uint8_t)(state >> 24);
   printf("the texture unit, processor time of a lane's result, medians:\n");
   for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
      double seconds[RUNS];
      for (unsigned k = 0; k < RUNS; k++) {
         seconds[k] = run(&rows[i], vm, caches);
         if (seconds[k] < 0)
            return 1;
      }
      printf("  %-30s %8.2f ns\n", rows[i].name, bench_median(seconds, RUNS) / (WAVES * 64.0) * 1e9);
   }
   amd_caches_destroy(caches);
   sim_vm_destroy(vm);
   free(memory);
   return 0;
}
