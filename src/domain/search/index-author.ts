import { statement } from '../../platform/db/connect.ts'
import type { Ctx } from '../context.ts'
import { sign } from './lexemes.ts'

/** So many of somebody's statuses are marked in one transaction. */
const CHUNK = 500

const MAX_ID = '9223372036854775807'

const findAuthor = statement<{ indexable: boolean }>(`select indexable from accounts where id = $1`)
const findPublic = statement<{ id: string }>(
  `select id from statuses
   where account_id = $1 and id < $2 and visibility = 'public' and reblog_of_id is null and deleted_at is null
   order by id desc limit ${CHUNK}`,
)
// $1 the statuses, $2 what they are marked as if they have to be changed, $3 what they are marked as then
const mark = statement(
  `update status_words w set words = ts_delete(w.words, $2::text) || $3::text::tsvector
   where w.status_id = any(array(
     select status_id from status_words where status_id = any($1::bigint[]) and words @@ $2::text::tsquery
     order by status_id for update))`,
)

/** Effect: what somebody wrote in public can be found by everybody, or not any more, as they wish by now. */
export async function indexAuthor(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  let last: string | undefined = MAX_ID
  while (last !== undefined) {
    const below: string = last
    last = await ctx.write(async (tx) => {
      const [author] = await findAuthor(tx.db, [accountId])
      if (!author) return undefined
      const [before, after] = author.indexable ? [sign.other, sign.open] : [sign.open, sign.other]
      const ids = (await findPublic(tx.db, [accountId, below])).map((row) => row.id)
      if (ids.length > 0) await mark(tx.db, [ids, before, after])
      return ids.at(-1)
    })
  }
}
