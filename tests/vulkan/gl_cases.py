"""Cases of gl_sweep.py: what each sets and draws. The reset between two is that of OpenGL's attribute stacks."""
# size: a list of cases
import ctypes
import dataclasses
import itertools
import math

SIZE = 64
(POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN, QUADS, QUAD_STRIP,
 POLYGON) = range(10)
MODES = ['points', 'lines', 'line loop', 'line strip', 'triangles', 'triangle strip', 'triangle fan', 'quads',
         'quad strip', 'polygon']
CLIENT_ARRAYS = {'vertex': 0x8074, 'normal': 0x8075, 'colour': 0x8076, 'texture': 0x8078, 'edge': 0x8079}
FUNCTIONS = range(0x200, 0x208)
FACTORS = [0, 1, 0x300, 0x301, 0x302, 0x303, 0x304, 0x305, 0x306, 0x307, 0x308, 0x8001, 0x8002, 0x8003, 0x8004]
EQUATIONS = [0x8006, 0x8007, 0x8008, 0x800A, 0x800B]
STENCIL_OPERATIONS = [0x1E00, 0, 0x1E01, 0x1E02, 0x8507, 0x1E03, 0x8508, 0x150A]
# Pixels: lines from centre to centre are of whole pixels. What others use of a pattern is rounded, this way or that.
WHOLE = ([(4, 50), (11, 12), (20, 52), (29, 11), (36, 50), (44, 13), (50, 51), (60, 9)],
         [(8, 32), (14, 12), (33, 5), (52, 13), (57, 34), (48, 53), (30, 58), (12, 50)])
RED, GREEN, BLUE, WHITE = (1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1), (1, 1, 1, 1)


@dataclasses.dataclass
class Case:
  name: str
  draw: object # of Tools
  colours: int = 2
  samples: int = 0


def floats(values):
  values = list(values)
  return (ctypes.c_float * len(values))(*values)


def circle(count, radius=0.8, turn=0.1, middle=(0.0, 0.0)):
  angles = [2 * math.pi * (i / count + turn) for i in range(count)]
  return [(middle[0] + radius * math.cos(a), middle[1] + radius * math.sin(a), 0.1) for a in angles]


def zigzag(count):
  return [(-0.85 + 1.7 * i / (count - 1), -0.6 if i % 2 else 0.55 + 0.02 * i, 0.1) for i in range(count)]


def vertices_of(mode):
  """Of polygons that do not overlap: what lies there does not depend on their order."""
  if mode in (TRIANGLE_FAN, POLYGON, LINE_LOOP):
    return circle(7)
  if mode == QUADS:
    return circle(4, 0.42, 0.07, (-0.48, 0)) + circle(4, 0.42, 0.16, (0.48, 0))
  if mode == TRIANGLES:
    return circle(3, 0.42, 0.07, (-0.48, 0)) + circle(3, 0.42, 0.16, (0.48, 0))
  return zigzag(8)


def colour(i):
  return 0.2 + 0.8 * (i * 5 % 8) / 7, 0.1 + 0.9 * (i * 3 % 8) / 7, 0.3 + 0.7 * (i % 3) / 2, 1.0


def centres(pixels):
  return [((x + 0.5) / 32 - 1, (y + 0.5) / 32 - 1, 0) for x, y in pixels]


def even(positions):
  """Colours that are the same however a polygon is made of triangles."""
  return [(0.5 + 0.4 * p[0], 0.5 - 0.3 * p[1], 0.5 + 0.2 * p[0] + 0.2 * p[1], 1.0) for p in positions]


