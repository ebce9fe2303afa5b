/* Types: OpType* to spirv_type and the nir type of variables. */

#include "compiler/spirv/spirv_module.h"
#include "util/format_enum.h"
#include "util/macros.h"

const struct spirv_type *
spirv_type(struct spirv_module *m, uint32_t id)
{
   spirv_require(m, id < m->bound && m->ids[id].kind == SPIRV_ID_TYPE, "%%%u is no type", id);
   return m->ids[id].type;
}

const char *
spirv_type_name(struct spirv_module *m, const struct spirv_type *type)
{
   static const char *const kinds[] = {
      "void",      "bool",    "int",      "float", "vector",  "matrix",        "array",
      "structure", "pointer", "function", "image", "sampler", "sampled image", "cooperative matrix"};
   return arena_printf(&m->temp, "%%%u (%s)", type->id, kinds[type->kind]);
}

bool
spirv_type_compatible(const struct spirv_type *a, const struct spirv_type *b)
{
   if (a == b)
      return true;
   if (a->kind != b->kind || a->length != b->length)
      return false;
   if (a->kind == SPIRV_TYPE_ARRAY)
      return spirv_type_compatible(a->element, b->element);
   if (a->kind != SPIRV_TYPE_STRUCT)
      return false;
   for (uint32_t i = 0; i < a->length; i++) {
      if (!spirv_type_compatible(a->members[i].type, b->members[i].type))
         return false;
   }
   return true;
}

/* Capabilities that allow the type in memory only; each of the wider ones implies that of storage buffers. */
static bool
has_storage_16(const struct spirv_module *m)
{
   return spirv_has(m, SpvCapabilityStorageBuffer16BitAccess) || spirv_has(m, SpvCapabilityStoragePushConstant16) ||
          spirv_has(m, SpvCapabilityStorageInputOutput16) ||
          spirv_has(m, SpvCapabilityWorkgroupMemoryExplicitLayout16BitAccessKHR);
}

static bool
has_storage_8(const struct spirv_module *m)
{
   return spirv_has(m, SpvCapabilityStorageBuffer8BitAccess) || spirv_has(m, SpvCapabilityStoragePushConstant8) ||
          spirv_has(m, SpvCapabilityWorkgroupMemoryExplicitLayout8BitAccessKHR);
}

static void
int_type(struct spirv_module *m, struct spirv_type *type, const uint32_t *w)
{
   uint32_t bits = w[2];
   bool allowed = bits == 32 || (bits == 64 && spirv_has(m, SpvCapabilityInt64)) ||
                  (bits == 16 && (spirv_has(m, SpvCapabilityInt16) || has_storage_16(m))) ||
                  (bits == 8 && (spirv_has(m, SpvCapabilityInt8) || has_storage_8(m)));
   spirv_require(m, allowed, "an integer of %u bits needs a capability", bits);
   spirv_require(m, w[3] <= 1, "signedness is not 0 or 1");
   type->kind = SPIRV_TYPE_INT;
   type->bit_size = (uint8_t)bits;
   type->is_signed = w[3];
   type->base = w[3] ? NIR_TYPE_INT : NIR_TYPE_UINT;
}

static void
float_type(struct spirv_module *m, struct spirv_type *type, const uint32_t *w)
{
   uint32_t bits = w[2];
   bool allowed = bits == 32 || (bits == 64 && spirv_has(m, SpvCapabilityFloat64)) ||
                  (bits == 16 && (spirv_has(m, SpvCapabilityFloat16) || has_storage_16(m)));
   spirv_require(m, allowed, "a float of %u bits needs a capability", bits);
   type->kind = SPIRV_TYPE_FLOAT;
   type->bit_size = (uint8_t)bits;
   type->base = NIR_TYPE_FLOAT;
}

static void
vector_type(struct spirv_module *m, struct spirv_type *type, const uint32_t *w)
{
   type->kind = SPIRV_TYPE_VECTOR;
   type->element = spirv_type(m, w[2]);
   spirv_require(m, spirv_is_scalar(type->element), "the component type is no scalar");
   spirv_require(m, w[3] >= 2 && w[3] <= 4, "a vector of %u components", w[3]);
   type->components = (uint8_t)w[3];
   type->bit_size = type->element->bit_size;
   type->base = type->element->base;
   type->is_signed = type->element->is_signed;
   type->has_bool = type->base == NIR_TYPE_BOOL;
}

