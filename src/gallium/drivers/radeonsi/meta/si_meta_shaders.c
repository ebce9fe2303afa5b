/* The nir of the internal programs. */
#include <stddef.h>

#include "amd/common/ac_htile.h"
#include "amd/hw/descriptors.h"
#include "amd/hw/meta.h"
#include "compiler/nir/nir_builder.h"
#include "gallium/auxiliary/aux_nir_sum.h"
#include "gallium/drivers/radeonsi/meta/si_meta.h"
#include "gallium/drivers/radeonsi/shader/si_nir.h"

#define TABLE_B(field) offsetof(struct si_meta_table, field)

struct build {
   struct nir_builder b;
   const struct ac_gpu_info *info;
   struct nir_def *id; /* x, y, z of the invocation */
};

static struct nir_def *
load(struct build *s, size_t offset_B, unsigned count)
{
   return si_nir_load_table(&s->b, s->info->address32_hi, 0, nir_imm_int(&s->b, (int32_t)offset_B), count);
}

/* The invocation's place in the grid, and an if around what follows for those inside size. */
static struct nir_if *
begin(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *group = nir_load_workgroup_id(b), *local = nir_load_local_invocation_id(b);
   struct nir_def *size = load(s, TABLE_B(size), 4), *parts[3], *inside = NULL;

   for (unsigned i = 0; i < 3; i++) {
      struct nir_def *at = nir_channel(b, group, i), *in;

      parts[i] = nir_iadd(b, nir_imul_imm(b, at, b->shader->info.workgroup_size[i]), nir_channel(b, local, i));
      in = nir_ult(b, parts[i], nir_channel(b, size, i));
      inside = inside ? nir_iand(b, inside, in) : in;
   }
   s->id = nir_vec(b, parts, 3);
   return nir_push_if(b, inside);
}

/* id + offset as the coordinate of a 2D array image. */
static struct nir_def *
image_coord(struct build *s, size_t offset_B)
{
   struct nir_builder *b = &s->b;
   struct nir_def *offset = load(s, offset_B, 4), *parts[4];

   for (unsigned i = 0; i < 3; i++)
      parts[i] = nir_iadd(b, nir_channel(b, s->id, i), nir_channel(b, offset, i));
   parts[3] = nir_imm_int(b, 0);
   return nir_vec(b, parts, 4);
}

static struct nir_def *
load_image(struct build *s, struct nir_def *coord, enum nir_image_dim dim, struct nir_def *sample)
{
   struct nir_builder *b = &s->b;

   return nir_image_load(b, 4, 32, load(s, TABLE_B(src), 4), load(s, TABLE_B(src) + 16, 4), coord, sample,
                         nir_imm_int(b, 0), .image_dim = dim, .image_array = true);
}

static void
store_image(struct build *s, struct nir_def *coord, enum nir_image_dim dim, struct nir_def *sample,
            struct nir_def *value)
{
   struct nir_builder *b = &s->b;

   nir_image_store(b, load(s, TABLE_B(dst), 4), load(s, TABLE_B(dst) + 16, 4), coord, sample, value,
                   nir_imm_int(b, 0), .image_dim = dim, .image_array = true, .src_type = NIR_TYPE_UINT);
}

/* Runs body for 0 to count - 1. */
static void
for_each(struct build *s, struct nir_def *count, void (*body)(struct build *, struct nir_def *sample, void *),
         void *data)
{
   struct nir_builder *b = &s->b;
   const struct nir_type *type = nir_type_vector(NIR_TYPE_UINT, 32, 1);
   struct nir_variable *i = nir_variable_create(b->shader, NIR_VAR_FUNCTION_TEMP, type, "i");

   nir_store_var(b, i, nir_imm_int(b, 0), 1);
   struct nir_loop *loop = nir_push_loop(b);
   struct nir_def *sample = nir_load_var(b, i);
   struct nir_if *end = nir_push_if(b, nir_uge(b, sample, count));
   nir_break(b);
   nir_pop_if(b, end);
   body(s, sample, data);
   nir_store_var(b, i, nir_iadd_imm(b, sample, 1), 1);
   nir_pop_loop(b, loop);
}

static void
build_copy_image(struct build *s)
{
   struct nir_def *zero = nir_imm_int(&s->b, 0);
   struct nir_def *value = load_image(s, image_coord(s, TABLE_B(src_offset)), NIR_DIM_2D, zero);

   store_image(s, image_coord(s, TABLE_B(dst_offset)), NIR_DIM_2D, zero, value);
}

