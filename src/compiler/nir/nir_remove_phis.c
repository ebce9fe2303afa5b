#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"

/* The one value a phi can have besides itself; NULL if there are several. */
static struct nir_def *
only_value(const struct nir_phi_instr *phi)
{
   struct nir_def *value = NULL;
   nir_foreach_phi_src(src, phi) {
      if (src->src.def == &phi->def || src->src.def == value)
         continue;
      if (value)
         return NULL;
      value = src->src.def;
   }
   return value;
}

enum { WAITS = 1 }; /* pass_flags of a phi */

struct queue {
   struct nir_phi_instr **phis; /* a ring; each phi is in it once */
   uint32_t first, count, size;
};

static void
enqueue(struct queue *queue, struct nir_phi_instr *phi)
{
   if (phi->instr.pass_flags == WAITS)
      return;
   phi->instr.pass_flags = WAITS;
   queue->phis[(queue->first + queue->count++) % queue->size] = phi;
}

static struct nir_phi_instr *
dequeue(struct queue *queue)
{
   struct nir_phi_instr *phi = queue->phis[queue->first];
   phi->instr.pass_flags = 0;
   queue->first = (queue->first + 1) % queue->size;
   queue->count--;
   return phi;
}

static void
enqueue_all(struct queue *queue, struct nir_shader *shader)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type != NIR_INSTR_PHI)
            break;
         instr->pass_flags = 0;
         queue->size++;
      }
   }
   queue->phis = arena_array(shader->arena, struct nir_phi_instr *, queue->size);
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type != NIR_INSTR_PHI)
            break;
         enqueue(queue, nir_as_phi(instr));
      }
   }
}

/* If a phi is replaced by its value, others may have only one value too: those are looked at again. */
bool
nir_remove_phis(struct nir_shader *shader)
{
   bool progress = false;
   struct queue queue = {0};
   enqueue_all(&queue, shader);
   while (queue.count) {
      struct nir_phi_instr *phi = dequeue(&queue);
      struct nir_def *value = only_value(phi);
      if (!value)
         continue;
      nir_foreach_use(use, &phi->def) {
         if (use->parent_instr && use->parent_instr->type == NIR_INSTR_PHI && use->parent_instr != &phi->instr)
            enqueue(&queue, nir_as_phi(use->parent_instr));
      }
      nir_def_replace(&phi->def, value);
      nir_instr_remove(&phi->instr);
      progress = true;
   }
   return progress;
}
