"""capture.py FILE FRAME PROGRAM [WORD...]: has RenderDoc capture a frame of a program, as its window does; ends with
the program. FILE gets the number of the frame after it."""
import glob
import sys
import time

import renderdoc

LIMIT_S = 300


def main(file, frame, program, *words):
  options = renderdoc.GetDefaultCaptureOptions()
  started = renderdoc.ExecuteAndInject(program, '', ' '.join(words), [], file, options, False)
  control = renderdoc.CreateTargetControl('', started.ident, 'test', True)
  if not control:
    return f'{program} cannot be captured'
  control.QueueCapture(int(frame), 1)
  end = time.monotonic() + LIMIT_S
  while time.monotonic() < end and control.Connected():
    control.ReceiveMessage(None)
  control.Shutdown()
  return None if glob.glob(f'{file}*.rdc') else 'there is no capture'


if __name__ == '__main__':
  sys.exit(main(*sys.argv[1:]))
