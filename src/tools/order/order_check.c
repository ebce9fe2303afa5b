/* indium order --check: `indium run` or `indium replay`, with a model that tries every draw in several orders and
 * reports at the end. */
#include "tools/order/order.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "amd/hw/chips.h"
#include "tools/launch/parts.h"

#define LET "sensitive draws that the driver let through: "

/* name=value, ahead of what the variable has. */
static void
prepend(const char *name, const char *value)
{
   const char *old = getenv(name);
   char *both = NULL;
   if (!old || !*old)
      setenv(name, value, 1);
   else if (asprintf(&both, "%s:%s", value, old) > 0)
      setenv(name, both, 1);
   free(both);
}

/* Draws in relaxed order are marked by a layer. */
static void
choose_layer(void)
{
   char manifest[PATH_MAX];
   if (!part_path(PART_ORDER_LAYER, manifest))
      return;
   *strrchr(manifest, '/') = 0;
   prepend(getenv("VK_LAYER_PATH") ? "VK_LAYER_PATH" : "VK_ADD_LAYER_PATH", manifest);
   prepend("VK_INSTANCE_LAYERS", "VK_LAYER_INDIUM_order");
}

static int
replay(const struct order_request *request)
{
   const char *arguments[7] = {NULL, request->replay};
   unsigned used = 2;
   if (request->gpu)
      arguments[used++] = "--gpu", arguments[used++] = request->gpu;
   if (request->schedule)
      arguments[used++] = "--schedule", arguments[used++] = request->schedule;
   return exec_part(&command_order, PART_AMDGPU_REPLAY, arguments);
}

/* Only returns when the program could not be started. */
static int
start(const struct order_request *request, const char *report, unsigned count, char **program)
{
   char **argv = calloc(count + 9, sizeof(*argv));
   unsigned used = 0;
   if (!argv)
      return usage_error("order", "out of memory");
   setenv("INDIUM_ORDER_CHECK", report, 1);
   if (request->seeds)
      setenv("INDIUM_ORDER_SEEDS", request->seeds, 1);
   if (request->replay)
      return replay(request);
   choose_layer();
   argv[used++] = "run";
   argv[used++] = "--gpu";
   argv[used++] = (char *)(request->gpu ? request->gpu : "vega10");
   argv[used++] = "--driver";
   argv[used++] = (char *)(request->driver ? request->driver : "indium");
   if (request->schedule) {
      argv[used++] = "--schedule";
      argv[used++] = (char *)request->schedule;
   }
   argv[used++] = "--";
   memcpy(argv + used, program, count * sizeof(*argv));
   return command_run.run((int)(used + count), argv);
}

/* Prints it; how many draws were let through that must not be, -1: there is no report. */
static long
print_report(FILE *file)
{
   char line[1024];
   long wrong = -1;
   while (fgets(line, sizeof(line), file)) {
      fputs(line, stdout);
      if (!strncmp(line, LET, sizeof(LET) - 1))
         wrong = (wrong < 0 ? 0 : wrong) + strtol(line + sizeof(LET) - 1, NULL, 10);
   }
   return wrong;
}

static int
wait_for(pid_t child)
{
   int status = 0;
   while (waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
   return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int
check(const struct order_request *request, const char *report, FILE *file, unsigned count, char **argv)
{
   fflush(NULL);
   const char *name = request->replay ? request->replay : argv[0];
   const pid_t child = fork();
   if (!child)
      _exit(start(request, report, count, argv));
   if (child < 0)
      return usage_error("order", "cannot run %s: %s", name, strerror(errno));
   const int status = wait_for(child);
   const long wrong = print_report(file);
   if (wrong < 0 && !status)
      return usage_error("order", "%s has drawn nothing on the model", name);
   return status ? status : wrong > 0;
}

static bool
is_count(const char *text)
{
   return *text >= '1' && *text <= '9' && strspn(text, "0123456789") == strlen(text) && strlen(text) <= 4 &&
          atoi(text) <= 1000;
}

int
order_check(const struct order_request *request, unsigned count, char **argv)
{
   char report[] = "/tmp/indium-order-XXXXXX";
   if (!count == !request->replay)
      return usage_error("order", count ? "a program or --replay FILE, not both" : "name a program to run");
   if (request->replay && request->driver)
      return usage_error("order", "--driver is an option of programs, not of recordings");
   if (request->gpu && !amd_chip_by_name(request->gpu))
      return usage_error("order", "no AMD chip is called \"%s\" (see: indium gpus)", request->gpu);
   if (request->seeds && !is_count(request->seeds))
      return usage_error("order", "--seeds is a number from 1 to 1000, not \"%s\"", request->seeds);
   const int fd = mkstemp(report);
   FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
   if (!file)
      return usage_error("order", "cannot write %s: %s", report, strerror(errno));
   const int status = check(request, report, file, count, argv);
   fclose(file);
   unlink(report);
   return status;
}
