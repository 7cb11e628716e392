#include "search.hpp"

namespace cadogan {

namespace {

constexpr Int FIRST_TURN_NODES = 250, STEP_NODES = 10;
constexpr int LATE_TURNS = 5;
constexpr Int WIDE_BEAM_SHARE = 4, NESTED_SHARE = 3, PROVING_SHARE = 9;
constexpr std::size_t FIRST_WIDTH = 4, WIDE_BEAM_WIDTH = 256;

class BestFirst : public Search {
    struct Entry {
        double value;
        Int number;
        Position position;
        const Trail* before;
        bool operator<(const Entry& other) const {
            return value != other.value ? value > other.value : number > other.number;
        }
    };
    Problem& problem_;
    const double blocked_cost_;
    KnownPositions known_;
    std::priority_queue<Entry> frontier_;

public:
    BestFirst(Problem& problem, double blocked_cost)
        : problem_(problem), blocked_cost_(blocked_cost), known_(problem.key_words()) {
        known_.add(problem.key(problem.start));
        frontier_.push({0.0, 0, problem.positions.copy(problem.start), nullptr});
    }
    std::size_t held() const override { return known_.size(); }
    Outcome run(Int more) override {
        for (; more > 0; more--) {
            if (frontier_.empty()) return Outcome::lost;
            Entry entry = frontier_.top();
            frontier_.pop();
            nodes++;
            std::uint32_t length = entry.before ? entry.before->length + 1 : 1;
            for (const Move& move : problem_.successors(entry.position)) {
                const Position& after = problem_.after(entry.position, move);
                if (!known_.add(problem_.key(after))) continue;
                deepest = std::max(deepest, length);
                const Trail* trail = problem_.trail(entry.before, move, length);
                double progress = problem_.progress(after);
                if (problem_.is_won(after, progress)) {
                    line = trail;
                    return Outcome::won;
                }
                double value = blocked_cost_ * problem_.blocked(after) - progress;
                frontier_.push({value, -Int(known_.size()), problem_.positions.copy(after), trail});
            }
            problem_.positions.release(entry.position);
        }
        return frontier_.empty() ? Outcome::lost : Outcome::none;
    }
};

class Beam : public Search {
    static constexpr int LEVELS_WITHOUT_GAIN = 150;
    struct Candidate {
        double value;
        Int number;
        double progress;
        Position position;
        const Trail* trail;
        bool operator<(const Candidate& other) const {
            return value != other.value ? value > other.value : number > other.number;
        }
    };
    Problem& problem_;
    const std::vector<double> blocked_costs_;
    const double choice_worth_;
    KnownPositions known_;
    std::vector<Candidate> level_, found_;
    std::size_t width_, cost_ = 0, next_ = 0;
    double best_ = 0;
    int stale_ = 0;
    bool is_begun_ = false, has_dropped_ = true;

    void release(std::vector<Candidate>& candidates) {
        for (const Candidate& one : candidates) problem_.positions.release(one.position);
        candidates.clear();
    }
    void begin() {
        known_.clear();
        known_.add(problem_.key(problem_.start));
        level_.push_back({0.0, 0, 0.0, problem_.positions.copy(problem_.start), nullptr});
        best_ = problem_.estimate(problem_.start);
        stale_ = 0;
        has_dropped_ = false;
        is_begun_ = true;
        next_ = 0;
    }
    /// Replace the level by the best of what was found. False if the beam ends.
    bool end_level() {
        has_dropped_ = has_dropped_ || found_.size() > width_;
        release(level_);
        next_ = 0;
        if (found_.size() > width_) {
            std::nth_element(found_.begin(), found_.begin() + std::ptrdiff_t(width_), found_.end());
            level_.assign(found_.begin(), found_.begin() + std::ptrdiff_t(width_));
            found_.erase(found_.begin(), found_.begin() + std::ptrdiff_t(width_));
            release(found_);
        } else {
            level_.swap(found_);
        }
        std::sort(level_.begin(), level_.end());
        double progress = level_.empty() ? best_ : level_[0].progress;
        for (const Candidate& one : level_) progress = std::max(progress, one.progress);
        if (progress > best_) {
            best_ = progress;
            stale_ = 0;
        } else {
            stale_++;
        }
        if (stale_ > LEVELS_WITHOUT_GAIN) {
            has_dropped_ = true;
            release(level_);
        }
        return !level_.empty();
    }
    bool search(const Candidate& candidate) {
        std::uint32_t length = candidate.trail ? candidate.trail->length + 1 : 1;
        deepest = std::max(deepest, length);
        const Moves& moves = problem_.successors(candidate.position);
        const double worth = choice_worth_ * double(moves.size());
        for (const Move& move : moves) {
            const Position& after = problem_.after(candidate.position, move);
            if (!known_.add(problem_.key(after))) continue;
            const Trail* trail = problem_.trail(candidate.trail, move, length);
            double progress = problem_.progress(after);
            if (problem_.is_won(after, progress)) {
                line = trail;
                return true;
            }
            double value = progress - blocked_costs_[cost_] * problem_.blocked(after) + worth;
            found_.push_back({value, -Int(known_.size()), progress, problem_.positions.copy(after), trail});
        }
        return false;
    }

public:
    Beam(Problem& problem, std::vector<double> blocked_costs, double choice_worth, std::size_t first_width = FIRST_WIDTH)
        : problem_(problem),
          blocked_costs_(std::move(blocked_costs)),
          choice_worth_(choice_worth),
          known_(problem.key_words()),
          width_(first_width) {}
    std::size_t held() const override { return known_.size(); }
    Outcome run(Int more) override {
        for (; more > 0; more--) {
            if (!is_begun_) begin();
            while (next_ == level_.size()) {
                if (end_level()) break;
                if (!has_dropped_) return Outcome::lost;
                if (++cost_ == blocked_costs_.size()) {
                    cost_ = 0;
                    width_ *= 4;
                }
                begin();
            }
            nodes++;
            if (search(level_[next_++])) return Outcome::won;
        }
        return Outcome::none;
    }
};

class Restarts : public Search {
    static constexpr std::uint32_t FIRST_MOVES = 500;
    struct Choice {
        Move move;
        Position position;
        double worth;
    };
    Problem& problem_;
    const double blocked_cost_;
    KnownPositions known_;
    std::vector<Choice> choices_;
    Position position_;
    const Trail* trail_ = nullptr;
    double value_ = 0;
    std::uint32_t limit_ = FIRST_MOVES, length_ = 0;
    std::uint64_t number_ = 1;

