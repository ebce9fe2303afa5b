/* GLX for a program of OpenGL in one window of X (glxgears), by an EGL that needs no display. The window stays empty.
 */
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdbool.h>

#include "frame.h"
#include "frame_gl.h"

/* As in X11/Xutil.h, which need not be here. */
struct visual;
struct visual_info {
   struct visual *visual;
   unsigned long id;
   int screen, depth, kind;
   unsigned long masks[3];
   int colors, bits;
};
#define VISUAL_BY_ID 1
unsigned long XVisualIDFromVisual(struct visual *visual);
struct visual *XDefaultVisual(void *display, int screen);
struct visual_info *XGetVisualInfo(void *display, long mask, const struct visual_info *wanted, int *count);
#pragma weak XVisualIDFromVisual
#pragma weak XDefaultVisual
#pragma weak XGetVisualInfo

static EGLDisplay display;
static EGLConfig config;
static EGLSurface surface;

static void
check(bool good, const char *what)
{
   if (!good) {
      fprintf(stderr, "frame_glx: %s failed\n", what);
      exit(2);
   }
}

struct visual_info *glXChooseVisual(void *x, int screen, int *attributes);
struct visual_info *
glXChooseVisual(void *x, int screen, int *attributes)
{
   int count;
   (void)attributes;
   const struct visual_info wanted = {.id = XVisualIDFromVisual(XDefaultVisual(x, screen))};
   return XGetVisualInfo(x, VISUAL_BY_ID, &wanted, &count);
}

EGLContext glXCreateContext(void *x, struct visual_info *visual, EGLContext share, int direct);
EGLContext
glXCreateContext(void *x, struct visual_info *visual, EGLContext share, int direct)
{
   static const EGLint wanted[] = {EGL_RENDERABLE_TYPE,
                                   EGL_OPENGL_BIT,
                                   EGL_SURFACE_TYPE,
                                   EGL_PBUFFER_BIT,
                                   EGL_RED_SIZE,
                                   8,
                                   EGL_DEPTH_SIZE,
                                   24,
                                   EGL_NONE};
   unsigned size[2];
   EGLint count = 0;
   (void)x, (void)visual, (void)direct;
   frame_size(size);
   const EGLint buffer[] = {EGL_WIDTH, (EGLint)size[0], EGL_HEIGHT, (EGLint)size[1], EGL_NONE};
   display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   check(eglInitialize(display, NULL, NULL) && eglBindAPI(EGL_OPENGL_API), "eglInitialize");
   check(eglChooseConfig(display, wanted, &config, 1, &count) && count, "eglChooseConfig");
   surface = eglCreatePbufferSurface(display, config, buffer);
   check(surface, "eglCreatePbufferSurface");
   return eglCreateContext(display, config, share, NULL);
}

int glXMakeCurrent(void *x, unsigned long window, EGLContext context);
int
glXMakeCurrent(void *x, unsigned long window, EGLContext context)
{
   (void)x, (void)window;
   return (int)eglMakeCurrent(display, context ? surface : EGL_NO_SURFACE, context ? surface : EGL_NO_SURFACE,
                              context);
}

void glXSwapBuffers(void *x, unsigned long window);
void
glXSwapBuffers(void *x, unsigned long window)
{
   (void)x, (void)window;
   write_frame();
}

void glXDestroyContext(void *x, EGLContext context);
void
glXDestroyContext(void *x, EGLContext context)
{
   (void)x;
   eglDestroyContext(display, context);
}

const char *glXQueryExtensionsString(void *x, int screen);
const char *
glXQueryExtensionsString(void *x, int screen)
{
   (void)x, (void)screen;
   return "";
}

__eglMustCastToProperFunctionPointerType glXGetProcAddressARB(const char *name);
__eglMustCastToProperFunctionPointerType
glXGetProcAddressARB(const char *name)
{
   return eglGetProcAddress(name);
}
