#include "ensemble/files.hpp"

#include <rondo/ensemble/dataset.hpp>
#include <rondo/store/file_kind.hpp>
#include <rondo/store/hdf5_file.hpp>

#include <numeric>

namespace rondo::ensemble {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::string> states{"u", "v"};

class DataSet : public FilesTest {
protected:
    [[nodiscard]] Source source_of(const std::filesystem::path& data) const {
        Source source;
        source.where = "job.toml";
        source.data_file = data;
        source.columns = {"x", "y"};
        source.states = states;
        return source;
    }

    /// Three uneven trajectories with covariates, sigma, missing values, replicates and events.
    [[nodiscard]] Source tables() const {
        Source source = source_of(write(
            "data.csv", "trajectory,time,observable,value,sigma\n"
                        "c,0,x,1,0.1\nc,1,y,2,0.2\nc,1,x,3,0.3\na,4,x,,\na,5,y,7,0.7\nb,2,x,8,0.8\nb,2,x,9,0.9\n"));
        source.trajectories_file = write("subjects.csv", "trajectory,weight,age\nb,80,30\nc,60,40\na,70,50\n");
        source.events_file =
            write("doses.csv", "trajectory,time,state,amount,action\na,3,v,5,replace\nc,1,u,2,\na,1,u,6,multiply\n");
        return source;
    }

    [[nodiscard]] std::filesystem::path written(const Ensemble& ensemble, const std::string& name = "set.h5") const {
        store::FileWriter file{path(name)};
        store::Provenance provenance;
        provenance.kind = store::to_text(store::FileKind::dataset);
        store::write_provenance(file, provenance);
        write_dataset(file, ensemble, ensemble.value, states);
        file.close();
        return path(name);
    }

