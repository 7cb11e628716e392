#include "search.hpp"

namespace cadogan {

namespace {
constexpr std::size_t MANY_MOVES = 30;
}

std::size_t KnownPositions::slot_of(const std::uint32_t* key) const {
    std::uint64_t hash = 0x9E3779B97F4A7C15u;
    for (std::size_t at = 0; at < words_; at++) hash = (hash ^ key[at]) * 0xFF51AFD7ED558CCDu + (hash >> 32);
    hash ^= hash >> 29;
    std::size_t mask = slots_.size() - 1, slot = hash & mask;
    while (slots_[slot] && std::memcmp(&keys_[(slots_[slot] - 1) * words_], key, words_ * sizeof *key) != 0)
        slot = (slot + 1) & mask;
    return slot;
}

void KnownPositions::widen() {
    slots_.assign(slots_.size() * 2, 0);
    for (std::size_t number = 0; number < count_; number++) slots_[slot_of(&keys_[number * words_])] = std::uint32_t(number + 1);
}

bool KnownPositions::add(const std::uint32_t* key) {
    std::size_t slot = slot_of(key);
    if (slots_[slot]) return false;
    require(count_ < 0xFFFFFFF0u, "too many positions");
    keys_.insert(keys_.end(), key, key + words_);
    slots_[slot] = std::uint32_t(++count_);
    if (count_ * 2 > slots_.size()) widen();
    return true;
}

void KnownPositions::clear() {
    keys_.clear();
    slots_.assign(1024, 0);
    count_ = 0;
}

Problem::Problem(const Rules& rules, const std::uint8_t* sizes, const std::uint8_t* cards, const std::int32_t* counters,
                 const std::uint8_t* turns, DrawOrder draw, int version)
    : deal_(turns, draw),
      scratch_(rules.piles, rules.counters),
      after_(scratch_.make()),
      numbers_(std::size_t(rules.piles) + rules.counters),
      rules(rules),
      positions(rules.piles, rules.counters),
      start(positions.make()),
      version(version) {
    for (int pile = 0; pile < rules.piles; pile++) {
        start.piles[pile] = Pile{};
        for (int left = sizes[pile]; left > 0; left--) start.piles[pile] = deal_.lay(start.piles[pile], *cards++);
    }
    for (int counter = 0; counter < rules.counters; counter++) start.counters[counter] = counters[counter];
    home = rules.home(start);
}

const Moves& Problem::legal(const Position& position) {
    offer(rules, position, moves_);
    return moves_;
}

const Moves& Problem::successors(const Position& position) {
    moves_.clear();
    if (is_hopeless(position)) return moves_;
    offer(rules, position, moves_);
    int safe = find_safe(position);
    if (safe >= 0) {
        moves_[0] = moves_[safe];
        moves_.resize(1);
    } else if (moves_.size() >= MANY_MOVES) {
        drop_twins(position);
    }
    return moves_;
}

int Problem::find_safe(const Position& position) const {
    const SafeHome* safe = rules.safe;
    if (!safe || (safe->when && !safe->when(position))) return -1;
    int home[64];
    bool is_counted = false;
    for (std::size_t at = 0; at < moves_.size(); at++) {
        const Move& move = moves_[at];
        if (move.verb != 0 || safe->foundation_of_pile[move.piles[1]] < 0) continue;
        if (!is_counted) {
            std::fill(home, home + 64, 0);
            for (int one = 0; one < safe->foundations; one++)
                for (Int card : cards(position.piles[safe->piles[one]])) home[card & FACE]++;
            is_counted = true;
        }
        int card = int(position.piles[move.piles[0]][-1]) & FACE;
        bool none_waits = true;
        for (int each = 4; each < 56 && none_waits; each++)
            if (safe->laid_on[card] >> each & 1) none_waits = home[each] == safe->copies[each];
        if (!none_waits) continue;
        int takes = 0;
        for (int one = 0; one < safe->foundations; one++) {
            Pile pile = position.piles[safe->piles[one]];
            takes += (pile ? safe->onto[one][pile[-1]] : safe->empty[one]) == bit_of(card);
        }
        if (takes >= safe->copies[card] - home[card]) return int(at);
    }
    return -1;
}

void Problem::drop_twins(const Position& position) {
    std::uint8_t same[256];
    for (int pile = 0; pile < rules.piles; pile++) same[pile] = std::uint8_t(pile);
    for (int group = 0; group < rules.alike_count; group++) {
        const Alike& alike = rules.alike[group];
        if (alike.when && !alike.when(position)) continue;
        for (int pile = alike.start; pile < alike.stop; pile++)
            for (int earlier = alike.start; earlier <= pile; earlier++)
                if (position.piles[earlier] == position.piles[pile]) {
                    same[pile] = std::uint8_t(earlier);
                    break;
                }
    }
    kept_.clear();
    KnownPositions seen(3);
    for (const Move& move : moves_) {
        std::uint32_t key[3] = {std::uint32_t(move.verb) << 16 | std::uint32_t(move.cards) << 8 | move.count, 0, 0};
        for (int at = 0; at < move.count; at++) key[1 + at / 4] |= std::uint32_t(same[move.piles[at]]) << (8 * (at % 4));
        if (seen.add(key)) kept_.push_back(move);
    }
    moves_.swap(kept_);
}

const Position& Problem::after(const Position& position, const Move& move) {
    scratch_.assign(after_, position);
    Table table{{after_.piles, after_.counters}, position.piles, rules.face_down, deal_};
    rules.play(table, move);
    return after_;
}

const std::uint32_t* Problem::key(const Position& position) {
    for (int pile = 0; pile < rules.piles; pile++) numbers_[pile] = position.piles[pile].top->number;
    for (int group = 0; group < rules.alike_count; group++) {
        const Alike& alike = rules.alike[group];
        if (!alike.when || alike.when(position)) std::sort(&numbers_[alike.start], &numbers_[0] + alike.stop);
    }
    for (int at = 0; version >= 8 && at < rules.forgotten_count; at++) {
        const Forgotten& forgotten = rules.forgotten[at];
        std::fill(&numbers_[forgotten.start], &numbers_[0] + forgotten.stop, 0);
        if (forgotten.but) numbers_[forgotten.start] = std::uint32_t(forgotten.but(position));
    }
    for (int at = 0; at < rules.counters; at++) numbers_[rules.piles + at] = std::uint32_t(position.counters[at]);
    return numbers_.data();
}

double Problem::progress(const Position& position) {
    home = std::max(home, rules.home(position));
    return estimate(position);
}

Int Problem::blocked_in(const Line& line, const Position& position) const {
    Int halves = 0, first = FACE;
    for (int at = 0; at < line.count; at++)
        for (Int card : cards(position.piles[line.piles[at]])) {
            const Int turn = deal_.turn(card);
            halves += (turn > first ? 2 : 0) + (card & DOWN ? 1 : 0);
            first = std::min(first, turn);
        }
    return halves;
}

double Problem::blocked(const Position& position) const {
    Int halves = 0;
    const bool sees_lines = version >= 9;
    const int alone = sees_lines ? rules.alone_count : rules.open_count;
    for (int at = 0; at < alone; at++) halves += position.piles[rules.open[at]].top->blocked;
    for (int at = 0; sees_lines && at < rules.line_count; at++) halves += blocked_in(rules.lines[at], position);
    return double(halves) / 2;
}

}  // namespace cadogan
