#include "amd/sim/cache/order.h"

#include <stdio.h>
#include <string.h>

#include "amd/sim/cache/cache_private.h"
#include "util/macros.h"
#include "util/within_memory.h"

/* A tag: number of the draw, dispatch or copy 63:8, ring 7:4, enum amd_writer 3:0. */
_Static_assert(AMD_WRITER_COUNT <= 16 && AMD_RING_SLOTS <= 16, "a writer and a ring fit into a tag");

static uint64_t
make_tag(uint64_t number, unsigned ring, enum amd_writer writer)
{
   return number << 8 | ring << 4 | (unsigned)writer;
}

static unsigned
tag_writer(uint64_t tag)
{
   return tag & 15;
}

static unsigned
tag_ring(uint64_t tag)
{
   return tag >> 4 & 15;
}

static uint64_t
tag_number(uint64_t tag)
{
   return tag >> 8;
}

void
amd_order_begin(struct amd_caches *c, unsigned ring, const char *packet, struct sim_va packet_va, bool ordered)
{
   struct amd_order *order = &c->orders[ring];
   order->number++;
   order->done[AMD_WRITER_ME] = order->number;
   order->packets[order->number % ORDER_PACKETS] = (struct order_packet){packet, packet_va};
   c->current_ring = (uint8_t)ring;
   c->current_ordered = ordered;
}

uint64_t
amd_order_packet_tag(const struct amd_cache_packet *packet, enum amd_writer writer)
{
   if (writer == AMD_WRITER_PS && packet->ordered)
      writer = AMD_WRITER_PS_ORDERED;
   return make_tag(packet->number, packet->ring, writer);
}

uint64_t
amd_order_tag(const struct amd_caches *c, enum amd_writer writer)
{
   const struct amd_cache_packet packet = amd_caches_packet(c);
   return amd_order_packet_tag(&packet, writer);
}

uint64_t
amd_order_pixels(const struct amd_caches *c, uint64_t *done)
{
   const struct amd_order *order = &c->orders[c->current_ring];
   *done = order->done[AMD_WRITER_PS];
   return order->number;
}

/* Mask of bytes [first, first + count) of a line. */
static void
byte_mask(uint64_t mask[2], unsigned first, unsigned count)
{
   unsigned end = first + count;
   mask[0] = first < 64 ? bit_mask(MIN2(end, 64u)) & ~bit_mask(first) : 0;
   mask[1] = end > 64 ? bit_mask(end - 64) & ~bit_mask(first > 64 ? first - 64 : 0) : 0;
}

/* Of 16 dwords: the mask of their bytes. */
static uint64_t
bytes_of_dwords(uint32_t dwords)
{
   uint64_t bits = dwords & 0xffff;
   bits = (bits | bits << 24) & UINT64_C(0x000000ff000000ff);
   bits = (bits | bits << 12) & UINT64_C(0x000f000f000f000f);
   bits = (bits | bits << 6) & UINT64_C(0x0303030303030303);
   bits = (bits | bits << 3) & UINT64_C(0x1111111111111111);
   return bits * 15;
}

static bool
is_of_whole(const struct amd_cache_page *page, unsigned line)
{
   return page->whole_lines >> line & 1;
}

uint64_t
order_line_tag(const struct amd_cache_page *page, unsigned line)
{
   return is_of_whole(page, line) ? page->whole_tag : page->writes ? page->writes->tag[line] : 0;
}

static void
mark_bytes(struct amd_cache_page *page, uint64_t tag, unsigned line, const uint64_t mask[2])
{
   if (is_of_whole(page, line) && page->whole_tag == tag)
      return;
   if (!page->writes)
      page->writes = need_calloc("marks of writes", 1, sizeof(*page->writes));
   const bool more = !is_of_whole(page, line) && page->writes->tag[line] == tag;
   for (unsigned i = 0; i < 2; i++)
      page->writes->bytes[line][i] = mask[i] | (more ? page->writes->bytes[line][i] : 0);
   page->writes->tag[line] = tag;
   page->whole_lines &= ~(1u << line);
}