    /// A data set of two trajectories as other software might write it; `change` replaces parts of it.
    template <class Change>
    [[nodiscard]] Source foreign(Change&& change) const {
        Foreign parts;
        change(parts);
        store::FileWriter file{path("foreign.h5")};
        file.write("/trajectories/id", parts.id);
        file.write("/trajectories/weight", parts.weight);
        file.write("/data/observables", parts.observables);
        file.write("/data/offset", parts.offset);
        file.write("/data/time", parts.time);
        file.write("/data/value", parts.value,
                   {parts.value.size() / parts.observables.size(), parts.observables.size()});
        if (!parts.sigma.empty()) {
            file.write("/data/sigma", parts.sigma,
                       {parts.sigma.size() / parts.observables.size(), parts.observables.size()});
        }
        if (!parts.event_offset.empty()) {
            file.write("/events/offset", parts.event_offset);
            file.write("/events/time", parts.event_time);
            file.write("/events/state", parts.event_state);
            file.write("/events/action", parts.event_action);
            file.write("/events/value", parts.event_value);
        }
        file.close();
        return source_of(path("foreign.h5"));
    }
    struct Foreign {
        std::vector<std::string> id{"a", "b"};
        std::vector<double> weight{70, 80};
        std::vector<std::string> observables{"y", "x"};
        std::vector<std::int64_t> offset{0, 2, 3};
        std::vector<double> time{0, 1, 5};
        std::vector<double> value{1, 2, 3, 4, 5, 6};
        std::vector<double> sigma;
        std::vector<std::int64_t> event_offset;
        std::vector<double> event_time{1};
        std::vector<std::string> event_state{"u"};
        std::vector<std::string> event_action{"add"};
        std::vector<double> event_value{3};
    };
    template <class Change>
    [[nodiscard]] std::string message(Change&& change) const {
        return message_of_build(foreign(change));
    }
};

TEST_F(DataSet, reads_back_as_the_ensemble_that_was_written) {
    const Ensemble before = build(tables());
    ASSERT_EQ(before.events.size(), 3U);
    const Source source = source_of(written(before));
    EXPECT_EQ(covariate_names(source), before.covariate_names);
    expect_same(build(source), before);
}

TEST_F(DataSet, holds_the_values_given_in_place_of_the_ensembles) {
    const Ensemble before = build(tables());
    std::vector<double> solved(before.value.size());
    std::iota(solved.begin(), solved.end(), 1.0);
    store::FileWriter file{path("solved.h5")};
    write_dataset(file, before, solved, states);
    file.close();
    EXPECT_EQ(build(source_of(path("solved.h5"))).value, solved);
}

TEST_F(DataSet, leaves_out_events_that_the_jobs_rules_give_again) {
    Source source = tables();
    source.events = {{0, Action::add, {{"times", "1", "job.toml: times"}}, 0}};
    const Ensemble before = build(source);
    Source again = source_of(written(before));
    EXPECT_EQ(build(again).events.size(), 3U);
    again.events = source.events;
    expect_same(build(again), before);
}

TEST_F(DataSet, names_its_axes) {
    const std::filesystem::path path = written(build(tables()));
    const store::FileReader file{path};
    EXPECT_THAT(file.node("/data/value").axes, ElementsAre("time", "observables"));
    EXPECT_THAT(file.node("/data/sigma").axes, ElementsAre("time", "observables"));
    EXPECT_THAT(file.node("/trajectories/weight").axes, ElementsAre("id"));
    EXPECT_THAT(file.node("/events/value").axes, ElementsAre("time"));
}

TEST_F(DataSet, is_known_by_its_first_bytes_whatever_its_name) {
    const Ensemble before = build(tables());
    const std::filesystem::path renamed = path("set.data");
    std::filesystem::rename(written(before), renamed);
    expect_same(build(source_of(renamed)), before);
}

TEST_F(DataSet, of_other_software_may_order_its_columns_and_covariates_as_it_likes) {
    const Ensemble e = build(foreign([](Foreign&) {}));
    EXPECT_THAT(e.covariate_names, ElementsAre("index", "weight"));
    EXPECT_THAT(e.covariates, ElementsAre(1, 70, 2, 80));
    EXPECT_THAT(e.value, ElementsAre(2, 1, 4, 3, 6, 5));
    EXPECT_THAT(e.event_offset, ElementsAre(0, 0, 0));
}

TEST_F(DataSet, may_lack_observables) {
    const Ensemble e = build(foreign([](Foreign& f) {
        f.observables = {"y"};
        f.value = {1, 2, 3};
    }));
    EXPECT_THAT(e.value, same({nan, 1, nan, 2, nan, 3}));
}

TEST_F(DataSet, may_have_whole_numbers_as_ids) {
    store::FileWriter file{path("numbers.h5")};
    file.write("/trajectories/id", std::vector<std::int64_t>{10, 7});
    file.write("/data/observables", std::vector<std::string>{"x", "y"});
    file.write("/data/offset", std::vector<std::int64_t>{0, 1, 2});
    file.write("/data/time", std::vector<double>{0, 0});
    file.write("/data/value", std::vector<double>{1, 2, 3, 4}, {2, 2});
    file.close();
    EXPECT_THAT(build(source_of(path("numbers.h5"))).labels, ElementsAre("10", "7"));
}

TEST_F(DataSet, is_put_into_the_order_of_the_trajectories_table) {
    Source source = foreign([](Foreign& f) {
        f.event_offset = {0, 1, 1};
        f.sigma = {.1, .2, .3, .4, .5, .6};
    });
    source.trajectories_file = write("subjects.csv", "trajectory,dose\nb,1\na,2\n");
    const Ensemble e = build(source);
    EXPECT_THAT(e.labels, ElementsAre("b", "a"));
    EXPECT_THAT(e.covariate_names, ElementsAre("index", "dose", "weight"));
    EXPECT_THAT(e.covariates, ElementsAre(1, 1, 80, 2, 2, 70));
    EXPECT_THAT(e.offset, ElementsAre(0, 1, 3));
    EXPECT_THAT(e.time, ElementsAre(5, 0, 1));
    EXPECT_THAT(e.value, ElementsAre(6, 5, 2, 1, 4, 3));
    EXPECT_THAT(e.sigma, ElementsAre(.6, .5, .2, .1, .4, .3));
    EXPECT_THAT(e.event_offset, ElementsAre(0, 0, 1));
}

// Messages.

TEST_F(DataSet, refuses_other_files_of_rondo) {
    store::FileWriter file{path("result.h5")};
    store::Provenance provenance;
    provenance.kind = store::to_text(store::FileKind::result);
    store::write_provenance(file, provenance);
    file.close();
    EXPECT_THAT(message_of_build(source_of(path("result.h5"))),
                testing::AllOf(HasSubstr("result.h5"), HasSubstr("dataset")));
}

TEST_F(DataSet, refuses_missing_and_strange_files) {
    EXPECT_THAT(message_of_build(source_of(path("nothing.h5"))), HasSubstr("nothing.h5"));
    EXPECT_THAT(message_of_build(source_of(write("text.h5", "time,x\n0,1\n"))), HasSubstr("text.h5"));
}

TEST_F(DataSet, a_missing_part_is_named) {
    store::FileWriter file{path("part.h5")};
    file.write("/trajectories/id", std::vector<std::string>{"a"});
    file.close();
    try {
        static_cast<void>(build(source_of(path("part.h5"))));
        FAIL() << "no StoreError";
    } catch (const StoreError& error) {
        EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("part.h5"), HasSubstr("/data/observables")));
    }
}