static void
copy_sample(struct build *s, struct nir_def *sample, void *data)
{
   struct nir_def *value = load_image(s, image_coord(s, TABLE_B(src_offset)), NIR_DIM_MS, sample);

   store_image(s, image_coord(s, TABLE_B(dst_offset)), NIR_DIM_MS, sample, value);
}

static void
build_copy_image_ms(struct build *s)
{
   for_each(s, nir_channel(&s->b, load(s, TABLE_B(size), 4), 3), copy_sample, NULL);
}

static void
clear_sample(struct build *s, struct nir_def *sample, void *data)
{
   store_image(s, image_coord(s, TABLE_B(dst_offset)), NIR_DIM_MS, sample, load(s, TABLE_B(src), 4));
}

/* Index of the invocation's texel in a buffer of rows and slices. */
static struct nir_def *
buffer_index(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *pitch = load(s, TABLE_B(src_pitch_el), 4);
   struct nir_def *row = nir_imul(b, nir_channel(b, s->id, 1), nir_channel(b, pitch, 0));
   struct nir_def *slice = nir_imul(b, nir_channel(b, s->id, 2), nir_channel(b, pitch, 1));

   return nir_iadd(b, nir_iadd(b, row, slice), nir_channel(b, s->id, 0));
}

/* src: a mask of what stays, and what is added; size: rows of src_pitch dwords. */
static void
build_merge_words(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *dst = load(s, TABLE_B(dst), 4), *words = load(s, TABLE_B(src), 4);
   struct nir_def *at = nir_ishl_imm(b, buffer_index(s), 2), *old = nir_load_ssbo(b, 1, 32, dst, at, .align_mul = 4);
   struct nir_def *stays = nir_iand(b, old, nir_channel(b, words, 0));

   nir_store_ssbo(b, nir_ior(b, stays, nir_channel(b, words, 1)), dst, at, .write_mask = 1, .align_mul = 4);
}

/* A workgroup is a tile of what is compressed: nobody stores before all have loaded. Whole tiles, so that all
 * invocations are here. */
static void
build_expand(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *zero = nir_imm_int(b, 0);
   struct nir_def *value = load_image(s, image_coord(s, TABLE_B(src_offset)), NIR_DIM_2D, zero);

   nir_barrier(b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_WORKGROUP,
               .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE, .memory_modes = NIR_VAR_UNIFORM);
   store_image(s, image_coord(s, TABLE_B(dst_offset)), NIR_DIM_2D, zero, value);
}

/* Up to eight samples; what is after the last is the last again. */
static void
build_expand_ms(struct build *s)
{
   enum { MAX = 8 };
   struct nir_builder *b = &s->b;
   struct nir_def *last = nir_iadd_imm(b, nir_channel(b, load(s, TABLE_B(size), 4), 3), -1), *samples[MAX],
                  *values[MAX];

   for (unsigned i = 0; i < MAX; i++) {
      samples[i] = nir_umin(b, nir_imm_int(b, (int)i), last);
      values[i] = load_image(s, image_coord(s, TABLE_B(src_offset)), NIR_DIM_MS, samples[i]);
   }
   nir_barrier(b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_WORKGROUP,
               .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE, .memory_modes = NIR_VAR_UNIFORM);
   for (unsigned i = 0; i < MAX; i++)
      store_image(s, image_coord(s, TABLE_B(dst_offset)), NIR_DIM_MS, samples[i], values[i]);
}

static void
build_clear_image(struct build *s)
{
   store_image(s, image_coord(s, TABLE_B(dst_offset)), NIR_DIM_2D, nir_imm_int(&s->b, 0), load(s, TABLE_B(src), 4));
}

static void
build_clear_blocks(struct build *s)
{
   struct nir_def *coord = image_coord(s, TABLE_B(dst_offset)), *block = load(s, TABLE_B(src_offset), 4), *at[4];

   for (unsigned i = 0; i < 4; i++) {
      at[i] = nir_channel(&s->b, coord, i);
      if (i < 2)
         at[i] = nir_imul(&s->b, at[i], nir_channel(&s->b, block, i));
   }
   store_image(s, nir_vec(&s->b, at, 4), NIR_DIM_2D, nir_imm_int(&s->b, 0), load(s, TABLE_B(src), 4));
}

