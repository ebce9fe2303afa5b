/* Between the files of this room. */
#ifndef INDIUM_ASAHI_SIM_SURFACE_PRIVATE_H
#define INDIUM_ASAHI_SIM_SURFACE_PRIVATE_H

#include "asahi/sim/surface/surface.h"

enum {
   SURFACE_PAGE_B = 16384,
   SURFACE_LINE_B = 128,
   SURFACE_FOLIO_PAGES = 256,
   SURFACE_FOLIO_WORDS = 512,
   SURFACE_TILE_SA = 16, /* of compression */
};

/* Fills in what derives from the fields of the descriptor. page_aligned: layers begin on pages. */
void surface_lay_out(struct agx_surface *surface, bool mipmapped, bool page_aligned);

/* Host memory of size_B bytes at an offset of the body: of one page of a sparse image. *absent: its page is not
 * bound. NULL then, and after a fault. */
uint8_t *surface_body(const struct agx_surface *surface, const struct sim_vm *vm, uint32_t layer, uint64_t offset_B,
                      uint32_t size_B, unsigned access, bool *absent, struct sim_fault *fault);
/* size: a range of the body, and whether it is absent */

/* Returns host, which size_B bytes at va are about to be written to if access says so: recordings must know. */
uint8_t *surface_tell(const struct sim_vm *vm, struct sim_va va, uint32_t size_B, unsigned access, uint8_t *host);

/* The same of a sparse image (surface_sparse.c), from a byte of a layer on. */
uint8_t *surface_sparse_body(const struct agx_surface *surface, const struct sim_vm *vm, uint32_t layer,
                             uint64_t offset_B, uint32_t size_B, unsigned access, bool *absent,
                             struct sim_fault *fault); /* size: a range of the body, and whether it is absent */

#endif
