/* What the table of drivers names and this test's nodes never lead to. */
#include <stdlib.h>

#include "gallium/drivers/asahi/agx_public.h"
#include "gallium/winsys/asahi/asahi_winsys.h"

struct asahi_ws *
asahi_ws_create(int fd)
{
   abort();
}

void
asahi_ws_destroy(struct asahi_ws *ws)
{
   abort();
}

struct pipe_screen *
agx_screen_create(struct asahi_ws *ws)
{
   abort();
}
