/* Modules of SPIR-V with cooperative matrices of 16x16, word by word: glslang and spirv-as of Debian 12 know none. */
#ifndef MATRIX_MODULE_H
#define MATRIX_MODULE_H

#include <spirv/unified1/spirv.h>
#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

enum { MATRIX_SIDE = 16, MATRIX_MAX_WORDS = 4096 };

enum matrix_place {
   MATRIX_A,
   MATRIX_B,
   MATRIX_C,
   MATRIX_RESULT,
   MATRIX_PLACES,
};

/* RESULT = C + the sum of A * B of tiles, in a loop. Binding `place` is an array of components; a tile follows the
 * other; within it rows or columns are a stride apart: specialization constant 0, 16 and 1, the number of rows. */
struct matrix_product {
   VkComponentTypeKHR factors[2], sum;
   bool saturates, by_columns[MATRIX_PLACES];
   bool shared; /* all but C pass through workgroup memory, whose lines are 16 apart */
   uint32_t lanes, tiles;
};

struct matrix_module {
   uint32_t words[MATRIX_MAX_WORDS], count;
};

bool matrix_is_float(VkComponentTypeKHR type);
bool matrix_is_signed(VkComponentTypeKHR type);
uint32_t matrix_bits(VkComponentTypeKHR type);

void matrix_product_module(const struct matrix_product *product, struct matrix_module *module);

#endif
