/* Instructions as text, and what the tables say of an operation. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "asahi/hw/isa/isa_tables.h"

struct text {
   char *out;
   size_t size;
   int length; /* of all, also of what was cut */
   bool any;   /* operands before this one */
};

static void __attribute__((format(printf, 2, 3)))
append(struct text *t, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   size_t at = (size_t)t->length < t->size ? (size_t)t->length : t->size;
   t->length += vsnprintf(t->size ? t->out + at : NULL, t->size - at, format, args);
   va_end(args);
}

static void
next(struct text *t)
{
   append(t, t->any ? ", " : " ");
   t->any = true;
}

float
agx_isa_minifloat(unsigned code)
{
   int exponent = code >> 4 & 7, mantissa = code & 15;
   float value = exponent ? ldexpf((float)(16 + mantissa), exponent - 7) : (float)mantissa / 64;
   return code & 128 ? -value : value;
}

static void
print_registers(struct text *t, const struct agx_operand *o)
{
   for (unsigned i = 0; i < o->count; i++) {
      unsigned half = (unsigned)o->value + i * o->size / 16;
      append(t, "%s%s%c%u", i ? "_" : "", o->size == 64 ? "d" : "", o->kind == AGX_REG ? 'r' : 'u', half / 2);
      if (o->size == 16)
         append(t, "%c", "lh"[half & 1]);
   }
}

static void
print_float(struct text *t, unsigned code)
{
   float value = agx_isa_minifloat(code);
   append(t, value == truncf(value) ? "%g.0" : "%g", (double)value);
}

static void
print_operand(struct text *t, const struct agx_operand *o, bool is_result)
{
   if (o->kind == AGX_NONE && !is_result)
      return;
   next(t);
   append(t, "%s%s", o->discard ? "^" : "", o->cache ? "$" : "");
   switch ((enum agx_kind)o->kind) {
   case AGX_NONE:
      append(t, "_");
      return;
   case AGX_REG:
   case AGX_UNIFORM:
      print_registers(t, o);
      break;
   case AGX_CF:
      append(t, "cf%d", o->value);
      break;
   case AGX_TS:
      append(t, "ts%d", o->value);
      break;
   case AGX_SS:
      append(t, "ss%d", o->value);
      break;
   case AGX_IMM:
   case AGX_SIMM:
      append(t, "%d", o->value);
      break;
   case AGX_FIMM:
      print_float(t, (unsigned)o->value);
      break;
   }
   append(t, "%s%s%s", o->abs ? ".abs" : "", o->neg ? ".neg" : "", o->sext && o->kind != AGX_SIMM ? ".sx" : "");
}

static void
print_modifier(struct text *t, const struct isa_place *place, uint32_t value)
{
   if (place->how == ISA_FLAG && value) {
      next(t);
      append(t, "%s", place->name);
   } else if (place->how == ISA_ENUM) {
      const char *name = isa_enum_text(place->values, value);
      if (name && *name) {
         next(t);
         append(t, "%s", name);
      }
   } else if (place->how != ISA_FLAG) {
      next(t);
      append(t, place->how == ISA_SIGNED ? "%d" : "%u", value);
   }
}

int
agx_isa_print(const struct agx_inst *inst, char *out, size_t size)
{
   const struct isa_row *row = &isa_rows[inst->op];
   struct text t = {out, size, 0, false};
   append(&t, row->places ? "%-8s" : "%s", agx_op_infos[inst->op].text);
   for (unsigned i = 0; i < row->places; i++) {
      const struct isa_place *place = &isa_places[row->first + i];
      if (place->how == ISA_OPERAND)
         print_operand(&t, isa_operand_value(inst, place), place->index == 0);
      else
         print_modifier(&t, place, isa_modifier_value(&inst->mod, place));
   }
   return t.length;
}

const char *
isa_enum_text(unsigned values, uint32_t value)
{
   for (unsigned i = isa_enum_first[values]; i < isa_enum_first[values + 1]; i++) {
      if (isa_enum_values[i].value == value)
         return isa_enum_values[i].text;
   }
   return NULL;
}

enum agx_op
agx_isa_op_by_name(const char *name)
{
   unsigned op = 0;
   while (op < AGX_OP_COUNT && strcmp(agx_op_infos[op].name, name))
      op++;
   return (enum agx_op)op;
}

int
agx_isa_source(enum agx_op op, enum agx_role role)
{
   struct agx_op_info info = agx_isa_op_info(op);
   for (int i = 0; i < info.source_count; i++) {
      if (info.role[i] == role)
         return i;
   }
   return -1;
}
