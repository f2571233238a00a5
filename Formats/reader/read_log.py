#!/usr/bin/env python3
"""Prints the transactions of a store as `annals log --json` does, byte for byte.

An independent reader, written from log-format.md, record-format.md and json-lines.md alone; it is a check on those
documents as much as on the stores. It needs the modules lz4 and xxhash (Debian: python3-lz4, python3-xxhash).

Exit codes: 0 printed, 2 usage, 3 cannot be opened, 5 damaged (what lies before is printed), 6 newer format.
"""

import argparse
import base64
import datetime
import json
import math
import os
import re
import struct
import sys
import uuid

import lz4.block
import xxhash


class Damage(Exception):
    """Bytes that are not as they were written."""


class NewerFormat(Exception):
    """Something this reader is too old for."""


class NotAStore(Exception):
    """There is nothing to read."""


def xxh3(data, seed=0):
    return xxhash.xxh3_64_intdigest(data, seed=seed)


def align16(number):
    return (number + 15) // 16 * 16


# ---- The log (log-format.md) ----

SEGMENT_MAGIC = bytes.fromhex("89414e4c0d0a1a0a")
RECORD_MAGIC = bytes.fromhex("a7524543")
SEGMENT_HEADER = 128
RECORD_HEADER = 64
TRAILER = 16
SEAL = 0x80
CLOSE = 0x81
META_MAX = 16 << 20
BLOCKS_MAX = 1 << 20
RAW_MAX = 1 << 30
BODY_MAX = 4 << 30


class Segment:
    """A segment's file in memory, with its header checked."""

    def __init__(self, path, sequence):
        self.path = path
        self.name = os.path.basename(path)
        self.sequence = sequence
        with open(path, "rb") as file:
            self.data = file.read()
        self.fault = self.header_fault()

    def header_fault(self):
        data = self.data
        if len(data) < SEGMENT_HEADER or data[:8] != SEGMENT_MAGIC:
            return "no segment header"
        if xxh3(data[:120]) != struct.unpack_from("<Q", data, 120)[0]:
            return "the segment header's checksum is wrong"
        major, _, length = struct.unpack_from("<HHI", data, 8)
        if major > 1:
            raise NewerFormat(f"{self.path}: format version {major}; this reader knows 1")
        self.uuid = data[16:32]
        sequence, self.first, self.previous, needed = struct.unpack_from("<QQQQ", data, 32)
        if needed:
            raise NewerFormat(f"{self.path}: features {needed:#x} that this reader does not know")
        if length != SEGMENT_HEADER or sequence != self.sequence:
            return "the segment header is another file's"
        self.seed = xxh3(self.uuid, sequence)
        return None


class Block:
    def __init__(self, data, place, end):
        if place + 32 > end:
            raise Damage(f"a block header at byte {place} reaches past its record")
        self.offset = place
        self.tag, self.codec, self.raw_length, self.stored_length = struct.unpack_from("<IB3xQQ", data, place + 8)
        if self.stored_length > end - place - 32 or self.raw_length > RAW_MAX:
            raise Damage(f"a block at byte {place} reaches past its record")
        self.stored = data[place + 32 : place + 32 + self.stored_length]
        self.end = place + 32 + align16(self.stored_length)
        self.unpacked = None

    def data(self):
        if self.codec == 0:
            return self.stored
        if self.codec != 1:
            raise NewerFormat(f"a block at byte {self.offset} is packed in an unknown way, {self.codec}")
        if self.unpacked is None:
            if self.raw_length > 256 * self.stored_length:
                raise Damage(f"a block at byte {self.offset} claims to unpack to {self.raw_length} bytes")
            try:
                self.unpacked = lz4.block.decompress(self.stored, uncompressed_size=self.raw_length)
            except lz4.block.LZ4BlockError as error:
                raise Damage(f"a block at byte {self.offset} does not unpack: {error}") from error
            if len(self.unpacked) != self.raw_length:
                raise Damage(f"a block at byte {self.offset} unpacks to {len(self.unpacked)} bytes")
        return self.unpacked

    def description(self):
        return {
            "tag": self.tag, "offset": self.offset, "raw_bytes": self.raw_length, "stored_bytes": self.stored_length,
            "packed": self.codec != 0,
        }


