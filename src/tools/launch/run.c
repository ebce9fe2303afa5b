/* indium run: starts a program with the shim preloaded and one driver chosen. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/launch/display.h"
#include "tools/launch/driver_table.h"
#include "tools/indium.h"
#include "tools/launch/mesa_shim.h"
#include "tools/launch/opengl.h"
#include "tools/launch/parts.h"
#include "tools/launch/peers.h"
#include "tools/launch/plain.h"
#include "tools/launch/supervise.h"
#include "tools/launch/vendors.h"
#include "tools/launch/watch.h"
#include "util/conformance_version.h"
#include "util/macros.h"
#include "util/read_file.h"

#define SYSTEM_MANIFESTS "/usr/share/vulkan/icd.d/"

enum { MAX_MANIFEST_B = 1 << 20 };

struct request {
   const char *gpu, *mode, *shim, *driver, *schedule, *budget, *trace, *dump, *record, *wrap, *conformance, *plain,
      *report, *gl;
   bool races, out_of_order, card;
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
check_conformance(const struct request *request)
{
   uint8_t version[4];
   if (request->conformance && strcmp(request->driver, "indium"))
      return usage_error("run", "--conformance-version is an option of this tree's driver, not of %s",
                         request->driver);
   if (request->conformance && !conformance_version_parse(request->conformance, version))
      return usage_error("run", "the conformance version is " CONFORMANCE_VERSION_FORM ", not \"%s\"",
                         request->conformance);
   return 0;
}

/* What the model takes as INDIUM_BUDGET. */
static bool
is_budget(const char *text)
{
   size_t size_B = strlen(text);
   return size_B < 19 && strspn(text, "0123456789") == size_B && strspn(text, "0") < size_B;
}

/* The chip that is asked for. NULL: none. */
static const char *
chip_name(const struct request *request)
{
   return request->gpu ? request->gpu : getenv("INDIUM_GPU");
}

/* Some shims record the jobs of the model, some also what is submitted in noop mode. */
static bool
records_noop(const struct request *request)
{
   const char *chip = chip_name(request);
   const struct vendor *vendor = chip ? vendor_of_chip(vendors, chip) : NULL;
   return vendor && vendor->records_noop;
}

/* The chip's only mode is noop. */
static bool
has_no_model(const struct request *request)
{
   const char *chip = chip_name(request);
   const struct vendor *vendor = chip ? vendor_of_chip(vendors, chip) : NULL;
   return vendor && !vendor->has_model;
}

struct asked {
   const char *option;
   bool is_asked;
};

/* The first option that is asked for, or NULL. */
static const char *
first_asked(const struct asked *rows, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (rows[i].is_asked)
         return rows[i].option;
   }
   return NULL;
}

/* What is asked for that only a model does, or NULL. */
static const char *
modelled_option(const struct request *request)
{
   const struct asked rows[] = {
      {"--mode model", request->mode && !strcmp(request->mode, "model")},
      {"--schedule", request->schedule},
      {"--races", request->races},
      {"--budget", request->budget},
      {"--trace", request->trace},
      {"--record", request->record},
   };
   return first_asked(rows, ARRAY_SIZE(rows));
}

/* Of a chip that has no model. 0 or an exit status. */
static int
check_modelled(const struct request *request)
{
   const char *option = modelled_option(request);
   return option ? usage_error("run",
                               "%s: there is no model of %s: its submissions are accepted and nothing runs "
                               "(--mode noop, the default with it); --dump-state writes them",
                               option, chip_name(request))
                 : 0;
}

static bool
has_mesa_shim(const struct request *request)
{
   return !strcmp(request->shim, "mesa");
}

