/* Emission of NGG: a thread's vertices go to LDS, where each that it may emit has a place; then the subgroup's
 * threads export what lies there, thread i what is in place i. A place that stayed empty, or that does not complete a
 * primitive, becomes a primitive that is not drawn.
 *
 * A place has a part for each stream that has vertices: a dword of flags, then the components. Sources: the word of
 * a primitive and GS_ALLOC_REQ as LLVM AMDGPU and public drivers have them (radeonsi, RADV). */
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/radeonsi/shader/si_nir_geometry.h"
#include "gallium/drivers/radeonsi/shader/si_nir_xfb.h"
#include "gallium/drivers/radeonsi/si_abi.h"

enum { SUBGROUP_INFO_SGPR = 2, WAVE_INFO_SGPR = 3, MSG_GS_ALLOC_REQ = 9 };
#define NULL_PRIMITIVE INT32_MIN

bool
si_gs_has_place(const struct si_gs_layout *layout, unsigned stream)
{
   return stream == 0 || layout->streams[stream].emitted;
}

uint32_t
si_gs_stream_place_B(const struct si_gs_layout *layout, unsigned stream)
{
   uint32_t offset_B = 0;

   for (unsigned s = 0; s < stream; s++)
      offset_B += si_gs_has_place(layout, s) ? SI_EMITTED_FLAGS_B + 4u * layout->streams[s].vertex_dw : 0;
   return offset_B;
}

/* An odd number of dwords: places side by side are in different banks. */
uint32_t
si_gs_place_B(const struct si_gs_layout *layout)
{
   return si_gs_stream_place_B(layout, NIR_XFB_STREAMS) | 4;
}

unsigned
si_nir_emitted_count(const struct nir_shader *shader)
{
   return shader->info.gs_output == NIR_PRIMITIVE_POINTS ? 1 : shader->info.gs_output == NIR_PRIMITIVE_LINES ? 2 : 3;
}

/* ---- the geometry shader ---- */

struct emission {
   struct nir_builder b;
   const struct si_gs_layout *layout;
   struct nir_def *begin_B;                            /* of the thread's first place */
   struct nir_variable *count[NIR_XFB_STREAMS];        /* of vertices so far */
   struct nir_variable *strip_length[NIR_XFB_STREAMS]; /* of the running strip */
};

static struct nir_variable *
counter(struct nir_builder *b, const char *name)
{
   struct nir_variable *var =
      nir_variable_create(b->shader, NIR_VAR_FUNCTION_TEMP, nir_type_vector(NIR_TYPE_UINT, 32, 1), name);

   nir_store_var(b, var, nir_imm_int(b, 0), 1);
   return var;
}

static void
start(struct emission *e, const struct si_nir_options *options)
{
   struct nir_builder *b = &e->b;
   struct nir_def *thread = nir_load_local_invocation_index(b);

   e->begin_B = nir_iadd_imm(b, nir_imul_imm(b, thread, e->layout->max_vertices * si_gs_place_B(e->layout)),
                             options->emitted_lds_B);
   for (unsigned s = 0; s < NIR_XFB_STREAMS; s++) {
      if (!si_gs_has_place(e->layout, s))
         continue;
      e->count[s] = counter(b, "emitted");
      e->strip_length[s] = counter(b, "strip_length");
   }
}

static struct nir_def *
place_of(struct emission *e, struct nir_def *number)
{
   return nir_iadd(&e->b, e->begin_B, nir_imul_imm(&e->b, number, si_gs_place_B(e->layout)));
}

static void
store_dword(struct nir_builder *b, struct nir_def *at, uint32_t offset_B, struct nir_def *value)
{
   nir_store_shared(b, value, at, .base = (int32_t)offset_B, .write_mask = 1, .align_mul = 4);
}

/* The first vertices of a strip complete nothing; then every other triangle is odd. */
static struct nir_def *
flags_of(struct nir_builder *b, struct nir_def *length)
{
   const unsigned corners = si_nir_emitted_count(b->shader);
   struct nir_def *live = nir_imm_int(b, SI_EMITTED_LIVE),
                  *completes = nir_imm_int(b, SI_EMITTED_LIVE | SI_EMITTED_COMPLETES);

   if (corners == SI_EMITTED_CORNERS)
      completes = nir_ior(b, completes, nir_imul_imm(b, nir_iand_imm(b, length, 1), SI_EMITTED_ODD));
   return nir_bcsel(b, nir_ult(b, length, nir_imm_int(b, (int32_t)corners - 1)), live, completes);
}

static void
store_vertex(struct emission *e, const struct si_emission *emission, unsigned stream, struct nir_def *at)
{
   const struct si_gs_stream *layout = &e->layout->streams[stream];
   const uint32_t first_B = si_gs_stream_place_B(e->layout, stream) + SI_EMITTED_FLAGS_B;

   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      unsigned component = layout->first[slot];

      for (unsigned n = 0; n < 4; n++) {
         if (!(layout->components[slot] >> n & 1))
            continue;
         if (emission->values[slot][n])
            store_dword(&e->b, at, first_B + 4 * component, emission->values[slot][n]);
         component++;
      }
   }
}

