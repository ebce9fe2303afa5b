/* Memory of the application that buffers show. The kernel's MMU notifier delays changes of its mapping until the jobs
 * that use it are done; here the functions of interpose_map.c do. */
#ifndef INDIUM_DRM_SHIM_USER_PAGES_H
#define INDIUM_DRM_SHIM_USER_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a buffer that is made, and of one that is freed. The lock is held. */
void shim_user_pages_add(const void *address, uint64_t size_B);
void shim_user_pages_remove(void);

/* Before a change of what is mapped at [address, address + size_B). True: the jobs are done, and the lock is held
 * until shim_user_pages_leave(). False: no buffer shows anything there. */
bool shim_user_pages_enter(const void *address, size_t size_B);
void shim_user_pages_leave(void);

#endif
