/* An image that arguments describe: `indium layout` and `indium sparse`. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/indium.h"
#include "tools/layout/layout.h"
#include "util/macros.h"

/* A decimal number up to 2^32 - 1 that ends at one of the characters of ends, or at the end of the string. */
static bool
parse_number(const char **text, const char *ends, uint32_t *value)
{
   char *end;
   errno = 0;
   if (**text < '0' || **text > '9')
      return false;
   unsigned long long number = strtoull(*text, &end, 10);
   if (errno || number > UINT32_MAX || (*end && !strchr(ends, *end)))
      return false;
   *value = (uint32_t)number;
   *text = end;
   return true;
}

static bool
parse_whole_number(const char *text, uint32_t *value)
{
   return parse_number(&text, "", value);
}

static bool
parse_size(const char *text, struct layout_image *r)
{
   if (!parse_number(&text, "x", &r->image.width_px) || *text++ != 'x' ||
       !parse_number(&text, "x", &r->image.height_px))
      return false;
   if (!*text)
      return true;
   text++;
   if (!r->dimension)
      r->image.dimension = AIL_3D;
   return parse_whole_number(text, &r->image.depth_px);
}

static bool
parse_at(const char *text, struct layout_at *at)
{
   uint32_t *const fields[] = {&at->x_el, &at->y_el, &at->layer, &at->level, &at->sample};
   unsigned count = 0;
   while (count < ARRAY_SIZE(fields) && parse_number(&text, ",", fields[count])) {
      count++;
      if (!*text)
         return count >= 4;
      text++;
   }
   return false;
}

static int
parse_choice(const char *value, const char *const *names, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (!strcmp(value, names[i]))
         return (int)i;
   }
   return -1;
}

static const char *const tiling_names[] = {"auto", "linear", "twiddled", "gpu"};
static const char *const dimension_names[] = {"1d", "2d", "3d", "cube"};

const char *
layout_tiling_name(enum ail_tiling tiling)
{
   return tiling_names[tiling];
}

static bool
choose_tiling(const char *text, struct layout_image *r)
{
   int choice = parse_choice(text, tiling_names, ARRAY_SIZE(tiling_names));
   r->image.tiling = (enum ail_tiling)MAX2(choice, 0);
   return choice >= 0;
}

static bool
choose_dimension(const char *text, struct layout_image *r)
{
   int choice = parse_choice(text, dimension_names, ARRAY_SIZE(dimension_names));
   r->image.dimension = (enum ail_dimension)MAX2(choice, 0);
   return choice >= 0;
}

static int
wrong_value(const char *command, const char *option, const char *value)
{
   return usage_error(command, "%s does not take \"%s\"", option, value);
}

/* 0, or 2 with a message. */
static int
read_values(const char *command, struct layout_image *r)
{
   const bool full_chain = r->levels && !strcmp(r->levels, "full");
   r->image.force_stride = r->stride;
   const struct {
      const char *option, *text;
      uint32_t *number;
   } numbers[] = {
      {"--levels", full_chain ? NULL : r->levels, &r->image.levels},
      {"--layers", r->layers, &r->image.layers},
      {"--samples", r->samples, &r->image.samples},
      {"--stride", r->stride, &r->image.stride_B},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(numbers); i++) {
      if (numbers[i].text && !parse_whole_number(numbers[i].text, numbers[i].number))
         return wrong_value(command, numbers[i].option, numbers[i].text);
   }
   if (r->tiling && !choose_tiling(r->tiling, r))
      return wrong_value(command, "--tiling", r->tiling);
   if (r->dimension && !choose_dimension(r->dimension, r))
      return wrong_value(command, "--dim", r->dimension);
   if (r->at_text && !parse_at(r->at_text, &r->at))
      return wrong_value(command, "--at", r->at_text);
   return 0;
}

static void
set_full_chain(struct ail_image *image)
{
   uint32_t longest = MAX2(image->width_px, image->height_px);
   if (image->dimension == AIL_3D)
      longest = MAX2(longest, image->depth_px);
   image->levels = longest ? log2_floor(longest) + 1 : 1;
}

int
layout_read_image(const char *command, struct layout_image *r, char **argv, int count, struct ail_layout *layout)
{
   int status = read_values(command, r);
   if (status)
      return status;
   if (count > 2)
      return usage_error(command, "unexpected argument \"%s\"", argv[2]);
   if (count < 2)
      return usage_error(command, "name WIDTHxHEIGHT and FORMAT");
   if (!parse_size(argv[0], r))
      return usage_error(command, "\"%s\" is not WIDTHxHEIGHT[xDEPTH]", argv[0]);
   r->image.format = ail_format_by_name(argv[1]);
   if (!r->image.format)
      return usage_error(command, "no format is called \"%s\"", argv[1]);
   if (r->levels && !strcmp(r->levels, "full"))
      set_full_chain(&r->image);
   enum ail_error error = ail_layout_init(layout, &r->image);
   if (error)
      return usage_error(command, "%s", ail_error_text(error));
   const struct layout_at *at = &r->at;
   if (r->at_text && ail_element_offset_B(layout, at->x_el, at->y_el, at->layer, at->level, at->sample) == AIL_NONE)
      return usage_error(command, "--at: the image has no such element, layer, level or sample");
   return 0;
}
