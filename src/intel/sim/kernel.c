#include "intel/sim/kernel.h"

#include "intel/hw/messages.h"
#include "util/macros.h"

#define MAX_INSTRUCTIONS 65536
#define COMPACT_BIT (UINT64_C(1) << 29) /* the instruction has 8 bytes, not 16 */
#define IMMEDIATE 3                     /* a register file */

static enum intel_stores
message_stores(unsigned sfid, uint32_t descriptor)
{
   unsigned type = descriptor >> 14 & 31;
   if (sfid == INTEL_SFID_DATA_CACHE_1)
      return INTEL_PORT_1_WRITES >> type & 1 ? INTEL_STORES : INTEL_STORES_NOT;
   if (sfid != INTEL_SFID_DATA_CACHE_0 || !(INTEL_PORT_0_WRITES >> type & 1))
      return INTEL_STORES_NOT;
   /* Registers and arrays that found no room go this way, too, and nothing else of crocus, iris and hasvk does. */
   unsigned entry = descriptor & 0xff;
   bool spills = entry == INTEL_BTI_STATELESS || entry == INTEL_BTI_STATELESS_NONCOHERENT;
   return spills ? INTEL_STORES_NOT : INTEL_STORES;
}

static bool
is_send(unsigned opcode)
{
   return opcode >= INTEL_EU_SEND && opcode <= INTEL_EU_SENDSC;
}

/* The second source, which is the descriptor, is an immediate. Else it is in an address register, set at run time. */
static bool
has_descriptor(enum intel_gen gen, const uint64_t words[2])
{
   unsigned opcode = words[0] & 0x7f;
   if (opcode == INTEL_EU_SENDS || opcode == INTEL_EU_SENDSC)
      return !(words[1] >> 13 & 1);
   return (words[intel_source_1_file_bit[gen] / 64] >> intel_source_1_file_bit[gen] % 64 & 3) == IMMEDIATE;
}

static void
read_send(enum intel_gen gen, const uint64_t words[2], struct intel_kernel *kernel)
{
   unsigned sfid = words[0] >> 24 & 15;
   uint32_t descriptor = (uint32_t)(words[1] >> 32);
   bool data_port = sfid == INTEL_SFID_DATA_CACHE_0 || sfid == INTEL_SFID_DATA_CACHE_1;
   bool known = has_descriptor(gen, words);
   enum intel_stores stores = known       ? message_stores(sfid, descriptor)
                              : data_port ? INTEL_STORES_UNKNOWN
                                          : INTEL_STORES_NOT;
   kernel->stores = MAX2(kernel->stores, stores);
   if (known && sfid == INTEL_SFID_RENDER_CACHE && (descriptor >> 14 & 31) == INTEL_RENDER_TARGET_WRITE)
      kernel->targets |= 1u << (descriptor & 31);
}

/* The next instruction; false: nothing is there. A compacted one leaves words[1] zero. */
static bool
read_instruction(const struct intel_memory *memory, uint64_t *va, uint64_t words[2])
{
   words[1] = 0;
   if (!memory->read(memory->data, *va, &words[0], 8))
      return false;
   *va += 8;
   if (words[0] & COMPACT_BIT)
      return true;
   if (!memory->read(memory->data, *va, &words[1], 8))
      return false;
   *va += 8;
   return true;
}

struct intel_kernel
intel_kernel_read(enum intel_gen gen, const struct intel_memory *memory, uint64_t va)
{
   struct intel_kernel kernel = {0};
   uint64_t words[2];
   for (unsigned i = 0; i < MAX_INSTRUCTIONS && read_instruction(memory, &va, words); i++) {
      if ((words[0] & COMPACT_BIT) || !is_send(words[0] & 0x7f))
         continue;
      read_send(gen, words, &kernel);
      if (words[1] >> 63) /* end of thread */
         return kernel;
   }
   kernel.stores = MAX2(kernel.stores, INTEL_STORES_UNKNOWN);
   return kernel;
}
