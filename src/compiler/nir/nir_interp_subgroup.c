/* Subgroup operations of the reference interpreter. */
#include <string.h>

#include "compiler/nir/nir_interp_internal.h"
#include "compiler/nir/nir_neutral_element.h"
#include "util/macros.h"

/* One lane's view: its subgroup is lanes [first, first + size). */
struct view {
   struct nir_machine *interp;
   const struct nir_intrinsic_instr *instr;
   uint32_t lane, first, size, id;
   bool helpers; /* take part: nobody else is active */
};

static const union nir_const_value *
source(const struct view *v, unsigned src, uint32_t lane)
{
   return nir_interp_value(v->interp, v->instr->src[src].def, lane);
}

static bool
active(const struct view *v, uint32_t id)
{
   uint32_t lane = v->first + id;
   return lane < v->interp->num_lanes && id < v->size && nir_lane_active(v->interp, lane) &&
          (v->helpers || !v->interp->helper[lane]);
}

static bool
only_helpers(const struct view *v)
{
   for (uint32_t id = 0; id < v->size; id++) {
      if (active(v, id))
         return false;
   }
   return true;
}

/* Bits of the lanes for which the boolean is true (source 0), or of all active ones. */
static void
ballot(const struct view *v, bool all, uint32_t words[4])
{
   memset(words, 0, 16);
   for (uint32_t id = 0; id < v->size; id++) {
      if (active(v, id) && (all || source(v, 0, v->first + id)->b))
         words[id / 32] |= 1u << (id % 32);
   }
}

static unsigned
count_bits(const union nir_const_value *words, uint32_t below)
{
   unsigned count = 0;
   for (uint32_t id = 0; id < below; id++)
      count += words[id / 32].u32 >> (id % 32) & 1;
   return count;
}

static uint32_t
first_active(const struct view *v)
{
   uint32_t id = 0;
   while (!active(v, id))
      id++;
   return id;
}

/* The value of another lane, of the own one if that is not there. */
static void
read_lane(const struct view *v, union nir_const_value *value, uint32_t id)
{
   uint32_t lane = id < v->size && v->first + id < v->interp->num_lanes ? v->first + id : v->lane;
   memcpy(value, source(v, 0, lane), sizeof(*value) * NIR_MAX_COMPONENTS);
}

static uint32_t
cluster_of(const struct view *v)
{
   uint32_t cluster = nir_intrinsic_cluster_size(v->instr);
   return cluster ? MIN2(cluster, v->size) : v->size;
}

/* Whether one of the quad's active lanes says so. */
static bool
quad_says(const struct view *v, bool what)
{
   for (uint32_t id = v->id & ~3u; id <= (v->id | 3); id++) {
      uint32_t lane = v->first + id;
      if (lane < v->interp->num_lanes && nir_lane_active(v->interp, lane) && source(v, 0, lane)->b == what)
         return true;
   }
   return false;
}

static bool
same(const struct view *v, bool is_float)
{
   const struct nir_def *def = v->instr->src[0].def;
   const union nir_const_value *first = source(v, 0, v->first + first_active(v));
   for (uint32_t id = 0; id < v->size; id++) {
      for (unsigned c = 0; active(v, id) && c < def->num_components; c++) {
         const union nir_const_value *value = source(v, 0, v->first + id);
         if (is_float ? nir_const_as_float(value[c], def->bit_size) != nir_const_as_float(first[c], def->bit_size)
                      : value[c].u64 != first[c].u64)
            return false;
      }
   }
   return true;
}

/* Over the active lanes of [from, to), in order. */
static void
accumulate(const struct view *v, union nir_const_value *value, uint32_t from, uint32_t to)
{
   enum nir_op op = nir_intrinsic_reduction_op(v->instr);
   unsigned bits = v->instr->def.bit_size;
   union nir_const_value neutral;
   bool found = nir_neutral_element(op, bits, &neutral);
   assert(found && "a reduction without a neutral element");
   for (unsigned c = 0; c < v->instr->num_components; c++) {
      union nir_const_value total = neutral;
      bool first = found;
      for (uint32_t id = from; id < to; id++) {
         if (!active(v, id))
            continue;
         union nir_const_value next = source(v, 0, v->first + id)[c];
         const union nir_const_value *srcs[2] = {&total, &next};
         union nir_const_value result = next;
         if (!first)
            nir_eval_alu(op, 1, bits, &result, srcs);
         first = false;
         total = result;
      }
      value[c] = total;
   }
}

static bool
run_ballot_op(const struct view *v, union nir_const_value *value)
{
   switch ((int)v->instr->op) {
   case NIR_INTRINSIC_inverse_ballot:
      value->u64 = source(v, 0, v->lane)[v->id / 32].u32 >> (v->id % 32) & 1;
      return true;
   case NIR_INTRINSIC_ballot_bitfield_extract: {
      uint32_t bit = source(v, 1, v->lane)->u32 & 127;
      value->u64 = source(v, 0, v->lane)[bit / 32].u32 >> (bit % 32) & 1;
      return true;
   }
   case NIR_INTRINSIC_ballot_bit_count_reduce:
      value->u64 = count_bits(source(v, 0, v->lane), v->size);
      return true;
   case NIR_INTRINSIC_ballot_bit_count_inclusive:
      value->u64 = count_bits(source(v, 0, v->lane), v->id + 1);
      return true;
   case NIR_INTRINSIC_ballot_bit_count_exclusive:
      value->u64 = count_bits(source(v, 0, v->lane), v->id);
      return true;
   case NIR_INTRINSIC_ballot_find_lsb:
   case NIR_INTRINSIC_ballot_find_msb: {
      value->u64 = UINT32_MAX; /* no bit */
      for (uint32_t id = 0; id < v->size; id++) {
         uint32_t bit = v->instr->op == NIR_INTRINSIC_ballot_find_lsb ? v->size - 1 - id : id;
         if (source(v, 0, v->lane)[bit / 32].u32 >> (bit % 32) & 1)
            value->u64 = bit;
      }
      return true;
   }
   default: /* others: not on ballots */
      return false;
   }
}

