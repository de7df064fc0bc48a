#include "types.hpp"

#include <fmt/format.h>

namespace rondo::store {
namespace {

const char* class_text(H5T_class_t type_class) {
    switch (type_class) {
    case H5T_TIME:
        return "time";
    case H5T_BITFIELD:
        return "bitfield";
    case H5T_OPAQUE:
        return "opaque";
    case H5T_COMPOUND:
        return "compound";
    case H5T_REFERENCE:
        return "reference";
    case H5T_VLEN:
        return "list";
    case H5T_ARRAY:
        return "array";
    default:
        return "unknown";
    }
}

StoredType describe_integer(hid_t type, const h5::Where& where) {
    const std::size_t size = H5Tget_size(type);
    const bool is_unsigned = h5::checked(H5Tget_sign(type), "H5Tget_sign", where) == H5T_SGN_NONE;
    const StoredClass kind = size <= sizeof(std::int64_t) ? StoredClass::integer : StoredClass::other;
    return {kind, size, is_unsigned, fmt::format("{}int{}", is_unsigned ? "u" : "", 8 * size)};
}

} // namespace

StoredType describe_type(hid_t type, const h5::Where& where) {
    const H5T_class_t type_class = h5::checked(H5Tget_class(type), "H5Tget_class", where);
    const std::size_t size = H5Tget_size(type);
    switch (type_class) {
    case H5T_FLOAT:
        return {size <= sizeof(double) ? StoredClass::floating : StoredClass::other, size, false,
                fmt::format("float{}", 8 * size)};
    case H5T_INTEGER:
        return describe_integer(type, where);
    case H5T_ENUM: {
        const h5::Type base{h5::checked(H5Tget_super(type), "H5Tget_super", where)};
        return describe_integer(base.get(), where);
    }
    case H5T_STRING: {
        const bool variable = h5::checked(H5Tis_variable_str(type), "H5Tis_variable_str", where) > 0;
        return {variable ? StoredClass::variable_text : StoredClass::fixed_text, size, false, "text"};
    }
    default:
        return {StoredClass::other, size, false, class_text(type_class)};
    }
}

h5::Type file_type(ElementType type, const h5::Where& where) {
    const auto copy = [&where](hid_t of) { return h5::Type{h5::checked(H5Tcopy(of), "H5Tcopy", where)}; };
    switch (type) {
    case ElementType::float64:
        return copy(H5T_IEEE_F64LE);
    case ElementType::int64:
        return copy(H5T_STD_I64LE);
    case ElementType::int32:
        return copy(H5T_STD_I32LE);
    case ElementType::text:
        break;
    }
    h5::Type text = copy(H5T_C_S1);
    h5::checked(H5Tset_size(text.get(), H5T_VARIABLE), "H5Tset_size", where);
    h5::checked(H5Tset_cset(text.get(), H5T_CSET_UTF8), "H5Tset_cset", where);
    return text;
}

h5::Type text_memory_type(hid_t stored, const h5::Where& where) {
    h5::Type text{h5::checked(H5Tcopy(H5T_C_S1), "H5Tcopy", where)};
    h5::checked(H5Tset_size(text.get(), H5T_VARIABLE), "H5Tset_size", where);
    h5::checked(H5Tset_cset(text.get(), h5::checked(H5Tget_cset(stored), "H5Tget_cset", where)), "H5Tset_cset", where);
    return text;
}

h5::Type little_endian(hid_t stored, const h5::Where& where) {
    h5::Type type{h5::checked(H5Tcopy(stored), "H5Tcopy", where)};
    if (h5::checked(H5Tget_class(stored), "H5Tget_class", where) == H5T_ENUM) {
        type = h5::Type{h5::checked(H5Tget_super(stored), "H5Tget_super", where)};
    }
    h5::checked(H5Tset_order(type.get(), H5T_ORDER_LE), "H5Tset_order", where);
    return type;
}

std::size_t count_within(const Shape& shape, std::size_t element_size, std::size_t max_bytes, const h5::Where& where) {
    std::size_t count = 1;
    for (const std::size_t length : shape) {
        if (length == 0) {
            return 0;
        }
    }
    const std::size_t most = max_bytes / element_size;
    for (const std::size_t length : shape) {
        if (length > most / count) {
            h5::refuse(where,
                       fmt::format("holds {} values of {} bytes, more than the {} bytes that one read may take",
                                   fmt::join(shape, " x "), element_size, max_bytes),
                       "read it in parts, or use a file that is not damaged");
        }
        count *= length;
    }
    return count;
}

} // namespace rondo::store
