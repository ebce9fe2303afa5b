/* Changes what a Vulkan driver submits, at the ioctl boundary: for faults that no Vulkan call can cause. */
#ifndef INDIUM_TESTS_SUBMIT_PATCH_H
#define INDIUM_TESTS_SUBMIT_PATCH_H

enum submit_patch {
   SUBMIT_AS_IT_IS,
   SUBMIT_UNKNOWN_PACKET, /* in place of the dispatch packet */
   SUBMIT_UNKNOWN_OPCODE, /* as first instruction of the compute shader */
};

/* What happens to the next submission with a dispatch; it falls back to SUBMIT_AS_IT_IS when it has happened. */
extern enum submit_patch submit_patch_next;

#endif
