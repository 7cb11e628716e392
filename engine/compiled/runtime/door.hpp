// What the build writes: the rules of all games, and the hash of the sources from which they were made.
#pragma once
#include "rules.hpp"

namespace cadogan {
extern const Rules* const ALL_RULES[];
extern const int ALL_COUNT;
extern const char* const DIGEST;
}  // namespace cadogan
