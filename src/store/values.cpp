#include "values.hpp"

#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <limits>
#include <unordered_set>
#include <utility>

namespace rondo::store {
namespace {

/// Memory for texts of variable length; HDF5 asks for it text by text, and forgets what it has when a read fails
/// midway.
class TextMemory {
public:
    explicit TextMemory(std::size_t max_bytes) : left_{max_bytes} {}
    TextMemory(const TextMemory&) = delete;
    TextMemory& operator=(const TextMemory&) = delete;
    ~TextMemory() {
        for (void* text : taken_) {
            std::free(text);
        }
    }

    /// Null where the limit is reached.
    [[nodiscard]] void* take(std::size_t size) noexcept {
        void* text = size <= left_ ? std::malloc(size) : nullptr;
        try {
            if (text != nullptr) {
                taken_.insert(text);
                left_ -= size;
            }
        } catch (...) {
            std::free(std::exchange(text, nullptr));
        }
        return text;
    }

    void give_back(void* text) noexcept {
        taken_.erase(text);
        std::free(text);
    }

private:
    std::size_t left_;
    std::unordered_set<void*> taken_;
};

void* take_text(std::size_t size, void* memory) noexcept { return static_cast<TextMemory*>(memory)->take(size); }
void give_text_back(void* text, void* memory) noexcept { static_cast<TextMemory*>(memory)->give_back(text); }

/// The `char*` that HDF5 fills in for texts of variable length; gives them back.
class BorrowedTexts {
public:
    BorrowedTexts(std::size_t count, hid_t memory_type, hid_t transfer, const h5::Where& where)
        : texts_(count, nullptr), space_{h5::make_space({count}, where)}, memory_type_{memory_type}, transfer_{
                                                                                                         transfer} {}
    BorrowedTexts(const BorrowedTexts&) = delete;
    BorrowedTexts& operator=(const BorrowedTexts&) = delete;
    ~BorrowedTexts() { H5Dvlen_reclaim(memory_type_, space_.get(), transfer_, texts_.data()); }

