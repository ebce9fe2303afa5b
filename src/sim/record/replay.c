#include "sim/record/replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/record/record_text.h"
#include "sim/record/snapshot.h"
#include "util/within_memory.h"

struct memory {
   struct sim_player *player;
   uint64_t id, size_B;
   int fd;
   char *host;
   struct sim_snapshot *snapshot;
};

struct space {
   uint64_t id;
   struct sim_vm *vm;
};

struct sim_player {
   const struct sim_replay *replay;
   struct sim_record_error *error;
   struct dynarray memories;        /* struct memory *, rising ids, as the hash takes them */
   struct dynarray freed;           /* struct memory * */
   struct dynarray spaces;          /* struct space */
   const struct sim_record *submit; /* the last one */
   const struct sim_record *next;   /* to be played */
   bool runs;                       /* within submit */
   uint64_t hash;
   struct sim_fault fault; /* its fault */
   bool differs;
};

typedef struct memory *memory_pointer;

static void
destroy_memory(struct memory *memory)
{
   if (memory->snapshot)
      sim_snapshot_destroy(memory->snapshot);
   if (memory->host != MAP_FAILED)
      munmap(memory->host, memory->size_B);
   if (memory->fd >= 0)
      close(memory->fd);
   free(memory);
}

/* Index of the memory, or where it would stand. */
static size_t
memory_index(const struct sim_player *player, uint64_t id)
{
   size_t index = 0;
   while (index < dynarray_count(&player->memories, memory_pointer) &&
          (*dynarray_at(&player->memories, memory_pointer, index))->id < id)
      index++;
   return index;
}

bool
sim_player_locate(const struct sim_player *player, const void *host, uint64_t *memory, uint64_t *offset_B)
{
   dynarray_for_each(memory_pointer, it, &player->memories) {
      if ((const char *)host < (*it)->host || (const char *)host >= (*it)->host + (*it)->size_B)
         continue;
      *memory = (*it)->id;
      *offset_B = (uint64_t)((const char *)host - (*it)->host);
      return true;
   }
   return false;
}

static struct memory *
find_memory(const struct sim_player *player, uint64_t id)
{
   return *dynarray_at(&player->memories, memory_pointer, memory_index(player, id));
}

static bool
add_memory(struct sim_player *player, const struct sim_record *record)
{
   struct memory *memory = need_calloc("a recorded memory", 1, sizeof(*memory));
   *memory =
      (struct memory){player, record->memory, record->size_B, memfd_create("memory", MFD_CLOEXEC), MAP_FAILED, NULL};
   if (memory->fd >= 0 && !ftruncate(memory->fd, (off_t)memory->size_B))
      memory->host = mmap(NULL, memory->size_B, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory->fd, 0);
   if (memory->host != MAP_FAILED)
      memory->snapshot = sim_snapshot_create(memory->host, memory->size_B, memory->fd);
   if (!memory->snapshot) {
      destroy_memory(memory);
      return sim_record_fail(player->error, record->line, "no memory for 0x%" PRIx64 " bytes", record->size_B);
   }
   size_t index = memory_index(player, memory->id), count = dynarray_count(&player->memories, memory_pointer);
   dynarray_append(&player->memories, memory_pointer, memory);
   memory_pointer *place = dynarray_at(&player->memories, memory_pointer, index);
   memmove(place + 1, place, (count - index) * sizeof(*place));
   *place = memory;
   return true;
}

static struct sim_vm *
find_space(struct sim_player *player, uint64_t id)
{
   dynarray_for_each(struct space, it, &player->spaces)
      if (it->id == id)
         return it->vm;
   struct space space = {id, sim_vm_create()};
   dynarray_append(&player->spaces, struct space, space);
   return space.vm;
}

