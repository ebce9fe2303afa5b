#include "amd/sim/rb/blend.h"

#include <assert.h>

#include "amd/hw/registers.h"

/* Of component c. */
static v4f
factor(enum amd_blend_factor code, const struct amd_blend_colors *k, unsigned c)
{
   const v4f one = v4_splat(1.0f);
   v4f rest;
   switch (code) {
   case AMD_FACTOR_ONE:
      return one;
   case AMD_FACTOR_SRC_COLOR:
      return k->src[c];
   case AMD_FACTOR_ONE_MINUS_SRC_COLOR:
      return one - k->src[c];
   case AMD_FACTOR_SRC_ALPHA:
      return k->src[3];
   case AMD_FACTOR_ONE_MINUS_SRC_ALPHA:
      return one - k->src[3];
   case AMD_FACTOR_DST_ALPHA:
      return k->dst[3];
   case AMD_FACTOR_ONE_MINUS_DST_ALPHA:
      return one - k->dst[3];
   case AMD_FACTOR_DST_COLOR:
      return k->dst[c];
   case AMD_FACTOR_ONE_MINUS_DST_COLOR:
      return one - k->dst[c];
   case AMD_FACTOR_SRC_ALPHA_SATURATE:
      rest = one - k->dst[3];
      return c == 3 ? one : v4_select(k->src[3] < rest, k->src[3], rest);
   case AMD_FACTOR_CONSTANT_COLOR:
      return k->constant[c];
   case AMD_FACTOR_ONE_MINUS_CONSTANT_COLOR:
      return one - k->constant[c];
   case AMD_FACTOR_SRC1_COLOR:
      return k->src1[c];
   case AMD_FACTOR_ONE_MINUS_SRC1_COLOR:
      return one - k->src1[c];
   case AMD_FACTOR_SRC1_ALPHA:
      return k->src1[3];
   case AMD_FACTOR_ONE_MINUS_SRC1_ALPHA:
      return one - k->src1[3];
   case AMD_FACTOR_CONSTANT_ALPHA:
      return k->constant[3];
   case AMD_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
      return one - k->constant[3];
   case AMD_FACTOR_ZERO:
   case AMD_FACTOR_UNKNOWN:
      break;
   }
   return v4_splat(0.0f);
}

static v4f
combine(unsigned func, v4f src, v4f src_factor, v4f dst, v4f dst_factor)
{
   switch (func) {
   case V_COMB_SRC_MINUS_DST:
      return src * src_factor - dst * dst_factor;
   case V_COMB_DST_MINUS_SRC:
      return dst * dst_factor - src * src_factor;
   case V_COMB_MIN_DST_SRC:
      return v4_select(src < dst, src, dst);
   case V_COMB_MAX_DST_SRC:
      return v4_select(src > dst, src, dst);
   case V_COMB_DST_PLUS_SRC:
      return src * src_factor + dst * dst_factor;
   }
   assert(!"refused with the state");
   return v4_splat(0.0f);
}

void
amd_blend(const struct amd_blend_state *b, const struct amd_blend_colors *k, v4f out[4])
{
   for (unsigned c = 0; c < 4; c++) {
      unsigned set = c == 3 && b->separate_alpha;
      v4f src_factor = factor((enum amd_blend_factor)b->src[set], k, c);
      v4f dst_factor = factor((enum amd_blend_factor)b->dst[set], k, c);
      out[c] = combine(b->func[set], k->src[c], src_factor, k->dst[c], dst_factor);
   }
}
