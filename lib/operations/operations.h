/* operations.h - what the files of operations share. */
#ifndef AXT_OPERATIONS_OPERATIONS_H
#define AXT_OPERATIONS_OPERATIONS_H

#include "axt_operation.h"

#endif
