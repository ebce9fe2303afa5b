	buffer_load_dword v1, v0, s[4:7], 0 offen
	s_waitcnt_depctr 0xffe3
	s_mov_b32 s4, 0
	buffer_load_dword v2, v0, s[8:11], 0 offen
	v_mov_b32_e32 v3, 0
	s_mov_b32 s8, 0
	s_load_dword s12, s[14:15], null
	s_mov_b32 null, 0
	v_readfirstlane_b32 s14, v0
	s_cmp_lg_u32 s0, 0
	s_cbranch_scc0 3
	s_waitcnt_vscnt null, 0x0
	ds_write_b32 v0, v1
	s_endpgm