static void
build_clear_image_ms(struct build *s)
{
   for_each(s, nir_channel(&s->b, load(s, TABLE_B(size), 4), 3), clear_sample, NULL);
}

static void
build_image_to_buffer(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *value = load_image(s, image_coord(s, TABLE_B(src_offset)), NIR_DIM_2D, nir_imm_int(b, 0));

   nir_store_texel_buffer(b, load(s, TABLE_B(dst), 4), buffer_index(s), value);
}

static void
build_buffer_to_image(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *value = nir_load_texel_buffer(b, 32, load(s, TABLE_B(src), 4), buffer_index(s));

   store_image(s, image_coord(s, TABLE_B(dst_offset)), NIR_DIM_2D, nir_imm_int(b, 0), value);
}

static struct nir_def *
flag(struct build *s, uint32_t bit)
{
   struct nir_builder *b = &s->b;
   struct nir_def *flags = nir_channel(b, load(s, TABLE_B(flags), 4), 0);

   return nir_ine_imm(b, nir_iand_imm(b, flags, bit), 0);
}

/* The sRGB transfer function on r, g and b if the table asks for it. */
static struct nir_def *
encode(struct build *s, struct nir_def *color)
{
   struct nir_builder *b = &s->b;
   struct nir_def *wanted = flag(s, SI_META_TO_SRGB), *parts[4];

   for (unsigned i = 0; i < 3; i++) {
      struct nir_def *linear = nir_channel(b, color, i), *x = nir_fsat(b, linear);
      struct nir_def *root = nir_fexp2(b, nir_fmul_imm(b, nir_flog2(b, x), 1.0 / 2.4));
      struct nir_def *curve = nir_fadd_imm(b, nir_fmul_imm(b, root, 1.055), -0.055);
      struct nir_def *srgb = nir_bcsel(b, nir_flt_imm(b, x, 0.0031308), nir_fmul_imm(b, x, 12.92), curve);

      parts[i] = nir_bcsel(b, wanted, srgb, linear);
   }
   parts[3] = nir_channel(b, color, 3);
   return nir_vec(b, parts, 4);
}

/* The source texel for the centre of a destination texel, sampled. */
static void
build_blit_of(struct build *s, enum nir_image_dim dim)
{
   struct nir_builder *b = &s->b;
   struct nir_def *scale = load(s, TABLE_B(scale), 4), *origin = load(s, TABLE_B(origin), 4), *coord[3];

   for (unsigned i = 0; i < 3; i++) {
      struct nir_def *center = nir_fadd_imm(b, nir_u2f32(b, nir_channel(b, s->id, i)), 0.5);

      coord[i] = nir_fadd(b, nir_fmul(b, center, nir_channel(b, scale, i)), nir_channel(b, origin, i));
   }
   /* Layers are not filtered between. */
   if (dim != NIR_DIM_3D)
      coord[2] = nir_ffloor(b, coord[2]);
   struct nir_tex_instr *tex = nir_tex_create(b->shader, NIR_TXL);
   tex->dim = dim;
   tex->is_array = dim != NIR_DIM_3D;
   tex->dest_type = NIR_TYPE_FLOAT;
   nir_tex_add_src(tex, NIR_TEX_SRC_COORD, nir_vec(b, coord, 3));
   nir_tex_add_src(tex, NIR_TEX_SRC_LOD, nir_imm_float(b, 0));
   nir_tex_add_src(tex, NIR_TEX_SRC_TEXTURE_DESC, load(s, TABLE_B(src), 4));
   nir_tex_add_src(tex, NIR_TEX_SRC_TEXTURE_DESC_HI, load(s, TABLE_B(src) + 16, 4));
   nir_tex_add_src(tex, NIR_TEX_SRC_SAMPLER_DESC, load(s, TABLE_B(sampler), 4));
   struct nir_def *color = nir_build_tex(b, tex, 4, 32);
   store_image(s, image_coord(s, TABLE_B(dst_offset)), NIR_DIM_2D, nir_imm_int(b, 0), encode(s, color));
}

static void
build_blit(struct build *s)
{
   build_blit_of(s, NIR_DIM_2D);
}

static void
build_blit_3d(struct build *s)
{
   build_blit_of(s, NIR_DIM_3D);
}

/* What becomes of the samples of a texel. */
struct resolve_build {
   struct nir_variable *sum, *lost, *least, *greatest;
   struct nir_def *is_integer;
};

