import { NotFound } from '../../lib/errors.ts'
import type { Focus } from '../../lib/focus.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Read, Tx } from '../context.ts'
import { checkDescription } from './upload.ts'

const update = statement<{ id: string }>(
  `update media_attachments
   set description = case when $3 then $4 else description end,
     meta = case when $5::jsonb is null then meta else meta || jsonb_build_object('focus', $5::jsonb) end
   where id = $1 and account_id = $2 and status_id is null returning id`,
)

/** Changes an upload that no status has yet. @throws NotFound for all others, whosever they are · ValidationFailed */
export async function updateMedia(
  tx: Tx,
  { id, accountId, description, focus }: { id: string; accountId: string; description?: string; focus?: Focus | null },
): Promise<void> {
  const alt = description === undefined ? null : checkDescription(description)
  const rows = await update(tx.db, [
    id,
    accountId,
    description !== undefined,
    alt,
    focus ? JSON.stringify(focus) : null,
  ])
  if (rows.length === 0) throw new NotFound()
}

const findOwn = statement<{ id: string }>(
  `select id from media_attachments where id = $1 and account_id = $2 and status_id is null`,
)

/** @throws NotFound unless it is the person's own and no status has it yet */
export async function checkOwnMedia(read: Read, { id, accountId }: { id: string; accountId: string }): Promise<void> {
  const rows = await findOwn(read.db, [id, accountId])
  if (rows.length === 0) throw new NotFound()
}
