/* For tests of the front for macOS where there is none. */
#ifndef INDIUM_ASAHI_WRAP_WRAP_MACOS_H
#define INDIUM_ASAHI_WRAP_WRAP_MACOS_H

/* What dyld does with each of them: whoever calls `replaced` gets `replacement`. */
struct wrap_macos_pair {
   const void *replacement, *replaced;
};

/* Elsewhere they stand in this section. */
#define WRAP_MACOS_SECTION "wrap_macos_pairs"

/* Forgets all, so that the next call begins anew: with the environment's outputs. */
void wrap_macos_reset(void);

#endif
