#include "retry.hpp"

namespace rondo::solve {

Setting setting_of(Method asked, int attempt) {
    switch (attempt) {
    case 0:
        return {asked, false};
    case 1:
        return {asked == Method::bdf ? Method::adams : Method::bdf, false};
    default:
        return {Method::bdf, true};
    }
}

} // namespace rondo::solve