/* 0 or an exit status. */
static int
check_shim(const struct request *request)
{
   const struct asked rows[] = {
      {"--out-of-order", request->out_of_order},
      {"--dump-state", request->dump},
      {"--report", request->report},
      {"--wrap", request->wrap},
      {"--card", request->card},
   };
   const char *option = modelled_option(request);
   if (!has_mesa_shim(request))
      return strcmp(request->shim, "indium")
                ? usage_error("run", "the shim is indium or mesa, not \"%s\"", request->shim)
                : 0;
   option = option ? option : first_asked(rows, ARRAY_SIZE(rows));
   if (option)
      return usage_error("run", "%s is an option of this tree's shims: Mesa's accept submissions and run nothing",
                         option);
   if (!mesa_shim_of_chip(chip_name(request)))
      return usage_error("run", "Mesa's drm-shims have no chip that is %s", chip_name(request));
   return 0;
}

/* The driver's, where none is asked for. */
static void
choose_chip(struct request *request)
{
   const struct driver *driver = driver_by_name(request->driver);
   if (driver && !chip_name(request))
      request->gpu = driver->chip;
   if (has_mesa_shim(request) && !chip_name(request))
      request->gpu = "navi21"; /* as this tree's shim */
}

static int
parse(char **argv, struct request *request)
{
   int count = parse_options(&command_run, argv, request);
   if (count < 0)
      return 2;
   if (!count)
      return usage_error("run", "name a program to run");
   choose_chip(request);
   if (request->gpu && !vendor_of_chip(vendors, request->gpu))
      return usage_error("run", "no chip is called \"%s\" (see: indium gpus)", request->gpu);
   if (request->mode && strcmp(request->mode, "model") && strcmp(request->mode, "noop"))
      return usage_error("run", "the mode is model or noop, not \"%s\"", request->mode);
   int status = check_shim(request);
   if (!status && has_no_model(request))
      status = check_modelled(request);
   if (status)
      return status;
   if (request->record && request->mode && !strcmp(request->mode, "noop") && !records_noop(request))
      return usage_error("run", "--record records what the model runs, and --mode noop runs nothing");
   if (request->report && request->mode && !strcmp(request->mode, "noop"))
      return usage_error("run", "--report counts what the model runs, and --mode noop runs nothing");
   if (request->races && request->mode && !strcmp(request->mode, "noop"))
      return usage_error("run", "--races checks what the model runs, and --mode noop runs nothing");
   if (request->schedule && !is_schedule(request->schedule))
      return usage_error("run", "the schedule is in-order, round-robin, seed=N or worst, not \"%s\"",
                         request->schedule);
   if (request->budget && !is_budget(request->budget))
      return usage_error("run", "the budget is a number of instructions from 1 to 999999999999999999, not \"%s\"",
                         request->budget);
   if (request->plain && !is_plain(request->plain))
      return usage_error("run", "--plain takes a list of " PLAIN_GROUPS ", not \"%s\"", request->plain);
   return check_conformance(request);
}

/* 0 or an exit status. */
static int
find_part(enum part part, char path[PATH_MAX])
{
   if (!part_path(part, path))
      return usage_error("run", "the path of this command is not known, or too long");
   if (access(path, R_OK))
      return usage_error("run", "cannot read %s: %s", path, strerror(errno));
   return 0;
}

/* Of the vendor of the chip that is asked for. The first row's shim, when there is none, also says what is wrong with
 * INDIUM_GPU. */
static enum part
shim_part(const struct request *request)
{
   const char *chip = chip_name(request);
   const struct vendor *vendor = chip ? vendor_of_chip(vendors, chip) : NULL;
   return vendor ? vendor->shim : vendors[0].shim;
}

/* Where what is asked for lies, all absolute. */
struct found {
   const struct driver *driver; /* NULL: a manifest that the user named */
   char root[PATH_MAX];         /* of its release of bin/peers; empty: there is none */
   char manifest[PATH_MAX], shim[PATH_MAX];
   char shim_root[PATH_MAX]; /* of Mesa's drm-shims; empty: the shim is this tree's */
   const struct mesa_shim *mesa_shim;
   char tracer[PATH_MAX]; /* of --wrap; empty: without */
};

static int
check_readable(const char *driver, const char *path)
{
   return access(path, R_OK) ? usage_error("run", "driver %s: cannot read %s: %s", driver, path, strerror(errno)) : 0;
}

