#include "nir_random_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_interp.h"
#include "util/macros.h"

uint32_t
nir_random_next(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (uint32_t)(*state >> 33);
}

static struct nir_def *
random_const(struct generator *g, unsigned bits)
{
   static const uint32_t floats[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0x3f000000,
                                     0x42c80000, 0x7f800000, 0x7fc00000, 0x4f000000, 0x3eaaaaab, 0xc1200000};
   uint64_t value = nir_random_next(&g->state) | (uint64_t)nir_random_next(&g->state) << 33;
   switch (below(g, 4)) {
   case 0:
      value = below(g, 8);
      break;
   case 1:
      value = floats[below(g, ARRAY_SIZE(floats))];
      break;
   case 2:
      value = UINT64_C(1) << below(g, bits);
      break;
   default:
      break;
   }
   return nir_imm_intN(&g->b, value, bits);
}

struct nir_def *
pick(struct generator *g, unsigned bits, unsigned components)
{
   for (unsigned tries = 0; g->options->mostly_16 && tries < 30; tries++) {
      struct nir_def *def = g->pool[below(g, g->count)];
      if (def->bit_size == bits && def->num_components == components && below(g, 8))
         return def;
   }
   for (unsigned tries = 0; tries < 12; tries++) {
      struct nir_def *def = g->pool[below(g, g->count)];
      if (def->bit_size != bits)
         continue;
      if (def->num_components == components)
         return def;
      unsigned swizzle[4];
      for (unsigned i = 0; i < components; i++)
         swizzle[i] = below(g, def->num_components);
      return nir_swizzle(&g->b, def, swizzle, components);
   }
   struct nir_def *scalars[4];
   for (unsigned i = 0; i < components; i++) {
      struct nir_def *def = nir_channel(&g->b, g->pool[below(g, g->count)], 0);
      if (below(g, 3) == 0)
         scalars[i] = random_const(g, bits);
      else if (def->bit_size == bits)
         scalars[i] = def;
      else if (bits == 1)
         scalars[i] = nir_ine_imm(&g->b, def, below(g, 4));
      else
         scalars[i] = def->bit_size == 1 ? nir_b2iN(&g->b, def, bits) : nir_u2uN(&g->b, def, bits);
   }
   return nir_vec(&g->b, scalars, components);
}

unsigned
random_components(struct generator *g)
{
   if (g->options->mostly_16)
      return 1 + below(g, 4);
   return g->options->no_vectors || below(g, 3) ? 1 : 1 + below(g, 4);
}

/* ---- arithmetic ---- */

/* Operations with one correct result and no denormal or NaN payload to argue about on common hardware. */
static bool
is_exact_float(enum nir_op op)
{
   switch ((int)op) {
   case NIR_OP_fadd:
   case NIR_OP_fsub:
   case NIR_OP_fmul:
   case NIR_OP_fmulz:
   case NIR_OP_ffma:
   case NIR_OP_fmin:
   case NIR_OP_fmax:
   case NIR_OP_fneg:
   case NIR_OP_fabs:
   case NIR_OP_ffloor:
   case NIR_OP_fceil:
   case NIR_OP_ftrunc:
   case NIR_OP_fround_even:
   case NIR_OP_flt:
   case NIR_OP_fge:
   case NIR_OP_feq:
   case NIR_OP_fneu:
   case NIR_OP_i2f32:
   case NIR_OP_u2f32:
   case NIR_OP_f2i32:
   case NIR_OP_f2u32:
   case NIR_OP_b2f32:
      return true;
   default: /* others: not for random programs */
      return false;
   }
}

/* The same of other sizes, and what else has one result there. */
static bool
is_exact_conversion(enum nir_op op)
{
   switch ((int)op) {
   case NIR_OP_f2f16:
   case NIR_OP_f2f32:
   case NIR_OP_f2f64:
   case NIR_OP_f2i8:
   case NIR_OP_f2i16:
   case NIR_OP_f2i64:
   case NIR_OP_f2u8:
   case NIR_OP_f2u16:
   case NIR_OP_f2u64:
   case NIR_OP_i2f16:
   case NIR_OP_i2f64:
   case NIR_OP_u2f16:
   case NIR_OP_u2f64:
   case NIR_OP_b2f16:
   case NIR_OP_b2f64:
   case NIR_OP_f2f16_rtz:
   case NIR_OP_ford:
   case NIR_OP_funord:
   case NIR_OP_fisnan:
   case NIR_OP_fisinf:
   case NIR_OP_ffrexp_sig:
   case NIR_OP_ffrexp_exp:
   case NIR_OP_fldexp:
   case NIR_OP_unpack_half_2x16:
      return true;
   default: /* others: not for random programs */
      return false;
   }
}

