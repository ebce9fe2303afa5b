#include "compiler/nir/nir_ssa_builder.h"

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

/* A predecessor behind the block: the end of a loop or a continue. */
static bool
has_back_edge(const struct nir_block *block)
{
   for (uint32_t i = 0; i < block->num_preds; i++) {
      if (block->preds[i]->index >= block->index)
         return true;
   }
   return false;
}

/* All predecessors stand before the block: one value if they agree, else a phi. */
static struct nir_def *
read_join(struct nir_ssa_builder *ssa, struct nir_block *block, uint32_t slot, unsigned num_components,
          unsigned bit_size)
{
   struct nir_def *first = nir_ssa_read(ssa, block->preds[0], slot, num_components, bit_size);
   uint32_t i = 1;
   while (i < block->num_preds && nir_ssa_read(ssa, block->preds[i], slot, num_components, bit_size) == first)
      i++;
   if (i == block->num_preds)
      return first;
   struct nir_phi_instr *phi = create_phi(ssa, block, num_components, bit_size);
   for (i = 0; i < block->num_preds; i++)
      nir_phi_add_src(ssa->shader, phi, block->preds[i],
                      nir_ssa_read(ssa, block->preds[i], slot, num_components, bit_size));
   return &phi->def;
}

struct nir_def *
nir_ssa_read(struct nir_ssa_builder *ssa, struct nir_block *block, uint32_t slot, unsigned num_components,
             unsigned bit_size)
{
   /* Walk up single predecessors without recursion. */
   struct nir_block *at = block;
   struct nir_def *def = NULL;
   for (; !(def = find(ssa, at->index, slot)->def); at = at->preds[0]) {
      if (at->num_preds != 1 || has_back_edge(at))
         break;
   }
   if (!def) {
      if (!at->num_preds) {
         def = undef(ssa, num_components, bit_size);
      } else if (has_back_edge(at)) {
         struct nir_phi_instr *phi = create_phi(ssa, at, num_components, bit_size);
         struct nir_ssa_pending *pending = arena_new(ssa->shader->arena, struct nir_ssa_pending);
         *pending = (struct nir_ssa_pending){ssa->pending, phi, slot};
         ssa->pending = pending;
         def = &phi->def;
      } else {
         def = read_join(ssa, at, slot, num_components, bit_size);
      }
      nir_ssa_write(ssa, at, slot, def);
   }
   if (at != block)
      nir_ssa_write(ssa, block, slot, def);
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
