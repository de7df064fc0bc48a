#include "ensemble/files.hpp"

namespace rondo::ensemble {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Events : public FilesTest {
protected:
    Events() {
        source.where = "job.toml";
        source.n_trajectories = 2;
        source.times = {0.0, 10.0};
        source.columns = {"x"};
        source.states = {"depot", "central"};
    }
    void set_table(std::string_view text) { source.events_file = write("doses.csv", text); }
    void add_rule(std::int32_t state, const std::vector<std::string>& times, std::int32_t amount) {
        EventRule rule{state, Action::multiply, {}, amount};
        for (const std::string& time : times) {
            rule.times.push_back({"times", time, "job.toml: [[model.events]] 1: times"});
        }
        source.events.push_back(rule);
    }
    [[nodiscard]] static std::vector<double> times_of(const Trajectory& trajectory) {
        std::vector<double> times;
        for (const Event& event : trajectory.events) {
            times.push_back(event.time);
        }
        return times;
    }
    Source source;
};

TEST_F(Events, rules_happen_to_every_trajectory_at_their_own_times) {
    add_rule(1, {"24", "2 * index"}, 3);
    const Ensemble e = build(source);
    EXPECT_THAT(e.event_offset, ElementsAre(0, 2, 4));
    EXPECT_THAT(times_of(e.trajectory(0)), ElementsAre(2, 24));
    EXPECT_THAT(times_of(e.trajectory(1)), ElementsAre(4, 24));
    const Event& event = e.events.front();
    EXPECT_EQ(event.state, 1);
    EXPECT_EQ(event.action, Action::multiply);
    EXPECT_EQ(event.amount, 3);
}

TEST_F(Events, table_rows_have_values_of_their_own) {
    set_table("trajectory,time,state,amount,action\n2,5,central,100,\n2,1,depot,0.5,multiply\n2,3,depot,7,replace\n2,4,"
              "depot,1,add\n");
    const Ensemble e = build(source);
    EXPECT_THAT(e.trajectory(0).events, IsEmpty());
    const auto events = e.trajectory(1).events;
    ASSERT_EQ(events.size(), 4U);
    EXPECT_THAT(times_of(e.trajectory(1)), ElementsAre(1, 3, 4, 5));
    EXPECT_EQ(events[0].action, Action::multiply);
    EXPECT_EQ(events[1].action, Action::replace);
    EXPECT_EQ(events[2].action, Action::add);
    EXPECT_EQ(events[3].action, Action::add);
    EXPECT_EQ(events[0].state, 0);
    EXPECT_EQ(events[3].state, 1);
    EXPECT_EQ(events[3].value, 100);
    EXPECT_EQ(events[3].amount, -1);
}

TEST_F(Events, without_an_action_column_amounts_are_added) {
    set_table("trajectory,time,state,amount\n1,5,central,100\n");
    EXPECT_EQ(build(source).events.at(0).action, Action::add);
}

TEST_F(Events, at_one_time_rules_come_first_in_order_then_the_table) {
    add_rule(0, {"5", "1"}, 10);
    add_rule(1, {"5"}, 11);
    set_table("trajectory,time,state,amount\n1,5,depot,1\n1,0,depot,2\n1,5,depot,3\n");
    const auto e = build(source);
    const auto events = e.trajectory(0).events;
    ASSERT_EQ(events.size(), 6U);
    EXPECT_THAT(times_of(e.trajectory(0)), ElementsAre(0, 1, 5, 5, 5, 5));
    EXPECT_EQ(events[2].amount, 10);
    EXPECT_EQ(events[3].amount, 11);
    EXPECT_EQ(events[4].value, 1);
    EXPECT_EQ(events[5].value, 3);
}

TEST_F(Events, the_trajectory_column_may_be_missing_where_there_is_one) {
    set_table("time,state,amount\n5,central,100\n");
    EXPECT_THAT(message_of_build(source), HasSubstr("doses.csv: no column \"trajectory\""));
    source.n_trajectories = 1;
    EXPECT_EQ(build(source).events.size(), 1U);
}

// Messages.

TEST_F(Events, refuses_unknown_words) {
    set_table("trajectory,time,state,amount\n1,5,centrall,1\n");
    EXPECT_THAT(
        message_of_build(source),
        HasSubstr("doses.csv:2: state \"centrall\" is unknown (known: central, depot); did you mean \"central\"?"));
    set_table("trajectory,time,state,amount\n3,5,central,1\n");
    EXPECT_THAT(message_of_build(source), HasSubstr("doses.csv:2: trajectory \"3\" is unknown (known: 1, 2)"));
    set_table("trajectory,time,state,amount,action\n1,5,central,1,ad\n");
    EXPECT_THAT(
        message_of_build(source),
        HasSubstr("doses.csv:2: action \"ad\" is unknown (known: add, multiply, replace); did you mean \"add\"?"));
    set_table("trajectory,time,state,amounts\n1,5,central,1\n");
    EXPECT_THAT(message_of_build(source), HasSubstr("doses.csv: column \"amounts\" is unknown"));
    set_table("trajectory,time,state\n1,5,central\n");
    EXPECT_THAT(message_of_build(source), HasSubstr("\"amount\""));
}

TEST_F(Events, refuses_numbers_that_will_not_do) {
    set_table("trajectory,time,state,amount\n1,-5,central,1\n");
    EXPECT_THAT(message_of_build(source), HasSubstr("doses.csv:2: time = -5 is before the initial time 0"));
    set_table("trajectory,time,state,amount\n1,,central,1\n");
    EXPECT_THAT(message_of_build(source), HasSubstr("doses.csv:2"));
    set_table("trajectory,time,state,amount\n1,1,central,\n");
    EXPECT_THAT(message_of_build(source), HasSubstr("doses.csv:2"));
}

TEST_F(Events, refuses_times_of_rules_that_will_not_do) {
    add_rule(0, {"index - 3"}, 0);
    EXPECT_THAT(message_of_build(source),
                HasSubstr("job.toml: [[model.events]] 1: times: trajectory \"1\": time = -2 is before the "
                          "initial time 0"));
    source.events.clear();
    add_rule(0, {"log(index - 2)"}, 0);
    EXPECT_THAT(message_of_build(source), HasSubstr("trajectory \"1\": time = nan is not a number"));
    source.events.clear();
    add_rule(0, {"t + 1"}, 0);
    EXPECT_THAT(message_of_build(source), HasSubstr("job.toml: [[model.events]] 1: times"));
}

} // namespace
} // namespace rondo::ensemble
