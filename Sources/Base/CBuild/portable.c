#ifdef HERALD_PORTABLE

#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

// libstdc++'s `std::random_device` refers to this function, which glibc has since 2.36: with it here, the program runs with
// glibc 2.35, too.
uint32_t arc4random(void) {
    uint32_t number;
    // Requests of up to 256 bytes are neither interrupted nor cut short.
    if (getrandom(&number, sizeof number, 0) != sizeof number) { abort(); }
    return number;
}

#endif
