	v_lshlrev_b32_e32 v1, 3, v0
	v_mov_b32_e32 v2, v0
	buffer_atomic_add v2, v1, s[0:3], 0 offen glc
	buffer_atomic_add v0, v1, s[0:3], 0 offen
	v_add_co_u32 v3, vcc_lo, s16, v0
	v_add_co_ci_u32_e64 v4, vcc_lo, s17, 0, vcc_lo
	global_atomic_add v5, v[3:4], v0, off glc
	global_atomic_add v[3:4], v0, off
	ds_add_rtn_u32 v6, v1, v0 offset:16
	ds_add_u32 v1, v0 offset:16
	v_mov_b32_e32 v7, 3
	s_mov_b64 s[16:17], s[4:5]
	s_mov_b64 s[18:19], s[6:7]
	s_mov_b64 s[20:21], s[8:9]
	s_mov_b64 s[22:23], s[10:11]
	v_mov_b32_e32 v8, v0
	image_atomic_add v8, [v0, v7], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm glc
	v_mov_b32_e32 v7, 3
	image_atomic_add v0, [v0, v7], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm
	v_mov_b32_e32 v7, v0
	buffer_atomic_add v7, v0, s[4:7], 0 idxen glc
	v_mov_b32_e32 v9, v0
	v_mov_b32_e32 v10, 0
	buffer_atomic_add v0, v0, s[4:7], 0 idxen
	v_mov_b32_e32 v11, v0
	buffer_atomic_smin v11, v1, s[0:3], 0 offen glc
	buffer_atomic_smin v0, v1, s[0:3], 0 offen
	global_atomic_smin v12, v[3:4], v0, off glc
	global_atomic_smin v[3:4], v0, off
	ds_min_rtn_i32 v13, v1, v0 offset:16
	ds_min_i32 v1, v0 offset:16
	v_mov_b32_e32 v14, 3
	v_mov_b32_e32 v15, v0
	image_atomic_smin v15, [v0, v14], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm glc
	v_mov_b32_e32 v14, 3
	image_atomic_smin v0, [v0, v14], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm
	v_mov_b32_e32 v14, v0
	buffer_atomic_smin v14, v0, s[4:7], 0 idxen glc
	buffer_atomic_smin v0, v0, s[4:7], 0 idxen
	v_mov_b32_e32 v16, v0
	buffer_atomic_umin v16, v1, s[0:3], 0 offen glc
	buffer_atomic_umin v0, v1, s[0:3], 0 offen
	global_atomic_umin v17, v[3:4], v0, off glc
	global_atomic_umin v[3:4], v0, off
	ds_min_rtn_u32 v18, v1, v0 offset:16
	ds_min_u32 v1, v0 offset:16
	v_mov_b32_e32 v19, 3
	v_mov_b32_e32 v20, v0
	image_atomic_umin v20, [v0, v19], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm glc
	v_mov_b32_e32 v19, 3
	image_atomic_umin v0, [v0, v19], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm
	v_mov_b32_e32 v19, v0
	buffer_atomic_umin v19, v0, s[4:7], 0 idxen glc
	buffer_atomic_umin v0, v0, s[4:7], 0 idxen
	v_mov_b32_e32 v21, v0
	buffer_atomic_smax v21, v1, s[0:3], 0 offen glc
	buffer_atomic_smax v0, v1, s[0:3], 0 offen
	global_atomic_smax v22, v[3:4], v0, off glc
	global_atomic_smax v[3:4], v0, off
	ds_max_rtn_i32 v23, v1, v0 offset:16
	ds_max_i32 v1, v0 offset:16
	v_mov_b32_e32 v24, 3
	v_mov_b32_e32 v25, v0
	image_atomic_smax v25, [v0, v24], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm glc
	v_mov_b32_e32 v24, 3
	image_atomic_smax v0, [v0, v24], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm
	v_mov_b32_e32 v24, v0
	buffer_atomic_smax v24, v0, s[4:7], 0 idxen glc
	buffer_atomic_smax v0, v0, s[4:7], 0 idxen
	v_mov_b32_e32 v26, v0
	buffer_atomic_umax v26, v1, s[0:3], 0 offen glc
	buffer_atomic_umax v0, v1, s[0:3], 0 offen
	global_atomic_umax v27, v[3:4], v0, off glc
	global_atomic_umax v[3:4], v0, off
	ds_max_rtn_u32 v28, v1, v0 offset:16
	ds_max_u32 v1, v0 offset:16
	v_mov_b32_e32 v29, 3
	v_mov_b32_e32 v30, v0
	image_atomic_umax v30, [v0, v29], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm glc
	v_mov_b32_e32 v29, 3
	image_atomic_umax v0, [v0, v29], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm
	v_mov_b32_e32 v29, v0
	buffer_atomic_umax v29, v0, s[4:7], 0 idxen glc
	buffer_atomic_umax v0, v0, s[4:7], 0 idxen
	v_mov_b32_e32 v31, v0
	buffer_atomic_and v31, v1, s[0:3], 0 offen glc
	buffer_atomic_and v0, v1, s[0:3], 0 offen
	global_atomic_and v32, v[3:4], v0, off glc
	global_atomic_and v[3:4], v0, off
	ds_and_rtn_b32 v33, v1, v0 offset:16
	ds_and_b32 v1, v0 offset:16
	v_mov_b32_e32 v34, 3
	v_mov_b32_e32 v35, v0
	image_atomic_and v35, [v0, v34], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm glc
	v_mov_b32_e32 v34, 3
	image_atomic_and v0, [v0, v34], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm
	v_mov_b32_e32 v34, v0
	buffer_atomic_and v34, v0, s[4:7], 0 idxen glc
	buffer_atomic_and v0, v0, s[4:7], 0 idxen
	v_mov_b32_e32 v36, v0
	buffer_atomic_or v36, v1, s[0:3], 0 offen glc
	buffer_atomic_or v0, v1, s[0:3], 0 offen
	global_atomic_or v37, v[3:4], v0, off glc
	global_atomic_or v[3:4], v0, off
	ds_or_rtn_b32 v38, v1, v0 offset:16
	ds_or_b32 v1, v0 offset:16
	v_mov_b32_e32 v39, 3
	v_mov_b32_e32 v40, v0
	image_atomic_or v40, [v0, v39], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm glc
	v_mov_b32_e32 v39, 3
	image_atomic_or v0, [v0, v39], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm
	v_mov_b32_e32 v39, v0
	buffer_atomic_or v39, v0, s[4:7], 0 idxen glc
	buffer_atomic_or v0, v0, s[4:7], 0 idxen
	v_mov_b32_e32 v41, v0
	buffer_atomic_xor v41, v1, s[0:3], 0 offen glc
	buffer_atomic_xor v0, v1, s[0:3], 0 offen
	global_atomic_xor v42, v[3:4], v0, off glc
	global_atomic_xor v[3:4], v0, off
	ds_xor_rtn_b32 v43, v1, v0 offset:16
	ds_xor_b32 v1, v0 offset:16
	v_mov_b32_e32 v44, 3
	v_mov_b32_e32 v45, v0
	image_atomic_xor v45, [v0, v44], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm glc
	v_mov_b32_e32 v44, 3
	image_atomic_xor v0, [v0, v44], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm
	v_mov_b32_e32 v44, v0
	buffer_atomic_xor v44, v0, s[4:7], 0 idxen glc
	buffer_atomic_xor v0, v0, s[4:7], 0 idxen
	v_mov_b32_e32 v46, v0
	buffer_atomic_swap v46, v1, s[0:3], 0 offen glc
	buffer_atomic_swap v0, v1, s[0:3], 0 offen
	global_atomic_swap v47, v[3:4], v0, off glc
	global_atomic_swap v[3:4], v0, off
	ds_wrxchg_rtn_b32 v48, v1, v0 offset:16
	ds_wrxchg_rtn_b32 v49, v1, v0 offset:16
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v49, 3
	v_mov_b32_e32 v50, v0
	image_atomic_swap v50, [v0, v49], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm glc
	v_mov_b32_e32 v49, 3
	image_atomic_swap v0, [v0, v49], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm
	v_mov_b32_e32 v49, v0
	buffer_atomic_swap v49, v0, s[4:7], 0 idxen glc
	buffer_atomic_swap v0, v0, s[4:7], 0 idxen
	v_mov_b32_e32 v51, v0
	buffer_atomic_fmin v51, v1, s[0:3], 0 offen glc
	buffer_atomic_fmin v0, v1, s[0:3], 0 offen
	global_atomic_fmin v52, v[3:4], v0, off glc
	global_atomic_fmin v[3:4], v0, off
	ds_min_rtn_f32 v53, v1, v0 offset:16
	ds_min_f32 v1, v0 offset:16
	v_mov_b32_e32 v54, 3
	v_mov_b32_e32 v55, v0
	image_atomic_fmin v55, [v0, v54], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm glc
	v_mov_b32_e32 v54, 3
	image_atomic_fmin v0, [v0, v54], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm
	v_mov_b32_e32 v54, v0
	buffer_atomic_fmin v54, v0, s[4:7], 0 idxen glc
	buffer_atomic_fmin v0, v0, s[4:7], 0 idxen
	v_mov_b32_e32 v56, v0
	buffer_atomic_fmax v56, v1, s[0:3], 0 offen glc
	buffer_atomic_fmax v0, v1, s[0:3], 0 offen
	global_atomic_fmax v57, v[3:4], v0, off glc
	global_atomic_fmax v[3:4], v0, off
	ds_max_rtn_f32 v58, v1, v0 offset:16
	ds_max_f32 v1, v0 offset:16
	v_mov_b32_e32 v59, 3
	v_mov_b32_e32 v60, v0
	image_atomic_fmax v60, [v0, v59], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm glc
	v_mov_b32_e32 v59, 3
	image_atomic_fmax v0, [v0, v59], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm
	v_mov_b32_e32 v59, v0
	buffer_atomic_fmax v59, v0, s[4:7], 0 idxen glc
	buffer_atomic_fmax v0, v0, s[4:7], 0 idxen
	v_mov_b32_e32 v61, 3
	v_mov_b32_e32 v62, v0
	buffer_atomic_cmpswap v[61:62], v1, s[0:3], 0 offen glc
	v_mov_b32_e32 v62, 3
	v_mov_b32_e32 v63, v0
	buffer_atomic_cmpswap v[62:63], v1, s[0:3], 0 offen
	v_mov_b32_e32 v62, 3
	v_mov_b32_e32 v63, v0
	global_atomic_cmpswap v62, v[3:4], v[62:63], off glc
	v_mov_b32_e32 v63, 3
	v_mov_b32_e32 v64, v0
	global_atomic_cmpswap v[3:4], v[63:64], off
	v_mov_b32_e32 v63, 3
	ds_cmpst_rtn_b32 v63, v1, v0, v63 offset:16
	v_mov_b32_e32 v64, 3
	ds_cmpst_b32 v1, v0, v64 offset:16
	v_mov_b32_e32 v64, 3
	v_mov_b32_e32 v65, 3
	v_mov_b32_e32 v66, v64
	v_mov_b32_e32 v67, v0
	image_atomic_cmpswap v[66:67], [v0, v65], s[16:23] dmask:0x3 dim:SQ_RSRC_IMG_2D unorm glc
	v_mov_b32_e32 v64, 3
	v_mov_b32_e32 v65, 3
	v_mov_b32_e32 v68, v64
	v_mov_b32_e32 v69, v0
	image_atomic_cmpswap v[68:69], [v0, v65], s[16:23] dmask:0x3 dim:SQ_RSRC_IMG_2D unorm
	v_mov_b32_e32 v64, 3
	v_mov_b32_e32 v65, v0
	buffer_atomic_cmpswap v[64:65], v0, s[4:7], 0 idxen glc
	v_mov_b32_e32 v68, 3
	v_mov_b32_e32 v69, v0
	buffer_atomic_cmpswap v[68:69], v0, s[4:7], 0 idxen
	v_mov_b32_e32 v68, v9
	v_mov_b32_e32 v69, v10
	buffer_atomic_add_x2 v[68:69], v1, s[0:3], 0 offen glc
	buffer_atomic_add_x2 v[9:10], v1, s[0:3], 0 offen
	global_atomic_add_x2 v[70:71], v[3:4], v[9:10], off glc
	global_atomic_add_x2 v[3:4], v[9:10], off
	v_mov_b32_e32 v72, v9
	v_mov_b32_e32 v73, v10
	buffer_atomic_smin_x2 v[72:73], v1, s[0:3], 0 offen glc
	buffer_atomic_smin_x2 v[9:10], v1, s[0:3], 0 offen
	global_atomic_smin_x2 v[74:75], v[3:4], v[9:10], off glc
	global_atomic_smin_x2 v[3:4], v[9:10], off
	v_mov_b32_e32 v76, v9
	v_mov_b32_e32 v77, v10
	buffer_atomic_umin_x2 v[76:77], v1, s[0:3], 0 offen glc
	buffer_atomic_umin_x2 v[9:10], v1, s[0:3], 0 offen
	global_atomic_umin_x2 v[78:79], v[3:4], v[9:10], off glc
	global_atomic_umin_x2 v[3:4], v[9:10], off
	v_mov_b32_e32 v80, v9
	v_mov_b32_e32 v81, v10
	buffer_atomic_smax_x2 v[80:81], v1, s[0:3], 0 offen glc
	buffer_atomic_smax_x2 v[9:10], v1, s[0:3], 0 offen
	global_atomic_smax_x2 v[82:83], v[3:4], v[9:10], off glc
	global_atomic_smax_x2 v[3:4], v[9:10], off
	v_mov_b32_e32 v84, v9
	v_mov_b32_e32 v85, v10
	buffer_atomic_umax_x2 v[84:85], v1, s[0:3], 0 offen glc
	buffer_atomic_umax_x2 v[9:10], v1, s[0:3], 0 offen
	global_atomic_umax_x2 v[86:87], v[3:4], v[9:10], off glc
	global_atomic_umax_x2 v[3:4], v[9:10], off
	v_mov_b32_e32 v88, v9
	v_mov_b32_e32 v89, v10
	buffer_atomic_and_x2 v[88:89], v1, s[0:3], 0 offen glc
	buffer_atomic_and_x2 v[9:10], v1, s[0:3], 0 offen
	global_atomic_and_x2 v[90:91], v[3:4], v[9:10], off glc
	global_atomic_and_x2 v[3:4], v[9:10], off
	v_mov_b32_e32 v92, v9
	v_mov_b32_e32 v93, v10
	buffer_atomic_or_x2 v[92:93], v1, s[0:3], 0 offen glc
	buffer_atomic_or_x2 v[9:10], v1, s[0:3], 0 offen
	global_atomic_or_x2 v[94:95], v[3:4], v[9:10], off glc
	global_atomic_or_x2 v[3:4], v[9:10], off
	v_mov_b32_e32 v96, v9
	v_mov_b32_e32 v97, v10
	buffer_atomic_xor_x2 v[96:97], v1, s[0:3], 0 offen glc
	buffer_atomic_xor_x2 v[9:10], v1, s[0:3], 0 offen
	global_atomic_xor_x2 v[98:99], v[3:4], v[9:10], off glc
	global_atomic_xor_x2 v[3:4], v[9:10], off
	v_mov_b32_e32 v100, v9
	v_mov_b32_e32 v101, v10
	buffer_atomic_swap_x2 v[100:101], v1, s[0:3], 0 offen glc
	buffer_atomic_swap_x2 v[9:10], v1, s[0:3], 0 offen
	global_atomic_swap_x2 v[102:103], v[3:4], v[9:10], off glc
	global_atomic_swap_x2 v[3:4], v[9:10], off
	v_mov_b32_e32 v104, v9
	v_mov_b32_e32 v105, v10
	v_mov_b32_e32 v106, v9
	v_mov_b32_e32 v107, v10
	buffer_atomic_cmpswap_x2 v[104:107], v1, s[0:3], 0 offen glc
	v_mov_b32_e32 v106, v9
	v_mov_b32_e32 v107, v10
	v_mov_b32_e32 v108, v9
	v_mov_b32_e32 v109, v10
	buffer_atomic_cmpswap_x2 v[106:109], v1, s[0:3], 0 offen
	v_mov_b32_e32 v106, v9
	v_mov_b32_e32 v107, v10
	v_mov_b32_e32 v108, v9
	v_mov_b32_e32 v109, v10
	global_atomic_cmpswap_x2 v[106:107], v[3:4], v[106:109], off glc
	v_mov_b32_e32 v108, v9
	v_mov_b32_e32 v109, v10
	v_mov_b32_e32 v110, v9
	v_mov_b32_e32 v111, v10
	global_atomic_cmpswap_x2 v[3:4], v[108:111], off
	s_waitcnt vmcnt(62)
	v_xor3_b32 v2, v2, v5, v6
	v_xor3_b32 v2, v2, v8, v7
	v_xor3_b32 v2, v2, v11, v12
	s_waitcnt vmcnt(61)
	v_xor3_b32 v2, v2, v13, v15
	s_waitcnt vmcnt(59)
	v_xor3_b32 v2, v2, v14, v16
	s_waitcnt vmcnt(58)
	v_xor3_b32 v2, v2, v17, v18
	s_waitcnt vmcnt(56)
	v_xor3_b32 v2, v2, v20, v19
	s_waitcnt vmcnt(54)
	v_xor3_b32 v2, v2, v21, v22
	s_waitcnt vmcnt(53)
	v_xor3_b32 v2, v2, v23, v25
	s_waitcnt vmcnt(51)
	v_xor3_b32 v2, v2, v24, v26
	s_waitcnt vmcnt(50)
	v_xor3_b32 v2, v2, v27, v28
	s_waitcnt vmcnt(48)
	v_xor3_b32 v2, v2, v30, v29
	s_waitcnt vmcnt(46)
	v_xor3_b32 v2, v2, v31, v32
	s_waitcnt vmcnt(45)
	v_xor3_b32 v2, v2, v33, v35
	s_waitcnt vmcnt(43)
	v_xor3_b32 v2, v2, v34, v36
	s_waitcnt vmcnt(42)
	v_xor3_b32 v2, v2, v37, v38
	s_waitcnt vmcnt(40)
	v_xor3_b32 v2, v2, v40, v39
	ds_add_rtn_f32 v0, v1, v0 offset:16
	s_waitcnt vmcnt(18)
	v_xor_b32_e32 v3, v68, v70
	v_xor_b32_e32 v4, v69, v71
	s_waitcnt vmcnt(17)
	v_xor_b32_e32 v3, v3, v72
	v_xor3_b32 v2, v2, v41, v42
	v_xor_b32_e32 v4, v4, v73
	v_xor3_b32 v2, v2, v43, v45
	v_xor3_b32 v2, v2, v44, v46
	s_waitcnt vmcnt(16)
	v_xor_b32_e32 v3, v3, v74
	v_xor3_b32 v2, v2, v47, v48
	v_xor_b32_e32 v4, v4, v75
	v_xor3_b32 v2, v2, v50, v49
	v_xor3_b32 v2, v2, v51, v52
	s_waitcnt vmcnt(15)
	v_xor_b32_e32 v3, v3, v76
	s_waitcnt lgkmcnt(6)
	v_xor3_b32 v2, v2, v53, v55
	v_xor_b32_e32 v4, v4, v77
	v_xor3_b32 v2, v2, v54, v56
	s_waitcnt lgkmcnt(4)
	v_xor3_b32 v2, v2, v57, v58
	s_waitcnt vmcnt(14)
	v_xor_b32_e32 v3, v3, v78
	v_xor3_b32 v2, v2, v60, v59
	v_xor_b32_e32 v4, v4, v79
	v_xor3_b32 v2, v2, v61, v62
	s_waitcnt lgkmcnt(2)
	v_xor3_b32 v2, v2, v63, v66
	s_waitcnt vmcnt(13)
	v_xor_b32_e32 v3, v3, v80
	s_waitcnt lgkmcnt(0)
	v_xor3_b32 v0, v2, v64, v0
	v_xor_b32_e32 v2, v4, v81
	buffer_store_dword v0, v1, s[12:15], 0 offen
	s_waitcnt vmcnt(12)
	v_xor_b32_e32 v0, v3, v82
	v_xor_b32_e32 v2, v2, v83
	s_waitcnt vmcnt(11)
	v_xor_b32_e32 v0, v0, v84
	v_xor_b32_e32 v2, v2, v85
	s_waitcnt vmcnt(10)
	v_xor_b32_e32 v0, v0, v86
	v_xor_b32_e32 v2, v2, v87
	s_waitcnt vmcnt(9)
	v_xor_b32_e32 v0, v0, v88
	v_xor_b32_e32 v2, v2, v89
	s_waitcnt vmcnt(8)
	v_xor_b32_e32 v0, v0, v90
	v_xor_b32_e32 v2, v2, v91
	s_waitcnt vmcnt(7)
	v_xor_b32_e32 v0, v0, v92
	v_xor_b32_e32 v2, v2, v93
	s_waitcnt vmcnt(6)
	v_xor_b32_e32 v0, v0, v94
	v_xor_b32_e32 v2, v2, v95
	s_waitcnt vmcnt(5)
	v_xor_b32_e32 v0, v0, v96
	v_xor_b32_e32 v2, v2, v97
	s_waitcnt vmcnt(4)
	v_xor_b32_e32 v0, v0, v98
	v_xor_b32_e32 v2, v2, v99
	s_waitcnt vmcnt(3)
	v_xor_b32_e32 v0, v0, v100
	v_xor_b32_e32 v2, v2, v101
	s_waitcnt vmcnt(2)
	v_xor_b32_e32 v0, v0, v102
	v_xor_b32_e32 v2, v2, v103
	s_waitcnt vmcnt(1)
	v_xor_b32_e32 v0, v0, v104
	v_xor_b32_e32 v2, v2, v105
	s_waitcnt vmcnt(0)
	v_xor_b32_e32 v3, v0, v106
	v_xor_b32_e32 v4, v2, v107
	buffer_store_dwordx2 v[3:4], v1, s[12:15], 0 offen
	s_endpgm