static void
matrix_type(struct spirv_module *m, struct spirv_type *type, const uint32_t *w)
{
   type->kind = SPIRV_TYPE_MATRIX;
   type->element = spirv_type(m, w[2]);
   spirv_require(m, type->element->kind == SPIRV_TYPE_VECTOR && type->element->base == NIR_TYPE_FLOAT,
                 "the column type is no vector of floats");
   spirv_require(m, w[3] >= 2 && w[3] <= 4, "a matrix of %u columns", w[3]);
   type->components = type->element->components;
   type->columns = (uint8_t)w[3];
   type->bit_size = type->element->bit_size;
   type->base = NIR_TYPE_FLOAT;
   type->scalars = (uint32_t)type->components * type->columns;
   type->nir = nir_type_matrix(m->arena, type->bit_size, type->components, type->columns, 0, false);
}

static void
inherit(struct spirv_module *m, struct spirv_type *type, const struct spirv_type *child)
{
   spirv_require(m, child->depth < SPIRV_MAX_TYPE_DEPTH, "the type nests too deep");
   type->depth = (uint16_t)MAX2(type->depth, child->depth + 1);
   type->has_opaque |= child->has_opaque;
   type->has_pointer |= child->has_pointer;
   type->has_bool |= child->has_bool;
}

/* The elements of an array. A check of only the module does not know yet what pipelines specialize the length to:
 * then a default that is no length stands for 1. */
static uint32_t
array_length(struct spirv_module *m, uint32_t id)
{
   uint64_t length = spirv_constant_uint(m, id);
   bool valid = length && length <= INT32_MAX;
   bool specialized = m->ids[id].opcode == SpvOpSpecConstant || m->ids[id].opcode == SpvOpSpecConstantOp;
   if (!valid && specialized && !m->options)
      return 1;
   spirv_require(m, valid, "an array of %llu elements", (unsigned long long)length);
   return (uint32_t)length;
}

static void
array_type(struct spirv_module *m, struct spirv_type *type, const uint32_t *w)
{
   type->kind = SPIRV_TYPE_ARRAY;
   type->element = spirv_type(m, w[2]);
   spirv_require(m, type->element->kind != SPIRV_TYPE_VOID && type->element->kind != SPIRV_TYPE_FUNCTION,
                 "an array of %s", spirv_type_name(m, type->element));
   spirv_require(m, type->element->kind != SPIRV_TYPE_ARRAY || type->element->length, "an array of run-time arrays");
   if (spirv_opcode(w) == SpvOpTypeArray)
      type->length = array_length(m, w[3]);
   inherit(m, type, type->element);
   spirv_for_each_decoration(it, m, type->id) {
      if (it->decoration == SpvDecorationArrayStride && it->member < 0)
         type->stride_B = m->words[it->word];
   }
   uint64_t scalars = (uint64_t)type->element->scalars * type->length;
   type->scalars = (uint32_t)MIN2(scalars, UINT32_MAX);
   if (type->element->nir)
      type->nir = nir_type_array(m->arena, type->element->nir, type->length, type->stride_B);
}

/* The nir type with a matrix layout of the enclosing member. */
static const struct nir_type *
spirv_matrix_layout(struct spirv_module *m, const struct nir_type *type, uint32_t stride_B, bool row_major)
{
   if (type->base == NIR_TYPE_ARRAY)
      return nir_type_array(m->arena, spirv_matrix_layout(m, type->element, stride_B, row_major), type->length,
                            type->stride_B);
   if (nir_type_is_numeric(type) && type->columns > 1)
      return nir_type_matrix(m->arena, type->bit_size, type->components, type->columns, stride_B, row_major);
   return type;
}

