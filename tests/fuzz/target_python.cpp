// What Python gives to the kernel: the interpreter lies within this program, beside the instrumented kernel. The module
// $TARGET (dicts.py, capsules.py, records.py, twins.py) makes of the input's bytes what is read.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstdint>
#include <cstdlib>

extern "C" PyObject* PyInit__kernel();

namespace {

void demand_object(const void* object) {
    if (object != nullptr) return;
    PyErr_Print();
    std::abort();
}

// Python's own allocator would hide from the sanitizer what is used after it was freed: run.sh asks for malloc().
PyObject* function() {
    PyImport_AppendInittab("_kernel", &PyInit__kernel);
    Py_InitializeEx(0);
    PyObject* const module = PyImport_ImportModule(std::getenv("TARGET"));
    demand_object(module);
    PyObject* const found = PyObject_GetAttrString(module, "one_input");
    demand_object(found);
    return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static PyObject* const one_input = function();
    // "y#" makes None of no address.
    const char* const bytes = size == 0 ? "" : reinterpret_cast<const char*>(data);
    PyObject* const result = PyObject_CallFunction(one_input, "y#", bytes, static_cast<Py_ssize_t>(size));
    demand_object(result);
    Py_DECREF(result);
    return 0;
}
