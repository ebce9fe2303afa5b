/* indium COMMAND ...: what the libraries do, one piece at a time, from the command line. */
#include "tools/indium.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/macros.h"

static const struct {
   const char *name;
   int (*run)(int argc, char **argv);
   const char *purpose;
} commands[] = {
   {"format", command_format, "what an image format holds"},
   {"gpus", command_gpus, "the chips that run can show"},
   {"layout", command_layout, "where the bytes of an AGX image lie; draws it; checks measured layouts"},
   {"mutants", command_mutants, "known mistakes of the driver, and which check finds each"},
   {"run", command_run, "a program on a modelled GPU"},
   {"shader", command_shader, "compiles one shader: its nir, assembly and statistics"},
   {"trace", command_trace, "what a timeline of waves holds; draws it"},
};

int
usage_error(const char *command, const char *message, ...)
{
   va_list args;
   va_start(args, message);
   fprintf(stderr, "indium %s: ", command);
   vfprintf(stderr, message, args);
   fprintf(stderr, " (indium %s --help shows what it takes)\n", command);
   va_end(args);
   return 2;
}

bool
wants_help(int argc, char **argv)
{
   for (int i = 1; i < argc; i++) {
      if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
         return true;
   }
   return false;
}

static int
print_commands(void)
{
   printf("usage: indium COMMAND ...\n\n");
   for (unsigned i = 0; i < ARRAY_SIZE(commands); i++)
      printf("  %-10s %s\n", commands[i].name, commands[i].purpose);
   printf("\nindium COMMAND --help shows what a command takes.\n");
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
   if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
      return finish(print_commands());
   for (unsigned i = 0; i < ARRAY_SIZE(commands); i++) {
      if (strcmp(argv[1], commands[i].name))
         continue;
      return finish(commands[i].run(argc - 1, argv + 1));
   }
   fprintf(stderr, "indium: there is no command \"%s\" (indium --help lists them)\n", argv[1]);
   return 2;
}
