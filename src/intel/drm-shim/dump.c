/* What is submitted, as text (INDIUM_DUMP_STATE, intel/sim/stream_text.h): the packets of each batch, and the memory
 * that whoever reads them wants. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "intel/drm-shim/intel_shim.h"
#include "intel/sim/stream_text.h"
#include "util/macros.h"

struct dump {
   const struct intel_exec *exec;
   struct dynarray ranges; /* struct range: state that was read */
};

struct range {
   uint64_t va, end;
};

void
intel_dump_start(void)
{
   if (intel_device.dump)
      intel_stream_print_head(intel_device.dump, intel_device.chip->name);
}

static bool
read_vm(void *data, uint64_t va, void *bytes, uint32_t size_B)
{
   const struct dump *dump = data;
   struct shim_mappings *mappings = &dump->exec->context->vm->mappings;
   char *to = bytes;
   while (size_B) {
      const struct shim_mapping *mapping = shim_mappings_at(mappings, shim_mappings_above(mappings, va));
      if (!mapping || mapping->va > va)
         return false;
      uint32_t run_B = (uint32_t)MIN2(size_B, shim_mapping_end(mapping) - va);
      memcpy(to, (const char *)mapping->bo->map + (va - mapping->va), run_B);
      to += run_B, va += run_B, size_B -= run_B;
   }
   return true;
}

/* Ranges that touch are one: kernels are read piece by piece. */
static bool
read_state(void *data, uint64_t va, void *bytes, uint32_t size_B)
{
   struct dump *dump = data;
   if (!read_vm(data, va, bytes, size_B))
      return false;
   size_t count = dynarray_count(&dump->ranges, struct range);
   struct range *last = count ? dynarray_at(&dump->ranges, struct range, count - 1) : NULL;
   if (last && last->end == va)
      last->end += size_B;
   else
      dynarray_append(&dump->ranges, struct range, (struct range){va, va + size_B});
   return true;
}

static void
print_packet(void *data, uint64_t va, const struct intel_words *packet)
{
   intel_stream_print_packet(intel_device.dump, va, packet);
}

static void
ignore_draw(void *data, const struct intel_draw *draw)
{
}

static int
by_va(const void *a, const void *b)
{
   const struct range *left = a, *right = b;
   return left->va < right->va ? -1 : left->va > right->va;
}

/* Each word once. */
static void
print_ranges(struct dump *dump)
{
   uint64_t done = 0;
   if (dump->ranges.data)
      qsort(dump->ranges.data, dynarray_count(&dump->ranges, struct range), sizeof(struct range), by_va);
   dynarray_for_each(struct range, range, &dump->ranges) {
      for (uint64_t va = MAX2(range->va, done); va < range->end;) {
         uint32_t words[256], size_B = (uint32_t)MIN2(sizeof(words), range->end - va);
         if (read_vm(dump, va, words, size_B))
            intel_stream_print_words(intel_device.dump, va, words, size_B / 4);
         va += size_B;
      }
      done = MAX2(done, range->end);
   }
}

void
intel_dump_submit(const struct intel_exec *exec, const char *engine, const struct intel_exec_object *batch)
{
   struct dump dump = {.exec = exec};
   struct intel_walk walk = {.gen = intel_device.chip->gen,
                             .batch = {read_vm, &dump},
                             .memory = {read_state, &dump},
                             .packet = print_packet,
                             .draw = ignore_draw,
                             .data = &dump};
   uint64_t va = batch->va + exec->args->batch_start_offset;
   if (!intel_device.dump)
      return;
   fprintf(intel_device.dump, "submit %" PRIu64 " context %u %s %" PRIx64 "\n", intel_device.submits,
           exec->context->number, engine, va);
   if (!intel_walk(&walk, &exec->context->walk, va))
      fprintf(intel_device.dump, "  unknown %s\n", walk.error);
   print_ranges(&dump);
   dynarray_free(&dump.ranges);
   fflush(intel_device.dump);
}
