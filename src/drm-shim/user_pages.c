#include "drm-shim/user_pages.h"

#include <stdatomic.h>

#include "drm-shim/bo.h"
#include "drm-shim/shim.h"
#include "util/macros.h"

/* All of it lies in [first, end). Read without the lock: nearly all calls are about other memory. */
static _Atomic(uintptr_t) first = UINTPTR_MAX, end;
static unsigned buffers;

void
shim_user_pages_add(const void *address, uint64_t size_B)
{
   const uintptr_t start = (uintptr_t)address;
   buffers++;
   atomic_store(&first, MIN2(first, start));
   atomic_store(&end, MAX2(end, start + size_B));
}

void
shim_user_pages_remove(void)
{
   if (--buffers)
      return;
   atomic_store(&first, UINTPTR_MAX);
   atomic_store(&end, 0);
}

bool
shim_user_pages_enter(const void *address, size_t size_B)
{
   const uintptr_t start = (uintptr_t)address;
   if (start >= atomic_load(&end) || start + size_B <= atomic_load(&first) || shim_holds_lock() ||
       !shim_is_own_process())
      return false;
   shim_lock();
   if (shim_vendor()->user_pages_change && shim_bo_wraps(start, start + size_B)) {
      shim_vendor()->user_pages_change(start, start + size_B);
      return true;
   }
   shim_unlock();
   return false;
}

void
shim_user_pages_leave(void)
{
   shim_unlock();
}
