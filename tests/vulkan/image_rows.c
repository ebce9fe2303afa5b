/* Every sampling, fetching, gathering and querying instruction on every kind of image with every set of image
 * operands, in all stages, through four samplers, of whole images and inner views; against the
 * formulas of the specification in image_reference.c. shaders/image_rows.py writes the shaders and their tables. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "image_reference.h"
#include "vkt_draw.h"

enum op { SAMPLE, FETCH, GATHER, SIZE, LEVELS, QUERY_LOD, DERIVATIVE };
enum stage { COMPUTE, VERTEX, FRAGMENT, DEMOTE, NUM_STAGES };
enum mode { MODE_IMPLICIT, MODE_BIAS, MODE_LOD, MODE_GRAD };
enum dim { DIM_1D, DIM_1D_ARRAY, DIM_2D, DIM_2D_ARRAY, DIM_3D, DIM_CUBE, DIM_CUBE_ARRAY, NUM_DIMS };

struct row {
   const char *text;
   enum op op;
   enum dim dim;
   enum mode mode;
   bool shadow, proj;
   unsigned num_offsets; /* numbers */
   int offsets[8];
   unsigned component;
   bool moving; /* the lowest bit of x is added to the offsets */
};

#include "image_rows_comp.inc"
#include "image_rows_demote.inc"
#include "image_rows_frag.inc"
#include "image_rows_vert.inc"
static const uint32_t quad_frag[] = {
#include "quad.frag.inc"
};
static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
enum {
   SIZE_PX = 16,
   PIXELS = SIZE_PX * SIZE_PX,
   MAX_ROWS = 256,
   NUM_TEXTURES = 11,
   NUM_SAMPLERS = 6,
   BINDINGS = 4 + NUM_TEXTURES
};

static const struct {
   const char *name;
   struct vkt_code code;
   const struct row *rows;
   unsigned count;
} stages[NUM_STAGES] = {
   {"compute", {code_comp, sizeof(code_comp)}, rows_comp, ARRAY_SIZE(rows_comp)},
   {"vertex", {code_vert, sizeof(code_vert)}, rows_vert, ARRAY_SIZE(rows_vert)},
   {"fragment", {code_frag, sizeof(code_frag)}, rows_frag, ARRAY_SIZE(rows_frag)},
   {"fragments next to helpers", {code_demote, sizeof(code_demote)}, rows_demote, ARRAY_SIZE(rows_demote)},
};

static const struct ref_image shapes[NUM_DIMS] = {
   [DIM_1D] = {1, false, false, {24, 1, 1}, 1, 5, false},
   [DIM_1D_ARRAY] = {1, false, false, {20, 1, 1}, 3, 4, true},
   [DIM_2D] = {2, false, false, {20, 12, 1}, 1, 5, false},
   [DIM_2D_ARRAY] = {2, false, false, {16, 24, 1}, 4, 4, true},
   [DIM_3D] = {3, false, false, {12, 8, 10}, 1, 4, false},
   [DIM_CUBE] = {2, true, false, {16, 16, 1}, 6, 5, false},
   [DIM_CUBE_ARRAY] = {2, true, false, {8, 8, 1}, 18, 4, true},
};

