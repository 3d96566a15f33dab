"""Answers the REST calls that docfuse makes to Qdrant by the engine itself, in this process (qdrant-edge-py).

Each request body is first validated by the models of the official client (qdrant-client). A collection has one shard.
Prints its port, and ends when its standard input ends. BRIDGE_KEY is the API key it demands, if set; with BRIDGE_INDEXES=no
it makes no payload indexes.
"""

import json
import os
import re
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import qdrant_edge as edge
from pydantic import TypeAdapter, ValidationError
from qdrant_client import models

KEY = os.environ.get("BRIDGE_KEY")
# Filters on keys give the same answers without payload indexes; making one takes 10 ms.
INDEXES = os.environ.get("BRIDGE_INDEXES") != "no"
LOCK = threading.RLock()
SHARDS = {}
ALIASES = {}


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def shard_of(name):
    found = SHARDS.get(ALIASES.get(name, name))
    if found is None:
        raise Refused(404, f"Not found: Collection `{name}` doesn't exist!")
    return found


# --- JSON to the engine's own types ---------------------------------------------------------------


def match_of(value):
    (kind, wanted), = value.items()
    return {"any": edge.MatchAny, "value": edge.MatchValue, "text": edge.MatchText}[kind](wanted)


def condition_of(value):
    if "has_id" in value:
        return edge.HasIdCondition(set(value["has_id"]))
    if "must" in value or "must_not" in value or "should" in value:
        return filter_of(value)
    match, span = value.get("match"), value.get("range")
    return edge.FieldCondition(
        key=value["key"],
        match=match_of(match) if match else None,
        range=edge.RangeFloat(**span) if span else None,
    )


def filter_of(value):
    if not value:
        return None
    parts = {}
    for key in ("must", "should", "must_not"):
        if value.get(key) is not None:
            parts[key] = [condition_of(each) for each in value[key]]
    return edge.Filter(**parts)


def vector_of(value):
    if isinstance(value, dict):
        return edge.SparseVector(indices=value["indices"], values=value["values"])
    return value


def point_of(value):
    vectors = {name: vector_of(vector) for name, vector in value["vector"].items()}
    return edge.Point(id=value["id"], vector=vectors, payload=value.get("payload"))


def query_of(value):
    query = value.get("query")
    if isinstance(query, dict) and "nearest" in query:
        query = query["nearest"]
    params = value.get("params") or {}
    return edge.QueryRequest(
        limit=value.get("limit") or 10,
        offset=value.get("offset"),
        query=None if query is None else edge.Query.Nearest(vector_of(query), using=value.get("using")),
        filter=filter_of(value.get("filter")),
        with_payload=value.get("with_payload") or False,
        with_vector=value.get("with_vector") or False,
        params=edge.SearchParams(exact=params.get("exact", False), hnsw_ef=params.get("hnsw_ef")),
    )


# --- The engine's types to JSON -------------------------------------------------------------------


def json_vector(value):
    if isinstance(value, edge.SparseVector):
        return {"indices": value.indices, "values": value.values}
    return value


def json_vectors(value):
    return {name: json_vector(vector) for name, vector in value.items()} if isinstance(value, dict) else value


def scored(point):
    return {"id": point.id, "version": point.version, "score": point.score, "payload": point.payload,
            "vector": json_vectors(point.vector)}


def record(point):
    return {"id": point.id, "payload": point.payload, "vector": json_vectors(point.vector)}


DONE = {"operation_id": 0, "status": "completed"}

# --- The calls ------------------------------------------------------------------------------------


def create_collection(name, body):
    if name in SHARDS:
        raise Refused(409, f"Wrong input: Collection `{name}` already exists!")
    dense = {
        key: edge.EdgeVectorParams(size=each["size"], distance=getattr(edge.Distance, each["distance"]))
        for key, each in (body.get("vectors") or {}).items()
    }
    sparse = {key: edge.EdgeSparseVectorParams() for key in body.get("sparse_vectors") or {}}
    folder = tempfile.mkdtemp(dir=ROOT)
    config = edge.EdgeConfig(vectors=dense, sparse_vectors=sparse, wal_enabled=False)
    SHARDS[name] = edge.EdgeShard.create(folder, config)
    return True


def delete_collection(name, _):
    shard = SHARDS.pop(name, None)
    if shard is not None:
        shard.close()
        for alias in [alias for alias, of in ALIASES.items() if of == name]:
            del ALIASES[alias]
    return shard is not None


def get_collection(name, _):
    return {"status": "green", "points_count": shard_of(name).info().points_count}


def list_collections(_, __):
    return {"collections": [{"name": name} for name in SHARDS]}


def exists(name, _):
    return {"exists": name in SHARDS or name in ALIASES}


def create_index(name, body):
    schema = body["field_schema"]
    if not INDEXES and not isinstance(schema, dict):
        return DONE
    if isinstance(schema, dict):
        parts = {key: value for key, value in schema.items() if key != "type"}
        parts["tokenizer"] = {"prefix": edge.TokenizerType.Prefix}[parts["tokenizer"]]
        kind = edge.TextIndexParams(**parts)
    else:
        kind = getattr(edge.PayloadSchemaType, schema.capitalize())
    shard_of(name).update(edge.UpdateOperation.create_field_index(body["field_name"], kind))
    return DONE


