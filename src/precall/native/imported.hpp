// What the kernel needs of Python modules.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>

namespace precall {

// Something of a module, found once and kept. Without a lock: importing may let another thread of Python run, which
// would wait for the lock while this one waits for it.
class Imported {
  public:
    constexpr Imported(const char* module, const char* name) : module_(module), name_(name) {}
    PyObject* get() {
        PyObject* known = kept_.load();
        if (known != nullptr) return known;
        nanobind::object object = nanobind::module_::import_(module_).attr(name_);
        // Whoever was first, it is the same object.
        if (kept_.compare_exchange_strong(known, object.ptr())) known = object.release().ptr();
        return known;
    }

  private:
    const char *const module_, *const name_;
    std::atomic<PyObject*> kept_{nullptr};
};

}  // namespace precall
