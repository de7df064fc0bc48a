#include "ensemble/files.hpp"

#include <rondo/base/random.hpp>

namespace rondo::ensemble {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Covariates : public FilesTest {
protected:
    [[nodiscard]] static Source generated(std::int64_t n, std::vector<Formula> covariates) {
        Source source;
        source.where = "job.toml";
        source.n_trajectories = n;
        source.times = {0.0};
        source.covariates = std::move(covariates);
        source.columns = {"x"};
        return source;
    }
    [[nodiscard]] static Formula formula(const std::string& name, const std::string& text) {
        return {name, text, "job.toml: [ensemble.covariates] " + name};
    }
    [[nodiscard]] Source table(std::string_view text) const {
        Source source = generated(0, {});
        source.trajectories_file = write("subjects.csv", text);
        return source;
    }
};

TEST_F(Covariates, are_index_then_the_table_then_generated) {
    Source source = table("trajectory,weight,dose\na,70,4\nb,80,5\n");
    source.covariates = {formula("per_kg", "dose / weight"), formula("twice", "2 * per_kg + index")};
    EXPECT_THAT(covariate_names(source), ElementsAre("index", "weight", "dose", "per_kg", "twice"));
    const Ensemble e = build(source);
    EXPECT_EQ(e.covariate_names, covariate_names(source));
    EXPECT_THAT(e.covariates,
                ElementsAre(1, 70, 4, 4.0 / 70, 2 * (4.0 / 70) + 1, 2, 80, 5, 5.0 / 80, 2 * (5.0 / 80) + 2));
}

TEST_F(Covariates, random_numbers_are_those_of_seed_trajectory_and_slot) {
    Source source =
        generated(3, {formula("u", "uniform(0, 1)"), formula("z", "normal(0, 1)"), formula("v", "uniform(0, 1)")});
    source.seed = 11;
    const Ensemble e = build(source);
    const RandomKey key{11, RandomPurpose::covariate};
    for (std::uint64_t i = 0; i < 3; ++i) {
        const auto c = e.trajectory(static_cast<std::int64_t>(i)).covariates;
        EXPECT_DOUBLE_EQ(c[1], random_uniform(key, i, 0));
        EXPECT_DOUBLE_EQ(c[2], random_normal(key, i, 1));
        EXPECT_DOUBLE_EQ(c[3], random_uniform(key, i, 2));
    }
}

TEST_F(Covariates, random_numbers_do_not_depend_on_the_number_of_trajectories_or_later_covariates) {
    const Ensemble few = build(generated(2, {formula("u", "uniform(1, 2)")}));
    const Ensemble many = build(generated(50, {formula("u", "uniform(1, 2)"), formula("w", "lognormal(0, 1)")}));
    for (std::int64_t i = 0; i < 2; ++i) {
        EXPECT_EQ(few.trajectory(i).covariates[1], many.trajectory(i).covariates[1]);
    }
}

TEST_F(Covariates, another_seed_gives_other_numbers) {
    Source source = generated(2, {formula("u", "uniform(1, 2)")});
    const Ensemble one = build(source);
    source.seed = 2;
    EXPECT_NE(one.covariates, build(source).covariates);
}

TEST_F(Covariates, a_covariate_used_twice_is_one_random_number) {
    const Ensemble e =
        build(generated(5, {formula("u", "uniform(0, 1)"), formula("zero", "u - u"), formula("same", "u * 1")}));
    for (std::int64_t i = 0; i < 5; ++i) {
        const auto c = e.trajectory(i).covariates;
        EXPECT_EQ(c[2], 0.0);
        EXPECT_EQ(c[3], c[1]);
    }
}

TEST_F(Covariates, draws_have_the_moments_asked_for) {
    const Ensemble e = build(generated(20000, {formula("u", "uniform(2, 4)"), formula("z", "normal(5, 3)")}));
    double sum_u = 0, sum_z = 0, square_z = 0;
    for (std::int64_t i = 0; i < e.size(); ++i) {
        const auto c = e.trajectory(i).covariates;
        ASSERT_GT(c[1], 2.0);
        ASSERT_LT(c[1], 4.0);
        sum_u += c[1];
        sum_z += c[2];
        square_z += (c[2] - 5) * (c[2] - 5);
    }
    EXPECT_NEAR(sum_u / 20000, 3, 0.02);
    EXPECT_NEAR(sum_z / 20000, 5, 0.1);
    EXPECT_NEAR(square_z / 20000, 9, 0.4);
}

TEST_F(Covariates, every_kind_of_expression_node_survives) {
    const Ensemble e =
        build(generated(2, {formula("a", "if(index < 2, -sqrt(4), max(index, 7)) + 0 * uniform(0, 1)")}));
    EXPECT_EQ(e.trajectory(0).covariates[1], -2);
    EXPECT_EQ(e.trajectory(1).covariates[1], 7);
}

TEST_F(Covariates, unlabelled_rows_are_numbered_where_nothing_refers_to_them) {
    const Ensemble e = build(table("weight\n70\n80\n"));
    EXPECT_THAT(e.labels, ElementsAre("1", "2"));
    EXPECT_THAT(e.covariates, ElementsAre(1, 70, 2, 80));
}

// Messages.

TEST_F(Covariates, refuses_cells_that_are_no_numbers) {
    EXPECT_THAT(message_of_build(table("trajectory,weight\na,70\nb,\n")), HasSubstr("subjects.csv:3"));
    EXPECT_THAT(message_of_build(table("trajectory,sex\na,male\n")),
                testing::AllOf(HasSubstr("subjects.csv:2"), HasSubstr("sex"), HasSubstr("male")));
}

TEST_F(Covariates, refuses_labels_that_stand_twice_or_are_empty) {
    EXPECT_THAT(message_of_build(table("trajectory,weight\na,1\nb,1\na,1\n")),
                HasSubstr("subjects.csv:4: trajectory \"a\" stands already on line 2"));
    EXPECT_THAT(message_of_build(table("trajectory,weight\na,1\n,1\n")),
                HasSubstr("subjects.csv:3: the column trajectory is empty"));
}

TEST_F(Covariates, refuses_an_empty_table) {
    EXPECT_THAT(message_of_build(table("trajectory,weight\n")), HasSubstr("subjects.csv: the table has no rows"));
}

TEST_F(Covariates, data_need_labels_in_a_table_of_several) {
    Source source = table("weight\n70\n80\n");
    source.data_file = write("data.csv", "trajectory,time,x\n1,0,1\n2,0,1\n");
    EXPECT_THAT(message_of_build(source), testing::AllOf(HasSubstr("subjects.csv"), HasSubstr("\"trajectory\"")));
}

TEST_F(Covariates, refuses_names_that_expressions_cannot_use) {
    const Source bad = table("trajectory,weight (kg)\na,1\n");
    EXPECT_THAT(
        message_of([&] { return covariate_names(bad); }),
        HasSubstr(
            "subjects.csv: \"weight (kg)\" cannot name a covariate (expressions could not use it; allowed: letters, "
            "digits and underscores, no digit first); rename it"));
    EXPECT_THAT(message_of_build(table("trajectory,index\na,1\n")),
                HasSubstr("subjects.csv: \"index\" cannot name a covariate (the word has a meaning in expressions)"));
    EXPECT_THAT(message_of_build(generated(1, {formula("exp", "1")})),
                HasSubstr("job.toml: [ensemble.covariates] exp: \"exp\" cannot name a covariate"));
}

TEST_F(Covariates, refuses_a_name_given_twice) {
    Source source = table("trajectory,weight\na,1\n");
    source.covariates = {formula("weight", "2")};
    EXPECT_THAT(
        message_of_build(source),
        HasSubstr("job.toml: [ensemble.covariates] weight: covariate \"weight\" is given twice (here and before)"));
}

TEST_F(Covariates, refuses_values_that_are_not_finite) {
    EXPECT_THAT(message_of_build(generated(2, {formula("a", "log(index - 1)")})),
                HasSubstr("job.toml: [ensemble.covariates] a: covariate a = -inf for trajectory \"1\" is not finite"));
    EXPECT_THAT(message_of_build(generated(2, {formula("a", "log(index - 2)")})),
                HasSubstr("covariate a = nan for trajectory \"1\""));
}

TEST_F(Covariates, refuses_unknown_and_later_names) {
    EXPECT_THAT(message_of_build(generated(1, {formula("a", "b + 1"), formula("b", "1")})),
                HasSubstr("job.toml: [ensemble.covariates] a"));
    EXPECT_THAT(message_of_build(generated(1, {formula("a", "t")})), HasSubstr("job.toml: [ensemble.covariates] a"));
}

} // namespace
} // namespace rondo::ensemble
