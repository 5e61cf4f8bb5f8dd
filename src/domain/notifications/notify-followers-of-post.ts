import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { isOwnTalk } from '../statuses/own-talk.ts'
import { notify } from './notify.ts'

/** Followers who are told in one transaction. */
const CHUNK = 1_000

// Only what is written anew and for the followers: no boosts, no direct posts, no replies to others.
const findPost = statement<{ params: { statusId: string }; row: { account_id: string; language: string | null } }>(
  `select s.account_id, s.language from statuses s
   where s.id = $statusId and s.deleted_at is null and s.reblog_of_id is null and s.visibility <> 'direct'
     and ${isOwnTalk()} for key share`,
)

const findFollowers = statement<{
  params: { accountId: string; language: string | null; after: string }
  row: { id: string; account_id: string }
}>(
  `select f.id, f.account_id from follows f
   where f.target_account_id = $accountId and f.notify and f.id > $after
     and (f.languages is null or $language::text is null or $language = any(f.languages))
     and not exists (select from mutes m where m.account_id = f.account_id and m.target_account_id = $accountId
       and (m.expires_at is null or m.expires_at > now()))
   order by f.id limit ${CHUNK} for key share of f`,
)

/** Effect: tells those who follow the author with a notice for each post. */
export async function notifyFollowersOfPost(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  let cursor: string | undefined = '0'
  while (cursor !== undefined) {
    const after: string = cursor
    cursor = await ctx.write<string | undefined>(async (tx) => {
      const [post] = await findPost(tx.db, { statusId })
      if (!post) return undefined
      const followers = await findFollowers(tx.db, { accountId: post.account_id, language: post.language, after })
      const recipientIds = followers.map((row) => row.account_id)
      await notify(tx, { kind: 'status', fromAccountId: post.account_id, statusId, recipientIds })
      return followers.length < CHUNK ? undefined : followers.at(-1)?.id
    })
  }
}
