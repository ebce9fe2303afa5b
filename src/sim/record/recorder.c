#include "sim/record/recorder.h"

#include <pthread.h>
#include <stdlib.h>

#include "sim/record/record_text.h"
#include "sim/record/snapshot.h"
#include "util/list.h"
#include "util/macros.h"
#include "util/within_memory.h"

/* Words that are told again rather than parting a run: packets and code stay in one piece (they are decoded as such),
 * and equal words cost nothing. */
#define GAP 256
#define MAX_BLOCK (UINT64_C(1) << 20)

struct sim_recorder {
   FILE *out;
   pthread_mutex_t lock; /* of the list and what is marked: a submission marks while others continue */
   uint64_t memory_count;
   struct list_head memories;    /* rising ids */
   struct sim_recorded *written; /* last, by the submission that runs */
};

struct sim_recorded {
   struct sim_recorder *recorder;
   struct list_head link;
   uint64_t id;
   const char *host;
   uint64_t size_B;
   struct sim_snapshot *snapshot;
   uint64_t hash; /* of the submission, while it is made */
};

static void
print(struct sim_recorder *recorder, struct sim_record record)
{
   sim_record_print(recorder->out, &record);
}

struct sim_recorder *
sim_recorder_create(FILE *out, const char *driver, const char *chip, const char *schedule, const char *option)
{
   struct sim_recorder *recorder = calloc(1, sizeof(*recorder));
   if (!recorder)
      return NULL;
   recorder->out = out;
   pthread_mutex_init(&recorder->lock, NULL);
   list_init(&recorder->memories);
   sim_record_print_head(out, driver, chip, schedule, option);
   fflush(out);
   return recorder;
}

void
sim_recorder_destroy(struct sim_recorder *recorder)
{
   pthread_mutex_destroy(&recorder->lock);
   free(recorder);
}

struct sim_recorded *
sim_recorder_add(struct sim_recorder *recorder, const void *host, uint64_t size_B, int fd)
{
   struct sim_recorded *memory = need_calloc("the recording", 1, sizeof(*memory));
   memory->recorder = recorder;
   memory->id = ++recorder->memory_count;
   memory->host = host;
   memory->size_B = size_B;
   memory->snapshot = sim_snapshot_create(host, size_B, fd);
   if (!memory->snapshot)
      out_of_memory("the recording", size_B);
   pthread_mutex_lock(&recorder->lock);
   list_add_tail(&memory->link, &recorder->memories);
   pthread_mutex_unlock(&recorder->lock);
   print(recorder, (struct sim_record){.kind = SIM_RECORD_MEMORY, .memory = memory->id, .size_B = size_B});
   return memory;
}

void
sim_recorder_remove(struct sim_recorder *recorder, struct sim_recorded *memory)
{
   print(recorder, (struct sim_record){.kind = SIM_RECORD_FREE, .memory = memory->id});
   pthread_mutex_lock(&recorder->lock);
   list_remove(&memory->link);
   if (recorder->written == memory)
      recorder->written = NULL;
   pthread_mutex_unlock(&recorder->lock);
   sim_snapshot_destroy(memory->snapshot);
   free(memory);
}

void
sim_recorder_map(struct sim_recorder *recorder, uint64_t space, struct sim_va va, uint64_t size_B, unsigned access,
                 const struct sim_recorded *memory, uint64_t offset_B)
{
   print(recorder, (struct sim_record){.kind = SIM_RECORD_MAP,
                                       .space = space,
                                       .va = va,
                                       .size_B = size_B,
                                       .access = access,
                                       .memory = memory ? memory->id : 0,
                                       .offset_B = offset_B});
}

void
sim_recorder_unmap(struct sim_recorder *recorder, uint64_t space, struct sim_va va, uint64_t size_B)
{
   print(recorder, (struct sim_record){.kind = SIM_RECORD_UNMAP, .space = space, .va = va, .size_B = size_B});
}