static bool
is_float_op(const struct nir_op_info *info)
{
   bool is_float = info->dest_base == NIR_TYPE_FLOAT;
   for (unsigned i = 0; i < info->num_srcs; i++)
      is_float |= info->src_base[i] == NIR_TYPE_FLOAT;
   return is_float;
}

static bool
allowed(const struct generator *g, enum nir_op op)
{
   const struct nir_op_info *info = &nir_op_infos[op];
   const struct nir_random_options *options = g->options;
   if (info->flags & NIR_OP_FLAG_DERIVATIVE)
      return false;
   if (is_float_op(info) && (options->no_float || (options->only_exact_float && !is_exact_float(op) &&
                                                   !(options->exact_of_all_sizes && is_exact_conversion(op)))))
      return false;
   bool small = info->dest_bits && info->dest_bits != 1 && info->dest_bits != 32;
   bool vector = info->dest_components > 1;
   for (unsigned i = 0; i < info->num_srcs; i++) {
      small |= info->src_bits[i] && info->src_bits[i] != 1 && info->src_bits[i] != 32;
      vector |= info->src_components[i] > 1;
   }
   return !(small && options->only_32) && !(vector && options->no_vectors);
}

static unsigned
random_size(struct generator *g, const struct nir_op_info *info)
{
   static const uint8_t sizes[] = {32, 32, 32, 1, 8, 16, 64};
   for (;;) {
      unsigned bits = sizes[below(g, ARRAY_SIZE(sizes))];
      if (g->options->mostly_16 && info->bit_sizes & 16 && below(g, 4))
         return 16;
      if ((info->bit_sizes & bits) && (!g->options->only_32 || bits == 1 || bits == 32) &&
          (!g->options->only_exact_float || g->options->exact_of_all_sizes || !is_float_op(info) || bits == 32))
         return bits;
   }
}

static void
gen_alu(struct generator *g)
{
   enum nir_op op;
   static const enum nir_op often[] = {NIR_OP_iadd, NIR_OP_isub, NIR_OP_imul, NIR_OP_imin, NIR_OP_umax, NIR_OP_ishl,
                                       NIR_OP_ishr, NIR_OP_iand, NIR_OP_ixor, NIR_OP_inot, NIR_OP_fadd, NIR_OP_fsub,
                                       NIR_OP_fmul, NIR_OP_ffma, NIR_OP_fmin, NIR_OP_fmax, NIR_OP_fneg, NIR_OP_fabs};
   do {
      op = (enum nir_op)below(g, NIR_OP_COUNT);
      if (g->options->mostly_16 && below(g, 3))
         op = often[below(g, ARRAY_SIZE(often))];
   } while (!allowed(g, op));
   const struct nir_op_info *info = &nir_op_infos[op];
   unsigned bits = info->bit_sizes ? random_size(g, info) : 0;
   unsigned components = random_components(g);
   struct nir_def *srcs[4] = {};
   for (unsigned i = 0; i < info->num_srcs; i++)
      srcs[i] = pick(g, info->src_bits[i] ? info->src_bits[i] : bits,
                     info->src_components[i] ? info->src_components[i] : components);
   /* A field stays inside its word: what lies outside is undefined. */
   unsigned field =
      op == NIR_OP_bitfield_insert ? 2 : op == NIR_OP_ubitfield_extract || op == NIR_OP_ibitfield_extract;
   for (unsigned i = field; field && i < field + 2; i++)
      srcs[i] = nir_iand_imm(&g->b, srcs[i], 15);
   g->b.exact = is_float_op(info);
   add(g, nir_build_alu(&g->b, op, srcs[0], srcs[1], srcs[2], srcs[3]));
   g->b.exact = false;
}

