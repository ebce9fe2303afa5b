/* GPU page tables of one process (one VMID): ranges of 4 KiB pages of GPU addresses backed by host memory.
 *
 * Reads and writes may run on any number of threads; map and unmap take the lock for writing. */
#ifndef INDIUM_SIM_VM_H
#define INDIUM_SIM_VM_H

#include "sim/vm/fault.h"

enum sim_access {
   SIM_READ = 1,
   SIM_WRITE = 2,
   SIM_EXECUTE = 4,
   SIM_PRT = 8, /* reads of pages without memory give 0, writes are dropped */
};

struct sim_vm;

struct sim_vm *sim_vm_create(void);
void sim_vm_destroy(struct sim_vm *vm);

/* A number that no other address space of the process has or had; never 0. */
uint64_t sim_vm_serial(const struct sim_vm *vm);

/* Maps [va, va + size_B) to host memory (NULL only with SIM_PRT). va and size_B are multiples of 4096. False and no
 * change if a page of the range is mapped already, the range is not canonical or there is no memory for page tables.
 * `host` stays owned by the caller. */
bool sim_vm_map(struct sim_vm *vm, struct sim_va va, uint64_t size_B, void *host, unsigned access);

/* As sim_vm_map() of memory of repeat_B bytes (a power of two, 4096 or more), which [va, va + size_B) shows again and
 * again; va and size_B are multiples of repeat_B, too. */
bool sim_vm_map_repeated(struct sim_vm *vm, struct sim_va va, uint64_t size_B, void *host, uint64_t repeat_B,
                         unsigned access);

/* Drops every page mapped in the range, splitting larger mappings. False if there was no memory to split with: some
 * pages are still mapped. */
bool sim_vm_unmap(struct sim_vm *vm, struct sim_va va, uint64_t size_B);

/* The host memory behind va, contiguous for *run_B bytes (as far as the mapping goes), or NULL if the page is not
 * mapped or lacks an access right of `access`. *prt (may be NULL) tells a PRT hole: NULL is returned, no fault. */
void *sim_vm_lookup(const struct sim_vm *vm, struct sim_va va, unsigned access, uint64_t *run_B, bool *prt);

/* Copies; across mappings too. False on an address fault at *bad (first failing address), with nothing guaranteed of
 * the destination. PRT holes read zero and swallow writes. */
bool sim_vm_read(const struct sim_vm *vm, struct sim_va va, void *data, uint64_t size_B, struct sim_va *bad);
bool sim_vm_write(const struct sim_vm *vm, struct sim_va va, const void *data, uint64_t size_B, struct sim_va *bad);

/* Bytes that lie apart: `count` pieces of piece_B, from va on each step_B after the last; data has them side by side.
 */
struct sim_vm_pieces {
   struct sim_va va;
   uint32_t count, piece_B, step_B;
   const uint8_t *data;
};

static inline uint64_t
sim_vm_pieces_end(const struct sim_vm_pieces *pieces)
{
   return pieces->va.va + UINT64_C(1) * pieces->step_B * (pieces->count - 1) + pieces->piece_B;
}

/* Writes them. False, and nothing done: they are not all in one mapping that may be written. */
bool sim_vm_write_pieces(const struct sim_vm *vm, const struct sim_vm_pieces *pieces);

/* Calls watcher for the host memory of each sim_vm_write() that follows, before it writes, on its thread; NULL: no
 * more. */
typedef void (*sim_vm_watcher)(void *data, void *host, uint64_t size_B);
void sim_vm_watch(struct sim_vm *vm, sim_vm_watcher watcher, void *data);

/* For who is about to write where sim_vm_lookup() points: tells the watcher of a range, as far as it is mapped. */
void sim_vm_tell_write(const struct sim_vm *vm, struct sim_va va, uint64_t size_B);

#endif
