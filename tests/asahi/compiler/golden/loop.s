ldimm    r0l, 0
mov      r1, thread_index_in_threadgroup
shl      r2, r1, 2
ldimm    r3, 0
csel     r5, r1, u68, u65, 0, ult
mov      r4, u64
load     r4, dr4, r1, i32, x, a
wait     a
while    r4, 0, 1, ine
and      r5, r4, 16
if       r5, 0, 1, ine
iadd     r3, r3, r4
ldimm    r0l, 2
pop_exec 1
shr      r4, r4, 1
xor      r3, r3, r4
jmp_any  -52
pop_exec 1
mov      r0h, r2l
lstore   r3, r0h, 0, i32, x
barrier
if       r1, 32, 1, ult
jmp_none 70
isub     r1, 63, r1
shl      r1, r1, 2
lload    r1, r1l, 0, i32, x
shr      r3, r2, 2
csel     r5, r3, u68, u65, 0, ult
mov      r4, u64
iadd     dr2, ^dr4, r2
atomic   _, r1, dr2, 0, add, coherent1, b
pop_exec 1
stop