/* ---- memory ---- */

static unsigned
memory_bits(struct generator *g)
{
   static const uint8_t sizes[] = {32, 32, 32, 64, 16, 8};
   if (g->options->mostly_16 && below(g, 4))
      return 16;
   return g->options->only_32 ? 32 : sizes[below(g, ARRAY_SIZE(sizes))];
}

/* Seeds without the option stay as they are. */
static bool
by_address(struct generator *g)
{
   return g->options->addresses && below(g, 2);
}

static struct nir_def *
address_in(struct generator *g, struct nir_def *buffer, struct nir_def *offset)
{
   struct nir_def *high = nir_iand_imm(&g->b, nir_channel(&g->b, buffer, 1), 0xffff);
   struct nir_def *parts[2] = {nir_channel(&g->b, buffer, 0), high};
   struct nir_def *start = nir_pack_64_2x32(&g->b, nir_vec(&g->b, parts, 2));
   return nir_iadd(&g->b, start, nir_u2uN(&g->b, offset, 64));
}

static void
gen_load(struct generator *g)
{
   unsigned bits = memory_bits(g), components = random_components(g);
   struct nir_def *index = nir_iand_imm(&g->b, pick(g, 32, 1), 31);
   struct nir_def *offset = nir_iadd_imm(&g->b, nir_imul_imm(&g->b, index, 16), 8 * below(g, 16));
   if (below(g, 2))
      offset = nir_imm_int(&g->b, (int32_t)below(g, 64) * 8);
   if (by_address(g))
      add(g, nir_load_global(&g->b, components, bits, address_in(g, g->in, offset), .align_mul = 8));
   else if (below(g, 2))
      add(g, nir_load_ssbo(&g->b, components, bits, g->in, offset, .align_mul = 8));
   else
      add(g, nir_load_ubo(&g->b, components, bits, g->in, offset, .align_mul = 8));
}

static void
gen_store(struct generator *g)
{
   unsigned bits = memory_bits(g), components = random_components(g);
   struct nir_def *value = pick(g, bits, components);
   struct nir_def *offset =
      nir_iadd_imm(&g->b, nir_imul_imm(&g->b, g->lane, NIR_RANDOM_OUT_LANE_B), 32 * below(g, 8));
   const uint32_t mask = 1 + below(g, (1u << components) - 1);
   if (by_address(g))
      nir_store_global(&g->b, value, address_in(g, g->out, offset), .align_mul = 32, .write_mask = mask);
   else
      nir_store_ssbo(&g->b, value, g->out, offset, .align_mul = 32, .write_mask = mask);
   g->stores++;
   if (bits != 32 || below(g, 2))
      return;
   /* A row of stores side by side. */
   uint32_t first_B = 32 * below(g, 8);
   for (unsigned i = 0; i < 3; i++) {
      struct nir_def *lane_B = nir_imul_imm(&g->b, g->lane, NIR_RANDOM_OUT_LANE_B);
      nir_store_ssbo(&g->b, pick(g, 32, 1), g->out, nir_iadd_imm(&g->b, lane_B, first_B + 4 * i), .align_mul = 4,
                     .write_mask = 1);
   }
}

static const enum nir_atomic_op atomic_ops[] = {NIR_ATOMIC_iadd, NIR_ATOMIC_imin, NIR_ATOMIC_umin, NIR_ATOMIC_imax,
                                                NIR_ATOMIC_umax, NIR_ATOMIC_iand, NIR_ATOMIC_ior,  NIR_ATOMIC_ixor};

