#pragma once
// Polygons that go on across the antimeridian, for those who think in a plane.

class OGRGeometry;

namespace pegnn::gdal_module {

// An edge from 180 to -180 degrees has no length on the globe, and in a plane it would cut through
// everything between: what follows it is moved by a turn, so that the polygon is whole and may
// reach beyond 180 degrees. With `short_way` that goes for every edge that spans more than half the
// globe, as TopoJSON means it; GeoJSON (RFC 7946) means the long way. A ring that then goes once
// around a pole is closed over that pole. Rings that would have no area left, such as the frame of
// the globe, stay as they are.
void unwrap_longitudes(OGRGeometry& shape, bool short_way);

// All of it moved east by so many degrees.
void shift_longitudes(OGRGeometry& shape, double by);

}  // namespace pegnn::gdal_module