#define WRAP(mode) VK_SAMPLER_ADDRESS_MODE_##mode
static struct ref_sampler samplers[NUM_SAMPLERS] = {
   {.mag = VK_FILTER_NEAREST,
    .min = VK_FILTER_NEAREST,
    .mip = VK_SAMPLER_MIPMAP_MODE_NEAREST,
    .address = {WRAP(REPEAT), WRAP(REPEAT), WRAP(REPEAT)},
    .max_lod = 16},
   {.mag = VK_FILTER_LINEAR,
    .min = VK_FILTER_LINEAR,
    .mip = VK_SAMPLER_MIPMAP_MODE_LINEAR,
    .address = {WRAP(CLAMP_TO_EDGE), WRAP(MIRRORED_REPEAT), WRAP(CLAMP_TO_EDGE)},
    .max_lod = 16},
   {.mag = VK_FILTER_LINEAR,
    .min = VK_FILTER_NEAREST,
    .mip = VK_SAMPLER_MIPMAP_MODE_LINEAR,
    .address = {WRAP(CLAMP_TO_BORDER), WRAP(CLAMP_TO_BORDER), WRAP(MIRRORED_REPEAT)},
    .bias = 0.3125,
    .max_lod = 16,
    .border = 1,
    .border_alpha = 1},
   {.mag = VK_FILTER_NEAREST,
    .min = VK_FILTER_LINEAR,
    .mip = VK_SAMPLER_MIPMAP_MODE_NEAREST,
    .address = {WRAP(CLAMP_TO_BORDER), WRAP(MIRRORED_REPEAT), WRAP(CLAMP_TO_EDGE)},
    .bias = -0.6875,
    .min_lod = 0.625,
    .max_lod = 2.25},
   {.mag = VK_FILTER_LINEAR,
    .min = VK_FILTER_LINEAR,
    .mip = VK_SAMPLER_MIPMAP_MODE_LINEAR,
    .address = {WRAP(MIRRORED_REPEAT), WRAP(REPEAT), WRAP(REPEAT)},
    .max_lod = 16,
    .max_anisotropy = 2},
   {.mag = VK_FILTER_LINEAR,
    .min = VK_FILTER_LINEAR,
    .mip = VK_SAMPLER_MIPMAP_MODE_LINEAR,
    .address = {WRAP(REPEAT), WRAP(CLAMP_TO_EDGE), WRAP(REPEAT)},
    .bias = 0.25,
    .max_lod = 16,
    .max_anisotropy = 16},
};

/* What the shader reads for a row of a pixel. */
struct input {
   float coord[4], ddx[3], extra, ddy[3], reference;
};

static double
random_in(double low, double high)
{
   return low + (high - low) * vkt_random() / 0x1p32;
}

/* ---- what the shaders read ---- */

/* Away from where a level or a filter changes. */
static double
random_lambda(double low, double levels)
{
   return rint(random_in(low, levels - 0.6)) + (vkt_random() & 1 ? 0.25 : -0.3125);
}

/* Coordinates of a quad whose derivatives give lambda; along x or along y more. */
static void
fill_quad(const struct ref_image *image, bool proj, unsigned qx, unsigned qy, struct input *inputs)
{
   /* A quad has to fit into a face of a cube. */
   const double scale = exp2(random_lambda(-2, image->levels - (image->is_cube ? 1.5 : 0)));
   const double divisor = proj ? (qy & 4 ? 0.5 : 2) : 1;
   const unsigned steep = vkt_random() & 1, face = vkt_random_below(6);
   const double m = image->is_cube ? (vkt_random() & 1 ? 1 : 2) : 1;
   double start[3], slopes[2][3] = {{0}};
   for (unsigned d = 0; d < image->dims; d++) {
      const double unit = image->is_cube ? 2 * m / image->size[d] : 1.0 / image->size[d];
      slopes[d == 0 ? steep : !steep][d] = unit * scale * (d == 0 ? 1 : d == 1 ? 0.5 : 0.125);
      start[d] = random_in(-1, 1.5);
   }
   if (image->is_cube) {
      for (unsigned d = 0; d < 2; d++) {
         const double room = fmax(0.95 * m - fmax(slopes[0][d], slopes[1][d]), 0);
         start[d] = random_in(-room, room) - (slopes[0][d] + slopes[1][d]) / 2;
      }
   }
   for (unsigned i = 0; i < 4; i++) {
      struct input *in = &inputs[(2 * qy + i / 2) * SIZE_PX + 2 * qx + i % 2];
      double c[3] = {0, 0, 0};
      for (unsigned d = 0; d < image->dims; d++)
         c[d] = start[d] + (i & 1 ? slopes[0][d] : 0) + (i & 2 ? slopes[1][d] : 0);
      if (image->is_cube)
         ref_cube_direction(face, c[0], c[1], m, c);
      for (unsigned d = 0; d < 3; d++)
         in->coord[d] = (float)(c[d] * divisor);
      if (proj)
         in->coord[image->dims] = (float)divisor;
   }
}