/* More vertices than the shader has declared are dropped: there are no places for them. */
static void
lower_emission(struct emission *e, const struct si_emission *emission)
{
   struct nir_builder *b = &e->b;
   const unsigned stream = nir_intrinsic_stream(emission->emit);

   b->cursor = nir_before_instr(&emission->emit->instr);
   if (e->count[stream]) {
      struct nir_def *number = nir_load_var(b, e->count[stream]);
      struct nir_if *nif = nir_push_if(b, nir_ult(b, number, nir_imm_int(b, e->layout->max_vertices)));
      struct nir_def *length = nir_load_var(b, e->strip_length[stream]), *at = place_of(e, number);

      store_vertex(e, emission, stream, at);
      store_dword(b, at, si_gs_stream_place_B(e->layout, stream), flags_of(b, length));
      nir_store_var(b, e->count[stream], nir_iadd_imm(b, number, 1), 1);
      nir_store_var(b, e->strip_length[stream], nir_iadd_imm(b, length, 1), 1);
      nir_pop_if(b, nif);
   }
   nir_instr_remove(&emission->emit->instr);
}

static void
lower_cuts(struct emission *e)
{
   nir_foreach_block(block, e->b.shader) {
      nir_foreach_instr_safe(instr, block) {
         struct nir_intrinsic_instr *cut = instr->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic(instr) : NULL;

         if (!cut || cut->op != NIR_INTRINSIC_end_primitive)
            continue;
         const unsigned stream = nir_intrinsic_stream(cut);

         e->b.cursor = nir_before_instr(instr);
         if (e->count[stream])
            nir_store_var(&e->b, e->strip_length[stream], nir_imm_int(&e->b, 0), 1);
         nir_instr_remove(instr);
      }
   }
}

/* The flags of places that stay empty. */
static void
clear_rest(struct emission *e, unsigned stream)
{
   struct nir_builder *b = &e->b;
   struct nir_loop *loop = nir_push_loop(b);
   struct nir_def *number = nir_load_var(b, e->count[stream]);
   struct nir_if *nif = nir_push_if(b, nir_uge(b, number, nir_imm_int(b, e->layout->max_vertices)));

   nir_break(b);
   nir_pop_if(b, nif);
   store_dword(b, place_of(e, number), si_gs_stream_place_B(e->layout, stream), nir_imm_int(b, 0));
   nir_store_var(b, e->count[stream], nir_iadd_imm(b, number, 1), 1);
   nir_pop_loop(b, loop);
}

void
si_nir_emit_to_lds(struct nir_shader *shader, const struct si_nir_options *options)
{
   struct emission e = {.layout = options->gs_layout};
   unsigned count;
   const struct si_emission *emissions = si_nir_find_emissions(shader, &count);

   si_gs_lay_out(options->gs_layout, shader, emissions, count);
   e.b = nir_builder_at(shader, nir_before_block(nir_first_block(shader)));
   start(&e, options);
   for (unsigned i = 0; i < count; i++)
      lower_emission(&e, &emissions[i]);
   lower_cuts(&e);
   e.b.cursor = nir_after_block(nir_cf_list_last(&shader->body));
   for (unsigned s = 0; s < NIR_XFB_STREAMS; s++) {
      if (e.count[s])
         clear_rest(&e, s);
   }
   NIR_PASS(shader, nir_lower_vars_to_ssa);
}

/* ---- behind it ---- */

struct place {
   struct nir_def *at, *is_there;
};

static struct nir_def *
bits(struct nir_builder *b, struct nir_def *word, unsigned first, unsigned count)
{
   return nir_iand_imm(b, nir_ushr_imm(b, word, first), (1u << count) - 1);
}

/* Those of an odd triangle turn so that the provoking one, the first or the last, stays in its place. */
void
si_nir_emitted_corners(struct nir_builder *b, struct nir_def *i, struct nir_def *flags, struct nir_def **corners)
{
   const unsigned count = si_nir_emitted_count(b->shader);

   for (unsigned k = 0; k < count; k++)
      corners[k] = nir_iadd_imm(b, i, (int)k - (int)count + 1);
   if (count < SI_EMITTED_CORNERS)
      return;
   struct nir_def *odd = nir_ine_imm(b, nir_iand_imm(b, flags, SI_EMITTED_ODD), 0);
   struct nir_def *last = nir_ine_imm(b, nir_load_scalar_arg(b, 1, .base = SI_SGPR_VS_PROVOKING), 0);
   struct nir_def *turned[SI_EMITTED_CORNERS] = {nir_bcsel(b, last, corners[1], corners[0]),
                                                 nir_bcsel(b, last, corners[0], corners[2]),
                                                 nir_bcsel(b, last, corners[2], corners[1])};

   for (unsigned k = 0; k < count; k++)
      corners[k] = nir_bcsel(b, odd, turned[k], corners[k]);
}

