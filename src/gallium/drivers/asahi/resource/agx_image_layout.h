/* The one place that chooses how an image lies in memory, and why. */
#ifndef INDIUM_AGX_IMAGE_LAYOUT_H
#define INDIUM_AGX_IMAGE_LAYOUT_H

#include <ail/ail.h>

#include "gallium/include/pipe/p_state.h"

/* Reasons of a choice. */
enum agx_layout_reason {
   /* of the tiling */
   AGX_WHY_ROWS,
   AGX_WHY_LOCALITY,
   AGX_WHY_MODIFIER, /* also of compression */
   AGX_WHY_SPARSE_TARGET,
   /* of compression: for it */
   AGX_WHY_TARGET,
   /* and against it; the first that holds */
   AGX_WHY_SPARSE,
   AGX_WHY_LINEAR,
   AGX_WHY_NO_TARGET,
   AGX_WHY_STORAGE,
   AGX_WHY_HOST,
   AGX_WHY_SHARED,
   AGX_WHY_VIEWS,
   AGX_WHY_CHANNELS,
   AGX_WHY_SMALL,
   AGX_WHY_LEVELS,
   AGX_WHY_DEBUG,
   AGX_LAYOUT_REASONS,
};

struct agx_image_layout {
   enum ail_tiling tiling;
   bool compressed;
   enum agx_layout_reason tiling_reason, compression_reason;
   bool possible; /* false: a DRM format modifier wants it compressed, which the reason forbids */
};

/* The format that the image's texels have in memory: its own, or, where nobody else sees its bits, that of
 * agx_format_turned(). */
uint32_t agx_stored_format(const struct pipe_image_desc *desc);

/* Chooses for a plane of the image: `plane` has its format and size; what is to be chosen of it does not count. */
struct agx_image_layout agx_image_layout(const struct pipe_image_desc *desc, const struct ail_image *plane);

/* The end of a sentence: "GPU-tiled, because " and this. */
const char *agx_layout_reason_text(enum agx_layout_reason reason);

/* Prints what was chosen, and why, where ASAHI_DEBUG=images or ASAHI_LAYOUTS=FILE asks for it. layout: of the plane,
 * as it came to be; turned: agx_stored_format() is not the application's. */
void agx_image_layout_report(const struct agx_image_layout *chosen, const struct ail_layout *layout, bool turned);

#endif
