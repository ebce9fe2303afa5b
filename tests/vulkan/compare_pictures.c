/* compare_pictures A.png B.png [MINIMUM%]: how many pixels agree within 2/255 in every channel. Exit status 0 if at
 * least the minimum (default 100), 1 if fewer, 2 if a file cannot be read or the sizes differ. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

static png_byte *
read_png(const char *path, png_image *image)
{
   *image = (png_image){.version = PNG_IMAGE_VERSION};
   if (!png_image_begin_read_from_file(image, path)) {
      fprintf(stderr, "%s: %s\n", path, image->message);
      exit(2);
   }
   image->format = PNG_FORMAT_RGBA;
   png_byte *pixels = malloc(PNG_IMAGE_SIZE(*image));
   if (!pixels || !png_image_finish_read(image, NULL, pixels, 0, NULL)) {
      fprintf(stderr, "%s: cannot be read\n", path);
      exit(2);
   }
   return pixels;
}

int
main(int argc, char **argv)
{
   png_image images[2];
   if (argc != 3 && argc != 4) {
      fprintf(stderr, "usage: compare_pictures A.png B.png [MINIMUM%%]\n");
      return 2;
   }
   png_byte *a = read_png(argv[1], &images[0]), *b = read_png(argv[2], &images[1]);
   if (images[0].width != images[1].width || images[0].height != images[1].height) {
      fprintf(stderr, "sizes differ: %ux%u and %ux%u\n", images[0].width, images[0].height, images[1].width,
              images[1].height);
      return 2;
   }
   const size_t total = (size_t)images[0].width * images[0].height;
   size_t equal = 0, close = 0;
   int worst = 0;
   for (size_t i = 0; i < total; i++) {
      int distance = 0;
      for (unsigned channel = 0; channel < 4; channel++) {
         int d = abs(a[i * 4 + channel] - b[i * 4 + channel]);
         distance = d > distance ? d : distance;
      }
      equal += distance == 0;
      close += distance <= 2;
      worst = distance > worst ? distance : worst;
   }
   const double percent = 100.0 * (double)close / (double)total;
   printf("%.3f%% of pixels within 2/255 (%.3f%% equal, largest difference %d)\n", percent,
          100.0 * (double)equal / (double)total, worst);
   free(a);
   free(b);
   return percent >= (argc == 4 ? atof(argv[3]) : 100) ? 0 : 1;
}
