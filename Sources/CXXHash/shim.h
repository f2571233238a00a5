/* Debian and Ubuntu: apt-get install libxxhash-dev */
#include <xxhash.h>
