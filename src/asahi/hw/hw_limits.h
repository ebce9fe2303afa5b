/* Numbers of the hardware that belong to no instruction and no record. */
#ifndef INDIUM_ASAHI_HW_HW_LIMITS_H
#define INDIUM_ASAHI_HW_HW_LIMITS_H

#include <stdint.h>

/* Halves: registers and uniforms are counted in 16 bits, as the hardware names them (r1h is 3, u4l is 8). */
#define AGX_REGISTERS 256
#define AGX_UNIFORMS 512

#define AGX_MAX_PX 16384 /* a side of an image or a target */

/* The number of the first entry of a sampler heap; below are sampler states. Source: Honeykrisp's code (observed). */
#define AGX_SAMPLER_HEAP_FIRST 28

#define AGX_PPP_MAX_B (255 * 4) /* of a PPP record: its size field has 8 bits */
#define AGX_STREAM_CALLS 16     /* streams that have called each other (assumed) */

/* Threads of a core that run at a time, by the registers that a program takes. Source: Mesa's table of occupancy
 * (reported). */
static inline unsigned
agx_max_threads(unsigned registers_h)
{
   static const struct {
      uint16_t registers_h, threads;
   } rows[] = {{104, 1024}, {112, 896}, {128, 832}, {136, 768}, {144, 704},
               {160, 640},  {184, 576}, {208, 512}, {232, 448}, {256, 384}};
   unsigned i = 0;
   while (rows[i].registers_h < registers_h && i + 1 < sizeof(rows) / sizeof(rows[0]))
      i++;
   return rows[i].threads;
}

/* ---- helper programs and the private memory that they give out; reported of Mesa's helper, but for the answers ----
 */

#define AGX_HELPER_REGISTERS 32

/* Blocks of memory of a simd-group. One has 32 bytes a thread, times a power of 4. */
#define AGX_STACK_BLOCKS 4
#define AGX_STACK_UNIT_B 32
#define AGX_STACK_MAX_LOG4 6
#define AGX_STACK_WORD_SHIFT 8 /* of the address in a block's word */

enum agx_doorbell {
   AGX_DOORBELL_NEXT = 32, /* waits for something to do */
   AGX_DOORBELL_DONE = 48,
   AGX_DOORBELL_REFUSES = 49,
};

/* What the special register HELPER_OP asks for. */
enum agx_helper_op {
   AGX_HELPER_STACK_ALLOC = 0,
   AGX_HELPER_STACK_FREE = 1,
   AGX_HELPER_GROUP_ALLOC = 4, /* of compute that is preempted */
   AGX_HELPER_GROUP_FREE = 5,
   AGX_HELPER_END = 15,
};

#endif
