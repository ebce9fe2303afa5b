ldimm    r0l, 0
mov      r1, thread_index_in_threadgroup
shl      r2, r1, 2
csel     r3, r1, u66, r1, u66, ult
load     r4, du64, r3, i32, x, a
ldimm    r5, 0
wait     a
while    r4, 0, 1, ine
and      r6, r4, 16
if       r6, 0, 1, ine
iadd     r5, r5, r4
ldimm    r0l, 2
pop_exec 1
shr      r4, r4, 1
xor      r5, r5, r4
jmp_any  -52
pop_exec 1
lstore   r5, r2l, 0, i32, x
barrier
if       r1, 32, 1, ult
isub     r1, 63, r1
shl      r1, r1, 2
lload    r1, r1l, 0, i32, x
atomic   _, r1, du64, r3, add, coherent1, b
pop_exec 1
stop
