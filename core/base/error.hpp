#pragma once
// What goes wrong in the core. Bindings turn these into the exceptions of laconic.errors.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace laconic {

// Bad input with its position. Line and column count from 1; 0 means "not known".
class InputError : public std::runtime_error {
public:
    InputError(std::string reason, std::string file, std::uint64_t line = 0, std::uint64_t column = 0)
        : std::runtime_error(std::move(reason)), file(std::move(file)), line(line), column(column) {}

    std::string file;
    std::uint64_t line;
    std::uint64_t column;
};

// A model file or a table inside it that cannot be trusted.
class ModelError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Settings that cannot work, found where they are first used.
class ConfigError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace laconic
