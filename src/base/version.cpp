#include "pegnn/version.h"

namespace pegnn {

const char* version() { return PEGNN_VERSION; }

}  // namespace pegnn