class Record:
    """A record whose header, number, chain and hash are right; or `fault` says what is not."""

    def __init__(self, segment, offset, previous_hash, previous_number):
        data = segment.data
        self.segment = segment.name
        self.offset = offset
        self.fault = "no record"
        if offset + RECORD_HEADER > len(data) or data[offset : offset + 4] != RECORD_MAGIC:
            return
        header = data[offset : offset + RECORD_HEADER]
        if xxh3(header[:56], segment.seed) != struct.unpack_from("<Q", header, 56)[0]:
            self.fault = "the record header's checksum is wrong"
            return
        self.kind, self.flags, length, self.body_length, self.number = struct.unpack_from("<BBHQQ", header, 4)
        self.durable, place, chained, meta_length, block_count = struct.unpack_from("<QQQII", header, 24)
        if place != offset:
            self.fault = "the record was written for another place"
            return
        self.stored_bytes = RECORD_HEADER + self.body_length + TRAILER
        self.end = offset + self.stored_bytes
        if length != RECORD_HEADER or self.body_length % 16 or self.body_length > BODY_MAX or self.end > len(data):
            self.fault = "the record reaches past the end of the file"
            return
        if meta_length > min(META_MAX, self.body_length) or block_count > BLOCKS_MAX:
            self.fault = "the record's lengths contradict each other"
            return
        if self.number != previous_number + (1 if self.kind < 0x80 else 0):
            self.fault = f"the record has number {self.number} behind {previous_number}"
            return
        if chained != previous_hash:
            self.fault = "the record does not follow the one before"
            return
        (self.hash,) = struct.unpack_from("<Q", data, self.end - 8)
        found = xxh3(data[offset : self.end - 8], previous_hash)
        if found != self.hash:
            self.fault = f"the record's hash is {found:#018x}, {self.hash:#018x} was written"
            return
        self.fault = None
        if self.kind >= 0x80:
            return
        body = offset + RECORD_HEADER
        self.meta = data[body : body + meta_length]
        self.blocks = []
        place = body + align16(meta_length)
        for _ in range(block_count):
            block = Block(data, place, body + self.body_length)
            self.blocks.append(block)
            place = block.end
        if place != body + self.body_length:
            raise Damage(f"{segment.path} at byte {offset}: the record's blocks do not fill its body")

    def block(self, index):
        if index < 0 or index >= len(self.blocks):
            raise Damage(f"record {self.number} has no block {index}")
        return self.blocks[index].data()


def segment_paths(store):
    """The segments' files by sequence number."""
    if not os.path.isdir(store):
        raise NotAStore(f"{store}: not a directory")
    pattern = re.compile(r"log-([0-9a-f]{16})\.seg\Z")
    found = {int(m.group(1), 16): os.path.join(store, m.group(0)) for m in map(pattern.match, os.listdir(store)) if m}
    if not found:
        raise NotAStore(f"{store}: no segments")
    return found


def read_records(store):
    """Yields the records of the layer above, in order; raises Damage where acknowledged bytes are gone."""
    paths = segment_paths(store)
    number, chain, identity = 0, None, None
    sequence, last = 1, max(paths)
    while sequence <= last:
        if sequence not in paths:
            raise Damage(f"{store}: segment {sequence} is missing")
        segment = Segment(paths[sequence], sequence)
        if segment.fault:
            if sequence == last and len(segment.data) <= SEGMENT_HEADER and RECORD_MAGIC not in segment.data:
                return
            raise Damage(f"{segment.path} at byte 0: {segment.fault}")
        if sequence == 1:
            identity, chain = segment.uuid, xxh3(segment.uuid)
        if segment.uuid != identity or segment.first != number + 1 or segment.previous != chain:
            raise Damage(f"{segment.path} at byte 0: the segment does not follow the one before")
        offset, has_reread = SEGMENT_HEADER, False
        while True:
            record = Record(segment, offset, chain, number)
            if record.fault:
                if sequence == last and is_end(segment, offset):
                    return
                if sequence < last or has_reread:
                    raise Damage(f"{segment.path} at byte {offset}: {record.fault}; last good record {number}")
                # A writer may have written this place after we read it, and what lies behind before.
                segment, has_reread = Segment(segment.path, sequence), True
                continue
            if record.kind < 0x80:
                yield record
            elif record.kind not in (SEAL, CLOSE) and record.flags & 1:
                raise NewerFormat(f"{segment.path} at byte {offset}: kind {record.kind:#x} that must not be skipped")
            number, chain, offset = record.number, record.hash, record.end
            if record.kind == SEAL:
                break
        sequence += 1