static void
add_sample(struct build *s, struct nir_def *sample, void *data)
{
   struct nir_builder *b = &s->b;
   const struct resolve_build *r = data;
   struct nir_def *value = load_image(s, image_coord(s, TABLE_B(src_offset)), NIR_DIM_MS, sample);
   struct nir_def *least = nir_load_var(b, r->least), *greatest = nir_load_var(b, r->greatest);

   const struct aux_sum sum =
      aux_nir_add(b, (struct aux_sum){nir_load_var(b, r->sum), nir_load_var(b, r->lost)}, value);
   nir_store_var(b, r->sum, sum.rounded, 0xf);
   nir_store_var(b, r->lost, sum.lost, 0xf);
   least = nir_bcsel(b, r->is_integer, nir_umin(b, least, value), nir_fmin(b, least, value));
   greatest = nir_bcsel(b, r->is_integer, nir_umax(b, greatest, value), nir_fmax(b, greatest, value));
   nir_store_var(b, r->least, least, 0xf);
   nir_store_var(b, r->greatest, greatest, 0xf);
}

static struct nir_variable *
color_variable(struct build *s, const char *name, struct nir_def *value)
{
   struct nir_variable *variable =
      nir_variable_create(s->b.shader, NIR_VAR_FUNCTION_TEMP, nir_type_vector(NIR_TYPE_FLOAT, 32, 4), name);

   nir_store_var(&s->b, variable, value, 0xf);
   return variable;
}

static void
build_resolve(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *first = load_image(s, image_coord(s, TABLE_B(src_offset)), NIR_DIM_MS, nir_imm_int(b, 0));
   struct resolve_build r = {.sum = color_variable(s, "sum", nir_imm_zero(b, 4, 32)),
                             .lost = color_variable(s, "lost", nir_imm_zero(b, 4, 32)),
                             .least = color_variable(s, "least", first),
                             .greatest = color_variable(s, "greatest", first),
                             .is_integer = flag(s, SI_META_INTEGER)};

   for_each(s, nir_channel(b, load(s, TABLE_B(size), 4), 3), add_sample, &r);
   struct nir_def *weight = nir_channel(b, load(s, TABLE_B(scale), 4), 0);
   struct nir_def *sum = aux_nir_sum(b, (struct aux_sum){nir_load_var(b, r.sum), nir_load_var(b, r.lost)});
   struct nir_def *average = encode(s, nir_fmul(b, sum, weight));
   struct nir_def *value = nir_bcsel(b, r.is_integer, first, average);

   value = nir_bcsel(b, flag(s, SI_META_MIN), nir_load_var(b, r.least), value);
   value = nir_bcsel(b, flag(s, SI_META_MAX), nir_load_var(b, r.greatest), value);
   store_image(s, image_coord(s, TABLE_B(dst_offset)), NIR_DIM_2D, nir_imm_int(b, 0), value);
}

/* One value of one query: x the query, y the value. Buffers are raw. Table: size[3] pairs to add up, src_pitch
 * {slot_B, pair_step_B, end_offset_B, available_offset_B}, dst_offset {stride_B, result_B, availability at or -1,
 * write unavailable ones too}; after the table the place of each value. */
struct query_build {
   struct nir_def *src, *dst, *pitch, *out, *slot, *to;
   struct nir_def *first; /* offset of the first begin */
   struct nir_variable *sum;
};

static void
add_pair(struct build *s, struct nir_def *pair, void *data)
{
   struct query_build *q = data;
   struct nir_builder *b = &s->b;
   struct nir_def *at = nir_iadd(b, q->first, nir_imul(b, pair, nir_channel(b, q->pitch, 1)));
   struct nir_def *end_at = nir_iadd(b, at, nir_channel(b, q->pitch, 2));
   struct nir_def *first = nir_pack_64_2x32(b, nir_load_ssbo(b, 2, 32, q->src, at, .align_mul = 8));
   struct nir_def *last = nir_pack_64_2x32(b, nir_load_ssbo(b, 2, 32, q->src, end_at, .align_mul = 8));

   nir_store_var(b, q->sum, nir_iadd(b, nir_load_var(b, q->sum), nir_isub(b, last, first)), 1);
}