def upsert(name, body):
    points = [point_of(each) for each in body["points"]]
    condition = filter_of(body.get("update_filter"))
    shard_of(name).update(edge.UpdateOperation.upsert_points(points, condition=condition))
    return DONE


def delete(name, body):
    if "points" in body:
        operation = edge.UpdateOperation.delete_points(body["points"])
    else:
        operation = edge.UpdateOperation.delete_points_by_filter(filter_of(body["filter"]))
    shard_of(name).update(operation)
    return DONE


def retrieve(name, body):
    found = shard_of(name).retrieve(body["ids"], with_payload=body.get("with_payload") or False,
                                    with_vector=body.get("with_vector") or False)
    return [record(each) for each in found]


def scroll(name, body):
    points, following = shard_of(name).scroll(edge.ScrollRequest(
        offset=body.get("offset"), limit=body.get("limit") or 10, filter=filter_of(body.get("filter")),
        with_payload=body.get("with_payload") or False, with_vector=body.get("with_vector") or False))
    return {"points": [record(each) for each in points], "next_page_offset": following}


def count(name, body):
    exact = body.get("exact", True)
    return {"count": shard_of(name).count(edge.CountRequest(exact=exact, filter=filter_of(body.get("filter"))))}


def query_batch(name, body):
    shard = shard_of(name)
    return [{"points": [scored(each) for each in shard.query(query_of(one))]} for one in body["searches"]]


def aliases(_, __):
    return {"aliases": [{"alias_name": alias, "collection_name": name} for alias, name in ALIASES.items()]}


def change_aliases(_, body):
    for action in body["actions"]:
        (kind, value), = action.items()
        if kind == "create_alias":
            shard_of(value["collection_name"])
            if value["alias_name"] in SHARDS:
                raise Refused(409, f"Wrong input: Collection `{value['alias_name']}` already exists!")
            ALIASES[value["alias_name"]] = value["collection_name"]
        else:
            ALIASES.pop(value["alias_name"], None)
    return True


COLLECTION = r"/collections/([^/]+)"
CALLS = [
    ("PUT", COLLECTION, create_collection, models.CreateCollection),
    ("DELETE", COLLECTION, delete_collection, None),
    ("GET", COLLECTION, get_collection, None),
    ("GET", COLLECTION + "/exists", exists, None),
    ("PUT", COLLECTION + "/index", create_index, models.CreateFieldIndex),
    ("PUT", COLLECTION + "/points", upsert, models.PointsList),
    ("POST", COLLECTION + "/points/delete", delete, models.PointsSelector),
    ("POST", COLLECTION + "/points", retrieve, models.PointRequest),
    ("POST", COLLECTION + "/points/scroll", scroll, models.ScrollRequest),
    ("POST", COLLECTION + "/points/count", count, models.CountRequest),
    ("POST", COLLECTION + "/points/query/batch", query_batch, models.QueryRequestBatch),
    ("GET", "/collections", list_collections, None),
    ("GET", "/aliases", aliases, None),
    ("POST", "/collections/aliases", change_aliases, models.ChangeAliasesOperation),
]
ROUTES = [(method, re.compile(path + "$"), call, model and TypeAdapter(model)) for method, path, call, model in CALLS]


def without_nothing(value):
    """Drops keys without a value: the client writes them as absent."""
    return {key: each for key, each in value.items() if each is not None} if isinstance(value, dict) else value


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Without this, answers wait 40 ms for an acknowledgement.
    disable_nagle_algorithm = True
    wbufsize = -1

    def log_message(self, *_):
        pass

    def answer(self, status, value):
        text = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
        self.wfile.flush()

    def handle_call(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        if KEY and self.headers.get("api-key") != KEY:
            return self.answer(401, {"status": {"error": "Must provide an API key"}, "time": 0})
        path = urlsplit(self.path).path
        for method, pattern, call, model in ROUTES:
            found = pattern.match(path)
            if method != self.command or not found:
                continue
            try:
                value = without_nothing(json.loads(body)) if body else {}
                if model:
                    model.validate_python(value)
                with LOCK:
                    result = call(found.group(1) if pattern.groups else None, value)
                return self.answer(200, {"status": "ok", "time": 0, "result": result})
            except ValidationError as error:
                print(f"{path}: {error}", file=sys.stderr)
                return self.answer(422, {"status": {"error": str(error)}, "time": 0})
            except Refused as error:
                return self.answer(error.status, {"status": {"error": str(error)}, "time": 0})
            except Exception as error:
                print(f"{path}: {type(error).__name__} {error}", file=sys.stderr)
                return self.answer(400, {"status": {"error": f"{type(error).__name__}: {error}"}, "time": 0})
        return self.answer(404, {"status": {"error": f"no route {self.command} {path}"}, "time": 0})

    do_GET = do_POST = do_PUT = do_DELETE = handle_call


if __name__ == "__main__":
    ROOT = tempfile.mkdtemp(prefix="docfuse-qdrant-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()
    import shutil

    shutil.rmtree(ROOT, ignore_errors=True)
    os._exit(0)