def is_end(segment, offset):
    """Whether what begins at an offset of the last segment is its end or a torn tail, not damage."""
    if not segment.data[offset:].strip(b"\0"):
        return True
    place = segment.data.find(RECORD_MAGIC, offset)
    while place >= 0:
        header = segment.data[place : place + RECORD_HEADER]
        if len(header) == RECORD_HEADER and xxh3(header[:56], segment.seed) == struct.unpack_from("<Q", header, 56)[0]:
            durable, written_for = struct.unpack_from("<QQ", header, 24)
            if durable > offset or (written_for >= offset and written_for != place):
                return False
        place = segment.data.find(RECORD_MAGIC, place + 1)
    return True


# ---- Schemas, transactions, rows (record-format.md) ----


class Property:
    def __init__(self, description):
        self.name = description["name"]
        self.kind = description["kind"]
        self.type = description.get("type")
        self.is_derived = "derivation" in description
        self.is_stored = not description.get("transient", False) and (
            self.kind == "attribute" or (self.kind == "relationship" and not description.get("toMany", False))
        )

    @property
    def width(self):
        """Bytes in the fixed region; 0 for a variable slot."""
        return 8 if self.kind == "relationship" else WIDTHS[self.type]


WIDTHS = {
    "uuid": 16, "integer64": 8, "double": 8, "date": 8, "objectID": 8, "integer32": 4, "float": 4, "integer16": 2,
    "boolean": 1, "string": 0, "uri": 0, "binary": 0, "transformable": 0, "decimal": 0,
}


class Entity:
    """An entity of a schema record, and where its values lie in a row."""

    def __init__(self, description):
        self.number = description["number"]
        self.name = description["name"]
        self.properties = [Property(p) for p in description.get("properties", [])]
        stored = [i for i, p in enumerate(self.properties) if p.is_stored]
        self.slots = stored
        place = 24 + (len(stored) + 63) // 64 * 8
        self.fixed = {}
        for width in (16, 8, 4, 2, 1):
            for index in stored:
                if self.properties[index].width == width:
                    self.fixed[index] = place
                    place += width
        place = (place + 3) // 4 * 4
        self.ends = {}
        for index in stored:
            if self.properties[index].width == 0:
                self.ends[index] = place + 4 * len(self.ends)
        self.variable = place + 4 * len(self.ends)

    def row(self, block, offset):
        """The values of a row, by property index: {index: (type, value)}; value is None where absent."""
        if offset + self.variable > len(block):
            raise Damage(f"a row at byte {offset} of a block reaches past its end")
        (length,) = struct.unpack_from("<I", block, offset)
        count, _ = struct.unpack_from("<HH", block, offset + 4)
        if length % 8 or length < self.variable or offset + length > len(block) or count != len(self.slots):
            raise Damage(f"a row at byte {offset} of a block does not fit entity {self.name}")
        row = block[offset : offset + length]
        values = {}
        start = self.variable
        for slot, index in enumerate(self.slots):
            kind = self.properties[index].type or "objectID"
            absent = row[24 + (slot >> 3)] >> (slot & 7) & 1
            if index in self.ends:
                (end,) = struct.unpack_from("<I", row, self.ends[index])
                end += self.variable
                if end < start or end > length:
                    raise Damage(f"a row at byte {offset} of a block has a value that ends before it begins")
                value = bytes(row[start:end])
                start = end
            else:
                value = bytes(row[self.fixed[index] : self.fixed[index] + self.properties[index].width])
            values[index] = (kind, None if absent else value)
        return values


def key_parts(raw):
    return raw >> 48 & 0x7FFF, raw & 0xFFFF_FFFF_FFFF


class Cursor:
    """Reads the numbers of a record's meta bytes."""

    def __init__(self, data):
        self.data = bytes(data)
        self.place = 0

    def take(self, count):
        if count > len(self.data) - self.place:
            raise Damage(f"meta bytes end at {len(self.data)}, {count} more were expected")
        self.place += count
        return self.data[self.place - count : self.place]

    def u8(self):
        return self.take(1)[0]

    def unpack(self, layout):
        return struct.unpack(layout, self.take(struct.calcsize(layout)))

    def varint(self):
        number = shift = 0
        while True:
            byte = self.u8()
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
            if shift > 63:
                raise Damage("a varint of more than 64 bits")
        if number >> 64:
            raise Damage("a varint of more than 64 bits")
        return number

    def signed(self):
        number = self.varint()
        return number >> 1 ^ -(number & 1)

    def string(self):
        return self.take(self.varint()).decode("utf-8", "replace")


class Change:
    def __init__(self, entity, ordinal, operation):
        self.entity = entity
        self.ordinal = ordinal
        self.operation = operation
        self.changed = set()
        self.values = None
        self.links = []


