"""Drives Mastodon.py, the Debian package, against the server at LINNET_URL."""

import os
import tempfile
import threading
import unittest
from datetime import datetime, timedelta, timezone

from mastodon import (
    Mastodon,
    MastodonAPIError,
    MastodonIllegalArgumentError,
    MastodonNotFoundError,
    MastodonRatelimitError,
    MastodonUnauthorizedError,
    MastodonVersionError,
    StreamListener,
)

from support import DOMAIN, TIMEOUT_SECONDS, URL, email_of, eventually, obtain_code, png

MIN_METHODS = 80
IMAGE = png(64, 48, (43, 122, 120))

# A valid public key: the base point of the curve. Mastodon.py generates keys only with optional packages.
P256_POINT = bytes.fromhex(
    "04"
    "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
)

methods_used = set()


class Client(Mastodon):
    """Mastodon.py, with a record of the public methods that the tests call successfully."""

    def __init__(self, *args, **kwargs):
        self._nested = threading.local()
        super().__init__(*args, **kwargs)
        self._nested.depth = 0

    def __getattribute__(self, name):
        value = super().__getattribute__(name)
        if name.startswith("_") or not callable(value) or not hasattr(Mastodon, name):
            return value
        nested = super().__getattribute__("_nested")

        def call(*args, **kwargs):
            # Methods that Mastodon.py itself calls do not count.
            depth = getattr(nested, "depth", 1)
            nested.depth = depth + 1
            try:
                result = value(*args, **kwargs)
            finally:
                nested.depth = depth
            if depth == 0:
                methods_used.add(name)
            return result

        return call


class Listener(StreamListener):
    """Stores the events of a stream."""

    def __init__(self):
        self.connected = threading.Event()
        self.events = []

    def handle_heartbeat(self):
        self.connected.set()

    def on_update(self, status):
        self.events.append(("update", status.content))

    def on_status_update(self, status):
        self.events.append(("status.update", status.content))

    def on_delete(self, status_id):
        self.events.append(("delete", status_id))

    def on_notification(self, notification):
        self.events.append(("notification", notification.type))

    def on_conversation(self, conversation):
        self.events.append(("conversation", conversation.last_status.content))

    def on_filters_changed(self):
        self.events.append(("filters_changed", None))


def ids_of(things):
    return [thing.id for thing in things]


def create_client(**more):
    return Client(client_id=keys[0], client_secret=keys[1], api_base_url=URL, ratelimit_method="throw", **more)


def log_in(name):
    """Returns a client whose user has logged in on the pages of the server."""
    client = create_client()
    client.log_in(code=obtain_code(client.auth_request_url(), name))
    return client


def setUpModule():
    global keys, mara, nils, lena
    keys = Mastodon.create_app("Mastodon.py tests", api_base_url=URL, website="https://example.com/app")
    methods_used.add("create_app")
    mara, nils, lena = [log_in(name) for name in ("mara", "nils", "lena")]


def tearDownModule():
    """Fails unless the tests called enough methods successfully."""
    print(f"Mastodon.py: {len(methods_used)} methods: {', '.join(sorted(methods_used))}")
    assert len(methods_used) >= MIN_METHODS, f"only {len(methods_used)} methods"


