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
   X("drain-stalls", "draining on overlap leaves PARTIAL_SQUAD_LAUNCH_CONTROL at AUTO (Navi 10)")                    \
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

/* Those of the AGX driver and its compiler, which the model of m1 must find. */
#define AGX_MUTANTS(X)                                                                                               \
   X("agx-wait-missing", "results of memory and textures are not waited for")                                        \
   X("agx-wait-wrong-group", "waits name the other group")                                                           \
   X("agx-last-use-live", "the last use is marked on values that are needed later")                                  \
   X("agx-pop-missing", "ends of branches and loops pop one level less")                                             \
   X("agx-pixwait-missing", "pixels do not wait for older ones ahead of the tile buffer")                            \
   X("agx-group-barrier-missing", "the threads of a group do not wait for each other")                               \
   X("agx-registers-few", "the USC list asks for fewer registers than the program uses")                             \
   X("agx-uniforms-few", "the counts word asks for 64 uniforms")                                                     \
   X("agx-uniform-off-by-one", "constants go one half too far")                                                      \
   X("agx-uniform-unbound", "constants go elsewhere")                                                                \
   X("agx-preamble-missing", "the USC list names no preamble")                                                       \
   X("agx-usc-order", "the word that ends a USC list comes first")                                                   \
   X("agx-dispatch-barrier-missing", "dispatches of a stream are not ordered")                                       \
   X("agx-group-turned", "width and height of workgroups change places")                                             \
   X("agx-local-memory-small", "half of the threadgroup memory")                                                     \
   X("agx-pass-opaque", "blending and discarding draws are opaque to hidden surface removal")                        \
   X("agx-early-tests", "discarding programs are tested before they run")                                            \
   X("agx-tags-off", "pixel programs that only write memory or discard do not run")                                  \
   X("agx-depth-load-missing", "depth is not loaded")                                                                \
   X("agx-depth-store-missing", "depth is not stored")                                                               \
   X("agx-varying-slot", "coefficients are of the varying before")                                                   \
   X("agx-flat-vertex", "the VDM is told of another provoking vertex than the rest")                                 \
   X("agx-tile-wrong-layer", "tiles of all layers go to the first")                                                  \
   X("agx-clear-one-sample", "clears write the first sample alone")                                                  \
   X("agx-scissor-next", "draws name the scissor behind theirs")                                                     \
   X("agx-index-size", "indices are read as bytes")                                                                  \
   X("agx-helper-missing", "commands name no helper program")                                                        \
   X("agx-doorbell-unguarded", "doorbells of the helper program ring where no thread is active")                     \
   X("agx-helper-blocks", "pieces of private memory overlap")                                                        \
   X("agx-submit-barrier-missing", "commands of a submit do not wait for each other")                                \
   X("agx-image-fence-missing", "loads of images do not wait for the stores of their invocation")                    \
   X("agx-image-fence-kind", "what images need to be in order has the barriers of memory alone")                     \
   X("agx-decompress-missing", "what transfers write over stays compressed")                                         \
   X("agx-metadata-layer", "layers of compressed images have the metadata of the first")

#endif
