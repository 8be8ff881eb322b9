// SPDX-License-Identifier: Apache-2.0
//
// Counter-based random numbers: threefry2x32, as JAX has it.

#ifndef SCANWEAVE_DIALECT_WEAVE_IR_WEAVERANDOMOPS_TD
#define SCANWEAVE_DIALECT_WEAVE_IR_WEAVERANDOMOPS_TD

include "scanweave/Dialect/Weave/IR/WeaveLoopOps.td"

class Weave_RandomOp<string mnemonic, list<Trait> traits = []>
    : Weave_Op<"random." # mnemonic, !listconcat([Pure], traits)> {
  let hasVerifier = 1;
}

def Weave_RandomKeyOp : Weave_RandomOp<"key"> {
  let summary = "a key from a seed";
  let description = [{
    The key's two words are the high and the low half of the seed; an i32 seed
    has a high half of 0.

        %key = weave.random.key %seed : i32 -> tensor<2xi32>

    Rules:
    * R1: a key is a `tensor<2xi32>`.
  }];
  let arguments = (ins AnyTypeOf<[I32, I64]>:$seed);
  let results = (outs RankedTensorOf<[I32]>:$key);
  let assemblyFormat = "$seed attr-dict `:` type($seed) `->` type($key)";
}

def Weave_RandomFoldInOp : Weave_RandomOp<"fold_in"> {
  let summary = "a key from a key and a number";
  let description = [{
    The two words of threefry2x32 of the counter (0, data) under the key. `data`
    is an i32, or an index taken modulo 2^32. Keys and data may be batched,
    either or both.

        %k = weave.random.fold_in %key, %lane : tensor<2xi32>, index -> tensor<2xi32>

    Rules:
    * R1: a key's last dimension is 2; the others are the batch dimensions, which
      keys and data that are both batched share. The result has them.
  }];
  let arguments = (ins RankedTensorOf<[I32]>:$key,
                       AnyTypeOf<[I32, Index, RankedTensorOf<[I32, Index]>],
                                 "i32, index or tensor of these">:$data);
  let results = (outs RankedTensorOf<[I32]>:$result);
  let assemblyFormat = "$key `,` $data attr-dict `:` type($key) `,` type($data) `->` type($result)";
}

/// The draws: one element per counter, so that any part of a draw can be made
/// without the rest of it. Rules:
/// * R1: the key has a last dimension of 2; its leading dimensions, if any, are
///   batch dimensions and equal the draw's leading ones.
/// * R2: there is one size per dynamic dimension of the result.
/// * R3: `strides` has one entry per dimension of the result after the batch dimensions.
/// * R4: the element type is one that the draw has.
class Weave_DrawOp<string mnemonic, Type elementType> : Weave_RandomOp<mnemonic, [AttrSizedOperandSegments]> {
  let arguments = (ins RankedTensorOf<[I32]>:$key, Optional<Index>:$offset, Variadic<Index>:$sizes,
                       OptionalAttr<DenseI64ArrayAttr>:$strides);
  let results = (outs RankedTensorOf<[elementType]>:$result);
  let assemblyFormat = [{
    $key (`offset` `(` $offset^ `)`)? (`sizes` `(` $sizes^ `)`)? (`strides` $strides^)?
    attr-dict `:` type($key) `->` type($result)
  }];
}

defvar DrawRules = [{
    Element (i, j, ...) of the draw hashes the 64-bit counter
    offset + i * strides[0] + j * strides[1] + ...; by default the offset is 0
    and the strides are the row-major ones of the result, so that element k
    hashes counter k. A part of a larger draw has the larger draw's strides.
    A key with leading dimensions makes one draw for each of its keys.
    `sizes` are the dynamic dimensions' extents.

    Rules:
    * R1: the key's last dimension is 2; leading dimensions equal the draw's.
    * R2: one size for each dynamic dimension.
    * R3: one stride for each dimension that is no batch dimension.
    * R4: the element type is one that the draw has.
}];

def Weave_RandomSplitOp : Weave_DrawOp<"split", I32> {
  let summary = "new keys from a key";
  let description = [{
    Key k of the result is the two words of threefry2x32 of the 64-bit counter
    k. The result's last dimension, of extent 2, holds them and has no stride.

        %keys = weave.random.split %key sizes(%n) : tensor<2xi32> -> tensor<?x2xi32>

  }] # DrawRules;
}

def Weave_RandomBitsOp : Weave_DrawOp<"bits", AnyTypeOf<[I8, I16, I32, I64]>> {
  let summary = "uniform random bits";
  let description = [{
    32 bits are the exclusive or of the two hash words; 8 and 16 bits the low
    ones of these; 64 bits are both words, the first one high.

        %b = weave.random.bits %key : tensor<2xi32> -> tensor<4x10xi32>

  }] # DrawRules;
}

def Weave_RandomUniformOp : Weave_DrawOp<"uniform", AnyTypeOf<[F32, F64]>> {
  let summary = "uniform random numbers in [0, 1)";
  let description = [{
    The top 23 (f32) or 52 (f64) random bits become the fraction of a number in
    [1, 2), less 1.

        %u = weave.random.uniform %key : tensor<2xi32> -> tensor<4x10xf32>

  }] # DrawRules;
}

def Weave_RandomNormalOp : Weave_DrawOp<"normal", AnyTypeOf<[F32, F64]>> {
  let summary = "standard normal random numbers";
  let description = [{
    sqrt(2) * erf_inv(u), with u uniform in (-1, 1) from the same bits as JAX.

        %z = weave.random.normal %key : tensor<2xi32> -> tensor<4x10xf32>

  }] # DrawRules;
}

#endif // SCANWEAVE_DIALECT_WEAVE_IR_WEAVERANDOMOPS_TD
