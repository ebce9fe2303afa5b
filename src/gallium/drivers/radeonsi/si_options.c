#include "gallium/drivers/radeonsi/si_options.h"

#include "gallium/drivers/radeonsi/si_debug.h"

struct si_options
si_options_read(void)
{
   return (struct si_options){
      .nooutoforder = si_debug(SI_DEBUG_NOOUTOFORDER),
      .assume_no_z_fights = si_debug(SI_DEBUG_ASSUME_NO_Z_FIGHTS),
      .commutative_blend_add = si_debug(SI_DEBUG_COMMUTATIVE_BLEND_ADD),
   };
}
