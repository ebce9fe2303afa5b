/* Copies between buffers and images of many formats and shapes, in random regions; the expected bytes are computed
 * here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choices.h"
#include "vkt.h"

struct format {
   VkFormat format;
   uint32_t element_B, block_px; /* of colour or depth; stencil has 1 byte */
};

static const struct format formats[] = {
   {VK_FORMAT_R8_UNORM, 1, 1},
   {VK_FORMAT_R8G8_SNORM, 2, 1},
   {VK_FORMAT_R5G6B5_UNORM_PACK16, 2, 1},
   {VK_FORMAT_R8G8B8A8_UNORM, 4, 1},
   {VK_FORMAT_R8G8B8A8_SRGB, 4, 1},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4, 1},
   {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, 4, 1},
   {VK_FORMAT_R32_SFLOAT, 4, 1},
   {VK_FORMAT_R16G16B16A16_SFLOAT, 8, 1},
   {VK_FORMAT_R32G32_UINT, 8, 1},
   {VK_FORMAT_R32G32B32A32_UINT, 16, 1},
   {VK_FORMAT_BC1_RGB_UNORM_BLOCK, 8, 4},
   {VK_FORMAT_BC3_UNORM_BLOCK, 16, 4},
   {VK_FORMAT_BC4_SNORM_BLOCK, 8, 4},
   {VK_FORMAT_BC7_SRGB_BLOCK, 16, 4},
   {VK_FORMAT_D16_UNORM, 2, 1},
   {VK_FORMAT_D32_SFLOAT, 4, 1},
   {VK_FORMAT_S8_UINT, 1, 1},
   {VK_FORMAT_D32_SFLOAT_S8_UINT, 4, 1},
};
enum { NUM_FORMATS = sizeof(formats) / sizeof(formats[0]) };

/* What an image looks like. */
struct shape {
   const char *name;
   VkImageType type;
   VkExtent3D extent;
   uint32_t levels, layers;
   VkImageTiling tiling;
   bool depth_too; /* also for depth formats */
   bool blocks;    /* compressed formats only, of which views may show the blocks */
};

static const struct shape shapes[] = {
   {"2d", VK_IMAGE_TYPE_2D, {37, 23, 1}, 1, 1, VK_IMAGE_TILING_OPTIMAL, true, false},
   {"2d mips", VK_IMAGE_TYPE_2D, {52, 29, 1}, 6, 1, VK_IMAGE_TILING_OPTIMAL, true, false},
   {"2d array", VK_IMAGE_TYPE_2D, {20, 12, 1}, 3, 5, VK_IMAGE_TILING_OPTIMAL, true, false},
   {"2d large", VK_IMAGE_TYPE_2D, {300, 140, 1}, 1, 2, VK_IMAGE_TILING_OPTIMAL, true, false},
   {"1d array", VK_IMAGE_TYPE_1D, {61, 1, 1}, 4, 3, VK_IMAGE_TILING_OPTIMAL, false, false},
   {"3d", VK_IMAGE_TYPE_3D, {20, 12, 7}, 3, 1, VK_IMAGE_TILING_OPTIMAL, false, false},
   {"3d with all levels", VK_IMAGE_TYPE_3D, {67, 34, 9}, 6, 1, VK_IMAGE_TILING_OPTIMAL, false, false},
   {"3d of blocks", VK_IMAGE_TYPE_3D, {68, 36, 5}, 6, 1, VK_IMAGE_TILING_OPTIMAL, false, true},
   {"3d of one level", VK_IMAGE_TYPE_3D, {21, 9, 5}, 1, 1, VK_IMAGE_TILING_OPTIMAL, false, false},
   {"linear", VK_IMAGE_TYPE_2D, {37, 23, 1}, 1, 1, VK_IMAGE_TILING_LINEAR, false, false},
};
enum { NUM_SHAPES = sizeof(shapes) / sizeof(shapes[0]), MAX_LEVELS = 6 };