/* Its pages go; the place stays, should it be mapped still. */
static bool
free_memory(struct sim_player *player, const struct sim_record *record)
{
   size_t index = memory_index(player, record->memory), count = dynarray_count(&player->memories, memory_pointer);
   memory_pointer *place = dynarray_at(&player->memories, memory_pointer, index), memory = *place;
   memmove(place, place + 1, (count - index - 1) * sizeof(*place));
   player->memories.size_B -= sizeof(*place);
   madvise(memory->host, memory->size_B, MADV_REMOVE);
   sim_snapshot_destroy(memory->snapshot);
   close(memory->fd);
   memory->snapshot = NULL;
   memory->fd = -1;
   dynarray_append(&player->freed, memory_pointer, memory);
   return true;
}

static bool
map(struct sim_player *player, const struct sim_record *record)
{
   char *host = record->memory ? find_memory(player, record->memory)->host + record->offset_B : NULL;
   return sim_vm_map(find_space(player, record->space), record->va, record->size_B, host, record->access) ||
          sim_record_fail(player->error, record->line, "something is mapped there already");
}

static bool
unmap(struct sim_player *player, const struct sim_record *record)
{
   return sim_vm_unmap(find_space(player, record->space), record->va, record->size_B) ||
          sim_record_fail(player->error, record->line, "out of memory");
}

static bool
write_words(struct sim_player *player, const struct sim_record *record)
{
   struct memory *memory = find_memory(player, record->memory);
   if (record->words.size_B)
      memcpy(memory->host + record->offset_B, record->words.data, record->words.size_B);
   if (player->runs)
      sim_snapshot_forget(memory->snapshot, record->offset_B, record->words.size_B);
   return true;
}

/* Starts a line about a submission that is not as it was. */
static void
differs(struct sim_player *player, const struct sim_record *record)
{
   player->differs = true;
   fprintf(stderr, "indium: %s:%u: ", player->replay->path, record->line);
}

static bool
expect(struct sim_player *player, const struct sim_record *record)
{
   const uint32_t *words = (const uint32_t *)(find_memory(player, record->memory)->host + record->offset_B);
   for (size_t i = 0; player->replay->compares && i < dynarray_count(&record->words, uint32_t); i++) {
      uint32_t expected = *dynarray_at(&record->words, uint32_t, i);
      if (words[i] == expected)
         continue;
      differs(player, record);
      fprintf(stderr, "memory %" PRIu64 " has %08x at 0x%" PRIx64 ", not %08x\n", record->memory, words[i],
              record->offset_B + i * 4, expected);
      return true;
   }
   return true;
}

static bool
compare_hash(struct sim_player *player, const struct sim_record *record)
{
   if (player->replay->compares && record->hash != player->hash) {
      differs(player, record);
      fprintf(stderr, "the submission at line %u wrote %016" PRIx64 ", not %016" PRIx64 "\n", player->submit->line,
              player->hash, record->hash);
   }
   return true;
}

static bool
compare_fault(struct sim_player *player, const struct sim_record *record)
{
   bool same = player->fault.kind && strstr(player->fault.message, record->text);
   if (same || !player->replay->compares)
      return true;
   differs(player, record);
   fprintf(stderr, "the submission at line %u ends %s%s, not in: %s\n", player->submit->line,
           player->fault.kind ? "in the fault: " : "without a fault", player->fault.message, record->text);
   return true;
}

static void
take_change(void *data, uint64_t offset_B, const uint32_t *words, uint64_t count)
{
   const struct memory *memory = data;
   struct sim_player *player = memory->player;
   player->hash = sim_record_hash(player->hash, memory->id, offset_B, words, count);
   if (player->replay->shows)
      sim_record_print(stdout, &(struct sim_record){.kind = SIM_RECORD_EXPECT,
                                                    .memory = memory->id,
                                                    .offset_B = offset_B,
                                                    .words = {(void *)words, count * 4, count * 4}});
}

static void
update(struct sim_player *player, sim_change change)
{
   dynarray_for_each(memory_pointer, it, &player->memories)
      sim_snapshot_update((*it)->snapshot, 0, change, *it);
}