/* A dword, and the high one if results have 64 bits. */
static void
store_result(struct build *s, struct query_build *q, struct nir_def *at, struct nir_def *low, struct nir_def *high)
{
   struct nir_builder *b = &s->b;

   nir_store_ssbo(b, low, q->dst, at, .write_mask = 1, .align_mul = 4);
   struct nir_if *wide = nir_push_if(b, nir_ieq_imm(b, nir_channel(b, q->out, 1), 8));
   nir_store_ssbo(b, high, q->dst, nir_iadd_imm(b, at, 4), .write_mask = 1, .align_mul = 4);
   nir_pop_if(b, wide);
}

static void
build_copy_queries(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct query_build q = {
      .src = load(s, TABLE_B(src), 4),
      .dst = load(s, TABLE_B(dst), 4),
      .pitch = load(s, TABLE_B(src_pitch_el), 4),
      .out = load(s, TABLE_B(dst_offset), 4),
      .sum = nir_variable_create(b->shader, NIR_VAR_FUNCTION_TEMP, nir_type_vector(NIR_TYPE_UINT, 64, 1), "sum"),
   };
   struct nir_def *query = nir_channel(b, s->id, 0), *value = nir_channel(b, s->id, 1);
   struct nir_def *place_at = nir_iadd_imm(b, nir_ishl_imm(b, value, 2), SI_META_TABLE_DW * 4);
   struct nir_def *place = si_nir_load_table(b, s->info->address32_hi, 0, place_at, 1);

   q.slot = nir_imul(b, query, nir_channel(b, q.pitch, 0));
   q.first = nir_iadd(b, q.slot, nir_imul(b, place, nir_channel(b, q.pitch, 1)));
   q.to = nir_imul(b, query, nir_channel(b, q.out, 0));
   nir_store_var(b, q.sum, nir_imm_int64(b, 0), 1);
   for_each(s, nir_channel(b, load(s, TABLE_B(size), 4), 3), add_pair, &q);

   struct nir_def *available_at = nir_iadd(b, q.slot, nir_channel(b, q.pitch, 3));
   struct nir_def *available = nir_load_ssbo(b, 1, 32, q.src, available_at, .align_mul = 4);
   struct nir_def *sum = nir_unpack_64_2x32(b, nir_load_var(b, q.sum));
   struct nir_if *writes = nir_push_if(b, nir_ine_imm(b, nir_ior(b, available, nir_channel(b, q.out, 3)), 0));
   store_result(s, &q, nir_iadd(b, q.to, nir_imul(b, value, nir_channel(b, q.out, 1))), nir_channel(b, sum, 0),
                nir_channel(b, sum, 1));
   nir_pop_if(b, writes);
   struct nir_def *word = nir_channel(b, q.out, 2);
   struct nir_if *with = nir_push_if(b, nir_ige_imm(b, word, 0));
   store_result(s, &q, nir_iadd(b, q.to, word), available, nir_imm_int(b, 0));
   nir_pop_if(b, with);
}

/* Addresses of the next words of a copy. */
struct indirect {
   struct nir_def *from, *to;
};

static void
copy_word(struct build *s, struct nir_def *number, void *data)
{
   struct nir_builder *b = &s->b;
   const struct indirect *copy = data;
   struct nir_def *word = nir_iadd(b, nir_channel(b, s->id, 0), nir_imul_imm(b, number, SI_META_COPY_LANES));
   struct nir_def *at_B = nir_ishl_imm(b, nir_u2u64(b, word), 2);

   nir_store_global(b, nir_load_global(b, 1, 32, nir_iadd(b, copy->from, at_B), .align_mul = 4),
                    nir_iadd(b, copy->to, at_B), .write_mask = 1, .align_mul = 4);
}

static void
build_copy_indirect(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *in = load(s, TABLE_B(src), 4), *x = nir_channel(b, s->id, 0);
   struct nir_def *at_B = nir_u2u64(b, nir_imul(b, nir_channel(b, s->id, 1), nir_channel(b, in, 2)));
   struct nir_def *at = nir_iadd(b, nir_pack_64_2x32(b, nir_channels(b, in, 3)), at_B);
   struct nir_def *places = nir_load_global(b, 4, 32, at, .align_mul = 4);
   struct nir_def *size = nir_load_global(b, 2, 32, nir_iadd_imm(b, at, 16), .align_mul = 4);
   struct nir_def *words = nir_u2u32(b, nir_ushr_imm(b, nir_pack_64_2x32(b, size), 2));
   struct nir_def *own = nir_isub(b, nir_iadd_imm(b, words, SI_META_COPY_LANES - 1), x);
   struct indirect copy = {nir_pack_64_2x32(b, nir_channels(b, places, 0x3)),
                           nir_pack_64_2x32(b, nir_channels(b, places, 0xc))};

   for_each(s, nir_ushr_imm(b, own, SI_META_COPY_LANES_LOG2), copy_word, &copy);
}

