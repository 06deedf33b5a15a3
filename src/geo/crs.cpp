// The one coordinate reference system that is known without PROJ.

#include "pegnn/geo.h"

namespace pegnn {

Crs lonlat_crs() {
  return {.wkt = R"x(GEOGCRS["WGS 84",)x"
                 R"x(DATUM["World Geodetic System 1984",)x"
                 R"x(ELLIPSOID["WGS 84",6378137,298.257223563,LENGTHUNIT["metre",1]]],)x"
                 R"x(PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]],)x"
                 R"x(CS[ellipsoidal,2],)x"
                 R"x(AXIS["geodetic latitude (Lat)",north,ORDER[1],)x"
                 R"x(ANGLEUNIT["degree",0.0174532925199433]],)x"
                 R"x(AXIS["geodetic longitude (Lon)",east,ORDER[2],)x"
                 R"x(ANGLEUNIT["degree",0.0174532925199433]],)x"
                 R"x(ID["EPSG",4326]])x",
          .name = "EPSG:4326 (WGS 84)"};
}

}  // namespace pegnn
