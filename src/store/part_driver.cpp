#include "part_driver.hpp"

#include <algorithm>
#include <new>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace rondo::store {
namespace {

/// What HDF5 keeps of an open file; begins, as HDF5 wants, with its own part.
struct OpenPart {
    H5FD_t base;
    PartFile* file;
    haddr_t end_of_allocation;
};

/// What a property list carries to `open_part`.
struct DriverInfo {
    PartFile* file;
};

OpenPart& part_of(H5FD_t* file) { return *reinterpret_cast<OpenPart*>(file); }
const OpenPart& part_of(const H5FD_t* file) { return *reinterpret_cast<const OpenPart*>(file); }

H5FD_t* open_part(const char*, unsigned, hid_t fapl, haddr_t) noexcept {
    const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(fapl));
    if (info == nullptr) {
        return nullptr;
    }
    auto* opened = new (std::nothrow) OpenPart{{}, info->file, 0};
    return opened == nullptr ? nullptr : &opened->base;
}

herr_t close_part(H5FD_t* file) noexcept {
    delete &part_of(file);
    return 0;
}

herr_t query_part(const H5FD_t*, unsigned long* flags) noexcept {
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

haddr_t end_of_allocation(const H5FD_t* file, H5FD_mem_t) noexcept { return part_of(file).end_of_allocation; }

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t, haddr_t address) noexcept {
    part_of(file).end_of_allocation = address;
    return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) noexcept {
    return std::max<haddr_t>(part_of(file).file->size(), part_of(file).end_of_allocation);
}

herr_t read_part(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* bytes) noexcept {
    part_of(file).file->read_at(address, {static_cast<std::byte*>(bytes), size});
    return 0;
}

herr_t write_part(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* bytes) noexcept {
    part_of(file).file->write_at(address, {static_cast<const std::byte*>(bytes), size});
    return 0;
}

herr_t truncate_part(H5FD_t* file, hid_t, hbool_t) noexcept {
    OpenPart& opened = part_of(file);
    if (opened.file->size() != opened.end_of_allocation) {
        opened.file->resize(opened.end_of_allocation);
    }
    return 0;
}

H5FD_class_t driver_class() {
    constexpr haddr_t largest_address = (haddr_t{1} << 62U) - 1;
    H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
    driver.version = H5FD_CLASS_VERSION;
    driver.value = static_cast<H5FD_class_value_t>(512); // 256 to 511 are registered names, higher ones free to use
#endif
    driver.name = "rondo_part";
    driver.maxaddr = largest_address;
    driver.fc_degree = H5F_CLOSE_STRONG;
    driver.fapl_size = sizeof(DriverInfo);
    driver.open = open_part;
    driver.close = close_part;
    driver.query = query_part;
    driver.get_eoa = end_of_allocation;
    driver.set_eoa = set_end_of_allocation;
    driver.get_eof = end_of_file;
    driver.read = read_part;
    driver.write = write_part;
    driver.truncate = truncate_part;
    std::ranges::fill(driver.fl_map, H5FD_MEM_SUPER); // one free list for all kinds of metadata ...
    driver.fl_map[H5FD_MEM_DRAW] = H5FD_MEM_DRAW;     // ... and one for the values
    driver.fl_map[H5FD_MEM_GHEAP] = H5FD_MEM_DRAW;
    return driver;
}

} // namespace

herr_t set_part_driver(hid_t fapl, PartFile& file) {
    static const H5FD_class_t driver = driver_class();
    static const hid_t id = H5FDregister(&driver);
    const DriverInfo info{&file};
    return id < 0 ? -1 : H5Pset_driver(fapl, id, &info);
}

} // namespace rondo::store