OPERATIONS = ["derive", "insert", "update", "delete"]


class Transaction:
    """A transaction record: kind 2."""

    def __init__(self, record, entities):
        cursor = Cursor(record.meta)
        version, flags, _, self.process, self.time = cursor.unpack("<BBHid")
        if version != 1:
            raise NewerFormat(f"transaction {record.number} has version {version}; this reader knows 1")
        self.author = cursor.string() if flags & 1 else None
        self.context = cursor.string() if flags & 2 else None
        self.metadata = {}
        for _ in range(cursor.varint()):
            name = cursor.string()
            self.metadata[name] = cursor.string() if cursor.u8() else None
        self.changes = []
        first = 0
        for _ in range(cursor.varint()):
            number, blocks, count = cursor.varint(), cursor.varint(), cursor.varint()
            if number not in entities:
                raise Damage(f"transaction {record.number} names entity {number}, which its schema does not have")
            self.read_section(cursor, record, entities[number], first, count)
            first += blocks

    def read_section(self, cursor, record, entity, block, count):
        block -= 1
        ordinal = offset = 0
        for _ in range(count):
            head = cursor.varint()
            ordinal += cursor.signed()
            change = Change(entity, ordinal, OPERATIONS[head & 3])
            if change.operation == "update":
                bits = cursor.take(cursor.varint())
                change.changed = {i for i in range(len(bits) * 8) if bits[i >> 3] >> (i & 7) & 1}
            if head & 4:
                if head & 8:
                    block, offset = block + 1, 0
                else:
                    offset += cursor.varint() * 8
                change.values = entity.row(record.block(block), offset)
            if head & 16:
                change.links = [self.read_links(cursor, entity) for _ in range(cursor.varint())]
            self.changes.append(change)

    def read_links(self, cursor, entity):
        head = cursor.varint()
        added, ordinal = [], 0
        for _ in range(cursor.varint()):
            number = cursor.varint()
            ordinal += cursor.signed()
            position = cursor.unpack("<d")[0] if head & 1 else 0.0
            added.append((number, ordinal, position))
        removed, ordinal = [], 0
        for _ in range(cursor.varint()):
            number = cursor.varint()
            ordinal += cursor.signed()
            removed.append((number, ordinal))
        return entity.properties[head >> 1].name, added, removed


# ---- JSON lines (json-lines.md) ----


def json_integer(number):
    return number if abs(number) <= 9007199254740991 else str(number)


def json_double(number):
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    return number


def json_float(raw):
    number = struct.unpack("<f", raw)[0]
    if number and math.isfinite(number):
        for digits in range(1, 10):
            shorter = float(f"{number:.{digits}g}")
            try:
                if struct.pack("<f", shorter) == raw:
                    return shorter
            except OverflowError:
                pass
    return json_double(number)


def json_date(seconds):
    iso = None
    if -63113904000 <= seconds < 252423993600:
        moment = datetime.datetime(2001, 1, 1) + datetime.timedelta(microseconds=math.floor(seconds * 1_000_000))
        iso = moment.strftime("%m-%dT%H:%M:%S.%f")
        iso = f"{moment.year:04}-{iso}Z"
    return {"iso": iso, "seconds": json_double(seconds)}


def json_bytes(data, full):
    if full or len(data) <= 48:
        return {"bytes": len(data), "base64": base64.b64encode(data).decode()}
    return {
        "bytes": len(data),
        "xxh3": f"{xxhash.xxh3_64_intdigest(data):016x}",
        "start": base64.b64encode(data[:24]).decode(),
    }


def json_value(kind, raw, name_of, full):
    if raw is None:
        return None
    if kind == "boolean":
        return raw[0] != 0
    if kind in ("integer16", "integer32", "integer64"):
        return json_integer(int.from_bytes(raw, "little", signed=True))
    if kind == "double":
        return json_double(struct.unpack("<d", raw)[0])
    if kind == "float":
        return json_float(raw)
    if kind == "date":
        return json_date(struct.unpack("<d", raw)[0])
    if kind == "uuid":
        return str(uuid.UUID(bytes=raw)).upper()
    if kind == "objectID":
        return name_of(*key_parts(int.from_bytes(raw, "little")))
    if kind in ("binary", "transformable"):
        return json_bytes(raw, full)
    return raw.decode("utf-8", "replace")


