/* Inputs and system values of fragment shaders: interpolations of coefficient registers (agx_varyings.h). */
#include "gallium/drivers/asahi/nir/agx_nir_fragment_inputs.h"
#include "util/macros.h"

/* Where a value is interpolated, apart from offsets. */
struct place {
   enum agx_place place;
   struct nir_def *sample; /* number */
};

/* Of the pixel's own values: the middle, or the sample that the loop is at. */
static struct place
own_place(struct agx_input_lowering *l)
{
   if (l->key->per_sample)
      return (struct place){AGX_PLACE_SAMPLE, nir_load_sample_id(&l->b)};
   return (struct place){AGX_PLACE_CENTER, nir_imm_int(&l->b, 0)};
}

static struct nir_def *
iterate(struct agx_input_lowering *l, unsigned cf, unsigned count, unsigned bits, bool perspective,
        struct place place)
{
   return nir_iter_agx(&l->b, count, bits, place.sample, .base = (int32_t)cf, .perspective = perspective,
                       .place = place.place);
}

/* x, y of an offset from the middle of the pixel, from the corner of its 32x32 pixels on. */
static void
position_in_tile(struct agx_input_lowering *l, struct nir_def *offset, struct nir_def *xy[2])
{
   struct nir_builder *b = &l->b;
   struct nir_def *pixel = nir_load_pixel_coord_agx(b);

   for (unsigned i = 0; i < 2; i++) {
      struct nir_def *at = nir_iand_imm(b, nir_u2uN(b, nir_channel(b, pixel, i), 32), 31);

      xy[i] = nir_fadd(b, nir_fadd_imm(b, nir_u2fN(b, at, 32), 0.5), nir_channel(b, offset, i));
   }
}

static struct nir_def *
plane_at(struct nir_builder *b, unsigned cf, struct nir_def *const xy[2])
{
   struct nir_def *c = nir_load_coefficients_agx(b, .base = (int32_t)cf);
   struct nir_def *sum = nir_ffma(b, nir_channel(b, c, 0), xy[0], nir_channel(b, c, 2));

   return nir_ffma(b, nir_channel(b, c, 1), xy[1], sum);
}

static struct nir_def *
interpolate_at_offset(struct agx_input_lowering *l, unsigned cf, unsigned count, unsigned bits, bool perspective,
                      struct nir_def *offset)
{
   struct nir_builder *b = &l->b;
   struct nir_def *xy[2], *values[4], *w = NULL;

   position_in_tile(l, offset, xy);
   if (perspective)
      w = nir_frcp(b, plane_at(b, 0, xy));
   for (unsigned i = 0; i < count; i++) {
      values[i] = plane_at(b, cf + i, xy);
      if (w)
         values[i] = nir_fmul(b, values[i], w);
      if (bits == 16)
         values[i] = nir_f2fN(b, values[i], 16);
   }
   return nir_vec(b, values, count);
}

struct nir_def *
agx_nir_interpolate_center(struct agx_input_lowering *l, unsigned cf, unsigned count)
{
   return iterate(l, cf, count, 32, false, (struct place){AGX_PLACE_CENTER, nir_imm_int(&l->b, 0)});
}

struct nir_def *
agx_nir_interpolate(struct agx_input_lowering *l, unsigned cf, unsigned count, unsigned bits, bool perspective,
                    struct nir_intrinsic_instr *barycentric)
{
   struct nir_builder *b = &l->b;
   struct place place = own_place(l);

   switch ((int)barycentric->op) {
   case NIR_INTRINSIC_load_barycentric_centroid:
      if (!l->key->per_sample)
         place = (struct place){AGX_PLACE_CENTROID, nir_imm_int(b, 0)};
      break;
   case NIR_INTRINSIC_load_barycentric_sample:
      break;
   case NIR_INTRINSIC_load_barycentric_at_sample:
      if (l->key->tile.samples > 1)
         place = (struct place){AGX_PLACE_SAMPLE, barycentric->src[0].def};
      break;
   case NIR_INTRINSIC_load_barycentric_at_offset:
      return interpolate_at_offset(l, cf, count, bits, perspective, barycentric->src[0].def);
   default: /* others: load_barycentric_pixel: the middle, also where the shader runs for samples, as the API has it
             */
      place = (struct place){l->key->per_sample ? AGX_PLACE_SAMPLE : AGX_PLACE_CENTER, place.sample};
      break;
   }
   return iterate(l, cf, count, bits, perspective, place);
}

