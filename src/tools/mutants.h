/* The mistakes that builds with -Dmutants=true can make (util/mutant.h). */
#ifndef INDIUM_TOOLS_MUTANTS_H
#define INDIUM_TOOLS_MUTANTS_H

/* X(name, where it can matter (enum mutants_where), what goes wrong) */
#define MUTANTS(X)                                                                                                   \
   X("no-wait", AMD, "the wave enters its ordered section without waiting")                                          \
   X("wait-without-overlap", WAVE_IDS, "the wave polls although nothing overlaps")                                   \
   X("wrong-packer", WAVE_IDS, "POPS_PACKER names another packer")                                                   \
   X("packer-not-enabled", WAVE_IDS, "POPS_PACKER stays unset")                                                      \
   X("packer-elsewhere", WAVE_IDS, "the packer is written to MODE instead of POPS_PACKER, or the reverse")           \
   X("packer-of-other-generation", WAVE_IDS, "GFX9 reads two packer bits, later chips write them as for MODE")       \
   X("pops-not-enabled", AMD, "DB_SHADER_CONTROL.PRIMITIVE_ORDERED_PIXEL_SHADER stays 0")                            \
   X("plain-comparison", WAVE_IDS, "wave ids are compared without the remap offset")                                 \
   X("newest-uncorrected", PACKER_IN_MODE, "the newest wave id keeps its erratum (pops-wave-id)")                    \
   X("sleep-endless", PACKER_IN_MODE, "the wave sleeps until an exit wakes it, but none does")                       \
   X("message-missing", WAVE_IDS, "one path of the shader ends without ORDERED_PS_DONE")                             \
   X("message-twice", WAVE_IDS, "ORDERED_PS_DONE is sent twice")                                                     \
   X("message-early", WAVE_IDS, "ORDERED_PS_DONE is sent before the wait for the counters")                          \
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
   X("no-export-space", AMD, "SPI_SHADER_COL_FORMAT stays 0 if nothing is written")                                  \
   X("drain-missing", MISSED_OVERLAP, "nothing drains on overlap at 8 samples (Vega 10, Raven)")                     \
   X("scissors-kept", MISSED_OVERLAP, "scissors are written only when they change (Vega 10, Raven)")                 \
   X("drain-stalls", STALLED, "draining on overlap leaves PARTIAL_SQUAD_LAUNCH_CONTROL at AUTO (Navi 10)")           \
   X("drain-left-on", STALLED, "draining is left on without the rest of its workaround (Navi 10)")                   \
   X("punchout-auto", DFSM, "DB_DFSM_CONTROL.PUNCHOUT_MODE stays AUTO")                                              \
   X("wave-id-not-loaded", WAVE_IDS, "LOAD_COLLISION_WAVEID in neither register")                                    \
   X("intrawave-rsrc2-only", INTRAWAVE, "LOAD_INTRAWAVE_COLLISION in RSRC2_PS, not in PA_SC_SHADER_CONTROL")         \
   X("every-other-ordered", AMD, "every other pipeline leaves PRIMITIVE_ORDERED_PIXEL_SHADER at 0")                  \
   X("barrier-without-wait", AMD, "barriers between draws do not wait for pixel shaders")                            \
   X("barrier-stale", AMD, "barriers do not invalidate L0, L1 and the scalar caches")                                \
   X("order-always", REORDERS, "every draw may be rasterised out of order")                                          \
   X("order-bounds-forgotten", REORDERS, "the order decision ignores depth bounds")                                  \
   X("order-back-forgotten", REORDERS, "the order decision takes the back face's stencil for the front face's")      \
   X("order-masks-forgotten", REORDERS, "the order decision takes stencil write masks for full")                     \
   X("order-color-forgotten", REORDERS, "the order decision ignores colours")                                        \
   X("order-counts-forgotten", REORDERS, "the order decision takes precise queries for boolean ones")                \
   X("order-stores-forgotten", REORDERS, "the order decision ignores that order decides which storing shaders run")  \
   X("order-coverage-forgotten", REORDERS, "the order decision ignores that alpha to coverage drops samples")        \
   X("order-sample-mask-forgotten", REORDERS, "the order decision ignores that an exported mask drops samples")      \
   X("order-discard-forgotten", REORDERS, "the order decision ignores that a discard drops samples")                 \
   X("order-early-forgotten", REORDERS, "the order decision ignores that a shader requests early tests")             \
   X("order-export-forgotten", REORDERS, "the order decision takes exported stencil references for the state's")     \
   X("order-writes-forgotten", REORDERS, "the order decision ignores that shaders write memory")                     \
   X("order-sections-forgotten", REORDERS, "the order decision ignores ordered sections")                            \
   X("order-signs-forgotten", REORDERS, "the order decision takes signed targets for unsigned ones")                 \
   X("order-floats-forgotten", REORDERS, "the order decision takes float targets for fixed point")                   \
   X("order-srgb-forgotten", REORDERS, "the order decision applies logic operations to sRGB targets")                \
   X("order-alpha-forgotten", REORDERS, "the order decision takes targets to have no alpha")                         \
   X("order-logic-forgotten", REORDERS, "the order decision ignores logic operations")                               \
   X("order-logic-xor", REORDERS, "the order decision takes every logic operation for XOR")                          \
   X("order-rounding-forgotten", REORDERS, "the order decision takes sums and products for exact")                   \
   X("order-first-target", REORDERS, "the order decision takes the needs of the first target for those of all")      \
   X("order-write-forgotten", REORDERS, "the order decision ignores depth writes")                                   \
   X("order-compare-forgotten", REORDERS, "the order decision takes every depth comparison for LESS")                \
   X("order-depth-forgotten", REORDERS, "the order decision takes targets to have no depth")                         \
   X("order-stencil-forgotten", REORDERS, "the order decision ignores stencil tests")                                \
   X("order-plane-forgotten", REORDERS, "the order decision takes targets to have no stencil")                       \
   X("order-references-forgotten", REORDERS, "the order decision takes stencil references for 0")                    \
   X("order-compare-masks-forgotten", REORDERS, "the order decision takes masks of stencil comparisons for 0")       \
   X("order-fights-forgotten", REORDERS, "the order decision takes no two fragments to have the same depth")         \
   X("order-occlusion-forgotten", REORDERS, "the order decision ignores occlusion queries")                          \
   X("order-statistics-forgotten", REORDERS, "the order decision ignores queries of invocations")                    \
   X("order-outer-counts", REORDERS, "the order decision takes a query around a secondary for a boolean one")        \
   X("order-outer-statistics", REORDERS, "the order decision ignores queries of invocations around a secondary")     \
   X("order-relaxed", REORDERS, "the order decision takes every application to relax the order")                     \
   X("order-old-blend", REORDERS, "the order decision stays as it was after a change of blending")                   \
   X("order-old-tests", REORDERS, "the order decision stays as it was after a change of depth and stencil tests")    \
   X("order-old-stencil", REORDERS, "the order decision stays as it was after a change of references or masks")      \
   X("order-old-program", REORDERS, "the order decision stays as it was after a change of shaders")                  \
   X("order-old-queries", REORDERS, "the order decision stays as it was after the begin of a query")                 \
   X("order-old-register", REORDERS, "the order register is taken to be unchanged after a secondary")                \
   X("rate-combiners-swapped", VRS, "the combiners of primitive and attachment are swapped")                         \
   X("rates-not-copied", RATES_IN_HTILE, "the attachment's rates are not copied into HTILE")                         \
   X("rate-base-missing", RATE_IMAGES, "PA_SC_VRS_RATE_BASE stays 0")                                                \
   X("rate-size-missing", RATE_IMAGES, "PA_SC_VRS_RATE_SIZE_XY stays 0")                                             \
   X("rates-fine-in-order", RATE_IMAGES, "FORCE_SC_VRS_RATE_FINE_POPS is set although sections may have rates")      \
   X("rates-of-8-samples", VRS_8X, "draws with eight samples are shaded coarsely, too")                              \
   X("pairs-unlocked", PAIRS, "pairs of operations use sources that lose an interlock (vopd-interlock)")             \
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
   X("end-without-message", WAVE_IDS, "waves that lose their lanes in the section end without the message")          \
   X("left-in-branch", WAVE_IDS, "the exit stays in a branch although waves that lose their lanes there end")        \
   X("turns-left-in-branch", INTRAWAVE, "the same, in the loop of turns")                                            \
   X("entered-in-branch", AMD, "the entry is in the branch of the first begin, the exit after it")                   \
   X("coherent-overtaken", AMD, "plain loads are scheduled before the coherent load of the same address")            \
   X("textures-stale", AMD, "L0 and L1 keep what textures read before the entry")                                    \
   X("parts-as-whole", AMD, "a plain load takes a store of some of its words for a store of all")                    \
   X("promises-believed", AMD, "loads of read-only bindings move across stores of other bindings")                   \
   X("export-early", EXPORT_READY, "the last export (DONE) is at the start of the section")                          \
   X("export-not-last", EXPORT_READY, "no export is the last one (DONE)")                                            \
   X("export-twice", EXPORT_READY, "two exports are the last one (DONE)")                                            \
   X("export-unawaited", EXPORT_READY, "the last export does not wait for memory")                                   \
   X("export-to-null", EXPORT_READY, "the empty export goes to the target NULL of GFX10")                            \
   X("end-without-export", AMD, "waves that lose their lanes end without an export")                                 \
   X("event-masked", EXPORT_READY, "s_wait_event with the bit that masks \"export ready\"")                          \
   X("intrinsic-rate-off", EXPORT_READY, "OVERRIDE_INTRINSIC_RATE_ENABLE stays 0")                                   \
   X("z-samples-0", EXPORT_READY, "DB_Z_INFO has no samples if there is no depth target")                            \
   X("never-plain", AMD, "blocks that stores overwrite stay compressed")                                             \
   X("not-expanded", AMD, "levels become uncompressed without their contents")                                       \
   X("one-sample-expanded", AMD, "only the first sample is decompressed with its contents")                          \
   X("iterate-256-missing", METADATA, "textures of compressed multisampled depth lack ITERATE_256")                  \
   X("planes-unlimited", AMD, "DB keeps as many planes of depth in a tile with samples as with one sample")          \
   X("xors-kept", PLANES_LOST, "compressed multisampled depth uses modes with exclusive or (gfx9-msaa-depth-xor)")   \
   X("not-discarded", METADATA, "metadata keeps the old contents of the memory")                                     \
   X("blocks-not-cleared", METADATA, "DCC says that blocks equal their first element, which is not written")         \
   X("stores-uncompressed", METADATA, "stores write compressed memory and leave its metadata")                       \
   X("loads-spoilt", DCC_LOADS, "load descriptors allow compressed stores (erratum image-load-dcc)")                 \
   X("metadata-at-once", AMD, "metadata is written while earlier work runs")                                         \
   X("agx-wait-missing", AGX, "no waits for results of memory and textures")                                         \
   X("agx-wait-wrong-group", AGX, "waits name the other group")                                                      \
   X("agx-last-use-live", AGX, "the last use is marked on values that are needed later")                             \
   X("agx-pop-missing", AGX, "ends of branches and loops pop one level less")                                        \
   X("agx-pixwait-missing", AGX, "pixels do not wait for older ones before the tile buffer")                         \
   X("agx-pixwait-store-missing", AGX, "programs that only store to the tile buffer do not wait for older pixels")   \
   X("agx-pixwait-tests-missing", AGX, "programs test their samples without waiting for older pixels")               \
   X("agx-pixwait-wrong-fence", AGX, "before the tile buffer, programs wait for the fence of tests")                 \
   X("agx-interlock-wait-missing", AGX, "ordered sections begin without pixwait")                                    \
   X("agx-interlock-wrong-fence", AGX, "ordered sections wait for the fence of tests")                               \
   X("agx-interlock-wait-late", AGX, "the first load of an ordered section is before its pixwait")                   \
   X("agx-interlock-release-early", AGX, "ordered sections signal their fences as soon as they have waited for them")\
   X("agx-interlock-load-cached", AGX, "loads of ordered sections are not coherent")                                 \
   X("agx-interlock-store-cached", AGX, "stores of ordered sections are not coherent")                               \
   X("agx-interlock-image-cached", AGX, "loads of images go through the cache of textures")                          \
   X("agx-interlock-barrier-missing", AGX, "ordered sections end without a barrier")                                 \
   X("agx-interlock-tests-early", AGX, "programs that store leave the tests to the hardware, which runs them first") \
   X("agx-interlock-pass-opaque", AGX, "programs that store are opaque to hidden surface removal")                   \
   X("agx-group-barrier-missing", AGX, "the threads of a group do not wait for each other")                          \
   X("agx-registers-few", AGX, "the USC list asks for fewer registers than the program uses")                        \
   X("agx-uniforms-few", AGX, "the counts word asks for 64 uniforms")                                                \
   X("agx-uniform-off-by-one", AGX, "constants are stored one half too far")                                         \
   X("agx-uniform-unbound", AGX, "constants are bound to other uniforms")                                            \
   X("agx-preamble-missing", AGX, "the USC list names no preamble")                                                  \
   X("agx-usc-order", AGX, "the word that ends a USC list comes first")                                              \
   X("agx-dispatch-barrier-missing", AGX, "dispatches of a stream are not ordered")                                  \
   X("agx-group-turned", AGX, "width and height of workgroups are swapped")                                          \
   X("agx-local-memory-small", AGX, "workgroups get half of their threadgroup memory")                               \
   X("agx-pass-opaque", AGX, "blending and discarding draws are opaque to hidden surface removal")                   \
   X("agx-early-tests", AGX, "discarding programs are tested before they run")                                       \
   X("agx-tags-off", AGX, "pixel programs that only write memory or discard do not run")                             \
   X("agx-depth-load-missing", AGX, "depth is not loaded")                                                           \
   X("agx-depth-store-missing", AGX, "depth is not stored")                                                          \
   X("agx-varying-slot", AGX, "coefficients are those of the previous varying")                                      \
   X("agx-coefficient-unbound", AGX, "the last binding of coefficients is missing")                                  \
   X("agx-varying-unwritten", AGX, "the vertex program does not write its last pair")                                \
   X("agx-varying-counts", AGX, "the state words count no pairs")                                                    \
   X("agx-pairs-first", AGX, "the header counts pairs among the slots of 32 bits")                                   \
   X("agx-halves-turned", AGX, "the halves of a pair are swapped")                                                   \
   X("agx-half-unextended", AGX, "flat values of 16 bits are read as 32 bits")                                       \
   X("agx-link-fan", AGX, "separately compiled fragment programs treat fans as strips")                              \
   X("agx-link-viewport", AGX, "separately compiled fragment programs read viewports that nothing has written")      \
   X("agx-link-order", AGX, "separately compiled vertex programs order slots without regard to interpolation")       \
   X("agx-link-counts", AGX, "separately compiled programs count all words as smooth")                               \
   X("agx-seam-wait-missing", AGX, "parts of a program do not wait for loads of earlier parts")                      \
   X("agx-seam-registers", AGX, "a program made of parts requests only the registers of the first part")             \
   X("agx-seam-attribute", AGX, "attributes are loaded to the registers of the next location")                       \
   X("agx-flat-vertex", AGX, "the VDM gets another provoking vertex than the other records")                         \
   X("agx-strip-vertices", AGX, "vertices of a strip's triangles are in the order in which they are drawn")          \
   X("agx-fan-vertices", AGX, "fragment shaders see a fan's hub as its first vertex")                                \
   X("agx-tile-wrong-layer", AGX, "tiles of all layers go to the first")                                             \
   X("agx-clear-one-sample", AGX, "clears write the first sample alone")                                             \
   X("agx-scissor-next", AGX, "draws name the scissor after theirs")                                                 \
   X("agx-index-size", AGX, "indices are read as bytes")                                                             \
   X("agx-helper-missing", AGX, "commands name no helper program")                                                   \
   X("agx-doorbell-unguarded", AGX, "doorbells of the helper program ring where no thread is active")                \
   X("agx-helper-blocks", AGX, "blocks of private memory overlap")                                                   \
   X("agx-cache-kept", AGX, "renders begin without a barrier that invalidates caches")                               \
   X("agx-submit-barrier-missing", AGX, "commands of a submit do not wait for each other")                           \
   X("agx-image-fence-missing", AGX, "loads of images do not wait for the stores of their invocation")               \
   X("agx-image-fence-kind", AGX, "image accesses are ordered by barriers of memory alone")                          \
   X("agx-decompress-missing", AGX, "images that transfers overwrite stay compressed")                               \
   X("agx-metadata-layer", AGX, "all layers of compressed images use the metadata of the first")                     \
   X("agx-solid-metadata", AGX, "clears of compressed images write colours but no metadata")                         \
   X("agx-modifier-plain", AGX, "imported compressed images are taken for plain ones")                               \
   X("agx-host-compressed", AGX, "images that the processor copies are compressed")                                  \
   X("agx-pitch-own", AGX, "imported linear images use the driver's own pitch")                                      \
   X("agx-linear-layers-plain", AGX, "arrays of linear images have descriptors of one layer")                        \
   X("agx-linear-layer-stride", AGX, "descriptors give layers of linear images a stride of whole pages")             \
   X("agx-border-turned", AGX, "opaque black borders have 1 in the hardware's alpha, not in the format's")           \
   X("agx-block-view-size", AGX, "views of blocks have the level's size and ignore its tiles")                       \
   X("agx-solid-one", AGX, "tiles of one colour store it once")                                                      \
   X("agx-bind-order-missing", AGX, "binds of addresses do not wait for the semaphores of their submit")             \
   X("agx-sparse-shadow-stale", AGX, "the driver's own aliases of sparse buffers keep old bindings")                 \
   X("agx-sparse-layer-padding", AGX, "page tables start each layer at the end of the previous one")                 \
   X("agx-sparse-tail-offset", AGX, "pages of mip tails are put where level 0 is")                                   \
   X("agx-nowhere-unmapped", HARD_FAULTS, "accesses outside of their buffer go to unmapped addresses")               \
   X("agx-nowhere-page", HARD_FAULTS, "stores outside of their buffer go to the page of zeros")                      \
   X("agx-nowhere-atomics", HARD_FAULTS, "atomics outside of their buffer go to unmapped addresses")                 \
   X("agx-nowhere-attributes", HARD_FAULTS, "attributes without a buffer are loaded from unmapped addresses")        \
   X("agx-preamble-branches", HARD_FAULTS, "loads in branches move into the preamble")

#endif
