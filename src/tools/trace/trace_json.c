#include "tools/trace/trace_json.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/macros.h"

#define MAX_VALUE_B (1 << 30)

struct scan {
   const char *path, *text;
   size_t at, size;
   struct json_tokener *tokener;
   bool (*event)(void *user, struct json_object *json, size_t index);
   void *user;
   size_t count;
   bool any_list;
};

static bool
fault(const struct scan *s, const char *what)
{
   fprintf(stderr, "indium trace: %s: %s at byte %zu\n", s->path, what, s->at);
   return false;
}

/* The next character that is no space, 0 at the end. */
static char
peek(struct scan *s)
{
   while (s->at < s->size && strchr(" \t\r\n", s->text[s->at]))
      s->at++;
   return s->at < s->size ? s->text[s->at] : 0;
}

static bool
accept_char(struct scan *s, char c)
{
   bool found = peek(s) == c;
   s->at += found;
   return found;
}

/* The value that comes next; the caller puts it. False if there is none. (NULL is the value null.) */
static bool
take_value(struct scan *s, struct json_object **value)
{
   peek(s);
   json_tokener_reset(s->tokener);
   *value = json_tokener_parse_ex(s->tokener, s->text + s->at, (int)MIN2(s->size - s->at, (size_t)MAX_VALUE_B));
   enum json_tokener_error error = json_tokener_get_error(s->tokener);
   s->at += json_tokener_get_parse_end(s->tokener);
   return error == json_tokener_success ||
          fault(s, error == json_tokener_continue ? "ends within a value" : json_tokener_error_desc(error));
}

static bool
read_list(struct scan *s)
{
   s->any_list = true;
   if (!accept_char(s, '['))
      return fault(s, "\"traceEvents\" is no array");
   if (accept_char(s, ']'))
      return true;
   do {
      struct json_object *value;
      if (!take_value(s, &value))
         return false;
      bool good = s->event(s->user, value, s->count++);
      json_object_put(value);
      if (!good)
         return false;
   } while (accept_char(s, ','));
   return accept_char(s, ']') || fault(s, "an array lacks a comma or its end");
}

static bool
read_object(struct scan *s)
{
   if (accept_char(s, '}'))
      return true;
   do {
      struct json_object *key, *value = NULL;
      if (peek(s) != '"')
         return fault(s, "an object lacks a name");
      if (!take_value(s, &key))
         return false;
      bool is_list = !strcmp(json_object_get_string(key), "traceEvents");
      json_object_put(key);
      if (!accept_char(s, ':'))
         return fault(s, "an object lacks a colon");
      if (is_list ? !read_list(s) : !take_value(s, &value))
         return false;
      json_object_put(value);
   } while (accept_char(s, ','));
   return accept_char(s, '}') || fault(s, "an object lacks a comma or its end");
}

static bool
read_all(struct scan *s)
{
   bool good = peek(s) == '['        ? read_list(s)
               : accept_char(s, '{') ? read_object(s)
                                     : fault(s, "neither an array nor an object");
   if (good && peek(s))
      return fault(s, "there is more after the end");
   if (good && !s->any_list) {
      fprintf(stderr, "indium trace: %s: there is no \"traceEvents\"\n", s->path);
      return false;
   }
   return good;
}

bool
trace_json_events(const char *path, bool (*event)(void *user, struct json_object *json, size_t index), void *user,
                  size_t *count)
{
   struct scan s = {.path = path, .event = event, .user = user};
   struct stat info = {0};
   int file = open(path, O_RDONLY | O_CLOEXEC);
   bool good = file >= 0 && !fstat(file, &info);
   if (good && !S_ISREG(info.st_mode)) {
      good = false;
      errno = S_ISDIR(info.st_mode) ? EISDIR : ESPIPE;
   }
   s.size = good ? (size_t)info.st_size : 0;
   if (s.size) {
      void *text = mmap(NULL, s.size, PROT_READ, MAP_PRIVATE, file, 0);
      good = text != MAP_FAILED;
      s.text = text;
   }
   if (!good)
      fprintf(stderr, "indium trace: %s: cannot be read: %s\n", path, strerror(errno));
   if (file >= 0)
      close(file);
   if (!good)
      return false;
   s.tokener = json_tokener_new();
   good = read_all(&s);
   json_tokener_free(s.tokener);
   if (s.size)
      munmap((void *)s.text, s.size);
   *count = s.count;
   return good;
}
