#include "drm-shim/environment.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drm-shim/real.h"
#include "util/log.h"
#include "util/macros.h"

#define MAX_KEPT 32
#define PRELOAD "LD_PRELOAD="
#define LIBRARY_PATH "LD_LIBRARY_PATH="
#define SEPARATORS " :"

static char own_path[PATH_MAX]; /* of the shim's file; "": LD_PRELOAD did not name it */
static char *kept[MAX_KEPT];    /* INDIUM_*, as they were */
static unsigned kept_count;

static const char *
base_name(const char *path)
{
   const char *slash = strrchr(path, '/');
   return slash ? slash + 1 : path;
}

/* Whether the item names the shim's file; *is_bare: without a folder. */
static bool
is_own(const char *item, size_t item_B, bool *is_bare)
{
   const char *name = base_name(own_path);
   const size_t name_B = strlen(name);
   *is_bare = !memchr(item, '/', item_B);
   return item_B >= name_B && !memcmp(item + item_B - name_B, name, name_B) &&
          (item_B == name_B || item[item_B - name_B - 1] == '/');
}

/* The first item of the list that is the shim, or NULL. */
static const char *
find_own(const char *list, bool *is_bare)
{
   for (const char *item = list; *(item += strspn(item, SEPARATORS)); item += strcspn(item, SEPARATORS))
      if (is_own(item, strcspn(item, SEPARATORS), is_bare))
         return item;
   return NULL;
}

static void
keep_variables(void)
{
   for (char **variable = environ; *variable && kept_count < MAX_KEPT; variable++)
      if (!strncmp(*variable, "INDIUM_", strlen("INDIUM_")))
         kept[kept_count++] = strdup(*variable);
}

__attribute__((constructor)) static void
find_out(void)
{
   const char *preload = getenv("LD_PRELOAD");
   bool is_bare;
   Dl_info own;
   if (!preload || !dladdr((void *)&own_path, &own) || !real()->realpath(own.dli_fname, own_path))
      return;
   if (!find_own(preload, &is_bare)) {
      own_path[0] = 0;
      return;
   }
   keep_variables();
}

static const char *
value_of(char *const *variables, const char *name)
{
   for (; variables && *variables; variables++)
      if (!strncmp(*variables, name, strlen(name)))
         return *variables + strlen(name);
   return NULL;
}

/* By the name before the =. */
static bool
has(char *const *variables, const char *variable)
{
   const size_t name_B = strcspn(variable, "=") + 1;
   for (; variables && *variables; variables++)
      if (!strncmp(*variables, variable, name_B))
         return true;
   return false;
}

/* The loader looks for a name without a folder there. */
static bool
finds_bare_name(char *const *variables)
{
   const char *list = value_of(variables, LIBRARY_PATH);
   const size_t folder_B = (size_t)(base_name(own_path) - own_path) - 1;
   for (const char *item = list; item && *item; item += strcspn(item, ":;"), item += *item != 0)
      if (strcspn(item, ":;") == folder_B && !memcmp(item, own_path, folder_B))
         return true;
   return false;
}

static bool
loads_own(char *const *variables)
{
   const char *preload = value_of(variables, PRELOAD);
   bool is_bare;
   return preload && find_own(preload, &is_bare) && (!is_bare || finds_bare_name(variables));
}

size_t
shim_environment_room_B(char *const *variables)
{
   const char *preload = value_of(variables, PRELOAD);
   size_t count = 0;
   while (variables && variables[count])
      count++;
   return (count + MAX_KEPT + 2) * sizeof(char *) + sizeof(PRELOAD) + (preload ? strlen(preload) : 0) + PATH_MAX + 2;
}

/* "LD_PRELOAD=" and the items of the old one, with the shim's whole path in place of its name or after the others. */
static void
write_preload(char *text, const char *old)
{
   bool is_bare;
   const char *own = old ? find_own(old, &is_bare) : NULL;
   text = stpcpy(text, PRELOAD);
   if (own) {
      text = mempcpy(text, old, (size_t)(own - old));
      text = stpcpy(text, own_path);
      strcpy(text, own + strcspn(own, SEPARATORS));
      return;
   }
   text = old ? stpcpy(stpcpy(text, old), ":") : text;
   strcpy(text, own_path);
}

static bool
can_be_named(void)
{
   static bool said;
   if (!strpbrk(own_path, SEPARATORS))
      return true;
   if (!said)
      log_error("drm-shim: a program that was started without LD_PRELOAD sees no device: %s has a space or a colon",
                own_path);
   said = true;
   return false;
}

char *const *
shim_environment_keep(char *const *variables, void *room)
{
   const char *preload = value_of(variables, PRELOAD);
   bool lacks = !loads_own(variables);
   if (!own_path[0] || (preload && !*preload) || (lacks && !can_be_named()))
      return variables;
   for (unsigned i = 0; i < kept_count; i++)
      lacks |= !has(variables, kept[i]);
   if (!lacks)
      return variables;

   char **result = room, *text;
   unsigned count = 0;
   for (char *const *it = variables; it && *it; it++)
      if (loads_own(variables) || strncmp(*it, PRELOAD, strlen(PRELOAD)))
         result[count++] = *it;
   for (unsigned i = 0; i < kept_count; i++)
      if (!has(variables, kept[i]))
         result[count++] = kept[i];
   if (!loads_own(variables)) {
      text = (char *)(result + count + 2);
      write_preload(text, preload);
      result[count++] = text;
   }
   result[count] = NULL;
   return result;
}
