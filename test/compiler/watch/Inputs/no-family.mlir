module attributes {sched.limits = {max_rows = 16, max_batch = 2, max_context = 128, page = 64}} {
sched.kernel @k family "nothing" config {} {
^bb0(%x: tensor<?x64xbf16>, %w: tensor<64xbf16>):
  %y = ced.rms_norm %x, %w eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
  sched.result %y : tensor<?x64xbf16>
}
}
