/* Resources whose memory queues bind: ranges of addresses whose pages the kernel maps. Those that may lack memory are
 * holes at first (PRT): vector memory reads 0 there and drops stores, and texture units say so (TFE). All others have
 * nothing mapped, and an access before a bind faults.
 *
 * Images that may lack memory lie in blocks of 64 KiB whose inside does not depend on where they are (the T modes),
 * so that memory can show through several images. They have no metadata. */
#ifndef INDIUM_SI_SPARSE_H
#define INDIUM_SI_SPARSE_H

#include "gallium/include/pipe/p_state.h"
#include "gallium/winsys/amdgpu/amdgpu_winsys.h"

#define SI_SPARSE_BLOCK_B (1u << 16) /* of images */
#define SI_SPARSE_PAGE_B (1u << 12)  /* of everything else */

struct si_resource;
struct si_screen;

struct si_sparse {
   enum pipe_sparse kind;
   bool descriptors; /* addresses in the 32-bit range, as of descriptor sets */
   struct amdgpu_ws_range range;
};

/* Addresses for a resource whose size, layout and sparse.descriptors are there. */
enum pipe_result si_sparse_init(struct si_screen *screen, struct si_resource *resource, enum pipe_sparse kind);
void si_sparse_finish(struct si_screen *screen, struct si_resource *resource);

/* What binds of the image have to know: pieces, and where its tail lies among the offsets of pipe_bind. */
struct pipe_sparse_layout si_sparse_layout(const struct si_resource *image);

/* What the offsets of pipe_bind go to. */
uint64_t si_sparse_size_B(const struct si_resource *resource);

/* Binds at once, in the order of the array. One that makes no sense is left out, and the log says so: applications
 * see to that. 0 or a negative errno. */
int si_sparse_bind(struct si_screen *screen, const struct pipe_bind *binds, uint32_t count);

/* Fills in functions of the screen. */
void si_init_sparse(struct si_screen *screen);

#endif