/* The answers depend on the order of the lanes, the sums do not while a counter always sees the same operation. */
static void
gen_atomic(struct generator *g)
{
   if (g->options->no_atomics)
      return;
   uint32_t counters_B = g->b.shader->info.workgroup_size[0] * NIR_RANDOM_OUT_LANE_B;
   if (g->options->atomics) {
      unsigned which = below(g, 12), bits = which < 8 ? 32 : 64;
      uint32_t counter_B = which < 8 ? 4 * which : 32 + 8 * (which - 8);
      enum nir_atomic_op op = atomic_ops[which < 8 ? which : which - 8 + g->options->seed % 5];
      struct nir_def *at = nir_imm_int(&g->b, (int32_t)(counters_B + counter_B)), *data = pick(g, bits, 1);
      if (by_address(g))
         nir_global_atomic(&g->b, address_in(g, g->out, at), data, .atomic_op = op);
      else
         nir_ssbo_atomic(&g->b, g->out, at, data, .atomic_op = op);
      return;
   }
   struct nir_def *offset = nir_imm_int(&g->b, (int32_t)(counters_B + 4 * below(g, 4)));
   below(g, 3); /* seeds named in tests count on it */
   if (by_address(g))
      nir_global_atomic(&g->b, address_in(g, g->out, offset), pick(g, 32, 1), .atomic_op = NIR_ATOMIC_iadd);
   else
      nir_ssbo_atomic(&g->b, g->out, offset, pick(g, 32, 1), .atomic_op = NIR_ATOMIC_iadd);
}

static void
meet(struct generator *g)
{
   nir_barrier(&g->b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_WORKGROUP,
               .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE, .memory_modes = NIR_VAR_SHARED);
}

/* Every lane writes its element, all meet, every lane reads another's. Only where all lanes are. */
static void
gen_shared(struct generator *g)
{
   if (g->options->no_shared || g->depth)
      return;
   struct nir_def *own = nir_imul_imm(&g->b, g->lane, 4), *value = pick(g, 32, 1);
   nir_store_shared(&g->b, value, own, .align_mul = 4, .write_mask = 1);
   meet(g);
   if (g->options->atomics) {
      struct nir_def *first = nir_iand_imm(&g->b, own, below(g, 64) & ~3u);
      const enum nir_atomic_op op = atomic_ops[below(g, ARRAY_SIZE(atomic_ops))];
      if (below(g, 3))
         nir_shared_atomic(&g->b, first, pick(g, 32, 1), .atomic_op = op);
      else
         nir_shared_atomic(&g->b, nir_iand_imm(&g->b, first, ~UINT64_C(7)), pick(g, 64, 1), .atomic_op = op);
      meet(g);
   }
   uint32_t lanes = g->b.shader->info.workgroup_size[0];
   struct nir_def *other = nir_iand_imm(&g->b, nir_iadd_imm(&g->b, g->lane, below(g, lanes)), lanes - 1);
   add(g, nir_load_shared(&g->b, 1, 32, nir_imul_imm(&g->b, other, 4), .align_mul = 4));
   meet(g);
}

/* Variables: 0 scalar, 1 vector, 2 array of vectors, 3 struct with an array. */
static struct nir_deref_instr *
gen_path(struct generator *g)
{
   struct nir_deref_instr *deref = nir_build_deref_var(&g->b, g->variables[below(g, NUM_VARIABLES)]);
   while (!nir_type_is_vector_or_scalar(deref->type)) {
      if (deref->type->base == NIR_TYPE_STRUCT)
         deref = nir_build_deref_struct(&g->b, deref, below(g, deref->type->num_fields));
      else if (below(g, 3))
         deref = nir_build_deref_array_imm(&g->b, deref, below(g, deref->type->length));
      else
         deref = nir_build_deref_array(&g->b, deref, nir_umod_imm(&g->b, pick(g, 32, 1), deref->type->length));
   }
   if (deref->type->components > 1 && below(g, 3) == 0)
      deref = nir_build_deref_array(&g->b, deref, nir_umod_imm(&g->b, pick(g, 32, 1), deref->type->components));
   return deref;
}

static void
gen_variable(struct generator *g)
{
   if (g->options->no_variables)
      return;
   struct nir_deref_instr *deref = gen_path(g);
   if (below(g, 2))
      add(g, nir_build_load_deref_of(&g->b, deref, 0));
   else
      nir_build_store_deref_of(&g->b, deref, pick(g, deref->type->bit_size, deref->type->components),
                               1 + below(g, (1u << deref->type->components) - 1), 0);
}

/* ---- fragments that end ---- */

