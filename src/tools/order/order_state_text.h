/* The items of a state's text, whichever form it has: of `indium order` and `indium uav`. */
#ifndef INDIUM_TOOLS_ORDER_STATE_TEXT_H
#define INDIUM_TOOLS_ORDER_STATE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct order_error {
   unsigned line, column; /* from 1; line 0: of the state as a whole */
   char message[256];     /* printable ASCII */
};

struct order_item {
   char key[48], value[64]; /* letters, digits, '_', '.', '-' */
   unsigned line, column;   /* of the key, from 1 */
};

/* Calls add for one item after the other until that returns false, having filled in the error, or the text does not
 * parse. False then. */
bool order_state_items(const char *text, size_t size_B, bool (*add)(void *data, const struct order_item *item),
                       void *data, struct order_error *error);

/* Fills in the error of an item; false. */
__attribute__((format(printf, 3, 4))) bool order_state_fail(struct order_error *error, const struct order_item *at,
                                                            const char *message, ...);

/* yes and no, true and false, on and off, 1 and 0, in any case. False: none of these. */
bool order_state_flag(const char *value, bool *flag);

/* What a STATE argument means: the text itself if it has '=' or '{', the standard input for "-", a file otherwise.
 * For the caller to free; NULL after a message of the command. where: what messages call the text. */
char *order_state_read(const char *command, const char *argument, size_t *size_B, const char **where);

#endif