class Tools:
  def __init__(self, gl):
    self.gl = gl
    self.kept = [] # what OpenGL has pointers to
    self.targets = {}

  def target(self, samples):
    if samples not in self.targets:
      gl = self.gl
      name = gl.new('GenFramebuffers')
      gl.BindFramebuffer(0x8D40, name)
      for attachment, format_ in (0x8CE0, 0x8058), (0x821A, 0x88F0):
        buffer = gl.new('GenRenderbuffers')
        gl.BindRenderbuffer(0x8D41, buffer)
        gl.RenderbufferStorageMultisample(0x8D41, samples, format_, SIZE, SIZE)
        gl.FramebufferRenderbuffer(0x8D40, attachment, 0x8D41, buffer)
      self.targets[samples] = name
    return self.targets[samples]

  def picture(self, case):
    gl = self.gl
    target, resolved = self.target(case.samples), self.target(0)
    gl.BindFramebuffer(0x8D40, target)
    gl.PushAttrib(0xFFFFFFFF)
    gl.PushClientAttrib(0xFFFFFFFF)
    gl.Viewport(0, 0, SIZE, SIZE)
    gl.ClearColor(0.2, 0.4, 0.6, 0.8)
    gl.ClearStencil(5)
    gl.Clear(0x4500)
    for matrix in 0x1701, 0x1702, 0x1700:
      gl.MatrixMode(matrix)
      gl.LoadIdentity()
    case.draw(self)
    gl.UseProgram(0)
    gl.PopClientAttrib()
    gl.PopAttrib()
    if case.samples:
      gl.BindFramebuffer(0x8CA9, resolved)
      gl.BlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, 0x4000, 0x2600)
      gl.BindFramebuffer(0x8CA8, resolved)
    pixels = (ctypes.c_char * (4 * SIZE * SIZE))()
    gl.ReadPixels(0, 0, SIZE, SIZE, 0x1908, 0x1401, pixels)
    self.kept.clear()
    return bytes(pixels)

  def keep(self, thing):
    self.kept.append(thing)
    return thing

  def enable(self, *capabilities):
    for capability in capabilities:
      self.gl.Enable(capability)

  def arrays(self, positions, colours=None, **more):
    """Client arrays; more: by name, of tuples."""
    gl, width = self.gl, len(positions[0])
    gl.EnableClientState(CLIENT_ARRAYS['vertex'])
    gl.VertexPointer(width, 0x1406, 0, self.keep(floats(x for p in positions for x in p)))
    if colours is None:
      colours = [colour(i) for i in range(len(positions))]
    gl.EnableClientState(CLIENT_ARRAYS['colour'])
    gl.ColorPointer(4, 0x1406, 0, self.keep(floats(x for c in colours for x in c)))
    for name, tuples in more.items():
      gl.EnableClientState(CLIENT_ARRAYS[name])
      if name == 'edge':
        gl.EdgeFlagPointer(0, self.keep((ctypes.c_ubyte * len(tuples))(*tuples)))
        continue
      values = self.keep(floats(x for t in tuples for x in t))
      if name == 'normal':
        gl.NormalPointer(0x1406, 0, values)
      else:
        gl.TexCoordPointer(len(tuples[0]), 0x1406, 0, values)

  def show(self, mode, positions=None, colours=None, **more):
    positions = positions or vertices_of(mode)
    if mode == QUADS and colours is None: # which diagonal they have is the driver's choice
      colours = even(positions)
    self.arrays(positions, colours, **more)
    self.gl.DrawArrays(mode, 0, len(positions))

  def rectangle(self, x0, y0, x1, y1, z=0.0, tint=None, **more):
    positions = [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]
    self.show(TRIANGLE_FAN, positions, [tint] * 4 if tint else None, **more)

  def texture(self, target, width, height, depth=1, internal=0x8058, linear=True, mips=False, faces=1):
    gl = self.gl
    gl.BindTexture(target, gl.new('GenTextures'))
    for face in range(faces):
      texels = self.keep(bytes(v for z in range(depth) for y in range(height) for x in range(width) for v in (
        255 * ((x ^ y ^ z) & 1), 255 * x // max(width - 1, 1), (255 * y // max(height - 1, 1) + 40 * face) % 256,
        128 + 127 * (x & 1))))
      level = (0, internal, width, height, depth, 0, 0x1908, 0x1401, texels)
      if target == 0x0DE0:
        gl.TexImage1D(target, *level[:3], *level[5:])
      elif target == 0x806F:
        gl.TexImage3D(target, *level)
      else:
        gl.TexImage2D(0x8515 + face if faces > 1 else target, *level[:4], *level[5:])
    if mips:
      gl.GenerateMipmap(target)
    gl.TexParameteri(target, 0x2801, (0x2703 if linear else 0x2700) if mips else 0x2601 if linear else 0x2600)
    gl.TexParameteri(target, 0x2800, 0x2601 if linear else 0x2600)
    if target != 0x84F5:
      self.enable(target)

  def matrix(self, which, *rows):
    self.gl.MatrixMode(which)
    self.gl.LoadMatrixf(floats(rows[r][c] for c in range(4) for r in range(4)))
    self.gl.MatrixMode(0x1700)

  def program(self, vertex, fragment, **uniforms):
    program = self.gl.program(vertex=vertex, fragment=fragment)
    self.gl.link(program)
    for name, value in uniforms.items():
      self.gl.Uniform4f(self.gl.GetUniformLocation(program, name.encode()), *map(float, value))
    return program


def prepare(gl):
  return Tools(gl)


def primitives():
  def one(mode, fill, shade, provoking):
    def draw(t):
      t.gl.PolygonMode(0x0408, fill)
      t.gl.ShadeModel(shade)
      t.gl.ProvokingVertex(provoking)
      t.show(mode, None, None if shade == 0x1D00 else even(vertices_of(mode)))
    return draw
  for mode in range(10):
    for fill, shade, provoking in itertools.product((0x1B02, 0x1B01, 0x1B00), (0x1D00, 0x1D01), (0x8E4E, 0x8E4D)):
      if (mode < TRIANGLES and fill != 0x1B02) or (shade == 0x1D01 and provoking == 0x8E4D):
        continue
      if provoking == 0x8E4D and mode in (QUADS, QUAD_STRIP):
        continue # whether quads follow that convention is the driver's choice
      names = {0x1B02: 'filled', 0x1B01: 'outlined', 0x1B00: 'corners'}
      yield Case(f'primitives {MODES[mode]}, {names[fill]}, ' +
                 ('smooth' if shade == 0x1D01 else 'flat by the ' + ('first' if provoking == 0x8E4D else 'last')),
                 one(mode, fill, shade, provoking))


def edge_flags():
  def one(mode, fill, mask):
    def draw(t):
      positions = vertices_of(mode)
      t.gl.PolygonMode(0x0408, fill)
      t.show(mode, positions, even(positions), edge=[mask >> i % 4 & 1 for i in range(len(positions))])
    return draw
  for mode, mask in itertools.product((QUADS, TRIANGLES, POLYGON), (5, 14)):
    for fill in 0x1B01, 0x1B00:
      yield Case(f'edges {MODES[mode]} of flags {mask}, mode {fill:#x}', one(mode, fill, mask))