class Signing(unittest.TestCase):
    def test_a_code_is_exchanged_for_a_token_that_is_stored_in_a_file_and_can_be_revoked(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "token")
            client = create_client()
            code = obtain_code(client.auth_request_url(scopes=["read"]), "nils")
            client.log_in(code=code, scopes=["read"], to_file=file)
            with self.assertRaises(MastodonIllegalArgumentError):
                create_client().log_in(code=code, scopes=["read"])
            again = Client(access_token=file, ratelimit_method="throw")
        self.assertEqual(again.api_base_url, URL)
        self.assertEqual(again.me().username, "nils")
        with self.assertRaisesRegex(MastodonAPIError, "403.*outside the authorized scopes"):
            again.status_post("not allowed")
        client.revoke_access_token()
        with self.assertRaises(MastodonUnauthorizedError):
            again.me()

    def test_the_password_grant_is_rejected(self):
        with self.assertRaises(MastodonIllegalArgumentError):
            create_client().log_in(email_of("mara"), os.environ["SIGN_IN_PASSWORD"])

    def test_an_app_verifies_its_credentials(self):
        app = mara.app_verify_credentials()
        self.assertEqual([app.name, app.website], ["Mastodon.py tests", "https://example.com/app"])

    def test_an_app_signs_up_a_user_who_has_to_confirm_the_address(self):
        client = create_client()
        client.create_account("olaf", os.environ["SIGN_IN_PASSWORD"], email_of("olaf"), agreement=True)
        with self.assertRaisesRegex(MastodonAPIError, "403.*missing a confirmed e-mail address"):
            client.status_post("too early")
        client.email_resend_confirmation()
        account, error = create_client().create_account(
            "olaf", "short", email_of("olaf"), agreement=True, return_detailed_error=True
        )
        self.assertIsNone(account)
        self.assertEqual({"username", "email", "password"} & set(error.details), {"username", "email", "password"})

    def test_errors_have_the_expected_classes(self):
        anonymous = Client(api_base_url=URL, ratelimit_method="throw")
        with self.assertRaises(MastodonUnauthorizedError):
            anonymous.timeline_home()
        with self.assertRaisesRegex(MastodonNotFoundError, "Record not found"):
            mara.status(1)
        with self.assertRaisesRegex(MastodonAPIError, "422.*Text can't be blank"):
            mara.status_post(" ")
        with self.assertRaises(MastodonVersionError):
            mara.reports()

    def test_rate_limits_are_in_the_headers_and_cause_an_error(self):
        def counts_down():
            nils.me()
            before = nils.ratelimit_remaining
            nils.me()
            return nils.ratelimit_remaining == before - 1

        # Repeated in case the window of the limit ends between the two requests.
        self.assertTrue(counts_down() or counts_down())
        self.assertGreater(nils.ratelimit_reset, datetime.now().timestamp())
        with self.assertRaises(MastodonRatelimitError):
            for _ in range(100):
                with self.assertRaises(MastodonNotFoundError):
                    nils.status_delete(1)


class Instance(unittest.TestCase):
    def test_the_instance_has_its_information(self):
        instance = mara.instance()
        self.assertEqual([instance.uri, instance.configuration.statuses.max_characters], [DOMAIN, 500])
        self.assertRegex(mara.retrieve_mastodon_version(), r"^4\.")
        self.assertTrue(mara.verify_minimum_version("4.0.0"))
        self.assertEqual([rule.text for rule in mara.instance_rules()], ["Be kind"])
        self.assertEqual(mara.instance_peers(), [])
        activity = mara.instance_activity()
        self.assertEqual(len(activity), 12)
        self.assertGreaterEqual(sum(week.registrations for week in activity), 5)
        nodeinfo = mara.instance_nodeinfo()
        self.assertEqual([nodeinfo.software.name, nodeinfo.metadata.upstream.name], ["linnet", "mastodon"])
        server_time = mara.get_approx_server_time().replace(tzinfo=timezone.utc)
        self.assertLess(abs(server_time - datetime.now(timezone.utc)), timedelta(minutes=1))
        self.assertEqual(mara.custom_emojis(), [])
        self.assertEqual([mara.trending_tags(), mara.trending_statuses(), mara.trending_links()], [[], [], []])

    def test_announcements_are_read_reacted_to_and_dismissed(self):
        find = lambda: mara.announcements()[0]
        announcement = find()
        self.assertIn("The harbour opens at noon", announcement.content)
        mara.announcement_reaction_create(announcement, "⛵")
        self.assertEqual([(one.name, one.count, one.me) for one in find().reactions], [("⛵", 1, True)])
        mara.announcement_reaction_delete(announcement, "⛵")
        self.assertEqual(find().reactions, [])
        mara.announcement_dismiss(announcement)
        self.assertTrue(find().read)

    def test_preferences_and_markers(self):
        self.assertEqual(mara.preferences()["posting:default:visibility"], "public")
        status = mara.toot("A mark")
        self.assertEqual(mara.markers_set(["home"], [status]).home.last_read_id, status.id)
        self.assertEqual(mara.markers_get(["home"]).home.last_read_id, status.id)