static void
fill_explicit(const struct ref_image *image, bool proj, bool in_face, struct input *in)
{
   const double divisor = proj ? (vkt_random() & 1 ? 0.5 : -4) : 1, scale = exp2(random_lambda(-2, image->levels));
   double c[3], slopes[2][3] = {{0}};
   for (unsigned d = 0; d < 3; d++)
      c[d] = random_in(-1.5, 2.5);
   if (image->is_cube) {
      const double reach = in_face ? 1 - 1.25 / image->size[0] : 0.98;
      const unsigned face = vkt_random_below(6);
      const double m = random_in(0.5, 3), s = random_in(-reach, reach) * m, t = random_in(-reach, reach) * m;
      ref_cube_direction(face, s, t, m, c);
      /* Along sc, and along tc while m changes in proportion to it. */
      ref_cube_direction(face, 2 * m * scale / image->size[0], 0, 0, slopes[0]);
      ref_cube_direction(face, 0, m * scale / image->size[0], 0, slopes[1]);
   } else {
      for (unsigned d = 0; d < image->dims; d++)
         slopes[d != 0][d] = scale / image->size[d] * (d ? 0.375 : 1);
   }
   const unsigned swap = vkt_random() & 1;
   for (unsigned d = 0; d < 3; d++) {
      in->coord[d] = (float)(c[d] * divisor);
      in->ddx[d] = (float)slopes[swap][d];
      in->ddy[d] = (float)slopes[!swap][d];
   }
   if (proj)
      in->coord[image->dims] = (float)divisor;
}

static void
fill_fetch(const struct ref_image *image, const struct row *row, struct input *in)
{
   const unsigned level = row->mode == MODE_LOD ? vkt_random_below(image->levels) : 0;
   for (unsigned d = 0; d < image->dims; d++) {
      const int at = (int)vkt_random_below((uint32_t)ref_level_size(image, level, d));
      in->coord[d] = (float)(at - (row->num_offsets ? row->offsets[d] : 0));
   }
   if (image->is_array)
      in->coord[image->dims] = (float)vkt_random_below(image->layers);
   in->extra = (float)level;
}

static void
fill_row(const struct row *row, struct input *inputs)
{
   const struct ref_image *image = &shapes[row->dim];
   const bool implicit =
      row->op == QUERY_LOD || row->op == DERIVATIVE || (row->op == SAMPLE && row->mode <= MODE_BIAS);
   for (unsigned quad = 0; quad < PIXELS / 4 && implicit; quad++)
      fill_quad(image, row->proj, quad % 8, quad / 8, inputs);
   for (unsigned i = 0; i < PIXELS; i++) {
      struct input *in = &inputs[i];
      if (row->op == FETCH) {
         fill_fetch(image, row, in);
         continue;
      }
      if (!implicit)
         fill_explicit(image, row->proj, row->op == GATHER, in);
      const unsigned count = image->layers / (image->is_cube ? 6 : 1);
      if (image->is_array)
         in->coord[image->is_cube ? 3 : image->dims] =
            (float)((int)vkt_random_below(count + 2) - 1 + random_in(-0.4, 0.4));
      in->extra = row->op == SIZE          ? (float)vkt_random_below(image->levels)
                  : row->mode == MODE_LOD  ? (float)random_lambda(-2, image->levels + 1)
                  : row->mode == MODE_BIAS ? (float)(vkt_random_below(3) * 0.5 - 0.5)
                                           : 0;
      /* Half of them equal texels. */
      in->reference = (float)vkt_random_below(128) / 128 * (row->proj ? in->coord[image->dims] : 1);
   }
}

/* ---- what they have to write ---- */

static struct ref_access
access_of(const struct row *row, const struct ref_image *image, const struct input *inputs, unsigned pixel)
{
   const struct input *in = &inputs[pixel];
   const unsigned first = pixel & ~(unsigned)(SIZE_PX + 1);
   struct ref_access a = {.divisor = row->proj ? (double)in->coord[image->dims] : 1,
                          .reference = (double)in->reference};
   for (unsigned i = 0; i < 4; i++)
      a.coord[i] = (double)in->coord[i];
   for (unsigned d = 0; d < 3; d++) {
      a.ddx[d] = row->mode == MODE_GRAD ? (double)in->ddx[d]
                                        : (double)(inputs[first + 1].coord[d] - inputs[first].coord[d]) / a.divisor;
      a.ddy[d] = row->mode == MODE_GRAD
                    ? (double)in->ddy[d]
                    : (double)(inputs[first + SIZE_PX].coord[d] - inputs[first].coord[d]) / a.divisor;
      a.offset[d] = d < row->num_offsets ? row->offsets[d] : 0;
   }
   a.has_lod = row->mode == MODE_LOD;
   a.lod = (double)in->extra;
   a.bias = row->mode == MODE_BIAS ? (double)in->extra : 0;
   return a;
}

