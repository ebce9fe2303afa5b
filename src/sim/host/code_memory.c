#include "sim/host/code_memory.h"

#include <string.h>
#include <sys/mman.h>

void *
code_memory_create(const void *bytes, size_t size_B)
{
   void *memory = mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   if (memory == MAP_FAILED)
      return NULL;
   memcpy(memory, bytes, size_B);
   if (!mprotect(memory, size_B, PROT_READ | PROT_EXEC))
      return memory;
   munmap(memory, size_B);
   return NULL;
}

void
code_memory_destroy(void *memory, size_t size_B)
{
   munmap(memory, size_B);
}
