"""Makes scan.onnx: the exact scan of an 8-bit vector matrix. Only maintainers run it: python make_scan.py (needs `onnx`).

score = float(sum((byte - 128) * query)) * scale * query_scale + mask, for every query and row; then the best k rows of each query,
ties by row number. A product with a few columns takes little longer than one with a single column, which the runtime pads.
uint8 rows with an int8 query are the fast path of the runtime; the query uses 7 bits (-63 to 63) because CPUs without VNNI
add two products in 16 bits: 2 * 255 * 63 still fits there, 2 * 255 * 127 would saturate.
"""

from pathlib import Path

from onnx import TensorProto, checker, helper, save

rows = helper.make_tensor_value_info("rows", TensorProto.UINT8, ["row", "dimension"])
queries = helper.make_tensor_value_info("queries", TensorProto.INT8, ["dimension", "query"])
scales = helper.make_tensor_value_info("scales", TensorProto.FLOAT, ["row"])
query_scales = helper.make_tensor_value_info("query_scales", TensorProto.FLOAT, ["query", 1])
mask = helper.make_tensor_value_info("mask", TensorProto.FLOAT, ["row"])
k = helper.make_tensor_value_info("k", TensorProto.INT64, [1])
scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["query", "row"])
best = helper.make_tensor_value_info("best", TensorProto.INT32, ["query", "k"])

nodes = [
    helper.make_node("MatMulInteger", ["rows", "queries", "zero_point"], ["sums"]),
    helper.make_node("Transpose", ["sums"], ["by_query"], perm=[1, 0]),
    helper.make_node("Cast", ["by_query"], ["float_sum"], to=TensorProto.FLOAT),
    helper.make_node("Mul", ["float_sum", "scales"], ["by_row"]),
    helper.make_node("Mul", ["by_row", "query_scales"], ["cosine"]),
    helper.make_node("Add", ["cosine", "mask"], ["scores"]),
    helper.make_node("TopK", ["scores", "k"], ["best_scores", "best_long"], axis=1, largest=1, sorted=1),
    helper.make_node("Cast", ["best_long"], ["best"], to=TensorProto.INT32),
]
constants = [
    helper.make_tensor("zero_point", TensorProto.UINT8, [], [128]),
]
graph = helper.make_graph(nodes, "vector-scan", [rows, queries, scales, query_scales, mask, k], [scores, best], constants)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
checker.check_model(model, full_check=True)
save(model, Path(__file__).parent / "scan.onnx")
