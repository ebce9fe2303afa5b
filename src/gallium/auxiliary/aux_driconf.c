#include "gallium/auxiliary/aux_driconf.h"

#include <ctype.h>
#include <errno.h>
#include <expat.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/log.h"
#include "util/macros.h"
#include "util/read_file.h"

#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9 /* later ones deprecate these names */
#define XML_GetCurrentLineNumber64 XML_GetCurrentLineNumber
#define XML_GetCurrentColumnNumber64 XML_GetCurrentColumnNumber
#endif

enum { MAX_OPTIONS = 32, LIMIT_B = 1 << 20 };

/* Elements around the one that is read. Each stands in the one before it. */
static const char *const elements[] = {"driconf", "device", "application", "option"};

struct reader {
   XML_Parser parser;
   const char *executable;
   const struct aux_driconf_option *options;
   unsigned count;
   bool values[MAX_OPTIONS];
   unsigned depth;   /* elements that are open */
   unsigned matched; /* the first of them are `elements`, and mean this process */
   char *message;
   bool failed;
};

__attribute__((format(printf, 2, 3))) static void
fail(struct reader *r, const char *format, ...)
{
   char what[160];
   va_list args;

   va_start(args, format);
   vsnprintf(what, sizeof(what), format, args);
   va_end(args);
   for (char *c = what; *c; c++)
      *c = isprint((unsigned char)*c) ? *c : '?';
   snprintf(r->message, AUX_DRICONF_MESSAGE_B, "line %lu, column %lu: %s",
            (unsigned long)XML_GetCurrentLineNumber64(r->parser),
            (unsigned long)XML_GetCurrentColumnNumber64(r->parser) + 1, what);
   r->failed = true;
   XML_StopParser(r->parser, false);
}

/* attributes: names and values in turn. NULL: it is not there. */
static const char *
find(const char **attributes, const char *name)
{
   for (unsigned i = 0; attributes[i]; i += 2) {
      if (!strcmp(attributes[i], name))
         return attributes[i + 1];
   }
   return NULL;
}

static void
set_option(struct reader *r, const char **attributes)
{
   const char *name = find(attributes, "name"), *value = find(attributes, "value");
   char known[160] = "";

   if (!name || !value) {
      fail(r, "an option has a name and a value");
      return;
   }
   bool is_true = !strcmp(value, "true");

   if (!is_true && strcmp(value, "false")) {
      fail(r, "%s: \"%s\" is neither true nor false", name, value);
      return;
   }
   for (unsigned i = 0; i < r->count; i++) {
      if (!strcmp(r->options[i].name, name)) {
         r->values[i] = is_true;
         return;
      }
      snprintf(known + strlen(known), sizeof(known) - strlen(known), "%s%s", i ? ", " : "", r->options[i].name);
   }
   fail(r, "there is no option \"%s\"; there are: %s", name, known);
}

static bool
means_us(const struct reader *r, const char **attributes)
{
   static const char *const names[] = {[1] = "driver", [2] = "executable"};
   const char *name = r->depth < ARRAY_SIZE(names) ? names[r->depth] : NULL;
   const char *value = name ? find(attributes, name) : NULL;

   if (r->depth == 1)
      return value && !strcmp(value, "indium");
   return !value || !strcmp(value, r->executable);
}

static void
start_element(void *data, const char *name, const char **attributes)
{
   struct reader *r = data;

   if (!r->depth && strcmp(name, elements[0]))
      fail(r, "expected <driconf>, not <%s>", name);
   if (r->matched == r->depth && r->depth < ARRAY_SIZE(elements) && !strcmp(name, elements[r->depth]) &&
       means_us(r, attributes)) {
      r->matched++;
      if (r->matched == ARRAY_SIZE(elements))
         set_option(r, attributes);
   }
   r->depth++;
}

static void
end_element(void *data, const char *name)
{
   struct reader *r = data;

   r->depth--;
   r->matched = MIN2(r->matched, r->depth);
}

bool
aux_driconf_parse(const char *text, size_t size_B, const char *executable, struct aux_driconf_option *options,
                  unsigned count, char message[AUX_DRICONF_MESSAGE_B])
{
   struct reader r = {.parser = XML_ParserCreate(NULL),
                      .executable = executable,
                      .options = options,
                      .count = MIN2(count, MAX_OPTIONS),
                      .message = message};

   if (!r.parser || size_B > INT_MAX) {
      snprintf(message, AUX_DRICONF_MESSAGE_B, "no memory for it");
      XML_ParserFree(r.parser);
      return false;
   }
   for (unsigned i = 0; i < r.count; i++)
      r.values[i] = options[i].value;
   XML_SetUserData(r.parser, &r);
   XML_SetElementHandler(r.parser, start_element, end_element);
   if (!XML_Parse(r.parser, text, (int)size_B, true) && !r.failed)
      fail(&r, "%s", XML_ErrorString(XML_GetErrorCode(r.parser)));
   XML_ParserFree(r.parser);
   for (unsigned i = 0; i < r.count && !r.failed; i++)
      options[i].value = r.values[i];
   return !r.failed;
}

/* must_exist: somebody has named it. */
static void
read_options(const char *path, bool must_exist, struct aux_driconf_option *options, unsigned count)
{
   char message[AUX_DRICONF_MESSAGE_B];
   size_t size_B;
   char *text = read_file(path, LIMIT_B, &size_B);

   if (!text) {
      if (must_exist || errno != ENOENT)
         log_error("%s: %s", path, strerror(errno));
      return;
   }
   if (!aux_driconf_parse(text, size_B, program_invocation_short_name, options, count, message))
      log_error("%s: %s; the file is left out", path, message);
   free(text);
}

void
aux_driconf(struct aux_driconf_option *options, unsigned count)
{
   const char *named = getenv("INDIUM_DRIRC"), *home = getenv("HOME");
   char path[PATH_MAX];

   if (named) {
      if (*named)
         read_options(named, true, options, count);
      return;
   }
   read_options("/etc/drirc", false, options, count);
   if (home && snprintf(path, sizeof(path), "%s/.drirc", home) < (int)sizeof(path))
      read_options(path, false, options, count);
}
