ldimm    r0l, 0
mov      r1, thread_index_in_threadgroup
shl      r2, r1, 2
mov      r4, u64
mov      r5, u69
csel     r3, r1, u68, r1, u68, ult
load     r3, dr4, r3, i32, x, a
ldimm    r4, 0
wait     a
while    r3, 0, 1, ine
and      r5, r3, 16
if       r5, 0, 1, ine
iadd     r4, r4, r3
ldimm    r0l, 2
pop_exec 1
shr      r3, r3, 1
xor      r4, r4, r3
jmp_any  -52
pop_exec 1
lstore   r4, r2l, 0, i32, x
barrier
if       r1, 32, 1, ult
isub     r2, 63, r1
shl      r2, r2, 2
lload    r2, r2l, 0, i32, x
csel     r5, r1, u70, u65, 0, ult
mov      r4, u64
atomic   _, r2, dr4, r1, add, coherent1, b
pop_exec 1
stop
