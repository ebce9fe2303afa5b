/* A recording as text: what is submitted to a device, and all memory that it finds. Made by `indium run --record`
 * (sim/record/recorder.h) or by hand; sim/record/replay.h runs it. docs/recordings.md has the lines. */
#ifndef INDIUM_SIM_RECORDING_H
#define INDIUM_SIM_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/vm/fault.h"
#include "util/dynarray.h"

enum sim_record_kind {
   SIM_RECORD_MEMORY, /* there is a new memory of zeros */
   SIM_RECORD_FREE,   /* and is no more */
   SIM_RECORD_MAP,
   SIM_RECORD_UNMAP,
   SIM_RECORD_WRITE,  /* the host writes words into a memory */
   SIM_RECORD_EXPECT, /* the submission before has left these words there */
   SIM_RECORD_SUBMIT,
   SIM_RECORD_WAITED, /* what stands since the submission happened before a wait of it ended */
   SIM_RECORD_WROTE,  /* hash of what the submission before has changed */
   SIM_RECORD_FAULT,  /* the submission before ends in a fault with this in its message */
};

struct sim_record_line {
   unsigned number; /* of the line, from 1 */
   char *text;      /* without blanks around it, and comments */
};

struct sim_record {
   enum sim_record_kind kind;
   unsigned line;
   /* Numbers are in bounds: of the recording's memories there is one with the number, and offsets lie in it. */
   uint64_t memory; /* 0: a hole is mapped */
   uint64_t offset_B;
   uint64_t size_B; /* MEMORY, MAP, UNMAP */
   uint64_t space;  /* MAP, UNMAP, SUBMIT: an address space */
   struct sim_va va;
   unsigned access; /* MAP: enum sim_access */
   uint64_t hash;
   char *text;            /* SUBMIT: the rest of its line; FAULT: the message */
   char *directive;       /* the first word of the line */
   struct dynarray words; /* WRITE, EXPECT: uint32_t */
   struct dynarray lines; /* struct sim_record_line, as the vendor's part has them: of SUBMIT and his WRITE */
};

struct sim_recording {
   char *driver, *chip, *schedule; /* of the device that it was made on */
   char *option;                   /* of the device, of the vendor's; NULL: none */
   struct dynarray records;        /* struct sim_record */
};

struct sim_record_error {
   unsigned line; /* 0: of the file as a whole */
   char message[256];
};

/* Fills it in and returns false. */
bool sim_record_fail(struct sim_record_error *error, unsigned line, const char *format, ...)
   __attribute__((format(printf, 3, 4)));

/* What `indium` says of a recording that is not right; returns its exit status, 2. */
int sim_record_report(const char *path, const struct sim_record_error *error);

/* The text of a recording for sim_recording_read(), for the caller to free; NULL after a message. */
char *sim_recording_load(const char *path, size_t *size_B);

/* A kind of block that a vendor adds: words written in his own language. */
struct sim_record_language {
   const char *directive; /* "NAME MEMORY OFFSET [COUNT]", NAME is not one of the neutral ones */
   uint32_t padding;      /* fills a block up to COUNT words */
   /* Appends to the words of the block what its lines mean. Their text may be changed. */
   bool (*read)(const struct sim_recording *recording, struct sim_record *block, struct sim_record_error *error);
};

/* text: size_B bytes and a zero after them; is changed, and must live as long as the recording. languages: up to one
 * without a name. To be freed even after an error. */
bool sim_recording_read(struct sim_recording *recording, char *text, size_t size_B,
                        const struct sim_record_language *languages, struct sim_record_error *error);
void sim_recording_free(struct sim_recording *recording);

/* The next word of a line, cut off, or NULL at its end. */
char *sim_record_word(char **at);

/* A number in C's way, of at most `largest`. */
bool sim_record_number(const char *text, uint64_t largest, uint64_t *number);

/* For a SUBMIT whose lines are "NAME NUMBER" and "words WORD...": appends to words. */
bool sim_record_read_words(const struct sim_record *submit, const char *name, uint64_t *number,
                           struct dynarray *words, struct sim_record_error *error);

/* "WORD" or "WORD*COUNT": appends to words. NULL or what is wrong. */
const char *sim_record_repeat(char *text, struct dynarray *words);

#endif
