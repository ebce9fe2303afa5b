/* Generations of the graphics core. Tables of registers and instructions have one column per value. */
#ifndef INDIUM_AMD_HW_GEN_H
#define INDIUM_AMD_HW_GEN_H

enum amd_gen {
   AMD_GFX9,
   AMD_GFX10,
   AMD_GFX10_3,
   AMD_GFX11,
   AMD_GFX11_5,
};
#define AMD_GEN_COUNT 5

/* Ends the program: a table was asked for something that a generation does not have, which is a mistake of the asker.
 */
_Noreturn void amd_gen_lacks(enum amd_gen gen, const char *what);

#endif