    [[nodiscard]] std::vector<char*>& texts() { return texts_; }

private:
    std::vector<char*> texts_;
    h5::Space space_;
    hid_t memory_type_;
    hid_t transfer_;
};

[[noreturn]] void wrong_type(const StoredType& stored, std::string_view wanted, const h5::Where& where) {
    h5::refuse(where, fmt::format("holds {} where {} is needed", stored.text, wanted),
               "check which file and dataset is meant");
}

[[noreturn]] void does_not_fit(std::string_view value, std::string_view wanted, const h5::Where& where) {
    h5::refuse(where, fmt::format("holds {}, which does not fit {}", value, wanted),
               "store it in a type that holds it");
}

std::string checked_text(std::string text, const h5::Where& where) {
    if (!is_utf8(text)) {
        h5::refuse(where, "holds text that is not UTF-8",
                   "write it as UTF-8, or use another copy if the file is damaged");
    }
    return text;
}

std::vector<std::string> read_variable_texts(const Source& source, std::size_t max_bytes, const h5::Where& where) {
    TextMemory memory{max_bytes};
    const h5::Properties transfer = h5::make_properties(H5P_DATASET_XFER, where);
    h5::checked(H5Pset_vlen_mem_manager(transfer.get(), take_text, &memory, give_text_back, &memory),
                "H5Pset_vlen_mem_manager", where);
    const h5::Type memory_type = text_memory_type(source.type, where);
    BorrowedTexts borrowed{source.count, memory_type.get(), transfer.get(), where};
    source.read(memory_type.get(), transfer.get(), borrowed.texts().data());
    std::vector<std::string> texts;
    texts.reserve(source.count);
    for (const char* text : borrowed.texts()) {
        texts.push_back(checked_text(text == nullptr ? std::string{} : std::string{text}, where));
    }
    return texts;
}

std::vector<std::string> read_fixed_texts(const Source& source, std::size_t size, const h5::Where& where) {
    std::vector<char> bytes(source.count * size);
    source.read(source.type, H5P_DEFAULT, bytes.data());
    const H5T_str_t padding = h5::checked(H5Tget_strpad(source.type), "H5Tget_strpad", where);
    std::vector<std::string> texts;
    texts.reserve(source.count);
    for (std::size_t i = 0; i < source.count; ++i) {
        std::string text(bytes.data() + i * size, size);
        text.resize(std::min(text.find('\0'), text.size()));
        if (padding == H5T_STR_SPACEPAD) {
            text.resize(text.find_last_not_of(' ') + 1);
        }
        texts.push_back(checked_text(std::move(text), where));
    }
    return texts;
}

std::vector<std::int64_t> read_integers(const Source& source, const StoredType& stored, const h5::Where& where) {
    std::vector<std::int64_t> values(source.count);
    if (stored.is_unsigned && stored.size == sizeof(std::uint64_t)) {
        source.read(H5T_NATIVE_UINT64, H5P_DEFAULT, values.data());
        for (const std::int64_t value : values) {
            if (value < 0) {
                does_not_fit(fmt::to_string(static_cast<std::uint64_t>(value)), "int64", where);
            }
        }
    } else {
        source.read(H5T_NATIVE_INT64, H5P_DEFAULT, values.data());
    }
    return values;
}

std::vector<double> read_doubles(const Source& source, const StoredType& stored, const h5::Where& where) {
    if (stored.kind == StoredClass::floating) {
        std::vector<double> values(source.count);
        source.read(H5T_NATIVE_DOUBLE, H5P_DEFAULT, values.data());
        return values;
    }
    constexpr std::int64_t largest_exact = std::int64_t{1} << std::numeric_limits<double>::digits;
    std::vector<double> values;
    values.reserve(source.count);
    for (const std::int64_t value : read_integers(source, stored, where)) {
        if (value > largest_exact || value < -largest_exact) {
            does_not_fit(fmt::to_string(value), "float64 exactly", where);
        }
        values.push_back(static_cast<double>(value));
    }
    return values;
}

std::vector<std::int32_t> read_short_integers(const Source& source, const StoredType& stored, const h5::Where& where) {
    if (stored.size < sizeof(std::int32_t) || (stored.size == sizeof(std::int32_t) && !stored.is_unsigned)) {
        std::vector<std::int32_t> values(source.count);
        source.read(H5T_NATIVE_INT32, H5P_DEFAULT, values.data());
        return values;
    }
    std::vector<std::int32_t> values;
    values.reserve(source.count);
    for (const std::int64_t value : read_integers(source, stored, where)) {
        if (!std::in_range<std::int32_t>(value)) {
            does_not_fit(fmt::to_string(value), "int32", where);
        }
        values.push_back(static_cast<std::int32_t>(value));
    }
    return values;
}

} // namespace

template <Element T>
std::vector<T> read_values(const Source& source, std::size_t max_bytes, const h5::Where& where) {
    const StoredType stored = describe_type(source.type, where);
    const bool is_integer = stored.kind == StoredClass::integer;
    if (source.count == 0 && stored.kind != StoredClass::other) {
        return {};
    }
    if constexpr (std::same_as<T, std::string>) {
        if (stored.kind == StoredClass::variable_text) {
            return read_variable_texts(source, max_bytes, where);
        }
        if (stored.kind == StoredClass::fixed_text) {
            return read_fixed_texts(source, stored.size, where);
        }
        wrong_type(stored, "text", where);
    } else if constexpr (std::same_as<T, double>) {
        if (!is_integer && stored.kind != StoredClass::floating) {
            wrong_type(stored, "a number", where);
        }
        return read_doubles(source, stored, where);
    } else {
        if (!is_integer) {
            wrong_type(stored, "an integer", where);
        }
        if constexpr (std::same_as<T, std::int64_t>) {
            return read_integers(source, stored, where);
        } else {
            return read_short_integers(source, stored, where);
        }
    }
}

template std::vector<double> read_values(const Source&, std::size_t, const h5::Where&);
template std::vector<std::int64_t> read_values(const Source&, std::size_t, const h5::Where&);
template std::vector<std::int32_t> read_values(const Source&, std::size_t, const h5::Where&);
template std::vector<std::string> read_values(const Source&, std::size_t, const h5::Where&);

template <Element T>
void write_values(std::span<const T> values, const h5::Where& where,
                  const std::function<void(hid_t memory_type, const void* values)>& write) {
    if constexpr (std::same_as<T, double>) {
        write(H5T_NATIVE_DOUBLE, values.data());
    } else if constexpr (std::same_as<T, std::int64_t>) {
        write(H5T_NATIVE_INT64, values.data());
    } else if constexpr (std::same_as<T, std::int32_t>) {
        write(H5T_NATIVE_INT32, values.data());
    } else {
        std::vector<const char*> texts;
        texts.reserve(values.size());
        for (const std::string& text : values) {
            if (!is_utf8(text) || text.find('\0') != std::string::npos) {
                h5::refuse(where, "cannot take text that is not UTF-8 or holds a NUL byte", "write it as UTF-8");
            }
            texts.push_back(text.c_str());
        }
        write(file_type(ElementType::text, where).get(), texts.data());
    }
}

template void write_values(std::span<const double>, const h5::Where&, const std::function<void(hid_t, const void*)>&);
template void write_values(std::span<const std::int64_t>, const h5::Where&,
                           const std::function<void(hid_t, const void*)>&);
template void write_values(std::span<const std::int32_t>, const h5::Where&,
                           const std::function<void(hid_t, const void*)>&);
template void write_values(std::span<const std::string>, const h5::Where&,
                           const std::function<void(hid_t, const void*)>&);

} // namespace rondo::store
