/* What the OpenGL programs here share: a core context without a window, and a few words for errors. The functions are
 * those of glcorearb.h, looked up when the context is made. */
#ifndef INDIUM_TESTS_OPENGL_GL_H
#define INDIUM_TESTS_OPENGL_GL_H

#include <GL/glcorearb.h>
#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
#define GL_FUNCTIONS(X) \
   X(ATTACHSHADER, AttachShader) X(BEGINTRANSFORMFEEDBACK, BeginTransformFeedback) \
   X(BINDBUFFERBASE, BindBufferBase) X(BINDFRAMEBUFFER, BindFramebuffer) X(BINDIMAGETEXTURE, BindImageTexture) \
   X(BINDTEXTURE, BindTexture) X(BINDVERTEXARRAY, BindVertexArray) X(BUFFERDATA, BufferData) X(CLEAR, Clear) \
   X(CLEARCOLOR, ClearColor) X(COMPILESHADER, CompileShader) X(CREATEPROGRAM, CreateProgram) \
   X(CREATESHADER, CreateShader) X(DISPATCHCOMPUTE, DispatchCompute) X(DRAWARRAYS, DrawArrays) \
   X(DRAWARRAYSINSTANCED, DrawArraysInstanced) X(ENDTRANSFORMFEEDBACK, EndTransformFeedback) X(FINISH, Finish) \
   X(FRAMEBUFFERTEXTURE2D, FramebufferTexture2D) X(GENBUFFERS, GenBuffers) X(GENFRAMEBUFFERS, GenFramebuffers) \
   X(GENTEXTURES, GenTextures) X(GENVERTEXARRAYS, GenVertexArrays) X(GETBUFFERSUBDATA, GetBufferSubData) \
   X(GETERROR, GetError) X(GETINTEGERV, GetIntegerv) X(GETPROGRAMINFOLOG, GetProgramInfoLog) \
   X(GETPROGRAMIV, GetProgramiv) X(GETSHADERINFOLOG, GetShaderInfoLog) X(GETSHADERIV, GetShaderiv) \
   X(GETSTRING, GetString) X(GETSTRINGI, GetStringi) X(GETTEXIMAGE, GetTexImage) X(LINKPROGRAM, LinkProgram) \
   X(MEMORYBARRIER, MemoryBarrier) X(PATCHPARAMETERI, PatchParameteri) X(READPIXELS, ReadPixels) \
   X(SHADERSOURCE, ShaderSource) X(TEXIMAGE2D, TexImage2D) X(TEXPARAMETERI, TexParameteri) \
   X(TRANSFORMFEEDBACKVARYINGS, TransformFeedbackVaryings) X(UNIFORM1I, Uniform1i) X(USEPROGRAM, UseProgram) \
   X(VIEWPORT, Viewport)
/* clang-format on */

struct gl {
#define X(type, name) PFNGL##type##PROC name;
   GL_FUNCTIONS(X)
#undef X
};

extern struct gl gl;

/* The highest core context that there is, current and without a surface; its version as 10 * major + minor. Ends the
 * program with status 1 where there is none, or it is none of Zink. */
unsigned gl_open(void);

bool gl_has(const char *extension);

struct gl_source {
   GLenum stage;
   const char *text; /* without the line of the version */
};

/* Compiles and links stages up to a row without text. varying: what transform feedback captures, or NULL. Ends the
 * program with status 1 and the log where that fails. */
GLuint gl_program(unsigned version, const struct gl_source *sources, const char *varying);

/* A texture of one level, bound to unit 0. */
GLuint gl_texture(GLenum format, unsigned width_px, unsigned height_px);

/* A framebuffer object with this texture, bound, with the viewport on all of it. */
void gl_draw_into(GLuint texture, unsigned width_px, unsigned height_px);

/* Ends the program with status 1 and the sentence. */
_Noreturn void gl_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
