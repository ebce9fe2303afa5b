	s_clause 0x1
	buffer_load_dword v1, v0, s[4:7], 0 offen
	buffer_load_dword v2, v0, s[4:7], 0 offen offset:4
	s_load_dword s12, s[8:9], null
	s_waitcnt vmcnt(1)
	v_add_f32_e32 v3, v1, v1
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v3, v2, v3
	buffer_load_dword v2, v3, s[4:7], 0 offen
	buffer_store_dword v3, v0, s[4:7], 0 offen
	v_mov_b32_e32 v3, 0
	s_waitcnt lgkmcnt(0)
	s_cmp_lg_u32 s12, 0
	s_cbranch_scc0 1
	s_branch 65525
	s_endpgm