static void
member_decoration(struct spirv_module *m, struct spirv_member *member, const struct spirv_decoration *decoration)
{
   uint32_t value = decoration->num_operands ? m->words[decoration->word] : 0;
   m->at = decoration->source;
   switch (decoration->decoration) {
   case SpvDecorationOffset:
      spirv_require(m, value <= INT32_MAX, "an offset of %u", value);
      member->offset_B = (int32_t)value;
      return;
   case SpvDecorationMatrixStride:
      spirv_require(m, value && value <= 0xffff, "a matrix stride of %u", value);
      member->matrix_stride_B = (int32_t)value;
      return;
   case SpvDecorationRowMajor:
      member->row_major = true;
      return;
   default: /* others: not of members' layout */
      break;
   }
   if (!member->io) {
      member->io = arena_new(&m->temp, struct spirv_io);
      spirv_io_init(member->io);
   }
   spirv_io_decorate(m, member->io, decoration);
   member->access = member->io->access;
}

static void
struct_nir(struct spirv_module *m, struct spirv_type *type)
{
   struct nir_struct_field *fields = arena_array(&m->temp, struct nir_struct_field, type->length);
   for (uint32_t i = 0; i < type->length; i++) {
      const struct spirv_member *member = &type->members[i];
      if (!member->type->nir)
         return;
      fields[i] = (struct nir_struct_field){
         .type = member->type->nir, .offset_B = member->offset_B, .access = member->access, .location = -1};
      if (member->matrix_stride_B)
         fields[i].type =
            spirv_matrix_layout(m, member->type->nir, (uint32_t)member->matrix_stride_B, member->row_major);
   }
   struct nir_type *nir = (struct nir_type *)nir_type_struct(
      m->arena, fields, type->length, m->ids[type->id].name ? arena_strdup(m->arena, m->ids[type->id].name) : NULL);
   nir->is_block = type->is_block || type->is_buffer_block;
   type->nir = nir;
}

static void
struct_type(struct spirv_module *m, struct spirv_type *type, const uint32_t *w)
{
   uint32_t at = m->at;
   uint64_t scalars = 0;
   type->kind = SPIRV_TYPE_STRUCT;
   type->length = spirv_length(w) - 2;
   type->members = arena_array(&m->temp, struct spirv_member, type->length);
   for (uint32_t i = 0; i < type->length; i++) {
      struct spirv_member *member = &type->members[i];
      member->type = spirv_type(m, w[2 + i]);
      member->offset_B = -1;
      spirv_require(m, member->type->kind != SPIRV_TYPE_VOID && member->type->kind != SPIRV_TYPE_FUNCTION,
                    "a member of type %s", spirv_type_name(m, member->type));
      spirv_require(m, member->type->kind != SPIRV_TYPE_ARRAY || member->type->length || i + 1 == type->length,
                    "a run-time array must be the last member");
      inherit(m, type, member->type);
      scalars += member->type->scalars;
   }
   type->scalars = (uint32_t)MIN2(scalars, UINT32_MAX);
   spirv_for_each_decoration(it, m, type->id) {
      if (it->member >= 0)
         member_decoration(m, &type->members[it->member], it);
      else if (it->decoration == SpvDecorationBlock)
         type->is_block = true;
      else if (it->decoration == SpvDecorationBufferBlock)
         type->is_buffer_block = true;
   }
   m->at = at;
   struct_nir(m, type);
}

static void
pointer_kind(struct spirv_module *m, struct spirv_type *type, SpvStorageClass storage)
{
   type->kind = SPIRV_TYPE_POINTER;
   type->storage = storage;
   if (storage == SpvStorageClassPhysicalStorageBuffer) {
      type->bit_size = 64;
   } else if (storage == SpvStorageClassStorageBuffer && spirv_has(m, SpvCapabilityVariablePointersStorageBuffer)) {
      type->bit_size = 32;
      type->components = 3;
   } else if (storage == SpvStorageClassWorkgroup && spirv_has(m, SpvCapabilityVariablePointers)) {
      type->bit_size = 32;
   }
   type->has_pointer = !spirv_is_address(type);
}

/* A structure may hold addresses of its own type: so its members may have a type whose element comes later. */
static void
forward_pointer(struct spirv_module *m, struct spirv_type *type, const uint32_t *w)
{
   spirv_require(m, w[2] == SpvStorageClassPhysicalStorageBuffer, "a forward pointer of this storage class");
   spirv_require(m, m->ids[w[1]].opcode == SpvOpTypePointer, "%%%u is no pointer type", w[1]);
   pointer_kind(m, type, SpvStorageClassPhysicalStorageBuffer);
}

