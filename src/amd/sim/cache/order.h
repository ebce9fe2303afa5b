/* Writes that are under way: the order of draws, dispatches and copies, and which of their writes the others may see.
 *
 * The model runs every packet to its end, hardware does not: shaders and copies of a packet continue while the next
 * ones start, and colour and depth stay in CB and DB until they are flushed. Each draw, dispatch and copy of a ring
 * has a number, which never wraps. Bytes that it writes remember it (and the kind of writer) until a packet has
 * waited for it; whoever else touches them before is reported as a hazard. docs/caches.md has the table of waits. */
#ifndef INDIUM_AMD_SIM_ORDER_H
#define INDIUM_AMD_SIM_ORDER_H

#include <stddef.h>

#include "amd/sim/cache/cache.h"

enum amd_writer {
   AMD_WRITER_NONE,
   AMD_WRITER_STAGES, /* waves: from here on in order of enum amd_stage */
   AMD_WRITER_PS = AMD_WRITER_STAGES + AMD_STAGE_PS,
   /* Of a draw with primitive ordered shading: such draws may see each other's writes. */
   AMD_WRITER_PS_ORDERED = AMD_WRITER_STAGES + AMD_STAGES,
   AMD_WRITER_DMA,
   AMD_WRITER_CB,
   AMD_WRITER_DB,
   AMD_WRITER_CB_META,
   AMD_WRITER_DB_META,
   AMD_WRITER_ME,   /* packets that ME executes: in order for everything but PFP */
   AMD_WRITER_SDMA, /* copies, fills and writes of transfer rings */
   AMD_WRITER_COUNT,
};

#define AMD_WRITERS_COMPUTE (1u << (AMD_WRITER_STAGES + AMD_STAGE_CS))
#define AMD_WRITERS_VERTEX ((1u << AMD_WRITER_PS) - (1u << (AMD_WRITER_STAGES + AMD_STAGE_LS))) /* LS to VS */
#define AMD_WRITERS_PIXEL (AMD_WRITERS_VERTEX | 1u << AMD_WRITER_PS | 1u << AMD_WRITER_PS_ORDERED)
#define AMD_WRITERS_SHADERS (AMD_WRITERS_PIXEL | AMD_WRITERS_COMPUTE)
#define AMD_WRITERS_META (1u << AMD_WRITER_CB_META | 1u << AMD_WRITER_DB_META)
#define AMD_WRITERS_TARGETS (1u << AMD_WRITER_CB | 1u << AMD_WRITER_DB | AMD_WRITERS_META)

/* Who reads memory in a command processor. */
enum amd_engine {
   AMD_ENGINE_ME,
   AMD_ENGINE_PFP, /* reads ahead of ME until it is told to wait */
};

/* Rings are named by amd_ring_slot(). A new draw, dispatch or copy of one becomes the current one. ordered: see
 * PS_ORDERED. */
void amd_order_begin(struct amd_caches *caches, unsigned ring, const char *packet, struct sim_va packet_va,
                     bool ordered);

/* The tag of the writes of a kind, of the current one and of any. */
uint64_t amd_order_tag(const struct amd_caches *caches, enum amd_writer writer);
uint64_t amd_order_packet_tag(const struct amd_cache_packet *packet, enum amd_writer writer);

/* The current one's number; *done: the newest whose pixel waves have been waited for. */
uint64_t amd_order_pixels(const struct amd_caches *caches, uint64_t *done);

/* Marks bytes as written and under way. Serial phase. */
void amd_order_mark(struct amd_caches *caches, uint64_t tag, struct sim_va va, uint64_t size_B);
/* The same for CB and DB: returns the tag of a shader's or copy's write of an earlier packet under way there. */
uint64_t amd_order_mark_target(struct amd_caches *caches, uint64_t tag, struct sim_va va, uint64_t size_B,
                               struct sim_va *at);
/* Of pieces of a line's length from va on, a multiple of 4, some dwords each. */
uint64_t amd_order_mark_lines(struct amd_caches *caches, uint64_t tag, struct sim_va va, const uint32_t *dwords,
                              unsigned count, struct sim_va *at);

/* ME has waited for all earlier writes of the kinds (a set of bits). */
void amd_order_wait(struct amd_caches *caches, unsigned ring, unsigned writers);
/* CB or DB has been told to flush what was drawn before; an end-of-pipe write after that tells when it has. */
void amd_order_flush(struct amd_caches *caches, unsigned ring, unsigned writers);
/* At the end of the earlier work of the kinds va is written; once ME has seen it there, that work is done. */
void amd_order_release(struct amd_caches *caches, unsigned ring, unsigned writers, struct sim_va va);
void amd_order_seen(struct amd_caches *caches, unsigned ring, struct sim_va va);
/* PFP has waited for ME. */
void amd_order_sync_pfp(struct amd_caches *caches, unsigned ring);
/* The current draw's pixel waves do not overlap others. Where they do, who meets their writes sees them or does
 * not, as on hardware, and it is no hazard. */
void amd_order_serialize(struct amd_caches *caches);
/* The ring's job has ended; so have its writes. */
void amd_order_idle(struct amd_caches *caches, unsigned ring);

/* The first byte of the range with a write under way that a read of the engine, or (write) a write by something else
 * than CB and DB, must not meet. Returns the write's tag, 0: none. */
uint64_t amd_order_check(struct amd_caches *caches, unsigned ring, enum amd_engine engine, struct sim_va va,
                         uint64_t size_B, struct sim_va *at);
uint64_t amd_order_check_write(struct amd_caches *caches, unsigned ring, struct sim_va va, uint64_t size_B,
                               struct sim_va *at);

/* SIM_FAULT_HAZARD that names the write and what is missing after it. what: "read", "write". Returns false. */
bool amd_order_fault(const struct amd_caches *caches, uint64_t tag, struct sim_va at, const char *what,
                     struct sim_fault *fault);

/* Whether pixel waves have written to the page of an address, since something else has written all of it. */
bool amd_order_has_pixels(struct amd_caches *caches, struct sim_va va);

/* Names a write by its packet. */
void amd_order_writer(const struct amd_caches *caches, uint64_t tag, char *text, size_t size_B);

/* A wave's load of bytes within one line. */
void amd_order_check_load(struct amd_cache_port *port, struct amd_cache_page *page, struct sim_va va,
                          unsigned size_B);

#endif
