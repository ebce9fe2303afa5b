/* The mistakes that builds with -Dmutants=true can make (util/mutant.h). */
#ifndef INDIUM_TOOLS_MUTANTS_H
#define INDIUM_TOOLS_MUTANTS_H

/* X(name, what goes wrong) */
#define MUTANTS(X)                                                                                                   \
   X("no-wait", "the wave enters its ordered section at once")                                                       \
   X("wait-without-overlap", "the wave polls although nothing overlaps")                                             \
   X("wrong-packer", "POPS_PACKER names another packer")                                                             \
   X("packer-not-enabled", "POPS_PACKER bit 0 stays 0")                                                              \
   X("pops-not-enabled", "DB_SHADER_CONTROL.PRIMITIVE_ORDERED_PIXEL_SHADER stays 0")                                 \
   X("plain-comparison", "wave ids are compared without the remap offset")                                           \
   X("message-missing", "one path of the shader ends without ORDERED_PS_DONE")                                       \
   X("message-twice", "ORDERED_PS_DONE is sent twice")                                                               \
   X("message-early", "ORDERED_PS_DONE is sent before the counters are waited for")                                  \
   X("glc-missing", "ordered accesses without GLC")                                                                  \
   X("store-glc-missing", "ordered stores without GLC")                                                              \
   X("dlc-missing", "ordered loads without DLC")                                                                     \
   X("overlap-samples-small", "POPS_OVERLAP_NUM_SAMPLES one step too small")                                         \
   X("overlap-samples-large", "POPS_OVERLAP_NUM_SAMPLES one step too large")                                         \
   X("no-export", "the shader executes no export")                                                                   \
   X("no-export-space", "SPI_SHADER_COL_FORMAT stays 0 where nothing is written")                                    \
   X("rsrc2-only", "LOAD_COLLISION_WAVEID in RSRC2_PS, not in PA_SC_SHADER_CONTROL")                                 \
   X("pa-sc-only", "LOAD_COLLISION_WAVEID in PA_SC_SHADER_CONTROL, not in RSRC2_PS")                                 \
   X("loads-hoisted", "loads move above the entry")                                                                  \
   X("stores-sunk", "stores move below the exit")                                                                    \
   X("intrawave-off-by-one", "layers of the intrawave loop begin one quad late")                                     \
   X("release-early", "the exit comes before the last of several sections")                                          \
   X("enters-early", "the wave enters while the newest overlapped one is inside")                                    \
   X("offset-by-one", "wave ids are remapped by -own instead of ~own")                                               \
   X("loads-not-awaited", "ORDERED_PS_DONE waits for stores only")                                                   \
   X("stores-not-awaited", "ORDERED_PS_DONE waits for loads only")                                                   \
   X("end-without-message", "waves that lose their lanes in the section end by s_endpgm")                            \
   X("left-in-branch", "the section stands in a branch although waves that lose their lanes in it end")             \
   X("entered-in-branch", "the entry stands in the branch of the first begin, the exit behind it")                   \
   X("coherent-overtaken", "plain loads are scheduled ahead of the coherent one of their place")                     \
   X("textures-stale", "L0 and L1 keep what textures read before the entry")                                         \
   X("parts-as-whole", "a plain load follows a store of some words of its place")                                    \
   X("promises-believed", "loads of read-only bindings move over stores of other bindings")

#endif
