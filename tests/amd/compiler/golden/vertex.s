	s_mov_b32 s0, s19
	s_mov_b32 exec_lo, -1
	s_and_b32 s1, s3, 0xf000000
	s_cbranch_scc1 7
	s_bfe_u32 s1, s2, 0x9000c
	s_bfe_u32 s2, s2, 0x90016
	s_lshl_b32 s2, s2, 12
	s_or_b32 m0, s2, s1
	s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)
	s_lshl_b32 s1, s3, 16
	s_bfe_u64 s[4:5], -1, s1
	s_lshl_b32 s1, s3, 8
	s_bfe_u64 s[2:3], -1, s1
	s_mov_b32 exec_lo, s2
	s_cbranch_execz 2
	exp prim v0, off, off, off done
	s_mov_b32 exec_lo, s4
	s_cbranch_execz 56
	s_load_dwordx4 s[4:7], s[18:19], null
	s_waitcnt expcnt(0)
	v_add_nc_u32_e32 v0, s0, v5
	s_waitcnt lgkmcnt(0)
	buffer_load_format_xyz v[1:3], v0, s[4:7], 0 idxen
	s_clause 0x3
	s_load_dwordx4 s[0:3], s[16:17], 0x10
	s_load_dwordx4 s[4:7], s[16:17], null
	s_load_dwordx4 s[8:11], s[16:17], 0x20
	s_load_dwordx4 s[12:15], s[16:17], 0x30
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_mul_f32_e32 v4, s0, v2
	v_mul_f32_e32 v5, s1, v2
	v_mul_f32_e32 v6, s2, v2
	v_mul_f32_e32 v2, s3, v2
	v_fma_f32 v4, s4, v1, v4
	v_fma_f32 v5, s5, v1, v5
	v_fma_f32 v6, s6, v1, v6
	v_add_nc_u32_e32 v7, s20, v8
	v_fma_f32 v1, s7, v1, v2
	v_fma_f32 v2, s8, v3, v4
	v_fma_f32 v4, s9, v3, v5
	v_fma_f32 v5, s10, v3, v6
	v_fma_f32 v1, s11, v3, v1
	s_load_dwordx4 s[0:3], s[18:19], 0x10
	s_waitcnt lgkmcnt(0)
	buffer_load_format_xy v[8:9], v0, s[0:3], 0 idxen
	v_cvt_f32_i32_e32 v0, v7
	v_add_f32_e32 v2, s12, v2
	v_add_f32_e32 v3, s13, v4
	v_add_f32_e32 v4, s14, v5
	v_add_f32_e32 v1, s15, v1
	s_waitcnt vmcnt(0)
	v_mul_f32_e32 v5, v8, v0
	v_mul_f32_e32 v0, v9, v0
	exp pos0 v2, v3, v4, v1 done
	exp param0 v5, v0, off, off
	s_endpgm
	s_endpgm
