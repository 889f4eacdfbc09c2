/* Preloaded before libfaketime: passes timers on to the kernel.
 *
 * Debian's libfaketime converts the end of every absolute timer as if it were a time of the wall clock. Those of
 * libdispatch are times of the monotonic clock, which is not faked.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

int timerfd_settime(int timer, int flags, const struct itimerspec *value, struct itimerspec *old) {
    return (int)syscall(SYS_timerfd_settime, timer, flags, value, old);
}
