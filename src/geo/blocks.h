#pragma once
// Spatial blocks: cells of about equal size that keep near points together in cross-validation.

#include <cstdint>

#include "base/array.h"
#include "pegnn/geo.h"

namespace pegnn {

// The block number of every point, numbered 0, 1, ... in order of first appearance.
//
// On the sphere `size` is in metres. Blocks are latitude bands about `size` high, cut into cells
// about `size` wide, as many as fit around the middle of the band. A pole is the middle of one
// round block, and the antimeridian runs through the middle of a block in every band, so neither
// parts near points. A size beyond the Earth's circumference gives one block.
//
// Otherwise blocks are squares of side `size` in coordinate units, with corners at multiples of it.
//
// Points must be finite. Error{usage} unless `size` is positive and finite.
Array<std::int32_t> spatial_blocks(Span<const Point> points, Space space, double size);

// The same blocks cut by another grid, drawn by the seed, so that points that stood on both sides
// of an edge may stand together: in the plane moved by less than a block each way, on the sphere
// turned about its centre to any other position (Brenning, IGARSS 2012, moves and turns tiles
// likewise).
Array<std::int32_t> moved_blocks(Span<const Point> points, Space space, double size,
                                 std::uint64_t seed);

// The space in which blocks are cut: on the ground whatever a graph's metric is.
inline Space ground_of(Space space) { return space == Space::degrees ? Space::sphere : space; }

// The block number of every point, below `count`, a power of two: blocks of about equal numbers of
// points, made by cutting the points in half across the direction in which they spread most, and
// the halves again. Points of one place stay together, however the place is written, so there may
// be fewer blocks than asked for. The space is sphere or plane; points are finite.
Array<std::int32_t> equal_blocks(Span<const Point> points, Space space, std::int64_t count);

// The narrowest range of longitudes that holds all points, at least one: where it begins, in [-180,
// 180], and how many degrees it is wide. Across the antimeridian if need be.
struct LongitudeRange {
  double west, width;
};
LongitudeRange longitude_range(Span<const Point> points);

// A block size for these points when the user gives none: the side of a square with a hundredth of
// the area of the rectangle around them, so that about 100 blocks cover it, or a hundredth of its
// longer side where it is a narrow strip. On the sphere the rectangle is the narrowest in
// longitude, across the antimeridian if need be. Never zero: 1 when all points are in one place.
double default_block_size(Span<const Point> points, Space space);

}  // namespace pegnn