static void
pointer_stride(struct spirv_module *m, struct spirv_type *type)
{
   spirv_for_each_decoration(it, m, type->id) {
      if (it->decoration == SpvDecorationArrayStride && it->member < 0)
         type->stride_B = m->words[it->word];
   }
}

static void
pointer_type(struct spirv_module *m, struct spirv_type *type, const uint32_t *w)
{
   spirv_require(m, type->kind != SPIRV_TYPE_POINTER || type->storage == (SpvStorageClass)w[2],
                 "another storage class than that of the forward pointer");
   pointer_kind(m, type, (SpvStorageClass)w[2]);
   type->element = spirv_type(m, w[3]);
   spirv_require(m, type->element->kind != SPIRV_TYPE_FUNCTION && type->element->kind != SPIRV_TYPE_VOID,
                 "a pointer to %s", spirv_type_name(m, type->element));
   pointer_stride(m, type);
   /* Structures that refer to each other have no depth. */
   if (type->storage != SpvStorageClassPhysicalStorageBuffer)
      type->depth = type->element->depth;
}

/* What such a pointer points to is only known where it is used. */
static void
untyped_pointer_type(struct spirv_module *m, struct spirv_type *type, const uint32_t *w)
{
   static const struct spirv_type any = {.kind = SPIRV_TYPE_VOID};
   pointer_kind(m, type, (SpvStorageClass)w[2]);
   spirv_require(m,
                 w[2] == SpvStorageClassStorageBuffer || w[2] == SpvStorageClassUniform ||
                    w[2] == SpvStorageClassPushConstant || w[2] == SpvStorageClassPhysicalStorageBuffer ||
                    w[2] == SpvStorageClassWorkgroup,
                 "an untyped pointer of this storage class");
   type->is_untyped = true;
   type->element = &any;
   pointer_stride(m, type);
}

static void
function_type(struct spirv_module *m, struct spirv_type *type, const uint32_t *w)
{
   type->kind = SPIRV_TYPE_FUNCTION;
   type->element = spirv_type(m, w[2]);
   type->length = spirv_length(w) - 3;
   type->params = arena_array(&m->temp, const struct spirv_type *, type->length);
   for (uint32_t i = 0; i < type->length; i++) {
      type->params[i] = spirv_type(m, w[3 + i]);
      spirv_require(m, type->params[i]->kind != SPIRV_TYPE_VOID, "a parameter of type void");
   }
}

static enum nir_image_dim
image_dim(struct spirv_module *m, uint32_t dim, bool multisampled)
{
   static const uint8_t dims[] = {
      [SpvDim1D] = NIR_DIM_1D,     [SpvDim2D] = NIR_DIM_2D,      [SpvDim3D] = NIR_DIM_3D,
      [SpvDimCube] = NIR_DIM_CUBE, [SpvDimBuffer] = NIR_DIM_BUF, [SpvDimSubpassData] = NIR_DIM_SUBPASS};
   spirv_require(m, dim <= SpvDimSubpassData && dim != SpvDimRect, "image dimension %u is not supported", dim);
   spirv_require(m, !multisampled || dim == SpvDim2D || dim == SpvDimSubpassData, "only 2D images are multisampled");
   if (multisampled)
      return dim == SpvDim2D ? NIR_DIM_MS : NIR_DIM_SUBPASS_MS;
   return (enum nir_image_dim)dims[dim];
}

/* SpvImageFormat to VkFormat. */
/* clang-format off */
static const uint32_t image_formats[] = {
   [SpvImageFormatRgba32f] = FORMAT_R32G32B32A32_SFLOAT, [SpvImageFormatRgba16f] = FORMAT_R16G16B16A16_SFLOAT,
   [SpvImageFormatR32f] = FORMAT_R32_SFLOAT, [SpvImageFormatRgba8] = FORMAT_R8G8B8A8_UNORM,
   [SpvImageFormatRgba8Snorm] = FORMAT_R8G8B8A8_SNORM, [SpvImageFormatRg32f] = FORMAT_R32G32_SFLOAT,
   [SpvImageFormatRg16f] = FORMAT_R16G16_SFLOAT, [SpvImageFormatR11fG11fB10f] = FORMAT_B10G11R11_UFLOAT_PACK32,
   [SpvImageFormatR16f] = FORMAT_R16_SFLOAT, [SpvImageFormatRgba16] = FORMAT_R16G16B16A16_UNORM,
   [SpvImageFormatRgb10A2] = FORMAT_A2B10G10R10_UNORM_PACK32, [SpvImageFormatRg16] = FORMAT_R16G16_UNORM,
   [SpvImageFormatRg8] = FORMAT_R8G8_UNORM, [SpvImageFormatR16] = FORMAT_R16_UNORM,
   [SpvImageFormatR8] = FORMAT_R8_UNORM, [SpvImageFormatRgba16Snorm] = FORMAT_R16G16B16A16_SNORM,
   [SpvImageFormatRg16Snorm] = FORMAT_R16G16_SNORM, [SpvImageFormatRg8Snorm] = FORMAT_R8G8_SNORM,
   [SpvImageFormatR16Snorm] = FORMAT_R16_SNORM, [SpvImageFormatR8Snorm] = FORMAT_R8_SNORM,
   [SpvImageFormatRgba32i] = FORMAT_R32G32B32A32_SINT, [SpvImageFormatRgba16i] = FORMAT_R16G16B16A16_SINT,
   [SpvImageFormatRgba8i] = FORMAT_R8G8B8A8_SINT, [SpvImageFormatR32i] = FORMAT_R32_SINT,
   [SpvImageFormatRg32i] = FORMAT_R32G32_SINT, [SpvImageFormatRg16i] = FORMAT_R16G16_SINT,
   [SpvImageFormatRg8i] = FORMAT_R8G8_SINT, [SpvImageFormatR16i] = FORMAT_R16_SINT,
   [SpvImageFormatR8i] = FORMAT_R8_SINT, [SpvImageFormatRgba32ui] = FORMAT_R32G32B32A32_UINT,
   [SpvImageFormatRgba16ui] = FORMAT_R16G16B16A16_UINT, [SpvImageFormatRgba8ui] = FORMAT_R8G8B8A8_UINT,
   [SpvImageFormatR64ui] = FORMAT_R64_UINT, [SpvImageFormatR64i] = FORMAT_R64_SINT,
   [SpvImageFormatR32ui] = FORMAT_R32_UINT, [SpvImageFormatRgb10a2ui] = FORMAT_A2B10G10R10_UINT_PACK32,
   [SpvImageFormatRg32ui] = FORMAT_R32G32_UINT, [SpvImageFormatRg16ui] = FORMAT_R16G16_UINT,
   [SpvImageFormatRg8ui] = FORMAT_R8G8_UINT, [SpvImageFormatR16ui] = FORMAT_R16_UINT,
   [SpvImageFormatR8ui] = FORMAT_R8_UINT,
};
/* clang-format on */

/* A storage image of 64-bit integers. */
static bool
is_storage_int64(const struct spirv_module *m, const struct spirv_type *texel, uint32_t sampled)
{
   return spirv_has(m, SpvCapabilityInt64ImageEXT) && texel->kind == SPIRV_TYPE_INT && texel->bit_size == 64 &&
          sampled == 2;
}

static void
image_type(struct spirv_module *m, struct spirv_type *type, const uint32_t *w)
{
   type->kind = SPIRV_TYPE_IMAGE;
   type->element = spirv_type(m, w[2]);
   spirv_require(m,
                 (type->element->kind == SPIRV_TYPE_INT || type->element->kind == SPIRV_TYPE_FLOAT) &&
                    (type->element->bit_size == 32 || is_storage_int64(m, type->element, w[7])),
                 "the sampled type must be a 32-bit number");
   spirv_require(m, w[4] <= 2 && w[5] <= 1 && w[6] <= 1, "an operand of the image type is out of range");
   spirv_require(m, w[7] == 1 || w[7] == 2, "Sampled must be 1 or 2");
   type->dim = image_dim(m, w[3], w[6]);
   type->is_depth = w[4] == 1;
   type->is_arrayed = w[5];
   type->is_multisampled = w[6];
   type->sampled = w[7];
   spirv_require(m, w[8] < ARRAY_SIZE(image_formats), "image format %u is not supported", w[8]);
   type->format = image_formats[w[8]];
   bool subpass = type->dim == NIR_DIM_SUBPASS || type->dim == NIR_DIM_SUBPASS_MS;
   spirv_require(m, !subpass || (type->sampled == 2 && !type->format),
                 "an input attachment has Sampled 2 and no format");
   spirv_require(m, !type->is_arrayed || (type->dim != NIR_DIM_3D && type->dim != NIR_DIM_BUF && !subpass),
                 "an image of this dimension has no layers");
   type->has_opaque = true;
   type->nir =
      nir_type_image(m->arena, NIR_TYPE_IMAGE, type->dim, type->is_arrayed, type->is_depth, type->element->base);
}

