/* The copy shader of the legacy pipeline: reads vertices where the geometry engine says that they lie in the GSVS
 * ring. A wave's vertices are of one stream. Those of the first become outputs; of each, transform feedback stores
 * what it captures. Sources: radeonsi and RADV (arguments, the branch for each stream). */
#include "compiler/nir/nir_cf.h"
#include "gallium/drivers/radeonsi/shader/si_nir_geometry.h"
#include "gallium/drivers/radeonsi/shader/si_nir_xfb.h"

struct copy {
   struct nir_builder b;
   const struct si_nir_options *options;
   struct nir_def *ring, *at; /* the vertex's byte */
};

static void
load_values(struct copy *c, unsigned stream, struct si_xfb_values *values)
{
   const struct si_gs_layout *layout = c->options->gs_layout;
   const struct si_gs_stream *of = &layout->streams[stream];

   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      unsigned number = of->first[slot];

      for (unsigned n = 0; n < 4; n++) {
         if (!(of->components[slot] >> n & 1))
            continue;
         const uint32_t place_B = si_gsvs_component_B(layout, number++);

         values->of[slot][n] =
            nir_load_ssbo(&c->b, 1, 32, c->ring, nir_iadd_imm(&c->b, c->at, place_B), .align_mul = 4,
                          .access = NIR_ACCESS_COHERENT | NIR_ACCESS_NON_WRITEABLE);
      }
   }
}

static void
store_outputs(struct copy *c, const struct si_xfb_values *values)
{
   struct nir_def *zero = nir_imm_int(&c->b, 0);

   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      for (unsigned n = 0; n < 4; n++) {
         if (values->of[slot][n])
            nir_store_output(&c->b, values->of[slot][n], zero, .slot = slot, .component = n, .write_mask = 1,
                             .src_type = NIR_TYPE_UINT);
      }
   }
}

static void
copy_stream(struct copy *c, unsigned stream, struct si_xfb_values *values)
{
   load_values(c, stream, values);
   if (c->b.shader->info.xfb.buffers)
      si_xfb_capture(&c->b, c->options, values, stream);
}

/* Outputs of the branch that has just ended; elsewhere nothing is exported. */
static void
merge_values(struct nir_builder *b, struct si_xfb_values *values)
{
   struct nir_def *zero = nir_imm_int(b, 0);

   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      for (unsigned n = 0; n < 4; n++) {
         if (values->of[slot][n])
            values->of[slot][n] = nir_if_phi(b, values->of[slot][n], zero);
      }
   }
}

bool
si_gs_captures_more(const struct nir_xfb *xfb)
{
   bool more = false;

   for (unsigned s = 1; s < NIR_XFB_STREAMS; s++)
      more |= nir_xfb_captures(xfb, s);
   return more;
}

static void
copy_streams(struct copy *c)
{
   struct nir_builder *b = &c->b;
   struct nir_def *number = si_xfb_stream(b, c->options);

   for (unsigned s = NIR_XFB_STREAMS; s-- > 0;) {
      struct si_xfb_values values = {0};

      if (s && !nir_xfb_captures(&b->shader->info.xfb, s))
         continue;
      struct nir_if *nif = nir_push_if(b, nir_ieq_imm(b, number, s));

      copy_stream(c, s, &values);
      nir_pop_if(b, nif);
      if (s == 0) {
         merge_values(b, &values);
         store_outputs(c, &values);
      }
   }
}

void
si_nir_copy_emitted(struct nir_shader *shader, const struct si_nir_options *options)
{
   struct copy c = {.b = nir_builder_at(shader, nir_before_block(nir_first_block(shader))), .options = options};
   struct si_xfb_values values = {0};

   c.ring = si_gsvs_ring(&c.b, options);
   c.at = nir_imul_imm(&c.b, nir_load_vector_arg(&c.b, 1, .base = 0), 4);
   if (si_gs_captures_more(&shader->info.xfb)) {
      copy_streams(&c);
      return;
   }
   copy_stream(&c, 0, &values);
   store_outputs(&c, &values);
}

struct nir_shader *
si_nir_copy_shader(const struct nir_shader *geometry)
{
   struct nir_shader *shader = nir_shader_create(geometry->arena, NIR_STAGE_GEOMETRY);

   shader->name = geometry->name;
   shader->info.xfb = geometry->info.xfb;
   shader->info.clip_distances = geometry->info.clip_distances;
   shader->info.cull_distances = geometry->info.cull_distances;
   return shader;
}
