/* How a driver's objects go through the contract. The front end holds handles: pointers to struct pipe_resource and
 * its like, which have no body anywhere. Behind each is a struct of the driver, si_resource say; the casts are here
 * and nowhere else. So several drivers fit into one library. Only pipe_screen and pipe_context have a part that the
 * front end reads; the driver's struct begins with it. */
#ifndef INDIUM_P_HANDLE_H
#define INDIUM_P_HANDLE_H

/* PIPE_HANDLE(si, resource) makes si_resource(handle), the driver's struct, and si_resource_handle(body). NULL stays
 * NULL. */
#define PIPE_HANDLE(driver, kind)                                                                                    \
   struct pipe_##kind;                                                                                               \
                                                                                                                     \
   static inline __attribute__((unused)) struct driver##_##kind *                                                    \
   driver##_##kind(const struct pipe_##kind *handle)                                                                 \
   {                                                                                                                 \
      return (struct driver##_##kind *)handle;                                                                       \
   }                                                                                                                 \
                                                                                                                     \
   static inline __attribute__((unused)) struct pipe_##kind *                                                        \
   driver##_##kind##_handle(const struct driver##_##kind *body)                                                      \
   {                                                                                                                 \
      return (struct pipe_##kind *)body;                                                                             \
   }

#endif
