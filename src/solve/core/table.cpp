#include "lanes.hpp"
#include "methods.hpp"

namespace rondo::solve::RONDO_ISA {

namespace {

void project(const double* gx, const double* s, std::size_t rows, std::size_t count, unsigned lanes, double* gradient) {
    const Mask mine = mask_of(lanes);
    for (std::size_t k = 0; k < count; ++k) {
        V sum = splat(0.0);
        for (std::size_t i = 0; i < rows; ++i) {
            sum += load(gx + i * W) * load(s + (k * rows + i) * W);
        }
        store(gradient + k * W, load(gradient + k * W) + choose(mine, sum, splat(0.0)));
    }
}

unsigned squared(const double* outputs, const double* values, std::size_t count, unsigned lanes, double* loss,
                 double* slopes, unsigned& refused) {
    const Mask mine = mask_of(lanes);
    Mask seen = {};
    V sum = splat(0.0);
    for (std::size_t i = 0; i < count; ++i) {
        const V value = load(values + i * W);
        const Mask is_number = (value == value) & mine;
        const V residual = choose(is_number, load(outputs + i * W) - value, splat(0.0));
        seen |= is_number;
        sum += residual * residual;
        store(slopes + i * W, 2.0 * residual);
    }
    const Mask finite = sum <= 1.7976931348623157e308;
    store(loss, load(loss) + choose(finite, sum, splat(0.0)));
    refused = bits(mine & ~finite);
    return bits(seen);
}

void keep(double* x, std::size_t size, unsigned kept) {
    const Mask mine = mask_of(kept);
    for (std::size_t i = 0; i < size; ++i) {
        store(x + i * W, choose(mine, load(x + i * W), splat(0.0)));
    }
}

} // namespace

#define RONDO_TEXT(name) #name
#define RONDO_TEXT_OF(name) RONDO_TEXT(name)

/// What core.cpp chooses among.
extern const Core table;
constinit const Core table = {RONDO_TEXT_OF(RONDO_ISA), {project, squared, keep}, &tsit5, &rodas5p};

} // namespace rondo::solve::RONDO_ISA
