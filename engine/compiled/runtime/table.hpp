// Positions, and the table on which a move is carried out: cadogan.engine.table, with piles that share their cards.
#pragma once
#include <deque>
#include <map>

#include "lists.hpp"

namespace cadogan {

constexpr int DOWN = 64, FACE = 63;

/// The set that holds just this card; for a face-down card, the set of an unseen card (cadogan.engine.cards.BIT).
inline Int bit_of(Int card) { return card >= 4 && card < 56 ? Int(1) << card : 1; }

/// The top card of a pile, and the pile below it. Equal piles are the same node, so that comparing them is cheap.
struct Node {
    const Node* below;
    std::uint32_t number;
    std::uint16_t size;
    /// Twice the number of blocked cards (cadogan.engine.solver.estimate).
    std::uint16_t blocked;
    std::uint8_t card, bottom, first;
};
inline constexpr Node NO_CARDS{nullptr, 0, 0, 0, 0, 0, FACE};

struct Pile {
    const Node* top = &NO_CARDS;
    explicit operator bool() const { return top->size; }
    Int size() const { return top->size; }
    Int operator[](Int at) const {
        if (at == 0 && top->size) return top->bottom;
        Int up = at < 0 ? -1 - at : top->size - 1 - at;
        require(up >= 0 && up < top->size, "a pile has no such card");
        const Node* node = top;
        for (; up > 0; up--) node = node->below;
        return node->card;
    }
    bool operator==(Pile other) const { return top == other.top; }
};
inline bool truthy(Pile pile) { return bool(pile); }

/// The cards of a pile, from the bottom to the top.
inline List<Int> cards(Pile pile) {
    List<Int> found;
    for (Int left = pile.size(); left > 0; left--) found.add(0);
    const Node* node = pile.top;
    for (Int* place = found.end(); node->size; node = node->below) *--place = node->card;
    return found;
}
inline List<Int> slice(Pile pile, Int from, Int to) { return slice(cards(pile), from, to); }

/// Gives the order of a shuffle, as cadogan.engine.shuffle draws it: label, number of cards, and the places to write.
using DrawOrder = void (*)(const char* label, std::int32_t count, std::int32_t* places);

/// All piles that one search has seen, and the shuffles of its deal.
class Deal {
    std::deque<Node> nodes_;
    std::vector<const Node*> slots_;
    std::map<std::pair<std::string, Int>, std::vector<std::int32_t>> orders_;
    DrawOrder draw_;
    std::uint8_t turns_[64];

    static std::size_t mix(const Node* below, std::uint8_t card) {
        std::uint64_t both = (std::uint64_t(below->number) << 8 | card) * 0x9E3779B97F4A7C15u;
        return both >> 29;
    }
    void widen() {
        slots_.assign(slots_.size() * 2, nullptr);
        std::size_t mask = slots_.size() - 1;
        for (const Node& node : nodes_) {
            std::size_t slot = mix(node.below, node.card) & mask;
            while (slots_[slot]) slot = (slot + 1) & mask;
            slots_[slot] = &node;
        }
    }

public:
    /// `turns` is the order by card in which cards can go home.
    Deal(const std::uint8_t* turns, DrawOrder draw) : slots_(1024, nullptr), draw_(draw) {
        std::copy(turns, turns + 64, turns_);
    }
    Deal(const Deal&) = delete;

    /// How many cards must go home before this one on its foundation.
    std::uint8_t turn(Int card) const { return turns_[card & FACE]; }

