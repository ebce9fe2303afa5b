/* Textures that caches of cores may hold from a command to the next. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "asahi/hw/isa.h"
#include "asahi/sim/cache/tex_cache.h"
#include "image.h"

static struct agx_tex_cache *cache;

static bool
reads(const struct picture *p)
{
   struct sim_fault fault = {0};
   struct agx_tex_result result;
   struct agx_tex_request request = request_of(p, true, AGX_DIM_2D, &fetch_sampler);
   request.cache = cache;
   const bool ok = agx_tex_run(p->memory.vm, &request, &result, &fault);
   assert_true(ok || (fault.kind == SIM_FAULT_HAZARD && fault.va.va == IMAGE_VA && strstr(fault.message, "stale")));
   return ok;
}

/* One texel, by the host or by whoever. */
static void
change(const struct picture *p, unsigned x)
{
   picture_element(p, x, 3, 0, 0, 0)[0]++;
}

static void
test_commands(void **state)
{
   struct picture p;
   (void)state;
   make_picture(&p, &plain_image);
   cache = agx_tex_cache_create();
   agx_tex_cache_begin(cache, 1);
   assert_true(reads(&p));
   change(&p, 0);
   assert_true(reads(&p)); /* what a command itself may not know: only the next one is held to it */
   agx_tex_cache_begin(cache, 2);
   assert_false(reads(&p));
   agx_tex_cache_invalidate(cache);
   assert_true(reads(&p));
   agx_tex_cache_begin(cache, 3);
   assert_true(reads(&p)); /* nobody has written */
   agx_tex_cache_begin(cache, 4);
   change(&p, 15);
   assert_false(reads(&p)); /* command 3 has read it from the cache, too */
   agx_tex_cache_invalidate(cache);
   change(&p, 7);
   assert_true(reads(&p)); /* nobody has read it between */
   agx_tex_cache_destroy(cache);
   image_unmap(&p.memory);
}

/* The same address of another space is another texture, and the caches of another GPU are others. */
static void
test_others(void **state)
{
   struct picture p, q;
   (void)state;
   make_picture(&p, &plain_image);
   make_picture(&q, &plain_image);
   change(&q, 1);
   cache = agx_tex_cache_create();
   agx_tex_cache_begin(cache, 1);
   assert_true(reads(&p));
   agx_tex_cache_begin(cache, 2);
   assert_true(reads(&q));
   struct agx_tex_cache *first = cache;
   cache = agx_tex_cache_create();
   agx_tex_cache_begin(cache, 3);
   change(&p, 1);
   assert_true(reads(&p));
   agx_tex_cache_destroy(cache);
   cache = first;
   agx_tex_cache_begin(cache, 3);
   assert_false(reads(&p));
   agx_tex_cache_destroy(cache);
   image_unmap(&p.memory);
   image_unmap(&q.memory);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_commands), cmocka_unit_test(test_others)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
