"""Runs every command of toot, the Debian package, against the server at LINNET_URL."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import tempfile
import termios
import time
import unittest

import requests

from support import DOMAIN, URL, browser_environment, email_of, eventually, png

TOOT = "/usr/bin/toot"
TESS, TOBI = f"tess@{DOMAIN}", f"tobi@{DOMAIN}"
CONFIG = os.path.join(os.environ["XDG_CONFIG_HOME"], "toot", "config.json")
ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|[()][0-9A-B]|[=>])")

commands_run = set()


def run(*words, status=0):
    """Runs a non-interactive command, and returns its output."""
    done = subprocess.run([TOOT, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    output = done.stdout + done.stderr
    assert done.returncode == status, f"toot {' '.join(words)} ended with {done.returncode}: {output}"
    commands_run.add(words[0])
    return output


class Terminal:
    """A command in a terminal."""

    def __init__(self, *words, env=None):
        self.name = words[0]
        self.text = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(TOOT, [TOOT, *words], env or dict(os.environ))
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

    def type(self, text):
        os.write(self.fd, text.encode())

    def wait_for(self, expected):
        deadline = time.monotonic() + 60
        while expected not in self.text:
            self._read(deadline, f"waiting for {expected!r}")

    def end(self):
        deadline = time.monotonic() + 60
        try:
            while True:
                self._read(deadline, "waiting for the end")
        except EOFError:
            pass
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        assert status == 0, f"toot {self.name} ended with {status}: {self.text}"
        commands_run.add(self.name)

    def _read(self, deadline, purpose):
        ready, _, _ = select.select([self.fd], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            raise AssertionError(f"toot {self.name} took too long, {purpose}: {self.text}")
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        if not data:
            raise EOFError(f"toot {self.name} ended while {purpose}: {self.text}")
        self.text += ESCAPES.sub("", data.decode("utf-8", "replace"))


def log_in(name):
    with tempfile.TemporaryDirectory() as folder:
        code_file = os.path.join(folder, "code")
        terminal = Terminal("login", "--instance", DOMAIN, env=browser_environment(name, code_file))
        terminal.wait_for("Open link in default browser? [Y/n]")
        terminal.type("y\n")
        terminal.wait_for("Authorization code:")
        with open(code_file) as file:
            terminal.type(file.read() + "\n")
        terminal.wait_for("Successfully logged in.")
        terminal.end()
        return terminal.text


def config():
    with open(CONFIG) as file:
        return json.load(file)


def get(path, user=TESS, **query):
    """Sends a GET request to the API, with toot's token."""
    token = config()["users"][user]["access_token"]
    answer = requests.get(URL + path, params=query, headers={"Authorization": f"Bearer {token}"}, timeout=30)
    answer.raise_for_status()
    return answer.json()


def post(text, *words, user=TESS):
    """Posts with toot, and returns the id of the status."""
    output = run("post", text, "--using", user, *words)
    return re.search(rf"Toot posted: {re.escape(URL)}/@{user.split('@')[0]}/(\d+)", output).group(1)


def account_id(user):
    return get("/api/v1/accounts/verify_credentials", user)["id"]


def relationship():
    """Returns the relationship of tess to tobi."""
    [found] = get("/api/v1/accounts/relationships", **{"id[]": account_id(TOBI)})
    return found


def setUpModule():
    first = log_in("tobi")
    assert "Found instance" in first and "running Mastodon version 4." in first, first
    # The user who logged in last is the active one.
    log_in("tess")


def tearDownModule():
    """Fails if toot lists a command that no test ran."""
    listed = set(re.findall(r"^  toot (\w+)", subprocess.run([TOOT], capture_output=True, text=True).stdout, re.M))
    assert len(listed) > 30, listed
    assert commands_run == listed, f"never ran: {listed - commands_run}; unknown: {commands_run - listed}"
    print(f"toot: all {len(listed)} commands")


