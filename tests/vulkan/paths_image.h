/* The images of paths.c, of all shapes, and what they should hold. */
#ifndef PATHS_IMAGE_H
#define PATHS_IMAGE_H

#include "choices.h"
#include "vkt.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define COLOR VK_IMAGE_ASPECT_COLOR_BIT
#define GENERAL VK_IMAGE_LAYOUT_GENERAL
#define PATHS_MAX_SAMPLES (1u << 16) /* of a level, all layers */
#define PATHS_MAX_B (16 * PATHS_MAX_SAMPLES)

struct paths_format {
   VkFormat format; /* unsigned integers, blocks, or texels of which nobody sees the numbers */
   VkFormat view;   /* the same, or integers of the size of the blocks or texels */
   uint32_t sample_B;
   uint8_t block_px, block_height_px;
   uint8_t components, bits[4], shift[4];
};

/* Unsigned integers. */
bool is_texels(const struct paths_format *format);

struct subject {
   const struct paths_format *format;
   struct vkt_image image;
   VkImageCreateInfo info;
   VkSubresourceLayout rows; /* linear: of the first layer, and where it is mapped */
   void *map;
   bool volume;
   bool viewed;         /* views may show its texels, or its blocks as texels of a level and layer */
   char text[160];      /* what it is, for messages */
   uint8_t *levels[16]; /* samples by layer, row, element */
};

/* Of a level, in elements: texels or blocks; layers or slices. */
struct box {
   uint32_t level, x, y, width, height, layer, layers;
};

/* With Honeykrisp 26.1.6 nothing is asked of that it does otherwise: it says that the bytes of a level of a 3D image
 * are those of one slice, though it copies all, and its own copies take blocks from tiles that a level does not have,
 * for which blocks have one level here. */
extern bool paths_honeykrisp;
/* With RADV 26.1.6 the processor copies no blocks: what it has written it does not read again. */
extern bool paths_radv;

/* What is chosen of an image; and of each use, what has written last and what reads. */
enum {
   PATHS_FORMAT,
   PATHS_SHAPE,
   PATHS_SAMPLES,
   PATHS_LINEAR,
   PATHS_LEVELS,
   PATHS_TARGET,
   PATHS_VIEWED,
   PATHS_STORAGE,
   PATHS_HOST,
   PATHS_IMAGE_CHOICES,
   PATHS_WRITER = PATHS_IMAGE_CHOICES,
   PATHS_READER,
   PATHS_CHOICES
};
enum { PATHS_WRITERS = 7, PATHS_READERS = 6 };
extern const struct choice paths_table[PATHS_CHOICES];

/* The kind of image that has these choices, without a size. False: there is none, or the device does not offer it. */
bool subject_describe(struct vkx *vkx, struct subject *s, const unsigned chosen[PATHS_IMAGE_CHOICES]);
/* Draws choices of an image that the device offers, of `images`, in which pairs meet that have not met. */
void subject_choose(struct vkx *vkx, struct choices *images, uint32_t number);
/* Of random size. */
void subject_create(struct vkx *vkx, struct subject *s, const unsigned chosen[PATHS_IMAGE_CHOICES]);
void subject_destroy(struct vkx *vkx, struct subject *s);

/* In elements. */
uint32_t level_width(const struct subject *s, uint32_t level);
uint32_t level_height(const struct subject *s, uint32_t level);
uint32_t level_layers(const struct subject *s, uint32_t level);

struct box whole_level(const struct subject *s, uint32_t level);
struct box choose_box(const struct subject *s);
struct box part_of_box(const struct box *box);
size_t box_B(const struct subject *s, const struct box *box);

/* Changes what the image should hold. */
void randomize_box(struct subject *s, const struct box *box);
void fill_box(struct subject *s, const struct box *box, const VkClearColorValue *color);
void choose_color(const struct subject *s, VkClearColorValue *color);

/* What the box should hold: as bytes without gaps, or as four numbers a sample. */
void gather_box(const struct subject *s, const struct box *box, uint8_t *bytes);
void unpack_box(const struct subject *s, const struct box *box, uint32_t *numbers);
bool box_is(const struct subject *s, const struct box *box, const uint8_t *bytes);
bool box_unpacks_to(const struct subject *s, const struct box *box, const uint32_t *numbers);

/* Of the box, and a buffer that holds nothing else. */
VkBufferImageCopy buffer_copy(const struct subject *s, const struct box *box);

/* The same box in memory of the application, where rows and layers may lie further apart. */
struct host_rows {
   VkBufferImageCopy copy; /* the image's side of it */
   uint32_t length_px, height_px;
   size_t row_B, layer_B;
};
struct host_rows host_rows_of(const struct subject *s, const struct box *box);
void gather_rows(const struct subject *s, const struct box *box, const struct host_rows *rows, uint8_t *bytes);

/* The same through the mapped memory of a linear image. */
void write_mapped(const struct subject *s, const struct box *box);
bool mapped_is(const struct subject *s, const struct box *box);

/* The processor takes a level out of the twin as it lies in memory, and puts it into the image. */
void host_as_it_lies(struct vkx *vkx, const struct subject *s, const struct vkt_image *twin, uint32_t level);

/* An image that the box fits into, in another layout. */
struct helper {
   struct vkt_image image;
   VkBufferImageCopy whole; /* what the box becomes in it, and a buffer */
   VkImageCopy in, out;     /* to the subject, from the subject */
};
struct helper helper_create(struct vkx *vkx, const struct subject *s, const struct box *box);

/* The layers of the box as a target. */
struct target {
   VkImageView view;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
};
struct target target_create(struct vkx *vkx, const struct subject *s, const struct box *box, bool clears);
void target_destroy(struct vkx *vkx, struct target *target);

#endif
