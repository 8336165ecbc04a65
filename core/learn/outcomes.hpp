#pragma once
// What is known of decisions about the words of a document, one after another.

#include <cstdint>
#include <vector>

#include "learn/labels.hpp"

namespace laconic::learn {

struct Labelled {
    std::vector<Label> labels;          // one per word
    std::vector<std::uint32_t> depths;  // templates computed; 0 where the decision about another word was taken over
    std::vector<float> confidences;     // if asked for: then depths are those of the decision, taken over or not
    std::uint64_t rows = 0;             // cache lines of weights read
};

// For the calibration of margins: the lead and the label after each of some depths, a row per decision. The lead of a
// decision with one candidate is `never`.
struct Prefixes {
    std::vector<std::int32_t> leads;
    std::vector<Label> labels;
};

// For the calibration of confidence: each decision where it was taken. The scores of the candidates at the exit, less
// the best one, are gaps[begins[i], begins[i + 1]).
struct FinalScores {
    std::vector<Label> labels;
    std::vector<std::uint32_t> depths;
    std::vector<std::uint64_t> begins{0};
    std::vector<float> gaps;
};

}  // namespace laconic::learn
