#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 coord;
layout(location = 3) flat in vec3 tint;
layout(set = 0, binding = 0) uniform Scene {
   mat4 view_projection;
   vec4 eye;
   vec4 light_position[4];
   vec4 light_color[4];
};
layout(set = 0, binding = 1) uniform sampler2D albedo;
layout(location = 0) out vec4 color;

void main()
{
   vec3 n = normalize(normal), to_eye = normalize(eye.xyz - position);
   vec3 base = texture(albedo, coord).rgb * tint;
   vec3 sum = base * vec3(0.10, 0.11, 0.14);
   for (int i = 0; i < 4; i++) {
      vec3 to_light = light_position[i].xyz - position;
      float d = length(to_light);
      vec3 l = to_light / d;
      float falloff = max(1.0 - d / light_position[i].w, 0.0);
      float diffuse = max(dot(n, l), 0.0);
      float specular = pow(max(dot(n, normalize(l + to_eye)), 0.0), 24.0) * 0.3;
      sum += light_color[i].rgb * falloff * falloff * (base * diffuse + specular * step(1e-4, diffuse));
   }
   color = vec4(sum, 1.0);
}