static struct ref_result
expect_gather(const struct row *row, const struct ref_image *image, const struct ref_sampler *sampler,
              const struct ref_access *access, unsigned pixel)
{
   int offsets[4][2] = {{0}};
   for (unsigned i = 0; i < 8 && row->num_offsets; i++)
      offsets[i / 2][i % 2] = row->offsets[row->num_offsets == 8 ? i : i % 2] + (row->moving && pixel & 1);
   return ref_gather(image, sampler, access, row->component, row->num_offsets == 8, offsets);
}

/* The sampler's bias as a factor of explicit derivatives: the probes of an anisotropic filter lie further apart. */
static void
bias_slopes(struct ref_sampler *sampler, struct ref_access *access)
{
   const double factor = exp2(sampler->bias);
   for (unsigned d = 0; d < 3; d++) {
      access->ddx[d] *= factor;
      access->ddy[d] *= factor;
   }
   sampler->bias = 0;
}

static struct ref_result
expect(const struct row *row, const struct ref_sampler *of, const struct input *inputs, unsigned pixel,
       bool biased_slopes)
{
   struct ref_image image = shapes[row->dim];
   image.is_shadow = row->shadow;
   struct ref_access access = access_of(row, &image, inputs, pixel);
   struct ref_sampler own = *of, *sampler = &own;
   if (row->shadow && sampler->border < 1) /* comparisons have a border of 0 or 1 */
      sampler->border = 0;
   if (biased_slopes)
      bias_slopes(sampler, &access);
   struct ref_result r = {.undefined = false};
   const unsigned dims = image.dims, level = (unsigned)inputs[pixel].extra;
   double free_lod, lod;
   switch (row->op) {
   case SAMPLE:
      return ref_sample(&image, sampler, &access);
   case GATHER:
      return expect_gather(row, &image, sampler, &access, pixel);
   case FETCH:
      for (unsigned i = 0; i < 4; i++) {
         const int x = (int)access.coord[0] + access.offset[0],
                   y = dims > 1 ? (int)access.coord[1] + access.offset[1] : 0;
         const int z = dims > 2 ? (int)access.coord[2] + access.offset[2] : 0;
         r.value[i] = ref_texel(&image, level, x, y, z, image.is_array ? (unsigned)access.coord[dims] : 0, i);
      }
      return r;
   case SIZE:
      for (unsigned d = 0; d < dims; d++)
         r.value[d] = ref_level_size(&image, level, d);
      if (image.is_array)
         r.value[dims] = image.layers / (image.is_cube ? 6 : 1);
      return r;
   case LEVELS:
      r.value[0] = image.levels;
      return r;
   case DERIVATIVE:
      for (unsigned d = 0; d < 3; d++)
         r.value[d] = row->component == 0   ? access.ddx[d]
                      : row->component == 1 ? access.ddy[d]
                                            : fabs(access.ddx[d]) + fabs(access.ddy[d]);
      return r;
   case QUERY_LOD:
      ref_lod(&image, sampler, &access, &free_lod, &lod);
      r.value[0] = fmin(fmax(lod, 0), image.levels - 1);
      r.value[1] = free_lod;
      return r;
   }
   return r;
}

/* The level that OpImageQueryLod tells may be rounded if the sampler takes the nearest one. */
static bool
is_right(const struct row *row, const struct ref_sampler *sampler, const struct ref_result *want, const float *got)
{
   for (unsigned i = 0; i < 4; i++) {
      const double error = fabs((double)got[i] - want->value[i]);
      const bool rounded = row->op == QUERY_LOD && i == 0 && sampler->mip == VK_SAMPLER_MIPMAP_MODE_NEAREST &&
                           (double)got[i] == rint(want->value[i]);
      if (!(error <= (row->op == QUERY_LOD ? 1.0 / 16 : row->op == DERIVATIVE ? 1e-5 : 1.0 / 96)) && !rounded)
         return false;
   }
   return true;
}

