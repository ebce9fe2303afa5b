/* What `indium run` wants to know when a run is over (util/run_counts.h). */
#ifndef INDIUM_DRM_SHIM_COUNTS_H
#define INDIUM_DRM_SHIM_COUNTS_H

/* The device has accepted a submit. */
void shim_count_submit(void);

#endif