/* Around what RADV 22.3.6 gets wrong: it takes 1 for the image height of 1D images in buffers, and copies one slice
 * of those that go from an array to a 3D image; into compressed ones only the first layer arrives. */
static bool radv;

#define BUFFER_B (2u << 20)
#define REGIONS 10
#define IMAGE_COPIES 130 /* enough for all pairs of choices */

struct subject {
   const struct format *format;
   const struct shape *shape;
   struct vkt_image image;
   uint8_t *bytes[2][MAX_LEVELS]; /* what the image must hold: of colour or depth, of stencil */
};

struct size {
   uint32_t width, height, slices;
};

static uint32_t
minify(uint32_t size, uint32_t level)
{
   return size >> level ? size >> level : 1;
}

/* Texels of a level; slices are layers or depth. */
static struct size
level_px(const struct shape *shape, uint32_t level)
{
   return (struct size){
      minify(shape->extent.width, level),
      minify(shape->extent.height, level),
      shape->type == VK_IMAGE_TYPE_3D ? minify(shape->extent.depth, level) : shape->layers,
   };
}

static struct size
level_el(const struct subject *s, uint32_t level)
{
   struct size px = level_px(s->shape, level);
   uint32_t block = s->format->block_px;
   return (struct size){(px.width + block - 1) / block, (px.height + block - 1) / block, px.slices};
}

static bool
is_depth(const struct format *format)
{
   return vkt_aspects(format->format) != VK_IMAGE_ASPECT_COLOR_BIT;
}

static VkImageAspectFlags
aspect_bit(const struct format *format, uint32_t plane)
{
   return plane              ? VK_IMAGE_ASPECT_STENCIL_BIT
          : is_depth(format) ? VK_IMAGE_ASPECT_DEPTH_BIT
                             : VK_IMAGE_ASPECT_COLOR_BIT;
}

/* 0: the format has no such plane. */
static uint32_t
plane_B(const struct format *format, uint32_t plane)
{
   VkImageAspectFlags aspects = vkt_aspects(format->format);
   if (plane)
      return aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? 1 : 0;
   return aspects == VK_IMAGE_ASPECT_STENCIL_BIT ? 0 : format->element_B;
}

