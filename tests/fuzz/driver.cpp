// A fuzzer for compilers without one: the corpus first, then changed copies of it until time is up.
//
//     driver SECONDS CORPUS-FOLDER [SEED]
//
// The same seed makes the same inputs in the same order. An input that breaks something is left in
// the file `broken-input` of the current folder, or `broken-input-$TARGET`.
#if !defined(_WIN32)
#include <sanitizer/common_interface_defs.h>
#endif

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::string current;

void save() {
    const char* target = std::getenv("TARGET");
    const std::string name = target ? std::string("broken-input-") + target : "broken-input";
    std::ofstream(name, std::ios::binary) << current;
    std::fprintf(stderr, "the input is in %s (%zu bytes)\n", name.c_str(), current.size());
}

void attempt(const std::string& input) {
    current = input;
    // A copy of its own, so that the sanitizer sees any step beyond its end.
    const std::vector<std::uint8_t> bytes(input.begin(), input.end());
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

const std::vector<std::string> WORDS = {"\n",
                                        "\r\n",
                                        " ",
                                        "\t",
                                        "#",
                                        std::string(1, '\0'),
                                        "\xEF\xBB\xBF",
                                        "\x1e",
                                        "\xC3\xA9",
                                        "\xED\xA0\x80",
                                        "\xF4\x90\x80\x80",
                                        "\xFF",
                                        "1e309",
                                        "-1e-400",
                                        "inf",
                                        "-Infinity",
                                        "nan",
                                        "0x1p3",
                                        "1,5",
                                        "1_0",
                                        ".",
                                        "-",
                                        "+",
                                        "1.",
                                        ".5",
                                        "2147483648",
                                        "-2147483648",
                                        "99999999999999999999",
                                        "12345678",
                                        "1.7976931348623159e308",
                                        "4.9e-324",
                                        "0.1e",
                                        "t Q0 d 1 2.5 x\n",
                                        "t 0 d 1\n",
                                        "t,d,1\n",
                                        "\"",
                                        "{\"topic\": \"t\", \"item\": \"d\", \"score\": 1}\n",
                                        "t 0 d 2\n",
                                        std::string(70, 'q'),
                                        std::string(300, ' ')};

class Changer {
  public:
    explicit Changer(std::uint64_t seed) : random_(seed) {}

    std::string changed(const std::vector<std::string>& corpus) {
        std::string text = corpus[below(corpus.size())];
        for (std::size_t count = 1 + below(4); count > 0; --count) change(text, corpus[below(corpus.size())]);
        return text.substr(0, 1 << 16);
    }

  private:
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : static_cast<std::size_t>(random_() % limit); }

    void change(std::string& text, const std::string& other) {
        const std::size_t at = below(text.size() + 1), size = below(text.size() - at + 1);
        switch (below(7)) {
            case 0:
                if (at < text.size()) text[at] = static_cast<char>(random_());
                break;
            case 1: text.insert(at, WORDS[below(WORDS.size())]); break;
            case 2: text.erase(at, below(2) == 0 ? 1 : size); break;
            case 3: text.insert(below(text.size() + 1), text.substr(at, size)); break;
            case 4: text.replace(at, size, other, below(other.size() + 1), below(200)); break;
            case 5:
                if (!text.empty()) text[0] = static_cast<char>(random_());
                break;
            default:
                if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        }
    }

    std::mt19937_64 random_;
};

std::vector<std::string> read_corpus(const std::string& folder) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> corpus{std::string()};
    for (const auto& path : paths) {
        std::ifstream file(path, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return corpus;
}

}  // namespace

int main(int count, char** argument) {
    if (count < 3) return 2;
    const std::chrono::seconds limit(std::atoll(argument[1]));
    const std::vector<std::string> corpus = read_corpus(argument[2]);
#if !defined(_WIN32)
    __sanitizer_set_death_callback(save);
#endif
    std::signal(SIGABRT, [](int) {
        save();
        std::_Exit(1);
    });
    for (const std::string& input : corpus) attempt(input);
    Changer changer(count > 3 ? std::strtoull(argument[3], nullptr, 10) : 1);
    const auto begin = std::chrono::steady_clock::now();
    long long tried = 0;
    for (; std::chrono::steady_clock::now() - begin < limit; ++tried) attempt(changer.changed(corpus));
    std::printf("%zu inputs of the corpus and %lld changed ones: nothing broke\n", corpus.size(), tried);
}
