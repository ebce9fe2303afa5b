/* Caches of the shader cores: lines that stay as they were read, whatever others write, until somebody invalidates.
 *
 *      L0 of a compute unit (vector)   scalar cache of a WGP   instruction cache (wave_programs.c)
 *                 \                     /
 *              L1 of a shader array  ->  L2 = the model's memory
 *
 * Lines hold no data while they agree with memory: a page of addresses remembers which caches have read which of its
 * lines. Only when something else writes such a line, the old bytes are kept as a version, with the set of caches
 * that still hold it. Who shares what, and what the bits of instructions and packets do: docs/caches.md.
 *
 * Host threads: loads of the parallel phase only add lines to caches, and find what the start of the round had; all
 * else (writes, invalidates, lines that a load evicts) happens in the serial phase: results depend on no thread. */
#ifndef INDIUM_AMD_SIM_CACHE_H
#define INDIUM_AMD_SIM_CACHE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "amd/sim/base/stage.h"
#include "sim/vm/vm.h"

struct amd_chip;
struct amd_caches;
struct amd_order;
struct amd_meta_lines;

enum {
   AMD_CACHE_LINE_LOG2 = 7,
   AMD_CACHE_LINE_B = 1 << AMD_CACHE_LINE_LOG2,
   AMD_CACHE_PAGE_LOG2 = 12,
   AMD_CACHE_MAX = 256, /* caches of a chip */
   AMD_CACHE_MEMO = 128,
   AMD_CACHE_DROPS = 64,
};

/* Sets of caches. */
enum amd_cache_level {
   AMD_CACHE_L0 = 1,
   AMD_CACHE_SCALAR = 2,
   AMD_CACHE_L1 = 4,
   AMD_CACHE_CODE = 8,
   AMD_CACHE_ALL = 15,
};

/* How a load goes; a set of bits. */
enum amd_cache_path {
   AMD_PATH_SCALAR = 1, /* through the scalar cache, not L0 */
   AMD_PATH_GLC = 2,    /* misses L0 or the scalar cache and evicts the line there */
   AMD_PATH_DLC = 4,    /* the same for L1 */
};

/* The lines of 4 KiB of addresses. All but the atomics is constant in the parallel phase. */
struct amd_cache_page {
   uint64_t va;
   struct cache_region *region;
   uint64_t last_read;                   /* clock of the newest line that came into a cache */
   uint32_t lines_read;                  /* lines that some cache may hold */
   uint32_t stale_lines;                 /* lines that have versions */
   struct amd_cache_versions *versions;  /* NULL: no line has ever had one */
   uint64_t readers[AMD_CACHE_MAX / 64]; /* set of caches that have had lines of it */
   _Atomic uint64_t noted;               /* some cache may hold more: reads of that serial are not merged yet */
   _Atomic uint32_t written;             /* lines whose last write may be under way (order.h) */
   /* Of these lines' last writes (order.h): the kinds (enum amd_writer) that there have been since one of them wrote
    * the whole page; the lines that none has written since, and that one's tag; others. */
   uint32_t writers, whole_lines;
   uint64_t whole_tag;
   struct amd_order_writes *writes;       /* NULL: there are no others */
   _Atomic(struct amd_meta_lines *) meta; /* NULL: metadata's caches have none (meta_cache.h) */
   _Atomic(struct amd_cache_lines *) in;  /* by cache; NULL: no wave has loaded or stored there */
};

/* A wave's way to memory. Zero: loads read memory. */
struct amd_cache_port {
   struct amd_caches *caches;
   uint16_t l0, scalar, l1;
   const struct amd_order *order; /* of the ring */
   uint64_t tag;                  /* of the wave's own writes (order.h) */
   struct {
      uint64_t tag; /* not 0: a load found this write under way */
      struct sim_va va;
      bool stale_meta; /* or it is over, and a cache of metadata does not know of it */
   } hazard;
   uint8_t invalidated; /* levels that the wave invalidated in this round */
   uint8_t drop_count;
   struct amd_cache_memo {
      uint64_t page; /* number + 1 */
      struct amd_cache_page *lines;
      uint64_t known_in; /* while this is the port's, */
      /* by AMD_PATH_SCALAR: lines of which the wave has read what memory has, and where that is noted. */
      uint32_t known[2];
      uint8_t dlc[2]; /* AMD_PATH_DLC of those loads: others change L1 */
      struct cache_read *read[2];
   } memo[AMD_CACHE_MEMO]; /* the pages last from wave to wave: */
   uint64_t memo_serial;   /* of those that are meant */
   uint64_t known_in;      /* another one for each wave, and when reads have been merged: */
   uint64_t known_since;   /* while this is *since */
   const uint64_t *since;
   struct {
      uint64_t line_va;
      uint8_t level;
   } drops[AMD_CACHE_DROPS]; /* lines that its loads evicted in this round */
   uint8_t copy[128];
};

/* A draw or dispatch: its place in the order (order.h), and where its waves are. */
struct amd_cache_packet {
   uint64_t number;
   uint32_t turn;
   uint8_t ring;
   bool ordered;
   bool crowded; /* its waves share two compute units */
};

/* Whether a chip has no more caches than a set holds. */
bool amd_caches_fit(const struct amd_chip *chip);

/* Of a chip whose caches fit; NULL: out of memory. */
struct amd_caches *amd_caches_create(const struct amd_chip *chip);
void amd_caches_destroy(struct amd_caches *caches);

/* Without fast paths from now on, for comparison: each load looks into the caches. */
void amd_caches_set_reference(struct amd_caches *caches, bool reference);

/* Around the buffers of a job. What the host writes between jobs becomes visible by an invalidate only. */
void amd_caches_job_start(struct amd_caches *caches, const struct sim_vm *vm);
void amd_caches_job_end(struct amd_caches *caches);

