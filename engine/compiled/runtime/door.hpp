// What the build writes: the rules of all games, the hash of the sources, and a table of the solver.
#pragma once
#include "rules.hpp"

namespace cadogan {
extern const Rules* const ALL_RULES[];
extern const int ALL_COUNT;
extern const char* const DIGEST;
/// cadogan.engine.solver.nested_rollouts.
extern const Int POWERS[];
}  // namespace cadogan
