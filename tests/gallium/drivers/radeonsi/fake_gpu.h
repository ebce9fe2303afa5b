/* A winsys without kernel and a shader compiler without compiling, for tests of what the driver records. */
#ifndef INDIUM_TEST_FAKE_GPU_H
#define INDIUM_TEST_FAKE_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "../common/fake_syncobj.h"
#include "gallium/include/pipe/p_context.h"

/* Of what screens are, before they are made. */
extern const char *fake_chip;

struct pipe_screen *fake_screen_create(void);

/* Buffers that exist now. */
extern unsigned fake_num_bos;

/* The device was lost. */
extern bool fake_lost;
/* What submits return, 0 or a negative errno. */
extern int fake_submit_error;

/* What was submitted. */
#define FAKE_MAX_SUBMITS 64
extern _Atomic unsigned fake_num_submits;
extern unsigned fake_num_ibs[FAKE_MAX_SUBMITS], fake_num_waits[FAKE_MAX_SUBMITS], fake_num_signals[FAKE_MAX_SUBMITS];

/* The CPU address of GPU memory, or NULL. */
void *fake_memory(uint64_t va, uint64_t size_B);

/* Whether fragment shaders of the fake compiler discard; whether those with an ordered section loop over layers. */
extern bool fake_kills, fake_intrawave;

/* What a stream has left in the registers, and what it launched. */
struct replay_draw {
   uint32_t opcode;
   uint32_t payload[9];
   uint32_t instances;
};

#define REPLAY_MAX_DRAWS 4096

struct replay {
   uint32_t regs[0x40000 / 4];
   bool written[0x40000 / 4];
   uint32_t num_draws;
   struct replay_draw draws[REPLAY_MAX_DRAWS];
   uint32_t instances;
   uint32_t packets, buffers;
   uint32_t num_flushes, num_dma;
   const char *error; /* first thing that is wrong, or NULL */
};

/* Runs what an ended context recorded, checking every packet and register against the tables. */
void replay_context(struct replay *replay, struct pipe_context *ctx);

/* Runs one buffer of size_dw dwords and what it jumps to. */
void replay_ib(struct replay *replay, uint64_t va, uint32_t size_dw);

#endif