void
gen_discard(struct generator *g)
{
   struct nir_builder *b = &g->b;
   struct nir_def *some = nir_ieq_imm(b, nir_iand_imm(b, g->lane, 7), below(g, 8));
   if (below(g, 4))
      some = nir_iand(b, some, pick(g, 1, 1));
   else if (below(g, 2))
      some = pick(g, 1, 1);
   if (!g->options->quads && below(g, 3))
      nir_discard_if(b, some);
   else
      nir_demote_if(b, some);
}

/* Only where all lanes are. */
static void
gen_quad(struct generator *g)
{
   static const enum nir_op derivatives[] = {NIR_OP_fddx,      NIR_OP_fddy,        NIR_OP_fddx_fine,
                                             NIR_OP_fddy_fine, NIR_OP_fddx_coarse, NIR_OP_fddy_coarse};
   static const uint8_t sizes[] = {32, 32, 64, 16, 8};
   struct nir_builder *b = &g->b;
   if (g->depth || below(g, 4) == 0) {
      gen_discard(g);
      return;
   }
   struct nir_def *value = pick(g, sizes[below(g, ARRAY_SIZE(sizes))], 1);
   switch (below(g, 8)) {
   case 6:
      add(g, nir_quad_vote_any(b, pick(g, 1, 1)));
      break;
   case 7:
      add(g, nir_quad_vote_all(b, pick(g, 1, 1)));
      break;
   case 0:
      add(g, nir_quad_broadcast(b, value, nir_imm_int(b, (int32_t)below(g, 4))));
      break;
   case 1:
      add(g, nir_quad_swap_horizontal(b, value));
      break;
   case 2:
      add(g, nir_quad_swap_vertical(b, value));
      break;
   case 3:
      add(g, nir_quad_swap_diagonal(b, value));
      break;
   default:
      b->exact = true;
      add(g, nir_build_alu(b, derivatives[below(g, ARRAY_SIZE(derivatives))], pick(g, 32, 1), NULL, NULL, NULL));
      b->exact = false;
      break;
   }
}

/* ---- subgroups: only where all lanes are, so that the order of lanes does not matter ---- */

/* A loop that serves one lane a turn, or those that agree with it. */
static void
gen_turns(struct generator *g)
{
   struct nir_builder *b = &g->b;
   struct nir_def *zero = nir_imm_int(b, 0), *value = nir_iand_imm(b, pick(g, 32, 1), 3), *first = value;
   bool one = below(g, 2);
   struct nir_loop *loop = nir_push_loop(b);
   struct nir_phi_instr *turn = nir_build_phi(b, 1, 32);
   nir_phi_add_src(b->shader, turn, nir_cf_block_before(&loop->cf), zero);
   b->cursor = nir_before_block(b->cursor.block);
   if (!one)
      first = nir_read_first_invocation(b, value);
   struct nir_if *own = nir_push_if(b, one ? nir_elect(b) : nir_ieq(b, value, first));
   nir_break(b);
   nir_pop_if(b, own);
   nir_phi_add_src(b->shader, turn, b->cursor.block, nir_iadd_imm(b, &turn->def, 1));
   nir_pop_loop(b, loop);
   add(g, &turn->def);
   add(g, first);
}

