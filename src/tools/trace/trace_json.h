/* The events of a Chrome trace one at a time: a long timeline does not fit into memory as a tree. */
#ifndef INDIUM_TOOLS_TRACE_JSON_H
#define INDIUM_TOOLS_TRACE_JSON_H

#include <stdbool.h>
#include <stddef.h>

struct json_object;

/* Calls event for each element of an array, or of "traceEvents" of an object, until it returns false. False after
 * that, or after a line on stderr: the file cannot be read, or is not JSON of either kind. *count: elements seen. */
bool trace_json_events(const char *path, bool (*event)(void *user, struct json_object *json, size_t index),
                       void *user, size_t *count);

#endif
