	s_load_dwordx4 s[0:3], s[10:11], null
	s_mov_b32 s4, s11
	v_add_nc_u32_e32 v0, s4, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_format_xyz v[4:6], v0, s[0:3], 0 idxen
	s_clause 0x3
	s_load_dwordx4 s[0:3], s[8:9], 0x10
	s_load_dwordx4 s[4:7], s[8:9], null
	s_load_dwordx4 s[16:19], s[8:9], 0x20
	s_load_dwordx4 s[20:23], s[8:9], 0x30
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_mul_f32_e32 v1, s0, v5
	v_mul_f32_e32 v2, s1, v5
	v_mul_f32_e32 v7, s2, v5
	v_mul_f32_e32 v5, s3, v5
	v_fma_f32 v1, s4, v4, v1
	v_fma_f32 v2, s5, v4, v2
	v_fma_f32 v7, s6, v4, v7
	v_add_nc_u32_e32 v3, s12, v3
	v_fma_f32 v4, s7, v4, v5
	v_fma_f32 v1, s16, v6, v1
	v_fma_f32 v2, s17, v6, v2
	v_fma_f32 v5, s18, v6, v7
	v_fma_f32 v4, s19, v6, v4
	s_load_dwordx4 s[0:3], s[10:11], 0x10
	s_waitcnt lgkmcnt(0)
	buffer_load_format_xy v[6:7], v0, s[0:3], 0 idxen
	v_cvt_f32_i32_e32 v0, v3
	v_add_f32_e32 v1, s20, v1
	v_add_f32_e32 v2, s21, v2
	v_add_f32_e32 v3, s22, v5
	v_add_f32_e32 v4, s23, v4
	s_waitcnt vmcnt(0)
	v_mul_f32_e32 v5, v6, v0
	v_mul_f32_e32 v0, v7, v0
	exp pos0 v1, v2, v3, v4 done
	exp param0 v5, v0, off, off
	s_endpgm
