// Lists, tuples and values that may be missing: what the translated Python works with.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cadogan {

using Int = std::int64_t;

/// What Python would raise an exception for: the search ends, and Python searches the deal instead.
struct Broken : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void require(bool holds, const char* what) {
    if (!holds) throw Broken(what);
}

#ifdef CADOGAN_CHECKED
inline void check(bool holds, const char* what) { require(holds, what); }
#else
inline void check(bool, const char*) {}
#endif

/// A list whose first few items need no memory of their own.
template <class T>
class List {
    static constexpr int OWN = sizeof(T) > 64 ? 2 : 16;
    T own_[OWN];
    std::unique_ptr<T[]> more_;
    int size_ = 0, room_ = OWN;

    T* data() { return more_ ? more_.get() : own_; }
    const T* data() const { return more_ ? more_.get() : own_; }

public:
    using Item = T;
    List() {}
    List(std::initializer_list<T> items) {
        for (const T& item : items) add(item);
    }
    template <class Other, class = typename Other::Item>
    explicit List(const Other& other) {
        for (const auto& item : other) add(T(item));
    }
    List(const List& other) {
        for (const T& item : other) add(item);
    }
    List(List&& other) noexcept : more_(std::move(other.more_)), size_(other.size_), room_(other.room_) {
        if (!more_) std::move(other.own_, other.own_ + size_, own_);
        other.size_ = 0;
        other.room_ = OWN;
    }
    List& operator=(const List& other) {
        if (this != &other) {
            size_ = 0;
            for (const T& item : other) add(item);
        }
        return *this;
    }
    List& operator=(List&& other) noexcept {
        if (this == &other) return *this;
        more_ = std::move(other.more_);
        size_ = other.size_;
        room_ = other.room_;
        if (!more_) std::move(other.own_, other.own_ + size_, own_);
        other.size_ = 0;
        other.room_ = OWN;
        return *this;
    }
    void add(const T& item) {
        if (size_ == room_) {
            std::unique_ptr<T[]> wider(new T[room_ * 2]);
            std::move(data(), data() + size_, wider.get());
            more_ = std::move(wider);
            room_ *= 2;
        }
        data()[size_++] = item;
    }
    T* begin() { return data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }
    Int size() const { return size_; }
    /// As in Python, -1 is the last item.
    const T& operator[](Int at) const {
        if (at < 0) at += size_;
        require(at >= 0 && at < size_, "an index lies outside its list");
        return data()[at];
    }
};

/// A tuple of numbers whose length is known.
template <int N>
struct Tuple {
    using Item = Int;
    Int items[N];
    const Int* begin() const { return items; }
    const Int* end() const { return items + N; }
    Int* begin() { return items; }
    Int* end() { return items + N; }
    Int size() const { return N; }
    Int operator[](Int at) const {
        if (at < 0) at += N;
        check(at >= 0 && at < N, "an index lies outside its tuple");
        return items[at];
    }
    bool operator==(const Tuple& other) const { return std::equal(begin(), end(), other.begin()); }
};

/// A value, or Python's None.
template <class T>
struct Maybe {
    bool has = false;
    T value{};
    Maybe() {}
    Maybe(const T& given) : has(true), value(given) {}
    const T& operator*() const {
        require(has, "None has no value");
        return value;
    }
};

inline bool truthy(bool value) { return value; }
inline bool truthy(Int value) { return value != 0; }
template <class T>
bool truthy(const List<T>& list) { return list.size() > 0; }
template <int N>
bool truthy(const Tuple<N>&) { return true; }
template <class T>
bool truthy(const Maybe<T>& maybe) { return maybe.has && truthy(maybe.value); }

/// Item `at` of a constant table; the translator asks only for places that exist, which the checked build verifies.
template <class T, std::size_t N>
const T& at(const T (&table)[N], Int place) {
    check(place >= 0 && place < Int(N), "an index lies outside its table");
    return table[place];
}

/// The place of `key` in a table for the keys from `first`, whose last place stands for every other key.
inline Int place_of(Int key, Int first, Int count) { return key < first || key >= first + count ? count : key - first; }

inline bool is_between(Int number, Int least, Int most) { return number >= least && number <= most; }

inline Int modulo(Int one, Int other) {
    require(other != 0, "a division by zero");
    Int rest = one % other;
    return rest && (rest < 0) != (other < 0) ? rest + other : rest;
}
inline Int divide(Int one, Int other) { return (one - modulo(one, other)) / other; }

template <class A, class B>
bool equal(const A& one, const B& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end());
}
template <class A>
bool contains(const A& items, const typename A::Item& wanted) {
    return std::find(items.begin(), items.end(), wanted) != items.end();
}
template <class A>
Int count_of(const A& items, const typename A::Item& wanted) { return std::count(items.begin(), items.end(), wanted); }
template <class A>
Int index_of(const A& items, const typename A::Item& wanted) {
    auto found = std::find(items.begin(), items.end(), wanted);
    require(found != items.end(), "the item is not in the list");
    return found - items.begin();
}
template <class A>
A sorted(A items) {
    std::sort(items.begin(), items.end());
    return items;
}
template <class T>
List<T> distinct(const List<T>& items) {
    List<T> kept, ordered = sorted(items);
    for (const T& item : ordered)
        if (!kept.size() || !(kept[-1] == item)) kept.add(item);
    return kept;
}
template <class T>
List<T> joined(List<T> one, const List<T>& other) {
    for (const T& item : other) one.add(item);
    return one;
}
template <class T>
List<T> repeated(const List<T>& items, Int times) {
    List<T> all;
    for (Int turn = 0; turn < times; turn++)
        for (const T& item : items) all.add(item);
    return all;
}
template <class T>
List<T> slice(const List<T>& items, Int from, Int to) {
    Int size = items.size();
    if (from < 0) from = std::max<Int>(0, from + size);
    if (to < 0) to += size;
    List<T> part;
    for (Int place = from; place < std::min(to, size); place++) part.add(items[place]);
    return part;
}

}  // namespace cadogan