/* Of a fan it stands elsewhere. */
static struct nir_def *
flat_coefficient(struct agx_input_lowering *l, unsigned cf)
{
   struct nir_builder *b = &l->b;
   struct nir_def *abc = nir_load_coefficients_agx(b, .base = (int32_t)cf);

   if (!l->registers->separate)
      return nir_channel(b, abc, l->registers->flat_coefficient);
   struct nir_def *fan = nir_ine(b, agx_nir_arg(b, AGX_TABLE_LINK, AGX_LINK_FAN, 1), nir_imm_int(b, 0));

   return nir_bcsel(b, fan, nir_channel(b, abc, 1), nir_channel(b, abc, 2));
}

/* A flat value: bits of the coefficient, all 32 or the lower 16. type: of what the program reads. */
static struct nir_def *
flat_value(struct agx_input_lowering *l, unsigned cf, bool half, unsigned bits, enum nir_base_type type)
{
   struct nir_builder *b = &l->b;
   struct nir_def *value = flat_coefficient(l, cf);

   if (bits == 32 && !half)
      return value;
   if (l->registers->separate && type == NIR_TYPE_FLOAT)
      return nir_f2fN(b, value, bits);
   value = nir_u2uN(b, value, 16);
   if (bits == 16)
      return value;
   return type == NIR_TYPE_FLOAT ? nir_f2fN(b, value, 32)
          : type == NIR_TYPE_INT ? nir_i2iN(b, value, 32)
                                 : nir_u2uN(b, value, 32);
}

/* How many components from this one on have registers one after the other. */
static unsigned
run_of(const uint8_t cf[4], unsigned first, unsigned end)
{
   unsigned run = cf[first] ? 1 : 0;

   while (run && first + run < end && cf[first + run] == cf[first] + run)
      run++;
   return run;
}

/* What is only rounded comes in halves: the iterator rounds. */
static bool
is_read_in_half(const struct nir_def *def)
{
   for (unsigned i = 0; i < def->num_components; i++) {
      if (!agx_nir_is_read_in_half(def, i))
         return false;
   }
   return true;
}

/* The components of a slot: each run at once; those without a register are zero. from: NULL for flat values. */
static struct nir_def *
gather(struct agx_input_lowering *l, const struct nir_intrinsic_instr *load, unsigned slot,
       struct nir_intrinsic_instr *from)
{
   struct nir_builder *b = &l->b;
   unsigned first = nir_intrinsic_component(load), end = first + load->def.num_components;
   unsigned bits = from && is_read_in_half(&load->def) ? 16 : load->def.bit_size;
   bool perspective = from && nir_intrinsic_interp(from) == NIR_INTERP_SMOOTH;
   const uint8_t *cf = l->registers->cf[slot];
   struct nir_def *values[4];

   for (unsigned i = first; i < end;) {
      unsigned run = run_of(cf, i, end);

      if (!run) {
         values[i++ - first] = nir_imm_intN(b, 0, bits);
         continue;
      }
      struct nir_def *value = from ? agx_nir_interpolate(l, cf[i], run, bits, perspective, from) : NULL;

      for (unsigned k = 0; k < run; k++, i++)
         values[i - first] =
            value ? nir_channel(b, value, k)
                  : flat_value(l, cf[i], l->registers->half.slot[slot] >> i & 1, bits, nir_intrinsic_src_type(load));
   }
   struct nir_def *all = nir_vec(b, values, load->def.num_components);

   return bits == load->def.bit_size ? all : nir_f2fN(b, all, load->def.bit_size);
}

static struct nir_def *
primitive_id(struct agx_input_lowering *l)
{
   struct nir_builder *b = &l->b;

   return nir_channel(b, nir_load_coefficients_agx(b, .base = l->registers->primitive_id_cf), 2);
}

static struct nir_def *
lower_input(struct agx_input_lowering *l, struct nir_intrinsic_instr *load)
{
   bool flat = load->op == NIR_INTRINSIC_load_input;
   struct nir_intrinsic_instr *barycentric = flat ? NULL : nir_as_intrinsic(load->src[0].def->parent);
   unsigned slot = nir_intrinsic_slot(load) + (unsigned)nir_src_comp_as_uint(load->src[flat ? 0 : 1], 0);

   if (flat && slot == NIR_SLOT_PRIMITIVE_ID)
      return primitive_id(l);
   struct nir_def *value = gather(l, load, slot, barycentric);

   if (!l->registers->separate || slot != NIR_SLOT_VIEWPORT)
      return value;
   return nir_iand(&l->b, value, agx_nir_arg(&l->b, AGX_TABLE_LINK, AGX_LINK_VIEWPORT, 1));
}

