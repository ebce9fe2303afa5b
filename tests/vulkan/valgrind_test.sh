#!/bin/sh
# valgrind_test.sh PROGRAM ARGUMENT...: the program under valgrind; its status, 9 after an error that valgrind found
# in it or in the driver, 77 if there is no valgrind.
command -v valgrind >/dev/null || { echo 'there is no valgrind'; exit 77; }
exec valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite "$@"
