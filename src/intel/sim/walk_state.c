/* Addresses that state packets set; what struct intel_uav_state has is the table's matter. */
#include "intel/sim/walk.h"

/* A field whose neighbour has its upper half. */
uint64_t
intel_get_address(const struct intel_walk *walk, const struct intel_words *packet, enum intel_field low)
{
   uint64_t high = intel_field_get(walk->gen, low + 1, packet->words) & 0xffff;
   return high << 32 | (uint64_t)intel_field_get(walk->gen, low, packet->words)
                          << intel_fields[low].places[walk->gen].low;
}

/* The field before it says that the base changes. */
static void
set_base(const struct intel_walk *walk, uint64_t *base, const struct intel_words *packet, enum intel_field low)
{
   if (intel_field_get(walk->gen, low - 1, packet->words))
      *base = intel_get_address(walk, packet, low);
}

static void
set_ps(const struct intel_walk *walk, struct intel_walk_state *s, const struct intel_words *packet)
{
   s->kernels[INTEL_PS] = intel_get_address(walk, packet, INTEL_3DSTATE_PS_KERNEL_0_LO);
   s->ps_kernels[0] = intel_get_address(walk, packet, INTEL_3DSTATE_PS_KERNEL_1_LO);
   s->ps_kernels[1] = intel_get_address(walk, packet, INTEL_3DSTATE_PS_KERNEL_2_LO);
   s->ps_widths = intel_field_get(walk->gen, INTEL_3DSTATE_PS_WIDTHS, packet->words) |
                  intel_field_get(walk->gen, INTEL_3DSTATE_PS_DISPATCH_8, packet->words) |
                  intel_field_get(walk->gen, INTEL_3DSTATE_PS_DISPATCH_16, packet->words) << 1 |
                  intel_field_get(walk->gen, INTEL_3DSTATE_PS_DISPATCH_32, packet->words) << 2;
}

/* In bytes. */
static uint32_t
get_pointer(const struct intel_walk *walk, const struct intel_words *packet, enum intel_field field)
{
   return intel_field_get(walk->gen, field, packet->words) << intel_fields[field].places[walk->gen].low;
}

void
intel_walk_set(const struct intel_walk *walk, struct intel_walk_state *s, const struct intel_words *packet)
{
   switch ((int)packet->packet) { /* others: do not move the walk or hold addresses */
   case INTEL_STATE_BASE_ADDRESS:
      set_base(walk, &s->surface_base, packet, INTEL_STATE_BASE_ADDRESS_SURFACE_LO);
      set_base(walk, &s->dynamic_base, packet, INTEL_STATE_BASE_ADDRESS_DYNAMIC_LO);
      set_base(walk, &s->instruction_base, packet, INTEL_STATE_BASE_ADDRESS_INSTRUCTION_LO);
      break;
   case INTEL_3DSTATE_VS:
      s->kernels[INTEL_VS] = intel_get_address(walk, packet, INTEL_3DSTATE_VS_KERNEL_LO);
      break;
   case INTEL_3DSTATE_HS:
      s->kernels[INTEL_HS] = intel_get_address(walk, packet, INTEL_3DSTATE_HS_KERNEL_LO);
      break;
   case INTEL_3DSTATE_DS:
      s->kernels[INTEL_DS] = intel_get_address(walk, packet, INTEL_3DSTATE_DS_KERNEL_LO);
      break;
   case INTEL_3DSTATE_GS:
      s->kernels[INTEL_GS] = intel_get_address(walk, packet, INTEL_3DSTATE_GS_KERNEL_LO);
      break;
   case INTEL_3DSTATE_PS:
      set_ps(walk, s, packet);
      break;
   case INTEL_3DSTATE_BLEND_STATE_POINTERS:
      s->blend = get_pointer(walk, packet, INTEL_3DSTATE_BLEND_STATE_POINTERS_POINTER);
      break;
   case INTEL_3DSTATE_DEPTH_STENCIL_STATE_POINTERS:
      s->depth_stencil = get_pointer(walk, packet, INTEL_3DSTATE_DEPTH_STENCIL_STATE_POINTERS_POINTER);
      break;
   case INTEL_3DSTATE_BINDING_TABLE_POINTERS_PS:
      s->binding_table = get_pointer(walk, packet, INTEL_3DSTATE_BINDING_TABLE_POINTERS_PS_POINTER);
      break;
   default: /* others: have no address that is looked at */
      break;
   }
}
