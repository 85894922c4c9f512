/* The library that missing_library.so needs. */
__attribute__((visibility("default"))) int left_behind(void);
int left_behind(void) {
    return 1;
}
