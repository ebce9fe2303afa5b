/* What the display server that programs would draw to can take. */
#ifndef INDIUM_TOOLS_DISPLAY_H
#define INDIUM_TOOLS_DISPLAY_H

/* How Mesa's drivers are to copy pictures to the server, as MESA_VK_WSI_DEBUG says it; NULL: it takes buffers of
 * GPUs, or there is none. X without DRI3 does not, nor Wayland without linux-dmabuf. Asks those that DISPLAY and
 * WAYLAND_DISPLAY name, where their libraries are installed. */
const char *display_copies(void);

#endif
