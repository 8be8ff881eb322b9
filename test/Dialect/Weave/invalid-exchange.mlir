// RUN: weave-opt %s -split-input-file -verify-diagnostics

// Rules of exchanges and of launches.

func.func @e1_row(%team: !weave.team, %rows: tensor<?x10xf32>, %n: index, %dest: tensor<9xf32>) {
  // expected-error @below {{'weave.all_reduce' op the dest must be a row of 'tensor<?x10xf32>', found 'tensor<9xf32>' (E1)}}
  %g = weave.all_reduce <add> %team rows(%rows : tensor<?x10xf32>) extent(%n) into(%dest : tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

func.func @e1_element(%team: !weave.team, %rows: memref<?xf32>, %n: index, %dest: memref<f64>) {
  // expected-error @below {{'weave.all_reduce' op the dest must be a row of 'memref<?xf32>', found 'memref<f64>' (E1)}}
  weave.all_reduce <add> %team rows(%rows : memref<?xf32>) extent(%n) into(%dest : memref<f64>)
  return
}

// -----

func.func @f5_kind(%team: !weave.team, %rows: tensor<?xf32>, %n: index, %dest: tensor<f32>) {
  // expected-error @below {{'weave.all_reduce' op 'or' does not combine 'f32' (F5)}}
  %g = weave.all_reduce <or> %team rows(%rows : tensor<?xf32>) extent(%n) into(%dest : tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @e2_shapes(%team: !weave.team, %part: tensor<?x3xf32>, %dest: tensor<4x2xf32>) {
  // expected-error @below {{'weave.gather_shards' op shard and dest must agree but for dimension 0, found 'tensor<?x3xf32>' and 'tensor<4x2xf32>' (E2)}}
  %y = weave.gather_shards %team shard(%part : tensor<?x3xf32>) dim(0) into(%dest : tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @e2_dimension(%team: !weave.team, %part: tensor<?xf32>, %dest: tensor<4xf32>) {
  // expected-error @below {{'weave.gather_shards' op shard and dest must agree but for dimension 1, found 'tensor<?xf32>' and 'tensor<4xf32>' (E2)}}
  %y = weave.gather_shards %team shard(%part : tensor<?xf32>) dim(1) into(%dest : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @e3_no_result(%team: !weave.team, %part: tensor<?xf32>, %dest: tensor<4xf32>) {
  // expected-error @below {{'weave.gather_shards' op must have a result of the dest's type 'tensor<4xf32>' (E3)}}
  weave.gather_shards %team shard(%part : tensor<?xf32>) dim(0) into(%dest : tensor<4xf32>)
  return
}

// -----

func.func @e3_result(%team: !weave.team, %rows: memref<?xf32>, %n: index, %dest: memref<f32>) {
  // expected-error @below {{'weave.all_reduce' op must have no result where the dest is a buffer (E3)}}
  %g = weave.all_reduce <add> %team rows(%rows : memref<?xf32>) extent(%n) into(%dest : memref<f32>) -> tensor<f32>
  return
}

// -----

func.func @e3_mixed(%team: !weave.team, %part: memref<?xf32>, %dest: tensor<4xf32>) {
  // expected-error @below {{'weave.gather_shards' op must be all on tensors or all on buffers, found 'memref<?xf32>' and 'tensor<4xf32>' (E3)}}
  %y = weave.gather_shards %team shard(%part : memref<?xf32>) dim(0) into(%dest : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @e3_unranked(%team: !weave.team, %part: memref<?xf32>, %dest: memref<*xf32>) {
  // expected-error @below {{'weave.gather_shards' op operand #2 must be ranked tensor or memref, but got 'memref<*xf32>'}}
  weave.gather_shards %team shard(%part : memref<?xf32>) dim(0) into(%dest : memref<*xf32>)
  return
}

// -----

func.func @l1_no_function() {
  // expected-error @below {{'weave.launch' op expected a function named @nowhere (L1)}}
  weave.launch @nowhere
  return
}

// -----

// expected-note @below {{the worker is here}}
func.func private @work(!weave.team, index)
func.func @l1_number(%x: f32) {
  // expected-error @below {{'weave.launch' op expected a worker that takes ('!weave.team'), tensors as memrefs, and has no results, found '(!weave.team, index) -> ()' (L1)}}
  weave.launch @work
  return
}

// -----

// expected-note @below {{the worker is here}}
func.func private @work(!weave.team, index, index, f64, memref<4xf32>)
func.func @l1_types(%n: index, %x: f32, %y: tensor<4xf32>) {
  // expected-error @below {{'weave.launch' op expected a worker that takes ('!weave.team', 'index', 'index', 'f32', 'tensor<4xf32>'), tensors as memrefs, and has no results, found '(!weave.team, index, index, f64, memref<4xf32>) -> ()' (L1)}}
  %r = weave.launch @work steps(%n) ins(%x : f32) inits(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @work(!weave.team, memref<4xf32>)
func.func @l2_results(%y: tensor<4xf32>) {
  // expected-error @below {{'weave.launch' op must have the results ('tensor<4xf32>'), one for each init that is a tensor, found () (L2)}}
  weave.launch @work inits(%y : tensor<4xf32>)
  return
}
