/* Preloaded into a program of OpenGL (ES) in a window of X (glmark2, es2gears; glxgears by frame_glx.c): its frames
 * go into a surface of EGL that needs no display and from there into a file, and its clock continues whenever it
 * looks at it. So every driver that draws without a display draws the same moments, however long it takes; nothing
 * else of the program or the driver is touched. */
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "frame.h"
#include "frame_gl.h"

#define TICK_ms 70
#define EXPOSE 12

/* Defined by libX11, which the program has loaded. */
struct visual;
struct display;
int XPending(struct display *display);
unsigned long XVisualIDFromVisual(struct visual *visual);
struct visual *XDefaultVisual(void *display, int screen);
#pragma weak XVisualIDFromVisual
#pragma weak XDefaultVisual
static void *window_display;
static bool has_drawn;

/* The program's own code, not that of libraries. */
static int
find_program(struct dl_phdr_info *info, size_t size_B, void *data)
{
   uintptr_t *range = data;
   (void)size_B;
   for (unsigned i = 0; i < info->dlpi_phnum; i++) {
      const ElfW(Phdr) *part = &info->dlpi_phdr[i];
      if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
         range[0] = info->dlpi_addr + part->p_vaddr;
         range[1] = range[0] + part->p_memsz;
      }
   }
   return 1;
}

static bool
of_program(const void *caller)
{
   uintptr_t range[2] = {0};
   dl_iterate_phdr(find_program, range);
   return (uintptr_t)caller >= range[0] && (uintptr_t)caller < range[1];
}

static void *
next(const char *name)
{
   void *function = dlsym(RTLD_NEXT, name);
   if (!function) {
      fprintf(stderr, "there is no %s\n", name);
      exit(2);
   }
   return function;
}
#define NEXT(name) ((__typeof__(&name))next(#name))

static long
look_at_clock(void)
{
   static long now_ms = 1000000;
   now_ms += TICK_ms;
   return now_ms;
}

int
clock_gettime(clockid_t clock, struct timespec *time)
{
   if (!of_program(__builtin_return_address(0)))
      return NEXT(clock_gettime)(clock, time);
   const long now_ms = look_at_clock();
   *time = (struct timespec){now_ms / 1000, now_ms % 1000 * 1000000};
   return 0;
}

int
gettimeofday(struct timeval *restrict time, void *restrict zone)
{
   if (!of_program(__builtin_return_address(0)))
      return NEXT(gettimeofday)(time, zone);
   const long now_ms = look_at_clock();
   *time = (struct timeval){now_ms / 1000, now_ms % 1000 * 1000};
   return 0;
}

time_t
time(time_t *seconds)
{
   if (!of_program(__builtin_return_address(0)))
      return NEXT(time)(seconds);
   if (seconds)
      *seconds = 1000;
   return 1000;
}

/* Programs draw while no event is there, and once more where their window is uncovered. That it is shown comes ahead
 * of their first frame or later, as the server has time: all that it has been asked for is there before they look.
 * And what other programs on the server do comes at any time: it does not count. */
int
XPending(struct display *display)
{
   long event[24]; /* XEvent */
   ((int (*)(struct display *, int))next("XSync"))(display, 0);
   int (*take)(struct display *, int, void *) = (int (*)(struct display *, int, void *))next("XCheckTypedEvent");
   while (has_drawn && take(display, EXPOSE, event))
      continue;
   return NEXT(XPending)(display);
}

/* Who looks for functions of EGL in it finds these first. */
void *
dlopen(const char *name, int flags)
{
   Dl_info own;
   if (name && strstr(name, "libEGL") && of_program(__builtin_return_address(0)) && dladdr(frame_size, &own))
      name = own.dli_fname;
   return NEXT(dlopen)(name, flags);
}

EGLDisplay
eglGetDisplay(EGLNativeDisplayType native)
{
   return eglGetPlatformDisplay(EGL_PLATFORM_X11_KHR, native, NULL);
}

