/* Waits of amdgpu. */
#include "ioctl.h"

#include <amdgpu_drm.h>
#include <sys/ioctl.h>

const uint8_t ioctl_left_out[IOCTL_LEFT_OUT] = {
   _IOC_NR(DRM_IOCTL_AMDGPU_WAIT_CS), _IOC_NR(DRM_IOCTL_AMDGPU_WAIT_FENCES), _IOC_NR(DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE),
   _IOC_NR(DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE)};
