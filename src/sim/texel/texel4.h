/* Four texels of a plain format at once, such as a quad's: what texel.h does with one. value[component][texel];
 * words[i][texel]: bytes 4 * i to 4 * i + 3 of the texel; what lies beyond it means nothing. */
#ifndef INDIUM_SIM_TEXEL4_H
#define INDIUM_SIM_TEXEL4_H

#include <string.h>

#include "sim/texel/texel.h"
#include "sim/texel/vec4.h"

void sim_texel_encode4(const struct sim_texel_format *format, const v4u value[4], v4u words[4]);
void sim_texel_decode4(const struct sim_texel_format *format, const v4u words[4], v4u value[4]);

/* Whether a texel is four components of 8 bits, UNORM or SRGB. */
bool sim_texel_is_8x4(const struct sim_texel_format *format);

/* Texel i of the four, in memory. */
static inline void
sim_texel_load4(v4u words[4], unsigned i, const void *from, unsigned size_B)
{
   uint32_t texel[4] = {0};
   if (size_B == 4) {
      memcpy(texel, from, 4);
      words[0][i] = texel[0];
      return;
   }
   memcpy(texel, from, size_B);
   for (unsigned w = 0; 4 * w < size_B; w++)
      words[w][i] = texel[w];
}

static inline void
sim_texel_store4(const v4u words[4], unsigned i, void *to, unsigned size_B)
{
   uint32_t texel[4] = {words[0][i]};
   if (size_B == 4) {
      memcpy(to, texel, 4);
      return;
   }
   for (unsigned w = 1; 4 * w < size_B; w++)
      texel[w] = words[w][i];
   memcpy(to, texel, size_B);
}

#endif