/* What marked lines are to those who look at the page. */
static void
tell_lines(struct amd_cache_page *page, uint64_t tag, uint32_t lines)
{
   page->writers |= 1u << tag_writer(tag);
   atomic_store_explicit(&page->written, page->written | lines, memory_order_relaxed);
   struct amd_meta_lines *meta = atomic_load_explicit(&page->meta, memory_order_relaxed);
   if (meta)
      cache_meta_written(meta, lines,
                         tag_writer(tag) == AMD_WRITER_CB_META   ? AMD_META_CACHE_CB
                         : tag_writer(tag) == AMD_WRITER_DB_META ? AMD_META_CACHE_DB
                                                                 : AMD_META_CACHES);
}

void
order_mark_lines(struct amd_cache_page *page, uint64_t tag, uint64_t at, uint64_t end)
{
   uint32_t lines = 0;
   if (end - at == CACHE_PAGE_B) {
      page->whole_tag = tag;
      page->whole_lines = lines = UINT32_MAX;
      page->writers = 0;
      at = end;
   }
   for (uint64_t next; at < end; at = next) {
      const unsigned line = at >> AMD_CACHE_LINE_LOG2 & 31;
      uint64_t mask[2];
      next = MIN2((at | (CACHE_LINE_B - 1)) + 1, end);
      byte_mask(mask, at % CACHE_LINE_B, (unsigned)(next - at));
      mark_bytes(page, tag, line, mask);
      lines |= 1u << line;
   }
   tell_lines(page, tag, lines);
}

static void
mark_more(struct amd_cache_page *page, uint64_t tag, unsigned line, const uint64_t mask[2])
{
   if (!is_of_whole(page, line)) {
      page->writes->bytes[line][0] |= mask[0];
      page->writes->bytes[line][1] |= mask[1];
   }
   tell_lines(page, tag, 1u << line);
}

void
order_mark_more(struct amd_cache_page *page, uint64_t tag, uint64_t at, unsigned size_B)
{
   uint64_t mask[2];
   byte_mask(mask, at % CACHE_LINE_B, size_B);
   mark_more(page, tag, at >> AMD_CACHE_LINE_LOG2 & 31, mask);
}

void
order_mark_pieces(struct amd_cache_page *page, uint64_t tag, const struct sim_vm_pieces *p)
{
   const unsigned into_B = p->va.va % CACHE_LINE_B;
   const unsigned __int128 piece = bit_mask(p->piece_B);
   unsigned __int128 bytes = 0;
   for (uint32_t i = 0; i < p->count; i++)
      bytes |= piece << (into_B + i * p->step_B);
   const uint64_t mask[2] = {(uint64_t)bytes, (uint64_t)(bytes >> 64)};
   mark_more(page, tag, p->va.va >> AMD_CACHE_LINE_LOG2 & 31, mask);
}

void
amd_order_mark(struct amd_caches *c, uint64_t tag, struct sim_va va, uint64_t size_B)
{
   c->stored.line = 0;
   for (uint64_t at = va.va, end = at + size_B, next; at < end; at = next) {
      next = MIN2((at | (CACHE_PAGE_B - 1)) + 1, end);
      order_mark_lines(cache_page(c, at, true), tag, at, next);
   }
}

void
amd_order_wait(struct amd_caches *c, unsigned ring, unsigned writers)
{
   for (unsigned w = 0; w < AMD_WRITER_COUNT; w++)
      if (writers >> w & 1)
         c->orders[ring].done[w] = c->orders[ring].number;
}

void
amd_order_flush(struct amd_caches *c, unsigned ring, unsigned writers)
{
   for (unsigned w = 0; w < AMD_WRITER_COUNT; w++)
      if (writers >> w & 1)
         c->orders[ring].flushed[w] = c->orders[ring].number;
}

static uint32_t *
release_bucket(struct amd_order *order, struct sim_va va)
{
   return &order->buckets[(va.va >> 2 ^ va.va >> 12) % ORDER_BUCKETS];
}

static struct order_release *
find_release(struct amd_order *order, struct sim_va va)
{
   struct order_release *release = NULL;
   for (uint32_t i = *release_bucket(order, va); i; i = release->next) {
      release = dynarray_at(&order->releases, struct order_release, i - 1);
      if (release->va == va.va)
         return release;
   }
   return NULL;
}

