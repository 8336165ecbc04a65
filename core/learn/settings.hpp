#pragma once
// Settings of a learner. Names are those of laconic.learn.Settings and of the configuration file.

#include <cstdint>
#include <vector>

namespace laconic::learn {

// Which prefixes of the templates carry a loss.
enum class Mode : std::uint8_t {
    full,        // the last one only: ordinary training
    truncated,   // every prefix until the true label leads by the margin (strubell2015)
    every_exit,  // every exit of every example
};

enum class Loss : std::uint8_t {
    hinge,     // the best wrong label must stay `margin` behind the best gold label
    logistic,  // softmax over the candidates, gold mass shared by the gold set
    snow,      // each label by itself: gold above threshold + margin, others below threshold - margin (chang2007)
};

enum class Update : std::uint8_t {
    adagrad,     // regularised dual averaging with l2 (strubell2015)
    perceptron,  // additive steps of size `rate`
};

struct Settings {
    Mode mode = Mode::full;
    Loss loss = Loss::hinge;
    Update update = Update::adagrad;
    double margin = 1.0;
    double rate = 0.1;
    double l2 = 0.0;                   // per step, as in l2 / 2 * |w|^2 + mean loss
    double stability = 1.0;            // added to the root of the summed squares of gradients
    bool average = false;              // of snapshots (adagrad) or of every step (perceptron)
    std::vector<std::uint32_t> exits;  // depths at which every_exit and truncated take a loss; ascending
};

}  // namespace laconic::learn
