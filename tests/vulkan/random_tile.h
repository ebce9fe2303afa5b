/* Random tiles: what the programs that draw or copy at random share. A tile is everything that one seed does; what it
 * leaves in memory goes into a file, or is compared with the file of another driver. */
#ifndef RANDOM_TILE_H
#define RANDOM_TILE_H

#include "choices.h"
#include "vkt.h"

struct random_tile {
   uint32_t seed, state; /* state: of the random numbers */
   bool unsupported;     /* the device cannot do it: nothing was drawn */
   bool strict;          /* choose nothing that makes it vague */
   bool vague;           /* Vulkan leaves the result to the device: only a device of the same kind is compared */
   bool radv_fails;      /* RADV does it in another way, or 22.3 wrong: not compared with a device of the same kind */
   float slack;          /* by how much a value may differ, of 1; besides one code of its format */
   uint32_t pixels;      /* as many texels may differ more */
   char text[2048];      /* what it does */
};

struct random_program {
   const char *name;
   void (*make)(struct vkx *vkx, struct random_tile *tile);
   void (*finish)(void);
   struct choices *pairs; /* of choices that tiles had which the device can do; `make` counts */
};

/* PROGRAM [--seed FIRST] [--count N] [-o FILE | --against FILE] [--same] [--pairs] [--verbose]: runs `make` for each
 * seed, and `finish`. --same: the file is from the same kind of device. --pairs: fail if two choices that can meet
 * never did. The exit status. */
int random_tiles_main(int argc, char **argv, const struct random_program *program);

/* Below a limit that is not 0. */
uint32_t rnd(struct random_tile *tile, uint32_t limit);
/* True in `percent` of the cases. */
bool chance(struct random_tile *tile, uint32_t percent);
#define PICK(tile, array) (array)[rnd(tile, sizeof(array) / sizeof((array)[0]))]

/* Adds to the tile's text. */
void say(struct random_tile *tile, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The tile is unsupported unless the device has it. Returns has. */
bool need(struct random_tile *tile, bool has);
/* Does the format have the features with optimal tiling? */
bool random_format_has(struct vkx *vkx, VkFormat format, VkFormatFeatureFlags features);

/* Bytes of a texel of an aspect as copies see it. */
uint32_t texel_size_B(VkFormat format, VkImageAspectFlags aspect);

/* Writes or compares texels without padding, `width` in a row; what: their name. Call it in the same order on every
 * device. */
void tile_result(struct random_tile *tile, const char *what, VkFormat format, VkImageAspectFlags aspect,
                 uint32_t width, uint32_t count, const void *texels); /* size: a picture and its format */

#endif
