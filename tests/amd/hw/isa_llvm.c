#include "isa_llvm.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* As llvm-c/Disassembler.h declares them. */
typedef void *create_fn(const char *triple, const char *cpu, const char *features, void *info, int tag,
                        void *operands, void *symbols); /* size: as LLVM's C interface has it */
typedef size_t print_fn(void *context, uint8_t *bytes, uint64_t size_B, uint64_t pc, char *text, size_t text_B);
typedef void dispose_fn(void *context);

struct isa_llvm {
   void *context;
   print_fn *print;
   dispose_fn *dispose;
};

struct isa_llvm *
isa_llvm_create(const char *cpu, bool wave64)
{
   static const char *const parts[] = {"LLVMInitializeAMDGPUTargetInfo", "LLVMInitializeAMDGPUTargetMC",
                                       "LLVMInitializeAMDGPUDisassembler"};
   void *library = dlopen("libLLVM.so.19.1", RTLD_NOW | RTLD_LOCAL);
   if (!library)
      return NULL;
   for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
      void (*initialize)(void) = (void (*)(void))dlsym(library, parts[i]);
      initialize();
   }
   const char *features = !strncmp(cpu, "gfx9", 4) ? ""
                          : wave64                 ? "+wavefrontsize64,-wavefrontsize32"
                                                   : "+wavefrontsize32,-wavefrontsize64";
   create_fn *create = (create_fn *)dlsym(library, "LLVMCreateDisasmCPUFeatures");
   struct isa_llvm *llvm = malloc(sizeof(*llvm));
   if (llvm)
      *llvm = (struct isa_llvm){create("amdgcn--amdpal", cpu, features, NULL, 0, NULL, NULL),
                                (print_fn *)dlsym(library, "LLVMDisasmInstruction"),
                                (dispose_fn *)dlsym(library, "LLVMDisasmDispose")};
   return llvm;
}

void
isa_llvm_destroy(struct isa_llvm *llvm)
{
   if (llvm)
      llvm->dispose(llvm->context);
   free(llvm);
}

unsigned
isa_llvm_print(struct isa_llvm *llvm, const uint32_t *words, unsigned count_dw, char *text, size_t text_B)
{
   char spaced[512];
   size_t length = 0;
   size_t size_B = llvm->print(llvm->context, (uint8_t *)words, 4 * count_dw, 0, spaced, sizeof(spaced));
   for (const char *at = spaced; size_B && *at && length + 1 < text_B; at++) {
      bool blank = *at == ' ' || *at == '\t';
      if (!blank || (length && text[length - 1] != ' '))
         text[length++] = blank ? ' ' : *at;
   }
   while (length && text[length - 1] == ' ')
      length--;
   text[length] = 0;
   return (unsigned)(size_B / 4);
}
