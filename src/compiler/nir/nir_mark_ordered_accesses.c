/* Which memory accesses of an ordered section must reach what all compute units share.
 *
 * Invocations that went through the section before wrote from other compute units, so a line of the own L0 or L1 may
 * be old. A load with GLC and DLC evicts it. After that load nobody else writes the place until the section is left,
 * and caches take the own wave's stores and lose lines to its atomics, whatever descriptor or address these go
 * through: a plain load of the same bytes finds nothing old. So does one after a store of all these bytes. A store
 * of some, or an atomic, says nothing of the rest. Stores write through; GLC is for the last one of a place.
 *
 * Places are the same only if the same values name them. Two descriptors or addresses of one memory are two places,
 * each with its first load and its last store. What an application or a binding promises does not matter. */
#include "compiler/nir/nir_ordered_section.h"
#include "util/mutant.h"

enum { MAX_ACCESSES = 64 }; /* compared with each other; further ones count as first and last */

/* Kinds of places: none is ever the place of another kind. */
enum kind {
   BUFFER,       /* V#, byte offset */
   ADDRESS,      /* 64 bits + base */
   IMAGE,        /* T#, coordinates, sample, level */
   TEXEL_BUFFER, /* V#, element */
};

struct access {
   struct nir_intrinsic_instr *instr;
   enum kind kind;
   unsigned first_place, places; /* sources that say where */
   bool store;
   uint32_t flags; /* as the application wants them */
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
      access->kind = BUFFER;
      access->places = 2;
      return true;
   case NIR_INTRINSIC_store_ssbo:
      access->kind = BUFFER;
      access->first_place = 1;
      access->places = 2;
      access->store = true;
      return true;
   case NIR_INTRINSIC_load_global:
      access->kind = ADDRESS;
      access->places = 1;
      return true;
   case NIR_INTRINSIC_store_global:
      access->kind = ADDRESS;
      access->first_place = access->places = 1;
      access->store = true;
      return true;
   case NIR_INTRINSIC_image_load:
      access->kind = IMAGE;
      access->places = 4; /* and the level */
      return true;
   case NIR_INTRINSIC_image_store:
      access->kind = IMAGE;
      access->places = 4;
      access->store = true;
      return true;
   case NIR_INTRINSIC_load_texel_buffer:
      access->kind = TEXEL_BUFFER;
      access->places = 2;
      return true;
   case NIR_INTRINSIC_store_texel_buffer:
      access->kind = TEXEL_BUFFER;
      access->places = 2;
      access->store = true;
      return true;
   default: /* others: without the access index */
      return false;
   }
}

static unsigned
size_bits(const struct access *access)
{
   const struct nir_def *value = access->store ? access->instr->src[0].def : &access->instr->def;
   return access->instr->num_components * value->bit_size;
}

/* Sample and level lie on either side of a stored value. */
static const struct nir_def *
image_level(const struct access *access)
{
   return access->instr->src[access->store ? 5 : 4].def;
}

/* Of places of one kind that the same values name. Texels have one size in all views that a descriptor has. */
static bool
same_extent(const struct access *a, const struct access *b)
{
   const struct nir_intrinsic_instr *x = a->instr, *y = b->instr;
   switch (a->kind) {
   case BUFFER:
      return size_bits(a) == size_bits(b);
   case ADDRESS:
      return nir_intrinsic_base(x) == nir_intrinsic_base(y) && size_bits(a) == size_bits(b);
   case IMAGE:
      return nir_intrinsic_image_dim(x) == nir_intrinsic_image_dim(y) &&
             nir_intrinsic_image_array(x) == nir_intrinsic_image_array(y) && image_level(a) == image_level(b);
   case TEXEL_BUFFER:
      return true;
   }
   return false;
}

/* Both name the same bytes, all of them. */
static bool
same_place(const struct access *a, const struct access *b)
{
   if (a->kind != b->kind)
      return false;
   for (unsigned i = 0; i < a->places; i++) {
      if (a->instr->src[a->first_place + i].def != b->instr->src[b->first_place + i].def)
         return false;
   }
   return same_extent(a, b);
}

static bool
is_whole(const struct access *access)
{
   const struct nir_intrinsic_instr *instr = access->instr;
   return !nir_intrinsic_has_write_mask(instr) ||
          nir_intrinsic_write_mask(instr) == (1u << instr->num_components) - 1;
}

static bool
may_end_lanes(const struct nir_instr *instr)
{
   if (instr->type != NIR_INSTR_INTRINSIC)
      return false;
   enum nir_intrinsic_op op = nir_as_intrinsic((struct nir_instr *)instr)->op;
   return op >= NIR_INTRINSIC_discard && op <= NIR_INTRINSIC_demote_if;
}

/* Whether b is a later instruction of the block and every lane that executes a comes to it. */
static bool
surely_followed_by(const struct nir_instr *a, const struct nir_instr *b)
{
   bool after = false;
   nir_foreach_instr(instr, a->block) {
      if (instr == b)
         return after;
      if (after && may_end_lanes(instr))
         return false;
      after |= instr == a;
   }
   return false;
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
   const struct nir_instr *instr = &access->instr->instr;
   for (unsigned i = 0; i < list->count; i++) {
      const struct access *other = &list->at[i];
      bool whole = is_whole(other) || mutant("parts-as-whole");
      if (other->instr == access->instr || !same_place(access, other) || !whole)
         continue;
      if (!access->store && comes_before(&other->instr->instr, instr))
         return false;
      if (access->store && other->store && surely_followed_by(instr, &other->instr->instr))
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
   uint32_t promises = mutant("promises-believed") ? 0 : NIR_ACCESS_NON_WRITEABLE | NIR_ACCESS_CAN_REORDER;
   access.flags = nir_intrinsic_access(access.instr) & ~promises;
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