    void begin() {
        known_.clear();
        known_.add(problem_.key(problem_.start));
        problem_.positions.assign(position_, problem_.start);
        trail_ = nullptr;
        value_ = problem_.progress(position_) - blocked_cost_ * problem_.blocked(position_);
        length_ = 1;
    }
    void drop_choices() {
        for (const Choice& one : choices_) problem_.positions.release(one.position);
        choices_.clear();
    }
    /// Make the move that follows the last searched node, or end the game.
    void go_on() {
        bool is_stuck = choices_.empty();
        if (!is_stuck) {
            number_ = number_ * FACTOR % MODULUS;
            const Choice& chosen = choices_[number_ % choices_.size()];
            trail_ = problem_.trail(trail_, chosen.move, length_);
            problem_.positions.assign(position_, chosen.position);
            value_ = chosen.worth;
            known_.add(problem_.key(position_));
            deepest = std::max(deepest, length_);
            drop_choices();
        }
        if (is_stuck || ++length_ >= limit_) {
            limit_++;
            begin();
        }
    }

public:
    Restarts(Problem& problem, double blocked_cost)
        : problem_(problem), blocked_cost_(blocked_cost), known_(problem.key_words()), position_(problem.positions.make()) {}
    std::size_t held() const override { return known_.size(); }
    Outcome run(Int more) override {
        for (; more > 0; more--) {
            if (nodes)
                go_on();
            else
                begin();
            nodes++;
            double best = value_;
            for (const Move& move : problem_.successors(position_)) {
                const Position& after = problem_.after(position_, move);
                if (known_.has(problem_.key(after))) continue;
                double progress = problem_.progress(after);
                if (problem_.is_won(after, progress)) {
                    line = problem_.trail(trail_, move, length_);
                    deepest = std::max(deepest, length_);
                    return Outcome::won;
                }
                double worth = progress - blocked_cost_ * problem_.blocked(after);
                if (worth > best) {
                    best = worth;
                    drop_choices();
                }
                if (worth == best || best == value_) choices_.push_back({move, problem_.positions.copy(after), worth});
            }
        }
        return Outcome::none;
    }
};

}  // namespace

Solve::Solve(const Rules& rules, const std::uint8_t* sizes, const std::uint8_t* cards, const std::int32_t* counters,
             const std::uint8_t* turns, DrawOrder draw, Int budget, Int most_held, int version)
    : problem_(rules, sizes, cards, counters, turns, draw, version),
      budget_(budget),
      most_held_(most_held),
      turn_(FIRST_TURN_NODES) {
    if (problem_.is_won(problem_.start, problem_.progress(problem_.start))) {
        verdict = won;
        return;
    }
    if (problem_.is_hopeless(problem_.start)) {
        verdict = lost;
        return;
    }
    searches_.push_back(std::make_unique<BestFirst>(problem_, 0.5));
    searches_.push_back(std::make_unique<Beam>(problem_, std::vector<double>{0.5}, 0.05));
    searches_.push_back(std::make_unique<Restarts>(problem_, 0.25));
    turn_end_ = std::min(turn_, budget_);
    if (budget_ <= 0) verdict = unknown;
}

void Solve::add_late_searches() {
    if (problem_.version >= 6) {
        searches_.push_back(std::make_unique<Beam>(problem_, std::vector<double>{0.0, 1.0}, 0.05, WIDE_BEAM_WIDTH));
        searches_.back()->share = WIDE_BEAM_SHARE;
    }
    if (problem_.version >= 7) {
        searches_.push_back(make_nested_rollouts(problem_));
        searches_.back()->share = NESTED_SHARE;
    }
    if (problem_.has_proofs()) searches_[0]->share = PROVING_SHARE;
}

Solve::Verdict Solve::run(Int more) {
    const Int pause = searched + more;
    while (verdict == searching && searched < pause) {
        Search& search = *searches_[active_];
        const Int before = search.nodes;
        const Outcome outcome = search.run(std::min(STEP_NODES, turn_end_ - searched));
        searched += search.nodes - before;
        std::size_t held = 0;
        for (const auto& one : searches_) held += one->held();
        if (outcome != Outcome::none) {
            verdict = outcome == Outcome::won ? won : lost;
            line = search.line;
        } else if (Int(held) > most_held_) {
            verdict = unknown;
        } else if (searched >= turn_end_) {
            if (++active_ == searches_.size()) {
                active_ = 0;
                turn_ *= 2;
                if (turn_ == FIRST_TURN_NODES << LATE_TURNS) add_late_searches();
            }
            if (searched >= budget_) verdict = unknown;
            turn_end_ = std::min(searched + turn_ * searches_[active_]->share, budget_);
        }
    }
    return verdict;
}

Int Solve::deepest() const {
    std::uint32_t most = 0;
    for (const auto& one : searches_) most = std::max(most, one->deepest);
    return most;
}

}  // namespace cadogan
