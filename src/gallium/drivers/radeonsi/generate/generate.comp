#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
// One invocation makes the packets of a sequence, and the data that they point to.
#include "si_generate_op.h"

layout(local_size_x = SI_GENERATE_GROUP) in;

layout(buffer_reference, std430, buffer_reference_align = 4) buffer words { uint word[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer operations { si_generate_op op[]; };

layout(push_constant) uniform arguments { si_generate_arguments all; };

words stream, packets, tasks, data;
uvec2 data_va;
uint sequence;
bool is_empty = false; // what it draws

uvec2 after(uvec2 va, uint bytes)
{
   uint carry;
   va.x = uaddCarry(va.x, bytes, carry);
   return uvec2(va.x, va.y + carry);
}

// Far behind: the product may have more than 32 bits.
uvec2 after(uvec2 va, uint count, uint step_B)
{
   uint high, low;
   umulExtended(count, step_B, high, low);
   return after(uvec2(va.x, va.y + high), low);
}

uint source(uint at_B)
{
   return stream.word[at_B / 4];
}

void put(uint dst, uint value)
{
   if (dst < all.packets_dw)
      packets.word[dst] = value;
   else if (dst - all.packets_dw < all.tasks_dw)
      tasks.word[dst - all.packets_dw] = value;
   else
      data.word[dst - all.packets_dw - all.tasks_dw] = value;
}

void do_nothing(uint dst, uint count)
{
   put(dst, all.nop + (count - 2) * all.nop_more);
}

void put_vertices(si_generate_op op)
{
   uvec2 va = uvec2(source(op.src_B), source(op.src_B + 4));
   uint size_B = source(op.src_B + 8), stride_B = op.args[2] == SI_NOWHERE ? source(op.src_B + 12) : op.args[2];
   bool has_one = (va.x | va.y) != 0 && size_B >= op.args[0] && size_B - op.args[0] >= op.args[1];

   va = after(va, op.args[0]);
   size_B -= op.args[0];
   if (stride_B != 0)
      size_B = (size_B - op.args[1]) / stride_B + 1;
   put(op.dst, has_one ? va.x : 0);
   put(op.dst + 1, has_one ? va.y & op.args[6] | stride_B * op.args[5] : 0);
   put(op.dst + 2, has_one ? size_B : 0);
   put(op.dst + 3, has_one ? stride_B != 0 ? op.args[4] : op.args[3] : 0);
}

void put_indices(si_generate_op op)
{
   uvec2 va = uvec2(op.args[0], op.args[1]);
   uint size_B = op.args[2], size_log2 = op.args[3];
   uint first = op.args[4] == SI_NOWHERE ? 0 : source(op.args[4]);

   if (op.src_B != SI_NOWHERE) {
      uint type = source(op.src_B + 12);

      va = uvec2(source(op.src_B), source(op.src_B + 4));
      size_B = source(op.src_B + 8);
      size_log2 = type == op.args[2] ? 2 : type == op.args[1] ? 1 : 0;
   }
   uint count = size_B >> size_log2;

   count = count > first ? count - first : 0;
   is_empty = is_empty || op.args[10] != 0 && count == 0;
   va = after(va, first, 1u << size_log2);
   put(op.dst, va.x);
   put(op.dst + 1, va.y);
   put(op.args[5], count);
   if (op.args[6] != SI_NOWHERE)
      put(op.args[6], op.args[7 + size_log2]);
}

void run(si_generate_op op)
{
   switch (op.kind) {
   case SI_OP_COPY:
      for (uint i = 0; i < op.count; i++)
         put(op.dst + i, source(op.src_B + 4 * i));
      return;
   case SI_OP_SEQUENCE:
      put(op.dst, sequence);
      return;
   case SI_OP_ADDRESS:
      put(op.dst, after(data_va, 4 * op.args[0]).x);
      return;
   case SI_OP_LEAST:
      put(op.dst, min(source(op.src_B), op.args[0]));
      return;
   case SI_OP_PRODUCT:
      put(op.dst, source(op.src_B) * source(op.src_B + 4) * source(op.src_B + 8));
      return;
   case SI_OP_PROGRAM:
      words entry = words(after(all.set_va, source(op.src_B), all.entry_B));

      for (uint i = 0; i < op.count; i++)
         put(op.dst + i, entry.word[op.args[0] + i]);
      return;
   case SI_OP_VERTICES:
      put_vertices(op);
      return;
   case SI_OP_INDICES:
      put_indices(op);
      return;
   case SI_OP_SKIP:
      for (uint i = 0; i < op.count; i++)
         is_empty = is_empty || source(op.src_B + 4 * i) == 0;
      if (is_empty)
         do_nothing(op.dst, op.args[0]);
      return;
   }
}

void main()
{
   sequence = gl_GlobalInvocationID.x;
   if (sequence >= all.max_sequences)
      return;
   uint part = sequence / all.part_sequences, place = sequence % all.part_sequences;

   packets = words(after(after(all.packets_va, part, all.part_B), place, 4 * all.packets_dw));
   tasks = words(after(after(all.tasks_va, part, all.tasks_part_B), place, 4 * all.tasks_dw));
   if ((all.count_va.x | all.count_va.y) != 0 && sequence >= words(all.count_va).word[0]) {
      do_nothing(0, all.packets_dw);
      if (all.tasks_dw != 0)
         do_nothing(all.packets_dw, all.tasks_dw);
      return;
   }
   stream = words(after(all.stream_va, sequence, all.stream_stride_B));
   data_va = after(all.data_va, sequence, 4 * all.data_dw);
   data = words(data_va);

   operations ops = operations(all.ops_va);
   words pattern = words(after(all.ops_va, all.num_ops, 4 * (4 + SI_OP_ARGS)));

   for (uint i = 0; i < all.packets_dw + all.tasks_dw + all.data_dw; i++)
      put(i, pattern.word[i]);
   for (uint i = 0; i < all.num_ops; i++)
      run(ops.op[i]);
}
