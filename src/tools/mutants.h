/* The mistakes that builds with -Dmutants=true can make (util/mutant.h). */
#ifndef INDIUM_TOOLS_MUTANTS_H
#define INDIUM_TOOLS_MUTANTS_H

/* X(name, where it can matter (enum mutants_where), what goes wrong) */
#define MUTANTS(X)                                                                                                   \
   X("no-wait", AMD, "the wave enters its ordered section at once")                                                  \
   X("wait-without-overlap", WAVE_IDS, "the wave polls although nothing overlaps")                                   \
   X("wrong-packer", WAVE_IDS, "POPS_PACKER names another packer")                                                   \
   X("packer-not-enabled", WAVE_IDS, "the wave is left without a packer")                                            \
   X("packer-elsewhere", WAVE_IDS, "the packer goes to MODE instead of POPS_PACKER, or the reverse")                 \
   X("packer-of-other-generation", WAVE_IDS, "two bits of packer are read on GFX9, written as for MODE later")       \
   X("pops-not-enabled", AMD, "DB_SHADER_CONTROL.PRIMITIVE_ORDERED_PIXEL_SHADER stays 0")                            \
   X("plain-comparison", WAVE_IDS, "wave ids are compared without the remap offset")                                 \
   X("newest-uncorrected", PACKER_IN_MODE, "the newest wave id keeps its erratum (pops-wave-id)")                    \
   X("sleep-endless", PACKER_IN_MODE, "the wave sleeps until an exit wakes it, which none does")                     \
   X("message-missing", WAVE_IDS, "one path of the shader ends without ORDERED_PS_DONE")                             \
   X("message-twice", WAVE_IDS, "ORDERED_PS_DONE is sent twice")                                                     \
   X("message-early", WAVE_IDS, "ORDERED_PS_DONE is sent before the counters are waited for")                        \
   X("glc-missing", AMD, "ordered accesses without GLC")                                                             \
   X("load-glc-missing", AMD, "ordered loads without GLC")                                                           \
   X("loads-cached", AMD, "ordered loads with neither GLC nor DLC")                                                  \
   X("store-glc-missing", WAVE_IDS, "ordered stores without GLC")                                                    \
   X("buffer-glc-missing", AMD, "ordered loads of buffers without GLC")                                              \
   X("address-glc-missing", AMD, "ordered loads of addresses without GLC")                                           \
   X("image-glc-missing", AMD, "ordered loads of images without GLC")                                                \
   X("texel-glc-missing", AMD, "ordered loads of texel buffers without GLC")                                         \
   X("dlc-missing", GL1, "ordered loads without DLC")                                                                \
   X("overlap-samples-large", AMD, "POPS_OVERLAP_NUM_SAMPLES one step too large")                                    \
   X("no-export", AMD, "the shader executes no export")                                                              \
   X("no-export-space", AMD, "SPI_SHADER_COL_FORMAT stays 0 where nothing is written")                               \
   X("drain-missing", MISSED_OVERLAP, "nothing drains on overlap at 8 samples (Vega 10, Raven)")                     \
   X("scissors-kept", MISSED_OVERLAP, "scissors are only written when they change (Vega 10, Raven)")                 \
   X("drain-stalls", STALLED, "draining on overlap leaves PARTIAL_SQUAD_LAUNCH_CONTROL at AUTO (Navi 10)")           \
   X("drain-left-on", STALLED, "draining is left on, where it needs more than that (Navi 10)")                       \
   X("punchout-auto", DFSM, "DB_DFSM_CONTROL.PUNCHOUT_MODE stays AUTO")                                              \
   X("wave-id-not-loaded", WAVE_IDS, "LOAD_COLLISION_WAVEID in neither register")                                    \
   X("intrawave-rsrc2-only", INTRAWAVE, "LOAD_INTRAWAVE_COLLISION in RSRC2_PS, not in PA_SC_SHADER_CONTROL")         \
   X("every-other-ordered", AMD, "every other pipeline leaves PRIMITIVE_ORDERED_PIXEL_SHADER at 0")                  \
   X("barrier-without-wait", AMD, "barriers between draws do not wait for pixel shaders")                            \
   X("barrier-stale", AMD, "barriers leave L0, L1 and the scalar caches as they are")                                \
   X("order-always", REORDERS, "every draw may be rasterised out of order")                                          \
   X("order-bounds-forgotten", REORDERS, "depth bounds are not thought of where order is")                           \
   X("order-back-forgotten", REORDERS, "the back face is thought to do to stencil what the front does")              \
   X("order-masks-forgotten", REORDERS, "stencil is thought to be written whole")                                    \
   X("order-color-forgotten", REORDERS, "colours are thought not to ask for order")                                  \
   X("order-counts-forgotten", REORDERS, "precise queries are thought to be boolean ones")                           \
   X("order-stores-forgotten", REORDERS, "shaders that store are thought not to care which of them run")             \
   X("order-coverage-forgotten", REORDERS, "alpha to coverage is thought not to drop samples")                       \
   X("order-sample-mask-forgotten", REORDERS, "an exported mask is thought not to drop samples")                     \
   X("order-discard-forgotten", REORDERS, "a discard is thought not to drop samples")                                \
   X("order-early-forgotten", REORDERS, "shaders are thought not to ask for early tests")                            \
   X("order-export-forgotten", REORDERS, "stencil references of shaders are thought to be those that are set")       \
   X("order-writes-forgotten", REORDERS, "shaders are thought not to write to memory")                               \
   X("order-sections-forgotten", REORDERS, "ordered sections are thought not to ask for order")                      \
   X("order-signs-forgotten", REORDERS, "targets with signs are thought to have none")                               \
   X("order-floats-forgotten", REORDERS, "targets of floats are thought to have fixed point")                        \
   X("order-srgb-forgotten", REORDERS, "sRGB is thought to take part in logic operations")                           \
   X("order-alpha-forgotten", REORDERS, "targets are thought to have no alpha")                                      \
   X("order-logic-forgotten", REORDERS, "logic operations are thought to be off")                                    \
   X("order-logic-xor", REORDERS, "every logic operation is thought to be XOR")                                      \
   X("order-rounding-forgotten", REORDERS, "sums and products are thought to be exact")                              \
   X("order-first-target", REORDERS, "all targets are thought to need what the first one does")                      \
   X("order-write-forgotten", REORDERS, "depth is thought not to be written")                                        \
   X("order-compare-forgotten", REORDERS, "every comparison of depth is thought to be LESS")                         \
   X("order-depth-forgotten", REORDERS, "targets are thought to have no depth")                                      \
   X("order-stencil-forgotten", REORDERS, "stencil tests are thought to be off")                                     \
   X("order-plane-forgotten", REORDERS, "targets are thought to have no stencil")                                    \
   X("order-references-forgotten", REORDERS, "stencil references are thought to be 0")                               \
   X("order-compare-masks-forgotten", REORDERS, "masks of stencil comparisons are thought to be 0")                  \
   X("order-fights-forgotten", REORDERS, "no two fragments are thought to have the same depth")                      \
   X("order-occlusion-forgotten", REORDERS, "occlusion queries are not thought of")                                  \
   X("order-statistics-forgotten", REORDERS, "queries of invocations are not thought of")                            \
   X("order-outer-counts", REORDERS, "a query around a secondary is thought to be a boolean one")                    \
   X("order-outer-statistics", REORDERS, "queries of invocations around a secondary are not thought of")             \
   X("order-relaxed", REORDERS, "every application is thought to relax the order")                                   \
   X("order-old-blend", REORDERS, "the decision about order is old after other blending")                           \
   X("order-old-tests", REORDERS, "the decision about order is old after other tests of depth and stencil")         \
   X("order-old-stencil", REORDERS, "the decision about order is old after other references or masks")              \
   X("order-old-program", REORDERS, "the decision about order is old after another shader")                         \
   X("order-old-queries", REORDERS, "the decision about order is old after the begin of a query")                   \
   X("order-old-register", REORDERS, "the order's register is thought to be as it was ahead of a secondary")         \
   X("rate-combiners-swapped", VRS, "the combiners of primitive and attachment change places")                       \
   X("rates-not-copied", RATES_IN_HTILE, "the attachment's rates are not copied into HTILE")                         \
   X("rate-base-missing", RATE_IMAGES, "PA_SC_VRS_RATE_BASE stays 0")                                                \
   X("rate-size-missing", RATE_IMAGES, "PA_SC_VRS_RATE_SIZE_XY stays 0")                                             \
   X("rates-fine-in-order", RATE_IMAGES, "FORCE_SC_VRS_RATE_FINE_POPS is set though rates are offered with it") \
   X("rates-of-8-samples", VRS_8X, "what has eight samples is shaded coarsely, too")                                 \
   X("pairs-unlocked", PAIRS, "pairs of operations may have sources that lose an interlock (vopd-interlock)")       \
   X("rsrc2-only", WAVE_IDS, "LOAD_COLLISION_WAVEID in RSRC2_PS, not in PA_SC_SHADER_CONTROL")                       \
   X("pa-sc-only", WAVE_IDS, "LOAD_COLLISION_WAVEID in PA_SC_SHADER_CONTROL, not in RSRC2_PS")                       \
   X("loads-hoisted", AMD, "loads move above the entry")                                                             \
   X("stores-sunk", WAVE_IDS, "stores move below the exit")                                                          \
   X("intrawave-off-by-one", INTRAWAVE, "layers of the intrawave loop begin one quad late")                          \
   X("release-early", WAVE_IDS, "the exit comes before the last of several sections")                                \
   X("enters-early", WAVE_IDS, "the wave enters while the newest overlapped one is inside")                          \
   X("offset-by-one", WAVE_IDS, "wave ids are remapped by -own instead of ~own")                                     \
   X("loads-not-awaited", WAVE_IDS, "ORDERED_PS_DONE waits for stores only")                                         \
   X("stores-not-awaited", VSCNT, "the exit waits for loads only")                                                   \
   X("end-without-message", WAVE_IDS, "waves that lose their lanes in the section end by s_endpgm")                  \
   X("left-in-branch", WAVE_IDS, "the section stands in a branch although waves that lose their lanes in it end")    \
   X("turns-left-in-branch", INTRAWAVE, "the same where turns make the loop in which lanes end")                     \
   X("entered-in-branch", AMD, "the entry stands in the branch of the first begin, the exit behind it")              \
   X("coherent-overtaken", AMD, "plain loads are scheduled ahead of the coherent one of their place")                \
   X("textures-stale", AMD, "L0 and L1 keep what textures read before the entry")                                    \
   X("parts-as-whole", AMD, "a plain load follows a store of some words of its place")                               \
   X("promises-believed", AMD, "loads of read-only bindings move over stores of other bindings")                     \
   X("export-early", EXPORT_READY, "the last export (DONE) comes at the start of the section")                       \
   X("export-not-last", EXPORT_READY, "no export is the last one (DONE)")                                            \
   X("export-twice", EXPORT_READY, "two exports are the last one (DONE)")                                            \
   X("export-unawaited", EXPORT_READY, "the last export does not wait for memory")                                   \
   X("export-to-null", EXPORT_READY, "the empty export goes to the target NULL of GFX10")                            \
   X("end-without-export", AMD, "waves that lose their lanes end without an export")                                 \
   X("event-masked", EXPORT_READY, "s_wait_event with the bit that masks \"export ready\"")                        \
   X("intrinsic-rate-off", EXPORT_READY, "OVERRIDE_INTRINSIC_RATE_ENABLE stays 0")                                   \
   X("z-samples-0", EXPORT_READY, "DB_Z_INFO has no samples where there is no depth target")                         \
   X("never-plain", AMD, "what stores write over stays compressed")                                             \
   X("not-expanded", AMD, "levels become plain without what they held")                                         \
   X("one-sample-expanded", AMD, "of samples the first becomes plain with what it held")                            \
   X("iterate-256-missing", METADATA, "textures of compressed depth with samples go through tiles otherwise")       \
   X("planes-unlimited", AMD, "DB keeps as many planes of depth in a tile with samples as with one")                \
   X("xors-kept", PLANES_LOST, "compressed depth with samples has modes with exclusive or (gfx9-msaa-depth-xor)")   \
   X("not-discarded", METADATA, "metadata is what was in the memory before")                                         \
   X("blocks-not-cleared", METADATA, "DCC says that blocks are as their first element, which is not written")        \
   X("stores-uncompressed", METADATA, "stores write memory that is compressed, and not what metadata says of it")   \
   X("loads-spoilt", DCC_LOADS, "loads see that stores compress (erratum image-load-dcc)")                           \
   X("metadata-at-once", AMD, "metadata is written while the work before runs")                                 \
   X("agx-wait-missing", AGX, "results of memory and textures are not waited for")                                   \
   X("agx-wait-wrong-group", AGX, "waits name the other group")                                                      \
   X("agx-last-use-live", AGX, "the last use is marked on values that are needed later")                             \
   X("agx-pop-missing", AGX, "ends of branches and loops pop one level less")                                        \
   X("agx-pixwait-missing", AGX, "pixels do not wait for older ones ahead of the tile buffer")                       \
   X("agx-pixwait-store-missing", AGX, "programs that only store to the tile buffer do not wait for older pixels")   \
   X("agx-pixwait-tests-missing", AGX, "programs test their samples without waiting for older pixels")               \
   X("agx-pixwait-wrong-fence", AGX, "ahead of the tile buffer programs wait for the fence of tests")                \
   X("agx-interlock-wait-missing", AGX, "ordered sections begin without pixwait")                                    \
   X("agx-interlock-wrong-fence", AGX, "ordered sections wait for the fence of tests")                               \
   X("agx-interlock-wait-late", AGX, "the first load of an ordered section stands ahead of its pixwait")             \
   X("agx-interlock-release-early", AGX, "ordered sections signal their fences as soon as they have them")           \
   X("agx-interlock-load-cached", AGX, "loads of ordered sections are not coherent")                                 \
   X("agx-interlock-store-cached", AGX, "stores of ordered sections are not coherent")                               \
   X("agx-interlock-image-cached", AGX, "loads of images go through the cache of textures")                          \
   X("agx-interlock-barrier-missing", AGX, "ordered sections end without a barrier")                                 \
   X("agx-interlock-tests-early", AGX, "programs that store leave the tests to the hardware, ahead of them")         \
   X("agx-interlock-pass-opaque", AGX, "programs that store are opaque to hidden surface removal")                   \
   X("agx-group-barrier-missing", AGX, "the threads of a group do not wait for each other")                          \
   X("agx-registers-few", AGX, "the USC list asks for fewer registers than the program uses")                        \
   X("agx-uniforms-few", AGX, "the counts word asks for 64 uniforms")                                                \
   X("agx-uniform-off-by-one", AGX, "constants go one half too far")                                                 \
   X("agx-uniform-unbound", AGX, "constants go elsewhere")                                                           \
   X("agx-preamble-missing", AGX, "the USC list names no preamble")                                                  \
   X("agx-usc-order", AGX, "the word that ends a USC list comes first")                                              \
   X("agx-dispatch-barrier-missing", AGX, "dispatches of a stream are not ordered")                                  \
   X("agx-group-turned", AGX, "width and height of workgroups change places")                                        \
   X("agx-local-memory-small", AGX, "half of the threadgroup memory")                                                \
   X("agx-pass-opaque", AGX, "blending and discarding draws are opaque to hidden surface removal")                   \
   X("agx-early-tests", AGX, "discarding programs are tested before they run")                                       \
   X("agx-tags-off", AGX, "pixel programs that only write memory or discard do not run")                             \
   X("agx-depth-load-missing", AGX, "depth is not loaded")                                                           \
   X("agx-depth-store-missing", AGX, "depth is not stored")                                                          \
   X("agx-varying-slot", AGX, "coefficients are of the varying before")                                              \
   X("agx-coefficient-unbound", AGX, "the last binding of coefficients is not there") \
   X("agx-varying-unwritten", AGX, "the vertex program leaves out its last pair") \
   X("agx-varying-counts", AGX, "the state words count no pairs") \
   X("agx-pairs-first", AGX, "the header counts pairs among the slots of 32 bits") \
   X("agx-halves-turned", AGX, "the halves of a pair change places") \
   X("agx-half-unextended", AGX, "flat values of 16 bits are read as 32") \
   X("agx-link-fan", AGX, "fragment programs that were compiled apart take fans for strips")                         \
   X("agx-link-viewport", AGX, "those read viewports that nobody has written")                                       \
   X("agx-link-order", AGX, "vertex programs that were compiled apart leave slots in order, however they are read")  \
   X("agx-link-counts", AGX, "all words of those count as smooth")                                                   \
   X("agx-seam-wait-missing", AGX, "parts of a program do not wait for what those ahead of them load")               \
   X("agx-seam-registers", AGX, "a program made of parts says how many registers the first one needs")               \
   X("agx-seam-attribute", AGX, "attributes are fetched to the registers of the next location")                      \
   X("agx-flat-vertex", AGX, "the VDM is told of another provoking vertex than the rest")                            \
   X("agx-strip-vertices", AGX, "vertices of a strip's triangles come in the order in which they are drawn")         \
   X("agx-fan-vertices", AGX, "a fan's hub is its first vertex to fragment shaders")                                 \
   X("agx-tile-wrong-layer", AGX, "tiles of all layers go to the first")                                             \
   X("agx-clear-one-sample", AGX, "clears write the first sample alone")                                             \
   X("agx-scissor-next", AGX, "draws name the scissor behind theirs")                                                \
   X("agx-index-size", AGX, "indices are read as bytes")                                                             \
   X("agx-helper-missing", AGX, "commands name no helper program")                                                   \
   X("agx-doorbell-unguarded", AGX, "doorbells of the helper program ring where no thread is active")                \
   X("agx-helper-blocks", AGX, "pieces of private memory overlap")                                                   \
   X("agx-cache-kept", AGX, "renders begin without a barrier that invalidates caches")                               \
   X("agx-submit-barrier-missing", AGX, "commands of a submit do not wait for each other")                           \
   X("agx-image-fence-missing", AGX, "loads of images do not wait for the stores of their invocation")               \
   X("agx-image-fence-kind", AGX, "what images need to be in order has the barriers of memory alone")                \
   X("agx-decompress-missing", AGX, "what transfers write over stays compressed")                                    \
   X("agx-metadata-layer", AGX, "layers of compressed images have the metadata of the first")                        \
   X("agx-solid-metadata", AGX, "clears of compressed images write colours and no metadata")                         \
   X("agx-modifier-plain", AGX, "compressed images of others are taken for plain ones")                              \
   X("agx-host-compressed", AGX, "images that the processor copies are compressed")                                  \
   X("agx-pitch-own", AGX, "linear images of others have a pitch of the driver's own")                               \
   X("agx-linear-layers-plain", AGX, "arrays of linear images have descriptors of one layer")                        \
   X("agx-linear-layer-stride", AGX, "layers of linear images begin on pages, to descriptors")                       \
   X("agx-border-turned", AGX, "opaque black borders have alpha where the hardware has it")                          \
   X("agx-block-view-size", AGX, "views of blocks have the level's size, whatever its tiles")                        \
   X("agx-solid-one", AGX, "tiles of one colour hold it once")                                                       \
   X("agx-bind-order-missing", AGX, "binds of addresses do not wait for what they are told to")                      \
   X("agx-sparse-shadow-stale", AGX, "aliases of sparse buffers that are not of programs keep what they showed")     \
   X("agx-sparse-layer-padding", AGX, "in page tables a layer begins where the one before ends")                     \
   X("agx-sparse-tail-offset", AGX, "pages of tails are put where level 0 is")                                       \
   X("agx-nowhere-unmapped", HARD_FAULTS, "accesses without a place in their buffer go where nothing is mapped")     \
   X("agx-nowhere-page", HARD_FAULTS, "stores without a place in their buffer go to the page of zeros")              \
   X("agx-nowhere-atomics", HARD_FAULTS, "atomics without a place in their buffer go where nothing is mapped")       \
   X("agx-nowhere-attributes", HARD_FAULTS, "attributes without a buffer are loaded where nothing is mapped")        \
   X("agx-preamble-branches", HARD_FAULTS, "the preamble makes loads that stand in branches")

#endif
