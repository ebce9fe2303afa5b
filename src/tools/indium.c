/* indium COMMAND ...: what the libraries do, one piece at a time, from the command line. */
#include "tools/indium.h"

#include <stdio.h>
#include <string.h>

const struct command *const commands[] = {
   &command_decode, &command_disasm,  &command_drivers, &command_format,   &command_gpus, &command_layout,
   &command_manual, &command_mutants, &command_order,   &command_replay,   &command_run,  &command_shader,
   &command_sparse, &command_trace,   &command_uav,     &command_varyings, &command_wave, NULL};

const struct command *
find_command(const char *name)
{
   for (unsigned i = 0; commands[i]; i++) {
      if (!strcmp(commands[i]->name, name))
         return commands[i];
   }
   return NULL;
}

static bool
is_help(const char *argument)
{
   return !strcmp(argument, "--help") || !strcmp(argument, "-h");
}

/* Anywhere in the arguments, which may be those of another program. */
static bool
wants_help(const struct command *command, char **argv)
{
   for (unsigned i = 1; argv[i] && (i == 1 || !command->runs_program); i++) {
      if (is_help(argv[i]))
         return true;
   }
   return false;
}

static int
print_commands(void)
{
   printf("usage: indium COMMAND ...\n\n");
   for (unsigned i = 0; commands[i]; i++)
      printf("  %-10s %s\n", commands[i]->name, commands[i]->purpose);
   printf("\nindium COMMAND --help shows the options of a command. Examples:\n\n");
   for (const struct example *example = examples; example->arguments; example++)
      printf("    indium %-46s %s\n", example->arguments, example->purpose);
   return 0;
}

/* The exit status: that of the command, if all that it printed arrived. */
static int
finish(int status)
{
   if (fflush(stdout) || ferror(stdout)) {
      perror("indium: standard output");
      return 2;
   }
   return status;
}

int
main(int argc, char **argv)
{
   if (argc < 2) {
      fprintf(stderr, "indium: name a command (indium --help lists them)\n");
      return 2;
   }
   if (is_help(argv[1]) || !strcmp(argv[1], "help"))
      return finish(print_commands());
   const struct command *command = find_command(argv[1]);
   if (!command) {
      fprintf(stderr, "indium: there is no command \"%s\" (indium --help lists them)\n", argv[1]);
      return 2;
   }
   if (wants_help(command, argv + 1)) {
      print_help(command);
      return finish(0);
   }
   return finish(command->run(argc - 1, argv + 1));
}
