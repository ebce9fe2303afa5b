/* Which memory accesses of an ordered section must reach what all compute units share: the first load of a location and
 * the last store to it. An access of a later or earlier one's place may use the caches; where that cannot be told, it
 * may not. Flags of the application do not matter, nor does what a binding promises: the location may be written through
 * another one. */
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_ordered_section.h"
#include "util/macros.h"

enum { MAX_ACCESSES = 64 }; /* compared with each other; further ones count as first and last */

struct access {
   struct nir_intrinsic_instr *instr;
   unsigned first_place, places; /* sources that say where */
   bool store;
   uint32_t flags;               /* as the application wants them */
};

struct list {
   struct access at[MAX_ACCESSES];
   unsigned count;
};

/* size: a flat switch */
static bool
describe(struct nir_intrinsic_instr *instr, struct access *access)
{
   *access = (struct access){.instr = instr};
   switch ((int)instr->op) {
   case NIR_INTRINSIC_load_ssbo:
      access->places = 2;
      return true;
   case NIR_INTRINSIC_store_ssbo:
      access->first_place = 1;
      access->places = 2;
      access->store = true;
      return true;
   case NIR_INTRINSIC_load_global:
      access->places = 1;
      return true;
   case NIR_INTRINSIC_store_global:
      access->first_place = access->places = 1;
      access->store = true;
      return true;
   case NIR_INTRINSIC_image_load:
      access->places = 5;
      return true;
   case NIR_INTRINSIC_image_store: /* sample and level lie on either side of the value */
      access->places = 4;
      access->store = true;
      return true;
   case NIR_INTRINSIC_load_texel_buffer:
      access->places = 2;
      return true;
   case NIR_INTRINSIC_store_texel_buffer:
      access->places = 2;
      access->store = true;
      return true;
   default:
      return false;
   }
}

static unsigned
size_bits(const struct access *access)
{
   const struct nir_def *value = access->store ? access->instr->src[0].def : &access->instr->def;
   return access->instr->num_components * value->bit_size;
}

/* Both touch the same bytes, all of them: the same kind of place, named by the same values. */
static bool
same_place(const struct access *a, const struct access *b)
{
   const struct nir_intrinsic_instr *x = a->instr, *y = b->instr;
   bool image = nir_intrinsic_has_image_dim(x);
   if (image != nir_intrinsic_has_image_dim(y) || nir_intrinsic_has_align_mul(x) != nir_intrinsic_has_align_mul(y))
      return false;
   if (image && (nir_intrinsic_image_dim(x) != nir_intrinsic_image_dim(y) || x->src[3].def != y->src[3].def))
      return false;
   if (nir_intrinsic_has_align_mul(x) && size_bits(a) != size_bits(b))
      return false;
   if (nir_intrinsic_has_base(x) && nir_intrinsic_base(x) != nir_intrinsic_base(y))
      return false;
   unsigned places = MIN2(a->places, b->places);
   for (unsigned i = 0; i < places; i++) {
      if (x->src[a->first_place + i].def != y->src[b->first_place + i].def)
         return false;
   }
   return true;
}

static bool
is_whole(const struct access *access)
{
   const struct nir_intrinsic_instr *instr = access->instr;
   return !nir_intrinsic_has_write_mask(instr) || nir_intrinsic_write_mask(instr) == (1u << instr->num_components) - 1;
}

static bool
comes_before(const struct nir_instr *a, const struct nir_instr *b)
{
   if (a->block != b->block)
      return nir_block_dominates(a->block, b->block);
   nir_foreach_instr(instr, a->block) {
      if (instr == a || instr == b)
         return instr == a;
   }
   return false;
}

static bool
needs_flag(const struct list *list, const struct access *access)
{
   for (unsigned i = 0; i < list->count; i++) {
      const struct access *other = &list->at[i];
      if (other->instr == access->instr || !same_place(access, other))
         continue;
      if (!access->store && comes_before(&other->instr->instr, &access->instr->instr))
         return false;
      if (access->store && other->store && is_whole(other) && other->instr->instr.block == access->instr->instr.block &&
          comes_before(&access->instr->instr, &other->instr->instr))
         return false;
   }
   return true;
}

static void
collect(struct nir_instr *instr, void *data)
{
   struct list *list = data;
   struct access access;
   if (instr->type != NIR_INSTR_INTRINSIC || !describe(nir_as_intrinsic(instr), &access))
      return;
   access.flags = nir_intrinsic_access(access.instr) & ~(uint32_t)(NIR_ACCESS_NON_WRITEABLE | NIR_ACCESS_CAN_REORDER);
   nir_intrinsic_set_access(access.instr, access.flags | NIR_ACCESS_COHERENT);
   if (list->count < MAX_ACCESSES)
      list->at[list->count++] = access;
}

void
nir_mark_ordered_accesses(const struct nir_ordered_section *section)
{
   struct list list = {.count = 0};
   nir_compute_dominance(section->shader);
   nir_foreach_section_instr(section, collect, &list);
   for (unsigned i = 0; i < list.count; i++) {
      if (!needs_flag(&list, &list.at[i]))
         nir_intrinsic_set_access(list.at[i].instr, list.at[i].flags);
   }
}