class Accounts(unittest.TestCase):
    def test_a_profile_is_edited(self):
        account = mara.account_update_credentials(
            display_name="Mara", note="Sails", fields=[("Boat", "Swift")], avatar=IMAGE, avatar_mime_type="image/png"
        )
        self.assertEqual([account.display_name, account.source.note], ["Mara", "Sails"])
        self.assertEqual([(field.name, field.value) for field in account.fields], [("Boat", "Swift")])
        self.assertIn("/system/", account.avatar)
        self.assertEqual(nils.account(account.id).display_name, "Mara")
        self.assertEqual(mara.account_verify_credentials().id, account.id)

    def test_accounts_are_found(self):
        found = mara.account_lookup("nils")
        self.assertEqual(found.acct, "nils")
        self.assertEqual(ids_of(mara.account_search("nils")), [found.id])
        self.assertEqual(ids_of(mara.search("nils", result_type="accounts").accounts), [found.id])
        self.assertEqual(ids_of(mara.search_v2(f"@nils@{DOMAIN}").accounts), [found.id])
        mara.account_update_credentials(discoverable=True)
        mara.toot("For the directory")
        listed = lambda: "mara" in [account.username for account in nils.directory(order="new")]
        eventually(listed, "an account in the directory")

    def test_accounts_follow_and_unfollow_each_other(self):
        me, them = mara.me(), nils.me()
        relationship = mara.account_follow(them, notify=True)
        self.assertEqual([relationship.following, relationship.notifying], [True, True])
        self.assertIn(them.id, ids_of(mara.account_following(me)))
        self.assertIn(me.id, ids_of(nils.account_followers(them)))
        self.assertTrue(mara.account_relationships([them.id])[0].following)
        nils.account_follow(me)
        self.assertTrue(mara.account_relationships(them)[0].followed_by)
        self.assertEqual(ids_of(mara.account_familiar_followers([lena.me()])), [lena.me().id])
        mara.account_pin(them)
        self.assertEqual(ids_of(mara.endorsements()), [them.id])
        mara.account_unpin(them)
        self.assertEqual(mara.endorsements(), [])
        self.assertEqual(mara.account_note_set(them, "Owes me a rope").note, "Owes me a rope")
        self.assertFalse(mara.account_remove_from_followers(them).followed_by)
        self.assertFalse(mara.account_unfollow(them).following)
        self.assertEqual(mara.follows("nils").username, "nils")
        mara.account_unfollow(them)

    def test_follow_requests_are_accepted_and_rejected(self):
        lena.account_update_credentials(locked=True)
        # A locked account posts to its followers only.
        self.addCleanup(lena.account_update_credentials, locked=False)
        requesters = {client.me().id: client for client in (mara, nils)}
        for client in requesters.values():
            self.assertTrue(client.account_follow(lena.me()).requested)
        self.assertEqual(set(ids_of(lena.follow_requests())), set(requesters))
        self.assertTrue(lena.follow_request_authorize(mara.me()).followed_by)
        self.assertFalse(lena.follow_request_reject(nils.me()).followed_by)
        self.assertEqual(lena.follow_requests(), [])
        mara.account_unfollow(lena.me())

    def test_mutes_blocks_and_blocked_domains(self):
        them = lena.me()
        self.assertTrue(nils.account_mute(them, notifications=False).muting)
        self.assertEqual(ids_of(nils.mutes()), [them.id])
        self.assertFalse(nils.account_unmute(them).muting)
        self.assertTrue(nils.account_block(them).blocking)
        self.assertEqual(ids_of(nils.blocks()), [them.id])
        self.assertFalse(nils.account_unblock(them).blocking)
        nils.domain_block("spam.example")
        self.assertEqual(nils.domain_blocks(), ["spam.example"])
        nils.domain_unblock("spam.example")
        self.assertEqual(nils.domain_blocks(), [])

    def test_suggestions_are_removed(self):
        mara.suggestion_delete(nils.me())
        self.assertNotIn(nils.me().id, ids_of(mara.suggestions()))

    def test_lists_have_members_and_a_timeline(self):
        me, them = mara.me(), nils.me()
        mara.account_follow(them)
        created = mara.list_create("Crew")
        self.assertEqual(mara.list_update(created, "Old crew").title, "Old crew")
        mara.list_accounts_add(created, [them])
        self.assertEqual(ids_of(mara.list_accounts(created)), [them.id])
        self.assertEqual(ids_of(mara.account_lists(them)), [created.id])
        status = nils.toot("To the crew")
        eventually(lambda: status.id in ids_of(mara.timeline_list(created)), "a post in the list")
        mara.list_accounts_delete(created, [them])
        self.assertEqual(mara.list_accounts(created), [])
        self.assertEqual(mara.list(created).id, created.id)
        mara.list_delete(created)
        self.assertEqual(mara.lists(), [])
        mara.account_unfollow(them)

    def test_hashtags_are_featured(self):
        status = mara.toot("Knots #knots")
        featured = mara.featured_tag_create("knots")
        self.assertEqual([featured.name, featured.statuses_count], ["knots", "1"])
        self.assertEqual([one.name for one in nils.account_featured_tags(mara.me())], ["knots"])
        self.assertEqual(ids_of(mara.featured_tags()), [featured.id])
        self.assertNotIn("knots", [tag.name for tag in mara.featured_tag_suggestions()])
        self.assertEqual(ids_of(nils.timeline_hashtag("knots")), [status.id])
        self.assertEqual(ids_of(nils.account_statuses(mara.me(), tagged="knots")), [status.id])
        mara.featured_tag_delete(featured)
        self.assertEqual(mara.featured_tags(), [])

    def test_reports_have_a_category(self):
        status = nils.toot("Buy ropes now")
        report = mara.report(nils.me(), [status], "Look at this", category="spam")
        self.assertEqual([report.category, report.comment, report.target_account.id], ["spam", "Look at this", nils.me().id])
        [rule] = mara.instance_rules()
        self.assertEqual(mara.report(nils.me(), category="spam", rule_ids=[rule.id]).category, "violation")
        with self.assertRaisesRegex(MastodonAPIError, "422.*does not reference valid rules"):
            mara.report(nils.me(), rule_ids=[999_999])
        with self.assertRaises(MastodonNotFoundError):
            mara.report(nils.me(), [mara.toot("Mine")])


