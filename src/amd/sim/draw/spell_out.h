/* What the targets of a draw that has ended hold, for who compares two runs of it. */
#ifndef INDIUM_AMD_SIM_SPELL_OUT_H
#define INDIUM_AMD_SIM_SPELL_OUT_H

struct amd_draw_memory;
struct amd_draw_state;

/* Writes what metadata stands for into the surfaces, everywhere: equal pictures are equal bytes then. */
void amd_draw_spell_out(const struct amd_draw_memory *memory);

enum amd_draw_place {
   AMD_DRAW_PLACE_COLOR,
   AMD_DRAW_PLACE_DEPTH,
   AMD_DRAW_PLACE_STENCIL,
   AMD_DRAW_PLACE_META,
   AMD_DRAW_PLACE_OTHER, /* no target: shaders have written it */
};

/* What lies at a place of the host's memory. */
enum amd_draw_place amd_draw_place(const struct amd_draw_memory *memory, const void *host);

/* The registers of the last draw, decoded. */
const struct amd_draw_state *amd_draw_last_state(const struct amd_draw_memory *memory);

#endif