static bool
run_move(const struct view *v, union nir_const_value *value)
{
   uint32_t index = nir_intrinsic_infos[v->instr->op].num_srcs > 1 ? source(v, 1, v->lane)->u32 : 0;
   switch ((int)v->instr->op) {
   case NIR_INTRINSIC_read_first_invocation:
      read_lane(v, value, first_active(v));
      return true;
   case NIR_INTRINSIC_read_invocation:
   case NIR_INTRINSIC_shuffle:
      read_lane(v, value, index);
      return true;
   case NIR_INTRINSIC_shuffle_xor:
      read_lane(v, value, v->id ^ index);
      return true;
   case NIR_INTRINSIC_shuffle_up:
      read_lane(v, value, v->id - index);
      return true;
   case NIR_INTRINSIC_shuffle_down:
      read_lane(v, value, v->id + index);
      return true;
   case NIR_INTRINSIC_quad_broadcast:
      read_lane(v, value, (v->id & ~3u) | (index & 3));
      return true;
   case NIR_INTRINSIC_rotate: {
      uint32_t cluster = cluster_of(v);
      read_lane(v, value, (v->id & ~(cluster - 1)) | ((v->id + source(v, 1, v->lane)->u32) & (cluster - 1)));
      return true;
   }
   case NIR_INTRINSIC_quad_swap_horizontal:
      read_lane(v, value, v->id ^ 1);
      return true;
   case NIR_INTRINSIC_quad_swap_vertical:
      read_lane(v, value, v->id ^ 2);
      return true;
   case NIR_INTRINSIC_quad_swap_diagonal:
      read_lane(v, value, v->id ^ 3);
      return true;
   default: /* others: move nothing between lanes */
      return false;
   }
}

static bool
run_vote(const struct view *v, union nir_const_value *value)
{
   uint32_t all[4], yes[4];
   ballot(v, true, all);
   switch ((int)v->instr->op) {
   case NIR_INTRINSIC_elect:
      value->u64 = v->id == first_active(v);
      return true;
   case NIR_INTRINSIC_vote_any:
      ballot(v, false, yes);
      value->u64 = (yes[0] | yes[1] | yes[2] | yes[3]) != 0;
      return true;
   case NIR_INTRINSIC_vote_all:
      ballot(v, false, yes);
      value->u64 = !memcmp(all, yes, sizeof(all));
      return true;
   case NIR_INTRINSIC_vote_feq:
   case NIR_INTRINSIC_vote_ieq:
      value->u64 = same(v, v->instr->op == NIR_INTRINSIC_vote_feq);
      return true;
   case NIR_INTRINSIC_quad_vote_any:
      value->u64 = quad_says(v, true);
      return true;
   case NIR_INTRINSIC_quad_vote_all:
      value->u64 = !quad_says(v, false);
      return true;
   case NIR_INTRINSIC_ballot:
      ballot(v, false, yes);
      for (unsigned i = 0; i < 4; i++)
         value[i].u64 = yes[i];
      return true;
   default: /* others: no votes */
      return false;
   }
}

static bool
run_scan(const struct view *v, union nir_const_value *value)
{
   switch ((int)v->instr->op) {
   case NIR_INTRINSIC_reduce: {
      uint32_t cluster = cluster_of(v);
      accumulate(v, value, v->id & ~(cluster - 1), (v->id & ~(cluster - 1)) + cluster);
      return true;
   }
   case NIR_INTRINSIC_inclusive_scan:
      accumulate(v, value, 0, v->id + 1);
      return true;
   case NIR_INTRINSIC_exclusive_scan:
      accumulate(v, value, 0, v->id);
      return true;
   default: /* others: not of subgroups */
      return false;
   }
}

bool
nir_interp_subgroup(struct nir_machine *interp, const struct nir_intrinsic_instr *instr)
{
   if (instr->op < NIR_INTRINSIC_elect || instr->op > NIR_INTRINSIC_exclusive_scan)
      return false;
   uint32_t size = interp->params->subgroup_size;
   /* Results first: a loop may overwrite what another lane still reads. */
   union nir_const_value(*results)[NIR_MAX_COMPONENTS] =
      dynarray_grow(&interp->phi_values, sizeof(*results) * interp->num_lanes);
   memset(results, 0, sizeof(*results) * interp->num_lanes);
   for (uint32_t lane = 0; lane < interp->num_lanes; lane++) {
      struct view v = {interp, instr, lane, lane / size * size, size, lane % size, false};
      v.helpers = only_helpers(&v);
      if (!nir_lane_active(interp, lane))
         continue;
      if (!run_vote(&v, results[lane]) && !run_ballot_op(&v, results[lane]) && !run_move(&v, results[lane]) &&
          !run_scan(&v, results[lane]))
         return false;
   }
   for (uint32_t lane = 0; lane < interp->num_lanes; lane++) {
      if (nir_lane_active(interp, lane))
         memcpy(nir_interp_value(interp, &instr->def, lane), results[lane], sizeof(results[lane]));
   }
   interp->phi_values.size_B = 0;
   return true;
}