static VkImageCreateInfo
image_info(const struct format *format, const struct shape *shape)
{
   return (VkImageCreateInfo){.flags = shape->blocks ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT |
                                                          VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT
                                                     : 0,
                              .imageType = shape->type,
                              .format = format->format,
                              .extent = shape->extent,
                              .mipLevels = shape->levels,
                              .arrayLayers = shape->layers,
                              .tiling = shape->tiling,
                              .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
}

static bool
is_offered(const struct vkx *vkx, const struct format *format, const struct shape *shape)
{
   const VkImageCreateInfo info = image_info(format, shape);
   VkImageFormatProperties properties;
   return (shape->depth_too || !is_depth(format)) && (format->block_px > 1 || !shape->blocks) &&
          vkGetPhysicalDeviceImageFormatProperties(vkx->physical, info.format, info.imageType, info.tiling,
                                                   info.usage, info.flags, &properties) == VK_SUCCESS;
}

static void
subject_create(struct vkx *vkx, struct subject *s, const struct format *format, const struct shape *shape)
{
   *s = (struct subject){
      .format = format, .shape = shape, .image = vkt_image_create(vkx, image_info(format, shape), false)};
   for (uint32_t plane = 0; plane < 2; plane++) {
      for (uint32_t level = 0; level < shape->levels; level++) {
         struct size size = level_el(s, level);
         s->bytes[plane][level] = calloc(size.width * size.height * size.slices, 16);
      }
   }
}

static void
subject_destroy(struct vkx *vkx, struct subject *s)
{
   vkt_image_destroy(vkx, &s->image);
   for (uint32_t i = 0; i < 2 * MAX_LEVELS; i++)
      free(s->bytes[i / MAX_LEVELS][i % MAX_LEVELS]);
}

static uint8_t *
element(const struct subject *s, uint32_t plane, uint32_t level, uint32_t x, uint32_t y, uint32_t slice)
{
   struct size size = level_el(s, level);
   return s->bytes[plane][level] + ((size_t)(slice * size.height + y) * size.width + x) * plane_B(s->format, plane);
}

/* ---- choices ---- */

enum kind { PLAIN_1, PLAIN_2, PLAIN_4, PLAIN_8, PLAIN_16, BLOCKS_8, BLOCKS_16, DEPTH, KINDS }; /* bytes of elements */
enum { KIND, SHAPE, TO_IMAGE, PADDED, UNALIGNED, BUFFER_CHOICES };
enum { SRC_KIND, SRC_SHAPE, DST_KIND, DST_SHAPE, OTHER_FORMAT, IMAGE_CHOICES };

static const struct choice buffer_table[BUFFER_CHOICES] = {[KIND] = {"kind", KINDS, .found = true},
                                                           [SHAPE] = {"shape", NUM_SHAPES, .found = true},
                                                           [TO_IMAGE] = {"to the image", 2, .found = true},
                                                           [PADDED] = {"padded", 2, .found = true},
                                                           [UNALIGNED] = {"at no word", 2, .found = true}};
static const struct choice image_table[IMAGE_CHOICES] = {
   [SRC_KIND] = {"source of kind", KINDS, .found = true},
   [SRC_SHAPE] = {"source of shape", NUM_SHAPES, .found = true},
   [DST_KIND] = {"destination of kind", KINDS, .found = true},
   [DST_SHAPE] = {"destination of shape", NUM_SHAPES, .found = true},
   [OTHER_FORMAT] = {"another format", 2, .found = true}};
/* By what the device offers */
static struct choices buffer_possible = {.table = buffer_table, .count = BUFFER_CHOICES};
static struct choices image_possible = {.table = image_table, .count = IMAGE_CHOICES};
static struct choices buffer_pairs = {.table = buffer_table, .count = BUFFER_CHOICES, .possible = &buffer_possible};
static struct choices image_pairs = {.table = image_table, .count = IMAGE_CHOICES, .possible = &image_possible};
static bool offered[NUM_FORMATS][NUM_SHAPES];

static enum kind
kind_of(const struct format *format)
{
   if (is_depth(format))
      return DEPTH;
   if (format->block_px > 1)
      return format->element_B == 8 ? BLOCKS_8 : BLOCKS_16;
   return (enum kind)__builtin_ctz(format->element_B);
}

/* Copies between images take no part of a compressed level that ends within a block. */
static bool
has_whole_blocks(const struct format *format, const struct shape *shape, uint32_t level)
{
   const struct size px = level_px(shape, level);
   return px.width % format->block_px == 0 && px.height % format->block_px == 0;
}

static bool
can_copy(const unsigned src[2], const unsigned dst[2])
{
   const struct format *from = &formats[src[0]], *to = &formats[dst[0]];
   const struct shape *src_shape = &shapes[src[1]], *dst_shape = &shapes[dst[1]];
   return offered[src[0]][src[1]] && offered[dst[0]][dst[1]] &&
          (src_shape->type == VK_IMAGE_TYPE_1D) == (dst_shape->type == VK_IMAGE_TYPE_1D) &&
          (from == to || (!is_depth(from) && !is_depth(to) && from->element_B == to->element_B)) &&
          has_whole_blocks(from, src_shape, 0) && has_whole_blocks(to, dst_shape, 0);
}

static void
set_image_choices(struct choices *c, const unsigned src[2], const unsigned dst[2])
{
   c->now[SRC_KIND] = kind_of(&formats[src[0]]);
   c->now[SRC_SHAPE] = src[1];
   c->now[DST_KIND] = kind_of(&formats[dst[0]]);
   c->now[DST_SHAPE] = dst[1];
   c->now[OTHER_FORMAT] = src[0] != dst[0];
}

static void
count_buffer_copy(struct choices *c, const struct format *format, const struct shape *shape, bool to_image,
                  bool padded, bool unaligned)
{
   c->now[KIND] = kind_of(format);
   c->now[SHAPE] = (unsigned)(shape - shapes);
   c->now[TO_IMAGE] = to_image;
   c->now[PADDED] = padded;
   c->now[UNALIGNED] = unaligned;
   choices_count(c);
}

static bool
may_be_unaligned(const struct format *format)
{
   return !is_depth(format) && format->element_B < 4;
}

static void
count_possible(const struct vkx *vkx)
{
   enum { ALL = NUM_FORMATS * NUM_SHAPES };
   for (unsigned i = 0; i < ALL; i++)
      offered[i / NUM_SHAPES][i % NUM_SHAPES] = is_offered(vkx, &formats[i / NUM_SHAPES], &shapes[i % NUM_SHAPES]);
   for (unsigned i = 0; i < ALL; i++) {
      const unsigned src[2] = {i / NUM_SHAPES, i % NUM_SHAPES};
      for (unsigned j = 0; j < ALL; j++) {
         const unsigned dst[2] = {j / NUM_SHAPES, j % NUM_SHAPES};
         if (!can_copy(src, dst))
            continue;
         set_image_choices(&image_possible, src, dst);
         choices_count(&image_possible);
      }
      for (unsigned way = 0; offered[src[0]][src[1]] && way < 8; way++) {
         if (!(way & 4) || may_be_unaligned(&formats[src[0]]))
            count_buffer_copy(&buffer_possible, &formats[src[0]], &shapes[src[1]], way & 1, way & 2, way & 4);
      }
   }
}

/* Of many random copies the one with the most pairs that no copy had. */
static void
choose_copy(unsigned src[2], unsigned dst[2])
{
   unsigned most = 0;
   for (unsigned found = 0; found < 200;) {
      const unsigned from[2] = {vkt_random_below(NUM_FORMATS), vkt_random_below(NUM_SHAPES)};
      const unsigned to[2] = {vkt_random_below(NUM_FORMATS), vkt_random_below(NUM_SHAPES)};
      if (!can_copy(from, to))
         continue;
      set_image_choices(&image_pairs, from, to);
      const unsigned count = choices_new_pairs(&image_pairs);
      if (!found++ || count > most) {
         most = count;
         memcpy(src, from, sizeof(from));
         memcpy(dst, to, sizeof(to));
      }
   }
   set_image_choices(&image_pairs, src, dst);
   choices_count(&image_pairs);
}

/* ---- boxes ---- */

/* A box of elements. */
struct box {
   uint32_t plane, level, x, y, slice;
   struct size size;
};

static struct box
whole_level(const struct subject *s, uint32_t plane, uint32_t level)
{
   return (struct box){.plane = plane, .level = level, .size = level_el(s, level)};
}

static struct box
random_box(const struct subject *s, uint32_t plane)
{
   struct box box = {.plane = plane, .level = vkt_random_below(s->shape->levels)};
   struct size size = level_el(s, box.level);
   box.x = vkt_random_below(size.width);
   box.y = vkt_random_below(size.height);
   box.slice = vkt_random_below(size.slices);
   box.size = (struct size){1 + vkt_random_below(size.width - box.x), 1 + vkt_random_below(size.height - box.y),
                            1 + vkt_random_below(size.slices - box.slice)};
   return box;
}

static VkImageSubresourceLayers
box_layers(const struct subject *s, const struct box *box)
{
   bool is_3d = s->shape->type == VK_IMAGE_TYPE_3D;
   return (VkImageSubresourceLayers){aspect_bit(s->format, box->plane), box->level, is_3d ? 0 : box->slice,
                                     is_3d ? 1 : box->size.slices};
}

static VkOffset3D
box_offset(const struct subject *s, const struct box *box)
{
   bool is_3d = s->shape->type == VK_IMAGE_TYPE_3D;
   return (VkOffset3D){(int32_t)(box->x * s->format->block_px), (int32_t)(box->y * s->format->block_px),
                       is_3d ? (int32_t)box->slice : 0};
}

static uint32_t
min(uint32_t a, uint32_t b)
{
   return a < b ? a : b;
}

/* In texels: a box that reaches the edge of a compressed level ends with the texels. */
static VkExtent3D
box_extent(const struct subject *s, const struct box *box)
{
   struct size px = level_px(s->shape, box->level);
   uint32_t block = s->format->block_px;
   return (VkExtent3D){min(box->size.width * block, px.width - box->x * block),
                       min(box->size.height * block, px.height - box->y * block),
                       s->shape->type == VK_IMAGE_TYPE_3D ? box->size.slices : 1};
}

/* Puts a box somewhere after *at in the buffer, with padding. */
static VkBufferImageCopy
place_in_buffer(const struct subject *s, const struct box *box, VkDeviceSize *at, bool to_image)
{
   VkExtent3D extent = box_extent(s, box);
   uint32_t block = s->format->block_px, element_B = plane_B(s->format, box->plane);
   const bool pad = vkt_random_below(3), unaligned = may_be_unaligned(s->format) && vkt_random_below(2);
   count_buffer_copy(&buffer_pairs, s->format, s->shape, to_image, pad, unaligned);
   VkDeviceSize unit = element_B < 4 ? 4 : element_B;
   VkBufferImageCopy copy = {
      .bufferOffset = (*at + unit - 1) / unit * unit + unit * vkt_random_below(4),
      .bufferRowLength = pad ? (box->size.width + vkt_random_below(5)) * block : 0,
      .bufferImageHeight =
         pad && !(radv && s->shape->type == VK_IMAGE_TYPE_1D) ? (box->size.height + vkt_random_below(3)) * block : 0,
      .imageSubresource = box_layers(s, box),
      .imageOffset = box_offset(s, box),
      .imageExtent = extent,
   };
   if (unaligned)
      copy.bufferOffset += element_B;
   uint32_t row = pad ? copy.bufferRowLength / block : box->size.width;
   uint32_t rows = copy.bufferImageHeight ? copy.bufferImageHeight / block : box->size.height;
   *at = copy.bufferOffset + (VkDeviceSize)row * rows * box->size.slices * element_B;
   if (*at > BUFFER_B) {
      printf("the buffer is too small\n");
      exit(1);
   }
   return copy;
}

/* What the copy does, here. */
static void
copy_here(const struct subject *s, const struct box *box, const VkBufferImageCopy *copy, uint8_t *buffer,
          bool to_image)
{
   uint32_t element_B = plane_B(s->format, box->plane), block = s->format->block_px;
   uint32_t row_el = copy->bufferRowLength ? copy->bufferRowLength / block : box->size.width;
   uint32_t rows = copy->bufferImageHeight ? copy->bufferImageHeight / block : box->size.height;
   for (uint32_t z = 0; z < box->size.slices; z++) {
      for (uint32_t y = 0; y < box->size.height; y++) {
         uint8_t *in_image = element(s, box->plane, box->level, box->x, box->y + y, box->slice + z);
         uint8_t *in_buffer = buffer + copy->bufferOffset + (size_t)(z * rows + y) * row_el * element_B;
         memcpy(to_image ? in_image : in_buffer, to_image ? in_buffer : in_image, box->size.width * element_B);
      }
   }
}

/* Random bytes; floats in [0, 1] for depth. */
static void
fill_random(struct vkx_buffer *buffer, bool depth)
{
   uint32_t *words = buffer->map;
   for (uint32_t i = 0; i < BUFFER_B / 4; i++) {
      words[i] = vkt_random();
      if (depth) {
         float unorm = (float)(words[i] >> 8) / 16777215.0f;
         memcpy(&words[i], &unorm, 4);
      }
   }
}

/* Writes all levels of the image, each as one region. */
static void
upload(struct vkx *vkx, struct subject *s, struct vkx_buffer *buffer)
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   VkDeviceSize at = 0;
   fill_random(buffer, is_depth(s->format));
   vkt_transition(cmd, &s->image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   for (uint32_t plane = 0; plane < 2; plane++) {
      for (uint32_t level = 0; level < s->shape->levels && plane_B(s->format, plane); level++) {
         struct box box = whole_level(s, plane, level);
         VkBufferImageCopy copy = place_in_buffer(s, &box, &at, true);
         vkCmdCopyBufferToImage(cmd, buffer->buffer, s->image.image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
         copy_here(s, &box, &copy, buffer->map, true);
      }
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

/* Reads all levels back and compares. */
static void
check(struct vkx *vkx, struct subject *s, struct vkx_buffer *buffer, const char *what)
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   VkDeviceSize at = 0;
   uint8_t *expected = malloc(BUFFER_B);
   memset(buffer->map, 0xcc, BUFFER_B);
   memset(expected, 0xcc, BUFFER_B);
   for (uint32_t plane = 0; plane < 2; plane++) {
      for (uint32_t level = 0; level < s->shape->levels && plane_B(s->format, plane); level++) {
         struct box box = whole_level(s, plane, level);
         VkBufferImageCopy copy = place_in_buffer(s, &box, &at, false);
         vkCmdCopyImageToBuffer(cmd, s->image.image, VK_IMAGE_LAYOUT_GENERAL, buffer->buffer, 1, &copy);
         copy_here(s, &box, &copy, expected, false);
      }
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   const uint8_t *got = buffer->map;
   size_t first = 0;
   while (first < BUFFER_B && got[first] == expected[first])
      first++;
   vkt_expect(first == BUFFER_B, "format %d, %s, %s: byte %zu is %02x, not %02x", s->format->format, s->shape->name,
              what, first, first < BUFFER_B ? got[first] : 0, first < BUFFER_B ? expected[first] : 0);
   free(expected);
}

static uint32_t
random_plane(const struct format *format)
{
   uint32_t plane = vkt_random_below(2);
   return plane_B(format, plane) ? plane : !plane;
}

static void
test_buffer_copies(struct vkx *vkx, const struct format *format, const struct shape *shape, struct vkx_buffer *buffer)
{
   struct subject s;
   subject_create(vkx, &s, format, shape);
   upload(vkx, &s, buffer);
   VkCommandBuffer cmd = vkx_begin(vkx);
   VkDeviceSize at = 0;
   fill_random(buffer, is_depth(format));
   for (unsigned i = 0; i < REGIONS; i++) {
      struct box box = random_box(&s, random_plane(format));
      VkBufferImageCopy copy = place_in_buffer(&s, &box, &at, true);
      vkCmdCopyBufferToImage(cmd, buffer->buffer, s.image.image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
      copy_here(&s, &box, &copy, buffer->map, true);
      vkt_barrier(cmd);
   }
   vkx_submit_and_wait(vkx, cmd);
   check(vkx, &s, buffer, "buffer to image");

   uint8_t *expected = malloc(BUFFER_B);
   cmd = vkx_begin(vkx);
   at = 0;
   memset(buffer->map, 0xee, BUFFER_B);
   memset(expected, 0xee, BUFFER_B);
   for (unsigned i = 0; i < REGIONS; i++) {
      struct box box = random_box(&s, random_plane(format));
      VkBufferImageCopy copy = place_in_buffer(&s, &box, &at, false);
      vkCmdCopyImageToBuffer(cmd, s.image.image, VK_IMAGE_LAYOUT_GENERAL, buffer->buffer, 1, &copy);
      copy_here(&s, &box, &copy, expected, false);
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_expect(!memcmp(buffer->map, expected, BUFFER_B), "format %d, %s: image to buffer", format->format,
              shape->name);
   free(expected);
   subject_destroy(vkx, &s);
}

/* ---- images to images ---- */

static struct box
random_box_of_blocks(const struct subject *s, uint32_t plane)
{
   struct box box = random_box(s, plane);
   while (!has_whole_blocks(s->format, s->shape, box.level))
      box = random_box(s, plane);
   return box;
}

/* A random box of both, of one size. */
static void
random_pair(const struct subject *src, const struct subject *dst, struct box *from, struct box *to)
{
   uint32_t plane = random_plane(src->format);
   *from = random_box_of_blocks(src, plane);
   *to = random_box_of_blocks(dst, plane);
   from->size.width = to->size.width = min(from->size.width, to->size.width);
   from->size.height = to->size.height = min(from->size.height, to->size.height);
   from->size.slices = to->size.slices = min(from->size.slices, to->size.slices);
   if (radv && src->shape->type != VK_IMAGE_TYPE_3D && dst->shape->type == VK_IMAGE_TYPE_3D) {
      from->size.slices = to->size.slices = 1;
      from->slice = dst->format->block_px > 1 ? 0 : from->slice;
   }
}

static void
copy_boxes_here(const struct subject *src, const struct subject *dst, const struct box *from, const struct box *to,
                uint32_t plane)
{
   for (uint32_t z = 0; z < from->size.slices; z++) {
      for (uint32_t y = 0; y < from->size.height; y++)
         memcpy(element(dst, plane, to->level, to->x, to->y + y, to->slice + z),
                element(src, plane, from->level, from->x, from->y + y, from->slice + z),
                from->size.width * plane_B(src->format, plane));
   }
}

static void
test_image_copies(struct vkx *vkx, const struct format *src_format, const struct shape *src_shape,
                  const struct format *dst_format, const struct shape *dst_shape, struct vkx_buffer *buffer)
{
   struct subject src, dst;
   char what[80];
   subject_create(vkx, &src, src_format, src_shape);
   subject_create(vkx, &dst, dst_format, dst_shape);
   upload(vkx, &src, buffer);
   upload(vkx, &dst, buffer);
   VkCommandBuffer cmd = vkx_begin(vkx);
   for (unsigned i = 0; i < REGIONS; i++) {
      struct box from, to;
      random_pair(&src, &dst, &from, &to);
      VkImageCopy copy = {
         .srcSubresource = box_layers(&src, &from),
         .srcOffset = box_offset(&src, &from),
         .dstSubresource = box_layers(&dst, &to),
         .dstOffset = box_offset(&dst, &to),
         .extent = box_extent(&src, &from),
      };
      if (dst_shape->type == VK_IMAGE_TYPE_3D)
         copy.extent.depth = from.size.slices;
      bool both = plane_B(src_format, 0) && plane_B(src_format, 1) && vkt_random_below(2);
      if (both)
         copy.srcSubresource.aspectMask = copy.dstSubresource.aspectMask = vkt_aspects(src_format->format);
      vkCmdCopyImage(cmd, src.image.image, VK_IMAGE_LAYOUT_GENERAL, dst.image.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                     &copy);
      copy_boxes_here(&src, &dst, &from, &to, from.plane);
      if (both)
         copy_boxes_here(&src, &dst, &from, &to, !from.plane);
      vkt_barrier(cmd);
   }
   vkx_submit_and_wait(vkx, cmd);
   snprintf(what, sizeof(what), "copied from format %d, %s", src_format->format, src_shape->name);
   check(vkx, &dst, buffer, what);
   subject_destroy(vkx, &src);
   subject_destroy(vkx, &dst);
}

/* ---- buffers ---- */

static void
test_buffers(struct vkx *vkx, struct vkx_buffer *src, struct vkx_buffer *dst)
{
   uint8_t *expected = malloc(BUFFER_B), data[8192];
   fill_random(src, false);
   memset(dst->map, 0x77, BUFFER_B);
   memset(expected, 0x77, BUFFER_B);
   VkCommandBuffer cmd = vkx_begin(vkx);
   for (unsigned i = 0; i < 40; i++) {
      VkDeviceSize at = vkt_random_below(BUFFER_B - 8192) & ~3u, size = (1 + vkt_random_below(2047)) * 4;
      VkBufferCopy copies[2] = {
         {vkt_random_below(BUFFER_B / 2), vkt_random_below(BUFFER_B / 2 - 300000), 1 + vkt_random_below(300000)},
         {vkt_random_below(4096), BUFFER_B / 2 + vkt_random_below(4096), 1 + vkt_random_below(70)},
      };
      switch (i % 4) {
      case 0:
         vkCmdFillBuffer(cmd, dst->buffer, at, i == 4 ? VK_WHOLE_SIZE : size, 0x12345678u + i);
         for (VkDeviceSize b = 0; b < (i == 4 ? BUFFER_B - at : size); b++)
            expected[at + b] = (uint8_t)((0x12345678u + i) >> (b % 4 * 8));
         break;
      case 1:
         for (unsigned b = 0; b < size; b++)
            data[b] = (uint8_t)vkt_random();
         vkCmdUpdateBuffer(cmd, dst->buffer, at, size, data);
         memcpy(expected + at, data, size);
         break;
      default:
         vkCmdCopyBuffer(cmd, src->buffer, dst->buffer, 2, copies);
         for (unsigned c = 0; c < 2; c++)
            memcpy(expected + copies[c].dstOffset, (uint8_t *)src->map + copies[c].srcOffset, copies[c].size);
         break;
      }
      vkt_barrier(cmd);
   }
   vkx_submit_and_wait(vkx, cmd);
   vkt_expect(!memcmp(dst->map, expected, BUFFER_B), "fills, updates and copies of buffers");
   free(expected);
}

/* Bytes that the host writes into a linear image by its layout. */
static void
test_linear_layout(struct vkx *vkx, struct vkx_buffer *buffer)
{
   struct vkt_image image = vkt_image_create(vkx,
                                             (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                                                 .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                                 .extent = {37, 23, 1},
                                                                 .tiling = VK_IMAGE_TILING_LINEAR,
                                                                 .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                                                 .initialLayout = VK_IMAGE_LAYOUT_PREINITIALIZED},
                                             true);
   const VkImageSubresource subresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                   .imageExtent = {37, 23, 1}};
   VkSubresourceLayout layout;
   uint8_t *map, expected[37 * 23 * 4];
   vkGetImageSubresourceLayout(vkx->device, image.image, &subresource, &layout);
   vkx_check(vkMapMemory(vkx->device, image.memory, 0, VK_WHOLE_SIZE, 0, (void **)&map), "vkMapMemory");
   for (unsigned i = 0; i < sizeof(expected); i++)
      expected[i] = (uint8_t)vkt_random();
   for (unsigned y = 0; y < 23; y++)
      memcpy(map + layout.offset + y * layout.rowPitch, expected + y * 37 * 4, 37 * 4);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_PREINITIALIZED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdCopyImageToBuffer(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, buffer->buffer, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_expect(!memcmp(buffer->map, expected, sizeof(expected)), "a linear image written by the host");
   vkt_image_destroy(vkx, &image);
}

int
main(int argc, char **argv)
{
   radv = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   struct vkx vkx = vkt_create("copies");
   struct vkx_buffer buffer = vkt_buffer_create(&vkx, BUFFER_B, 0), other = vkt_buffer_create(&vkx, BUFFER_B, 0);
   count_possible(&vkx);
   for (unsigned f = 0; f < NUM_FORMATS; f++) {
      for (unsigned s = 0; s < NUM_SHAPES; s++) {
         if (offered[f][s])
            test_buffer_copies(&vkx, &formats[f], &shapes[s], &buffer);
      }
   }
   for (unsigned i = 0; i < IMAGE_COPIES; i++) {
      unsigned src[2], dst[2];
      choose_copy(src, dst);
      test_image_copies(&vkx, &formats[src[0]], &shapes[src[1]], &formats[dst[0]], &shapes[dst[1]], &buffer);
   }
   vkt_expect(!choices_missing(&buffer_pairs, stdout), "a pair of choices is in no copy with a buffer");
   vkt_expect(!choices_missing(&image_pairs, stdout), "a pair of choices is in no copy between images");
   test_buffers(&vkx, &buffer, &other);
   test_linear_layout(&vkx, &buffer);
   vkx_buffer_destroy(&vkx, &buffer);
   vkx_buffer_destroy(&vkx, &other);
   return vkt_finish(&vkx);
}
