import { statement } from '../../platform/db/connect.ts'
import type { Ctx } from '../context.ts'
import { sign } from './lexemes.ts'

const CHUNK = 500

const findAuthor = statement<{ indexable: boolean }>(
  `select indexable from accounts where id = $1 and suspended_at is null`,
)
// $1 what they are marked as, $2 what they shall be marked as, $3 all public ones of the author that are marked so
const remark = statement<{ status_id: string }>(
  `update status_words w set words = ts_delete(w.words, $1::text) || $2::tsvector
   where w.status_id = any(array(
     select status_id from status_words where words @@ $3::tsquery limit ${CHUNK} for update skip locked))
   returning w.status_id`,
)

/** Effect: what somebody wrote in public can be found by everybody, or not any more, as they wish by now. */
export async function indexAuthor(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  let count: number
  do {
    count = await ctx.write(async (tx) => {
      const [author] = await findAuthor(tx.db, [accountId])
      if (!author) return 0
      const [before, after] = author.indexable ? [sign.other, sign.open] : [sign.open, sign.other]
      const marked = `'${sign.author(accountId)}' & '${sign.public}' & '${before}'`
      return (await remark(tx.db, [before, after, marked])).length
    })
  } while (count > 0)
}
