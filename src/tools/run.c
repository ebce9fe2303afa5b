/* indium run: starts a program with the shim preloaded and one Vulkan driver chosen. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "amd/hw/chips.h"
#include "tools/indium.h"
#include "util/conformance_version.h"
#include "util/macros.h"

static const char usage[] =
   "usage: indium run [--gpu NAME] [--mode model|noop] [--driver indium|radv|FILE.json]\n"
   "                  [--schedule in-order|round-robin|seed=N|worst] [--races] [--budget N]\n"
   "                  [--trace FILE.json] [--dump-state FILE] [--conformance-version A.B.C.D] -- PROGRAM ARGS...\n\n"
   "Runs the program on a modelled GPU.\n"
   "  --gpu     one of `indium gpus`; navi21\n"
   "  --mode    model runs the submitted work, noop only signals that it is done; model\n"
   "  --driver  the Vulkan driver: this tree's, Debian's RADV, or a driver's manifest; indium\n"
   "  --schedule  which waves run next and when their stores land: in order, in turn, by random number N, or the\n"
   "            order most likely to break a program (youngest wave first, latest stores); in-order\n"
   "  --races   report accesses of overlapping pixel shader invocations that no ordered section separates,\n"
   "            on stderr\n"
   "  --budget  instructions that a wave may run until it counts as endless, an access of memory counting as 16;\n"
   "            134217728\n"
   "  --trace   write a timeline of all waves (see: indium trace); of several processes, the last one's\n"
   "  --dump-state  write the packets as they run, and all registers set so far before each draw and dispatch\n"
   "  --conformance-version  the release of Vulkan's conformance tests that this tree's driver says it passes, for\n"
   "            programs that use no driver without (1.3.5.2, say); 0.0.0.0, as it passes all of none yet\n";

#define SHIM "src/amd/drm-shim/libindium_amdgpu_shim.so"
#define ICD "src/gallium/frontends/vulkan/indium_icd.x86_64.json"
#define RADV "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json"
/* What keeps RADV's command streams plain: no compressed surfaces, the fixed-function geometry path, one buffer a
 * submit, no coarse shading. */
#define RADV_PLAIN                                                                                                   \
   "nohiz,nodcc,nofastclears,nofmask,nongg,nonggc,nobinning,nocompute,noibs,nooutoforder,novrsflatshading"

struct options {
   const char *gpu, *mode, *driver, *schedule, *budget, *trace, *dump, *conformance;
   bool races;
   char **program;
};

/* What the model takes as INDIUM_SCHEDULE. */
static bool
is_schedule(const char *text)
{
   if (!strcmp(text, "in-order") || !strcmp(text, "round-robin") || !strcmp(text, "worst"))
      return true;
   size_t digits = strncmp(text, "seed=", 5) ? 0 : strspn(text + 5, "0123456789");
   return digits && digits < 20 && !text[5 + digits];
}

static int
check_conformance(const struct options *options)
{
   uint8_t version[4];
   if (options->conformance && strcmp(options->driver, "indium"))
      return usage_error("run", "--conformance-version is an option of this tree's driver, not of %s",
                         options->driver);
   if (options->conformance && !conformance_version_parse(options->conformance, version))
      return usage_error("run", "the conformance version is " CONFORMANCE_VERSION_FORM ", not \"%s\"",
                         options->conformance);
   return 0;
}

/* What the model takes as INDIUM_BUDGET. */
static bool
is_budget(const char *text)
{
   size_t size_B = strlen(text);
   return size_B < 19 && strspn(text, "0123456789") == size_B && strspn(text, "0") < size_B;
}

static int
parse(int argc, char **argv, struct options *options)
{
   const struct {
      const char *name, **value;
   } valued[] = {{"--gpu", &options->gpu}, {"--mode", &options->mode}, {"--driver", &options->driver},
                {"--schedule", &options->schedule}, {"--budget", &options->budget},
                {"--trace", &options->trace},
                {"--dump-state", &options->dump}, {"--conformance-version", &options->conformance}};
   for (int i = 1; i < argc && !options->program; i++) {
      unsigned n = 0;
      const char *given = argv[i];
      while (n < ARRAY_SIZE(valued) && !option_value(valued[n].name, argv, &i, valued[n].value))
         n++;
      if (n < ARRAY_SIZE(valued) && !*valued[n].value)
         return usage_error("run", "%s needs a value", valued[n].name);
      if (n < ARRAY_SIZE(valued))
         continue;
      if (!strcmp(given, "--races")) {
         options->races = true;
         continue;
      }
      if (given[0] == '-' && strcmp(given, "--"))
         return usage_error("run", "there is no option %s", given);
      options->program = argv + i + !strcmp(given, "--");
   }
   if (!options->program || !options->program[0])
      return usage_error("run", "name a program to run");
   if (options->gpu && !amd_chip_by_name(options->gpu))
      return usage_error("run", "no chip is called \"%s\" (see: indium gpus)", options->gpu);
   if (options->mode && strcmp(options->mode, "model") && strcmp(options->mode, "noop"))
      return usage_error("run", "the mode is model or noop, not \"%s\"", options->mode);
   if (options->schedule && !is_schedule(options->schedule))
      return usage_error("run", "the schedule is in-order, round-robin, seed=N or worst, not \"%s\"",
                         options->schedule);
   if (options->budget && !is_budget(options->budget))
      return usage_error("run", "the budget is a number of instructions from 1 to 999999999999999999, not \"%s\"",
                         options->budget);
   return check_conformance(options);
}