void
amd_order_release(struct amd_caches *c, unsigned ring, unsigned writers, struct sim_va va)
{
   struct amd_order *order = &c->orders[ring];
   struct order_release *release = find_release(order, va);
   if (!release) {
      release = dynarray_grow(&order->releases, sizeof(*release));
      *release = (struct order_release){.va = va.va, .next = *release_bucket(order, va)};
      *release_bucket(order, va) = (uint32_t)dynarray_count(&order->releases, struct order_release);
   }
   for (unsigned w = 0; w < AMD_WRITER_COUNT; w++)
      release->done[w] = !(writers >> w & 1) ? 0 : AMD_WRITERS_TARGETS >> w & 1 ? order->flushed[w] : order->number;
}

void
amd_order_seen(struct amd_caches *c, unsigned ring, struct sim_va va)
{
   struct amd_order *order = &c->orders[ring];
   const struct order_release *release = find_release(order, va);
   for (unsigned w = 0; release && w < AMD_WRITER_COUNT; w++)
      order->done[w] = MAX2(order->done[w], release->done[w]);
}

void
amd_order_sync_pfp(struct amd_caches *c, unsigned ring)
{
   memcpy(c->orders[ring].pfp_done, c->orders[ring].done, sizeof(c->orders[ring].done));
}

void
amd_order_serialize(struct amd_caches *c)
{
   struct amd_order *order = &c->orders[c->current_ring];
   order->overlap_from = order->number + 1;
}

void
amd_order_idle(struct amd_caches *c, unsigned ring)
{
   amd_order_wait(c, ring, UINT32_MAX);
   amd_order_sync_pfp(c, ring);
   c->orders[ring].releases.size_B = 0;
   memset(c->orders[ring].buckets, 0, sizeof(c->orders[ring].buckets));
}

/* The tag of a line's write under way that meets the bytes of a mask. */
static uint64_t
write_of_bytes(const struct amd_cache_page *page, unsigned line, const uint64_t mask[2],
               const uint64_t done[AMD_WRITER_COUNT], unsigned ring)
{
   uint64_t tag = order_line_tag(page, line);
   if (tag_ring(tag) != ring || tag_number(tag) <= done[tag_writer(tag)])
      return 0;
   bool meets =
      is_of_whole(page, line) || (mask[0] & page->writes->bytes[line][0]) | (mask[1] & page->writes->bytes[line][1]);
   return meets ? tag : 0;
}

static uint64_t
line_write(const struct amd_cache_page *page, uint64_t va, unsigned size_B, const uint64_t done[AMD_WRITER_COUNT],
           unsigned ring)
{
   uint64_t mask[2];
   byte_mask(mask, va % CACHE_LINE_B, size_B);
   return write_of_bytes(page, va >> AMD_CACHE_LINE_LOG2 & 31, mask, done, ring);
}

/* The first write under way, of one of the writers, in bytes [at, end) of a page. */
static uint64_t
check_page(const struct amd_cache_page *page, unsigned ring, const uint64_t done[AMD_WRITER_COUNT], unsigned writers,
           uint64_t at, uint64_t end, struct sim_va *where)
{
   /* size: a range of bytes, and who has ended */
   if (!(writers & page->writers))
      return 0;
   for (uint64_t next; at < end; at = next) {
      next = MIN2((at | (CACHE_LINE_B - 1)) + 1, end);
      unsigned line = at >> AMD_CACHE_LINE_LOG2 & 31;
      if (!(page->written >> line & 1) || !(writers >> tag_writer(order_line_tag(page, line)) & 1))
         continue;
      uint64_t tag = line_write(page, at, (unsigned)(next - at), done, ring);
      *where = sim_va(at);
      if (tag)
         return tag;
   }
   return 0;
}

static uint64_t
check(struct amd_caches *c, unsigned ring, const uint64_t done[AMD_WRITER_COUNT], unsigned writers, struct sim_va va,
      uint64_t size_B, struct sim_va *where)
{
   /* size: a range of bytes, and who has ended */
   for (uint64_t at = va.va, end = at + size_B, next; at < end; at = next) {
      next = MIN2((at | (CACHE_PAGE_B - 1)) + 1, end);
      const struct amd_cache_page *page = cache_page(c, at, false);
      uint64_t tag = page && page->written ? check_page(page, ring, done, writers, at, next, where) : 0;
      if (tag)
         return tag;
   }
   return 0;
}

uint64_t
order_check_store(const struct amd_cache_port *port, const struct amd_cache_page *page, uint64_t at, uint64_t end,
                  struct sim_va *where)
{
   return check_page(page, tag_ring(port->tag), port->order->done, AMD_WRITERS_TARGETS, at, end, where);
}

