/* What becomes of submitted work: INDIUM_MODE. */
#ifndef INDIUM_DRM_SHIM_MODE_H
#define INDIUM_DRM_SHIM_MODE_H

enum shim_mode {
   SHIM_MODE_MODEL, /* submits run on the model of the GPU */
   SHIM_MODE_NOOP,  /* submits are done at once; memory stays as it is */
};

/* MODEL without the variable. A wrong one ends the process with a message and status 2. */
enum shim_mode shim_read_mode(void);

#endif