EGLDisplay
eglGetPlatformDisplay(EGLenum platform, void *native, const EGLAttrib *attributes)
{
   (void)platform;
   (void)attributes;
   window_display = native;
   return NEXT(eglGetPlatformDisplay)(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
}

static EGLDisplay
get_platform_display(EGLenum platform, void *native, const EGLint *attributes)
{
   (void)attributes;
   return eglGetPlatformDisplay(platform, native, NULL);
}

__eglMustCastToProperFunctionPointerType
eglGetProcAddress(const char *name)
{
   if (!strcmp(name, "eglGetPlatformDisplayEXT"))
      return (__eglMustCastToProperFunctionPointerType)get_platform_display;
   return NEXT(eglGetProcAddress)(name);
}

EGLBoolean
eglChooseConfig(EGLDisplay display, const EGLint *wanted, EGLConfig *configs, EGLint size, EGLint *count)
{
   EGLint attributes[64];
   unsigned used = 0;
   for (; wanted[used] != EGL_NONE && used < 60; used += 2) {
      attributes[used] = wanted[used];
      attributes[used + 1] = wanted[used] == EGL_SURFACE_TYPE ? EGL_PBUFFER_BIT : wanted[used + 1];
   }
   attributes[used] = EGL_SURFACE_TYPE;
   attributes[used + 1] = EGL_PBUFFER_BIT;
   attributes[used + 2] = EGL_NONE;
   return NEXT(eglChooseConfig)(display, attributes, configs, size, count);
}

EGLBoolean
eglGetConfigAttrib(EGLDisplay display, EGLConfig config, EGLint attribute, EGLint *value)
{
   if (attribute == EGL_NATIVE_VISUAL_ID) {
      *value = (EGLint)XVisualIDFromVisual(XDefaultVisual(window_display, 0));
      return EGL_TRUE;
   }
   return NEXT(eglGetConfigAttrib)(display, config, attribute, value);
}

EGLSurface
eglCreateWindowSurface(EGLDisplay display, EGLConfig config, EGLNativeWindowType window, const EGLint *attributes)
{
   unsigned size[2];
   (void)window;
   (void)attributes;
   frame_size(size);
   const EGLint buffer[] = {EGL_WIDTH, (EGLint)size[0], EGL_HEIGHT, (EGLint)size[1], EGL_NONE};
   return NEXT(eglCreatePbufferSurface)(display, config, buffer);
}

/* Drivers may still be compiling: their threads have to end before the libraries that they use are taken down. */
static void
end_program(void)
{
   EGLDisplay display = eglGetCurrentDisplay();
   EGLContext context = eglGetCurrentContext();
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
   eglTerminate(display);
   exit(0);
}

void
write_frame(void)
{
   typedef void (*read_pixels)(int x, int y, int width, int height, unsigned format, unsigned type, void *pixels);
   /* size: as OpenGL's glReadPixels */
   typedef const char *(*get_string)(unsigned name);
   if (!has_drawn) /* it need not be the driver that was asked for */
      fprintf(stderr, "frame_gl: renderer: %s\n", ((get_string)eglGetProcAddress("glGetString"))(0x1f01));
   has_drawn = true;
   unsigned size[2];
   frame_size(size);
   const size_t size_B = (size_t)size[0] * size[1] * 4;
   void *pixels = malloc(size_B);
   if (frame_is_wanted())
      ((read_pixels)eglGetProcAddress("glReadPixels"))(0, 0, (int)size[0], (int)size[1], 0x1908, 0x1401, pixels);
   else
      ((void (*)(void))eglGetProcAddress("glFinish"))();
   bool last = frame_write(pixels, size_B);
   free(pixels);
   if (last)
      end_program();
}

EGLBoolean
eglSwapBuffers(EGLDisplay display, EGLSurface surface)
{
   write_frame();
   return NEXT(eglSwapBuffers)(display, surface);
}
