#pragma once

#include "part_file.hpp"

#include <hdf5.h>

namespace rondo::store {

/// Make HDF5 files that are created with the property list `fapl` go through `file`, which must outlive them.
///
/// HDF5 1.10 crashes when the disk fills up while it writes. Seen from HDF5, writing through this driver never fails:
/// the PartFile remembers the first error, which the caller asks for after each call.
///
/// @return negative on failure, as HDF5 functions do
herr_t set_part_driver(hid_t fapl, PartFile& file);

} // namespace rondo::store