class Statuses(unittest.TestCase):
    def test_a_status_is_posted_once_edited_and_deleted(self):
        words = {"spoiler_text": "Weather", "sensitive": True, "visibility": "unlisted", "language": "en"}
        status = mara.status_post("Fog", idempotency_key="fog", **words)
        self.assertEqual(mara.status_post("Fog", idempotency_key="fog", **words).id, status.id)
        self.assertEqual({name: status[name] for name in words}, words)
        self.assertLess(abs(status.created_at - datetime.now(timezone.utc)), timedelta(minutes=1))
        edited = mara.status_update(status, "Thick fog", spoiler_text="Weather")
        self.assertEqual([edited.content, edited.edited_at is None], ["<p>Thick fog</p>", False])
        self.assertEqual([one.content for one in mara.status_history(status)], ["<p>Fog</p>", "<p>Thick fog</p>"])
        self.assertEqual(mara.status_source(status).text, "Thick fog")
        self.assertIsNone(mara.status_card(status))
        self.assertEqual(mara.status_delete(status).text, "Thick fog")
        with self.assertRaises(MastodonNotFoundError):
            mara.status(status)

    def test_replies_form_a_thread(self):
        first = mara.toot("Which anchor?")
        reply = lena.status_reply(first, "The heavy one")
        self.assertEqual([reply.in_reply_to_id, reply.mentions[0].acct], [first.id, "mara"])
        context = mara.status_context(first)
        self.assertEqual([ids_of(context.ancestors), ids_of(context.descendants)], [[], [reply.id]])
        self.assertTrue(mara.status_mute(first).muted)
        self.assertFalse(mara.status_unmute(first).muted)

    def test_interactions_are_undone(self):
        status = mara.toot("Sunset")
        me = lena.me().id
        self.assertEqual(lena.status_favourite(status).favourites_count, 1)
        self.assertEqual([ids_of(mara.status_favourited_by(status)), ids_of(lena.favourites())], [[me], [status.id]])
        self.assertEqual(lena.status_unfavourite(status).favourites_count, 0)
        self.assertEqual(lena.status_reblog(status).reblog.id, status.id)
        self.assertEqual(ids_of(mara.status_reblogged_by(status)), [me])
        self.assertFalse(lena.status_unreblog(status).reblogged)
        self.assertTrue(lena.status_bookmark(status).bookmarked)
        self.assertEqual(ids_of(lena.bookmarks()), [status.id])
        self.assertFalse(lena.status_unbookmark(status).bookmarked)
        self.assertTrue(mara.status_pin(status).pinned)
        self.assertEqual(ids_of(lena.account_statuses(mara.me(), pinned=True)), [status.id])
        self.assertFalse(mara.status_unpin(status).pinned)

    def test_timelines_are_paginated(self):
        posted = ids_of([lena.status_post(f"Wave {number} #paging") for number in range(5)])[::-1]
        eventually(lambda: ids_of(lena.timeline_home(limit=5)) == posted, "five posts in the home timeline")
        for read in (lena.timeline_home, lambda **page: lena.timeline_hashtag("paging", **page)):
            first = read(limit=2)
            second = lena.fetch_next(first)
            self.assertEqual([ids_of(first), ids_of(second)], [posted[:2], posted[2:4]])
            self.assertEqual(ids_of(lena.fetch_previous(second)), posted[:2])
            self.assertEqual(ids_of(lena.fetch_remaining(first))[:5], posted)
            self.assertEqual(ids_of(read(min_id=posted[2], limit=1)), [posted[1]])
            self.assertEqual(ids_of(read(since_id=posted[2])), posted[:2])
        self.assertIn(posted[0], ids_of(nils.timeline_public()))
        self.assertIn(posted[0], ids_of(nils.timeline_local()))
        self.assertEqual(ids_of(lena.timeline("tag/paging", limit=1)), posted[:1])

    def test_images_are_uploaded_described_and_attached(self):
        media = mara.media_post(IMAGE, "image/png", description="A sail", focus=(0.5, -0.5))
        self.assertEqual([media.type, media.description], ["image", "A sail"])
        eventually(lambda: mara.media(media).get("url"), "a processed image")
        changed = mara.media_update(media, description="A red sail", focus=(0, 1))
        self.assertEqual([changed.description, changed.meta.focus.y], ["A red sail", 1])
        status = mara.status_post("Look", media_ids=media)
        [attached] = status.media_attachments
        self.assertEqual([attached.id, attached.description, attached.meta.original.width], [media.id, "A red sail", 64])
        self.assertEqual(ids_of(nils.account_statuses(mara.me(), only_media=True)), [status.id])
        with self.assertRaisesRegex(MastodonAPIError, "422"):
            mara.media_post(b"no image", "image/png")

    def test_a_user_votes_once_in_a_poll(self):
        poll = mara.make_poll(["Port", "Starboard"], expires_in=3600)
        status = mara.status_post("Which side?", poll=poll)
        self.assertEqual([option.title for option in status.poll.options], ["Port", "Starboard"])
        lena.poll_vote(status.poll, [1])
        seen = lena.poll(status.poll)
        self.assertEqual([seen.voted, seen.own_votes, seen.options[1].votes_count], [True, [1], 1])
        with self.assertRaisesRegex(MastodonAPIError, "422.*already voted"):
            lena.poll_vote(status.poll, [0])

    def test_statuses_are_scheduled(self):
        at = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(hours=1)
        scheduled = lena.status_post("Tomorrow", scheduled_at=at)
        self.assertEqual([scheduled.scheduled_at, scheduled.params.text], [at, "Tomorrow"])
        later = at + timedelta(hours=1)
        self.assertEqual(lena.scheduled_status_update(scheduled, later).scheduled_at, later)
        self.assertEqual(lena.scheduled_status(scheduled).scheduled_at, later)
        self.assertEqual(ids_of(lena.scheduled_statuses()), [scheduled.id])
        lena.scheduled_status_delete(scheduled)
        self.assertEqual(lena.scheduled_statuses(), [])

    def test_filters_are_stored_and_applied(self):
        created = lena.filter_create("kraken", ["home", "public"], whole_word=True)
        self.assertEqual([created.phrase, created.context, created.whole_word], ["kraken", ["home", "public"], True])
        statuses = [mara.toot("A kraken!"), mara.toot("A herring")]
        self.assertEqual(lena.filters_apply(statuses, lena.filters(), "home"), statuses[1:])
        [hit] = lena.status(statuses[0]).filtered
        self.assertEqual(hit.keyword_matches, ["kraken"])
        lena.filter_update(created, phrase="squid", context=["thread"])
        changed = lena.filter(created)
        self.assertEqual([changed.phrase, changed.context], ["squid", ["thread"]])
        lena.filter_delete(created)
        self.assertEqual(lena.filters(), [])

    def test_conversations_are_listed_and_read(self):
        status = mara.status_post("@lena hush", visibility="direct")
        find = lambda: [one for one in lena.conversations() if one.last_status.id == status.id]
        [conversation] = eventually(find, "a conversation")
        self.assertEqual([conversation.unread, conversation.accounts[0].username], [True, "mara"])
        self.assertFalse(lena.conversations_read(conversation).unread)
        self.assertFalse(find()[0].unread)

    def test_notifications_are_listed_dismissed_and_cleared(self):
        status = nils.toot("Rope for sale")
        mara.status_favourite(status)
        mara.status_reblog(status)
        mara.toot("@nils how much?")
        kinds = lambda: {one.type for one in nils.notifications()} >= {"favourite", "reblog", "mention"}
        eventually(kinds, "three notifications")
        [mention] = nils.notifications(mentions_only=True)
        self.assertEqual([mention.account.username, nils.notifications(mention.id).id], ["mara", mention.id])
        self.assertEqual({one.type for one in nils.notifications(types=["favourite"])}, {"favourite"})
        nils.notifications_dismiss(mention)
        self.assertEqual(nils.notifications(mentions_only=True), [])
        nils.notifications_clear()
        self.assertEqual(nils.notifications(), [])

    def test_push_subscriptions_are_stored(self):
        public = {"pubkey": P256_POINT, "auth": os.urandom(16)}
        created = mara.push_subscription_set("https://push.example/x", public, mention_events=True, follow_events=False)
        self.assertEqual([created.endpoint, created.alerts.mention, created.alerts.follow], ["https://push.example/x", True, False])
        self.assertTrue(mara.push_subscription_update(favourite_events=True).alerts.favourite)
        self.assertEqual(mara.push_subscription().id, created.id)
        mara.push_subscription_delete()
        with self.assertRaises(MastodonNotFoundError):
            mara.push_subscription()


