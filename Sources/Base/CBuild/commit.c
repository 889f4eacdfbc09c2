#include "CBuild.h"

#define TEXT_OF(token) #token
#define TEXT(token) TEXT_OF(token)

#ifdef HERALD_BUILD_COMMIT
const char *const herald_build_commit = TEXT(HERALD_BUILD_COMMIT);
#else
const char *const herald_build_commit = "";
#endif
