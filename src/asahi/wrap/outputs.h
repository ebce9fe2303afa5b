#ifndef INDIUM_ASAHI_WRAP_OUTPUTS_H
#define INDIUM_ASAHI_WRAP_OUTPUTS_H

#include "asahi/wrap/wrap.h"

/* Fills in text and recording, as the environment says. INDIUM_WRAP names a recording (util/open_output.h).
 * AGXDECODE_DUMP_FILE is for the text: "stderr", or a name that a number is put after, .0000 or the next that no
 * file has; without either variable agxdecode.dump. A file that cannot be written ends the process with a message and
 * status 2. */
void agx_wrap_open_outputs(struct agx_wrap_settings *settings);

#endif
