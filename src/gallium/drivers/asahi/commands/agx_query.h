#ifndef INDIUM_AGX_QUERY_H
#define INDIUM_AGX_QUERY_H

#include "gallium/include/pipe/p_handle.h"
#include "gallium/include/pipe/p_screen.h"

struct asahi_ws_bo;

#define AGX_NUM_STATISTICS 11

/* A slot: a word that is not 0 when the results are there, then from AGX_QUERY_VALUES_B on values of 64 bits. */
#define AGX_QUERY_VALUES_B 8

struct agx_query_pool {
   enum pipe_query_type type;
   uint32_t count;
   uint32_t values; /* of a slot */
   uint32_t slot_B;
   struct asahi_ws_bo *bo;
   uint32_t timestamps; /* the object that takes them, 0: none */
};
PIPE_HANDLE(agx, query_pool)

#endif
