#include "util/build_id.h"

#include <link.h>
#include <stdbool.h>
#include <string.h>

struct search {
   uintptr_t address;
   const uint8_t *id;
   size_t size_B;
};

static bool
has_address(const struct dl_phdr_info *object, uintptr_t address)
{
   for (unsigned i = 0; i < object->dlpi_phnum; i++) {
      const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
      if (segment->p_type == PT_LOAD && address - (object->dlpi_addr + segment->p_vaddr) < segment->p_memsz)
         return true;
   }
   return false;
}

/* Notes follow each other: sizes of name and contents, type, name, contents, both padded to 4 bytes. */
static void
find_note(struct search *search, const char *at, const char *end)
{
   while ((size_t)(end - at) >= sizeof(ElfW(Nhdr))) {
      const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
      const char *name = at + sizeof(*note), *contents = name + ((note->n_namesz + 3) & ~3u);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(name, "GNU", 4)) {
         search->id = (const uint8_t *)contents;
         search->size_B = note->n_descsz;
         return;
      }
      at = contents + ((note->n_descsz + 3) & ~3u);
   }
}

static int
look(struct dl_phdr_info *object, size_t size_B, void *data)
{
   struct search *search = data;
   if (!has_address(object, search->address))
      return 0;
   for (unsigned i = 0; i < object->dlpi_phnum && !search->id; i++) {
      const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
      const char *at = (const char *)(object->dlpi_addr + segment->p_vaddr);
      if (segment->p_type == PT_NOTE)
         find_note(search, at, at + segment->p_memsz);
   }
   return 1;
}

const uint8_t *
build_id_at(const void *address, size_t *size_B)
{
   struct search search = {.address = (uintptr_t)address};
   dl_iterate_phdr(look, &search);
   *size_B = search.size_B;
   return search.id;
}
