#include "amd/common/ac_format.h"
#include "amd/hw/descriptors.h"
#include "compiler/nir/nir_builder.h"
#include "gallium/drivers/radeonsi/si_abi.h"
#include "gallium/drivers/radeonsi/shader/si_nir.h"
#include "util/macros.h"

/* What a location has: of an attribute of 64 bits, the second two components are at the next location. entry: the
 * first one in the table of vertex buffers. */
static const struct pipe_vertex_attribute *
find_attribute(const struct si_nir_options *options, unsigned location, unsigned *entry)
{
   *entry = 0;
   for (unsigned i = 0; i < options->num_attributes; i++) {
      const struct pipe_vertex_attribute *attribute = &options->attributes[i];
      const struct ac_vertex_format format = ac_format_vertex(attribute->format);

      if (attribute->location == location)
         return attribute;
      if (format.num_parts == 2 && attribute->location + 1u == location) {
         (*entry)++;
         return attribute;
      }
      *entry += MAX2(format.num_parts, 1u);
   }
   return NULL;
}

static struct nir_def *
element_index(struct nir_builder *b, const struct pipe_vertex_attribute *attribute)
{
   if (!attribute->per_instance)
      return nir_load_vertex_id(b);
   struct nir_def *base = nir_load_base_instance(b);
   if (attribute->divisor == 0)
      return base;
   struct nir_def *instance = nir_load_instance_id(b);
   return nir_iadd(b, attribute->divisor == 1 ? instance : nir_udiv_imm(b, instance, attribute->divisor), base);
}

static struct nir_def *
fetch(struct nir_builder *b, const struct si_nir_options *options, const struct pipe_vertex_attribute *attribute,
      unsigned entry)
{
   struct nir_def *words =
      si_nir_load_table(b, options->address32_hi, SI_SGPR_VS_VERTEX_TABLE, nir_imm_int(b, (int32_t)(entry * 16)), 4);

   return nir_load_texel_buffer(b, 32, words, element_index(b, attribute), .access = NIR_ACCESS_CAN_REORDER);
}

static struct nir_def *
one_of(struct nir_builder *b, enum nir_base_type type)
{
   return type == NIR_TYPE_FLOAT ? nir_imm_float(b, 1) : nir_imm_int(b, 1);
}

/* Three components, one by one. */
static struct nir_def *
fetch_components(struct nir_builder *b, const struct si_nir_options *options,
                 const struct pipe_vertex_attribute *attribute, unsigned entry, enum nir_base_type type)
{
   struct nir_def *parts[4] = {[3] = one_of(b, type)};
   uint8_t select[4];

   ac_format_swizzle(attribute->format, select);
   for (unsigned c = 0; c < 3; c++)
      parts[c] = nir_channel(b, fetch(b, options, attribute, entry + select[c] - V_SQ_SEL_X), 0);
   return nir_vec(b, parts, 4);
}

/* The fetch gives 32-bit components; smaller inputs take their low bits or are rounded. */
static struct nir_def *
to_bit_size(struct nir_builder *b, struct nir_def *value, unsigned bit_size, enum nir_base_type type)
{
   if (bit_size == 32)
      return value;
   return type == NIR_TYPE_FLOAT ? nir_f2fN(b, value, bit_size) : nir_u2uN(b, value, bit_size);
}

/* Constants for what the format lacks: the descriptor's are not there where it is null. */
static struct nir_def *
substitute_missing(struct nir_builder *b, struct nir_def *value, const uint8_t select[4], enum nir_base_type type)
{
   struct nir_def *parts[4];

   for (unsigned c = 0; c < 4; c++)
      parts[c] = select[c] == V_SQ_SEL_0   ? nir_imm_int(b, 0)
                 : select[c] == V_SQ_SEL_1 ? one_of(b, type)
                                           : nir_channel(b, value, c);
   return nir_vec(b, parts, 4);
}

/* All four components of the location, each of 32 bits. */
static struct nir_def *
fetch_location(struct nir_builder *b, const struct si_nir_options *options,
               const struct pipe_vertex_attribute *attribute, unsigned location, unsigned entry,
               enum nir_base_type type)
{
   const struct ac_vertex_format format = ac_format_vertex(attribute->format);

   if (format.has_components)
      return fetch_components(b, options, attribute, entry, type);
   return substitute_missing(b, fetch(b, options, attribute, entry),
                             format.parts[location - attribute->location].select, type);
}

static bool
lower_input(struct nir_builder *b, const struct si_nir_options *options, struct nir_intrinsic_instr *instr,
            const char **error)
{
   unsigned first = nir_intrinsic_component(instr), count = instr->def.num_components, entry;
   const struct pipe_vertex_attribute *attribute;
   struct nir_def *value;

   if (!nir_src_is_const(instr->src[0]) || instr->def.bit_size > 32) {
      *error = "vertex inputs that are indexed at run time or have 64 bits are not supported";
      return false;
   }
   unsigned location = nir_intrinsic_slot(instr) - NIR_SLOT_VAR0 + (unsigned)nir_src_comp_as_uint(instr->src[0], 0);
   b->cursor = nir_before_instr(&instr->instr);
   attribute = find_attribute(options, location, &entry);
   if (attribute) {
      const enum nir_base_type type = nir_intrinsic_src_type(instr);

      value = fetch_location(b, options, attribute, location, entry, type);
      value = nir_channels(b, value, ((1u << count) - 1) << first);
      value = to_bit_size(b, value, instr->def.bit_size, type);
   } else {
      value = nir_imm_zero(b, count, instr->def.bit_size);
   }
   nir_def_replace(&instr->def, value);
   nir_instr_remove(&instr->instr);
   return true;
}

bool
si_nir_lower_vertex_inputs(struct nir_shader *shader, const struct si_nir_options *options, const char **error)
{
   struct nir_builder b = {.shader = shader};

   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == NIR_INTRINSIC_load_input &&
             !lower_input(&b, options, nir_as_intrinsic(instr), error))
            return false;
      }
   }
   return true;
}
