/* Deliberate mistakes as rows, which tests/mutants/rows.py generates from the text files of tests/mutants. A seam has
 * an array of them and passes each of its objects (a register's value, a packet's payload, an instruction) to
 * mutate(). Only builds with -Dmutants=true compile this. */
#ifndef INDIUM_UTIL_MUTANT_ROW_H
#define INDIUM_UTIL_MUTANT_ROW_H

#include <stdbool.h>
#include <stdint.h>

/* Bits of an object, little endian. */
struct mutant_bits {
   uint16_t low, width;
};

/* Bits of a member of a C struct. */
#define MUTANT_MEMBER(type, member)                                                                                  \
   {                                                                                                                 \
      8 * offsetof(type, member), 8 * sizeof(((type *)0)->member)                                                    \
   }

enum mutant_relation { MUTANT_EQUAL, MUTANT_UNEQUAL, MUTANT_AT_MOST };

struct mutant_test {
   struct mutant_bits bits;
   enum mutant_relation relation;
   uint64_t value;
};

enum mutant_action { MUTANT_SET, MUTANT_ADD, MUTANT_XOR, MUTANT_COPY };

struct mutant_edit {
   struct mutant_bits bits;
   enum mutant_action action;
   uint64_t value;
   struct mutant_bits from; /* MUTANT_COPY: of the object as it was */
};

#define MUTANT_ANY UINT32_MAX
#define MUTANT_MAX_TESTS 4
#define MUTANT_MAX_EDITS 5

struct mutant_row {
   const char *name;
   uint32_t object;  /* a number of the seam, or MUTANT_ANY */
   uint32_t gens;    /* bit n: generation n of the seam's hardware */
   uint32_t context; /* bits that the seam must pass, all of them */
   uint8_t size_dw;  /* of a packet's payload; 0: any */
   bool drop;        /* the object is left out */
   uint8_t every;    /* 2: every second time; 0 and 1: always */
   uint8_t num_tests, num_edits;
   struct mutant_test tests[MUTANT_MAX_TESTS];
   struct mutant_edit edits[MUTANT_MAX_EDITS];
   unsigned matched; /* counted by mutate() */
};

/* What passes a seam. */
struct mutant_object {
   uint32_t number, gen, context, size_dw;
   void *data;
};

/* X(rows): the array of each seam. num_rows is how many it has. */
#define MUTANT_SEAMS(X)                                                                                              \
   X(si_register_rows)                                                                                               \
   X(si_packet_rows)                                                                                                 \
   X(si_struct_rows)                                                                                                 \
   X(si_atom_rows)                                                                                                   \
   X(ac_descriptor_rows)                                                                                             \
   X(aco_rows)                                                                                                       \
   X(agx_record_rows)                                                                                                \
   X(agx_struct_rows)                                                                                                \
   X(agx_rows)
#define MUTANT_DECLARE(rows)                                                                                         \
   extern struct mutant_row rows[];                                                                                  \
   extern const unsigned num_##rows;
MUTANT_SEAMS(MUTANT_DECLARE)
#undef MUTANT_DECLARE

/* Makes the chosen mistake, if one of the rows is it and matches. True: the seam must leave the object out. */
bool mutate(struct mutant_row *rows, unsigned count, const struct mutant_object *object);

/* Whether the row matches, but for its name and `every`. */
bool mutant_row_matches(const struct mutant_row *row, const struct mutant_object *object);
/* Changes the fields of the object. False: they have these values anyway. */
bool mutant_row_edit(const struct mutant_row *row, void *data);

#endif
