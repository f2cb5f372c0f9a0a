#include "file.hpp"

#include <algorithm>

namespace precall {

namespace {

// What is looked at in search of a line's end; lines are short.
constexpr std::size_t WINDOW = 512;
constexpr std::size_t WIDEST = std::size_t{1} << 20;

std::size_t find_line_end(std::string_view text, std::size_t from) {
    const std::size_t end = text.find('\n', from);
    return end == std::string_view::npos ? end : end + 1;
}

}  // namespace

File::File(const FileName& name) {
    open_.emplace(name);
    const bool regular = open_->is_regular();
    if (regular) {
        state_ = open_->state();
        // What is written meanwhile is a change, too.
        wait_for_tick(state_);
        if (state_.size > 0) {
            size_ = static_cast<std::size_t>(state_.size);
            open_->will_be_read();
            return;
        }
    }
    // Files of /proc claim to be empty; reading tells the truth about them.
    read_all();
    if (regular) check_unchanged();
    open_.reset();
}

void File::read_all() {
    std::size_t size = 0;
    for (;;) {
        if (content_.size() - size < (1u << 16)) content_.resize(content_.size() * 2 + (1u << 17));
        const std::size_t count = open_->read(content_.data() + size, content_.size() - size);
        if (count == 0) break;
        size += count;
    }
    content_.resize(size);
    text_ = content_;
    size_ = size;
}

std::string_view File::piece(std::size_t begin, std::size_t end, Column<char>& room) const {
    if (!open_) return text_.substr(begin, end - begin);
    const std::size_t size = end - begin;
    room.ensure(size);
    for (std::size_t at = 0; at < size;) {
        const std::size_t count = open_->read_at(room.data() + at, size - at, begin + at);
        if (count == 0) throw FileChanged();
        at += count;
    }
    return {room.data(), size};
}

std::size_t File::line_end(std::size_t from) const {
    if (!open_) return std::min(find_line_end(text_, from), size_);
    Column<char> room;
    for (std::size_t width = WINDOW; from < size_; from += width, width = std::min(2 * width, WIDEST)) {
        const std::size_t end = find_line_end(piece(from, std::min(from + width, size_), room), 0);
        if (end != std::string_view::npos) return from + end;
    }
    return size_;
}

void File::check_unchanged() const {
    if (open_ && open_->state() != state_) throw FileChanged();
}

}  // namespace precall
