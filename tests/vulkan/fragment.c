/* What a fragment shader is given: every kind of interpolation, coordinates, masks and derivatives, at 1 to 8
 * samples, with a shader a pixel and a shader a sample; each value against planes that the CPU computes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "coverage.h"
#include "vkt_draw.h"

static const uint32_t vertex_code[] = {
#include "fragment_vert.inc"
};
static const uint32_t pixel_code[] = {
#include "fragment_pixel.inc"
};
static const uint32_t sample_code[] = {
#include "fragment_sample.inc"
};

enum { SIZE_PX = 32, ROWS = 20 };

/* clang-format off */
static const char *const row_names[ROWS] = {
   "gl_SampleID, gl_SamplePosition", "gl_FragCoord", "gl_FrontFacing, gl_SampleMaskIn", "smooth, sample", "flat",
   "noperspective, flat integer", "centroid", "fine derivatives", "coarse derivatives", "derivatives",
   "interpolateAtCentroid", "interpolateAtSample", "interpolateAtSample, index of the lane", "interpolateAtOffset",
   "interpolateAtOffset, offset of the lane", "gl_ClipDistance", "array", "components", "matrix", "block"};
/* clang-format on */

/* Standard sample locations in 1/16 pixel (Vulkan, "Multisampling"). */
static const uint8_t locations[4][8][2] = {
   {{8, 8}},
   {{12, 12}, {4, 4}},
   {{6, 2}, {14, 6}, {2, 10}, {10, 14}},
   {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}},
};

struct push {
   float position[3][4], value[3][2], point_size;
};

/* A triangle in pixels; `back`: the other way round. */
static const struct corner {
   double x, y, z, w, value[2];
} corners[3] = {{-3.25, 2.5, 0.25, 1, {-4, 3}}, {40.5, 5.75, 0.5, 3, {10, -2}}, {8.125, 30.0625, 0.75, 0.5, {1, 20}}};

struct scene {
   unsigned samples_log2, order[3];
   bool per_sample, back;
   struct coverage coverage;
};

struct point {
   double x, y;
};

