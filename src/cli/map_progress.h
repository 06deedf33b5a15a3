#pragma once
// Maps on their way, shown on stderr.

#include "cli/session.h"
#include "flow/map_files.h"

namespace pegnn {

// `files.write` in a session, which shows how far it is unless it is to be quiet.
MapFigures write_map(MapFiles& files, const PreparedMap& map, Session& session);

}  // namespace pegnn
