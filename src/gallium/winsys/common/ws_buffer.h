/* Mapped buffers, whatever winsys they come from: who cuts pieces from them need not know the vendor. */
#ifndef INDIUM_GALLIUM_WINSYS_COMMON_WS_BUFFER_H
#define INDIUM_GALLIUM_WINSYS_COMMON_WS_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

/* Instead of an address that a buffer or range must have: any that nobody gets who asks for none, so that it can be
 * asked for in another run of the process. 0: any. */
#define WS_VA_REPLAYED UINT64_C(1)

struct ws_buffer {
   void *bo; /* of the winsys; NULL: no buffer */
   uint64_t va, size_B;
   char *map;
};

/* Where buffers of one kind come from: a winsys fills it in. */
struct ws_buffer_source {
   /* *buffer: at least size_B bytes, zeroed, which stay mapped. False, and nothing is left allocated, when out of
    * memory. */
   bool (*create)(const struct ws_buffer_source *source, uint64_t size_B, struct ws_buffer *buffer);
   /* The caller has made sure that the GPU no longer uses it. */
   void (*destroy)(struct ws_buffer *buffer);
   /* of the winsys: */
   void *ws;
   uint64_t alignment_B;
   unsigned domain, flags;
};

#endif
