// What a translated game gives to the search: its moves, their effects, and the facts of its declaration.
#pragma once
#include "table.hpp"

namespace cadogan {

/// A move: its verb by number (0 for cards that go from pile to pile), its piles, and how many cards go together.
struct Move {
    std::uint8_t verb = 0, cards = 1, count = 0, piles[8] = {};
};
using Moves = std::vector<Move>;

template <class Indices>
Move make_move(int verb, const Indices& indices) {
    Move move;
    move.verb = std::uint8_t(verb);
    require(indices.size() <= 8, "a move names more than eight piles");
    for (Int index : indices) move.piles[move.count++] = std::uint8_t(index);
    return move;
}
inline Move make_transfer(Int source, Int target, Int cards) {
    Move move;
    move.cards = std::uint8_t(cards);
    move.count = 2;
    move.piles[0] = std::uint8_t(source);
    move.piles[1] = std::uint8_t(target);
    return move;
}
inline List<Int> piles_of(const Move& move) {
    List<Int> piles;
    for (int at = 0; at < move.count; at++) piles.add(move.piles[at]);
    return piles;
}

/// Piles whose order makes no difference (cadogan.engine.declaration.Interchangeable).
struct Alike {
    int start, stop;
    bool (*when)(const Position&);
};

/// Piles of which each covers those before it: cadogan.engine.declaration.Declaration.covering.
struct Line {
    const std::uint8_t* piles;
    int count;
};

/// Piles that no card leaves, and the number that is all that matters of their cards: cadogan.engine.declaration.
struct Forgotten {
    int start, stop;
    Int (*but)(const Position&);
};

/// cadogan.engine.solver.safe_moves, for one game: by foundation what it takes, by card what may be laid on it.
struct SafeHome {
    bool (*when)(const Position&);
    const std::int16_t* foundation_of_pile;
    int foundations;
    const std::uint8_t* piles;
    const Int* const* onto;
    const Int* empty;
    const Int* laid_on;
    const std::uint8_t* copies;
};

struct Rules {
    const char* slug;
    int piles, counters;
    const bool* face_down;
    void (*offer_forced)(const Position&, Moves&);
    void (*offer_others)(const Position&, Moves&);
    void (*play)(Table&, const Move&);
    Int (*score)(const Position&);
    Int (*home)(const Position&);
    bool (*won)(const Position&);
    bool (*hopeless)(const Position&);
    int hopeless_since;
    double point, complete;
    /// The piles whose blocked cards count; those after the first `alone_count` stand in the lines, too.
    const std::uint8_t* open;
    int open_count, alone_count;
    const Line* lines;
    int line_count;
    const Alike* alike;
    int alike_count;
    const Forgotten* forgotten;
    int forgotten_count;
    const SafeHome* safe;
};

inline void offer(const Rules& rules, const Position& position, Moves& moves) {
    moves.clear();
    rules.offer_forced(position, moves);
    if (moves.empty()) rules.offer_others(position, moves);
}

}  // namespace cadogan
