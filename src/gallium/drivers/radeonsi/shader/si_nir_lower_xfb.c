/* Transform feedback of vertices that a hardware vertex shader makes. The geometry engine has found the place: it
 * starts each wave with the number of the lanes whose vertices the buffers take, the number of the first vertex and
 * where each buffer's first vertex of the draw stands. Sources: RADV and radeonsi; vertex order and overflow are the
 * engine's. */
#include "amd/common/ac_descriptor.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_cf.h"
#include "gallium/drivers/radeonsi/shader/si_nir_xfb.h"
#include "gallium/drivers/radeonsi/si_abi.h"

/* streamout_config */
enum { VERTICES_SHIFT = 16, VERTICES_BITS = 7, STREAM_SHIFT = 24, STREAM_BITS = 2 };

static void
remember(struct nir_builder *b, struct si_xfb_values *values, struct nir_intrinsic_instr *store)
{
   const uint32_t mask = nir_intrinsic_write_mask(store);
   const unsigned slot = nir_intrinsic_slot(store) + (unsigned)nir_src_comp_as_uint(store->src[1], 0);

   b->cursor = nir_before_instr(&store->instr);
   for (unsigned i = 0; i < store->src[0].def->num_components; i++) {
      if (mask >> i & 1)
         values->of[slot][nir_intrinsic_component(store) + i] = nir_channel(b, store->src[0].def, i);
   }
}

/* Outputs are stored once, at the end of the shader (nir_lower_io_to_temporaries). */
static void
find_values(struct nir_builder *b, struct si_xfb_values *values)
{
   nir_foreach_block(block, b->shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == NIR_INTRINSIC_store_output)
            remember(b, values, nir_as_intrinsic(instr));
      }
   }
}

unsigned
si_xfb_store(struct nir_builder *b, const struct nir_xfb_output *out, struct nir_def *const *values, unsigned first,
             const struct si_xfb_places *places)
{
   unsigned count = 0;

   while (first + count < out->count && values[first + count])
      count++;
   if (!count)
      return 1;
   struct nir_def *offset = nir_iadd_imm(b, places->offset_B[out->buffer], out->offset_B + 4u * first);

   nir_store_ssbo(b, nir_vec(b, &values[first], count), places->buffer[out->buffer], offset,
                  .write_mask = (1u << count) - 1, .align_mul = 4, .access = NIR_ACCESS_NON_READABLE);
   return count;
}

static void
store_vertex(struct nir_builder *b, const struct si_xfb_values *values, unsigned stream,
             const struct si_xfb_places *places)
{
   const struct nir_xfb *xfb = &b->shader->info.xfb;

   for (unsigned i = 0; i < xfb->num_outputs; i++) {
      const struct nir_xfb_output *out = &xfb->outputs[i];

      for (unsigned first = 0; first < out->count && xfb->streams[out->buffer] == stream;)
         first += si_xfb_store(b, out, &values->of[out->slot][out->component], first, places);
   }
}

static struct nir_def *
sgpr(struct nir_builder *b, unsigned number)
{
   return nir_load_scalar_arg(b, 1, .base = (int32_t)number);
}

void
si_xfb_load_buffers(struct nir_builder *b, const struct si_nir_options *options, struct si_xfb_places *places)
{
   for (unsigned i = 0; i < NIR_XFB_BUFFERS; i++) {
      struct nir_def *at = nir_imm_int(b, (int32_t)(i * AC_BUFFER_DESCRIPTOR_DW * 4));

      if (b->shader->info.xfb.buffers >> i & 1)
         places->buffer[i] = si_nir_load_table(b, options->address32_hi, SI_SGPR_VS_XFB_BUFFERS, at, 4);
   }
}

static void
find_places(struct nir_builder *b, const struct si_nir_options *options, struct si_xfb_places *places)
{
   const struct nir_xfb *xfb = &b->shader->info.xfb;
   struct nir_def *vertex = nir_iadd(b, sgpr(b, options->xfb_sgpr + 1u), nir_load_subgroup_invocation(b));
   unsigned next = options->xfb_sgpr + 2u;

   si_xfb_load_buffers(b, options, places);
   for (unsigned i = 0; i < NIR_XFB_BUFFERS; i++) {
      if (!(xfb->buffers >> i & 1))
         continue;
      struct nir_def *first_B = nir_imul_imm(b, sgpr(b, next++), 4);

      places->offset_B[i] = nir_iadd(b, first_B, nir_imul_imm(b, vertex, xfb->stride_B[i]));
   }
}

static struct nir_def *
config_bits(struct nir_builder *b, const struct si_nir_options *options, unsigned first, unsigned count)
{
   return nir_iand_imm(b, nir_ushr_imm(b, sgpr(b, options->xfb_sgpr), first), (1u << count) - 1);
}

struct nir_def *
si_xfb_stream(struct nir_builder *b, const struct si_nir_options *options)
{
   return config_bits(b, options, STREAM_SHIFT, STREAM_BITS);
}

void
si_xfb_capture(struct nir_builder *b, const struct si_nir_options *options, const struct si_xfb_values *values,
               unsigned stream)
{
   struct nir_def *fitting = config_bits(b, options, VERTICES_SHIFT, VERTICES_BITS);
   struct si_xfb_places places;

   nir_push_if(b, nir_ult(b, nir_load_subgroup_invocation(b), fitting));
   find_places(b, options, &places);
   store_vertex(b, values, stream, &places);
   nir_pop_if(b, NULL);
}

void
si_nir_lower_xfb(struct nir_shader *shader, const struct si_nir_options *options)
{
   struct nir_builder b = {.shader = shader};
   struct si_xfb_values values = {0};

   find_values(&b, &values);
   b.cursor = nir_after_block(nir_cf_list_last(&shader->body));
   si_xfb_capture(&b, options, &values, 0);
}
