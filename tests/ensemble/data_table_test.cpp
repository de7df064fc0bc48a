#include "ensemble/files.hpp"

#include <numeric>

namespace rondo::ensemble {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class DataTable : public FilesTest {
protected:
    [[nodiscard]] Source source_of(std::string_view text) const {
        Source source;
        source.where = "job.toml";
        source.data_file = write("data.csv", text);
        source.columns = {"hare", "lynx"};
        return source;
    }
    [[nodiscard]] std::string place(int line) const {
        return path("data.csv").string() + ":" + std::to_string(line) + ": ";
    }
};

TEST_F(DataTable, long_rows_of_one_time_become_one_row) {
    const Ensemble e = build(source_of("trajectory,time,observable,value\n"
                                       "a,0,hare,1\na,0,lynx,2\na,1,hare,3\nb,0,lynx,4\n"));
    EXPECT_THAT(e.labels, ElementsAre("a", "b"));
    EXPECT_THAT(e.columns, ElementsAre("hare", "lynx"));
    EXPECT_THAT(e.covariate_names, ElementsAre("index"));
    EXPECT_THAT(e.covariates, ElementsAre(1, 2));
    EXPECT_THAT(e.offset, ElementsAre(0, 2, 3));
    EXPECT_THAT(e.time, ElementsAre(0, 1, 0));
    EXPECT_THAT(e.value, same({1, 2, 3, nan, nan, 4}));
    EXPECT_THAT(e.sigma, IsEmpty());
    EXPECT_THAT(e.event_offset, ElementsAre(0, 0, 0));
    EXPECT_EQ(e.n_points(), 4);
}

TEST_F(DataTable, views_show_one_trajectory) {
    const Ensemble e = build(source_of("trajectory,time,observable,value,sigma\n"
                                       "a,0,hare,1,0.1\na,1,hare,3,0.3\nb,5,lynx,4,0.4\n"));
    const Trajectory b = e.trajectory(1);
    EXPECT_EQ(b.index, 1);
    EXPECT_THAT(b.covariates, ElementsAre(2));
    EXPECT_THAT(b.times, ElementsAre(5));
    EXPECT_THAT(b.values, same({nan, 4}));
    EXPECT_THAT(b.sigmas, same({nan, 0.4}));
    EXPECT_THAT(b.events, IsEmpty());
    EXPECT_THROW(static_cast<void>(e.trajectory(2)), ContractError);
}

TEST_F(DataTable, rows_may_come_in_any_order) {
    const Ensemble e = build(source_of("time,value,trajectory,observable\n"
                                       "2,5,b,hare\n1,3,a,hare\n0,4,b,hare\n0,1,a,hare\n"));
    EXPECT_THAT(e.labels, ElementsAre("b", "a"));
    EXPECT_THAT(e.time, ElementsAre(0, 2, 0, 1));
    EXPECT_THAT(e.value, same({4, nan, 5, nan, 1, nan, 3, nan}));
}

TEST_F(DataTable, replicates_become_rows_of_the_same_time_in_file_order) {
    const Ensemble e = build(source_of("time,observable,value\n"
                                       "0,hare,1\n1,hare,5\n0,lynx,10\n0,hare,2\n0,hare,3\n"));
    EXPECT_THAT(e.labels, ElementsAre("1"));
    EXPECT_THAT(e.time, ElementsAre(0, 0, 0, 1));
    EXPECT_THAT(e.value, same({1, 10, 2, nan, 3, nan, 5, nan}));
}

TEST_F(DataTable, missing_values_are_no_points_but_keep_their_time) {
    for (const char* mark : {"", "NA", "NaN", "nan"}) {
        const Ensemble e = build(source_of(std::string{"time,observable,value\n0,hare,1\n7,hare,"} + mark + "\n"));
        EXPECT_THAT(e.time, ElementsAre(0, 7));
        EXPECT_THAT(e.value, same({1, nan, nan, nan}));
        EXPECT_EQ(e.n_points(), 1);
    }
}

TEST_F(DataTable, a_missing_value_takes_no_place_among_replicates) {
    const Ensemble e = build(source_of("time,observable,value\n0,hare,\n0,hare,2\n"));
    EXPECT_THAT(e.value, same({2, nan}));
}

TEST_F(DataTable, wide_equals_long) {
    const Source wide = source_of("trajectory,time,lynx,hare,hare_sigma\n"
                                  "a,1,2,1,0.1\na,0,,3,0.3\nb,0,4,,\nb,0,5,6,0.6\n");
    const Ensemble from_wide = build(wide);
    const Ensemble from_long = build(source_of("trajectory,time,observable,value,sigma\n"
                                               "a,1,hare,1,0.1\na,1,lynx,2,\na,0,hare,3,0.3\na,0,lynx,,\n"
                                               "b,0,lynx,4,\nb,0,hare,6,0.6\nb,0,lynx,5,\n"));
    EXPECT_THAT(from_wide.offset, ElementsAre(0, 2, 4));
    EXPECT_THAT(from_wide.value, same({3, nan, 1, 2, 6, 4, nan, 5}));
    EXPECT_THAT(from_wide.sigma, same({0.3, nan, 0.1, nan, 0.6, nan, nan, nan}));
    expect_same(from_wide, from_long);
}

TEST_F(DataTable, wide_may_have_some_of_the_observables_and_no_trajectory) {
    const Ensemble e = build(source_of("time,lynx\n0,4\n1,5\n"));
    EXPECT_THAT(e.labels, ElementsAre("1"));
    EXPECT_THAT(e.value, same({nan, 4, nan, 5}));
}

TEST_F(DataTable, an_observable_called_sigma_of_another_is_itself) {
    Source source = source_of("time,x,x_sigma\n0,1,2\n");
    source.columns = {"x", "x_sigma"};
    const Ensemble e = build(source);
    EXPECT_THAT(e.value, same({1, 2}));
    EXPECT_THAT(e.sigma, IsEmpty());
}

TEST_F(DataTable, the_trajectories_table_gives_the_order) {
    Source source = source_of("trajectory,time,hare\nb,0,2\na,0,1\n");
    source.trajectories_file = write("subjects.csv", "trajectory,weight\na,70\nb,80\n");
    const Ensemble e = build(source);
    EXPECT_THAT(e.labels, ElementsAre("a", "b"));
    EXPECT_THAT(e.value, same({1, nan, 2, nan}));
    EXPECT_THAT(e.covariates, ElementsAre(1, 70, 2, 80));
}

TEST_F(DataTable, class_labels_are_read) {
    Source source = source_of("trajectory,time,label\na,1,0\nb,1,2\n");
    source.columns = {"label"};
    source.n_classes = 3;
    EXPECT_THAT(build(source).value, ElementsAre(0, 2));
}

// Messages.

TEST_F(DataTable, refuses_unknown_columns_in_both_forms) {
    EXPECT_THAT(
        message_of_build(source_of("time,observable,value,sigmas\n0,hare,1,1\n")),
        HasSubstr("data.csv: column \"sigmas\" is unknown (known: observable, sigma, time, trajectory, value); did you "
                  "mean \"sigma\"?"));
    EXPECT_THAT(
        message_of_build(source_of("time,hare,lynxx\n0,1,1\n")),
        HasSubstr("data.csv: column \"lynxx\" is unknown (known: hare, hare_sigma, lynx, time, trajectory); did you "
                  "mean \"lynx\"?"));
    EXPECT_THAT(message_of_build(source_of("time,hare,lynx_sigma\n0,1,1\n")),
                HasSubstr("column \"lynx_sigma\" is unknown"));
}

TEST_F(DataTable, refuses_a_table_without_the_needed_columns) {
    EXPECT_THAT(message_of_build(source_of("time,observable\n0,hare\n")), HasSubstr("\"value\""));
    EXPECT_THAT(message_of_build(source_of("trajectory,hare\n0,1\n")), HasSubstr("\"time\""));
    EXPECT_THAT(
        message_of_build(source_of("trajectory,time\na,1\n")),
        HasSubstr("data.csv: no column for any of hare, lynx (wide table), and no columns observable and value"));
}

TEST_F(DataTable, refuses_a_table_without_rows) {
    EXPECT_THAT(message_of_build(source_of("time,hare\n")), HasSubstr("data.csv: the table has no rows"));
}

TEST_F(DataTable, refuses_unknown_observables) {
    EXPECT_EQ(message_of_build(source_of("time,observable,value\n0,hare,1\n0,hares,1\n")),
              place(3) + "observable \"hares\" is unknown (known: hare, lynx); did you mean \"hare\"?");
}

TEST_F(DataTable, refuses_times_that_are_missing_or_before_the_start) {
    Source source = source_of("time,hare\n1,1\n-1,2\n");
    EXPECT_THAT(message_of_build(source), HasSubstr(place(3) + "time = -1 is before the initial time 0"));
    source.initial_time = -1;
    EXPECT_THAT(build(source).time, ElementsAre(-1, 1));
    EXPECT_THAT(message_of_build(source_of("time,hare\n1,1\n,2\n")), HasSubstr("data.csv:3"));
}

TEST_F(DataTable, refuses_values_that_are_no_finite_numbers) {
    EXPECT_THAT(message_of_build(source_of("time,hare\n0,inf\n")), HasSubstr("data.csv:2"));
    EXPECT_THAT(message_of_build(source_of("time,hare\n0,12a\n")), HasSubstr("12a"));
}

TEST_F(DataTable, refuses_an_empty_trajectory) {
    EXPECT_THAT(message_of_build(source_of("trajectory,time,hare\na,0,1\n,0,1\n")),
                HasSubstr(place(3) + "the column trajectory is empty"));
}

TEST_F(DataTable, refuses_trajectories_that_the_trajectories_table_lacks) {
    Source source = source_of("trajectory,time,hare\nanna,0,2\nberta,0,1\nana,0,1\n");
    source.trajectories_file = write("subjects.csv", "trajectory,weight\nanna,70\nberta,80\n");
    EXPECT_EQ(message_of_build(source),
              place(4) + "trajectory \"ana\" is unknown (known: anna, berta); did you mean \"anna\"?");
}

TEST_F(DataTable, refuses_trajectories_without_rows) {
    Source source = source_of("trajectory,time,hare\nc,0,2\n");
    source.trajectories_file = write("subjects.csv", "trajectory,weight\na,1\nb,2\nc,3\nd,4\ne,5\nf,6\ng,7\n");
    EXPECT_THAT(message_of_build(source),
                HasSubstr("data.csv: no data for trajectory \"a\", \"b\", \"d\", \"e\", \"f\" and 1 more of "));
}

TEST_F(DataTable, refuses_a_missing_trajectory_column_where_there_are_several) {
    Source source = source_of("time,hare\n0,2\n");
    source.trajectories_file = write("subjects.csv", "trajectory,weight\na,1\nb,2\n");
    EXPECT_THAT(message_of_build(source),
                HasSubstr("data.csv: no column \"trajectory\" (it may be missing only where there is one "
                          "trajectory; there are 2); add it"));
    source.trajectories_file = write("subjects.csv", "trajectory,weight\na,1\n");
    EXPECT_THAT(build(source).labels, ElementsAre("a"));
}

TEST_F(DataTable, refuses_trajectories_without_any_value) {
    EXPECT_THAT(message_of_build(source_of("trajectory,time,hare\na,0,2\nb,0,\n")),
                HasSubstr("data.csv: no observed value of trajectory \"b\" (nothing to fit)"));
}

TEST_F(DataTable, refuses_values_that_have_no_logarithm) {
    Source source = source_of("time,hare\n0,1\n1,0\n");
    static_cast<void>(build(source));
    source.needs_positive = true;
    EXPECT_THAT(message_of_build(source),
                HasSubstr(place(3) + "hare = 0 is not positive (the loss takes the data's logarithm)"));
}

TEST_F(DataTable, refuses_what_is_no_class_label) {
    for (const char* label : {"3", "-1", "0.5"}) {
        Source source = source_of(std::string{"trajectory,time,label\na,1,0\nb,1,"} + label + "\n");
        source.columns = {"label"};
        source.n_classes = 3;
        EXPECT_THAT(message_of_build(source),
                    HasSubstr(place(3) + "label = " + label + " is not a class label (whole numbers from 0 to 2)"));
    }
}

TEST_F(DataTable, refuses_values_without_the_sigma_they_need) {
    Source source = source_of("time,hare,hare_sigma\n0,1,0.5\n1,,\n2,3,\n");
    static_cast<void>(build(source));
    source.needs_sigma = true;
    EXPECT_THAT(message_of_build(source),
                HasSubstr(place(4) + "hare = 3 has no sigma (the loss takes it from the data)"));
    source.data_file = write("data.csv", "time,hare,hare_sigma\n0,1,0\n");
    EXPECT_THAT(message_of_build(source), HasSubstr(place(2) + "hare = 1 has sigma = 0 (allowed: > 0 and finite)"));
    source.data_file = write("data.csv", "time,hare\n0,1\n");
    EXPECT_THAT(message_of_build(source), HasSubstr("hare = 1 has no sigma"));
    source.data_file = write("data.csv", "time,hare,hare_sigma\n0,1,0.5\n1,,\n");
    EXPECT_THAT(build(source).sigma, same({0.5, nan, nan, nan}));
}

TEST_F(DataTable, a_missing_file_is_an_error_that_names_it) {
    Source source = source_of("time,hare\n0,1\n");
    source.data_file = path("dada.csv");
    EXPECT_THAT(message_of_build(source), HasSubstr("dada.csv"));
}

} // namespace
} // namespace rondo::ensemble
