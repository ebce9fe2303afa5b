/* Pages that are written while somebody watches, as they were before: runs of draws that are tried and taken back.
 *
 * Each page has three contents: as it was first seen, as the run that others are compared with has left it, and as it
 * is. */
#ifndef INDIUM_AMD_SIM_UNDO_H
#define INDIUM_AMD_SIM_UNDO_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/dynarray.h"

enum { AMD_UNDO_PAGE_B = 4096 };

typedef uint8_t *amd_undo_page; /* of the host, where one starts */

struct amd_undo {
   pthread_mutex_t lock;
   struct dynarray pages;         /* amd_undo_page */
   struct dynarray first, golden; /* AMD_UNDO_PAGE_B each; golden: only of the first pages, the others had `first` */
   uint32_t *slots;               /* hash table of the pages' numbers + 1; 0: free */
   uint32_t slot_count;
   const uint8_t *last; /* page that was seen last */
};

void amd_undo_init(struct amd_undo *undo);
void amd_undo_free(struct amd_undo *undo);
void amd_undo_forget(struct amd_undo *undo);

/* A sim_vm_watcher; data: struct amd_undo. */
void amd_undo_watch(void *data, void *host, uint64_t size_B);

/* What is there now becomes what others are compared with. */
void amd_undo_keep(struct amd_undo *undo);
/* All is as it was first. */
void amd_undo_restore(const struct amd_undo *undo);

/* Calls differs() for each run of up to 64 bytes, by its start, that is not as kept, until that returns false.
 * Whether there was none. */
bool amd_undo_compare(const struct amd_undo *undo, bool (*differs)(void *data, const uint8_t *host), void *data);

#endif