static void
write_change(void *data, uint64_t offset_B, const uint32_t *words, uint64_t count)
{
   const struct sim_recorded *memory = data;
   for (uint64_t i = 0, size; i < count; i += size) {
      size = MIN2(count - i, MAX_BLOCK);
      print(memory->recorder, (struct sim_record){.kind = SIM_RECORD_WRITE,
                                                  .memory = memory->id,
                                                  .offset_B = offset_B + i * 4,
                                                  .words = {(void *)(words + i), size * 4, size * 4}});
   }
}

/* With the lock of the list. NULL: it lies in none. */
static struct sim_recorded *
memory_at(struct sim_recorder *recorder, const char *place)
{
   list_for_each(struct sim_recorded, it, &recorder->memories, link)
      if (place >= it->host && place < it->host + it->size_B)
         return it;
   return NULL;
}

static void
mark_write(void *data, void *host, uint64_t size_B)
{
   struct sim_recorder *recorder = data;
   const char *place = host;
   pthread_mutex_lock(&recorder->lock);
   struct sim_recorded *memory = recorder->written;
   if (!memory || place < memory->host || place >= memory->host + memory->size_B) {
      memory = memory_at(recorder, place);
      recorder->written = memory;
   }
   if (memory)
      sim_snapshot_mark(memory->snapshot, (uint64_t)(place - memory->host), size_B);
   pthread_mutex_unlock(&recorder->lock);
}

void
sim_recorder_update(struct sim_recorder *recorder)
{
   list_for_each(struct sim_recorded, memory, &recorder->memories, link)
      sim_snapshot_update(memory->snapshot, GAP, write_change, memory);
}

void
sim_recorder_waited(struct sim_recorder *recorder, const void *host, bool waited)
{
   pthread_mutex_lock(&recorder->lock);
   const struct sim_recorded *memory = memory_at(recorder, host);
   const uint64_t offset_B = memory ? (uint64_t)((const char *)host - memory->host) : 0;
   const bool own = memory && sim_snapshot_is_marked(memory->snapshot, offset_B);
   if (memory && (waited || (!own && sim_snapshot_differs(memory->snapshot, offset_B)))) {
      uint32_t word = *(const uint32_t *)host;
      if (own) { /* written by both */
         write_change((void *)memory, offset_B, &word, 1);
         sim_snapshot_forget(memory->snapshot, offset_B, sizeof(word));
      }
      list_for_each(struct sim_recorded, it, &recorder->memories, link)
         sim_snapshot_update_others(it->snapshot, write_change, it);
      print(recorder, (struct sim_record){.kind = SIM_RECORD_WAITED});
   }
   pthread_mutex_unlock(&recorder->lock);
}

void
sim_recorder_begin(struct sim_recorder *recorder, struct sim_vm *vm)
{
   sim_vm_watch(vm, mark_write, recorder);
   sim_recorder_update(recorder);
}

static void
hash_change(void *data, uint64_t offset_B, const uint32_t *words, uint64_t count)
{
   struct sim_recorded *memory = data;
   memory->hash = sim_record_hash(memory->hash, memory->id, offset_B, words, count);
}

void
sim_recorder_end(struct sim_recorder *recorder, struct sim_vm *vm, const struct sim_fault *fault)
{
   sim_vm_watch(vm, NULL, NULL);
   uint64_t hash = 0;
   list_for_each(struct sim_recorded, memory, &recorder->memories, link) {
      memory->hash = hash;
      sim_snapshot_update_marked(memory->snapshot, hash_change, memory);
      hash = memory->hash;
   }
   print(recorder, fault ? (struct sim_record){.kind = SIM_RECORD_FAULT, .text = (char *)fault->message}
                         : (struct sim_record){.kind = SIM_RECORD_WROTE, .hash = hash});
   fflush(recorder->out); /* whatever the program's end is, and so that the child of a fork writes nothing again */
}
