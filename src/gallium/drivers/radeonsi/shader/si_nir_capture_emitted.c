/* Transform feedback behind a geometry shader in NGG on GFX11. A primitive's number among those that the subgroup's
 * threads complete comes from the counts of the waves ahead; room is taken as for vertex shaders
 * (si_nir_capture_ngg.c), and the thread that completes a primitive stores it. */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_cf.h"
#include "gallium/drivers/radeonsi/shader/si_nir_geometry.h"
#include "gallium/drivers/radeonsi/shader/si_nir_xfb.h"
#include "gallium/drivers/radeonsi/si_abi.h"

enum { SUBGROUP_SGPR = 2, WAVE_INFO_SGPR = 3 };

struct capture {
   struct nir_builder *b;
   const struct si_nir_options *options;
   uint32_t lds_B;              /* the turn's, then each wave's count */
   struct nir_def *wave_info;   /* SGPR */
   struct nir_def *wave;        /* its number */
   struct nir_def *first, *all; /* the thread's primitive; how many there are */
};

static void
group_barrier(struct nir_builder *b)
{
   nir_barrier(b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_WORKGROUP,
               .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE, .memory_modes = NIR_VAR_SHARED);
}

static struct nir_def *
bits(struct nir_builder *b, struct nir_def *word, unsigned first, unsigned count)
{
   return nir_iand_imm(b, nir_ushr_imm(b, word, first), (1u << count) - 1);
}

static struct nir_def *
load_lds(struct nir_builder *b, uint32_t at_B)
{
   return nir_load_shared(b, 1, 32, nir_imm_int(b, (int32_t)at_B), .align_mul = 4);
}

static void
count_of_wave(struct capture *c, struct nir_def *count)
{
   struct nir_builder *b = c->b;
   struct nir_def *at = nir_iadd_imm(b, nir_ishl_imm(b, c->wave, 2), c->lds_B + SI_XFB_TURN_B);

   nir_push_if(b, nir_ieq_imm(b, nir_load_subgroup_invocation(b), 0));
   nir_store_shared(b, count, at, .write_mask = 1, .align_mul = 4);
   nir_pop_if(b, NULL);
   group_barrier(b);
}

/* Waves that are not there have no count in LDS. */
static struct nir_def *
count_of(struct capture *c, unsigned wave)
{
   struct nir_builder *b = c->b;
   struct nir_def *waves = bits(b, c->wave_info, 28, 4), *zero = nir_imm_int(b, 0);
   struct nir_if *nif = nir_push_if(b, nir_ult(b, nir_imm_int(b, (int32_t)wave), waves));
   struct nir_def *count = load_lds(b, c->lds_B + SI_XFB_TURN_B + 4 * wave);

   nir_pop_if(b, nif);
   return nir_if_phi(b, count, zero);
}

static void
number_primitives(struct capture *c, struct nir_def *completes)
{
   struct nir_builder *b = c->b;
   struct nir_def *ballot = nir_ballot(b, completes);

   c->first = nir_ballot_bit_count_exclusive(b, ballot);
   c->all = nir_imm_int(b, 0);
   count_of_wave(c, nir_ballot_bit_count_reduce(b, ballot));
   for (unsigned i = 0; i < SI_EMITTED_WAVES; i++) {
      struct nir_def *count = count_of(c, i);
      struct nir_def *ahead = nir_ult(b, nir_imm_int(b, (int32_t)i), c->wave);

      c->all = nir_iadd(b, c->all, count);
      c->first = nir_iadd(b, c->first, nir_bcsel(b, ahead, count, nir_imm_int(b, 0)));
   }
}

/* Of what the layout has not, the application wrote nothing. */
static struct nir_def *
load_component(struct capture *c, struct nir_def *at, unsigned slot, unsigned component)
{
   const struct si_gs_stream *layout = &c->options->gs_layout->streams[0];
   const unsigned before = layout->components[slot] & ((1u << component) - 1);

   if (!(layout->components[slot] >> component & 1))
      return NULL;
   return nir_load_shared(
      c->b, 1, 32, at, .align_mul = 4,
      .base = (int32_t)(SI_EMITTED_FLAGS_B + 4 * (layout->first[slot] + (unsigned)__builtin_popcount(before))));
}

/* at: in LDS; number: of all vertices that the subgroup captures. */
static void
store_vertex(struct capture *c, struct nir_def *at, struct nir_def *number, struct si_xfb_places *places)
{
   struct nir_builder *b = c->b;
   const struct nir_xfb *xfb = &b->shader->info.xfb;

   for (unsigned i = 0; i < NIR_XFB_BUFFERS; i++) {
      if (xfb->buffers >> i & 1)
         places->offset_B[i] =
            nir_iadd(b, load_lds(b, SI_XFB_PLACE_B(c->lds_B, i)), nir_imul_imm(b, number, xfb->stride_B[i]));
   }
   for (unsigned i = 0; i < xfb->num_outputs; i++) {
      const struct nir_xfb_output *out = &xfb->outputs[i];
      struct nir_def *values[4] = {NULL};

      for (unsigned n = 0; n < out->count; n++)
         values[n] = load_component(c, at, out->slot, out->component + n);
      for (unsigned first = 0; first < out->count;)
         first += si_xfb_store(b, out, values, first, places);
   }
}

static void
store_primitive(struct capture *c, struct nir_def *flags, struct si_xfb_places *places)
{
   struct nir_builder *b = c->b;
   const unsigned count = si_nir_emitted_count(b->shader);
   struct nir_def *corners[SI_EMITTED_CORNERS];

   si_nir_emitted_corners(b, nir_load_local_invocation_index(b), flags, corners);
   for (unsigned k = 0; k < count; k++) {
      struct nir_def *at = nir_iadd_imm(b, nir_imul_imm(b, corners[k], si_gs_place_B(c->options->gs_layout)),
                                        c->options->emitted_lds_B);

      store_vertex(c, at, nir_iadd_imm(b, nir_imul_imm(b, c->first, count), k), places);
   }
}

void
si_nir_capture_emitted(struct nir_builder *b, const struct si_nir_options *options, struct nir_def *flags)
{
   struct capture c = {.b = b, .options = options, .lds_B = b->shader->info.shared_B};
   struct nir_def *completes = nir_ine_imm(b, nir_iand_imm(b, flags, SI_EMITTED_COMPLETES), 0);
   struct nir_def *active = bits(b, nir_load_scalar_arg(b, 1, .base = SI_SGPR_VS_XFB_PRIMITIVE), 8, 1);
   struct si_xfb_places places;

   b->shader->info.shared_B += SI_EMITTED_XFB_B;
   c.wave_info = nir_load_system_sgpr_amd(b, .base = WAVE_INFO_SGPR);
   c.wave = bits(b, c.wave_info, 24, 4);
   number_primitives(&c, completes);
   si_xfb_load_buffers(b, options, &places);
   si_xfb_take_turn(b, &(struct si_xfb_turn){
                          .lds_B = c.lds_B,
                          .subgroup = nir_load_system_sgpr_amd(b, .base = SUBGROUP_SGPR),
                          .wave = c.wave,
                          .primitives = nir_imul(b, nir_read_first_invocation(b, c.all), active),
                          .corners = nir_imm_int(b, (int32_t)si_nir_emitted_count(b->shader)),
                          .places = &places,
                       });
   group_barrier(b);
   nir_push_if(b, nir_iand(b, completes, nir_ult(b, c.first, load_lds(b, c.lds_B))));
   store_primitive(&c, flags, &places);
   nir_pop_if(b, NULL);
}
