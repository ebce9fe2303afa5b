#include "compiler/nir/nir_ssa_builder.h"

#include "compiler/nir/nir_cf.h"
#include "util/macros.h"

struct nir_ssa_entry {
   uint32_t block, slot;
   struct nir_def *def; /* NULL: free */
};

struct nir_ssa_pending {
   struct nir_ssa_pending *next;
   struct nir_phi_instr *phi;
   uint32_t slot;
};

void
nir_ssa_begin(struct nir_ssa_builder *ssa, struct nir_shader *shader)
{
   *ssa = (struct nir_ssa_builder){.shader = shader, .capacity = 256};
   ssa->entries = arena_array(shader->arena, struct nir_ssa_entry, ssa->capacity);
}

void
nir_ssa_announce(struct nir_ssa_builder *ssa, const struct nir_block *block, uint32_t slot)
{
   assert(!ssa->first && "all writes are announced before the first read");
   ssa->announced = arena_room(ssa->shader->arena, ssa->announced, 2 * sizeof(*ssa->announced), ssa->num_announced,
                               &ssa->max_announced);
   ssa->announced[2 * ssa->num_announced] = slot;
   ssa->announced[2 * ssa->num_announced++ + 1] = block->index;
   ssa->num_slots = MAX2(ssa->num_slots, slot + 1);
}

/* By slot; the order of blocks stays. */
static void
sort_announced(struct nir_ssa_builder *ssa)
{
   struct arena *arena = ssa->shader->arena;
   ssa->first = arena_array(arena, uint32_t, ssa->num_slots + 2);
   ssa->blocks = arena_array(arena, uint32_t, ssa->num_announced);
   for (uint32_t i = 0; i < ssa->num_announced; i++)
      ssa->first[ssa->announced[2 * i] + 2]++;
   for (uint32_t slot = 2; slot < ssa->num_slots + 2; slot++)
      ssa->first[slot] += ssa->first[slot - 1];
   for (uint32_t i = 0; i < ssa->num_announced; i++) {
      /* first[s + 1] counts up from the start of slot s to its end */
      ssa->blocks[ssa->first[ssa->announced[2 * i] + 1]++] = ssa->announced[2 * i + 1];
   }
}

static bool
is_written(const struct nir_ssa_builder *ssa, uint32_t slot, uint32_t first_block, uint32_t last_block)
{
   if (slot >= ssa->num_slots)
      return false;
   uint32_t low = ssa->first[slot], high = ssa->first[slot + 1];
   while (low < high) { /* the first of them at first_block or later */
      const uint32_t middle = low + (high - low) / 2;
      if (ssa->blocks[middle] < first_block)
         low = middle + 1;
      else
         high = middle;
   }
   return low < ssa->first[slot + 1] && ssa->blocks[low] <= last_block;
}

static struct nir_ssa_entry *
find(const struct nir_ssa_builder *ssa, uint32_t block, uint32_t slot)
{
   uint32_t mask = ssa->capacity - 1;
   uint32_t i = (uint32_t)((((uint64_t)block << 32 | slot) * UINT64_C(0x9e3779b97f4a7c15)) >> 40);
   for (;; i++) {
      struct nir_ssa_entry *entry = &ssa->entries[i & mask];
      if (!entry->def || (entry->block == block && entry->slot == slot))
         return entry;
   }
}

static void
grow(struct nir_ssa_builder *ssa)
{
   struct nir_ssa_entry *old = ssa->entries;
   uint32_t old_capacity = ssa->capacity;
   ssa->capacity *= 4;
   ssa->entries = arena_array(ssa->shader->arena, struct nir_ssa_entry, ssa->capacity);
   for (uint32_t i = 0; i < old_capacity; i++) {
      if (old[i].def)
         *find(ssa, old[i].block, old[i].slot) = old[i];
   }
}

void
nir_ssa_write(struct nir_ssa_builder *ssa, struct nir_block *block, uint32_t slot, struct nir_def *def)
{
   if ((ssa->count + 1) * 2 > ssa->capacity)
      grow(ssa);
   struct nir_ssa_entry *entry = find(ssa, block->index, slot);
   ssa->count += !entry->def;
   *entry = (struct nir_ssa_entry){block->index, slot, def};
}

static struct nir_def *
undef(struct nir_ssa_builder *ssa, unsigned num_components, unsigned bit_size)
{
   struct nir_undef_instr *instr = nir_undef_create(ssa->shader, num_components, bit_size);
   nir_instr_insert(nir_before_block(nir_first_block(ssa->shader)), &instr->instr);
   return &instr->def;
}

static struct nir_phi_instr *
create_phi(struct nir_ssa_builder *ssa, struct nir_block *block, unsigned num_components, unsigned bit_size)
{
   struct nir_phi_instr *phi = nir_phi_create(ssa->shader);
   nir_def_init(ssa->shader, &phi->instr, &phi->def, num_components, bit_size);
   nir_instr_insert(nir_before_block(block), &phi->instr);
   return phi;
}

/* A predecessor after the block: the end of a loop or a continue. */
static bool
has_back_edge(const struct nir_block *block)
{
   for (uint32_t i = 0; i < block->num_preds; i++) {
      if (block->preds[i]->index >= block->index)
         return true;
   }
   return false;
}