/* The driver's manifest, absolute. 0 or an exit status. */
static int
find_driver(const char *driver, char path[PATH_MAX])
{
   size_t size_B = strlen(driver);
   bool is_file = size_B > 5 && !strcmp(driver + size_B - 5, ".json");
   if (!strcmp(driver, "radv"))
      strcpy(path, RADV);
   else if (!strcmp(driver, "indium"))
      build_path(ICD, path);
   else if (!is_file)
      return usage_error("run", "the driver is indium, radv or a .json file, not \"%s\"", driver);
   else if (!realpath(driver, path))
      return usage_error("run", "cannot read %s: %s", driver, strerror(errno));
   if (access(path, R_OK))
      return usage_error("run", "driver %s: cannot read %s: %s", driver, path, strerror(errno));
   return 0;
}

/* What the program's device replaces: a file that cannot be written is known before the program starts. absolute: the
 * program may change its directory. 0 or an exit status. */
static int
make_file(const char *path, const char *empty, char absolute[PATH_MAX])
{
   FILE *file = fopen(path, "w");
   bool written = file && fputs(empty, file) >= 0;
   if ((file && fclose(file)) || !written || !realpath(path, absolute))
      return usage_error("run", "cannot write %s: %s", path, strerror(errno));
   return 0;
}

/* Puts a path ahead of what a list of the environment holds. */
static void
put_ahead(const char *name, const char *path)
{
   const char *old = getenv(name);
   char both[2 * PATH_MAX];
   snprintf(both, sizeof(both), "%s%s%s", path, old && *old ? ":" : "", old ? old : "");
   setenv(name, both, 1);
}

/* A space ends an item of LD_PRELOAD, but not of LD_LIBRARY_PATH, where a bare name is looked for. */
static void
preload(char *shim)
{
   char *slash = strchr(shim, ' ') ? strrchr(shim, '/') : NULL;
   put_ahead("LD_PRELOAD", slash ? slash + 1 : shim);
   if (slash) {
      *slash = 0;
      put_ahead("LD_LIBRARY_PATH", shim);
   }
}

int
command_run(int argc, char **argv)
{
   struct options options = {.driver = "indium"};
   char shim[PATH_MAX], driver[PATH_MAX], trace[PATH_MAX], dump[PATH_MAX];
   if (argc > 1 && wants_help(2, argv)) {
      fputs(usage, stdout);
      return 0;
   }
   int status = parse(argc, argv, &options);
   status = status ? status : find_driver(options.driver, driver);
   if (status)
      return status;
   if (!build_path(SHIM, shim) || access(shim, R_OK))
      return usage_error("run", "cannot read %s: %s", shim, strerror(errno));
   if (options.trace && make_file(options.trace, "{\"traceEvents\": [\n]}\n", trace))
      return 2;
   if (options.dump && make_file(options.dump, "", dump))
      return 2;

   if (options.gpu)
      setenv("INDIUM_GPU", options.gpu, 1);
   if (options.mode)
      setenv("INDIUM_MODE", options.mode, 1);
   if (options.schedule)
      setenv("INDIUM_SCHEDULE", options.schedule, 1);
   if (options.conformance)
      setenv("INDIUM_CONFORMANCE_VERSION", options.conformance, 1);
   if (options.budget)
      setenv("INDIUM_BUDGET", options.budget, 1);
   if (options.trace)
      setenv("INDIUM_TRACE", trace, 1);
   if (options.dump)
      setenv("INDIUM_DUMP_STATE", dump, 1);
   if (options.races)
      setenv("INDIUM_RACES", "1", 1);
   preload(shim);
   setenv("VK_DRIVER_FILES", driver, 1);
   setenv("VK_ICD_FILENAMES", driver, 1);
   setenv("NODEVICE_SELECT", "1", 1); /* Mesa's layer would look for a display */
   if (!strcmp(options.driver, "radv"))
      setenv("RADV_DEBUG", RADV_PLAIN, 0);
   setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
   execvp(options.program[0], options.program);
   return usage_error("run", "cannot run %s: %s", options.program[0], strerror(errno));
}