static void
print_wrong(const char *stage, const struct row *row, unsigned sampler, unsigned pixel, const struct input *in,
            const float *got, const double *want)
{
   /* size: a pixel and both values */
   printf(
      "   %s, sampler %u, %s: pixel %u, coord %g %g %g %g, extra %g, reference %g: %g %g %g %g, not %g %g %g %g\n",
      stage, sampler, row->text, pixel, (double)in->coord[0], (double)in->coord[1], (double)in->coord[2],
      (double)in->coord[3], (double)in->extra, (double)in->reference, (double)got[0], (double)got[1], (double)got[2],
      (double)got[3], want[0], want[1], want[2], want[3]);
}

/* Pixels that were demoted have written nothing. */
static bool
is_helper(enum stage stage, unsigned pixel)
{
   return stage == DEMOTE && (pixel % SIZE_PX * 5 + pixel / SIZE_PX * 3) % 7 < 3;
}

static void
check(enum stage stage, unsigned sampler, const struct input *inputs, const float (*got)[4])
{
   for (unsigned r = 0; r < stages[stage].count; r++) {
      const struct row *row = &stages[stage].rows[r];
      const struct input *in = inputs + r * PIXELS;
      unsigned wrong = 0, defined = 0;
      /* Whether a gather from the base level looks at minLod is nowhere said. */
      if (row->op == GATHER && samplers[sampler].min_lod > 0)
         continue;
      for (unsigned i = 0; i < PIXELS; i++) {
         const struct ref_result want = expect(row, &samplers[sampler], in, i, false);
         const float *g = got[r * PIXELS + i];
         if (want.undefined && !is_helper(stage, i))
            continue;
         defined++;
         if (is_helper(stage, i) ? isnan(g[0]) : is_right(row, &samplers[sampler], &want, g))
            continue;
         /* Where probes lie is an example of the specification: hardware without a bias of samplers scales. */
         const struct ref_result other = expect(row, &samplers[sampler], in, i, row->mode == MODE_GRAD);
         if (!is_helper(stage, i) && (other.undefined || is_right(row, &samplers[sampler], &other, g)))
            continue;
         if (wrong++ < 2)
            print_wrong(stages[stage].name, row, sampler, i, &in[i], g, want.value);
      }
      vkt_expect(!wrong && defined > PIXELS / 16, "%s, sampler %u, %s: %u of %u pixels", stages[stage].name, sampler,
                 row->text, wrong, defined);
   }
}

/* ---- images ---- */

struct texture {
   struct vkt_image image;
   VkImageView view;
};

/* Layers before and after those of an inner view. */
static uint32_t
spare_layers(const struct ref_image *ref, bool inner)
{
   return !inner || ref->dims == 3 ? 0 : ref->is_cube ? 6 : 1;
}

static void
fill_image(struct vkx *vkx, const struct ref_image *ref, const struct vkt_image *image, bool shadow, bool inner)
{
   struct vkx_buffer buffer = vkt_buffer_create(vkx, 1 << 18, 0);
   VkBufferImageCopy copies[REF_MAX_LEVELS];
   unsigned n = 0; /* texels */
   for (unsigned level = 0; level < ref->levels; level++) {
      const int w = ref_level_size(ref, level, 0), h = ref_level_size(ref, level, 1),
                d = ref_level_size(ref, level, 2);
      copies[level] =
         (VkBufferImageCopy){.bufferOffset = n * (shadow ? 4 : 8),
                             .imageSubresource = {shadow ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT,
                                                  level + inner, spare_layers(ref, inner), ref->layers},
                             .imageExtent = {(uint32_t)w, (uint32_t)h, (uint32_t)d}};
      for (int i = 0; i < w * h * d * (int)ref->layers; i++, n++) {
         const int x = i % w, y = i / w % h, z = ref->dims == 3 ? i / (w * h) : 0;
         for (unsigned c = 0; c < 4; c++) {
            const double value = ref_texel(ref, level, x, y, z, ref->dims == 3 ? 0 : (unsigned)(i / (w * h)), c);
            if (!shadow)
               ((_Float16 *)buffer.map)[4 * n + c] = (_Float16)value;
            else if (c == 0)
               ((float *)buffer.map)[n] = (float)value;
         }
      }
   }
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdCopyBufferToImage(cmd, buffer.buffer, image->image, VK_IMAGE_LAYOUT_GENERAL, ref->levels, copies);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkx_buffer_destroy(vkx, &buffer);
}

