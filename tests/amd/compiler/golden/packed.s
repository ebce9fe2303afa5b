	v_lshlrev_b32_e32 v0, 4, v0
	s_clause 0x1
	buffer_load_dwordx2 v[1:2], v0, s[0:3], 0 offen
	buffer_load_dwordx2 v[3:4], v0, s[0:3], 0 offen
	s_waitcnt vmcnt(0)
	v_pk_mul_f16 v4, v2, v4
	v_pk_mul_f16 v5, v1, v3
	v_pk_add_f16 v3, v4, v3 op_sel:[0,1] neg_lo:[0,1] neg_hi:[0,1]
	s_mov_b32 s0, 0x42484248
	v_pk_fma_f16 v1, v5, v1, s0 op_sel:[0,1,0] op_sel_hi:[1,0,0]
	v_pk_add_u16 v3, v3, 3 op_sel_hi:[1,0]
	v_xor_b32_e32 v1, 0x80008000, v1
	v_pk_lshlrev_b16 v3, 2, v3 op_sel_hi:[0,1]
	s_mov_b32 s0, 0x3c003c00
	v_pk_max_f16 v4, v1, s0 op_sel_hi:[1,0]
	v_pk_min_u16 v5, v3, v2
	buffer_store_dwordx2 v[4:5], v0, s[4:7], 0 offen
	s_endpgm
