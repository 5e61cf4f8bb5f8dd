import { type Static, Type } from 'typebox'
import { nullable } from '../../schema/nullable.ts'
import { oneOf } from '../../schema/one-of.ts'
import { DateTime } from '../../schema/time.ts'

const Usage = Type.Object({
  kind: oneOf(['attachments', 'processing', 'previews', 'avatars', 'headers', 'emojis', 'preview_cards', 'thumbnails']),
  origin: oneOf(['local', 'remote']),
  files: Type.Integer(),
  bytes: Type.Integer(),
  measured_at: DateTime,
})

const Purge = Type.Object({
  days: Type.Integer({ description: 'Days since the last view.' }),
  profiles: Type.Boolean({ description: 'Whether avatars, headers and emojis are removed, too.' }),
  by_domain: nullable(Type.String()),
  keep_interacted: Type.Boolean({ description: 'Whether attachments of statuses with local interaction stay.' }),
  running: Type.Boolean(),
  started_at: DateTime,
  last_run_at: nullable(DateTime, { description: 'The time of the last step.' }),
  finished_at: nullable(DateTime),
  total_files: Type.Integer({ description: 'At the start.' }),
  examined_files: Type.Integer(),
  removed_files: Type.Integer(),
  removed_bytes: Type.Integer(),
})

export const AdminMedia = Type.Object(
  {
    usage: Type.Array(Usage, {
      description: 'The files in the storage, measured once a day and by `bin/linnet media usage`.',
    }),
    cache_files: Type.Integer({ description: 'With records of failed fetches.' }),
    cache_bytes: Type.Integer({ description: 'The present size of the remote media cache.' }),
    cache_max_bytes: Type.Integer({ description: '`MEDIA_CACHE_GB`; 0: the cache is disabled.' }),
    purge: nullable(Purge, { description: 'The purge that runs, or the last one.' }),
  },
  { $id: 'AdminMedia', description: 'Stored files, and the remote media cache with its last purge.' },
)
export type AdminMedia = Static<typeof AdminMedia>