static struct nir_def *
primitive_word(struct nir_builder *b, struct nir_def *thread, struct nir_def *flags)
{
   struct nir_def *corners[SI_EMITTED_CORNERS], *word = nir_imm_int(b, 0);

   si_nir_emitted_corners(b, thread, flags, corners);
   for (unsigned k = 0; k < si_nir_emitted_count(b->shader); k++)
      word = nir_ior(b, word, nir_ishl_imm(b, corners[k], 10 * k));
   return nir_bcsel(b, nir_ieq_imm(b, nir_iand_imm(b, flags, SI_EMITTED_COMPLETES), 0),
                    nir_imm_int(b, NULL_PRIMITIVE), word);
}

static struct nir_def *
load_dword(struct nir_builder *b, struct nir_def *at, uint32_t offset_B)
{
   return nir_load_shared(b, 1, 32, at, .base = (int32_t)offset_B, .align_mul = 4);
}

/* Of the thread's place in all streams; 0 without a place. */
static void
load_flags(struct nir_builder *b, const struct si_gs_layout *layout, const struct place *place,
           struct nir_def *flags[NIR_XFB_STREAMS])
{
   struct nir_def *nothing = nir_imm_int(b, 0);
   struct nir_if *nif = nir_push_if(b, place->is_there);

   for (unsigned s = 0; s < NIR_XFB_STREAMS; s++)
      flags[s] = si_gs_has_place(layout, s) ? load_dword(b, place->at, si_gs_stream_place_B(layout, s)) : NULL;
   nir_pop_if(b, nif);
   for (unsigned s = 0; s < NIR_XFB_STREAMS; s++) {
      if (flags[s])
         flags[s] = nir_if_phi(b, flags[s], nothing);
   }
}

/* What is in the place becomes outputs; an empty one's are zeros. */
static void
export_vertex(struct nir_builder *b, const struct si_gs_layout *layout, struct nir_def *at, struct nir_def *flags)
{
   const struct si_gs_stream *stream = &layout->streams[0];
   struct nir_def *zero = nir_imm_int(b, 0), *values[NIR_SLOT_COUNT][4];
   struct nir_if *nif = nir_push_if(b, nir_ine_imm(b, nir_iand_imm(b, flags, SI_EMITTED_LIVE), 0));

   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      for (unsigned n = 0, component = stream->first[slot]; n < 4; n++) {
         if (stream->components[slot] >> n & 1)
            values[slot][n] = load_dword(b, at, SI_EMITTED_FLAGS_B + 4 * component++);
      }
   }
   nir_pop_if(b, nif);
   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      for (unsigned n = 0; n < 4; n++) {
         if (stream->components[slot] >> n & 1)
            values[slot][n] = nir_if_phi(b, values[slot][n], zero);
      }
   }
   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      for (unsigned n = 0; n < 4; n++) {
         if (stream->components[slot] >> n & 1)
            nir_store_output(b, values[slot][n], zero, .slot = slot, .component = n, .write_mask = 1,
                             .src_type = NIR_TYPE_UINT);
      }
   }
}

/* Room for all places, vertices M0[10:0] and primitives M0[22:12]. */
static void
ask_for_room(struct nir_builder *b, struct nir_def *places)
{
   struct nir_def *wave = bits(b, nir_load_system_sgpr_amd(b, .base = WAVE_INFO_SGPR), 24, 4);
   struct nir_if *nif = nir_push_if(b, nir_ieq_imm(b, wave, 0));

   nir_send_message_amd(b, nir_ior(b, places, nir_ishl_imm(b, places, 12)), .base = MSG_GS_ALLOC_REQ);
   nir_pop_if(b, nif);
}

void
si_nir_export_emitted(struct nir_shader *shader, const struct si_nir_options *options)
{
   struct nir_builder b = nir_builder_create(shader);

   nir_barrier(&b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_WORKGROUP,
               .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE, .memory_modes = NIR_VAR_SHARED);
   struct nir_def *places = bits(&b, nir_load_system_sgpr_amd(&b, .base = SUBGROUP_INFO_SGPR), 12, 9);
   struct nir_def *thread = nir_load_local_invocation_index(&b), *flags[NIR_XFB_STREAMS];
   struct nir_def *at =
      nir_iadd_imm(&b, nir_imul_imm(&b, thread, si_gs_place_B(options->gs_layout)), options->emitted_lds_B);

   load_flags(&b, options->gs_layout, &(struct place){at, nir_ult(&b, thread, places)}, flags);
   if (options->counts_generated)
      si_nir_count_emitted(&b, options, flags);
   if (shader->info.xfb.buffers)
      si_nir_capture_emitted(&b, options, flags);
   ask_for_room(&b, places);
   struct nir_if *nif = nir_push_if(&b, nir_ult(&b, thread, places));

   nir_export_primitive_amd(&b, primitive_word(&b, thread, flags[0]));
   nir_pop_if(&b, nif);
   export_vertex(&b, options->gs_layout, at, flags[0]);
}
