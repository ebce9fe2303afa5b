/* More control flow that both GLSL and C can read: ints only, no pointers. */
int many_phis(int x)
{
   int a = x, b = 1, c = 2, d = 3, e = 4, f = 5, g = 6, h = 7;
   for (int i = 0; i < 9; i++) {
      int t = a;
      if ((i + x) % 4 == 0) {
         a = b;
         b = c;
         c = d;
         d = e;
         e = f;
         f = g;
         g = h;
         h = t % 1000;
      } else if ((i * x) % 3 == 1) {
         a = h;
         h = t;
         e = e + d;
      } else {
         int u = b;
         b = g;
         g = u + i;
      }
      if (e > 60 + x)
         break;
   }
   return a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + g * 17 + h * 19;
}

int three_loops(int x)
{
   int t = 0;
   for (int i = 0; i < 4; i++) {
      for (int j = i; j < 6; j++) {
         int k = 0;
         while (true) {
            k = k + 1;
            if (k > x % 7)
               break;
            if ((i + j + k) % 5 == 0)
               continue;
            if (t > 900 + x * 10)
               return t * 3 + k;
            t = t + i * j + k;
         }
         if (t % 11 == x % 11)
            break;
      }
      if (x % 13 == i)
         continue;
      t = t + 100;
   }
   return t;
}

int sparse_switch(int x)
{
   int t = 0;
   for (int i = 0; i < 8; i++) {
      switch (x * 1000 + i * 77 - 5000) {
      case -5000:
         t = t + 1;
         break;
      case 72:
         t = t + 2;
      case 1154:
         t = t + 4;
         break;
      case 2147483647:
         t = t + 8;
         break;
      case 59539:
         return t + 1000000;
      default:
         t = t * 3 % 10007 + i;
      }
   }
   return t;
}

int wave_walk(int x)
{
   int t = x, n = 0;
   while (n < 40) {
      n = n + 1;
      if (t == 1)
         break;
      if (t % 2 == 0)
         t = t / 2;
      else if (t % 3 == 0)
         t = t / 3 + 5;
      else
         t = t + 7;
      if (n == 30 && x % 5 == 4)
         return -n;
   }
   return n * 100000 + t;
}

int unreached(int x)
{
   int t = 0;
   if (x >= 0) {
      t = x * 2;
   } else {
      for (int i = 0; i < 1000; i++) {
         t = t + i;
         if (t > 100000)
            return t;
      }
   }
   while (true) {
      t = t + 1;
      if (t > 0)
         return t;
   }
   return -1;
}

int masks(int x)
{
   int t = 0;
   for (int bit = 0; bit < 6; bit++) {
      if ((x >> bit) % 2 == 1) {
         t = t + (1 << bit);
         if (t > 40 && bit > 4)
            break;
         for (int j = 0; j < bit; j++) {
            if ((x >> j) % 2 == 0)
               continue;
            t = t + j;
         }
      } else if (bit == 3) {
         continue;
      }
      t = t + 1000;
   }
   return t;
}
