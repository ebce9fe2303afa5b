/* indium manual: its manual pages, and what shells complete, from the tables of the commands. */
#include "tools/manual.h"

#include <string.h>

#include "tools/indium.h"
#include "tools/install_paths.h"
#include "util/macros.h"

/* Text of a page: every '-' is one, nothing is a request. */
static void
print_roff(const char *text)
{
   if (*text == '.' || *text == '\'')
      printf("\\&");
   for (; *text; text++) {
      if (*text == '-')
         printf("\\-");
      else if (*text == '\\')
         printf("\\e");
      else if (!strncmp(text, "\n\n", 2))
         printf("\n.PP");
      else
         putchar(*text);
   }
}

static void
print_head(const char *name, const char *purpose)
{
   printf(".TH \"");
   print_roff(name);
   printf("\" 1 \"\" \"Indium " INDIUM_VERSION "\"\n.SH NAME\n");
   print_roff(name);
   printf(" \\- ");
   print_roff(purpose);
   printf("\n.SH SYNOPSIS\n");
}

static void
print_option_page(const struct option *option)
{
   printf(".TP\n\\fB");
   print_roff(option->name);
   printf("\\fR");
   if (option->value) {
      printf("%s\\fI", before_value(option));
      print_roff(option->value);
      printf("\\fR%s", after_value(option));
   }
   printf("\n");
   print_roff(option->text);
   printf("\n");
}

static void
print_page(const struct command *command)
{
   char name[32];
   snprintf(name, sizeof(name), "indium-%s", command->name);
   print_head(name, command->purpose);
   for (unsigned i = 0; i < ARRAY_SIZE(command->synopsis) && command->synopsis[i]; i++) {
      printf("%s.B indium %s\n", i ? ".br\n" : "", command->name);
      print_roff(command->synopsis[i]);
      printf("\n");
   }
   printf(".SH DESCRIPTION\n");
   print_roff(command->text);
   printf("\n");
   if (command->options)
      printf(".SH OPTIONS\n");
   for (const struct option *option = command->options; option && option->name; option++)
      print_option_page(option);
   printf(".SH EXIT STATUS\n");
   print_roff(command->runs_program ? "That of the program; 2 if it could not be started." : EXIT_STATUS_TEXT);
   printf("\n.SH SEE ALSO\n.BR indium (1)\n");
}

static void
print_overview(void)
{
   print_head("indium", INDIUM_PURPOSE);
   printf(".B indium\n.I COMMAND\n\\&...\n.SH COMMANDS\n");
   for (unsigned i = 0; commands[i]; i++) {
      printf(".TP\n.BR indium\\-%s (1)\n", commands[i]->name);
      print_roff(commands[i]->purpose);
      printf("\n");
   }
   printf(".SH EXAMPLES\n");
   for (const struct example *example = examples; example->arguments; example++) {
      printf(".TP\n\\fBindium ");
      print_roff(example->arguments);
      printf("\\fR\n");
      print_roff(example->purpose);
      printf("\n");
   }
   printf(".SH EXIT STATUS\n");
   print_roff(EXIT_STATUS_TEXT);
   printf("\n");
}

static int
manual_main(int argc, char **argv)
{
   static const struct {
      const char *name;
      void (*print)(void);
   } shells[] = {{"bash", completion_bash}, {"fish", completion_fish}, {"zsh", completion_zsh}};
   int count = parse_options(&command_manual, argv, NULL);
   if (count < 0)
      return 2;
   const struct command *command = count == 2 ? find_command(argv[1]) : NULL;
   if (count && !strcmp(argv[0], "man") && (count == 1 || command)) {
      if (command)
         print_page(command);
      else
         print_overview();
      return 0;
   }
   for (unsigned i = 0; count == 1 && i < ARRAY_SIZE(shells); i++) {
      if (!strcmp(argv[0], shells[i].name)) {
         shells[i].print();
         return 0;
      }
   }
   return usage_error("manual", "name man, man and a command, bash, fish or zsh");
}

const struct command command_manual = {
   .name = "manual",
   .purpose = "prints its manual pages and shell completions",
   .synopsis = {"man [COMMAND]", "bash|fish|zsh"},
   .text = "Prints a manual page in the language of man(7), or a script that completes commands and options in a "
           "shell. An install puts all of them where man and the shells look.",
   .run = manual_main,
};
