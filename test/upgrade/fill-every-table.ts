import assert from 'node:assert/strict'
import pg from 'pg'
import { createRemoteAccount, createRemoteStatus } from '../federation/remote-records.ts'
import { openSampleData } from '../servers/sample-data.ts'
import type { SampleData } from '../servers/sample-data.ts'
import type { TestServer } from '../servers/test-server.ts'

/**
 * Rows that the sample server lacks: those of federation, moderation and background jobs, and links of statuses.
 */
const ROWS = `
  insert into account_moves (account_id, target_account_id, followers_count)
    select min(id), max(id), 2 from accounts;
  insert into account_warnings (account_id, target_account_id, action, text, status_ids)
    select min(a.id), max(a.id), 'none', 'Please stop', array[max(s.id)] from accounts a, statuses s;
  insert into account_moderation_notes (account_id, target_account_id, content)
    select min(id), max(id), 'Promised to stop' from accounts;
  insert into report_notes (account_id, report_id, content)
    select min(a.id), max(r.id), 'Looks like spam' from accounts a, reports r;
  insert into audit_log_entries (account_id, action, target_type, target_id, label, created_at)
    select min(id), 'resolve', 'report', 1, 'bob', now() from accounts;
  insert into deleted_usernames (username, uri) values ('gone', 'https://linnet.test/users/gone');
  insert into sessions (id_hash, user_id, ip, user_agent, expires_at)
    select sha256('session'), min(id), '2001:db8::1', 'A browser', now() + interval '1 year' from users;
  insert into login_activities (user_id, method, success, failure_reason, ip, user_agent)
    select min(id), 'otp', false, 'invalid_otp_token', '2001:db8::1', 'A browser' from users;
  insert into totp_authenticators (user_id, secret, last_step, created_at) select min(id), 'sealed', 1, now() from users;
  insert into passkeys
      (user_id, credential_id, user_handle, public_key, sign_count, transports, nickname, created_at, last_used_at)
    select min(id), 'credential', 'handle', 'key', 7, '{internal}', 'Phone', now(), now() from users;
  insert into recovery_codes (user_id, code_hash) select min(id), sha256('code') from users;
  insert into pending_logins (id_hash, user_id, method, expires_at) select sha256('pending'), min(id), 'password', now() from users;
  insert into used_passkey_challenges (challenge_hash, expires_at) values (sha256('challenge'), now());
  update users set sign_up_ip = '2001:db8::2';
  insert into status_cleanup_policies (user_id, enabled, min_age_seconds, keep_pinned, keep_direct, keep_favourited,
      keep_bookmarked, keep_polls, keep_media, min_favourites, pass_started_at, examined_until, due_at)
    select min(u.id), true, 31556952, true, true, true, true, false, true, 10, now(), min(s.id), now()
    from users u, statuses s;
  insert into authorization_codes (code_hash, application_id, user_id, redirect_uri, scopes, code_challenge, expires_at)
    select sha256('code'), min(a.id), min(u.id), 'https://app.test/', '{read,write}', 'challenge', now()
    from applications a, users u;
  insert into poll_votes (poll_id, account_id, choice)
    select p.id, min(a.id), 0 from polls p, accounts a group by p.id;

  insert into jobs (queue, name, payload, max_attempts, run_at, key, waiting_key)
    values ('default', 'endPoll', '{"pollId":"0"}', 8, now() + interval '1 year', 'poll:0', 'poll:0');
  insert into instance_icons (small_file_key, medium_file_key, large_file_key, updated_at)
    values ('small', 'medium', 'large', now());
  insert into instance_thumbnails (file_key, blurhash, updated_at) values ('site', 'L00000', now());
  insert into custom_emojis (shortcode, image_key, static_image_key, category) values ('blob', 'blob', 'blob', 'Blobs');
  insert into custom_emojis (shortcode, domain, uri, image_remote_url)
    values ('blob', 'far.test', 'https://far.test/emojis/blob', 'https://far.test/blob.png');
  insert into cached_files (emoji_id, rendition, remote_url, file_key, byte_size, fetched_at, used_at)
    select max(id), 'emoji', 'https://far.test/blob.png', 'cached', 1234, now(), now() from custom_emojis;
  insert into cached_files (account_id, rendition, remote_url, fetched_at, used_at, status, failures, retry_at)
    select max(id), 'avatar', 'https://far.test/face.png', now(), now(), 404, 1, now() + interval '1 day' from accounts;
  insert into media_cache_reservations (byte_size, expires_at) values (4096, now());

  insert into terms_of_service (effective_date, text) values ('2026-11-01', 'Be kind');
  insert into terms_reviews (user_id, effective_date) select min(id), '2026-11-01' from users;
  insert into severed_follows (account_id, target_account_id, show_reblogs, notify, created_at)
    select min(id), max(id), true, false, now() from accounts;
  insert into account_purges (account_id, due_at, started_at, finished_at) select max(id), now(), now(), now() from accounts;
  insert into restorable_statuses (status_id, reply_ids) select min(id), array[max(id)] from statuses;
  insert into relays (inbox_url, created_at) values ('https://relay2.test/inbox', now());
  insert into invites (code, user_id, max_uses, uses, expires_at, autofollow, comment, created_at)
    select 'abcdefgh', min(id), 5, 1, now() + interval '1 day', true, 'friends', now() from users;
  insert into invite_uses (user_id, invite_id, autofollow_pending)
    select max(u.id), max(i.id), true from users u, invites i;
  insert into domain_allows (domain) values ('good.test');
  insert into sign_up_counts (day, kind, subject, count) values ('2026-11-05', 'ip', '198.51.100.7', 2);
  insert into account_warning_presets (title, text, created_at, updated_at) values ('Spam', 'Please stop', now(), now());
  insert into webhook_deliveries (webhook_id, event, occurrence, body, state, max_attempts, created_at, attempted_at)
    select id, 'status.created', 'status.created 1', '{}', 'delivered', 12, now(), now() from webhooks;
  insert into domain_blocks (domain, severity, public_comment) values ('bad.test', 'suspend', 'spam');
  insert into account_archives (account_id, name, requested_at, finished_at, byte_size)
    select min(id), 'archive', now(), now(), 1234 from accounts;
  insert into account_imports (account_id, type, overwrite, file_name, total_items, created_at)
    select min(id), 'blocking', false, 'blocks.csv', 1, now() from accounts;
  insert into account_import_rows (import_id, key, cells)
    select id, 'bob@far.test', '{bob@far.test}' from account_imports;
  insert into imported_statuses (account_id, uri, status_id)
    select account_id, 'https://old.test/statuses/1', id from statuses order by id limit 1;
  insert into archive_import_statuses (import_id, status_id)
    select i.id, s.status_id from account_imports i, imported_statuses s;
  insert into domain_block_imports (created_at) values (now());
  insert into domain_block_import_rows (import_id, line, domain, severity, reject_media, reject_reports, public_comment,
      obfuscate, status, weakens, accounts_count, follows_count)
    select id, 2, 'worse.test', 'suspend', false, false, 'spam', false, 'new', false, 1, 2 from domain_block_imports;
  insert into email_domain_block_attempts (block_id, day, network) select id, '2026-11-05', '198.51.100.7'
    from email_domain_blocks;
  insert into weekly_activity (week_starts_at, statuses, logins, registrations, counted_until_status_id)
    select '2026-11-02T00:00:00Z', 1, 2, 3, max(id) from statuses;
  insert into domain_block_runs (domain, examined_until, started_at, finished_at) values ('bad.test', 17, now(), now());
  insert into daily_tallies (measure, day, domain, value) values ('statuses', '2026-11-02', 'far.test', 7);
  update daily_tally_progress set tallied_before = '2026-11-03';
  insert into user_active_days (day, user_id) select '2026-11-02', min(id) from users on conflict do nothing;
  insert into daily_active_users (day, previous_day, users) values ('2026-11-02', '-infinity', 1);
  insert into daily_tag_uses (tag_id, day, domain, uses) select min(id), '2026-11-02', '', 1 from tags having min(id) is not null;
  insert into settings (name, value) values ('site_title', '"Birds"'), ('search:backlog', '"17"')
    on conflict (name) do nothing;
  insert into relationship_severance_events (account_id, type, target_name, cause, followers_count)
    select min(id), 'domain_block', 'bad.test', 'domain block 1', 2 from accounts;
  insert into severed_relationships (severance_id, is_follower, handle, show_reblogs, notify)
    select id, true, 'far@bad.test', true, false from relationship_severance_events;

  insert into annual_reports (account_id, year, requested_at, data) select min(id), 2025, now(), '{"archetype":"pollster"}'
    from accounts;
  insert into notifications (account_id, from_account_id, type, severance_id)
    select account_id, account_id, 'severed_relationships', id from relationship_severance_events;
  insert into notifications (account_id, from_account_id, type, warning_id)
    select target_account_id, target_account_id, 'moderation_warning', id from account_warnings
    on conflict do nothing;
  insert into notifications (account_id, from_account_id, type, annual_report_id)
    select account_id, account_id, 'annual_report', id from annual_reports;
  insert into notification_permissions (account_id, from_account_id) select min(id), max(id) from accounts;
  insert into notification_requests (account_id, from_account_id) select min(id), max(id) from accounts;
  insert into push_subscriptions (access_token_id, endpoint, p256dh, auth, standard, encrypted_token)
    select min(id), 'https://push.test/1', decode(repeat('04', 65), 'hex'), decode(repeat('01', 16), 'hex'), true, 'sealed'
    from access_tokens;
  insert into push_deliveries (notification_id, subscription_id) select min(n.id), min(p.id) from notifications n, push_subscriptions p;
  insert into mails (key, recipient, subject, text, html, sent_at)
    values ('confirmation 1', 'alice@mail.test', 'Confirm', 'Confirm', '<p>Confirm</p>', now());

  insert into external_identities (user_id, provider, uid, created_at) select min(id), 'openid_connect', '1001', now() from users;
  insert into external_login_attempts (state_hash, browser_hash, provider, encrypted_secrets, next, expires_at)
    values ('\\x01', '\\x02', 'saml', '\\x03', '/account', now() + interval '1 hour');
  insert into used_assertions (provider, id, expires_at) values ('saml', '_1', now() + interval '1 hour');

  insert into hosts (domain, software, signature_scheme, failing_days, unreachable_since, last_error)
    values ('old.test', 'mastodon', 'rfc9421', '{2026-11-01,2026-11-02}', now(), 'timeout');
  insert into received_activities (actor_uri, activity_id, body, interaction_key, relationship_key, signed_at)
    values ('https://far.test/users/a', 'https://far.test/likes/1', '{"type":"Like"}', 'a', 'b', now());
  insert into tombstones (uri, owner_uri) values ('https://far.test/statuses/gone', 'https://far.test/users/a');
  insert into sent_activities (uri, account_id, status_id, body)
    select 'https://linnet.test/activities/1', min(a.id), max(s.id), '{"type":"Create"}' from accounts a, statuses s;
  insert into deliveries (activity_id, inbox_url, domain, state, attempts, last_status)
    select id, 'https://far.test/inbox', 'far.test', 'pending', 3, 503 from sent_activities;
  insert into thread_refreshes (status_id, requested_at, pending_pages)
    select max(id), now(), '[{"uri":"https://far.test/s/1"}]' from statuses;

  insert into preview_card_authors (card_id, position, name, account_id)
    select c.id, 0, 'Alice', min(a.id) from preview_cards c, accounts a group by c.id;
  insert into preview_links (url, card_id, due_at) select url, id, now() from preview_cards;
  insert into status_preview_links (status_id, link_id, card_id, url)
    select max(s.id), l.id, l.card_id, l.url || '#top' from preview_links l, statuses s group by l.id
    on conflict (status_id) do update set link_id = excluded.link_id, card_id = excluded.card_id;
  insert into preview_link_uses (link_id, day, account_id, uses)
    select l.id, '2026-11-05', min(a.id), 2 from preview_links l, accounts a group by l.id;
  insert into trending_statuses (status_id, score) select min(id), 3.25 from statuses;
  insert into suppressed_suggestions (account_id, created_at) select min(id), now() from accounts;
  insert into status_trend_reviews (status_id, trendable, reviewed_at) select min(id), true, now() from statuses;
`

