/* The records that the model acts on, as text, in the order of the work:
 *
 *    draw 3
 *    2fffd74b34 FRAGMENT_CONTROL unk_9 scissor_enable pass_type=OPAQUE
 *
 * A line has the address, the record's name and its fields, as `indium decode` prints them. */
#ifndef INDIUM_ASAHI_SIM_DUMP_H
#define INDIUM_ASAHI_SIM_DUMP_H

#include <stdint.h>
#include <stdio.h>

#include "asahi/hw/record_table.h"

struct agx_dump;

/* out: stays the caller's. One that cannot be written is told of once, and ferror() tells it ever after. NULL: out of
 * memory. */
struct agx_dump *agx_dump_create(FILE *out);
void agx_dump_destroy(struct agx_dump *dump);

/* dump: NULL writes nothing. va: 0 of what came from the kernel. */
void agx_dump_record(struct agx_dump *dump, const struct agx_record *record, uint64_t va, const void *bytes);

/* A line of its own. */
void agx_dump_line(struct agx_dump *dump, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