class Streams(unittest.TestCase):
    def test_streams_send_posts_edits_deletions_notifications_and_conversations(self):
        self.assertTrue(mara.stream_healthy())
        created = mara.list_create("On the stream")
        mara.account_follow(lena.me())
        mara.list_accounts_add(created, [lena.me()])
        openers = {
            "user": mara.stream_user,
            "public": mara.stream_public,
            "local": mara.stream_local,
            "hashtag": lambda listener, **more: mara.stream_hashtag("tide", listener, **more),
            "list": lambda listener, **more: mara.stream_list(created, listener, **more),
            "direct": mara.stream_direct,
        }
        listeners = {name: Listener() for name in openers}
        handles = [open(listeners[name], run_async=True, timeout=60) for name, open in openers.items()]
        try:
            for name, listener in listeners.items():
                self.assertTrue(listener.connected.wait(TIMEOUT_SECONDS), name)
            everywhere = ["user", "public", "local", "hashtag", "list"]

            def wait_for(event, *names):
                for name in names:
                    eventually(lambda: event in listeners[name].events, f"{event} on the stream {name}")

            status = lena.toot("The #tide is in")
            wait_for(("update", status.content), *everywhere)
            mara.filter_delete(mara.filter_create("seaweed", ["home"]))
            wait_for(("filters_changed", None), "user")
            edited = lena.status_update(status, "The #tide is out")
            wait_for(("status.update", edited.content), *everywhere)
            message = lena.status_post("@mara ebb", visibility="direct")
            wait_for(("notification", "mention"), "user")
            wait_for(("conversation", message.content), "direct")
            lena.status_delete(status)
            wait_for(("delete", status.id), *everywhere)
        finally:
            for handle in handles:
                # close() waits for the next bytes of the stream, possibly until the heartbeat.
                threading.Thread(target=handle.close, daemon=True).start()
            mara.list_delete(created)


if __name__ == "__main__":
    # Mastodon.py does not close its connections before the process ends.
    unittest.main(warnings="ignore")