class Accounts(unittest.TestCase):
    def test_logged_in_users_are_listed_and_switched(self):
        self.assertEqual(set(config()["users"]), {TESS, TOBI})
        self.assertIn(f"✓ User {TOBI} active", run("activate", TOBI))
        self.assertRegex(run("auth"), rf"\* {re.escape(TOBI)} ACTIVE")
        run("activate", TESS)
        self.assertRegex(run("auth"), rf"\* {re.escape(TESS)} ACTIVE")

    def test_the_password_grant_is_rejected(self):
        words = ["--instance", DOMAIN, "--email", email_of("tess")]
        self.assertIn("Login failed", run("login_cli", *words, status=1))
        self.assertEqual(set(config()["users"]), {TESS, TOBI})

    def test_logging_out_removes_the_token(self):
        with open(CONFIG) as file:
            before = file.read()
        self.assertIn(f"✓ User {TOBI} logged out", run("logout", TOBI))
        self.assertEqual(set(config()["users"]), {TESS})
        with open(CONFIG, "w") as file:
            file.write(before)

    def test_env_names_the_version(self):
        self.assertRegex(run("env"), r"^toot \d+\.\d+")

    def test_whoami_and_whois(self):
        output = run("whoami")
        self.assertIn("@tess", output)
        self.assertIn(f"{URL}/@tess", output)
        self.assertIn(f"ID: {account_id(TESS)}", output)
        self.assertIn(f"ID: {account_id(TOBI)}", run("whois", "@tobi"))
        self.assertIn("Account not found", run("whois", "nobody_here", status=1))

    def test_instance_shows_the_version_and_the_rules(self):
        output = run("instance", DOMAIN)
        self.assertIn(f"\n{DOMAIN}\nrunning Mastodon 4.", output)
        self.assertIn("1. Be kind", output)

    def test_following_and_unfollowing(self):
        self.assertIn("You are now following tobi", run("follow", "tobi"))
        self.assertTrue(relationship()["following"])
        self.assertIn("* @tobi", run("following", "tess"))
        self.assertIn("* @tess", run("followers", f"tobi@{DOMAIN}"))
        self.assertIn("You are no longer following tobi", run("unfollow", "tobi"))
        self.assertFalse(relationship()["following"])
        self.assertNotIn("@tobi", run("following", "tess"))

    def test_muting_and_blocking(self):
        for command, undo, field in [("mute", "unmute", "muting"), ("block", "unblock", "blocking")]:
            run(command, "tobi")
            self.assertTrue(relationship()[field])
            run(undo, "tobi")
            self.assertFalse(relationship()[field])

    def test_hashtags_are_followed_and_unfollowed(self):
        self.assertIn("You are now following #harbour", run("tags_follow", "#harbour"))
        self.assertRegex(run("tags_followed"), r"\* #harbour\s+https://")
        self.assertIn("You are no longer following #harbour", run("tags_unfollow", "harbour"))
        self.assertIn("You're not following any hashtags.", run("tags_followed"))

    def test_search_finds_accounts_and_hashtags(self):
        post("Fresh #lobsters")
        self.assertIn("* @tobi", run("search", "tobi"))
        self.assertIn("#lobsters", eventually(lambda: "#lobsters" in (text := run("search", "lobsters")) and text, "a tag"))
        self.assertIn("Nothing found", run("search", "nothing_like_this"))


