/* Commands of extended dynamic states whose features no device here has. They have an address, as all commands of an
 * extension do; to call them is an error of the application, of which a line in the log tells. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/log.h"

#define ABSENT(command, ...)                                                                                         \
   VKAPI_ATTR void VKAPI_CALL indium_##command(VkCommandBuffer commandBuffer, __VA_ARGS__)                           \
   {                                                                                                                 \
      log_error("vk" #command ": the device has no such state");                                                     \
   }

ABSENT(CmdSetExtraPrimitiveOverestimationSizeEXT, float extraPrimitiveOverestimationSize)
