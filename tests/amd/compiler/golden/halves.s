	v_add_f16_e32 v2, v0.h, v1.h
	v_sub_f16_e32 v3, 0x1234, v0.h
	v_lshrrev_b32_e32 v4, 8, v1
	v_subrev_f16_e32 v5, 0x1234, v0.h
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_4) | instid1(VALU_DEP_4)
	v_mul_f16_e32 v2, v4, v2
	v_fma_f16 v0, -v0, v3, v1 op_sel:[1,0,1,0]
	v_cvt_f32_f16_e32 v3, v1.h
	v_lshrrev_b32_e32 v4, 16, v1
	v_max_f16_e32 v5, v1.h, v5
	v_add_f16_e32 v0, v2, v0
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_add_nc_u32_e32 v2, v4, v3
	v_add_f16_e32 v3, v0, v5
	global_store_b64 v1, v[2:3], s[14:15]
	s_endpgm
