/* Stands for the other runtime of OpenMP. */
__attribute__((visibility("default"))) int faulty_iomp(void);
int faulty_iomp(void) {
    return 1;
}
