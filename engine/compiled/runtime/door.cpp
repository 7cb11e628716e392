// The narrow door: what Python calls by ctypes. Nothing throws through it.
#include "door.hpp"

#include "search.hpp"

using cadogan::Int;

namespace {

const cadogan::Rules* find(const char* slug) {
    for (int at = 0; at < cadogan::ALL_COUNT; at++)
        if (std::string(cadogan::ALL_RULES[at]->slug) == slug) return cadogan::ALL_RULES[at];
    return nullptr;
}

std::size_t write_moves(const cadogan::Moves& moves, std::uint8_t* out, std::size_t room) {
    for (std::size_t at = 0; at < moves.size() && at < room; at++) std::memcpy(out + at * sizeof(cadogan::Move), &moves[at], sizeof(cadogan::Move));
    return moves.size();
}

}  // namespace

static_assert(sizeof(cadogan::Move) == 11, "Python reads eleven bytes");

#define DOOR extern "C" __attribute__((visibility("default")))

DOOR const char* cadogan_digest() { return cadogan::DIGEST; }

DOOR int cadogan_has(const char* slug) { return find(slug) != nullptr; }

/// Begin to search; nullptr if the library does not have the game, or the position is broken.
DOOR void* cadogan_begin(const char* slug, const std::uint8_t* sizes, const std::uint8_t* cards, const std::int32_t* counters,
                         const std::uint8_t* turns, cadogan::DrawOrder draw, Int budget, Int most_held, int version) {
    const cadogan::Rules* rules = find(slug);
    if (!rules) return nullptr;
    try {
        return new cadogan::Solve(*rules, sizes, cards, counters, turns, draw, budget, most_held, version);
    } catch (const std::exception&) {
        return nullptr;
    }
}

/// Search some more nodes: 0 it goes on, 1 won, 2 lost, 3 unknown, -1 it failed. `facts` gets nodes, depth, home, moves.
DOOR int cadogan_run(void* handle, Int nodes, Int* facts) {
    auto& solve = *static_cast<cadogan::Solve*>(handle);
    try {
        int verdict = solve.run(nodes);
        facts[0] = solve.searched;
        facts[1] = solve.deepest();
        facts[2] = solve.home();
        facts[3] = solve.line ? solve.line->length : 0;
        return verdict;
    } catch (const std::exception&) {
        return -1;
    }
}

/// Write the winning moves, the first one first.
DOOR void cadogan_line(void* handle, std::uint8_t* out) {
    const cadogan::Trail* trail = static_cast<cadogan::Solve*>(handle)->line;
    for (; trail; trail = trail->before) std::memcpy(out + (trail->length - 1) * sizeof(cadogan::Move), &trail->move, sizeof(cadogan::Move));
}

DOOR void cadogan_end(void* handle) { delete static_cast<cadogan::Solve*>(handle); }

/// For comparing the rules: the legal moves of a position; -1 if it failed.
DOOR void* cadogan_look(const char* slug, const std::uint8_t* sizes, const std::uint8_t* cards, const std::int32_t* counters,
                        const std::uint8_t* turns, cadogan::DrawOrder draw, int version) {
    const cadogan::Rules* rules = find(slug);
    try {
        return rules ? new cadogan::Problem(*rules, sizes, cards, counters, turns, draw, version) : nullptr;
    } catch (const std::exception&) {
        return nullptr;
    }
}

DOOR int cadogan_moves(void* handle, std::uint8_t* out, int room) {
    auto& problem = *static_cast<cadogan::Problem*>(handle);
    try {
        return int(write_moves(problem.legal(problem.start), out, std::size_t(room)));
    } catch (const std::exception&) {
        return -1;
    }
}

/// The position after a move: its piles and counters; `facts` gets score, home, won, twice the blocked cards,
/// and whether it is hopeless.
DOOR int cadogan_after(void* handle, const std::uint8_t* move, std::uint8_t* sizes, std::uint8_t* cards, std::int32_t* counters, Int* facts) {
    auto& problem = *static_cast<cadogan::Problem*>(handle);
    try {
        cadogan::Move played;
        std::memcpy(&played, move, sizeof played);
        const cadogan::Position& after = problem.after(problem.start, played);
        for (int pile = 0; pile < problem.rules.piles; pile++) {
            sizes[pile] = std::uint8_t(after.piles[pile].size());
            for (Int card : cadogan::cards(after.piles[pile])) *cards++ = std::uint8_t(card);
        }
        for (int at = 0; at < problem.rules.counters; at++) counters[at] = after.counters[at];
        facts[0] = problem.rules.score(after);
        facts[1] = problem.rules.home(after);
        facts[2] = problem.rules.won(after);
        facts[3] = Int(problem.blocked(after) * 2);
        facts[4] = problem.is_hopeless(after);
        return 0;
    } catch (const std::exception&) {
        return -1;
    }
}

DOOR void cadogan_leave(void* handle) { delete static_cast<cadogan::Problem*>(handle); }
