/* The triangles: five blossoms, petals arranged by the golden angle, two triangles a petal. And spots on them. */
#include <math.h>
#include <stdlib.h>

#include "oit.h"

struct point {
   double x, y;
};

struct blossom {
   double x, y, radius;   /* in heights of the picture */
   double share;          /* of all petals */
   uint8_t colours[3][3]; /* at the heart, halfway, at the rim */
};

static const struct blossom blossoms[] = {
   {1.50, 0.30, 0.30, 0.20, {{255, 255, 225}, {120, 215, 255}, {35, 70, 235}}},
   {0.30, 0.70, 0.31, 0.20, {{255, 255, 190}, {120, 235, 150}, {0, 130, 150}}},
   {1.44, 0.83, 0.21, 0.10, {{255, 250, 220}, {225, 170, 255}, {110, 40, 200}}},
   {0.33, 0.19, 0.20, 0.10, {{255, 250, 200}, {255, 190, 90}, {215, 60, 20}}},
   {0.89, 0.50, 0.48, 0.40, {{255, 250, 170}, {255, 140, 95}, {205, 10, 120}}},
};
#define BLOSSOMS (sizeof(blossoms) / sizeof(blossoms[0]))

/* Plane through value a at p and b at q, constant across the line pq. */
static void
plane(uint32_t out[3], struct point p, double a, struct point q, double b)
{
   double dx = q.x - p.x, dy = q.y - p.y, length2 = dx * dx + dy * dy + 1e-9;
   int32_t by_x = (int32_t)((b - a) * dx / length2), by_y = (int32_t)((b - a) * dy / length2);

   out[0] = (uint32_t)(int32_t)a - (uint32_t)by_x * (uint32_t)(int32_t)p.x - (uint32_t)by_y * (uint32_t)(int32_t)p.y;
   out[1] = (uint32_t)by_x;
   out[2] = (uint32_t)by_y;
}

static struct point
polar(struct point centre, double radius, double angle)
{
   return (struct point){centre.x + radius * cos(angle), centre.y + radius * sin(angle)};
}

static uint32_t
mix(const struct blossom *blossom, double t, double shade)
{
   uint32_t colour = 0;

   for (unsigned i = 0; i < 3; i++) {
      const uint8_t(*c)[3] = &blossom->colours[t < 0.5 ? 0 : 1];
      double u = t < 0.5 ? 2 * t : 2 * t - 1, value = (c[0][i] * (1 - u) + c[1][i] * u) * shade;

      colour |= (uint32_t)(value > 255 ? 255 : value) << (8 * i);
   }
   return colour;
}

static void
triangle(struct oit_vertex *out, const struct point p[3], const struct oit_vertex *paint)
{
   for (unsigned i = 0; i < 3; i++) {
      out[i] = *paint;
      out[i].x = (int32_t)lround(p[i].x * 256);
      out[i].y = (int32_t)lround(p[i].y * 256);
   }
}

/* half: 0 left, 1 right. t: 0 at the centre of the blossom, 1 at its rim. depth: greater is farther. */
static void
petal_half(struct oit_vertex *out, const struct blossom *blossom, double height, unsigned index, double t,
           unsigned half, uint32_t depth)
{
   /* size: a half and its place */
   struct point centre = {blossom->x * height, blossom->y * height};
   double radius = blossom->radius * height, heart = (1 - t) * (1 - t), angle = index * 2.399963229728653;
   double length = radius * (0.13 + 0.30 * t), width = length * 0.30, root = radius * (0.74 * t - 0.05);
   struct point base = polar(centre, root, angle), tip = polar(centre, root + length, angle);
   struct point middle = polar(centre, root + 0.62 * length, angle);
   struct point side = polar(middle, half ? width : -width, angle + 1.5707963267948966);
   struct point points[3] = {base, half ? tip : side, half ? side : tip};
   struct oit_vertex paint = {.colour = mix(blossom, t, half ? 0.66 : 1.1)};

   plane(paint.opacity, base, (6 + 150 * heart * heart) * 65536.0, tip, (44 + 130 * heart) * 65536.0);
   plane(paint.depth, base, depth, tip, depth + 600.0);
   triangle(out, points, &paint);
}

static void
shuffle(struct oit_vertex *vertices, uint32_t count)
{
   uint32_t state = 0x2545f491;

   for (uint32_t i = count - 1; i > 0; i--) {
      state = state * 1664525 + 1013904223;
      uint32_t j = (uint32_t)((uint64_t)(state >> 8) * (i + 1) >> 24);

      for (unsigned k = 0; k < 3; k++) {
         struct oit_vertex swap = vertices[3 * i + k];

         vertices[3 * i + k] = vertices[3 * j + k];
         vertices[3 * j + k] = swap;
      }
   }
}

/* Round spots in rows that are shifted against each other, no two texels the same. */
uint32_t
oit_texel(uint32_t x, uint32_t y)
{
   int32_t dx = (int32_t)((x + (y & 16) / 2) & 15) - 8, dy = (int32_t)(y & 15) - 8, far = dx * dx + dy * dy;
   uint32_t much = far < 30 ? 200 - 5 * (uint32_t)far : 2 * (x & 7);

   return (x * 4 + 3) | (255 - y * 2) << 8 | (y * 4) << 16 | much << 24;
}

struct oit_vertex *
oit_scene(const struct oit_setup *setup)
{
   struct oit_vertex *vertices = calloc(setup->triangles, 3 * sizeof(*vertices));
   uint32_t count = 0, halves = setup->triangles;

   if (!vertices)
      abort();
   for (unsigned b = 0; b < BLOSSOMS; b++) {
      uint32_t end = b == BLOSSOMS - 1 ? halves : count + (uint32_t)(blossoms[b].share * halves / 2) * 2,
               petals = (end - count + 1) / 2;

      for (uint32_t i = 0; count < end; i++, count++) {
         uint32_t index = petals - 1 - i / 2;
         double t = sqrt((index + 0.5) / petals);

         petal_half(vertices + 3 * count, &blossoms[b], setup->height, index, t, i & 1,
                    0x1000000 + (halves - count) / 2 * 64);
      }
   }
   if (setup->kbuffer)
      shuffle(vertices, setup->triangles);
   return vertices;
}