    /// The pile with one more card on top.
    Pile lay(Pile pile, std::uint8_t card) {
        const Node* below = pile.top;
        std::size_t mask = slots_.size() - 1, slot = mix(below, card) & mask;
        for (; slots_[slot]; slot = (slot + 1) & mask)
            if (slots_[slot]->below == below && slots_[slot]->card == card) return {slots_[slot]};
        require(below->size < 255, "a pile has more than 255 cards");
        std::uint8_t turn = turns_[card & FACE];
        bool is_blocked = turn > below->first;
        nodes_.push_back({below, std::uint32_t(nodes_.size() + 1), std::uint16_t(below->size + 1),
                          std::uint16_t(below->blocked + 2 * is_blocked + (card & DOWN ? 1 : 0)), card,
                          below->size ? below->bottom : card, is_blocked ? below->first : turn});
        slots_[slot] = &nodes_.back();
        if (nodes_.size() * 2 > slots_.size()) widen();
        return {&nodes_.back()};
    }
    const std::vector<std::int32_t>& order(const std::string& label, Int count) {
        auto [found, is_new] = orders_.try_emplace({label, count});
        if (is_new) {
            found->second.resize(count);
            draw_(label.c_str(), std::int32_t(count), found->second.data());
        }
        return found->second;
    }
};

/// A position for reading: its piles and counters lie elsewhere.
struct Position {
    Pile* piles;
    std::int32_t* counters;
};

/// A position that is being changed; `before` holds the piles before the move.
struct Table : Position {
    const Pile* before;
    const bool* face_down;
    Deal& deal;

    std::uint8_t laid(Int card, Int target) const { return face_down[target] ? card | DOWN : card & FACE; }

    void move(Int source, Int target, Int count = 1) {
        require(count > 0 && count <= piles[source].size() && source != target, "cards cannot move so");
        std::uint8_t moved[256];
        const Node* node = piles[source].top;
        for (Int place = count; place > 0; node = node->below) moved[--place] = node->card;
        piles[source] = {node};
        for (Int place = 0; place < count; place++) piles[target] = deal.lay(piles[target], laid(moved[place], target));
    }
    void turn(Int pile, Int place = -1, bool up = true) {
        List<Int> all = cards(piles[pile]);
        if (place < 0) place += all.size();
        if (((all[place] & DOWN) != 0) != up) return;
        Pile turned;
        for (Int at = 0; at < all.size(); at++) turned = deal.lay(turned, at == place ? all[at] ^ DOWN : all[at]);
        piles[pile] = turned;
    }
    void exchange(Int first, Int second) {
        const Node *one = piles[first].top, *other = piles[second].top;
        require(one->size && other->size && first != second, "no two cards to exchange");
        piles[first] = deal.lay({one->below}, laid(other->card, first));
        piles[second] = deal.lay({other->below}, laid(one->card, second));
    }
    void set_counter(Int counter, Int value) { counters[counter] = std::int32_t(value); }

    template <class Indices>
    List<Int> gather(const Indices& indices) const {
        List<Int> all;
        for (Int pile : indices)
            for (Int card : cards(piles[pile])) all.add(card);
        return all;
    }
    template <class Indices, class Sizes>
    void lay_out(const Indices& indices, const Sizes& sizes, const List<Int>& all) {
        Int next = 0, number = 0;
        for (Int pile : indices) {
            Pile made;
            for (Int left = *(sizes.begin() + number++); left > 0; left--) made = deal.lay(made, laid(all[next++], pile));
            piles[pile] = made;
        }
        require(next == all.size(), "the sizes do not fit the cards");
    }
    template <class Indices, class Sizes>
    void redeal(const Indices& indices, const Sizes& sizes) { lay_out(indices, sizes, gather(indices)); }
    template <class Indices, class Sizes>
    void redeal_reversed(const Indices& indices, const Sizes& sizes) {
        List<Int> all = gather(indices);
        std::reverse(all.begin(), all.end());
        lay_out(indices, sizes, all);
    }
    template <class Indices, class Sizes, class Order>
    void redeal_in(const Indices& indices, const Sizes& sizes, const Order& order) {
        List<Int> all = gather(indices), ordered;
        for (Int place : order) ordered.add(all[place]);
        lay_out(indices, sizes, ordered);
    }
    template <class Indices, class Sizes>
    void shuffle(const Indices& indices, const Sizes& sizes, const std::string& label) {
        Int count = 0;
        for (Int pile : indices) count += piles[pile].size();
        redeal_in(indices, sizes, deal.order(label, count));
    }
};

}  // namespace cadogan
