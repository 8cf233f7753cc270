"""What pictures made to hurt cost at the door, one by one: seconds of the processor, and memory.

``make measure-photos`` prints a row for docs/figures.md for each. Each is read as the
site reads a photo, by a process of its own, which tells its own peak: what the system says of a
child's memory counts that of the process it was forked from too.
"""

import io
import json
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from tests.servers.running import ROOT

READER = ROOT / "tournaments" / "arrivals" / "photo_reader.py"
MOST_SECONDS, MOST_MEGABYTES = 0.5, 20
MOST_READ = (5, 300)
"""Of what is read: as ``costs`` allows an account."""
WATCHED = """
import json, resource, runpy, sys, time
def peak():
    return int(next(line for line in open("/proc/self/status") if "VmHWM" in line).split()[1])
reader = runpy.run_path(sys.argv[1])
before, begun = peak(), time.process_time()
said = reader["main"]()
print(json.dumps([said, time.process_time() - begun, (peak() - before) / 1024]))
"""


@dataclass(frozen=True)
class Cost:
    """What came of a picture; seconds of the processor and megabytes beyond those of a start."""

    answer: dict[str, object]
    seconds: float
    megabytes: float


def cost(photo: bytes) -> Cost | None:
    """Read a picture as the site does; None where its reader was ended."""
    command = [sys.executable, "-I", "-c", WATCHED, str(READER)]
    done = subprocess.run(command, input=photo, capture_output=True, check=False)
    return None if done.returncode else Cost(*json.loads(done.stdout))


def png(width: int, height: int, depth: int = 8) -> bytes:
    """Return a black PNG in grey, made without unpacking it anywhere."""
    head = struct.pack(">IIBBBBB", width, height, depth, 0, 0, 0, 0)
    row, packer = bytes(1 + (width * depth + 7) // 8), zlib.compressobj(9)
    at_once = max(1, 2**20 // len(row))
    block = row * at_once
    packed = [
        packer.compress(block[: (height - begun) * len(row)]) for begun in range(0, height, at_once)
    ]
    parts = [(b"IHDR", head), (b"IDAT", b"".join([*packed, packer.flush()])), (b"IEND", b"")]
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def webp(width: int, height: int) -> bytes:
    """Return a WebP of one colour: the bits of a lossless one, with other sizes in its header."""
    made = io.BytesIO()
    Image.new("RGB", (1, 1)).save(made, "WEBP", lossless=True)
    small = bytearray(made.getvalue())
    sizes = (width - 1) | (height - 1) << 14
    kept = int.from_bytes(small[21:25], "little") >> 28 << 28
    small[21:25] = (kept | sizes).to_bytes(4, "little")
    return bytes(small)


def saved(kind: str, *frames: Image.Image, **how: object) -> bytes:
    """Return a picture, or an animation, as a file."""
    made = io.BytesIO()
    more = {"save_all": True, "append_images": frames[1:]} if len(frames) > 1 else {}
    frames[0].save(made, kind, **more, **how)
    return made.getvalue()


def truncated() -> bytes:
    """Return half of a photo of 24 megapixels."""
    whole = saved("JPEG", Image.effect_noise((1400, 1000), 60).resize((5600, 4200)))
    return whole[: len(whole) // 2]


def many_scans() -> bytes:
    """Return a JPEG of 25 megapixels whose last scan comes again and again, in 11 MB."""
    whole = saved("JPEG", Image.new("L", (5770, 4330), 128), progressive=True, quality=50)
    scan = whole[whole.rindex(b"\xff\xda") : -2]
    return whole[:-2] + scan * (11_000_000 // len(scan)) + whole[-2:]


BOMBS: dict[str, Callable[[], bytes]] = {
    "PNG of 1 by 80,000,000": lambda: png(1, 80_000_000, 1),
    "WebP of 88 megapixels": lambda: webp(9_380, 9_380),
    "PNG of 89 megapixels": lambda: png(9_434, 9_434),
    "half a JPEG of 24 megapixels": truncated,
    "10,000 frames": lambda: saved("PNG", *(Image.new("L", (8, 8), n % 2) for n in range(10_000))),
}
WITHIN: dict[str, Callable[[], bytes]] = {
    "PNG of 25 megapixels, with transparency": lambda: saved(
        "PNG", Image.new("RGBA", (5000, 5000))
    ),
    "WebP of 16 megapixels": lambda: saved("WEBP", Image.new("RGB", (4000, 4000)), method=0),
    "JPEG of 24 megapixels": lambda: saved(
        "JPEG", Image.effect_noise((1400, 1000), 60).resize((5600, 4200)).convert("RGB")
    ),
    "JPEG of 25 megapixels, the same scan 260,000 times": many_scans,
}


def main() -> int:
    """Print what each costs; 1 where a bomb costs more than it may."""
    bad = 0
    for name, made in (BOMBS | WITHIN).items():
        photo = made()
        found = cost(photo)
        size = f"{max(1, len(photo) // 1000):,} kB"
        if found is None:
            sys.stdout.write(f"| {name} | {size} | ended after 5 s | |\n")
            continue
        said = found.answer.get("refused", "read")
        figures = f"{found.seconds:.2f} s | {found.megabytes:.0f} MB"
        sys.stdout.write(f"| {name} | {size} | {said} | {figures} |\n")
        seconds, megabytes = (MOST_SECONDS, MOST_MEGABYTES) if name in BOMBS else MOST_READ
        bad += found.seconds > seconds or found.megabytes > megabytes
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
