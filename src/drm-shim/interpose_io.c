/* The C library's functions that read, write and seek, and close streams. What is no file in the kernel (sync files,
 * syncobjs, timelines of sw_sync) has none of these operations, and nodes cannot be written. Streams of stdio bypass
 * this. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "drm-shim/fds.h"
#include "drm-shim/interpose.h"
#include "drm-shim/real.h"

static bool
is_no_file(int fd)
{
   enum shim_fd_kind kind = fds_kind(fd);
   return kind != SHIM_FD_NONE && kind != SHIM_FD_DRM;
}

static int
fail(int error)
{
   errno = error;
   return -1;
}

PUBLIC ssize_t
read(int fd, void *data, size_t size_B)
{
   return is_no_file(fd) ? fail(EINVAL) : real()->read(fd, data, size_B);
}

PUBLIC ssize_t
__read_chk(int fd, void *data, size_t size_B, size_t object_B)
{
   return size_B > object_B ? (abort(), -1) : read(fd, data, size_B);
}

PUBLIC ssize_t
write(int fd, const void *data, size_t size_B)
{
   return fds_kind(fd) != SHIM_FD_NONE ? fail(EINVAL) : real()->write(fd, data, size_B);
}

/* It closes by itself. */
PUBLIC int
fclose(FILE *stream)
{
   fds_close(fileno(stream));
   return real()->fclose(stream);
}

PUBLIC off_t
lseek(int fd, off_t offset_B, int whence)
{
   return is_no_file(fd) ? fail(ESPIPE) : real()->lseek(fd, offset_B, whence);
}
INTERPOSE_ALIAS(lseek64, lseek)
