import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Read } from '../context.ts'

/** The number of attachments whose files one step changes. */
const BATCH_SIZE = 500

const PROFILE_IMAGE_KEYS = 'array[a.avatar_key, a.avatar_static_key, a.header_key, a.header_static_key]'

const isOfSuspended = statement<{ params: { key: string } }>(
  `select where exists (
       select from media_attachments m join accounts a on a.id = m.account_id
       where m.file_key = $key and a.suspended_at is not null)
     or exists (
       select from media_attachments m join accounts a on a.id = m.account_id
       where m.preview_key = $key and a.suspended_at is not null)
     or exists (
       select from accounts a
       where ${PROFILE_IMAGE_KEYS} @> array[$key]::text[] and a.suspended_at is not null and a.domain is null)`,
)

/** Returns whether a stored file belongs to a suspended local account, so that it is not served. */
export async function isFileHidden(read: Pick<Read, 'db'>, { key }: { key: string }): Promise<boolean> {
  return (await isOfSuspended(read.db, { key })).length > 0
}

interface KeyRow {
  keys: (string | null)[]
}

const findState = statement<{
  params: { accountId: string }
  row: KeyRow & { suspended: boolean }
  notNull: 'keys' | 'suspended'
}>(
  `select a.suspended_at is not null as suspended, ${PROFILE_IMAGE_KEYS} || array(
     select unnest(array[c.file_key, c.static_key]) from cached_files c where c.account_id = a.id) as keys
   from accounts a where a.id = $accountId`,
)
const findMedia = statement<{
  params: { accountId: string; after: string }
  row: KeyRow & { id: string }
  notNull: 'keys'
}>(
  `select m.id, array[m.file_key, m.preview_key] || array(
     select unnest(array[c.file_key, c.static_key]) from cached_files c where c.media_id = m.id) as keys
   from media_attachments m where m.account_id = $accountId and m.id > $after order by m.id limit ${BATCH_SIZE}`,
)

/**
 * Effect: makes the files of a suspended account private, and those of any other account public, if the storage service
 * serves files itself. Otherwise this server serves them, and refuses those of suspended accounts.
 */
export async function restrictFiles(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const { setPublic } = ctx.storage
  if (setPublic === null) return
  // The state may change while the files are changed, also by another job. The last state has to win.
  let [applied, [state]] = [undefined as boolean | undefined, await findState(ctx.db, { accountId })]
  while (state && state.suspended !== applied) {
    const isPublic = !state.suspended
    await setPublic({ keys: presentKeys([state]), isPublic })
    let batch: (KeyRow & { id: string })[] = []
    do {
      batch = await findMedia(ctx.db, { accountId, after: batch.at(-1)?.id ?? '0' })
      await setPublic({ keys: presentKeys(batch), isPublic })
    } while (batch.length === BATCH_SIZE)
    applied = state.suspended
    ;[state] = await findState(ctx.db, { accountId })
  }
}

function presentKeys(rows: readonly KeyRow[]): string[] {
  return [...new Set(rows.flatMap(({ keys }) => keys).filter((key) => key !== null))]
}