/* inner: the view leaves out the first level and layers on both sides. */
static struct texture
create_texture(struct vkx *vkx, enum dim dim, bool shadow, bool inner)
{
   static const VkImageViewType types[NUM_DIMS] = {
      VK_IMAGE_VIEW_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D_ARRAY, VK_IMAGE_VIEW_TYPE_2D,        VK_IMAGE_VIEW_TYPE_2D_ARRAY,
      VK_IMAGE_VIEW_TYPE_3D, VK_IMAGE_VIEW_TYPE_CUBE,     VK_IMAGE_VIEW_TYPE_CUBE_ARRAY};
   const struct ref_image *ref = &shapes[dim];
   const uint32_t spare = spare_layers(ref, inner);
   VkExtent3D extent = {(uint32_t)ref->size[0] << inner, (uint32_t)ref->size[1] << (inner && ref->dims > 1),
                        (uint32_t)ref->size[2] << (inner && ref->dims > 2)};
   struct texture t = {.image = vkt_image_create(
                          vkx,
                          (VkImageCreateInfo){.flags = ref->is_cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
                                              .imageType = ref->dims == 1   ? VK_IMAGE_TYPE_1D
                                                           : ref->dims == 2 ? VK_IMAGE_TYPE_2D
                                                                            : VK_IMAGE_TYPE_3D,
                                              .format = shadow ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_R16G16B16A16_SFLOAT,
                                              .extent = extent,
                                              .mipLevels = ref->levels + inner,
                                              .arrayLayers = ref->layers + 2 * spare,
                                              .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
                          false)};
   fill_image(vkx, ref, &t.image, shadow, inner);
   const VkImageViewCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .image = t.image.image,
      .viewType = types[dim],
      .format = t.image.info.format,
      .subresourceRange = {vkt_aspects(t.image.info.format), inner, ref->levels, spare, ref->layers}};
   vkx_check(vkCreateImageView(vkx->device, &info, NULL, &t.view), "vkCreateImageView");
   return t;
}

static VkSampler
create_sampler(struct vkx *vkx, const struct ref_sampler *ref, bool shadow)
{
   const float border = (float)ref->border;
   const VkSamplerCustomBorderColorCreateInfoEXT color = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
      .customBorderColor = {.float32 = {border, border, border, (float)ref->border_alpha}},
      .format = VK_FORMAT_R32G32B32A32_SFLOAT};
   const bool is_custom = border > 0 && border < 1 && !shadow;
   const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                     .pNext = is_custom ? &color : NULL,
                                     .magFilter = ref->mag,
                                     .minFilter = ref->min,
                                     .mipmapMode = ref->mip,
                                     .addressModeU = ref->address[0],
                                     .addressModeV = ref->address[1],
                                     .addressModeW = ref->address[2],
                                     .mipLodBias = (float)ref->bias,
                                     .compareEnable = shadow,
                                     .compareOp = ref->compare,
                                     .minLod = (float)ref->min_lod,
                                     .maxLod = (float)ref->max_lod,
                                     .anisotropyEnable = ref->max_anisotropy > 0,
                                     .maxAnisotropy = (float)ref->max_anisotropy,
                                     .borderColor = is_custom     ? VK_BORDER_COLOR_FLOAT_CUSTOM_EXT
                                                    : border >= 1 ? VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE
                                                                  : VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK};
   VkSampler sampler;
   vkx_check(vkCreateSampler(vkx->device, &info, NULL, &sampler), "vkCreateSampler");
   return sampler;
}

/* ---- running ---- */

struct scene {
   struct vkx *vkx;
   struct texture textures[2][NUM_TEXTURES]; /* of whole images, and inner ones */
   struct vkx_buffer in, out;
   VkDescriptorSetLayout set_layouts[2]; /* with samplers in the images' descriptors, and separate */
   VkPipelineLayout layouts[2];
   VkDescriptorPool pool;
   VkPipeline pipelines[NUM_STAGES];
   struct vkt_target target;
};

static bool
is_shadow(unsigned texture)
{
   return texture >= NUM_DIMS;
}

