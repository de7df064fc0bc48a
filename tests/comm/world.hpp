#pragma once

#include <rondo/comm/comm.hpp>

#include <exception>
#include <functional>
#include <string>
#include <typeinfo>

namespace rondo::comm {

/// The text of the exception of kind `Kind` that `work` throws, or what happened instead.
template <class Kind>
std::string message_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const Kind& error) {
        return error.what();
    } catch (const std::exception& error) {
        return std::string{"another kind: "} + typeid(error).name() + ": " + error.what();
    }
    return "no exception";
}

} // namespace rondo::comm
