	v_readfirstlane_b32 s4, v0
	s_nop 4
	buffer_load_dword v1, v0, s[4:7], 0 offen
	v_readfirstlane_b32 s8, v0
	s_nop 3
	v_readlane_b32 s12, v0, s8
	v_mov_b32_e32 v2, 0
	s_nop 1
	v_mov_b32_dpp v3, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_mov_b32 m0, s12
	s_nop 0
	v_interp_p1_f32_e32 v4, v0, attr0.x
	v_readfirstlane_b32 s8, v0
	s_mov_b32 s8, 0
	buffer_load_dword v2, v0, s[8:11], 0 offen
	s_nop 4
	buffer_load_dword v3, v0, s[16:19], 0 offen
	buffer_store_dwordx4 v[4:7], v0, s[20:23], 0 offen
	s_nop 0
	v_mov_b32_e32 v7, 0
	s_cmp_lg_u32 s0, 0
	s_cbranch_scc0 2
	v_readfirstlane_b32 s16, v0
	s_branch 65525
	buffer_store_dwordx4 v[4:7], v0, s[20:23], 0 offen
	s_nop 0
	v_interp_p1_f32_e32 v5, v0, attr0.x
	s_endpgm
