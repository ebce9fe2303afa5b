/* Records as data, generated from the text tables of this folder (hw_gen.py): for whoever walks, prints or checks
 * records that he does not know beforehand. Functions for single records are in asahi/hw/records.h. */
#ifndef INDIUM_ASAHI_HW_RECORD_TABLE_H
#define INDIUM_ASAHI_HW_RECORD_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asahi/hw/gen.h"
#include "asahi/hw/records.h"

/* How bits become a value; see hw_tables.py. */
enum agx_field_type {
   AGX_FIELD_ZERO,
   AGX_FIELD_CONSTANT, /* minus: the bits */
   AGX_FIELD_UINT,
   AGX_FIELD_BOOL,
   AGX_FIELD_HEX,
   AGX_FIELD_ADDRESS,
   AGX_FIELD_ENUM,
   AGX_FIELD_GROUPS,
   AGX_FIELD_LOG2,
   AGX_FIELD_FIXED,
   AGX_FIELD_FLOAT,
   AGX_FIELD_LOD,
};

struct agx_name {
   uint32_t value;
   const char *name; /* NULL ends a list */
};

struct agx_field {
   const char *name; /* NULL: must be zero */
   uint16_t low;
   uint16_t width;
   enum agx_field_type type;
   uint16_t number; /* of its modifier: shr, groups or fixed */
   uint16_t minus;
   const struct agx_name *names;    /* ENUM, CONSTANT */
   const struct agx_record *record; /* the bits are such a record, or NULL */
};

/* Bits and the set of values that are meant: bit (1 << value). */
struct agx_test {
   uint8_t low, width;
   uint32_t values;
};

#define AGX_FORM_TESTS 2

struct agx_form {
   const char *name; /* "" where there is one form */
   uint8_t test_count;
   struct agx_test tests[AGX_FORM_TESTS];
   uint8_t field_count;
   const struct agx_field *fields; /* from the lowest bit on; every bit is of one */
};

struct agx_record {
   enum agx_record_id id;
   const char *name;
   uint16_t size_B;
   uint8_t form_count;
   const struct agx_form *forms;
};

#define AGX_RECORD_MAX_B 1920

struct agx_part {
   const struct agx_record *record;
   uint8_t gens; /* bit (1 << enum agx_gen) */
   struct agx_test test;
   uint8_t times_low, times_width, times_plus; /* how often: these bits of the head, and so many more */
};

struct agx_sequence {
   const struct agx_record *head;
   uint8_t part_count;
   const struct agx_part *parts;
   uint8_t align_B;
   struct agx_test unless; /* if it holds, nothing is aligned */
};

struct agx_stream_record {
   uint32_t value;
   const struct agx_sequence *sequence;
};

struct agx_stream {
   const char *name;
   uint8_t low, width; /* of the first word, or of its first byte */
   uint8_t count;
   const struct agx_stream_record *records;
};

extern const struct agx_stream agx_stream_vdm, agx_stream_cdm, agx_stream_usc;

/* What follows the header of a PPP record. */
const struct agx_sequence *agx_ppp_sequence(void);

const struct agx_record *agx_record(enum agx_record_id id);

/* The record that this word begins, or NULL. */
const struct agx_sequence *agx_stream_find(const struct agx_stream *stream, uint32_t word);

/* The records of a sequence one after the other, the head first. */
struct agx_cursor {
   const struct agx_record *record;
   uint32_t offset_B; /* of the record; at the end, size of the whole */
   uint16_t part, times;
};

/* cursor: zeros at first. head: its bytes. False at the end. */
bool agx_sequence_next(const struct agx_sequence *sequence, enum agx_gen gen, const void *head,
                       struct agx_cursor *cursor);

/* data: bytes of the record. */
const struct agx_form *agx_record_form(const struct agx_record *record, const void *data);
uint64_t agx_field_bits(const struct agx_field *field, const void *data);

/* Writes the value as text; 0 where there is nothing to say: a zero that nothing is made of. Else what snprintf
 * returns. */
int agx_field_print(const struct agx_field *field, const void *data, char *out, size_t out_size_B);

/* The number-th thing that is wrong in it: bits that nobody knows, values that have no meaning. False: no more. */
bool agx_record_fault(const struct agx_record *record, const void *data, unsigned number, char *message,
                      size_t message_size_B);

#endif
