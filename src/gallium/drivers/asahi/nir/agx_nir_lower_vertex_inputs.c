/* Vertex attributes by shader: the hardware fetches nothing itself. */
#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"
#include "util/format.h"
#include "util/macros.h"
#include "util/mutant.h"

/* What device_load converts, by the size and meaning of components that are alike. Integers come as they lie. */
static const struct {
   uint8_t bits, numeric;
   enum agx_format format;
} typed[] = {
   {8, FORMAT_UNORM, AGX_FORMAT_U8NORM},   {8, FORMAT_SNORM, AGX_FORMAT_S8NORM},
   {16, FORMAT_UNORM, AGX_FORMAT_U16NORM}, {16, FORMAT_SNORM, AGX_FORMAT_S16NORM},
   {16, FORMAT_SFLOAT, AGX_FORMAT_F16},    {32, FORMAT_SFLOAT, AGX_FORMAT_I32},
};

/* Where the attribute of this vertex lies. */
struct element {
   struct nir_def *address, *index; /* address of the first; which one */
   struct nir_def *stride;          /* in bytes; NULL: known, as stride_B */
   uint32_t stride_B;
};

/* What the buffer does not hold is read from nowhere, so that nothing waits for the value to replace it. */
static struct element
find_element(struct nir_builder *b, const struct pipe_vertex_attribute *attribute, unsigned number,
             uint32_t nowhere_hi)
{
   struct nir_def *address = agx_nir_address_arg(b, AGX_TABLE_VERTEX, AGX_TABLE_ATTRIBUTE(number, address_lo));
   struct nir_def *last = agx_nir_arg(b, AGX_TABLE_VERTEX, AGX_TABLE_ATTRIBUTE(number, last_index), 1);
   struct nir_def *index;

   if (attribute->per_instance) {
      struct nir_def *base = agx_nir_arg(b, AGX_TABLE_DRAW, 1, 1), *instance = nir_load_instance_id(b);

      index = attribute->divisor > 1    ? nir_iadd(b, nir_udiv_imm(b, instance, attribute->divisor), base)
              : attribute->divisor == 1 ? nir_iadd(b, instance, base)
                                        : base;
   } else {
      index = nir_load_vertex_id_zero_base(b); /* has the base: agx_abi.h */
   }
   struct nir_def *stride =
      attribute->dynamic_stride ? agx_nir_arg(b, AGX_TABLE_VERTEX, AGX_TABLE_ATTRIBUTE(number, stride_B), 1) : NULL;

   struct nir_def *inside = nir_uge(b, last, index);

   return (struct element){.address = nir_bcsel(b, inside, address, nir_imm_int64(b, (int64_t)nowhere_hi << 32)),
                           .index = nir_bcsel(b, inside, index, nir_imm_int(b, 0)),
                           .stride = stride,
                           .stride_B = attribute->stride_B};
}

/* Bytes that an index of the format counts, 0: formats that do not shift it. */
static unsigned
index_B(enum agx_format format)
{
   switch (format) {
   case AGX_FORMAT_I8:
   case AGX_FORMAT_U8NORM:
   case AGX_FORMAT_S8NORM:
      return 1;
   case AGX_FORMAT_I16:
   case AGX_FORMAT_F16:
   case AGX_FORMAT_U16NORM:
   case AGX_FORMAT_S16NORM:
      return 2;
   case AGX_FORMAT_I32:
      return 4;
   case AGX_FORMAT_RGB10A2:
   case AGX_FORMAT_SRGBA8:
   case AGX_FORMAT_RG11B10F:
   case AGX_FORMAT_RGB9E5:
   case AGX_FORMAT_RG11B10F_RTZ:
   case AGX_FORMAT_RGB9E5_RTZ:
      return 0;
   }
   return 0;
}

/* A stride of whole elements is part of the index. */
static struct nir_def *
load(struct nir_builder *b, const struct element *element, enum agx_format format, unsigned count)
{
   unsigned unit_B = index_B(format), size_B = unit_B ? unit_B : 4, shift = 0;
   struct nir_def *address = element->address, *index = element->index;
   uint32_t stride = element->stride_B / size_B;

   if (element->stride || element->stride_B % size_B) {
      struct nir_def *stride_B = element->stride ? element->stride : nir_imm_int(b, (int32_t)element->stride_B);

      address = nir_iadd(b, address, nir_umul_2x32_64(b, index, stride_B));
      index = nir_imm_int(b, 0);
   } else if (unit_B && (stride == 2 || stride == 4)) {
      shift = stride / 2;
   } else {
      index = nir_imul_imm(b, index, stride);
   }
   return nir_load_agx(b, count, 32, address, index, .format = format, .shift = shift,
                       .access = NIR_ACCESS_CAN_REORDER);
}

