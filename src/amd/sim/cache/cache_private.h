/* State of the caches. Internal to cache*.c. */
#ifndef INDIUM_AMD_SIM_CACHE_PRIVATE_H
#define INDIUM_AMD_SIM_CACHE_PRIVATE_H

#include "amd/sim/base/gpu.h"
#include "amd/sim/cache/meta_cache.h"
#include "amd/sim/cache/order.h"
#include "util/dynarray.h"

enum {
   CACHE_LINE_B = AMD_CACHE_LINE_B,
   CACHE_PAGE_B = 1 << AMD_CACHE_PAGE_LOG2,
   CACHE_REGION_LOG2 = 21,
   CACHE_REGION_B = 1 << CACHE_REGION_LOG2,
   CACHE_REGION_PAGES = 1 << (CACHE_REGION_LOG2 - AMD_CACHE_PAGE_LOG2),
   CACHE_BUCKETS = 1024,
   CACHE_MAX = AMD_CACHE_MAX,
   CACHE_FILLS = 1 << 16, /* of a round that are listed; beyond it all pages are searched */
   CACHE_READ_BLOCKS = 1024,
   /* Capacity of all caches together: 256 MiB of pages; beyond it every cache loses every line. */
   CACHE_MAX_PAGES = 1 << 16,
};

/* A set of caches. */
struct cache_set {
   uint64_t bits[CACHE_MAX / 64];
};

/* What a line held before it was written, and who still holds that. */
struct amd_cache_version {
   struct amd_cache_version *next; /* of the same line */
   uint32_t line;
   struct cache_set holders;
   uint8_t data[CACHE_LINE_B];
};

/* The lines of a page that a cache has. */
struct amd_cache_lines {
   uint64_t epoch;            /* of the cache, when its lines came */
   uint32_t present;          /* lines */
   _Atomic uint32_t incoming; /* lines read in this round */
};

/* Those of a page. */
struct amd_cache_versions {
   struct amd_cache_version *of_line[CACHE_PAGE_B / CACHE_LINE_B];
   uint32_t number; /* of the page in stale */
};

/* 2 MiB of addresses. */
struct cache_region {
   struct cache_region *next;
   uint64_t number;
   uint64_t last_read; /* of its pages, the newest */
   _Atomic(struct amd_cache_page *) pages[CACHE_REGION_PAGES];
};

/* The line that the last store of a wave was in, while nothing else has happened to it: another one of the same unit
 * and packet there changes bytes alone. */
struct cache_stored {
   uint64_t line; /* number + 1; 0: none */
   uint64_t tag;
   uint16_t l0, l1;
   bool evicts;
   struct amd_cache_page *page;
   struct amd_cache_version *held; /* by its L0, of that alone; NULL: none */
};

struct cache_wgp {
   uint16_t l0[2], scalar, l1;
};

/* A cache that reads lines of a page for the first time in a round. */
struct cache_fill {
   struct amd_cache_page *page;
   uint32_t cache;
};

/* Lines of a page, as memory has them, that a wave reads through an L0 or a scalar cache. */
struct cache_read {
   struct amd_cache_page *page;
   uint32_t lines;
   uint16_t cache, l1; /* l1: that it passes, or CACHE_MAX */
};

/* A page with live lines at the end of a job, and its memory then. */
struct cache_carried {
   struct amd_cache_page *page;
   uint8_t data[CACHE_PAGE_B];
};

/* The last writes of a page's lines, but for those of the whole page. */
struct amd_order_writes {
   uint64_t tag[CACHE_PAGE_B / CACHE_LINE_B];
   uint64_t bytes[CACHE_PAGE_B / CACHE_LINE_B][2]; /* that the tag's writes touched */
};

struct order_packet {
   const char *name;
   struct sim_va va;
};

/* An end-of-pipe write, and what is done once it is seen. */
struct order_release {
   uint64_t va;
   uint32_t next; /* of the bucket: index + 1 in releases, 0: none */
   uint64_t done[AMD_WRITER_COUNT];
};

enum { ORDER_PACKETS = 1024, ORDER_BUCKETS = 1024 };

/* Draws, dispatches and copies of a ring, by number. */
struct amd_order {
   uint64_t number;                                             /* of the newest */
   uint64_t done[AMD_WRITER_COUNT], pfp_done[AMD_WRITER_COUNT]; /* newest that ME, PFP waited for */
   uint64_t flushed[AMD_WRITER_COUNT];
   uint64_t overlap_from;           /* draws from here on let others begin during their pixel waves */
   struct dynarray releases;        /* struct order_release */
   uint32_t buckets[ORDER_BUCKETS]; /* of releases, by address */
   struct order_packet packets[ORDER_PACKETS];
};

