/* Stands for one runtime of OpenMP. */
__attribute__((visibility("default"))) int faulty_gomp(void);
int faulty_gomp(void) {
    return 1;
}
