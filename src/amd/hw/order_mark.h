/* Marks of relaxed order, which the layer of `indium order --check` (src/tools/order_layer) puts among the draws of
 * any Vulkan driver and the model reads: draws without an instance, by the arguments of vkCmdDrawIndirect,
 *
 *    {vertexCount AMD_ORDER_MARK, instanceCount 0, firstVertex AMD_ORDER_MARK_RELAXED or _STRICT, firstInstance 0}
 *
 * Hardware draws nothing for them. Only the command processor reads the arguments, so no driver can drop them. */
#ifndef INDIUM_AMD_HW_ORDER_MARK_H
#define INDIUM_AMD_HW_ORDER_MARK_H

#define AMD_ORDER_MARK 0x6f726472
#define AMD_ORDER_MARK_STRICT 0x73747263
#define AMD_ORDER_MARK_RELAXED 0x72656c78

#endif
