/* The one entry point of the driver. */
#ifndef INDIUM_AGX_PUBLIC_H
#define INDIUM_AGX_PUBLIC_H

struct asahi_ws;
struct pipe_screen;

/* Takes over the winsys on success. NULL, with a log line, if the chip is not supported or memory runs out. */
struct pipe_screen *agx_screen_create(struct asahi_ws *ws);

#endif