static bool
submit(struct sim_player *player, const struct sim_record *record)
{
   const struct sim_replay *replay = player->replay;
   player->submit = record;
   player->fault = (struct sim_fault){0};
   player->hash = 0;
   if (!replay->only_walks)
      update(player, NULL);
   struct sim_vm *vm = find_space(player, record->space);
   player->runs = true;
   bool ok = replay->submit(replay->data, player, vm, record, &player->fault, player->error);
   player->runs = false;
   if (!ok)
      return false;
   if (replay->only_walks)
      return true;
   printf("# submission at line %u\n", record->line);
   update(player, take_change);
   if (player->fault.kind)
      printf("fault %s\n", player->fault.message);
   else
      printf("wrote %016" PRIx64 "\n", player->hash);
   return true;
}

/* Where it stands, the wait has been. */
static bool
pass_wait(struct sim_player *player, const struct sim_record *record)
{
   return true;
}

static bool (*const players[])(struct sim_player *player, const struct sim_record *record) = {
   [SIM_RECORD_MEMORY] = add_memory, [SIM_RECORD_FREE] = free_memory,   [SIM_RECORD_MAP] = map,
   [SIM_RECORD_UNMAP] = unmap,       [SIM_RECORD_WRITE] = write_words,  [SIM_RECORD_EXPECT] = expect,
   [SIM_RECORD_SUBMIT] = submit,     [SIM_RECORD_WROTE] = compare_hash, [SIM_RECORD_FAULT] = compare_fault,
   [SIM_RECORD_WAITED] = pass_wait};

static const struct sim_record *
end_of(const struct sim_player *player)
{
   const struct dynarray *records = &player->replay->recording->records;
   return dynarray_begin(records, const struct sim_record) + dynarray_count(records, struct sim_record);
}

/* The next line of the submission that says so, or NULL. */
static const struct sim_record *
find_next(const struct sim_player *player, enum sim_record_kind kind)
{
   const struct sim_record *it = player->next, *end = end_of(player);
   while (it < end && it->kind != kind && it->kind != SIM_RECORD_SUBMIT && it->kind != SIM_RECORD_WROTE &&
          it->kind != SIM_RECORD_FAULT)
      it++;
   return it < end && it->kind == kind ? it : NULL;
}

bool
sim_player_wait(struct sim_player *player)
{
   const struct sim_record *end = find_next(player, SIM_RECORD_WAITED);
   while (end && player->next <= end) {
      const struct sim_record *record = player->next++;
      if (!players[record->kind](player, record))
         return false;
   }
   return true;
}

/* A fault that the recording does not know ends the replay, as it ends a context. */
static bool
is_new_fault(struct sim_player *player, const struct sim_record *record)
{
   if (record->kind != SIM_RECORD_SUBMIT || !player->fault.kind || find_next(player, SIM_RECORD_FAULT))
      return false;
   differs(player, record);
   fprintf(stderr, "GPU fault: %s\n", player->fault.message);
   return true;
}

enum sim_replay_end
sim_replay_run(const struct sim_replay *replay, struct sim_record_error *error)
{
   struct sim_player player = {.replay = replay, .error = error};
   bool ok = true;
   player.next = replay->recording->records.data;
   while (ok && player.next < end_of(&player)) {
      const struct sim_record *record = player.next++;
      ok = players[record->kind](&player, record);
      if (ok && is_new_fault(&player, record))
         break;
   }
   dynarray_for_each(struct space, space, &player.spaces)
      sim_vm_destroy(space->vm);
   dynarray_for_each(memory_pointer, it, &player.memories)
      destroy_memory(*it);
   dynarray_for_each(memory_pointer, it, &player.freed)
      destroy_memory(*it);
   dynarray_free(&player.spaces);
   dynarray_free(&player.memories);
   dynarray_free(&player.freed);
   return !ok ? SIM_REPLAY_BAD : player.differs ? SIM_REPLAY_OTHER : SIM_REPLAY_SAME;
}
