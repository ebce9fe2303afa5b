/* Threads of libraries. */
#ifndef INDIUM_THREAD_H
#define INDIUM_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread that gets no signals: those are for the application's threads. False: none could be made. */
bool thread_start(pthread_t *thread, void *(*run)(void *data), void *data);

#endif
