/* Spilling: brings the number of live registers under the limits. */
#include "amd/compiler/aco_ir.h"

void
aco_spill(struct aco_program *program)
{
   aco_liveness(program);
}
