	s_or_b32 s5, s1, 0x80000000
	s_mov_b32 s4, s0
	s_mov_b32 s6, -1
	s_mov_b32 s7, 0x31c16000
	v_add_nc_u32_e32 v1, 1, v0
	v_add_nc_u32_e32 v2, 2, v0
	buffer_store_dword v2, off, s[4:7], s2 offset:8
	v_add_nc_u32_e32 v2, 3, v0
	buffer_store_dword v2, off, s[4:7], s2 offset:4
	v_add_nc_u32_e32 v2, 4, v0
	buffer_store_dword v2, off, s[4:7], s2
	v_add_nc_u32_e32 v2, 5, v0
	v_xor_b32_e32 v0, v0, v1
	buffer_load_dword v1, off, s[4:7], s2 offset:8
	s_waitcnt vmcnt(0)
	v_xor_b32_e32 v0, v0, v1
	buffer_load_dword v1, off, s[4:7], s2 offset:4
	s_waitcnt vmcnt(0)
	v_xor_b32_e32 v0, v0, v1
	buffer_load_dword v1, off, s[4:7], s2
	s_waitcnt vmcnt(0)
	v_xor_b32_e32 v0, v0, v1
	v_xor_b32_e32 v0, v0, v2
	exp mrt0 v0, off, off, off done vm
	s_endpgm
