import { app, by, form, open, optional, page, user } from './support/terms.ts'
import type { Access } from './support/terms.ts'
import { THROTTLES } from './support/throttles.ts'

/** The one table of authorisation. A route without a row does not start, nor does a row without a route. */
export const ACCESS: Readonly<Record<string, Access>> = {
  // Always there
  'GET /health': open(),
  'GET /livez': open(),
  'GET /readyz': open(),
  'GET /metrics': open(),
  'GET /api/openapi.json': open({ cache: 'steady' }),
  'GET /api/docs': open({ cache: 'steady' }),
  'GET /api/docs/reference.js': open({ cache: 'steady' }),

  // Files and pictures
  'GET /system/*': open({ cache: 'file' }),
  'GET /avatars/original/missing.png': open({ cache: 'file' }),
  'GET /headers/original/missing.png': open({ cache: 'file' }),
  'GET /pages/preview.png': open({ cache: 'file' }),
  'GET /pages/icon-48.png': open({ cache: 'file' }),
  'GET /pages/icon-192.png': open({ cache: 'file' }),
  'GET /pages/icon-512.png': open({ cache: 'file' }),

  // The instance
  'GET /api/v1/instance': open({ cache: 'steady' }),
  'GET /api/v2/instance': open({ cache: 'steady' }),

  // Statuses
  'POST /api/v1/statuses': user('write:statuses'),
  'GET /api/v1/statuses': optional('read:statuses'),
  'GET /api/v1/statuses/:id': optional('read:statuses'),
  'PUT /api/v1/statuses/:id': user('write:statuses'),
  'DELETE /api/v1/statuses/:id': user('write:statuses', { throttles: by('account', THROTTLES.deletes) }),
  'GET /api/v1/statuses/:id/context': optional('read:statuses'),
  'GET /api/v1/statuses/:id/history': optional('read:statuses'),
  'GET /api/v1/statuses/:id/source': user('read:statuses'),
  'POST /api/v1/statuses/:id/favourite': user('write:favourites'),
  'POST /api/v1/statuses/:id/unfavourite': user('write:favourites'),
  'POST /api/v1/statuses/:id/bookmark': user('write:bookmarks'),
  'POST /api/v1/statuses/:id/unbookmark': user('write:bookmarks'),
  'POST /api/v1/statuses/:id/pin': user('write:accounts'),
  'POST /api/v1/statuses/:id/unpin': user('write:accounts'),
  'POST /api/v1/statuses/:id/mute': user('write:mutes'),
  'POST /api/v1/statuses/:id/unmute': user('write:mutes'),
  'GET /api/v1/statuses/:id/reblogged_by': optional('read:accounts'),
  'GET /api/v1/statuses/:id/favourited_by': optional('read:accounts'),
  'GET /api/v1/favourites': user('read:favourites'),
  'GET /api/v1/bookmarks': user('read:bookmarks'),
  'POST /api/v1/statuses/:id/reblog': user('write:statuses'),
  'POST /api/v1/statuses/:id/unreblog': user('write:statuses', { throttles: by('account', THROTTLES.deletes) }),

  // Timelines
  'GET /api/v1/timelines/home': user('read:statuses'),
  'GET /api/v1/timelines/public': optional('read:statuses'),

  // Streams: their door reads the token itself, since it refuses in its own way
  'GET /api/v1/streaming/health': open({ unlimited: true }),
  'GET /api/v1/streaming/user': open({ unlimited: true }),
  'GET /api/v1/streaming/user/notification': open({ unlimited: true }),
  'GET /api/v1/streaming/public': open({ unlimited: true }),
  'GET /api/v1/streaming/public/local': open({ unlimited: true }),
  'GET /api/v1/streaming/public/remote': open({ unlimited: true }),
  'GET /api/v1/streaming/*': open({ unlimited: true }),

  // Media
  'POST /api/v1/media': user('write:media', { files: true, throttles: by('account', THROTTLES.media) }),
  'POST /api/v2/media': user('write:media', { files: true, throttles: by('account', THROTTLES.media) }),
  'GET /api/v1/media/:id': user('write:media'),
  'PUT /api/v1/media/:id': user('write:media'),

  // Pages
  'GET /': page(),
  'GET /pages/:file': open({ cache: 'file' }),
  'GET /favicon.svg': open({ cache: 'file' }),
  'GET /account': page(),
  'GET /auth/sign_in': page(),
  'POST /auth/sign_in': form({ throttles: by('ip', THROTTLES.signIn) }),
  'POST /auth/sign_out': form(),
  'GET /auth/sign_up': page(),
  'POST /auth/sign_up': form({ throttles: by('ip', THROTTLES.signUpForm) }),
  'POST /auth': form({ throttles: by('ip', THROTTLES.signUpForm) }),
  'GET /auth/setup': page(),
  'GET /auth/confirmation': page({ throttles: by('ip', THROTTLES.confirmation) }),
  'POST /auth/confirmation': form({ throttles: by('ip', THROTTLES.confirmation) }),
  'GET /setup': page({ throttles: by('ip', THROTTLES.setup) }),
  'POST /setup': form({ throttles: by('ip', THROTTLES.setup) }),
  'GET /dev/mail': page({ role: 'owner' }),
  'GET /dev/mail/:id': page({ role: 'owner' }),

  // Apps and OAuth
  'POST /api/v1/apps': open({ throttles: by('ip', THROTTLES.apps) }),
  'GET /api/v1/apps/verify_credentials': app([], { state: 'any' }),
  'GET /oauth/authorize': page(),
  'POST /oauth/authorize': form(),
  'DELETE /oauth/authorize': form(),
  'GET /oauth/authorize/native': page(),
  'POST /oauth/token': open({ throttles: by('ip', THROTTLES.token) }),
  'POST /oauth/revoke': open({ throttles: by('ip', THROTTLES.token) }),
  'GET /oauth/userinfo': user('profile'),
  'POST /oauth/userinfo': user('profile'),
  'GET /.well-known/oauth-authorization-server': open({ cache: 'steady' }),

  // One's own account
  'POST /api/v1/accounts': app('write:accounts', { state: 'any', throttles: by('ip', THROTTLES.signUpApi) }),
  'GET /api/v1/accounts/verify_credentials': user(['read:accounts', 'profile']),
  'POST /api/v1/emails/confirmations': user('write:accounts', {
    state: 'any',
    throttles: [...by('ip', THROTTLES.confirmation), ...by('account', THROTTLES.confirmationMail)],
  }),
  'GET /api/v1/emails/check_confirmation': user('read:accounts', { state: 'any' }),

  // Accounts, and what is between them
  'GET /api/v1/accounts': optional('read:accounts'),
  'GET /api/v1/accounts/lookup': optional('read:accounts'),
  'GET /api/v1/accounts/search': user('read:accounts'),
  'GET /api/v1/accounts/relationships': user('read:follows'),
  'PATCH /api/v1/accounts/update_credentials': user('write:accounts', { files: true }),
  'GET /api/v1/accounts/:id': optional('read:accounts'),
  'GET /api/v1/accounts/:id/statuses': optional('read:statuses'),
  'GET /api/v1/accounts/:id/followers': optional('read:accounts'),
  'GET /api/v1/accounts/:id/following': optional('read:accounts'),
  'POST /api/v1/accounts/:id/follow': user('write:follows'),
  'POST /api/v1/accounts/:id/unfollow': user('write:follows'),
  'POST /api/v1/accounts/:id/remove_from_followers': user('write:follows'),
  'POST /api/v1/accounts/:id/block': user('write:blocks'),
  'POST /api/v1/accounts/:id/unblock': user('write:blocks'),
  'POST /api/v1/accounts/:id/mute': user('write:mutes'),
  'POST /api/v1/accounts/:id/unmute': user('write:mutes'),
  'POST /api/v1/follows': user('write:follows'),
  'GET /api/v1/follow_requests': user('read:follows'),
  'POST /api/v1/follow_requests/:id/authorize': user('write:follows'),
  'POST /api/v1/follow_requests/:id/reject': user('write:follows'),
  'GET /api/v1/blocks': user('read:blocks'),
  'GET /api/v1/mutes': user('read:mutes'),

  // Search
  'GET /api/v2/search': user('read:search'),

  // Notifications
  'GET /api/v1/notifications': user('read:notifications'),
  'GET /api/v1/notifications/:id': user('read:notifications'),
  'POST /api/v1/notifications/clear': user('write:notifications'),
  'POST /api/v1/notifications/:id/dismiss': user('write:notifications'),

  // What other servers ask. Who may read is judged there, by the signature
  'GET /.well-known/webfinger': open({ cache: 'document' }),
  'GET /.well-known/host-meta': open({ cache: 'document' }),
  'GET /.well-known/host-meta.json': open({ cache: 'document' }),
  'GET /.well-known/nodeinfo': open({ cache: 'document' }),
  'GET /.well-known/change-password': open(),
  'GET /nodeinfo/2.0': open({ cache: 'document' }),
  'GET /actor': open({ cache: 'document' }),
  'GET /actor/outbox': open({ cache: 'document' }),
  'GET /users/:name': open({ cache: 'document' }),
  'GET /@:name': open({ cache: 'document' }),
  'GET /@:name/:id': open({ cache: 'document' }),
  'GET /emojis/:id': open({ cache: 'document' }),
  'POST /inbox': open(),
  'POST /actor/inbox': open(),
  'POST /ap/users/:id/inbox': open(),
  'POST /users/:name/inbox': open(),
  'GET /ap/users/:id': open({ cache: 'document' }),
  'GET /ap/users/:id/outbox': open({ cache: 'document' }),
  'GET /ap/users/:id/followers': open({ cache: 'document' }),
  'GET /ap/users/:id/following': open({ cache: 'document' }),
  'GET /ap/users/:id/collections/featured': open({ cache: 'document' }),
  'GET /ap/users/:id/collections/tags': open({ cache: 'document' }),
  'GET /ap/users/:id/statuses/:status': open({ cache: 'document' }),
  'GET /ap/users/:id/statuses/:status/activity': open({ cache: 'document' }),
  'GET /ap/users/:id/statuses/:status/replies': open({ cache: 'document' }),
  'GET /ap/users/:id/statuses/:status/likes': open({ cache: 'document' }),
  'GET /ap/users/:id/statuses/:status/shares': open({ cache: 'document' }),
}
