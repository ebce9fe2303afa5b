/* The `indium` command: one row of the table in indium.c and one file for each subcommand. */
#ifndef INDIUM_TOOLS_INDIUM_H
#define INDIUM_TOOLS_INDIUM_H

#include "tools/command.h"

extern const struct command command_decode, command_disasm, command_drivers, command_format, command_gpus,
   command_layout, command_manual, command_mutants, command_order, command_replay, command_run, command_shader,
   command_sparse, command_trace, command_uav, command_varyings, command_wave;

/* By name; NULL behind the last. */
extern const struct command *const commands[];

/* NULL: there is none. */
const struct command *find_command(const char *name);

#endif
