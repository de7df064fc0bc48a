#include "model/absorption.hpp"

RONDO_MODEL(rondo::model::Absorbed)