TEST_F(DataSet, refuses_offsets_that_do_not_fit) {
    EXPECT_THAT(message([](Foreign& f) {
                    f.offset = {0, 3};
                }),
                HasSubstr("foreign.h5: /data/offset has 2 entries, but there are 2 trajectories (one more is needed)"));
    const std::vector<std::vector<std::int64_t>> wrong{{1, 2, 3}, {0, 4, 3}, {0, -1, 3}, {0, 1, 2}, {0, 2, 4}};
    for (const auto& offset : wrong) {
        EXPECT_THAT(message([&](Foreign& f) { f.offset = offset; }),
                    HasSubstr("foreign.h5: /data/offset must start at 0, never decrease and end at the 3 rows"));
    }
}

TEST_F(DataSet, refuses_shapes_that_do_not_fit) {
    EXPECT_THAT(message([](Foreign& f) { f.value.resize(4); }),
                HasSubstr("foreign.h5: /data/value has the shape [2 x 2], but [3 x 2] is needed"));
    EXPECT_THAT(message([](Foreign& f) {
                    f.sigma = {1, 1};
                }),
                HasSubstr("/data/sigma has the shape [1 x 2], but [3 x 2]"));
    EXPECT_THAT(message([](Foreign& f) {
                    f.weight = {1, 2, 3};
                }),
                HasSubstr("/trajectories/weight has the shape [3], but [2]"));
    EXPECT_THAT(message([](Foreign& f) {
                    f.event_offset = {0, 1, 1};
                    f.event_value = {1, 2};
                }),
                HasSubstr("/events/value has the shape [2], but [1]"));
    EXPECT_THAT(message([](Foreign& f) { f.event_offset = {0, 1}; }), HasSubstr("/events/offset has 2 entries"));
}

TEST_F(DataSet, refuses_ids_that_are_empty_or_stand_twice) {
    EXPECT_THAT(message([](Foreign& f) {
                    f.id = {"a", "a"};
                }),
                HasSubstr("foreign.h5: /trajectories/id[1] = \"a\" stands there twice"));
    EXPECT_THAT(message([](Foreign& f) { f.id = {"a", ""}; }), HasSubstr("/trajectories/id[1] = \"\" is empty"));
    EXPECT_THAT(message([](Foreign& f) { f.id = {}; }), HasSubstr("/trajectories/id is empty"));
}

TEST_F(DataSet, refuses_unknown_and_repeated_observables) {
    EXPECT_THAT(message([](Foreign& f) {
                    f.observables = {"x", "z"};
                }),
                HasSubstr("foreign.h5: /data/observables: observable \"z\" is unknown (known: x, y)"));
    EXPECT_THAT(message([](Foreign& f) {
                    f.observables = {"x", "x"};
                }),
                HasSubstr("observable \"x\" stands there twice"));
}

