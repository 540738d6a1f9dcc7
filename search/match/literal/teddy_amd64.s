#include "go_asm.h"
#include "textflag.h"

// func teddyAVX2(text *byte, n int, t *[3]nibbles) int
//
// SI        text
// AX        position of the step at hand: 32 of them, one a byte
// R10       position of the last step, n-32
// Y0 to Y5  tables of the low and the high nibble, for each of the three bytes
// Y6        0F in each byte
// Y7        buckets left of each position
TEXT ·teddyAVX2(SB), NOSPLIT, $0-32
	MOVQ text+0(FP), SI
	MOVQ n+8(FP), R10
	MOVQ t+16(FP), DI
	VBROADCASTI128 (0*nibbles__size+nibbles_low)(DI), Y0
	VBROADCASTI128 (0*nibbles__size+nibbles_high)(DI), Y1
	VBROADCASTI128 (1*nibbles__size+nibbles_low)(DI), Y2
	VBROADCASTI128 (1*nibbles__size+nibbles_high)(DI), Y3
	VBROADCASTI128 (2*nibbles__size+nibbles_low)(DI), Y4
	VBROADCASTI128 (2*nibbles__size+nibbles_high)(DI), Y5
	MOVL $0x0F0F0F0F, DX
	VMOVD DX, X6
	VPBROADCASTD X6, Y6
	SUBQ $32, R10
	XORL AX, AX

step: // the bytes at each position and at the two after it
	VMOVDQU (SI)(AX*1), Y7
	VMOVDQU 1(SI)(AX*1), Y9
	VMOVDQU 2(SI)(AX*1), Y11

	// their nibbles
	VPSRLW $4, Y7, Y8
	VPSRLW $4, Y9, Y10
	VPSRLW $4, Y11, Y12
	VPAND  Y6, Y7, Y7
	VPAND  Y6, Y8, Y8
	VPAND  Y6, Y9, Y9
	VPAND  Y6, Y10, Y10
	VPAND  Y6, Y11, Y11
	VPAND  Y6, Y12, Y12

	// the buckets of each nibble, and those that all six have
	VPSHUFB Y7, Y0, Y7
	VPSHUFB Y8, Y1, Y8
	VPSHUFB Y9, Y2, Y9
	VPSHUFB Y10, Y3, Y10
	VPSHUFB Y11, Y4, Y11
	VPSHUFB Y12, Y5, Y12
	VPAND   Y8, Y7, Y7
	VPAND   Y10, Y9, Y9
	VPAND   Y12, Y11, Y11
	VPAND   Y9, Y7, Y7
	VPAND   Y11, Y7, Y7
	VPTEST  Y7, Y7
	JNZ     found

	// the last step may overlap the one before: nothing was found there
	CMPQ    AX, R10
	JEQ     none
	ADDQ    $32, AX
	CMPQ    AX, R10
	CMOVQGT R10, AX
	JMP     step

found: // the first byte that isn't 0
	VPXOR     Y8, Y8, Y8
	VPCMPEQB  Y8, Y7, Y7
	VPMOVMSKB Y7, DX
	NOTL      DX
	BSFL      DX, DX
	ADDQ      DX, AX
	VZEROUPPER
	MOVQ      AX, ret+24(FP)
	RET

none:
	ADDQ $32, AX
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET
