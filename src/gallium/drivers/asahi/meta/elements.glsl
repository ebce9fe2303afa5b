// Elements of images and rows of buffers.
#extension GL_EXT_shader_image_load_formatted : require

layout(binding = AGX_META_DST_ADDRESSES) readonly uniform uimage2DArray dst_addresses;
layout(binding = AGX_META_SRC_ADDRESSES) readonly uniform uimage2DArray src_addresses;

// The element of the invocation, from the origin of a box on.
uvec3 offset()
{
   return uvec3(gl_GlobalInvocationID.x >> table.parts_log2, gl_GlobalInvocationID.yz);
}

// Which part of it.
uint part()
{
   return gl_GlobalInvocationID.x - (offset().x << table.parts_log2);
}

uvec3 place_in(agx_meta_side side, uvec3 at)
{
   return at + uvec3(side.x_el, side.y_el, side.layer);
}

uint64_t dst_address(uvec3 place)
{
   return address(imageLoad(dst_addresses, ivec3(place)).xy);
}

uint64_t src_address(uvec3 place)
{
   return address(imageLoad(src_addresses, ivec3(place)).xy);
}

// The low 16 bits of the result are those of a word, turned.
uint turn(uint value)
{
   return (value | value << 16) >> (16 - number(AGX_META_TURN));
}
