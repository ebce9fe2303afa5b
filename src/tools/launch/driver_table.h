/* The drivers that `indium run --driver` knows by name: this tree's, the system's, and those of bin/peers. */
#ifndef INDIUM_TOOLS_DRIVER_TABLE_H
#define INDIUM_TOOLS_DRIVER_TABLE_H

/* As the option's table shows them, in the order of the rows. */
#define DRIVER_NAMES "indium|radv|radeonsi|radv-25|radeonsi-25|radv-26|radeonsi-26|radv-sid|radeonsi-sid|" \
   "honeykrisp|asahi-gl|honeykrisp-sid|asahi-gl-sid|lavapipe-26|crocus|crocus-25|crocus-26|iris|" \
   "iris-25|iris-26|hasvk|hasvk-25|hasvk-26"

struct setting {
   const char *name, *value;
};

/* One thing that a driver is told not to do. Several rows of a group make a whole. */
struct plain {
   const char *group;
   struct setting setting; /* words for a variable that lists them */
};

struct driver {
   const char *name;
   const char *peer;          /* its folder of bin/peers; NULL: it is this tree's or the system's */
   const char *manifest;      /* for Vulkan, in usr/share/vulkan/icd.d, without its ending; NULL: this tree's */
   const char *gl;            /* for OpenGL, in the library folder's dri; NULL: it is not asked for */
   const char *chip;          /* shown unless another is asked for; the driver is for its vendor's chips. NULL: any */
   const char *chips;         /* of its vendor, in a list with blanks; NULL: all */
   const struct plain *plain; /* what keeps its command streams plain; up to a row without a group */
   const struct setting *needs; /* of the environment, to take the chip; up to a row without a name */
};

/* Up to a row without a name. */
extern const struct driver drivers[];

/* Groups of plain settings, as the option shows them. */
#define PLAIN_GROUPS "geometry|surfaces|binning|compute|submits|order|shading"

/* The row, or NULL. */
const struct driver *driver_by_name(const char *name);

#endif
