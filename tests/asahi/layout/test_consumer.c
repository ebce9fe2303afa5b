/* ail from outside: only its public header and its shared library. */
#include <ail/ail.h>

#include <stdio.h>

int
main(void)
{
   struct ail_image image = {.format = 37,
                             .dimension = AIL_2D,
                             .width_px = 640,
                             .height_px = 480,
                             .depth_px = 1,
                             .layers = 1,
                             .levels = 1,
                             .samples = 1};
   struct ail_layout layout;
   enum ail_error error = ail_layout_init(&layout, &image);
   if (error) {
      puts(ail_error_text(error));
      return 1;
   }
   /* 640 x 480 in tiles of 64 x 64 are 10 x 8 pages; (64, 64) begins tile 11. */
   return !(ail_size_B(&layout) == 10 * 8 * 16384 && ail_element_offset_B(&layout, 64, 64, 0, 0, 0) == 11 * 16384);
}
