#pragma once

#include "events.hpp"
#include "field.hpp"
#include "integrator.hpp"
#include "observe.hpp"
#include "problems.hpp"
#include "record.hpp"
#include "timeline.hpp"
#include "verdict.hpp"

#include <rondo/solve/engine.hpp>

#include <memory>
#include <span>
#include <vector>

namespace rondo::solve {

/// One trajectory as it is asked for.
struct Case {
    const Field* field = nullptr;
    ensemble::Trajectory trajectory;
    std::span<const Stop> stops;
    std::span<const Segment> segments;
    double initial_time = 0;
    Want want = Want::loss;
    double rtol = 0, atol = 0;
    std::int64_t max_steps = 0;
    double* predictions = nullptr;
};

/// What the way back needs besides the record, collected on the way forward.
struct Kicks {
    std::vector<double> gx; ///< [stops x n] derivative of each stop's loss in the state, zero where there is none
    std::vector<double> before_events; ///< states as they were before each event, in order
    double largest = 0;                ///< largest |gx|
};

/// Integrates trajectories of one model forward, from the initial time through all stops.
class Forward {
public:
    /// What it is done for. `sensitivities` integrates the augmented system; `adjoint` keeps a record.
    enum class Purpose : std::uint8_t { loss, sensitivities, adjoint };

    Forward(const model::Model& model, Purpose purpose, const Setting& setting,
            std::size_t record_budget_bytes = Record::default_budget);

    /// @param row  [row_size] of the case's `want`, zeros; receives loss, gradient and curvature. With Purpose::adjoint
    /// the
    ///             gradient holds only what points say directly (gp): the rest comes on the way back.
    [[nodiscard]] Verdict solve(const Case& task, std::span<double> row);

    [[nodiscard]] Record& record() { return record_; }
    [[nodiscard]] const Kicks& kicks() const { return kicks_; }

private:
    [[nodiscard]] bool begin();
    [[nodiscard]] bool travel(const Segment& segment);
    [[nodiscard]] bool look(std::size_t stop, const double* y);
    [[nodiscard]] bool change(std::size_t stop);
    bool fail(std::string reason);
    [[nodiscard]] std::string name_culprit() const;

    Purpose purpose_;
    std::size_t n_, m_; ///< m_ is 0 unless sensitivities are integrated
    const Field* field_ = nullptr;
    std::unique_ptr<Problem> problem_;
    Integrator integrator_;
    Observer observer_;
    EventRules events_;
    Record record_;
    Kicks kicks_;
    std::vector<double> atol_, scales_;
    const Case* task_ = nullptr;
    std::span<double> row_;
    Verdict verdict_;
};

} // namespace rondo::solve
