/* void tune_gemm_trampoline(TrampolineFrame*): see trampoline.hpp, which gives the offsets.
 *
 * The frame's address is kept in thread-local memory during the call, for no register is sure to survive it.
 */
#if defined(__x86_64__) && defined(__ELF__)
    .set ENTRY, 0
    .set ARGUMENTS, 8
    .set CANARIES, 48
    .set KEPT_AFTER, 96
    .set RESULT, 144
    .set RFLAGS_AFTER, 152
    .set STACK, 160
    .set STACK_RESIDUE, 168
    .set OWN_STACK, 176
    .set MXCSR, 184
    .set MXCSR_AFTER, 188
    .set X87_CONTROL, 192
    .set X87_AFTER, 196
    .set IN_USE_AFTER, 224
    .set READS_IN_USE, 232
    .set OWN_MXCSR, 240
    .set OWN_X87_CONTROL, 244
    .set STACK_BEFORE, 248
    .set STACK_AFTER, 256
    .set CALLER_FRAME_CHANGED, 264
    .set PATTERN, 0xA5A5F00DA5A5F00D

    .section .tbss, "awT", @nobits
    .balign 8
current_frame:
    .zero 8

    .text
    .globl tune_gemm_trampoline
    .hidden tune_gemm_trampoline
    .type tune_gemm_trampoline, @function
tune_gemm_trampoline:
    pushq %rbx
    pushq %rbp
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    pushfq
    movq current_frame@gottpoff(%rip), %rax
    movq %rdi, %fs:(%rax)
    movq %rsp, OWN_STACK(%rdi)
    stmxcsr OWN_MXCSR(%rdi)
    fnstcw OWN_X87_CONTROL(%rdi)

    /* The stack: room for the words that stand for the caller's frame, and then the call. */
    movq STACK(%rdi), %rax
    testq %rax, %rax
    jnz 1f
    leaq -512(%rsp), %rax
    andq $-64, %rax
    subq STACK_RESIDUE(%rdi), %rax
1:  movq %rax, %rsp
    movq %rax, STACK_BEFORE(%rdi)
    movabsq $PATTERN, %rax
    movq %rax, 0(%rsp)
    movq %rax, 8(%rsp)
    movq %rax, 16(%rsp)
    movq %rax, 24(%rsp)

    fninit /* what this thread computed before is not to be laid to the function */
    ldmxcsr MXCSR(%rdi)
    fldcw X87_CONTROL(%rdi)
    movq %rdi, %r11
    movq CANARIES(%r11), %rbx
    movq CANARIES+8(%r11), %rbp
    movq CANARIES+16(%r11), %r12
    movq CANARIES+24(%r11), %r13
    movq CANARIES+32(%r11), %r14
    movq CANARIES+40(%r11), %r15
    movq ARGUMENTS(%r11), %rdi
    movq ARGUMENTS+8(%r11), %rsi
    movq ARGUMENTS+16(%r11), %rdx
    movq ARGUMENTS+24(%r11), %rcx
    movq ARGUMENTS+32(%r11), %r8
    movq %rax, %r9
    movq %rax, %r10
    call *ENTRY(%r11)

    movq current_frame@gottpoff(%rip), %rcx
    movq %fs:(%rcx), %rcx
    movq %rax, RESULT(%rcx)
    movq %rbx, KEPT_AFTER(%rcx)
    movq %rbp, KEPT_AFTER+8(%rcx)
    movq %r12, KEPT_AFTER+16(%rcx)
    movq %r13, KEPT_AFTER+24(%rcx)
    movq %r14, KEPT_AFTER+32(%rcx)
    movq %r15, KEPT_AFTER+40(%rcx)
    movq %rsp, STACK_AFTER(%rcx)
    movq OWN_STACK(%rcx), %rsp
    pushfq
    popq RFLAGS_AFTER(%rcx)
    cld
    stmxcsr MXCSR_AFTER(%rcx)
    fnstenv X87_AFTER(%rcx)

    movq STACK_BEFORE(%rcx), %rsi
    movabsq $PATTERN, %rdx
    movq 0(%rsi), %rax
    xorq %rdx, %rax
    movq 8(%rsi), %rdi
    xorq %rdx, %rdi
    orq %rdi, %rax
    movq 16(%rsi), %rdi
    xorq %rdx, %rdi
    orq %rdi, %rax
    movq 24(%rsi), %rdi
    xorq %rdx, %rdi
    orq %rdi, %rax
    movq %rax, CALLER_FRAME_CHANGED(%rcx)

    cmpl $0, READS_IN_USE(%rcx)
    je 2f
    movq %rcx, %rsi
    movl $1, %ecx
    xgetbv
    shlq $32, %rdx
    orq %rdx, %rax
    movq %rsi, %rcx
    movq %rax, IN_USE_AFTER(%rcx)
2:
    /* The thread's own state again; no x87 register stays in use. */
    fninit
    fldcw OWN_X87_CONTROL(%rcx)
    ldmxcsr OWN_MXCSR(%rcx)
    popfq
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbp
    popq %rbx
    ret
    .size tune_gemm_trampoline, . - tune_gemm_trampoline
#endif
#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