struct amd_caches {
   struct amd_order orders[AMD_RING_SLOTS];
   uint8_t current_ring;
   bool current_ordered;
   bool reference; /* no fast paths */
   const struct sim_vm *vm;
   uint64_t vm_serial;
   struct cache_stored stored;
   struct cache_wgp *wgps;
   unsigned wgp_count, count;  /* caches */
   uint8_t level[CACHE_MAX];   /* enum amd_cache_level */
   uint16_t parent[CACHE_MAX]; /* the cache's L1; of an L1 itself */
   uint64_t epoch[CACHE_MAX], oldest_epoch, clock, code_epoch, launches;
   struct cache_set held; /* that may hold versions */
   _Atomic(struct cache_region *) regions[CACHE_BUCKETS];
   uint64_t page_serial; /* another one when pages go away; no other caches have the same */
   _Atomic uint32_t page_count, fill_count;
   struct cache_fill *fills;
   struct cache_reads *reads[CACHE_READ_BLOCKS]; /* by threads, the first reads_used of them */
   _Atomic uint32_t reads_used;
   _Atomic bool reads_pass_l1;                  /* some do */
   uint64_t reads_serial;                       /* another one when they have been merged; no other caches have it */
   _Atomic(struct amd_meta_lines *) meta_lines; /* of all pages */
   struct dynarray stale;                       /* struct amd_cache_page *: pages with versions */
   struct dynarray carried;                     /* struct cache_carried */
};

/* cache.c */
struct cache_region *cache_region(struct amd_caches *caches, uint64_t va, bool create);
struct amd_cache_page *cache_page(struct amd_caches *caches, uint64_t va, bool create);
uint64_t cache_new_serial(void);
/* The page of an address, made if there is none. */
struct amd_cache_page *cache_port_page(struct amd_cache_port *port, uint64_t va);

/* cache_reads.c; serial phase. Lines that were read are in their caches from now on, but for caches that are about to
 * lose everything (may be NULL). */
void cache_merge_reads(struct amd_caches *caches, const struct cache_set *lost);
void cache_forget_reads(struct amd_caches *caches);
void cache_free_reads(struct amd_caches *caches);

/* Of a page that waves know. */
static inline struct amd_cache_lines *
cache_lines(struct amd_cache_page *page, unsigned cache)
{
   return &atomic_load_explicit(&page->in, memory_order_acquire)[cache];
}

/* Lines of the page that the cache held at the start of the round. */
static inline uint32_t
cache_present(const struct amd_caches *caches, const struct amd_cache_page *page, unsigned cache)
{
   const struct amd_cache_lines *in = atomic_load_explicit(&page->in, memory_order_acquire);
   return in && in[cache].epoch == caches->epoch[cache] ? in[cache].present : 0;
}

static inline bool
cache_set_has(const struct cache_set *set, unsigned cache)
{
   return set->bits[cache / 64] >> cache % 64 & 1;
}

static inline void
cache_set_add(struct cache_set *set, unsigned cache)
{
   set->bits[cache / 64] |= UINT64_C(1) << cache % 64;
}

/* The version of a line that the cache holds; NULL: as memory is, if it holds the line at all. */
static inline struct amd_cache_version *
cache_held_version(const struct amd_cache_page *page, unsigned line, unsigned cache)
{
   if (!(page->stale_lines >> line & 1))
      return NULL;
   for (struct amd_cache_version *v = page->versions->of_line[line]; v; v = v->next)
      if (cache_set_has(&v->holders, cache))
         return v;
   return NULL;
}

/* cache_write.c; serial phase. */
void cache_free_versions(struct amd_cache_page *page);
/* Lines of the page are about to change (old: the page's bytes, NULL: memory's): holders keep what they have, but for
 * one (CACHE_MAX: none) that takes the change. */
void cache_keep_versions(struct amd_caches *caches, struct amd_cache_page *page, uint32_t lines, unsigned without,
                         const uint8_t *old);
/* One cache loses one line. */
void cache_drop_line(struct amd_caches *caches, struct amd_cache_page *page, unsigned line, unsigned cache);
/* The caches of the set lose everything. */
void cache_invalidate_set(struct amd_caches *caches, const struct cache_set *set);
/* Lines of the page come into the cache, as its next level has them. */
void cache_add_lines(struct amd_caches *caches, struct amd_cache_page *page, uint32_t lines, unsigned cache);
/* Lines that were read in the round are in their caches from now on. First of all in a serial phase. */
void cache_merge_fills(struct amd_caches *caches);
void cache_check_host_writes(struct amd_caches *caches);

/* order.c: bytes [at, end) of one page: the tag of a write of CB or DB under way there; marked as written. */
uint64_t order_line_tag(const struct amd_cache_page *page, unsigned line); /* 0: no write was marked */
/* Whether a load may meet a write under way in the line. */
bool order_may_meet(struct amd_cache_port *port, struct amd_cache_page *page, unsigned line);
uint64_t order_check_store(const struct amd_cache_port *port, const struct amd_cache_page *page, uint64_t at,
                           uint64_t end, struct sim_va *where);
void order_mark_lines(struct amd_cache_page *page, uint64_t tag, uint64_t at, uint64_t end);
/* The same of bytes of one line whose tag it is already. */
void order_mark_more(struct amd_cache_page *page, uint64_t tag, uint64_t at, unsigned size_B);
void order_mark_pieces(struct amd_cache_page *page, uint64_t tag, const struct sim_vm_pieces *pieces);

/* meta_cache.c: lines are written by a cache's owner, or (AMD_META_CACHES) by something else. Any phase. */
void cache_meta_written(struct amd_meta_lines *lines, uint32_t line_mask, unsigned by);

#endif