/** Performs the actions of a user that the sample data lacks, each once. */
async function performActions({ call, fill }: SampleData): Promise<void> {
  const send = async (method: string, path: string, payload: object = {}, headers: Record<string, string> = {}) => {
    const answer = await call(method, await fill(path), { payload, headers })
    assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`)
  }
  const status = await fill('/api/v1/statuses/{id}')
  const account = await fill('/api/v1/accounts/{id}')
  const statusId = status.split('/').at(-1)!
  for (const action of ['bookmark', 'pin', 'mute']) await send('POST', `${status}/${action}`)
  await send('PUT', status, { status: 'Hello again #world' })
  await send(
    'POST',
    '/api/v1/statuses',
    { status: 'A quote', quoted_status_id: statusId },
    { 'idempotency-key': 'once' },
  )
  await send('POST', `${account}/endorse`)
  await send('POST', `${account}/note`, { comment: 'a colleague' })
  await send('POST', '/api/v1/domain_blocks', { domain: 'dull.test' })
  await send('POST', '/api/v1/markers', { home: { last_read_id: statusId } })
  await send('PATCH', '/api/v2/notifications/policy', { for_bots: 'filter' })
  await send('DELETE', account.replace('accounts', 'suggestions'))
  await send('POST', '/api/v1/reports', { account_id: account.split('/').at(-1), comment: 'spam' })
  const announcement = await fill('/api/v1/announcements/{id}')
  await send('POST', `${announcement}/dismiss`)
  await send('PUT', `${announcement}/reactions/${encodeURIComponent('🎉')}`)
}

/** Opens a test server with at least one row in every table; also returns the token of a user. */
export async function openFilledServer(): Promise<{ testServer: TestServer; token: string }> {
  const sampleData = await openSampleData()
  const { testServer } = sampleData
  await performActions(sampleData)
  const accountId = await createRemoteAccount(testServer.ctx)
  await createRemoteStatus(testServer.ctx, { accountId })
  const reader = await testServer.createUser({ username: 'reader' })
  assert.equal((await reader.client.post(`/api/v1/accounts/${accountId}/follow`)).status, 200)
  await testServer.waitForJobs()
  const client = new pg.Client(testServer.connection)
  await client.connect()
  try {
    await client.query(ROWS)
  } finally {
    await client.end()
  }
  return { testServer, token: reader.token }
}
