/* Access to memory that the caller of an ioctl names: wrong addresses give -EFAULT, as in the kernel. */
#ifndef INDIUM_DRM_SHIM_USER_MEMORY_H
#define INDIUM_DRM_SHIM_USER_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* 0 or -EFAULT. size_B 0 always succeeds. */
int user_read(void *data, uint64_t address, size_t size_B);
int user_write(uint64_t address, const void *data, size_t size_B);

struct user_range {
   void *data;
   uint64_t address;
   size_t size_B;
};

/* Reads up to 64 ranges at the price of one. */
int user_read_many(const struct user_range *ranges, unsigned count);

#endif
