#include "random_pipeline.h"

static const uint32_t random_0_plain[] = {
#include "random_0_plain.inc"
};
static const uint32_t random_0_depth[] = {
#include "random_0_depth.inc"
};
static const uint32_t random_0_early[] = {
#include "random_0_early.inc"
};
static const uint32_t random_1_plain[] = {
#include "random_1_plain.inc"
};
static const uint32_t random_1_depth[] = {
#include "random_1_depth.inc"
};
static const uint32_t random_1_early[] = {
#include "random_1_early.inc"
};
static const uint32_t random_2_plain[] = {
#include "random_2_plain.inc"
};
static const uint32_t random_2_depth[] = {
#include "random_2_depth.inc"
};
static const uint32_t random_2_early[] = {
#include "random_2_early.inc"
};
static const uint32_t random_3_plain[] = {
#include "random_3_plain.inc"
};
static const uint32_t random_3_depth[] = {
#include "random_3_depth.inc"
};
static const uint32_t random_3_early[] = {
#include "random_3_early.inc"
};
static const uint32_t random_dual[] = {
#include "random_dual.inc"
};
static const uint32_t random_input[] = {
#include "random_input.inc"
};
static const uint32_t random_vertex[] = {
#include "random_vertex.inc"
};
static const uint32_t random_clip[] = {
#include "random_clip.inc"
};

#define CODE(array) {(array), sizeof(array)}
const struct vkt_code random_shaders[SHADERS] = {
   CODE(random_0_plain), CODE(random_0_depth), CODE(random_0_early), CODE(random_1_plain),
   CODE(random_1_depth), CODE(random_1_early), CODE(random_2_plain), CODE(random_2_depth),
   CODE(random_2_early), CODE(random_3_plain), CODE(random_3_depth), CODE(random_3_early),
   CODE(random_dual),    CODE(random_input),   CODE(random_vertex),  CODE(random_clip),
};