/* Mesa up to 24 names the processor in it. Without either it is the path of a newer Mesa's. False if it is too long.
 */
static bool
manifest_path(const struct driver *driver, const char *root, char path[PATH_MAX])
{
   static const char *const endings[] = {".x86_64.json", ".json"};
   for (unsigned i = 0; i < ARRAY_SIZE(endings); i++) {
      if (snprintf(path, PATH_MAX, "%s" SYSTEM_MANIFESTS "%s%s", root, driver->manifest, endings[i]) >= PATH_MAX)
         return false;
      if (!access(path, F_OK))
         break;
   }
   return true;
}

/* The loader would pass over what is none, and the program would find no GPU. 0 or an exit status. */
static int
check_manifest(const char *path)
{
   size_t size_B;
   char *text = read_file(path, MAX_MANIFEST_B, &size_B);
   if (!text && errno != EFBIG)
      return usage_error("run", "cannot read %s: %s", path, strerror(errno));
   const bool names_library = text && strlen(text) == size_B && strstr(text, "\"library_path\"");
   free(text);
   return names_library ? 0 : usage_error("run", "%s is no manifest of a Vulkan driver: no \"library_path\"", path);
}

/* A driver that stands in the system or in a release of bin/peers. 0 or an exit status. */
static int
find_named_driver(struct found *found)
{
   const struct driver *driver = found->driver;
   char gl[PATH_MAX];
   int status = find_peer(driver, found->root);
   if (status)
      return status;
   if (!manifest_path(driver, found->root, found->manifest) ||
       snprintf(gl, PATH_MAX, "%s" PEER_LIBRARIES "/dri/%s", found->root, driver->gl ? driver->gl : "") >= PATH_MAX)
      return usage_error("run", "driver %s: %s: its path is too long", driver->name, found->root);
   status = check_readable(driver->name, found->manifest);
   return status || !driver->gl ? status : check_readable(driver->name, gl);
}

/* 0 or an exit status. */
static int
find_driver(const char *name, struct found *found)
{
   size_t size_B = strlen(name);
   found->driver = driver_by_name(name);
   found->root[0] = 0;
   if (found->driver)
      return found->driver->manifest ? find_named_driver(found) : find_part(PART_DRIVER, found->manifest);
   if (size_B <= 5 || strcmp(name + size_B - 5, ".json"))
      return usage_error("run", "there is no driver \"%s\": a .json file, or one of " DRIVER_NAMES, name);
   if (!realpath(name, found->manifest))
      return usage_error("run", "cannot read %s: %s", name, strerror(errno));
   return check_manifest(found->manifest);
}

/* list: words with blanks between them; NULL: all words. */
static bool
is_listed(const char *list, const char *word)
{
   size_t size_B = strlen(word);
   for (const char *at = list; at && (at = strstr(at, word)); at += size_B) {
      if ((at == list || at[-1] == ' ') && (!at[size_B] || at[size_B] == ' '))
         return true;
   }
   return !list;
}

