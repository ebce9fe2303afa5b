/* Compressed depth that textures read: DB keeps few planes of depth in a tile (DECOMPRESS_ON_N_ZPLANES, one more than
 * that), and with samples goes through a tile as textures do (ITERATE_256). With 0, or the largest number, it keeps
 * as many as it likes, which textures do not read: radeonsi 26.1.6 says 15 of depth that it expands itself
 * [observed]. The model has only plain depth, so what would be garbage is a fault. Sources: PAL,
 * CalcDecompressOnZPlanesValue; RADV. */
#include "amd/hw/registers.h"
#include "amd/sim/state/draw_state_private.h"

#define NO_LIMIT 15

/* What textures read. */
static unsigned
max_planes(unsigned format, unsigned samples_log2)
{
   return format == V_Z_16 && samples_log2 ? 2 : 4;
}

bool
amd_draw_state_planes(const struct amd_gpu *gpu)
{
   enum amd_gen gen = gpu->model->gen;
   const struct amd_traits *traits = gpu->model->traits;
   uint32_t z = amd_regs_get(gpu->regs, R_DB_Z_INFO(gen)), stencil = amd_regs_get(gpu->regs, R_DB_STENCIL_INFO(gen));
   unsigned limit = G_DB_Z_INFO_DECOMPRESS_ON_N_ZPLANES(z), samples_log2 = G_DB_Z_INFO_NUM_SAMPLES(z);
   bool has_stencil = G_DB_STENCIL_INFO_FORMAT(stencil) && !G_DB_STENCIL_INFO_TILE_STENCIL_DISABLE(stencil);
   bool iterates =
      traits->iterates_256 && G_DB_Z_INFO_ITERATE_256(z) && (!has_stencil || G_DB_STENCIL_INFO_ITERATE_256(stencil));
   if (!G_DB_Z_INFO_TILE_SURFACE_ENABLE(z) || !samples_log2)
      return true;
   if (traits->two_planes_hang && iterates && has_stencil && samples_log2 == 2 && (!limit || limit > 2))
      return sim_fault_set(gpu->fault, SIM_FAULT_HANG, sim_va(0),
                           "DB: ITERATE_256, DECOMPRESS_ON_N_ZPLANES %u, depth and stencil of 4 samples", limit);
   if (!limit || limit == NO_LIMIT)
      return true;
   if (traits->iterates_256 && !iterates)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "DB: depth with samples for textures without ITERATE_256");
   if (limit > max_planes(G_DB_Z_INFO_FORMAT(z), samples_log2) + 1)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "DB: DECOMPRESS_ON_N_ZPLANES %u: more planes of depth than textures read", limit);
   return true;
}
