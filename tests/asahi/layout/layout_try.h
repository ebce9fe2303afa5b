/* What must hold for any description of an image. */
#ifndef TESTS_ASAHI_LAYOUT_TRY_H
#define TESTS_ASAHI_LAYOUT_TRY_H

#include "reference.h"

/* Any number, often one that is special somewhere. */
uint32_t any_number(struct random *random);

/* An error, or a consistent layout inside of which queries of any value stay. */
enum ail_error layout_try(struct random *random, const struct ail_image *image);

#endif