class Statuses(unittest.TestCase):
    def test_posts_have_the_values_of_their_options(self):
        words = ["--visibility", "unlisted", "--spoiler-text", "Fish", "--sensitive", "--language", "de"]
        status = get(f"/api/v1/statuses/{post('Ein Hering', *words)}")
        found = [status[name] for name in ("content", "visibility", "spoiler_text", "sensitive", "language")]
        self.assertEqual(found, ["<p>Ein Hering</p>", "unlisted", "Fish", True, "de"])

    def test_posts_are_scheduled(self):
        output = run("post", "Later", "--scheduled-in", "2 hours")
        self.assertRegex(output, r"Toot scheduled for: \d{4}-\d\d-\d\d")
        self.assertEqual([one["params"]["text"] for one in get("/api/v1/scheduled_statuses")], ["Later"])

    def test_images_are_uploaded_alone_and_with_a_post(self):
        with tempfile.NamedTemporaryFile(suffix=".png") as file:
            file.write(png(64, 48, (43, 122, 120)))
            file.flush()
            output = run("upload", file.name, "--description", "A sail")
            self.assertRegex(output, r"Successfully uploaded media ID \d+, type 'image'\nURL: https://\S+\nPreview URL:  https://")
            status = get(f"/api/v1/statuses/{post('A sea', '--media', file.name, '--description', 'Waves')}")
        [media] = status["media_attachments"]
        self.assertEqual([media["description"], media["meta"]["original"]["size"]], ["Waves", "64x48"])
        self.assertEqual(requests.get(media["url"], timeout=30).headers["Content-Type"], "image/png")

    def test_a_thread_shows_ancestors_and_descendants(self):
        first = post("A question about anchors")
        reply = post("An answer about anchors", "--reply-to", first, user=TOBI)
        for status_id in (first, reply):
            output = run("thread", status_id)
            self.assertLess(output.index("A question about anchors"), output.index("An answer about anchors"))
            self.assertIn(f"In reply to {first}", output)

    def test_interactions_are_undone(self):
        status_id = post("A lighthouse", user=TOBI)
        read = lambda: get(f"/api/v1/statuses/{status_id}")
        for command, undo, field in [
            ("favourite", "unfavourite", "favourited"),
            ("reblog", "unreblog", "reblogged"),
            ("bookmark", "unbookmark", "bookmarked"),
        ]:
            run(command, status_id)
            self.assertTrue(read()[field])
            if command == "reblog":
                self.assertIn("@tess", run("reblogged_by", status_id))
            if command == "bookmark":
                self.assertIn("A lighthouse", run("bookmarks", "--once"))
            run(undo, status_id)
            self.assertFalse(read()[field])
        self.assertNotIn("A lighthouse", run("bookmarks", "--once"))

    def test_pins(self):
        status_id = post("Pinned to the mast")
        pinned = lambda: [one["id"] for one in get(f"/api/v1/accounts/{account_id(TESS)}/statuses", pinned="true")]
        run("pin", status_id)
        self.assertEqual(pinned(), [status_id])
        run("unpin", status_id)
        self.assertEqual(pinned(), [])
        self.assertIn("cannot be pinned", run("pin", post("Mine", user=TOBI), status=1))

    def test_a_post_is_deleted(self):
        status_id = post("Soon gone")
        self.assertIn("Status deleted", run("delete", status_id))
        self.assertIn("Record not found", run("thread", status_id, status=1))

    def test_timelines(self):
        status_id = post("Gulls over the pier #gulls")
        eventually(lambda: "Gulls over the pier" in run("timeline", "--once"), "a post in the home timeline")
        for words in (
            ["--public", "--local"],
            ["--public", "--instance", DOMAIN],
            ["--tag", "gulls"],
            ["--tag", "gulls", "--instance", DOMAIN],
        ):
            self.assertIn(f"ID {status_id}", run("timeline", "--once", *words))

    def test_a_timeline_is_paginated(self):
        for number in range(3):
            post(f"Wave {number} #waves")
        terminal = Terminal("timeline", "--tag", "waves", "--count", "1")
        for number in (2, 1, 0):
            terminal.wait_for(f"Wave {number}")
            terminal.wait_for("Continue? [Y/n]")
            terminal.text = ""
            terminal.type("y\n" if number > 0 else "n\n")
        terminal.end()

    def test_notifications_are_listed_and_cleared(self):
        run("favourite", post("For notifications"), "--using", TOBI)
        post("Ahoy @tess", user=TOBI)
        shown = lambda: (text := run("notifications")) and "mentioned you in" in text and "favourited your status" in text
        eventually(shown, "both notifications")
        mentions = run("notifications", "--mentions")
        self.assertIn("mentioned you in", mentions)
        self.assertNotIn("favourited", mentions)
        self.assertIn("Cleared notifications", run("notifications", "--clear"))
        self.assertIn("No notification", run("notifications"))

    def test_the_terminal_interface_shows_the_home_timeline_and_favourites_a_post(self):
        status_id = post("Zwiebelkuchen")
        eventually(lambda: "Zwiebelkuchen" in run("timeline", "--once", "--count", "1"), "a post in the home timeline")
        terminal = Terminal("tui")
        terminal.wait_for("Zwiebelkuchen")
        terminal.wait_for(f"{status_id} - status 1 of")
        terminal.type("f")
        eventually(lambda: get(f"/api/v1/statuses/{status_id}")["favourited"], "the key F favourites the post")
        terminal.type("q")
        terminal.end()
        self.assertNotIn("exception", terminal.text)


if __name__ == "__main__":
    unittest.main()
