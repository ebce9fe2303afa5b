/* Control flow that both GLSL and C can read: gcc's result is what the translated shader must compute. Every function
 * leaves a trace in its result that tells which way it went. */
int early_returns(int x)
{
   int t = 1;
   if (x == 3)
      return 100;
   t = t * 3 + x;
   if (x > 40)
      return t + 200;
   if (x > 20) {
      if (x == 25)
         return t - 5;
      t = t + 7;
   }
   return t;
}

int return_in_loop(int x)
{
   int t = 0;
   for (int i = 0; i < 10; i++) {
      if (i == x)
         return t * 1000 + i;
      for (int j = 0; j < 4; j++) {
         if (i * j == x - 7)
            return t + j * 17;
         if (j == i)
            continue;
         t = t * 2 + j;
         t = t % 10007;
      }
      t = t + 1;
   }
   return t;
}

int switch_fall(int x)
{
   int t = x;
   switch (x % 9) {
   case 0:
      t = t + 1;
   case 1:
      t = t * 2;
      break;
   case 2:
   case 3:
      t = t + 5;
      if (x > 20)
         break;
      t = t * 3;
   case 4:
      t = t - 4;
      break;
   default:
      t = t + 1000;
   case 7:
      t = t + 70;
      break;
   case 8:
      return t * 8;
   }
   return t * 10 + 1;
}

int switch_in_loop(int x)
{
   int t = x;
   for (int i = 0; i < 12; i++) {
      switch ((t + i) % 5) {
      case 0:
         continue;
      case 1:
         t = t + 3;
         break;
      case 2:
         if (t > 60)
            return t + 5000;
         t = t + 2;
      case 3:
         t = t + i;
         if (i == 7)
            continue;
         break;
      default:
         t = t + 1;
      }
      t = t * 3 % 101;
      if (t == 50)
         break;
   }
   return t;
}

int nested_breaks(int x)
{
   int t = 0, i = 0;
   while (true) {
      i = i + 1;
      if (i > 20)
         break;
      int j = 0;
      while (j < x) {
         j = j + 1;
         if ((j + i) % 7 == 3)
            break;
         if ((j * i) % 5 == 1)
            continue;
         if (j > 15) {
            t = t + 100;
            if (i % 2 == 0)
               return t;
         }
         t = t + j;
      }
      if (t > 2000 + x)
         break;
      if (i == x)
         continue;
      t = t + i * 3;
   }
   return t;
}

int do_while(int x)
{
   int t = x, n = 0;
   do {
      n = n + 1;
      if (t % 2 == 0) {
         t = t / 2;
         continue;
      }
      if (n > 50)
         break;
      t = t * 3 + 1;
   } while (t > 1);
   return n * 1000 + t;
}

int helper_called(int a, int b)
{
   if (a > b)
      return a - b;
   for (int i = 0; i < b; i++) {
      if (i * i > a)
         return i;
   }
   return a + b;
}

int calls(int x)
{
   int t = 0;
   for (int i = 0; i < 5; i++) {
      t = t + helper_called(x, i * 10);
      if (helper_called(t, x) == 2)
         break;
   }
   return t + helper_called(t, 3);
}

int short_circuit(int x)
{
   int t = 0;
   for (int i = 0; i < 16; i++) {
      if (i > 2 && (x + i) % 3 == 0 || i == 5 && x > 10)
         t = t + i;
      t = t + ((i % 2 == 0 ? x : i) > 7 ? 1 : 0);
   }
   return t;
}

int nested_switch(int x)
{
   int t = 0;
   for (int i = 0; i < 6; i++) {
      switch (i % 3) {
      case 0:
         switch ((x + i) % 4) {
         case 0:
            t = t + 1;
            break;
         case 1:
            t = t + 10;
         case 2:
            if (x % 2 == 0)
               break;
            t = t + 100;
            break;
         }
         t = t * 2;
         break;
      case 1:
         for (int j = 0; j < 5; j++) {
            switch (j) {
            case 2:
               continue;
            case 4:
               if (x == 9)
                  return t + 77777;
               break;
            default:
               t = t + j;
            }
            t = t + 1;
            if (t > 3000)
               break;
         }
         break;
      default:
         t = t + x;
      }
      t = t % 5003;
   }
   return t;
}

int loop_values(int x)
{
   int last = -1, t = 0;
   for (int i = 0;; i++) {
      int square = i * i;
      if (square > x) {
         last = square;
         t = t + 3;
         break;
      }
      if (i == 6) {
         last = i;
         break;
      }
      t = t + square;
   }
   return last * 100 + t;
}

int empty_arms(int x)
{
   int t = x;
   if (x > 5) {
   } else {
      t = t + 1;
   }
   if (x > 7) {
   } else {
   }
   switch (x) {
   default:
      break;
   }
   for (int i = 0; i < 3; i++) {
   }
   return t;
}
