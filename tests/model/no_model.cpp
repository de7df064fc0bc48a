extern "C" __attribute__((visibility("default"))) int something_else();
extern "C" int something_else() { return 1; }
