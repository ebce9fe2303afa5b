/* Kinds of the graphics core: those of several clusters (variants S, C, D of the chips) have an X. */
#ifndef INDIUM_ASAHI_HW_GEN_H
#define INDIUM_ASAHI_HW_GEN_H

enum agx_gen {
   AGX_G13,
   AGX_G13X,
   AGX_G14,
   AGX_G14X,
};
#define AGX_GEN_COUNT 4

#endif