def lines():
  def stippled(mode, pattern, factor, width, positions=None, fill=0x1B02):
    def draw(t):
      t.enable(0x0B24)
      t.gl.LineStipple(factor, pattern)
      t.gl.LineWidth(float(width))
      t.gl.PolygonMode(0x0408, fill)
      t.show(mode, positions or centres(WHOLE[mode == LINE_LOOP]))
    return draw

  def wide(mode, width):
    def draw(t):
      t.gl.ShadeModel(0x1D00)
      t.gl.LineWidth(width)
      t.show(mode)
    return draw
  for pattern, factor, width in (0x00ff, 1, 1), (0x0f0f, 2, 1), (0x5555, 3, 1), (0xf731, 1, 1), (0x00ff, 200, 1):
    for mode in LINES, LINE_STRIP, LINE_LOOP:
      yield Case(f'stipple {MODES[mode]}, {pattern:#x} by {factor}, {width} wide',
                 stippled(mode, pattern, factor, width)) # llvmpipe draws lines piece by piece
  yield Case('stipple axes', stippled(LINES, 0x3c69, 1, 1, [
    (-0.9, 0.5, 0), (0.9, 0.5, 0), (0.9, 0.3, 0), (-0.9, 0.3, 0), (0.1, -0.9, 0), (0.1, 0.9, 0), (-0.3, 0.9, 0),
    (-0.3, -0.9, 0)]))
  yield Case('stipple outlines', stippled(POLYGON, 0x0f0f, 1, 1, centres(WHOLE[1]), 0x1B01))
  yield Case('stipple beyond the picture', stippled(LINES, 0x00ff, 1, 1, [(-3.0, -2.0, 0), (2.0, 2.5, 0)]))
  for width in 0.5, 1.0, 3.0, 5.0:
    for mode in LINES, LINE_LOOP:
      yield Case(f'width {width} {MODES[mode]}', wide(mode, width))


def points():
  def sized(size, more=()):
    def draw(t):
      t.gl.PointSize(size)
      for parameter, value in more:
        t.gl.PointParameterfv(parameter, floats(value))
      t.show(POINTS, zigzag(7))
    return draw

  def sprites(origin, size, fill=0x1B02):
    def draw(t):
      t.texture(0x0DE1, 8, 8, linear=False)
      t.enable(0x8861)
      t.gl.TexEnvi(0x8861, 0x8862, 1)
      t.gl.PointParameteri(0x8CA0, origin)
      t.gl.PointSize(size)
      t.gl.PolygonMode(0x0408, fill)
      t.show(POINTS if fill == 0x1B02 else TRIANGLES, zigzag(5 if fill == 0x1B02 else 6))
    return draw

  def by_vertex(t):
    t.enable(0x8642, 0x8861)
    t.program('#version 430 compatibility\nout vec4 c; void main() { gl_Position = gl_Vertex; c = gl_Color; '
              'gl_PointSize = 2.0 + 3.0 * float(gl_VertexID); }',
              '#version 430\nin vec4 c; out vec4 o; void main() { o = vec4(gl_PointCoord, c.z, 1.0); }')
    t.show(POINTS, zigzag(7))
  yield Case('points by vertex', by_vertex)
  for size in 1.0, 2.0, 3.0, 9.0, 40.0:
    yield Case(f'points {size} wide', sized(size))
  yield Case('points far away', sized(12.0, [(0x8129, [2.25, 0.0, 0.0])]))
  for origin in 0x8CA2, 0x8CA1:
    for size in 5.0, 16.0:
      yield Case(f'sprites {size} wide, origin {origin:#x}', sprites(origin, size))
    yield Case(f'sprites in corners, origin {origin:#x}', sprites(origin, 13.0, 0x1B00))


