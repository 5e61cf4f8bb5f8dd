import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { marker } from './lexemes.ts'

/** The number of statuses that are updated in one transaction. */
const BATCH_SIZE = 500

const MAX_ID = '9223372036854775807'

const findAuthor = statement<{ params: { accountId: string }; row: { indexable: boolean } }>(
  `select indexable from accounts where id = $accountId`,
)
const findPublic = statement<{ params: { accountId: string; below: string }; row: { id: string } }>(
  `select id from statuses
   where account_id = $accountId and id < $below and visibility = 'public' and reblog_of_id is null
     and deleted_at is null
   order by id desc limit ${BATCH_SIZE}`,
)
const replaceMarker = statement<{ params: { statusIds: readonly string[]; before: string; after: string } }>(
  `update status_search_entries w set lexemes = ts_delete(w.lexemes, $before::text) || $after::text::tsvector
   where w.status_id = any(array(
     select status_id from status_search_entries where status_id = any($statusIds::bigint[]) and lexemes @@ $before::text::tsquery
     order by status_id for update))`,
)

/** Effect: updates the markers of an account's public statuses after its `indexable` setting changed. */
export async function updateAuthorSearchability(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  let last: string | undefined = MAX_ID
  while (last !== undefined) {
    const below: string = last
    last = await ctx.write(async (tx) => {
      const [author] = await findAuthor(tx.db, { accountId })
      if (!author) return undefined
      const [before, after] = author.indexable ? [marker.other, marker.open] : [marker.open, marker.other]
      const ids = (await findPublic(tx.db, { accountId, below })).map((row) => row.id)
      if (ids.length > 0) await replaceMarker(tx.db, { statusIds: ids, before, after })
      return ids.at(-1)
    })
  }
}
