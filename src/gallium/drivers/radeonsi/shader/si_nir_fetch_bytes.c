/* Elements of vertex buffers that formatted fetches cannot take, for their addresses. */
#include "amd/hw/descriptors.h"
#include "compiler/nir/nir_builder.h"
#include "gallium/drivers/radeonsi/shader/si_nir.h"
#include "util/format.h"
#include "util/macros.h"

/* What the address of a formatted fetch is a multiple of; see traits.txt. */
static unsigned
wanted_B(const struct si_element *element)
{
   return MIN2(element->size_B & -element->size_B, 4);
}

/* Vulkan asks for multiples of a component, or of the word that holds them all. */
static unsigned
promised_B(const struct si_nir_options *options, const struct si_element *element)
{
   const bool is_packed =
      element->components->bits * element->count != 8 * element->size_B || element->components->bits % 8 != 0;

   return !options->aligns_attributes ? 1 : is_packed ? element->size_B : element->components->bits / 8;
}

bool
si_nir_may_be_misaligned(const struct si_nir_options *options, const struct si_element *element)
{
   return options->byte_word3 && element->components->bits < 64 && promised_B(options, element) < wanted_B(element);
}

/* The same for all elements of the buffer. */
struct nir_def *
si_nir_is_misaligned(struct nir_builder *b, const struct si_element *element)
{
   struct nir_def *stride = nir_ushr_imm(b, nir_channel(b, element->words, 1), 16); /* low bits of STRIDE */
   struct nir_def *bits = nir_ior(b, nir_channel(b, element->words, 0), stride);

   return nir_ine_imm(b, nir_iand_imm(b, bits, wanted_B(element) - 1), 0);
}

/* Byte at_B of the element. Its V# begins there; what it counts, elements or bytes, stays, for the whole element is
 * inside. */
static struct nir_def *
fetch_byte(struct nir_builder *b, const struct si_nir_options *options, const struct si_element *element,
           unsigned at_B)
{
   struct nir_def *low = nir_channel(b, element->words, 0), *word3 = nir_channel(b, element->words, 3);
   struct nir_def *moved = nir_iadd_imm(b, low, at_B);
   struct nir_def *carry = nir_b2iN(b, nir_ult(b, moved, low), 32);
   struct nir_def *out_of_bounds = nir_iand_imm(b, word3, S_SQ_BUF_RSRC_WORD3_OOB_SELECT(3));
   struct nir_def *words[4] = {moved, nir_iadd(b, nir_channel(b, element->words, 1), carry),
                               nir_channel(b, element->words, 2),
                               nir_ior(b, out_of_bounds, nir_imm_int(b, (int32_t)options->byte_word3))};

   return nir_channel(
      b, nir_load_texel_buffer(b, 32, nir_vec(b, words, 4), element->index, .access = NIR_ACCESS_CAN_REORDER), 0);
}

static struct nir_def *
fetch_dword(struct nir_builder *b, const struct si_nir_options *options, const struct si_element *element,
            unsigned at_B)
{
   struct nir_def *dword = fetch_byte(b, options, element, at_B);

   for (unsigned i = 1; i < 4 && at_B + i < element->size_B; i++)
      dword = nir_ior(b, dword, nir_ishl_imm(b, fetch_byte(b, options, element, at_B + i), 8 * i));
   return dword;
}

void
si_nir_fetch_bytes(struct nir_builder *b, const struct si_nir_options *options, const struct si_element *element,
                   struct nir_def *out[4])
{
   struct nir_def *dwords[4];

   for (unsigned i = 0; 4 * i < element->size_B; i++)
      dwords[i] = fetch_dword(b, options, element, 4 * i);
   for (unsigned c = 0; c < element->count; c++) {
      const unsigned shift = element->components[c].shift - element->components->shift;

      out[c] = nir_unpack_component(b, dwords[shift / 32], shift % 32, &element->components[c]);
   }
}
