/* Debian and Ubuntu: apt-get install libsqlite3-dev */
#include <sqlite3.h>
