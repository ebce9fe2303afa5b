/* Packets of Intel's command streams as data, generated from packets.txt (hw_gen.py): walk, decode, pack, print. */
#ifndef INDIUM_INTEL_PACKET_TABLE_H
#define INDIUM_INTEL_PACKET_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "intel/hw/packets.h"
#include "intel/hw/uav_state.h"

struct intel_place {
   bool exists;
   uint8_t dword, high, low;
};

struct intel_packet_info {
   const char *name;
   uint32_t header, mask;         /* mask 0: a structure in memory */
   uint8_t length_dw[INTEL_GENS]; /* 0: the generation has none */
   uint16_t first_field, num_fields;
};

struct intel_field_info {
   const char *name;
   enum intel_packet packet;
   struct intel_place places[INTEL_GENS];
   uint8_t num_values; /* 0: a number */
   const char *values[4];
};

extern const struct intel_packet_info intel_packets[INTEL_PACKETS];
extern const struct intel_field_info intel_fields[INTEL_FIELDS];

/* How many dwords the command has whose header this is; 0: no command is known to start so. */
uint32_t intel_command_length_dw(uint32_t header);

/* INTEL_PACKET_NONE: the table has no such packet for the generation. */
enum intel_packet intel_packet_find(enum intel_gen gen, uint32_t header);

bool intel_field_exists(enum intel_gen gen, enum intel_field field);

/* Of a packet that has as many dwords as the table says; 0 where the generation lacks the field. */
uint32_t intel_field_get(enum intel_gen gen, enum intel_field field, const uint32_t *dw);

/* The generation must have the field, and the value must fit. */
void intel_field_set(enum intel_gen gen, enum intel_field field, uint32_t *dw, uint32_t value);

/* Writes the header and zeros; how many dwords. The generation must have the packet. */
unsigned intel_packet_start(enum intel_gen gen, enum intel_packet packet, uint32_t *dw);

/* The first field whose value has no meaning, INTEL_FIELDS: all have. */
enum intel_field intel_packet_invalid_field(enum intel_gen gen, enum intel_packet packet, const uint32_t *dw);

/* What a packet of size_dw dwords, or a structure in memory, says becomes part of the state. False if it is of
 * another length or a value has no meaning: the state is as before then. */
bool intel_uav_apply_packet(struct intel_uav_state *state, enum intel_packet packet, const uint32_t *dw,
                            uint32_t size_dw);

/* One line: its name and the fields that are not 0. */
void intel_packet_print(FILE *out, enum intel_gen gen, enum intel_packet packet, const uint32_t *dw);

#endif
