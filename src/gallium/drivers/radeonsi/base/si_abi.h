/* User SGPRs: what a shader finds in s0 and following. Pointers are the low half of addresses in the 32-bit range.
 *
 *            vertex               fragment             compute
 *    s0      push constants       =                    =
 *    s1      dynamic buffers (V#) =                    =
 *    s2..s8  descriptor sets 0-6  =                    =
 *    s9      table of the others  =                    =
 *    s10     vertex table (V#)    scratch address      number of workgroups, 3 dwords
 *    s11     base vertex            (2 dwords)
 *    s12     base instance        sample positions
 *    s13     draw id                (2 dwords)
 *    s14     scratch address (2)                       scratch address (2)
 *    s16     provoking vertex
 *
 * The provoking vertex is there in NGG programs that export the primitive's number: where it stands in the word of a
 * primitive. In NGG all are behind eight SGPRs of the hardware. On GFX11, where vertex shaders find scratch by
 * themselves, the attribute ring's address stands in its place.
 */
#ifndef INDIUM_SI_ABI_H
#define INDIUM_SI_ABI_H

enum si_sgpr {
   SI_SGPR_PUSH_CONSTANTS = 0,
   SI_SGPR_DYNAMIC_BUFFERS = 1,
   SI_SGPR_SETS = 2,
   SI_SGPR_MORE_SETS = 9, /* address of a dword for each set from SI_DIRECT_SETS on */

   SI_SGPR_VS_VERTEX_TABLE = 10,
   SI_SGPR_VS_BASE_VERTEX = 11,
   SI_SGPR_VS_BASE_INSTANCE = 12,
   SI_SGPR_VS_DRAW_ID = 13,
   SI_SGPR_VS_SCRATCH = 14,
   SI_SGPR_VS_ATTRIBUTE_RING = 14,
   SI_SGPR_VS_COUNT = 16,
   SI_SGPR_VS_PROVOKING = 16,

   SI_SGPR_PS_SCRATCH = 10,
   SI_SGPR_PS_SAMPLE_POSITIONS = 12,
   SI_SGPR_PS_COUNT = 14,

   SI_SGPR_CS_NUM_WORKGROUPS = 10,
   SI_SGPR_CS_SCRATCH = 14,
   SI_SGPR_CS_COUNT = 16,
};

#define SI_DIRECT_SETS (SI_SGPR_MORE_SETS - SI_SGPR_SETS)

#endif
