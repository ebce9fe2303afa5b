/* A thousand buffers in one shader, one after the other: more than registers have room for at once. */
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer Values { uint value; } values[1000];
layout(set = 0, binding = 1) writeonly buffer Out { uint sum; };

#define READ(i) x = x * 3u + values[i].value;
#define READ5(i) READ(i) READ(i + 1) READ(i + 2) READ(i + 3) READ(i + 4)
#define READ20(i) READ5(i) READ5(i + 5) READ5(i + 10) READ5(i + 15)
#define READ100(i) READ20(i) READ20(i + 20) READ20(i + 40) READ20(i + 60) READ20(i + 80)

void
main()
{
   uint x = 0u;
   READ100(0) READ100(100) READ100(200) READ100(300) READ100(400)
   READ100(500) READ100(600) READ100(700) READ100(800) READ100(900)
   sum = x;
}
