/* Identifiers of shader modules: a hash of their SPIR-V. Code of other modules, from other runs, is not kept by them:
 * a stage that has only an identifier is one that has to be compiled. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/hash.h"

const uint8_t vk_shader_identifier_algorithm[VK_UUID_SIZE] = "indium XXH3 x2";

/* Two hashes: of the words, and of the words in another order. */
static void
identify(const uint32_t *code, size_t words, VkShaderModuleIdentifierEXT *identifier)
{
   uint64_t hashes[2] = {hash_bytes(code, words * 4), words};
   for (size_t i = 0; i < words; i++)
      hashes[1] = (hashes[1] ^ code[i]) * UINT64_C(0x9e3779b97f4a7c15) + (hashes[1] >> 29);
   identifier->identifierSize = sizeof(hashes);
   memcpy(identifier->identifier, hashes, sizeof(hashes));
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
