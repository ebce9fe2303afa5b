/* Reads or writes a word at an address. */
#version 450
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference, buffer_reference_align = 4) buffer Word { uint value; };
layout(push_constant) uniform Push { Word at; Word to; uint writes; };

void main()
{
   if (writes != 0)
      at.value = 77;
   else
      to.value = at.value;
}
