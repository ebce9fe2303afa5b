/* What the libraries share that stand between a program and its window: see frame_gl.c and frame_vk.c. */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The window's width and height: the environment variable FRAME_SIZE, "WIDTHxHEIGHT". */
static inline void
frame_size(unsigned size[2])
{
   const char *text = getenv("FRAME_SIZE");
   if (!text || sscanf(text, "%ux%u", &size[0], &size[1]) != 2) {
      fputs("FRAME_SIZE names no size\n", stderr);
      exit(2);
   }
}

/* FRAME_FILE is not empty. Else frames are drawn, and nobody looks at them: for benchmarks. */
static inline bool
frame_is_wanted(void)
{
   const char *path = getenv("FRAME_FILE");
   return !path || *path;
}

/* Adds a frame, four bytes a pixel, to the file that FRAME_FILE names. True of frame FRAME_COUNT, if that is set: the
 * program is to end. */
static inline bool
frame_write(const void *pixels, size_t size_B)
{
   const char *path = getenv("FRAME_FILE");
   FILE *file = path && *path ? fopen(path, "ab") : NULL;
   if (frame_is_wanted() && (!file || fwrite(pixels, size_B, 1, file) != 1 || fclose(file))) {
      perror("FRAME_FILE");
      exit(2);
   }
   static int written;
   const char *count = getenv("FRAME_COUNT");
   return count && ++written == atoi(count);
}

#endif
