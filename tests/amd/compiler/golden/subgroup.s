	s_load_dwordx4 s[0:3], s[0:1], null
	v_lshlrev_b32_e32 v0, 2, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dword v1, v0, s[0:3], 0 offen
	s_mov_b32 s4, exec_lo
	s_or_saveexec_b32 s5, -1
	s_waitcnt vmcnt(0)
	v_cndmask_b32_e64 v2, 0, v1, s4
	v_mov_b32_dpp v3, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_add_nc_u32_e32 v2, v3, v2
	v_mov_b32_dpp v3, v2 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_add_nc_u32_e32 v2, v3, v2
	v_mov_b32_dpp v3, v2 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_add_nc_u32_e32 v2, v3, v2
	v_mov_b32_dpp v3, v2 row_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_add_nc_u32_e32 v2, v3, v2
	s_mov_b32 s4, 0x76543210
	s_mov_b32 s6, 0xfedcba98
	v_permlanex16_b32 v3, v2, s4, s6
	s_mov_b32 exec_lo, s5
	s_mov_b32 s4, exec_lo
	s_or_saveexec_b32 s5, -1
	v_cndmask_b32_e64 v4, 0, v1, s4
	v_mov_b32_e32 v5, 0
	v_mov_b32_dpp v5, v4 row_shr:1 row_mask:0xf bank_mask:0xf
	v_readlane_b32 s4, v4, 15
	s_mov_b32 s6, 0x10000
	v_cndmask_b32_e64 v4, v5, s4, s6
	v_mov_b32_e32 v5, 0
	v_mov_b32_dpp v5, v4 row_shr:1 row_mask:0xf bank_mask:0xf
	v_add_nc_u32_e32 v4, v5, v4
	v_mov_b32_e32 v5, 0
	v_mov_b32_dpp v5, v4 row_shr:2 row_mask:0xf bank_mask:0xf
	v_add_nc_u32_e32 v4, v5, v4
	v_mov_b32_e32 v5, 0
	v_mov_b32_dpp v5, v4 row_shr:4 row_mask:0xf bank_mask:0xf
	v_add_nc_u32_e32 v4, v5, v4
	v_mov_b32_e32 v5, 0
	v_mov_b32_dpp v5, v4 row_shr:8 row_mask:0xf bank_mask:0xf
	v_add_nc_u32_e32 v4, v5, v4
	v_readlane_b32 s4, v4, 15
	v_add_nc_u32_e32 v5, s4, v4
	s_mov_b32 s4, 0xffff0000
	v_cndmask_b32_e64 v4, v4, v5, s4
	s_mov_b32 exec_lo, s5
	v_cmp_lt_u32_e32 vcc_lo, 3, v1
	s_and_b32 s4, vcc_lo, exec_lo
	v_bcnt_u32_b32 v5, s4, 0
	v_mul_lo_u32 v4, v4, v5
	v_add3_u32 v2, v3, v2, v4
	v_readfirstlane_b32 s4, v1
	v_add_nc_u32_e32 v1, s4, v2
	buffer_store_dword v1, v0, s[0:3], 0 offen
	s_endpgm