TEST_F(DataSet, refuses_numbers_that_will_not_do) {
    EXPECT_THAT(message([](Foreign& f) {
                    f.time = {1, 0, 5};
                }),
                HasSubstr("foreign.h5: /data, row 1 (trajectory \"a\"): time = 0 is less than that of the row before"));
    EXPECT_THAT(message([](Foreign& f) { f.time[2] = nan; }),
                HasSubstr("/data, row 2 (trajectory \"b\"): time = nan is not a number"));
    EXPECT_THAT(message([](Foreign& f) { f.time[0] = -1; }), HasSubstr("time = -1 is before the initial time 0"));
    EXPECT_THAT(message([](Foreign& f) { f.value[4] = INFINITY; }),
                HasSubstr("/data, row 2 (trajectory \"b\"): y = inf is not finite"));
    EXPECT_THAT(message([](Foreign& f) { f.weight[1] = nan; }),
                HasSubstr("/trajectories/weight[1] = nan is not finite"));
    EXPECT_THAT(message([](Foreign& f) { f.value[4] = f.value[5] = nan; }),
                HasSubstr("foreign.h5: no observed value of trajectory \"b\""));
    Source source = foreign([](Foreign& f) { f.sigma = {1, 1, 1, 1, 1, -1}; });
    source.needs_sigma = true;
    EXPECT_THAT(message_of_build(source),
                HasSubstr("row 2 (trajectory \"b\"): x = 6 has sigma = -1 (allowed: > 0 and finite)"));
}

TEST_F(DataSet, refuses_events_that_will_not_do) {
    const auto with_event = [this](auto change) {
        return message([&](Foreign& f) {
            f.event_offset = {0, 1, 1};
            change(f);
        });
    };
    EXPECT_THAT(with_event([](Foreign& f) { f.event_state = {"w"}; }),
                HasSubstr("foreign.h5: /events, row 0: state \"w\" is unknown (known: u, v)"));
    EXPECT_THAT(with_event([](Foreign& f) { f.event_action = {"adds"}; }), HasSubstr("action \"adds\" is unknown"));
    EXPECT_THAT(with_event([](Foreign& f) { f.event_time = {-1}; }), HasSubstr("time = -1 is before the initial time"));
    EXPECT_THAT(with_event([](Foreign& f) { f.event_value = {nan}; }), HasSubstr("value = nan is not finite"));
}

TEST_F(DataSet, refuses_events_in_the_set_and_in_a_table) {
    Source source = source_of(written(build(tables())));
    source.events_file = write("doses.csv", "trajectory,time,state,amount\na,3,v,5\n");
    EXPECT_THAT(message_of_build(source),
                testing::AllOf(HasSubstr("doses.csv: the data set"), HasSubstr("(they would happen twice)")));
}

TEST_F(DataSet, refuses_trajectories_that_do_not_match_the_table) {
    Source source = foreign([](Foreign&) {});
    source.trajectories_file = write("subjects.csv", "trajectory,dose\na,1\nc,2\n");
    EXPECT_THAT(message_of_build(source), HasSubstr("foreign.h5: trajectory \"b\" is unknown in "));
    source.trajectories_file = write("subjects.csv", "trajectory,dose\na,1\nb,2\nc,3\n");
    EXPECT_THAT(message_of_build(source), HasSubstr("foreign.h5: no data for trajectory \"c\" of "));
}

TEST_F(DataSet, refuses_a_covariate_that_is_in_the_table_too) {
    Source source = foreign([](Foreign&) {});
    source.trajectories_file = write("subjects.csv", "trajectory,weight\na,1\nb,2\n");
    EXPECT_THAT(message_of_build(source),
                HasSubstr("foreign.h5: /trajectories: covariate \"weight\" is given twice (here and before)"));
}

TEST_F(DataSet, refuses_to_write_a_covariate_called_id) {
    Source source = source_of(write("data.csv", "trajectory,time,x\na,0,1\n"));
    source.trajectories_file = write("subjects.csv", "trajectory,id\na,1\n");
    const Ensemble ensemble = build(source);
    EXPECT_THAT(message_of([&] { return written(ensemble); }), HasSubstr("covariate \"id\" cannot be written"));
}

} // namespace
} // namespace rondo::ensemble
