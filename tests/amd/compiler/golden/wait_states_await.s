	v_readfirstlane_b32 s4, v0
	s_bitcmp1_b32 s20, 31
	s_cbranch_scc0 17
	s_bfe_u32 s100, s20, 0x1001c
	s_add_u32 s100, s100, 1
	s_setreg_b32 hwreg(HW_REG_MODE, 24, 2), s100
	s_bfe_u32 s101, s20, 0xa0010
	s_and_b32 s100, s20, 0x3ff
	s_cmp_gt_u32 s101, s100
	s_addc_u32 s101, s101, 0
	s_not_b32 s100, s100
	s_add_u32 s101, s101, s100
	s_add_i32 s8, src_pops_exiting_wave_id, s100
	s_cmp_lt_u32 s101, s8
	s_cbranch_scc1 2
	s_sleep 3
	s_branch 65531
	s_nop 3
	buffer_load_dword v1, v0, s[4:7], 0 offen glc
	s_sendmsg sendmsg(MSG_ORDERED_PS_DONE)
	s_endpgm
