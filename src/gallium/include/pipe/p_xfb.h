/* Transform feedback. */
#ifndef INDIUM_P_XFB_H
#define INDIUM_P_XFB_H

#include <stdint.h>

struct pipe_resource;

/* Vertices: as many as whole strides lie from the offset on in the bytes that the counter counts. */
struct pipe_byte_count {
   uint32_t instances, first_instance;
   struct pipe_resource *buffer; /* has the counter, a u32 */
   uint64_t offset_B;
   uint32_t counter_offset_B, stride_B;
};

#define PIPE_MAX_XFB_BUFFERS 4

struct pipe_xfb_buffer {
   struct pipe_resource *buffer;
   uint64_t offset_B, size_B; /* multiples of 4 */
};

struct pipe_xfb_counters {
   struct {
      struct pipe_resource *buffer; /* NULL: none */
      uint64_t offset_B;
   } of[PIPE_MAX_XFB_BUFFERS];
};

#endif
