ldimm    r0l, 0
mov      r1, thread_index_in_threadgroup
shl      r2, r1, 2
ldimm    r3, 0
csel     r5, r1, u68, u65, 0, ult
mov      r4, u64
load     r6, dr4, r1, i32, x, a
wait     a
while    r6, 0, 1, ine
and      r7, r6, 16
if       r7, 0, 1, ine
iadd     r3, r3, r6
ldimm    r0l, 2
pop_exec 1
shr      r6, r6, 1
xor      r3, r3, r6
jmp_any  -52
pop_exec 1
lstore   r3, r2l, 0, i32, x
barrier
if       r1, 32, 1, ult
jmp_none 38
isub     r2, 63, r1
shl      r2, r2, 2
lload    r2, r2l, 0, i32, x
atomic   _, r2, dr4, r1, add, coherent1, b
pop_exec 1
stop
