#include <rondo/app/run.hpp>

int main(int argc, char** argv) { return rondo::app::run({argv + 1, argv + argc}); }
