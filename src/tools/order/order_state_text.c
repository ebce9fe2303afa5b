#include "tools/order/order_state_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/macros.h"
#include "util/read_file.h"

enum { MAX_DEPTH = 4, LIMIT_B = 1 << 16 }; /* objects in objects; a text */

struct reader {
   const char *at, *end, *line_start;
   unsigned line;
   bool (*add)(void *data, const struct order_item *item);
   void *data;
   struct order_error *error;
   struct order_item item;
};

static bool
fail(struct reader *r, const char *message)
{
   r->error->line = r->line;
   r->error->column = (unsigned)(r->at - r->line_start) + 1;
   if (r->at == r->end)
      snprintf(r->error->message, sizeof(r->error->message), "%s, not the end", message);
   else if (isprint((unsigned char)*r->at))
      snprintf(r->error->message, sizeof(r->error->message), "%s, not '%c'", message, *r->at);
   else
      snprintf(r->error->message, sizeof(r->error->message), "%s, not a byte 0x%02x", message, (unsigned char)*r->at);
   return false;
}

static bool
is_word(char c)
{
   return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

/* Over blanks, and separators between items; comments end with the line. */
static void
skip(struct reader *r, const char *blanks)
{
   for (; r->at < r->end && (*r->at == '#' || (*r->at && strchr(blanks, *r->at))); r->at++) {
      if (*r->at == '#') {
         const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
         r->at = newline ? newline : r->end;
         if (!newline)
            return;
      }
      if (*r->at == '\n') {
         r->line++;
         r->line_start = r->at + 1;
      }
   }
}

/* Appends a word to what `to` holds already. */
static bool
read_word(struct reader *r, char *to, size_t room_B, const char *expected)
{
   size_t used = strlen(to);
   if (r->at == r->end || !is_word(*r->at))
      return fail(r, expected);
   for (; r->at < r->end && is_word(*r->at); r->at++) {
      if (used + 1 == room_B)
         return fail(r, "the word is too long: expected its end");
      to[used++] = *r->at;
   }
   to[used] = 0;
   return true;
}

static void
start_item(struct reader *r)
{
   r->item.line = r->line;
   r->item.column = (unsigned)(r->at - r->line_start) + 1;
   r->item.value[0] = 0;
}

static bool
read_lines(struct reader *r)
{
   static const char separators[] = " \t\r\n,;", blanks[] = " \t";
   for (skip(r, separators); r->at < r->end; skip(r, separators)) {
      start_item(r);
      r->item.key[0] = 0;
      if (!read_word(r, r->item.key, sizeof(r->item.key), "expected a key"))
         return false;
      skip(r, blanks);
      if (r->at == r->end || *r->at != '=')
         return fail(r, "expected '='");
      r->at++;
      skip(r, blanks);
      if (!read_word(r, r->item.value, sizeof(r->item.value), "expected a value") || !r->add(r->data, &r->item))
         return false;
   }
   return true;
}

/* ---- JSON: objects of words ---- */

static const char json_blanks[] = " \t\r\n";

static bool
expect(struct reader *r, char c, const char *message)
{
   skip(r, json_blanks);
   if (r->at == r->end || *r->at != c)
      return fail(r, message);
   r->at++;
   return true;
}

static bool
read_string(struct reader *r, char *to, size_t room_B, const char *expected)
{
   if (!expect(r, '"', expected) || !read_word(r, to, room_B, "expected a word"))
      return false;
   if (r->at == r->end || *r->at != '"')
      return fail(r, "expected '\"'");
   r->at++;
   return true;
}

static bool read_object(struct reader *r, unsigned depth);

static bool
read_member(struct reader *r, unsigned depth)
{
   skip(r, json_blanks);
   start_item(r);
   if (!read_string(r, r->item.key, sizeof(r->item.key), "expected '\"' and a key") ||
       !expect(r, ':', "expected ':'"))
      return false;
   skip(r, json_blanks);
   if (r->at < r->end && *r->at == '{') {
      size_t length = strlen(r->item.key);
      if (length + 2 > sizeof(r->item.key))
         return fail(r, "the key is too long: expected a value");
      memcpy(r->item.key + length, ".", 2);
      return depth < MAX_DEPTH ? read_object(r, depth + 1) : fail(r, "the key has too many parts: expected a value");
   }
   bool quoted = r->at < r->end && *r->at == '"';
   return (quoted ? read_string(r, r->item.value, sizeof(r->item.value), "expected '\"'")
                  : read_word(r, r->item.value, sizeof(r->item.value), "expected a value")) &&
          r->add(r->data, &r->item);
}

/* The members' keys go after that of the object. */
static bool
read_object(struct reader *r, unsigned depth)
{
   size_t length = strlen(r->item.key);
   if (!expect(r, '{', "expected '{'"))
      return false;
   skip(r, json_blanks);
   if (r->at < r->end && *r->at == '}') {
      r->at++;
      return true;
   }
   for (;;) {
      if (!read_member(r, depth))
         return false;
      r->item.key[length] = 0;
      skip(r, json_blanks);
      if (r->at < r->end && *r->at == '}') {
         r->at++;
         return true;
      }
      if (!expect(r, ',', "expected ',' or '}'"))
         return false;
   }
}

static bool
read_json(struct reader *r)
{
   if (!read_object(r, 0))
      return false;
   skip(r, json_blanks);
   return r->at == r->end || fail(r, "expected the end");
}

bool
order_state_items(const char *text, size_t size_B, bool (*add)(void *data, const struct order_item *item), void *data,
                  struct order_error *error)
{
   struct reader r = {text, text + size_B, text, 1, add, data, error, {.key = ""}};
   skip(&r, json_blanks);
   return r.at < r.end && *r.at == '{' ? read_json(&r) : read_lines(&r);
}

char *
order_state_read(const char *command, const char *argument, size_t *size_B, const char **where)
{
   char *text = NULL;
   *where = argument;
   if (strchr(argument, '=') || strchr(argument, '{')) {
      *where = "STATE";
      *size_B = strlen(argument);
      text = strdup(argument);
   } else {
      text = read_file(!strcmp(argument, "-") ? "/dev/stdin" : argument, LIMIT_B, size_B);
   }
   if (text && !*size_B) {
      fprintf(stderr, "indium %s: %s: it is empty\n", command, argument);
      free(text);
      return NULL;
   }
   if (!text && errno == EFBIG)
      fprintf(stderr, "indium %s: %s: a state has no more than %d bytes\n", command, argument, LIMIT_B);
   else if (!text)
      fprintf(stderr, "indium %s: %s: %s\n", command, argument, strerror(errno));
   return text;
}

bool
order_state_fail(struct order_error *error, const struct order_item *at, const char *message, ...)
{
   va_list args;
   va_start(args, message);
   error->line = at->line;
   error->column = at->column;
   vsnprintf(error->message, sizeof(error->message), message, args);
   va_end(args);
   return false;
}

bool
order_state_flag(const char *value, bool *flag)
{
   static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};
   for (unsigned i = 0; i < ARRAY_SIZE(words); i++) {
      if (!strcasecmp(words[i], value)) {
         *flag = i & 1;
         return true;
      }
   }
   return false;
}
