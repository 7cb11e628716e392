// cadogan.engine.solver.nested_rollouts, node for node.
#include "door.hpp"
#include "search.hpp"

namespace cadogan {

namespace {

constexpr std::size_t LEVELS = 2;
constexpr int ITERATIONS = 50;
constexpr std::uint32_t FIRST_MOVES = 500;
constexpr Int DOUBLE = 256, LEARNING = 64, CARD_WEIGHT = 256, BLOCKED_WEIGHT = 64, MOVES_WITHOUT_GAIN = 200;
constexpr Int NO_WORTH = INT64_MIN;

class NestedRollouts : public Search {
    /// A legal move of a game: the number that the policies know it by, and its bias.
    struct Option {
        std::uint32_t code;
        Int gain;
    };
    struct Step {
        std::size_t first, count, chosen;
    };
    /// A game up to its best position: its steps, whose options lie one after the other.
    struct Played {
        Int worth = NO_WORTH;
        std::vector<Step> steps;
        std::vector<Option> options;
    };
    using Policy = std::vector<Int>;
    struct Level {
        Policy policy;
        Played best;
        int iterations = 0;
    };
    struct Choice {
        Move move;
        Position position;
    };
    Problem& problem_;
    KnownPositions known_, codes_;
    /// The lowest level first.
    std::vector<Level> levels_;
    Played played_;
    std::vector<Choice> choices_;
    std::vector<Int> likelihoods_;
    Position position_;
    const Trail* trail_ = nullptr;
    Int worth_ = 0, stale_ = 0;
    std::size_t kept_ = 0;
    std::uint32_t length_ = 0;
    std::uint64_t number_ = 1;

    Int worth(const Position& position, double progress) const {
        return Int(double(CARD_WEIGHT) * progress) - Int(double(BLOCKED_WEIGHT) * problem_.blocked(position));
    }
    std::uint32_t code(const Move& move) {
        std::uint8_t known[20] = {};
        static_assert(sizeof(Move) == 11, "eight cards and one byte are left");
        std::memcpy(known, &move, sizeof move);
        for (int at = 0; at < move.count; at++) {
            Pile pile = position_.piles[move.piles[at]];
            Int place = move.verb == 0 && at == 0 ? -Int(move.cards) : -1;
            known[sizeof move + at] = pile ? std::uint8_t(pile[place] & FACE) : 0;
        }
        std::uint32_t key[5];
        std::memcpy(key, known, sizeof key);
        return codes_.number(key);
    }
    /// Compute how likely each move of a step is, and return the sum.
    Int weigh(const Policy& policy, const Played& played, const Step& step) {
        likelihoods_.clear();
        for (std::size_t at = step.first; at < step.first + step.count; at++) {
            const Option& option = played.options[at];
            likelihoods_.push_back((option.code < policy.size() ? policy[option.code] : 0) + option.gain);
        }
        const Int most = *std::max_element(likelihoods_.begin(), likelihoods_.end());
        Int sum = 0;
        for (Int& one : likelihoods_) {
            const Int less = most - one;
            one = less < 32 * DOUBLE ? POWERS[less % DOUBLE] >> less / DOUBLE : 0;
            sum += one;
        }
        return sum;
    }
    void adapt(Policy& policy, const Played& best) {
        policy.resize(codes_.size());
        Policy changed = policy;
        for (const Step& step : best.steps) {
            const Int sum = weigh(policy, best, step);
            for (std::size_t at = 0; at < step.count; at++)
                changed[best.options[step.first + at].code] -= LEARNING * likelihoods_[at] / sum;
            changed[best.options[step.first + step.chosen].code] += LEARNING;
        }
        policy.swap(changed);
    }
    void begin() {
        known_.clear();
        known_.add(problem_.key(problem_.start));
        problem_.positions.assign(position_, problem_.start);
        trail_ = nullptr;
        played_.steps.clear();
        played_.options.clear();
        worth_ = played_.worth = worth(position_, problem_.progress(position_));
        kept_ = 0;
        length_ = 1;
        stale_ = 0;
    }
    /// Let the levels learn from the game, and begin the next one.
    void end() {
        played_.steps.resize(kept_);
        const Played* played = &played_;
        std::size_t at = 0;
        for (; at < LEVELS; at++) {
            Level& level = levels_[at];
            if (played->worth >= level.best.worth) level.best = *played;
            adapt(level.policy, level.best);
            if (++level.iterations < ITERATIONS) break;
            played = &level.best;
        }
        if (at == LEVELS) codes_.clear();
        for (std::size_t below = 0; below < at; below++) {
            levels_[below].policy = at == LEVELS ? Policy() : levels_[at].policy;
            levels_[below].best.worth = NO_WORTH;
            levels_[below].iterations = 0;
        }
        begin();
    }
    /// Make the move that follows the last searched node, or end the game.
    void go_on() {
        if (choices_.empty()) return end();
        Step& step = played_.steps.back();
        const std::uint64_t sum = std::uint64_t(weigh(levels_[0].policy, played_, step));
        number_ = number_ * FACTOR % MODULUS;
        Int left = Int(number_ * sum / MODULUS);
        for (; left >= likelihoods_[step.chosen]; step.chosen++) left -= likelihoods_[step.chosen];
        const Choice& chosen = choices_[step.chosen];
        worth_ += played_.options[step.first + step.chosen].gain;
        trail_ = problem_.trail(trail_, chosen.move, length_);
        problem_.positions.assign(position_, chosen.position);
        known_.add(problem_.key(position_));
        deepest = std::max(deepest, length_);
        for (const Choice& one : choices_) problem_.positions.release(one.position);
        choices_.clear();
        stale_++;
        if (worth_ > played_.worth) {
            played_.worth = worth_;
            kept_ = played_.steps.size();
            stale_ = 0;
        }
        if (stale_ > MOVES_WITHOUT_GAIN || ++length_ >= FIRST_MOVES) end();
    }

public:
    explicit NestedRollouts(Problem& problem)
        : problem_(problem),
          known_(problem.key_words()),
          codes_(5),
          levels_(LEVELS),
          position_(problem.positions.make()) {}
    std::size_t held() const override { return known_.size(); }
    Outcome run(Int more) override {
        for (; more > 0; more--) {
            if (nodes)
                go_on();
            else
                begin();
            nodes++;
            Step step{played_.options.size(), 0, 0};
            for (const Move& move : problem_.successors(position_)) {
                const Position& after = problem_.after(position_, move);
                if (known_.has(problem_.key(after))) continue;
                double progress = problem_.progress(after);
                if (problem_.is_won(after, progress)) {
                    line = problem_.trail(trail_, move, length_);
                    deepest = std::max(deepest, length_);
                    return Outcome::won;
                }
                played_.options.push_back({code(move), worth(after, progress) - worth_});
                choices_.push_back({move, problem_.positions.copy(after)});
                step.count++;
            }
            if (step.count) played_.steps.push_back(step);
        }
        return Outcome::none;
    }
};

}  // namespace

std::unique_ptr<Search> make_nested_rollouts(Problem& problem) { return std::make_unique<NestedRollouts>(problem); }

}  // namespace cadogan
