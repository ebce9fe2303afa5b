/* What every API object shares: memory from the application's allocator, and the casts between handles and structs.
 * On the 64-bit systems we build for, every handle is the address of its struct. */
#ifndef INDIUM_VK_OBJECT_H
#define INDIUM_VK_OBJECT_H

#include <stddef.h>
#include <string.h>

#include <vulkan/vk_icd.h>
#include <vulkan/vulkan.h>

#include "gallium/include/pipe/p_defines.h"

/* Zeroed memory from `allocator` or, if that is NULL, from `fallback`; NULL when there is none. */
void *vk_alloc(const VkAllocationCallbacks *fallback, const VkAllocationCallbacks *allocator, size_t size_B);
void vk_free(const VkAllocationCallbacks *fallback, const VkAllocationCallbacks *allocator, void *memory);

/* What an application keeps with an object (vk_private_data.c): in a list of the object and in one of the slot. It
 * goes with either. */
struct vk_private_link {
   struct vk_private_value *next, **from; /* from: what points here */
};
struct vk_private_value {
   struct vk_private_link of_object, of_slot;
   const struct vk_private_data_slot *slot;
   uint64_t value;
};

/* Of an object that vk_alloc made: its list, its name (NULL: none), of malloc. */
struct vk_private_value **vk_private_values(void *memory);
char **vk_object_name(void *memory);
void vk_private_values_free(struct vk_private_value **values);

VkResult vk_result(enum pipe_result result);

/* The callbacks that use the C library, for objects without an application's. */
extern const VkAllocationCallbacks vk_default_allocator;

/* The struct of type s_type in a pNext chain, or NULL. */
const void *vk_find_struct(const void *chain, VkStructureType s_type);

#define VK_FROM(type, name, handle) struct type *name = (struct type *)(handle)
#define VK_TO(handle_type, object) ((handle_type)(uintptr_t)(object))

/* Writes up to *count elements of an enumeration into `out` (NULL: only counts). */
#define VK_ENUMERATE(out, count, total, source, result)                                                              \
   do {                                                                                                              \
      if (!(out)) {                                                                                                  \
         *(count) = (total);                                                                                         \
      } else {                                                                                                       \
         if (*(count) < (total))                                                                                     \
            (result) = VK_INCOMPLETE;                                                                                \
         else                                                                                                        \
            *(count) = (total);                                                                                      \
         if (*(count))                                                                                               \
            memcpy((out), (source), *(count) * sizeof(*(out)));                                                      \
      }                                                                                                              \
   } while (0)

#endif
