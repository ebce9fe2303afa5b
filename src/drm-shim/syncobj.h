/* DRM syncobjs: a place that holds a fence, or a timeline of fences at rising points. The shim's lock is held. */
#ifndef INDIUM_DRM_SHIM_SYNCOBJ_H
#define INDIUM_DRM_SHIM_SYNCOBJ_H

#include "drm-shim/fence.h"
#include "util/dynarray.h"

struct shim_syncobj {
   unsigned refs;
   bool has_fence;
   bool timeline;           /* a point was added since the last replacement */
   uint64_t signaled_point; /* every point up to here is signaled */
   struct dynarray pending; /* struct syncobj_point: not signaled when last looked at, or failed; rising points */
};

struct shim_syncobj *shim_syncobj_create(void);
void shim_syncobj_unref(struct shim_syncobj *syncobj);

/* Holds just this fence from now on; NULL: none. */
void shim_syncobj_replace(struct shim_syncobj *syncobj, struct shim_fence *fence);

/* Adds a point that is signaled when the fence and everything before it is. A point not above the last one becomes
 * the last one again, and who looks for it or for one below finds the new fence; point 0 replaces all. */
void shim_syncobj_set(struct shim_syncobj *syncobj, uint64_t point, struct shim_fence *fence);

/* A new reference to the fence for a point (0: for all it holds), or NULL if there is none yet. */
struct shim_fence *shim_syncobj_find(struct shim_syncobj *syncobj, uint64_t point);

/* The last signaled point; the last added point. 0 if it is no timeline. */
uint64_t shim_syncobj_signaled_point(struct shim_syncobj *syncobj);
uint64_t shim_syncobj_last_point(struct shim_syncobj *syncobj);

#endif