static void
gen_subgroup(struct generator *g)
{
   /* size: a flat switch */
   bool ends = g->options->discards || g->options->quads;
   if (ends && (!g->options->subgroups || below(g, 3) == 0)) {
      g->options->quads ? gen_quad(g) : gen_discard(g);
      return;
   }
   if (g->options->no_subgroups || (g->depth && !g->options->subgroups))
      return;
   static const enum nir_op reductions[] = {NIR_OP_iadd, NIR_OP_umin, NIR_OP_umax, NIR_OP_imin, NIR_OP_imax,
                                            NIR_OP_iand, NIR_OP_ior,  NIR_OP_ixor, NIR_OP_imul};
   static const uint8_t sizes[] = {64, 64, 64, 32, 16, 8};
   /* What lanes hold that are elsewhere is undefined. */
   static const uint8_t where_parted[] = {0, 1, 2, 3, 7, 7, 8, 8, 9, 9, 10, 11, 13, 14, 16};
   struct nir_builder *b = &g->b;
   bool more = g->options->subgroups;
   uint32_t mask = (g->options->subgroup_size ? g->options->subgroup_size : 32) - 1;
   unsigned bits = more ? sizes[below(g, ARRAY_SIZE(sizes))] : 32;
   struct nir_def *value = pick(g, bits, 1), *lane = nir_iand_imm(b, pick(g, 32, 1), mask);
   enum nir_op op = reductions[below(g, ARRAY_SIZE(reductions) - !more)];
   switch (g->depth || ends || g->options->halts ? where_parted[below(g, ARRAY_SIZE(where_parted))]
                                                 : below(g, more ? 17 : 13)) {
   case 0:
      add(g, nir_ballot(b, pick(g, 1, 1)));
      break;
   case 1:
      add(g, nir_vote_any(b, pick(g, 1, 1)));
      break;
   case 2:
      add(g, nir_vote_all(b, pick(g, 1, 1)));
      break;
   case 3:
      add(g, nir_read_first_invocation(b, value));
      break;
   case 4:
      add(g, nir_shuffle(b, value, lane));
      break;
   case 5:
      add(g, nir_shuffle_xor(b, value, nir_imm_int(b, 1 << below(g, 3))));
      break;
   case 6:
      add(g, nir_quad_broadcast(b, value, nir_imm_int(b, (int32_t)below(g, 4))));
      break;
   case 7:
      add(g, nir_reduce(b, value, .reduction_op = op,
                        .cluster_size = below(g, 2) ? 0
                                        : more      ? 1u << below(g, 6)
                                                    : 4));
      break;
   case 8:
      add(g, nir_inclusive_scan(b, value, .reduction_op = op));
      break;
   case 9:
      add(g, nir_exclusive_scan(b, value, .reduction_op = op));
      break;
   case 10:
      add(g, nir_elect(b));
      break;
   case 11:
      add(g, nir_ballot_bit_count_exclusive(b, nir_ballot(b, pick(g, 1, 1))));
      break;
   case 13:
      value = below(g, 2) ? nir_read_first_invocation(b, value) : value;
      add(g, nir_vote_ieq(b, value));
      break;
   case 14:
      gen_turns(g);
      break;
   case 15:
      add(g, nir_rotate(b, value,
                        below(g, 2) ? nir_read_first_invocation(b, lane) : nir_imm_int(b, (int32_t)below(g, 40)),
                        .cluster_size = below(g, 2) ? 0 : 1u << below(g, 6)));
      break;
   case 16:
      add(g, below(g, 2) ? nir_quad_vote_any(b, pick(g, 1, 1)) : nir_quad_vote_all(b, pick(g, 1, 1)));
      break;
   default:
      add(g, nir_quad_swap_horizontal(b, value));
      break;
   }
}

void
gen_statements(struct generator *g, unsigned count)
{
   while (count--) {
      if (g->options->interlock && below(g, 8) == 0)
         below(g, 2) ? nir_begin_invocation_interlock(&g->b) : nir_end_invocation_interlock(&g->b);
      if (gen_table(g))
         continue;
      if (g->options->matrices && !g->depth && below(g, 12) == 0)
         gen_matrix(g);
      unsigned kind = below(g, 24);
      bool flow = !g->options->no_control_flow && g->depth < 3;
      if (g->options->endless && flow && g->loops < 2 && below(g, 6) == 0)
         gen_endless(g);
      else if (g->options->deep && flow && g->loops < 1 && below(g, 12) == 0)
         add(g, gen_nest(g, 17 + below(g, 16), pick(g, 32, 1)));
      else if (kind == 0 && flow)
         gen_if(g);
      else if ((kind == 1 || ((g->options->discards || g->options->quads) && kind == 6)) && flow && g->loops < 2)
         gen_loop(g);
      else if (kind == 2 || kind == 3)
         gen_load(g);
      else if (kind == 4)
         gen_store(g);
      else if ((kind == 5 && !g->options->atomics) || (g->options->subgroups && (kind == 6 || kind == 9)))
         gen_subgroup(g);
      else if (kind == 6)
         gen_shared(g);
      else if (kind == 7 || kind == 8)
         gen_variable(g);
      else if (kind == 9 || (kind == 5 && g->options->atomics))
         gen_atomic(g);
      else if (kind == 10)
         add(g, random_const(g, g->options->only_32 ? 32 : 8u << below(g, 4)));
      else
         gen_alu(g);
   }
}

