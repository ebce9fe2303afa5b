/* What the display server that programs would draw to can take. */
#ifndef INDIUM_TOOLS_DISPLAY_H
#define INDIUM_TOOLS_DISPLAY_H

#include <stdbool.h>

/* Whether a server is there that takes no buffers of GPUs: X without DRI3, or Wayland without linux-dmabuf. Asks
 * those that DISPLAY and WAYLAND_DISPLAY name, where their libraries are installed. */
bool display_lacks_buffers(void);

#endif
