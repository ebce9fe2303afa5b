#include <string.h>

#include "amd/common/ac_format.h"
#include "amd/hw/descriptors.h"
#include "compiler/nir/nir_builder.h"
#include "gallium/drivers/radeonsi/si_abi.h"
#include "gallium/drivers/radeonsi/shader/si_nir.h"
#include "util/format.h"
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

/* What is the same for all that fetch a location. */
struct location {
   const struct si_nir_options *options;
   const struct pipe_vertex_attribute *attribute;
   const struct format_info *info;
   struct ac_vertex_format format;
   unsigned number, entry; /* entry: in the table of vertex buffers, the first of components */
};

/* Where the part is a component, its number; else 0. */
static unsigned
component_of(const struct location *l, unsigned part)
{
   return l->format.has_components ? part : 0;
}

/* Without what only the shader knows. */
static struct si_element
part_of(const struct location *l, unsigned part)
{
   return (struct si_element){.components = &l->info->components[component_of(l, part)],
                              .count = l->format.has_components ? 1 : l->info->component_count,
                              .size_B = l->format.parts[part].size_B};
}

static struct si_element
find_element(struct nir_builder *b, const struct location *l, unsigned part)
{
   const int32_t entry = (int32_t)(l->entry + component_of(l, part));
   struct si_element element = part_of(l, part);

   element.words =
      si_nir_load_table(b, l->options->address32_hi, SI_SGPR_VS_VERTEX_TABLE, nir_imm_int(b, entry * 16), 4);
   element.index = element_index(b, l->attribute);
   return element;
}

/* By bytes, as the descriptor selects components. */
static struct nir_def *
fetch_bytes(struct nir_builder *b, const struct location *l, const struct si_element *element)
{
   struct nir_def *in_memory[4], *selected[4];

   si_nir_fetch_bytes(b, l->options, element, in_memory);
   for (unsigned i = 0; i < 4; i++)
      selected[i] = nir_imm_int(b, 0);
   for (unsigned i = 0; i < element->count; i++)
      selected[element->count == 1 ? 0 : element->components[i].name] = in_memory[i];
   return nir_vec(b, selected, 4);
}

/* Four components, of which those count that the format has. */
static struct nir_def *
fetch(struct nir_builder *b, const struct location *l, unsigned part)
{
   const struct si_element element = find_element(b, l, part);

   if (!si_nir_may_be_misaligned(l->options, &element))
      return nir_load_texel_buffer(b, 32, element.words, element.index, .access = NIR_ACCESS_CAN_REORDER);
   struct nir_if *nif = nir_push_if(b, si_nir_is_misaligned(b, &element));
   struct nir_def *by_bytes = fetch_bytes(b, l, &element);
   nir_push_else(b, nif);
   struct nir_def *whole = nir_load_texel_buffer(b, 32, element.words, element.index);
   nir_pop_if(b, nif);
   return nir_if_phi(b, by_bytes, whole);
}

static struct nir_def *
one_of(struct nir_builder *b, enum nir_base_type type)
{
   return type == NIR_TYPE_FLOAT ? nir_imm_float(b, 1) : nir_imm_int(b, 1);
}

/* Three components, one by one. */
static struct nir_def *
fetch_components(struct nir_builder *b, const struct location *l)
{
   struct nir_def *parts[4] = {[3] = nir_imm_int(b, 0)};
   uint8_t select[4];

   ac_format_swizzle(l->attribute->format, select);
   for (unsigned c = 0; c < 3; c++)
      parts[c] = nir_channel(b, fetch(b, l, select[c] - V_SQ_SEL_X), 0);
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

static struct nir_def *
fetch_location(struct nir_builder *b, const struct location *l)
{
   return l->format.has_components ? fetch_components(b, l) : fetch(b, l, l->number - l->attribute->location);
}

/* ---- the pass ---- */

struct lowering {
   struct nir_shader *shader;
   const struct si_nir_options *options;
   const char **error;
   struct nir_def *at_start[PIPE_MAX_VERTEX_ATTRIBUTES]; /* of locations that may be out of alignment */
};

static bool
may_be_misaligned(const struct location *l)
{
   const struct si_element element = part_of(l, 0);

   return l->format.num_parts && si_nir_may_be_misaligned(l->options, &element);
}

static struct location
find_location(const struct si_nir_options *options, unsigned number)
{
   struct location l = {.options = options, .number = number};

   l.attribute = find_attribute(options, number, &l.entry);
   if (l.attribute) {
      l.info = format_info(l.attribute->format);
      l.format = ac_format_vertex(l.attribute->format);
   }
   return l;
}

static bool
is_input(const struct nir_instr *instr)
{
   return instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == NIR_INTRINSIC_load_input;
}

static unsigned
number_of(const struct nir_intrinsic_instr *instr)
{
   return nir_intrinsic_slot(instr) - NIR_SLOT_VAR0 + (unsigned)nir_src_comp_as_uint(instr->src[0], 0);
}

static uint32_t
gather_locations(struct nir_shader *shader)
{
   uint32_t locations = 0;

   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (is_input(instr) && nir_src_is_const(nir_as_intrinsic(instr)->src[0]))
            locations |= 1u << number_of(nir_as_intrinsic(instr));
      }
   }
   return locations;
}

/* A fetch with a branch is done once, where the shader starts. */
static void
fetch_at_start(struct lowering *lower)
{
   uint32_t locations = lower->options->byte_word3 ? gather_locations(lower->shader) : 0;

   for (; locations; locations &= locations - 1) {
      const struct location l = find_location(lower->options, (unsigned)__builtin_ctz(locations));
      struct nir_builder b = nir_builder_at(lower->shader, nir_before_block(nir_first_block(lower->shader)));

      if (l.attribute && may_be_misaligned(&l))
         lower->at_start[l.number] = fetch_location(&b, &l);
   }
}

static void
select_of(const struct location *l, uint8_t select[4])
{
   if (l->format.has_components)
      ac_format_swizzle(l->attribute->format, select);
   else
      memcpy(select, l->format.parts[l->number - l->attribute->location].select, 4);
}

static bool
lower_input(struct lowering *lower, struct nir_intrinsic_instr *instr)
{
   unsigned first = nir_intrinsic_component(instr), count = instr->def.num_components;
   struct nir_builder at = nir_builder_at(lower->shader, nir_before_instr(&instr->instr)), *b = &at;
   uint8_t select[4];

   if (!nir_src_is_const(instr->src[0]) || instr->def.bit_size > 32) {
      *lower->error = "vertex inputs that are indexed at run time or have 64 bits are not supported";
      return false;
   }
   const struct location l = find_location(lower->options, number_of(instr));
   struct nir_def *value = nir_imm_zero(b, count, instr->def.bit_size);

   if (l.attribute) {
      const enum nir_base_type type = nir_intrinsic_src_type(instr);

      select_of(&l, select);
      value = lower->at_start[l.number] ? lower->at_start[l.number] : fetch_location(b, &l);
      value = nir_channels(b, substitute_missing(b, value, select, type), ((1u << count) - 1) << first);
      value = to_bit_size(b, value, instr->def.bit_size, type);
   }
   nir_def_replace(&instr->def, value);
   nir_instr_remove(&instr->instr);
   return true;
}

bool
si_nir_lower_vertex_inputs(struct nir_shader *shader, const struct si_nir_options *options, const char **error)
{
   struct lowering lower = {.shader = shader, .options = options, .error = error};

   fetch_at_start(&lower);
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (is_input(instr) && !lower_input(&lower, nir_as_intrinsic(instr)))
            return false;
      }
   }
   return true;
}