uint64_t
amd_order_check(struct amd_caches *c, unsigned ring, enum amd_engine engine, struct sim_va va, uint64_t size_B,
                struct sim_va *at)
{
   const struct amd_order *order = &c->orders[ring];
   return check(c, ring, engine == AMD_ENGINE_PFP ? order->pfp_done : order->done, UINT32_MAX, va, size_B, at);
}

uint64_t
amd_order_check_write(struct amd_caches *c, unsigned ring, struct sim_va va, uint64_t size_B, struct sim_va *at)
{
   return check(c, ring, c->orders[ring].done, AMD_WRITERS_TARGETS, va, size_B, at);
}

uint64_t
amd_order_mark_target(struct amd_caches *c, uint64_t tag, struct sim_va va, uint64_t size_B, struct sim_va *at)
{
   const unsigned ring = tag_ring(tag);
   const uint64_t end = va.va + size_B;
   uint64_t found;
   /* After writes of the packet's own there may be others. */
   for (uint64_t from = va.va; from < end; from = (at->va | (CACHE_LINE_B - 1)) + 1) {
      found = check(c, ring, c->orders[ring].done, ~AMD_WRITERS_TARGETS, sim_va(from), end - from, at);
      if (!found)
         break;
      if (tag_number(found) != tag_number(tag))
         return found;
   }
   amd_order_mark(c, tag, va, size_B);
   return 0;
}

/* In one line of the caches. */
static uint64_t
mark_target_bytes(struct amd_caches *c, struct amd_cache_page *page, uint64_t tag, unsigned line, uint32_t dwords)
{
   const uint64_t mask[2] = {bytes_of_dwords(dwords), bytes_of_dwords(dwords >> 16)};
   if (page->written >> line & 1 && !(AMD_WRITERS_TARGETS >> tag_writer(order_line_tag(page, line)) & 1)) {
      uint64_t found = write_of_bytes(page, line, mask, c->orders[tag_ring(tag)].done, tag_ring(tag));
      if (found && tag_number(found) != tag_number(tag))
         return found;
   }
   c->stored.line = 0;
   mark_bytes(page, tag, line, mask);
   return 0;
}

/* From the start of one of them on. */
static uint64_t
mark_target_lines(struct amd_caches *c, uint64_t tag, struct sim_va va, const uint32_t *dwords, unsigned count,
                  struct sim_va *at)
{
   for (unsigned i = 0, end; i < count; i = end) {
      const struct sim_va first = sim_va_add(va, (int64_t)i * CACHE_LINE_B);
      const unsigned line = first.va >> AMD_CACHE_LINE_LOG2 & 31;
      struct amd_cache_page *page = NULL;
      uint32_t lines = 0;
      uint64_t found = 0;
      end = MIN2(count, i + 32 - line);
      for (unsigned k = i; k < end && !found; k++) {
         if (!dwords[k])
            continue;
         page = page ? page : cache_page(c, first.va, true);
         *at = sim_va_add(va, (int64_t)k * CACHE_LINE_B);
         found = mark_target_bytes(c, page, tag, line + k - i, dwords[k]);
         lines |= (uint32_t)!found << (line + k - i);
      }
      if (lines)
         tell_lines(page, tag, lines);
      if (found)
         return found;
   }
   return 0;
}

uint64_t
amd_order_mark_lines(struct amd_caches *c, uint64_t tag, struct sim_va va, const uint32_t *dwords, unsigned count,
                     struct sim_va *at)
{
   const unsigned ahead_dw = va.va % CACHE_LINE_B / 4;
   uint64_t found = 0;
   if (!ahead_dw)
      return mark_target_lines(c, tag, va, dwords, count, at);
   /* Surfaces may start within a line. */
   const struct sim_va line = sim_va(va.va - 4 * ahead_dw);
   for (unsigned i = 0; i < count && !found; i++) {
      const uint64_t two_lines = (uint64_t)dwords[i] << ahead_dw;
      const uint32_t parts[2] = {(uint32_t)two_lines, (uint32_t)(two_lines >> 32)};
      found = mark_target_lines(c, tag, sim_va_add(line, (int64_t)i * CACHE_LINE_B), parts, 2, at);
   }
   return found;
}

