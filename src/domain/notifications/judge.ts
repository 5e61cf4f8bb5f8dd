import { kindsThat } from './kinds.ts'
import { isFromStaff } from './wanted.ts'

/** Somebody counts as a follower after so many days, and an account as no longer new. */
const FOLLOWER_DAYS = 3
const NEW_DAYS = 30

/** A talk is followed so far up to see whether the recipient began it. */
const MAX_DEPTH = 40

const VERDICTS = ['accept', 'filter', 'drop'] as const
export type Verdict = (typeof VERDICTS)[number]

/** What the policy of somebody who never chose one says. */
export const DEFAULT_POLICY = {
  for_not_following: 'accept',
  for_not_followers: 'accept',
  for_new_accounts: 'accept',
  for_private_mentions: 'filter',
  for_limited_accounts: 'filter',
  for_bots: 'accept',
} as const satisfies Record<string, Verdict>

export type NotificationCategory = keyof typeof DEFAULT_POLICY

// A direct post that answers, however indirectly, what the recipient wrote to its author.
const answersRecipient = `exists (
  with recursive chain (id, depth) as (
    select s.in_reply_to_id, 1 from statuses s where s.id = $statusId
    union all
    select s.in_reply_to_id, chain.depth + 1 from chain join statuses s on s.id = chain.id where chain.depth < ${MAX_DEPTH}
  )
  select from chain join statuses own on own.id = chain.id and own.account_id = a.id
    join mentions m on m.status_id = own.id and m.account_id = sender.id)`
const isDirect = `exists (select from statuses s where s.id = $statusId and s.visibility = 'direct')`

/** Whether a category holds for the sender, who is not followed by the recipient; but that of followers asks nothing else. */
const HOLDS: Record<NotificationCategory, string> = {
  for_not_following: `not followed.yes`,
  for_not_followers: `not exists (select from follows f where f.account_id = sender.id and f.target_account_id = a.id
    and f.created_at <= $now::timestamptz - interval '${FOLLOWER_DAYS} days')`,
  for_new_accounts: `not followed.yes and sender.created_at > $now::timestamptz - interval '${NEW_DAYS} days'`,
  for_private_mentions: `not followed.yes and $kind = any('{mention,quote}') and ${isDirect} and not ${answersRecipient}`,
  for_limited_accounts: `not followed.yes and sender.silenced_at is not null`,
  for_bots: `not followed.yes and sender.actor_type in ('Service', 'Application')`,
}

const verdicts = (Object.keys(HOLDS) as NotificationCategory[]).map((category) => {
  const chosen = `coalesce(policy.${category}, '${DEFAULT_POLICY[category]}')`
  return `case when ${chosen} <> 'accept' and ${HOLDS[category]} then ${chosen} end`
})

/**
 * What the policy of the recipient says of what is wanted otherwise, as SQL: null, or an array that holds every verdict
 * there is. The aliases and parameters are those of `isWanted`, and `policy` is the recipient's, joined from the left.
 */
export const judgement = `case when $kind = any('{${kindsThat('filters').join(',')}}') and not ${isFromStaff}
    and not exists (select from notification_permissions allowed
      where allowed.account_id = a.id and allowed.from_account_id = sender.id)
  then (select array[${verdicts.join(',\n    ')}]
    from (select exists (
      select from follows f where f.account_id = a.id and f.target_account_id = sender.id) as yes) followed) end`
