#include <rondo/store/checksum.hpp>
#include <rondo/train/result.hpp>

#include <span>
#include <string>

namespace rondo::train {
namespace {

template <class T>
void add(store::Hash64& hash, const std::vector<T>& values) {
    const auto n = static_cast<std::uint64_t>(values.size());
    hash.add(std::as_bytes(std::span{&n, 1}));
    hash.add(std::as_bytes(std::span{values}));
}

void add(store::Hash64& hash, const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
        hash.add(text);
        hash.add(std::string_view{"\n", 1});
    }
}

} // namespace

std::uint64_t data_hash(const ensemble::Ensemble& ensemble) {
    store::Hash64 hash;
    add(hash, ensemble.labels);
    add(hash, ensemble.covariate_names);
    add(hash, ensemble.covariates);
    add(hash, ensemble.columns);
    add(hash, ensemble.offset);
    add(hash, ensemble.time);
    add(hash, ensemble.value);
    add(hash, ensemble.sigma);
    add(hash, ensemble.event_offset);
    std::vector<double> events;
    for (const ensemble::Event& event : ensemble.events) { // field by field: a struct has padding
        events.insert(events.end(), {event.time, static_cast<double>(event.state), static_cast<double>(event.action),
                                     static_cast<double>(event.amount), event.value});
    }
    add(hash, events);
    return hash.value();
}

} // namespace rondo::train
