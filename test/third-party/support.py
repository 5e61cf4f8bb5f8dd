"""Functions shared by the tests of clients: users, logging in by a browser, an image, polling."""

import os
import shlex
import struct
import subprocess
import tempfile
import time
import zlib

URL = os.environ["LINNET_URL"]
DOMAIN = URL.split("://")[1]

TIMEOUT_SECONDS = 30


def email_of(name):
    return f"{name}@mail.example"


def browser_environment(name, code_file):
    """Returns the environment in which $BROWSER logs in a user and writes the code to a file."""
    return {**os.environ, "SIGN_IN_EMAIL": email_of(name), "SIGN_IN_CODE_FILE": code_file}


def obtain_code(url, name):
    """Opens the authorization page of a client in the browser, and returns the code on the page."""
    with tempfile.TemporaryDirectory() as folder:
        code_file = os.path.join(folder, "code")
        command = [url if word == "%s" else word for word in shlex.split(os.environ["BROWSER"])]
        subprocess.run(command, env=browser_environment(name, code_file), check=True, timeout=60)
        with open(code_file) as file:
            return file.read()


def eventually(find, description):
    """Polls until the result of `find` is true, and returns it; jobs of the server run in the background."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while True:
        found = find()
        if found:
            return found
        if time.monotonic() > deadline:
            raise AssertionError(f"Timeout: {description} (last: {found!r})")
        time.sleep(0.05)


def png(width, height, colour):
    """Returns a PNG of one colour, given as (red, green, blue)."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = (b"\0" + bytes(colour) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
