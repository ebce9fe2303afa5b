/* A winsys without kernel and a shader compiler without compiling, for tests of what the driver records. */
#ifndef INDIUM_TEST_ASAHI_FAKE_GPU_H
#define INDIUM_TEST_ASAHI_FAKE_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "../common/fake_syncobj.h"
#include "gallium/include/pipe/p_context.h"
#include "gallium/winsys/asahi/asahi_winsys.h"

#define FAKE_USC_BASE (UINT64_C(1) << 36)

struct pipe_screen *fake_screen_create(void);

/* How many more buffers there is memory for. */
extern unsigned fake_buffers_left;
/* Buffers that exist now. */
extern unsigned fake_num_bos;

/* The CPU address of GPU memory, or NULL. */
void *fake_memory(uint64_t va, uint64_t size_B);

/* What was submitted last. */
extern _Atomic unsigned fake_num_submits;
extern unsigned fake_num_commands, fake_num_waits, fake_num_signals;
extern struct asahi_ws_command fake_command;
extern int fake_submit_error;
extern bool fake_lost;

#endif
