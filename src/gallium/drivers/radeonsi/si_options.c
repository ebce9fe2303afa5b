#include "gallium/drivers/radeonsi/si_options.h"

#include "gallium/auxiliary/aux_driconf.h"
#include "gallium/drivers/radeonsi/base/si_debug.h"
#include "util/macros.h"

struct si_options
si_options_read(void)
{
   struct aux_driconf_option options[] = {
      {.name = "nooutoforder"}, {.name = "assume_no_z_fights"}, {.name = "commutative_blend_add"}};

   aux_driconf(options, ARRAY_SIZE(options));
   return (struct si_options){
      .nooutoforder = options[0].value || si_debug(SI_DEBUG_NOOUTOFORDER),
      .assume_no_z_fights = options[1].value || si_debug(SI_DEBUG_ASSUME_NO_Z_FIGHTS),
      .commutative_blend_add = options[2].value || si_debug(SI_DEBUG_COMMUTATIVE_BLEND_ADD),
   };
}
