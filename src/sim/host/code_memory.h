/* Memory for code that is made while a model runs: it is written first and can be executed then, never both. */
#ifndef INDIUM_SIM_CODE_MEMORY_H
#define INDIUM_SIM_CODE_MEMORY_H

#include <stddef.h>

/* A copy of the bytes that can be executed, at a multiple of 4096. NULL: the host gives none. */
void *code_memory_create(const void *bytes, size_t size_B);
void code_memory_destroy(void *memory, size_t size_B);

#endif
