// The searches of cadogan.engine.solver, node for node: each class repeats the Python class of its name.
#pragma once
#include <cstring>
#include <functional>
#include <queue>

#include "rules.hpp"

namespace cadogan {

/// How a position was reached: the last move, the trail before it, and the total number of moves.
struct Trail {
    const Trail* before;
    Move move;
    std::uint32_t length;
};

/// Positions of one game, in large blocks, whose places are used again once they are released.
class Positions {
    const std::size_t piles_, bytes_;
    std::deque<std::vector<char>> blocks_;
    std::vector<char*> free_;

public:
    Positions(int piles, int counters)
        : piles_(piles), bytes_((piles * sizeof(Pile) + counters * sizeof(std::int32_t) + 7) / 8 * 8) {}
    Position make() {
        if (free_.empty()) {
            blocks_.emplace_back(bytes_ * 256);
            for (std::size_t at = 0; at < 256; at++) free_.push_back(blocks_.back().data() + at * bytes_);
        }
        char* place = free_.back();
        free_.pop_back();
        return {reinterpret_cast<Pile*>(place), reinterpret_cast<std::int32_t*>(place + piles_ * sizeof(Pile))};
    }
    Position copy(const Position& from) {
        Position made = make();
        assign(made, from);
        return made;
    }
    void assign(const Position& to, const Position& from) const {
        std::memcpy(static_cast<void*>(to.piles), static_cast<const void*>(from.piles), bytes_);
    }
    void release(const Position& position) { free_.push_back(reinterpret_cast<char*>(position.piles)); }
};

/// A set of keys, each of the same number of words, compared word by word: no two positions are confused.
class KnownPositions {
    const std::size_t words_;
    std::vector<std::uint32_t> keys_, slots_;
    std::size_t count_ = 0;

    std::size_t slot_of(const std::uint32_t* key) const;
    void widen();

public:
    explicit KnownPositions(std::size_t words) : words_(words), slots_(1024, 0) {}
    bool has(const std::uint32_t* key) const { return slots_[slot_of(key)] != 0; }
    /// Add a key; false if it was there.
    bool add(const std::uint32_t* key);
    /// The place of a key in the order in which keys were added, from 0; it is added if it was not there.
    std::uint32_t number(const std::uint32_t* key) {
        add(key);
        return slots_[slot_of(key)] - 1;
    }
    void clear();
    std::size_t size() const { return count_; }
};

/// cadogan.engine.solver.problem: the successors, the identity and the value of positions.
class Problem {
    Deal deal_;
    Positions scratch_;
    Position after_;
    Moves moves_, kept_;
    std::vector<std::uint32_t> numbers_;

    int find_safe(const Position& position) const;
    void drop_twins(const Position& position);
    /// Twice the number of blocked cards of the piles of a line, of which each lies over those before it.
    Int blocked_in(const Line& line, const Position& position) const;

public:
    const Rules& rules;
    Positions positions;
    Position start;
    std::deque<Trail> trails;
    Int home;
    /// The version of the solver: from 8 on it forgets piles, from 9 on it sees covered ones.
    const int version;

    Problem(const Rules& rules, const std::uint8_t* sizes, const std::uint8_t* cards, const std::int32_t* counters,
            const std::uint8_t* turns, DrawOrder draw, int version);
    /// The moves to be searched; `after` plays one of them.
    const Moves& successors(const Position& position);
    bool has_proofs() const { return version >= rules.hopeless_since && rules.hopeless; }
    bool is_hopeless(const Position& position) const { return has_proofs() && rules.hopeless(position); }
    const Moves& legal(const Position& position);
    /// The position after a move; it is overwritten by the next call.
    const Position& after(const Position& position, const Move& move);
    const std::uint32_t* key(const Position& position);
    std::size_t key_words() const { return std::size_t(rules.piles) + rules.counters; }
    double estimate(const Position& position) const { return double(rules.score(position)) / rules.point; }
    double progress(const Position& position);
    double blocked(const Position& position) const;
    bool is_won(const Position& position, double progress) const { return progress == rules.complete && rules.won(position); }
    const Trail* trail(const Trail* before, const Move& move, std::uint32_t length) {
        trails.push_back({before, move, length});
        return &trails.back();
    }
};

enum class Outcome { none, won, lost };

/// Park and Miller's generator of numbers: cadogan.engine.solver.restarts.
constexpr std::uint64_t FACTOR = 48271, MODULUS = 2147483647;

class Search {
public:
    /// How many times as long as the others' its turn is.
    Int share = 1;
    Int nodes = 0;
    std::uint32_t deepest = 0;
    const Trail* line = nullptr;
    virtual ~Search() = default;
    virtual Outcome run(Int more) = 0;
    /// How many positions it remembers.
    virtual std::size_t held() const = 0;
};

std::unique_ptr<Search> make_nested_rollouts(Problem& problem);

/// One search for a win by all kinds of searches in turn: cadogan.engine.solver.solve.
class Solve {
    Problem problem_;
    std::vector<std::unique_ptr<Search>> searches_;
    const Int budget_, most_held_;
    Int turn_, turn_end_ = 0;
    std::size_t active_ = 0;

    void add_late_searches();

public:
    enum Verdict { searching = 0, won = 1, lost = 2, unknown = 3 };
    Verdict verdict = searching;
    Int searched = 0;
    const Trail* line = nullptr;

    Solve(const Rules& rules, const std::uint8_t* sizes, const std::uint8_t* cards, const std::int32_t* counters,
          const std::uint8_t* turns, DrawOrder draw, Int budget, Int most_held, int version);
    /// Search about this many more nodes.
    Verdict run(Int more);
    Int deepest() const;
    Int home() const { return problem_.home; }
};

}  // namespace cadogan
