import type { Ctx } from '../../../domain/context.ts'
import { removeRemoteStatus } from '../../../domain/statuses/remote/remove-remote-status.ts'
import { statement } from '../../../platform/db/statement.ts'
import { isSameAddress } from '../fetch/fetch-document.ts'
import { RemoteGoneError } from '../fetch/remote-errors.ts'

const findPublic = statement<{ params: { uri: string }; row: { account_id: string } }>(
  `select account_id from statuses where uri = $uri and not local and reblog_of_id is null and deleted_at is null
     and visibility in ('public', 'unlisted')`,
)

/**
 * Returns the result of fetching a status. If its server has nothing at its URI any more, deletes a stored public or
 * unlisted status. Other statuses stay, because servers do not serve them to the instance actor.
 * @throws what the fetch throws
 */
export async function removeIfGone<T>(ctx: Ctx, { uri, fetching }: { uri: string; fetching: Promise<T> }): Promise<T> {
  try {
    return await fetching
  } catch (err) {
    if (err instanceof RemoteGoneError && isSameAddress(err.url, uri)) {
      const [status] = await findPublic(ctx.db, { uri })
      if (status) await ctx.write((tx) => removeRemoteStatus(tx, { uri, accountId: status.account_id }))
    }
    throw err
  }
}
