/* What frame_gl.c does for programs of EGL and frame_glx.c for those of GLX. */
#ifndef FRAME_GL_H
#define FRAME_GL_H

/* The current surface's pixels. */
void write_frame(void);

#endif
