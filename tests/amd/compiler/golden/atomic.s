	s_load_dwordx4 s[0:3], s[0:1], 0x9000
	s_mul_i32 s4, s24, 8
	v_add_nc_u32_e32 v1, s4, v0
	v_mov_b32_e32 v0, v1
	s_waitcnt lgkmcnt(0)
	buffer_atomic_add v0, off, s[0:3], 0 glc
	s_waitcnt vmcnt(0)
	buffer_store_dwordx2 v[0:1], off, s[0:3], 0 offset:8
	s_endpgm
