// 0 lanes: no worker has any, the sum over them is the init alone, and the scan
// goes on.
// RUN: weave-opt %s -weave-loops -weave-buffers -o %t.mlir
// RUN: FileCheck %s --check-prefix=BUFFERS --input-file=%t.mlir
// RUN: %{run-teams} %t.mlir | FileCheck %s

// BUFFERS: func.func private @program_worker_0
// BUFFERS: weave.all_reduce <add>

// CHECK: sizes = [2]
// CHECK-NEXT: [7.5,  -0]

#id = affine_map<(d0) -> (d0)>
#rows = affine_map<(d0, d1) -> (d0, d1)>
#last = affine_map<(d0, d1) -> (d1)>
func.func private @program(%x0: tensor<2xf32>, %z: tensor<0x2xf32>) -> tensor<2xf32> {
  %n = arith.constant 3 : index
  %r = weave.spmd steps(%n) inits(%x0 : tensor<2xf32>) {
  ^bb0(%team: !weave.team, %first: index, %last: index, %c: tensor<2xf32>):
    %c0 = arith.constant 0 : index
    %lo, %size = weave.shard_range %team of %c0 : index, index
    %s = weave.scan carry(%x = %c : tensor<2xf32>) length(%n) range(%first to %last) {
      %mine = tensor.extract_slice %z[%lo, 0] [%size, 2] [1, 1] : tensor<0x2xf32> to tensor<?x2xf32>
      %ys = weave.pmap %i (%v = %mine : tensor<?x2xf32>) lanes(%size) {
        %y = arith.addf %v, %x : tensor<2xf32>
        weave.yield %y : tensor<2xf32>
      } -> tensor<?x2xf32>
      %rows = weave.partial_reduce <add> maps [#rows, #last] iterators ["reduction", "parallel"]
          extent(%c0) ins(%ys : tensor<?x2xf32>) {
      ^bb0(%v: f32, %acc: f32):
        %q = arith.addf %acc, %v : f32
        weave.yield %q : f32
      } -> tensor<?x2xf32>
      %sdest = tensor.empty() : tensor<2xf32>
      %sum = weave.all_reduce <add> %team rows(%rows : tensor<?x2xf32>) extent(%c0) into(%sdest : tensor<2xf32>)
          -> tensor<2xf32>
      %next = arith.addf %x, %sum : tensor<2xf32>
      weave.yield carry(%next : tensor<2xf32>)
    } -> tensor<2xf32>
    weave.finish %s replicated : tensor<2xf32>
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func @main() {
  // x + -0.0 is x for -0.0 too.
  %x0 = arith.constant dense<[7.5, -0.0]> : tensor<2xf32>
  %z = arith.constant dense<1.0> : tensor<0x2xf32>
  %r = call @program(%x0, %z) : (tensor<2xf32>, tensor<0x2xf32>) -> tensor<2xf32>
  %a = tensor.cast %r : tensor<2xf32> to tensor<*xf32>
  call @printMemrefF32(%a) : (tensor<*xf32>) -> ()
  return
}