/* In [0, 1), of the sample that the loop is at; a byte each in the word that the render command has, too. */
static struct nir_def *
sample_position(struct agx_input_lowering *l)
{
   struct nir_builder *b = &l->b;
   struct nir_def *word = agx_nir_arg(b, AGX_TABLE_STAGE, AGX_GRAPHICS_POSITIONS, 1);
   struct nir_def *byte = nir_ushr(b, word, nir_ishl_imm(b, nir_load_sample_id(b), 3)), *xy[2];

   for (unsigned i = 0; i < 2; i++)
      xy[i] = nir_fmul_imm(b, nir_u2fN(b, nir_iand_imm(b, nir_ushr_imm(b, byte, 4 * i), 15), 32), 1.0 / 16);
   return nir_vec(b, xy, 2);
}

static struct nir_def *
frag_coord(struct agx_input_lowering *l)
{
   struct nir_builder *b = &l->b;
   struct nir_def *pixel = nir_load_pixel_coord_agx(b), *values[4];
   struct nir_def *inside = l->key->per_sample ? sample_position(l) : nir_imm_vec4(b, 0.5f, 0.5f, 0, 0);

   for (unsigned i = 0; i < 2; i++)
      values[i] = nir_fadd(b, nir_u2fN(b, nir_u2uN(b, nir_channel(b, pixel, i), 32), 32), nir_channel(b, inside, i));
   values[2] = l->registers->z_cf ? iterate(l, l->registers->z_cf, 1, 32, false, own_place(l)) : nir_imm_float(b, 0);
   values[3] = iterate(l, 0, 1, 32, false, own_place(l));
   return nir_vec(b, values, 4);
}

static struct nir_def *
covered(struct agx_input_lowering *l)
{
   struct nir_builder *b = &l->b;
   struct nir_def *mask = nir_load_sr_agx(b, 32, .base = AGX_SR_INPUT_SAMPLE_MASK);

   if (l->key->open)
      mask = nir_iand(b, mask, agx_nir_arg(b, AGX_TABLE_LINK, AGX_LINK_SAMPLES, 1));
   else
      mask = nir_iand_imm(b, mask, l->key->sample_mask & bit_mask(l->key->tile.samples));
   if (!l->key->per_sample)
      return mask;
   return nir_iand(b, mask, nir_ishl(b, nir_imm_int(b, 1), nir_load_sample_id(b)));
}

static struct nir_def *
lower(struct agx_input_lowering *l, struct nir_intrinsic_instr *instr)
{
   switch ((int)instr->op) {
   case NIR_INTRINSIC_load_input:
   case NIR_INTRINSIC_load_interpolated_input:
      return lower_input(l, instr);
   case NIR_INTRINSIC_load_per_vertex_input:
      return agx_nir_lower_per_vertex_input(l, instr);
   case NIR_INTRINSIC_load_barycentric_coord:
      return agx_nir_lower_barycentric_coord(l, instr);
   case NIR_INTRINSIC_load_frag_coord:
      return frag_coord(l);
   case NIR_INTRINSIC_load_point_coord:
      return iterate(l, l->registers->point_coord_cf, 2, 32, false, own_place(l));
   case NIR_INTRINSIC_load_primitive_id:
      return primitive_id(l);
   case NIR_INTRINSIC_load_layer_id:
      return nir_load_sr_agx(&l->b, 32, .base = AGX_SR_THREADGROUP_IN_GRID_Z);
   case NIR_INTRINSIC_load_sample_pos:
      return l->key->per_sample ? sample_position(l) : nir_channels(&l->b, nir_imm_vec4(&l->b, 0.5f, 0.5f, 0, 0), 3);
   case NIR_INTRINSIC_load_sample_mask_in:
      return covered(l);
   default: /* others: the compiler's, or of other passes */
      return NULL;
   }
}

bool
agx_nir_lower_fragment_inputs(struct nir_shader *shader, const struct agx_fragment_registers *registers,
                              const struct agx_fragment_key *key, const char **error)
{
   struct agx_input_lowering l = {.registers = registers, .key = key};

   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC)
            continue;
         l.b = nir_builder_at(shader, nir_before_instr(instr));
         struct nir_def *value = lower(&l, nir_as_intrinsic(instr));

         if (!value)
            continue;
         nir_def_replace(&nir_as_intrinsic(instr)->def, value);
         nir_instr_remove(instr);
      }
   }
   return true;
}