/* Two buffers, the images, and maybe two samplers: for colours and for comparisons. */
static VkDescriptorType
type_of(unsigned binding, bool separate)
{
   return binding < 2               ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
          : binding >= BINDINGS - 2 ? VK_DESCRIPTOR_TYPE_SAMPLER
          : separate                ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
                                    : VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

static VkDescriptorSet
create_set(struct scene *s, bool separate, bool inner, const VkSampler pair[2])
{
   const uint32_t count = separate ? BINDINGS : BINDINGS - 2;
   struct vkt_descriptor descriptors[BINDINGS];
   for (unsigned i = 0; i < count; i++) {
      const unsigned texture = i < 2 || i >= BINDINGS - 2 ? 0 : i - 2;
      descriptors[i] =
         (struct vkt_descriptor){type_of(i, separate), .buffer = i & 1 ? s->out.buffer : s->in.buffer,
                                 .view = s->textures[inner][texture].view,
                                 .sampler = i < BINDINGS - 2 ? pair[is_shadow(texture)] : pair[i - (BINDINGS - 2)]};
   }
   return vkt_bindings_create(s->vkx, &s->pool, s->set_layouts[separate], count, descriptors);
}

static void
run_rows(struct scene *s, unsigned sampler, enum stage stage)
{
   static const float white[4] = {1, 1, 1, 1};
   const bool separate = stage <= VERTEX, draws = stage != COMPUTE; /* separate: samplers */
   samplers[sampler].compare = (VkCompareOp)((sampler * NUM_STAGES + stage) % 8);
   const VkSampler pair[2] = {create_sampler(s->vkx, &samplers[sampler], false),
                              create_sampler(s->vkx, &samplers[sampler], true)};
   VkDescriptorSet set = create_set(s, separate, sampler & 1, pair);
   memset(s->in.map, 0, s->in.size);
   memset(s->out.map, 0xff, s->out.size);
   for (unsigned r = 0; r < stages[stage].count; r++)
      fill_row(&stages[stage].rows[r], (struct input *)s->in.map + r * PIXELS);
   const VkPipelineBindPoint point = draws ? VK_PIPELINE_BIND_POINT_GRAPHICS : VK_PIPELINE_BIND_POINT_COMPUTE;
   VkCommandBuffer cmd = vkx_begin(s->vkx);
   vkt_barrier(cmd);
   vkCmdBindPipeline(cmd, point, s->pipelines[stage]);
   vkCmdBindDescriptorSets(cmd, point, s->layouts[separate], 0, 1, &set, 0, NULL);
   if (draws) {
      vkt_target_begin(cmd, &s->target, s->target.pass, VK_SUBPASS_CONTENTS_INLINE);
      if (stage == VERTEX) {
         const struct vkt_quad push = {.color = {1, 1, 1, 1}};
         vkCmdPushConstants(cmd, s->layouts[separate], VKT_QUAD_STAGES, 0, sizeof(push), &push);
         vkCmdDraw(cmd, PIXELS, 1, 0, 0);
      } else {
         vkt_draw_quad(cmd, s->layouts[separate], s->target.extent, 0, 0, SIZE_PX, SIZE_PX, 0, white);
      }
      vkCmdEndRenderPass(cmd);
   } else {
      vkCmdDispatch(cmd, 1, SIZE_PX / 4, 1);
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(s->vkx, cmd);
   check(stage, sampler, s->in.map, s->out.map);
   for (unsigned i = 0; i < 2; i++)
      vkDestroySampler(s->vkx->device, pair[i], NULL);
}

static void
create_layouts(struct scene *s)
{
   VkDescriptorType types[BINDINGS];
   const VkDescriptorPoolSize sizes[4] = {
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 * NUM_STAGES * NUM_SAMPLERS},
      {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, NUM_TEXTURES * NUM_SAMPLERS * 2},
      {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, NUM_TEXTURES * NUM_SAMPLERS * 2},
      {VK_DESCRIPTOR_TYPE_SAMPLER, 2 * 2 * NUM_SAMPLERS}};
   for (unsigned separate = 0; separate < 2; separate++) {
      for (unsigned i = 0; i < BINDINGS; i++)
         types[i] = type_of(i, separate);
      s->set_layouts[separate] =
         vkx_set_layout_create(s->vkx, separate ? BINDINGS : BINDINGS - 2, types, VK_SHADER_STAGE_ALL);
      s->layouts[separate] =
         vkx_pipeline_layout_create(s->vkx, s->set_layouts[separate], VKT_QUAD_STAGES, sizeof(struct vkt_quad));
   }
   const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                            .maxSets = NUM_STAGES * NUM_SAMPLERS,
                                            .poolSizeCount = 4,
                                            .pPoolSizes = sizes};
   vkx_check(vkCreateDescriptorPool(s->vkx->device, &info, NULL, &s->pool), "vkCreateDescriptorPool");
}

