/* Debian and Ubuntu: apt-get install liblz4-dev */
#include <lz4.h>
#include <lz4frame.h>
