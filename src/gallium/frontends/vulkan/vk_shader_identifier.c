/* Identifiers of shader modules: the hash of their SPIR-V by which caches find programs. A stage that has only an
 * identifier is never compiled. */
#include "gallium/frontends/vulkan/vk_cache.h"

const uint8_t vk_shader_identifier_algorithm[VK_UUID_SIZE] = "indium XXH3 128";

static void
identify(const uint32_t *code, size_t words, VkShaderModuleIdentifierEXT *identifier)
{
   const struct hash_128 hash = vk_code_hash((struct vk_spirv){code, words});
   identifier->identifierSize = sizeof(hash);
   memcpy(identifier->identifier, &hash, sizeof(hash));
}

VKAPI_ATTR void VKAPI_CALL
indium_GetShaderModuleIdentifierEXT(VkDevice device, VkShaderModule shaderModule,
                                    VkShaderModuleIdentifierEXT *pIdentifier)
{
   VK_FROM(vk_shader_module, module, shaderModule);
   identify(module->code, module->words, pIdentifier);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetShaderModuleCreateInfoIdentifierEXT(VkDevice device, const VkShaderModuleCreateInfo *pCreateInfo,
                                              VkShaderModuleIdentifierEXT *pIdentifier)
{
   identify(pCreateInfo->pCode, pCreateInfo->codeSize / 4, pIdentifier);
}
