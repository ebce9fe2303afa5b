/* Options from files of applications. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "gallium/auxiliary/aux_driconf.h"

#define DEVICE(text)      "<driconf>\n<device driver=\"indium\">\n" text "\n</device>\n</driconf>\n"
#define APPLICATION(text) DEVICE("<application name=\"Game\" executable=\"game\">\n" text "\n</application>")
#define OPTION(name, value) "<option name=\"" name "\" value=\"" value "\"/>"

struct row {
   const char *text;
   bool first, second;  /* of a process called game, where both were off */
   const char *message; /* NULL: it is well */
};

static const struct row rows[] = {
   {"<driconf/>", false, false, NULL},
   {APPLICATION(OPTION("first", "true")), true, false, NULL},
   {APPLICATION(OPTION("first", "true") OPTION("second", "true") OPTION("first", "false")), false, true, NULL},
   {DEVICE("<application name=\"All\">" OPTION("second", "true") "</application>"), false, true, NULL},
   {DEVICE("<application executable=\"other\">" OPTION("second", "true") "</application>"), false, false, NULL},
   {DEVICE("<application executable=\"other\"/><application executable=\"game\">" OPTION("first",
                                                                                         "true") "</application>"),
    true, false, NULL},
   {"<driconf><device driver=\"radeonsi\"><application executable=\"game\">" OPTION(
       "unknown", "3") "</application></device></driconf>",
    false, false, NULL},
   {"<driconf><device><application executable=\"game\">" OPTION("first", "true") "</application></device></driconf>",
    false, false, NULL},
   {DEVICE("<engine engine_name_match=\"x\">" OPTION("first", "true") "</engine>"), false, false, NULL},
   {DEVICE(OPTION("first", "true")), false, false, NULL},
   {DEVICE("<x><application executable=\"game\">" OPTION("first", "true") "</application></x>"), false, false, NULL},
   {"<?xml version=\"1.0\" standalone=\"yes\"?>\n<!DOCTYPE driconf [\n<!ELEMENT driconf (device+)>\n]>\n" APPLICATION(
       "<!-- <option/> -->" OPTION("first", "true")),
    true, false, NULL},

   {"", false, false, "line 1, column 1: no element found"},
   {"first=true", false, false, "line 1, column 6: not well-formed (invalid token)"},
   {"<driconf>", false, false, "line 1, column 10: no element found"},
   {"<options/>", false, false, "line 1, column 1: expected <driconf>, not <options>"},
   {APPLICATION(OPTION("first", "true") "</x>"), false, false, "line 4, column 38: mismatched tag"},
   {APPLICATION(OPTION("first", "true")) "more", false, false, "line 8, column 1: junk after document element"},
   {APPLICATION(OPTION("third", "true")), false, false,
    "line 4, column 1: there is no option \"third\"; there are: first, second"},
   {APPLICATION(OPTION("first", "true") OPTION("second", "yes")), false, false,
    "line 4, column 36: second: \"yes\" is neither true nor false"},
   {APPLICATION("<option name=\"first\"/>"), false, false, "line 4, column 1: an option has a name and a value"},
   {APPLICATION(OPTION("th\xc3\xa4rd", "true")), false, false,
    "line 4, column 1: there is no option \"th??rd\"; there are: first, second"},
   {"<driconf>\xff</driconf>", false, false, "line 1, column 10: not well-formed (invalid token)"},
};

static void
test_rows(void **state)
{
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct aux_driconf_option options[] = {{"first", false}, {"second", false}};
      char message[AUX_DRICONF_MESSAGE_B] = "";
      bool ok = aux_driconf_parse(rows[i].text, strlen(rows[i].text), "game", options, 2, message);

      if (ok != !rows[i].message || strcmp(message, rows[i].message ? rows[i].message : ""))
         fail_msg("%s: \"%s\"", rows[i].text, message);
      if (options[0].value != rows[i].first || options[1].value != rows[i].second)
         fail_msg("%s: %d, %d", rows[i].text, options[0].value, options[1].value);
   }
}

static void
write_options(const char *path, const char *executable, const char *name, const char *value)
{
   FILE *file = fopen(path, "w");

   assert_non_null(file);
   fprintf(file, DEVICE("<application executable=\"%s\"><option name=\"%s\" value=\"%s\"/></application>"),
           executable, name, value);
   fclose(file);
}

/* ~/.drirc, or the file that is named. This process is test_aux_driconf. */
static void
test_files(void **state)
{
   char folder[] = "/tmp/test_driconf_XXXXXX", home[64], named[64];
   struct aux_driconf_option options[] = {{"first", false}, {"second", false}};

   assert_non_null(mkdtemp(folder));
   snprintf(home, sizeof(home), "%s/.drirc", folder);
   snprintf(named, sizeof(named), "%s/named", folder);
   write_options(home, "test_aux_driconf", "first", "true");
   write_options(named, "test_aux_driconf", "second", "true");
   setenv("HOME", folder, 1);
   unsetenv("INDIUM_DRIRC");
   aux_driconf(options, 2);
   assert_true(options[0].value && !options[1].value);
   options[0].value = false;
   setenv("INDIUM_DRIRC", named, 1);
   aux_driconf(options, 2);
   assert_true(!options[0].value && options[1].value);
   /* Nothing is there; is a folder; is no XML: one line on stderr, and nothing changes. */
   setenv("INDIUM_DRIRC", "/nonexistent", 1);
   aux_driconf(options, 2);
   setenv("INDIUM_DRIRC", folder, 1);
   aux_driconf(options, 2);
   setenv("INDIUM_DRIRC", "/proc/self/exe", 1);
   aux_driconf(options, 2);
   setenv("INDIUM_DRIRC", "", 1);
   aux_driconf(options, 2);
   assert_true(!options[0].value && options[1].value);
   unlink(home);
   unlink(named);
   rmdir(folder);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_files)};

   return cmocka_run_group_tests(tests, NULL, NULL);
}
