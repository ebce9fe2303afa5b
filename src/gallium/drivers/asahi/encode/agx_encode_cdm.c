#include "gallium/drivers/asahi/encode/agx_encode_cdm.h"

#include <string.h>

#include "asahi/hw/records.h"

void
agx_cdm_encode_launch(struct agx_cs *cs, enum agx_gen gen, const struct agx_launch *launch)
{
   const uint32_t *threads = launch->threads, *group = launch->workgroup;
   uint32_t head;
   char *at;

   agx_cs_reserve(cs, AGX_CDM_LAUNCH_SIZE_B + AGX_CDM_CLUSTERS_SIZE_B + AGX_CDM_GLOBAL_SIZE_SIZE_B +
                         AGX_CDM_LOCAL_SIZE_SIZE_B);
   at = cs->cur;
   agx_cdm_launch_pack(at, &(struct agx_cdm_launch){
                              .uniforms = 64,
                              .textures = 8,
                              .preshader_registers = 16,
                              .mode = launch->groups_va ? AGX_CDM_MODE_INDIRECT_GLOBAL : AGX_CDM_MODE_DIRECT,
                              .pipeline = launch->usc_offset_B,
                           });
   /* The counts stand ready-made, at the same bits. */
   memcpy(&head, at, 4);
   head = (head & ~0xffffu) | launch->counts;
   memcpy(at, &head, 4);
   at += AGX_CDM_LAUNCH_SIZE_B;
   if (AGX_CDM_CLUSTERS_GENS >> gen & 1) {
      agx_cdm_clusters_pack(at, &(struct agx_cdm_clusters){.unk_62 = true});
      at += AGX_CDM_CLUSTERS_SIZE_B;
   }
   if (launch->groups_va) {
      agx_cdm_indirect_pack(at, &(struct agx_cdm_indirect){.address_hi = (uint32_t)(launch->groups_va >> 32),
                                                           .address_lo = (uint32_t)launch->groups_va});
      at += AGX_CDM_INDIRECT_SIZE_B;
   } else {
      agx_cdm_global_size_pack(at, &(struct agx_cdm_global_size){threads[0], threads[1], threads[2]});
      at += AGX_CDM_GLOBAL_SIZE_SIZE_B;
   }
   agx_cdm_local_size_pack(at, &(struct agx_cdm_local_size){group[0], group[1], group[2]});
   cs->cur = at + AGX_CDM_LOCAL_SIZE_SIZE_B;
}

void
agx_cdm_encode_barrier(struct agx_cs *cs)
{
   /* All that other drivers set; what each does is not known. */
   static const struct agx_cdm_barrier barrier = {
      .unk_0 = true,
      .unk_1 = true,
      .unk_2 = true,
      .usc_cache_inval = true,
      .unk_4 = true,
      .unk_5 = true,
      .unk_6 = true,
      .unk_7 = true,
      .unk_8 = true,
      .unk_9 = true,
      .unk_10 = true,
      .unk_11 = true,
      .unk_12 = true,
      .unk_13 = true,
      .unk_14 = true,
      .unk_15 = true,
      .unk_16 = true,
      .unk_17 = true,
      .unk_18 = true,
      .unk_19 = true,
   };

   agx_cs_reserve(cs, AGX_CDM_BARRIER_SIZE_B);
   agx_cdm_barrier_pack(cs->cur, &barrier);
   cs->cur += AGX_CDM_BARRIER_SIZE_B;
}
