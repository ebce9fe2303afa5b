#include "tools/peers.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/command.h"
#include "tools/driver_table.h"
#include "tools/parts.h"

static const char loader[] = "/usr/lib64/ld-linux-x86-64.so.2";

bool
look_for_peer(const struct driver *driver, char root[PATH_MAX])
{
   const char *folder = getenv("INDIUM_PEERS");
   char path[PATH_MAX], name[64];
   snprintf(name, sizeof(name), "../out/peers/%s", driver->peer);
   bool known =
      folder && *folder ? snprintf(path, PATH_MAX, "%s/%s", folder, driver->peer) < PATH_MAX : build_path(name, path);
   return known && realpath(path, root);
}

int
find_peer(const struct driver *driver, char root[PATH_MAX])
{
   root[0] = 0;
   if (!driver->peer || look_for_peer(driver, root))
      return 0;
   usage_error("run", "driver %s: %s is not here: bin/peers %s fetches it, INDIUM_PEERS names another folder of them",
               driver->name, driver->peer, driver->peer);
   return PEER_ABSENT;
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

static bool
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
    * the program: they are named to the other loader alone. */
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

/* Started by the other loader, which is told what LD_LIBRARY_PATH says too: it reads one or the other. */
static void
exec_by_loader(const char *root, const char *path, char **argv)
{
   char start[PATH_MAX], libraries[PATH_MAX], list[3 * PATH_MAX];
   const char *more = getenv("LD_LIBRARY_PATH");
   unsigned count = 0, used = 0;
   while (argv[count])
      count++;
   const char **all = calloc(count + 6, sizeof(*all));
   if (!all || !below(root, loader, start) || !below(root, PEER_LIBRARIES, libraries)) {
      free(all);
      errno = ENAMETOOLONG;
      return;
   }
   snprintf(list, sizeof(list), "%s%s%s", libraries, more && *more ? ":" : "", more ? more : "");
   const char *const head[] = {start, "--library-path", list, "--argv0", argv[0], path};
   for (; used < sizeof(head) / sizeof(head[0]); used++)
      all[used] = head[used];
   for (unsigned i = 1; i < count; i++)
      all[used++] = argv[i];
   execv(start, (char **)all);
   free(all);
}

int
exec_in_peer(const char *root, char **argv)
{
   char path[PATH_MAX];
   if (find_program(root, argv[0], path)) {
      if (!has_loader(root))
         execv(path, argv);
      else if (is_script(path))
         return usage_error("run", "%s is a script, whose programs would find no such driver: start indium run in it",
                            path);
      else
         exec_by_loader(root, path, argv);
   }
   return usage_error("run", "cannot run %s: %s", argv[0], strerror(errno));
}
