/* The one entry point of the driver. */
#ifndef INDIUM_SI_PUBLIC_H
#define INDIUM_SI_PUBLIC_H

struct amdgpu_ws;
struct pipe_screen;

/* Takes over the winsys on success. NULL, with a log line, if the chip is not supported or memory runs out. */
struct pipe_screen *si_screen_create(struct amdgpu_ws *ws);

#endif
