/* Choices that change what the driver may do, by RADEONSI_DEBUG or files of options for applications (aux_driconf.h).
 */
#ifndef INDIUM_SI_OPTIONS_H
#define INDIUM_SI_OPTIONS_H

#include <stdbool.h>

/* Of out-of-order rasterisation (si_out_of_order.h). */
struct si_options {
   bool nooutoforder;          /* never */
   bool assume_no_z_fights;    /* no two fragments of a sample have the same depth */
   bool commutative_blend_add; /* sums and products of colours may be rounded as their order has it */
};

struct si_options si_options_read(void);

#endif