/* The waves from now on, of a draw or dispatch, are on other compute units than those before. */
void amd_caches_launch(struct amd_caches *caches);
/* The one that runs. */
struct amd_cache_packet amd_caches_packet(const struct amd_caches *caches);
/* Whether the next launch takes lines from the caches for want of memory: no wave may continue then. */
bool amd_caches_are_full(const struct amd_caches *caches);

/* Between rounds of a launch that a draw has several of: what the last one read is in the caches. */
void amd_caches_settle(struct amd_caches *caches);

/* Whole levels (bits of enum amd_cache_level), on all units. Not while waves run. */
void amd_caches_invalidate(struct amd_caches *caches, unsigned levels);

/* Counts invalidates of the instruction caches. */
uint64_t amd_caches_code_epoch(const struct amd_caches *caches);

/* Must precede every write to memory, serial phase: by anything but a wave; by a wave (data: NULL if its L0 loses the
 * lines). The latter returns 0, or the tag of a write under way that the store meets (order.h), at *hazard. */
void amd_caches_write(struct amd_caches *caches, struct sim_va va, uint64_t size_B);
uint64_t amd_cache_store(struct amd_cache_port *port, struct sim_va va, uint64_t size_B, const void *data,
                         struct sim_va *hazard);

/* More stores of the port's wave like the one before, in the same line. False, and nothing done: they are to be
 * stored one by one. */
bool amd_cache_store_more(struct amd_cache_port *port, const struct sim_vm_pieces *pieces, bool evicts);

/* The unit of a wave: groups go round the WGPs, or share two of them (packet->crowded); in WGP mode the waves of a
 * group are on both of its compute units. caches may be NULL. */
void amd_cache_port_open(struct amd_cache_port *port, struct amd_caches *caches,
                         const struct amd_cache_packet *packet, enum amd_stage stage, uint32_t group, uint32_t wave,
                         bool wgp_mode); /* size: which wave, by its numbers */
/* The wave invalidates levels (of its own unit); its own loads see it at once, others in the next round. */
void amd_cache_port_invalidate(struct amd_cache_port *port, unsigned levels);
/* Whether the round changes more than what caches hold of what the wave has read. */
static inline bool
amd_cache_port_changes(const struct amd_cache_port *port)
{
   return port->invalidated | port->drop_count;
}
/* Serial phase, before the wave's stores land. */
void amd_cache_port_commit(struct amd_cache_port *port);

const uint8_t *amd_cache_read_slow(struct amd_cache_port *port, unsigned path, struct sim_va va, const uint8_t *host,
                                   unsigned size_B);

/* Whether the wave has read these lines of a page before: then its loads of them find what memory has, and change
 * nothing. */
static inline bool
amd_cache_knows(const struct amd_cache_port *port, unsigned path, uint64_t page_number, uint32_t lines)
{
   const struct amd_cache_memo *memo = &port->memo[page_number % AMD_CACHE_MEMO];
   return memo->page == page_number + 1 && memo->known_in == port->known_in && port->known_since == *port->since &&
          !(path & AMD_PATH_GLC) && (path & AMD_PATH_DLC) == memo->dlc[path & AMD_PATH_SCALAR] &&
          !(lines & ~memo->known[path & AMD_PATH_SCALAR]);
}

/* Loads of some lines of a page, of which it does not know all. *old: those where they find what amd_cache_old_line()
 * says; else they find what memory has. False, and nothing done: each has to be looked at by itself. */
bool amd_cache_read_lines(struct amd_cache_port *port, unsigned path, uint64_t page_number, uint32_t lines,
                          uint32_t *old);
/* What caches on the path hold of the line and memory does not any more, until the serial phase. NULL: nothing. */
const uint8_t *amd_cache_old_line(struct amd_cache_port *port, unsigned path, struct sim_va line);

/* Lines of a load of at most 128 bytes; 0 if it lies in two pages. */
static inline uint32_t
amd_cache_lines_of(struct sim_va va, unsigned size_B)
{
   unsigned first = va.va >> AMD_CACHE_LINE_LOG2 & 31;
   unsigned last = (unsigned)((va.va + size_B - 1) >> AMD_CACHE_LINE_LOG2 & 31);
   return last < first ? 0 : (2u << last) - (1u << first);
}

/* What a load of at most 128 bytes at va finds, host being the memory there: host, or a copy that lives until the
 * next call. path: bits of enum amd_cache_path. */
static inline const uint8_t *
amd_cache_read(struct amd_cache_port *port, unsigned path, struct sim_va va, const uint8_t *host, unsigned size_B)
{
   if (!port->caches)
      return host;
   uint32_t lines = amd_cache_lines_of(va, size_B);
   if (lines && amd_cache_knows(port, path, va.va >> AMD_CACHE_PAGE_LOG2, lines))
      return host;
   return amd_cache_read_slow(port, path, va, host, size_B);
}

const uint8_t *amd_cache_read_line_slow(struct amd_cache_port *port, unsigned path, struct sim_va line,
                                        const uint8_t *host);

/* What a load finds that lies in one line, host being the memory of it: host, or what the line has held until then,
 * which stays until the serial phase. NULL, and nothing done: a write may be under way there, and it depends on the
 * bytes whether the load is a hazard. */
static inline const uint8_t *
amd_cache_read_line(struct amd_cache_port *port, unsigned path, struct sim_va line, const uint8_t *host)
{
   const uint32_t bit = 1u << (line.va >> AMD_CACHE_LINE_LOG2 & 31);
   if (!port->caches || amd_cache_knows(port, path, line.va >> AMD_CACHE_PAGE_LOG2, bit))
      return host;
   return amd_cache_read_line_slow(port, path, line, host);
}

#endif
