#include "job/sample.hpp"

#include <rondo/job/keys.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace rondo::job {
namespace {

const KeyDoc& doc_of(const std::vector<KeyDoc>& docs, const std::string& table, const std::string& key) {
    return *std::ranges::find_if(docs, [&](const KeyDoc& doc) { return doc.table == table && doc.key == key; });
}

TEST(DocumentedKeys, say_type_default_range_and_meaning) {
    const std::vector<KeyDoc> docs = documented_keys();

    const KeyDoc& rtol = doc_of(docs, "solver", "rtol");
    EXPECT_EQ(rtol.type, "a number");
    EXPECT_EQ(rtol.fallback, "1e-06");
    EXPECT_EQ(rtol.allowed, "above 0 and below 1");
    EXPECT_EQ(rtol.sentence, "Relative tolerance of states and sensitivities.");
    const KeyDoc& scaling = doc_of(docs, "parallel", "scaling");
    EXPECT_EQ(scaling.type, "a word");
    EXPECT_EQ(scaling.allowed, "one of \"strong\", \"weak\"");
    EXPECT_EQ(doc_of(docs, "train", "batch_size").fallback, "all");
    EXPECT_TRUE(doc_of(docs, "model.rates", "<state>").required);
}

TEST(DocumentedKeys, are_unique_and_each_has_a_sentence) {
    std::set<std::string> seen;
    for (const KeyDoc& doc : documented_keys()) {
        EXPECT_TRUE(seen.insert(doc.table + "." + doc.key).second) << doc.table << "." << doc.key;
        EXPECT_TRUE(doc.sentence.ends_with('.')) << doc.key;
        EXPECT_FALSE(doc.type.empty()) << doc.key;
    }
}

/// Keys with a default of their own are recorded for every job, so that a change of the default is seen on resuming.
TEST(DocumentedKeys, those_with_a_default_are_in_the_settings) {
    const Job job = job_of(fitted);
    const std::set<std::string> always{"solver", "train.learning_rate", "parallel", "checkpoint", "data"};
    int n_checked = 0;
    for (const KeyDoc& doc : documented_keys()) {
        if (always.contains(doc.table)) {
            EXPECT_TRUE(job.settings.contains(doc.table + "." + doc.key)) << doc.table << "." << doc.key;
            ++n_checked;
        }
    }
    EXPECT_GE(n_checked, 30);
}

} // namespace
} // namespace rondo::job