static void
sampled_image_type(struct spirv_module *m, struct spirv_type *type, const uint32_t *w)
{
   const struct spirv_type *image = spirv_type(m, w[2]);
   spirv_require(m, image->kind == SPIRV_TYPE_IMAGE, "%s is no image", spirv_type_name(m, image));
   spirv_require(m, image->sampled == 1, "the image cannot be sampled");
   type->kind = SPIRV_TYPE_SAMPLED_IMAGE;
   type->element = image;
   type->has_opaque = true;
   type->nir = nir_type_image(m->arena, NIR_TYPE_SAMPLED_IMAGE, image->dim, image->is_arrayed, image->is_depth,
                              image->element->base);
}

bool
spirv_makes_type(uint32_t opcode)
{
   return (opcode >= SpvOpTypeVoid && opcode <= SpvOpTypeForwardPointer) || opcode == SpvOpTypeUntypedPointerKHR ||
          opcode == SpvOpTypeCooperativeMatrixKHR;
}

void
spirv_type_instruction(struct spirv_module *m, const uint32_t *w)
{
   /* size: a flat switch */
   struct spirv_id *id = &m->ids[w[1]];
   struct spirv_type *type = id->kind == SPIRV_ID_TYPE ? id->type : arena_new(&m->temp, struct spirv_type);
   type->id = w[1];
   type->columns = type->components = 1;
   switch (spirv_opcode(w)) {
   case SpvOpTypeVoid:
      type->kind = SPIRV_TYPE_VOID;
      break;
   case SpvOpTypeBool:
      type->kind = SPIRV_TYPE_BOOL;
      type->bit_size = 1;
      type->base = NIR_TYPE_BOOL;
      type->has_bool = true;
      break;
   case SpvOpTypeInt:
      int_type(m, type, w);
      break;
   case SpvOpTypeFloat:
      float_type(m, type, w);
      break;
   case SpvOpTypeVector:
      vector_type(m, type, w);
      break;
   case SpvOpTypeMatrix:
      matrix_type(m, type, w);
      break;
   case SpvOpTypeArray:
   case SpvOpTypeRuntimeArray:
      array_type(m, type, w);
      break;
   case SpvOpTypeStruct:
      struct_type(m, type, w);
      break;
   case SpvOpTypePointer:
      pointer_type(m, type, w);
      break;
   case SpvOpTypeUntypedPointerKHR:
      untyped_pointer_type(m, type, w);
      break;
   case SpvOpTypeForwardPointer:
      forward_pointer(m, type, w);
      break;
   case SpvOpTypeFunction:
      function_type(m, type, w);
      break;
   case SpvOpTypeImage:
      image_type(m, type, w);
      break;
   case SpvOpTypeSampledImage:
      sampled_image_type(m, type, w);
      break;
   case SpvOpTypeCooperativeMatrixKHR:
      spirv_cooperative_type(m, type, w);
      break;
   case SpvOpTypeSampler:
      type->kind = SPIRV_TYPE_SAMPLER;
      type->has_opaque = true;
      type->nir = nir_type_sampler();
      break;
   default:
      spirv_fail(m, "the type is not supported");
   }
   if (spirv_is_vector_or_scalar(type)) {
      type->scalars = type->components;
      type->nir =
         nir_type_vector(spirv_is_address(type) ? NIR_TYPE_UINT : type->base, type->bit_size, type->components);
   }
   id->kind = SPIRV_ID_TYPE;
   id->type = type;
}
