#include "tools/launch/peers.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/command.h"
#include "tools/launch/driver_table.h"
#include "tools/launch/mesa_shim.h"
#include "tools/launch/parts.h"

static const char loader[] = "/usr/lib64/ld-linux-x86-64.so.2";

bool
look_for_peer(const char *peer, char root[PATH_MAX])
{
   const char *folder = getenv("INDIUM_PEERS");
   char path[PATH_MAX], name[64];
   snprintf(name, sizeof(name), "../out/peers/%s", peer);
   bool known =
      folder && *folder ? snprintf(path, PATH_MAX, "%s/%s", folder, peer) < PATH_MAX : build_path(name, path);
   return known && realpath(path, root);
}

static int
absent(const char *kind, const char *name, const char *peer)
{
   usage_error("run", "%s %s: %s is not here: bin/peers %s fetches it, INDIUM_PEERS names another folder of them",
               kind, name, peer, peer);
   return PEER_ABSENT;
}

int
find_release(const char *kind, const char *name, const char *peer, char root[PATH_MAX])
{
   root[0] = 0;
   return !peer || look_for_peer(peer, root) ? 0 : absent(kind, name, peer);
}

int
find_peer(const struct driver *driver, char root[PATH_MAX])
{
   return find_release("driver", driver->name, driver->peer, root);
}

int
find_shim_peer(char root[PATH_MAX])
{
   return look_for_peer(MESA_SHIM_PEER, root) ? 0 : absent("shim", "mesa", MESA_SHIM_PEER);
}

void
put_ahead(const char *name, const char *path)
{
   const char *old = getenv(name);
   char both[2 * PATH_MAX];
   snprintf(both, sizeof(both), "%s%s%s", path, old && *old ? ":" : "", old ? old : "");
   setenv(name, both, 1);
}

/* False if it is too long. */
static bool
below(const char *root, const char *rest, char path[PATH_MAX])
{
   return snprintf(path, PATH_MAX, "%s%s", root, rest) < PATH_MAX;
}

bool
has_loader(const char *root)
{
   char path[PATH_MAX];
   return below(root, loader, path) && !access(path, X_OK);
}

void
set_peer_environment(const char *root)
{
   static const struct setting places[] = {
      {"__EGL_VENDOR_LIBRARY_FILENAMES", "/usr/share/glvnd/egl_vendor.d/50_mesa.json"},
      {"LIBGL_DRIVERS_PATH", PEER_LIBRARIES "/dri"},
      {"GBM_BACKENDS_PATH", PEER_LIBRARIES "/gbm"},
      {"DRIRC_CONFIGDIR", "/usr/share/drirc.d"},
   };
   char path[PATH_MAX];
   for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
      if (below(root, places[i].value, path))
         setenv(places[i].name, path, 1);
   }
   /* The other C library's libraries would stop every program that the system's loader starts, such as children of
    * the program: they are named only to the other loader. */
   if (!has_loader(root) && below(root, PEER_LIBRARIES, path))
      put_ahead("LD_LIBRARY_PATH", path);
}

/* As execvp looks, after the release's own programs. False with errno. */
static bool
find_program(const char *root, const char *name, char path[PATH_MAX])
{
   if (strchr(name, '/'))
      return below(name, "", path) && !access(path, X_OK);
   const char *folders = getenv("PATH");
   folders = folders ? folders : "/usr/local/bin:/usr/bin:/bin";
   bool found = snprintf(path, PATH_MAX, "%s/usr/bin/%s", root, name) < PATH_MAX && !access(path, X_OK);
   while (!found && *folders) {
      int size_B = (int)strcspn(folders, ":");
      found = snprintf(path, PATH_MAX, "%.*s/%s", size_B, folders, name) < PATH_MAX && !access(path, X_OK);
      folders += size_B + (folders[size_B] == ':');
   }
   return found;
}

static bool
is_script(const char *path)
{
   char start[2] = "";
   FILE *file = fopen(path, "r");
   bool script = file && fread(start, 1, 2, file) == 2 && !memcmp(start, "#!", 2);
   if (file)
      fclose(file);
   return script;
}

/* How another loader starts a program. */
struct start {
   const char *root;      /* the loader's, and first for libraries */
   const char *shim_root; /* next for libraries; NULL: nothing is preloaded but what LD_PRELOAD says */
   const char *shim;      /* LD_PRELOAD would stop the program's children, which have the system's C library */
};

/* Where libraries are looked for: LD_LIBRARY_PATH counts too, as the loader reads one or the other. */
static void
list_libraries(const struct start *start, char list[5 * PATH_MAX])
{
   const char *more = getenv("LD_LIBRARY_PATH");
   int used_B = snprintf(list, 5 * PATH_MAX, "%s" PEER_LIBRARIES, start->root);
   if (start->shim_root && strcmp(start->shim_root, start->root))
      used_B += snprintf(list + used_B, 5 * PATH_MAX - used_B, ":%s" PEER_LIBRARIES, start->shim_root);
   if (more && *more)
      snprintf(list + used_B, 5 * PATH_MAX - used_B, ":%s", more);
}

static void
exec_by_loader(const struct start *start, const char *path, char **argv)
{
   char file[PATH_MAX], libraries[5 * PATH_MAX];
   unsigned count = 0, used = 0;
   while (argv[count])
      count++;
   const char **all = calloc(count + 8, sizeof(*all));
   if (!all || !below(start->root, loader, file)) {
      free(all);
      errno = ENAMETOOLONG;
      return;
   }
   list_libraries(start, libraries);
   const char *const head[] = {file, "--library-path", libraries, "--argv0", argv[0]};
   for (; used < sizeof(head) / sizeof(head[0]); used++)
      all[used] = head[used];
   if (start->shim) {
      all[used++] = "--preload"; /* a bare name, as spaces part a list of paths */
      all[used++] = start->shim;
   }
   all[used++] = path;
   for (unsigned i = 1; i < count; i++)
      all[used++] = argv[i];
   execv(file, (char **)all);
   free(all);
}

static int
script_error(const char *path, const char *absent)
{
   return usage_error("run", "%s is a script, whose programs would find no such %s: start indium run in it", path,
                      absent);
}

int
exec_in_peer(const char *root, char **argv)
{
   char path[PATH_MAX];
   if (find_program(root, argv[0], path)) {
      if (!has_loader(root))
         execv(path, argv);
      else if (is_script(path))
         return script_error(path, "driver");
      else
         exec_by_loader(&(struct start){.root = root}, path, argv);
   }
   return usage_error("run", "cannot run %s: %s", argv[0], strerror(errno));
}

int
exec_with_shim(const char *root, const char *shim_root, const char *library, char **argv)
{
   struct start start = {*root ? root : shim_root, shim_root, library};
   char path[PATH_MAX];
   if (find_program(start.root, argv[0], path)) {
      if (is_script(path))
         return script_error(path, "device");
      exec_by_loader(&start, path, argv);
   }
   return usage_error("run", "cannot run %s: %s", argv[0], strerror(errno));
}
