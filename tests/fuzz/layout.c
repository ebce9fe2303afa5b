/* Descriptions of images for ail: the fields in order, then what seeds the queries. */
#include <string.h>

#include "fuzz.h"
#include "layout_try.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
   struct {
      uint32_t format, width_px, height_px, depth_px, layers, levels, samples, stride_B;
      uint8_t dimension, tiling, flags, seed;
   } in = {0};
   memcpy(&in, data, MIN2(size_B, sizeof(in)));
   const struct ail_image image = {
      .format = in.format,
      .width_px = in.width_px,
      .height_px = in.height_px,
      .depth_px = in.depth_px,
      .layers = in.layers,
      .levels = in.levels,
      .samples = in.samples,
      .stride_B = in.stride_B,
      .dimension = (enum ail_dimension)in.dimension,
      .tiling = (enum ail_tiling)in.tiling,
      .compressed = in.flags & 1,
      .sparse = in.flags & 2,
      .writeable = in.flags & 4,
      .renderable = in.flags & 8,
      .force_stride = in.flags & 16,
   };
   layout_try(&(struct random){1 + in.seed}, &image);
   return 0;
}
