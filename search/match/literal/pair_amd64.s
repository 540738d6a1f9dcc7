#include "go_asm.h"
#include "textflag.h"

// func pairAVX2(text *byte, n int, p *pair) int
//
// SI, R8, R9  where first, second and third stand for position 0
// AX          position of the step at hand: 64 of them, in two registers of 32
// R10         position of the last step, n-64
// Y0 to Y5    value and mask of first, second, third, each in all 32 bytes
// Y6, Y7      FF in each byte whose position has what was asked for so far
TEXT ·pairAVX2(SB), NOSPLIT, $0-32
	MOVQ text+0(FP), SI
	MOVQ n+8(FP), R10
	MOVQ p+16(FP), DI
	MOVQ pair_gap(DI), R8
	MOVQ pair_thirdGap(DI), R9
	ADDQ SI, R8
	ADDQ SI, R9
	VPBROADCASTB (pair_first+class_value)(DI), Y0
	VPBROADCASTB (pair_first+class_mask)(DI), Y1
	VPBROADCASTB (pair_second+class_value)(DI), Y2
	VPBROADCASTB (pair_second+class_mask)(DI), Y3
	VPBROADCASTB (pair_third+class_value)(DI), Y4
	VPBROADCASTB (pair_third+class_mask)(DI), Y5
	SUBQ $64, R10
	XORL AX, AX

step: // first and second at once: byte | mask == value
	VPOR     (SI)(AX*1), Y1, Y6
	VPOR     32(SI)(AX*1), Y1, Y7
	VPOR     (R8)(AX*1), Y3, Y8
	VPOR     32(R8)(AX*1), Y3, Y9
	VPCMPEQB Y0, Y6, Y6
	VPCMPEQB Y0, Y7, Y7
	VPCMPEQB Y2, Y8, Y8
	VPCMPEQB Y2, Y9, Y9
	VPAND    Y8, Y6, Y6
	VPAND    Y9, Y7, Y7
	VPOR     Y6, Y7, Y8
	VPTEST   Y8, Y8
	JNZ      third

next: // the last step may overlap the one before: nothing was found there
	CMPQ    AX, R10
	JEQ     none
	ADDQ    $64, AX
	CMPQ    AX, R10
	CMOVQGT R10, AX
	JMP     step

third: // of the positions found, those with the third byte: one bit each in DX
	VPOR      (R9)(AX*1), Y5, Y8
	VPOR      32(R9)(AX*1), Y5, Y9
	VPCMPEQB  Y4, Y8, Y8
	VPCMPEQB  Y4, Y9, Y9
	VPAND     Y8, Y6, Y6
	VPAND     Y9, Y7, Y7
	VPMOVMSKB Y6, DX
	VPMOVMSKB Y7, BX
	SHLQ      $32, BX
	ORQ       BX, DX
	JZ        next
	BSFQ      DX, DX
	ADDQ      DX, AX
	VZEROUPPER
	MOVQ      AX, ret+24(FP)
	RET

none:
	ADDQ $64, AX
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET
