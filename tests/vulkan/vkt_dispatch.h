/* Compute shaders of the tests: one dispatch with buffers, waited for. */
#ifndef VKT_DISPATCH_H
#define VKT_DISPATCH_H

#include "vkt_draw.h"

struct vkt_dispatch {
   struct vkt_code code;
   uint32_t num_buffers;
   const struct vkx_buffer *buffers; /* bindings 0 .. of set 0, but for the image's */
   uint32_t num_constants;           /* 32-bit specialization constants with ids 0 .. */
   const uint32_t *constants;
   uint32_t groups;
   uint32_t subgroup_size; /* 0: any. Else one that vkt_offers_lanes() */
   uint32_t uniforms;      /* bit n: binding n is a uniform buffer, the others are storage buffers */
   const void *push;       /* push constants, or NULL */
   uint32_t push_B;
   const VkSpecializationInfo *specialization; /* instead of the constants, or NULL */
   const VkDescriptorImageInfo *image;         /* or NULL */
   VkDescriptorType image_type;
   uint32_t image_binding;
};

/* Whether compute shaders can ask for subgroups of that size. */
bool vkt_offers_lanes(struct vkx *vkx, uint32_t lanes);

void vkt_dispatch(struct vkx *vkx, const struct vkt_dispatch *dispatch);

#endif