static double
cross(struct point a, struct point b, struct point c)
{
   return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Weights of the corners at a point of the screen; their sum is 1. */
static void
weights(struct point p, bool perspective, double out[3])
{
   struct point c[3];
   double sum = 0;
   for (unsigned i = 0; i < 3; i++)
      c[i] = (struct point){corners[i].x, corners[i].y};
   for (unsigned i = 0; i < 3; i++) {
      out[i] = cross(c[(i + 1) % 3], c[(i + 2) % 3], p) / cross(c[0], c[1], c[2]);
      if (perspective)
         out[i] /= corners[i].w;
      sum += out[i];
   }
   for (unsigned i = 0; i < 3; i++)
      out[i] /= sum;
}

static struct point
value_at(struct point p, bool perspective)
{
   double w[3];
   struct point value = {0, 0};
   weights(p, perspective, w);
   for (unsigned i = 0; i < 3; i++) {
      value.x += w[i] * corners[i].value[0];
      value.y += w[i] * corners[i].value[1];
   }
   return value;
}

/* The point of the screen with these values of a plane without perspective. */
static struct point
point_of(double u, double v)
{
   const struct point o = value_at((struct point){0, 0}, false), x = value_at((struct point){1, 0}, false),
                      y = value_at((struct point){0, 1}, false);
   const double a = x.x - o.x, b = y.x - o.x, c = x.y - o.y, d = y.y - o.y, det = a * d - b * c;
   return (struct point){((u - o.x) * d - (v - o.y) * b) / det, ((v - o.y) * a - (u - o.x) * c) / det};
}

static bool
near(double got, double want)
{
   return fabs(got - want) <= 2e-4 * fabs(want) + 2e-3;
}

static bool
same(const float *got, struct point want)
{
   return near(got[0], want.x) && near(got[1], want.y);
}

/* Drivers may go from the centre to another point along the derivatives of weights with perspective. */
static bool
roughly_same(const float *got, struct point want)
{
   return fabs(got[0] - want.x) < 0.4 && fabs(got[1] - want.y) < 0.4;
}

static double
curve(double x, double y)
{
   return x * x + 3 * x * y + y * y * y;
}

/* Derivatives along the line `py` and the column `px` of the quad. */
static bool
slopes(const float *got, unsigned x, unsigned y, unsigned px, unsigned py)
{
   const double qx = x & ~1u, qy = y & ~1u;
   const double dx = curve(qx + 1, qy + py) - curve(qx, qy + py), dy = curve(qx + px, qy + 1) - curve(qx + px, qy);
   return near(got[0], dx) && near(got[1], dy) && near(got[2], fabs(dx) + fabs(dy)) && near(got[3], curve(x, y));
}

/* A point of the pixel that the triangle covers; `linear` values say which. */
static bool
is_centroid(const float *smooth, const float *linear, unsigned x, unsigned y)
{
   const struct point p = point_of(linear[0], linear[1]);
   double w[3];
   weights(p, false, w);
   return p.x > x - 0.01 && p.x < x + 1.01 && p.y > y - 0.01 && p.y < y + 1.01 &&
          fmin(fmin(w[0], w[1]), w[2]) > -0.01 && same(smooth, value_at(p, true));
}

static struct point
sample_point(const struct scene *scene, unsigned x, unsigned y, unsigned sample)
{
   const uint8_t *location = locations[scene->samples_log2][sample];
   return (struct point){x + location[0] / 16.0, y + location[1] / 16.0};
}

/* Are the four floats of a row right? mask: what the triangle covers of the pixel. */
static bool
is_right(const struct scene *scene, unsigned row, unsigned x, unsigned y, unsigned s, uint32_t mask, const float *got)
{
   /* size: a flat switch */
   const struct point center = {x + 0.5, y + 0.5}, own = scene->per_sample ? sample_point(scene, x, y, s) : center;
   const struct point smooth = value_at(own, true), linear = value_at(own, false), at_center = value_at(center, true);
   const struct corner *first = &corners[scene->order[0]];
   const unsigned samples = 1u << scene->samples_log2;
   struct point p;
   double w[3], z = 0, w_reciprocal = 0;
   switch (row) {
   case 0:
      return !scene->per_sample || (got[0] == (float)s && near(got[1], own.x - x) && near(got[2], own.y - y));
   case 1:
      weights(own, false, w);
      for (unsigned i = 0; i < 3; i++) {
         z += w[i] * corners[i].z;
         w_reciprocal += w[i] / corners[i].w;
      }
      return near(got[0], own.x) && near(got[1], own.y) && near(got[2], z) && near(got[3], w_reciprocal);
   case 2:
      return got[0] == (float)!scene->back && got[1] == (float)(scene->per_sample ? 1u << s : mask) && got[2] == 0 &&
             got[3] == 7;
   case 3: /* without a qualifier: anywhere in the pixel */
      return (same(got, at_center) || same(got, smooth)) && same(got + 2, smooth);
   case 4:
      return got[0] == (float)first->value[0] && got[1] == (float)first->value[1] && got[2] == 0 &&
             got[3] == (float)0xfeed0000u;
   case 5:
      return (same(got, value_at(center, false)) || same(got, linear)) && got[2] == 0xfeed && got[3] == 0;
   case 6:
   case 10:
      return is_centroid(got, got + 2, x, y);
   case 7:
      return slopes(got, x, y, x & 1, y & 1);
   case 8:
   case 9:
      return slopes(got, x, y, 0, 0) || slopes(got, x, y, 1, 1) || slopes(got, x, y, 0, 1) ||
             slopes(got, x, y, 1, 0) || slopes(got, x, y, x & 1, y & 1);
   case 11:
      return roughly_same(got, value_at(sample_point(scene, x, y, 0), true)) &&
             same(got + 2, value_at(sample_point(scene, x, y, samples - 1), false));
   case 12:
      p = value_at(sample_point(scene, x, y, 0), true);
      return roughly_same(got, value_at(sample_point(scene, x, y, (x + y * 3) % samples), true)) &&
             roughly_same(got + 2, p);
   case 13:
      return roughly_same(got, value_at((struct point){x + 0.75, y + 0.125}, true)) &&
             same(got + 2, value_at((struct point){x, y + 0.9375}, false));
   case 14:
      return roughly_same(got, value_at((struct point){x + 0.25 + x % 5 / 8.0, y + 0.25 + y % 5 / 8.0}, true)) &&
             near(got[2], 2 * at_center.x) && near(got[3], 2 * at_center.y);
   case 15:
      weights(center, true, w);
      z = w[0] * corners[0].w + w[1] * corners[1].w + w[2] * corners[2].w;
      p = (struct point){at_center.x + 100, at_center.y + 100};
      return scene->per_sample || (same(got, p) &&
                                   near(got[2], x % 3 == 0   ? p.x
                                                : x % 3 == 1 ? p.y
                                                             : z) &&
                                   near(got[3], z));
   case 16:
      p = (struct point){at_center.x * (x % 3 + 1), at_center.y * (x % 3 + 1)};
      return scene->per_sample || (same(got, p) && same(got + 2, (struct point){at_center.x * 3, at_center.y * 3}));
   case 17:
      return scene->per_sample || (same(got, (struct point){at_center.x + 1, at_center.y + 1}) &&
                                   same(got + 2, (struct point){at_center.x + 2, at_center.y + 2}));
   case 18:
      return scene->per_sample || (same(got, (struct point){at_center.x + 3, at_center.y + 3}) && near(got[2], 2) &&
                                   near(got[3], at_center.y + (y % 2 ? 3 : 0)));
   default:
      return scene->per_sample ||
             (near(got[0], at_center.x) && same(got + 1, at_center) && near(got[3], at_center.x + at_center.y));
   }
}

static void
check(const struct scene *scene, const float *results)
{
   const unsigned samples = 1u << scene->samples_log2;
   for (unsigned row = 0; row < ROWS; row++) {
      unsigned wrong = 0, covered = 0;
      for (unsigned i = 0; i < SIZE_PX * SIZE_PX * samples; i++) {
         const unsigned s = i % samples, x = i / samples % SIZE_PX, y = i / samples / SIZE_PX;
         const uint32_t mask = coverage_of_pixel(&scene->coverage, scene->samples_log2, x, y);
         const float *got = results + 4 * (row * SIZE_PX * SIZE_PX * samples + i);
         const bool ran = scene->per_sample ? mask >> s & 1 : mask && !s;
         covered += ran;
         if (ran ? is_right(scene, row, x, y, s, mask, got) : isnan(got[0]))
            continue;
         if (wrong++ < 2)
            printf("   pixel %u %u sample %u (mask %#x): %g %g %g %g\n", x, y, s, mask, got[0], got[1], got[2],
                   got[3]);
      }
      vkt_expect(!wrong && covered, "%s, %u samples, %s shading, %s: %u of %u", row_names[row], samples,
                 scene->per_sample ? "sample" : "pixel", scene->back ? "back" : "front", wrong, covered);
   }
}

static void
fill_push(const struct scene *scene, struct push *push)
{
   for (unsigned i = 0; i < 3; i++) {
      const struct corner *corner = &corners[scene->order[i]];
      const double position[4] = {(corner->x / (SIZE_PX / 2) - 1) * corner->w,
                                  (corner->y / (SIZE_PX / 2) - 1) * corner->w, corner->z * corner->w, corner->w};
      for (unsigned j = 0; j < 4; j++)
         push->position[i][j] = (float)position[j];
      push->value[i][0] = (float)corner->value[0];
      push->value[i][1] = (float)corner->value[1];
   }
}

static void
draw_case(struct vkx *vkx, unsigned samples_log2, bool per_sample, bool back)
{
   struct scene scene = {samples_log2, {0, back ? 1 : 2, back ? 2 : 1}, per_sample, back, {.left = 0}};
   int32_t xy[3][2];
   for (unsigned i = 0; i < 3; i++) {
      xy[i][0] = (int32_t)(corners[scene.order[i]].x * 256);
      xy[i][1] = (int32_t)(corners[scene.order[i]].y * 256);
   }
   scene.coverage = coverage_setup(xy, SIZE_PX, SIZE_PX);
   const VkSampleCountFlagBits samples = (VkSampleCountFlagBits)(1u << samples_log2);
   struct vkt_target target = vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED,
                                                (VkExtent2D){SIZE_PX, SIZE_PX}, 1, samples);
   struct vkx_buffer out = vkt_buffer_create(vkx, (VkDeviceSize)ROWS * SIZE_PX * SIZE_PX * samples * 16, 0xff);
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_FRAGMENT_BIT);
   struct push push = {.point_size = 1};
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, VK_SHADER_STAGE_VERTEX_BIT, sizeof(push));
   VkDescriptorSet set = vkt_set_create(vkx, set_layout, type, &out);
   const int32_t constants[3] = {SIZE_PX, SIZE_PX, (int32_t)samples};
   const VkSpecializationMapEntry entries[3] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
   VkPipeline pipeline = vkt_pipeline_create(
      vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                       .layout = layout,
                                       .vertex = VKT_CODE(vertex_code),
                                       .fragment = per_sample ? VKT_CODE(sample_code) : VKT_CODE(pixel_code),
                                       .specialization = &(VkSpecializationInfo){3, entries, 12, constants},
                                       .samples = samples});
   fill_push(&scene, &push);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
   vkCmdDraw(cmd, 3, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check(&scene, out.map);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkx_buffer_destroy(vkx, &out);
   vkt_target_destroy(vkx, &target);
}

int
main(void)
{
   struct vkx vkx = vkt_create("fragment");
   const VkSampleCountFlags counts = vkx.properties.limits.framebufferColorSampleCounts;
   for (unsigned samples_log2 = 0; samples_log2 < 4; samples_log2++) {
      if (!(counts >> samples_log2 & 1))
         continue;
      for (unsigned i = 0; i < 4; i++)
         draw_case(&vkx, samples_log2, i & 1, i & 2);
   }
   vkt_sets_destroy(&vkx);
   return vkt_finish(&vkx);
}
