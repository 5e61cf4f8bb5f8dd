import { app, by, form, open, optional, page, session, user } from './support/terms.ts'
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
  'DELETE /api/v1/statuses/:id': user('write:statuses', { throttles: by('account', THROTTLES.deletes) }),
  'GET /api/v1/statuses/:id/context': optional('read:statuses'),
  'POST /api/v1/statuses/:id/favourite': user('write:favourites'),
  'POST /api/v1/statuses/:id/unfavourite': user('write:favourites'),
  'POST /api/v1/statuses/:id/reblog': user('write:statuses'),
  'POST /api/v1/statuses/:id/unreblog': user('write:statuses', { throttles: by('account', THROTTLES.deletes) }),

  // Timelines
  'GET /api/v1/timelines/home': user('read:statuses'),
  'GET /api/v1/timelines/public': optional('read:statuses'),

  // Media
  'POST /api/v1/media': user('write:media', { files: true, throttles: by('account', THROTTLES.media) }),
  'POST /api/v2/media': user('write:media', { files: true, throttles: by('account', THROTTLES.media) }),
  'GET /api/v1/media/:id': user('write:media'),
  'PUT /api/v1/media/:id': user('write:media'),
}
