/* Sizes of the operands of image instructions. */
#include "amd/hw/isa_private.h"

/* Coordinates and coordinates with derivatives of each dim (RDNA 2 ISA, table "MIMG dimensions"). */
static const uint8_t coordinate_count[8] = {1, 2, 3, 3, 2, 3, 3, 4};
static const uint8_t gradient_coordinates[8] = {1, 2, 3, 2, 1, 2, 2, 2};

unsigned
amd_isa_image_address_dw(const struct amd_inst *inst)
{
   unsigned parts = amd_isa_op_info((enum amd_op)inst->op)->image;
   unsigned words = !!(parts & AMD_IMAGE_OFFSET) + !!(parts & AMD_IMAGE_BIAS) + !!(parts & AMD_IMAGE_COMPARE);
   unsigned components = inst->op == AMD_OP_image_get_resinfo ? 1 : coordinate_count[inst->dim & 7];
   components += !!(parts & (AMD_IMAGE_LOD | AMD_IMAGE_CLAMP));
   words += inst->a16 ? (components + 1) / 2 : components;
   if (parts & AMD_IMAGE_GRADIENT) {
      unsigned n = gradient_coordinates[inst->dim & 7];
      words += parts & AMD_IMAGE_G16 ? 2 * ((n + 1) / 2) : 2 * n;
   }
   return words;
}

unsigned
amd_isa_image_data_dw(const struct amd_inst *inst)
{
   const struct amd_op_info *info = amd_isa_op_info((enum amd_op)inst->op);
   unsigned count = info->image & AMD_IMAGE_GATHER ? 4 : (unsigned)__builtin_popcount(inst->dmask);
   if (inst->d16)
      count = (count + 1) / 2;
   return count + inst->tfe;
}
