;; Products of rows of bytes with a query. The code in byte-rows.ts is this module, translated; a test compares them.
(module
  (import "rows" "memory" (memory 1))

  ;; Writes Σ byte · number of each row, in 32 bits, from `out` to `end`. The numbers of the query have 16 bits.
  ;; 16 bytes are read at a time: the query ends with zeros, so what is read after a row adds nothing.
  ;; Reads rows that are `stride` rows apart (1 or more) one after another, then the rows after these. A processor loads successive
  ;; memory ahead, but stops at the end of each page. While one page is loaded, the loop works on rows in other pages.
  (func (export "multiply")
    (param $row i32) (param $width i32) (param $query i32) (param $out i32) (param $end i32) (param $stride i32)
    (local $i i32) (local $numbers i32) (local $bytes v128) (local $sums v128)
    (local $afterRow i32) (local $sum i32) (local $at i32) (local $bytesApart i32) (local $sumsApart i32) (local $stop i32)
    (local.set $bytesApart (i32.mul (local.get $stride) (local.get $width)))
    (local.set $sumsApart (i32.mul (local.get $stride) (i32.const 4)))
    (local.set $stop (i32.add (local.get $out) (local.get $sumsApart)))
    (loop $rows
      (local.set $at (local.get $row))
      (local.set $sum (local.get $out))
      (loop $places
        (local.set $i (local.get $at))
        (local.set $afterRow (i32.add (local.get $i) (local.get $width)))
        (local.set $numbers (local.get $query))
        (local.set $sums (v128.const i32x4 0 0 0 0))
        (loop $blocks
          (local.set $bytes (v128.load (local.get $i)))
          (local.set $sums (i32x4.add (local.get $sums) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_u (local.get $bytes)) (v128.load (local.get $numbers)))
            (i32x4.dot_i16x8_s
              (i16x8.extend_high_i8x16_u (local.get $bytes)) (v128.load offset=16 (local.get $numbers))))))
          (local.set $numbers (i32.add (local.get $numbers) (i32.const 32)))
          (br_if $blocks (i32.lt_u
            (local.tee $i (i32.add (local.get $i) (i32.const 16)))
            (local.get $afterRow))))
        (i32.store (local.get $sum) (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
          (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))
        (local.set $at (i32.add (local.get $at) (local.get $bytesApart)))
        (br_if $places (i32.lt_u
          (local.tee $sum (i32.add (local.get $sum) (local.get $sumsApart)))
          (local.get $end))))
      (local.set $row (i32.add (local.get $row) (local.get $width)))
      (br_if $rows (i32.lt_u
        (local.tee $out (i32.add (local.get $out) (i32.const 4)))
        (local.get $stop))))))
