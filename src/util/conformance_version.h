/* The name of a release of Vulkan's conformance tests (CTS): A.B.C.D, where A.B is the Vulkan version they test. */
#ifndef INDIUM_UTIL_CONFORMANCE_VERSION_H
#define INDIUM_UTIL_CONFORMANCE_VERSION_H

#include <stdbool.h>
#include <stdint.h>

/* For messages. */
#define CONFORMANCE_VERSION_FORM "a release of the CTS, A.B.C.D from 1.0.0.0 to 1.4.15.15"

/* False if the text cannot name a release, or writes one in another way than the CTS does (01.3.5.2, +1.3.5.2). */
bool conformance_version_parse(const char *text, uint8_t version[4]);

#endif
