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
   uint32_t lds_B;                                                /* the turn's, then each wave's count */
   struct nir_def *wave_info;                                     /* SGPR */
   struct nir_def *wave;                                          /* its number */
   struct nir_def *completes[NIR_XFB_STREAMS];                    /* NULL: nobody emits to the stream */
   struct nir_def *first[NIR_XFB_STREAMS], *all[NIR_XFB_STREAMS]; /* the thread's primitive; how many there are */
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

static uint32_t
count_B(const struct capture *c, unsigned stream)
{
   return c->lds_B + SI_XFB_TURN_B + 4 * SI_EMITTED_WAVES * stream;
}

static void
count_of_wave(struct capture *c, unsigned stream, struct nir_def *count)
{
   struct nir_builder *b = c->b;
   struct nir_def *at = nir_iadd_imm(b, nir_ishl_imm(b, c->wave, 2), count_B(c, stream));

   nir_push_if(b, nir_ieq_imm(b, nir_load_subgroup_invocation(b), 0));
   nir_store_shared(b, count, at, .write_mask = 1, .align_mul = 4);
   nir_pop_if(b, NULL);
}

/* Waves that are not there have no count in LDS. */
static struct nir_def *
count_of(struct capture *c, unsigned stream, unsigned wave)
{
   struct nir_builder *b = c->b;
   struct nir_def *waves = bits(b, c->wave_info, 28, 4), *zero = nir_imm_int(b, 0);
   struct nir_if *nif = nir_push_if(b, nir_ult(b, nir_imm_int(b, (int32_t)wave), waves));
   struct nir_def *count = load_lds(b, count_B(c, stream) + 4 * wave);

   nir_pop_if(b, nif);
   return nir_if_phi(b, count, zero);
}

static void
add_waves(struct capture *c, unsigned stream)
{
   struct nir_builder *b = c->b;

   c->all[stream] = nir_imm_int(b, 0);
   for (unsigned i = 0; i < SI_EMITTED_WAVES; i++) {
      struct nir_def *count = count_of(c, stream, i);
      struct nir_def *ahead = nir_ult(b, nir_imm_int(b, (int32_t)i), c->wave);

      c->all[stream] = nir_iadd(b, c->all[stream], count);
      c->first[stream] = nir_iadd(b, c->first[stream], nir_bcsel(b, ahead, count, nir_imm_int(b, 0)));
   }
}

static void
number_primitives(struct capture *c)
{
   struct nir_builder *b = c->b;

   for (unsigned s = 0; s < NIR_XFB_STREAMS; s++) {
      if (!c->completes[s])
         continue;
      struct nir_def *ballot = nir_ballot(b, c->completes[s]);

      c->first[s] = nir_ballot_bit_count_exclusive(b, ballot);
      count_of_wave(c, s, nir_ballot_bit_count_reduce(b, ballot));
   }
   group_barrier(b);
   for (unsigned s = 0; s < NIR_XFB_STREAMS; s++) {
      if (c->completes[s])
         add_waves(c, s);
   }
}

/* at: in LDS, of the stream's part. Of what the layout has not, the application wrote nothing. */
static struct nir_def *
load_component(struct capture *c, struct nir_def *at, const struct nir_xfb_output *out, unsigned n)
{
   const unsigned component = out->component + n;
   const struct si_gs_stream *layout = &c->options->gs_layout->streams[c->b->shader->info.xfb.streams[out->buffer]];
   const unsigned before = layout->components[out->slot] & ((1u << component) - 1);

   if (!(layout->components[out->slot] >> component & 1))
      return NULL;
   return nir_load_shared(
      c->b, 1, 32, at, .align_mul = 4,
      .base = (int32_t)(SI_EMITTED_FLAGS_B + 4 * (layout->first[out->slot] + (unsigned)__builtin_popcount(before))));
}

static void
store_output(struct capture *c, struct nir_def *at, const struct nir_xfb_output *out,
             const struct si_xfb_places *places)
{
   struct nir_def *values[4] = {NULL};

   for (unsigned n = 0; n < out->count; n++)
      values[n] = load_component(c, at, out, n);
   for (unsigned first = 0; first < out->count;)
      first += si_xfb_store(c->b, out, values, first, places);
}

