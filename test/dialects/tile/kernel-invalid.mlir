// RUN: ced-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{'tile.kernel' op expected argument #1 to be an index, got 'i32'}}
tile.kernel @kernel_c1 grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%in: memref<4xf32>, %rows: i32, %b: index):
  tile.return
}

// -----

// expected-error @+1 {{'tile.kernel' op expected argument #0 to be a memref, got 'f32'}}
tile.kernel @kernel_c1 grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%x: f32, %rows: index, %b: index):
  tile.return
}

// -----

// expected-error @+1 {{'tile.kernel' op expected memory arguments followed by 2 indices (rows, block coordinates), got 1 arguments}}
tile.kernel @kernel_c1 grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%rows: index):
  tile.return
}

// -----

// expected-error @+1 {{'tile.kernel' op expected a grid of 1 to 3 dims, got 0}}
tile.kernel @kernel_c2 grid [] config {} class "run" {
^bb0(%rows: index):
  tile.return
}

// -----

// expected-error @+1 {{'tile.kernel' op expected a grid dim with value or rows_per > 0, got #tile.grid<value = 0, rows_per = 0>}}
tile.kernel @kernel_c2 grid [#tile.grid<value = 0, rows_per = 0>] config {} class "run" {
^bb0(%rows: index, %b: index):
  tile.return
}

// -----

// expected-error @+1 {{'tile.kernel' op expected argument #0 to be a row-major memref of rank >= 1 with at most its first dim dynamic, got 'memref<4x?xf32>'}}
tile.kernel @kernel_c3 grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%x: memref<4x?xf32>, %rows: index, %b: index):
  tile.return
}

// -----

// expected-error @+1 {{'tile.kernel' op expected argument #0 to be a row-major memref}}
tile.kernel @kernel_c3 grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%x: memref<4x4xf32, strided<[1, 4]>>, %rows: index, %b: index):
  tile.return
}

// -----

// expected-error @+1 {{'tile.kernel' op expected class "run", "batch" or "phase", got "always"}}
tile.kernel @kernel_c4 grid [#tile.grid<value = 1, rows_per = 0>] config {} class "always" {
^bb0(%rows: index, %b: index):
  tile.return
}

// -----

// expected-error @+1 {{expected positive tile dims, got 0x4}}
func.func private @tile_c1(!tile.tile<0x4xf32>)

// -----

// expected-error @+1 {{expected a tile of 2 dims, got 1}}
func.func private @tile_c1(!tile.tile<4xf32>)

// -----

// expected-error @+1 {{expected a tile element of f32, bf16, i8, i32 or i64, got 'f64'}}
func.func private @tile_c2(!tile.tile<4x4xf64>)
