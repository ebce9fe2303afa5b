/* Memory as it was when it was last looked at, to find what has changed since. */
#ifndef INDIUM_SIM_SNAPSHOT_H
#define INDIUM_SIM_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

struct sim_snapshot;

/* Instead of a memory file's descriptor. */
enum {
   SIM_SNAPSHOT_FOREIGN = -1, /* memory of somebody else, who may have unmapped it */
   SIM_SNAPSHOT_MAPPED = -2,  /* memory that stays, of a device, maybe, which the kernel copies nothing from */
};

/* Of zeros. size_B: whole pages of 4096 bytes. fd: the memory file at host, whose holes are zero and are not touched,
 * or one of those above. NULL: out of memory. */
struct sim_snapshot *sim_snapshot_create(const void *host, uint64_t size_B, int fd);
void sim_snapshot_destroy(struct sim_snapshot *snapshot);

/* A run of words that differ; the words are those of now. */
typedef void (*sim_change)(void *data, uint64_t offset_B, const uint32_t *words, uint64_t count);

/* Somebody writes there: sim_snapshot_update_marked() looks at these words. */
void sim_snapshot_mark(struct sim_snapshot *snapshot, uint64_t offset_B, uint64_t size_B);

/* Looks at the memory again. Calls change (NULL: nobody) for each run, rising; runs with up to `gap` equal words
 * between them are told as one. */
void sim_snapshot_update(struct sim_snapshot *snapshot, uint64_t gap, sim_change change, void *data);

/* The same of the words that are not marked, without gaps. */
void sim_snapshot_update_others(struct sim_snapshot *snapshot, sim_change change, void *data);
bool sim_snapshot_is_marked(const struct sim_snapshot *snapshot, uint64_t offset_B);
/* Whether the word is another than when it was last looked at. */
bool sim_snapshot_differs(const struct sim_snapshot *snapshot, uint64_t offset_B);
/* No word there counts as changed, and none is marked. */
void sim_snapshot_forget(struct sim_snapshot *snapshot, uint64_t offset_B, uint64_t size_B);

/* The same of the words that were marked, which are so no more. The others stay as they were last seen. */
void sim_snapshot_update_marked(struct sim_snapshot *snapshot, sim_change change, void *data);

#endif
