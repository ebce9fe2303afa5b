/* The generation that is modelled: whose registers and instructions the tables are asked for. */
#ifndef INDIUM_AMD_SIM_GEN_H
#define INDIUM_AMD_SIM_GEN_H

#include "amd/hw/gen.h"

#define AMD_SIM_GEN AMD_GFX10_3

#endif
