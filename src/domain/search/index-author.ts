import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { sign } from './lexemes.ts'

/** So many of somebody's statuses are marked in one transaction. */
const CHUNK = 500

const MAX_ID = '9223372036854775807'

const findAuthor = statement<{ params: { accountId: string }; row: { indexable: boolean } }>(
  `select indexable from accounts where id = $accountId`,
)
const findPublic = statement<{ params: { accountId: string; below: string }; row: { id: string } }>(
  `select id from statuses
   where account_id = $accountId and id < $below and visibility = 'public' and reblog_of_id is null
     and deleted_at is null
   order by id desc limit ${CHUNK}`,
)
const mark = statement<{ params: { statusIds: readonly string[]; before: string; after: string } }>(
  `update status_words w set words = ts_delete(w.words, $before::text) || $after::text::tsvector
   where w.status_id = any(array(
     select status_id from status_words where status_id = any($statusIds::bigint[]) and words @@ $before::text::tsquery
     order by status_id for update))`,
)

/** Effect: what somebody wrote in public can be found by everybody, or not any more, as they wish by now. */
export async function indexAuthor(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  let last: string | undefined = MAX_ID
  while (last !== undefined) {
    const below: string = last
    last = await ctx.write(async (tx) => {
      const [author] = await findAuthor(tx.db, { accountId })
      if (!author) return undefined
      const [before, after] = author.indexable ? [sign.other, sign.open] : [sign.open, sign.other]
      const ids = (await findPublic(tx.db, { accountId, below })).map((row) => row.id)
      if (ids.length > 0) await mark(tx.db, { statusIds: ids, before, after })
      return ids.at(-1)
    })
  }
}
