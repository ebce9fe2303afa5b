	s_clause 0x1
	s_load_dwordx4 s[4:7], s[0:1], null
	s_load_dwordx4 s[0:3], s[0:1], 0x1000
	s_mul_i32 s8, s24, 64
	v_add_nc_u32_e32 v0, s8, v0
	v_lshlrev_b32_e32 v0, 2, v0
	s_waitcnt lgkmcnt(0)
	s_clause 0x1
	buffer_load_dword v1, v0, s[4:7], 0 offen
	buffer_load_dword v2, v0, s[0:3], 0 offen
	s_waitcnt vmcnt(0)
	v_fma_f32 v1, v1, 2.0, v2
	buffer_store_dword v1, v0, s[0:3], 0 offen
	s_endpgm
