#include "amd/sim/wave/exec_private.h"
#include "sim/wide.h"

static const struct exec_wide base = {exec_kernel_base,     exec_words_base,  exec_plain_base,
                                      exec_mix_base,        exec_interp_base, exec_in_quads_base,
                                      exec_param_load_base, exec_gather_base, exec_scatter_base};
#if defined(__x86_64__)
static const struct exec_wide avx2 = {exec_kernel_avx2,     exec_words_avx2,  exec_plain_avx2,
                                      exec_mix_avx2,        exec_interp_avx2, exec_in_quads_avx2,
                                      exec_param_load_avx2, exec_gather_avx2, exec_scatter_avx2};
#endif

const struct exec_wide *
exec_wide(void)
{
#if defined(__x86_64__)
   if (sim_has_avx2())
      return &avx2;
#endif
   return &base;
}
