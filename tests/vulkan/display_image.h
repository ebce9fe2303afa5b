/* What a display makes of an image that a client gives it as a dma-buf: its pixels. Linear ones are read as they lie
 * there, tiled ones by a device of the display's own, of the process's driver. */
#ifndef DISPLAY_IMAGE_H
#define DISPLAY_IMAGE_H

#include <stdint.h>

/* Four bytes a pixel: blue, green, red, and one that does not count. */
struct display_image {
   int fd; /* the holder's */
   uint32_t width, height, offset_B, pitch_B;
   uint64_t modifier;
};

/* One colour (0xrrggbb, of the first pixel) and how many pixels have another one. */
struct display_color {
   uint32_t color, wrong;
};

/* One thread at a time. */
struct display_color display_image_color(const struct display_image *image);
void display_image_finish(void);

#endif