class Printer:
    """Prints transactions in order, remembering each object's last row for "before"."""

    def __init__(self, names, verbosity, full):
        self.names = names
        self.verbosity = verbosity
        self.full = full
        self.rows = {}

    def name_of(self, number, ordinal):
        return f"{self.names.get(number, f'#{number}')}/{ordinal}"

    def line(self, record, transaction):
        counts = {operation: 0 for operation in OPERATIONS}
        for change in transaction.changes:
            counts[change.operation] += 1
        line = {
            "schema": 1, "kind": "transaction", "number": json_integer(record.number),
            "time": json_date(transaction.time), "author": transaction.author, "context": transaction.context,
            "process": transaction.process, "inserted": counts["insert"], "updated": counts["update"],
            "deleted": counts["delete"], "derived": counts["derive"], "bytes": json_integer(record.stored_bytes),
            "segment": record.segment, "offset": json_integer(record.offset),
        }
        if self.verbosity > 0:
            names = sorted(transaction.metadata, key=lambda name: name.encode())
            line["metadata"] = {name: transaction.metadata[name] for name in names}
            line["changes"] = [self.change(change) for change in transaction.changes]
        if self.verbosity > 1:
            line["record"] = {
                "kind": record.kind, "meta_bytes": len(record.meta), "blocks": [b.description() for b in record.blocks],
            }
        return json.dumps(line, ensure_ascii=False, separators=(",", ":"))

    def change(self, change):
        result = {"op": change.operation, "id": self.name_of(change.entity.number, change.ordinal), "values": {}}
        key = (change.entity.number, change.ordinal)
        previous = self.rows.get(key, {})
        before = {}
        for index, (kind, raw) in sorted((change.values or {}).items()):
            described = change.entity.properties[index]
            name = described.name
            if change.operation in ("insert", "delete"):
                if raw is None:
                    continue
            elif change.operation == "update":
                if index not in change.changed:
                    continue
            elif not described.is_derived:
                continue
            result["values"][name] = json_value(kind, raw, self.name_of, self.full)
            if change.operation in ("update", "derive") and name in previous:
                before[name] = json_value(*previous[name], self.name_of, self.full)
        if before:
            result["before"] = before
        if change.links:
            result["links"] = {
                name: {
                    "added": [
                        {"id": self.name_of(number, ordinal), "position": json_double(position)}
                        for number, ordinal, position in added
                    ],
                    "removed": [self.name_of(number, ordinal) for number, ordinal in removed],
                }
                for name, added, removed in change.links
            }
        if change.operation == "delete":
            self.rows.pop(key, None)
        elif change.values is not None:
            self.rows[key] = {change.entity.properties[i].name: value for i, value in change.values.items()}
        return result


def read_schema(record):
    description = json.loads(record.meta.decode("utf-8"))
    if description.get("format", 0) > 1:
        raise NewerFormat(f"schema record {record.number} has format {description['format']}; this reader knows 1")
    return {e["number"]: Entity(e) for e in description["entities"]}


def last_names(store):
    """Names of entities by number, of the last schema that can be read."""
    names = {}
    try:
        for record in read_records(store):
            if record.kind == 1:
                names = {number: entity.name for number, entity in read_schema(record).items()}
    except Damage:
        pass
    return names


def print_log(options):
    printer = Printer(last_names(options.store), options.verbose, options.full)
    entities = None
    for record in read_records(options.store):
        if record.kind == 1:
            entities = read_schema(record)
        elif record.kind != 2:
            raise NewerFormat(f"record {record.number} has kind {record.kind}, which this reader does not know")
        elif entities is None:
            raise Damage(f"transaction {record.number} comes before any schema")
        else:
            print(printer.line(record, Transaction(record, entities)))
    if entities is None:
        raise NotAStore(f"{options.store}: no schema in the log")


def main():
    parser = argparse.ArgumentParser(description="Prints a store's transactions as annals log --json does.")
    parser.add_argument("-v", "--verbose", action="count", default=0, help="changes too; -vv: the frame of each record")
    parser.add_argument("--full", action="store_true", help="binary values whole")
    parser.add_argument("store", help="the store's directory")
    options = parser.parse_args()
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    try:
        print_log(options)
    except BrokenPipeError:
        sys.stdout = None
        return 0
    except (NotAStore, OSError) as error:
        print(f"read_log: {error}", file=sys.stderr)
        return 3
    except Damage as error:
        print(f"read_log: damage: {error}", file=sys.stderr)
        return 5
    except NewerFormat as error:
        print(f"read_log: {error}", file=sys.stderr)
        return 6
    return 0


if __name__ == "__main__":
    sys.exit(main())
