	v_lshlrev_b32_e32 v1, 3, v0
	buffer_load_dwordx2 v[2:3], v1, s[0:3], 0 offen
	s_mov_b32 s0, exec_lo
	s_or_saveexec_b32 s1, -1
	s_waitcnt vmcnt(0)
	v_mov_b32_e32 v4, v2
	v_mov_b32_e32 v5, v3
	v_cndmask_b32_e64 v4, 0, v4, s0
	v_cndmask_b32_e64 v5, 0, v5, s0
	v_mov_b32_dpp v6, v4 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v7, v5 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_add_co_u32 v4, vcc_lo, v6, v4
	v_add_co_ci_u32_e32 v5, vcc_lo, v7, v5, vcc_lo
	v_mov_b32_dpp v6, v4 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v7, v5 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_add_co_u32 v4, vcc_lo, v6, v4
	v_add_co_ci_u32_e32 v5, vcc_lo, v7, v5, vcc_lo
	v_mov_b32_dpp v6, v4 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v7, v5 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_add_co_u32 v4, vcc_lo, v6, v4
	v_add_co_ci_u32_e32 v5, vcc_lo, v7, v5, vcc_lo
	v_mov_b32_dpp v6, v4 row_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v7, v5 row_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_add_co_u32 v4, vcc_lo, v6, v4
	s_mov_b32 s0, 0x76543210
	s_mov_b32 s2, 0xfedcba98
	v_add_co_ci_u32_e32 v5, vcc_lo, v7, v5, vcc_lo
	v_permlanex16_b32 v6, v4, s0, s2
	v_permlanex16_b32 v7, v5, s0, s2
	v_add_co_u32 v4, vcc_lo, v6, v4
	v_add_co_ci_u32_e32 v5, vcc_lo, v7, v5, vcc_lo
	s_mov_b32 exec_lo, s1
	s_mov_b32 s0, exec_lo
	s_or_saveexec_b32 s1, -1
	v_cndmask_b32_e64 v6, -1, v4, s0
	v_cndmask_b32_e64 v7, -1, v5, s0
	v_mov_b32_e32 v4, -1
	v_mov_b32_e32 v5, -1
	v_mov_b32_dpp v4, v6 row_shr:1 row_mask:0xf bank_mask:0xf
	v_mov_b32_dpp v5, v7 row_shr:1 row_mask:0xf bank_mask:0xf
	v_mov_b32_e32 v8, v6
	v_mov_b32_e32 v9, v7
	v_mov_b32_e32 v10, v4
	v_mov_b32_e32 v11, v5
	v_cmp_lt_u64_e32 vcc_lo, v[10:11], v[8:9]
	v_cndmask_b32_e32 v8, v6, v4, vcc_lo
	v_cndmask_b32_e32 v9, v7, v5, vcc_lo
	v_mov_b32_e32 v4, -1
	v_mov_b32_e32 v5, -1
	v_mov_b32_dpp v4, v8 row_shr:2 row_mask:0xf bank_mask:0xf
	v_mov_b32_dpp v5, v9 row_shr:2 row_mask:0xf bank_mask:0xf
	v_mov_b32_e32 v6, v8
	v_mov_b32_e32 v7, v9
	v_mov_b32_e32 v10, v4
	v_mov_b32_e32 v11, v5
	v_cmp_lt_u64_e32 vcc_lo, v[10:11], v[6:7]
	v_cndmask_b32_e32 v6, v8, v4, vcc_lo
	v_cndmask_b32_e32 v7, v9, v5, vcc_lo
	v_mov_b32_e32 v4, -1
	v_mov_b32_e32 v5, -1
	v_mov_b32_dpp v4, v6 row_shr:4 row_mask:0xf bank_mask:0xf
	v_mov_b32_dpp v5, v7 row_shr:4 row_mask:0xf bank_mask:0xf
	v_mov_b32_e32 v8, v6
	v_mov_b32_e32 v9, v7
	v_mov_b32_e32 v10, v4
	v_mov_b32_e32 v11, v5
	v_cmp_lt_u64_e32 vcc_lo, v[10:11], v[8:9]
	v_cndmask_b32_e32 v8, v6, v4, vcc_lo
	v_cndmask_b32_e32 v9, v7, v5, vcc_lo
	v_mov_b32_e32 v4, -1
	v_mov_b32_e32 v5, -1
	v_mov_b32_dpp v4, v8 row_shr:8 row_mask:0xf bank_mask:0xf
	v_mov_b32_dpp v5, v9 row_shr:8 row_mask:0xf bank_mask:0xf
	v_mov_b32_e32 v6, v8
	v_mov_b32_e32 v7, v9
	v_mov_b32_e32 v10, v4
	v_mov_b32_e32 v11, v5
	v_cmp_lt_u64_e32 vcc_lo, v[10:11], v[6:7]
	v_cndmask_b32_e32 v6, v8, v4, vcc_lo
	v_cndmask_b32_e32 v7, v9, v5, vcc_lo
	v_readlane_b32 s2, v6, 15
	v_readlane_b32 s3, v7, 15
	v_mov_b32_e32 v4, v6
	v_mov_b32_e32 v5, v7
	s_mov_b64 s[8:9], s[2:3]
	v_cmp_lt_u64_e32 vcc_lo, s[8:9], v[4:5]
	v_cndmask_b32_e64 v4, v6, s2, vcc_lo
	v_cndmask_b32_e64 v5, v7, s3, vcc_lo
	s_mov_b32 s0, 0xffff0000
	v_cndmask_b32_e64 v4, v6, v4, s0
	v_cndmask_b32_e64 v5, v7, v5, s0
	s_mov_b32 exec_lo, s1
	v_cmp_gt_u32_e32 vcc_lo, 16, v0
	s_and_saveexec_b32 s0, vcc_lo
	s_cbranch_execz 40
	s_mov_b32 s1, exec_lo
	s_or_saveexec_b32 s2, -1
	v_mov_b32_e32 v12, v0
	v_mov_b32_e32 v13, v2
	v_mov_b32_e32 v14, v3
	v_mov_b32_e32 v15, v4
	v_mov_b32_e32 v16, v5
	v_mov_b32_e32 v17, v6
	v_cndmask_b32_e64 v0, 0, v4, s1
	v_cndmask_b32_e64 v2, 0, v5, s1
	v_mov_b32_dpp v3, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v4, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_xor_b32_e32 v0, v3, v0
	v_xor_b32_e32 v2, v4, v2
	v_mov_b32_dpp v3, v0 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v4, v2 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_xor_b32_e32 v0, v3, v0
	v_xor_b32_e32 v2, v4, v2
	v_mov_b32_dpp v3, v0 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v4, v2 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_xor_b32_e32 v5, v3, v0
	v_xor_b32_e32 v6, v4, v2
	s_not_b32 exec_lo, s2
	v_mov_b32_e32 v0, v12
	v_mov_b32_e32 v2, v13
	v_mov_b32_e32 v3, v14
	v_mov_b32_e32 v4, v15
	v_mov_b32_e32 v5, v16
	v_mov_b32_e32 v6, v17
	s_mov_b32 exec_lo, s2
	buffer_store_dwordx2 v[5:6], v1, s[4:7], 0 offen
	s_andn2_b32 exec_lo, s0, vcc_lo
	s_cbranch_execz 5
	v_add_co_u32 v6, vcc_lo, v2, v4
	v_add_co_ci_u32_e32 v7, vcc_lo, v3, v5, vcc_lo
	buffer_store_dwordx2 v[6:7], v1, s[4:7], 0 offen
	s_mov_b32 exec_lo, s0
	s_endpgm
