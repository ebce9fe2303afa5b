/* One-line messages on stderr and debug switches from the environment. */
#ifndef INDIUM_UTIL_LOG_H
#define INDIUM_UTIL_LOG_H

#include <stdatomic.h>
#include <stdbool.h>

/* Prints "indium: <message>\n" in one write. */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* An environment variable and what it may name, separated by commas. */
struct debug_words {
   const char *variable;
   const char *const *names;
   unsigned count;
   atomic_flag reported;
};

/* True if the variable names the word, an index of names. A name that is none is reported once. */
bool debug_word(struct debug_words *words, unsigned word);

/* The words of INDIUM_DEBUG. A driver's own stand in a variable of its own (si_debug.h). */
enum debug_flag {
   DEBUG_NIR,      /* print shaders before code is made of them */
   DEBUG_ASM,      /* print the code */
   DEBUG_VALIDATE, /* check shaders after every pass */
   DEBUG_FLAG_COUNT,
};

bool debug_flag(enum debug_flag flag);

/* INDIUM_DEBUG may also name passes of the compiler: "nir:PASS" prints shaders before and after it, "no:PASS" leaves
 * it out. debug_any(): the variable is there at all. debug_named(): the word "KIND:NAME" is; each_name, if any, is
 * called with all names of the kind. */
bool debug_any(void);
bool debug_named(const char *kind, void (*each_name)(const char *name), const char *name);

#endif
