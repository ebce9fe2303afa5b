/* Exhaustion deep inside a call tree that allocates everywhere: back to the entry, which reports it upward. */
#ifndef INDIUM_UTIL_WITHIN_MEMORY_H
#define INDIUM_UTIL_WITHIN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Runs run(data). False if memory ran out inside, which left what it was at as it was: owners of memory, locks and
 * other state that must be put right call this themselves, clean up and may continue with out_of_memory(). Nests. */
bool within_memory(void (*run)(void *data), void *data);

/* The same on a stack of its own of so many bytes, for work that recurses deeper than threads of applications may
 * have stack. Of the stack only what is used takes memory. */
bool within_memory_on_stack(size_t stack_B, void (*run)(void *data), void *data);

/* What goes away with the function that made it, also when memory runs out below. A function's newest goes first. */
struct owned {
   void (*release)(void *object);
   void *object;
   struct owned *outer;
};

/* From here on, until disown(), which releases it; owned stands in the frame of the caller. */
void own(struct owned *owned, void (*release)(void *object), void *object);
void disown(struct owned *owned);

/* Back to the innermost within_memory() of the thread. Where there is none, ends the process with a message. */
_Noreturn void out_of_memory(const char *what, size_t size_B);

/* malloc(), calloc() and realloc() that end in out_of_memory(); realloc's old memory stays. */
void *need_malloc(const char *what, size_t size_B) __attribute__((malloc));
void *need_calloc(const char *what, size_t count, size_t size_B) __attribute__((malloc));
void *need_realloc(const char *what, void *memory, size_t size_B);

#endif
