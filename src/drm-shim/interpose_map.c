/* The C library's functions on mappings: of buffers, and of memory that buffers show. Nothing is mapped in place of
 * something else while a buffer moves to a file (shim_hold_mappings()). */
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>

#include "drm-shim/bo.h"
#include "drm-shim/fds.h"
#include "drm-shim/file.h"
#include "drm-shim/interpose.h"
#include "drm-shim/real.h"
#include "drm-shim/user_pages.h"

/* After shim_hold_mappings(), and if `entered` after shim_user_pages_enter(). */
static void
end_change(bool entered)
{
   shim_release_mappings();
   if (entered)
      shim_user_pages_leave();
}

static void *
mmap_file(struct shim_file *file, void *address, size_t size_B, int protection, int flags, off_t offset_B)
{
   void *map = shim_file_mmap(file, address, size_B, protection, flags, offset_B);
   int error = errno;
   shim_file_unpin(file);
   errno = error;
   return map;
}

PUBLIC void *
mmap(void *address, size_t size_B, int protection, int flags, int fd, off_t offset_B)
{
   const bool replaces = flags & MAP_FIXED;
   struct shim_file *file = !(flags & MAP_ANONYMOUS) && fds_is(fd, SHIM_FD_DRM) ? shim_file_pin(fd) : NULL;
   bool entered = replaces && shim_user_pages_enter(address, size_B);
   if (file && entered)
      shim_user_pages_leave();
   if (file)
      return mmap_file(file, address, size_B, protection, flags, offset_B);
   if (!replaces)
      return real()->mmap(address, size_B, protection, flags, fd, offset_B);
   shim_hold_mappings();
   void *map = real()->mmap(address, size_B, protection, flags, fd, offset_B);
   end_change(entered);
   return map;
}
INTERPOSE_ALIAS(mmap64, mmap)

PUBLIC int
munmap(void *address, size_t size_B)
{
   bool entered = shim_user_pages_enter(address, size_B);
   shim_hold_mappings();
   int result = real()->munmap(address, size_B);
   end_change(entered);
   return result;
}

PUBLIC void *
mremap(void *old, size_t old_B, size_t new_B, int flags, ...)
{
   va_list args;
   va_start(args, flags);
   void *place = flags & MREMAP_FIXED ? va_arg(args, void *) : NULL;
   va_end(args);
   /* What is replaced may be shown, too: it goes as by a call of its own. */
   if (place && shim_user_pages_enter(place, new_B))
      shim_user_pages_leave();
   bool entered = shim_user_pages_enter(old, old_B);
   shim_hold_mappings();
   void *map = real()->mremap(old, old_B, new_B, flags, place);
   end_change(entered);
   return map;
}

PUBLIC int
mprotect(void *address, size_t size_B, int protection)
{
   bool entered = shim_user_pages_enter(address, size_B);
   int result = real()->mprotect(address, size_B, protection);
   if (entered)
      shim_user_pages_leave();
   return result;
}

/* The advice that takes pages away. */
PUBLIC int
madvise(void *address, size_t size_B, int advice)
{
   bool entered = (advice == MADV_DONTNEED || advice == MADV_REMOVE || advice == MADV_FREE) &&
                  shim_user_pages_enter(address, size_B);
   int result = real()->madvise(address, size_B, advice);
   if (entered)
      shim_user_pages_leave();
   return result;
}