/* 0 or an exit status. */
static int
check_chip(const struct request *request)
{
   const struct driver *driver = driver_by_name(request->driver);
   const char *chip = chip_name(request);
   const struct vendor *vendor = chip ? vendor_of_chip(vendors, chip) : NULL;
   if (vendor && driver && driver->chip &&
       (vendor != vendor_of_chip(vendors, driver->chip) || !is_listed(driver->chips, chip)))
      return usage_error("run", "driver %s is not for %s", driver->name, chip);
   if (driver && !driver->manifest && has_no_model(request))
      return usage_error("run", "this tree has no driver for %s: --driver names another", chip);
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

/* 0, or 2 with a message: the loaders take lists of paths, which these characters part. */
static int
check_listable(const char *path)
{
   return strpbrk(path, ":;") ? usage_error("run", "cannot load %s: its path has a ':' or ';'", path) : 0;
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

/* 0 or an exit status. */
static int
find_shim(const struct request *request, struct found *found)
{
   found->shim_root[0] = 0;
   if (!has_mesa_shim(request))
      return find_part(shim_part(request), found->shim);
   found->mesa_shim = mesa_shim_of_chip(chip_name(request));
   int status = find_shim_peer(found->shim_root);
   if (status)
      return status;
   const bool is_mesa = found->driver && found->driver->manifest;
   if ((is_mesa && !found->root[0]) || (found->root[0] && !has_loader(found->root)))
      return usage_error("run",
                         "%s is older than Mesa's drm-shims: they write longer answers than its drivers expect",
                         is_mesa ? found->driver->name : request->gl);
   if (snprintf(found->shim, PATH_MAX, "%s" PEER_LIBRARIES "/%s", found->shim_root, found->mesa_shim->library) >=
       PATH_MAX)
      return usage_error("run", "shim mesa: %s: its path is too long", found->shim_root);
   return access(found->shim, R_OK) ? usage_error("run", "cannot read %s: %s", found->shim, strerror(errno)) : 0;
}

/* 0 or an exit status. */
static int
find_all(const struct request *request, struct found *found)
{
   int status = check_chip(request);
   status = status ? status : find_driver(request->driver, found);
   if (!status && request->gl)
      status = find_opengl(request->gl, found->driver, found->root);
   if (!status && request->plain && !found->driver)
      status =
         usage_error("run", "--plain is for drivers by name: what keeps %s plain is not known", request->driver);
   if (!status && request->out_of_order && shim_part(request) != PART_AMDGPU_SHIM)
      status = usage_error("run", "--out-of-order: only the models of AMD's chips change the order of primitives");
   if (!status && request->report && shim_part(request) != PART_AMDGPU_SHIM)
      status = usage_error("run", "--report: only the models of AMD's chips count what they run");
   if (!status && request->wrap && shim_part(request) != PART_ASAHI_SHIM)
      status = usage_error("run", "--wrap: the tracer is of AGX");
   status = status ? status : find_shim(request, found);
   found->tracer[0] = 0;
   if (!status && request->wrap)
      status = find_part(PART_ASAHI_WRAP, found->tracer);
   status = status ? status : check_listable(found->tracer);
   status = status ? status : check_listable(found->manifest);
   status = status ? status : check_listable(found->root);
   return status ? status : check_listable(found->shim);
}

static void
set_driver_environment(struct found *found, const struct request *request)
{
   if (found->root[0])
      set_peer_environment(found->root);
   if (!found->shim_root[0])
      preload(found->shim);
   else if (found->mesa_shim->choice.name)
      setenv(found->mesa_shim->choice.name, found->mesa_shim->choice.value, 1);
   if (found->tracer[0])
      preload(found->tracer); /* ahead of the shim, which it takes for the kernel */
   setenv("VK_DRIVER_FILES", found->manifest, 1);
   setenv("VK_ICD_FILENAMES", found->manifest, 1);
   setenv("NODEVICE_SELECT", "1", 1); /* Mesa's layer would look for a display */
   setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
   for (const struct setting *it = found->driver ? found->driver->needs : NULL; it && it->name; it++)
      setenv(it->name, it->value, 1);
   if (request->gl)
      set_opengl_environment();
   if (request->plain && found->driver)
      set_plain(found->driver, request->plain);
}

/* Mesa's drivers refuse a display that takes no buffers of GPUs, unless they are told to copy pictures to it. The
 * user's own settings stay. */
static void
set_copies_to_display(const struct driver *driver, bool has_opengl)
{
   const bool is_mesa = driver && driver->manifest;
   const char *copies = is_mesa || has_opengl ? display_copies() : NULL;
   if (!copies)
      return;
   if (is_mesa)
      setenv("MESA_VK_WSI_DEBUG", copies, 0);
   setenv("LIBGL_KOPPER_DRI2", "1", 0); /* of Zink: its windows are of Vulkan */
}

static bool
runs_nothing(const struct request *request)
{
   const char *mode = getenv("INDIUM_MODE");
   return has_no_model(request) || (mode && !strcmp(mode, "noop"));
}

/* What the tracer writes: a recording, or words on stderr where the user names no file for them. 0 or an exit status.
 */
static int
set_wrap(const char *path)
{
   char absolute[PATH_MAX];
   if (!path)
      return 0;
   if (*path && make_file(path, "", absolute))
      return 2;
   if (*path)
      return setenv("INDIUM_WRAP", absolute, 1);
   unsetenv("INDIUM_WRAP");
   return setenv("AGXDECODE_DUMP_FILE", "stderr", 0);
}

static bool
draws_on_cpu(const struct driver *driver)
{
   return driver && driver->manifest && !driver->chip;
}

/* A chip that the environment names wrongly is the shim's to report, and there is no device. */
static void
watch_chip(const struct request *request, const struct found *found)
{
   const char *chip = chip_name(request) ? chip_name(request) : "navi21"; /* as the shim */
   if (vendor_of_chip(vendors, chip) && !draws_on_cpu(found->driver))
      watch_submits(chip, request->driver, runs_nothing(request));
}

/* In this process's place; an exit status when that fails. */
static int
start_program(const struct found *found, char **argv)
{
   if (found->shim_root[0])
      return exec_with_shim(found->root, found->shim_root, found->mesa_shim->library, argv);
   if (found->root[0])
      return exec_in_peer(found->root, argv);
   execvp(argv[0], argv);
   return usage_error("run", "cannot run %s: %s", argv[0], strerror(errno));
}

/* The program's status, or 1 where that is 0 and the device got no submits: an OpenGL program takes Mesa's driver for
 * the processor where Zink does not start. */
static int
start_supervised(const struct found *found, char **argv)
{
   int status;
   if (supervise(&status)) {
      status = start_program(found, argv);
      watch_nothing();
      _exit(status);
   }
   return watch_end() && !status ? 1 : status;
}

static int
run_main(int argc, char **argv)
{
   struct request request = {.driver = "indium", .shim = "indium"};
   struct found found;
   char trace[PATH_MAX], dump[PATH_MAX], record[PATH_MAX], report[PATH_MAX] = "-";
   int status = parse(argv, &request);
   status = status ? status : find_all(&request, &found);
   if (status)
      return status;
   if (request.trace && make_file(request.trace, "{\"traceEvents\": [\n]}\n", trace))
      return 2;
   if (request.dump && make_file(request.dump, "", dump))
      return 2;
   if (request.record && make_file(request.record, "", record))
      return 2;
   if (request.report && *request.report && make_file(request.report, "", report))
      return 2;
   if (set_wrap(request.wrap))
      return 2;

   if (request.gpu)
      setenv("INDIUM_GPU", request.gpu, 1);
   if (request.mode)
      setenv("INDIUM_MODE", request.mode, 1);
   if (request.schedule)
      setenv("INDIUM_SCHEDULE", request.schedule, 1);
   if (request.conformance)
      setenv("INDIUM_CONFORMANCE_VERSION", request.conformance, 1);
   if (request.budget)
      setenv("INDIUM_BUDGET", request.budget, 1);
   if (request.trace)
      setenv("INDIUM_TRACE", trace, 1);
   if (request.dump) {
      setenv("INDIUM_DUMP_STATE", dump, 1);
      setenv("ASAHI_LAYOUTS", dump, 1);
   }
   if (request.record)
      setenv("INDIUM_RECORD", record, 1);
   if (request.races)
      setenv("INDIUM_RACES", "1", 1);
   if (request.out_of_order)
      setenv("INDIUM_OUT_OF_ORDER", "1", 1);
   if (request.card)
      setenv("INDIUM_CARD", "1", 1);
   if (request.report)
      setenv("INDIUM_REPORT", report, 1);
   set_copies_to_display(found.driver, request.gl);
   if (!found.shim_root[0])
      watch_chip(&request, &found);
   set_driver_environment(&found, &request);
   if (request.gl)
      return start_supervised(&found, argv);
   status = start_program(&found, argv);
   watch_nothing();
   return status;
}

static const struct option options[] = {
   {"--gpu", "CHIP", offsetof(struct request, gpu), "the GPU, one of indium gpus; default navi21"},
   {"--mode", "model|noop", offsetof(struct request, mode),
    "model runs the submitted work, noop only signals that it is done; default model, or noop for chips without "
    "a model"},
   {"--shim", "indium|mesa", offsetof(struct request, shim),
    "the drm-shim: this tree's, or Mesa's (fetched by bin/peers), which accepts submissions and runs nothing; "
    "default indium"},
   {"--driver", DRIVER_NAMES "|FILE.json", offsetof(struct request, driver),
    "the driver: Indium's; that of the system's Mesa (RADV for Vulkan, radeonsi for OpenGL); those of Mesa 25, "
    "26 and Debian's newest (fetched by bin/peers); Intel's (crocus and iris for OpenGL, hasvk for Vulkan); or a "
    "Vulkan driver's manifest; default indium"},
   {"--gl", OPENGL_NAMES, offsetof(struct request, gl),
    "OpenGL programs run with Zink, which draws with the Vulkan driver: that of the system's Mesa, or of Mesa 25, 26 "
    "and Debian's newest. A Vulkan driver of Mesa is then of the same release. If the GPU gets no submits, the run "
    "fails with status 1"},
   {"--plain", "=" PLAIN_GROUPS, offsetof(struct request, plain),
    "turn off features of other people's drivers by RADV_DEBUG or AMD_DEBUG, unless the user has set these: all "
    "groups, or a list with commas; by default drivers run as they are"},
   {"--schedule", "in-order|round-robin|seed=N|worst", offsetof(struct request, schedule),
    "which waves run next and when their stores land: in order, in turn, by random number N, or the order most "
    "likely to break a program (youngest wave first, latest stores); default in-order"},
   {"--races", NULL, offsetof(struct request, races),
    "report on stderr accesses of overlapping pixel shader invocations that no ordered section orders, and LDS "
    "accesses of a group's waves that no barrier orders"},
   {"--out-of-order", NULL, offsetof(struct request, out_of_order),
    "rasterise all draws out of order, as --schedule says, even where the driver or the chip does not allow it "
    "(AMD)"},
   {"--card", NULL, offsetof(struct request, card),
    "add the node of a card without displays, /dev/dri/card0, to the render node"},
   {"--budget", "N", offsetof(struct request, budget),
    "instructions after which a wave counts as endless; a memory access counts as 16. Checked when the wave "
    "waits or has run 65536; default 134217728"},
   {"--trace", "FILE.json", offsetof(struct request, trace),
    "write a timeline of all waves (see: indium trace); with several processes, that of the last one"},
   {"--dump-state", "FILE", offsetof(struct request, dump),
    "write the packets as they run, and before each draw and dispatch all registers set so far; in noop mode the "
    "packets as submitted, with marks on unknown ones; for AGX, images and the reasons for their layouts"},
   {"--record", "FILE", offsetof(struct request, record),
    "write all submissions as text (see: indium replay); with several processes, those of the last one"},
   {"--wrap", "=FILE", offsetof(struct request, wrap),
    "trace the driver's calls to the kernel (AGX): write a recording of its submissions as `--record` does, or "
    "without FILE print calls and submissions in words on stderr; AGXDECODE_DUMP_FILE names another file for the "
    "words"},
   {"--report", "=FILE", offsetof(struct request, report),
    "at the end, report which packets, events, registers and instructions ran, how often, and which of them the "
    "model approximates or ignores (AMD); default stderr"},
   {"--conformance-version", "A.B.C.D", offsetof(struct request, conformance),
    "the release of Vulkan's conformance tests that Indium's driver reports as passed, for programs that refuse "
    "drivers without one (such as 1.4.6.1); default 0.0.0.0: it has passed no release"},
   {0},
};

const struct command command_run = {
   .name = "run",
   .purpose = "runs a program on a modelled GPU",
   .synopsis = {"[OPTION]... -- PROGRAM [ARGUMENT]..."},
   .text = "Runs the program on a modelled GPU, with a driver for that GPU.",
   .options = options,
   .runs_program = true,
   .run = run_main,
};