/* image_rows [--quirks lavapipe] */
int
main(int argc, char **argv)
{
   vkt_samplers = true;
   struct vkx vkx = vkt_create("image_rows");
   if (vkt_has("VK_EXT_custom_border_color")) {
      samplers[3].border = 0.25;
      samplers[3].border_alpha = 0.625;
   }
   const bool lavapipe = !strcmp(vkx_option(argc, argv, "--quirks", ""), "lavapipe");
   struct scene s = {.vkx = &vkx};
   static const enum dim shadows[NUM_TEXTURES - NUM_DIMS] = {DIM_2D, DIM_2D_ARRAY, DIM_CUBE, DIM_CUBE_ARRAY};
   for (unsigned n = 0; n < 2 * NUM_TEXTURES; n++) {
      const unsigned i = n % NUM_TEXTURES;
      const enum dim dim = is_shadow(i) ? shadows[i - NUM_DIMS] : (enum dim)i;
      s.textures[n / NUM_TEXTURES][i] = create_texture(&vkx, dim, is_shadow(i), n >= NUM_TEXTURES);
   }
   s.in = vkt_buffer_create(&vkx, MAX_ROWS * PIXELS * sizeof(struct input), 0);
   s.out = vkt_buffer_create(&vkx, MAX_ROWS * PIXELS * 16, 0);
   s.target = vkt_target_create(&vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, (VkExtent2D){SIZE_PX, SIZE_PX},
                                1, VK_SAMPLE_COUNT_1_BIT);
   create_layouts(&s);
   s.pipelines[VERTEX] = vkt_pipeline_create(&vkx, &(struct vkt_pipeline_info){.pass = s.target.pass,
                                                                               .layout = s.layouts[1],
                                                                               .vertex = VKT_CODE(code_vert),
                                                                               .fragment = VKT_CODE(quad_frag),
                                                                               .points = true});
   for (unsigned i = FRAGMENT; i < NUM_STAGES; i++)
      s.pipelines[i] = vkt_pipeline_create(&vkx, &(struct vkt_pipeline_info){.pass = s.target.pass,
                                                                             .layout = s.layouts[0],
                                                                             .vertex = VKT_CODE(quad_vert),
                                                                             .fragment = stages[i].code});
   s.pipelines[COMPUTE] =
      vkx_compute_pipeline_create(&vkx, s.layouts[1], vkx_shader_create(&vkx, code_comp, sizeof(code_comp)));
   /* The anisotropic ones do as Vulkan's example, which lavapipe does not. */
   for (unsigned i = 0; i < (lavapipe ? NUM_SAMPLERS - 2 : NUM_SAMPLERS) * NUM_STAGES; i++)
      run_rows(&s, i / NUM_STAGES, (enum stage)(i % NUM_STAGES));
   for (unsigned i = 0; i < NUM_STAGES; i++)
      vkDestroyPipeline(vkx.device, s.pipelines[i], NULL);
   for (unsigned i = 0; i < 2; i++) {
      vkDestroyPipelineLayout(vkx.device, s.layouts[i], NULL);
      vkDestroyDescriptorSetLayout(vkx.device, s.set_layouts[i], NULL);
   }
   vkDestroyDescriptorPool(vkx.device, s.pool, NULL);
   for (unsigned i = 0; i < 2 * NUM_TEXTURES; i++) {
      struct texture *texture = &s.textures[i / NUM_TEXTURES][i % NUM_TEXTURES];
      vkDestroyImageView(vkx.device, texture->view, NULL);
      vkt_image_destroy(&vkx, &texture->image);
   }
   vkx_buffer_destroy(&vkx, &s.in);
   vkx_buffer_destroy(&vkx, &s.out);
   vkt_target_destroy(&vkx, &s.target);
   return vkt_finish(&vkx);
}
