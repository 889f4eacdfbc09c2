/* Preloaded into Herald: begins the wall clock at CLOCK_START, in seconds since 1970, and lets all clocks run
 * CLOCK_SPEED times as fast.
 *
 * Timers with an absolute time end when the clocks show that time. Debian's libfaketime converts such timers as if they
 * always used the wall clock, and the kernel then refuses those of libdispatch.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL
#define CLOCKS 16

static int64_t speed = 1, real_start[CLOCKS], shown_start[CLOCKS];
static clockid_t timer_clocks[1024];

static int64_t nanoseconds(struct timespec time) { return time.tv_sec * SECOND + time.tv_nsec; }

static struct timespec timespec_of(int64_t time) { return (struct timespec){time / SECOND, time % SECOND}; }

static int is_shifted(clockid_t clock) {
    return clock >= 0 && clock < CLOCKS && clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID;
}

static int real_time(clockid_t clock, struct timespec *time) { return syscall(SYS_clock_gettime, clock, time); }

__attribute__((constructor)) static void begin(void) {
    const char *start = getenv("CLOCK_START"), *factor = getenv("CLOCK_SPEED");
    if (factor) speed = atoll(factor);
    for (clockid_t clock = 0; clock < CLOCKS; clock++) {
        struct timespec time = {0};
        if (real_time(clock, &time)) continue;
        real_start[clock] = shown_start[clock] = nanoseconds(time);
    }
    if (start) shown_start[CLOCK_REALTIME] = shown_start[CLOCK_REALTIME_COARSE] = atoll(start) * SECOND;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = real_time(clock, time);
    if (result == 0 && is_shifted(clock))
        *time = timespec_of(shown_start[clock] + (nanoseconds(*time) - real_start[clock]) * speed);
    return result;
}

int gettimeofday(struct timeval *time, void *zone) {
    struct timespec now;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
    *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}

int timerfd_create(clockid_t clock, int flags) {
    int timer = syscall(SYS_timerfd_create, clock, flags);
    if (timer >= (int)(sizeof timer_clocks / sizeof *timer_clocks)) abort();
    if (timer >= 0) timer_clocks[timer] = clock;
    return timer;
}

int timerfd_settime(int timer, int flags, const struct itimerspec *wanted, struct itimerspec *before) {
    struct itimerspec set = *wanted;
    int64_t until = nanoseconds(wanted->it_value);
    if (until != 0 && flags & TFD_TIMER_ABSTIME) {
        clockid_t clock = timer_clocks[timer];
        until = real_start[clock] + (until - shown_start[clock]) / speed;
        set.it_value = timespec_of(until > 0 ? until : 1);
    } else if (until != 0) {
        set.it_value = timespec_of(until / speed > 0 ? until / speed : 1);
    }
    return syscall(SYS_timerfd_settime, timer, flags, &set, before);
}
