/* The timeline writer: the file is whole whenever the process ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "sim/waves/trace.h"

static char path[] = "/tmp/indium_trace_XXXXXX";

static int
setup(void **state)
{
   int file = mkstemp(path);
   return file < 0 ? -1 : close(file);
}

static int
teardown(void **state)
{
   return unlink(path);
}

static char *
read_file(void)
{
   FILE *file = fopen(path, "r");
   assert_non_null(file);
   fseek(file, 0, SEEK_END);
   size_t size_B = (size_t)ftell(file);
   char *text = calloc(1, size_B + 1);
   rewind(file);
   assert_int_equal(fread(text, 1, size_B, file), size_B);
   fclose(file);
   return text;
}

/* Lines: the head, one for each event with a comma after all but the last, closing brackets. Returns the events. */
static unsigned
check_whole(char *text)
{
   unsigned events = 0;
   char *rest = text, *line = strsep(&rest, "\n");
   assert_string_equal(line, "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [");
   for (line = strsep(&rest, "\n"); line && *line == '{'; line = strsep(&rest, "\n"), events++) {
      size_t size = strlen(line);
      bool last = !strncmp(rest, "]}", 2);
      assert_string_equal(line + size - (last ? 1 : 2), last ? "}" : "},");
   }
   assert_string_equal(line, "]}");
   assert_string_equal(rest, "");
   return events;
}

static void
all_kinds(void **state)
{
   struct sim_trace *t = sim_trace_open(path);
   sim_trace_name_process(t, 3, "p");
   sim_trace_name_thread(t, 3, 4, "t");
   sim_trace_span(t, 3, 4, "wave", "w", 10, 30, "\"id\":5");
   sim_trace_span(t, 3, 4, "wait", "w", 30, 20, "");
   sim_trace_flush(t);
   sim_trace_instant(t, 3, 4, "export", "e", 25);
   sim_trace_counter(t, 3, "c", 26, 27);
   sim_trace_close(t);
   char *text = read_file();
   assert_string_equal(
      text,
      "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n"
      "{\"ph\":\"M\",\"pid\":3,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"p\"}},\n"
      "{\"ph\":\"M\",\"pid\":3,\"tid\":4,\"name\":\"thread_name\",\"args\":{\"name\":\"t\"}},\n"
      "{\"ph\":\"X\",\"pid\":3,\"tid\":4,\"name\":\"w\",\"cat\":\"wave\",\"ts\":10,\"dur\":20,\"args\":{\"id\":5}},\n"
      "{\"ph\":\"X\",\"pid\":3,\"tid\":4,\"name\":\"w\",\"cat\":\"wait\",\"ts\":30,\"dur\":0},\n"
      "{\"ph\":\"i\",\"pid\":3,\"tid\":4,\"name\":\"e\",\"cat\":\"export\",\"ts\":25,\"s\":\"t\"},\n"
      "{\"ph\":\"C\",\"pid\":3,\"tid\":0,\"name\":\"c\",\"ts\":26,\"args\":{\"value\":27}}\n]}\n");
   free(text);
}

/* A process that dies after any number of events, with or without a flush. */
static void
sudden_death(void **state)
{
   static const unsigned counts[] = {0, 1, 100, 20000, 40001};
   for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
      for (unsigned flush = 0; flush < 2; flush++) {
         pid_t child = fork();
         if (!child) {
            struct sim_trace *t = sim_trace_open(path);
            for (unsigned n = 0; n < counts[i]; n++)
               sim_trace_span(t, 1, n & 7, "wave", "a wave", n, n + 5, "\"some\":1");
            if (flush)
               sim_trace_flush(t);
            _exit(0);
         }
         int status;
         assert_int_equal(waitpid(child, &status, 0), child);
         char *text = read_file();
         unsigned events = check_whole(text);
         if (flush)
            assert_int_equal(events, counts[i]);
         else
            assert_true(events <= counts[i] && events + 20000 > counts[i]);
         free(text);
      }
   }
}

/* The child of a fork writes nothing, whatever it does. */
static void
forks(void **state)
{
   struct sim_trace *t = sim_trace_open(path);
   sim_trace_span(t, 1, 1, "wave", "mine", 0, 1, "");
   pid_t child = fork();
   if (!child) {
      sim_trace_span(t, 1, 1, "wave", "the child's", 0, 1, "");
      sim_trace_flush(t);
      _exit(0);
   }
   int status;
   waitpid(child, &status, 0);
   sim_trace_span(t, 1, 1, "wave", "mine too", 1, 2, "");
   sim_trace_close(t);
   char *text = read_file();
   assert_null(strstr(text, "child"));
   assert_int_equal(check_whole(text), 2);
   free(text);
}

static void
no_place(void **state)
{
   assert_null(sim_trace_open("/nowhere/trace.json"));
   sim_trace_close(NULL);
   /* A full disk is said once, and ends the timeline, not the program. */
   struct sim_trace *t = sim_trace_open("/dev/full");
   sim_trace_span(t, 1, 1, "wave", "w", 0, 1, "");
   sim_trace_close(t);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_kinds),
      cmocka_unit_test(sudden_death),
      cmocka_unit_test(forks),
      cmocka_unit_test(no_place),
   };
   return cmocka_run_group_tests(tests, setup, teardown);
}
