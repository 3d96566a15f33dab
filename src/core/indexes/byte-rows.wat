;; Products of rows of bytes with a query. The code in byte-rows.ts is this module, translated; a test compares them.
(module
  (import "rows" "memory" (memory 1))

  ;; Writes Σ byte · number of each row, in 32 bits, from `out` to `end`. The numbers of the query have 16 bits.
  ;; 16 bytes are read at a time: the query ends with zeros, so what is read after a row adds nothing.
  (func (export "multiply")
    (param $row i32) (param $width i32) (param $query i32) (param $out i32) (param $end i32)
    (local $i i32) (local $numbers i32) (local $bytes v128) (local $sums v128) (local $more v128)
    (loop $rows
      (local.set $i (local.get $row))
      (local.set $numbers (local.get $query))
      (local.set $row (i32.add (local.get $row) (local.get $width)))
      (local.set $sums (v128.const i32x4 0 0 0 0))
      (local.set $more (v128.const i32x4 0 0 0 0))
      (loop $blocks
        (local.set $bytes (v128.load (local.get $i)))
        (local.set $sums (i32x4.add (local.get $sums) (i32x4.dot_i16x8_s
          (i16x8.extend_low_i8x16_u (local.get $bytes)) (v128.load (local.get $numbers)))))
        (local.set $more (i32x4.add (local.get $more) (i32x4.dot_i16x8_s
          (i16x8.extend_high_i8x16_u (local.get $bytes)) (v128.load offset=16 (local.get $numbers)))))
        (local.set $numbers (i32.add (local.get $numbers) (i32.const 32)))
        (br_if $blocks (i32.lt_u
          (local.tee $i (i32.add (local.get $i) (i32.const 16)))
          (local.get $row))))
      (local.set $sums (i32x4.add (local.get $sums) (local.get $more)))
      (i32.store (local.get $out) (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
        (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))
      (br_if $rows (i32.lt_u
        (local.tee $out (i32.add (local.get $out) (i32.const 4)))
        (local.get $end))))))
