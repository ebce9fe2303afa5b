/* examples/oit: translucent triangles, blended in their order. What its files share. */
#ifndef OIT_H
#define OIT_H

#include <stdbool.h>
#include <stdint.h>

#define OIT_LAYERS 4 /* of the k-buffer; also in shaders/oit.frag */
#define OIT_TEXELS 64 /* side of the texture; also in shaders/oit.frag */

/* A vertex as the shader reads it; paint and depth are equal in the three vertices of a triangle. Planes: value at
 * pixel (0, 0), step by x, step by y, modulo 2^32. */
struct oit_vertex {
   int32_t x, y;        /* 1/256 pixel */
   uint32_t colour;     /* R 7:0, G 15:8, B 23:16 */
   uint32_t opacity[3]; /* plane; bits 23:16 of the value count */
   uint32_t depth[3], unused;
};

struct oit_setup {
   uint32_t width, height, samples, triangles;
   bool kbuffer, textured;
   /* Each pixel also keeps a word that all its samples share: a hash of who was there, in order. Pixel interlock
    * orders invocations that share a pixel and no sample, sample interlock does not. */
   bool history;
};

/* Blossoms of translucent petals, outer petals first; for the k-buffer the triangles come in a shuffled order and
 * their depths tell the same story. 3 vertices each; free() it. */
struct oit_vertex *oit_scene(const struct oit_setup *setup);

/* What lies over the petals with --textured: R, G, B, and in bits 31:24 how much of it. The low 12 bits of a
 * triangle's opacity plane say where on the texture the picture's corner is. */
uint32_t oit_texel(uint32_t x, uint32_t y);

/* The picture and the hash of every pixel as the shaders must leave them, computed in the order of the triangles: two
 * words a pixel; free() it. Coverage: standard sample locations of Vulkan, top-left rule. */
uint32_t *oit_reference(const struct oit_setup *setup, const struct oit_vertex *vertices);

#endif
