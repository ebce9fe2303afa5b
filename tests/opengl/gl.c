#include "gl.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gl gl;

void
gl_fail(const char *format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   vprintf(format, arguments);
   va_end(arguments);
   printf("\n");
   exit(1);
}

static EGLContext
make_context(EGLDisplay display)
{
   static const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 2, EGL_NONE};
   return eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
}

unsigned
gl_open(void)
{
   EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
      gl_fail("no display: 0x%x", (unsigned)eglGetError());
   EGLContext context = make_context(display);
   if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      gl_fail("no context: 0x%x", (unsigned)eglGetError());
#define X(type, name) gl.name = (PFNGL##type##PROC)eglGetProcAddress("gl" #name);
   GL_FUNCTIONS(X)
#undef X
   int major, minor;
   gl.GetIntegerv(GL_MAJOR_VERSION, &major);
   gl.GetIntegerv(GL_MINOR_VERSION, &minor);
   const char *renderer = (const char *)gl.GetString(GL_RENDERER);
   printf("OpenGL %d.%d, %s\n", major, minor, renderer);
   if (!strstr(renderer, "zink"))
      gl_fail("another driver draws");
   return 10 * (unsigned)major + (unsigned)minor;
}

bool
gl_has(const char *extension)
{
   int count;
   gl.GetIntegerv(GL_NUM_EXTENSIONS, &count);
   for (int i = 0; i < count; i++) {
      if (!strcmp((const char *)gl.GetStringi(GL_EXTENSIONS, (GLuint)i), extension))
         return true;
   }
   return false;
}

static void
attach(GLuint program, unsigned version, const struct gl_source *source)
{
   char first[64], log[1024];
   int done;
   snprintf(first, sizeof(first), "#version %u0 core\n#line 1\n", version);
   GLuint shader = gl.CreateShader(source->stage);
   gl.ShaderSource(shader, 2, (const char *const[]){first, source->text}, NULL);
   gl.CompileShader(shader);
   gl.GetShaderiv(shader, GL_COMPILE_STATUS, &done);
   gl.GetShaderInfoLog(shader, sizeof(log), NULL, log);
   if (!done)
      gl_fail("stage 0x%x does not compile: %s", source->stage, log);
   gl.AttachShader(program, shader);
}

GLuint
gl_program(unsigned version, const struct gl_source *sources, const char *varying)
{
   GLuint program = gl.CreateProgram();
   char log[1024];
   int done;
   for (; sources->text; sources++)
      attach(program, version, sources);
   if (varying)
      gl.TransformFeedbackVaryings(program, 1, &varying, GL_INTERLEAVED_ATTRIBS);
   gl.LinkProgram(program);
   gl.GetProgramiv(program, GL_LINK_STATUS, &done);
   gl.GetProgramInfoLog(program, sizeof(log), NULL, log);
   if (!done)
      gl_fail("does not link: %s", log);
   return program;
}

GLuint
gl_texture(GLenum format, unsigned width_px, unsigned height_px)
{
   const bool is_integer = format == GL_R32UI;
   GLuint texture;
   gl.GenTextures(1, &texture);
   gl.BindTexture(GL_TEXTURE_2D, texture);
   gl.TexImage2D(GL_TEXTURE_2D, 0, (GLint)format, (int)width_px, (int)height_px, 0,
                 is_integer ? GL_RED_INTEGER : GL_RGBA, is_integer ? GL_UNSIGNED_INT : GL_UNSIGNED_BYTE, NULL);
   gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
   return texture;
}

void
gl_draw_into(GLuint texture, unsigned width_px, unsigned height_px)
{
   GLuint framebuffer, vertices;
   gl.GenFramebuffers(1, &framebuffer);
   gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   gl.Viewport(0, 0, (int)width_px, (int)height_px);
   gl.GenVertexArrays(1, &vertices); /* a core context draws with one, even without attributes */
   gl.BindVertexArray(vertices);
}