/* The bytes that bits of a coordinate add to an address inside a block of HTILE. axis: 0 x, 1 y, 2 slice. */
static struct nir_def *
htile_terms(struct build *s, const struct amd_meta_pattern *pattern, unsigned axis, struct nir_def *at)
{
   struct nir_builder *b = &s->b;
   struct nir_def *sum = nir_imm_int(b, 0);

   for (unsigned n = 0; n < 16; n++) {
      uint32_t bytes = 0;

      for (unsigned bit = 0; bit < pattern->bit_count; bit++) {
         uint32_t mask = axis == 0 ? pattern->bits[bit].x : axis == 1 ? pattern->bits[bit].y : pattern->bits[bit].z;

         bytes |= (mask >> n & 1) << bit;
      }
      if (bytes)
         sum = nir_ixor(b, sum, nir_imul_imm(b, nir_iand_imm(b, nir_ushr_imm(b, at, n), 1), bytes));
   }
   return sum;
}

/* A tile that is not compressed, of any depth and stencil, with the rate at its place: at most 2 pixels in each
 * direction. src_offset: first tile and the layer of the rates; dst_offset: the first slice; src_pitch_el: blocks of
 * a row, of a slice, before the level. Bits: 31:12 range of depth, 11:10 rate's y, 9:8 stencil's state, 7:6 rate's x,
 * 5:4 stencil's results, 3:0 depth's state. Source: RADV. */
static void
build_copy_rates(struct build *s)
{
   const struct amd_meta_pattern *pattern =
      amd_meta_find(s->info->gen, s->info->gb_addr_config, AMD_META_HTILE, V_SW_64KB_Z_X, true, 0, 0);
   enum { PLAIN = 0xfffff33fu, RATE_X = 6, RATE_Y = 10 };
   struct nir_builder *b = &s->b;
   struct nir_def *offset = load(s, TABLE_B(src_offset), 4), *pitch = load(s, TABLE_B(src_pitch_el), 4), *at[4],
                  *px[3];

   for (unsigned i = 0; i < 2; i++) {
      at[i] = nir_iadd(b, nir_channel(b, s->id, i), nir_channel(b, offset, i));
      px[i] = nir_imul_imm(b, at[i], AC_HTILE_TILE_PX);
   }
   at[2] = nir_channel(b, offset, 2);
   at[3] = nir_imm_int(b, 0);
   px[2] = nir_iadd(b, nir_channel(b, s->id, 2), nir_channel(b, load(s, TABLE_B(dst_offset), 4), 2));
   struct nir_def *rate = nir_channel(b, load_image(s, nir_vec(b, at, 4), NIR_DIM_2D, at[3]), 0);
   struct nir_def *x = nir_umin(b, nir_iand_imm(b, nir_ushr_imm(b, rate, 2), 3), nir_imm_int(b, 1));
   struct nir_def *y = nir_umin(b, nir_iand_imm(b, rate, 3), nir_imm_int(b, 1));
   struct nir_def *tile = nir_ior(b, nir_ishl_imm(b, x, RATE_X), nir_ishl_imm(b, y, RATE_Y));
   struct nir_def *row = nir_imul(b, nir_ushr_imm(b, px[1], pattern->height_log2), nir_channel(b, pitch, 0));
   struct nir_def *slice = nir_imul(b, px[2], nir_channel(b, pitch, 1));
   struct nir_def *block = nir_iadd(b, nir_iadd(b, row, slice), nir_channel(b, pitch, 2));
   struct nir_def *to =
      nir_ishl_imm(b, nir_iadd(b, block, nir_ushr_imm(b, px[0], pattern->width_log2)), pattern->size_log2);

   for (unsigned axis = 0; axis < 3; axis++)
      to = nir_ixor(b, to, htile_terms(s, pattern, axis, px[axis]));
   nir_store_ssbo(b, nir_ior(b, tile, nir_imm_int(b, (int32_t)PLAIN)), load(s, TABLE_B(dst), 4), to, .write_mask = 1,
                  .align_mul = 4);
}