def stipples():
  def stippled(pattern):
    def draw(t):
      t.enable(0x0B42)
      t.gl.PolygonStipple(t.keep(bytes(pattern)))
      t.show(POLYGON)
      t.show(TRIANGLES, [(-0.9, -0.9, 0), (-0.5, -0.9, 0), (-0.9, -0.2, 0)])
    return draw
  yield Case('mask of polygons', stippled((i * 37 ^ i >> 2) & 255 for i in range(128)))
  yield Case('mask of rows', stippled(255 * (i // 4 & 1) for i in range(128)))


def clipping():
  def planes(equations):
    def draw(t):
      for i, equation in enumerate(equations):
        t.gl.ClipPlane(0x3000 + i, (ctypes.c_double * 4)(*equation))
        t.enable(0x3000 + i)
      for mode in POLYGON, LINES, POINTS:
        t.gl.PointSize(3.0)
        t.show(mode)
    return draw

  def distances(t):
    t.enable(0x3000, 0x3002)
    t.program('#version 430 compatibility\nout vec4 c; out float gl_ClipDistance[3]; void main() { '
              'gl_Position = gl_Vertex; c = gl_Color; gl_ClipDistance[0] = gl_Vertex.x + 0.3; '
              'gl_ClipDistance[1] = -1.0; gl_ClipDistance[2] = 0.5 - gl_Vertex.y; }',
              '#version 430\nin vec4 c; out vec4 o; void main() { o = c; }')
    t.show(POLYGON)

  def clip_vertex(t):
    t.gl.ClipPlane(0x3000, (ctypes.c_double * 4)(1, 0.5, 0, 0.1))
    t.enable(0x3000)
    t.program('#version 120\nvoid main() { gl_Position = gl_Vertex; gl_ClipVertex = gl_Vertex.yxzw; '
              'gl_FrontColor = gl_Color; }', '#version 120\nvoid main() { gl_FragColor = gl_Color; }')
    t.show(POLYGON)

  def depth(clamp, halfway):
    def draw(t):
      if clamp:
        t.enable(0x864F)
      if halfway:
        t.gl.ClipControl(0x8CA1, 0x935F)
      t.enable(0x0B71)
      t.show(TRIANGLES, [(-0.9, -0.9, -1.6), (0.9, -0.8, 1.9), (0.0, 0.9, 0.3)])
      t.show(QUADS, [(-0.9, 0.2, 0.4), (0.9, 0.2, 0.6), (0.9, 0.5, 0.6), (-0.9, 0.5, 0.4)])
    return draw

  def behind(t):
    t.show(TRIANGLES, [(-0.5, -0.6, 0.1, 1.0), (0.7, -0.5, 0.2, 1.0), (0.1, 0.4, 0.0, -0.3)])
    t.show(LINES, [(-0.9, -0.9, 0.0, 1.0), (0.4, 0.3, 0.1, -0.2)])

  def infinite(t):
    nan, inf = float('nan'), float('inf')
    t.show(TRIANGLES, [(-0.9, -0.9, 0), (0.9, nan, 0), (0, 0.9, 0), (-0.9, -0.9, 0), (0.0, -0.9, 0), (-0.9, 0.1, 0)])
    t.show(LINES, [(0, 0, 0), (inf, 0, 0), (-0.5, 0.8, 0), (0.8, 0.8, 0)])
  yield Case('planes one', planes([(1, 0.5, 0, 0.2)]))
  yield Case('planes two', planes([(1, 0.5, 0, 0.2), (-1, 0.3, 0.1, 0.5)]))
  yield Case('planes six', planes([(math.cos(a), math.sin(a), 0, 0.4) for a in range(6)]))
  yield Case('distances', distances)
  yield Case('clip vertex', clip_vertex)
  for clamp, halfway in itertools.product((0, 1), (0, 1)):
    yield Case(f'depth range clamp {clamp}, from {"0" if halfway else "-1"}', depth(clamp, halfway))
  yield Case('behind the eye', behind)
  yield Case('infinite vertices', infinite)


def faces():
  def culled(front, cull, mode):
    def draw(t):
      t.gl.FrontFace(front)
      t.enable(0x0B44)
      t.gl.CullFace(cull)
      t.show(mode)
      t.gl.PolygonMode(0x0408, 0x1B01)
      t.show(TRIANGLES, [(x * 0.3, -y * 0.3, z) for x, y, z in circle(3)])
    return draw

  def two_sided(model):
    def draw(t):
      t.enable(0x0B50, 0x4000, 0x0B57)
      t.gl.LightModeli(0x0B52, 1)
      t.gl.LightModeli(0x81F8, model)
      t.gl.Lightfv(0x4000, 0x1203, floats((0.3, 0.4, 1.0, 0.0)))
      t.gl.Lightfv(0x4000, 0x1202, floats((0.6, 0.5, 0.9, 1.0)))
      for face, diffuse in (0x0404, (0.9, 0.5, 0.1, 1.0)), (0x0405, (0.1, 0.6, 0.8, 1.0)):
        t.gl.Materialfv(face, 0x1201, floats(diffuse))
        t.gl.Materialfv(face, 0x1202, floats((0.3, 0.2, 0.4, 1.0)))
        t.gl.Materialf(face, 0x1601, 4.0)
      t.gl.Disable(0x0B57)
      normals = [(0.1 * i, 0.3, 0.9) for i in range(8)]
      t.show(QUAD_STRIP, normal=normals)
      t.show(TRIANGLES, [(x, -y, z) for x, y, z in vertices_of(TRIANGLES)], normal=normals[:6])
    return draw

  def front_facing(t):
    t.program('#version 120\nvoid main() { gl_Position = gl_Vertex; }', '#version 120\nvoid main() { '
              'gl_FragColor = gl_FrontFacing ? vec4(1, 0.5, 0, 1) : vec4(0, 0.5, 1, 1); }')
    t.show(TRIANGLES, vertices_of(TRIANGLES)[:3] + [(-x, y, z) for x, y, z in vertices_of(TRIANGLES)[:3]])
    t.show(LINES, [(-0.9, -0.8, 0), (0.9, -0.8, 0)])
    t.show(POINTS, [(0.0, 0.9, 0)])

  def two_colours(t):
    t.enable(0x8643)
    t.program('#version 120\nvoid main() { gl_Position = gl_Vertex; gl_FrontColor = gl_Color; '
              'gl_BackColor = vec4(1.0) - gl_Color * 0.5; }',
              '#version 120\nvoid main() { gl_FragColor = gl_Color; }')
    t.show(TRIANGLES, vertices_of(TRIANGLES)[:3] + [(-x, y, z) for x, y, z in vertices_of(TRIANGLES)[:3]])
  for front, cull, mode in itertools.product((0x0900, 0x0901), (0x0404, 0x0405, 0x0408), (TRIANGLES, QUAD_STRIP)):
    yield Case(f'culling {cull:#x}, front {front:#x}, {MODES[mode]}', culled(front, cull, mode), colours=1)
  for model in 0x81F9, 0x81FA:
    yield Case(f'lit from both sides, {model:#x}', two_sided(model))
  yield Case('front facing', front_facing)
  yield Case('colours of both sides', two_colours)


def offsets():
  def biased(capability, mode, factor, units):
    def draw(t):
      t.enable(0x0B71, capability)
      t.gl.DepthFunc(0x0201)
      t.gl.PolygonMode(0x0408, mode)
      positions = [(-0.9, -0.9, -0.5), (0.9, -0.9, -0.1), (0.9, 0.9, 0.5), (-0.9, 0.9, 0.1)]
      t.show(QUADS, positions, [RED] * 4)
      t.gl.PolygonOffset(factor, units)
      t.show(QUADS, positions, [GREEN] * 4)
    return draw
  for capability, mode in (0x8037, 0x1B02), (0x2A02, 0x1B01), (0x2A01, 0x1B00):
    for factor, units in (-1.0, 0.0), (0.0, -2.0), (1.0, 3.0):
      yield Case(f'offset {factor} {units}, {mode:#x}', biased(capability, mode, factor, units), colours=2)


def fragment_tests():
  def alpha(function):
    def draw(t):
      t.enable(0x0BC0)
      t.gl.AlphaFunc(function, 0.5)
      t.show(QUAD_STRIP, None, [(*colour(i)[:3], (0.1, 0.5, 0.9)[i % 3]) for i in range(8)])
    return draw

  def depth(function):
    def draw(t):
      t.enable(0x0B71)
      t.gl.DepthFunc(0x0207)
      t.show(QUAD_STRIP, [(x, y, x) for x, y, z in zigzag(8)])
      t.gl.DepthFunc(function)
      t.rectangle(-0.7, -0.7, 0.7, 0.7, 0.2, BLUE)
      t.gl.DepthRange(ctypes.c_double(0.7), ctypes.c_double(0.2))
      t.rectangle(-0.3, -0.9, 0.9, 0.3, 0.1, WHITE)
    return draw

  def stencil(operation, function):
    def draw(t):
      t.enable(0x0B90, 0x0B71)
      t.gl.StencilFunc(0x0207, 6, 255)
      t.gl.StencilOpSeparate(0x0404, 0x1E00, 0x1E00, operation)
      t.gl.StencilOpSeparate(0x0405, 0x1E00, operation, 0x1E01)
      front = vertices_of(TRIANGLES)[:3]
      t.show(TRIANGLES, front + [(-x * 0.7, y * 0.7, z) for x, y, z in front])
      t.rectangle(-0.5, -0.8, 0.1, 0.2, 0.3)
      t.gl.StencilOp(0x1E00, 0x1E00, 0x1E00)
      t.gl.StencilFunc(function, 6, 0x7f)
      t.gl.Disable(0x0B71)
      t.rectangle(-0.9, -0.9, 0.9, 0.9, 0.3, WHITE)
    return draw

  def scissor(t):
    t.enable(0x0C11)
    t.gl.Scissor(13, 9, 30, 41)
    t.show(POLYGON)
    t.gl.ClearColor(1.0, 0.0, 0.0, 1.0)
    t.gl.Scissor(20, 20, 5, 50)
    t.gl.Clear(0x4000)
  for function in FUNCTIONS:
    yield Case(f'alpha test {function:#x}', alpha(function), colours=1)
    yield Case(f'depth test {function:#x}', depth(function))
  for operation, function in itertools.product(STENCIL_OPERATIONS, (0x0202, 0x0204)):
    yield Case(f'stencil {operation:#x} {function:#x}', stencil(operation, function))
  yield Case('scissor', scissor)


def blending():
  def blended(source, destination, equation=0x8006):
    def draw(t):
      t.enable(0x0BE2)
      t.gl.BlendColor(0.3, 0.6, 0.1, 0.7)
      t.gl.BlendFuncSeparate(source, destination, destination if destination != 0x308 else 1, source)
      t.gl.BlendEquationSeparate(equation, 0x8006)
      tints = [(*colour(i)[:3], 0.2 + 0.1 * i) for i in range(8)]
      t.show(QUAD_STRIP, None, tints)
      t.show(TRIANGLE_FAN, None, tints[:7])
    return draw

  def logic(operation):
    def draw(t):
      t.enable(0x0BF2)
      t.gl.LogicOp(operation)
      t.gl.ShadeModel(0x1D00)
      for mode in QUAD_STRIP, TRIANGLE_FAN: # numbers that the target holds exactly
        t.show(mode, None, [tuple((i * k & 255) / 255 for k in (37, 91, 203, 59)) for i in range(8)])
    return draw

  def masked(*channels):
    def draw(t):
      t.gl.ColorMask(*channels)
      t.show(POLYGON)
      t.gl.ClearColor(0.9, 0.8, 0.7, 0.6)
      t.enable(0x0C11)
      t.gl.Scissor(0, 0, 20, 64)
      t.gl.Clear(0x4000)
    return draw
  for i, source in enumerate(FACTORS):
    yield Case(f'blending {source:#x}', blended(source, FACTORS[(i * 7 + 3) % len(FACTORS)]))
  for equation in EQUATIONS:
    yield Case(f'equation {equation:#x}', blended(0x0302, 0x0303, equation))
  for operation in range(0x1500, 0x1510):
    yield Case(f'logic {operation:#x}', logic(operation), colours=1)
  for channels in (1, 0, 1, 0), (0, 1, 1, 1), (0, 0, 0, 1):
    yield Case(f'mask {channels}', masked(*channels))


def textures():
  corners = [(0, 0), (1, 0), (1, 1), (0, 1)]

  def sampled(target, size, coordinates, parameters=(), **more):
    def draw(t):
      t.texture(target, *size, **more)
      t.gl.TexEnvi(0x2300, 0x2200, 0x1E01)
      for parameter, value in parameters:
        if isinstance(value, tuple):
          t.gl.TexParameterfv(target, parameter, floats(value))
        else:
          t.gl.TexParameteri(target, parameter, value)
      t.rectangle(-0.93, -0.91, 0.87, 0.89, texture=coordinates)
    return draw

  def environment(mode, internal):
    def draw(t):
      t.texture(0x0DE1, 4, 4, internal=internal)
      t.gl.TexEnvi(0x2300, 0x2200, mode)
      t.gl.TexEnvfv(0x2300, 0x2201, floats((0.7, 0.2, 0.4, 0.5)))
      t.rectangle(-0.9, -0.9, 0.9, 0.9, texture=corners)
    return draw

  def cube(seamless):
    def draw(t):
      (t.gl.Enable if seamless else t.gl.Disable)(0x884F)
      t.texture(0x8513, 4, 4, faces=6)
      t.gl.TexEnvi(0x2300, 0x2200, 0x1E01)
      t.rectangle(-0.9, -0.9, 0.9, 0.9, texture=[
        (-1.3, -1.2, 0.9), (1.2, -1.1, 0.7), (1.3, 1.2, -0.8), (-1.1, 1.3, 1.0)])
    return draw

  def generated(mode):
    def draw(t):
      t.texture(0x0DE1, 8, 8, mips=True)
      for i, plane in enumerate([(0.7, 0.3, 0, 0.1), (-0.2, 0.9, 0, 0.4)]):
        t.gl.TexGeni(0x2000 + i, 0x2500, mode)
        t.gl.TexGenfv(0x2000 + i, 0x2501 if mode == 0x2401 else 0x2502, floats(plane))
        t.enable(0x0C60 + i)
      t.show(POLYGON, normal=[(0.1 * i, 0.2, 0.9) for i in range(7)])
    return draw

  def shadow(function, linear):
    def draw(t):
      gl = t.gl
      gl.BindTexture(0x0DE1, gl.new('GenTextures'))
      texels = t.keep(floats((i * 7 % 16) / 15 for i in range(16)))
      gl.TexImage2D(0x0DE1, 0, 0x81A6, 4, 4, 0, 0x1902, 0x1406, texels)
      for parameter, value in ((0x2801, 0x2601 if linear else 0x2600), (0x2800, 0x2601 if linear else 0x2600),
                               (0x884C, 0x884E), (0x884D, function)):
        gl.TexParameteri(0x0DE1, parameter, value)
      t.program('#version 120\nvoid main() { gl_Position = gl_Vertex; gl_TexCoord[0] = gl_MultiTexCoord0; }',
                '#version 120\nuniform sampler2DShadow s; void main() { '
                'gl_FragColor = shadow2D(s, gl_TexCoord[0].xyz); }')
      t.rectangle(-0.9, -0.9, 0.9, 0.9, texture=[(0, 0, 0.1), (1, 0, 0.4), (1, 1, 0.9), (0, 1, 0.6)])
    return draw

  def buffer(format_, kind, expression):
    def draw(t):
      gl = t.gl
      name = gl.new('GenBuffers')
      gl.BindBuffer(0x8C2A, name)
      gl.BufferData(0x8C2A, 1024, bytes((i * 29 + i // 7) % 125 for i in range(1024)), 0x88E4)
      gl.BindTexture(0x8C2A, gl.new('GenTextures'))
      gl.TexBuffer(0x8C2A, format_, name)
      t.program('#version 430 compatibility\nvoid main() { gl_Position = gl_Vertex; }',
                f'#version 430\nlayout(binding = 0) uniform {kind}Buffer s; out vec4 o; void main() {{ '
                f'int i = int(gl_FragCoord.x / 8.0) + 8 * int(gl_FragCoord.y / 8.0); o = {expression}; }}')
      t.rectangle(-1, -1, 1, 1)
    return draw
  for wrap in 0x2901, 0x2900, 0x812F, 0x812D, 0x8370, 0x8742, 0x8743, 0x8912:
    for linear in False, True:
      yield Case(f'wrap {wrap:#x}, {"linear" if linear else "nearest"}', sampled(
        0x0DE1, (8, 4), [(-1.3, -1.2), (2.4, -1.1), (2.3, 2.2), (-1.4, 2.5)], [
          (0x2802, wrap), (0x2803, wrap), (0x1004, (0.2, 0.9, 0.4, 0.6))], linear=linear))
      # What lies between the image and its mirror is not said.
  for internal in (0x1903, 0x1906, 0x1907, 0x1909, 0x190A, 0x8049, 0x8C43,
                   0x8059, 0x881A, 0x8C3D, 0x8F97, 0x805B):
    yield Case(f'format {internal:#x}', sampled(0x0DE1, (8, 8), corners, internal=internal))
    for mode in 0x2100, 0x2101, 0x0BE2, 0x0104:
      if internal in (0x1906, 0x1907, 0x1909, 0x190A, 0x8049, 0x8058):
        yield Case(f'environment {mode:#x} of {internal:#x}', environment(mode, internal))
  yield Case('mipmaps', sampled(0x0DE1, (64, 64), [(0, 0), (4, 0), (4, 4), (0, 4)], mips=True))
  for parameter, value in (0x813C, 2), (0x813D, 1), (0x813A, (1.5,)), (0x813B, (0.5,)), (0x8501, (1.2,)):
    yield Case(f'levels {parameter:#x} {value}', sampled(
      0x0DE1, (64, 64), [(0, 0), (5, 0), (5, 5), (0, 5)], [(parameter, value)], mips=True))
  yield Case('swizzled', sampled(0x0DE1, (8, 8), corners, [(0x8E42, 0x1905), (0x8E43, 1), (0x8E44, 0x1903)]))
  yield Case('undecoded sRGB', sampled(0x0DE1, (8, 8), corners, [(0x8A48, 0x8A4A)], internal=0x8C43))
  yield Case('rectangle', rectangle_texture)
  yield Case('1D', sampled(0x0DE0, (16, 1), [(-0.2, 0), (1.2, 0), (1.3, 0), (0, 0)]))
  yield Case('3D', sampled(0x806F, (8, 8, 4), [(0, 0, 0), (1, 0, 0.4), (1, 1, 1), (0, 1, 0.7)]))
  for seamless in False, True:
    yield Case(f'cube {"seamless" if seamless else "by faces"}', cube(seamless))
  for mode in 0x2401, 0x2400, 0x2402:
    yield Case(f'coordinates {mode:#x}', generated(mode))
  for function, linear in itertools.product((0x0203, 0x0204), (False, True)):
    yield Case(f'shadow {function:#x}, {"linear" if linear else "nearest"}', shadow(function, linear))
  for format_, kind, expression in ((0x8058, 'sampler', 'texelFetch(s, i)'),
                                    (0x822E, 'sampler', 'fract(texelFetch(s, i))'),
                                    (0x8D7C, 'usampler', 'vec4(texelFetch(s, i)) / 125.0'),
                                    (0x822A, 'sampler', 'texelFetch(s, i)'),
                                    (0x8815, 'sampler', 'fract(texelFetch(s, i))'),
                                    (0x8233, 'isampler', 'vec4(texelFetch(s, i)) / 32000.0')):
    yield Case(f'buffer {format_:#x}', buffer(format_, kind, expression))


def rectangle_texture(t):
  t.texture(0x84F5, 13, 9)
  t.program('#version 430 compatibility\nvoid main() { gl_Position = gl_Vertex; }',
            '#version 430\nlayout(binding = 0) uniform sampler2DRect s; out vec4 o; void main() { '
            'o = texture(s, gl_FragCoord.xy / 5.0) * 0.5 + 0.5 * texelFetch(s, ivec2(gl_FragCoord.xy) % 9); }')
  t.rectangle(-1, -1, 1, 1)


def vertex_formats():
  def read(size, kind, normalised, values, integer=False):
    def draw(t):
      gl = t.gl
      t.arrays([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)])
      data = t.keep(bytes(values))
      location = 7
      type_ = ('uvec4' if kind in (0x1401, 0x1403, 0x1405) else 'ivec4') if integer else 'vec4'
      gl.EnableVertexAttribArray(location)
      if integer:
        gl.VertexAttribIPointer(location, size, kind, 0, data)
      else:
        gl.VertexAttribPointer(location, size, kind, int(normalised), 0, data)
      t.program(f'#version 430 compatibility\nlayout(location = 7) in {type_} a; out vec4 c; void main() {{ '
                'gl_Position = gl_Vertex; c = vec4(a); c = 0.5 + 0.4 * sin(c); }',
                '#version 430\nin vec4 c; out vec4 o; void main() { o = c; }')
      gl.DrawArrays(TRIANGLE_FAN, 0, 4)
      gl.DisableVertexAttribArray(location)
    return draw
  width = {0x1400: 1, 0x1401: 1, 0x1402: 2, 0x1403: 2, 0x1404: 4, 0x1405: 4, 0x1406: 4, 0x140B: 2}

  def data(kind, size):
    import struct # pylint: disable=import-outside-toplevel
    small = [((i * 11) % 17 - 6) for i in range(4 * size)]
    if kind in (0x1406, 0x140B):
      return struct.pack(f'<{4 * size}{"f" if kind == 0x1406 else "e"}', *(v / 3 for v in small))
    if kind in (0x1401, 0x1403, 0x1405):
      small = [abs(v) for v in small]
    letter = 'bBhHiI'[kind - 0x1400]
    return struct.pack(f'<{4 * size}{letter}', *small)
  for kind, size in itertools.product(width, (1, 2, 3, 4)):
    if kind in (0x1406, 0x140B):
      yield Case(f'attribute {size} of {kind:#x}', read(size, kind, False, data(kind, size)))
      continue
    yield Case(f'attribute {size} of {kind:#x}, scaled', read(size, kind, False, data(kind, size)))
    yield Case(f'normalised {size} of {kind:#x}', read(size, kind, True, bytes(
      (i * 67 + 31) & 255 for i in range(4 * size * width[kind]))))
    yield Case(f'integers {size} of {kind:#x}', read(size, kind, False, data(kind, size), True))
  packed = bytes((i * 91 + 57) & 255 for i in range(16))
  for kind in 0x8368, 0x8D9F:
    for normalised in False, True:
      yield Case(f'packed {kind:#x}, {"normalised" if normalised else "scaled"}', read(4, kind, normalised, packed))


def fetching():
  def indexed(kind, width, restart):
    def draw(t):
      gl = t.gl
      t.arrays(zigzag(16))
      top = (1 << 8 * width) - 1
      numbers = [0, 1, 2, 3, top if restart else 3, 8, 9, 10, 11, 12, 13]
      if restart:
        t.enable(0x8D69)
      indices = t.keep(b''.join(n.to_bytes(width, 'little') for n in numbers))
      gl.DrawElements(TRIANGLE_STRIP, len(numbers), kind, indices)
    return draw

  def instanced(divisor):
    def draw(t):
      gl = t.gl
      t.arrays([(-0.9, -0.9, 0), (-0.6, -0.9, 0), (-0.6, -0.5, 0)], [WHITE] * 3)
      gl.EnableVertexAttribArray(7)
      offsets_ = t.keep(floats(v for i in range(8) for v in (0.2 * i, (i * 3 % 8) / 5)))
      gl.VertexAttribPointer(7, 2, 0x1406, 0, 0, offsets_)
      gl.VertexAttribDivisor(7, divisor)
      t.program('#version 430 compatibility\nlayout(location = 7) in vec2 a; out vec4 c; void main() { '
                'gl_Position = gl_Vertex + vec4(a + vec2(0.03, 0.1) * gl_InstanceID, 0, 0); c = vec4(a, 0.5, 1); }',
                '#version 430\nin vec4 c; out vec4 o; void main() { o = c; }')
      gl.DrawArraysInstanced(TRIANGLES, 0, 3, 6)
      gl.VertexAttribDivisor(7, 0)
      gl.DisableVertexAttribArray(7)
    return draw

  def immediate(t):
    for mode in QUADS, LINE_LOOP:
      t.gl.Begin(mode)
      for i, (x, y, z) in enumerate(circle(8, 0.9 if mode == QUADS else 0.5)):
        t.gl.Color3f(*even([(x, y)])[0][:3])
        t.gl.Vertex4f(x, y, z, 1.0)
      t.gl.End()

  def pixels(t):
    texels = t.keep(bytes((i * 13) & 255 for i in range(20 * 20 * 4)))
    t.gl.WindowPos2f(10.0, 12.0)
    t.gl.DrawPixels(20, 20, 0x1908, 0x1401, texels)
    t.gl.PixelZoom(1.5, -1.0)
    t.gl.WindowPos2f(5.0, 60.0)
    t.gl.CopyPixels(10, 12, 20, 12, 0x1800)
    t.gl.Color4f(1.0, 0.5, 0.0, 1.0)
    t.gl.WindowPos2f(40.0, 40.0)
    t.gl.Bitmap(16, 16, 0.0, 0.0, 0.0, 0.0, t.keep(bytes((i * 37) & 255 for i in range(64))))
  for kind, width in (0x1401, 1), (0x1403, 2), (0x1405, 4):
    for restart in False, True:
      yield Case(f'indices of {width} B, restart {restart}', indexed(kind, width, restart))
  for divisor in 0, 1, 2, 5:
    yield Case(f'divisor {divisor}', instanced(divisor))
  yield Case('immediate', immediate)
  yield Case('pixels', pixels)


def shading():
  def fogged(mode):
    def draw(t):
      t.enable(0x0B60)
      t.gl.Fogi(0x0B65, mode)
      t.gl.Fogf(0x0B62, 1.3)
      t.gl.Fogf(0x0B63, 0.1)
      t.gl.Fogf(0x0B64, 0.8)
      t.gl.Fogfv(0x0B66, floats((0.9, 0.3, 0.6, 1.0)))
      t.show(QUAD_STRIP, [(x, y, 0.9 * x) for x, y, z in zigzag(8)])
    return draw

  def clamped(t):
    t.gl.ClampColor(0x891A, 1)
    t.show(POLYGON, None, [(2.0 * a - 0.5, 1.5 * b, -0.5 + c, 1.0) for a, b, c, d in map(colour, range(7))])

  def perspective(t):
    t.matrix(0x1701, (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0.2, 0), (0.7, 0.5, 0, 1.4))
    t.texture(0x0DE1, 16, 16)
    t.rectangle(-0.9, -0.9, 0.9, 0.9, texture=[(0, 0), (2, 0), (2, 2), (0, 2)])

  def interpolated(t):
    t.matrix(0x1701, (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0.2, 0), (0.7, 0.5, 0, 1.4))
    t.program('#version 430 compatibility\nnoperspective out vec4 c; flat out vec4 d; void main() { '
              'gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex; c = gl_Color; d = gl_Color.zxyw; }',
              '#version 430\nnoperspective in vec4 c; flat in vec4 d; out vec4 o; '
              'void main() { o = 0.7 * c + 0.3 * d; }')
    t.rectangle(-0.9, -0.9, 0.9, 0.9)

  def helper(t):
    t.program('#version 430 compatibility\nout vec4 c; void main() { gl_Position = gl_Vertex; c = gl_Color; }',
              '#version 430\nin vec4 c; out vec4 o; void main() { if (fract(gl_FragCoord.x / 6.0) < 0.3) discard; '
              'o = vec4(0.5 + 20.0 * dFdx(c.xy), gl_FragCoord.zw * 0.5); }')
    t.show(POLYGON)
  for mode in 0x0800, 0x0801, 0x2601:
    yield Case(f'fog {mode:#x}', fogged(mode))
  yield Case('clamped colours', clamped)
  yield Case('perspective', perspective)
  yield Case('interpolated', interpolated)
  yield Case('discarded', helper)


def samples():
  """Where samples lie is the driver's choice: edges may differ."""
  def covered(capability, value=None):
    def draw(t):
      t.enable(capability)
      if value is not None:
        (t.gl.SampleCoverage(value, 0) if capability == 0x80A0 else t.gl.SampleMaski(0, value))
      t.rectangle(-0.93, -0.91, 0.89, 0.87, 0.0, (0.9, 0.5, 0.1, 0.75))
    return draw

  def smooth(t):
    t.show(POLYGON)
    t.gl.LineWidth(3.0)
    t.show(LINE_STRIP)

  def aliased(t):
    t.gl.Disable(0x809D)
    t.enable(0x0B71)
    t.show(POLYGON)
    t.show(LINE_STRIP)
    t.gl.PointSize(5.0)
    t.show(POINTS)

  def smoothed(capability, mode, width):
    def draw(t):
      t.enable(0x0BE2, capability)
      t.gl.BlendFunc(0x0302, 0x0303)
      t.gl.LineWidth(width)
      t.gl.PointSize(width)
      t.show(mode)
    return draw
  for capability, mode in (0x0B20, LINES), (0x0B41, POLYGON), (0x0B10, POINTS):
    for width in 1.0, 6.0: # how smooth is the driver's choice: but for the edges they agree
      yield Case(f'smooth {MODES[mode]}, {width} wide', smoothed(capability, mode, width))
  yield Case('aliased over samples', aliased, samples=4)
  yield Case('samples plain', smooth, samples=4)
  for capability, value in (0x80A0, 0.5), (0x8E51, 5), (0x809F, None):
    yield Case(f'samples {capability:#x}', covered(capability, value), samples=4)


def cases():
  kinds = (primitives, edge_flags, lines, points, stipples, clipping, faces, offsets, fragment_tests, blending,
           textures, vertex_formats, fetching, shading, samples)
  return [case for kind in kinds for case in kind()]
