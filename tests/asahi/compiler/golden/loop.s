ldimm    r0l, 0
mov      r1, thread_index_in_threadgroup
load     r2_r3_r4_r5, du0, 0, i32, xyzw, a
wait     a
shl      r5, r1, 2
isub     r6, r4, 4
shr      r6, ^r6, 2
iadd     r6, ^r6, 1
csel     r4, ^r4, 4, 0, ^r6, ult
csel     r7, r1, r4, r3, 0, ult
mov      r6, r2
load     r6, dr6, r1, i32, x, a
ldimm    r7, 0
wait     a
while    r6, 0, 1, ine
and      r8, r6, 16
if       r8, 0, 1, ine
iadd     r7, r7, r6
ldimm    r0l, 2
pop_exec 1
shr      r6, r6, 1
xor      r7, r7, r6
jmp_any  -52
pop_exec 1
mov      r0h, r5l
lstore   r7, r0h, 0, i32, x
barrier
if       r1, 32, 1, ult
jmp_none 62
isub     r1, 63, r1
shl      r1, r1, 2
lload    r1, r1l, 0, i32, x
shr      r6, r5, 2
csel     r3, ^r6, ^r4, r3, 0, ult
iadd     dr2, dr2, ^r5
atomic   _, r1, dr2, 0, add, coherent1, a
pop_exec 1
stop
