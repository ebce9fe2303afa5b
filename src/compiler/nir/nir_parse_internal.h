/* State of the parser that its two files share. */
#ifndef INDIUM_NIR_PARSE_INTERNAL_H
#define INDIUM_NIR_PARSE_INTERNAL_H

#include "compiler/nir/nir_lexer.h"
#include "util/dynarray.h"
#include "util/hash.h"

struct nir_parser {
   struct nir_lexer lexer;
   struct nir_shader *shader;
   struct hash_table defs, blocks, variables; /* number -> nir_def, nir_block, nir_variable */
   struct dynarray phi_srcs;                  /* of nir_parse_phi_src: resolved at the end */
   struct hash_table types;                   /* number -> nir_parse_name */
   unsigned depth, deepest;                   /* deepest: in the type that is being read */
   uint64_t type_fields;                      /* of that type, with those of each name in it */
};

/* A type with a name. */
struct nir_parse_name {
   uint32_t number;
   const struct nir_type *type;
   unsigned depth;
   uint64_t fields;
};

struct nir_parse_phi_src {
   struct nir_phi_instr *phi;
   uint32_t pred, def;
   struct nir_lexer_place place;
};

#define NIR_PARSE_MAX_DEPTH 4200 /* what the front end makes, and more */
#define NIR_PARSE_MAX_FIELDS (1u << 30) /* of a type: some passes visit each */
#define NIR_PARSE_MAX_INDEX 999999999u

const struct nir_type *nir_parse_type(struct nir_parser *p);
/* A value by its number: %NUMBER. */
struct nir_def *nir_parse_value(struct nir_parser *p);
/* One instruction to the end of the block. False if no instruction starts here. */
bool nir_parse_instr(struct nir_parser *p, struct nir_block *block);

#endif
