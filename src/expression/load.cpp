#include <rondo/expression/compile.hpp>

#include "descriptor.hpp"
#include "scratch_directory.hpp"

#include <rondo/base/contract.hpp>
#include <rondo/base/error.hpp>
#include <rondo/base/handle.hpp>

#include <fmt/format.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace rondo::expression {
namespace {

struct LibraryTraits {
    using type = void*;
    static type null() noexcept { return nullptr; }
    static void close(type library) noexcept { ::dlclose(library); }
};
using Library = UniqueHandle<LibraryTraits>;

/// A loaded object. The memory file stays open with it: dlopen takes a file with a known name for the one it has, and a
/// closed descriptor's number, which is the name, would be given out again.
struct Loaded {
    Descriptor file;
    Library library;
};

std::string last_error() {
    const char* const text = ::dlerror();
    return text == nullptr ? "no reason given" : text;
}

Loaded load_from_memory(std::span<const std::byte> object) {
    Loaded loaded{Descriptor{::memfd_create("rondo-kernels", MFD_CLOEXEC)}, {}};
    if (loaded.file && write_all(loaded.file.get(), object)) {
        const std::string path = fmt::format("/proc/self/fd/{}", loaded.file.get());
        loaded.library = Library{::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)};
    }
    return loaded;
}

/// For systems that have no memory files or do not let them be executed.
Loaded load_from_file(std::span<const std::byte> object) {
    const ScratchDirectory scratch;
    const auto path = scratch.path() / "kernels.so";
    {
        const Descriptor file{::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRWXU)};
        if (!file || !write_all(file.get(), object)) {
            throw StoreError{
                fmt::format("{}: compiled kernels cannot be written there ({}); free space or set TMPDIR to "
                            "another directory",
                            scratch.path().parent_path().string(), std::strerror(errno))};
        }
    }
    Loaded loaded{{}, Library{::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)}};
    if (!loaded.library) {
        throw StoreError{
            fmt::format("compiled kernels: the object of {} bytes cannot be loaded ({}); remove the kernel "
                        "cache and run again",
                        object.size(), last_error())};
    }
    return loaded;
}

class Compiled final : public Module {
public:
    Compiled(Loaded loaded, std::vector<Kernel> kernels, int width)
        : loaded_{std::move(loaded)}, kernels_{std::move(kernels)}, width_{width} {}

    [[nodiscard]] Kernel kernel(std::size_t i) const override {
        expects(i < kernels_.size(), "the module has this program");
        return kernels_[i];
    }
    [[nodiscard]] int width() const override { return width_; }

private:
    Loaded loaded_;
    std::vector<Kernel> kernels_;
    int width_;
};

Kernel find_kernel(const Library& library, int width, std::size_t i) {
    const std::string name = fmt::format("rondo_{}_{}", width, i);
    void* const symbol = ::dlsym(library.get(), name.c_str());
    if (symbol == nullptr) {
        throw StoreError{
            fmt::format("compiled kernels: the object has no function \"{}\" (it was made from other programs "
                        "or widths); remove the kernel cache and run again",
                        name)};
    }
    return {reinterpret_cast<Kernel::Function>(symbol), nullptr};
}

} // namespace

std::shared_ptr<const Module> load(std::span<const std::byte> object, std::size_t n_programs, int width) {
    Loaded loaded = load_from_memory(object);
    if (!loaded.library) {
        loaded = load_from_file(object);
    }
    std::vector<Kernel> kernels;
    kernels.reserve(n_programs);
    for (std::size_t i = 0; i < n_programs; ++i) {
        kernels.push_back(find_kernel(loaded.library, width, i));
    }
    return std::make_shared<const Compiled>(std::move(loaded), std::move(kernels), width);
}

} // namespace rondo::expression