/* Components of 8, 16 or 32 bits side by side. */
static bool
fetch_array(struct nir_builder *b, const struct format_info *info, const struct element *element,
            struct nir_def *out[4])
{
   static const enum agx_format raw[] = {AGX_FORMAT_I8, AGX_FORMAT_I16, AGX_FORMAT_I32};
   const struct format_component *first = &info->components[0];
   unsigned bits = first->bits, count = info->component_count;

   for (unsigned i = 0; i < ARRAY_SIZE(typed); i++) {
      if (typed[i].bits != bits || typed[i].numeric != first->numeric)
         continue;
      struct nir_def *value = load(b, element, typed[i].format, count);

      for (unsigned c = 0; c < count; c++)
         out[c] = nir_channel(b, value, c);
      return true;
   }
   if (first->numeric == FORMAT_SFLOAT || first->numeric == FORMAT_SRGB || first->numeric == FORMAT_FIXED)
      return false;
   struct nir_def *words = load(b, element, raw[bits / 16], count);

   for (unsigned c = 0; c < count; c++)
      out[c] = nir_unpack_component(b, nir_channel(b, words, c), 0, &info->components[c]);
   return true;
}

/* A word that has all components. */
static bool
fetch_packed(struct nir_builder *b, const struct format_info *info, const struct element *element,
             struct nir_def *out[4])
{
   const struct format_component *first = &info->components[0];

   if (first->numeric == FORMAT_UFLOAT) {
      enum agx_format format = first->bits == 9 ? AGX_FORMAT_RGB9E5 : AGX_FORMAT_RG11B10F;
      struct nir_def *value = load(b, element, format, 3);

      for (unsigned c = 0; c < 3; c++)
         out[c] = nir_channel(b, value, c);
      return info->packed_bits == 32;
   }
   struct nir_def *word = load(b, element, info->packed_bits == 16 ? AGX_FORMAT_I16 : AGX_FORMAT_I32, 1);

   for (unsigned c = 0; c < info->component_count; c++)
      out[c] = nir_unpack_component(b, word, info->components[c].shift, &info->components[c]);
   return info->packed_bits == 16 || info->packed_bits == 32;
}

static bool
is_array(const struct format_info *info)
{
   const struct format_component *first = &info->components[0];

   for (unsigned i = 0; i < info->component_count; i++) {
      if (info->components[i].bits != first->bits || info->components[i].shift != i * first->bits)
         return false;
   }
   return first->bits == 8 || first->bits == 16 || first->bits == 32;
}

/* Four components as the shader names them; what the format lacks is 0, 0, 0, 1. */
static struct nir_def *
fetch(struct nir_builder *b, const struct format_info *info, const struct element *element, enum nir_base_type type)
{
   struct nir_def *components[4] = {0}, *out[4];

   if (!(is_array(info) ? fetch_array : fetch_packed)(b, info, element, components))
      return NULL;
   for (unsigned i = 0; i < 4; i++)
      out[i] = i < 3 ? nir_imm_int(b, 0) : type == NIR_TYPE_FLOAT ? nir_imm_float(b, 1) : nir_imm_int(b, 1);
   for (unsigned i = 0; i < info->component_count; i++)
      out[info->components[i].name & 3] = components[i];
   return nir_vec(b, out, 4);
}

static struct nir_def *
to_bit_size(struct nir_builder *b, struct nir_def *value, unsigned bit_size, enum nir_base_type type)
{
   if (bit_size == 32)
      return value;
   return type == NIR_TYPE_FLOAT ? nir_f2fN(b, value, bit_size) : nir_u2uN(b, value, bit_size);
}

/* ---- attributes as parts fetch them ---- */

static enum nir_base_type
type_of(const struct format_info *info)
{
   uint8_t numeric = info->components[0].numeric;

   return numeric == FORMAT_SINT ? NIR_TYPE_INT : numeric == FORMAT_UINT ? NIR_TYPE_UINT : NIR_TYPE_FLOAT;
}