static bool
expands(enum si_meta_compute kind)
{
   return kind == SI_META_EXPAND || kind == SI_META_EXPAND_MS;
}

struct nir_shader *
si_meta_build_compute(struct arena *arena, enum si_meta_compute kind, const struct ac_gpu_info *info)
{
   static void (*const bodies[SI_META_COMPUTE_COUNT])(struct build *) = {
      [SI_META_COPY_IMAGE] = build_copy_image,
      [SI_META_COPY_IMAGE_MS] = build_copy_image_ms,
      [SI_META_IMAGE_TO_BUFFER] = build_image_to_buffer,
      [SI_META_BUFFER_TO_IMAGE] = build_buffer_to_image,
      [SI_META_BLIT] = build_blit,
      [SI_META_RESOLVE] = build_resolve,
      [SI_META_BLIT_3D] = build_blit_3d,
      [SI_META_COPY_QUERIES] = build_copy_queries,
      [SI_META_COPY_INDIRECT] = build_copy_indirect,
      [SI_META_MERGE_WORDS] = build_merge_words,
      [SI_META_EXPAND] = build_expand,
      [SI_META_EXPAND_MS] = build_expand_ms,
      [SI_META_CLEAR_BLOCKS] = build_clear_blocks,
      [SI_META_COPY_RATES] = build_copy_rates,
      [SI_META_CLEAR_IMAGE] = build_clear_image,
      [SI_META_CLEAR_IMAGE_MS] = build_clear_image_ms};
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_COMPUTE);

   shader->name = "meta";
   shader->info.workgroup_size[0] = shader->info.workgroup_size[1] = expands(kind) ? SI_META_EXPAND_PX : 8;
   shader->info.workgroup_size[2] = 1;
   struct build s = {.b = nir_builder_create(shader), .info = info};
   struct nir_if *inside = begin(&s);
   bodies[kind](&s);
   nir_pop_if(&s.b, inside);
   return shader;
}

/* A rectangle from user SGPRs. */
struct nir_shader *
si_meta_build_clear_vertex(struct arena *arena)
{
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_VERTEX);
   struct nir_builder b = nir_builder_create(shader);
   struct nir_def *id = nir_load_vertex_id_zero_base(&b), *position[4];
   struct nir_def *args = nir_load_scalar_arg(&b, 4, .base = SI_SGPR_CLEAR_VS_CORNERS);

   shader->name = "clear vertex";
   position[0] = nir_bcsel(&b, nir_ieq_imm(&b, id, 2), nir_channel(&b, args, 2), nir_channel(&b, args, 0));
   position[1] = nir_bcsel(&b, nir_ieq_imm(&b, id, 1), nir_channel(&b, args, 3), nir_channel(&b, args, 1));
   position[2] = nir_load_scalar_arg(&b, 1, .base = SI_SGPR_CLEAR_VS_DEPTH);
   position[3] = nir_imm_float(&b, 1);
   nir_store_output(&b, nir_vec(&b, position, 4), nir_imm_int(&b, 0), .slot = NIR_SLOT_POS, .write_mask = 0xf,
                    .src_type = NIR_TYPE_FLOAT);
   nir_store_output(&b, nir_load_scalar_arg(&b, 1, .base = SI_SGPR_CLEAR_VS_LAYER), nir_imm_int(&b, 0),
                    .slot = NIR_SLOT_LAYER, .write_mask = 1, .src_type = NIR_TYPE_UINT);
   return shader;
}

/* The colour from user SGPRs. */
struct nir_shader *
si_meta_build_clear_fragment(struct arena *arena, enum si_meta_clear kind, unsigned num_targets)
{
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_FRAGMENT);
   struct nir_builder b = nir_builder_create(shader);
   enum nir_base_type type = kind == SI_META_CLEAR_FLOAT    ? NIR_TYPE_FLOAT
                             : kind == SI_META_CLEAR_SINT16 ? NIR_TYPE_INT
                                                            : NIR_TYPE_UINT;

   shader->name = num_targets > 1 ? "clear fragment of any target" : "clear fragment";
   for (unsigned i = 0; i < num_targets; i++)
      nir_store_output(&b, nir_load_scalar_arg(&b, 4, .base = SI_SGPR_CLEAR_PS_COLOR), nir_imm_int(&b, 0),
                       .slot = NIR_SLOT_FRAG_DATA0 + i, .write_mask = 0xf, .src_type = type);
   return shader;
}
