#pragma once

#include "events.hpp"
#include "forward.hpp"
#include "lane_observer.hpp"
#include "lane_set.hpp"
#include "lane_tape.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace rondo::solve {

/// Integrates trajectories of one model forward, eight side by side, each with its own time and step; a lane that is
/// done takes the next of the list.
class LaneForward {
public:
    using Purpose = Forward::Purpose;
    static constexpr std::size_t n_lanes = model::n_lanes;

    /// @param leaves_stiff  give up a trajectory as soon as stability, not accuracy, limits an explicit method's steps
    LaneForward(const model::Model& model, Purpose purpose, const LaneMethod& method, const Options& options,
                bool leaves_stiff, std::size_t budget_bytes);

    /// Solve trajectories `first` and following of the list, until its end or, with Purpose::adjoint, until the tape is
    /// full enough. Rows get what Forward::solve puts there.
    /// @return the first that was not begun
    [[nodiscard]] std::size_t run(const LaneList& list, std::size_t first);

    [[nodiscard]] LaneTape& tape() { return tape_; }
    [[nodiscard]] LaneSet& set() { return set_; }
    /// A trajectory that was left to a stiff method carries this reason.
    static const std::string stiff;

private:
    struct Lane {
        std::size_t which = 0;
        ensemble::Trajectory trajectory;
        std::size_t n_columns = 0; ///< of the data
        Cursor cursor;
        double end = 0; ///< of the segment
        std::int64_t n_steps = 0, n_rates = 0;
        int n_stiff = 0, n_not_stiff = 0; ///< steps in a row, about
    };

    void load(std::size_t lane);
    [[nodiscard]] bool begin(std::size_t lane);
    [[nodiscard]] bool look_at_start(std::size_t lane, LaneTape::Jump& jump);
    void change(std::size_t lane, LaneTape::Jump& jump);
    void begin_segment(std::size_t lane, double origin);
    void read_stop(std::size_t lane);
    void iterate();
    void read_points(unsigned accepted);
    void harvest(const double* theta);
    void count(unsigned accepted);
    void watch_stiffness(unsigned accepted);
    void move_on(unsigned accepted);
    void finish(std::size_t lane, bool solved, const std::string& reason);
    void write_row(std::size_t lane, std::span<double> row) const;
    [[nodiscard]] LaneStep step();
    [[nodiscard]] double* slot();

    const model::Model& model_;
    Purpose purpose_;
    const LaneMethod& method_;
    const LaneLoops& loops_;
    Options options_;
    bool leaves_stiff_;
    double tightening_; ///< factor of the tolerances
    std::size_t n_, m_; ///< m_ is 0 unless sensitivities are integrated
    LaneSet set_;
    LaneObserver observer_;
    LaneTape tape_;
    LaneArray pair_; ///< two slots, where there is no tape
    bool flipped_ = false;
    LaneArray scratch_, point_;
    LaneArray gradient_; ///< [m * 8]
    LaneArray triangle_; ///< [m (m + 1) / 2 * 8]
    std::vector<double> atol_, state_;
    EventRules events_;

    const LaneList* list_ = nullptr;
    std::size_t next_ = 0;
    LaneClock clock_;
    std::array<Lane, n_lanes> lanes_;
    std::array<Stop, n_lanes> stops_;
    std::array<double, n_lanes> due_{}; ///< time of the next stop since origin
    unsigned active_ = 0, fresh_ = 0;
    unsigned ended_ = 0, refused_ = 0, stiff_ = 0; ///< by the last iteration
};

} // namespace rondo::solve
