#include "image_reference.h"

#include <math.h>
#include <string.h>

/* Nearer to a tie than this nobody has to agree. */
#define TIE 4e-3

static int
least(int a, int b)
{
   return a < b ? a : b;
}

int
ref_level_size(const struct ref_image *image, unsigned level, unsigned dim)
{
   const int size = dim < image->dims ? image->size[dim] >> level : 1;
   return size ? size : 1;
}

double
ref_texel(const struct ref_image *image, unsigned level, int x, int y, int z, unsigned layer, unsigned channel)
{
   const unsigned hash =
      ((unsigned)x * 7 + (unsigned)y * 13 + (unsigned)z * 29 + level * 23 + layer * 37 + channel * 17) * 0x9e3779b1u;
   (void)image;
   return (double)(hash >> 26) / 64;
}

/* ---- cubes ---- */

struct face {
   unsigned index;
   double s, t, m;       /* sc, tc, |rc| */
   int axis[3], sign[3]; /* which coordinate sc, tc and rc are, and their signs */
};

/* Table "Cube map face and coordinate selection". */
static const struct {
   int axis[3], sign[3];
} rows[6] = {{{2, 1, 0}, {-1, -1, 1}}, {{2, 1, 0}, {1, -1, -1}}, {{0, 2, 1}, {1, 1, 1}},
             {{0, 2, 1}, {1, -1, -1}}, {{0, 1, 2}, {1, -1, 1}},  {{0, 1, 2}, {-1, -1, -1}}};

void
ref_cube_direction(unsigned face, double sc, double tc, double m, double out[3])
{
   const double parts[3] = {sc, tc, m};
   for (unsigned i = 0; i < 3; i++)
      out[rows[face].axis[i]] = rows[face].sign[i] * parts[i];
}

static struct face
face_of(const double c[3])
{
   unsigned major = 0;
   for (unsigned i = 1; i < 3; i++) {
      if (fabs(c[i]) >= fabs(c[major]))
         major = i;
   }
   struct face f = {.index = 2 * major + (c[major] < 0)};
   memcpy(f.axis, rows[f.index].axis, sizeof(f.axis));
   memcpy(f.sign, rows[f.index].sign, sizeof(f.sign));
   f.s = f.sign[0] * c[f.axis[0]];
   f.t = f.sign[1] * c[f.axis[1]];
   f.m = fabs(c[major]);
   return f;
}

/* The derivative of a face's coordinates. */
static void
face_slope(const struct face *f, const double d[3], double out[2])
{
   const double ds = f->sign[0] * d[f->axis[0]], dt = f->sign[1] * d[f->axis[1]], dm = f->sign[2] * d[f->axis[2]];
   out[0] = 0.5 * (f->m * ds - f->s * dm) / (f->m * f->m);
   out[1] = 0.5 * (f->m * dt - f->t * dm) / (f->m * f->m);
}

/* ---- level of detail ---- */

/* What a pixel covers. */
struct footprint {
   double lambda;
   unsigned probes;
   double along[3]; /* the longer derivative; of a cube's face coordinates */
   bool undefined;
};

static struct footprint
footprint_of(const struct ref_image *image, const struct ref_sampler *sampler, const struct ref_access *access)
{
   double slopes[2][3] = {{0}}, rho[2] = {0, 0};
   const double *const given[2] = {access->ddx, access->ddy};
   const struct face face = face_of(access->coord);
   if (access->has_lod)
      return (struct footprint){.lambda = access->lod, .probes = 1};
   for (unsigned i = 0; i < 2; i++) {
      if (image->is_cube)
         face_slope(&face, given[i], slopes[i]);
      else
         memcpy(slopes[i], given[i], sizeof(slopes[i]));
      for (unsigned d = 0; d < image->dims; d++)
         rho[i] += pow(slopes[i][d] * image->size[d], 2);
   }
   const double longer = sqrt(fmax(rho[0], rho[1])), shorter = sqrt(fmin(rho[0], rho[1]));
   const double eta = sampler->max_anisotropy > 0 ? fmin(longer / shorter, sampler->max_anisotropy) : 1;
   struct footprint f = {.lambda = log2(longer / eta),
                         .probes = (unsigned)ceil(eta - 1.0 / 64),
                         .undefined = fabs(eta - floor(eta) - 1.0 / 64) < 0.01};
   memcpy(f.along, slopes[rho[0] < rho[1]], sizeof(f.along));
   return f;
}