/* A read that is under way: `block` is asked for, `at` is where the way up that needs no phi ends. Reads of the
 * predecessors of a join go on a stack of their own: joins in a row may be as many as there are blocks. */
struct nir_ssa_frame {
   struct nir_block *block, *at;
   uint32_t next; /* predecessor */
   struct nir_def *first;
   struct nir_phi_instr *phi; /* once predecessors differ */
};

static void
push(struct nir_ssa_builder *ssa, struct nir_block *block)
{
   ssa->frames = arena_room(ssa->shader->arena, ssa->frames, sizeof(*ssa->frames), ssa->depth, &ssa->max_depth);
   ssa->frames[ssa->depth++] = (struct nir_ssa_frame){.block = block};
}

/* The block before the loop that `at` begins, or before what `at` follows, if the slot has the same value there, as
 * nothing in between writes it; else NULL. */
static struct nir_block *
pass_construct(const struct nir_ssa_builder *ssa, const struct nir_block *at, uint32_t slot)
{
   const struct nir_cf_node *construct = nir_cf_prev(&at->cf);
   if (!construct && at->cf.parent && at->cf.parent->type == NIR_CF_LOOP)
      construct = at->cf.parent;
   if (!construct || !at->num_preds)
      return NULL;
   struct nir_block *before = nir_cf_as_block(nir_cf_prev(construct));
   const struct nir_block *after = nir_cf_as_block(nir_cf_next(construct));
   if (nir_block_jump(before) || is_written(ssa, slot, before->index + 1, after->index - 1))
      return NULL;
   return before;
}

/* The value if it is known where the way up ends, or needs no other read; NULL: `at` is a join. */
static struct nir_def *
begin_read(struct nir_ssa_builder *ssa, struct nir_ssa_frame *frame, uint32_t slot, unsigned num_components,
           unsigned bit_size)
{
   struct nir_block *at = frame->block;
   struct nir_def *def = NULL;
   while (!(def = find(ssa, at->index, slot)->def)) {
      struct nir_block *before = pass_construct(ssa, at, slot);
      if (!before && (at->num_preds != 1 || has_back_edge(at)))
         break;
      at = before ? before : at->preds[0];
   }
   frame->at = at;
   if (def)
      return def;
   if (!at->num_preds)
      return undef(ssa, num_components, bit_size);
   if (!has_back_edge(at))
      return NULL;
   struct nir_phi_instr *phi = create_phi(ssa, at, num_components, bit_size);
   struct nir_ssa_pending *pending = arena_new(ssa->shader->arena, struct nir_ssa_pending);
   *pending = (struct nir_ssa_pending){ssa->pending, phi, slot};
   ssa->pending = pending;
   return &phi->def;
}

/* All predecessors stand before the block: one value if they agree, else a phi. NULL: one more is to be read, which
 * is pushed. */
static struct nir_def *
read_join(struct nir_ssa_builder *ssa, struct nir_ssa_frame *frame, uint32_t slot, unsigned num_components,
          unsigned bit_size)
{
   for (; frame->next < frame->at->num_preds; frame->next++) {
      struct nir_block *pred = frame->at->preds[frame->next];
      struct nir_def *def = find(ssa, pred->index, slot)->def;
      if (!def) {
         push(ssa, pred);
         return NULL;
      }
      if (!frame->first)
         frame->first = def;
      if (!frame->phi && def != frame->first)
         frame->phi = create_phi(ssa, frame->at, num_components, bit_size);
   }
   for (uint32_t i = 0; frame->phi && i < frame->at->num_preds; i++)
      nir_phi_add_src(ssa->shader, frame->phi, frame->at->preds[i], find(ssa, frame->at->preds[i]->index, slot)->def);
   return frame->phi ? &frame->phi->def : frame->first;
}

struct nir_def *
nir_ssa_read(struct nir_ssa_builder *ssa, struct nir_block *block, uint32_t slot, unsigned num_components,
             unsigned bit_size)
{
   if (!ssa->first)
      sort_announced(ssa);
   struct nir_def *def = NULL;
   const uint32_t bottom = ssa->depth;
   push(ssa, block);
   while (ssa->depth > bottom) {
      struct nir_ssa_frame *frame = &ssa->frames[ssa->depth - 1];
      def = frame->at ? NULL : begin_read(ssa, frame, slot, num_components, bit_size);
      if (!def)
         def = read_join(ssa, frame, slot, num_components, bit_size);
      if (!def)
         continue;
      nir_ssa_write(ssa, frame->at, slot, def);
      if (frame->at != frame->block)
         nir_ssa_write(ssa, frame->block, slot, def);
      ssa->depth--;
   }
   return def;
}

void
nir_ssa_finish(struct nir_ssa_builder *ssa)
{
   while (ssa->pending) { /* reading may add more */
      struct nir_ssa_pending *pending = ssa->pending;
      ssa->pending = pending->next;
      struct nir_phi_instr *phi = pending->phi;
      struct nir_block *block = phi->instr.block;
      for (uint32_t i = 0; i < block->num_preds; i++)
         nir_phi_add_src(
            ssa->shader, phi, block->preds[i],
            nir_ssa_read(ssa, block->preds[i], pending->slot, phi->def.num_components, phi->def.bit_size));
   }
}
