#include "control.hpp"
#include "methods.hpp"

namespace rondo::solve::RONDO_ISA {
namespace {

constexpr std::size_t n_stages = 7;
constexpr double c[n_stages] = {0.0, 0.161, 0.327, 0.9, 0.9800255409045097, 1.0, 1.0};
/// Row i - 1: the weights of k_1 .. k_i in stage i + 1; the last row is the step itself.
constexpr double a[n_stages - 1][n_stages - 1] = {
    {0.161},
    {-0.008480655492356989, 0.335480655492357},
    {2.8971530571054935, -6.359448489975075, 4.3622954328695815},
    {5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525},
    {5.86145544294642, -12.92096931784711, 8.159367898576159, -0.071584973281401, -0.028269050394068383},
    {0.09646076681806523, 0.01, 0.4798896504144996, 1.379008574103742, -3.290069515436081, 2.324710524099774}};
/// Weights of the error estimate.
constexpr double e[n_stages] = {-0.00178001105222577714,
                                -0.0008164344596567469,
                                0.007880878010261995,
                                -0.1447110071732629,
                                0.5823571654525552,
                                -0.45808210592918697,
                                1.0 / 66.0};
/// The interpolant's weight of k_i is theta^2 (r[i][0] + theta (r[i][1] + theta r[i][2])), of k_1 theta more than that.
constexpr double r[n_stages][3] = {{-2.763706197274826, 2.9132554618219126, -1.0530884977290216},
                                   {0.13169999999999998, -0.2234, 0.1017},
                                   {3.9302962368947516, -5.941033872131505, 2.490627285651253},
                                   {-12.411077166933676, 30.33818863028232, -16.548102889244902},
                                   {37.50931341651104, -88.1789048947664, 47.37952196281928},
                                   {-27.896526289197286, 65.09189467479366, -34.87065786149661},
                                   {1.5, -4.0, 2.5}};

/// Names for what the slots hold.
struct Slots {
    explicit Slots(const LaneStep& step) : size{step.system->size() * W}, y{step.slot}, y_next{step.next} {
        for (std::size_t i = 0; i < 6; ++i) {
            k[i] = step.slot + (1 + i) * size;
        }
        k[6] = step.next + size;
    }
    std::size_t size;
    double* y;
    double* y_next;
    double* k[n_stages];
};

RONDO_ALWAYS_INLINE void rates(const LaneSystem& system, const double* time, const double* state, double* out) {
    system.rates({time, state, system.parameter, system.covariate, state + system.rows * W}, out);
}

/// out = y + h (a_1 k_1 + ... + a_count k_count)
template <std::size_t count>
RONDO_ALWAYS_INLINE void combine(const double* weights, V h, std::size_t size, const double* y, const double* const* k,
                                 double* out) {
    V w[count];
    for (std::size_t j = 0; j < count; ++j) {
        w[j] = h * weights[j];
    }
    for (std::size_t i = 0; i < size; i += W) {
        V sum = load(y + i);
        for (std::size_t j = 0; j < count; ++j) {
            sum += w[j] * load(k[j] + i);
        }
        store(out + i, sum);
    }
}

template <std::size_t stage>
RONDO_ALWAYS_INLINE void evaluate_stage(const LaneStep& step, const Slots& at, V t, V h, double* where) {
    alignas(64) double time[W];
    store(time, t + c[stage] * h);
    combine<stage>(a[stage - 1], h, at.size, at.y, at.k, where);
    rates(*step.system, time, where, at.k[stage]);
}

void begin(const LaneStep& step, unsigned fresh) {
    const LaneSystem& system = *step.system;
    const Slots at{step};
    const std::size_t size = at.size;
    double* const rate = step.scratch;
    double* const probe = rate + size;
    double* const probe_rate = probe + size;
    const V t = load(step.clock->origin) + load(step.clock->tau);
    const V way = load(step.clock->way) - load(step.clock->tau);
    alignas(64) double time[W];
    store(time, t);
    rates(system, time, at.y, rate);
    const V h = first_step<5>(system, step.tolerance, way, at.y, rate, probe, probe_rate,
                              [&](V guess, const double* state, double* out) {
                                  store(time, t + guess);
                                  rates(system, time, state, out);
                              });
    const Mask mine = mask_of(fresh);
    for (std::size_t i = 0; i < size; i += W) {
        store(at.k[0] + i, choose(mine, load(rate + i), load(at.k[0] + i)));
    }
    store(step.clock->wish, choose(mine, h, load(step.clock->wish)));
    store(step.clock->before, choose(mine, splat(-13.3), load(step.clock->before)));
}

/// The state after the step, and what the first six stages say of its error.
RONDO_ALWAYS_INLINE void finish(V h, const Slots& at, double* error) {
    V step_weights[6], error_weights[6];
    for (std::size_t j = 0; j < 6; ++j) {
        step_weights[j] = h * a[5][j];
        error_weights[j] = h * e[j];
    }
    for (std::size_t i = 0; i < at.size; i += W) {
        V state = load(at.y + i), sum = splat(0.0);
        for (std::size_t j = 0; j < 6; ++j) {
            const V rate = load(at.k[j] + i);
            state += step_weights[j] * rate;
            sum += error_weights[j] * rate;
        }
        store(at.y_next + i, state);
        store(error + i, sum);
    }
}

void take_step(const LaneStep& step) {
    const LaneSystem& system = *step.system;
    const Slots at{step};
    const V h = load(step.clock->h);
    const V t = load(step.clock->origin) + load(step.clock->tau);
    double* const stage = step.scratch;
    evaluate_stage<1>(step, at, t, h, stage);
    evaluate_stage<2>(step, at, t, h, stage);
    evaluate_stage<3>(step, at, t, h, stage);
    evaluate_stage<4>(step, at, t, h, stage);
    evaluate_stage<5>(step, at, t, h, stage);
    double* const error = stage + at.size;
    finish(h, at, error);
    alignas(64) double time[W];
    store(time, load(step.clock->origin) + load(step.clock->after));
    rates(system, time, at.y_next, at.k[6]);
    // Stages 6 and 7 are both at the end of the step: how their rates differ tells the largest eigenvalue (Hairer and
    // Wanner, "Solving ordinary differential equations II", section IV.2).
    V of_rates = splat(0.0), of_states = splat(1e-300);
    for (std::size_t i = 0; i < system.rows * W; i += W) {
        const V rate = load(at.k[6] + i) - load(at.k[5] + i);
        const V state = load(at.y_next + i) - load(stage + i);
        of_rates += rate * rate;
        of_states += state * state;
    }
    store(step.clock->stiffness, square_root(h * h * of_rates / of_states));
    const V weight = h * e[6];
    for (std::size_t i = 0; i < at.size; i += W) {
        store(error + i, load(error + i) + weight * load(at.k[6] + i));
    }
    store(step.clock->error, error_norm(system, step.tolerance, error, at.y, at.y_next));
}

RONDO_ALWAYS_INLINE void interpolant(V theta, V h, V* weights) {
    const V square = theta * theta * h;
    for (std::size_t i = 0; i < n_stages; ++i) {
        weights[i] = square * (r[i][0] + theta * (r[i][1] + theta * r[i][2]));
    }
    weights[0] += h * theta;
}

void interpolate(const LaneStep& step, const double* where, double* out) {
    const Slots at{step};
    const V theta = load(where);
    const Mask asked = theta != 0.0;
    V w[n_stages];
    interpolant(theta, load(step.clock->h), w);
    for (std::size_t i = 0; i < at.size; i += W) {
        const V y = load(at.y + i);
        V sum = y;
        for (std::size_t j = 0; j < n_stages; ++j) {
            sum += w[j] * load(at.k[j] + i);
        }
        store(out + i, choose(asked, sum, y));
    }
}

void settle(const LaneStep& step, unsigned accepted) {
    if (accepted == 0xffU) {
        return;
    }
    const Slots at{step};
    const Mask good = mask_of(accepted);
    for (std::size_t i = 0; i < at.size; i += W) {
        store(at.y_next + i, choose(good, load(at.y_next + i), load(at.y + i)));
        store(at.k[6] + i, choose(good, load(at.k[6] + i), load(at.k[0] + i)));
        for (std::size_t j = 1; j < 6; ++j) {
            store(at.k[j] + i, choose(good, load(at.k[j] + i), splat(0.0)));
        }
    }
}

void gather(const LaneBack& back, const double* where, const double* gx) {
    const std::size_t size = back.system->rows * W;
    V w[n_stages];
    interpolant(load(where), load(back.h), w);
    for (std::size_t i = 0; i < size; i += W) {
        const V weight = load(gx + i);
        store(back.direct + i, load(back.direct + i) + weight);
        for (std::size_t j = 0; j < n_stages; ++j) {
            double* const stage = back.stages + j * size + i;
            store(stage, load(stage) + w[j] * weight);
        }
    }
}

RONDO_ALWAYS_INLINE void transposed(const LaneBack& back, const double* time, const double* state,
                                    const double* lambda) {
    back.system->adjoint({time, state, back.system->parameter, back.system->covariate, lambda}, back.gradient);
}

/// Stage `stage` (from 1) back: what the loss says of its rate goes to the state and to the earlier stages' rates.
template <std::size_t stage>
RONDO_ALWAYS_INLINE void stage_back(const LaneBack& back, V t, V h, const double* y, const double* const* k,
                                    double* direct, double* where) {
    const std::size_t size = back.system->rows * W;
    alignas(64) double time[W];
    store(time, t + c[stage] * h);
    combine<stage>(a[stage - 1], h, size, y, k, where);
    transposed(back, time, where, back.stages + stage * size);
    for (std::size_t i = 0; i < size; i += W) {
        const V v = load(back.gradient + i);
        store(direct + i, load(direct + i) + v);
        const V hv = h * v;
        for (std::size_t j = 0; j < stage; ++j) {
            double* const earlier = back.stages + j * size + i;
            store(earlier, load(earlier) + a[stage - 1][j] * hv);
        }
    }
}

/// The rate at the end of a step is the first stage of the next, so `carry` joins what this step's save points say of
/// it.
void step_back(const LaneBack& back) {
    const std::size_t size = back.system->rows * W;
    const V h = load(back.h);
    const V t = load(back.time);
    const Mask active = h != 0.0;
    const double* const y = back.slot;
    const double* k[6];
    for (std::size_t i = 0; i < 6; ++i) {
        k[i] = back.slot + (1 + i) * size;
    }
    double* const where = back.scratch;
    double* const last = back.stages + 6 * size;
    for (std::size_t i = 0; i < size; i += W) {
        store(last + i, choose(active, load(last + i) + load(back.carry + i), splat(0.0)));
    }
    combine<6>(a[5], h, size, y, k, where);
    transposed(back, back.time_after, where, last);
    for (std::size_t i = 0; i < size; i += W) {
        const V lambda = load(back.lambda + i) + load(back.gradient + i);
        store(back.lambda + i, lambda);
        const V h_lambda = h * lambda;
        for (std::size_t j = 0; j < 6; ++j) {
            double* const stage = back.stages + j * size + i;
            store(stage, load(stage) + a[5][j] * h_lambda);
        }
    }
    stage_back<5>(back, t, h, y, k, back.direct, where);
    stage_back<4>(back, t, h, y, k, back.direct, where);
    stage_back<3>(back, t, h, y, k, back.direct, where);
    stage_back<2>(back, t, h, y, k, back.direct, where);
    stage_back<1>(back, t, h, y, k, back.direct, where);
    for (std::size_t i = 0; i < size; i += W) {
        store(back.lambda + i, load(back.lambda + i) + load(back.direct + i));
        store(back.carry + i, choose(active, load(back.stages + i), load(back.carry + i)));
        store(back.direct + i, splat(0.0));
    }
    for (std::size_t i = 0; i < n_stages * size; i += W) {
        store(back.stages + i, splat(0.0));
    }
}

void release(const LaneBack& back, unsigned fresh) {
    const std::size_t size = back.system->rows * W;
    const Mask mine = mask_of(fresh);
    for (std::size_t i = 0; i < size; i += W) {
        const V carry = load(back.carry + i);
        store(back.scratch + i, choose(mine, carry, splat(0.0)));
        store(back.carry + i, choose(mine, splat(0.0), carry));
    }
    transposed(back, back.time, back.slot, back.scratch);
    for (std::size_t i = 0; i < size; i += W) {
        store(back.lambda + i, load(back.lambda + i) + load(back.gradient + i));
    }
}

std::size_t slot_size(const LaneSystem& system) { return 7 * system.size() * W; }
std::size_t scratch_size(const LaneSystem& system) { return 3 * system.size() * W; }

} // namespace

constinit const LaneMethod tsit5 = {slot_size, scratch_size, n_stages, 6,      begin,     take_step, interpolate,
                                    settle,    plan,         judge<5>, gather, step_back, release};

} // namespace rondo::solve::RONDO_ISA