void
ref_lod(const struct ref_image *image, const struct ref_sampler *sampler, const struct ref_access *access,
        double *free_lod, double *clamped)
{
   *free_lod = footprint_of(image, sampler, access).lambda + sampler->bias + access->bias;
   *clamped = fmin(fmax(*free_lod, sampler->min_lod), sampler->max_lod);
}

/* ---- texels ---- */

/* Wraps a texel coordinate; -1: the border. */
static int
wrap(VkSamplerAddressMode mode, int i, int size)
{
   const int period = ((i % size) + size) % size, two = ((i % (2 * size)) + 2 * size) % (2 * size);
   switch ((int)mode) {
   case VK_SAMPLER_ADDRESS_MODE_REPEAT:
      return period;
   case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT:
      return two < size ? two : 2 * size - 1 - two;
   case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE:
      return i < 0 ? 0 : least(i, size - 1);
   case VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE:
      return least(i < 0 ? -1 - i : i, size - 1);
   default: /* others: to the border */
      return i < 0 || i >= size ? -1 : i;
   }
}

static bool
compare(VkCompareOp op, double reference, double texel)
{
   /* Bits of the operation: less, equal, greater. */
   return (unsigned)op >> (reference < texel ? 0 : reference > texel ? 2 : 1) & 1;
}

/* A texel after wrapping and comparing; false: a cube's neighbour. */
static bool
wrapped(const struct ref_image *image, const struct ref_sampler *sampler, const struct ref_access *access,
        unsigned level, const int at[3], unsigned layer, double out[4])
{
   /* size: a texel by its coordinates */
   int c[3] = {0, 0, 0};
   bool border = false;
   for (unsigned d = 0; d < image->dims; d++) {
      const int size = ref_level_size(image, level, d);
      if (image->is_cube && (at[d] < 0 || at[d] >= size))
         return false;
      c[d] = wrap(sampler->address[d], at[d], size);
      border |= c[d] < 0;
   }
   for (unsigned i = 0; i < 4; i++)
      out[i] = border ? (i == 3 ? sampler->border_alpha : sampler->border)
                      : ref_texel(image, level, c[0], c[1], c[2], layer, i);
   if (image->is_shadow) {
      out[0] = compare(sampler->compare, access->reference / access->divisor, out[0]);
      out[1] = out[2] = out[3] = 0;
   }
   return true;
}

/* Unnormalized coordinates, and the layer. moved: by this much, in coordinates. */
static unsigned
place(const struct ref_image *image, const struct ref_access *access, const double moved[3], unsigned level,
      double uvw[3])
{
   double coord[3];
   unsigned face_index = 0;
   for (unsigned d = 0; d < 3; d++)
      coord[d] = access->coord[d] / access->divisor;
   if (image->is_cube) {
      const struct face face = face_of(access->coord);
      coord[0] = 0.5 * face.s / face.m + 0.5;
      coord[1] = 0.5 * face.t / face.m + 0.5;
      face_index = face.index;
   }
   for (unsigned d = 0; d < 3; d++)
      uvw[d] = d < image->dims ? (coord[d] + moved[d]) * ref_level_size(image, level, d) : 0.5;
   const unsigned per = image->is_cube ? 6 : 1, last = image->layers / per - 1;
   const double layer = image->is_array ? rint(access->coord[image->is_cube ? 3 : image->dims]) : 0;
   return (unsigned)fmin(fmax(layer, 0), last) * per + face_index;
}

static bool
near_integer(double x)
{
   return fabs(x - rint(x)) < TIE;
}

