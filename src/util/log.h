/* One-line messages on stderr and debug switches from the environment. */
#ifndef INDIUM_UTIL_LOG_H
#define INDIUM_UTIL_LOG_H

#include <stdbool.h>

/* Prints "indium: <message>\n" in one write. */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What the environment variable INDIUM_DEBUG may name, separated by commas: X(constant, name). */
#define DEBUG_FLAGS(X)                                                                                               \
   X(NIR, "nir")                 /* print shaders before code is made of them */                                     \
   X(ASM, "asm")                 /* print the code */                                                                \
   X(VALIDATE, "validate")       /* check shaders after every pass */                                                \
   X(LAYERS, "layers")           /* overlapping invocations share waves where that is legal */                       \
   X(WHOLEPIXELS, "wholepixels") /* sample interlock orders whole pixels */

enum debug_flag {
#define X(constant, name) DEBUG_##constant,
   DEBUG_FLAGS(X)
#undef X
   DEBUG_FLAG_COUNT,
};

/* True if INDIUM_DEBUG names the flag. A name that is none is reported once. */
bool debug_flag(enum debug_flag flag);

#endif