static void
create_variables(struct generator *g)
{
   struct arena *arena = g->b.shader->arena;
   const struct nir_type *u32 = nir_type_vector(NIR_TYPE_UINT, 32, 1), *vec4 = nir_type_vector(NIR_TYPE_FLOAT, 32, 4);
   const struct nir_struct_field fields[2] = {
      {.type = nir_type_array(arena, nir_type_vector(NIR_TYPE_UINT, 32, 2), 5, 0),
       .name = "list",
       .offset_B = -1,
       .location = -1},
      {.type = nir_type_vector(NIR_TYPE_BOOL, 1, 1), .name = "flag", .offset_B = -1, .location = -1},
   };
   const struct nir_type *types[NUM_VARIABLES] = {u32, vec4, nir_type_array(arena, vec4, 3, 0),
                                                  nir_type_struct(arena, fields, 2, "pair")};
   for (unsigned i = 0; i < NUM_VARIABLES; i++) {
      union nir_const_value *values = arena_array(arena, union nir_const_value, nir_type_scalars(types[i]));
      g->variables[i] = nir_variable_create(g->b.shader, NIR_VAR_FUNCTION_TEMP, types[i], NULL);
      for (unsigned k = 0; k < nir_type_scalars(types[i]); k++)
         values[k].u64 = types[i]->base == NIR_TYPE_STRUCT && k == 10 ? 1 : k;
      g->variables[i]->initializer = values;
   }
}

struct nir_shader *
nir_random_shader(struct arena *arena, const struct nir_random_options *options)
{
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_COMPUTE);
   struct generator g = {.options = options, .b = nir_builder_create(shader), .state = options->seed * 2 + 1};
   struct nir_builder *b = &g.b;
   shader->info.workgroup_size[0] = options->workgroup_size ? options->workgroup_size : 32;
   shader->info.float_controls = options->float_controls;
   shader->info.shared_B = shader->info.workgroup_size[0] * 4;
   nir_random_next(&g.state);
   if (!options->no_variables) {
      create_variables(&g);
      create_tables(&g);
   }
   for (unsigned i = 0; i < 2; i++) {
      struct nir_def *buffer = options->descriptors_as_args
                                  ? nir_load_scalar_arg(b, 4, .base = (int32_t)i)
                                  : nir_vulkan_resource_index(b, nir_imm_int(b, 0), .set = 0, .binding = i,
                                                              .descriptor_kind = NIR_DESCRIPTOR_STORAGE_BUFFER);
      *(i ? &g.out : &g.in) = buffer;
   }
   g.lane = nir_load_local_invocation_index(b);
   add(&g, g.lane);
   add(&g, nir_load_ssbo(b, options->no_vectors ? 1 : 4, 32, g.in, nir_imul_imm(b, g.lane, 16), .align_mul = 16));
   add(&g, nir_ilt(b, pick(&g, 32, 1), g.lane));
   for (int32_t i = 1; i < 3; i++) /* values that all lanes share */
      add(&g, nir_load_ssbo(b, 1, 32, g.in, nir_imm_int(b, 64 * i), .align_mul = 64));
   for (int32_t i = 0; options->mostly_16 && i < 4; i++) {
      struct nir_def *offset = nir_iadd_imm(b, nir_imul_imm(b, g.lane, 16), 8 * (i % 2));
      add(&g, nir_load_ssbo(b, 4 - 2 * (unsigned)(i / 2), 16, g.in, offset, .align_mul = 8));
   }
   gen_statements(&g, options->statements ? options->statements : 30);
   for (unsigned i = 0; i < 8; i++) {
      struct nir_def *def = g.pool[g.count - 1 - below(&g, MIN2(g.count, 16u))];
      if (def->bit_size == 1)
         def = nir_b2iN(b, def, 32);
      nir_store_ssbo(b, def, g.out, nir_iadd_imm(b, nir_imul_imm(b, g.lane, NIR_RANDOM_OUT_LANE_B), 32 * i),
                     .align_mul = 32, .write_mask = (1u << def->num_components) - 1);
   }
   return shader;
}