bool
order_may_meet(struct amd_cache_port *port, struct amd_cache_page *page, unsigned line)
{
   uint64_t tag = order_line_tag(page, line);
   if (tag_ring(tag) != tag_ring(port->tag))
      return false;
   if (tag_number(tag) <= port->order->done[tag_writer(tag)]) {
      atomic_fetch_and_explicit(&page->written, ~(1u << line), memory_order_relaxed);
      return false;
   }
   const unsigned writer = tag_writer(tag);
   bool ordered = writer == AMD_WRITER_PS_ORDERED && tag_writer(port->tag) == AMD_WRITER_PS_ORDERED;
   bool overlaps =
      tag_number(tag) >= port->order->overlap_from && (writer == AMD_WRITER_PS || writer == AMD_WRITER_PS_ORDERED);
   return tag_number(tag) != tag_number(port->tag) && !ordered && !overlaps && !port->hazard.tag;
}

void
amd_order_check_load(struct amd_cache_port *port, struct amd_cache_page *page, struct sim_va va, unsigned size_B)
{
   if (!order_may_meet(port, page, va.va >> AMD_CACHE_LINE_LOG2 & 31))
      return;
   port->hazard.tag = line_write(page, va.va, size_B, port->order->done, tag_ring(port->tag));
   port->hazard.va = va;
}

bool
amd_order_has_pixels(struct amd_caches *c, struct sim_va va)
{
   const struct amd_cache_page *page = c ? cache_page(c, va.va, false) : NULL;
   return page && page->writers & (1u << AMD_WRITER_PS | 1u << AMD_WRITER_PS_ORDERED);
}

/* How a write is called, and what makes it visible; of what is no wave. */
static const struct text {
   const char *who, *missing;
} texts[AMD_WRITER_COUNT] = {
   [AMD_WRITER_DMA] = {"the copy", "DMA_DATA with CP_SYNC"},
   [AMD_WRITER_ME] = {"ME", "PFP_SYNC_ME or ACQUIRE_MEM"},
   [AMD_WRITER_SDMA] = {"the copy", "NOP or FENCE of SDMA"},
   [AMD_WRITER_CB] = {"CB", "end-of-pipe write after a flush of CB (CACHE_FLUSH_AND_INV_TS)"},
   [AMD_WRITER_DB] = {"DB", "end-of-pipe write after a flush of DB (CACHE_FLUSH_AND_INV_TS)"},
   [AMD_WRITER_CB_META] = {"CB's metadata",
                           "end-of-pipe write after FLUSH_AND_INV_CB_META or CACHE_FLUSH_AND_INV_TS"},
   [AMD_WRITER_DB_META] = {"DB's metadata",
                           "end-of-pipe write after FLUSH_AND_INV_DB_META or CACHE_FLUSH_AND_INV_TS"},
};

static struct text
text_of(enum amd_writer writer)
{
   unsigned stage = writer == AMD_WRITER_PS_ORDERED ? AMD_STAGE_PS : writer - AMD_WRITER_STAGES;
   return stage < AMD_STAGES ? (struct text){amd_stage_infos[stage].waves, amd_stage_infos[stage].flushed_by}
                             : texts[writer];
}

void
amd_order_writer(const struct amd_caches *c, uint64_t tag, char *text, size_t size_B)
{
   const struct amd_order *order = &c->orders[tag_ring(tag)];
   const struct order_packet *packet = &order->packets[tag_number(tag) % ORDER_PACKETS];
   if (order->number - tag_number(tag) < ORDER_PACKETS)
      snprintf(text, size_B, "%s at 0x%llx", packet->name, (unsigned long long)packet->va.va);
   else
      snprintf(text, size_B, "an earlier packet");
}

bool
amd_order_fault(const struct amd_caches *c, uint64_t tag, struct sim_va at, const char *what, struct sim_fault *fault)
{
   const struct amd_order *order = &c->orders[tag_ring(tag)];
   enum amd_writer writer = tag_writer(tag);
   const struct text text = text_of(writer);
   char who[96];
   amd_order_writer(c, tag, who, sizeof(who));
   bool pfp = tag_number(tag) <= order->done[writer];
   return sim_fault_set(fault, SIM_FAULT_HAZARD, at,
                        "%s of 0x%llx while %s of %s may still write there: no %s was %s", what,
                        (unsigned long long)at.va, text.who, who, pfp ? "PFP_SYNC_ME or ACQUIRE_MEM" : text.missing,
                        pfp ? "after its wait" : "waited for");
}
