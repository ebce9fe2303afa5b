/* A kernel after the tracer that takes everything, gives out numbers and maps memory; nothing runs. */
#ifndef INDIUM_TESTS_FAKE_DRM_H
#define INDIUM_TESTS_FAKE_DRM_H

#include <asahi_drm.h>

#include "asahi/wrap/agx_drm.h"

#define FAKE_BOS 16
#define FAKE_BO_B 0x10000u
#define FAKE_PAGE_B UINT64_C(0x4000)

/* What the kernel has seen of the last calls, and what it answers. */
struct fake_drm {
   int error; /* of calls of asahi and GEM; 0: they are done */
   bool no_syncobj, no_mmap;
   uint32_t next;        /* number */
   void *maps[FAKE_BOS]; /* of handles, as the tracer has them */
   struct drm_asahi_submit submit;
   struct drm_asahi_sync last_sync;
   unsigned submits, waits;
};

extern struct fake_drm fake_drm;
extern const struct agx_drm_kernel fake_drm_kernel;

/* As at first. */
void fake_drm_reset(void);

#endif
