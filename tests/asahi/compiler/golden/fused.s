ldimm    r0l, 0
mov      r1, thread_in_threadgroup_x
ldimm    r2, 0
while    r2, r1, 1, ulte
while    r2, 1.0, 1, flt
iadd     r2, r2, 1
jmp_any  -20
pop_exec 1
store    r2, du0, 0, i32, x, b
stop
