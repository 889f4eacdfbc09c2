#ifdef HERALD_PORTABLE

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

// libstdc++'s `std::random_device` refers to this function, which glibc has since 2.36: with it here, the program runs with
// glibc 2.35, too.
uint32_t arc4random(void) {
    uint32_t number;
    ssize_t length;
    // A signal can interrupt the call while the kernel still collects entropy, shortly after the system has started. Later,
    // requests of up to 256 bytes are neither interrupted nor cut short.
    do {
        length = getrandom(&number, sizeof number, 0);
    } while (length < 0 && errno == EINTR);
    if (length != (ssize_t)sizeof number) { abort(); }
    return number;
}

#endif
