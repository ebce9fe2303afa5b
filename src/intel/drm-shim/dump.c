/* What is submitted, as text (INDIUM_DUMP_STATE). */
#include "intel/drm-shim/intel_shim.h"

void
intel_dump_start(void)
{
}

void
intel_dump_submit(const struct intel_exec *exec, const char *engine, const struct intel_exec_object *batch)
{
}
