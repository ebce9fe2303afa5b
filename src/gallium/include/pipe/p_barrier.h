/* What a barrier says. */
#ifndef INDIUM_P_BARRIER_H
#define INDIUM_P_BARRIER_H

#include "gallium/include/pipe/p_state.h"

/* A change of a part of an image. Aspects that change differently have entries of their own. */
struct pipe_image_barrier {
   struct pipe_resource *image;
   struct pipe_subresource_range range;
   uint32_t before, after; /* enum pipe_use bits that the layouts allow; 0: undefined */
   bool discard; /* the contents become those of the memory without metadata: undefined or, of memory that is new,
                    zeros, which the driver keeps */
   /* Queue families, or PIPE_FAMILY_*, that own the image before and after; equal: the owner stays. Both the queue
    * that releases an image and the one that acquires it get such a barrier, with the same uses and discard. */
   uint32_t src_family, dst_family;
};

/* A part of a buffer that commands before and after use; families as of pipe_image_barrier. Whoever orders all of
 * memory needs none of them. */
struct pipe_buffer_barrier {
   struct pipe_resource *buffer;
   uint64_t offset_B, size_B;
   uint32_t src_family, dst_family;
};

/* Without stages it orders no commands. Images change after the source stages and before the destination stages. */
struct pipe_barrier {
   uint32_t src_stages, dst_stages; /* enum pipe_stage bits */
   uint32_t src_access, dst_access; /* enum pipe_access bits */
   uint32_t num_images, num_buffers;
   const struct pipe_image_barrier *images;
   const struct pipe_buffer_barrier *buffers;
};

#endif
