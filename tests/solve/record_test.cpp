#include "solve/record.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace rondo::solve {
namespace {

/// x' = cos t
class Wave final : public Problem {
public:
    void rates(double t, const double*, double* out) override { out[0] = std::cos(t); }
    void jacobian(double, const double*, double* block) override { block[0] = 0; }
};

void travel(Integrator& integrator, Record& record, double from, double to) {
    record.begin_segment();
    integrator.start(from, to);
    auto progress = Integrator::Progress::stepped;
    while (progress == Integrator::Progress::stepped) {
        progress = integrator.advance();
        ASSERT_TRUE(record.add(integrator));
    }
    ASSERT_EQ(progress, Integrator::Progress::arrived);
}

TEST(Record, gives_back_the_solution_at_any_time_of_a_segment) {
    for (const Method method : {Method::bdf, Method::adams}) {
        Wave problem;
        Integrator integrator{problem, {1, 1}, 0, {method, false}};
        integrator.set_tolerances(1e-10, std::vector<double>{1e-12}, {});
        Record record;
        record.clear(1);
        integrator.state()[0] = 0.0;
        travel(integrator, record, 0.0, 2.0);
        integrator.state()[0] += 10.0; // an event
        travel(integrator, record, 2.0, 5.0);

        ASSERT_EQ(record.n_segments(), 2U);
        for (const auto& [segment, begin, end, jump] : {std::tuple{1U, 2.0, 5.0, 10.0}, {0U, 0.0, 2.0, 0.0}}) {
            record.enter(segment);
            for (int i = 0; i <= 100; ++i) {
                const double t = end - (end - begin) * i / 100.0;
                double x = 0;
                record.at(t, &x);
                EXPECT_NEAR(x, std::sin(t) + jump, 1e-7) << "time " << t;
            }
            double x = 0;
            record.at(end, &x); // forward again
            EXPECT_NEAR(x, std::sin(end) + jump, 1e-7);
        }
    }
}

TEST(Record, forgets_when_cleared) {
    Wave problem;
    Integrator integrator{problem, {1, 1}, 0, {}};
    integrator.set_tolerances(1e-6, std::vector<double>{1e-8}, {});
    Record record;
    record.clear(1);
    travel(integrator, record, 0.0, 1.0);

    record.clear(1);

    EXPECT_EQ(record.n_segments(), 0U);
}

} // namespace
} // namespace rondo::solve
