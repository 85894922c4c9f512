// A library, but no plugin.
extern "C" [[gnu::visibility("default")]] const int some_other_symbol = 1;