static struct ref_result
sample_level(const struct ref_image *image, const struct ref_sampler *sampler, const struct ref_access *access,
             const double moved[3], VkFilter filter, unsigned level)
{
   struct ref_result r = {.undefined = false};
   double uvw[3];
   const unsigned layer = place(image, access, moved, level, uvw);
   const bool linear = filter == VK_FILTER_LINEAR;
   for (unsigned corner = 0; corner < (linear ? 1u << image->dims : 1); corner++) {
      int at[3] = {0, 0, 0};
      double weight = 1, texel[4];
      for (unsigned d = 0; d < image->dims; d++) {
         const double x = linear ? uvw[d] - 0.5 : uvw[d];
         const unsigned upper = corner >> d & 1;
         at[d] = (int)floor(x) + (int)upper + access->offset[d];
         r.undefined |= !linear && near_integer(x);
         if (linear)
            weight *= upper ? x - floor(x) : 1 - (x - floor(x));
      }
      r.undefined |= !wrapped(image, sampler, access, level, at, layer, texel);
      for (unsigned i = 0; i < 4 && !r.undefined; i++)
         r.value[i] += weight * texel[i];
   }
   return r;
}

static struct ref_result
sample_moved(const struct ref_image *image, const struct ref_sampler *sampler, const struct ref_access *access,
             const double moved[3])
{
   double free_lod, lod;
   ref_lod(image, sampler, access, &free_lod, &lod);
   const VkFilter filter = lod <= 0 ? sampler->mag : sampler->min;
   const bool uncertain = sampler->mag != sampler->min && fabs(lod) < 0.05;
   const double d = fmin(fmax(lod, 0), image->levels - 1);
   struct ref_result r;
   if (sampler->mip == VK_SAMPLER_MIPMAP_MODE_NEAREST) {
      r = sample_level(image, sampler, access, moved, filter, (unsigned)ceil(d + 0.5) - 1);
      r.undefined |= fabs(d - floor(d) - 0.5) < 0.05;
   } else {
      const unsigned level = (unsigned)d;
      r = sample_level(image, sampler, access, moved, filter, level);
      if (level + 1 < image->levels && d > level) {
         const struct ref_result next = sample_level(image, sampler, access, moved, filter, level + 1);
         for (unsigned i = 0; i < 4; i++)
            r.value[i] += (d - level) * (next.value[i] - r.value[i]);
         r.undefined |= next.undefined;
      }
   }
   r.undefined |= uncertain;
   return r;
}

struct ref_result
ref_sample(const struct ref_image *image, const struct ref_sampler *sampler, const struct ref_access *access)
{
   const struct footprint footprint = footprint_of(image, sampler, access);
   struct ref_result r = {.undefined = footprint.undefined};
   for (unsigned i = 1; i <= footprint.probes; i++) {
      double moved[3];
      for (unsigned d = 0; d < 3; d++)
         moved[d] = footprint.along[d] * (i / (footprint.probes + 1.0) - 0.5);
      const struct ref_result probe = sample_moved(image, sampler, access, moved);
      for (unsigned c = 0; c < 4; c++)
         r.value[c] += probe.value[c] / footprint.probes;
      r.undefined |= probe.undefined;
   }
   return r;
}

struct ref_result
ref_gather(const struct ref_image *image, const struct ref_sampler *sampler, const struct ref_access *access,
           unsigned component, bool four, const int offsets[4][2])
{
   static const int corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
   struct ref_result r = {.undefined = false};
   double uvw[3];
   const unsigned layer = place(image, access, (const double[3]){0, 0, 0}, 0, uvw);
   for (unsigned i = 0; i < 4; i++) {
      int at[3] = {0, 0, 0};
      double texel[4] = {0};
      for (unsigned d = 0; d < 2; d++) {
         at[d] = (int)floor(uvw[d] - 0.5) + (four ? 0 : corners[i][d]) + offsets[four ? i : 0][d];
         r.undefined |= near_integer(uvw[d] - 0.5);
      }
      r.undefined |= !wrapped(image, sampler, access, 0, at, layer, texel);
      r.value[i] = texel[image->is_shadow ? 0 : component];
   }
   return r;
}