const char *
nir_random_compare(struct arena *arena, const struct nir_random_options *options, const uint8_t *expected,
                   const uint8_t *found)
{
   for (uint32_t i = 0; i < nir_random_out_size_B(options); i += 4) {
      uint32_t a, b;
      memcpy(&a, expected + i, 4);
      memcpy(&b, found + i, 4);
      if (a != b)
         return arena_printf(arena, "seed %u wave%u: byte %u (lane %u, value %u): expected 0x%08x, found 0x%08x",
                             options->seed, options->subgroup_size, i, i / NIR_RANDOM_OUT_LANE_B,
                             i % NIR_RANDOM_OUT_LANE_B / 32, a, b);
   }
   return NULL;
}

static const char *
variable(const char *name, const char *what)
{
   char text[32];
   snprintf(text, sizeof(text), "%s_TEST_%s", name, what);
   return getenv(text);
}

bool
nir_random_seeds(const char *name, uint32_t *first, uint32_t *count)
{
   const char *only = variable(name, "SEED"), *range = variable(name, "RANGE");
   if (range && sscanf(range, "%u:%u", first, count) != 2)
      return false;
   if (only) {
      const uint32_t seed = (uint32_t)strtoul(only, NULL, 10);
      *count = seed >= *first && seed - *first < *count;
      *first = seed;
   }
   return true;
}

void
nir_random_fill(uint32_t seed, uint8_t *data, uint32_t size_B)
{
   uint64_t state = seed * UINT64_C(77) + 5;
   for (uint32_t i = 0; i < size_B / 4; i++) {
      uint32_t word = nir_random_next(&state) ^ nir_random_next(&state) << 1;
      switch (nir_random_next(&state) % 4) {
      case 0:
         word = word % 16;
         break;
      case 1: { /* a float of ordinary size */
         word = float_bits((float)(int32_t)(word % 2000 - 1000) / 8);
         break;
      }
      default:
         break;
      }
      memcpy(data + 4 * i, &word, 4);
   }
}

uint32_t
nir_random_out_size_B(const struct nir_random_options *options)
{
   return (options->workgroup_size ? options->workgroup_size : 32) * NIR_RANDOM_OUT_LANE_B + NIR_RANDOM_COUNTERS_B;
}

bool
nir_random_is_helper(uint32_t lane)
{
   return (lane * UINT32_C(2654435761) >> 29) % 4 < 2 && lane % 4 != lane / 4 % 4;
}

const char *
nir_random_execute(struct arena *arena, struct nir_shader *shader, const struct nir_random_options *options,
                   uint8_t *out)
{
   uint8_t *in = arena_array(arena, uint8_t, NIR_RANDOM_IN_B);
   uint32_t out_B = nir_random_out_size_B(options);
   nir_random_fill(options->seed, in, NIR_RANDOM_IN_B);
   memset(out, 0, out_B);
   const struct nir_interp_buffer buffers[2] = {
      {.set = 0, .binding = 0, .va = 0x100000, .data = in, .size_B = NIR_RANDOM_IN_B},
      {.set = 0, .binding = 1, .va = 0x200000, .data = out, .size_B = out_B},
   };
   const uint32_t args[2][4] = {{0x100000, 0, NIR_RANDOM_IN_B, 0}, {0x200000, 0, out_B, 0}};
   uint32_t lanes = shader->info.workgroup_size[0];
   bool *helper = arena_array(arena, bool, lanes);
   for (uint32_t lane = 0; lane < lanes; lane++)
      helper[lane] = options->quads && nir_random_is_helper(lane);
   const struct nir_interp_params params = {.subgroup_size = options->subgroup_size ? options->subgroup_size : 32,
                                            .num_workgroups = {1, 1, 1},
                                            .buffers = buffers,
                                            .num_buffers = 2,
                                            .scalar_args = args,
                                            .num_scalar_args = 2,
                                            .check_uniform = options->check_uniform,
                                            .helper = helper,
                                            .section_layers = options->section_layers};
   return nir_interp_run(arena, shader, &params).error;
}

char *
nir_shader_text(const struct nir_shader *shader)
{
   char *text = NULL;
   size_t size_B;
   FILE *file = open_memstream(&text, &size_B);
   nir_print(shader, file);
   fclose(file);
   return text;
}
