/* What texture caches of cores keep from one command to the next. A texture that a command has read may be in them
 * until a barrier with USC_CACHE_INVAL; who reads it in a later command, when somebody has written it since, may find
 * what was there before. That is a fault. docs/caches.md says what of it is known. */
#ifndef INDIUM_ASAHI_SIM_TEX_CACHE_H
#define INDIUM_ASAHI_SIM_TEX_CACHE_H

#include <stdbool.h>

#include "sim/vm/fault.h"
#include "sim/vm/vm.h"

struct agx_surface;
struct agx_tex_cache;

/* NULL: out of memory. */
struct agx_tex_cache *agx_tex_cache_create(void);
void agx_tex_cache_destroy(struct agx_tex_cache *cache);

/* A command begins. */
void agx_tex_cache_begin(struct agx_tex_cache *cache, unsigned command);
/* A barrier throws away what all caches hold. */
void agx_tex_cache_invalidate(struct agx_tex_cache *cache);

/* A program reads the texture; on any thread. False after a fault: it may be stale. */
bool agx_tex_cache_look(struct agx_tex_cache *cache, const struct sim_vm *vm, struct agx_surface *surface,
                        struct sim_fault *fault);

#endif
