// A sum in f32 whose order is the target's own, and no tolerance: the replay must call it wrong. One of a single product is right.

module attributes {sched.limits = {max_rows = 16, max_batch = 1, max_context = 16, page = 16}} {

func.func @sum(%x: tensor<?x257xbf16>, %w: tensor<130x257xbf16>) -> tensor<?x130xf32> {
  %y = ced.matmul %x, %w : tensor<?x257xbf16>, tensor<130x257xbf16> -> tensor<?x130xf32>
  return %y : tensor<?x130xf32>
}

func.func @product(%x: tensor<?x1xbf16>, %w: tensor<24x1xbf16>) -> tensor<?x24xf32> {
  %y = ced.matmul %x, %w : tensor<?x1xbf16>, tensor<24x1xbf16> -> tensor<?x24xf32>
  return %y : tensor<?x24xf32>
}

}