bool
agx_nir_fetch_attribute(struct nir_builder *b, const struct pipe_vertex_attribute *attribute, uint32_t nowhere_hi)
{
   const struct format_info *info = format_info(attribute->format);
   struct element element = find_element(b, attribute, attribute->location, nowhere_hi);
   struct nir_def *all = info ? fetch(b, info, &element, type_of(info)) : NULL;

   for (unsigned i = 0; i < 4 && all; i++)
      nir_leave_register_agx(b, nir_channel(b, all, i),
                             .base = AGX_PART_ATTRIBUTE_H(attribute->location + mutant("agx-seam-attribute")) +
                                     2 * (int32_t)i);
   return all;
}

/* Components of a location, from registers. */
static struct nir_def *
load_location(struct nir_builder *b, unsigned location, unsigned first, unsigned count)
{
   struct nir_def *components[4];

   for (unsigned i = 0; i < count; i++)
      components[i] = nir_load_register_agx(b, .base = (int32_t)(AGX_PART_ATTRIBUTE_H(location) + 2 * (first + i)));
   return nir_vec(b, components, count);
}

static bool
lower_register_input(struct nir_builder *b, struct nir_intrinsic_instr *instr, uint32_t *locations)
{
   if (!nir_src_is_const(instr->src[0]))
      return false;
   unsigned location = nir_intrinsic_slot(instr) - NIR_SLOT_VAR0 + (unsigned)nir_src_comp_as_uint(instr->src[0], 0);
   if (location >= AGX_PART_LOCATIONS)
      return false;
   struct nir_def *value = load_location(b, location, nir_intrinsic_component(instr), instr->def.num_components);

   *locations |= 1u << location;
   nir_def_replace(&instr->def, to_bit_size(b, value, instr->def.bit_size, nir_intrinsic_src_type(instr)));
   nir_instr_remove(&instr->instr);
   return true;
}

bool
agx_nir_take_vertex_inputs(struct nir_shader *shader, uint32_t *locations)
{
   *locations = 0;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_load_input)
            continue;
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));

         if (!lower_register_input(&b, nir_as_intrinsic(instr), locations))
            return false;
      }
   }
   return true;
}

/* ---- attributes of a shader ---- */

static int
find_attribute(const struct pipe_vertex_attribute *attributes, unsigned count, unsigned location)
{
   for (unsigned i = 0; i < count; i++) {
      if (attributes[i].location == location)
         return (int)i;
   }
   return -1;
}

static bool
lower(struct nir_builder *b, struct nir_intrinsic_instr *instr, const struct agx_vertex_inputs *inputs,
      const char **error)
{
   unsigned first = nir_intrinsic_component(instr), components = instr->def.num_components;

   if (!nir_src_is_const(instr->src[0])) {
      *error = "vertex inputs that are indexed at run time are not supported";
      return false;
   }
   unsigned location = nir_intrinsic_slot(instr) - NIR_SLOT_VAR0 + (unsigned)nir_src_comp_as_uint(instr->src[0], 0);
   int number = find_attribute(inputs->attributes, inputs->count, location);
   enum nir_base_type type = nir_intrinsic_src_type(instr);
   struct nir_def *value = nir_imm_zero(b, components, instr->def.bit_size);

   if (number >= 0) {
      const struct pipe_vertex_attribute *attribute = &inputs->attributes[number];
      const struct format_info *info = format_info(attribute->format);
      struct element element = find_element(b, attribute, (unsigned)number, inputs->nowhere_hi);
      struct nir_def *all = info ? fetch(b, info, &element, type) : NULL;

      if (!all) {
         *error = arena_printf(b->shader->arena, "vertex attributes of format %s are not supported",
                               info ? info->name : "unknown");
         return false;
      }
      value = to_bit_size(b, nir_channels(b, all, ((1u << components) - 1) << first), instr->def.bit_size, type);
   }
   nir_def_replace(&instr->def, value);
   nir_instr_remove(&instr->instr);
   return true;
}

bool
agx_nir_lower_vertex_inputs(struct nir_shader *shader, const struct agx_vertex_inputs *inputs, const char **error)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_load_input)
            continue;
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));

         if (!lower(&b, nir_as_intrinsic(instr), inputs, error))
            return false;
      }
   }
   return true;
}