/* number: of all vertices of the stream that the subgroup captures. */
static void
store_vertex(struct capture *c, unsigned stream, struct nir_def *at, struct nir_def *number,
             struct si_xfb_places *places)
{
   struct nir_builder *b = c->b;
   const struct nir_xfb *xfb = &b->shader->info.xfb;

   for (unsigned i = 0; i < NIR_XFB_BUFFERS; i++) {
      if (xfb->buffers >> i & 1 && xfb->streams[i] == stream)
         places->offset_B[i] =
            nir_iadd(b, load_lds(b, SI_XFB_PLACE_B(c->lds_B, i)), nir_imul_imm(b, number, xfb->stride_B[i]));
   }
   for (unsigned i = 0; i < xfb->num_outputs; i++) {
      if (xfb->streams[xfb->outputs[i].buffer] == stream)
         store_output(c, at, &xfb->outputs[i], places);
   }
}

static void
store_primitive(struct capture *c, unsigned stream, struct nir_def *flags, struct si_xfb_places *places)
{
   struct nir_builder *b = c->b;
   const struct si_gs_layout *layout = c->options->gs_layout;
   const unsigned count = si_nir_emitted_count(b->shader);
   const uint32_t first_B = c->options->emitted_lds_B + si_gs_stream_place_B(layout, stream);
   struct nir_def *corners[SI_EMITTED_CORNERS];

   si_nir_emitted_corners(b, nir_load_local_invocation_index(b), flags, corners);
   for (unsigned k = 0; k < count; k++) {
      struct nir_def *at = nir_iadd_imm(b, nir_imul_imm(b, corners[k], si_gs_place_B(layout)), first_B);

      store_vertex(c, stream, at, nir_iadd_imm(b, nir_imul_imm(b, c->first[stream], count), k), places);
   }
}

static void
store_stream(struct capture *c, unsigned stream, struct nir_def *flags, struct si_xfb_places *places)
{
   struct nir_builder *b = c->b;
   struct nir_def *fitting = load_lds(b, SI_XFB_FITTING_B(c->lds_B, stream));

   nir_push_if(b, nir_iand(b, c->completes[stream], nir_ult(b, c->first[stream], fitting)));
   store_primitive(c, stream, flags, places);
   nir_pop_if(b, NULL);
}

static void
take_turn(struct capture *c, const struct si_xfb_places *places)
{
   struct nir_builder *b = c->b;
   struct nir_def *active = bits(b, nir_load_scalar_arg(b, 1, .base = SI_SGPR_VS_XFB_PRIMITIVE), 8, 1);
   struct si_xfb_turn turn = {.lds_B = c->lds_B,
                              .subgroup = nir_load_system_sgpr_amd(b, .base = SUBGROUP_SGPR),
                              .wave = c->wave,
                              .corners = nir_imm_int(b, (int32_t)si_nir_emitted_count(b->shader)),
                              .places = places};

   for (unsigned s = 0; s < NIR_XFB_STREAMS; s++) {
      if (c->completes[s])
         turn.primitives[s] = nir_imul(b, nir_read_first_invocation(b, c->all[s]), active);
   }
   si_xfb_take_turn(b, &turn);
}

void
si_nir_capture_emitted(struct nir_builder *b, const struct si_nir_options *options,
                       struct nir_def *const flags[NIR_XFB_STREAMS])
{
   struct capture c = {.b = b, .options = options, .lds_B = b->shader->info.shared_B};
   struct si_xfb_places places;

   b->shader->info.shared_B += SI_EMITTED_XFB_B;
   c.wave_info = nir_load_system_sgpr_amd(b, .base = WAVE_INFO_SGPR);
   c.wave = bits(b, c.wave_info, 24, 4);
   for (unsigned s = 0; s < NIR_XFB_STREAMS; s++)
      c.completes[s] = flags[s] ? nir_ine_imm(b, nir_iand_imm(b, flags[s], SI_EMITTED_COMPLETES), 0) : NULL;
   number_primitives(&c);
   si_xfb_load_buffers(b, options, &places);
   take_turn(&c, &places);
   group_barrier(b);
   for (unsigned s = 0; s < NIR_XFB_STREAMS; s++) {
      if (flags[s] && nir_xfb_captures(&b->shader->info.xfb, s))
         store_stream(&c, s, flags[s], &places);
   }
}
